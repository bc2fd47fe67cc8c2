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
  skip_if_not_installed("MASS")
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
})

test_that("an argument that was abbreviated in the call of a fit is that argument", {
  set.seed(1)
  d <- data.frame(matrix(rnorm(480), 120))
  d$y <- factor(ifelse(d[[1]] + rnorm(120) > 0.7, "a", "b"))
  skip_if_not_installed("e1071")
  fit <- e1071::svm(y ~ ., d, kernel = "linear", class.w = c(a = 5, b = 1), tolerance = 1e-8)
  expect_identical(margin_audit(fit, d)$verdict, "exact")
})

test_that("an argument that was abbreviated in the call of a path is that argument", {
  set.seed(1)
  x <- matrix(rnorm(480), 120)
  y <- x[, 1] + x[, 2]^2
  skip_if_not_installed("glmnet")
  fit <- glmnet::cv.glmnet(x, y, alph = 0.3, thresh = 1e-14)
  expect_identical(margin_audit(fit, x, y, s = "lambda.min")$verdict, "exact")
})

rows_of_two <- function() {
  set.seed(2)
  d <- data.frame(matrix(rnorm(480), 120))
  d$y <- factor(ifelse(d[[1]] + rnorm(120) > 0.7, "a", "b"))
  d
}

test_that("rows that are not all of the fit's are no rows of an svm", {
  d <- rows_of_two()
  skip_if_not_installed("e1071")
  fit <- e1071::svm(y ~ ., d, subset = 1:40, kernel = "linear", tolerance = 1e-8)
  expect_input_error(margin_audit(fit, d), "x", "made from 40")
  expect_identical(margin_audit(fit, d[1:40, ])$verdict, "exact")
  whole <- e1071::svm(y ~ ., d, kernel = "linear", tolerance = 1e-8)
  other <- d
  other[-whole$index, 1:4] <- 0.1 * other[-whole$index, 1:4]
  expect_input_error(margin_audit(whole, other), "x", "decision values")
})

test_that("rows that are not all of the fit's are no rows of a ksvm", {
  d <- rows_of_two()
  skip_if_not_installed("kernlab")
  fit <- kernlab::ksvm(y ~ ., d[1:40, ], kernel = "vanilladot", kpar = list(), tol = 1e-8)
  expect_input_error(margin_audit(fit, d), "x", "made from 40")
})

test_that("a score of 0 is no vote in kernlab", {
  skip_if_not_installed("kernlab")
  x <- rbind(c(1, 0), c(-1, 0), c(-1.2, 6), c(2, 5))
  y <- factor(c("a", "b", "b", "c"))
  fit <- kernlab::ksvm(x, y, scaled = FALSE, kernel = "vanilladot", kpar = list(), C = 10)
  new <- rbind(c(0, 4))
  audit <- margin_audit(fit, x, y, newx = new)
  expect_identical(audit$levels[audit$new$class], as.character(kernlab::predict(fit, new)))
})

test_that("an intercept that is off is off", {
  set.seed(1)
  x <- matrix(rnorm(480), 120)
  y <- x[, 1] + rnorm(120)
  b <- as.vector(coef(margin_linear(x, y, loss = "squared", lambda = 0.01)))
  b[1L] <- b[1L] + 5
  expect_identical(margin_audit(b, x, y, loss = "squared", lambda = 0.01, scale = TRUE)$verdict,
                   "off")
  expect_input_error(margin_audit(c(0, 0.6, 0, 0, 0), x, y, loss = "squared", lambda = 0.1,
                                  upper = 0.5), "fit", "column 1")
  colnames(x) <- letters[1:4]
  # bounds go by name, as in margin_linear()
  named <- margin_audit(c(0, 0.6, 0, 0, 0), x, y, loss = "squared", lambda = 0.1,
                        upper = c(d = 0.5, c = 0.5, b = 0.5, a = 1))
  expect_s3_class(named, "margin_audit")
})

test_that("a row counts once, one of weight 0 not at all, and an offset is asked for", {
  set.seed(4)
  k <- rbinom(30, 5, 0.5)
  u <- matrix(rnorm(120), 30)
  counts <- suppressWarnings(glm(cbind(k, 5 - k) ~ u, binomial, control = list(maxit = 1),
                                 start = rnorm(5, 0, 0.5)))
  audit <- margin_audit(counts)
  best <- glm(cbind(k, 5 - k) ~ u, binomial, control = list(epsilon = 1e-14))
  expect_identical(audit$nobs, 30L)
  expect_equal(audit$training$changed, sum((predict(counts) > 0) != (predict(best) > 0)))
  if (requireNamespace("glmnet", quietly = TRUE)) {
    x <- matrix(rnorm(800), 200)
    y <- factor(ifelse(x[, 1] + 3 * rnorm(200) > 0, "u", "v"))
    w <- rep(1:0, c(50, 150))
    fit <- glmnet::glmnet(x, y, family = "binomial", weights = w, alpha = 0, thresh = 0.1)
    s <- fit$lambda[60]
    expect_equal(margin_audit(fit, x, y, s = s, alpha = 0, weights = w)$nobs, 50)
    shifted <- glmnet::glmnet(x, y, family = "binomial", offset = 3 * x[, 2])
    judge <- function(...) margin_audit(shifted, x, y, s = shifted$lambda[20], offset = 3 * x[, 2], newx = x, ...)
    expect_input_error(judge(), "newoffset", "missing")
    expect_input_error(judge(newoffset = 1:2), "newoffset", "each row")
    # glmnet keeps a constant column of sparse rows that it does not scale
    flat <- as(cbind(x[1:40, ], 2), "CsparseMatrix")
    z <- rnorm(40) + x[1:40, 1]
    kept <- glmnet::glmnet(flat, z, standardize = FALSE, intercept = FALSE, thresh = 1e-14)
    expect_identical(margin_audit(kept, flat, z, s = kept$lambda[20])$verdict, "exact")
  }
})

test_that("arguments of another package's fit are read as it reads them, or refused", {
  set.seed(3)
  x <- matrix(rnorm(480), 120)
  y <- x[, 1] + rnorm(120)
  skip_if_not_installed("glmnet")
  fit <- suppressWarnings(glmnet::glmnet(x, y, alpha = -1, lambda = 0.1, thresh = 1e-14))
  expect_identical(margin_audit(fit, x, y)$verdict, "exact")
  wrong <- list(alpha = "a", alpha = NA, standardize = NA, intercept = "a", lower.limits = "a",
                upper.limits = c(1, 2), penalty.factor = "a", weights = "a", weights = 1:3)
  for (k in seq_along(wrong)) {
    call <- c(list(fit, x, y), wrong[k])
    expect_input_error(do.call(margin_audit, call), names(wrong)[k], "must be")
  }
})

test_that("a level without rows of a ksvm is refused", {
  d <- rows_of_two()
  d$y <- factor(d$y, c("a", "b", "c"))
  skip_if_not_installed("kernlab")
  fit <- kernlab::ksvm(y ~ ., d, kernel = "vanilladot", kpar = list())
  expect_input_error(margin_audit(fit, d), "fit", "droplevels")
})
