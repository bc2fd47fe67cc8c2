# Leave-one-out of a linear or kernel fit, proven row by row.

#' Leave-one-out error, proven
#'
#' @description
#' Finds the exact leave-one-out error: what the model would predict for each row of the fit, had it
#' been fitted without that row. It does so without refitting n times: bounds that follow from the
#' one fit decide most of them, and the rows they leave open are solved without the row until they
#' are decided. The error that is reported is that of n exact refits, not an approximation of it.
#' ```r
#' margin_loo(fit, train)
#' ```
#'
#' @details
#' The statement is about exact optima: of the fit's problem, and of the problems without a row. The
#' leave-one-out error is an estimate of the error on new rows with the variance that such an
#' estimate has; that variance is not part of what is proven. Columns stay divided by the standard
#' deviations of all rows (`scale = TRUE`), and a response by the spread of all rows.
#'
#' Two inequalities decide most rows. A row that leaves never gains by it: what the fit gets wrong
#' beyond its gap is wrong without the row too. And the change is bounded: at an exact fit of a
#' ridge the decision value \eqn{z_i} becomes one between \eqn{z_i} and \eqn{z_i + \omega_i |x_i|^2
#' a_i/(\lambda W)}{z_i + omega_i |x_i|^2 a_i/(lambda W)}, with the weight \eqn{\omega_i}{omega_i},
#' the dual variable \eqn{a_i} and the sum of weights \eqn{W} (Jaakkola and Haussler 1999). The
#' logistic and the squared loss have the Newton step of approximate leave-one-out (Rad and Maleki
#' 2020), with a bound on its error. Derivation: `vignette("proofs")`.
#'
#' Rows that are still open are solved without the row, from the fit on, until the interval of the
#' decision value has one sign. An interval that has shrunk to 0 up to rounding, within
#' \eqn{2^{-26.5}}{2^-26.5} of the largest decision value, is a tie: the row gets the class that
#' [predict()] gives to 0. Where rounding leaves an interval with both signs the row is open: its
#' class is not known. The number of errors counts both ways then, from `errors_lower` to
#' `errors_upper`; it is proven where these are equal.
#'
#' @param fit A fit of [margin_linear()] with `mixture` below 1, or of [margin_kernel()] with a
#'   kernel by formula, all rows and hard labels (no `nystrom`, `mixup` or multinomial model). One
#'   problem of all classes with free intercepts takes `multiclass = "softmax"` and at most 1,000
#'   coefficients; with `intercept = "penalized"` or `"none"` it takes any.
#' @param data,y The rows and labels it was fitted to, as they were given, in their order: a fit
#'   does not keep its rows. For a fit from a formula `data` is the data frame and `y` is left out.
#' @param groups Which rows leave together (clusters, patients, folds): `NULL` is each row alone,
#'   else a vector with the group of each row of `data`.
#' @param rule What stays the same when a row leaves: `"cost"`, the penalty beside the *sum* of
#'   losses (the C of support vector machines), or `"lambda"`, beside their mean.
#' @param precision Of the logistic loss and of regressions: rows are solved, in rounds, until the
#'   leave-one-out deviance, or the mean squared error, is known up to this share of it: `upper -
#'   lower <= precision * lower`. Where rounding does not allow it, `print()` says that it is not
#'   kept, and `summary()` what was reached. `Inf` solves none for it, only what classes take; that
#'   is faster.
#' @param ... Not used; an unknown argument is an error.
#' @return An object of class `"margin_loo"`, a list:
#'   * `rows`: a data frame with a row for each row of the fit: `row` (of `data`), `group` if there
#'     are groups, `observed`, `score` (of the fit), `lower` and `upper` (ends of the value without
#'     the row; for k > 2 classes `score_<level>` and so on, of one problem of all classes less the
#'     value of the observed class), `class` without the row, `by`
#'     (`"bound"`: decided from the fit alone, `"step"`, `"refit"`, `"tie"`, `"open"`, or `"no
#'     optimum"`: without the row one class is left, and it is predicted, or, of one problem of all
#'     classes, its class is gone, and one of the others is predicted), `wrong` and
#'     `wrong_in_training`. Of an open row `class` and `wrong` are `NA`;
#'   * `summary`: one row: `nobs` (rows with positive weight), `training_errors`, `errors` and
#'     `error` (their share of the weight; both `NA` where rows are open, ties count as what they
#'     are predicted), `errors_lower` and `errors_upper` (ties and open rows counted both ways),
#'     `ties`, `open`, `undecided` (rows whose class the fit alone leaves open), `solved` (rows or
#'     groups that took a step or a refit, for their class or for `precision`); for the logistic
#'     loss `deviance_lower` and `deviance_upper`, of one-vs-rest problems that of the class's share
#'     of the probabilities, and for two classes `brier_lower` and `brier_upper`; for a regression
#'     `mse_lower` and `mse_upper`, the mean squared error; with these `precision`, the share of the
#'     deviance or mean squared error that is open: `(upper - lower)/lower`.
#'
#'   [as.data.frame()] and [tidy()] give `rows`, [summary()] and [glance()] give `summary`. `plot()`
#'   of two classes draws margins in training against those without the row around 0, marks the
#'   predictions that change, and the open ones with their intervals; of a regression it draws
#'   fitted values against the predictions without the row.
#' @section Errors:
#' Another kind of fit, rows or labels that are not those of the fit and groups that do not have
#' its length, or are all one, and a picture of several classes are errors of class
#' `dualmargin_input_error`.
#' @references
#' Jaakkola T, Haussler D (1999). Probabilistic kernel regression models. *Proceedings of the 7th
#' AISTATS*.
#'
#' Okumura S, Suzuki Y, Takeuchi I (2015). Quick sensitivity analysis for incremental data
#' modification and its application to leave-one-out CV in linear classification problems.
#' *Proceedings of the 21th ACM SIGKDD*, 885-894. arXiv:1504.02870.
#'
#' Rad KR, Maleki A (2020). A scalable estimate of the out-of-sample prediction error via
#' approximate leave-one-out cross-validation. *Journal of the Royal Statistical Society B* 82,
#' 965-996. \doi{10.1111/rssb.12374}.
#' @seealso [margin_certain()], [margin_cv()], `vignette("decisions")`.
#' @examples
#' train <- seq(1, nrow(spambase), by = 5)
#' fit <- margin_linear(type ~ ., data = spambase[train, ], lambda = 0.01)
#' loo <- margin_loo(fit, spambase[train, ])
#' loo
#' # the e-mails that the model gets right only because it has seen them
#' head(subset(as.data.frame(loo), wrong & !wrong_in_training))
#' plot(loo)
#' # beside it the error on e-mails that were not fitted
#' mean(predict(fit, spambase[-train, ]) != spambase$type[-train])
#' # is a kernel worth it?
#' few <- spambase[seq(1, nrow(spambase), by = 20), ]
#' rbf <- margin_kernel(type ~ ., data = few, loss = "logistic", lambda = 0.01)
#' margin_loo(rbf, few)
#' @export
margin_loo <- function(fit, data, y, groups = NULL, rule = c("cost", "lambda"), precision = 0.05,
                       ...) {
  assert_no_extra("margin_loo()", ...)
  kernel <- inherits(fit, "margin_kernel")
  assert_certain_kind(fit, "margin_loo()", all = kernel)
  if (is_joint(fit)) assert_joint_known(fit)
  rule <- one_of(rule, c("cost", "lambda"), "rule")
  assert_number(precision, "precision", lower = 0, infinite = TRUE)
  if (identical(fit$settings$mixture, 1)) {
    abort_input(paste(
      "`fit` is a lasso (mixture = 1), whose optimum without a row need not be unique;",
      "use mixture = 0.99."
    ), "fit")
  }
  design <- training_design(fit, data, y)
  at <- design$rows
  x <- design$x
  groups <- loo_groups(groups, at, NROW(data))
  sets <- loo_sets(groups, length(at))
  removals <- if (is_joint(fit)) joint_removals else if (!kernel && is_wide(fit, x))
    wide_removals else family_of(fit)$removals
  found <- removals(fit, x, sets, rule, precision)
  new_loo(fit, found, at, groups, rule, precision)
}

# The group of each fitted row; NULL where each row is its own.
loo_groups <- function(groups, at, given) {
  groups <- row_labels(groups, "groups", "a group", at, given)
  if (!is.null(groups) && nlevels(groups) < 2L) {
    abort_input("`groups` puts all rows into one group; without it there is nothing to fit.",
                "groups")
  }
  groups
}

# A vector along the rows of data, or along the fitted ones -> a factor of the fitted ones.
row_labels <- function(labels, arg, noun, at, given) {
  if (is.null(labels)) {
    return(NULL)
  }
  if (!is.atomic(labels) || !is.null(dim(labels)) || !length(labels) %in% c(given, length(at))) {
    abort_input(sprintf("`%s` is %s, but must be a vector with %s for each of the %s.", arg,
                        show_value(labels), noun, count(given, "row")), arg)
  }
  if (length(labels) == given) labels <- labels[at]
  if (anyNA(labels)) {
    abort_input(sprintf("`%s` has NA at position %d; give every row %s.", arg,
                        which(is.na(labels))[1L], noun), arg)
  }
  factor(labels)
}

loo_sets <- function(groups, n) {
  if (is.null(groups)) as.list(seq_len(n)) else unname(split(seq_len(n), groups))
}

# What is known of each class problem (ends of all rows without them), by what each row was found,
# how many were solved, and the losses within the ends: src/decide/left_out.h. effort: "none" for
# what the fit alone tells, "one" for a step of each set that it leaves open.
core_removals <- function(fit, x, sets, rule, precision = Inf, effort = "all",
                          coefficients = NULL, ball_alone = NULL) {
  question <- c(question_of_fit(fit), list(rule = rule, ball_alone = ball_alone))
  frame <- frame_of_fit(fit, move = question$free)
  in_core(removal_cpp(in_core_form(x), frame, question, list(
    intercept = if (question$free) "free" else "none"
  ), refit_control(fit), asked_of_core(fit, sets, precision, effort, coefficients)))
}

# A row's own loss enters the sum that `precision` is about with its weight: the left-out deviance
# of the logistic loss, the mean squared error of a regression.
asked_of_core <- function(fit, sets, precision, effort, coefficients) {
  weight <- unname(fit$weights)
  squared <- fit$task == "regression"
  list(sets = sets, precision = precision, effort = effort, coefficients = coefficients,
       losses = if (squared) "squared" else
         if (loss_name(fit) == "logistic") "logistic" else "none",
       weight = if (squared) weight / sum(weight) * unit_of(fit)^2 else weight)
}

# Where the optimum without each set of rows is: for each class problem `step`, a column for each
# set, and `radius`: the coefficients without the set lie within it of those of the fit plus the
# step. On the columns as the fit scaled them, with that of a penalised intercept last; of a kernel
# fit coefficients of the functions k(x_i, .) of all rows. intercept: both ends where it is free.
coefficients_without <- function(fit, x, sets, rule) {
  family_of(fit)$removals(fit, x, sets, rule, coefficients = TRUE)
}

# Refits start from the fit and go on with the default solver, to tolerances of their own.
refit_control <- function(fit, family = "linear") {
  control <- margin_control(progress = FALSE, seed = 1)
  control["threads"] <- list(fit$settings$control$threads)
  row <- find_solver("auto", family)
  core_control(list(control = control, solver = row, tol = 1e-4,
                    options = complete_options(row, list())), NULL)
}
