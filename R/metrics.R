# Metrics of predictions of held-out rows.

#' Metrics
#'
#' Choose how predictions are judged: the name of a metric is what [margin_cv()],
#' [margin_performance()] and [margin_compare()] take as `metric` or `metrics`, and
#' `margin_metric()` makes one of your own.
#'
#' With \eqn{z} the decision value, \eqn{p} the probability of the class that a row has, \eqn{w_i}
#' the weight of a row and means weighted by it:
#'
#' * `accuracy`: share of rows whose class is predicted; `balanced_accuracy`: the mean over the
#'   classes of that share in each;
#' * `sensitivity` (recall), `specificity`, `precision`: shares TP/(TP + FN), TN/(TN + FP) and
#'   TP/(TP + FP) of the weight of the rows; `f1`: 2 TP/(2 TP + FN + FP). The second level is the
#'   positive class; of more than two classes the mean of the one-vs-rest values of the classes
#'   that have one;
#' * `kappa`: Cohen's, \eqn{(a - e)/(1 - e)} with the accuracy \eqn{a} and that of chance, \eqn{e};
#'   `mcc`: the correlation of Matthews between the class and the predicted one, of more classes
#'   that of Gorodkin;
#' * `auroc`: area under the receiver operating characteristic, the share of the pairs of a positive
#'   and a negative row whose decision values are in that order, equal ones counting half; for more
#'   classes the mean over pairs of classes of Hand and Till, whose rows are ranked once by the
#'   decision value of either class: not by its probability, which may rank them otherwise;
#' * `auprc`: area under the curve of precision against recall, by trapezoids, from precision 1 at
#'   recall 0; `average_precision`: the sum of the precisions, each times the recall that it adds.
#'   Of more classes the mean of the one-vs-rest values;
#' * `log_loss`: the mean of \eqn{-\log p}{-log p}; `brier`: half the mean squared distance between
#'   the probabilities of a row and its class, for two classes \eqn{(1 - p)^2}{(1 - p)^2};
#' * `calibration_error`: the mean over rows of the distance between probability and observed share
#'   in ten bins of equal width, of the probability of the second class; for more classes, of the
#'   largest probability of a row and the share of rows whose class it is;
#' * `outside`: of one class, the share of the rows that are outliers by the fit; `nu_distance`: how
#'   far that share is from the \eqn{\nu}{nu} of the fit, which promises it of new rows like those
#'   that were fitted. They need no labels. With labels, of which the second is the inliers, all
#'   metrics of classes judge one class as well;
#' * `hinge`: the mean of \eqn{\max(0, 1 - y z)}{max(0, 1 - y z)}, over the one-vs-rest
#'   problems where there are several;
#' * `mse`, `rmse`, `mae`: mean squared error of a regression, its root, and mean absolute error;
#'   `r2`: one less the ratio of `mse` to the variance of the response among the rows judged;
#' * `r said_metrics()`: the mean of the loss of that name
#'   ([losses] has the formulas; `pinball` is that of [loss_quantile()], of several `tau` the mean
#'   over them) in the unit of the response, with the number that the loss of the fit has:
#'   \eqn{s \phi(r/s)}{s phi(r/s)}, or
#'   \eqn{s^2 \phi(r/s)}{s^2 phi(r/s)} where the loss grows like a square at its root, of the
#'   residual \eqn{r = y - f}. Here \eqn{s} is the unit to which the fit refers its residuals
#'   (`response_scale` of [margin_linear()]), in cross-validation the robust standard deviation of
#'   the response of all rows: one unit, so that folds and settings are judged by the same formula.
#'
#' @section The default:
#' Without `metric` a regression is judged by its own loss: `mse` with the squared loss, `mae` with
#' the absolute, else the metric named after the loss; one class by `nu_distance`, beside which is
#' `outside`, and where there are labels first by `auroc`; a classification by `log_loss` where the
#' fit gives probabilities, else by `accuracy`. A grid over several losses of a regression, and
#' compared models that do not have one and the same loss, are judged by `mse`; of a classification
#' by `log_loss` if all give probabilities, else by `accuracy`.
#'
#' @details
#' What rows do not tell (an area without a second class, the precision of a class that is never
#' predicted) is `NA`. `log_loss`, `brier` and `calibration_error` need probabilities: a logistic
#' loss, or a fit from [margin_calibrate()].
#'
#' @param compute A function `(truth, predicted, weights)` that returns one number: `truth` a factor
#'   (numbers in a regression), `predicted` a factor with its levels, a vector of decision values (a
#'   matrix of one column per level for three or more) or a matrix of probabilities, and `weights`.
#' @param name What to call it.
#' @param maximize Is a higher value better?
#' @param needs What `predicted` is: `"class"`, `"score"`, `"prob"`, or `"response"` for the number
#'   that a regression predicts; of one class `"outside"`, 1 for an outlier and else 0, or
#'   `"excess"`, the same less \eqn{\nu}{nu}. Scores are decision values; where all classes are one
#'   problem, whose decision values mean something beside one another alone, the log-odds of each
#'   class (softmax) or its lead over the best other class (Crammer and Singer, hard margins).
#' @param ... Not used; an unknown argument is an error.
#' @return A metric to give to [margin_cv()] and [margin_compare()].
#' @section Errors:
#' Of class `dualmargin_input_error`, when an argument is not as described.
#' @references
#' Hand DJ, Till RJ (2001). A simple generalisation of the area under the ROC curve for multiple
#' class classification problems. *Machine Learning* 45, 171-186. \doi{10.1023/A:1010920819831}.
#'
#' Gorodkin J (2004). Comparing two K-category assignments by a K-category correlation coefficient.
#' *Computational Biology and Chemistry* 28, 367-374. \doi{10.1016/j.compbiolchem.2004.09.006}.
#'
#' Davis J, Goadrich M (2006). The relationship between precision-recall and ROC curves.
#' *Proceedings of the 23rd ICML*, 233-240. \doi{10.1145/1143844.1143874}.
#'
#' Guo C, Pleiss G, Sun Y, Weinberger KQ (2017). On calibration of modern neural networks.
#' *Proceedings of the 34th ICML*, 1321-1330. arXiv:1706.04599.
#'
#' Brier GW (1950). Verification of forecasts expressed in terms of probability. *Monthly Weather
#' Review* 78(1), 1-3.
#' @examples
#' cost <- margin_metric(function(truth, predicted, weights) {
#'   price <- ifelse(truth == "spam", 1, 10) # a lost letter is dearer than a read advertisement
#'   sum(weights * price * (predicted != truth)) / sum(weights)
#' }, name = "cost", maximize = FALSE)
#' margin_cv(type ~ ., data = spambase[seq(1, nrow(spambase), by = 20), ], loss = "logistic",
#'           grid = list(lambda = 10^-(1:3)), folds = 3, metric = list("log_loss", cost))
#' @name metrics
NULL

#' @rdname metrics
#' @export
margin_metric <- function(compute, name, maximize = TRUE, needs = "class", ...) {
  assert_no_extra("margin_metric()", ...)
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
  if (!is_name(name)) {
    abort_input(sprintf("`name` is %s, but must be a word for the metric.", show_value(name)),
                "name")
  }
  assert_flag(maximize, "maximize")
  assert_choice(needs, c(prediction_types(), "outside", "excess"), "needs")
  new_metric(name, needs, maximize,
             switch(needs, response = "regression", outside = , excess = "one_class",
                    "classification"), compute)
}

new_metric <- function(name, needs, maximize, task, compute) {
  structure(list(name = name, needs = needs, maximize = maximize, task = task, compute = compute),
            class = "margin_metric")
}

#' @export
print.margin_metric <- function(x, ...) {
  cat(fold_lines(sprintf("<margin_metric> %s, from the %s, %s is better", x$name, x$needs,
                         if (x$maximize) "higher" else "lower")), sep = "\n")
  invisible(x)
}

# loss, unit: of the fit, for the metrics that are the loss of a regression.
known_metrics <- function(loss = NULL, unit = 1) {
  classes <- function(name, needs, maximize, compute) {
    new_metric(name, needs, maximize, "classification", compute)
  }
  numbers <- function(name, maximize, compute) {
    new_metric(name, "response", maximize, "regression", compute)
  }
  metrics <- list(
    classes("accuracy", "class", TRUE, accuracy_of),
    classes("balanced_accuracy", "class", TRUE, balanced_accuracy_of),
    classes("kappa", "class", TRUE, kappa_of), classes("mcc", "class", TRUE, mcc_of),
    classes("sensitivity", "class", TRUE, sensitivity_of),
    classes("specificity", "class", TRUE, specificity_of),
    classes("precision", "class", TRUE, precision_of), classes("f1", "class", TRUE, f1_of),
    classes("auroc", "score", TRUE, auroc_of), classes("auprc", "score", TRUE, auprc_of),
    classes("average_precision", "score", TRUE, average_precision_of),
    classes("log_loss", "prob", FALSE, log_loss_of), classes("brier", "prob", FALSE, brier_of),
    classes("calibration_error", "prob", FALSE, calibration_error_of),
    classes("hinge", "score", FALSE, hinge_of),
    new_metric("nu_distance", "excess", FALSE, "one_class", nu_distance_of),
    new_metric("outside", "outside", FALSE, "one_class", outside_of), numbers("mse", FALSE, mse_of),
    numbers("rmse", FALSE, rmse_of), numbers("mae", FALSE, mae_of), numbers("r2", TRUE, r2_of)
  )
  metrics <- c(metrics, lapply(parameter_metrics, function(name) {
    numbers(name, FALSE, loss_compute(name, loss, unit))
  }))
  stats::setNames(metrics, vapply(metrics, function(metric) metric$name, ""))
}

# Names, metrics, or a list of both -> a list of metrics named by their names.
# task: one or several, whose metrics there are; losses: those of the fits that are judged; unit:
# that of their residuals.
as_metrics <- function(metric, task, arg = "metric", losses = list(), unit = 1) {
  if (inherits(metric, "margin_metric")) metric <- list(metric)
  if (is.function(metric)) {
    abort_input(sprintf("`%s` is a function; say its name and direction with margin_metric().",
                        arg), arg)
  }
  if (!is.list(metric) && !is.character(metric) && !is.null(metric)) {
    abort_input(sprintf("`%s` is %s, but must be names, or metrics of margin_metric().", arg,
                        show_value(metric)), arg)
  }
  if (length(metric) == 0L) {
    abort_input(sprintf("`%s` is empty; give one of ?metrics.", arg), arg)
  }
  known <- known_metrics(common_loss(losses), unit)
  metrics <- lapply(metric, function(one) {
    if (inherits(one, "margin_metric")) {
      return(one)
    }
    assert_metric_known(one, names(known), arg)
    assert_metric_of_quantiles(one, losses, arg)
    if ("regression" %in% task) assert_loss_metric(one, losses, arg)
    known[[one]]
  })
  names(metrics) <- vapply(metrics, function(one) one$name, "")
  if (anyDuplicated(names(metrics))) {
    abort_input(sprintf("`%s` has \"%s\" twice; give each once.", arg,
                        names(metrics)[anyDuplicated(names(metrics))]), arg)
  }
  for (one in metrics) {
    if (!one$task %in% task) abort_other_task(one, task[1L], arg)
  }
  metrics
}

task_words <- c(one_class = "fit of one class", regression = "regression",
                classification = "classification")

abort_other_task <- function(metric, task, arg) {
  if (task == "one_class" && metric$task == "classification") {
    abort_input(sprintf(paste(
      "`%s` is \"%s\", which compares with labels, and these rows have none; use \"nu_distance\",",
      "or give `y`."
    ), arg, metric$name), arg)
  }
  abort_input(sprintf("`%s` is \"%s\", which is for a %s; this is a %s. Use %s.", arg, metric$name,
                      task_words[[metric$task]], task_words[[task]],
                      switch(task, regression = "\"mse\"", one_class = "\"nu_distance\"",
                             "\"accuracy\"")), arg)
}

# The tasks whose metrics judge rows: with labels those of one class are classes.
judged_as <- function(task) {
  c(task$task, if (task$task == "one_class" && !is.null(task$response)) "classification")
}

# What a metric cannot be had from is told before the first fit.
assert_metrics <- function(metrics, losses) {
  for (metric in metrics) {
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

# The value of each metric. predicted: a function of what is needed; NULL, and NA the value, where
# there is none to have.
judge <- function(metrics, truth, predicted, weights) {
  needed <- unique(vapply(metrics, function(metric) metric$needs, ""))
  predictions <- lapply(stats::setNames(nm = needed), predicted)
  vapply(metrics, function(metric) {
    if (is.null(predictions[[metric$needs]])) {
      return(NA_real_)
    }
    value <- metric$compute(truth, predictions[[metric$needs]], weights)
    if (!is.numeric(value) || length(value) != 1L) {
      abort_input(sprintf("`metric` \"%s\" returned %s, but must return one number.", metric$name,
                          show_value(value)), "metric")
    }
    as.double(value)
  }, 0)
}
