# What the optimum is after a change of the rows: bounds from one fit, and what they leave open.

#' Sensitivity of predictions to changes in the training rows
#'
#' @description
#' Finds out how far decision values can move when rows are removed, relabelled, reweighted or
#' added. The answer is given as intervals that hold the decision values of the **exact optimum of
#' the changed problem**, and the classes that the change cannot touch. What follows from the one
#' fit comes first; a changed problem in which that leaves a class open is solved until it does not.
#' With `groups` each group (patients, clusters, folds) is removed in turn. Which rows, and how
#' many, a prediction hangs on is what [margin_flips()] says.
#' ```r
#' certain <- margin_certain(fit, train)
#' margin_sensitivity(certain, train, newdata = test, remove = c(3, 7))
#' ```
#'
#' @details
#' Let \eqn{\kappa}{kappa} be the penalty beside the *sum* of losses and \eqn{\Delta}{Delta} the sum
#' of what changed, each row times the change of its weight times its dual variable. At an exact fit
#' of a ridge without a free intercept, and with \eqn{\kappa}{kappa} kept, a decision value moves by
#' at most \eqn{(|x||\Delta| + |x^\top \Delta|)/(2 \kappa)}{(|x||Delta| + |x'Delta|)/(2 kappa)}
#' (Hanada and others 2018). Other fits have the ball and the range of the intercept of
#' [margin_certain()] for the changed problem, and the logistic and the squared loss a shorter
#' interval by its curvature. Derivation: `vignette("proofs")`.
#'
#' With `refits` a changed problem is solved. Newton steps lead to the optimum of smooth losses with
#' `mixture = 0`, always, as they cost little more than the bounds (of kernels up to 2,000 rows).
#' Others are refitted from where the fit was, where a class is open, to relative gaps of 1e-6, 1e-9
#' and 1e-12. Regressions are solved until values are known to 1e-8 of their spread, as far as these
#' go. What stays open then is known to rounding alone.
#'
#' Of all bounds the tightest is reported. Columns
#' stay divided by the standard deviations of the rows of the fit (`scale = TRUE`), a response by
#' their spread, and `"balanced"` class weights stay the numbers they are in the fit. Where the
#' change leaves one class and a free intercept, the optimum has no coefficients and any decision
#' value from 1 on (the logistic loss has no optimum: values are infinite).
#'
#' @param certain What [margin_certain()] returned for a fit of [margin_linear()] with `mixture`
#'   below 1, or of [margin_kernel()].
#' @param data,y The rows and labels of the fit, as they were given, in their order: neither the fit
#'   nor `certain` keeps them. For a fit from a formula `data` is the data frame and `y` is left
#'   out.
#' @param newdata Rows to predict, as for [predict.margin_fit()]; without it the rows of the fit.
#' @param remove Rows of `data` that leave: their numbers, or `TRUE` and `FALSE` for each.
#' @param relabel The labels that the rows would have, one for each row of `data`; `NA` where a
#'   label stays.
#' @param weights The weights that the rows would have, one for each row of `data`; a weight of 0
#'   removes a row, 2 is the row twice.
#' @param add Rows that come: for a fit from a formula a data frame with the response, else a list
#'   of `x` (rows as in `data`) and `y`. Weights of theirs are the part `weights` of a list (of
#'   `data` and `weights` for a formula); else they are 1.
#' @param groups A vector with the group of each row of `data`: each is removed in turn, beside the
#'   other changes.
#' @param rule What stays the same: `"cost"`, the penalty beside the sum of losses (the C of support
#'   vector machines), or `"lambda"`, beside their weighted mean.
#' @param refits How many of the changed problems (one, or one for each group) may be solved, those
#'   first in which most is open; 0 bounds them from the fit alone.
#' @param ... Not used; an unknown argument is an error.
#' @return An object of class `"margin_sensitivity"`, a list:
#'   * `rows`: a data frame with a row for each row to predict (and each group, named in `group`):
#'     `row`, its number in `newdata` (or `data`), the columns of [predict.margin_certain()] of the
#'     changed problem (`score` is the fit's; of one problem of all classes values are less that of
#'     the class which the fit predicts; `class` that of the changed optimum where it is
#'     `decided`, else the fit's) and, but for a regression, `flips`: `TRUE` where the change
#'     certainly gives another class than the fit's, `FALSE` where certainly none, `NA` where that
#'     is open;
#'   * `summary`: a data frame with a row (for each group): `removed`, `relabelled`, `reweighted`,
#'     `added` (numbers of rows), `predicted`, `same`, `flipped`, `open` (how many of them have
#'     `flips` `FALSE`, `TRUE`, `NA`; not for a regression), `half_width` (the median half of an
#'     interval), `solved` (was the changed problem solved?).
#'
#'   [as.data.frame()] and [tidy()] give `rows`, [summary()] and [glance()] give `summary`. `plot()`
#'   draws the intervals and their middles against the decision values of the fit, a dot where the
#'   class certainly changes and a circle where that is open; with groups how many predictions each
#'   could touch.
#' @section Errors:
#' Another kind of fit (the message says what is certain nonetheless), rows and labels that are not
#' those of the fit, no change at all, changes that name rows or classes that are not there, and a
#' change that leaves no weight are errors of class `dualmargin_input_error`.
#' @references
#' Hanada H, Shibagaki A, Sakuma J, Takeuchi I (2018). Efficiently monitoring small data
#' modification effect for large-scale learning in changing environment. *Proceedings of the AAAI
#' Conference on Artificial Intelligence* 32(1), 1314-1321. \doi{10.1609/aaai.v32i1.11516}.
#'
#' Okumura S, Suzuki Y, Takeuchi I (2015). Quick sensitivity analysis for incremental data
#' modification and its application to leave-one-out CV in linear classification problems.
#' *Proceedings of the 21th ACM SIGKDD*, 885-894. arXiv:1504.02870.
#' @seealso [margin_flips()], [margin_loo()], `vignette("decisions")`.
#' @examples
#' train <- spambase[seq(1, nrow(spambase), by = 2), ]
#' test <- spambase[seq(2, nrow(spambase), by = 20), ]
#' fit <- margin_linear(type ~ ., data = train, lambda = 0.1)
#' certain <- margin_certain(fit, train)
#' # without the first 20 e-mails, which predictions could be different?
#' changed <- margin_sensitivity(certain, train, newdata = test, remove = 1:20)
#' changed
#' subset(as.data.frame(changed), is.na(flips) | flips)
#' # ten folds, each removed in turn
#' folds <- rep(1:10, length.out = nrow(train))
#' margin_sensitivity(certain, train, newdata = test, groups = folds)
#' # the same of a kernel: which classes would one wrong label touch?
#' few <- train[seq(1, nrow(train), by = 10), ]
#' smooth <- margin_kernel(type ~ ., data = few, lambda = 0.05)
#' labels <- replace(rep(NA, nrow(few)), 1, "nonspam")
#' margin_sensitivity(margin_certain(smooth, few), few, newdata = test, relabel = labels)
#' @export
margin_sensitivity <- function(certain, data, y, newdata, remove = NULL, relabel = NULL,
                               weights = NULL, add = NULL, groups = NULL,
                               rule = c("cost", "lambda"), refits = Inf, ...) {
  assert_no_extra("margin_sensitivity()", ...)
  fit <- fit_of_certain(certain, "margin_sensitivity()", joint = TRUE)
  rule <- one_of(rule, c("cost", "lambda"), "rule")
  assert_refits(refits)
  asked <- list(remove, relabel, weights, add, groups)
  if (all(vapply(asked, is.null, NA))) {
    abort_input(paste(
      "`remove` is NULL, as are `relabel`, `weights`, `add` and `groups`: say what changes. Of the",
      "rows as they are predict(certain, newdata) says what is certain."
    ), "remove")
  }
  design <- training_design(fit, data, y)
  at <- design$rows
  x <- design$x
  given <- NROW(data)
  groups <- loo_groups(groups, at, given)
  change <- list(
    out = removed_rows(remove, given)[at],
    response = relabelled_response(fit, relabel, given, at),
    weights = changed_weights(fit, weights, given, at),
    added = added_rows(fit, add)
  )
  new <- rows_to_predict(fit, newdata, missing(newdata), x, at)
  sets <- if (is.null(groups)) list(integer()) else split(seq_along(at), groups)
  new$score <- scores_against(fit, new$score, class_of_scores(new$score))
  found <- (if (is_joint(fit)) change_joint else change_rows)(fit, x, change, sets, new, rule, refits)
  new_sensitivity(certain, found, change, sets, groups, new, rule)
}

# How many problems may be solved: a whole number, or Inf.
assert_refits <- function(refits) {
  assert_number(refits, "refits", lower = 0, open = FALSE, whole = !identical(refits, Inf),
                infinite = TRUE)
}

# The fit of what margin_certain() returned, where it is one that these bounds are of.
fit_of_certain <- function(certain, caller, joint = FALSE) {
  if (inherits(certain, "margin_fit")) {
    abort_input(sprintf("`certain` is a fit, but %s takes what margin_certain(fit, data) returns.",
                        caller), "certain")
  }
  if (!inherits(certain, "margin_certain")) {
    abort_input(sprintf("`certain` is %s, but must be what margin_certain(fit, data) returns.",
                        show_value(certain)), "certain")
  }
  assert_certain(certain, "certain")
  fit <- certain$fit
  if (is.null(family_of(fit)$removals)) {
    abort_input(sprintf(paste(
      "`certain` is about a fit of %s(), for which %s has no bounds; it has for margin_linear()",
      "and margin_kernel(). Certain nonetheless is what predict(certain) says of the optimum on",
      "the rows as they are."
    ), class(fit)[1L], caller), "certain")
  }
  if (inherits(fit, "margin_kernel")) {
    return(fit)
  }
  if (is_joint(fit) && !joint) {
    abort_input(sprintf(paste(
      "`certain` is about one problem of all classes (multiclass = \"%s\"), for which %s has no",
      "bounds; multiclass = \"one_vs_rest\" has one problem for each class. Certain nonetheless is",
      "what predict(certain) says of the optimum on the rows as they are."
    ), fit$multiclass, caller), "certain")
  }
  if (fit$settings$mixture == 1) {
    abort_input("`certain` is about a lasso (mixture = 1), whose optimum need not be unique.",
                "certain")
  }
  fit
}

# ---- The rows to predict ----

# x: those of the fit, which are predicted where no others are given.
rows_to_predict <- function(fit, newdata, absent, x, at) {
  if (absent) {
    return(list(x = x, row = at, score = unname(fit$scores), na_rows = integer()))
  }
  if (is.null(newdata)) {
    abort_input(
      "`newdata` is NULL; give the rows to predict, or leave it out for those of the fit.",
      "newdata"
    )
  }
  design <- design_newdata(fit, newdata)
  x <- design$x
  if (length(design$na_rows) > 0L) x <- without_missing(x, design$na_rows)
  list(x = x, row = seq_len(nrow(x)), score = unname(score_design(fit, x)),
       na_rows = design$na_rows)
}
