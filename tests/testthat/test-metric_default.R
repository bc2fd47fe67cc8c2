# The metric that is the fit's own loss, by formulas written out, and where it is the default.

set.seed(21)
n <- 90
x <- matrix(rnorm(3 * n), n, dimnames = list(NULL, c("a", "b", "c")))
numbers <- x[, 1] + 2 * rt(n, 3)
classes <- factor(ifelse(x[, 1] + rnorm(n) > 0, "yes", "no"))
train <- 1:60
test <- 61:90

# The mean losses by helper-losses.R; s: the unit of the residuals. mse is twice that of its loss.
losses <- lapply(loss_makers()[regression_losses()], function(make) make())
losses$quantile <- loss_quantile(0.9)
losses$huber <- loss_huber(1.1)
losses$epsilon_insensitive <- loss_epsilon_insensitive(0.2)
by_hand <- lapply(losses, function(loss) {
  size <- function(s) if (loss$smooth) s^2 else s
  function(r, w, s) {
    (1 + (loss$name == "squared")) * size(s) * sum(w * plain_loss(loss, -r / s, 0)) / sum(w)
  }
})
metric_of <- c(squared = "mse", absolute = "mae", quantile = "pinball")
metric_of <- c(metric_of, sapply(setdiff(names(losses), names(metric_of)), identity))

test_that("every loss of a regression is its own first metric, with weights and in any unit", {
  expect_setequal(names(losses), regression_losses())
  w <- sample(0:3, length(test), TRUE)
  for (name in names(losses)) {
    for (unit in c(1, 1000)) {
      fit <- margin_linear(x[train, ], unit * numbers[train], loss = losses[[name]], lambda = 0.1)
      r <- unit * numbers[test] - predict(fit, x[test, ])
      judged <- margin_performance(fit, x[test, ], y = unit * numbers[test], weights = w)
      s <- if (name == "huber") huber_scale(fit) else
        if (is.null(fit$response_scale)) 1 else fit$response_scale
      expect_identical(judged$metrics$metric[1], metric_of[[name]])
      expect_equal(judged$metrics$value[1], by_hand[[name]](r, w, s), info = name)
      own <- summary(fit)$performance$loss
      expect_named(own, metric_of[[name]])
      expect_equal(unname(own), by_hand[[name]](unit * numbers[train] - fitted(fit),
                                                rep(1, length(train)), s), info = name)
    }
  }
})

test_that("cross-validation is judged by the loss, in one unit for all folds and settings", {
  folds <- rep(1:3, length.out = n)
  w <- rep(c(1, 2), length.out = n)
  for (name in names(losses)) {
    cv <- margin_cv(x, numbers, loss = losses[[name]], grid = list(lambda = c(0.01, 1)),
                    folds = folds, weights = w)
    expect_identical(names(cv$metrics), metric_of[[name]])
    s <- if (name == "squared") 1 else robust_spread(numbers, w)
    fit <- margin_linear(x[folds != 2, ], numbers[folds != 2], loss = losses[[name]], lambda = 1,
                         weights = w[folds != 2])
    r <- numbers[folds == 2] - predict(fit, x[folds == 2, ])
    row <- cv$results[cv$results$setting == 2 & cv$results$fold == 2, ]
    expect_equal(row$score, by_hand[[name]](r, w[folds == 2], s), tolerance = 1e-3, info = name)
  }
  raw <- margin_cv(x, numbers, loss = loss_epsilon_insensitive(0.2), response_scale = FALSE,
                   grid = list(lambda = 1), folds = folds)
  fit <- margin_linear(x[folds != 1, ], numbers[folds != 1], loss = loss_epsilon_insensitive(0.2),
                       lambda = 1, response_scale = FALSE)
  r <- numbers[folds == 1] - predict(fit, x[folds == 1, ])
  expect_equal(raw$results$score[1],
               by_hand$epsilon_insensitive(r, rep(1, length(r)), 1), tolerance = 1e-3)
  nested <- margin_cv(x, numbers, loss = loss_quantile(0.9), grid = list(lambda = c(0.1, 1)),
                          outer = 2, folds = 2, seed = 1)
  expect_identical(names(nested$metrics), "pinball")
})

test_that("the defaults of classes: log loss with probabilities, else accuracy", {
  default <- function(...) {
    names(margin_cv(x, classes, folds = 2, seed = 1, ...)$metrics)
  }
  one <- list(lambda = 0.1)
  expect_identical(default(grid = one), "log_loss")
  expect_identical(default(grid = one, family = "kernel"), "log_loss")
  for (loss in c("hinge", "smooth_hinge", "squared_hinge", "squared", "huber")) {
    expect_identical(default(grid = one, loss = loss), "accuracy", info = loss)
  }
  expect_identical(default(grid = list(radius = 0.1), family = "robust"), "accuracy")
  expect_identical(default(grid = list(loss = c("logistic", "hinge"))), "accuracy")
  several <- margin_cv(x, numbers, folds = 2, seed = 1,
                       grid = list(loss = list(loss_quantile(0.1), loss_quantile(0.9))))
  expect_identical(names(several$metrics), "mse")
})

test_that("compared models: their one loss, else mse; log loss if all have probabilities", {
  default <- function(y, ...) {
    names(margin_compare(x, y, list(...), folds = 2, seed = 1)$metrics)
  }
  model <- function(loss, lambda = 0.1) {
    spec_margin("linear", loss = loss, lambda = lambda, name = paste(format(loss), lambda))
  }
  tau <- loss_quantile(0.9)
  expect_identical(default(numbers, model(tau), model(tau, 1)), "pinball")
  expect_identical(default(numbers, model(tau), model(loss_quantile(0.5))), "mse")
  expect_identical(default(numbers, model(as_loss("absolute")), model(loss_huber())), "mse")
  expect_identical(default(classes, model("logistic"), model("logistic", 1)), "log_loss")
  expect_identical(default(classes, model("logistic"), model("hinge")), "accuracy")
})

test_that("a model without probabilities has NA, and the others are compared", {
  specs <- list(hinge = spec_margin("linear", loss = "hinge", lambda = 0.1),
                a = spec_margin("linear", loss = "logistic", lambda = 0.1),
                b = spec_margin("linear", loss = "logistic", lambda = 1))
  expect_message(both <- margin_compare(x, classes, specs, folds = 3, seed = 1,
                                        metric = c("log_loss", "auroc")),
                 'log_loss of "hinge" is NA: it needs probabilities, which this model has not',
                 class = "dualmargin_message")
  without <- margin_compare(x, classes, specs[-1], folds = 3, seed = 1, metric = "log_loss")
  expect_true(all(is.na(both$results$score[both$results$model == "hinge"])))
  expect_false(anyNA(both$results$auroc))
  expect_equal(both$results$score[both$results$model != "hinge"], without$results$score)
  table <- tidy(both, tests = "bayes", rope = 0)
  expect_identical(is.na(table$estimate), c(TRUE, TRUE, FALSE))
  # no test, and so none between certified fits
  expect_identical(table$certified, c(NA, NA, TRUE))
  expect_equal(table$prob_model_1[3], tidy(without, tests = "bayes", rope = 0)$prob_model_1)
  expect_output(print(summary(both)), "NA")
  expect_identical(summary(both)$models$mean[1], NA_real_)
  on_null_device(expect_silent(plot(both)))
  expect_error(margin_compare(x, classes, list(p = specs$hinge, q = specs$hinge), folds = 2,
                              metric = "brier"),
               "needs probabilities, and none of the models has them",
               class = "dualmargin_input_error")
})

test_that("coverage is the share of the weight at or below the predicted quantile", {
  fit <- margin_linear(x[train, ], numbers[train], loss = loss_quantile(0.9), lambda = 0.01)
  w <- sample(0:3, length(test), TRUE)
  judged <- margin_performance(fit, x[test, ], y = numbers[test], weights = w)
  below <- numbers[test] <= predict(fit, x[test, ])
  expect_identical(judged$coverage, list(tau = 0.9, share = sum(w[below]) / sum(w)))
  # a response that is the prediction itself counts
  same <- margin_performance(fit, x[test, ], "pinball", y = unname(predict(fit, x[test, ])))
  expect_identical(same$coverage$share, 1)
  expect_output(print(judged), "coverage .* of these rows at or below the predicted quantile")
  expect_output(print(margin_performance(fit, x[train, ], y = numbers[train])),
                "coverage .* of the training rows")
  expect_output(print(summary(fit)), "pinball.*coverage")
  expect_null(margin_performance(margin_linear(x, numbers), x, y = numbers)$coverage)
})

test_that("a metric with a number needs the loss that has it, and other names get a hint", {
  asked <- function(metric, ...) margin_cv(x, numbers, metric = metric, folds = 2, ...)
  expect_told("metric_default", "names", {
    asked("rsq")
    asked("R2")
    asked("deviance")
    asked("pinball")
    asked("quantile_loss")
    asked("huber", grid = list(loss = list(loss_huber(1), loss_huber(2))))
    margin_cv(x, classes, metric = "auc")
    margin_cv(x, classes, metric = "roc_auc")
    margin_cv(x, classes, metric = "error")
    margin_cv(x, classes, metric = "pinball")
  })
})
