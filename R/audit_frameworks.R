# Frameworks that fit by the engine of another package: parsnip, workflows, caret and mlr3. The
# engine's fit is judged on the rows that it saw, at what was asked for beside what its call said:
# an argument that never arrives is then seen in the excess.

#' @rdname margin_audit
#' @export
margin_audit.model_fit <- function(fit, x, y = NULL, newx = NULL, ...) {
  assert_audit_given(missing(x))
  method <- fit$spec$method$fit
  terms <- fit$preproc$terms
  code <- function(rows) {
    if (method$interface == "formula" || is.null(terms)) rows else
      parsnip::.convert_form_to_xy_new(fit$preproc, rows)$x
  }
  if (!is.null(terms)) {
    if (!is.data.frame(x)) {
      abort_input(sprintf("`x` is %s, but must be the data frame that the model was fitted to.", show_value(x)), "x")
    }
    rows <- rows_of_formula(terms, x, y, omit = TRUE)
    x <- rows$x
    y <- rows$y
  } else if (is.null(y) && is.data.frame(x) && length(fit$preproc$y_var) == 1L) {
    y <- x[[fit$preproc$y_var]]
  }
  if (!is.null(fit$preproc$x_var) || method$interface != "formula") assert_audit_given(FALSE, is.null(y))
  data <- if (is.null(fit$preproc$x_var)) x else data.frame(x, `..y` = y, check.names = FALSE)
  values <- Filter(Negate(is_unknown), lapply(fit$spec$args, argument_value))
  # of LiblineaR's logistic regression
  if (is.null(values$cost) && !is.null(values$penalty)) values$cost <- 1 / values$penalty
  asked <- list(cost = values$cost, C = values$cost, svr_eps = values$margin,
                epsilon = values$margin, s = values$penalty, alpha = values$mixture)
  house_audit(fit$fit, data, code, x, y, newx, asked, lapply(method$args, argument_value), ...)
}

#' @rdname margin_audit
#' @usage NULL
#' @export
margin_audit.workflow <- function(fit, x = NULL, y = NULL, newx = NULL, ...) {
  mold <- fit$pre$mold
  if (!is.null(x) || is.null(mold)) {
    abort_input(paste("`x` is given, or the workflow is without its mold; a workflow is judged on",
                      "the rows that it keeps, as its recipe made them: leave `x` out."), "x")
  }
  # parsnip takes the column of the intercept away
  columns <- function(rows) as.data.frame(rows)[setdiff(names(rows), "(Intercept)")]
  rows <- columns(mold$predictors)
  # a formula finds the response there
  model <- fit$fit$fit
  of_formula <- identical(model$spec$method$fit$interface, "formula") && is.null(model$preproc$x_var)
  if (of_formula) rows <- data.frame(mold$outcomes, rows, check.names = FALSE)
  if (!is.null(newx)) newx <- columns(hardhat::forge(newx, mold$blueprint)$predictors)
  margin_audit(model, rows, mold$outcomes[[1L]], newx = newx, ...)
}

#' @rdname margin_audit
#' @usage NULL
#' @export
margin_audit.train <- function(fit, x = NULL, y = NULL, newx = NULL, ...) {
  kept <- fit$trainingData
  if (is.null(x)) {
    if (is.null(kept)) {
      abort_input("`x` is missing: the fit of caret does not keep its rows; give them.", "x")
    }
    assert_rows_of_caret(fit)
    x <- kept[setdiff(names(kept), c(".outcome", ".weights"))]
    y <- kept$.outcome
  }
  terms <- fit$terms
  code <- function(rows) {
    if (!is.null(terms)) {
      frame <- stats::model.frame(stats::delete.response(terms), rows, xlev = fit$xlevels,
                                  na.action = stats::na.pass)
      rows <- stats::model.matrix(stats::delete.response(terms), frame, fit$contrasts)
      rows <- as.data.frame(rows[, colnames(rows) != "(Intercept)", drop = FALSE])
    }
    if (is.null(fit$preProcess)) rows else stats::predict(fit$preProcess, rows)
  }
  omits <- deparse1(fit$call$na.action) %in% c("na.omit", "stats::na.omit", "na.exclude")
  rows <- rows_of_formula(terms, x, y, omits)
  x <- rows$x
  y <- rows$y
  tuned <- as.list(fit$bestTune)
  asked <- list(cost = tuned$cost, C = tuned$C, s = tuned$lambda, alpha = tuned$alpha)
  # as caret writes it for LiblineaR: of the second class
  if (!is.null(tuned$weight)) tuned$wi <- stats::setNames(c(1, tuned$weight), levels(y))
  called <- utils::modifyList(as.list(fit$dots), tuned)
  data <- data.frame(code(x), .outcome = y, check.names = FALSE)
  house_audit(fit$finalModel, data, code, x, y, newx, asked, called, ...)
}

# The response of a formula, and no row where one of its variables is missing.
rows_of_formula <- function(terms, x, y, omit) {
  if (is.null(y) && !is.null(terms)) {
    y <- evaluate_frame(eval(response_call(terms), x, environment(terms)), "x", "evaluated")
  }
  if (omit) {
    seen <- if (is.null(terms)) x else
      stats::model.frame(stats::delete.response(terms), x, na.action = stats::na.pass)
    complete <- stats::complete.cases(seen, y)
    x <- x[complete, , drop = FALSE]
    y <- y[complete]
  }
  list(x = x, y = y)
}

# Those that caret keeps are not those of its engine where some were left out or drawn again.
assert_rows_of_caret <- function(fit) {
  own <- c("subset" = !is.null(fit$call$subset), "sampling" = !is.null(fit$control$sampling))
  if (any(own)) {
    abort_input(sprintf(
      "`x` is missing: the fit of caret has `%s`, and its rows are not those that it keeps; give them.",
      names(own)[own][1L]
    ), "x")
  }
}

#' @rdname margin_audit
#' @usage NULL
#' @export
margin_audit.Learner <- function(fit, x, y = NULL, ...) {
  assert_audit_given(missing(x))
  if (!inherits(x, "Task")) {
    abort_input("`x` must be the task that the learner of mlr3 was trained on, its rows alone.",
                "x")
  }
  if (!is.null(y)) abort_input("`y` is given, but a task has its response; leave `y` out.", "y")
  data <- as.data.frame(x$data())
  # what it was trained with; which point of a path is predicted may have changed since
  values <- fit$state$param_vals
  if (is.null(values)) values <- fit$param_set$values
  values$s <- fit$param_set$values$s
  house_audit(fit$model, data, identity, data[x$feature_names], x$truth(), NULL,
              values, values, ...)
}

# A quosure, or a value; NULL where nothing was given. A variable may have another value by now.
argument_value <- function(given) {
  if (inherits(given, "quosure")) given <- unclass(given)[[2L]]
  if (!is_constant(given)) structure(list(), class = "unknown_value") else
    if (is.language(given)) eval(given, asNamespace("dualmargin")) else given
}
is_unknown <- function(value) inherits(value, "unknown_value")

# data: rows and response, for an engine of a formula; code(): rows as any other engine gets them.
# asked, called: values by the names that engines have for them.
house_audit <- function(engine, data, code, x, y, newx, asked, called, ...) {
  terms <- if (isS4(engine)) engine@terms else engine$terms
  of_formula <- !is.null(terms) && attr(terms, "response") > 0L
  as_rows <- function(rows) {
    if (of_formula) rows else if (is.null(terms)) as.matrix(code(rows)) else code(rows)
  }
  rows <- if (of_formula) list(data) else list(as_rows(x), y)
  if (!is.null(newx)) rows$newx <- as_rows(newx)
  kept <- engine_values(engine, called, asked, ...names())
  wanted <- utils::modifyList(kept, Filter(Negate(is.null), asked[names(kept)]))
  judge <- function(values) {
    told <- engine_at(engine, values)
    do.call(margin_audit, c(list(told$fit), rows, utils::modifyList(told$arguments, list(...))))
  }
  if (isTRUE(all.equal(kept, wanted))) {
    return(judge(kept))
  }
  shown <- function(value) toString(format(value))
  words <- function(values) paste(names(values), "=", vapply(values, shown, ""), collapse = ", ")
  audits <- list(judge(kept), judge(wanted))
  names(audits) <- c(paste("called with", words(kept)), paste("asked for", words(wanted)))
  new_audits(audits)
}

# What the engine solved with: from its fit where it says so, else from its call, or its defaults.
engine_values <- function(engine, called, asked, told = NULL) {
  known <- function(name, default) {
    value <- called[[name]]
    if (is_unknown(value) && !name %in% told) {
      abort_input(sprintf(
        "`%s` is missing: the model has it by a variable, which may have another value now; give it.", name
      ), name)
    }
    if (is.null(value) || is_unknown(value)) default else value
  }
  if (inherits(engine, "LiblineaR")) {
    return(c(list(cost = known("cost", 1)),
             if (engine$Type >= 11) list(svr_eps = known("svr_eps", 0.1)),
             if (!is.null(known("wi", NULL))) list(wi = called$wi)))
  }
  if (inherits(engine, "glmnet")) {
    # the point of the path that is predicted from
    return(c(if (!is.null(asked$s)) asked["s"], list(alpha = known("alpha", 1))))
  }
  if (inherits(engine, "ksvm")) {
    return(engine@param[intersect(c("C", "epsilon"), names(engine@param))])
  }
  if (inherits(engine, "svm")) engine["cost"] else list()
}

engine_at <- function(engine, values) {
  if (inherits(engine, c("LiblineaR", "glmnet"))) {
    return(list(fit = engine, arguments = values))
  }
  if (isS4(engine)) engine@param[names(values)] <- values else engine[names(values)] <- values
  list(fit = engine, arguments = list())
}
