# margin_performance() and margin_threshold(): the metrics of known predictions, curves by their
# definition, and on which rows a threshold was chosen.

set.seed(11)
x <- matrix(rnorm(240), 80, dimnames = list(NULL, c("a", "b", "c")))
y <- factor(ifelse(x[, 1] + rnorm(80) > 0.3, "yes", "no"))
train <- 1:40
test <- 41:80
fit <- margin_linear(x[train, ], y[train], loss = "logistic", lambda = 0.05)
frame <- data.frame(x, y = y)
by_formula <- margin_linear(y ~ ., frame[train, ], loss = "logistic", lambda = 0.05)

test_that("every metric is that of the predictions", {
  judged <- margin_performance(fit, x[test, ], y = y[test])
  expect_s3_class(judged, "margin_performance")
  known <- known_metrics()
  wanted <- Filter(function(one) one$task == "classification", known)
  expect_identical(judged$metrics$metric, c("log_loss", setdiff(names(wanted), "log_loss")))
  for (one in wanted) {
    predicted <- predict(fit, x[test, ], type = one$needs)
    expect_equal(judged$metrics$value[judged$metrics$metric == one$name],
                 one$compute(y[test], predicted, rep(1, 40)), info = one$name)
  }
  expect_equal(unclass(judged$confusion), unclass(table(truth = y[test],
                                                        predicted = predict(fit, x[test, ]))),
               ignore_attr = TRUE)
  expect_identical(judged[c("n", "missing", "weighted", "fitted")],
                   list(n = 40L, missing = 0L, weighted = FALSE, fitted = FALSE))
  expect_equal(margin_performance(by_formula, frame[test, ])$metrics, judged$metrics)
  expect_true(margin_performance(by_formula, frame[train, ])$fitted)
})

test_that("fits of all families are judged, of classes of every type and of numbers", {
  for (of in list(margin_kernel, margin_robust, margin_augmented)) {
    other <- suppressWarnings(of(x[train, ], y[train]))
    accuracy <- margin_performance(other, x[test, ], "accuracy", y[test])$metrics$value
    expect_equal(accuracy, mean(predict(other, x[test, ]) == y[test]))
  }
  given <- list(y == "yes", ifelse(y == "yes", 1, -1), ifelse(y == "yes", 1L, 0L),
                as.character(y))
  for (labels in given) {
    other <- suppressMessages(margin_linear(x[train, ], labels[train], lambda = 0.05))
    judged <- margin_performance(other, x[test, ], y = labels[test])
    expect_equal(judged$metrics$value,
                 margin_performance(fit, x[test, ], y = y[test])$metrics$value)
  }
  cars <- margin_linear(mpg ~ wt + hp, mtcars[1:20, ], loss = "squared")
  judged <- margin_performance(cars, mtcars[21:32, ])
  off <- mtcars$mpg[21:32] - predict(cars, mtcars[21:32, ])
  expect_equal(judged$metrics$value,
               c(mean(off^2), sqrt(mean(off^2)), mean(abs(off)),
                 1 - sum(off^2) / sum((mtcars$mpg[21:32] - mean(mtcars$mpg[21:32]))^2)))
  expect_null(judged$curves)
})

test_that("rows that cannot be predicted, and rows without a response, are left out and counted", {
  gaps <- frame[test, ]
  gaps$a[3] <- NA
  gaps$y[5] <- NA
  judged <- margin_performance(by_formula, gaps)
  expect_identical(judged[c("n", "missing")], list(n = 38L, missing = 2L))
  expect_equal(judged$metrics, margin_performance(by_formula, gaps[-c(3, 5), ])$metrics)
  expect_output(print(judged), "2 rows left out", fixed = TRUE)
})

test_that("curves hold every threshold, and their areas are the metrics", {
  judged <- margin_performance(fit, x[test, ], y = y[test])
  score <- predict(fit, x[test, ], type = "score")
  roc <- as.data.frame(judged, which = "roc")
  for (i in seq_len(nrow(roc))) {
    expect_equal(roc$sensitivity[i], mean(score[y[test] == "yes"] >= roc$threshold[i]))
    expect_equal(roc$specificity[i], mean(score[y[test] == "no"] < roc$threshold[i]))
  }
  expect_setequal(roc$threshold, c(Inf, score))
  value <- stats::setNames(judged$metrics$value, judged$metrics$metric)
  n <- nrow(roc)
  expect_equal(value[["auroc"]],
               sum(-diff(roc$specificity) * (roc$sensitivity[-1] + roc$sensitivity[-n]) / 2))
  pr <- as.data.frame(judged, which = "pr")
  expect_equal(value[["auprc"]], sum(diff(pr$recall) * (pr$precision[-1] + pr$precision[-n]) / 2))
  expect_identical(as.data.frame(judged), judged$metrics)
  expect_equal(sum(as.data.frame(judged, which = "confusion")$weight), 40)
  expect_identical(as.data.frame(tidy(judged)), judged$metrics)
})

test_that("several classes have curves each, and plots draw what is returned", {
  some <- seq(1, 150, by = 2)
  flowers <- margin_linear(Species ~ ., iris[some, ], loss = "logistic")
  judged <- margin_performance(flowers, iris[-some, ])
  expect_identical(unique(judged$curves$roc$class), levels(iris$Species))
  expect_null(judged$threshold)
  grDevices::pdf(NULL)
  on.exit(grDevices::dev.off())
  expect_identical(plot(judged), judged$curves$roc)
  two <- margin_performance(fit, x[test, ], y = y[test])
  expect_identical(plot(two, which = "pr"), two$curves$pr)
  expect_output(print(judged), "rows by class", fixed = TRUE)
})

f1_by_hand <- function(truth, called) {
  both <- sum(truth == "yes" & called == "yes")
  if (both == 0) 0 else 2 * both / (sum(truth == "yes") + sum(called == "yes"))
}

test_that("the threshold is the best of all by the metric, on the rows that are said", {
  calibrated <- margin_calibrate(by_formula, frame[train, ], folds = 4, seed = 2)
  chosen <- margin_threshold(by_formula, frame[train, ], metric = "f1", folds = 4,
                             seed = 2)$threshold
  held_out <- calibrated$calibration$held_out
  f1 <- function(t) {
    called <- factor(ifelse(held_out$score >= t, "yes", "no"), levels(y))
    f1_by_hand(y[train][held_out$at], called)
  }
  expect_equal(chosen$score, f1(chosen$value))
  expect_equal(chosen$score, max(sapply(c(-Inf, held_out$score, Inf), f1)))
  expect_equal(chosen$at_zero, f1(0))
  expect_equal(chosen$curve$score, sapply(chosen$curve$threshold, f1))
  # decision values that the fit has already are used
  expect_equal(margin_threshold(calibrated, frame[train, ], metric = "f1")$threshold$value,
               chosen$value)
  expect_output(print(chosen), "cross-validated decision values of the 40 training rows")
  judged <- margin_performance(by_formula, frame[test, ], "f1", threshold = chosen)
  called <- factor(ifelse(predict(fit, x[test, ], type = "score") >= chosen$value, "yes", "no"))
  expect_equal(judged$metrics$value, f1_by_hand(y[test], called))
  expect_identical(judged$threshold, list(value = chosen$value, on = "score",
                                           source = chosen$source))
  expect_output(print(judged), "chosen by f1 on cross-validated", fixed = TRUE)
})

test_that("wrong arguments say what is wrong", {
  cars <- margin_linear(mpg ~ wt + hp, mtcars, loss = "squared")
  hinge <- margin_linear(y ~ ., frame[train, ], loss = "hinge")
  three <- margin_linear(Species ~ ., iris)
  expect_told("performance", "input", {
    margin_performance(cars)
    margin_performance("fit", x)
    margin_performance(fit, x[test, ])
    margin_performance(by_formula, frame[test, 1:3])
    margin_performance(fit, x[test, ], y = y[train][-1])
    margin_performance(fit, x[test, ], y = rep("perhaps", 40))
    margin_performance(by_formula, transform(frame[test, ], y = "perhaps"))
    margin_performance(fit, x[test, ], y = y[test], weights = rep(-1, 40))
    margin_performance(fit, x[test, ] * NA, y = y[test])
    margin_performance(by_formula, frame[test, ], "rmse")
    margin_performance(by_formula, frame[test, ], "acuracy")
    margin_performance(hinge, frame[test, ], "brier")
    margin_performance(cars, mtcars, threshold = 1)
    margin_performance(three, iris, threshold = 1)
    margin_performance(by_formula, frame[test, ], threshold = "half")
    margin_performance(by_formula, frame[test, ], cut = 1)
    as.data.frame(margin_performance(cars, mtcars), which = "roc")
    plot(margin_performance(cars, mtcars))
    plot(margin_performance(by_formula, frame[test, ][y[test] == "no", ]))
    margin_threshold(cars, mtcars)
    margin_threshold(three, iris)
    margin_threshold(by_formula, frame[train, ], metric = "auroc")
    margin_threshold(by_formula, frame[train, ], rows = "validation")
    margin_threshold(by_formula, frame[test, ])
    margin_threshold(by_formula, frame[train, ], weights = rep(1, 40))
  })
})

test_that("rows are ranked by what all classes of one problem say, not by a score alone", {
  train <- seq(1, 150, by = 2)
  test <- iris[-train, ]
  weights <- rep(1, nrow(test))
  own <- asNamespace("dualmargin")
  for (model in c("softmax", "crammer_singer", "hard")) {
    fit <- if (model == "hard") {
      suppressWarnings(margin_hard(Species ~ ., iris[train, ], intercept = "penalized",
                                   kernel = kernel_rbf(1)))
    } else {
      margin_linear(Species ~ ., iris[train, ], multiclass = model, lambda = 0.01)
    }
    found <- margin_performance(fit, test, "auroc")$metrics$value
    z <- predict(fit, test, type = "score")
    # a number added to all scores of a row changes nothing
    shifted <- own$ranking_scores(fit, z + 100 * sin(seq_len(nrow(z))))
    expect_equal(own$auroc_of(test$Species, unname(shifted), weights), found)
    if (model == "softmax") {
      prob <- unname(predict(fit, test, type = "prob"))
      expect_equal(own$auroc_of(test$Species, prob, weights), found)
    }
    expect_gt(found, if (model == "hard") 0.9 else 0.99)
    lead <- unname(own$ranking_scores(fit, z))
    expect_identical(max.col(lead), max.col(unname(z)))
  }
})

test_that("a weight that is missing leaves a row of the fit out of what is judged", {
  set.seed(6)
  d <- data.frame(x1 = rnorm(60), x2 = rexp(60), w = sample(1:2, 60, TRUE))
  d$y <- factor(ifelse(d$x1 - d$x2 + rnorm(60) > -0.5, "p", "q"))
  d$w[8] <- NA
  fit <- margin_linear(y ~ x1 + x2, d, weights = w)
  whole <- margin_performance(fit, d, metrics = "accuracy")
  expect_identical(whole$metrics, margin_performance(fit, d[-8, ], metrics = "accuracy")$metrics)
  expect_output(print(whole), "these are the training rows")
  expect_error(margin_threshold(fit, d, rows = "validation"), class = "dualmargin_input_error")
  cars <- transform(mtcars, w = replace(rep(c(1, 5), 16), 3, NA))
  cars_fit <- margin_linear(mpg ~ wt, cars, weights = w)
  expect_equal(margin_performance(cars_fit, cars)$metrics,
               margin_performance(cars_fit, cars[-3, ])$metrics)
  # beside other rows they are others
  other <- transform(d, x1 = rev(x1))
  expect_equal(nrow(d), sum(margin_performance(fit, other, metrics = "accuracy")$confusion))
})

test_that("a fit of a data frame with a factor says what response is missing", {
  d <- transform(mtcars, am = factor(am), cyl = factor(cyl))
  expect_error(margin_performance(margin_linear(d[c("wt", "cyl")], d$am), d),
               "the fit was given one apart", class = "dualmargin_input_error")
})
