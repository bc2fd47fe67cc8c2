# Frameworks that fit by the engine of another package: parsnip, workflows, caret and mlr3. The
# engine's fit is judged on the rows that it saw, at what was asked for beside what its call said:
# an argument that never arrives is then seen in the excess.

#' @rdname margin_audit
#' @export
margin_audit.model_fit <- function(fit, x, y = NULL, newx = NULL, ...) {
  method <- fit$spec$method$fit
  terms <- fit$preproc$terms
  code <- function(rows) {
    if (method$interface == "formula" || is.null(terms)) rows else
      parsnip::.convert_form_to_xy_new(fit$preproc, rows)$x
  }
  if (is.null(y) && !is.null(fit$preproc$y_var)) y <- x[[fit$preproc$y_var]]
  data <- if (is.null(fit$preproc$x_var)) x else data.frame(x, `..y` = y, check.names = FALSE)
  values <- lapply(fit$spec$args, argument_value)
  # of LiblineaR's logistic regression
  if (is.null(values$cost) && !is.null(values$penalty)) values$cost <- 1 / values$penalty
  asked <- list(cost = values$cost, C = values$cost, svr_eps = values$margin,
                epsilon = values$margin, s = values$penalty, alpha = values$mixture)
  house_audit(fit$fit, data, code, x, y, newx, asked, lapply(method$args, argument_value), ...)
}

#' @rdname margin_audit
#' @usage NULL
#' @export
margin_audit.workflow <- function(fit, x = NULL, y = NULL, ...) {
  mold <- fit$pre$mold
  if (!is.null(x) || is.null(mold)) {
    abort_input(paste("`x` is given, or the workflow is without its mold; a workflow is judged on",
                      "the rows that it keeps, as its recipe made them: leave `x` out."), "x")
  }
  margin_audit(fit$fit$fit, mold$predictors, mold$outcomes[[1L]], ...)
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
    x <- kept[names(kept) != ".outcome"]
    y <- kept$.outcome
  }
  terms <- fit$terms
  code <- function(rows) {
    if (!is.null(terms)) {
      frame <- stats::model.frame(stats::delete.response(terms), rows, xlev = fit$xlevels)
      rows <- stats::model.matrix(stats::delete.response(terms), frame, fit$contrasts)
      rows <- as.data.frame(rows[, colnames(rows) != "(Intercept)", drop = FALSE])
    }
    if (is.null(fit$preProcess)) rows else stats::predict(fit$preProcess, rows)
  }
  if (is.null(y)) y <- x[[as.character(terms[[2L]])]]
  tuned <- as.list(fit$bestTune)
  asked <- list(cost = tuned$cost, C = tuned$C, s = tuned$lambda, alpha = tuned$alpha)
  data <- data.frame(code(x), .outcome = y, check.names = FALSE)
  house_audit(fit$finalModel, data, code, x, y, newx, asked, asked, ...)
}

#' @rdname margin_audit
#' @usage NULL
#' @export
margin_audit.Learner <- function(fit, x, y = NULL, ...) {
  if (!inherits(x, "Task")) {
    abort_input("`x` must be the task that the learner of mlr3 was trained on, its rows alone.",
                "x")
  }
  if (!is.null(y)) abort_input("`y` is given, but a task has its response; leave `y` out.", "y")
  data <- as.data.frame(x$data())
  values <- fit$param_set$values
  house_audit(fit$model, data, identity, data[x$feature_names], x$truth(), NULL,
              values, values, ...)
}

# A quosure, or a value; NULL where nothing was given.
argument_value <- function(given) {
  if (inherits(given, "quosure")) {
    given <- eval(unclass(given)[[2L]], attr(given, ".Environment"))
  }
  if (is.language(given)) NULL else given
}

# data: rows and response, for an engine of a formula; code(): rows as any other engine gets them.
# asked, called: values by the names that engines have for them.
house_audit <- function(engine, data, code, x, y, newx, asked, called, ...) {
  of_formula <- !is.null(if (isS4(engine)) engine@terms else engine$terms)
  as_rows <- function(rows) if (of_formula) rows else as.matrix(code(rows))
  rows <- if (of_formula) list(data) else list(as_rows(x), y)
  if (!is.null(newx)) rows$newx <- as_rows(newx)
  kept <- engine_values(engine, called, asked)
  wanted <- utils::modifyList(kept, Filter(Negate(is.null), asked[names(kept)]))
  judge <- function(values) {
    told <- engine_at(engine, values)
    do.call(margin_audit, c(list(told$fit), rows, utils::modifyList(told$arguments, list(...))))
  }
  if (isTRUE(all.equal(kept, wanted))) {
    return(judge(kept))
  }
  words <- function(values) paste(names(values), "=", vapply(values, format, ""), collapse = ", ")
  audits <- list(judge(kept), judge(wanted))
  names(audits) <- c(paste("called with", words(kept)), paste("asked for", words(wanted)))
  new_audits(audits)
}

# What the engine solved with: from its fit where it says so, else from its call, or its defaults.
engine_values <- function(engine, called, asked) {
  known <- function(name, default) if (is.null(called[[name]])) default else called[[name]]
  if (inherits(engine, "LiblineaR")) {
    return(c(list(cost = known("cost", 1)),
             if (engine$Type >= 11) list(svr_eps = known("svr_eps", 0.1))))
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
