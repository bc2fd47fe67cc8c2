#' Certificate and convergence of a fit
#'
#' A *certificate* is a pair of numbers computed from the definitions at the point that was
#' returned: `value`, the objective there, and `bound`, which the optimum cannot cross. Whatever the
#' solver did, the optimum lies between the two, so their difference, the *gap*, bounds the
#' *suboptimality* of the fit: the optimisation error of the penalised training objective. It says
#' nothing about predictive error, which is judged on rows that were not fitted; see [margin_cv()].
#'
#' For kind `"duality gap"` the value is the primal objective and the bound the dual objective at a
#' feasible dual point,
#' \deqn{\mathrm{bound} = D(a) \le P^\star \le P(w, b) = \mathrm{value}, \qquad
#'   \mathrm{relative\ gap} = \frac{\mathrm{value} - \mathrm{bound}}
#'   {\max(|\mathrm{value}|, |\mathrm{bound}|, 10^{-10} P(0, b_0))}}{
#'   bound = D(a) <= P* <= P(w, b) = value,
#'   relative gap = (value - bound) / max(|value|, |bound|, 1e-10 P(0, b0)),}
#' and the fit is *certified* when the relative gap is at most `tol`. \eqn{b_0}{b0} is the best
#' intercept of the null model \eqn{w = 0} where the intercept is free, and 0 elsewhere; the term
#' matters only where the optimum is nearly 0. The problem meant is the one that was solved: with
#' `scale = TRUE` the one on the scaled columns, with `center` on centred ones, and for a regression
#' with the Huber loss that of the response divided by its spread (`response_scale`). See
#' [margin_linear()] for \eqn{P} and \eqn{D}.
#'
#' In every kind `gap` is the difference of `value` and `bound`, up to the rounding of these two;
#' a gap smaller than that rounding is kept as it was summed. What is *printed* of it is possible:
#' no objective here is negative, so a negative lower bound is printed as 0 (and the gap as the
#' value). The data frames keep what was computed.
#'
#' The gap includes a bound on what the rounding of the summed terms, of the decision values and of
#' the dual sum can have done to it, so that a right certificate never has a negative gap; what that
#' leaves is the rounding floor that `status` speaks of.
#'
#' An *epoch* is the work of one pass over the nonzero entries of the data; second-order solvers
#' report fractions of it.
#'
#' @param fit a fit, or a comparison from [compare_solvers()]; for a path see
#'   [margin_path-methods].
#' @param by `"worst"`: one row, for the class with the largest relative gap (a factor with more
#'   than two levels is fitted one-vs-rest, each problem with its own certificate, unless it
#'   is one multinomial model, see [margin_kernel()]);
#'   `"class"`: a row for every class; `"tau"`: one for every tau of a fit of several quantiles,
#'   with a column `tau` in the place of `class`.
#' @param ... nothing: unknown arguments are errors.
#' @return `certificate()`: a data frame with columns
#'   * `kind`: what the numbers are: `"gradient bound"` or `"confidence bound"` for a fit of
#'     [margin_augmented()], `"margin interval"` for one of [margin_hard()], see there; else
#'     `"duality gap"`, for a kernel fit with landmarks `"duality gap (Nystrom, m landmarks)"`,
#'     which is one of the approximated problem, and for a robust fit without radius and ridge one
#'     that says up to which norm it holds;
#'   * `class`: the level of the one-vs-rest problem, `NA` for two classes, a multinomial model or a
#'     regression;
#'   * `value`, `bound`, `gap`: in the units of the objective (mean loss plus penalty); the gap is
#'     value - bound, for a margin interval bound - value;
#'   * `relative_gap`: without unit;
#'   * `tol`: the tolerance that was asked for;
#'   * `certified`: `relative_gap <= tol`;
#'   * `assumes`: what the bound takes for granted without a check: `""`, or `"positive semidefinite
#'     kernel"` for a kernel that was given and not checked as a whole, see [kernels].
#'
#'   `convergence()`: a data frame with one row for each certificate taken on the way, `class`,
#'   `epoch`, `seconds` (since the start of that class's problem), `value`, `bound` and `gap`. The
#'   value is that of the iterate, even where the fit returns a better one from before, and the gap
#'   is value - bound. The bound is the best so far where the solver keeps one. Those on the way are
#'   estimates where the solver carries decision values or a dual sum along, or samples them; the
#'   last, which ends the fit, is computed anew.
#'
#'   For a comparison both have the column `solver` in front.
#' @references Shalev-Shwartz, S. and Zhang, T. (2013) Stochastic dual coordinate ascent methods for
#'   regularized loss minimization. *Journal of Machine Learning Research* 14, 567--599.
#'   \doi{10.48550/arXiv.1209.1873}
#' @examples
#' fit <- margin_linear(Species ~ ., data = iris)
#' certificate(fit)
#' certificate(fit, by = "class")
#' tail(convergence(fit), 3)
#' @export
certificate <- function(fit, ...) UseMethod("certificate")

#' @rdname certificate
#' @export
certificate.margin_fit <- function(fit, by = c("worst", "class", "tau"), ...) {
  assert_no_extra("certificate()", ...)
  assert_fit(fit, "fit")
  by <- one_of(by, c("worst", "class", "tau"), "by")
  table <- fit$certificate
  if (by == "tau") {
    if (!has_quantiles(fit)) {
      abort_input("`by` is \"tau\", but the fit is not one of several quantiles; use \"class\".",
                  "by")
    }
    return(without_row_names(named_by_tau(fit, table)))
  }
  if (by == "class") {
    return(without_row_names(table))
  }
  worst_certificate(table)
}

#' @rdname certificate
#' @export
convergence <- function(fit, ...) UseMethod("convergence")

#' @rdname certificate
#' @export
convergence.margin_fit <- function(fit, ...) {
  assert_no_extra("convergence()", ...)
  assert_fit(fit, "fit")
  without_row_names(fit$trace)
}

# What has none: R's own words would be of methods.
#' @export
certificate.default <- function(fit, ...) abort_no_fit(fit, "certificate()")

#' @export
convergence.default <- function(fit, ...) abort_no_fit(fit, "convergence()")

abort_no_fit <- function(fit, caller) {
  abort_input(sprintf("`fit` is %s, but %s is asked of a fit, as of margin_linear().",
                      show_value(fit), caller), "fit")
}

# A fit is as good as its worst class: the row with the largest relative gap.
worst_certificate <- function(certificate) {
  without_row_names(certificate[which.max(certificate$relative_gap), , drop = FALSE])
}

without_row_names <- function(frame) {
  rownames(frame) <- NULL
  frame
}
