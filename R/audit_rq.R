# Fits of rq(method = "lasso") of quantreg: the sum of quantile losses plus lambda_j |b_j| / 2. The
# penalty is rows of zeros below, of tau 1/2, which rq.fit.lasso() states by 0.5 in its right side.

#' @rdname margin_audit
#' @export
margin_audit.lassorq <- function(fit, x = NULL, y = NULL, newx = NULL, newy = NULL, tol = 1e-6,
                                 control = margin_control(), ...) {
  assert_no_extra("margin_audit()", ...)
  if (!is.null(fit$weights)) {
    abort_input(paste("`fit` has weights, which rq() does not hand to method \"lasso\", nor tau",
                      "beside them: the problem it solved is not the one that was asked for; fit it",
                      "without weights."), "fit")
  }
  if (!is.null(attr(fit$terms, "offset"))) {
    abort_input(paste("`fit` has an offset in its formula, which rq() leaves out; take it off the",
                      "response."), "fit")
  }
  design <- refitted_design(fit, x, y, stats::coef(fit), "rq()")
  run_audit(rq_mapping(fit, design), newx, newy, tol, control)
}

rq_mapping <- function(fit, design) {
  response <- as.double(design$response)
  assert_kept(response - design$z, fit$residuals, "rq()")
  lambda <- stats::setNames(as.double(fit$lambda), names(stats::coef(fit)))
  slopes <- lambda[design$spec$kept]
  if (design$intercept == "free" && lambda[["(Intercept)"]] != 0 || any(slopes <= 0)) {
    abort_input(paste("`fit` penalises its intercept, or has a column without a penalty (`lambda`",
                      "0, the first one where there is no intercept), which is not mapped."), "fit")
  }
  n <- length(response)
  problem <- audit_problem(design$x, response, loss_quantile(fit$tau), mean(slopes) / 2 / n, 1,
                           design$intercept, unit = n,
                           penalty_factor = if (any(slopes != slopes[1L])) slopes / mean(slopes))
  new_mapping("quantreg", sprintf("rq lasso, tau %s, lambda %s", format(fit$tau),
                                  format(mean(slopes), digits = 4)),
              list(problem), list(design$solution), response, x = design$x, columns = design$spec,
              remedy = "give a smaller `eps`, or a `beta` nearer to 1")
}

#' @rdname margin_audit
#' @usage NULL
#' @export
margin_audit.rq <- function(fit, x, y, ...) {
  abort_input(sprintf(paste(
    "`fit` is a %s of quantreg by method \"%s\": of its problems only the lasso of one tau is",
    "mapped, since columns without a penalty need a smooth loss here, and other penalties are not convex."
  ), class(fit)[1L], toString(fit$method)), "fit")
}

#' @rdname margin_audit
#' @usage NULL
#' @export
margin_audit.rqs <- margin_audit.rq
