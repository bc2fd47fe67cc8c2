# A matrix of kernel values in place of the data: it must be one, and gives the fit of its kernel.

x <- scale(as.matrix(spambase[seq(1, 4601, by = 15), 1:57]))
x <- x[, !is.nan(x[1, ])]
y <- spambase$type[seq(1, 4601, by = 15)]
values <- exp(-as.matrix(dist(x))^2 / ncol(x))
control <- margin_control(tol = 1e-9, seed = 1, progress = FALSE)

test_that("a matrix that is not symmetric is refused, wherever it is not", {
  for (at in list(c(1, 2), c(300, 3), c(5, 290), c(307, 306))) {
    wrong <- values
    wrong[at[1], at[2]] <- wrong[at[1], at[2]] + 1e-6
    expect_error(margin_kernel(wrong, y, kernel_precomputed(), control = control,
                               intercept = "none"),
                 "must be symmetric", class = "dualmargin_input_error")
  }
  negative <- values
  diag(negative)[7] <- -1
  expect_error(margin_kernel(negative, y, kernel_precomputed(), control = control,
                             intercept = "none"),
               "no negative diagonal", class = "dualmargin_input_error")
})

test_that("rounding is no lack of symmetry", {
  rounded <- values
  rounded[upper.tri(rounded)] <- rounded[upper.tri(rounded)] * (1 + 1e-15)
  fit <- margin_kernel(rounded, y, kernel_precomputed(), intercept = "none",
                       control = margin_control(tol = 1e-3, seed = 1))
  expect_true(fit$certificate$certified)
})

test_that("a fit of kernel values that ends too soon is a warning, and no error", {
  problem <- moons()
  K <- exp(-as.matrix(dist(problem$x))^2)
  for (y in list(factor(problem$y), problem$x[, 1L])) {
    expect_warning(
      fit <- margin_kernel(K, y, kernel = kernel_precomputed(), loss = NULL, lambda = 1e-6,
                           intercept = "none", center = FALSE, solver = "block_sdca",
                           control = margin_control(max_epochs = 1, seed = 1)),
      class = "dualmargin_not_certified"
    )
    expect_false(certificate(fit)$certified)
  }
})

test_that("columns that dist() has numbered otherwise are an error that says what to do", {
  kernel <- function(rows) exp(-as.matrix(dist(unname(x[rows, ])))^2 / ncol(x))
  train <- c(21:80, 201:260)
  K <- kernel(train)
  new <- kernel(c(1:20, train))[1:20, -(1:20)]
  fit_to <- function(K) {
    margin_kernel(K, y[train], kernel_precomputed(), control = control, intercept = "none")
  }
  expect_input_error(predict(fit_to(K), new), "newdata", "by unname()")
  colnames(new) <- colnames(K)
  expect_equal(unname(predict(fit_to(unname(K)), unname(new), type = "score")),
               unname(predict(fit_to(K), new, type = "score")), tolerance = 1e-12)
})
