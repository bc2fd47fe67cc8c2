# Leave-one-out of a linear or kernel fit, proven row by row.

#' Leave-one-out error, proven
#'
#' What would the model predict for each row of the fit, had it been fitted without that row? The
#' answer for all rows, without refitting n times: bounds that follow from the one fit decide most
#' of them, and the rows they leave open are solved without the row until they are decided. The
#' error that is reported is that of n exact refits, not an approximation of it.
#'
#' The statement is about exact optima: of the fit's problem, and of the problems without a row. The
#' leave-one-out error is an estimate of the error on new rows with the variance that such an
#' estimate has; that variance is not part of what is proven. Columns stay divided by the standard
#' deviations of all rows (`scale = TRUE`), and a response by the spread of all rows.
#'
#' Let row \eqn{i} leave, \eqn{z_i} be its decision value, \eqn{a} the dual variables, and
#' \eqn{\kappa = \lambda W (1 - \mathrm{mixture})}{kappa = lambda W (1 - mixture)}.
#'
#' * *Ball* (penalised or no intercept): what is left of the duality gap once \eqn{a_i} is 0. At the
#'   exact optimum the value without the row lies between \eqn{z_i} and \eqn{z_i + q_i a_i},
#'   \eqn{q_i = \omega_i |x_i|^2/\kappa}{q_i = omega_i |x_i|^2/kappa}. A free intercept has the same
#'   by a dual point of the tilted problem. With an l1 part the ball is around the mean of \eqn{w}
#'   and \eqn{w(a)} of [margin_certain()], recomputed for each row (up to 2e8 entries of `x`).
#' * *Own loss*: removal never helps the removed row, so what is wrong in the fit beyond its gap is
#'   wrong without the row. This holds for any loss and penalty.
#' * *One step* (logistic and squared loss): with the leverage of row i the Newton step
#'   \eqn{z_i + A_i l_i} of approximate leave-one-out, and a bound on its error.
#' * *Kernels* ([margin_kernel()]): the same with \eqn{k(x_i, x_j)}{k(x_i, x_j)} for inner products;
#'   the step with the n x n kernel matrix, up to 2,000 rows.
#' * *Open rows*: Newton steps without the row, or for the hinge, with an l1 part and for kernels
#'   refits, until the interval has one sign. A decision value of exactly 0 never gets there and is
#'   reported as a tie, counted as the positive class.
#'
#' @param fit A fit of [margin_linear()] with `mixture` below 1, or of [margin_kernel()] with a
#'   kernel by formula, all rows and hard labels (no `nystrom`, `mixup` or multinomial model).
#' @param data,y The rows and labels it was fitted to, as they were given, in their order: a fit
#'   does not keep its rows. For a fit from a formula `data` is the data frame and `y` is left out.
#' @param groups Which rows leave together (clusters, patients, folds): `NULL` is each row alone,
#'   else a vector with the group of each row of `data`.
#' @param rule What stays the same when a row leaves: `"cost"`, the penalty beside the *sum* of
#'   losses (the C of support vector machines), or `"lambda"`, beside their mean.
#' @param precision Of two classes and the logistic loss: rows are solved until the interval of the
#'   leave-one-out deviance leaves at most about this share of it open. `Inf` solves none for it,
#'   only what classes take; that is faster.
#' @param ... Nothing: unknown arguments are errors.
#' @return An object of class `"margin_loo"`, a list:
#'   * `rows`: a data frame with a row for each row of the fit: `row` (of `data`), `group` if there
#'     are groups, `observed`, `score` (of the fit), `lower` and `upper` (ends of the value without
#'     the row; for k > 2 classes `score_<level>` and so on), `class` without the row, `by`
#'     (`"bound"`: decided from the fit alone, `"step"`, `"refit"`, `"tie"`, or `"no optimum"`:
#'     without the row one class is left, and it is predicted), `wrong` and `wrong_in_training`;
#'   * `summary`: one row: `nobs` (rows with positive weight), `training_errors`, `errors`,
#'     `error` (share of the weight), `ties`, `undecided` (rows whose class the fit alone leaves
#'     open), `solved` (rows or groups that took a step or a refit, for their class or, with the
#'     logistic loss, to know the deviance to `precision`), and for two classes and the logistic
#'     loss `deviance` and `brier`, with `_lower` and `_upper` ends; for a
#'     regression `mse_lower` and `mse_upper`, the mean squared error.
#'
#'   [as.data.frame()] and [tidy()] give `rows`, [glance()] gives `summary`. `plot()` draws margins
#'   in training against those without the row, and marks the rows that change sides.
#' @section Errors:
#' Another kind of fit, rows or labels that are not those of the fit and groups that do not have
#' its length, or are all one, are errors of class `dualmargin_input_error`.
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
#' # the mails that the model gets right only because it has seen them
#' head(subset(as.data.frame(loo), wrong & !wrong_in_training))
#' plot(loo)
#' # beside it the error on mails that were not fitted
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
  rule <- one_of(rule, c("cost", "lambda"), "rule")
  assert_number(precision, "precision", lower = 0, infinite = TRUE)
  if (identical(fit$settings$mixture, 1)) {
    abort_input(paste(
      "`fit` is a lasso (mixture = 1), whose optimum without a row need not be unique;",
      "use mixture = 0.99."
    ), "fit")
  }
  at <- training_rows(fit, data, y)
  groups <- loo_groups(groups, at, NROW(data))
  x <- design_newdata(fit, data)$x
  if (length(at) < nrow(x)) x <- x[at, , drop = FALSE]
  rows <- if (kernel) kernel_geometry(fit, x) else training_geometry(fit, x)
  pairs <- lapply(seq_len(ncol(coef_matrix(fit))), function(k) {
    if (kernel) geometry_pair(rows, k) else class_pair(fit, rows, k)
  })
  found <- leave_out(fit, pairs, rows, loo_sets(groups, length(at)), rule, precision)
  new_loo(fit, found, at, groups, rule)
}

# The group of each fitted row; NULL where each row is its own.
loo_groups <- function(groups, at, given) {
  if (is.null(groups)) {
    return(NULL)
  }
  if (!is.atomic(groups) || !is.null(dim(groups)) || !length(groups) %in% c(given, length(at))) {
    abort_input(sprintf("`groups` is %s, but must be a vector with a group for each of the %s.",
                        show_value(groups), count(given, "row")), "groups")
  }
  if (length(groups) == given) groups <- groups[at]
  if (anyNA(groups)) {
    abort_input(sprintf("`groups` has NA at position %d; give every row a group.",
                        which(is.na(groups))[1L]), "groups")
  }
  groups <- factor(groups)
  if (nlevels(groups) < 2L) {
    abort_input("`groups` puts all rows into one group; without it there is nothing to fit.",
                "groups")
  }
  groups
}

loo_sets <- function(groups, n) {
  if (is.null(groups)) as.list(seq_len(n)) else unname(split(seq_len(n), groups))
}

# The ends for each class problem, and by what they were found.
leave_out <- function(fit, pairs, rows, sets, rule, precision) {
  n <- length(pairs[[1L]]$y)
  several <- length(pairs) > 1L
  by <- rep("bound", n)
  parts <- lapply(pairs, removal_part, rows = rows, sets = sets, rule = rule)
  ends <- lapply(parts, `[[`, "ends")
  for (part in parts) by[unlist(sets[part$gone])] <- "no optimum"
  solved <- logical(length(sets))
  undecided <- if (fit$task == "regression") NA_integer_ else sum(open_classes(ends))
  # of several classes one step first, for all of them; then as many as it takes
  for (round in seq_len(1L + several)) {
    open <- if (several) open_classes(ends) else wants_step(fit, ends[[1L]], precision)
    todo <- vapply(sets, function(out) any(open[out]), NA)
    for (k in seq_along(pairs)) {
      which <- which(todo & !parts[[k]]$gone)
      still <- if (several) function(out, ends) round == 2L else wants_work(fit)
      answers <- solve_removals(pairs[[k]], rows, parts[[k]]$ellipsoid, sets[which],
                                parts[[k]]$kappa[which], still)
      for (j in seq_along(which)) {
        out <- sets[[which[j]]]
        ends[[k]][out, ] <- narrowed(ends[[k]][out, , drop = FALSE], answers[[j]]$ends)
        by[out] <- answers[[j]]$how
        solved[which[j]] <- TRUE
      }
    }
  }
  list(ends = ends, by = by, solved = sum(solved), undecided = undecided)
}

# What is known of a class problem before any step. gone: where one class is left, whose value has
# no bound.
removal_part <- function(pair, rows, sets, rule) {
  n <- length(pair$y)
  kernel <- is_kernel_rows(rows)
  ellipsoid <- if (kernel) kernel_ellipsoid(pair, rows) else optimum_ellipsoid(pair, rows)
  taken <- vapply(sets, function(out) sum(pair$omega[out]), 0)
  kappa <- pair$mu * (if (rule == "cost") pair$total else pair$total - taken)
  kappa <- rep_len(kappa, length(sets))
  ends <- if (all(lengths(sets) == 1L)) {
    ball <- if (kernel) list(gap = sum(pair$excess) / pair$total) else optimum_ball(pair)
    removal_bounds(pair, rows, ball, ellipsoid, kappa, rule)
  } else {
    cbind(rep(-Inf, n), rep(Inf, n))
  }
  left <- class_left(pair, sets)
  for (k in which(left != 0)) ends[sets[[k]], ] <- left[k] * Inf
  list(ellipsoid = ellipsoid, kappa = kappa, ends = ends, gone = left != 0)
}

# -1 or 1 where only rows of that class stay: a free intercept of a margin loss has no optimum then.
class_left <- function(pair, sets) {
  if (!pair$free || pair$loss$name %in% c("squared", "huber")) {
    return(numeric(length(sets)))
  }
  positive <- pair$omega > 0 & pair$y > 0
  negative <- pair$omega > 0 & pair$y < 0
  alone <- all(lengths(sets) == 1L)
  gone <- function(which) {
    if (alone) as.integer(which[unlist(sets)]) else
      vapply(sets, function(out) sum(which[out]), 0L)
  }
  (gone(negative) == sum(negative)) - (gone(positive) == sum(positive))
}

# Which rows are worth a step: those without a sign or an end; in a regression those whose interval
# is not narrow; for the logistic loss also those whose losses are known least, until the others
# leave no more of their sum open than `precision`.
wants_step <- function(fit, ends, precision) {
  open <- is_wide(fit)(ends)
  if (!identical(loss_name(fit), "logistic") || precision == Inf) {
    return(open)
  }
  sign <- problem_response(fit, 1L)
  weight <- unname(fit$weights)
  loss <- function(z) -stats::plogis(sign * z, log.p = TRUE)
  width <- ifelse(open | weight == 0, 0, weight * abs(loss(ends[, 1L]) - loss(ends[, 2L])))
  by_width <- order(width)
  bearable <- precision * sum(weight * loss(unname(fit$scores)))
  open[by_width[cumsum(width[by_width]) > bearable]] <- TRUE
  open
}

# Which go on after a step.
wants_work <- function(fit) {
  wide <- is_wide(fit)
  function(out, ends) any(wide(ends))
}

is_wide <- function(fit) {
  regression <- fit$task == "regression"
  logistic <- identical(loss_name(fit), "logistic")
  narrow <- 0.01 * stats::sd(fit$scores) / unit_of(fit)
  function(ends) {
    width <- ends[, 2L] - ends[, 1L]
    if (regression) {
      return(!is.finite(width) | width > narrow)
    }
    ends[, 1L] < 0 & ends[, 2L] >= 0 | logistic & !is.finite(width)
  }
}

open_classes <- function(ends) !decide(bind_ends(ends, 1L), bind_ends(ends, 2L))$decided
