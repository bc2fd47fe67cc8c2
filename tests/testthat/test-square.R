# What is a square in exact arithmetic is judged where it comes out negative: no bound is less than
# the square that it is for.

X <- scale(as.matrix(iris[51:150, 1:4]))
two <- droplevels(iris$Species[51:150])
quiet <- margin_control(seed = 1, progress = FALSE)

try_class <- function(code) {
  tryCatch({
    code
    "said"
  }, error = function(condition) class(condition)[1L])
}

test_that("no statement is made of fits to given kernels, semidefinite or not", {
  given <- function(a, b) tanh(0.1 * tcrossprod(as.matrix(a), as.matrix(b)) + 0.5)
  S <- unname(given(X, X))
  expect_lt(min(eigen(S, only.values = TRUE)$values), -0.1)
  kernels <- list(list(S, kernel_precomputed(check = "none")),
                  list(X, kernel_custom(given, check = "none")),
                  list(unname(tcrossprod(X)), kernel_precomputed()))
  said <- unlist(lapply(kernels, function(one) {
    tryCatch({
      fit <- suppressWarnings(margin_kernel(one[[1L]], two, kernel = one[[2L]], lambda = 10,
                                            scale = FALSE, control = quiet))
      c(try_class(margin_certain(fit, one[[1L]], two)), try_class(margin_loo(fit, one[[1L]], two)))
    }, dualmargin_input_error = function(condition) "refused by the fit")
  }))
  expect_true(all(said %in% c("dualmargin_input_error", "refused by the fit")))
})
