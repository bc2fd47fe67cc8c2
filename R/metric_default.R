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
