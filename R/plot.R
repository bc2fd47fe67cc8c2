#' Plots of a fit
#'
#' Base graphics in a palette that colour-blind readers can tell apart.
#'
#' @param x A fit.
#' @param which `"convergence"`: the relative gap against epochs, on a logarithmic scale, with the
#'   tolerance as a line; a gap of 0 or less, which is zero up to rounding, is drawn at the lower
#'   edge.
#'   `"coefficients"`: the largest coefficients of the scaled columns. `"scores"`: a histogram of
#'   the
#'   training scores for each class (of a regression: response against fitted value). `"boundary"`:
#'   for two features, the training rows and the predicted classes in the plane; needs `data`.
#' @param data For `"boundary"`, the rows to draw: a data frame or matrix with the two features.
#' @param top For `"coefficients"`, how many to draw.
#' @param class For several classes, which levels to draw; `NULL` for all.
#' @param ... Further graphical parameters for the plot, such as `main`.
#' @return The numbers that were drawn, as a data frame, invisibly.
#' @section Errors:
#' `"boundary"` for other than two features or without `data`, and unknown `which`, are errors of
#' class `dualmargin_input_error`.
#' @examples
#' fit <- margin_linear(type ~ ., data = spambase, loss = "logistic")
#' plot(fit)
#' plot(fit, which = "coefficients", top = 12)
#' plot(fit, which = "scores")
#' two <- margin_linear(Species ~ Petal.Length + Petal.Width, data = iris)
#' plot(two, which = "boundary", data = iris)
#' @export
plot.margin_fit <- function(x, which = c("convergence", "coefficients", "scores", "boundary"),
                            data = NULL, top = 20L, class = NULL, ...) {
  which <- one_of(which, c("convergence", "coefficients", "scores", "boundary"), "which")
  if (!is.null(class)) {
    for (level in class) assert_choice(level, c(problem_classes(x), x$levels), "class")
  }
  drawn <- switch(
    which,
    convergence = plot_convergence(x, class, ...),
    coefficients = plot_coefficients(x, top, class, ...),
    scores = plot_scores(x, class, ...),
    boundary = plot_boundary(x, data, ...)
  )
  invisible(drawn)
}

margin_colours <- function(n) {
  colours <- unname(grDevices::palette.colors(9L, "Okabe-Ito"))[c(6L, 7L, 4L, 2L, 8L, 3L, 1L, 9L)]
  rep_len(colours, n)
}

# A caller's graphical parameters replace ours instead of meeting them.
draw <- function(f, ours, theirs) do.call(f, utils::modifyList(ours, theirs))

plot_convergence <- function(fit, class, ...) {
  trace <- fit$trace
  size <- pmax(abs(trace$value), abs(trace$bound))
  trace$relative_gap <- ifelse(size > 0, trace$gap / size, 0)
  if (!is.null(class)) trace <- trace[trace$class %in% class, ]
  series <- split(trace, if (all(is.na(trace$class))) rep("", nrow(trace)) else
    factor(trace$class, unique(trace$class)))
  draw_gaps(series, "epoch", "epochs (passes over the data)", fit$settings$tol,
            sprintf("%s: the gap closes", class(fit)[1L]), ...)
  without_row_names(trace)
}

# One line a series; shared with compare_solvers().
draw_gaps <- function(series, x, xlab, tol, main, ...) {
  gaps <- unlist(lapply(series, function(s) s$relative_gap))
  floor <- min(gaps[gaps > 0], tol, na.rm = TRUE) / 3
  shown <- function(gap) pmax(gap, floor)
  along <- unlist(lapply(series, function(s) s[[x]]))
  colours <- margin_colours(length(series))
  old <- graphics::par(mar = c(4.2, 4.8, 2.5, 1) + 0.1)
  on.exit(graphics::par(old))
  draw(graphics::plot, list(
    x = range(0, along), y = range(shown(c(gaps, tol))), type = "n", log = "y", xlab = xlab,
    ylab = "relative gap (no unit)", main = main, las = 1, yaxt = "n"
  ), list(...))
  powers <- floor(log10(floor)):ceiling(log10(max(shown(gaps))))
  powers <- powers[powers %% max(1, ceiling(length(powers) / 7)) == 0]
  graphics::axis(2, at = 10^powers, las = 1,
                 labels = parse(text = sprintf("10^%d", powers)))
  graphics::abline(h = tol, lty = 2, col = "grey40")
  for (k in seq_along(series)) {
    s <- series[[k]]
    graphics::lines(s[[x]], shown(s$relative_gap), col = colours[k], lwd = 2)
    graphics::points(s[[x]], shown(s$relative_gap), col = colours[k],
                     pch = ifelse(s$relative_gap > 0, 19, 25), bg = colours[k], cex = 0.7)
  }
  labels <- names(series)[nzchar(names(series))]
  zero <- any(gaps <= 0)
  graphics::legend(
    "bottomleft", bg = "white", box.col = NA, inset = 0.01, cex = 0.9,
    legend = c(labels, sprintf("tolerance %s", format(tol)), if (zero) "zero up to rounding"),
    col = c(colours[seq_along(labels)], "grey40", if (zero) "black"),
    lty = c(rep(1, length(labels)), 2, if (zero) NA),
    lwd = c(rep(2, length(labels)), 1, if (zero) NA),
    pch = c(rep(19, length(labels)), NA, if (zero) 25)
  )
}

plot_coefficients <- function(fit, top, class, ...) {
  assert_number(top, "top", lower = 1, upper = Inf, open = FALSE, whole = TRUE)
  table <- sorted_coefficients(fit)
  table <- table[table$term != "(Intercept)", ]
  if (!is.null(class)) table <- table[table$class %in% class, ]
  table <- utils::head(table, top)
  label <- if (is.null(table$class)) table$term else paste0(table$term, " (", table$class, ")")
  label <- ifelse(nchar(label) > 32L, paste0(substr(label, 1L, 30L), "..."), label)
  order <- rev(seq_len(nrow(table)))
  inches <- max(graphics::strwidth(label, units = "inches", cex = 0.85)) + 0.3
  old <- graphics::par(mai = c(0.85, inches, 0.6, 0.2))
  on.exit(graphics::par(old))
  colours <- margin_colours(2L)
  draw(graphics::barplot, list(
    height = table$scaled[order], names.arg = label[order], horiz = TRUE, las = 1,
    cex.names = 0.85, border = NA, col = colours[1L + (table$scaled[order] > 0)],
    xlab = if (fit$settings$scale) "coefficient times the column's standard deviation" else
      "coefficient (per unit of the column)",
    main = sprintf("The %d largest coefficients", nrow(table))
  ), list(...))
  graphics::abline(v = 0, col = "grey40")
  without_row_names(table)
}

plot_scores <- function(fit, class, ...) {
  if (fit$task == "regression") {
    drawn <- data.frame(fitted = unname(fit$scores), response = fit$response)
    draw(graphics::plot, list(
      x = drawn$fitted, y = drawn$response, pch = 19, cex = 0.6, las = 1,
      col = grDevices::adjustcolor(margin_colours(1L), 0.5), xlab = "fitted value",
      ylab = "response", main = "Response against fitted value"
    ), list(...))
    graphics::abline(0, 1, lty = 2, col = "grey40")
    return(drawn)
  }
  scores <- as.matrix(fit$scores)
  levels <- if (ncol(scores) > 1L) fit$levels else NULL
  kept <- if (is.null(class) || is.null(levels)) seq_len(ncol(scores)) else match(class, levels)
  old <- graphics::par(c("mfrow", "mar"))  # a change of mfrow rescales the margins
  graphics::par(mfrow = grDevices::n2mfrow(length(kept)))
  on.exit(graphics::par(old))
  for (k in kept) {
    groups <- if (is.null(levels)) fit$response else
      factor(ifelse(fit$response == levels[k], levels[k], "rest"), c("rest", levels[k]))
    histogram_by_class(scores[, k], groups, if (!is.null(levels)) levels[k], ...)
  }
  data.frame(class = if (is.null(levels)) NA else rep(levels[kept], each = nrow(scores)),
             response = rep(fit$response, length(kept)), score = as.vector(scores[, kept]))
}

histogram_by_class <- function(score, groups, title, ...) {
  breaks <- pretty(score, 40)
  colours <- grDevices::adjustcolor(margin_colours(2L), 0.55)
  bins <- lapply(split(score, groups), graphics::hist, breaks = breaks, plot = FALSE)
  draw(graphics::plot, list(
    x = range(breaks), y = c(0, 1.15 * max(unlist(lapply(bins, function(b) b$counts)))), type = "n",
    las = 1, xlab = "score (its sign is the predicted class)", ylab = "rows",
    main = if (is.null(title)) "Training scores" else sprintf("%s against the rest", title)
  ), list(...))
  for (k in seq_along(bins)) {
    graphics::rect(breaks[-length(breaks)], 0, breaks[-1L], bins[[k]]$counts, col = colours[k],
                   border = NA)
  }
  graphics::abline(v = c(-1, 0, 1), lty = c(3, 2, 3), col = "grey40")
  graphics::legend("topright", levels(groups), fill = colours, border = NA, bty = "n")
}

plot_boundary <- function(fit, data, ...) {
  if (fit$task == "regression" || length(fit$features) != 2L) {
    abort_input(sprintf(
      "`which` is \"boundary\", but the fit is a %s of %d features; it needs a classifier of two.",
      fit$task, length(fit$features)
    ), "which")
  }
  if (is.null(data)) {
    abort_input("`data` is NULL; a fit does not keep its rows, give those to draw.", "data")
  }
  rows <- as.data.frame(data)[, fit$features]
  grid <- lapply(rows, function(column) seq(min(column), max(column), length.out = 150))
  plane <- expand.grid(grid)
  classes <- predict(fit, plane, type = "class")
  index <- as.integer(factor(as.character(classes), levels = fit$levels))
  colours <- margin_colours(length(fit$levels))
  draw(graphics::image, list(
    x = grid[[1L]], y = grid[[2L]], z = matrix(index, 150), zlim = c(1, length(fit$levels)),
    col = grDevices::adjustcolor(colours, 0.18), las = 1, xlab = fit$features[1L],
    ylab = fit$features[2L], main = "Predicted class"
  ), list(...))
  known <- nrow(rows) == length(fit$response)
  graphics::points(rows, pch = 19, cex = 0.7,
                   col = if (known) colours[as.integer(fit$response)] else "grey30")
  graphics::legend("topleft", fit$levels, pch = 19, col = colours, bg = "white",
                   title = if (known) "observed" else "predicted")
  cbind(plane, class = classes)
}
