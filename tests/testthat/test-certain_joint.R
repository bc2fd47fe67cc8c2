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

models <- list(c("softmax", "free"), c("softmax", "penalized"), c("softmax", "none"),
               c("crammer_singer", "penalized"), c("crammer_singer", "none"))

test_that("the ball has the radius of its formula", {
  data <- three_classes()
  for (model in models) {
    fit <- joint_fit(data, model[1], model[2], 1e-3, weights = data$weights)
    ball <- margin_certain(fit, data$x, data$y)$joint$ball
    gap <- certificate(fit)$gap
    # on the scaled columns, with the penalised intercept, around the mean over the classes
    x <- cbind(if (model[2] == "penalized") 1, sweep(data$x, 2L, fit$scales, `/`))
    if (model[2] == "free") x <- sweep(x, 2L, colSums(data$weights * x) / sum(data$weights))
    w <- unname(coef(fit)) * c(if (model[2] != "none") 1, fit$scales)
    if (model[2] == "free") w <- w[-1L, ]
    w <- w - rowMeans(w)
    dual_w <- -crossprod(x, data$weights * fit$dual) / sum(data$weights) / 0.05
    last <- function(m) if (model[2] == "penalized") m[c(2:5, 1), ] else m
    expect_equal(ball$radius^2, gap / 0.05 - sum((w - dual_w)^2) / 4, tolerance = 1e-6)
    expect_equal(ball$centre, unname(last((w + dual_w) / 2)), tolerance = 1e-10)
    # but for the rounding of sums, of which the core states more
    expect_equal(ball$gap, gap, tolerance = 1e-6)
    # both ends of it are zero in sum over the classes
    expect_lte(max(abs(rowSums(ball$centre))), 1e-12)
  }
})

test_that("the ball of a dual point that is not feasible holds the optimum", {
  data <- three_classes()
  set.seed(3)
  for (model in models) {
    best <- margin_certain(joint_fit(data, model[1], model[2], 1e-11), data$x, data$y)$joint
    fit <- joint_fit(data, model[1], model[2], 1e-3)
    for (size in c(0.01, 0.3)) {
      wrong <- fit
      wrong$dual[] <- fit$dual + size * rnorm(length(fit$dual))
      ball <- margin_certain(wrong, data$x, data$y)$joint$ball
      expect_lte(sqrt(sum((ball$centre - best$ball$centre)^2)), ball$radius + best$ball$radius)
    }
  }
})

test_that("along a segment the variance of the softmax changes as the curvature bound says", {
  set.seed(4)
  for (k in 2:5) for (repetition in 1:20) {
    z <- 3 * rnorm(k)
    s <- rnorm(k)
    h <- rnorm(k)
    variance <- function(z) {
      p <- exp(z) / sum(exp(z))
      sum(p * h^2) - sum(p * h)^2
    }
    ratio <- log(variance(z + s) / variance(z))
    expect_lte(abs(ratio), (max(s) - min(s)) * (1 + 1e-9))
  }
})

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
  expect_input_error(margin_flips(certain, data$x, data$y), "certain", "one_vs_rest")
  calibrated <- suppressWarnings(margin_calibrate(fit, data$x, data$y, folds = 2, seed = 1))
  found <- margin_certain(calibrated, data$x, data$y)
  expect_input_error(predict(found, data$x, type = "prob"), "type", "class")
  expect_identical(predict(found, data$x), predict(certain, data$x))
  crammer <- margin_certain(joint_fit(data, "crammer_singer", "none"), data$x, data$y)
  expect_input_error(predict(crammer, data$x, type = "prob"), "type", "hinge")
})
