# Predictions of the exact optimum, with their intervals.

#' Decision values, classes and probabilities that are certain
#'
#' Predict with what is proven: for each row the decision value of the fit and an interval that
#' holds that of the exact optimum
#' of the fit's problem; see [margin_certain()] for what is certain and why. The value of the fit
#' can lie outside the interval, which may be narrower than the fit is accurate.
#'
#' @param object What [margin_certain()] returned.
#' @param newdata Rows to predict, as for [predict.margin_fit()], also of a file; without it the
#'   rows of the fit.
#' @param type `"class"`, which a regression has not, or `"prob"` for the logistic loss and for fits
#'   from [margin_calibrate()]. `"response"` is the default of both tasks: what `"class"` gives, or
#'   for a regression the intervals alone.
#' @param data The rows of the fit once more, to decide about rows of `newdata` that are left open
#'   (without `newdata` about those of the fit).
#' @param refits How often the problem of the fit may be solved again for that, each time from where
#'   it was to a thousandth of the gap. `Inf`, the default with `data`: until the class of every row
#'   is decided (the values of a regression are known to 1e-8 of their size), or double precision
#'   allows no smaller gap, and what is open stays so. 0, the default without `data`: not at all.
#'   With `data` that leaves, where the intercept is free, a look at it around each row whose class
#'   is open, which takes a pass over the rows of the fit each, and more than a refit where many
#'   are.
#' @param ... Not used; an unknown argument is an error.
#' @return A data frame with a row for each row of `newdata`; `NA` where an entry is missing.
#'   * `score`, `lower`, `upper`: the decision value of the fit, and the ends of the interval of
#'     the optimum's (for a regression in the units of the response); for k > 2 classes `score_`,
#'     `lower_` and `upper_<level>` for each level, of one problem of all classes (`multiclass =
#'     "softmax"` or `"crammer_singer"`) around their mean over the levels, while classes and
#'     probabilities rest on the sharper intervals of their differences;
#'   * with `type = "prob"` instead `prob`, `lower`, `upper`: the probability of the second level,
#'     for k > 2 classes `prob_`, `lower_`, `upper_<level>`, of each. These ends are numerical: they
#'     say what the optimum's probability is, not how sure the model may be of it;
#'   * `class`: the class of the exact optimum where it is decided, else that of the fit, in the
#'     type of the response (not for a regression);
#'   * `decided`: is it certain that the exact optimum has this class?
#' @section Errors:
#' As for [predict.margin_fit()]; `data` that are not the rows of the fit; `refits` without them.
#' Fits of [margin_augmented()] and [margin_oneclass()] are not solved again, so `data` is an error
#' there: fit with a smaller `tol` instead.
#' @section Refits:
#' They go on where the fit was, in the compiled code, with the default solver of its family, whose
#' rows they use as they are (those in a file are read anew). A fit of [margin_hard()] has no start
#' and is solved anew. Nothing that was certain is taken back: each point gives intervals of its
#' own, all of which hold the optimum, and what is returned is what all of them have in common. A
#' decision value of exactly 0, and two classes that tie, stay open however often it is solved.
#' @examples
#' fit <- margin_linear(Species ~ ., data = iris[-1, ], lambda = 0.01)
#' certain <- margin_certain(fit, iris[-1, ])
#' predict(certain, iris[c(1, 71, 107), ])
#' predict(certain, iris[c(1, 71, 107), ], type = "prob")
#' # a fit that stopped early leaves classes open, and refits decide them
#' few <- spambase[seq(1, nrow(spambase), by = 5), ]
#' loose <- margin_linear(type ~ ., data = few, loss = "hinge", lambda = 0.01,
#'                        control = margin_control(tol = 1e-2))
#' certain <- margin_certain(loose, few)
#' table(predict(certain)$decided)
#' table(predict(certain, data = few)$decided)
#' @export
predict.margin_certain <- function(object, newdata, type = NULL, data,
                                   refits = if (missing(data)) 0 else Inf, ...) {
  assert_no_extra("predict()", ...)
  assert_certain(object)
  fit <- object$fit
  type <- prediction_type(fit, type, c("class", "prob", "response"), "class")
  if (type == "prob") refuse_joint_calibration(fit)
  assert_refits(refits)
  assert_data_for_refits(fit, refits, missing(data), missing(newdata))
  if (missing(newdata)) {
    found <- if (missing(data)) object$training else training_again(object, data, refits)
    restore <- function(x) stats::napredict(fit$na.action, x)
    return(present(fit, restore(fit$scores), lapply(found, restore), type))
  }
  if (is.null(newdata)) {
    abort_input(
      "`newdata` is NULL; give the rows to predict, or leave it out for those of the fit.",
      "newdata"
    )
  }
  if (is_rows(newdata)) {
    return(if (missing(data)) predict_file_certain(object, newdata, type = type) else
      predict_file_certain(whole_certain(object, if (is_compact(object)) rows_again(fit, data)),
                           newdata, type = type, data = data, refits = refits))
  }
  design <- design_newdata(fit, newdata)
  x <- design$x
  if (length(design$na_rows) > 0L) x <- without_missing(x, design$na_rows)
  again <- if (!missing(data)) rows_again(fit, data)
  found <- certain_intervals(whole_certain(object, again), x, again, refits)
  lose <- function(values) {
    if (is.matrix(values)) values[design$na_rows, ] <- NA else values[design$na_rows] <- NA
    values
  }
  present(fit, lose(score_design(fit, x)), lapply(found, lose), type)
}

refuse_joint_calibration <- function(fit) {
  if (is_joint(fit) && !is.null(fit$calibration)) {
    abort_input(paste(
      "`type` is \"prob\", but the calibration of one problem of all classes maps no interval of",
      "scores to one of probabilities; use type = \"class\", or the fit without margin_calibrate()."
    ), "type")
  }
}

assert_data_for_refits <- function(fit, refits, no_data, no_newdata) {
  if (no_data && refits > 0) {
    abort_input(sprintf(paste(
      "`refits` is %s, but refits take the rows of the fit, which it does not keep; use",
      "predict(certain, %sdata = <the rows of the fit>, refits = %s)."
    ), format(refits), if (no_newdata) "" else "newdata, ", format(refits)), "refits")
  }
  if (!no_data && inherits(fit, "margin_oneclass")) {
    abort_input(paste(
      "`data` is given, but a fit of margin_oneclass() is not solved again: what is certain of it",
      "follows from its own gap. Leave `data` out, and fit with a smaller tol for narrower",
      "intervals:",
      "update(fit, control = margin_control(tol = 1e-9))."
    ), "data")
  }
  if (!no_data && inherits(fit, "margin_augmented")) {
    abort_input(paste(
      "`data` is given, but a fit of margin_augmented() is not solved again: what is certain of it",
      "follows from its own limit. Leave `data` out, and fit with a smaller tol for narrower",
      "intervals: update(fit, control = margin_control(tol = 1e-9))."
    ), "data")
  }
}

# With the roots of the Hessians, made of the rows of the fit (NULL: not given) where the result is
# compact.
whole_certain <- function(certain, again) {
  if (!is_compact(certain)) {
    return(certain)
  }
  if (is.null(again)) {
    abort_input(paste(
      "`object` is compact, so that intervals of new rows take the rows of the fit; use",
      "predict(certain, newdata, data = <the rows of the fit>), with refits = 0 for the intervals",
      "without refits, or margin_certain() without `compact`."
    ), "data")
  }
  with_metrics(certain_of(certain$fit, again), FALSE)
}

# What is known of the rows of the fit, once those that are open are looked at again.
training_again <- function(certain, data, refits) {
  if (is_rows(data)) {
    abort_input(paste(
      "`data` is a file, and without `newdata` its rows are those to predict; name them twice:",
      "predict(certain, newdata = data, data = data)."
    ), "data")
  }
  fit <- certain$fit
  found <- certain$training
  open <- if (fit$task == "regression") seq_along(found$lower) else
    which(!decided_class(fit, found)$decided)
  x <- rows_again(fit, data)
  if (length(open) == 0L) {
    return(found)
  }
  sharp <- certain_intervals(whole_certain(certain, x), x[open, , drop = FALSE], x, refits)
  put <- function(old, new) {
    if (is.matrix(old)) old[open, ] <- new else old[open] <- new
    old
  }
  Map(put, found, sharp[names(found)])
}

# Rows that cannot be predicted have no say in the norms of the others: they count as rows of zeros.
without_missing <- function(x, rows) {
  if (!isS4(x)) {
    x[rows, ] <- 0
    return(x)
  }
  x <- methods::as(x, "CsparseMatrix")
  x@x[x@i + 1L %in% rows] <- 0
  x
}

# The coded rows of the fit, once they are known to be those.
rows_again <- function(fit, data) {
  if (is_rows(data)) {
    assert_certain_file(fit, data)
    if (data$n != NROW(fit$scores)) {
      abort_input(sprintf("`data` has %s, but the fit has %d; give those of the fit.",
                          count(data$n, "row"), NROW(fit$scores)), "data")
    }
    assert_same_scores(fit, as.matrix(score_design(fit, data)), seq_len(data$n))
    return(data)
  }
  rows <- fitted_places(fit, data)
  assert_as_many_rows(fit, data, rows)
  coded_training(fit, data, rows)$x
}

# The class of each row and whether it is decided, from such ends.
decided_class <- function(fit, found) {
  if (is_joint(fit)) list(class = found$class, decided = !is.na(found$class)) else
    decide(found$lower, found$upper)
}

# found: of certain_intervals(), ends of the solved problem; score: in the units of the response; joint:
# are they those of one problem of all classes?
present <- function(fit, score, found, type, joint = is_joint(fit)) {
  if (fit$task == "regression") {
    unit <- unit_of(fit)
    return(data.frame(score = score, lower = unit * found$lower, upper = unit * found$upper,
                      row.names = names(score)))
  }
  told <- if (joint) decided_class(fit, found) else decide(found$lower, found$upper)
  class <- ifelse(is.na(told$class), class_of_scores(score + boundary_of(fit)), told$class)
  told$decided[is.na(class)] <- NA
  table <- (if (type == "prob") probability_interval else score_interval)(fit, score, found, joint)
  frame <- data.frame(table, class = as_response(fit, unname(class)), decided = told$decided,
                      check.names = FALSE)
  labels <- if (is.matrix(score)) rownames(score) else names(score)
  if (!is.null(labels) && !anyDuplicated(labels)) rownames(frame) <- labels
  frame
}

score_interval <- function(fit, score, found, joint) {
  levels_side_by_side("score", if (joint) score - rowMeans(score) else score, found$lower, found$upper, fit$levels)
}

probability_interval <- function(fit, score, found, joint) {
  prob <- prob_of_fit(fit, score)
  ends <- if (joint) list(lower = found$prob_lower, upper = found$prob_upper) else
    probability_ends(fit, found)
  levels_side_by_side("prob", if (is.matrix(score)) prob else prob[, 2L], ends$lower, ends$upper,
                      fit$levels)
}

# score, lower, upper of two classes; of more score_<level>, lower_<level>, upper_<level>.
levels_side_by_side <- function(name, value, lower, upper, levels) {
  if (!is.matrix(value)) {
    table <- data.frame(unname(value), unname(lower), unname(upper))
    return(stats::setNames(table, c(name, "lower", "upper")))
  }
  columns <- lapply(seq_along(levels), function(k) {
    stats::setNames(data.frame(unname(value[, k]), unname(lower[, k]), unname(upper[, k])),
                    paste0(c(name, "lower", "upper"), "_", levels[k]))
  })
  do.call(cbind, columns)
}

# The maps from decision values to probabilities do not decrease, and of one-vs-rest problems
# p_k / sum p rises in p_k and falls in the others.
probability_ends <- function(fit, found) {
  map <- function(z) if (is.null(fit$calibration)) z else map_scores(fit$calibration, z)
  wider <- 8 * unit_roundoff
  low <- stats::plogis(map(found$lower))
  high <- stats::plogis(map(found$upper))
  if (!is.matrix(low)) {
    return(list(lower = low * (1 - wider), upper = pmin(high * (1 + wider), 1)))
  }
  share <- function(own, others) {
    ends <- vapply(seq_len(ncol(own)), function(k) {
      rest <- rowSums(others[, -k, drop = FALSE])
      ifelse(own[, k] > 0, own[, k] / (own[, k] + rest), 0)
    }, numeric(nrow(own)))
    matrix(ends, nrow(own))
  }
  list(lower = share(low, high) * (1 - wider),
       upper = pmin(unknown_share(share(high, low), low) * (1 + wider), 1))
}

# Where every lower end underflows nothing is known of a share.
unknown_share <- function(share, low) {
  share[rowSums(low) < 1e-300, ] <- 1
  share
}

# What a person reads about a fit's exact optimum.

#' Print and summarise what is certain about an optimum
#'
#' Summarise what [margin_certain()] proves: of how many rows the class is certain, of how many
#' coefficients the sign, and how wide the intervals are.
#'
#' @param x,object What [margin_certain()] returned, or its summary.
#' @param digits Significant digits.
#' @param ... Not used; an unknown argument is an error.
#' @return `print()`: its argument, invisibly. `summary()`: a list of class
#'   `"summary.margin_certain"` with `problems`, a data frame with a row for each class problem:
#'   `class` (`NA` for two), `relative_gap` of the fit, `radius` (within which the optimum's scaled
#'   coefficients lie of a known point, in function space for a kernel), `half_width` (the median
#'   over the rows of the fit of half an interval of a decision value), for a linear fit `positive`,
#'   `negative`, `zero`, `open` (how many coefficients, without the intercept, have that sign for
#'   certain); and `decided` and `rows`: of
#'   how many rows of the fit the class is certain (`NA` for a regression). `glance()`: one row:
#'   `nobs` and `decided` (the numbers of rows), over the class problems the largest `half_width`
#'   and `radius` and the sums of `positive`, `negative`, `zero` and `open` (`NA` where a fit has no
#'   coefficients of columns), and `relative_gap` and `certified` of the fit.
#' @examples
#' fit <- margin_linear(type ~ ., data = spambase, loss = "hinge", lambda = 0.01)
#' summary(margin_certain(fit, spambase))
#' glance(margin_certain(fit, spambase))
#' @name print.margin_certain
NULL

#' @rdname print.margin_certain
#' @export
summary.margin_certain <- function(object, ...) {
  assert_no_extra("summary()", ...)
  assert_certain(object)
  fit <- object$fit
  lower <- as.matrix(object$training$lower)
  upper <- as.matrix(object$training$upper)
  rows <- lapply(seq_along(object$problems), function(k) {
    known <- object$problems[[k]]
    one <- min(k, nrow(fit$certificate))
    found <- data.frame(
      class = if (length(object$problems) > 1L) fit$levels[k] else fit$certificate$class[k],
      relative_gap = fit$certificate$relative_gap[one],
      radius = known$ball$radius,
      half_width = unit_of(fit) * stats::median(upper[, k] - lower[, k]) / 2
    )
    if (has_kernel(fit) && !inherits(fit, "margin_hard")) return(found)
    ends <- coefficient_ends(fit, known)
    if (has_intercept(fit)) ends <- ends[-1L, , drop = FALSE]
    zero <- ends[, 1L] == 0 & ends[, 2L] == 0
    cbind(found, data.frame(
      positive = sum(ends[, 1L] > 0), negative = sum(ends[, 2L] < 0), zero = sum(zero),
      open = sum(ends[, 1L] <= 0 & ends[, 2L] >= 0 & !zero)
    ))
  })
  decided <- if (fit$task == "regression") NA_integer_ else
    sum(decided_class(fit, object$training)$decided)
  structure(list(model = describe_model(fit, 4L), problems = do.call(rbind, rows),
                 decided = decided, rows = NROW(fit$scores), level = object$level,
                 refits = !inherits(fit, c("margin_augmented", "margin_oneclass"))),
            class = "summary.margin_certain")
}

#' @rdname print.margin_certain
#' @export
glance.margin_certain <- function(x, ...) {
  assert_no_extra("glance()", ...)
  assert_certain(x, "x")
  found <- summary(x)
  problems <- found$problems
  total <- function(name) {
    if (is.null(problems[[name]])) NA_integer_ else sum(problems[[name]])
  }
  as_tibble_if_installed(data.frame(
    nobs = found$rows, decided = found$decided, half_width = max(problems$half_width),
    radius = max(problems$radius), positive = total("positive"), negative = total("negative"),
    zero = total("zero"), open = total("open"), relative_gap = max(problems$relative_gap),
    certified = all(x$fit$certificate$certified)
  ))
}

#' @rdname print.margin_certain
#' @export
print.margin_certain <- function(x, digits = 3L, ...) {
  assert_no_extra("print()", ...)
  found <- summary(x)
  cat(fold_lines(sprintf("<margin_certain> the exact optimum of a fit of %s()",
                         class(x$fit)[1L])), sep = "\n")
  cat(certain_lines(found, digits), sep = "\n")
  invisible(x)
}

#' @rdname print.margin_certain
#' @export
print.summary.margin_certain <- function(x, digits = 3L, ...) {
  assert_no_extra("print()", ...)
  cat(x$model, sep = "\n")
  cat("\n")
  cat(certain_lines(x, digits), sep = "\n")
  cat("\n")
  print(format(x$problems, digits = digits), row.names = FALSE)
  invisible(x)
}

# refits: can the fit be solved further?
open_words <- function(open, refits) {
  if (open == 0L) {
    return("")
  }
  sprintf("; %s open%s", grouped(open), if (!refits) "" else
    ", which predict(certain, data = <the rows of the fit>) decides by refits")
}

certain_lines <- function(found, digits) {
  table <- found$problems
  sum_of <- function(name) sum(table[[name]])
  lines <- c(
    sprintf("relative gap of the fit %s", format(max(table$relative_gap), digits = digits)),
    sprintf("%s within %s of a known point, decision values of the rows within %s",
            if (is.null(table$open)) "the function (in its kernel's norm)" else
              "scaled coefficients",
            format(max(table$radius), digits = digits),
            format(max(table$half_width), digits = digits)),
    if (!is.na(found$decided)) {
      sprintf("the class is certain for %s of %s%s", grouped(found$decided),
              count(found$rows, "row"), open_words(found$rows - found$decided, found$refits))
    },
    if (!is.null(table$open)) {
      sprintf("the sign is certain for %d of %s (%d positive, %d negative, %d zero)",
              sum_of("positive") + sum_of("negative") + sum_of("zero"),
              count(sum_of("positive") + sum_of("negative") + sum_of("zero") + sum_of("open"),
                    "coefficient"),
              sum_of("positive"), sum_of("negative"), sum_of("zero"))
    },
    if (found$level < 1) {
      sprintf("all of this holds at once with a confidence of %s %%: the expectation is drawn",
              format(100 * found$level))
    },
    "These statements concern the exact optimum on these rows, not the population."
  )
  fold_lines(lines)
}

# What is certain of the rows of a fit, as intervals.

#' Draw what is certain of decision values
#'
#' Plots, for each row of the fit, the interval that holds the decision value of the exact optimum,
#' in the order of the fit's values. A row whose interval lies on one side of 0 keeps its class
#' however long the fit is optimised; the others are open. For three or more classes the interval is
#' for the lead of the predicted class over the next best; for a regression it is for the response.
#' The colours may use sharper bounds than the intervals show.
#'
#' @param x What [margin_certain()] returned.
#' @param top How many rows are drawn: of classes those nearest to 0, where rows are open; of a
#'   regression those with the widest intervals.
#' @param ... Graphical parameters by name: `main`, `sub`, `xlab`, `ylab`, `xlim`, `ylim`, `col` (of
#'   certain and open rows), `las`, `bty`, `family`, and `cex.`, `col.` and `font.` of `main`,
#'   `sub`, `lab` and `axis`; any other argument is an error.
#' @return A data frame with the rows that were drawn, invisibly: `row` (its number in the fit),
#'   `score`, `lower`, `upper`, `decided` (`NA` for a regression).
#' @examples
#' train <- seq(1, nrow(spambase), by = 10)
#' fit <- margin_linear(type ~ ., data = spambase[train, ], lambda = 0.01,
#'                      control = margin_control(tol = 1e-3))
#' plot(margin_certain(fit, spambase[train, ]))
#' @export
plot.margin_certain <- function(x, top = 100L, ...) {
  assert_plot_arguments("plot()", ...)
  assert_certain(x, "x")
  assert_number(top, "top", lower = 1, upper = 1e6, open = FALSE, whole = TRUE)
  theirs <- list(...)
  table <- as.data.frame(x)
  regression <- x$fit$task == "regression"
  distance <- if (regression) table$lower - table$upper else abs(table$score)
  shown <- table[sort(utils::head(order(distance), top)), ]
  shown <- shown[order(shown$score), ]
  open <- shown$decided %in% FALSE
  colours <- margin_colours(2L, theirs[["col"]])
  # an interval that says nothing must not hide those that do
  reach <- 4 * diff(range(shown$score, 0)) + 1e-300
  span <- range(c(shown$score, pmax(shown$lower, min(shown$score) - reach),
                  pmin(shown$upper, max(shown$score) + reach)), if (!regression) 0)
  within <- function(v) pmin(span[2L], pmax(span[1L], v))
  key <- c(if (regression) "interval of the optimum" else c("class certain", "class open"),
           "value of the fit")
  colour <- c(if (regression) colours[1L] else colours, "grey30")
  old <- graphics::par(mar = c(4.2, 4.6, 2.5, 1) + 0.1)
  on.exit(graphics::par(old))
  room <- make_legend_room(key)
  draw(graphics::plot, list(
    x = c(0.5, nrow(shown) + 0.5), y = span, type = "n", las = 1, xaxt = "n",
    xlab = paste0(count(nrow(shown), "row"), if (nrow(shown) < nrow(table))
      sprintf(" of %s, %s", grouped(nrow(table)),
              if (regression) "those known least" else "those nearest to 0"),
      ", by decision value"),
    ylab = if (regression) "response" else if (is.matrix(x$training$lower))
      "lead over the best other class" else "decision value",
    main = if (regression) "Intervals of the exact optimum" else
      sprintf("Class certain for %s of %s", grouped(sum(table$decided)),
              count(nrow(table), "row"))
  ), theirs[names(theirs) != "col"])
  if (!regression) graphics::abline(h = 0, lty = 2, col = "grey40")
  at <- seq_len(nrow(shown))
  graphics::segments(at, within(shown$lower), at, within(shown$upper), lwd = 2,
                     col = ifelse(open, colours[2L], colours[1L]))
  graphics::points(at, shown$score, pch = 20, cex = 0.5, col = "grey30")
  side_legend(room, key, col = colour, lwd = c(rep(2, length(key) - 1L), NA),
              pch = c(rep(NA, length(key) - 1L), 20))
  invisible(shown)
}

# score, ends and decision of each row of the fit; of several classes of its own class's lead.
certain_rows_table <- function(certain) {
  fit <- certain$fit
  score <- unname(fit$scores)
  ends <- lapply(certain$training[c("lower", "upper")], function(ends) unit_of(fit) * unname(ends))
  if (!is.matrix(score)) {
    ends <- lapply(ends, as.vector)
    decided <- if (fit$task == "regression") NA else decide(ends$lower, ends$upper)$decided
    return(data.frame(row = seq_along(score), score, ends, decided))
  }
  at <- cbind(seq_len(nrow(score)), max.col(score, ties.method = "first"))
  best_other <- function(values) apply(replace(values, at, -Inf), 1L, max)
  decided <- decided_class(fit, c(ends, certain$training["class"]))$decided
  data.frame(row = at[, 1L], score = score[at] - best_other(score),
             lower = ends$lower[at] - best_other(ends$upper),
             upper = ends$upper[at] - best_other(ends$lower), decided)
}
