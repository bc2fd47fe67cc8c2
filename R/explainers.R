# What other packages ask of a model, by generics that are not ours to import: the methods are
# registered when a package is loaded, and on our own loading if it is by then. What the methods of
# insight and marginaleffects do stands in explainers_terms.R, autoplot() in autoplot.R.

# By package, then by generic: a method of all fits, or one by class.
borrowed_generics <- function() {
  list(
    DALEX = list(yhat = explained_prediction, model_info = explained_model),
    pdp = list(get_task = model_task),
    vip = list(vi_model = vip_importance),
    insight = list(get_parameters = insight_parameters, find_parameters = insight_names,
                   model_info = insight_info, get_predicted = insight_predicted),
    marginaleffects = list(get_predict = estimated_prediction, get_vcov = estimated_vcov,
                           get_coef = estimated_coef, refit = refit_methods()),
    randomForest = list(importance = importance.margin_fit),
    ranger = list(importance = importance.margin_fit),
    ggplot2 = list(autoplot = autoplot_methods())
  )
}

register_explainers <- function() {
  methods <- borrowed_generics()
  for (package in names(methods)) {
    # a closure of its own for each package
    register <- local({
      of <- package
      function(...) {
        register_for(asNamespace(of), methods[[of]])
        if (of == "marginaleffects") take_part_in_marginaleffects()
      }
    })
    setHook(packageEvent(package, "onLoad"), register)
    if (isNamespaceLoaded(package)) register()
  }
}

# Generics that a version lacks are left out.
register_for <- function(home, methods) {
  for (generic in intersect(names(methods), ls(home, all.names = TRUE))) {
    of_class <- methods[[generic]]
    if (is.function(of_class)) of_class <- list(margin_fit = of_class)
    for (class in names(of_class)) {
      registerS3method(generic, class, of_class[[class]], envir = home)
    }
  }
}

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

# marginaleffects has a generic of this name, which is in the place of ours where it is attached.
refit_methods <- function() list(margin_cv = refit.margin_cv, margin_tune = refit.margin_tune)
