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

test_that("a large cost with a smooth kernel ends in few epochs, by Newton's steps in free variables", {
  for (intercept in c("free", "penalized", "none")) {
    fit <- function(solver) {
      certificate(fit_hinge(x, y, cost = 1e4, kernel = kernel_rbf(0.02), intercept = intercept,
                            tol = 1e-7, solver = solver))
    }
    pairs <- fit("smo")
    other <- fit("interior_point")
    expect_true(pairs$certified)
    expect_lt(pairs$bound, other$value)
    expect_lt(other$bound, pairs$value)
  }
  kinks <- margin_kernel(x, x[, 1]^2 + x[, 2] + 0.5 * y, kernel = kernel_rbf(0.02), loss = "absolute",
                         cost = 1e4, center = FALSE, scale = FALSE, solver = "smo",
                         control = margin_control(tol = 1e-6, max_epochs = 5000, seed = 1))
  # pairs alone were at 1e5 epochs before rounding ended them
  expect_lt(kinks$status$epochs, 5000)
})

test_that("shrinking and the store of the kernel do not move the optimum", {
  reference <- fit_hinge(x, y, cost = 50, intercept = "free")
  value <- certificate(reference)$value
  for (options in list(list(shrinking = FALSE), list(cache_mb = 0.01))) {
    fit <- fit_hinge(x, y, cost = 50, intercept = "free", options = options)
    expect_equal(certificate(fit)$value, value, tolerance = 1e-8)
  }
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
