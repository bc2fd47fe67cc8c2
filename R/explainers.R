# What packages DALEX and marginaleffects ask of a model. Their generics are not ours to import: the
# methods are registered when those packages are loaded, and on our own loading if they are by then.

register_explainers <- function() {
  methods <- list(
    DALEX = list(yhat = explained_prediction, model_info = explained_model),
    marginaleffects = list(get_predict = estimated_prediction)
  )
  for (package in names(methods)) {
    # a closure of its own for each package
    register <- local({
      of <- package
      function(...) register_for(asNamespace(of), methods[[of]])
    })
    setHook(packageEvent(package, "onLoad"), register)
    if (isNamespaceLoaded(package)) register()
  }
}

# Generics that a version lacks are left out.
register_for <- function(home, methods) {
  for (generic in intersect(names(methods), ls(home, all.names = TRUE))) {
    registerS3method(generic, "margin_fit", methods[[generic]], envir = home)
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

# Its default would take class codes for numbers, in silence, where a user has told marginaleffects
# of our class by option.
estimated_prediction <- function(model, newdata, ...) {
  abort_input(sprintf(paste(
    "`model` is a %s, which package marginaleffects does not take; fit the model through parsnip",
    "(set_engine(\"dualmargin\")), or use DALEX::explain()."
  ), class(model)[1L]), "model")
}
