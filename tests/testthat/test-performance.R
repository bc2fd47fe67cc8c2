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
  known <- dualmargin:::known_metrics()
  wanted <- Filter(function(one) one$task == "classification", known)
  expect_identical(judged$metrics$metric, c("log_loss", setdiff(names(wanted), "log_loss")))
  for (one in wanted) {
    predicted <- dualmargin:::unname_rows(predict(fit, x[test, ], type = one$needs))
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

test_that("weights are repeated rows", {
  times <- rep(c(0, 1, 3, 2), 10)
  again <- rep(test, times)
  weighted <- margin_performance(fit, x[test, ], y = y[test], weights = times)
  repeated <- margin_performance(fit, x[again, ], y = y[again])
  expect_equal(weighted$metrics, repeated$metrics)
  expect_equal(weighted$curves, repeated$curves)
  expect_equal(weighted$confusion, repeated$confusion)
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

test_that("the threshold is the best of all by the metric, on the rows that are said", {
  calibrated <- margin_calibrate(by_formula, frame[train, ], folds = 4, seed = 2)
  chosen <- margin_threshold(by_formula, frame[train, ], metric = "f1", folds = 4,
                             seed = 2)$threshold
  held_out <- calibrated$calibration$held_out
  f1 <- function(t) {
    called <- factor(ifelse(held_out$score >= t, "yes", "no"), levels(y))
    dualmargin:::f1_of(y[train][held_out$at], called, rep(1, 40))
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
  expect_equal(judged$metrics$value, dualmargin:::f1_of(y[test], called, rep(1, 40)))
  expect_identical(judged$threshold, list(value = chosen$value, on = "score",
                                           source = chosen$source))
  expect_output(print(judged), "chosen by f1 on cross-validated", fixed = TRUE)
})

test_that("a threshold is that of all tried one after the other, of all metrics, ties and weights", {
  metrics <- Filter(function(one) one$needs == "class", dualmargin:::known_metrics())
  one_by_one <- function(metric) {
    margin_metric(function(truth, predicted, weights) metric$compute(truth, predicted, weights),
                  metric$name, maximize = metric$maximize)
  }
  set.seed(5)
  draws <- list(
    list(score = rnorm(60), weights = rep(1, 60)),
    list(score = round(rnorm(60), 1), weights = rpois(60, 1) / 3),
    list(score = rep(0.25, 60), weights = rexp(60) * 1e200),
    list(score = rnorm(60), weights = 10^runif(60, -9, 9))
  )
  for (draw in draws) for (classes in list(c("a", "b"), "a", "b")) for (metric in metrics) {
    # of one class kappa and mcc are 0/0 up to rounding
    if (length(classes) == 1L && metric$name %in% c("kappa", "mcc")) next
    seen <- list(truth = factor(sample(classes, 60, TRUE), c("a", "b")), weights = draw$weights)
    best <- function(metric, middle) {
      tryCatch(best_threshold(draw$score, seen, metric, c("a", "b"), middle),
               dualmargin_input_error = conditionMessage)
    }
    for (middle in c(0, 0.25)) {
      expect_equal(best(metric, middle), best(one_by_one(metric), middle), tolerance = 1e-12,
                   info = metric$name)
    }
  }
  # in one pass, but for a metric of the user's
  seen <- list(truth = factor(1:2), weights = 1:2)
  found <- lapply(metrics, threshold_values, c(-1, 0.5, 2), c(0, 1), seen)
  expect_identical(unique(lengths(found)), 3L)
  expect_null(threshold_values(one_by_one(metrics$f1), c(-1, 0.5, 2), c(0, 1), seen))
})

test_that("what was chosen on the rows that are judged is said", {
  chosen <- margin_threshold(by_formula, frame[test, ], rows = "validation")$threshold
  expect_match(chosen$source, "40 rows given for validation", fixed = TRUE)
  expect_message(margin_performance(by_formula, frame[test, ], "accuracy", threshold = chosen),
                 "chosen on the very rows", class = "dualmargin_message")
  expect_quiet(margin_performance(by_formula, frame[test[-1], ], "accuracy", threshold = chosen))
  # a metric that is to be small, and the threshold of the fit where nothing is better
  cost <- margin_metric(function(truth, predicted, weights) 7, "flat", maximize = FALSE)
  expect_identical(margin_threshold(by_formula, frame[test, ], metric = cost,
                                    rows = "validation")$threshold$value, 0)
  grDevices::pdf(NULL)
  on.exit(grDevices::dev.off())
  expect_identical(plot(chosen), chosen$curve)
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

test_that("print says of which class sensitivity is, where there are two and it matters", {
  judged <- margin_performance(fit, x[test, ], y = y[test])
  confusion <- table(y[test], predict(fit, x[test, ]))
  value <- judged$metrics$value[judged$metrics$metric == "sensitivity"]
  expect_equal(value, confusion["yes", "yes"] / sum(confusion["yes", ]))
  expect_output(print(judged), "  positive class (of sensitivity, precision, curves): yes\n",
                fixed = TRUE)
  # which metrics change with the places of the classes
  turned <- margin_performance(margin_linear(x[train, ], factor(y[train], c("yes", "no")),
                                             loss = "logistic", lambda = 0.05),
                               x[test, ], y = y[test])
  moved <- abs(turned$metrics$value - judged$metrics$value) > 1e-4
  expect_setequal(judged$metrics$metric[moved], dualmargin:::metrics_of_one_class)
  silent <- list(margin_performance(margin_linear(Species ~ ., iris), iris),
                 margin_performance(fit, x[test, ], c("accuracy", "auroc", "kappa"), y = y[test]))
  for (one in silent) expect_false(any(grepl("positive class", capture.output(one))))
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

test_that("the curves say their area, and precision begins at the first row that is recalled", {
  # the highest score is a negative row: there precision falls to 0 at recall 0
  fit <- margin_linear(type ~ ., spambase[seq(1, 4601, by = 40), ], lambda = 0.01)
  rows <- spambase[seq(2, 4601, by = 40), ]
  top <- which.max(predict(fit, rows, type = "score"))
  rows$type[top] <- "nonspam"
  performance <- margin_performance(fit, rows, c("auroc", "average_precision"))
  values <- sprintf("%.3f", performance$metrics$value)
  expect_true(paste("spam: area", values[1L]) %in% drawn_text(plot(performance)))
  expect_true(paste("spam: area", values[2L]) %in% drawn_text(plot(performance, "pr")))
  curve <- performance$curves$pr
  expect_identical(range(curve$precision[curve$recall == 0]), c(0, 1))
  points <- dualmargin:::curve_points(curve, FALSE)
  expect_identical(is.na(points$y), curve$recall == 0)
  expect_true(all(diff(points$x[!is.na(points$y)]) >= 0))
})

test_that("a picture of thresholds has the rows in its range and says which is which", {
  train <- spambase[seq(1, 4601, by = 20), ]
  fit <- margin_linear(type ~ ., train, loss = "hinge", lambda = 0.01, class_weights = "balanced")
  chosen <- margin_threshold(fit, train, seed = 1)$threshold
  expect_true(chosen$value != 0)
  text <- drawn_text(plot(chosen))
  expect_true(all(c("Balanced accuracy by threshold", "balanced accuracy", "0, that of the fit",
                    paste("chosen:", format(chosen$value, digits = 3))) %in% text))
  drawn <- attr(text, "frame")[1:2]
  inside <- mean(chosen$scores >= drawn[1L] & chosen$scores <= drawn[2L])
  expect_true(inside > 0.9 && diff(drawn) < 0.6 * diff(range(chosen$curve$threshold)))
  expect_true(drawn[1L] < min(0, chosen$value) && drawn[2L] > max(0, chosen$value))
})
