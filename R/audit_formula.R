# What fits from a formula share (glm, multinom, rlm, rq): rows by their terms, without the column
# of the intercept and without columns that the package left out, whose coefficients are NA.

# x: a data frame, or NULL for the rows that the fit keeps.
refitted_design <- function(fit, x, y, beta, package) {
  if (!is.null(y)) {
    abort_input("`y` is given, but the fit is from a formula: its response is in `x`.", "y")
  }
  if (is.null(fit$terms)) {
    abort_input("`fit` is not from a formula, which is not mapped; fit it from one.", "fit")
  }
  terms <- fit$terms
  free <- attr(terms, "intercept") == 1L
  kept <- setdiff(names(beta)[!is.na(beta)], "(Intercept)")
  spec <- list(terms = terms, xlevels = fit$xlevels, contrasts = fit$contrasts, kept = kept)
  frame <- if (!is.null(x)) formula_frame(spec, x, package) else fit$model
  if (is.null(frame)) {
    abort_input(sprintf(paste("`x` is missing: the fit of %s does not keep its rows; give the data",
                              "frame that it was made from."), package), "x")
  }
  rows <- stats::model.matrix(terms, frame, contrasts.arg = spec$contrasts)
  if (!all(kept %in% colnames(rows))) {
    abort_input("`x` is coded to other columns than those of the fit; give the rows of the fit.",
                "x")
  }
  n <- nrow(rows)
  weights <- if (is.null(fit$prior.weights)) fit$weights else fit$prior.weights
  if (!is.null(weights) && length(weights) != n) abort_other_rows(package)
  offset <- if (is.null(fit$offset)) stats::model.offset(frame) else fit$offset
  if (!is.null(offset) && length(offset) != n) abort_other_rows(package)
  solution <- list(w = as.matrix(unname(beta[kept])), b = if (free) beta[["(Intercept)"]] else 0)
  x <- unname(rows[, kept, drop = FALSE])
  colnames(x) <- kept
  list(spec = spec, x = x, response = stats::model.response(frame), solution = solution,
       weights = if (is.null(weights)) rep(1, n) else as.vector(weights), offset = offset,
       intercept = if (free) "free" else "none",
       z = drop(x %*% solution$w) + solution$b + if (is.null(offset)) 0 else offset)
}

formula_frame <- function(spec, x, package) {
  if (!is.data.frame(x)) {
    abort_input(sprintf("`x` is %s, but must be the data frame that the formula of %s was given.",
                        show_value(x), package), "x")
  }
  evaluate_frame(stats::model.frame(spec$terms, x, xlev = spec$xlevels), "x", "coded")
}

# The offset of new rows: that of the formula, else as it is given.
offset_of_new <- function(design, newx, newoffset) {
  if (is.null(newx) || is.null(design$offset) || !is.null(newoffset)) {
    return(newoffset)
  }
  terms <- stats::delete.response(design$spec$terms)
  found <- stats::model.offset(stats::model.frame(terms, newx, xlev = design$spec$xlevels))
  if (is.null(found)) {
    abort_input("`newoffset` is missing: the fit has one that is not in its formula; give it.",
                "newoffset")
  }
  found
}

# Does a number a row that the fit keeps come out of the rows?
assert_kept <- function(found, stated, package) {
  same <- length(found) == length(stated) &&
    max(abs(unname(found) - unname(stated))) <= 1e-8 * (1 + max(abs(stated)))
  if (!isTRUE(same)) abort_other_rows(package)
}

abort_other_rows <- function(package) {
  abort_input(sprintf(paste(
    "`x` does not have what the fit of %s keeps of its rows: other rows, another order, or columns",
    "that changed since."
  ), package), "x")
}

# Without a penalty; lambda, which nothing is multiplied by, is 1.
free_problem <- function(design, y, loss, weights = design$weights, unit = sum(weights), ...) {
  if (ncol(design$x) > most_free_columns) {
    abort_input(sprintf(paste("`fit` has %d columns without a penalty, which is not mapped:",
                              "at most %d are."), ncol(design$x), most_free_columns), "fit")
  }
  audit_problem(design$x, y, loss, 1, 0, design$intercept, weights, scale = TRUE,
                penalty_factor = rep(0, ncol(design$x)), offset = design$offset, unit = unit, ...)
}

# Rows of weight 0 take no part.
counted_rows <- function(design) {
  use <- design$weights > 0
  for (name in c("x", "response", "weights", "offset", "z")) {
    part <- design[[name]]
    if (!is.null(part)) {
      design[[name]] <- if (is.matrix(part)) part[use, , drop = FALSE] else part[use]
    }
  }
  design
}
