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

# counts: of two classes, of which the second is positive, the same from the weights of true positives,
# false negatives, false positives and true negatives, each a vector with an entry for each threshold.
new_metric <- function(name, needs, maximize, task, compute, counts = NULL) {
  structure(c(list(name = name, needs = needs, maximize = maximize, task = task, compute = compute),
              if (!is.null(counts)) list(counts = counts)), class = "margin_metric")
}

#' @export
print.margin_metric <- function(x, ...) {
  assert_no_extra("print()", ...)
  cat(fold_lines(sprintf("<margin_metric> %s, from the %s, %s is better", x$name, x$needs,
                         if (x$maximize) "higher" else "lower")), sep = "\n")
  invisible(x)
}

# loss, unit: of the fit, for the metrics that are the loss of a regression.
known_metrics <- function(loss = NULL, unit = 1) {
  # a metric that is saved holds these, not the frames that they would come from
  force(loss)
  force(unit)
  classes <- function(name, needs, maximize, compute, counts = NULL) {
    new_metric(name, needs, maximize, "classification", compute, counts)
  }
  shares <- function(name, counts) {
    classes(name, "class", TRUE, function(truth, predicted, weights) {
      mean_over_classes(truth, predicted, weights, counts)
    }, counts)
  }
  numbers <- function(name, maximize, compute) {
    new_metric(name, "response", maximize, "regression", compute)
  }
  metrics <- list(
    classes("accuracy", "class", TRUE, accuracy_of,
            function(tp, fn, fp, tn) (tp + tn) / (tp + fn + fp + tn)),
    classes("balanced_accuracy", "class", TRUE, balanced_accuracy_of, function(tp, fn, fp, tn) {
      rowMeans(cbind(tp / (tp + fn), tn / (tn + fp)), na.rm = TRUE)
    }),
    classes("kappa", "class", TRUE, kappa_of, kappa_of_two),
    classes("mcc", "class", TRUE, mcc_of, mcc_of_two),
    shares("sensitivity", function(tp, fn, fp, tn) tp / (tp + fn)),
    shares("specificity", function(tp, fn, fp, tn) tn / (tn + fp)),
    shares("precision", function(tp, fn, fp, tn) tp / (tp + fp)),
    shares("f1", function(tp, fn, fp, tn) 2 * tp / (2 * tp + fn + fp)),
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

# The value of each metric, over the rows with a weight. predicted: a function of what is needed; NULL,
# and NA the value, where there is none to have.
judge <- function(metrics, truth, predicted, weights) {
  needed <- unique(vapply(metrics, function(metric) metric$needs, ""))
  predictions <- lapply(stats::setNames(nm = needed), predicted)
  used <- weights > 0
  if (!any(used)) {
    return(vapply(metrics, function(metric) NA_real_, 0))
  }
  if (!all(used)) {
    if (!is.null(truth)) truth <- some_scores(truth, used)
    predictions <- lapply(predictions, function(values) if (!is.null(values)) some_scores(values, used))
    weights <- weights[used]
  }
  vapply(metrics, function(metric) {
    if (is.null(predictions[[metric$needs]])) {
      return(NA_real_)
    }
    metric_value(metric, truth, predictions[[metric$needs]], weights)
  }, 0)
}

metric_value <- function(metric, truth, predicted, weights) {
  value <- metric$compute(truth, predicted, weights)
  if (!is.numeric(value) || length(value) != 1L) {
    abort_input(sprintf("`metric` \"%s\" returned %s, but must return one number.", metric$name,
                        show_value(value)), "metric")
  }
  as.double(value)
}

# The metric that a fit is judged by where none is named: its own loss.

# The metrics that are the mean loss of a regression, by the name of the loss. The squared loss is
# half of mse, which has the same order and is what everybody reads.
loss_metrics <- unlist(loss_field("metric"))

# Those that have a number of the loss in their formula.
parameter_metrics <- unname(loss_metrics[lengths(loss_field("value")[names(loss_metrics)]) > 0L])

# As the help of metrics lists them.
said_metrics <- function() paste(sprintf("`%s`", parameter_metrics), collapse = ", ")

# The one loss of all fits, or NULL.
common_loss <- function(losses) {
  one <- if (length(losses) > 0L) losses[[1L]]
  same <- vapply(losses, function(loss) identical(unclass(loss), unclass(one)), NA)
  if (all(same)) one
}

# prob: do all of the fits give probabilities?
default_metric <- function(task, losses, prob) {
  if (task == "classification") {
    return(if (prob) "log_loss" else "accuracy")
  }
  name <- common_loss(losses)$name
  if (is.null(name)) "mse" else loss_metrics[[name]]
}

# The metrics that were asked for, or the default one, of fits with these losses to all rows of a
# task; arguments: those that all fits have; default: a function as default_metric().
task_metrics <- function(metric, task, losses, prob, arguments, default = default_metric) {
  if (is.null(metric)) metric <- default(judged_as(task), losses, prob)
  as_metrics(metric, judged_as(task), losses = losses, unit = task_unit(task, losses, arguments))
}

all_logistic <- function(losses) {
  all(vapply(losses, function(loss) identical(loss$name, "logistic"), NA))
}

# The unit of the residuals of all folds and settings: the one that a fit to all rows takes from
# the response. A unit taken from residuals would change from fit to fit, and those that overfit
# would have the smallest loss.
task_unit <- function(task, losses, arguments) {
  loss <- common_loss(losses)
  if (task$task != "regression" || is.null(loss)) {
    return(1)
  }
  if (is.numeric(loss$unit)) {
    return(loss$unit)
  }
  of_residuals <- identical(loss$unit, "residual")
  if (!is_sized(loss) || isFALSE(arguments$response_scale) && !of_residuals) {
    return(1)
  }
  robust_spread(as.double(task$response), weights_of(task, seq_along(task$response)))
}

# A function (truth, predicted, weights); NULL where the loss is another one.
loss_compute <- function(metric, loss, unit) {
  if (is.null(loss) || !identical(unname(loss_metrics[loss$name]), metric)) {
    return(function(truth, predicted, weights) NA_real_)
  }
  size <- unname(loss$parameter)
  value <- loss_list[[loss$name]]$value
  force(unit)
  rm(loss)
  # in the unit of the response, or its square: s^2 phi(r/s) for the losses that are quadratic at
  # their root, s phi(r/s) for those that are not
  one <- function(truth, predicted, weights, size) {
    r <- as.double(truth) - as.double(predicted)
    stats::weighted.mean(value(r, size * unit, size), weights)
  }
  function(truth, predicted, weights) {
    if (length(size) == 1L) {
      return(one(truth, predicted, weights, size))
    }
    mean(vapply(seq_along(size), function(k) one(truth, predicted[, k], weights, size[k]), 0))
  }
}

# A metric with a number in it needs the loss that has the number.
assert_loss_metric <- function(name, losses, arg) {
  loss <- common_loss(losses)
  if (!name %in% parameter_metrics || identical(unname(loss_metrics[loss$name]), name)) {
    return(invisible())
  }
  abort_input(sprintf(paste(
    "`%s` is \"%s\", which needs the parameter of loss_%s(), and %s; use \"mae\" or \"mse\", or",
    "write the metric with margin_metric()."
  ), arg, name, names(loss_metrics)[loss_metrics == name], if (is.null(loss))
    "the fits do not share one" else sprintf("the loss here is %s", format(loss))), arg)
}

# ---- The share of rows below a quantile ----

# NULL for fits of other losses; else tau and the share of the weight of the rows whose response is
# at or below the prediction.
coverage_of <- function(loss, truth, predicted, weights) {
  if (identical(loss$name, "quantile")) {
    below <- as.double(truth) <= as.matrix(predicted)
    list(tau = unname(loss$parameter),
         share = unname(apply(below, 2L, stats::weighted.mean, weights)))
  }
}

coverage_line <- function(coverage, rows, digits) {
  if (!is.null(coverage)) {
    words <- function(values) toString(vapply(values, format, "", digits = digits))
    sprintf("  coverage %s of %s at or below the predicted quantile%s, tau = %s",
            words(coverage$share), rows, if (length(coverage$tau) == 1L) "" else "s",
            words(coverage$tau))
  }
}

# ---- Names that other packages have for a metric ----

metric_aliases <- c(
  auc = "auroc", roc_auc = "auroc", roc = "auroc", pr_auc = "auprc", rsq = "r2", r_squared = "r2",
  "r.squared" = "r2", logloss = "log_loss", mn_log_loss = "log_loss", cross_entropy = "log_loss",
  logistic = "log_loss", recall = "sensitivity", sens = "sensitivity", tpr = "sensitivity",
  spec = "specificity", tnr = "specificity", ppv = "precision", f_meas = "f1", f = "f1",
  kap = "kappa", bal_accuracy = "balanced_accuracy", bacc = "balanced_accuracy", acc = "accuracy",
  class = "accuracy", brier_class = "brier", brier_score = "brier", ece = "calibration_error",
  quantile = "pinball", quantile_loss = "pinball", squared = "mse", absolute = "mae",
  huber_loss = "huber"
)

assert_metric_known <- function(name, known, arg) {
  if (is.character(name) && length(name) == 1L && !is.na(name) && !name %in% known) {
    lower <- tolower(readable(name))
    remedy <- if (lower == "deviance") {
      paste("that of a classification is twice \"log_loss\", of a regression the sum of squares,",
            "so use \"log_loss\" or \"mse\"")
    } else if (lower %in% c("error", "ce", "misclassification", "error_rate")) {
      "it is 1 - accuracy; use \"accuracy\""
    } else if (lower %in% names(metric_aliases)) {
      sprintf("here it is called \"%s\"", metric_aliases[[lower]])
    } else if (lower %in% known) {
      sprintf("here it is called \"%s\"", lower)
    }
    if (!is.null(remedy)) {
      abort_input(sprintf("`%s` is \"%s\", which is not known; %s. ?metrics lists all.",
                          arg, name, remedy), arg)
    }
  }
  assert_choice(name, known, arg)
}

# What the metrics of R/metrics.R compute: truth, predictions and weights -> a number. What cannot
# be had, such as the precision of a class that is never predicted, is NA.

accuracy_of <- function(truth, predicted, weights) {
  stats::weighted.mean(predicted == truth, weights)
}

balanced_accuracy_of <- function(truth, predicted, weights) {
  by_class <- split(seq_along(truth), truth, drop = TRUE)
  mean(vapply(by_class, function(i) accuracy_of(truth[i], predicted[i], weights[i]), 0))
}

auroc_of <- function(truth, predicted, weights) {
  present <- levels(droplevels(truth[weights > 0]))
  # a part without a second class has no such area
  if (length(present) < 2L) {
    return(NA_real_)
  }
  if (!is.matrix(predicted)) {
    return(ordered_share(predicted, truth == levels(truth)[2L], weights))
  }
  colnames(predicted) <- levels(truth)
  pairs <- utils::combn(present, 2L, function(two) {
    rows <- truth %in% two
    mean(vapply(two, function(class) {
      ordered_share(predicted[rows, class], truth[rows] == class, weights[rows])
    }, 0))
  })
  mean(pairs)
}

# Of one class, without labels. predicted: what is outside as 1, else 0; of the first less nu.
nu_distance_of <- function(truth, predicted, weights) {
  abs(stats::weighted.mean(predicted, weights))
}

outside_of <- function(truth, predicted, weights) {
  stats::weighted.mean(predicted, weights)
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

rmse_of <- function(truth, predicted, weights) sqrt(mse_of(truth, predicted, weights))

# 1 - sum_i w_i (y_i - f_i)^2 / sum_i w_i (y_i - mean y)^2
r2_of <- function(truth, predicted, weights) {
  spread <- mse_of(truth, stats::weighted.mean(truth, weights), weights)
  if (spread > 0) 1 - mse_of(truth, predicted, weights) / spread else NA_real_
}

# ---- From the table of classes ----

# The weight of the rows by class (in rows) and by predicted class (in columns).
weighted_table <- function(truth, predicted, weights) {
  k <- nlevels(truth)
  at <- as.integer(truth) + k * (as.integer(predicted) - 1L)
  sums <- rowsum(weights, at)
  table <- matrix(0, k, k, dimnames = list(truth = levels(truth), predicted = levels(truth)))
  table[as.integer(rownames(sums))] <- sums
  table
}

# Of two classes the value of the second, of several the mean over the classes that have one.
# share: of the weights of true positives, false negatives, false positives, true negatives.
mean_over_classes <- function(truth, predicted, weights, share) {
  table <- weighted_table(truth, predicted, weights)
  hit <- diag(table)
  missed <- rowSums(table) - hit
  alarm <- colSums(table) - hit
  values <- share(hit, missed, alarm, pmax(sum(table) - hit - missed - alarm, 0))
  if (length(values) == 2L) values <- values[2L]
  values <- values[!is.nan(values)]
  if (length(values) > 0L) mean(values) else NA_real_
}

kappa_of <- function(truth, predicted, weights) {
  share <- weighted_table(truth, predicted, weights) / sum(weights)
  chance <- sum(rowSums(share) * colSums(share))
  if (chance < 1) (sum(diag(share)) - chance) / (1 - chance) else NA_real_
}

# The correlation of the indicators of the classes, of the truth and of the predictions.
mcc_of <- function(truth, predicted, weights) {
  share <- weighted_table(truth, predicted, weights) / sum(weights)
  if (nrow(share) == 2L) {
    return(mcc_of_two(share[2L, 2L], share[2L, 1L], share[1L, 2L], share[1L, 1L]))
  }
  own <- rowSums(share)
  called <- colSums(share)
  spread <- (1 - sum(own^2)) * (1 - sum(called^2))
  if (spread > 0) (sum(diag(share)) - sum(own * called)) / sqrt(spread) else NA_real_
}

kappa_of_two <- function(tp, fn, fp, tn) {
  total <- tp + fn + fp + tn
  chance <- (tp + fn) / total * (tp + fp) / total + (tn + fp) / total * (tn + fn) / total
  ifelse(chance < 1, ((tp + tn) / total - chance) / (1 - chance), NA_real_)
}

# Without the differences from 1 of the formula of several classes, of which rounding can be all.
mcc_of_two <- function(tp, fn, fp, tn) {
  total <- tp + fn + fp + tn
  spread <- (tp + fn) / total * (tp + fp) / total * (tn + fp) / total * (tn + fn) / total
  ifelse(spread > 0, (tp / total * tn / total - fp / total * fn / total) / sqrt(spread), NA_real_)
}

# ---- From the order of the rows ----

# The share of the pairs of a positive and a negative row whose scores are in that order, equal ones
# counting half.
ordered_share <- function(score, positive, weights) {
  by_score <- score_groups(score, positive, weights)
  below <- cumsum(by_score$negative) - by_score$negative
  sum(by_score$positive * (below + by_score$negative / 2)) / sum(by_score$positive) /
    sum(by_score$negative)
}

# Weights of the positive and of the negative rows at each score, from the smallest.
score_groups <- function(score, positive, weights) {
  distinct <- sort(unique(score))
  at <- match(score, distinct)
  total <- function(rows) {
    sums <- rowsum(weights[rows], at[rows])
    replace(numeric(length(distinct)), as.integer(rownames(sums)), sums)
  }
  data.frame(score = distinct, positive = total(positive), negative = total(!positive))
}

# Every threshold that tells rows apart, from Inf down: what is at or above it counts as positive.
operating_points <- function(score, positive, weights) {
  used <- weights > 0
  groups <- score_groups(score[used], positive[used], weights[used])
  down <- rev(seq_len(nrow(groups)))
  data.frame(threshold = c(Inf, groups$score[down]), hit = c(0, cumsum(groups$positive[down])),
             alarm = c(0, cumsum(groups$negative[down])))
}

# Precision and recall; where nothing is called positive the precision is 1 by convention.
precision_recall <- function(points) {
  called <- points$hit + points$alarm
  data.frame(threshold = points$threshold, recall = points$hit / max(points$hit),
             precision = ifelse(called > 0, points$hit / called, 1))
}

# Of two classes the value of the second, of several the mean over the classes that have rows.
# area: of a curve of precision_recall().
mean_precision_area <- function(truth, predicted, weights, area) {
  classes <- if (is.matrix(predicted)) seq_len(nlevels(truth)) else 2L
  predicted <- as.matrix(predicted)
  areas <- vapply(seq_along(classes), function(j) {
    positive <- as.integer(truth) == classes[j]
    if (!any(weights[positive] > 0)) {
      return(NA_real_)
    }
    area(precision_recall(operating_points(predicted[, j], positive, weights)))
  }, 0)
  if (all(is.na(areas))) NA_real_ else mean(areas, na.rm = TRUE)
}

auprc_of <- function(truth, predicted, weights) {
  mean_precision_area(truth, predicted, weights, function(curve) {
    n <- nrow(curve)
    sum(diff(curve$recall) * (curve$precision[-n] + curve$precision[-1L]) / 2)
  })
}

average_precision_of <- function(truth, predicted, weights) {
  mean_precision_area(truth, predicted, weights, function(curve) {
    sum(diff(curve$recall) * curve$precision[-1L])
  })
}

# ---- Calibration ----

# Ten bins of equal width of the probability of the second of two classes, and of several classes of
# that of the most probable: the mean distance between that probability and the share of the bin.
calibration_error_of <- function(truth, predicted, weights) {
  if (ncol(predicted) == 2L) {
    called <- predicted[, 2L]
    happened <- as.integer(truth) == 2L
  } else {
    most <- max.col(predicted, ties.method = "first")
    called <- predicted[cbind(seq_along(most), most)]
    happened <- as.integer(truth) == most
  }
  bin <- pmin(floor(10 * called), 9)
  sum(abs(rowsum(weights * (called - happened), bin))) / sum(weights)
}
