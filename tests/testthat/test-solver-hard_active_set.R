# The active set: exact, also where rows repeat, depend on one another or cannot be separated.

# A fit's interval from its own w and dual variables, in plain R.
expect_interval <- function(fit, x, y) {
  w <- coef(fit)
  slopes <- w[names(w) != "(Intercept)"]
  b <- if ("(Intercept)" %in% names(w)) w[["(Intercept)"]] else 0
  free <- fit$settings$intercept == "free"
  length <- sqrt(sum(if (free) slopes^2 else w^2))
  rows <- y * (if (fit$settings$intercept == "penalized") cbind(x, 1) else x)
  q <- fit$dual
  expect_equal(sum(q), 1, tolerance = 1e-12)
  expect_true(all(q >= 0))
  if (free) expect_equal(sum(q * y), 0, tolerance = 1e-12)
  expect_equal(fit$certificate$value, min(y * (x %*% slopes + b)) / length, tolerance = 1e-9)
  expect_equal(fit$certificate$bound, sqrt(sum(crossprod(rows, q)^2)), tolerance = 1e-9)
}

test_that("it is exact for all three kinds of intercept", {
  for (seed in 1:5) for (intercept in c("none", "penalized", "free")) {
    data <- separable_problem(80L, 6L, seed = seed)
    for (solver in c("auto", "active_set")) {
      fit <- hard_fit(data$x, data$y, solver, intercept = intercept, tol = 1e-12)
      expect_true(fit$certificate$certified)
      expect_interval(fit, data$x, data$y)
    }
  }
})

test_that("it solves the quadratic program of tiny problems", {
  skip_if_not_installed("quadprog")
  for (seed in 1:4) {
    data <- separable_problem(15L, 3L, seed = seed)
    none <- quadprog::solve.QP(diag(3), numeric(3), t(data$y * data$x), rep(1, 15))
    fit <- hard_fit(data$x, data$y)
    expect_equal(fit$certificate$value, 1 / sqrt(sum(none$solution^2)), tolerance = 1e-9)
    free <- quadprog::solve.QP(diag(c(1, 1, 1, 1e-9)), numeric(4), t(data$y * cbind(data$x, 1)),
                               rep(1, 15))
    fit <- hard_fit(data$x, data$y, intercept = "free")
    expect_equal(fit$certificate$value, 1 / sqrt(sum(free$solution[1:3]^2)), tolerance = 1e-6)
  }
})

test_that("a margin of a millionth is found and certified", {
  for (gap in c(1e-4, 1e-6)) for (intercept in c("none", "free")) {
    data <- separable_problem(300L, 3L, gap = gap, seed = 4L)
    fit <- hard_fit(data$x, data$y, "active_set", intercept = intercept, tol = 1e-7)
    expect_true(fit$separable)
    expect_true(fit$certificate$certified)
    expect_gte(fit$certificate$bound, gap * (1 - 1e-6))
  }
})

test_that("data that no direction separates give q with A'q = 0", {
  set.seed(7)
  for (solver in c("auto", "active_set")) for (intercept in c("none", "penalized", "free")) {
    x <- matrix(rnorm(500), 100)
    y <- rep(c(1, -1), 50)
    fit <- hard_fit(x, y, solver, intercept = intercept)
    expect_false(fit$separable)
    expect_false(is.na(match("not_separable", fit$status$status)))
    q <- fit$dual
    rows <- y * (if (intercept == "penalized") cbind(x, 1) else x)
    expect_true(all(q >= 0))
    expect_equal(sum(q), 1, tolerance = 1e-12)
    expect_lt(sqrt(sum(crossprod(rows, q)^2)), 1e-12)
    if (intercept == "free") expect_lt(abs(sum(q * y)), 1e-12)
    expect_gt(sum(coef(fit)^2), 0)
    expect_lte(fit$certificate$value, 0)
  }
})

test_that("a point in both classes, a row of zeros and three mixed classes are not separable", {
  x <- rbind(c(1, 2), c(1, 2), c(3, -1), c(-2, 1))
  y <- c(1, -1, 1, -1)
  for (intercept in c("none", "penalized", "free")) {
    fit <- hard_fit(x, y, "active_set", intercept = intercept)
    expect_false(fit$separable)
    expect_equal(fit$certificate$bound, 0)
    expect_equal(fit$dual, c(0.5, 0.5, 0, 0), ignore_attr = TRUE)
  }
  zero <- separable_problem(20L, 3L)
  zero$x[5, ] <- 0
  for (solver in hard_solvers()) {
    fit <- hard_fit(zero$x, zero$y, solver)
    expect_false(fit$separable)
    expect_equal(which(fit$dual > 0), 5L, ignore_attr = TRUE)
    expect_equal(fit$certificate$bound, 0)
  }
  expect_true(hard_fit(zero$x, zero$y, "active_set", intercept = "penalized")$certificate$bound > 0)
  set.seed(8)
  three <- hard_fit(matrix(rnorm(180), 60), factor(rep(1:3, 20)), "active_set")
  expect_false(three$separable)
  expect_lt(three$certificate$bound, 1e-12)
})

test_that("a support that is too large goes on elsewhere, to the same margin", {
  data <- separable_problem(60L, 20L, seed = 6L)
  for (intercept in c("none", "free")) {
    exact <- hard_fit(data$x, data$y, "active_set", intercept = intercept)
    other <- hard_fit(data$x, data$y, "active_set", intercept = intercept, tol = 1e-8,
                      max_epochs = 50000, options = list(max_support = 4))
    expect_identical(other$status$solver, if (intercept == "free") "smo" else "dual_cd")
    expect_true(other$certificate$certified)
    expect_equal(other$certificate$value, exact$certificate$value, tolerance = 1e-7)
  }
})
