# The axes of a path, and the names at the ends of its lines.

# Where the points stand along the axis, and the axis. Penalties fall to the right, in the order of
# the solution; a radius rises, on a linear scale if it begins at 0.
path_axis <- function(path) {
  values <- path[[path$coordinates[1L]]]
  if (path$coordinates[1L] == "rate") {
    return(list(along = values, label = "rate (strength of the perturbation)",
                draw = function() graphics::axis(1)))
  }
  if (path$coordinates[1L] != "radius") {
    return(list(along = -log10(values), label = "lambda (log scale)", draw = lambda_axis))
  }
  if (any(values == 0)) {
    return(list(along = values, label = "radius (unit of the features)",
                draw = function() graphics::axis(1)))
  }
  list(along = log10(values), label = "radius (unit of the features, log scale)",
       draw = function() log_axis(1))
}

# The axis is minus the logarithm of lambda, drawn as lambda. One point gets a window around it.
path_limits <- function(along) {
  if (length(unique(along)) == 1L) along[1L] + c(-0.3, 0.3) else range(along)
}

# Powers of ten where there are at least two of them, else round numbers.
lambda_axis <- function() log_axis(-1)

# `sign`: the direction in which the logarithm runs.
log_axis <- function(sign) {
  span <- sort(sign * graphics::par("usr")[1:2])
  powers <- seq(ceiling(span[1L]), ceiling(span[2L]) - 1)
  if (span[2L] < ceiling(span[1L]) + 1) {
    round <- pretty(10^span, 6L)
    round <- round[round > 0]
    return(graphics::axis(1, at = sign * log10(round), labels = format(round, trim = TRUE)))
  }
  powers <- powers[powers %% max(1, ceiling(length(powers) / 8)) == 0]
  graphics::axis(1, at = sign * powers, labels = parse(text = sprintf("10^%d", powers)))
}

# Names at the right end of their lines, moved apart until none covers another, with a thin line to
# where each belongs.
label_ends <- function(ends, labels, colours) {
  if (length(ends) == 0L) {
    return(invisible())
  }
  frame <- graphics::par("usr")
  apart <- 1.15 * graphics::strheight("Ag", cex = 0.75)
  place <- spread(ends, apart, frame[3L] + apart / 2, frame[4L] - apart / 2)
  inch <- (frame[2L] - frame[1L]) / graphics::par("pin")[1L]
  graphics::segments(frame[2L], ends, frame[2L] + 0.12 * inch, place, col = colours,
                     xpd = NA)
  graphics::text(frame[2L] + 0.14 * inch, place, labels, col = colours, adj = c(0, 0.5),
                 cex = 0.75, xpd = NA)
}

# The nearest heights, in the least squares sense, that keep the order and the distance: isotonic
# regression of the heights less their steps; then pushed inside the frame.
spread <- function(heights, apart, low, high) {
  order <- order(heights)
  steps <- apart * (seq_along(heights) - 1L)
  place <- stats::isoreg(heights[order] - steps)$yf
  place <- pmax(pmin(place, high - max(steps)), low) + steps
  replace(heights, order, place)
}
