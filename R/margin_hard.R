#' Certified maximum-margin classifiers
#'
#' @param x,y,formula,data As for [margin_linear()]; `y` must be classes.
#' @param kernel,intercept,scale,weights,subset,na.action,contrasts,sparse,solver,control,... to do
#' @export
margin_hard <- function(x, ...) {
  UseMethod("margin_hard")
}

#' @rdname margin_hard
#' @export
margin_hard.matrix <- function(x, y, kernel = NULL, intercept = "none", scale = FALSE,
                               weights = NULL, solver = "auto", control = margin_control(), ...) {
  assert_nothing_left(list(...), names(formals()), formula_arguments, "margin_hard()")
  assert_response_given(missing(y))
  settings <- hard_settings(kernel, intercept, scale, solver, control)
  fit_hard(design_xy(x, y, weights, public_call(match.call(), quote(margin_hard))), settings)
}

#' @rdname margin_hard
#' @export
margin_hard.Matrix <- margin_hard.matrix

#' @rdname margin_hard
#' @export
margin_hard.data.frame <- margin_hard.matrix

#' @rdname margin_hard
#' @export
margin_hard.formula <- function(formula, data, kernel = NULL, intercept = "none", scale = FALSE,
                                weights, subset, solver = "auto", control = margin_control(),
                                na.action = getOption("na.action"), contrasts = NULL,
                                sparse = FALSE, ...) {
  assert_nothing_left(list(...), names(formals()), character(), "margin_hard()")
  assert_flag(sparse, "sparse")
  call <- public_call(match.call(), quote(margin_hard))
  frame <- model_frame(call, parent.frame())
  known <- if (missing(data)) character() else names(data)
  design <- design_formula(frame, contrasts, sparse, known, call)
  intercept <- formula_intercept(design, intercept, missing(intercept))
  settings <- hard_settings(kernel, intercept, scale, solver, control)
  fit_hard(design, settings)
}

#' @export
margin_hard.default <- function(x, ...) margin_linear.default(x)
