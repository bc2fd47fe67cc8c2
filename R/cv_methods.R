# What to do with a cross-validation: read it, choose, fit what was chosen.

#' Read a cross-validation
#'
#' Choose a setting from a cross-validation by its best mean score or by the one-standard-error
#' rule, take or make the fit of it to all rows, and predict with that fit.
#'
#' @param object,x A result of [margin_cv()].
#' @param rule `NULL`, in `summary()`: all settings. `"best"`: the best mean score. `"one_se"`: of
#'   the settings that differ from that one
#'   in `lambda` only (or, where the grid has none, `cost`, `radius`, `rate`, `nu` or `sigma`), the
#'   most regularised whose mean score is within one standard error of the best: the largest
#'   `lambda`, `radius` or `rate`, the smallest `cost` or `sigma`.
#' @param metric Name of one of the metrics; the first if `NULL`.
#' @param data For `refit()`: data in the place of those of the call, a data frame for a formula;
#'   else give `x` and `y` by name in `...`.
#' @param ... For `refit()`: arguments of the family's function to add or change; else nothing.
#' @return `summary()`, `tidy()`: a data frame with a row per setting: `setting` (its number), the
#'   setting, `mean`, `std.error`, `n` (scores), `certified` (share of its fits), `relative_gap` (the
#'   worst) and `seconds`. `summary()` with a `rule`: of the setting that it chooses alone, without
#'   the seconds.
#'   `refit()`: the fit of that setting to all rows, as the family's function makes it, see below.
#'   `predict()` and `coef()`: the predictions and the coefficients of that fit.
#'   `print()` says where a number of the best setting is the smallest or largest that was tried,
#'   and no inner value does as well: a better one may lie beyond, so extend the grid.
#' @section The fit that is kept:
#' A cross-validation holds one fit: that of the best setting by the first metric, made once on all
#' rows when the search ended. `refit()`, `predict()` and `coef()` without `rule`, `metric` and
#' changes are of it. They give the same each time and draw no random numbers, wherever the result
#' was made or read from a file, whatever the names in its call mean by now. Like any fit it holds
#' some numbers for each row and never the columns; a kernel fit holds its support vectors.
#'
#' Another `rule` or `metric` may choose another setting. Then `refit()`, `predict()` and `coef()`
#' make the fit of that, each anew: keep the value of `refit()` to ask it more than once. They look
#' up the rows by the names in the call, where they are called from, and hold them against a
#' checksum: data that are gone or have changed are an error. So they do where `...` changes
#' arguments; the others are the values that the search was given. With `data` (or `x` and `y`)
#' `refit()` fits other rows.
#' @section Standard error:
#' The standard deviation of the scores of all folds, divided by the square root of the number of
#' folds of one repetition. Scores share training rows, so it is a yardstick and no test; for tests
#' see [margin_compare()].
#' @section Errors:
#' Of class `dualmargin_input_error`: an unknown rule or metric, `"one_se"` without a number to
#' order settings by, data that are no longer found or no longer those of the search.
#' @references
#' Breiman L, Friedman J, Stone CJ, Olshen RA (1984). *Classification and Regression Trees*,
#' section 3.4.3. Wadsworth.
#' @examples
#' some <- spambase[seq(1, nrow(spambase), by = 20), ]
#' cv <- margin_cv(type ~ ., data = some, grid = list(lambda = 10^-(1:4)), folds = 5, seed = 1)
#' summary(cv)
#' summary(cv, rule = "best")
#' refit(cv)
#' refit(cv, rule = "one_se")
#' new <- spambase[seq(2, nrow(spambase), by = 20), ]
#' mean(predict(cv, new) == new$type)
#' @export
summary.margin_cv <- function(object, rule = NULL, metric = NULL, ...) {
  assert_no_extra("summary()", ...)
  assert_cv(object, "object")
  if (!is.null(rule)) {
    return(chosen_setting(object, rule, metric))
  }
  in_milliseconds(cv_table(object, cv_metric(object, metric)))
}

# A row: the setting that the rule chooses.
chosen_setting <- function(cv, rule = "best", metric = NULL) {
  rule <- one_of(rule, c("best", "one_se"), "rule", rule_aliases)
  metric <- cv_metric(cv, metric)
  table <- cv_table(cv, metric)
  better <- if (metric$maximize) table$mean else -table$mean
  if (all(is.na(better))) {
    abort_input(sprintf("`metric` \"%s\" has no value for any setting; use another.", metric$name),
                "metric")
  }
  best <- which.max(better)
  if (rule == "one_se") best <- simplest_near(cv, table, better, best)
  columns <- cbind(table["setting"], cv$settings,
                   table[c("mean", "std.error", "n", "certified", "relative_gap")])
  without_row_names(columns[best, , drop = FALSE])
}

# +1: the larger the number, the simpler the model.
simplicity <- c(lambda = 1, cost = -1, radius = 1, rate = 1, nu = 1, sigma = -1)

simplicity_column <- function(cv) {
  intersect(names(simplicity), names(Filter(is.numeric, cv$settings)))[1L]
}

simplest_near <- function(cv, table, better, best) {
  along <- simplicity_column(cv)
  if (is.na(along)) {
    abort_input(sprintf("`rule` is \"one_se\", which needs one of %s in the grid; use \"best\".",
                        quote_list(names(simplicity))), "rule")
  }
  keys <- setting_keys(cv$settings[setdiff(names(cv$settings), along)])
  spread <- table$std.error[best]
  near <- keys == keys[best] & better >= better[best] - if (is.na(spread)) 0 else spread
  near <- which(near)
  near[which.max(simplicity[[along]] * cv$settings[[along]][near])]
}

cv_metric <- function(cv, metric) {
  if (is.null(metric)) {
    return(cv$metrics[[1L]])
  }
  assert_choice(metric, names(cv$metrics), "metric")
  cv$metrics[[metric]]
}

# A sentence for each number of which the best setting has the first or the last value that was
# tried, beside others that differ in nothing else: the best may lie beyond. Not where an inner
# value does as well, and not at an end that is none of the grid's: 0, or a mixture of 1.
edge_sentences <- function(cv, metric, table) {
  better <- if (metric$maximize) table$mean else -table$mean
  if (all(is.na(better))) {
    return(character())
  }
  best <- which.max(better)
  numbers <- names(Filter(is.numeric, cv$settings))
  sentences <- lapply(numbers, function(name) {
    keys <- setting_keys(cv$settings[setdiff(names(cv$settings), name)])
    rivals <- keys == keys[best]
    values <- cv$settings[[name]]
    own <- values[best]
    ends <- range(values[rivals])
    inner <- rivals & values > ends[1L] & values < ends[2L]
    natural <- own == 0 || (name == "mixture" && own == 1)
    if (!any(inner) || !own %in% ends || natural || isTRUE(max(better[inner]) >= better[best])) {
      return(NULL)
    }
    sprintf("The best %s, %s, is the %s that was tried: extend the grid.", name,
            format(own, digits = 3L), if (own == ends[1L]) "smallest" else "largest")
  })
  unlist(sentences)
}

# A row per setting.
cv_table <- function(cv, metric) {
  results <- cv$results
  column <- if (metric$name == names(cv$metrics)[1L]) "score" else metric$name
  folds <- length(unique(paste(results$repetition, results$fold))) /
    length(unique(results$repetition))
  rows <- lapply(split(results, results$setting), function(rows) {
    score <- rows[[column]][!is.na(rows[[column]])]
    data.frame(mean = mean(score), std.error = stats::sd(score) / sqrt(folds), n = length(score),
               certified = mean(rows$certified), relative_gap = max(rows$relative_gap),
               seconds = sum(rows$seconds))
  })
  labels <- setting_labels(cv$settings)
  table <- cbind(setting = seq_len(nrow(labels)), labels, do.call(rbind, rows))
  without_row_names(table)
}

#' @rdname summary.margin_cv
#' @export
refit.margin_cv <- function(object, rule = c("best", "one_se"), metric = NULL, data = NULL, ...) {
  changes <- as.list(match.call(expand.dots = FALSE)$...)
  if (!is.null(data)) changes$data <- substitute(data)
  refit_setting(object, rule, metric, changes, parent.frame())
}

# where: where the data of the call are looked up, if the fit that is kept is not the one.
refit_setting <- function(object, rule, metric, changes, where) {
  assert_cv(object, "object")
  best <- chosen_setting(object, rule, metric)
  kept <- length(changes) == 0L && !is.null(object$fit) &&
    identical(object$problem$setting, best$setting)
  fit <- if (kept) object$fit else
    fit_of_search(object, object$family, setting_arguments(object$settings, best$setting), changes,
                  where)
  marked_by_search(fit, object, rule, metric, changes)
}

marked_by_search <- function(fit, cv, rule, metric, changes) {
  several <- vapply(cv$settings, function(column) length(unique(column)) > 1L, NA)
  search <- list(settings = cv$settings, metric = cv_metric(cv, metric),
                 rule = one_of(rule, c("best", "one_se"), "rule", rule_aliases),
                 folds = length(unique(vapply(cv$folds, `[[`, 0, "fold"))))
  marked_tuned(fit, names(cv$settings)[several], changes, search)
}

# What chose the settings `tuned` has seen the rows: margin_conformal() must know. Not of those that
# are given; what is no argument is part of a kernel or a perturbation. search: how it was chosen,
# where that can be done again on some of the rows.
marked_tuned <- function(fit, tuned, changes, search = NULL) {
  given <- names(changes)
  if (any(c("lambda", "cost") %in% given)) given <- c(given, "lambda", "cost")
  if (any(c("kernel", "perturbation") %in% given)) {
    given <- c(given, setdiff(tuned, family_arguments(family_name(fit))))
  }
  fit$tuned <- if (length(setdiff(tuned, given)) > 0L) setdiff(tuned, given)
  fit$search <- if (!is.null(fit$tuned)) search
  fit
}

#' @importFrom generics refit
#' @export
generics::refit

#' @rdname summary.margin_cv
#' @param newdata,type As for [predict.margin_fit()]; without `newdata` the training rows.
#' @export
predict.margin_cv <- function(object, newdata, rule = c("best", "one_se"), metric = NULL,
                              type = NULL, ...) {
  assert_no_extra("predict()", ...)
  fit <- refit_setting(object, rule, metric, list(), parent.frame())
  arguments <- list(fit)
  if (!missing(newdata)) arguments$newdata <- newdata
  if (!is.null(type)) arguments$type <- type
  do.call(stats::predict, arguments, quote = TRUE)
}

#' @rdname summary.margin_cv
#' @export
coef.margin_cv <- function(object, rule = c("best", "one_se"), metric = NULL, ...) {
  assert_no_extra("coef()", ...)
  stats::coef(refit_setting(object, rule, metric, list(), parent.frame()))
}

# The clock of a run says no more; tidy() keeps what was measured.
in_milliseconds <- function(table) {
  table$seconds <- round(table$seconds, 3L)
  table
}

#' @rdname summary.margin_cv
#' @export
tidy.margin_cv <- function(x, metric = NULL, ...) {
  assert_no_extra("tidy()", ...)
  assert_cv(x, "x")
  as_tibble_if_installed(cv_table(x, cv_metric(x, metric)))
}

#' @rdname summary.margin_cv
#' @param digits Significant digits.
#' @param top How many settings to print, the best of them.
#' @export
print.margin_cv <- function(x, digits = max(3L, getOption("digits") - 3L), top = 8L, ...) {
  assert_no_extra("print()", ...)
  assert_cv(x, "x")
  assert_number(top, "top", lower = 0, whole = TRUE)
  metric <- x$metrics[[1L]]
  table <- cv_table(x, metric)
  results <- x$results
  cat(sprintf("<margin_cv> %s family, %s on %s\n", x$family, count(nrow(table), "setting"),
              count(x$nobs, "row")))
  repetitions <- length(unique(results$repetition))
  cat(sprintf("%s%s; mean %s, %s is better\n",
              if (repetitions > 1L) sprintf("%d repetitions, in all ", repetitions) else "",
              count(length(x$folds), "fold"), metric$name, if (metric$maximize) "higher" else "lower"))
  order <- order(if (metric$maximize) -table$mean else table$mean)
  shown <- utils::head(order, top)
  print(table[shown, setdiff(names(table), "seconds")], digits = digits, row.names = FALSE)
  if (length(order) > length(shown)) {
    cat(sprintf("and %s; see summary().\n", count(length(order) - length(shown), "more setting")))
  }
  edges <- edge_sentences(x, metric, table)
  if (length(edges) > 0L) cat(strwrap(edges, 80L, exdent = 2L), sep = "\n")
  absent <- sum(is.na(results$score))
  if (absent > 0L) {
    cat(sprintf("%s of %d scores cannot be had and are left out of the means, see n.\n", absent,
                nrow(results)))
  }
  if (!is_certified(x$fit)) {
    cat(sprintf("NOT certified: the fit of setting %d to all rows, relative gap %s.\n",
                x$problem$setting, format(max(x$fit$certificate$relative_gap), digits = 3)))
  }
  missed <- sum(!results$certified)
  cat(if (missed == 0L) sprintf("All %d fits are certified.\n", nrow(results)) else
    sprintf("NOT certified: %d of %d fits, relative gap up to %s.\n", missed, nrow(results),
            format(max(results$relative_gap), digits = 3)))
  invisible(x)
}
