# margin_performance(): what a fit predicts of given rows, judged by the metrics; with the curves
# that its decision values draw.

#' Performance on given rows
#'
#' @description
#' Measures how well a fit predicts given rows, such as a test set, by the metrics of
#' [metrics]; for classes also the table of observed and predicted classes, and the ROC and
#' precision-recall curves of the decision values over all thresholds. A certificate says
#' how near a fit is to the optimum of its training problem; this says what it predicts.
#' ```r
#' margin_performance(fit, test, metrics = c("accuracy", "auroc"))
#' ```
#'
#' @details
#' With a threshold \eqn{t}, a fit of two classes predicts the second where its decision value (or,
#' with `on = "prob"`, its probability) is at least \eqn{t}; without one \eqn{t} is that of the fit,
#' 0 unless [margin_threshold()] has set another. A threshold chosen on the rows that
#' it is judged by looks better than it is: [margin_threshold()] chooses on others, and says on
#' which. Metrics of decision values and of probabilities, and the curves, do not depend on it.
#'
#' *Curves*: of the rows with weights \eqn{\omega_i} and decision values \eqn{z_i}, at each
#' threshold \eqn{t},
#' \deqn{\mathrm{sensitivity} = \mathrm{recall} = \frac{\sum_{+} \omega_i [z_i \ge t]}{\sum_{+}
#'   \omega_i}, \quad \mathrm{specificity} = \frac{\sum_{-} \omega_i [z_i < t]}{\sum_{-} \omega_i},
#'   \quad \mathrm{precision} = \frac{\sum_{+} \omega_i [z_i \ge t]}{\sum \omega_i [z_i \ge
#'   t]}.}{sensitivity = recall = sum over + of omega_i [z_i >= t] / sum over + of omega_i,
#'   specificity = sum over - of omega_i [z_i < t] / sum over - of omega_i,
#'   precision = sum over + of omega_i [z_i >= t] / sum of omega_i [z_i >= t].}
#' Of more than two classes each has its curves, one-vs-rest.
#'
#' @param fit A fit of one of the families.
#' @param newdata The rows: for a fit from a formula a data frame that holds the response too, else
#'   a matrix or data frame of the features, with `y`.
#' @param metrics Names from [metrics], values of [margin_metric()], or a list of both;
#'   `NULL`: all metrics of the task that the fit allows, those of probabilities only where it has
#'   some, its own loss first (see "The default" in [metrics]).
#' @param y The response of the rows, length n; left out where `newdata` holds it.
#' @param weights `NULL` or a weight for each row, length n, not negative; a row of weight 0 is no
#'   row. `NULL`: 1 for each row, but the rows that were fitted have the weights of the fit, as in
#'   `summary()` (`rep(1, n)` counts each of them once), and rows in a file have their own.
#' @param threshold,on For two classes: `NULL`, the threshold of a fit (`fit$threshold`), or a number, which
#'   is a decision value, with `on = "prob"` a probability of the second class.
#' @param newoffset The offset of the rows, a number a row, of a fit from `x` and `y` with an
#'   offset; a formula finds its own in `newdata`.
#' @param ... Not used; an unknown argument is an error.
#' @return A list of class `"margin_performance"`:
#'   * `metrics`: a data frame with a row per metric: `metric`, `value`, `maximize`; `NA` where the
#'     rows do not tell;
#'   * `confusion`: the weight of the rows by observed and predicted class, a table (classes only);
#'   * `curves`: a list of two data frames (classes only): `roc` with `class` (the positive one),
#'     `threshold`, `sensitivity`, `specificity`, and `pr` with `class`, `threshold`, `recall`,
#'     `precision`; classes without a row, or without another class, have none;
#'   * `coverage`: for a fit of [loss_quantile()] a list of `tau` and `share`, for each the share of
#'     the weight of the rows whose response is at or below the predicted quantile;
#'   * `threshold`: a list of `value`, `on` and `source`, where it comes from in words (two classes
#'     only);
#'   * `n` (rows judged, those of weight 0 not among them), `missing` (rows left out since the
#'     response or the prediction is missing), `fitted` (whether these are the rows that were
#'     fitted: features and response, in any order; `NA` in doubt, where most rows are like others
#'     of them, or only responses and decision values are known to agree, as after `poly()`),
#'     `weighted` (whether a weight is not 1), `task`, `levels`.
#'
#'   `as.data.frame()`: one of these as a data frame. `tidy()`: `metrics`; `glance()`: one row, with
#'   a column for each metric after `nobs`, `missing`, `fitted` and `weighted`. `summary()`: itself. `plot()`: what was
#'   drawn, invisibly.
#' @section Missing values:
#' Rows without a response, and rows whose features have a missing value and therefore no
#' prediction, are left out, counted in `missing` and in print.
#' @section Errors:
#' Of class `dualmargin_input_error`: a metric for the other task or one that needs probabilities of
#' a fit without, a response with a class that the fit does not know, no row left, a threshold for
#' several classes or a regression.
#' @references
#' Fawcett T (2006). An introduction to ROC analysis. *Pattern Recognition Letters* 27, 861-874.
#' \doi{10.1016/j.patrec.2005.10.010}.
#'
#' Saito T, Rehmsmeier M (2015). The precision-recall plot is more informative than the ROC plot
#' when evaluating binary classifiers on imbalanced datasets. *PLoS ONE* 10(3), e0118432.
#' \doi{10.1371/journal.pone.0118432}.
#' @seealso [metrics] for the formulas, [margin_threshold()], [margin_cv()] for the metrics
#'   of cross-validation, [margin_compare()] for tests between models.
#' @examples
#' train <- seq(1, nrow(spambase), by = 10)
#' test <- spambase[-train, ]
#' fit <- margin_linear(type ~ ., data = spambase[train, ], loss = "logistic", lambda = 0.01)
#' judged <- margin_performance(fit, test)
#' judged
#' plot(judged, which = "pr")
#'
#' # with a threshold that the training rows chose
#' chosen <- margin_threshold(fit, spambase[train, ], metric = "f1", seed = 1)$threshold
#' margin_performance(fit, test, c("f1", "precision", "sensitivity"), threshold = chosen)
#' @export
margin_performance <- function(fit, newdata, metrics = NULL, y = NULL, weights = NULL,
                               threshold = NULL, on = c("score", "prob"), ..., newoffset = NULL) {
  assert_no_extra("margin_performance()", ...)
  if (!inherits(fit, "margin_fit")) {
    abort_input(sprintf("`fit` is %s, but must be a fit such as margin_linear() makes.",
                        show_value(fit)), "fit")
  }
  assert_fit(fit, "fit")
  metrics <- performance_metrics(fit, metrics, labelled = fit$task != "one_class" || !is.null(y))
  given <- if (!missing(on)) one_of(on, c("score", "prob"), "on")
  threshold <- as_threshold(threshold, fit, given)
  if (!is.null(threshold)) fit$threshold <- threshold
  rows <- judged_rows(fit, newdata, y, weights, "newdata", newoffset)
  tell_same_rows(threshold, rows$fingerprint)
  read <- function(needs) {
    if (needs == "class" && !is.null(threshold)) {
      return(factor(fit$levels[class_by(fit, rows$score, threshold)], levels = fit$levels))
    }
    read_scores(fit, rows$score, needs)
  }
  values <- judge(metrics, rows$truth, read, rows$weights)
  performance <- list(
    metrics = data.frame(metric = names(metrics), value = unname(values),
                         maximize = vapply(metrics, function(one) one$maximize, NA),
                         row.names = NULL),
    n = length(rows$at), missing = rows$missing, fitted = rows$fitted,
    weighted = any(rows$weights != 1), task = fit$task, levels = fit$levels
  )
  performance$coverage <- coverage_of(fit$settings$loss, rows$truth,
                                      present_scores(fit, rows$score, "response"), rows$weights)
  if (is.factor(rows$truth)) {
    performance$confusion <- as.table(weighted_table(rows$truth, read("class"), rows$weights))
    performance$curves <- performance_curves(rows, read("score"), fit$levels)
    performance$threshold <- threshold[c("value", "on", "source")]
  }
  structure(performance, class = "margin_performance")
}

# All metrics that the fit has what they need for, or those that were named.
performance_metrics <- function(fit, metrics, labelled = TRUE, arg = "metrics") {
  prob <- fit$task == "classification" && has_probabilities(fit)
  losses <- list(fit$settings$loss)
  task <- judged_as(list(task = fit$task, response = if (labelled) TRUE))
  if (is.null(metrics)) {
    first <- family_of(fit)$metric(task, losses, prob)
    known <- known_metrics(losses[[1L]], unit_of(fit))
    of_others <- setdiff(if (has_quantiles(fit)) names(known) else parameter_metrics, first)
    return(Filter(function(metric) metric$task %in% task && (prob || metric$needs != "prob"),
                  known[c(first, setdiff(names(known), c(first, of_others)))]))
  }
  metrics <- as_metrics(metrics, task, arg, losses, unit_of(fit))
  for (metric in metrics) {
    if (metric$needs == "prob" && !prob) {
      abort_input(sprintf(paste(
        "`%s` has \"%s\", which needs probabilities, and this fit has none; calibrate it by",
        "margin_calibrate(), or fit with loss = \"logistic\"."
      ), arg, metric$name), arg)
    }
  }
  metrics
}

# The rows with a response, a score and a weight: their places, truth, scores and weights, and
# whether they are those of the fit. arg: what the caller calls the rows.
judged_rows <- function(fit, newdata, y, weights, arg, newoffset = NULL) {
  if (missing(newdata) || is.null(newdata)) {
    abort_input(sprintf("`%s` is missing; give the rows to judge, a fit does not keep its own.",
                        arg), arg)
  }
  design <- named_as(arg, design_newdata(fit, newdata, on_disk = TRUE))
  scores <- named_as(arg, scores_of_design(fit, design, newoffset))
  truth <- given_response(fit, newdata, y, arg, NROW(scores))
  if (is.null(weights) && is_rows(newdata)) weights <- rows_numbers(newdata)$weights
  weights <- plain_weights(weights)
  if (!is.null(weights)) weights <- as.double(assert_weights(weights, NROW(scores)))
  known <- if (is.null(truth)) TRUE else !is.na(truth)
  compared <- function(at) {
    judged <- list(at = at, truth = truth[at], score = unname_rows(some_scores(scores, at)))
    x <- if (length(at) == NROW(scores)) design$x else take_rows(design$x, at)
    c(judged, compared_with_training(fit, x, judged$truth, judged$score))
  }
  at <- which(known & stats::complete.cases(as.matrix(scores)))
  judged <- compared(at)
  # a weight that is missing leaves a row out of a fit, too
  left <- setdiff(at, fit$na.action)
  if (isFALSE(judged$fitted) && is.null(weights) && length(left) > 0L && length(left) < length(at) &&
      NROW(scores) == NROW(fit$scores) + length(fit$na.action)) {
    fitted <- compared(left)
    if (!isFALSE(fitted$fitted)) judged <- fitted
  }
  at <- judged$at
  judged$weights <- if (!is.null(weights)) weights[at] else if (isFALSE(judged$fitted))
    rep(1, length(at)) else weights_of_training(fit, judged$truth, judged$score)
  judged$missing <- NROW(scores) - length(at)
  with_weight(judged, arg)
}

# A row of weight 0 is none.
with_weight <- function(judged, arg) {
  used <- judged$weights > 0
  if (!any(used)) {
    abort_input(sprintf("`%s` has no row with a response, a prediction and a weight; give some.",
                        arg), arg)
  }
  replaced(judged, list(at = judged$at[used], truth = judged$truth[used],
                        score = some_scores(judged$score, used), weights = judged$weights[used]))
}

# What errors call `known`, as those of prediction their newdata, is called `arg`.
named_as <- function(arg, expression, known = "newdata") {
  if (arg == known) {
    return(expression)
  }
  tryCatch(expression, dualmargin_input_error = function(condition) {
    own <- identical(condition$arg, "newoffset")
    abort_input(gsub(sprintf("`%s\\b", known), paste0("`", arg), conditionMessage(condition)),
                if (own) "newoffset" else arg)
  })
}

# The response of the rows, a factor with the levels of the fit or numbers, NA where it is missing.
given_response <- function(fit, newdata, y, arg, n) {
  if (fit$task == "one_class") {
    return(if (!is.null(y)) {
      oneclass_labels(list(y = y, x = matrix(0, n, 0L), response_name = "y"))$response
    })
  }
  given <- !is.null(y)
  if (!given) {
    y <- observed_response(fit, newdata)
    if (is.null(y)) {
      apart <- !identical(fit$interface, "formula")
      why <- if (apart) "the fit was given one apart from its features" else
        sprintf("`%s` has no \"%s\"", arg, deparse1(stats::formula(fit$terms)[[2L]]))
      abort_input(sprintf("`y` is missing, and %s; give the response of these rows.", why), "y")
    }
  } else if (inherits(y, "soft_labels")) {
    abort_input("`y` holds soft labels; give the classes that were observed.", "y")
  } else {
    y <- plain_labels(y)
  }
  if (length(y) != n) {
    abort_input(sprintf("`y` has length %d, but `%s` has %s; give one label a row.", length(y), arg,
                        count(n, "row")), "y")
  }
  if (fit$task == "regression") {
    if (!is.numeric(y)) {
      abort_input(sprintf("`y` is %s, but this fit is a regression; give numbers.", show_value(y)),
                  "y")
    }
    return(replace(as.double(y), !is.finite(y), NA))
  }
  # as code_numbers() names classes
  if (is.numeric(y) && !is.factor(y)) y <- ifelse(is.na(y), NA, format(y, trim = TRUE, drop0trailing = TRUE))
  labels <- as.character(y)
  unknown <- setdiff(labels, c(fit$levels, NA))
  if (length(unknown) > 0L) {
    abort_input(sprintf("%s the class \"%s\", which the fit has not seen; it knows %s.",
                        if (given) "`y` has" else if (!identical(fit$interface, "formula"))
                          sprintf("`%s` has", arg) else
                            sprintf("`%s` has in `%s`", arg,
                                    response_text(response_name(fit$terms))),
                        unknown[1L], quote_list(fit$levels)), if (given) "y" else arg)
  }
  factor(labels, levels = fit$levels)
}

performance_curves <- function(rows, scores, levels) {
  scores <- as.matrix(scores)
  classes <- if (ncol(scores) == 1L) levels[2L] else levels
  curves <- lapply(seq_along(classes), function(j) {
    positive <- rows$truth == classes[j]
    total <- c(sum(rows$weights[positive]), sum(rows$weights[!positive]))
    if (min(total) == 0) {
      return(NULL)
    }
    points <- operating_points(scores[, j], positive, rows$weights)
    curve <- precision_recall(points)
    list(roc = data.frame(class = classes[j], threshold = points$threshold,
                          sensitivity = points$hit / total[1L],
                          specificity = 1 - points$alarm / total[2L]),
         pr = cbind(class = classes[j], curve))
  })
  curves <- Filter(Negate(is.null), curves)
  if (length(curves) > 0L) lapply(stats::setNames(nm = c("roc", "pr")), function(name) {
    do.call(rbind, lapply(curves, `[[`, name))
  })
}

# What a result of margin_performance() shows: print, data frames, the curves.

#' @rdname margin_performance
#' @param x A result of `margin_performance()`.
#' @param digits Significant digits.
#' @export
print.margin_performance <- function(x, digits = max(3L, getOption("digits") - 3L), ...) {
  assert_no_extra("print()", ...)
  cat(fold_lines(c(
    sprintf("<margin_performance> of a %s on %s%s", task_words[[x$task]], count(x$n, "row"),
            if (x$weighted) ", weighted" else ""),
    if (is.na(x$fitted)) "  these may be the training rows: expect worse on new rows",
    if (isTRUE(x$fitted)) "  these are the training rows: expect worse on new rows",
    if (x$missing > 0L) sprintf("  %s left out: no response or no prediction",
                                count(x$missing, "row")),
    if (!is.null(x$threshold)) sprintf("  threshold %s%s, %s",
                                       format(x$threshold$value, digits = digits),
                                       if (identical(x$threshold$on, "prob"))
                                         " of the probability" else "",
                                       x$threshold$source),
    if (!is.null(x$confusion) && nrow(x$confusion) == 2L &&
          any(x$metrics$metric %in% metrics_of_one_class))
      sprintf("  positive class (of sensitivity, precision, curves): %s", rownames(x$confusion)[2L])
  )), sep = "\n")
  table <- x$metrics
  print(data.frame(metric = table$metric, value = format(table$value, digits = digits),
                   better = ifelse(table$maximize, "higher", "lower")), row.names = FALSE,
        right = FALSE)
  if (!is.null(x$coverage)) {
    rows <- if (isTRUE(x$fitted)) "the training rows" else "these rows"
    cat(fold_lines(coverage_line(x$coverage, rows, digits)), sep = "\n")
  }
  if (!is.null(x$confusion) && length(x$levels) <= 10L) {
    cat(if (x$weighted) "weight of the rows by class:\n" else "rows by class:\n")
    print(unclass(x$confusion), digits = digits)
  }
  invisible(x)
}

# They change where the two classes change their places.
metrics_of_one_class <- c("sensitivity", "specificity", "precision", "f1", "auprc",
                          "average_precision")

#' @rdname margin_performance
#' @param row.names,optional As in [as.data.frame()].
#' @param which For `as.data.frame()`: `"metrics"`, `"roc"`, `"pr"` or `"confusion"`; for `plot()`:
#'   `"roc"` or `"pr"`.
#' @export
as.data.frame.margin_performance <- function(x, row.names = NULL, optional = FALSE,
                                             which = c("metrics", "roc", "pr", "confusion"), ...) {
  assert_no_extra("as.data.frame()", ...)
  which <- one_of(which, c("metrics", "roc", "pr", "confusion"), "which")
  if (which == "metrics") {
    return(x$metrics)
  }
  if (which == "confusion") {
    assert_has_curves(x, which)
    frame <- as.data.frame(x$confusion, responseName = "weight")
    return(without_row_names(frame))
  }
  curve_of(x, which)
}

#' @rdname margin_performance
#' @export
tidy.margin_performance <- function(x, ...) {
  assert_no_extra("tidy()", ...)
  as_tibble_if_installed(x$metrics)
}

#' @rdname margin_performance
#' @export
glance.margin_performance <- function(x, ...) {
  assert_no_extra("glance()", ...)
  values <- as.list(stats::setNames(x$metrics$value, x$metrics$metric))
  as_tibble_if_installed(data.frame(nobs = x$n, missing = x$missing, fitted = x$fitted,
                                    weighted = x$weighted, values, check.names = FALSE))
}

assert_has_curves <- function(x, which) {
  if (x$task == "regression") {
    abort_input(sprintf(paste(
      "`which` is \"%s\", but the fit is a regression and has no classes; it has \"metrics\"."
    ), which), "which")
  }
}

curve_of <- function(x, which) {
  assert_has_curves(x, which)
  if (is.null(x$curves)) {
    abort_input(paste("`x` is about rows of one class, which draw no curve; give",
                      "margin_performance() rows of two."), "x")
  }
  x$curves[[which]]
}

#' @rdname margin_performance
#' @export
plot.margin_performance <- function(x, which = c("roc", "pr"), ...) {
  assert_plot_arguments("plot()", ...)
  which <- one_of(which, c("roc", "pr"), "which")
  table <- drawn_curve(x, which)
  curves <- split(table, factor(table$class, unique(table$class)))
  area <- vapply(curves, area_under, 0, which)
  labels <- c(sprintf("%s: %s %.3f", shorten(names(curves), 24L),
                      if (which == "roc") "area" else "average precision", area),
              if (!is.null(x$threshold)) "threshold",
              if (which == "roc") "chance" else "share of the class")
  old <- graphics::par(mar = c(4.2, 4.6, 2.5, 1) + 0.1)
  on.exit(graphics::par(old))
  room <- make_legend_room(labels)
  roc <- which == "roc"
  draw(graphics::plot, list(
    x = c(0, 1), y = c(0, 1), type = "n", las = 1,
    xlab = if (roc) "1 - specificity" else "recall",
    ylab = if (roc) "sensitivity" else "precision",
    main = if (roc) "Receiver operating characteristic" else "Precision and recall"
  ), list(...))
  k <- length(curves)
  colours <- margin_colours(k, list(...)[["col"]])
  lines <- rep_len(1:6, k)
  own <- rowSums(x$confusion)
  if (roc) graphics::abline(0, 1, lty = 3, col = "grey40") else
    graphics::abline(h = own[names(curves)] / sum(own), lty = 3, col = colours)
  for (i in seq_along(curves)) {
    at <- curve_points(curves[[i]], roc)
    graphics::lines(at$x, at$y, col = colours[i], lty = lines[i], lwd = 1.8)
    if (!is.null(x$threshold)) {
      here <- threshold_point(x$confusion, roc)
      graphics::points(here[1L], here[2L], pch = 21L, bg = colours[i], col = "white", cex = 1.4)
    }
  }
  mark <- if (!is.null(x$threshold)) 21L
  side_legend(room, labels, col = c(colours, if (!is.null(mark)) "white", "grey40"),
              lty = c(lines, if (!is.null(mark)) NA, 3L), pch = c(rep(NA, k), mark, NA),
              pt.bg = c(rep(NA, k), if (!is.null(mark)) colours[1L], NA))
  invisible(table)
}

drawn_curve <- function(x, which) {
  if (x$task == "regression") {
    abort_input(paste("`x` is about a regression, which has no curve, and keeps no rows to draw;",
                      "plot predict(fit, newdata) against the response."), "x")
  }
  curve_of(x, which)
}

# Where the predicted classes are, from their table; nothing called positive has no precision.
threshold_point <- function(confusion, roc) {
  hit <- confusion[2L, 2L] / sum(confusion[2L, ])
  called <- sum(confusion[, 2L])
  if (roc) c(confusion[1L, 2L] / sum(confusion[1L, ]), hit) else
    c(hit, if (called > 0) confusion[2L, 2L] / called else NA)
}

# Where nothing is recalled the precision is 1 by convention or that of the rows called in vain: the
# curve begins at the first row that is recalled.
curve_points <- function(curve, roc) {
  if (roc) {
    return(list(x = 1 - curve$specificity, y = curve$sensitivity))
  }
  y <- replace(curve$precision, curve$recall == 0, NA)
  list(x = curve$recall, y = y)
}

# As metrics auroc and average_precision of the class have it.
area_under <- function(curve, which) {
  n <- nrow(curve)
  if (which == "pr") {
    return(sum(diff(curve$recall) * curve$precision[-1L]))
  }
  sum(diff(1 - curve$specificity) * (curve$sensitivity[-n] + curve$sensitivity[-1L]) / 2)
}
