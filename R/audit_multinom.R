# Fits of multinom() of nnet for two classes: the sum of weights times logistic losses, plus decay
# times the sum of all squared coefficients, that of the intercept among them.

#' @rdname margin_audit
#' @export
margin_audit.multinom <- function(fit, x = NULL, y = NULL, newx = NULL, newy = NULL,
                                  newoffset = NULL, tol = 1e-6, control = margin_control(), ...) {
  assert_no_extra("margin_audit()", ...)
  if (length(fit$lev) != 2L) {
    abort_input(paste(
      "`fit` is of more than two classes, or of counts, which is not mapped: decay is on contrasts",
      "with the first class, which no penalty here is, and without decay coefficients of one",
      "problem of all classes have none here."
    ), "fit")
  }
  design <- refitted_design(fit, x, y, multinom_coefficients(fit), "multinom()")
  newoffset <- offset_of_new(design, newx, newoffset)
  run_audit(multinom_mapping(fit, design), newx, newy, tol, control, newoffset)
}

# Those of coef(), whose method is nnet's: behind the weight of the bias, which has no part in it.
multinom_coefficients <- function(fit) {
  stats::setNames(fit$wts[1L + seq_along(fit$vcoefnames)], fit$vcoefnames)
}

multinom_mapping <- function(fit, design) {
  decay <- fit$decay
  penalised <- !identical(as.numeric(decay), 0)
  if (length(decay) != 1L || penalised && !is.null(design$offset)) {
    abort_input(paste("`fit` has a decay for each weight, or one of the offset's coefficient too,",
                      "which is not mapped; give one number for `decay`, and no offset."), "fit")
  }
  y <- match(as.character(design$response), fit$lev)
  value <- sum(design$weights * log1p(exp(-(2 * y - 3) * design$z))) +
    decay * sum(unlist(design$solution)^2)
  assert_kept(stats::plogis(design$z), fit$fitted.values, "multinom()")
  assert_kept(value, fit$value, "multinom()")
  design <- counted_rows(design)
  y <- match(as.character(design$response), fit$lev)
  unit <- sum(design$weights)
  problem <- if (!penalised) free_problem(design, 2 * y - 3, as_loss("logistic"), levels = fit$lev) else
    audit_problem(design$x, 2 * y - 3, as_loss("logistic"), 2 * decay / unit, 0,
                  if (design$intercept == "free") "penalized" else "none", design$weights,
                  levels = fit$lev, unit = unit)
  new_mapping("nnet", sprintf("multinom, decay %s", format(decay)), list(problem),
              list(design$solution), y, x = design$x, columns = design$spec, levels = fit$lev,
              vote = "sign", link = "logistic",
              remedy = "give smaller `reltol` and `abstol`, and a larger `maxit`")
}
