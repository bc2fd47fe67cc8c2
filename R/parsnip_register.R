# What is done when the package is loaded. Parsnip is told of the engine "dualmargin", and mlr3 of
# its learners, but neither is loaded for that: a hook waits for it.

.onLoad <- function(libname, pkgname) {
  session$pid <- Sys.getpid()
  when_loaded("parsnip", register_parsnip, "The engine \"dualmargin\"")
  when_loaded("mlr3", register_mlr3, "The learners of dualmargin")
  when_loaded("marginaleffects", take_part_in_marginaleffects, "Fits of dualmargin")
}

when_loaded <- function(package, register, what) {
  setHook(packageEvent(package, "onLoad"), function(...) register())
  if (isNamespaceLoaded(package)) {
    # A framework that has changed must not keep the package itself from loading.
    tryCatch(register(), error = function(e) {
      warning(what, " could not be made known to ", package, ": ", conditionMessage(e),
              call. = FALSE)
    })
  }
}

# The models by their name in parsnip. arguments: parsnip's name = the name in our function, which
# is the same for all but says which exist; dials: where package dials has their ranges.
parsnip_models <- function() {
  dial <- function(fun, ...) list(pkg = "dials", fun = fun, ...)
  machine <- function(...) {
    list(mode = c("classification", "regression"),
         arguments = list(cost = dial("cost", range = c(-10, 5)), ..., margin = dial("svm_margin")))
  }
  penalized <- function(mode) {
    list(mode = mode, arguments = list(penalty = dial("penalty"), mixture = dial("mixture")))
  }
  list(
    svm_linear = machine(),
    svm_rbf = machine(rbf_sigma = dial("rbf_sigma")),
    svm_poly = machine(degree = dial("degree"), scale_factor = dial("scale_factor")),
    logistic_reg = penalized("classification"),
    multinom_reg = penalized("classification"),
    linear_reg = penalized("regression")
  )
}

register_parsnip <- function() {
  models <- parsnip_models()
  for (name in names(models)) {
    # parsnip takes a second registration for an error when a function differs, as after a reload.
    if (!"dualmargin" %in% parsnip::get_from_env(name)$engine) {
      register_model(name, models[[name]]$mode, models[[name]]$arguments)
    }
  }
  register_quantile_mode()
}

register_model <- function(model, modes, arguments) {
  engine <- "dualmargin"
  for (mode in modes) {
    parsnip::set_model_engine(model, mode, engine)
    parsnip::set_dependency(model, engine, pkg = "dualmargin", mode = mode)
  }
  # parsnip drops in silence what is not listed here, so all the model's arguments are.
  for (name in names(arguments)) {
    parsnip::set_model_arg(model, engine, parsnip = name, original = name,
                           func = arguments[[name]], has_submodel = FALSE)
  }
  for (mode in modes) register_mode(model, mode, engine)
}

# A mode that older versions of parsnip have not.
quantile_mode <- "quantile regression"

register_quantile_mode <- function() {
  known <- parsnip::get_from_env("linear_reg")
  if (!quantile_mode %in% known$mode ||
        any(known$engine == "dualmargin" & known$mode == quantile_mode)) {
    return(invisible())
  }
  parsnip::set_model_engine("linear_reg", quantile_mode, "dualmargin")
  parsnip::set_dependency("linear_reg", "dualmargin", pkg = "dualmargin", mode = quantile_mode)
  register_mode("linear_reg", quantile_mode, "dualmargin",
                defaults = list(quantile_levels = quote(quantile_levels)))
}

# In the form that parsnip has for them: .pred_quantile.
quantile_column <- function(result, object) {
  values <- unname(as.matrix(result))
  levels <- object$spec$quantile_levels
  column <- getExportedValue("hardhat", "quantile_pred")(values, levels)
  as_tibble_if_installed(structure(list(.pred_quantile = column), class = "data.frame",
                                   row.names = seq_len(nrow(values))))
}

register_mode <- function(model, mode, engine, defaults = list()) {
  parsnip::set_fit(model, mode, engine, value = list(
    interface = "matrix", protect = c("x", "y", "weights"),
    func = c(pkg = "dualmargin", fun = "dualmargin_engine"),
    defaults = c(list(model = model), defaults)
  ))
  parsnip::set_encoding(model, mode, engine, options = list(
    predictor_indicators = "traditional", compute_intercept = TRUE, remove_intercept = TRUE,
    allow_sparse_x = TRUE
  ))
  types <- engine_types(mode)
  for (type in names(types)) {
    module <- prediction_module(types[[type]])
    if (type == "quantile") module["post"] <- list(quantile_column)
    parsnip::set_pred(model, mode, engine, type, value = module)
  }
}

# Our types by the names that parsnip has for them in a task. columns: those alone that there are of
# one penalty of many.
engine_types <- function(task, columns = FALSE) {
  switch(task, classification = c(class = "class", if (!columns) c(raw = "score"), prob = "prob"),
         regression = c(if (!columns) c(raw = "score"), numeric = "response"),
         c(quantile = "response"))
}

# How parsnip calls predict() for one of its types.
prediction_module <- function(ours) {
  prob <- ours == "prob"
  list(
    pre = if (prob) assert_model_probabilities, post = if (prob) probability_columns, func = c(fun = "predict"),
    args = list(object = quote(object$fit), newdata = quote(new_data), type = ours)
  )
}

assert_model_probabilities <- function(new_data, object) {
  if (!has_probabilities(object$fit)) {
    abort_input(sprintf(paste(
      "`type` is \"prob\", but the %s loss of this model estimates no probability; use",
      "type = \"raw\" for decision values, or set_engine() without calibrate = \"none\"."
    ), loss_name(object$fit)), "type")
  }
  new_data
}

# A column for every level of the outcome; one without training rows has no probability.
probability_columns <- function(result, object) {
  all_levels <- matrix(0, nrow(result), length(object$lvl), dimnames = list(NULL, object$lvl))
  all_levels[, colnames(result)] <- result
  as.data.frame(all_levels, optional = TRUE)
}
