# By which rule classes are told in an audit, and which rows are judged.

test_that("our own fits and coefficients are judged by the rule of predict(): 0 is the second class", {
  set.seed(1)
  x <- matrix(rnorm(40), 20)
  y <- gl(2, 5, 20, c("n", "p"))[c(1:5, rep(6:10, 3))]
  zero <- margin_linear(x, y, lambda = 10, mixture = 1, intercept = "none")
  audit <- margin_audit(zero, x, y)
  expect_equal(audit$training$before, mean(predict(zero) == y))
  expect_identical(predict(refit(audit), x), unname(predict(zero)))
  expect_identical(as.character(augment(audit)$.class), as.character(predict(zero)))
  # a score of 0 is "p", and so is the optimum's; where that is below 0 all rows change
  same <- margin_audit(c(0, 0, 0), x, y, loss = "logistic", lambda = 10)
  expect_identical(same$training$changed, 0L)
  other <- margin_audit(c(0, 0, 0), x, rev(y)[20:1], loss = "logistic", lambda = 10)
  expect_identical(other$training$changed, 0L)
  flipped <- margin_audit(c(0, 0, 0), x, factor(3 - as.integer(y)), loss = "squared_hinge",
                          lambda = 10)
  expect_identical(flipped$training$changed, 20L)
})

test_that("a row of weight 0 is no row of an audit", {
  x <- cbind(a = c(1, 2, 3, -1, -2, 9, 0.5))
  y <- factor(c("p", "p", "n", "n", "n", "p", "n"))
  w <- c(1, 2, 1, 1, 1, 0, 1)
  path <- tempfile()
  write_rows(x, path, y = y, weights = w)
  judge <- function(rows, ...) {
    audit <- margin_audit(c(-0.5, 0.2), rows, ..., loss = "hinge", lambda = 0.1)
    as.list(glance(audit)[c("nobs", "changed", "before", "after", "moved", "relative_to")])
  }
  less <- judge(x[-6, , drop = FALSE], y[-6], weights = w[-6])
  expect_equal(judge(x, y, weights = w), less)
  expect_equal(judge(Matrix::Matrix(x, sparse = TRUE), y, weights = w), less, tolerance = 1e-6)
  expect_equal(judge(read_rows(path)), less, tolerance = 1e-2)
  fit <- margin_linear(x, y, loss = "hinge", lambda = 0.1, weights = w)
  expect_identical(margin_audit(fit, x, y)$nobs, nobs(fit))
  expect_equal(margin_audit(fit, x, y)$training$before, mean((predict(fit) == y)[-6]))
})

test_that("a fit is judged by its threshold", {
  set.seed(1)
  d <- data.frame(a = rnorm(60), b = rnorm(60))
  d$y <- factor(ifelse(d$a + rnorm(60) > 0.8, "p", "n"))
  plain <- margin_linear(y ~ ., d, lambda = 0.1)
  for (fit in list(margin_threshold(plain, at = -0.6), margin_threshold(plain, at = 0.3, on = "prob"))) {
    audit <- margin_audit(fit, d)
    expect_equal(audit$training$before, mean(predict(fit, d) == d$y))
    expect_match(audit$title, "threshold -")
    for (verb in list(margin_certain, margin_loo, function(...) margin_sensitivity(..., remove = 1))) {
      expect_input_error(verb(fit, d), "fit", "margin_threshold(fit, at = NULL)")
    }
  }
  calibrated <- margin_threshold(margin_calibrate(plain, d, seed = 1), at = 0.3, on = "prob")
  expect_input_error(margin_audit(calibrated, d), "fit", "calibrated")
})

test_that("what has no optimum to judge by is said of the fit", {
  apart <- suppressWarnings(glm(y ~ x, binomial, data.frame(x = c(-2, -1, 1, 2), y = c(0, 0, 1, 1))))
  expect_input_error(margin_audit(apart), "fit", "separate")
  expect_input_error(margin_audit(glm(dist ~ 1, gaussian, cars)), "fit", "intercept only")
  expect_input_error(margin_audit(), "fit", "missing")
})

test_that("predictions of a robust line are bounded by the rows that curve", {
  if (requireNamespace("MASS", quietly = TRUE)) {
    for (seed in 1:8) {
      set.seed(seed)
      d <- data.frame(a = rnorm(30), b = rt(30, 2), w = runif(30))
      d$y <- d$a + rt(30, 2)
      line <- suppressWarnings(MASS::rlm(y ~ a + b, d, weights = w, wt.method = "case",
                                          maxit = 1 + seed %% 4))
      new <- data.frame(a = 1:3, b = c(-2, 0, 9))
      audit <- margin_audit(line, newx = new)
      x <- cbind(1, d$a, d$b)
      best <- coef(line)
      for (step in 1:3000) {
        off <- abs(drop(d$y - x %*% best))
        u <- d$w * pmin(1, 1.345 * line$s / pmax(off, 1e-300))
        best <- drop(solve(crossprod(x, u * x), crossprod(x, u * d$y)))
      }
      rows <- list(training = x, new = cbind(1, new$a, new$b))
      for (part in names(rows)) {
        z <- drop(rows[[part]] %*% best)
        ends <- audit[[part]]
        expect_true(all(ends$lower - 1e-9 <= z & z <= ends$upper + 1e-9), label = part)
        expect_lt(max(ends$upper - ends$lower), 0.2 * diff(range(d$y)))
        expect_true(ends$proven)
      }
    }
  }
})
