# What a fit looks like: its coefficients, its scores, its boundary. Called by plot.margin_fit().

plot_coefficients <- function(fit, top, class, scaled, theirs) {
  if (has_kernel(fit)) {
    abort_input(paste(
      "`which` is \"coefficients\", but a kernel fit has none of columns;",
      "draw \"scores\", or the \"boundary\" of two features."
    ), "which")
  }
  assert_number(top, "top", lower = 1, upper = Inf, open = FALSE, whole = TRUE)
  assert_flag(scaled, "scaled")
  table <- sorted_coefficients(fit)
  size_of <- if (scaled) "scaled" else "estimate"
  table <- table[order(-abs(table[[size_of]])), ]
  table <- table[table$term != "(Intercept)", ]
  if (!is.null(class)) table <- table[table$class %in% class, ]
  candidates <- nrow(table)
  table <- utils::head(table, top)
  label <- shorten(table$term)
  if (!is.null(table$class)) label <- paste0(label, " (", shorten(table$class, 16L), ")")
  upwards <- rev(seq_len(nrow(table)))
  height <- table[[size_of]][upwards]
  # Names as large as the bars permit, and none left out.
  size <- max(0.35, min(0.85, (graphics::par("fin")[2L] - 1.45) / nrow(table) / 0.17))
  inches <- max(graphics::strwidth(label, units = "inches", cex = size)) + 0.3
  old <- graphics::par(mai = c(0.85, min(inches, 0.6 * graphics::par("fin")[1L]), 0.6, 0.25))
  on.exit(graphics::par(old))
  colours <- margin_colours(2L, theirs[["col"]])
  key <- sign_words(fit)
  room <- make_legend_room(key, below = TRUE)
  middles <- draw(graphics::barplot, list(
    height = height, names.arg = rep("", nrow(table)), horiz = TRUE, las = 1, border = NA,
    xlim = range(pretty(c(0, height))),
    xlab = if (scaled && fit$settings$scale) "coefficient times the column's standard deviation" else
      "coefficient (per unit of the column)",
    main = if (nrow(table) < candidates) {
      sprintf("The %d largest of %d coefficients", nrow(table), candidates)
    } else {
      "Coefficients"
    }
  ), utils::modifyList(theirs, list(col = colours[1L + (height > 0)])))
  graphics::axis(2, middles, label[upwards], las = 1, tick = FALSE, cex.axis = size, gap.axis = -1)
  graphics::abline(v = 0, col = "grey40")
  side_legend(room, key, fill = colours, border = NA)
  without_row_names(table)
}

# What a negative and a positive coefficient say.
sign_words <- function(fit) {
  if (fit$task == "regression") {
    return(c("lowers the prediction", "raises the prediction"))
  }
  if (length(fit$levels) > 2L) c("against the class", "for the class") else
    paste("for", shorten(fit$levels, 24L))
}

# ---- Scores ----

plot_scores <- function(fit, class, ...) {
  if (fit$task == "regression") {
    return(plot_response(fit, ...))
  }
  if (is.null(problem_classes(fit))) {
    old <- graphics::par(mar = c(4.2, 4.2, 2.5, 1) + 0.1)
    on.exit(graphics::par(old))
    room <- make_legend_room(shorten(fit$levels, 24L))
    histogram_by_class(fit$scores, hard_response(fit), 40, list(
      main = "Training decision values",
      xlab = sprintf("decision value (0 or more: %s)", shorten(fit$levels[2L])),
      ylab = "rows"
    ), margin_of_scores(fit), ...)
    side_legend(room, shorten(fit$levels, 24L), fill = histogram_colours(list(...)[["col"]]),
                border = NA)
    return(data.frame(class = NA_character_, response = hard_response(fit),
                      score = unname(fit$scores)))
  }
  plot_score_panels(fit, if (is.null(class)) fit$levels else class, ...)
}

# A panel for each class, its own rows and the others, under one legend and over one axis label.
plot_score_panels <- function(fit, levels, ...) {
  # Read before mfrow is set, which rescales the margins.
  old <- graphics::par(c("mfrow", "mar", "oma", "mgp"))
  on.exit(graphics::par(old))
  graphics::par(mfrow = grDevices::n2mfrow(length(levels)), mar = c(2.2, 3, 2, 0.8),
                oma = c(1.6, 1.6, 2.2, 0), mgp = c(2, 0.7, 0))
  compared <- class_model(fit)$compared
  for (level in levels) {
    own <- factor(ifelse(hard_response(fit) == level, "own", "rest"), c("rest", "own"))
    histogram_by_class(fit$scores[, level], own, 25,
                       list(main = shorten(level, 24L), xlab = "", ylab = ""),
                       if (!compared) margin_of_scores(fit), ...)
  }
  graphics::mtext(if (compared) "decision value (the largest of a row is its class)" else
    "decision value, one-vs-rest", side = 1,
                  outer = TRUE, line = 0.4, cex = 0.9)
  graphics::mtext("rows", side = 2, outer = TRUE, line = 0.2, cex = 0.9)
  # The whole device as one more plot, empty but for the legend.
  graphics::par(mfrow = c(1, 1), fig = c(0, 1, 0, 1), oma = rep(0, 4), mar = rep(0, 4), new = TRUE)
  graphics::plot.new()
  graphics::legend("top", c("the other classes", "the class of the panel"), horiz = TRUE,
                   fill = histogram_colours(list(...)[["col"]]), border = NA, bty = "n")
  data.frame(class = rep(levels, each = nrow(fit$scores)),
             response = rep(hard_response(fit), length(levels)),
             score = as.vector(fit$scores[, levels]))
}

histogram_colours <- function(given = NULL) {
  grDevices::adjustcolor(margin_colours(2L, given), 0.55)
}

# margin: where the lines of the margins are; NULL of scores that only mean something beside those
# of other classes.
histogram_by_class <- function(score, groups, bins, ours, margin, ...) {
  # A value of 0 is one of the right side. As fine as the bulk of the scores asks for, however far
  # out a few of them lie.
  width <- diff(pretty(stats::quantile(score, c(0.01, 0.99)), bins)[1:2])
  breaks <- width * seq(floor(min(score) / width), ceiling(max(score) / width))
  if (length(breaks) > 1000L || length(breaks) < 2L) breaks <- pretty(score, bins)
  counts <- lapply(split(score, groups), function(s) {
    graphics::hist(s, breaks = breaks, right = FALSE, plot = FALSE)$counts
  })
  draw(graphics::plot, c(list(x = range(breaks, -1 * margin, margin), y = c(0, max(unlist(counts))),
                              type = "n", las = 1), ours), list(...))
  for (k in seq_along(counts)) {
    graphics::rect(breaks[-length(breaks)], 0, breaks[-1L], counts[[k]], border = NA,
                   col = histogram_colours(list(...)[["col"]])[k])
  }
  if (!is.null(margin)) {
    graphics::abline(v = margin * c(-1, 0, 1), lty = c(3, 2, 3), col = "grey40")
  }
}

plot_response <- function(fit, ...) {
  drawn <- data.frame(fitted = unname(fit$scores), response = fit$response)
  draw(graphics::plot, list(
    x = drawn$fitted, y = drawn$response, pch = 19, cex = 0.6, las = 1,
    col = grDevices::adjustcolor(margin_colours(1L), 0.5), xlab = "fitted value",
    ylab = "response", main = "Response against fitted value (line: equal)"
  ), list(...))
  graphics::abline(0, 1, lty = 2, col = "grey40")
  drawn
}

# ---- Boundary ----

plot_boundary <- function(fit, data, ...) {
  if (has_offset(fit)) {
    abort_input(paste(
      "`which` is \"boundary\", but the fit has an offset, which moves it from row to row; use",
      "\"scores\"."
    ), "which")
  }
  variables <- plane_variables(fit)
  rows <- plane_rows(fit, data, variables)
  observed <- plane_classes(fit, data)
  # Half a step beyond the rows on each side, so that no point sits on the frame.
  grid <- lapply(rows, function(column) {
    ends <- grDevices::extendrange(column[is.finite(column)], f = 0.05)
    seq(ends[1L], if (diff(ends) > 0) ends[2L] else ends[1L] + 1, length.out = 200L)
  })
  plane <- expand.grid(grid)
  scores <- score_rows(fit, plane)
  index <- class_by(fit, scores)
  colours <- margin_colours(length(fit$levels), list(...)[["col"]])
  labels <- shorten(fit$levels, 24L)
  old <- graphics::par(mar = c(4.2, 4.6, 2.5, 1) + 0.1)
  on.exit(graphics::par(old))
  room <- make_legend_room(c("predicted", labels))
  draw(graphics::image, list(
    x = grid[[1L]], y = grid[[2L]], z = matrix(index, 200L), zlim = c(1, length(fit$levels)),
    col = grDevices::adjustcolor(colours, 0.2), las = 1, xlab = variables[1L],
    ylab = variables[2L], main = "Predicted class"
  ), utils::modifyList(list(...), list(col = NULL)))
  if (!is.matrix(scores)) {
    graphics::contour(grid[[1L]], grid[[2L]], matrix(scores, 200L),
                      levels = unique(margin_of_scores(fit) * c(-1, 0, 1)),
                      lty = c(3, if (is.null(fit$threshold)) 1 else 2, 3), col = "grey30",
                      drawlabels = FALSE, add = TRUE)
    if (!is.null(fit$threshold)) {
      # where the class changes: between the two classes on the grid
      graphics::contour(grid[[1L]], grid[[2L]], matrix(as.double(index), 200L), levels = 1.5,
                        col = "grey30", drawlabels = FALSE, add = TRUE)
    }
  }
  shapes <- rep_len(21:25, length(colours))
  known <- !is.null(observed)
  graphics::points(rows, cex = 0.9, col = "white", pch = if (known) shapes[observed] else 21,
                   bg = if (known) colours[observed] else "grey30")
  if (inherits(fit, "margin_hard") && nrow(rows) == NROW(fit$dual)) {
    held <- rowSums(as.matrix(fit$dual) > 0) > 0
    graphics::points(rows[held, ], cex = 2, lwd = 2, col = "black")
  }
  side_legend(room, labels, title = if (known) "observed" else "predicted",
              pch = if (known) shapes else 22, pt.bg = colours, col = "white",
              pt.cex = if (known) 1.1 else 1.6)
  stats::setNames(cbind(plane, as_response(fit, index)), c(variables, "class"))
}

# The two columns that span the plane.
plane_variables <- function(fit) {
  variables <- model_variables(fit)
  if (fit$task == "regression" || length(variables) != 2L) {
    abort_input(sprintf(
      "`which` is \"boundary\", but the fit is a %s of %s; it needs a classifier of two.",
      fit$task, count(length(variables), "feature")
    ), "which")
  }
  coded <- coded_variables(fit$terms)
  if (length(coded) > 0L) {
    abort_input(sprintf(
      "`which` is \"boundary\", but `%s` is not a number; it needs two numeric features.", coded[1L]
    ), "which")
  }
  variables
}

# The right-hand side variables that are not numbers.
# Columns of the data of a formula fit, of other fits their features.
model_variables <- function(fit) {
  if (is.null(fit$terms)) fit$features else required_variables(fit$terms)
}

coded_variables <- function(terms) {
  classes <- attr(terms, "dataClasses")
  if (isTRUE(attr(terms, "response") == 1L)) {
    classes <- classes[-1L]
  }
  names(classes)[!grepl("^(numeric|nmatrix)", classes)]
}

plane_rows <- function(fit, data, variables) {
  if (is.null(data)) {
    abort_input("`data` is NULL; a fit does not keep its rows, give those to draw.", "data")
  }
  assert_matrix(data, "data")
  if (is.null(colnames(data)) && identical(ncol(data), 2L)) {
    colnames(data) <- feature_names(NULL, 2L)
  }
  absent <- setdiff(variables, colnames(data))
  if (length(absent) > 0L) {
    abort_input(sprintf("`data` has no column \"%s\", which the boundary is drawn over; add it.",
                        absent[1L]), "data")
  }
  # Two columns of a sparse matrix are small enough to be drawn.
  rows <- data[, variables, drop = FALSE]
  rows <- if (is.data.frame(rows)) as.data.frame(rows) else as.data.frame(as.matrix(rows))
  number <- vapply(rows, is.numeric, NA)
  if (!all(number)) {
    abort_input(sprintf("`data` has \"%s\" that is not numeric; a boundary needs two numbers.",
                        variables[!number][1L]), "data")
  }
  rows
}

# Index of the observed level of each row, or NULL where it is not known.
plane_classes <- function(fit, data) {
  observed <- observed_response(fit, data)
  if (is.null(observed) && nrow(data) == NROW(fit$response)) {
    observed <- hard_response(fit)
  }
  if (!is.null(observed)) match(as.character(observed), fit$levels)
}

# The critical-difference diagram.

#' @rdname friedman_nemenyi
#' @export
plot.friedman_nemenyi <- function(x, ...) {
  assert_plot_arguments("plot()", ...)
  ranks <- x$ranks
  k <- nrow(ranks)
  bars <- rank_bars(ranks$mean_rank, x$critical_difference)
  left <- seq_len(ceiling(k / 2))
  depth <- ifelse(seq_len(k) %in% left, seq_len(k), k + 1L - seq_len(k))
  lowest <- -(max(depth) + length(bars$from) * 0.35 + 0.6)
  labels <- shorten(ranks$model, 24L)
  old <- graphics::par(mar = c(1, 1, 2.5, 1) + 0.1)
  on.exit(graphics::par(old))
  graphics::par("fin")
  margins <- graphics::par("mai")
  margins[c(2L, 4L)] <- max(graphics::strwidth(labels, units = "inches")) + 0.3
  graphics::par(mai = margins)
  draw(graphics::plot, list(x = c(1, k), y = c(lowest, 2.2), type = "n", axes = FALSE, xlab = "",
                            ylab = "", main = "Mean ranks, the best to the left"), list(...))
  draw_rank_axis(k, x$critical_difference, x$level)
  start <- length(bars$from) * 0.35 + 0.3
  colour <- margin_colours(2L, list(...)[["col"]])
  for (i in seq_len(k)) {
    at <- ranks$mean_rank[i]
    on_left <- i %in% left
    edge <- if (on_left) 1 else k
    y <- -(depth[i] + start - 0.6)
    graphics::lines(c(at, at, edge), c(0, y, y), col = "grey30")
    graphics::points(at, 0, pch = 21, cex = 1.2, col = colour[1L],
                     bg = if (isFALSE(ranks$certified[i])) "white" else colour[1L])
    graphics::mtext(labels[i], if (on_left) 2L else 4L, at = y, las = 1, line = 0.3)
  }
  for (i in seq_along(bars$from)) {
    y <- -0.35 * i
    graphics::segments(ranks$mean_rank[bars$from[i]] - 0.03, y,
                       ranks$mean_rank[bars$to[i]] + 0.03, y, lwd = 4, col = colour[2L], lend = 1)
  }
  if (any(!ranks$certified, na.rm = TRUE)) {
    graphics::mtext("hollow: a fit is NOT certified", 1L, line = -0.2, cex = 0.85)
  }
  invisible(without_row_names(ranks))
}

draw_rank_axis <- function(k, difference, level) {
  graphics::segments(1, 0, k, 0)
  graphics::segments(seq_len(k), 0, seq_len(k), 0.2)
  graphics::text(seq_len(k), 0.2, seq_len(k), pos = 3, offset = 0.2)
  graphics::arrows(1, 1.4, min(1 + difference, k), 1.4, length = 0.05, angle = 90,
                   code = if (1 + difference > k) 1L else 3L)
  graphics::text(1, 1.4, sprintf("critical difference %s (%s %%)%s", format(difference, digits = 3),
                                 format(100 * level),
                                 if (1 + difference > k) ", longer than the axis" else ""),
                 adj = c(0, -0.9), cex = 0.85)
}

# The longest runs of sorted ranks that differ by less than the critical difference: from, to.
rank_bars <- function(ranks, difference) {
  to <- vapply(seq_along(ranks), function(i) max(which(ranks - ranks[i] < difference)), 0L)
  from <- seq_along(ranks)
  keep <- to > from & !duplicated(to)
  list(from = from[keep], to = to[keep])
}
