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
  table <- certain_rows_table(x)
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
      sprintf(" of %s, %s", format(nrow(table), big.mark = ","),
              if (regression) "those known least" else "those nearest to 0"),
      ", by decision value"),
    ylab = if (regression) "response" else if (is.matrix(x$training$lower))
      "lead over the best other class" else "decision value",
    main = if (regression) "Intervals of the exact optimum" else
      sprintf("Class certain for %s of %s", format(sum(table$decided), big.mark = ","),
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
