# What the optimum is after a change of the rows: bounds from one fit, and what they leave open.

#' Sensitivity of predictions to changes in the training rows
#'
#' @description
#' Finds out how far decision values can move when rows are removed, relabelled, reweighted or
#' added. The answer is given as intervals that hold the decision values of the **exact optimum of
#' the changed problem**, and the classes that the change cannot touch. What follows from the one
#' fit comes first; a changed problem in which that leaves a class open is solved until it does not.
#' With `groups` each group (patients, clusters, folds) is removed in turn.
#'
#' With `count = TRUE` no change is given: it finds the training rows that could flip a prediction,
#' since one that a single mislabelled row could turn is no prediction to act on. For each row to
#' predict it lists the rows of the fit whose removal (or relabelling) **alone** could give the exact
#' optimum another class, and a **proven lower bound** on how many rows must be removed (or
#' relabelled) together for that.
#' ```r
#' margin_sensitivity(fit, train, newdata = test, remove = c(3, 7))
#' margin_sensitivity(fit, train, newdata = test, count = TRUE)
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
#' @section Counts:
#' Nothing in the result of `count = TRUE` says that so many rows are enough: the bound is below the
#' truth, often by a large factor. At a small penalty, as the default `lambda` is, it is one or two
#' rows for most predictions and of little use; it rises with `lambda`, and `print()` then names one
#' to try. Searches for a smallest set of rows (Broderick, Giordano and Meager 2020) come from the
#' other side: what they find is enough, and fewer might do.
#'
#' The bound compares how far any `k` rows together could move the decision value with its distance
#' from 0. For a ridge each row moves it by a known amount at most, and the amounts add up. For the
#' logistic and the squared loss the Hessian at the fit says more: the Newton step of each row, and
#' how much the steps can miss. All of it counts the gap of the fit, so it holds for a loose fit
#' too, and the largest of the bounds is reported. Derivation: `vignette("proofs")`.
#'
#' For each row that could flip a prediction by itself the changed problem is then solved (`refits`:
#' for how many rows, those that could flip the most predictions), which tells whether it does:
#' `alone` and `proven` are equal then but for what rounding leaves. What several rows do together is
#' bounded, not solved. The rule is `"cost"`. Kernel fits of more than 2,000 rows have the first of
#' the two bounds alone.
#'
#' @param fit A fit of [margin_linear()] with `mixture` below 1, or of [margin_kernel()], as for
#'   [margin_loo()]; for `count = TRUE` one of two classes with `mixture = 0`.
#' @param data,y The rows and labels of the fit, as they were given, in their order: a fit does not
#'   keep them. For a fit from a formula `data` is the data frame and `y` is left out.
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
#' @param refits How many of the changed problems (one, one for each group, or one for each row that
#'   is counted) may be solved, those first in which most is open; 0 bounds them from the fit alone.
#' @param count Count the rows that predictions hang on instead of a given change?
#' @param change With `count = TRUE`, what may happen to a row of the fit: `"remove"`, or `"relabel"`
#'   (it gets the other class).
#' @param most With `count = TRUE`, how many rows of the fit are listed for each prediction.
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
#'   `plot()`
#'   draws the intervals and their middles against the decision values of the fit, a dot where the
#'   class certainly changes and a circle where that is open; with groups how many predictions each
#'   could touch.
#'
#'   With `count = TRUE` an object of class `"margin_flips"`, a list:
#'   * `rows`: a data frame with a row for each row to predict: `row`, its number in `newdata` (or
#'     `data`), `score` and `class` of the fit, `alone` (how many rows of the fit could each flip
#'     the class alone), `proven` (how many of them certainly do), `needed` (no fewer rows together
#'     can flip it; 0 where already the exact optimum of the fit's own problem is not known to have
#'     that class, `Inf` where no number of rows can), `first` (the row of `data` with the largest
#'     bound);
#'   * `bounds`: a data frame with the `most` largest bounds for each prediction, the largest first:
#'     `row`, `changed` (the row of `data`), `bound` (how far the change of that row alone can move
#'     the decision value towards the other class, the gap of the fit included) and `flips`: `TRUE`
#'     where it certainly turns the class, `FALSE` where certainly not, `NA` where that is open;
#'   * `summary`: one row: `change`, `predicted`, `undecided` (with `needed` 0), `alone`
#'     (predictions that one row could flip), `proven` (that one row certainly flips), `least`,
#'     `median` and `most` of `needed`.
#'
#'   `plot()` draws how many predictions have which `needed`; `plot(x, row = 3)` the bounds of the
#'   third prediction, in decreasing order, beside what it takes to flip it.
#'
#'   Of both [as.data.frame()] and [tidy()] give `rows`, [summary()] and [glance()] give `summary`.
#' @section Errors:
#' Another kind of fit, rows and labels that are not those of the fit, no change at all, changes that
#' name rows or classes that are not there, a change that leaves no weight, and a change beside
#' `count = TRUE`, or an argument of counts without it, are errors of class
#' `dualmargin_input_error`.
#' @references
#' Hanada H, Shibagaki A, Sakuma J, Takeuchi I (2018). Efficiently monitoring small data
#' modification effect for large-scale learning in changing environment. *Proceedings of the AAAI
#' Conference on Artificial Intelligence* 32(1), 1314-1321. \doi{10.1609/aaai.v32i1.11516}.
#'
#' Okumura S, Suzuki Y, Takeuchi I (2015). Quick sensitivity analysis for incremental data
#' modification and its application to leave-one-out CV in linear classification problems.
#' *Proceedings of the 21th ACM SIGKDD*, 885-894. arXiv:1504.02870.
#'
#' Broderick T, Giordano R, Meager R (2020). An automatic finite-sample robustness metric: when can
#' dropping a little data make a big difference? arXiv:2011.14999.
#' @seealso [margin_loo()], [margin_certain()], `vignette("decisions")`.
#' @examples
#' train <- spambase[seq(1, nrow(spambase), by = 2), ]
#' test <- spambase[seq(2, nrow(spambase), by = 20), ]
#' fit <- margin_linear(type ~ ., data = train, lambda = 0.1)
#' # without the first 20 e-mails, which predictions could be different?
#' changed <- margin_sensitivity(fit, train, newdata = test, remove = 1:20)
#' changed
#' subset(as.data.frame(changed), is.na(flips) | flips)
#' # ten folds, each removed in turn
#' folds <- rep(1:10, length.out = nrow(train))
#' margin_sensitivity(fit, train, newdata = test, groups = folds)
#' # the same of a kernel: which classes would one wrong label touch?
#' few <- train[seq(1, nrow(train), by = 10), ]
#' smooth <- margin_kernel(type ~ ., data = few, lambda = 0.05)
#' labels <- replace(rep(NA, nrow(few)), 1, "nonspam")
#' margin_sensitivity(smooth, few, newdata = test, relabel = labels)
#' # which predictions could one row of the training set turn, and which rows are those?
#' some <- train[seq(1, nrow(train), by = 3), ]
#' fit <- margin_linear(type ~ ., data = some, lambda = 0.1, intercept = "penalized")
#' flips <- margin_sensitivity(fit, some, newdata = test, count = TRUE)
#' flips
#' head(subset(as.data.frame(flips), alone > 0))
#' head(subset(flips$bounds, is.na(flips) | flips))
#' plot(flips)
#' @export
margin_sensitivity <- function(fit, data, y, newdata, remove = NULL, relabel = NULL,
                               weights = NULL, add = NULL, groups = NULL,
                               rule = c("cost", "lambda"), refits = Inf, count = FALSE,
                               change = c("remove", "relabel"), most = 5, ...) {
  assert_no_extra("margin_sensitivity()", ...)
  assert_removable(fit, "margin_sensitivity()")
  rule <- one_of(rule, c("cost", "lambda"), "rule")
  assert_refits(refits)
  assert_flag(count, "count")
  asked <- list(remove = remove, relabel = relabel, weights = weights, add = add, groups = groups)
  asked <- names(asked)[!vapply(asked, is.null, NA)]
  if (count) {
    change <- one_of(change, c("remove", "relabel"), "change")
    assert_number(most, "most", lower = 1, upper = 1e6, open = FALSE, whole = TRUE)
    assert_countable(fit, if (rule == "lambda") c(asked, "rule") else asked)
  } else {
    assert_change(asked, c(if (!missing(change)) "change", if (!missing(most)) "most"))
  }
  design <- training_design(fit, data, y)
  at <- design$rows
  x <- design$x
  given <- NROW(data)
  new <- rows_to_predict(fit, newdata, missing(newdata), x, at)
  if (count) {
    return(new_flips(fit, count_flips(fit, x, new, change, most, refits), new, at, change))
  }
  groups <- loo_groups(groups, at, given, fit$weights)
  change <- list(
    out = removed_rows(remove, given)[at],
    response = relabelled_response(fit, relabel, given, at),
    weights = changed_weights(fit, weights, given, at),
    added = added_rows(fit, add)
  )
  sets <- if (is.null(groups)) list(integer()) else split(seq_along(at), groups)
  new$score <- scores_against(fit, new$score, class_of_scores(new$score))
  found <- change_rows(fit, x, change, sets, new, rule, refits)
  new_sensitivity(fit, found, change, sets, groups, new, rule)
}

# asked: the changes that are given; beside: arguments of counts.
assert_change <- function(asked, beside) {
  if (length(beside) > 0L) {
    abort_input(sprintf("`%s` is for count = TRUE, which counts rows; leave it out.", beside[1L]),
                beside[1L])
  }
  if (length(asked) == 0L) {
    abort_input(paste(
      "`remove` is NULL, as are `relabel`, `weights`, `add` and `groups`: say what changes, or",
      "count = TRUE. Of the rows as they are predict(margin_certain(fit, data), newdata) says what",
      "is certain."
    ), "remove")
  }
}

# How many problems may be solved: a whole number, or Inf.
assert_refits <- function(refits) {
  assert_number(refits, "refits", lower = 0, open = FALSE, whole = !identical(refits, Inf),
                infinite = TRUE)
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

# The changed problems of a fit, which the core solves (src/decide/change.h).

# For each set of rows that leaves beside the change: ends for each class problem, which rows leave,
# and whether the changed problem was solved.
change_rows <- function(fit, x, change, sets, new, rule, refits) {
  if (!is.null(change$added)) x <- stack_rows(x, change$added$x)
  omega <- changed_omega(fit, change)
  for (out in sets) assert_weight_left(replace(omega, out, 0))
  codes <- c(change$response, change$added$response)
  classes <- seq_len(ncol(coef_matrix(fit)))
  y <- vapply(classes, changed_response, numeric(length(codes)), fit = fit, response = codes)
  asked <- list(y = matrix(y, length(codes)), omega = omega, sets = sets, rule = rule,
                refits = refits, regression = fit$task == "regression")
  if (is_joint(fit)) {
    asked$y <- codes
    asked$reference <- unname(class_of_scores(new$score))
  }
  as_changes(ask_of_change(fit, x, new$x, change_cpp, asked), change, sets)
}

as_changes <- function(found, change, sets) {
  Map(function(answer, out) {
    change$out[out] <- TRUE
    list(ends = lapply(seq_len(ncol(answer$lower)),
                       function(k) cbind(answer$lower[, k], answer$upper[, k])),
         out = change$out, solved = answer$solved)
  }, found, unname(sets))
}

# x: all rows, asked: those to predict.
ask_of_change <- function(fit, x, asked, entry, change) {
  rows <- alike_rows(fit, x, asked)
  fitted <- family_of(fit)$fitted(fit, rows[[1L]])
  rows <- if (fitted$geometry == "kernel") {
    stack_rows(kernel_frame(fit, rows[[2L]])$x, kernel_frame(fit, rows[[1L]])$x)
  } else {
    asked
  }
  in_core(entry(fitted, change, in_core_form(rows)))
}

assert_weight_left <- function(omega) {
  total <- sum(omega)
  if (!is.finite(total) || total <= 0) {
    abort_input("The change leaves no row with a positive weight; there is nothing to fit.",
                "remove")
  }
}

# Weights with those of classes, of all rows.
changed_omega <- function(fit, change) {
  omega <- c(ifelse(change$out, 0, change$weights), change$added$weights)
  class_weights <- fit$settings$class_weights
  if (is.null(class_weights)) omega else
    omega * unname(class_weights)[c(change$response, change$added$response)]
}

# The coded response of class problem k, as problem_response().
changed_response <- function(k, fit, response) {
  if (fit$task == "regression") {
    response
  } else if (length(fit$levels) == 2L) {
    2 * response - 3
  } else {
    ifelse(response == k, 1, -1)
  }
}

# ---- The change ----

# TRUE for each row of data that leaves.
removed_rows <- function(remove, given) {
  if (is.null(remove)) {
    return(logical(given))
  }
  fail <- function(...) abort_input(sprintf(...), "remove")
  if (is.object(remove) || !is.null(dim(remove)) || !(is.numeric(remove) || is.logical(remove))) {
    fail("`remove` is %s, but must be numbers of rows of `data`, or TRUE and FALSE for each.",
         show_value(remove))
  }
  if (anyNA(remove)) fail("`remove` has NA at position %d.", which(is.na(remove))[1L])
  if (is.logical(remove)) {
    if (length(remove) != given) {
      fail("`remove` has length %d, but `data` has %s; give TRUE or FALSE for each.",
           length(remove), count(given, "row"))
    }
    return(as.vector(remove))
  }
  wrong <- which(remove < 1 | remove > given | remove != round(remove))
  if (length(wrong) > 0L) {
    fail("`remove` has %s at position %d, but must be numbers of rows from 1 to %d.",
         format(remove[wrong[1L]]), wrong[1L], given)
  }
  seq_len(given) %in% remove
}

# The response of the fit with new labels: codes of classes, or numbers.
relabelled_response <- function(fit, relabel, given, at) {
  old <- response_codes(fit, fit$response, "relabel")
  if (is.null(relabel)) {
    return(old)
  }
  if (!is.atomic(relabel) || !is.null(dim(relabel)) || length(relabel) != given) {
    abort_input(sprintf(
      "`relabel` is %s, but must be a vector of %d: a label for each row of `data`, NA to keep it.",
      show_value(relabel), given
    ), "relabel")
  }
  relabel <- relabel[at]
  new <- !is.na(relabel)
  old[new] <- response_codes(fit, relabel[new], "relabel")
  old
}

# Labels as codes of the fit's levels, or as numbers in its unit.
response_codes <- function(fit, labels, arg) {
  if (fit$task == "regression") {
    if (!is.numeric(labels) || any(!is.finite(labels))) {
      abort_input(sprintf("`%s` has responses that are no finite numbers.", arg), arg)
    }
    return(as.vector(unname(labels)) / unit_of(fit))
  }
  codes <- match(as.character(labels), fit$levels)
  if (anyNA(codes)) {
    abort_input(sprintf("`%s` has the label \"%s\", but the fit has %s.", arg,
                        as.character(labels)[is.na(codes)][1L], quote_list(fit$levels)), arg)
  }
  codes
}

changed_weights <- function(fit, weights, given, at) {
  if (is.null(weights)) {
    return(unname(fit$weights))
  }
  as.vector(assert_weights(weights, given, rows = "data"))[at]
}

# x, response and weights of rows that come.
added_rows <- function(fit, add) {
  if (is.null(add)) {
    return(NULL)
  }
  fail <- function(...) abort_input(sprintf(...), "add")
  formula <- identical(fit$interface, "formula")
  parts <- if (formula && is.data.frame(add)) list(data = add) else add
  wanted <- if (formula) "data" else c("x", "y")
  if (!is.list(parts) || is.data.frame(parts) || !all(wanted %in% names(parts)) ||
        !all(names(parts) %in% c(wanted, "weights"))) {
    fail("`add` is %s, but must be %s.", show_value(add),
         if (formula) "a data frame with the response, or a list of `data` and `weights`" else
           "a list of `x` and `y`, and of `weights` if they are not 1")
  }
  as_add <- function(value) {
    tryCatch(value, dualmargin_input_error = function(condition) {
      fail("`add` has rows that do not fit: %s", conditionMessage(condition))
    })
  }
  rows <- parts[[wanted[1L]]]
  design <- as_add(design_newdata(fit, rows))
  n <- nrow(design$x)
  if (length(design$na_rows) > 0L) {
    fail("`add` has a missing or infinite entry in row %d.", design$na_rows[1L])
  }
  labels <- if (formula) observed_response(fit, rows) else as_add(plain_labels(parts$y))
  if (length(labels) != n) {
    fail("`add` has %s, but %s; give one for each.", count(n, "row"),
         if (formula && is.null(labels)) "no response" else count(length(labels), "label"))
  }
  weights <- parts$weights
  if (is.null(weights)) weights <- rep(1, n)
  if (!is.numeric(weights) || is.object(weights) || length(weights) != n ||
        any(!is.finite(weights) | weights < 0)) {
    fail("`add` has weights that are no %s, finite and not negative.", count(n, "number"))
  }
  list(x = design$x, response = response_codes(fit, labels, "add"), weights = as.vector(weights))
}

# What a person reads of a change of the rows.

new_sensitivity <- function(fit, found, change, sets, groups, new, rule) {
  grouped <- !is.null(groups)
  tables <- lapply(found, function(one) changed_table(fit, one$ends, new))
  table <- do.call(rbind, unname(tables))
  if (grouped) {
    group <- factor(rep(names(sets), each = length(new$row)), levels = names(sets))
    table <- cbind(group = group, table)
  }
  rownames(table) <- NULL
  old <- response_codes(fit, fit$response, "relabel")
  weight <- unname(fit$weights)
  numbers <- lapply(seq_along(found), function(k) {
    out <- found[[k]]$out
    counts <- data.frame(
      removed = sum(out & weight > 0), relabelled = sum(!out & change$response != old),
      reweighted = sum(!out & change$weights != weight), added = length(change$added$weights)
    )
    counts <- cbind(counts, changed_counts(fit, tables[[k]]), solved = found[[k]]$solved)
    if (grouped) cbind(group = names(sets)[k], counts) else counts
  })
  new_object(list(
    rows = table, summary = do.call(rbind, numbers), levels = fit$levels, task = fit$task,
    loss = fit$settings$loss, lambda = fit$settings$lambda, rule = rule, grouped = grouped,
    fitted = length(weight), certificate = worst_certificate(fit$certificate),
    balanced = is_balanced(fit)
  ), "margin_sensitivity")
}

changed_table <- function(fit, ends, new) {
  lose <- function(values) {
    if (is.matrix(values)) values[new$na_rows, ] <- NA else values[new$na_rows] <- NA
    values
  }
  score <- lose(new$score)
  found <- list(lower = lose(bind_ends(ends, 1L)), upper = lose(bind_ends(ends, 2L)))
  # of one problem of all classes each is compared with another, as of two classes
  table <- present(fit, score, found, "response", joint = FALSE)
  rownames(table) <- NULL
  if (fit$task != "regression") {
    fitted <- as_response(fit, unname(class_of_scores(score)))
    table$flips <- ifelse(table$decided, table$class != fitted, NA)
  }
  cbind(row = new$row, table)
}

changed_counts <- function(fit, table) {
  lower <- as.matrix(table[grep("^lower", names(table))])
  upper <- as.matrix(table[grep("^upper", names(table))])
  known <- !is.na(lower[, 1L])
  width <- (upper - lower)[known, ]
  # nothing is open of what all others are compared with
  if (is_joint(fit)) {
    scores <- as.matrix(table[grep("^score_", names(table))])
    width <- width[scores[known, ] != 0]
  }
  half <- if (length(width) > 0L) stats::median(unname(width)) / 2 else 0
  if (fit$task == "regression") {
    return(data.frame(predicted = sum(known), half_width = half))
  }
  data.frame(predicted = sum(known), same = sum(!table$flips[known], na.rm = TRUE),
             flipped = sum(table$flips[known], na.rm = TRUE), open = sum(is.na(table$flips[known])),
             half_width = half)
}

#' @exportS3Method
as.data.frame.margin_sensitivity <- as.data.frame.margin_flips

#' @exportS3Method
tidy.margin_sensitivity <- tidy.margin_flips

#' @exportS3Method
glance.margin_sensitivity <- glance.margin_flips

#' @exportS3Method
summary.margin_sensitivity <- summary.margin_flips

#' @exportS3Method
print.margin_sensitivity <- function(x, digits = 3L, ...) {
  assert_no_extra("print()", ...)
  s <- x$summary
  cat(fold_lines(sprintf(
    "<margin_sensitivity> %s, rule \"%s\", %s loss, lambda = %s", describe_change(x), x$rule,
    format(x$loss), format(x$lambda, digits = digits)
  )), sep = "\n")
  of_all <- function(n) {
    sprintf("%s of %s", grouped(n), count(s$predicted[1L], "prediction"))
  }
  lines <- if (x$task == "regression") {
    c("half-width" = sprintf("%s (median%s)", format(max(s$half_width), digits = digits),
                             if (x$grouped) ", of the group where it is largest" else ""))
  } else if (x$grouped) {
    worst <- which.max(s$open + s$flipped)
    untouched <- rowsum(as.integer(!is.na(x$rows$flips) & !x$rows$flips), x$rows$row) == nrow(s)
    c("same class" = paste(of_all(sum(untouched)), "whichever group is removed"),
      "most touched" = sprintf(
        "by group %s: %s certainly another class, %s open", s$group[worst],
        grouped(s$flipped[worst]), grouped(s$open[worst])
      ))
  } else {
    c("same class" = of_all(s$same), "another class" = of_all(s$flipped), "open" = of_all(s$open))
  }
  cat(key_lines(lines), sep = "\n")
  cat(fold_lines(c("These statements concern the exact optimum of the changed problem.",
                   open_because(s))),
      describe_held(x, digits), sep = "\n")
  invisible(x)
}

# What stays open, where something does.
open_because <- function(s) {
  open <- s$open > 0
  if (!any(open)) {
    return(NULL)
  }
  paste("Open is what stays undecided, not what changes",
        if (all(s$solved[open])) "; the changed problem is solved as far as rounding allows." else
          ": the bounds of the fit alone leave it; refits = Inf solves the changed problem.", sep = "")
}

describe_change <- function(x) {
  s <- x$summary
  if (x$grouped) {
    return(sprintf("%s, each removed in turn", count(nrow(s), "group")))
  }
  parts <- c(removed = s$removed, relabelled = s$relabelled, reweighted = s$reweighted,
             added = s$added)
  parts <- parts[parts > 0L]
  if (length(parts) == 0L) {
    return("no change")
  }
  counted <- c(count(parts[[1L]], "row"), grouped(parts[-1L], trim = TRUE))
  paste(counted, names(parts), collapse = ", ")
}

#' @exportS3Method
plot.margin_sensitivity <- function(x, ...) {
  assert_plot_arguments("plot()", ...)
  if (x$task != "regression" && length(x$levels) > 2L) {
    abort_input(paste("`x` has several classes, whose decision values are not drawn;",
                      "as.data.frame(x) has every row."), "x")
  }
  table <- x$rows[!is.na(x$rows$score), ]
  if (nrow(table) == 0L) {
    abort_input("`x` has no prediction to draw; give `newdata` rows without missing values.", "x")
  }
  if (x$grouped && x$task != "regression") {
    return(plot_groups(x, ...))
  }
  table <- table[order(table$score), ]
  span <- range(table$score, pmin(pmax(c(table$lower, table$upper), 3 * min(table$score, -1)),
                                  3 * max(table$score, 1)))
  within <- function(v) pmin(pmax(v, span[1L]), span[2L])
  theirs <- list(...)
  draw(graphics::plot, list(
    x = table$score, y = table$score, type = "n", ylim = span,
    xlab = "decision value of the fit", ylab = "after the change", main = describe_changed(x, table)
  ), theirs[names(theirs) != "col"])
  graphics::abline(0, 1, col = "grey70")
  if (x$task != "regression") graphics::abline(h = 0, v = 0, lty = 2, col = "grey40")
  state <- if (x$task == "regression") rep("same", nrow(table)) else
    ifelse(is.na(table$flips), "open", ifelse(table$flips, "flipped", "same"))
  colours <- margin_colours(2L, theirs[["col"]])
  colours <- c(same = grDevices::adjustcolor("grey40", 0.5), open = colours[2L],
               flipped = colours[1L])
  # what flips hides behind nothing
  for (one in names(colours)) {
    of <- table[state == one, ]
    low <- within(of$lower)
    high <- within(of$upper)
    graphics::segments(of$score, low, of$score, high, col = colours[[one]])
    graphics::points(of$score, (low + high) / 2, col = colours[[one]],
                     pch = c(same = 20L, open = 1L, flipped = 19L)[[one]],
                     cex = if (one == "same") 0.5 else 0.9)
  }
  invisible(table)
}

# The change and what it does: as print() has it where nothing is open.
describe_changed <- function(x, table) {
  if (x$task == "regression") {
    return(describe_change(x))
  }
  open <- sum(is.na(table$flips))
  touched <- open + sum(table$flips, na.rm = TRUE)
  sprintf("%s: %s class", describe_change(x),
          if (open > 0L) paste(count(touched, "prediction"), "could change") else
            changed_predictions(touched))
}

# How many predictions the removal of each group could touch, the most first.
plot_groups <- function(x, ...) {
  s <- x$summary
  s <- s[order(s$open + s$flipped, decreasing = TRUE), ]
  shown <- utils::head(s, 30L)
  colours <- margin_colours(2L)
  names <- shorten(shown$group, 12L)
  # the names stand upright below the axis, and the title of the axis below them
  lines <- max(graphics::strwidth(names, "inches")) / graphics::par("csi") + 1
  old <- graphics::par(mar = c(lines + 2, 4.2, 2.5, 1) + 0.1)
  on.exit(graphics::par(old))
  draw(graphics::barplot, list(
    height = rbind(shown$flipped, shown$open), names.arg = names, las = 2,
    col = c(colours[1L], "grey75"), border = NA, ylab = "predictions",
    main = "certainly another class (coloured), open (grey)"
  ), list(...))
  graphics::mtext("group removed", 1L, line = lines + 0.8)
  invisible(s)
}
