# margin_sensitivity(count = TRUE): which rows of the fit, and how many, a predicted class hangs on.

# beside: what is given and says nothing of counts.
assert_countable <- function(fit, beside) {
  if (length(beside) > 0L) {
    abort_input(sprintf(paste(
      "`%s` is given beside count = TRUE, which counts the rows that could flip a prediction, at",
      "rule \"cost\"; leave one of them out."
    ), beside[1L]), beside[1L])
  }
  why <- if (fit$task == "regression") {
    "is a regression"
  } else if (length(fit$levels) != 2L) {
    sprintf("has %d classes", length(fit$levels))
  } else if (isTRUE(fit$settings$mixture > 0)) {
    "has an l1 part (mixture above 0)"
  }
  if (!is.null(why)) {
    abort_input(sprintf(paste(
      "`fit` %s, but rows are counted for two classes without an l1 part; margin_sensitivity() with",
      "a change, as remove = , has intervals."
    ), why), "fit")
  }
}

# For each prediction `needed`, `alone`, `proven`, the room that it has, and by columns the rows
# with the largest bounds: src/decide/flips.h.
count_flips <- function(fit, x, new, change, most, refits) {
  known <- responses_of_fit(fit)
  ask_of_change(fit, x, new$x, flips_cpp, list(
    y = known$y, omega = known$omega, rule = "cost", regression = FALSE, score = new$score,
    turned = if (change == "relabel") turned_weights(fit), most = most, refits = refits
  ))
}

# Of rows with the other class.
turned_weights <- function(fit) {
  weights <- unname(fit$weights)
  class_weights <- fit$settings$class_weights
  if (is.null(class_weights)) weights else
    weights * unname(class_weights)[3L - as.integer(fit$response)]
}

new_flips <- function(fit, found, new, at, change) {
  listed <- nrow(found$top)
  score <- new$score
  lost <- seq_along(score) %in% new$na_rows
  score[lost] <- NA
  class <- as_response(fit, unname(class_of_scores(score)))
  first <- at[if (listed > 0L) found$top[1L, ]] # of no row to predict nothing is listed
  table <- data.frame(row = new$row, score = score, class = class, alone = found$alone,
                      proven = found$proven, needed = found$needed, first = first)
  table[lost, c("alone", "proven", "needed", "first")] <- NA
  bounds <- data.frame(row = rep(new$row, each = listed), changed = at[as.vector(found$top)],
                       bound = as.vector(found$bound), flips = as.vector(found$state))
  bounds <- bounds[!rep(lost, each = listed), ]
  rownames(bounds) <- NULL
  needed <- table$needed[!lost]
  summary <- data.frame(
    change = change, predicted = length(needed), undecided = sum(needed == 0),
    alone = sum(table$alone[!lost] > 0), proven = sum(table$proven[!lost] > 0),
    least = smallest(needed), median = stats::median(needed), most = -smallest(-needed)
  )
  new_object(list(
    rows = table, bounds = bounds, summary = summary, room = found$room, change = change,
    fitted = length(at), loss = fit$settings$loss, lambda = fit$settings$lambda,
    certificate = worst_certificate(fit$certificate)
  ), "margin_flips")
}

smallest <- function(values) if (length(values) > 0L) min(values) else NA_real_

#' @exportS3Method
as.data.frame.margin_flips <- function(x, ...) {
  assert_no_extra("as.data.frame()", ...)
  x$rows
}

#' @exportS3Method
tidy.margin_flips <- function(x, ...) {
  assert_no_extra("tidy()", ...)
  as_tibble_if_installed(x$rows)
}

#' @exportS3Method
glance.margin_flips <- function(x, ...) {
  assert_no_extra("glance()", ...)
  as_tibble_if_installed(x$summary)
}

#' @exportS3Method
summary.margin_flips <- function(object, ...) {
  assert_no_extra("summary()", ...)
  object$summary
}

# What a person sees of the rows that predictions hang on.

#' @exportS3Method
print.margin_flips <- function(x, digits = 3L, ...) {
  assert_no_extra("print()", ...)
  s <- x$summary
  done <- if (x$change == "remove") "removed" else "relabelled"
  of_all <- function(n) {
    sprintf("%s of %s", grouped(n), count(s$predicted, "prediction"))
  }
  cat(fold_lines(sprintf("<margin_flips> rows %s, of %s; %s loss, lambda = %s", done,
                         count(x$fitted, "row"), format(x$loss),
                         format(x$lambda, digits = digits))), sep = "\n")
  cat(key_lines(c(
    "one row" = paste0(of_all(s$alone), " could be flipped by one row alone",
                       if (s$alone > 0L) sprintf(", %d certainly", s$proven)),
    "undecided" = if (s$undecided > 0L) {
      paste(of_all(s$undecided), "may not have the class of the exact optimum as it is")
    }
  )), sep = "\n")
  if (s$predicted > 0L) {
    number <- grouped
    cat(fold_lines(c(
      sprintf(paste("Lower bound on the rows needed: median %s, range %s to %s. Fewer rows cannot",
                    "flip the prediction; this many may not suffice."),
              number(s$median), number(s$least), number(s$most)),
      flips_advice(x, digits)
    )), sep = "\n")
  }
  invisible(x)
}

# Where the bound of most predictions is one or two rows, it says next to nothing: the change of a
# row moves scores by no more than 1/lambda allows, so a larger penalty has larger bounds, those of
# hinges less so, which have no curvature.
flips_advice <- function(x, digits) {
  s <- x$summary
  if (s$median > 2) {
    return(NULL)
  }
  if (2 * s$undecided > s$predicted) {
    return(paste("The bound is 0 where the fit leaves the class open: solve it further, by",
                 "margin_control(tol = ), and ask again."))
  }
  curved <- x$loss$name %in% c("logistic", "squared")
  sprintf(paste(
    if (s$most <= 1) "The bound is empty at lambda = %s: it is one row for every prediction." else
      "So small a bound is of little use at lambda = %s.",
    "It rises with the penalty%s: try a fit with lambda = %s."
  ), format(x$lambda, digits = digits), if (curved) "" else
    " and is larger for the logistic loss", format(signif(100 * x$lambda, 1)))
}

#' @exportS3Method
plot.margin_flips <- function(x, row = NULL, ...) {
  assert_plot_arguments("plot()", ...)
  table <- x$rows
  theirs <- list(...)
  others <- theirs[names(theirs) != "col"]
  done <- if (x$change == "remove") "removed" else "relabelled"
  colour <- margin_colours(1L, theirs[["col"]])
  if (!is.null(row)) {
    if (!check_number(row, whole = TRUE)$ok || !row %in% x$bounds$row) {
      abort_input(sprintf("`row` is %s, but must be the number of one of the predicted rows.",
                          show_value(row)), "row")
    }
    bounds <- x$bounds[x$bounds$row == row, ]
    room <- abs(table$score[match(row, table$row)])
    draw(graphics::barplot, list(
      height = pmax(0, pmin(bounds$bound, 2 * room)), names.arg = bounds$changed, las = 2,
      border = NA, col = ifelse(is.na(bounds$flips) | bounds$flips, colour, "grey75"),
      ylim = c(0, max(1.05 * room, pmin(bounds$bound, 2 * room))),
      xlab = sprintf("row %s", done), ylab = "decision value moves by at most",
      main = sprintf("prediction %s: at least %s to flip", format(row),
                     count(table$needed[match(row, table$row)], "row"))
    ), others)
    graphics::abline(h = room, lty = 2, col = "grey40")
    return(invisible(bounds))
  }
  table <- table[is.finite(table$needed), ]
  needed <- table$needed
  if (length(needed) == 0L) {
    abort_input("`x` has no prediction with a finite number of rows to draw.", "x")
  }
  # one bar a number of rows, or a range of them where there are many
  width <- max(1, ceiling((max(needed) + 1) / 40))
  from <- seq(min(needed, 1), max(needed), by = width)
  heights <- tabulate((needed - from[1L]) %/% width + 1, length(from))
  draw(graphics::barplot, list(
    height = heights, col = colour, border = NA, las = 1, space = 0.2,
    names.arg = if (width == 1) from else sprintf("%d-%d", from, from + width - 1),
    xlab = sprintf("rows that must be %s, at least", done), ylab = "predictions",
    main = sprintf("%s that one row could flip", count(x$summary$alone, "prediction"))
  ), others)
  invisible(table[c("row", "needed")])
}
