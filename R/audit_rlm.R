# Fits of rlm() of MASS: the sum of Huber's rho of residuals over their scale. The scale moves with
# the fit, and the pair minimises nothing: coefficients are judged at the scale at which they ended.

#' @rdname margin_audit
#' @export
margin_audit.rlm <- function(fit, x = NULL, y = NULL, newx = NULL, newy = NULL, newoffset = NULL,
                             tol = 1e-6, control = margin_control(), ...) {
  assert_no_extra("margin_audit()", ...)
  bend <- huber_bend(fit$psi)
  design <- refitted_design(fit, x, y, stats::coef(fit), "rlm()")
  assert_case_weights(fit, design$weights)
  newoffset <- offset_of_new(design, newx, newoffset)
  run_audit(rlm_mapping(fit, design, bend), newx, newy, tol, control, newoffset)
}

rlm_mapping <- function(fit, design, bend) {
  if (!isTRUE(fit$s > 0)) {
    abort_input("`fit` has scale 0: it goes through most of its rows, and has no objective.", "fit")
  }
  response <- as.double(design$response)
  assert_kept(response - design$z, fit$residuals, "rlm()")
  design$response <- response
  design <- counted_rows(design)
  loss <- loss_huber(bend * fit$s, unit = "response")
  problem <- free_problem(design, design$response, loss, unit = sum(design$weights) / fit$s^2)
  new_mapping("MASS", sprintf("rlm, Huber's psi, scale %s", format(fit$s, digits = 4)),
              list(problem), list(design$solution), design$response, x = design$x,
              columns = design$spec, assumes = "the scale is the last one of the fit",
              remedy = "give a smaller `acc` and a larger `maxit`")
}

# k of psi.huber(); other functions, bisquare and Hampel's among them, are of losses not convex.
huber_bend <- function(psi) {
  at <- c(-1e6, -30, -3, -1.5, -1, -0.5, -1e-3, 1e-3, 0.5, 1, 1.3, 1.4, 2, 3, 10, 1e6)
  bend <- formals(psi)$k
  huber <- is.numeric(bend) && length(bend) == 1L && bend > 0 &&
    isTRUE(all.equal(as.numeric(psi(at)), pmin(1, bend / abs(at)), tolerance = 1e-14))
  if (!huber) {
    abort_input(paste("`fit` has another psi than Huber's, or is by method \"MM\", whose objective",
                      "is not convex, which is not mapped; psi.huber is."), "fit")
  }
  bend
}

assert_case_weights <- function(fit, weights) {
  if (all(weights == 1) || identical(fit$call$wt.method, "case")) {
    return(invisible())
  }
  abort_input(paste("`fit` has weights of wt.method \"inv.var\", which multiply residuals within",
                    "the loss, which is not mapped; wt.method = \"case\" is, written out in the call."),
              "fit")
}
