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
#' @param data For `refit()`: data instead of those of the call, a data frame for a formula;
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
  repetitions <- length(unique(results$repetition))
  rows <- lapply(split(results, results$setting), function(rows) {
    score <- rows[[column]][!is.na(rows[[column]])]
    data.frame(mean = mean(score), std.error = stats::sd(score) / sqrt(length(score) / repetitions),
               n = length(score),
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
  if (length(edges) > 0L) cat(strwrap(edges, line_width(), exdent = 2L), sep = "\n")
  absent <- sum(is.na(results$score))
  if (absent > 0L) {
    cat(sprintf("%s of %d scores cannot be had and are left out of the means, see n.\n", absent,
                nrow(results)))
  }
  if (!is_certified(x$fit)) {
    cat(sprintf("NOT certified: the fit of setting %d to all rows, relative gap %s.\n",
                x$problem$setting,
                format(worst_certificate(x$fit$certificate)$relative_gap, digits = 3)))
  }
  missed <- sum(!results$certified)
  cat(if (missed == 0L) sprintf("All %d fits are certified.\n", nrow(results)) else
    sprintf("NOT certified: %d of %d fits, relative gap up to %s.\n", missed, nrow(results),
            format(worst_certificate(results)$relative_gap, digits = 3)))
  invisible(x)
}

#' Plot of a cross-validation
#'
#' Plots the mean score of every setting, with one standard error to each side, against the first
#' number that varies in the grid. There is a line for each combination of the others; a grid
#' without numbers has its settings side by side. Axes of `lambda`, `cost`, `sigma` and `radius` are
#' logarithmic; `lambda`, `radius` and `rate` fall to the right, as in [plot.margin_path()].
#' Vertical lines mark the best setting (a circle) and that of the one-standard-error rule (a
#' square), see [`summary()`][summary.margin_cv]; the lines above the frame say all that they set. A cross is a
#' setting of which a fit is not certified.
#'
#' @param x A result of [margin_cv()].
#' @param metric Name of one of its metrics; the first if `NULL`.
#' @param along The column of numbers to draw against; the first that varies if `NULL`.
#' @param top How many lines have a colour and a name, those with the best scores; the others are
#'   grey.
#' @param ... Graphical parameters by name: `main`, `sub`, `xlab`, `ylab`, `xlim`, `ylim` (in values
#'   of the axis), `col`, `las`, `bty`, `family`, and `cex.`, `col.` and `font.` of `main`, `sub`,
#'   `lab` and `axis`; any other argument is an error.
#' @return The numbers that were drawn, [summary()] of `x`, invisibly.
#' @section Errors:
#' Of class `dualmargin_input_error`: an unknown metric, a column that does not vary or is no
#' number, a metric without a value.
#' @examples
#' some <- spambase[seq(1, nrow(spambase), by = 10), ]
#' cv <- margin_cv(type ~ ., data = some, loss = "logistic", metric = "log_loss", folds = 5,
#'                 grid = list(lambda = 10^-(1:5), mixture = c(0, 0.5)), seed = 1)
#' plot(cv)
#' @export
plot.margin_cv <- function(x, metric = NULL, along = NULL, top = 8L, ...) {
  assert_plot_arguments("plot()", ...)
  assert_cv(x, "x")
  metric <- cv_metric(x, metric)
  assert_number(top, "top", lower = 0, whole = TRUE)
  best <- chosen_setting(x, "best", metric$name)$setting
  # only some columns have a simpler end
  simple <- if (is.na(simplicity_column(x))) NA else
    chosen_setting(x, "one_se", metric$name)$setting
  table <- cv_table(x, metric)
  axis <- cv_axis(x, along)
  series <- cv_series(x, axis$column)
  draw_cv(table, axis, series, marks = c(best = best, simple = simple), metric, cv_ylab(metric),
          top, sprintf("Mean over %s, with one standard error", count(length(x$folds), "fold")),
          marked_settings(x, best, simple), list(...))
  invisible(in_milliseconds(table))
}

draw_cv <- function(table, axis, series, marks, metric, ylab, top, main, marked, theirs) {
  style <- series_style(table, series, metric, top, theirs[["col"]])
  missed <- table$certified < 1
  key <- cv_key(style, any(missed))
  old <- graphics::par(mar = c(4.2, 5.2, 2.7 + 0.9 * length(marked), 1) + 0.1)
  on.exit(graphics::par(old))
  if (!is.null(axis$names)) axis$upright <- make_room_below(axis$names)
  axis$line <- graphics::par("mar")[1L] - 1.3
  if (nrow(key) > 0L) room <- make_legend_room(key$labels)
  low <- table$mean - ifelse(is.na(table$std.error), 0, table$std.error)
  high <- table$mean + ifelse(is.na(table$std.error), 0, table$std.error)
  finite <- is.finite(table$mean)
  draw(graphics::plot, list(
    x = if (is.null(axis$names)) path_limits(axis$at) else c(0.5, length(axis$at) + 0.5),
    y = score_limits(c(low[finite], high[finite])), type = "n", xaxt = "n", las = 1
  ), without_labels(along_axis(theirs, axis), c("main", "xlab", "ylab")))
  draw_setting_axis(axis, theirs)
  for (line in seq_along(marked)) {
    graphics::mtext(marked[line], line = 0.2 + 0.9 * (length(marked) - line), cex = 0.85)
  }
  outer_label(theirs, main = main, line = 0.6 + 0.9 * length(marked))
  outer_label(theirs, ylab = ylab)
  mark_lines(axis, marks)
  # lines that would cover each other's bars stand a little apart
  width <- diff(graphics::par("usr")[1:2])
  shift <- (as.integer(series) - (nlevels(series) + 1) / 2) * min(0.006, 0.04 / nlevels(series))
  at <- axis$at + shift * width
  for (i in rev(order(style$rank))) { # the best on top
    of <- which(as.integer(series) == i & finite)
    of <- of[order(at[of])]
    if (is.null(axis$names)) {
      graphics::lines(at[of], table$mean[of], col = style$col[i], lty = style$lty[i], lwd = 1.5)
    }
    if (style$coloured[i]) {
      graphics::segments(at[of], low[of], at[of], high[of], col = style$col[i], lwd = 1.5)
    }
    graphics::points(at[of], table$mean[of], col = style$col[i], bg = style$col[i],
                     pch = ifelse(missed[of], 4L, style$pch[i]), cex = ifelse(missed[of], 1.4, 0.9),
                     lwd = ifelse(missed[of], 2, 1))
  }
  ringed <- unique(marks[!is.na(marks)])
  graphics::points(at[ringed], table$mean[ringed], cex = 2.2, lwd = 1.5,
                   pch = mark_rings[seq_along(ringed)])
  if (nrow(key) > 0L) {
    side_legend(room, key$labels, col = key$col, pch = key$pch, lty = key$lty, pt.bg = key$col,
                lwd = key$lwd)
  }
}

# The best setting and the one within a standard error of it: a circle and a square.
mark_rings <- c(1L, 0L)
mark_types <- c(2L, 3L)

# Equal scores get a window around them.
score_limits <- function(scores) {
  limits <- range(scores)
  if (limits[1L] < limits[2L]) limits else limits + c(-1, 1) * max(0.02 * abs(limits[1L]), 1e-3)
}

# Lines in the order of their best mean; the first `top` have a colour.
series_style <- function(table, series, metric, top, given = NULL) {
  better <- if (metric$maximize) table$mean else -table$mean
  reach <- vapply(split(better, series), function(values) max(values, -Inf, na.rm = TRUE), 0)
  rank <- rank(-reach, ties.method = "first")
  coloured <- rank <= top
  k <- cumsum(coloured)
  data.frame(name = levels(series), rank = rank, coloured = coloured,
             col = ifelse(coloured, margin_colours(max(k, 1L), given)[pmax(k, 1L)], "grey80"),
             pch = ifelse(coloured, (21:25)[(k - 1L) %% 5L + 1L], 16L),
             lty = ifelse(coloured, 1L + pmax(k - 1L, 0L) %/% 8L, 1L))
}

# The best setting and that of the rule with all that varies, above the frame: a line each.
marked_settings <- function(cv, best, simple) {
  columns <- varying_columns(cv)
  if (length(columns) == 0L) {
    return(character())
  }
  names <- shorten(name_combinations(cv, columns), 70L)
  if (is.na(simple)) paste("best (circle):", names[best]) else
    if (simple == best) paste("best and one s.e. (circle):", names[best]) else
    c(paste("best (circle):", names[best]), paste("one s.e. (square):", names[simple]))
}

cv_key <- function(style, missed) {
  of <- style[style$coloured & nlevels(factor(style$name)) > 1L, ]
  others <- nrow(style) > 1L && !all(style$coloured)
  data.frame(
    labels = c(shorten(of$name, 24L), if (others) "the others", if (missed) "not certified"),
    col = c(of$col, if (others) "grey80", if (missed) "black"),
    pch = c(of$pch, if (others) 16L, if (missed) 4L),
    lty = c(of$lty, if (others) 1L, if (missed) NA),
    lwd = c(rep(1.5, nrow(of)), if (others) 1.5, if (missed) 2)
  )
}

mark_lines <- function(axis, marks) {
  graphics::abline(v = axis$at[marks[["best"]]], lty = mark_types[1L], col = "grey30", lwd = 1.5)
  if (!is.na(marks[["simple"]]) && marks[["simple"]] != marks[["best"]]) {
    graphics::abline(v = axis$at[marks[["simple"]]], lty = mark_types[2L], col = "grey30",
                     lwd = 1.5)
  }
}

# Names that do not fit side by side stand upright; do they?
make_room_below <- function(names) {
  size <- max(graphics::strwidth(names, units = "inches", cex = 0.85))
  upright <- length(names) * (size + 0.1) > 0.8 * graphics::par("pin")[1L]
  if (upright) graphics::par(mai = replace(graphics::par("mai"), 1L, size + 0.5))
  upright
}

draw_setting_axis <- function(axis, theirs) {
  if (is.null(axis$names)) {
    axis$draw()
    return(outer_label(theirs, xlab = axis$label, line = 2.8))
  }
  graphics::axis(1, at = axis$at, labels = axis$names, cex.axis = 0.85,
                 las = if (axis$upright) 2 else 1)
  outer_label(theirs, xlab = axis$label, line = axis$line)
}

# The axes of the plot of a cross-validation, and which settings make a line.

log_columns <- c("lambda", "cost", "sigma", "radius")

column_units <- c(
  lambda = "lambda", cost = "cost", radius = "radius (unit of the columns)",
  sigma = "sigma of the kernel (per squared unit of the columns)",
  rate = "rate (strength of the perturbation)", mixture = "mixture (share of the l1 norm)",
  nystrom = "nystrom (landmarks)"
)

# Radius and sigma are in the unit of the columns that the fit saw; scaled: NA where they differ.
column_label <- function(name, scaled) {
  label <- if (name %in% names(column_units)) column_units[[name]] else name
  if (isTRUE(scaled)) sub("unit of the columns", "unit of the scaled columns", label) else label
}

# A metric in words; abbreviations are written as such.
metric_label <- function(name) {
  if (name %in% c("auroc", "auprc", "mse", "rmse", "mae")) toupper(name) else gsub("_", " ", name)
}

metric_units <- c(
  accuracy = "share of rows", balanced_accuracy = "share of rows, mean over classes",
  auroc = "area", log_loss = "nats", mse = "squared unit of the response",
  mae = "unit of the response"
)

cv_ylab <- function(metric) {
  unit <- metric_units[metric$name]
  sprintf("%s%s, %s is better", metric_label(metric$name),
          if (is.na(unit)) "" else sprintf(" (%s)", unit),
          if (metric$maximize) "higher" else "lower")
}

varying_columns <- function(cv) {
  names(cv$settings)[vapply(cv$settings, function(values) length(unique(values)) > 1L, NA)]
}

# Where the settings stand, and the axis.
cv_axis <- function(cv, along) {
  numbers <- Filter(function(name) {
    is.numeric(cv$settings[[name]]) && all(is.finite(cv$settings[[name]]))
  }, varying_columns(cv))
  if (!is.null(along)) {
    if (length(numbers) == 0L) {
      abort_input(sprintf(
        "`along` is %s, but no column of numbers varies in the grid; leave it out.",
        show_value(along)
      ), "along")
    }
    assert_choice(along, numbers, "along")
  } else if (length(numbers) == 0L) {
    return(side_by_side(cv))
  }
  column <- if (is.null(along)) numbers[1L] else along
  values <- cv$settings[[column]]
  label <- column_label(column, cv$scale)
  if (column %in% c("lambda", "radius", "rate")) {
    axis <- falling_axis(values, label, log = column != "rate")
    return(c(list(column = column, at = axis$along), axis[c("label", "draw", "place")]))
  }
  if (!column %in% log_columns || any(values <= 0)) {
    return(list(column = column, at = values, label = label, place = identity,
                draw = function() graphics::axis(1)))
  }
  has_unit <- grepl(")", label, fixed = TRUE)
  list(column = column, at = log10(values), draw = function() log_axis(1), place = log10,
       label = if (has_unit) sub(")", ", log scale)", label, fixed = TRUE) else
         paste(label, "(log scale)"))
}

# Each setting has a place of its own and a name.
side_by_side <- function(cv) {
  columns <- varying_columns(cv)
  labels <- if (length(columns) == 0L) "the one setting" else
    name_combinations(cv, columns, length(columns) > 1L)
  list(column = NULL, at = seq_along(labels), place = identity, names = shorten(labels, 28L),
       label = if (length(columns) == 1L) columns else "")
}

# "sigma 1, mixture 0.5": what each setting has in `columns`.
name_combinations <- function(cv, columns, with_names = TRUE) {
  labels <- setting_labels(cv$settings)[columns]
  parts <- Map(function(name, values) {
    text <- if (is.numeric(values)) vapply(values, format, "", digits = 3L) else
      as.character(values)
    if (with_names) paste(name, text) else text
  }, names(labels), labels)
  do.call(paste, c(unname(parts), sep = ", "))
}

# The line of each setting: a factor, with one level without a name where there is one line only.
cv_series <- function(cv, column) {
  others <- setdiff(varying_columns(cv), column)
  if (is.null(column) || length(others) == 0L) {
    return(factor(rep("", nrow(cv$settings))))
  }
  keys <- setting_keys(cv$settings[others])
  first <- !duplicated(keys)
  factor(keys, keys[first], make.unique(name_combinations(cv, others)[first]))
}
