# Learners of mlr3 over the families. Its dictionary is told of them when it is loaded, whichever is
# loaded first; the classes inherit from its own, so they are made only then.

#' Learners for mlr3
#'
#' With packages dualmargin and mlr3 loaded, in either order, `mlr3::lrn()` makes learners of the
#' families, as `lrn("classif.margin_linear", lambda = 0.01)`: the fit is that of the family's
#' function with these arguments, with its [certificate()], and stands in `learner$model`.
#'
#' | key | fit |
#' |---|---|
#' | `classif.margin_linear`, `regr.margin_linear` | [margin_linear()] |
#' | `classif.margin_kernel`, `regr.margin_kernel` | [margin_kernel()] |
#' | `classif.margin_augmented`, `regr.margin_augmented` | [margin_augmented()] |
#' | `classif.margin_robust` | [margin_robust()] |
#' | `classif.margin_hard` | [margin_hard()] |
#'
#' *Parameters* are the arguments of the function, and `sigma`, the width of a kernel, and `rate`,
#' that of a perturbation, which can be tuned as numbers: beside them `kernel` or `perturbation` is
#' the function that makes one, [kernel_rbf] and [perturb_dropout] unless given. Columns are scaled
#' by the fit, by the training rows.
#'
#' *Classes.* Of two the positive class of the task is the one that a positive decision value speaks
#' for, as the second level of a response is elsewhere in this package. The losses without
#' probabilities are calibrated by [margin_calibrate()] where `predict_type` is `"prob"` as the
#' learner is trained, by Platt's method or by what `calibrate` says (`"none"`: asking for a
#' probability is an error). Classes stay those of the decision values.
#'
#' *Quantiles.* `predict_type = "quantiles"` of `regr.margin_linear` is one fit with
#' [loss_quantile()] at the `quantiles` of the learner.
#'
#' Weights of the task are those of the rows. The linear family takes a column of role `"offset"`,
#' of two classes on the scale of the log-odds of the positive class. `importance()` is that of
#' [importance()], summed over the columns of a factor; it needs `scale = TRUE`.
#' `selected_features()` are those with a coefficient other than 0. mlr3 keeps its rows dense; give
#' sparse rows to the functions themselves.
#'
#' @section Errors:
#' Of class `dualmargin_input_error`, as those of the functions; and where a learner is asked for
#' importance before it is trained, or is given a `loss` beside `predict_type = "quantiles"`.
#' @references
#' Lang M and others (2019). mlr3: a modern object-oriented machine learning framework in R.
#' *Journal of Open Source Software* 4(44), 1903. \doi{10.21105/joss.01903}.
#' @seealso `vignette("frameworks")`; [engines] for parsnip.
#' @examples
#' if (requireNamespace("mlr3", quietly = TRUE)) {
#'   learner <- mlr3::lrn("classif.margin_linear", lambda = 0.01, predict_type = "prob")
#'   task <- mlr3::as_task_classif(spambase[seq(1, 4601, by = 20), ], target = "type")
#'   learner$train(task)
#'   print(certificate(learner$model))
#'   learner$predict_newdata(spambase[seq(2, 4601, by = 20), ])
#' }
#' @name mlr_learners
#' @aliases mlr3
NULL

# By key: the family and the kind of task. One class has no labels, and mlr3 itself no such task.
mlr3_learners <- function() {
  kinds <- c(classification = "classif", regression = "regr")
  found <- list()
  for (family in names(Filter(function(of) of$labelled, families()))) {
    for (kind in kinds[families()[[family]]$tasks]) {
      found[[sprintf("%s.margin_%s", kind, family)]] <- list(family = family, kind = kind)
    }
  }
  found
}

register_mlr3 <- function() {
  dictionary <- getExportedValue("mlr3", "mlr_learners")
  learners <- mlr3_learners()
  for (key in names(learners)) {
    class <- do.call(mlr3_class, learners[[key]])
    dictionary$add(key, class)
  }
}

mlr3_class <- function(family, kind) {
  # R6 puts its own in the place of these
  self <- super <- private <- NULL
  title <- function(text) paste0(toupper(substring(text, 1L, 1L)), substring(text, 2L))
  R6::R6Class(
    sprintf("Learner%sMargin%s", title(kind), title(family)),
    inherit = getExportedValue("mlr3", paste0("Learner", title(kind))),
    public = c(
      list(initialize = function() do.call(super$initialize, mlr3_description(family, kind))),
      list(
        importance = function() mlr3_importance(self$model),
        selected_features = function() mlr3_selected(self$model)
      )[intersect(c("importance", "selected_features"), mlr3_properties(family, kind))]
    ),
    private = list(
      .train = function(task) mlr3_train(self, family, task, private$.get_weights(task)),
      .predict = function(task) mlr3_predict(self, task)
    )
  )
}

mlr3_properties <- function(family, kind) {
  columns <- family != "kernel"
  properties <- c(
    "weights", if (kind == "classif") c("twoclass", "multiclass"),
    # a hard margin does not scale its columns unless it is told to
    if (columns && family != "hard") "importance", if (columns) "selected_features",
    if (families()[[family]]$offset) "offset"
  )
  # of those that this version of mlr3 knows
  intersect(properties, getExportedValue("mlr3", "mlr_reflections")$learner_properties[[kind]])
}

mlr3_description <- function(family, kind) {
  list(
    id = sprintf("%s.margin_%s", kind, family), packages = "dualmargin",
    param_set = do.call(getExportedValue("paradox", "ps"), mlr3_parameters(family, kind)),
    feature_types = c("logical", "integer", "numeric", "character", "factor", "ordered"),
    predict_types = c("response", if (kind == "classif") "prob",
                      if (has_quantile_type(family, kind)) "quantiles"),
    properties = mlr3_properties(family, kind), man = "dualmargin::mlr_learners",
    label = sprintf("Margin model with certificate: margin_%s()", family)
  )
}

has_quantile_type <- function(family, kind) {
  types <- getExportedValue("mlr3", "mlr_reflections")$learner_predict_types[[kind]]
  family == "linear" && "quantiles" %in% names(types)
}

# What a task has of its own, or is no argument of a fit here.
mlr3_taken <- c("x", "y", "weights", "offset", "...")

# The arguments of the family's function with their defaults, as domains of paradox.
mlr3_parameters <- function(family, kind) {
  domain <- function(type, ...) {
    getExportedValue("paradox", paste0("p_", type))(..., tags = "train")
  }
  classes_only <- c("class_weights", "multiclass", "mixup")
  formals <- formals(families()[[family]]$of_matrix)
  formals <- formals[setdiff(names(formals), c(mlr3_taken, if (kind == "regr") classes_only))]
  parameters <- lapply(stats::setNames(nm = names(formals)), function(name) {
    given <- formals[[name]]
    # one that is made by a call is in the help
    default <- if (is.null(given)) list(default = NULL) else
      if (is.atomic(given)) list(default = given)
    do.call(domain, c(mlr3_domain(name, is.null(given)), default))
  })
  if (kind == "classif") {
    parameters$calibrate <- domain("fct", levels = calibration_choices)
  }
  for (name in setdiff(grid_columns(family), names(formals))) {
    if (name %in% c("sigma", "rate")) parameters[[name]] <- domain("dbl", lower = 0)
  }
  parameters
}

# What paradox has for an argument: a number within bounds, a name of some, or anything.
mlr3_domain <- function(name, may_be_null) {
  bounds <- list(lambda = c(0, Inf), cost = c(0, Inf), mixture = c(0, 1), radius = c(0, Inf),
                 label_cost = c(0, Inf), ridge = c(0, Inf))
  of <- if (name %in% names(bounds)) {
    list("dbl", lower = bounds[[name]][1L], upper = bounds[[name]][2L])
  } else if (name == "intercept") {
    list("fct", levels = c("free", "penalized", "none"))
  } else if (name == "norm") {
    list("fct", levels = c("l1", "l2", "linf"))
  } else if (name %in% c("scale", "center", "response_scale")) {
    list("lgl")
  } else {
    return(list("uty"))
  }
  c(of, if (may_be_null) list(special_vals = list(NULL)))
}

mlr3_rows <- function(task) as.data.frame(task$data(cols = task$feature_names))

# NULL: the task has none.
mlr3_offset <- function(task) {
  if (!"offset" %in% task$properties) {
    return(NULL)
  }
  columns <- task$offset
  if (length(columns) != 2L) {
    abort_input(sprintf(paste(
      "`task` has %d columns of role \"offset\", but a fit takes one, of a regression or of two",
      "classes; leave the others out."
    ), length(columns) - 1L), "task")
  }
  columns$offset
}

mlr3_train <- function(learner, family, task, weights) {
  arguments <- learner$param_set$get_values(tags = "train")
  calibrate <- arguments$calibrate
  of_grid <- names(arguments) %in% c("sigma", "rate")
  arguments <- complete_arguments(arguments[!of_grid & names(arguments) != "calibrate"],
                                  arguments[of_grid], "among the parameters")
  y <- task$truth()
  if (!is.factor(y)) {
    arguments$loss <- mlr3_loss(learner, arguments$loss)
  } else if (nlevels(y) == 2L) {
    # mlr3 has the positive class first
    y <- factor(y, levels = rev(levels(y)))
  }
  x <- mlr3_rows(task)
  of <- families()[[family]]
  if (of$offset) arguments$offset <- mlr3_offset(task)
  fit <- do.call(of$fit, c(list(x = x, y = y, weights = weights), arguments), quote = TRUE)
  if (is.null(calibrate)) {
    wanted <- is.factor(y) && learner$predict_type == "prob" && !has_probabilities(fit)
    calibrate <- if (wanted) "platt" else "none"
  }
  if (calibrate == "none") fit else margin_calibrate(fit, x, y, method = calibrate)
}

# Numbers are a regression, whatever their values.
mlr3_loss <- function(learner, loss) {
  if (learner$predict_type == "quantiles") {
    if (!is.null(loss)) {
      abort_input(paste(
        "`loss` is given, but predict_type = \"quantiles\" sets it; leave it out, or use",
        "predict_type = \"response\"."
      ), "loss")
    }
    return(loss_quantile(learner$quantiles))
  }
  if (is.null(loss)) "squared" else loss
}

mlr3_predict <- function(learner, task) {
  fit <- learner$model
  x <- mlr3_rows(task)
  ask <- function(type) {
    stats::predict(fit, x, type = type, newoffset = if (has_offset(fit)) mlr3_offset(task))
  }
  if (fit$task == "regression") {
    values <- ask("response")
    return(if (learner$predict_type == "quantiles") mlr3_quantiles(learner, values) else
      list(response = unname(values)))
  }
  classes <- list(response = unname(ask("class")))
  if (learner$predict_type == "prob") {
    classes$prob <- as.matrix(probability_columns(ask("prob"), list(lvl = task$class_names)))
  }
  classes
}

mlr3_quantiles <- function(learner, values) {
  values <- unname(as.matrix(values))
  loss <- learner$model$settings$loss
  taus <- if (identical(loss$name, "quantile")) unlist(loss$parameter, use.names = FALSE)
  if (length(taus) != length(learner$quantiles) || !isTRUE(all.equal(as.vector(taus), as.vector(learner$quantiles)))) {
    abort_input(sprintf(paste(
      "`quantiles` of the learner are %s and the fit has %s; set them before it is trained, with",
      "predict_type = \"quantiles\"."
    ), toString(format(learner$quantiles)), if (length(taus) > 0L) toString(format(taus)) else "none"),
    "quantiles")
  }
  list(quantiles = structure(values, probs = learner$quantiles,
                             response = learner$quantile_response))
}

# The variable of each column of the coded rows of a data frame: dummies stand for their factor.
column_variables <- function(fit) {
  if (is.null(fit$terms)) {
    return(fit$features)
  }
  variables <- attr(fit$terms, "term.labels")
  # a name that is none of R's stands in backticks there
  plain <- gsub("^`|`$", "", variables)
  columns <- vapply(plain, function(name) max(length(fit$xlevels[[name]]) - 1L, 1L), 0L)
  rep(plain, columns)
}

assert_trained <- function(fit) {
  if (is.null(fit)) abort_input("The learner has no model; train it first.", "learner")
}

mlr3_importance <- function(fit) {
  assert_trained(fit)
  table <- importance(fit)$importance
  by_column <- table$importance[match(fit$features, table$variable)]
  sort(rowsum(by_column, column_variables(fit))[, 1L], decreasing = TRUE)
}

mlr3_selected <- function(fit) {
  assert_trained(fit)
  assert_column_coefficients(fit, "selected_features()")
  slopes <- coef_matrix(fit)
  if (has_intercept(fit)) slopes <- slopes[-1L, , drop = FALSE]
  unique(column_variables(fit)[rowSums(slopes != 0) > 0])
}
