# What is a square in exact arithmetic is judged where it comes out negative: no bound is less than
# the square that it is for.

own <- asNamespace("dualmargin")
X <- scale(as.matrix(iris[51:150, 1:4]))
two <- droplevels(iris$Species[51:150])
quiet <- margin_control(seed = 1, progress = FALSE)

try_class <- function(code) {
  tryCatch({
    code
    "said"
  }, error = function(condition) class(condition)[1L])
}

test_that("a square is zero within its rounding, and nothing is known of it beyond", {
  expect_identical(own$judged_square(c(2, -1e-9, -1e-7, NaN, -Inf), 1e-8), c(2, 0, Inf, Inf, Inf))
  expect_identical(own$judged_square(matrix(c(-1, 4), 1), 0), matrix(c(Inf, 4), 1))
})

test_that("the gap at another lambda has the rounding of a square that cancels", {
  set.seed(1)
  short <- vapply(1:200, function(i) {
    w <- rnorm(30)
    lambda <- runif(1, 0.5, 2)
    step <- runif(1, 0.1, 1)
    # lambda w + u nearly zero at lambda + step
    e <- -step * w * (1 + 1e-9 * rnorm(30))
    point <- c(lambda, misfit = 0, loss = 0, w1 = 0, ww = sum(w^2), we = sum(w * e), ee = sum(e^2),
               du = 0, dim = 30)
    # a chord that says nothing
    kept <- list(points = cbind(point, point),
                 chords = cbind(c(l1 = 0.1, l2 = 10, 1e300, 1e300, numeric(7))))
    at <- lambda + step
    # w and e are as they are: their sum is exact but for a last digit
    least <- sum(((at - lambda) * w + e)^2) / (2 * at)
    own$path_pieces_cpp(kept, 0, 2L, 1L, at)$gap < least * (1 - 1e-5)
  }, NA)
  expect_identical(sum(short), 0L)
})

test_that("squared lengths of rows around an implicit centre far away are off by rounding alone", {
  set.seed(2)
  dense <- matrix(1e4 + rnorm(3000), 1000)
  dense[cbind(1:3, 1:3)] <- 0
  sparse <- Matrix::Matrix(dense, sparse = TRUE)
  centre <- colMeans(dense)
  rows <- own$centred_rows(sparse, centre, rep(1, 3))
  expect_length(rows$rest, 3)
  exact <- rowSums(sweep(dense, 2L, centre)^2)
  expect_lt(max(abs(own$squared_lengths(rows) - exact)), 1e-4)
})

test_that("no statement is made of fits to given kernels, semidefinite or not", {
  given <- function(a, b) tanh(0.1 * tcrossprod(as.matrix(a), as.matrix(b)) + 0.5)
  S <- unname(given(X, X))
  expect_lt(min(eigen(S, only.values = TRUE)$values), -0.1)
  kernels <- list(list(S, kernel_precomputed(check = "none")),
                  list(X, kernel_custom(given, check = "none")),
                  list(unname(tcrossprod(X)), kernel_precomputed()))
  known <- margin_certain(margin_kernel(X, two, kernel = as_kernel("linear"), control = quiet), X, two)
  said <- unlist(lapply(kernels, function(one) {
    told <- tryCatch({
      fit <- suppressWarnings(margin_kernel(one[[1L]], two, kernel = one[[2L]], lambda = 10,
                                            scale = FALSE, control = quiet))
      c(try_class(margin_certain(fit, one[[1L]], two)), try_class(margin_loo(fit, one[[1L]], two)))
    }, dualmargin_input_error = function(condition) "refused by the fit")
    forged <- replace(known, "fit", list(replace(known$fit, "settings", list(
      replace(known$fit$settings, "kernel", list(one[[2L]]))))))
    c(told, try_class(margin_flips(forged, X, two)),
      try_class(margin_sensitivity(forged, X, two, remove = 1:2)))
  }))
  expect_true(all(said %in% c("dualmargin_input_error", "refused by the fit")))
})
