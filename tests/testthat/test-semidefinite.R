# Kernels that the user gives: a matrix that is not positive semidefinite has no certificate, one
# that is so up to rounding has, and what was not looked at is said.

X <- scale(as.matrix(iris[51:150, 1:4]))
two <- droplevels(iris$Species[51:150])
sigmoid <- function(a, b) tanh(0.5 * tcrossprod(as.matrix(a), as.matrix(b)) + 0.5)
S <- sigmoid(X, X)
quiet <- margin_control(seed = 1, progress = FALSE)

refused <- function(code) {
  told <- tryCatch(suppressWarnings(code), error = identity)
  expect_s3_class(told, "dualmargin_input_error")
  expect_match(conditionMessage(told), "not positive semidefinite", fixed = TRUE)
  invisible(told)
}

test_that("a sigmoid kernel is refused by all families of kernels, as values and as a function", {
  expect_lt(min(eigen(S, only.values = TRUE)$values), -1)
  kernels <- list(list(S, kernel_precomputed()), list(X, sigmoid), list(X, kernel_custom(sigmoid)),
                  list(X, kernel_custom(sigmoid, check = "full")),
                  list(S, kernel_precomputed(check = "full")))
  for (given in kernels) {
    for (loss in c("logistic", "hinge")) {
      refused(margin_kernel(given[[1L]], two, kernel = given[[2L]], loss = loss, lambda = 0.1,
                            intercept = "none", scale = FALSE, control = quiet))
    }
    refused(margin_hard(given[[1L]], two, kernel = given[[2L]], control = quiet))
    refused(margin_oneclass(given[[1L]], nu = 0.2, kernel = given[[2L]], scale = FALSE,
                            control = quiet))
  }
  expect_error(margin_path(S, two, family = "kernel", kernel = kernel_precomputed()),
               "not positive semidefinite", class = "dualmargin_input_error")
})

test_that("what shows that a matrix is indefinite is in the condition, and does show it", {
  told <- refused(margin_kernel(S, two, kernel = kernel_precomputed()))
  if (is.null(told$vector)) {
    at <- told$rows
    expect_gt(S[at[1L], at[2L]]^2, S[at[1L], at[1L]] * S[at[2L], at[2L]])
  }
  # all pairs in order: equal correlations of -0.1
  K <- matrix(-0.1, 20, 20) + diag(1.1, 20)
  told <- refused(margin_oneclass(K, kernel = kernel_precomputed()))
  expect_equal(sum(told$vector * (K %*% told$vector)), told$value)
  expect_equal(sum(told$vector^2), 1)
  expect_lt(told$value, 0)
  # of which every eleven rows are semidefinite
  expect_identical(sum(told$vector != 0), 12L)
  K <- diag(3)
  K[1, 3] <- K[3, 1] <- 1.001
  told <- refused(margin_oneclass(K, kernel = kernel_precomputed()))
  expect_setequal(told$rows, c(1, 3))
  told <- refused(margin_oneclass(X[1:5, ], kernel = function(a, b) {
    tcrossprod(as.matrix(a), as.matrix(b)) - 100
  }))
  expect_lt(told$value, 0)
  expect_error(margin_oneclass(X[1:5, ], kernel = function(a, b) {
    exp(-outer(as.matrix(a)[, 1], as.matrix(b)[, 1], `-`))
  }), "not symmetric", class = "dualmargin_input_error")
})

test_that("thresholded correlations are repaired by the smallest shift, which is told", {
  set.seed(7)
  C <- cor(matrix(rnorm(20 * 60), 20))
  C[abs(C) < 0.3] <- 0
  y <- factor(rep(c("a", "b"), 30))
  lowest <- min(eigen(C, only.values = TRUE)$values)
  expect_lt(lowest, -0.01)
  refused(margin_kernel(C, y, kernel = kernel_precomputed(), control = quiet))
  repaired <- kernel_precomputed(repair = "shift")
  expect_message(fit <- margin_kernel(C, y, kernel = repaired, control = quiet),
                 "is added to its diagonal", class = "dualmargin_message")
  expect_equal(fit$settings$kernel$shift, -lowest, tolerance = 1e-8)
  expect_true(fit$certificate$certified)
  expect_identical(certificate(fit)$assumes, "")
  expect_match(capture.output(print(fit)), "added to the diagonal", all = FALSE)
  shifted <- C - diag(lowest * (1 + 1e-6), 60)
  same <- margin_kernel(shifted, y, kernel = kernel_precomputed(), control = quiet)
  expect_equal(certificate(fit)$value, certificate(same)$value, tolerance = 1e-5)
  # new rows, among them those of the training, are taken as they are
  beta <- numeric(60)
  beta[fit$support$at] <- coef(fit)[-1L]
  expect_equal(unname(predict(fit, C, type = "score")), drop(C %*% beta) + coef(fit)[[1L]])
  # nothing is added to what needs nothing
  expect_silent(plain <- margin_kernel(shifted, y, kernel = repaired, control = quiet))
  expect_null(plain$settings$kernel$shift)
  suppressMessages({
    expect_true(margin_oneclass(C, kernel = repaired, control = quiet)$certificate$certified)
    expect_false(is.null(margin_hard(C, y, kernel = repaired)$settings$kernel$shift))
  })
  # another matrix is judged by itself
  again <- suppressMessages(margin_kernel(C * 2, y, kernel = plain$settings$kernel,
                                          control = quiet))
  expect_true(again$certificate$certified)
})

test_that("a matrix of distances is told what to make of it", {
  D <- as.matrix(dist(X))
  expect_error(margin_kernel(D, two, kernel = kernel_precomputed()), "exp(-sigma * D^2)",
               fixed = TRUE, class = "dualmargin_input_error")
  sigma <- 1 / median(D[lower.tri(D)]^2)
  fit <- margin_kernel(exp(-sigma * D^2), two, kernel = kernel_precomputed(), control = quiet)
  expect_true(fit$certificate$certified)
})

# ---- The bound ----

test_that("the bound of a matrix indefinite by rounding is below every optimum that is meant", {
  set.seed(3)
  n <- 40
  x <- matrix(rnorm(n * 5), n)
  y <- factor(ifelse(x[, 1] + rnorm(n) > 0, "a", "b"))
  K <- tcrossprod(x)
  v <- qr.Q(qr(cbind(x, rnorm(n))))[, 6]
  fit <- function(K, loss, lambda, tol = 1e-6) {
    suppressWarnings(margin_kernel(K, y, kernel = kernel_precomputed(), loss = loss,
                                   lambda = lambda, intercept = "none",
                                   control = margin_control(tol = tol, seed = 1)))
  }
  for (by in c(1e-12, 1e-9, 5e-9)) {
    off <- K - by * mean(diag(K)) * tcrossprod(v)
    off <- (off + t(off)) / 2
    allowance <- judge_values(off, TRUE)$allowance
    expect_lt(allowance, 2.1e-8)
    for (loss in c("logistic", "squared_hinge")) {
      for (lambda in c(0.1, 1e-4, 1e-6)) {
        bound <- certificate(fit(off, loss, lambda))$bound
        meant <- list(K, off + diag(allowance * diag(K)))
        values <- vapply(meant, function(K) certificate(fit(K, loss, lambda, 1e-10))$value, 0)
        expect_lte(bound, min(values))
      }
    }
  }
})

# ---- What is assumed ----

test_that("the last column of every family's certificate says what is assumed", {
  rows <- c(51:70, 101:120)
  x <- as.matrix(iris[rows, 1:4])
  y <- droplevels(iris$Species[rows])
  K <- tcrossprod(scale(x)) + 1
  unchecked <- kernel_precomputed(check = "none")
  fits <- suppressMessages(suppressWarnings(list(
    margin_linear(x, y), margin_linear(iris[1:4], iris$Species), margin_kernel(x, y),
    margin_kernel(x, y, kernel = kernel_ntk(8, seed = 1), intercept = "none"),
    margin_augmented(x, y, control = margin_control(max_epochs = 5, seed = 1)),
    margin_robust(x, y, radius = 0.1), margin_hard(x, y), margin_oneclass(x, kernel = "rbf"),
    margin_path(x, y, n_lambda = 2), margin_path(x, y, n_lambda = 2, family = "kernel"),
    margin_path(x, y, family = "robust", radius = c(0.1, 0.2)),
    margin_kernel(K, y, kernel = kernel_precomputed()),
    margin_kernel(x, y, kernel = function(a, b) tcrossprod(as.matrix(a), as.matrix(b)))
  )))
  for (fit in fits) {
    table <- certificate(fit)
    expect_identical(names(table)[ncol(table)], "assumes")
    expect_identical(unique(table$assumes), "", info = class(fit)[1L])
    expect_no_match(capture.output(print(fit)), "semidefinite")
  }
  given <- suppressMessages(suppressWarnings(list(
    margin_kernel(K, y, kernel = unchecked), margin_oneclass(K, kernel = unchecked),
    margin_hard(K, y, kernel = unchecked),
    margin_path(K, y, n_lambda = 2, family = "kernel", kernel = unchecked),
    margin_kernel(x, y, kernel = kernel_custom(function(a, b) {
      tcrossprod(as.matrix(a), as.matrix(b))
    }, check = "none"))
  )))
  for (fit in given) {
    expect_identical(unique(certificate(fit)$assumes), "positive semidefinite kernel")
    for (shown in list(capture.output(print(fit)), capture.output(print(summary(fit))))) {
      expect_match(shown, "given that the kernel is positive semidefinite", all = FALSE)
    }
  }
  expect_identical(generics::glance(given[[1L]])$assumes, "positive semidefinite kernel")
})

test_that("a negative square that a run meets is no zero, though nothing was checked", {
  unchecked <- kernel_precomputed(check = "none")
  K <- matrix(-0.5, 6, 6) + diag(1.5, 6)
  y <- factor(rep(c("a", "b"), 3))
  # the mean of all rows has the squared length (1 - 5/2)/6 < 0
  told <- refused(margin_oneclass(K, nu = 1, kernel = unchecked))
  expect_lt(told$value, 0)
  # q = 1/6 on y_i k(x_i, .): weights of the rows whose square is negative
  told <- refused(margin_hard(K * tcrossprod(rep(c(-1, 1), 3)), y, kernel = unchecked,
                              intercept = "none", solver = "smo"))
  expect_lt(told$value, 0)
  # at this lambda the fit itself lies along the negative direction
  told <- refused(margin_kernel(K, rep(1, 6) + 0.1 * (1:6), kernel = unchecked, loss = "squared",
                                lambda = 10, intercept = "none"))
  expect_lt(told$value, 0)
  expect_false(isFALSE(tryCatch(suppressWarnings(
    margin_hard(S, two, kernel = unchecked)$separable
  ), dualmargin_input_error = function(condition) NA)))
})

test_that("the arguments of kernels that are given are checked", {
  expect_error(kernel_precomputed(check = "some"), "`check`", class = "dualmargin_input_error")
  expect_error(kernel_precomputed(repair = "clip"), "`repair`", class = "dualmargin_input_error")
  expect_error(kernel_custom("rbf"), "`f`", class = "dualmargin_input_error")
  expect_error(kernel_custom(function(x) x), "`f`", class = "dualmargin_input_error")
  expect_error(margin_kernel(X, two, kernel = kernel_custom), "kernel_custom(f)", fixed = TRUE,
               class = "dualmargin_input_error")
})
