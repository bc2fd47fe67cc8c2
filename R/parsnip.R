# The functions that parsnip calls to fit; R/parsnip.R makes them known to it.

#' Engines for parsnip
#'
#' Fit, tune and predict by parsnip: once dualmargin is loaded, six of its models have the engine
#' `"dualmargin"`, as in `set_engine(logistic_reg(penalty = 0.01), "dualmargin")`. All take case
#' weights and sparse rows.
#'
#' | model | modes | what is fitted | tuned by (default) | predicts |
#' |---|---|---|---|---|
#' | `svm_linear()` | classification, regression | [margin_linear()], hinge loss | `cost` (1), `margin` (0.1) | class, prob, raw; numeric |
#' | `svm_rbf()` | classification, regression | [margin_kernel()], hinge loss, [kernel_rbf()] | `cost` (1), `rbf_sigma` (of the data), `margin` (0.1) | class, prob, raw; numeric |
#' | `svm_poly()` | classification, regression | [margin_kernel()], hinge loss, [kernel_polynomial()] | `cost` (1), `degree` (2), `scale_factor` (1), `margin` (0.1) | class, prob, raw; numeric |
#' | `logistic_reg()` | classification | [margin_linear()], logistic loss | `penalty` (1/W), `mixture` (0) | class, prob, raw |
#' | `multinom_reg()` | classification | [margin_linear()], softmax | `penalty` (1/W), `mixture` (0) | class, prob, raw |
#' | `linear_reg()` | regression, quantile regression | [margin_linear()], squared loss, or [loss_quantile()] | `penalty` (1/W), `mixture` (0) | numeric, raw; quantile |
#'
#' `rbf_sigma` is the `sigma` of the kernel, `scale_factor` its `scale`, `penalty` is `lambda`. In the
#' mode `"quantile regression"` (of newer versions of parsnip) the levels are the `quantile_levels` of
#' `set_mode()`, and `.pred_quantile` is sorted within a row.
#'
#' `cost` is the \eqn{C} of a support vector machine: with W the sum of the weights and
#' \eqn{\lambda = 1/(W C)}{lambda = 1/(W C)}, the problem has the solutions of
#' \deqn{\min_{w, b}\; \tfrac12 |w|^2 + C \sum_i \omega_i \phi(y_i (w'x_i + b)).}{
#'   min over w, b of 1/2 |w|^2 + C sum_i omega_i phi(y_i (w'x_i + b)).}
#' `penalty` stands beside the *mean* loss, as in package glmnet, and the problem is the same:
#' \deqn{\min_{w, b}\; \frac1W \sum_i \omega_i \phi(w'x_i + b, y_i) + \mathrm{penalty}
#'   \left[\frac{1 - \mathrm{mixture}}{2} |w|_2^2 + \mathrm{mixture}\, |w|_1\right].}{
#'   min over w, b of 1/W sum_i omega_i phi(w'x_i + b, y_i)
#'   + penalty [(1 - mixture)/2 |w|_2^2 + mixture |w|_1].}
#' (For a numeric response glmnet divides the squared norm by the standard deviation of `y`, so
#' there the two agree for a `y` of unit variance, or where `mixture = 1`.) In both the columns are
#' divided by their standard deviation (population formula) for the fit,
#' unless `scale = FALSE`, and the intercept carries no penalty. Columns of `svm_poly()` are centred
#' before, unless they are sparse or `center = FALSE`.
#'
#' In mode `"regression"` the support vector machines have the epsilon-insensitive loss, see
#' [loss_epsilon_insensitive()]: `margin` is its `epsilon`, 0.1 unless given, in units of the robust
#' spread of the response, by which the response is divided for the fit (`response_scale` of
#' [margin_linear()]). A classification has no `margin`, and giving one is an error. Classifiers
#' predict `"class"`, `"raw"` (the decision values) and `"prob"`, so that they can be tuned by
#' `roc_auc`: a loss without probabilities, such as the hinge, is calibrated by [margin_calibrate()]
#' on the training rows, with 5 folds. That takes five more fits; the argument `calibrate` of the
#' engine is the method, `"platt"` or `"isotonic"`, or `"none"`, after which asking for a
#' probability is an error. Classes stay those of the decision values. Case weights are taken by all
#' six, and sparse data stay sparse.
#'
#' `multi_predict(penalty = )` of `logistic_reg()`, `multinom_reg()` and `linear_reg()` predicts at
#' many penalties at once, where `set_engine("dualmargin", path_values = )` has said beforehand
#' which: the fit then carries the path over them and `penalty`, as [margin_path()] makes it.
#' Between them it interpolates, with a message.
#'
#' Any other argument of the fitting function can be given in
#' `parsnip::set_engine("dualmargin", ...)`, for example `control = margin_control(tol = 1e-8)`. The
#' fit itself, with its [certificate()], is what `parsnip::extract_fit_engine()` returns.
#'
#' @section As an expression, in a database:
#' `tidypredict::tidypredict_fit()` of a fit of [margin_linear()], and `orbital::orbital()` of a parsnip
#' model or a workflow with one of its engines, get an expression of the columns that `coef()` names,
#' which dbplyr makes SQL of. With \eqn{z_k = b_k + \sum_j w_{jk} x_j}{z_k = b_k + sum_j w_jk x_j} it is
#' * of a regression \eqn{z}, of several quantiles a list of them;
#' * of two classes by the logistic loss the probability of the second,
#'   \eqn{1/(1 + e^{-z})}{1/(1 + exp(-z))}; of several classes a list with one for each,
#'   \eqn{1/\sum_l e^{z_l - z_k}}{1/sum_l exp(z_l - z_k)} of the softmax, and
#'   \eqn{s_k/\sum_l s_l}{s_k/sum_l s_l} with \eqn{s_k = 1/(1 + e^{-z_k})}{s_k = 1/(1 + exp(-z_k))} of
#'   one-vs-rest;
#' * of another loss the class: the second one where \eqn{z \ge 0}{z >= 0}, the one with the largest
#'   \eqn{z_k}.
#'
#' The columns must be those of the data, as a recipe makes them: one that a formula codes from a factor
#' is an error. Kernels and calibrated machines have no such expression.
#'
#' @section Errors:
#' As for [margin_linear()]; of the same class `dualmargin_input_error` are a `margin`, an argument
#' in `...` that the engine sets itself, and a `y` that the model is not made for.
#' @references
#' Kuhn M, Silge J (2022). *Tidy Modeling with R*. O'Reilly.
#' @seealso `vignette("frameworks")` for parsnip, mlr3, rsample and recipes.
#' @examples
#' # library(dualmargin) alone makes the engine known to parsnip
#' if (requireNamespace("parsnip", quietly = TRUE)) {
#'   train <- seq(1, nrow(spambase), by = 2)
#'   model <- parsnip::set_engine(parsnip::logistic_reg(penalty = 0.01), "dualmargin")
#'   spam <- parsnip::fit(model, type ~ ., data = spambase[train, ])
#'   print(certificate(parsnip::extract_fit_engine(spam)))
#'   predict(spam, spambase[-train, ][1:3, ], type = "prob")
#' }
#' @name engines
NULL

#' Fitting function of the parsnip engines
#'
#' Translates the arguments of parsnip's models, see [engines], and is exported since parsnip calls it
#' by name. Call it through parsnip, or by hand to see what it would fit.
#'
#' @param x A numeric matrix or a sparse Matrix, n rows.
#' @param y The response, length n: classes, for `"linear_reg"` numbers.
#' @param model The name of parsnip's model: `"svm_linear"`, `"svm_rbf"`, `"svm_poly"`,
#'   `"logistic_reg"`, `"multinom_reg"` or `"linear_reg"`.
#' @param ... The arguments of that model and of the engine as [engines] has them, `weights`, and more
#'   arguments of [margin_linear()], for the kernels of [margin_kernel()]. `NULL` is the default of
#'   each.
#' @return A fit, as of [margin_linear()] or [margin_kernel()].
#' @seealso [engines]
#' @examples
#' fit <- dualmargin_engine(as.matrix(spambase[1:57]), spambase$type, model = "svm_linear", cost = 0.1)
#' certificate(fit)
#' @keywords internal
#' @export
dualmargin_engine <- function(x, y, model, ...) {
  if (missing(model)) {
    abort_input("`model` is missing; give the name of parsnip's, as in \"svm_linear\".", "model")
  }
  assert_choice(model, names(parsnip_models()), "model")
  engine <- switch(model, svm_linear = engine_svm_linear, svm_rbf = engine_svm_rbf,
                   svm_poly = engine_svm_poly, logistic_reg = engine_logistic_reg,
                   multinom_reg = engine_multinom_reg, linear_reg = engine_linear_reg)
  fit <- engine(x, y, ...)
  # which a model of parsnip has beside those of the fit
  empty <- setdiff(levels(y), fit$levels)
  if (length(empty) > 0L) fit$empty_levels <- empty
  fit
}

engine_svm_linear <- function(x, y, weights = NULL, cost = NULL, margin = NULL, loss = NULL,
                                  intercept = "free", calibrate = "platt", ...) {
  loss <- machine_loss(y, margin, loss)
  assert_not_set_twice(list(...), c(lambda = "cost"))
  assert_choice(calibrate, calibration_choices, "calibrate")
  fit <- margin_linear(x, y, loss = loss, cost = cost, intercept = intercept, weights = weights,
                       ...)
  with_calibration(fit, x, y, calibrate)
}

calibration_choices <- c("platt", "isotonic", "none")

# A fit that has probabilities of its own keeps them.
with_calibration <- function(fit, x, y, calibrate) {
  if (calibrate == "none" || fit$task == "regression" || has_probabilities(fit)) {
    return(fit)
  }
  tryCatch(margin_calibrate(fit, x, y, method = calibrate),
           dualmargin_input_error = function(condition) {
             abort_input(sprintf(paste(
               "`calibrate` is \"%s\", but these rows cannot be calibrated: %s Give the engine",
               "calibrate = \"none\" to fit without probabilities."
             ), calibrate, conditionMessage(condition)), "calibrate")
           })
}

engine_svm_rbf <- function(x, y, weights = NULL, cost = NULL, rbf_sigma = NULL, margin = NULL,
                               loss = NULL, intercept = "free", calibrate = "platt", ...) {
  loss <- machine_loss(y, margin, loss)
  assert_not_set_twice(list(...), c(lambda = "cost", kernel = "rbf_sigma"))
  assert_choice(calibrate, calibration_choices, "calibrate")
  if (!is.null(rbf_sigma)) {
    assert_number(rbf_sigma, "rbf_sigma", lower = 0, remedy = "leave it out to take the data's own")
  }
  fit <- margin_kernel(x, y, kernel = kernel_rbf(rbf_sigma), loss = loss, cost = cost,
                       intercept = intercept, weights = weights, ...)
  with_calibration(fit, x, y, calibrate)
}

engine_svm_poly <- function(x, y, weights = NULL, cost = NULL, degree = NULL,
                                scale_factor = NULL, margin = NULL, offset = NULL, loss = NULL,
                                intercept = "free", calibrate = "platt", ...) {
  loss <- machine_loss(y, margin, loss)
  assert_not_set_twice(list(...), c(lambda = "cost", kernel = "degree"))
  assert_choice(calibrate, calibration_choices, "calibrate")
  if (!is.null(scale_factor)) {
    assert_number(scale_factor, "scale_factor", lower = 0, remedy = "leave it out to take 1")
  }
  given <- Filter(Negate(is.null), list(degree = degree, scale = scale_factor, offset = offset))
  fit <- margin_kernel(x, y, kernel = do.call(kernel_polynomial, given), loss = loss, cost = cost,
                       intercept = intercept, weights = weights, ...)
  with_calibration(fit, x, y, calibrate)
}

engine_logistic_reg <- function(x, y, weights = NULL, penalty = NULL, mixture = NULL,
                                    intercept = "free", path_values = NULL, ...) {
  assert_not_set_twice(list(...), c(lambda = "penalty", cost = "penalty", loss = NA))
  classes <- if (is.factor(y)) levels(y) else unique(y)
  if (length(classes) > 2L) {
    abort_input(sprintf(paste(
      "`y` has %d classes, but a logistic_reg() is for two; multinom_reg() fits them in one model,",
      "svm_linear() with the engine's argument loss = \"logistic\" one-vs-rest."
    ), length(classes)), "y")
  }
  fit_penalized(x, y, weights, penalty, mixture, path_values, loss = "logistic",
                intercept = intercept, ...)
}

engine_multinom_reg <- function(x, y, weights = NULL, penalty = NULL, mixture = NULL,
                                    intercept = "free", path_values = NULL, ...) {
  assert_not_set_twice(list(...), c(lambda = "penalty", cost = "penalty", loss = NA,
                                    multiclass = NA))
  fit_penalized(x, y, weights, penalty, mixture, path_values, loss = "logistic",
                intercept = intercept, multiclass = "softmax", ...)
}

engine_linear_reg <- function(x, y, weights = NULL, penalty = NULL, mixture = NULL,
                                  loss = "squared", intercept = "free", path_values = NULL,
                                  quantile_levels = NULL, ...) {
  assert_not_set_twice(list(...), c(lambda = "penalty", cost = "penalty"))
  if (!is.null(quantile_levels)) {
    if (!missing(loss)) {
      abort_input(paste(
        "`loss` is given to the engine, but the mode \"quantile regression\" sets it; leave it",
        "out, or use set_mode(\"regression\")."
      ), "loss")
    }
    loss <- loss_quantile(quantile_levels)
  }
  if (!is.numeric(y)) {
    abort_input(sprintf("`y` is %s, but a linear_reg() needs numbers; for classes there are %s.",
                        show_value(y), "logistic_reg() and svm_linear()"), "y")
  }
  fit_penalized(x, y, weights, penalty, mixture, path_values, loss = loss, intercept = intercept,
                ...)
}

# In the words of parsnip, whose users know no `lambda`. A fit with its path is one that parsnip
# predicts from, with one thing more.
fit_penalized <- function(x, y, weights, penalty, mixture, path_values, ...) {
  if (!is.null(penalty)) {
    assert_number(penalty, "penalty", lower = 0, remedy = "a fit without one is not certified")
  }
  mixture <- if (is.null(mixture)) 0 else mixture
  fit <- margin_linear(x, y, lambda = penalty, mixture = mixture, weights = weights, ...)
  if (!is.null(path_values)) {
    assert_values(path_values, "path_values", function(v) v > 0, "positive finite numbers")
    fit$path <- margin_path(x, y, lambda = unique(c(fit$settings$lambda, path_values)),
                            mixture = mixture, weights = weights, ...)
  }
  fit
}

# parsnip::multi_predict() of a model whose fit carries a path: for each row a table of a row for
# each penalty, in the list column .pred.
multi_predict_penalties <- function(object, new_data, type = NULL, penalty = NULL, ...) {
  assert_no_extra("multi_predict()", ...)
  fit <- object$fit
  if (is.null(fit$path)) {
    abort_input(paste(
      "`penalty` is asked of a fit at one penalty; say at which the path is to be made, as in",
      "set_engine(\"dualmargin\", path_values = 10^-(1:4))."
    ), "penalty")
  }
  if (is.null(penalty)) penalty <- fit$path$lambda
  assert_values(penalty, "penalty", function(v) v > 0, "positive finite numbers")
  regression <- fit$task == "regression"
  types <- engine_types(fit$task, columns = TRUE)
  if (is.null(type)) type <- names(types)[match(if (regression) "response" else "class", types)]
  assert_choice(type, names(types), "type")
  tables <- lapply(penalty, function(lambda) {
    penalty_table(fit$path, object, new_data, types[[type]], lambda)
  })
  rows <- lapply(seq_len(nrow(tables[[1L]])), function(i) {
    as_tibble_if_installed(do.call(rbind, lapply(tables, function(table) table[i, , drop = FALSE])))
  })
  table <- data.frame(row.names = seq_along(rows))
  table$.pred <- rows
  as_tibble_if_installed(table)
}

penalty_table <- function(path, object, new_data, type, lambda) {
  # parsnip codes new rows by the blueprint of the model, as it does for predict()
  x <- if (is.null(object$preproc$terms)) new_data else
    parsnip::.convert_form_to_xy_new(object$preproc, new_data)$x
  predicted <- stats::predict(path, x, lambda = lambda, type = type)
  predicted <- if (is.list(predicted)) predicted[[1L]] else predicted
  cbind(penalty = lambda, if (type == "prob") engine_probabilities(predicted, path, object) else
    stats::setNames(data.frame(as_column(predicted)), if (type == "class") ".pred_class" else ".pred"))
}

engine_probabilities <- function(predicted, path, object) {
  prob <- array(as.matrix(predicted), c(length(predicted) / length(path$levels),
                                        length(path$levels)), list(NULL, path$levels))
  all <- probability_columns(prob, object)
  names(all) <- paste0(".pred_", names(all))
  all
}

as_column <- function(values) if (is.matrix(values)) values[, 1L] else unname(values)

# The loss of a machine: numbers are a regression, whatever their values, since parsnip's
# classifications have factors.
machine_loss <- function(y, margin, loss) {
  if (!is.numeric(y) || is.factor(y)) {
    if (!is.null(margin)) {
      abort_input(sprintf(paste(
        "`margin` is %s, but it is the width of the tube of a support vector regression, which",
        "a classification has not; leave it out."
      ), show_value(margin)), "margin")
    }
    return(if (is.null(loss)) "hinge" else loss)
  }
  if (is.null(loss)) {
    if (is.null(margin)) margin <- 0.1
    assert_number(margin, "margin", lower = 0, remedy = "the default is 0.1")
    return(loss_epsilon_insensitive(margin))
  }
  if (!is.null(margin)) {
    abort_input(sprintf(paste(
      "`margin` is %s and `loss` is given to the engine too; give the margin as loss =",
      "loss_epsilon_insensitive(), or leave one of them out."
    ), show_value(margin)), "margin")
  }
  loss
}

# taken: what the engine passes on itself, named by where the user says it (NA: nowhere).
assert_not_set_twice <- function(dots, taken) {
  twice <- intersect(names(dots), names(taken))
  if (length(twice) > 0L) {
    instead <- taken[[twice[1L]]]
    abort_input(sprintf(
      "`%s` is given to the engine, but the model sets it itself; %s.", twice[1L],
      if (is.na(instead)) "leave it out" else sprintf("give the model's `%s` instead", instead)
    ), twice[1L])
  }
}

# What is done when the package is loaded. Parsnip is told of the engine "dualmargin", and mlr3 of
# its learners, but neither is loaded for that: a hook waits for it.

.onLoad <- function(libname, pkgname) {
  session$pid <- Sys.getpid()
  session$made_by_cluster <- any(startsWith(commandArgs(), "MASTER="))
  when_loaded("parsnip", register_parsnip, "The engine \"dualmargin\"")
  when_loaded("mlr3", register_mlr3, "The learners of dualmargin")
  when_loaded("marginaleffects", take_part_in_marginaleffects, "Fits of dualmargin")
  when_loaded("tidypredict", register_tidypredict, "Fits of dualmargin")
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
