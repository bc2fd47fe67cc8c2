# margin_threshold() and predict(threshold = ): the class by a threshold written out, everywhere it is
# read, and what takes it away.

set.seed(41)
n <- 400
frame <- data.frame(a = round(rnorm(n), 1), b = round(rnorm(n), 1))
frame$y <- factor(ifelse(runif(n) < plogis(1.5 * frame$a - 3), "yes", "no"))
rows <- 1:300
test <- frame[-rows, ]
logistic <- margin_linear(y ~ ., frame[rows, ], lambda = 0.01)
hinge <- margin_linear(y ~ ., frame[rows, ], loss = "hinge", lambda = 0.01)
balanced <- margin_linear(y ~ ., frame[rows, ], lambda = 0.01, class_weights = "balanced")
calibrated <- margin_calibrate(balanced, frame[rows, ], seed = 1)
by_hand <- function(values, t) factor(ifelse(unname(values) >= t, "yes", "no"), c("no", "yes"))

test_that("the second class is predicted from the threshold on, ties included", {
  for (fit in list(logistic, hinge, calibrated)) {
    score <- predict(fit, test, type = "score")
    # thresholds that are the decision value of a row: that row is positive
    for (t in c(unname(score)[c(1, 50, 100)], -Inf, 0.3)) {
      if (is.finite(t)) {
        expect_identical(unname(predict(fit, test, threshold = t)), by_hand(score, t))
      }
    }
    expect_identical(predict(fit, test, threshold = 0), predict(fit, test))
  }
  for (fit in list(logistic, calibrated)) {
    prob <- predict(fit, test, type = "prob")[, "yes"]
    for (t in c(unname(prob)[c(2, 60)], 0, 0.3, 1)) {
      expect_identical(unname(predict(fit, test, threshold = t, on = "prob")), by_hand(prob, t))
      expect_identical(unname(predict(fit, test, "class", t, "prob")), by_hand(prob, t))
    }
  }
  labels <- frame$y == "yes"
  of_logical <- margin_linear(as.matrix(frame[1:2]), labels, lambda = 0.01)
  score <- of_logical$scores
  expect_identical(unname(predict(of_logical, threshold = -1)), unname(score >= -1))
  missing <- test[1:3, ]
  missing$a[2] <- NA
  expect_identical(is.na(unname(predict(calibrated, missing, threshold = 0.2, on = "prob"))),
                   c(FALSE, TRUE, FALSE))
})

test_that("what is read from the fit follows the threshold that it keeps", {
  for (on in c("score", "prob")) {
    t <- if (on == "prob") 0.2 else -0.7
    fit <- margin_threshold(calibrated, at = t, on = on)
    value <- function(newdata) {
      if (on == "prob") predict(fit, newdata, type = "prob")[, "yes"] else
        predict(fit, newdata, type = "score")
    }
    expect_identical(unname(predict(fit, test)), by_hand(value(test), t))
    expect_identical(unname(fitted(fit)), by_hand(value(frame[rows, ]), t))
    expect_identical(augment(fit, newdata = test)$.pred_class, by_hand(value(test), t))
    judged <- margin_performance(fit, test, "accuracy")
    expect_identical(judged$metrics$value, mean(by_hand(value(test), t) == test$y))
    expect_identical(judged$threshold[c("value", "on")], list(value = t, on = on))
    at <- predict(calibrated, test, type = "score")
    expect_identical(
      judged, margin_performance(calibrated, test, "accuracy", threshold = t, on = on)
    )
    accuracy <- mean(by_hand(value(frame[rows, ]), t) == frame$y[rows])
    expect_identical(summary(fit)$performance$accuracy, accuracy)
    judged <- held_out(fit, test, draws = 0)
    expect_identical(judged$estimate[judged$metric == "accuracy"],
                     mean(by_hand(value(test), t) == test$y))
    # nothing else moves
    expect_identical(predict(fit, test, type = "prob"), predict(calibrated, test, type = "prob"))
    expect_identical(predict(fit, test, type = "score"), at)
    expect_identical(certificate(fit), certificate(calibrated))
    expect_identical(margin_threshold(fit, at = NULL), calibrated)
  }
})

test_that("refits drop the threshold, calibration one of the old probability, and say so", {
  fit <- margin_threshold(logistic, at = 0.2, on = "prob")
  data <- frame[rows, ]
  expect_message(again <- update(fit, data = data, lambda = 0.1), "threshold .*is taken away",
                 class = "dualmargin_message")
  expect_null(again$threshold)
  expect_message(again <- margin_calibrate(fit, data, seed = 1), "calibration changes",
                 class = "dualmargin_message")
  expect_null(again$threshold)
  of_score <- margin_threshold(logistic, at = 0.2)
  expect_silent(again <- margin_calibrate(of_score, data, seed = 1))
  expect_identical(again$threshold, of_score$threshold)
  expect_identical(unname(predict(again, test)),
                   by_hand(predict(logistic, test, type = "score"), 0.2))
})

test_that("a threshold of the probability is the best of a grid, by probabilities held out", {
  for (fit in list(logistic, calibrated)) {
    chosen <- margin_threshold(fit, frame[rows, ], metric = "balanced_accuracy", on = "prob",
                               folds = 4, seed = 2)$threshold
    refits <- if (is.null(fit$calibration)) {
      margin_calibrate(fit, frame[rows, ], folds = 4, seed = 2)
    }
    held <- if (is.null(refits)) fit$calibration$held_out else refits$calibration$held_out
    prob <- if (is.null(refits)) unname(held$prob[, "yes"]) else plogis(held$score)
    truth <- frame$y[rows][held$at]
    value <- function(t) {
      called <- by_hand(prob, t)
      mean(c(mean(called[truth == "no"] == "no"), mean(called[truth == "yes"] == "yes")))
    }
    grid <- vapply(c(prob, 0.5, Inf), value, 0)
    expect_equal(chosen$score, max(grid))
    expect_equal(value(chosen$value), chosen$score)
    expect_equal(chosen$at_zero, value(0.5))
    expect_identical(chosen$on, "prob")
    kept <- margin_threshold(fit, at = chosen)
    expect_identical(kept$threshold[c("value", "on")], list(value = chosen$value, on = "prob"))
    expect_identical(predict(kept, test), predict(fit, test, threshold = chosen))
    expect_output(print(chosen), "probability.*at 1/2")
    on_null_device(plot(chosen))
  }
  seen <- margin_threshold(logistic, test, rows = "validation", on = "prob")$threshold
  prob <- predict(logistic, test, type = "prob")[, "yes"]
  called <- by_hand(prob, seen$value)
  expect_equal(seen$score, mean(tapply(called == test$y, test$y, mean)))
})

test_that("wrong thresholds say what is wrong", {
  chosen <- margin_threshold(logistic, frame[rows, ], on = "prob", seed = 1)$threshold
  cars <- margin_linear(mpg ~ wt, mtcars)
  three <- margin_linear(Species ~ ., iris)
  expect_told("threshold", "input", {
    margin_threshold(logistic)
    margin_threshold(1, at = 0)
    margin_threshold(cars, at = 0)
    margin_threshold(three, at = 0)
    margin_threshold(logistic, at = "a")
    margin_threshold(logistic, at = 0.5, on = "odds")
    margin_threshold(logistic, at = 2, on = "prob")
    margin_threshold(hinge, at = 0.5, on = "prob")
    margin_threshold(hinge, at = chosen)
    margin_threshold(logistic, at = chosen, on = "score")
    predict(logistic, test, threshold = 0.5, type = "prob")
    predict(logistic, test, on = "prob")
    predict(three, iris, threshold = 1)
    predict(cars, mtcars, threshold = 1)
    margin_threshold(hinge, frame[rows, ], on = "prob")
    margin_threshold(logistic, test)
  })
})

test_that("a probability that is chosen is one", {
  set.seed(1)
  x <- matrix(rnorm(40), 20)
  fit <- margin_linear(x, gl(2, 1, 20, c("a", "b")), lambda = 0.1)
  new <- matrix(rnorm(20), 10)
  z <- predict(fit, new, type = "score")
  for (second in list(which.min(z), which.max(z))) {
    truth <- sample(factor(c("a", "b")), 10, TRUE)
    truth[second] <- if (z[second] == min(z)) "b" else "a"
    for (metric in c("sensitivity", "specificity", "accuracy")) {
      chosen <- margin_threshold(fit, new, truth, metric = metric, rows = "validation",
                                 on = "prob")$threshold
      expect_true(chosen$value >= 0 && chosen$value <= 1)
      expect_s3_class(margin_threshold(fit, at = chosen$value, on = "prob"), "margin_linear")
      best <- max(vapply(c(0, seq(0.001, 0.999, 0.001)), function(t) {
        hit <- predict(fit, new, type = "prob")[, 2L] >= t
        switch(metric, sensitivity = mean(hit[truth == "b"]),
               specificity = mean(!hit[truth == "a"]), accuracy = mean(hit == (truth == "b")))
      }, 0))
      expect_gte(chosen$score, best - 1e-12)
    }
  }
})

test_that("a metric that returns no number is said to", {
  for (wrong in list(1:2, NULL, "a", TRUE)) {
    metric <- margin_metric(function(truth, predicted, weights) wrong, "mine")
    expect_input_error(margin_threshold(logistic, test, test$y, metric = metric,
                                        rows = "validation"), "metric", "must return one number")
  }
})

# Its calibration is made for the held-out scores alone, and is not part of the result.
test_that("no warning of a flat map comes from a threshold", {
  set.seed(1)
  rare <- data.frame(y = factor(rep(c("common", "rare"), c(480, 20))), a = rnorm(500), b = rnorm(500))
  fit <- margin_linear(y ~ ., rare)
  expect_warning(margin_calibrate(fit, rare, seed = 1), class = "dualmargin_flat_map")
  expect_no_warning(margin_threshold(fit, rare, metric = "balanced_accuracy", seed = 1))
})
