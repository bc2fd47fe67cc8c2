# FISTA as it is printed, dense, without an intercept; the best point of so many epochs.
plain_fista <- function(p, epochs, restart) {
  loss <- function(z) plain_loss(p$loss, z, p$y)
  risk <- function(w) sum(p$omega * loss(drop(p$x %*% w))) / p$W
  value <- function(w) risk(w) + p$l1 * sum(abs(w)) + p$l2 / 2 * sum(w^2)
  L <- max(colSums(p$omega * p$x^2)) / (p$W * p$loss$gamma)
  w <- v <- best <- numeric(p$p)
  t <- spent <- 1
  while (spent < epochs) {
    u <- dual_sum(p, p$slope(drop(p$x %*% v), seq_len(p$n)))
    repeat {
      step <- soft(v - u / L, p$l1 / L) / (1 + p$l2 / L)
      spent <- spent + 0.5
      if (risk(step) <= risk(v) + sum(u * (step - v)) + L / 2 * sum((step - v)^2)) break
      L <- 2 * L
    }
    uphill <- restart && sum((v - step) * (step - w)) > 0
    q <- p$l2 / (L + p$l2)
    later <- if (uphill) 1 else (1 - q * t^2 + sqrt((1 - q * t^2)^2 + 4 * t^2)) / 2
    beta <- if (uphill) 0 else (t - 1) / later * (1 - (later - 1) * p$l2 / L)
    v <- step + beta * (step - w)
    if (uphill) L <- L / 2
    w <- step
    t <- later
    spent <- spent + 0.5
    if (value(w) < value(best)) best <- w
  }
  best
}

test_that("its iterates are those of FISTA", {
  for (restart in c(TRUE, FALSE)) {
    for_each_case(function(p) {
      fit <- fit_epochs(p, "fista", 30, seed = 1, restart = restart)
      expect_equal(unname(coef(fit)), plain_fista(p, 30, restart), tolerance = 1e-7)
    })
  }
})

test_that("values fall as fast as the theorem says", {
  # F(w_k) - F* <= 2 L |w*|^2 / (k + 1)^2, Theorem 4.4 of Beck and Teboulle; backtracking makes L at
  # most twice that of the rows
  for (loss in list(as_loss("logistic"), loss_smooth_hinge(0.2))) {
    p <- plain_problem(loss, mixture = 1, lambda = 1e-3)
    best <- quiet_fit(p$x, factor(p$y), loss = loss, lambda = p$lambda, mixture = 1,
                      intercept = "none", scale = FALSE, weights = p$omega, solver = "newton",
                      control = margin_control(tol = 1e-9))
    fit <- fit_epochs(p, "fista", 200, seed = 1, restart = FALSE)
    L <- 2 * max(eigen(crossprod(sqrt(p$omega) * p$x), TRUE)$values) / (p$W * loss$gamma)
    trace <- convergence(fit)
    k <- seq_len(nrow(trace)) - 1
    expect_true(all((trace$value - best$certificate$value)[-1L] <=
                      (2 * L * sum(coef(best)^2) / (k + 1)^2)[-1L]))
  }
})

test_that("strong convexity makes the rate linear, and restart does where it is not known", {
  set.seed(4)
  x <- matrix(rnorm(4000), 200) %*% diag(10^seq(0, -2, length.out = 20))
  y <- factor(x[, 1] + x[, 20] + 0.1 * rnorm(200) > 0)
  epochs <- function(mixture, restart, intercept = "free") {
    quiet_fit(x, y, loss = "logistic", lambda = 1e-4, mixture = mixture, scale = FALSE,
              solver = "fista", intercept = intercept,
              control = margin_control(tol = 1e-8, max_epochs = 20000,
                                       solver_options = list(restart = restart)))$status$epochs
  }
  for (intercept in c("free", "penalized", "none")) {
    # log(1 / tol) sqrt(1 + L / mu), at two epochs a step at the most
    L <- max(eigen(crossprod(cbind(x, intercept == "penalized")), TRUE)$values) / (200 * 4)
    expect_lte(epochs(0, FALSE, intercept), 2 * log(1e10) * sqrt(1 + 2 * L / 1e-4))
    expect_lte(epochs(0, TRUE, intercept), epochs(0, FALSE, intercept))
  }
  expect_lte(epochs(1, TRUE), epochs(1, FALSE) / 2)
})
