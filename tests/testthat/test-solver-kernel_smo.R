# SMO for the plain hinge: pairs with and without a free intercept, soft labels, shrinking.

set.seed(11)
x <- matrix(rnorm(240), 120)
y <- ifelse(x[, 1]^2 + x[, 2] + 0.5 * rnorm(120) > 0.7, 1, -1)

fit_hinge <- function(x, y, ..., solver = "smo", tol = 1e-9, options = list(),
                      kernel = kernel_rbf(0.7), start = NULL, intercept = "none") {
  margin_kernel(x, y, kernel = kernel, loss = "hinge",
                center = FALSE, scale = FALSE, solver = solver, ...,
                intercept = intercept,
                control = margin_control(tol = tol, progress = FALSE, max_epochs = 1e4, seed = 1,
                                         start = start, solver_options = options))
}

rbf_matrix <- function(a, b, sigma = 0.7) {
  exp(-sigma * pmax(outer(rowSums(a^2), rowSums(b^2), `+`) - 2 * tcrossprod(a, b), 0))
}

test_that("with a free intercept it solves the quadratic program of tiny problems", {
  skip_if_not_installed("quadprog")
  for (seed in 1:4) {
    set.seed(seed)
    n <- 12
    small <- matrix(rnorm(2 * n), n)
    label <- rep(c(-1, 1), length.out = n)
    cost <- c(0.3, 3, 30, 3)[seed]
    K <- rbf_matrix(small, small)
    # min 1/2 c'Kc - label'c over 0 <= label c <= cost, sum c = 0
    program <- quadprog::solve.QP(K + 1e-10 * diag(n), label,
                                  cbind(1, diag(label), -diag(label)),
                                  c(0, rep(0, n), rep(-cost, n)), meq = 1)
    fit <- fit_hinge(small, label, cost = cost, intercept = "free", tol = 1e-10)
    expect_equal(certificate(fit)$bound, -program$value / (n * cost), tolerance = 1e-7)
    expect_equal(-drop(fit$dual) * cost, program$solution, tolerance = 1e-4)
  }
})

test_that("soft labels are duplicated rows with shares for weights", {
  set.seed(2)
  soft <- round(runif(40, -1, 1), 2)
  rows <- x[1:40, ]
  p <- (1 + soft) / 2
  for (intercept in c("free", "none")) {
    one <- fit_hinge(rows, soft_labels(soft), cost = 3, intercept = intercept)
    two <- fit_hinge(rbind(rows, rows), rep(c(1, -1), each = 40), weights = c(p, 1 - p), cost = 3,
                     intercept = intercept)
    expect_equal(certificate(one)$value, certificate(two)$value, tolerance = 1e-8)
    expect_equal(predict(one, x, type = "score"), predict(two, x, type = "score"),
                 tolerance = 1e-3)
  }
})

test_that("two rows have the solution by hand", {
  # f(x) = beta (k(x_1, x) - k(x_2, x)): |f|^2 = beta^2 eta, margins beta eta / 2 at b = 0
  two <- rbind(c(0, 0), c(1, 0))
  eta <- 2 - 2 * exp(-0.7)
  for (lambda in c(1e-3, 10)) {
    fit <- fit_hinge(two, c(1, -1), lambda = lambda, intercept = "free")
    beta <- min(2 / eta, 1 / (2 * lambda))
    expect_equal(unname(-drop(fit$dual)), c(1, -1) * beta * 2 * lambda, tolerance = 1e-7)
    expect_equal(certificate(fit)$value, lambda / 2 * beta^2 * eta + max(0, 1 - beta * eta / 2),
                 tolerance = 1e-8)
  }
  for (intercept in c("none", "penalized")) {
    fit <- fit_hinge(two, soft_labels(c(1, 1)), lambda = 0.4, intercept = intercept)
    # symmetric: beta for both, score beta s with s the row sum of the kernel
    s <- 1 + exp(-0.7) + 2 * (intercept == "penalized")
    beta <- min(1 / s, 1 / (2 * 0.4))
    expect_equal(certificate(fit)$value, 0.4 / 2 * 2 * beta^2 * s + max(0, 1 - beta * s),
                 tolerance = 1e-8)
  }
  one <- fit_hinge(two[1, , drop = FALSE], soft_labels(0.5), lambda = 0.3, intercept = "free")
  expect_equal(certificate(one)$value, 0.5)
})

test_that("shrinking, the store of the kernel and its precision do not move the optimum", {
  reference <- fit_hinge(x, y, cost = 50, intercept = "free")
  value <- certificate(reference)$value
  for (options in list(list(shrinking = FALSE), list(cache_mb = 0.01))) {
    fit <- fit_hinge(x, y, cost = 50, intercept = "free", options = options)
    expect_equal(certificate(fit)$value, value, tolerance = 1e-8)
  }
  # single precision alone cannot tell rows that are nearly equal; exact rows finish
  near <- rbind(x, x + 1e-5)
  single <- fit_hinge(near, c(y, -y), cost = 1000, intercept = "free", tol = 1e-5)
  full <- fit_hinge(near, c(y, -y), cost = 1000, intercept = "free", tol = 1e-6)
  expect_true(certificate(single)$certified)
  expect_equal(certificate(single)$value, certificate(full)$value, tolerance = 2e-5)
})

test_that("auto takes it for the hinge, and it refuses other losses", {
  fit <- margin_kernel(x, y, loss = "hinge", intercept = "free",
                       control = margin_control(progress = FALSE))
  expect_equal(fit$status$solver, "smo")
  error <- expect_error(margin_kernel(x, y, loss = "logistic", solver = "smo", intercept = "none"),
                        class = "dualmargin_input_error")
  expect_match(conditionMessage(error), fixed = TRUE, paste0(
    "takes loss \"hinge\", \"quantile\", \"absolute\", \"epsilon_insensitive\" only"
  ))
})

test_that("few rows and a kernel of low rank do not pass for a stall", {
  for (seed in 1:20) {
    set.seed(seed)
    x <- matrix(rnorm(60), 20L)
    y <- ifelse(x[, 1L] + 0.5 * rnorm(20L) > 0, 1, -1)
    y[1:2] <- c(1, -1)
    fit <- margin_kernel(x, y, kernel = "linear", loss = "hinge", cost = 10, intercept = "free",
                         center = FALSE, scale = FALSE, solver = "smo",
                         control = margin_control(tol = 1e-6, seed = 1, max_epochs = 20000))
    expect_true(fit$certificate$certified)
  }
})
