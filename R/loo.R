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
#' deviations of all rows (`scale = TRUE`), a response by the spread of all rows, and `"balanced"`
#' class weights stay the numbers they are in the fit; [margin_conformal()] computes them anew.
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
#' @seealso [margin_certain()], [margin_sensitivity()], [margin_cv()], `vignette("decisions")`.
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
  assert_removable(fit, "margin_loo()")
  rule <- one_of(rule, c("cost", "lambda"), "rule")
  assert_number(precision, "precision", lower = 0, infinite = TRUE)
  design <- training_design(fit, data, y)
  at <- design$rows
  x <- design$x
  groups <- loo_groups(groups, at, NROW(data), fit$weights)
  sets <- loo_sets(groups, length(at))
  found <- core_removals(fit, x, sets, rule, precision)
  new_loo(fit, found, at, groups, rule, precision)
}

# A fit of which the optimum is known as rows leave or change.
assert_removable <- function(fit, caller) {
  assert_certain_kind(fit, caller, all = inherits(fit, "margin_kernel"))
  if (is_joint(fit)) assert_joint_known(fit)
  if (isTRUE(fit$settings$mixture == 1)) {
    abort_input(paste(
      "`fit` is a lasso (mixture = 1), whose optimum without a row need not be unique;",
      "use mixture = 0.99."
    ), "fit")
  }
}

# The group of each fitted row; NULL where each row is its own.
loo_groups <- function(groups, at, given, weights = NULL) {
  groups <- row_labels(groups, "groups", "a group", at, given)
  # a row of weight 0 is none
  if (!is.null(groups) && length(unique(if (is.null(weights)) groups else groups[weights > 0])) < 2L) {
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

# What the core is told of a fit whose rows leave or change (src/border/decide.h): of columns, of a
# kernel with rows as it sees them, or of all classes in one problem. A changed problem is solved
# from the fit on with the default solver, to tolerances of its own.
fitted_rows <- function(fit, x, geometry, frame, question) {
  list(geometry = geometry, x = in_core_form(x), frame = frame,
       problem = c(question, list(regression = fit$task == "regression")),
       refit = list(intercept = if (question$free) "free" else "none"),
       control = refit_control(fit))
}

fitted_columns <- function(fit, x) {
  question <- if (is_joint(fit)) question_of_joint(fit) else question_of_fit(fit)
  fitted_rows(fit, x, if (is_joint(fit)) "classes" else "columns",
              frame_of_fit(fit, move = question$free), question)
}

# Refits are of the rows as the kernel saw them: they do not scale or centre anew.
fitted_functions <- function(fit, x) {
  frame <- kernel_frame(fit, x)
  fitted_rows(fit, frame$x, "kernel", kernel_for_core(fit, frame), question_of_kernel(fit))
}

# What is known of each class problem (ends of all rows without them), by what each row was found,
# how many were solved, and the losses within the ends: src/decide/left_out.h. effort: "none" for
# what the fit alone tells, "one" for a step of each set that it leaves open. A row's own loss
# enters the sum that `precision` is about with its weight: the left-out deviance of the logistic
# loss, the mean squared error of a regression.
# coefficients: in their place where the optimum without each set is: for each class problem `step`,
# a column for each set, and `radius`: the coefficients without the set lie within it of those of
# the fit plus the step. On the columns as the fit scaled them, with that of a penalised intercept
# last; of a kernel fit those of the functions k(x_i, .) of all rows. intercept: both ends where it
# is free.
core_removals <- function(fit, x, sets, rule, precision = Inf, effort = "all",
                          coefficients = NULL, ball_alone = NULL) {
  fitted <- family_of(fit)$fitted(fit, x)
  if (!is.null(fitted$frame$rest)) {
    abort_input(paste(
      "`fit` has sparse rows with columns that are centred implicitly, which a refit without a row",
      "would not be: margin_loo() has no bounds for it; use center = FALSE, or dense rows."
    ), "fit")
  }
  weight <- unname(fit$weights)
  squared <- fit$task == "regression"
  in_core(removal_cpp(fitted, list(
    sets = sets, rule = rule, precision = precision, effort = effort, coefficients = coefficients,
    ball_alone = ball_alone,
    losses = if (squared) "squared" else if (loss_name(fit) == "logistic") "logistic" else "none",
    weight = if (squared) weight / sum(weight) * unit_of(fit)^2 else weight
  )))
}

# families: the first solves, or the other one instead, as it does rows by their products.
refit_control <- function(fit, families = c("linear", "kernel")) {
  control <- margin_control(progress = FALSE, seed = 1)
  control["threads"] <- list(fit$settings$control$threads)
  rows <- lapply(families, find_solver, name = "auto")
  options <- lapply(rows, complete_options, list())
  core_control(list(control = control, solver = rows[[1L]], tol = 1e-4,
                    options = unlist(options, recursive = FALSE)), NULL)
}

# What is kept of a leave-one-out run.

new_loo <- function(fit, found, at, groups, rule, precision) {
  lower <- bind_ends(found$ends, 1L)
  upper <- bind_ends(found$ends, 2L)
  table <- data.frame(row = at)
  if (!is.null(groups)) table$group <- groups
  table$observed <- fit$response
  unit <- unit_of(fit)
  scores <- scores_against(fit, fit$scores, as.integer(fit$response))
  table <- cbind(table, levels_side_by_side("score", scores, unit * lower, unit * upper,
                                            fit$levels))
  if (fit$task == "regression") {
    table$by <- found$by
  } else {
    index <- decide(lower, upper)
    open <- !index$decided
    tie <- open & is_tie(lower, upper, unname(fit$scores))
    found$by[open] <- ifelse(tie[open], "tie", "open")
    # of a tie what predict() makes of it: the positive class, or the first of equal ones
    class <- ifelse(tie, class_of_scores(tied_scores(lower, upper)), index$class)
    own <- as.integer(fit$response)
    table$class <- as_response(fit, class)
    table$by <- found$by
    table$wrong <- class != own
    table$wrong_in_training <- unname(class_of_scores(fit$scores)) != own
  }
  rownames(table) <- NULL
  new_object(list(
    rows = table, summary = loo_summary(fit, table, lower, upper, found),
    weights = unname(fit$weights), levels = fit$levels, task = fit$task,
    loss = fit$settings$loss, lambda = fit$settings$lambda, rule = rule,
    grouped = !is.null(groups), precision = precision,
    certificate = worst_certificate(fit$certificate), balanced = is_balanced(fit)
  ), "margin_loo")
}

# Are the decision values 0, or those of all classes that can win equal, as far as doubles tell? A
# score known by a duality gap that vanishes to rounding, u = 2^-53, is known to u^(1/2).
is_tie <- function(lower, upper, scores) {
  room <- sqrt(unit_roundoff) * max(1, abs(scores))
  if (!is.matrix(lower)) {
    return(pmax(abs(lower), abs(upper)) <= room)
  }
  wins <- upper >= apply(lower, 1L, max)
  apply(ifelse(wins, upper, -Inf), 1L, max) - apply(ifelse(wins, lower, Inf), 1L, min) <= room
}

# Scores of which the first winner of each row of several classes is the largest; 0 of two.
tied_scores <- function(lower, upper) {
  if (!is.matrix(lower)) 0 * seq_along(lower) else 1 * (upper >= apply(lower, 1L, max))
}

loo_summary <- function(fit, table, lower, upper, found) {
  weight <- unname(fit$weights)
  used <- weight > 0
  share <- weight / sum(weight)
  total <- if (!is.null(found$losses)) colSums(found$losses)
  # how far the sum is open, in units of what it is at least
  reached <- if (!is.null(total)) if (total[1L] == total[2L]) 0 else diff(total) / total[1L]
  if (fit$task == "regression") {
    off <- unname(fit$response) - unname(fit$scores)
    return(data.frame(nobs = sum(used), training_mse = sum(share * off^2), mse_lower = total[1L],
                      mse_upper = total[2L], precision = reached, solved = found$solved))
  }
  by <- table$by[used]
  certain <- table$wrong[used] & by != "tie"
  unsure <- sum(by %in% c("tie", "open"))
  wrong <- sum(certain, na.rm = TRUE)
  result <- data.frame(
    nobs = sum(used), training_errors = sum(table$wrong_in_training[used]),
    errors = sum(table$wrong[used]), errors_lower = wrong, errors_upper = wrong + unsure,
    error = sum((share * table$wrong)[used]), ties = sum(by == "tie"), open = sum(by == "open"),
    undecided = found$undecided, solved = found$solved
  )
  if (!is.null(total)) {
    result$deviance_lower <- total[1L]
    result$deviance_upper <- total[2L]
    if (length(fit$levels) == 2L) {
      sign <- 2 * as.integer(fit$response) - 3
      brier <- function(z) sum((share * stats::plogis(-sign * z)^2)[used])
      ends <- c(brier(ifelse(sign > 0, upper, lower)), brier(ifelse(sign > 0, lower, upper)))
      result$brier_lower <- ends[1L] * (1 - 1e-12)
      result$brier_upper <- ends[2L] * (1 + 1e-12)
    }
    result$precision <- reached
  }
  result
}

#' @exportS3Method
as.data.frame.margin_loo <- as.data.frame.margin_flips

#' @exportS3Method
tidy.margin_loo <- tidy.margin_flips

#' @exportS3Method
glance.margin_loo <- glance.margin_flips

#' @exportS3Method
summary.margin_loo <- summary.margin_flips

# What a person sees of a leave-one-out run.

#' @exportS3Method
print.margin_loo <- function(x, digits = 4L, ...) {
  assert_no_extra("print()", ...)
  s <- x$summary
  number <- function(value) format(value, digits = digits)
  range <- function(name) {
    ends <- unlist(s[intersect(paste0(name, c("_lower", "_upper")), names(s))])
    if (length(ends) == 2L) sprintf("from %s to %s", number(ends[1L]), number(ends[2L]))
  }
  lines <- if (x$task == "regression") {
    c("training" = paste("mean squared error", number(s$training_mse)),
      "left out" = paste0("mean squared error ", range("mse"), describe_precision(x)))
  } else {
    deviance <- range("deviance")
    c("training error" = left_out_errors(s$training_errors, s$training_errors, s$nobs),
      "left-out error" = paste0(left_out_errors(s$errors_lower, s$errors_upper, s$nobs),
                                describe_unsure(s)),
      "left-out deviance" = if (!is.null(deviance)) paste0(deviance, describe_precision(x)),
      "left-out Brier score" = range("brier"))
  }
  lines <- c(lines, "solved again" = sprintf(
    "%s%s, the others follow from the fit", count(s$solved, if (x$grouped) "group" else "row"),
    if (x$task == "regression" || x$grouped) "" else
      sprintf(" (%s to decide the class)", grouped(s$undecided))
  ))
  cat(fold_lines(sprintf("<margin_loo> %s, rule \"%s\", %s loss, lambda = %s",
                         if (x$grouped) "leave-group-out" else "leave-one-out", x$rule,
                         format(x$loss), number(x$lambda))), sep = "\n")
  cat(key_lines(lines), sep = "\n")
  cat(fold_lines(paste("These are the predictions of exact refits. How far the error on new rows",
                       "may differ is a separate question.")),
      describe_held(x, digits), sep = "\n")
  invisible(x)
}

# "24 of 111 rows (21.6 %)", or from the least to the most.
left_out_errors <- function(least, most, rows) {
  percent <- function(n) format(100 * n / rows, digits = 3L)
  if (least == most) {
    return(sprintf("%s of %s (%s %%)", grouped(most), count(rows, "row"),
                   percent(most)))
  }
  sprintf("from %s to %s of %s (%s to %s %%)", grouped(least),
          grouped(most), count(rows, "row"), percent(least), percent(most))
}

describe_unsure <- function(s) {
  parts <- c(
    if (s$open > 0L) sprintf("%s open, whose interval has both signs at the tightest refit",
                             grouped(s$open)),
    if (s$ties > 0L) sprintf("%s of value 0 up to rounding", count(s$ties, "tie"))
  )
  if (length(parts) == 0L) ", proven" else paste0(": ", paste(parts, collapse = ", "))
}

# How well the sum of the losses is known, and whether that is what was asked.
describe_precision <- function(x) {
  reached <- x$summary$precision
  percent <- function(share) sprintf("%s %%", format(100 * share, digits = 2L))
  if (reached <= x$precision) {
    return(sprintf(", known to %s", percent(reached)))
  }
  sprintf(", known to %s; precision %s is NOT kept: refits reach no more",
          if (is.finite(reached)) percent(reached) else "no share", format(x$precision))
}

#' @exportS3Method
plot.margin_loo <- function(x, ...) {
  assert_plot_arguments("plot()", ...)
  if (x$task == "regression") {
    return(plot_left_out(x, list(...)))
  }
  if (length(x$levels) > 2L) {
    abort_input(sprintf(paste(
      "`x` has %d classes, but margins of two classes and predictions of a regression are drawn;",
      "with(as.data.frame(x), table(observed, class)) counts what is taken for what."
    ), length(x$levels)), "x")
  }
  table <- x$rows
  sign <- ifelse(as.character(table$observed) == x$levels[2L], 1, -1)
  if (!is.factor(table$observed)) sign <- 2 * as.integer(as.factor(table$observed)) - 3
  low <- pmin(sign * table$lower, sign * table$upper)
  high <- pmax(sign * table$lower, sign * table$upper)
  open <- table$by %in% c("open", "tie")
  drawn <- data.frame(row = table$row, trained = sign * table$score,
                      # where little is known, the end that decides the class
                      left_out = ifelse(open | high - low < 1, (low + high) / 2,
                                        ifelse(abs(low) < abs(high), low, high)),
                      low = low, high = high, open = open,
                      changed = !open & table$wrong != table$wrong_in_training)
  news <- drawn[drawn$changed | open, ]
  # as far as what changes, and a little more
  sizes <- abs(unlist(news[c("trained", "left_out")]))
  reach <- 1.3 * max(1, sizes[is.finite(sizes)])
  span <- range(-1, drawn$trained, drawn$left_out[is.finite(drawn$left_out)])
  span <- c(max(span[1L], -reach), min(span[2L], reach))
  within <- function(v) pmin(span[2L], pmax(span[1L], v))
  beyond <- sum(drawn$trained != within(drawn$trained) | drawn$left_out != within(drawn$left_out))
  theirs <- list(...)
  colours <- margin_colours(2L, theirs[["col"]])
  draw(graphics::plot, list(
    x = within(drawn$trained), y = within(drawn$left_out), pch = 20L, cex = 0.5,
    col = grDevices::adjustcolor("grey40", 0.5), xlim = span, ylim = span,
    xlab = "margin in training", ylab = "margin without the row", las = 1,
    main = paste0(sprintf("%s when left out", changed_predictions(sum(drawn$changed))),
                  if (any(open)) sprintf(", %d open", sum(open)))
  ), theirs[names(theirs) != "col"])
  graphics::abline(0, 1, col = "grey70")
  graphics::abline(h = 0, v = 0, lty = 2, col = "grey40")
  if (beyond > 0L) {
    graphics::mtext(sprintf("%s beyond the frame, at its edge", count(beyond, "row")), 3L,
                    line = 0.2, cex = 0.8, col = "grey30")
  }
  colour <- ifelse(news$open, colours[2L], colours[1L])
  graphics::segments(within(news$trained), within(news$low), within(news$trained),
                     within(news$high), col = colour)
  graphics::points(within(news$trained), within(news$left_out),
                   pch = ifelse(news$open, 1L, 19L), col = colour)
  invisible(drawn)
}

changed_predictions <- function(n) {
  if (n == 1L) "1 prediction changes" else sprintf("%s change", count(n, "prediction"))
}

# Of a regression: what is predicted of a row without it, or without its group, and with it.
plot_left_out <- function(x, theirs) {
  table <- x$rows
  drawn <- data.frame(row = table$row, trained = table$score,
                      left_out = (table$lower + table$upper) / 2,
                      low = table$lower, high = table$upper)
  span <- range(drawn$trained, drawn$left_out[is.finite(drawn$left_out)])
  within <- function(v) pmin(span[2L], pmax(span[1L], v))
  colour <- margin_colours(1L, theirs[["col"]])
  draw(graphics::plot, list(
    x = drawn$trained, y = drawn$trained, type = "n", ylim = span, las = 1, xlab = "fitted value",
    ylab = paste("prediction without the", if (x$grouped) "group" else "row"),
    main = "Left-out predictions against fitted values"
  ), theirs[names(theirs) != "col"])
  graphics::abline(0, 1, col = "grey70")
  graphics::segments(drawn$trained, within(drawn$low), drawn$trained, within(drawn$high),
                     col = colour)
  known <- is.finite(drawn$left_out)
  graphics::points(drawn$trained[known], drawn$left_out[known], pch = 20L, col = colour)
  invisible(drawn)
}
