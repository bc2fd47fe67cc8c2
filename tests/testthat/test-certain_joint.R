# One problem of all classes: intervals for differences of its scores. That they hold the optimum is
# statements A11 and A12 of test-decisions.R.

three_classes <- function(n = 60) {
  set.seed(5)
  x <- matrix(rnorm(4 * n), n)
  list(x = x, y = factor(max.col(x[, 1:3] + 0.7 * rnorm(3 * n))),
       weights = rep_len(c(1, 2, 0.5), n))
}

joint_fit <- function(data, multiclass, intercept, tol = 1e-4, ...) {
  quiet_fit(data$x, data$y, loss = if (multiclass == "softmax") "logistic" else "hinge",
            multiclass = multiclass, lambda = 0.05, intercept = intercept,
            control = margin_control(tol = tol, seed = 1), ...)
}

test_that("probabilities, coefficients and signs are those of the optimum", {
  data <- three_classes()
  for (intercept in c("free", "penalized", "none")) {
    best <- joint_fit(data, "softmax", intercept, 1e-12)
    certain <- margin_certain(joint_fit(data, "softmax", intercept, 1e-2), data$x, data$y)
    prob <- predict(best, data$x, type = "prob")
    found <- predict(certain, data$x, type = "prob")
    for (level in 1:3) {
      expect_true(all(found[[paste0("lower_", level)]] <= prob[, level] + 1e-9))
      expect_true(all(found[[paste0("upper_", level)]] >= prob[, level] - 1e-9))
    }
    exact <- coef(best)
    exact <- exact - rowMeans(exact)
    ends <- coef(certain)
    expect_true(all(ends[, "lower", ] <= exact + 1e-8 & ends[, "upper", ] >= exact - 1e-8))
    table <- tidy(certain)
    sure <- !is.na(table$sign)
    expect_gt(sum(sure), 0)
    expect_identical(table$sign[sure], sign(as.vector(exact))[sure])
    # of the fit's rows as of the same rows given anew; missing entries stay missing
    expect_equal(predict(certain, data$x), predict(certain), ignore_attr = TRUE)
    rows <- rbind(data$x[1, ], NA)
    expect_identical(is.na(predict(certain, rows)$decided), c(FALSE, TRUE))
    shown <- summary(certain)
    expect_identical(shown$problems$class, levels(data$y))
    expect_identical(shown$decided, sum(predict(certain)$decided))
    expect_output(print(certain), "the class is certain for", fixed = TRUE)
  }
})

test_that("what has no interval is told", {
  data <- three_classes()
  expect_input_error(
    margin_certain(joint_fit(data, "crammer_singer", "free"), data$x, data$y), "fit",
    "free intercepts"
  )
  fit <- joint_fit(data, "softmax", "free")
  certain <- margin_certain(fit, data$x, data$y)
  calibrated <- suppressWarnings(margin_calibrate(fit, data$x, data$y, folds = 2, seed = 1))
  found <- margin_certain(calibrated, data$x, data$y)
  expect_input_error(predict(found, data$x, type = "prob"), "type", "class")
  expect_identical(predict(found, data$x), predict(certain, data$x))
  crammer <- margin_certain(joint_fit(data, "crammer_singer", "none"), data$x, data$y)
  expect_input_error(predict(crammer, data$x, type = "prob"), "type", "hinge")
})
