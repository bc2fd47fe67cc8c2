# What a worst case says of itself, and its picture. Documented in worst_case.R.

#' @rdname worst_case
#' @param x A result of `worst_case()`.
#' @param digits Significant digits.
#' @param top How many of the changed parts to print, the most harmful first.
#' @export
print.margin_worst_case <- function(x, digits = max(3L, getOption("digits") - 3L), top = 6L, ...) {
  assert_no_extra("print()", ...)
  cat(describe_worst_case(x, digits), sep = "\n")
  changed <- x[x$cost > 0 | x$flipped, ]
  rise <- changed$mass * (changed$loss - pmax(1 - changed$margin_before, 0))
  changed <- changed[order(-rise), names(x) != "cost"]
  shown <- min(top, nrow(changed))
  if (shown > 0L) {
    cat(sprintf("\n%d of %s that changed, most harmful first\n", shown,
                count(nrow(changed), "part")))
    print(utils::head(changed, shown), digits = digits, row.names = FALSE)
  }
  invisible(x)
}

# Some rows or columns of a distribution are none: they become a plain data frame.
#' @export
`[.margin_worst_case` <- function(x, ...) {
  part <- NextMethod()
  if (!is.data.frame(part)) {
    return(part)
  }
  attributes(part)[worst_case_attributes] <- NULL
  structure(part, class = "data.frame")
}

worst_case_attributes <- c("direction", "radius", "label_cost", "norm", "total_cost", "risk",
                           "attained", "labels")

describe_worst_case <- function(x, digits) {
  number <- function(value) format(value, digits = digits)
  percent <- function(mass) paste(format(100 * mass, digits = 3L), "%")
  labels <- attr(x, "labels")
  loss <- sum(x$mass * x$loss)
  moved <- x$distance > 0
  flips <- sum(x$mass[x$flipped])
  rows <- c(
    labels = sprintf("%s, %s", labels[1L], labels[2L]),
    radius = sprintf("%s, of which %s is spent", number(attr(x, "radius")),
                     number(attr(x, "total_cost"))),
    "loss before" = number(sum(x$mass * pmax(1 - x$margin_before, 0))),
    "loss after" = if (attr(x, "attained")) sprintf("%s, the robust risk", number(loss)) else
      sprintf("%s, approaches the robust risk %s, which no distribution attains", number(loss),
              number(attr(x, "risk"))),
    changed = if (flips > 0) {
      sprintf("the label of %s of the mass, in %s", percent(flips),
              count(sum(x$flipped), "row"))
    } else {
      "no label"
    },
    moved = if (any(moved)) {
      sprintf("%s of the mass, by %s (%s distance)", percent(sum(x$mass[moved])),
              number(max(x$distance)), dual_norms[[attr(x, "norm")]])
    } else {
      "nothing"
    }
  )
  c("<margin_worst_case> the distribution in the ball with the largest hinge loss",
    sprintf("  %-13s %s", names(rows), rows))
}

#' @rdname worst_case
#' @export
plot.margin_worst_case <- function(x, ...) {
  assert_plot_arguments("plot()", ...)
  width <- diff(pretty(range(x$margin_before, 0, 1), 40L)[1:2])
  # Mass that was moved out of sight is drawn at the left end, however far it went.
  span <- diff(range(x$margin_before))
  lowest <- max(min(x$margin_after), min(x$margin_before) - max(span, 2))
  shown <- list(before = x$margin_before, after = pmax(x$margin_after, lowest))
  breaks <- width * seq(floor(min(unlist(shown), -1) / width),
                        ceiling(max(unlist(shown), 1) / width) + 1)
  heights <- vapply(shown, function(margin) {
    bin <- factor(findInterval(margin, breaks), seq_len(length(breaks) - 1L))
    as.vector(stats::xtabs(x$mass ~ bin))
  }, numeric(length(breaks) - 1L))
  labels <- c("before", "after")
  old <- graphics::par(mar = c(4.2, 4.2, 2.5, 1) + 0.1)
  on.exit(graphics::par(old))
  room <- make_legend_room(labels)
  beyond <- any(x$margin_after < lowest)
  draw(graphics::plot, list(
    x = range(breaks), y = c(0, max(heights)), type = "n", las = 1, main = "Worst case in the ball",
    xlab = if (beyond) "margin y z (leftmost bar: that and below)" else "margin y z",
    ylab = "share of the mass"
  ), list(...))
  left <- breaks[-length(breaks)]
  for (k in 1:2) {
    graphics::rect(left, 0, breaks[-1L], heights[, k], border = NA,
                   col = histogram_colours(list(...)[["col"]])[k])
  }
  graphics::abline(v = c(0, 1), lty = c(2, 3), col = "grey40")
  side_legend(room, labels, fill = histogram_colours(list(...)[["col"]]), border = NA)
  invisible(data.frame(from = left, to = breaks[-1L], heights))
}
