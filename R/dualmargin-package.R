#' dualmargin: margin classifiers with certified optimality
#'
#' Linear classifiers and regressions whose every fit carries a certificate: numbers recomputed from
#' the definitions at the returned point that bound how far it is from the true optimum.
#'
#' Start with [margin_linear()] and `vignette("dualmargin")`.
#'
#' @section Terms:
#' * **score**: \eqn{z = w'x + b}; its sign is the predicted class.
#' * **margin**: \eqn{m = y z} for a label \eqn{y} of -1 or +1; positive where the class is right.
#' * **loss**: what a margin costs, see [losses].
#' * **gap**: the objective at the returned point minus a lower bound on the optimum.
#' * **certificate**: value, bound and gap; a fit is *certified* when the relative gap is at most its
#'   tolerance, see [certificate()].
#' * **epoch**: the work of one pass over the nonzero entries of the data.
#'
#' @section Map of the repository:
#' `R/margin_linear.R` is the door of the linear family; `R/design.R` turns what the user has into
#' rows, `R/registry.R` says what exists, `R/fit.R` makes the one call into C++, `R/methods.R` and its
#' neighbours read the result. In `src/`, `core`, `data`, `loss` and `penalty` are the ground floor,
#' `linear` holds the problem and one algorithm a file, `dispatch.h` turns names into types, and
#' `border.h` is the only header that knows R.
#'
#' @section Prior art:
#' To our knowledge the first R package whose linear classifiers return a duality gap. Solvers that
#' stop on a gap exist elsewhere, among them bmrm (R, bundle method), and cyanure and celer (Python).
#'
#' @importFrom Rcpp evalCpp
#' @importFrom cli cli_progress_bar
#' @importFrom methods as is
#' @importFrom stats predict coef fitted formula nobs residuals update weights
#' @importFrom Matrix Matrix
#' @useDynLib dualmargin, .registration = TRUE
"_PACKAGE"
