# The slow methods of the hard family: their steps written out in R, their rates, their options.

soft_min <- function(p) exp(min(p) - p) / sum(exp(min(p) - p))

# The rows of a problem divided by the largest norm, and that norm.
unit_rows <- function(data) {
  a <- data$y * data$x
  R <- max(sqrt(rowSums(a^2)))
  list(a = a / R, R = R)
}

every_epoch <- function(data, solver, epochs, options = list()) {
  quiet_hard(data$x, data$y, solver = solver,
             control = margin_control(tol = 1e-9, max_epochs = epochs, seed = 1,
                                      certify_every_epoch = TRUE, solver_options = options))
}

test_that("gradient steps are those of the exponential loss", {
  data <- separable_problem(12L, 3L, seed = 9L)
  rows <- unit_rows(data)
  for (solver in c("ngd", "gd")) {
    w <- numeric(3)
    sum <- numeric(12)
    lower <- upper <- numeric()
    for (t in 1:8) {
      p <- drop(rows$a %*% w)
      q <- soft_min(p)
      theta <- if (solver == "ngd") 1 else mean(exp(-p))
      w <- w + theta * drop(crossprod(rows$a, q))
      sum <- sum + q
      lower[t] <- rows$R * min(rows$a %*% w) / sqrt(sum(w^2))
      upper[t] <- rows$R * sqrt(sum(crossprod(rows$a, sum / t)^2))
    }
    fit <- every_epoch(data, solver, 16)
    expect_equal(fit$status$steps, 8)
    expect_equal(fit$certificate$value, max(lower), tolerance = 1e-10, label = solver)
    expect_equal(fit$certificate$bound, min(upper), tolerance = 1e-10, label = solver)
  }
})

test_that("the batch perceptron adds the worst row, and q = c / t", {
  data <- separable_problem(15L, 3L, seed = 10L)
  rows <- unit_rows(data)
  w <- numeric(3)
  lower <- upper <- numeric()
  for (t in 1:30) {
    w <- w + rows$a[which.min(rows$a %*% w), ]
    lower[t] <- rows$R * min(rows$a %*% w) / sqrt(sum(w^2))
    upper[t] <- rows$R * sqrt(sum(w^2)) / t
  }
  fit <- every_epoch(data, "perceptron", 30)
  expect_equal(fit$certificate$value, max(lower), tolerance = 1e-10)
  expect_equal(fit$certificate$bound, min(upper), tolerance = 1e-10)
})

test_that("the perceptron's upper end is as near as its theorem says", {
  data <- separable_problem(100L, 4L, seed = 11L)
  rows <- unit_rows(data)
  margin <- hard_fit(data$x, data$y)$certificate$value / rows$R
  for (epochs in c(100, 1000, 10000)) {
    fit <- hard_fit(data$x, data$y, "perceptron", max_epochs = epochs)
    expect_gte(fit$certificate$bound / rows$R, margin - 1e-12)
    expect_lte(fit$certificate$bound / rows$R, margin + 1 / (margin * epochs / 2))
  }
})

test_that("the rates have their order: momentum, ngd, gd", {
  data <- separable_problem(60L, 4L, seed = 12L)
  margin <- hard_fit(data$x, data$y)$certificate$value
  error <- vapply(c("momentum", "adaptive", "perceptron", "ngd", "gd"), function(solver) {
    1 - hard_fit(data$x, data$y, solver, max_epochs = 4000)$certificate$value / margin
  }, 0)
  expect_lt(error[["momentum"]], error[["ngd"]] / 10)
  expect_lt(error[["ngd"]], error[["gd"]] / 10)
  expect_lt(error[["adaptive"]], 1e-2)
  expect_lt(error[["perceptron"]], 5e-2)
})
