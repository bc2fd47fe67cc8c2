# The axes of a path, and the names at the ends of its lines.

# Where the points stand along the axis, and the axis. What makes the model small (lambda, a radius,
# a rate) falls to the right, on a logarithmic scale but for a rate and for what begins at 0.
path_axis <- function(path) {
  name <- path$coordinates[1L]
  falling_axis(path[[name]], column_label(name, path$settings$scale), log = name != "rate")
}

# Minus the values, or minus their logarithm, drawn as the values. place: where a value stands.
falling_axis <- function(values, label, log = TRUE) {
  if (!log || any(values <= 0)) {
    return(list(along = 0 - values, label = label, draw = reversed_axis,
                place = function(value) 0 - value))
  }
  has_unit <- grepl(")", label, fixed = TRUE)
  list(along = -log10(values), draw = function() log_axis(-1),
       place = function(value) -log10(value),
       label = if (has_unit) sub(")", ", log scale)", label, fixed = TRUE) else
         paste(label, "(log scale)"))
}

# A caller's `xlim` is in values of the axis, in either order.
along_axis <- function(theirs, axis) {
  limits <- theirs$xlim
  if (is.null(limits)) {
    return(theirs)
  }
  at <- if (is.numeric(limits)) suppressWarnings(axis$place(limits))
  if (length(at) != 2L || !all(is.finite(at))) {
    abort_input(sprintf("`xlim` is %s, but must be two values of %s that the axis can show.",
                        show_value(limits), axis$label), "xlim")
  }
  utils::modifyList(theirs, list(xlim = sort(at)))
}

reversed_axis <- function() {
  at <- graphics::axTicks(1)
  graphics::axis(1, at = at, labels = format(-at, trim = TRUE))
}

# One point gets a window around it.
path_limits <- function(along) {
  if (length(unique(along)) == 1L) along[1L] + c(-0.3, 0.3) else range(along)
}

# Powers of ten where there are at least two of them, else round numbers. `sign`: the direction in
# which the logarithm runs.
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

# Where lines end at the right, whatever the order of the points.
right_ends <- function(heights, along) heights[, which.max(along)]

# Names at the right end of their lines, moved apart until none covers another, with a thin line to
# where each belongs.
label_ends <- function(ends, labels, colours) {
  if (length(ends) == 0L) {
    return(invisible())
  }
  frame <- graphics::par("usr")
  # strheight() leaves out what reaches below the baseline
  apart <- 1.6 * graphics::strheight("A", cex = 0.75)
  place <- spread_apart(ends, apart, frame[3L] + apart / 2, frame[4L] - apart / 2)
  inch <- (frame[2L] - frame[1L]) / graphics::par("pin")[1L]
  graphics::segments(frame[2L], ends, frame[2L] + 0.12 * inch, place, col = colours,
                     xpd = NA)
  graphics::text(frame[2L] + 0.14 * inch, place, labels, col = colours, adj = c(0, 0.5),
                 cex = 0.75, xpd = NA)
}

# The nearest heights, in the least squares sense, that keep the order and the distance: isotonic
# regression of the heights less their steps; then pushed inside the frame.
spread_apart <- function(heights, apart, low, high) {
  order <- order(heights)
  steps <- apart * (seq_along(heights) - 1L)
  place <- stats::isoreg(heights[order] - steps)$yf
  place <- pmax(pmin(place, high - max(steps)), low) + steps
  replace(heights, order, place)
}
