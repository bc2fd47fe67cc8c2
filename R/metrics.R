# Metrics of predictions of held-out rows.

#' Metrics
#'
#' With \eqn{z} the decision value, \eqn{p} the probability of the class that a row has, \eqn{w_i}
#' the weight of a row and means weighted by it:
#'
#' * `accuracy`: share of rows whose class is predicted; `balanced_accuracy`: the mean over the
#'   classes of that share in each;
#' * `auroc`: area under the receiver operating characteristic, by [pROC::roc()]; for more classes
#'   the mean over pairs of classes of Hand and Till, by [pROC::multiclass.roc()]. Takes no weights;
#' * `log_loss`: the mean of \eqn{-\log p}{-log p}; `brier`: half the mean squared distance between
#'   the probabilities of a row and its class, for two classes \eqn{(1 - p)^2}{(1 - p)^2};
#' * `hinge`: the mean of \eqn{\max(0, 1 - y z)}{max(0, 1 - y z)}, over the one-vs-rest
#'   problems where there are several;
#' * `mse`, `mae`: mean squared and mean absolute error of a regression.
#'
#' `log_loss` and `brier` need probabilities: a logistic loss, or a fit from [margin_calibrate()].
#'
#' @param compute A function `(truth, predicted, weights)` that returns one number: `truth` a factor
#'   (numbers in a regression), `predicted` a factor with its levels, a vector of decision values (a
#'   matrix of one column per level for three or more) or a matrix of probabilities, and `weights`.
#' @param name What to call it.
#' @param maximize Is more better?
#' @param needs What `predicted` is: `"class"`, `"score"`, `"prob"`, or `"response"` for the number
#'   that a regression predicts.
#' @return `margin_metrics()`: a data frame with a row per metric: `name`, `needs`, `maximize` and
#'   `task`. `margin_metric()`: a metric to give to [margin_cv()] and [margin_compare()].
#' @section Errors:
#' Of class `dualmargin_input_error`, when an argument is not as described.
#' @references
#' Hand DJ, Till RJ (2001). A simple generalisation of the area under the ROC curve for multiple
#' class classification problems. *Machine Learning* 45, 171-186. \doi{10.1023/A:1010920819831}.
#'
#' Brier GW (1950). Verification of forecasts expressed in terms of probability. *Monthly Weather
#' Review* 78(1), 1-3.
#' @examples
#' margin_metrics()
#' cost <- margin_metric(function(truth, predicted, weights) {
#'   price <- ifelse(truth == "spam", 1, 10) # a lost letter is dearer than a read advertisement
#'   sum(weights * price * (predicted != truth)) / sum(weights)
#' }, name = "cost", maximize = FALSE)
#' margin_cv(type ~ ., data = spambase[seq(1, nrow(spambase), by = 20), ], loss = "logistic",
#'           grid = list(lambda = 10^-(1:3)), folds = 3, metric = list("log_loss", cost))
#' @export
margin_metrics <- function() {
  metrics <- known_metrics()
  field <- function(name, type) vapply(metrics, function(metric) metric[[name]], type)
  data.frame(name = field("name", ""), needs = field("needs", ""),
             maximize = field("maximize", NA), task = field("task", ""), row.names = NULL)
}

#' @rdname margin_metrics
#' @export
margin_metric <- function(compute, name, maximize = TRUE, needs = "class") {
  if (missing(compute) || missing(name)) {
    arg <- if (missing(compute)) "compute" else "name"
    abort_input(sprintf(
      "`%s` is missing; a metric is a function (truth, predicted, weights) and its name.", arg
    ), arg)
  }
  if (!is.function(compute)) {
    abort_input(sprintf("`compute` is %s, but must be a function (truth, predicted, weights).",
                        show_value(compute)), "compute")
  }
  assert_takes(compute, "compute", c("truth", "predicted", "weights"))
  if (!is.character(name) || length(name) != 1L || !nzchar(name) || is.na(name)) {
    abort_input(sprintf("`name` is %s, but must be a word for the metric.", show_value(name)),
                "name")
  }
  assert_flag(maximize, "maximize")
  assert_choice(needs, prediction_types(), "needs")
  new_metric(name, needs, maximize, if (needs == "response") "regression" else "classification",
             compute)
}

new_metric <- function(name, needs, maximize, task, compute) {
  structure(list(name = name, needs = needs, maximize = maximize, task = task, compute = compute),
            class = "margin_metric")
}

#' @export
print.margin_metric <- function(x, ...) {
  cat(fold_lines(sprintf("<margin_metric> %s, from the %s, %s is better", x$name, x$needs,
                         if (x$maximize) "more" else "less")), sep = "\n")
  invisible(x)
}

known_metrics <- function() {
  classes <- function(name, needs, maximize, compute) {
    new_metric(name, needs, maximize, "classification", compute)
  }
  metrics <- list(
    classes("accuracy", "class", TRUE, accuracy_of),
    classes("balanced_accuracy", "class", TRUE, balanced_accuracy_of),
    classes("auroc", "score", TRUE, auroc_of), classes("log_loss", "prob", FALSE, log_loss_of),
    classes("brier", "prob", FALSE, brier_of), classes("hinge", "score", FALSE, hinge_of),
    new_metric("mse", "response", FALSE, "regression", mse_of),
    new_metric("mae", "response", FALSE, "regression", mae_of)
  )
  stats::setNames(metrics, vapply(metrics, function(metric) metric$name, ""))
}

accuracy_of <- function(truth, predicted, weights) {
  stats::weighted.mean(predicted == truth, weights)
}

balanced_accuracy_of <- function(truth, predicted, weights) {
  by_class <- split(seq_along(truth), truth, drop = TRUE)
  mean(vapply(by_class, function(i) accuracy_of(truth[i], predicted[i], weights[i]), 0))
}

auroc_of <- function(truth, predicted, weights) {
  assert_auroc(weights)
  present <- levels(droplevels(truth))
  # a part without a second class has no such area
  if (length(present) < 2L) {
    return(NA_real_)
  }
  if (!is.matrix(predicted)) {
    return(as.numeric(pROC::auc(pROC::roc(truth, predicted, levels = levels(truth),
                                          direction = "<", quiet = TRUE))))
  }
  as.numeric(pROC::multiclass.roc(droplevels(truth), predicted[, present], quiet = TRUE)$auc)
}

assert_auroc <- function(weights) {
  assert_installed("pROC", "metric", "auroc")
  if (length(unique(weights)) > 1L) {
    abort_input("`metric` is \"auroc\", which takes no weights; use another or leave them out.",
                "metric")
  }
}

log_loss_of <- function(truth, predicted, weights) {
  share <- predicted[cbind(seq_along(truth), as.integer(truth))]
  stats::weighted.mean(-log(share), weights)
}

brier_of <- function(truth, predicted, weights) {
  is_class <- outer(as.integer(truth), seq_along(levels(truth)), `==`)
  stats::weighted.mean(rowSums((predicted - is_class)^2) / 2, weights)
}

hinge_of <- function(truth, predicted, weights) {
  classes <- if (is.matrix(predicted)) seq_along(levels(truth)) else 2L
  sign <- 2 * outer(as.integer(truth), classes, `==`) - 1
  stats::weighted.mean(rowMeans(pmax(1 - sign * as.matrix(predicted), 0)), weights)
}

mse_of <- function(truth, predicted, weights) {
  stats::weighted.mean((predicted - truth)^2, weights)
}

mae_of <- function(truth, predicted, weights) {
  stats::weighted.mean(abs(predicted - truth), weights)
}

assert_installed <- function(package, arg, value) {
  if (!requireNamespace(package, quietly = TRUE)) {
    abort_input(sprintf(
      "`%s` is \"%s\", which needs package %s; install it with install.packages(\"%s\").", arg,
      value, package, package
    ), arg)
  }
}

# Names, metrics, or a list of both -> a list of metrics named by their names.
as_metrics <- function(metric, task) {
  if (inherits(metric, "margin_metric")) metric <- list(metric)
  if (is.function(metric)) {
    abort_input("`metric` is a function; say its name and direction with margin_metric().",
                "metric")
  }
  if (!is.list(metric) && !is.character(metric) && !is.null(metric)) {
    abort_input(sprintf("`metric` is %s, but must be names, or metrics of margin_metric().",
                        show_value(metric)), "metric")
  }
  if (length(metric) == 0L) {
    abort_input("`metric` is empty; give one of margin_metrics().", "metric")
  }
  known <- known_metrics()
  metrics <- lapply(metric, function(one) {
    if (inherits(one, "margin_metric")) {
      return(checked_metric(one))
    }
    assert_choice(one, names(known), "metric")
    known[[one]]
  })
  names(metrics) <- vapply(metrics, function(one) one$name, "")
  if (anyDuplicated(names(metrics))) {
    abort_input(sprintf("`metric` has \"%s\" twice; give each once.",
                        names(metrics)[anyDuplicated(names(metrics))]), "metric")
  }
  for (one in metrics) {
    if (one$task != task) {
      abort_input(sprintf("`metric` is \"%s\", which is for a %s; this is a %s. Use %s.",
                          one$name, one$task, task,
                          if (task == "regression") "\"mse\"" else "\"accuracy\""), "metric")
    }
  }
  metrics
}

# What a metric cannot be had from is told before the first fit.
assert_metrics <- function(metrics, losses, weights) {
  for (metric in metrics) {
    if (identical(metric$compute, auroc_of)) assert_auroc(weights)
    for (loss in losses) {
      if (metric$needs == "prob" && loss$name != "logistic") {
        abort_input(sprintf(paste(
          "`metric` is \"%s\", which needs probabilities, and the %s loss estimates none; use",
          "loss = \"logistic\" (margin_linear(), margin_kernel(), margin_augmented())."
        ), metric$name, loss$name), "metric")
      }
    }
  }
}

# A part of one class has no area under its curve; if none has one, that is told at once.
assert_areas <- function(metrics, response, resamples) {
  with_areas <- vapply(metrics, function(metric) identical(metric$compute, auroc_of), NA)
  if (!any(with_areas)) {
    return(invisible())
  }
  classes <- vapply(resamples, function(one) length(unique(response[one$test])), 0L)
  if (all(classes < 2L)) {
    abort_input(paste(
      "`metric` is \"auroc\", but no fold holds out rows of two classes; use fewer folds, or a",
      "metric that is a mean over rows."
    ), "metric")
  }
}

# The value of each metric. predicted: a function of what is needed.
judge <- function(metrics, truth, predicted, weights) {
  needed <- unique(vapply(metrics, function(metric) metric$needs, ""))
  predictions <- lapply(stats::setNames(nm = needed), predicted)
  vapply(metrics, function(metric) {
    value <- metric$compute(truth, predictions[[metric$needs]], weights)
    if (!is.numeric(value) || length(value) != 1L) {
      abort_input(sprintf("`metric` \"%s\" returned %s, but must return one number.", metric$name,
                          show_value(value)), "metric")
    }
    as.double(value)
  }, 0)
}
