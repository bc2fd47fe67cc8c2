# Algorithm 1: its iterates, the two parts of Theorem 3.1, the logistic loss.

test_that("neither part of Theorem 3.1 is violated along a run", {
  for (case in c("tiny_raw", "small_icpt")) {
    data <- reference_hard_data(case)
    n <- nrow(data$x)
    margin <- hard_fit(data$x, data$y)$certificate$value
    for (t in c(1:20, 50, 200, 1000, 5000)) {
      got <- probe("momentum", data$x, data$y, t)
      best <- margin / got$norm
      lower <- best - 4 * (1 + log(n)) * (1 + 2 * log(t + 1)) / (best * (t + 1)^2)
      expect_gte(got$value / got$norm, lower - 1e-12)
      if (t == 1) next
      squared <- (got$bound / got$norm)^2
      expect_gte(squared, best^2 - 1e-12)
      expect_lte(squared - 8 * log(n) / t^2, best^2 + 1e-12)
      # |w_t| >= \bar\gamma (t + 1)^2 / 4
      expect_gte(sqrt(sum(got$w^2)), best * (t + 1)^2 / 4)
    }
  }
})

test_that("the iterates are written out in R", {
  data <- separable_problem(12L, 3L)
  a <- data$y * data$x
  R <- max(sqrt(rowSums(a^2)))
  a <- a / R
  w <- g <- numeric(3)
  q <- rep(1 / 12, 12)
  for (t in 0:6) {
    s <- drop(crossprod(a, q))
    g <- t / (t + 1) * (g + s)
    w <- w + g + s
    p <- drop(a %*% w)
    q <- exp(min(p) - p) / sum(exp(min(p) - p))
  }
  got <- probe("momentum", data$x, data$y, 7L)
  expect_equal(got$w, w, tolerance = 1e-13)
  expect_equal(got$g, R * g, tolerance = 1e-13)
  expect_equal(got$value, R * min(p) / sqrt(sum(w^2)), tolerance = 1e-13)
})

test_that("the interval closes like 1/t^2, with both losses and sparse rows", {
  data <- separable_problem(80L, 5L, seed = 3L)
  margin <- hard_fit(data$x, data$y)$certificate$value
  for (loss in c("exponential", "logistic")) {
    gaps <- vapply(c(400, 1600, 6400), function(epochs) {
      fit <- hard_fit(data$x, data$y, "momentum", tol = 1e-12, max_epochs = epochs,
                      options = list(loss = loss))
      expect_lte(fit$certificate$value, margin * (1 + 1e-12))
      expect_gte(fit$certificate$bound, margin * (1 - 1e-12))
      fit$certificate$gap
    }, 0)
    expect_lt(gaps[2] / gaps[1], 1 / 4)
    expect_lt(gaps[3] / gaps[2], 1 / 4)
  }
  dense <- hard_fit(data$x, data$y, "momentum", max_epochs = 300)
  sparse <- hard_fit(as(data$x, "CsparseMatrix"), data$y, "momentum", max_epochs = 300)
  expect_equal(coef(dense), coef(sparse), tolerance = 1e-10, ignore_attr = TRUE)
})

test_that("on data that no direction separates the upper end falls like 1/t", {
  set.seed(5)
  x <- matrix(rnorm(200), 50)
  y <- rep(c(1, -1), 25)
  for (epochs in c(200, 2000)) {
    fit <- hard_fit(x, y, "momentum", max_epochs = epochs)
    R <- max(sqrt(rowSums(x^2)))
    expect_lt(fit$certificate$value, 0)
    expect_lte(fit$certificate$bound, R * sqrt(8 * log(50)) / (epochs / 2 - 1))
  }
})
