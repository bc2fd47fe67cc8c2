# What other packages ask of a model, by generics that are not ours to import: NAMESPACE registers
# the methods when a package is loaded. What the methods of insight and marginaleffects do
# stands in explainers_terms.R, autoplot() in autoplot.R.

#' @rawNamespace S3method(DALEX::yhat, margin_fit, explained_prediction)
#' @rawNamespace S3method(DALEX::model_info, margin_fit, explained_model)
#' @rawNamespace S3method(pdp::get_task, margin_fit, model_task)
#' @rawNamespace S3method(vip::vi_model, margin_fit, vip_importance)
#' @rawNamespace S3method(insight::get_parameters, margin_fit, insight_parameters)
#' @rawNamespace S3method(insight::find_parameters, margin_fit, insight_names)
#' @rawNamespace S3method(insight::model_info, margin_fit, insight_info)
#' @rawNamespace S3method(insight::get_predicted, margin_fit, insight_predicted)
#' @rawNamespace S3method(marginaleffects::get_predict, margin_fit, estimated_prediction)
#' @rawNamespace S3method(marginaleffects::get_vcov, margin_fit, estimated_vcov)
#' @rawNamespace S3method(marginaleffects::get_coef, margin_fit, estimated_coef)
#' @rawNamespace S3method(randomForest::importance, margin_fit, importance.margin_fit)
#' @rawNamespace S3method(ranger::importance, margin_fit, importance.margin_fit)
#' @rawNamespace S3method(ggplot2::autoplot, margin_fit, gg_fit)
#' @rawNamespace S3method(ggplot2::autoplot, margin_path, gg_path)
#' @rawNamespace S3method(ggplot2::autoplot, margin_cv, gg_cv)
#' @rawNamespace S3method(ggplot2::autoplot, margin_conformal, gg_conformal)
#' @rawNamespace S3method(ggplot2::autoplot, model_comparison, gg_comparison)
#' @rawNamespace S3method(ggplot2::autoplot, margin_performance, gg_performance)
#' @rawNamespace S3method(ggplot2::autoplot, margin_bootstrap, gg_bootstrap)
#' @rawNamespace S3method(parsnip::multi_predict, "_margin_linear", multi_predict_penalties)
NULL

# A regression's number; of two classes the probability of the second level; of more a matrix of
# probabilities. A loss without probabilities is an error that names margin_calibrate().
explained_prediction <- function(X.model, newdata, ...) {
  predicted_mean(X.model, newdata)
}

predicted_mean <- function(fit, newdata) {
  refuse_quantiles(fit, "a package that explains one number a row", "model")
  if (fit$task == "regression") {
    return(unname(stats::predict(fit, newdata)))
  }
  prob <- stats::predict(fit, newdata, type = "prob")
  if (ncol(prob) == 2L) unname(prob[, 2L]) else prob
}

explained_model <- function(model, is_multiclass = FALSE, ...) {
  type <- if (model$task == "regression") "regression" else
    if (length(model$levels) > 2L) "multiclass" else "classification"
  structure(list(package = "dualmargin", type = type,
                 ver = as.character(utils::packageVersion("dualmargin"))), class = "model_info")
}

# "regression" or "classification", for pdp, which asks predict() for type = "prob" then.
model_task <- function(object, ...) {
  if (object$task == "regression") "regression" else "classification"
}

# By coefficients, as vip has it for models of its own; permutations are vip's vi_permute().
vip_importance <- function(object, ...) {
  table <- as.data.frame(importance(object))
  out <- as_tibble_if_installed(data.frame(Variable = table$variable,
                                           Importance = table$importance))
  attr(out, "type") <- "|coefficient| times standard deviation"
  class(out) <- c("vi", class(out))
  out
}
