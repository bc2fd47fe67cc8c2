# What is certain about the exact optimum of a fit's problem, from the fit and its rows.

#' What is certain about the exact optimum
#'
#' A certificate bounds how far the *objective* of a fit is from its optimum. `margin_certain()`
#' turns that bound into statements on what a user looks at: intervals that hold the decision
#' values, probabilities and coefficients of the **exact optimum**, and the classes and signs that
#' no further optimisation can change.
#'
#' Everything here is about the optimum of the stated problem on the rows of the fit. "Decided"
#' means that the exact optimum predicts this class, not that the class is right; the intervals are
#' numerical and no confidence intervals. They say nothing about the population the rows were drawn
#' from: that is what [margin_cv()] and bootstraps are for. Scales of columns (`scale = TRUE`), the
#' unit of a response and a calibration are taken as they are in the fit.
#'
#' Let \eqn{\mu = \lambda (1 - \mathrm{mixture})}{mu = lambda (1 - mixture)}, \eqn{(w, b)} the
#' coefficients of the fit on its scaled columns, \eqn{a} its dual variables,
#' \eqn{u = \frac1W \sum_i \omega_i a_i x_i}{u = (1/W) sum_i omega_i a_i x_i},
#' \eqn{w(a) = S(-u, \lambda\, \mathrm{mixture})/\mu}{w(a) = S(-u, lambda mixture)/mu} with the
#' soft threshold \eqn{S}, and `gap` the duality gap of the two, recomputed with its rounding.
#'
#' * *Ball.* \eqn{|w^\star - m|^2 \le \mathrm{gap}/\mu - |w - w(a)|^2/4}{|w* - m|^2 <= gap/mu -
#'   |w - w(a)|^2/4} with \eqn{m = (w + w(a))/2}, so the optimal decision value of a row lies in
#'   \eqn{x^\top m \pm r |x|}{x'm +- r |x|} where the intercept is penalised or absent.
#' * *Free intercept.* It has no strong convexity of its own: its range follows from
#'   \eqn{\sum_i \omega_i \phi'(z_i) = 0}{sum_i omega_i phi'(z_i) = 0}, monotone in it, over all
#'   \eqn{w} of the ball. It holds every optimal intercept, should there be several.
#'   For a ridge also by a dual point of the problem tilted by the score of the row, which bounds
#'   that score alone.
#' * *Curvature* (logistic and squared loss, up to 2,000 columns). With the Hessian \eqn{H} and
#'   gradient \eqn{G} of the objective at the fit, \eqn{\nu = |G|_{H^{-1}}}{nu = |G|_{H^-1}} and
#'   \eqn{R = \max_i |(x_i, 1)|_{H^{-1}}}{R = max_i |(x_i, 1)|_H^-1}, the optimal decision value is
#'   within \eqn{|(x, 1)|_{H^{-1}}\, \nu\, \psi(\nu R)}{|(x, 1)|_H^-1 nu psi(nu R)} of the fit's,
#'   \eqn{\psi(s) = -\log(1 - s)/s}{psi(s) = -log(1 - s)/s} (1 for the squared loss).
#' * *Slopes with pieces* (squared and smooth hinge, Huber's and the squared epsilon-insensitive
#'   loss, up to 500 columns). With \eqn{c_i} the least slope of \eqn{\phi'}{phi'} over all scores
#'   that the above leave to row i, and \eqn{H} the Hessian with these for \eqn{\phi''}{phi''}, the
#'   optimal decision value is within \eqn{|(x, 1)|_{H^{-1}} |G|_{H^{-1}}}{|(x, 1)|_H^-1 |G|_H^-1}
#'   of the fit's. It narrows what rounding leaves of the ball where no row can cross a kink.
#' * *Zeros* (mixture > 0, smooth losses): \eqn{w^\star_j = 0}{w*_j = 0} where
#'   \eqn{|u_j| + (2\,\mathrm{gap}/\gamma)^{1/2} |x_{\cdot j}| < \lambda\, \mathrm{mixture}}{
#'   |u_j| + sqrt(2 gap/gamma) |x_.j| < lambda mixture}.
#'
#' * *Kernels* ([margin_kernel()]): the same ball in function space, where \eqn{r |x|} becomes
#'   \eqn{(\mathrm{gap}/\lambda)^{1/2} k(x, x)^{1/2}}{(gap/lambda)^(1/2) k(x, x)^(1/2)}, and of a
#'   free intercept the range and the tilted problem.
#' * *Robust fits* ([margin_robust()], ridge c > 0): \eqn{|w^\star - m|^2 \le \mathrm{gap}/c -
#'   |w - w(a)|^2/4}{|w* - m|^2 <= gap/c - |w - w(a)|^2/4} with the \eqn{w(a)} of the multipliers,
#'   and the range of a free intercept over all norm bounds that the
#'   certificate leaves open.
#' * *Perturbed rows* ([margin_augmented()]): the same ball with \eqn{F(w) - F^\star}{F(w) - F*} for
#'   the gap. Where that limit is one of confidence, so is all that follows: with 95 % all
#'   intervals of a class problem hold at once, see `level`.
#' * *Hard margins* ([margin_hard()], margin interval from lo to hi, \eqn{p = \sum_i q_i y_i x_i}{p
#'   = sum_i q_i y_i x_i} with the dual variables q): \eqn{|w^\star - m|^2 \le 1 + |m|^2 - 2
#'   (lo/hi)^{1/2}}{|w* - m|^2 <= 1 + |m|^2 - 2 (lo/hi)^(1/2)}, \eqn{m = (w + p/hi)/2}{m = (w +
#'   p/hi)/2}.
#'
#' * *One problem of k classes* (`multiclass = "softmax"` or `"crammer_singer"`):
#'   \eqn{\sum_c |w_c^\star - m_c|^2 \le r^2}{sum_c |w*_c - m_c|^2 <= r^2} with the \eqn{r} of the
#'   ball, so the scores of two classes differ by those of \eqn{m} up to \eqn{2^{1/2} r |x|}{2^(1/2)
#'   r |x|}; for the softmax loss (up to 1,000 coefficients) also the curvature, with the joint
#'   Hessian and \eqn{R = \max_i \max_{c,d} |(e_c - e_d) \otimes (x_i, 1)|_{H^{-1}}}{R = max_i
#'   max_cd |(e_c - e_d) (x) (x_i, 1)|_H^-1}, which takes free intercepts too. With an l1 part
#'   \eqn{G} has that subgradient of it which leaves least.
#'
#' Of these the tightest is reported. All of them hold for any fit, certified or not: a loose fit
#' gives wide intervals, as the root of its gap. Where they leave a class open,
#' `predict(certain, newdata, data = )` solves the problem further until it is decided.
#'
#' @param fit A fit of [margin_linear()] with `mixture` below 1 (not of Crammer and Singer's loss
#'   with free intercepts), of [margin_kernel()] with a kernel
#'   by formula, all rows and hard labels (no `nystrom`, `mixup` or multinomial model), of
#'   [margin_robust()] with a positive `ridge`, of [margin_augmented()], or of [margin_hard()]
#'   with a positive margin between two classes, without a kernel.
#' @param data,y The rows and labels it was fitted to, as they were given, in their order: a fit
#'   does not keep its rows. For a fit from a formula `data` is the data frame and `y` is left out,
#'   for one of rows in a file `data` is what [read_rows()] returned.
#' @param ... Nothing: unknown arguments are errors.
#' @section Rows in a file:
#' The rows of a linear fit may be in a file, all of it: they are read in ten to thirty passes, and
#' what is found is what the same rows in memory give. One thing is left out: with a free intercept,
#' rows whose class is open are looked at a second time in memory, which is a pass each.
#' Ask for it, and for refits, with `predict(certain, newdata, data = rows)`, for the rows that
#' matter.
#' @return An object of class `"margin_certain"`, which holds no rows:
#'   [predict()][predict.margin_certain] it for new rows; [coef()] and [tidy()][tidy.margin_certain]
#'   for the coefficients. A list with `fit`, `problems` (for each class problem the ball, the range
#'   of a free intercept, the Hessian's factor), `level` (1: proven; less: the confidence with which
#'   all statements hold at once) and `training` (what `predict()` gives for the rows of the fit).
#' @section Errors:
#' Another kind of fit, and rows or labels that are not those of the fit, are errors of class
#' `dualmargin_input_error`. So is a lasso (`mixture = 1`), whose optimum need not be unique: the
#' message says what is certain nonetheless, `mixture = 0.99` has intervals.
#' @references
#' Ndiaye E, Fercoq O, Gramfort A, Salmon J (2017). Gap safe screening rules for sparsity enforcing
#' penalties. *Journal of Machine Learning Research* 18(128), 1-33. arXiv:1611.05780.
#'
#' Shibagaki A, Karasuyama M, Hatano K, Takeuchi I (2016). Simultaneous safe screening of features
#' and samples in doubly sparse modeling. *Proceedings of the 33rd ICML*. arXiv:1602.02485.
#'
#' Bach F (2010). Self-concordant analysis for logistic regression. *Electronic Journal of
#' Statistics* 4, 384-414. \doi{10.1214/09-EJS521}.
#' @seealso [predict.margin_certain()], [margin_loo()] for what the fit would be without a row,
#'   [margin_sensitivity()] and [margin_flips()] for other changes of the rows,
#'   `vignette("decisions")`.
#' @examples
#' train <- seq(1, nrow(spambase), by = 2)
#' test <- spambase[-train, ]
#' fit <- margin_linear(type ~ ., data = spambase[train, ], lambda = 0.01)
#' certain <- margin_certain(fit, spambase[train, ])
#' certain
#' # which e-mails of the test set could change their class if the fit were solved to the end?
#' found <- predict(certain, test)
#' found[!found$decided, ]
#' # signs of coefficients that are no accident of the optimiser
#' table(tidy(certain)$sign, useNA = "ifany")
#' @export
margin_certain <- function(fit, data, y, ...) {
  assert_no_extra("margin_certain()", ...)
  assert_certain_kind(fit, "margin_certain()", all = TRUE)
  if (!missing(data) && is_rows(data)) assert_certain_file(fit, data)
  at <- training_rows(fit, data, y)
  if (is_rows(data)) {
    return(class_model(fit)$certain(fit, data))
  }
  x <- design_newdata(fit, data)$x
  if (length(at) < nrow(x)) x <- x[at, , drop = FALSE]
  if (inherits(fit, "margin_kernel")) {
    return(certain_of_kernel(fit, x))
  }
  if (inherits(fit, "margin_oneclass")) {
    return(certain_of_oneclass(fit, x))
  }
  class_model(fit)$certain(fit, x)
}

certain_of_columns <- function(fit, x) {
  centre <- fit$center
  question <- if (inherits(fit, "margin_augmented")) augmented_question(fit) else
    question_of_fit(fit)
  found <- in_core(certain_cpp(
    in_core_form(x), frame_of_fit(fit, if (!is.null(centre)) unname(centre), question$free),
    question, TRUE, fit$task != "regression"
  ))
  if (identical(question$mu, 0)) abort_lasso(fit, question, found$problems)
  structure(
    list(fit = fit, centre = found$centre, problems = found$problems, level = certain_level(fit),
         version = own_version(), training = in_vectors(found$training)),
    class = "margin_certain"
  )
}

# all: of every family of which the optimum is known, not of linear fits alone.
assert_certain_kind <- function(fit, caller, all = FALSE) {
  if (!inherits(fit, "margin_fit")) {
    abort_input(sprintf("`fit` is %s, but %s is asked of a fit of margin_linear().",
                        show_value(fit), caller), "fit")
  }
  assert_fit(fit, "fit")
  refuse_quantiles(fit, caller)
  loss <- fit$settings$loss
  of <- family_of(fit)
  if (!is.null(loss) && loss$task == "regression" && is.null(of$removals)) {
    abort_input(sprintf(paste(
      "`fit` has the loss \"%s\", for which %s has no bounds yet; of the losses of a regression it",
      "has for \"squared\" and \"huber\"."
    ), loss$name, caller), "fit")
  }
  if (if (all) is.null(of$certain) else !inherits(fit, "margin_linear")) {
    abort_input(sprintf(
      "`fit` is a fit of %s(), for which %s has no bounds yet; it has for margin_linear() and %s.",
      class(fit)[1L], caller, "margin_kernel()"
    ), "fit")
  }
  refuse_offset(fit, caller)
  refuse_column_terms(fit, caller)
  if (all) of$certain(fit, caller)
}

assert_certain_robust <- function(fit, caller) {
  if (fit$settings$ridge == 0) {
    abort_input(paste(
      "`fit` is robust without a ridge, whose optimum need not be unique: no interval holds it;",
      "use a ridge, as in margin_robust(ridge = 1e-3)."
    ), "fit")
  }
  invisible(fit)
}

# The l1 norm alone is not strongly convex: no ball. What its certificate does say.
abort_lasso <- function(fit, question, problems) {
  value <- worst_certificate(fit$certificate)
  zeros <- vapply(problems, function(known) sum(known$zero), 0)
  known <- if (fit$settings$loss$gamma > 0) {
    sprintf("; %s of %s certainly zero", paste(zeros, collapse = ", "),
            count(nrow(question$w), "coefficient"))
  } else {
    ""
  }
  abort_input(sprintf(paste(
    "`fit` is a lasso (mixture = 1), whose optimum need not be unique: it has no interval for",
    "coefficients; use mixture = 0.99. Certain are the optimal value, from %s to %s, the sum of",
    "the absolute scaled coefficients, at most %s%s."
  ), format(max(value$bound, 0), digits = 6), format(value$value, digits = 6),
  format(value$value / question$l1, digits = 4), known), "fit")
}
