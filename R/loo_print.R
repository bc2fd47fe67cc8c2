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
      sprintf(" (%s to decide the class)", format(s$undecided, big.mark = ","))
  ))
  cat(fold_lines(sprintf("<margin_loo> %s, rule \"%s\", %s loss, lambda = %s",
                         if (x$grouped) "leave-group-out" else "leave-one-out", x$rule,
                         format(x$loss), number(x$lambda))), sep = "\n")
  cat(key_lines(lines), sep = "\n")
  cat(fold_lines(paste("These are the predictions of exact refits. How far the error on new rows",
                       "may differ is a separate question.")),
      describe_held(x$loss, digits), sep = "\n")
  invisible(x)
}

# "24 of 111 rows (21.6 %)", or from the least to the most.
left_out_errors <- function(least, most, rows) {
  percent <- function(n) format(100 * n / rows, digits = 3L)
  if (least == most) {
    return(sprintf("%s of %s (%s %%)", format(most, big.mark = ","), count(rows, "row"),
                   percent(most)))
  }
  sprintf("from %s to %s of %s (%s to %s %%)", format(least, big.mark = ","),
          format(most, big.mark = ","), count(rows, "row"), percent(least), percent(most))
}

describe_unsure <- function(s) {
  parts <- c(
    if (s$open > 0L) sprintf("%s open, whose interval has both signs at the tightest refit",
                             format(s$open, big.mark = ",")),
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
