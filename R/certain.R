# What is certain about the exact optimum of a fit's problem, from the fit and its rows.

#' What is certain about the exact optimum
#'
#' @description
#' Tells which classes, signs and values would be the same had the optimiser run to the end.
#' A certificate bounds how far the *objective* of a fit is from its optimum; `margin_certain()`
#' turns that bound into statements on what a user looks at: intervals that hold the decision
#' values, probabilities and coefficients of the **exact optimum**, and the classes and signs that
#' no further optimisation can change.
#' ```r
#' certain <- margin_certain(fit, train)
#' predict(certain, test)
#' ```
#'
#' @details
#' Everything here is about the optimum of the stated problem on the rows of the fit. "Decided"
#' means that the exact optimum predicts this class, not that the class is right; the intervals are
#' numerical bounds, not confidence intervals. They say nothing about the population the rows were
#' drawn from: that is what [margin_cv()] and bootstraps are for. Scales of columns
#' (`scale = TRUE`), the unit of a response and a calibration are taken as they are in the fit.
#'
#' The intervals follow from the gap. The objective curves at least as much as its ridge, so a small
#' gap leaves the optimum no room but a ball near the fit,
#' \deqn{|w^\star - m|^2 \le \frac{\mathrm{gap}}{\lambda (1 - \mathrm{mixture})} -
#'   \frac{|w - w(a)|^2}{4}, \qquad m = \frac{w + w(a)}{2},}{|w* - m|^2 <=
#'   gap/(lambda (1 - mixture)) - |w - w(a)|^2/4,  m = (w + w(a))/2,}
#' with the coefficients \eqn{w} of the fit on its scaled columns and those \eqn{w(a)} of its dual
#' variables (Ndiaye and others 2017). The logistic, the squared and other smooth losses have
#' shorter intervals by the curvature of the rows (Bach 2010), a free intercept has a range of its
#' own, and with an l1 part some coefficients of the optimum are certainly zero. Kernel, robust,
#' augmented, hard-margin and multinomial fits have balls of the same kind. Derivation:
#' `vignette("proofs")`.
#'
#' Of these the tightest is reported. All of them hold for any fit, certified or not: a loose fit
#' gives wide intervals, as the root of its gap. Where they leave a class open,
#' `predict(certain, newdata, data = )` solves the problem further until it is decided. For an
#' augmented fit whose certificate is one of confidence, so is all that follows: with 95 % all
#' intervals of a class problem hold at once, see `level`.
#'
#' @param fit A fit of [margin_linear()] with `mixture` below 1 (not of Crammer and Singer's loss
#'   with free intercepts), of [margin_kernel()] with a kernel
#'   by formula, all rows and hard labels (no `nystrom`, `mixup` or multinomial model), of
#'   [margin_robust()] with a positive `ridge`, of [margin_augmented()], or of [margin_hard()]
#'   with a positive margin between two classes, without a kernel.
#' @param data,y The rows and labels it was fitted to, as they were given, in their order: a fit
#'   does not keep its rows. For a fit from a formula `data` is the data frame and `y` is left out,
#'   for one of rows in a file `data` is what [read_rows()] returned.
#' @param compact Leave out the roots of the Hessians, which take `p^2 / 2` numbers of 8 bytes for
#'   `p` columns and each class problem of its own curvature, for one multinomial problem of k
#'   classes `(k p)^2 / 2`? Intervals of new rows then ask for the rows of the fit: `predict(certain,
#'   newdata, data = )`. All else is as without it.
#' @param ... Not used; an unknown argument is an error.
#' @section Rows in a file:
#' The rows of a linear fit may be in a file, all of it: they are read in ten to thirty passes, and
#' what is found is what the same rows in memory give. One thing is left out: with a free intercept,
#' rows whose class is open are looked at a second time in memory, which is a pass each.
#' Ask for it, and for refits, with `predict(certain, newdata, data = rows)`, for the rows that
#' matter.
#' @return An object of class `"margin_certain"`, which holds no rows:
#'   [predict()][predict.margin_certain] it for new rows; [coef()] and [tidy()][tidy.margin_certain]
#'   for the coefficients. A list with `fit`, `problems` (for each class problem the ball, the range
#'   of a free intercept, what the Hessian says of the coefficients), `metrics` (the roots of the
#'   Hessians, each once), `level` (1: proven; less: the confidence with which
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
margin_certain <- function(fit, data, y, compact = FALSE, ...) {
  assert_no_extra("margin_certain()", ...)
  assert_flag(compact, "compact")
  assert_certain_kind(fit, "margin_certain()", all = TRUE)
  if (!missing(data) && is_rows(data)) assert_certain_file(fit, data)
  x <- training_design(fit, data, y, on_disk = TRUE)$x
  if (is_rows(data)) {
    return(with_metrics(certain_of(fit, data), compact))
  }
  if (inherits(fit, "margin_kernel")) {
    return(certain_of_kernel(fit, x))
  }
  if (inherits(fit, "margin_oneclass")) {
    return(certain_of_oneclass(fit, x))
  }
  with_metrics(certain_of(fit, x), compact)
}

# Of columns, or of rows in a file.
certain_of <- function(fit, x) {
  (if (is_joint(fit)) certain_of_joint else if (is_rows(x)) certain_of_file else
    certain_of_columns)(fit, x)
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
  new_certain(fit, found, certain_level(fit))
}

new_certain <- function(fit, found, level = 1, training = in_vectors(found$training)) {
  new_object(list(fit = fit, centre = found$centre, problems = found$problems, joint = found$joint,
                  level = level, training = training), "margin_certain")
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
