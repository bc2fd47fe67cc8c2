# What a fit looks like: its coefficients, its scores, its boundary, its probabilities. Called by
# plot.margin_fit().

# Of all columns, the largest first.
bar_table <- function(fit, class, scaled) {
  if (has_kernel(fit)) {
    abort_input(paste(
      "`which` is \"coefficients\", but a kernel fit has none of columns;",
      "draw \"scores\", or the \"boundary\" of two features."
    ), "which")
  }
  assert_flag(scaled, "scaled")
  table <- sorted_coefficients(fit)
  table <- table[order(-abs(table[[if (scaled) "scaled" else "estimate"]])), ]
  table <- table[table$term != "(Intercept)", ]
  without_row_names(if (is.null(class)) table else table[table$class %in% class, ])
}

plot_coefficients <- function(fit, table, top, scaled, theirs) {
  candidates <- nrow(table)
  table <- utils::head(table, top)
  label <- shorten(table$term)
  if (!is.null(table$class)) label <- paste0(label, " (", shorten(table$class, 16L), ")")
  upwards <- rev(seq_len(nrow(table)))
  height <- table[[if (scaled) "scaled" else "estimate"]][upwards]
  size <- size_of_names(label)
  old <- graphics::par(mai = names_margins(label, size))
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
  table
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

score_table <- function(fit, class) {
  if (fit$task == "one_class") {
    return(data.frame(score = unname(fit$scores), outlier = unname(class_by(fit, fit$scores) == 1L)))
  }
  if (fit$task == "regression") {
    return(data.frame(fitted = unname(fit$scores), response = fit$response))
  }
  response <- hard_response(fit)
  if (is.null(problem_classes(fit))) {
    return(data.frame(class = NA_character_, response = response, score = unname(fit$scores)))
  }
  levels <- if (is.null(class)) fit$levels else class
  data.frame(class = rep(levels, each = nrow(fit$scores)), response = rep(response, length(levels)),
             score = as.vector(fit$scores[, levels]))
}

plot_scores <- function(fit, drawn, ...) {
  if (fit$task == "regression") {
    return(plot_response(drawn, ...))
  }
  if (!is.null(problem_classes(fit))) {
    return(plot_score_panels(fit, drawn, ...))
  }
  old <- graphics::par(mar = c(4.2, 4.2, 2.5, 1) + 0.1)
  on.exit(graphics::par(old))
  room <- make_legend_room(shorten(fit$levels, 24L))
  threshold <- fit[["threshold"]]
  cut <- if (is.null(threshold)) 0 else if (threshold$on == "score") threshold$value
  histogram_by_class(drawn$score, drawn$response, 40, list(
    main = "Training decision values",
    xlab = if (is.null(cut)) "decision value" else
      sprintf("decision value (%s or more: %s)", format(cut, digits = 3L), shorten(fit$levels[2L])),
    ylab = "rows"
  ), margin_of_scores(fit), ..., cut = cut)
  side_legend(room, shorten(fit$levels, 24L), fill = histogram_colours(list(...)[["col"]]), border = NA)
}

# A panel for each class, its own rows and the others, under one legend and over one axis label.
plot_score_panels <- function(fit, drawn, ...) {
  compared <- class_model(fit)$compared
  levels <- unique(drawn$class)
  in_panels(levels, grDevices::n2mfrow(length(levels)), function(level, ours) {
    rows <- drawn[drawn$class == level, ]
    own <- factor(ifelse(rows$response == level, "own", "rest"), c("rest", "own"))
    histogram_by_class(rows$score, own, 25, ours, if (!compared) margin_of_scores(fit), ...)
  }, if (compared) "decision value (the largest of a row is its class)" else
    "decision value, one-vs-rest", "rows", function() {
    graphics::legend("top", c("the other classes", "the class of the panel"), horiz = TRUE,
                     fill = histogram_colours(list(...)[["col"]]), border = NA, bty = "n")
  })
}

# one(level, ours) draws a panel.
in_panels <- function(levels, mfrow, one, xlab, ylab, legend) {
  # Read before mfrow is set, which rescales the margins.
  old <- graphics::par(c("mfrow", "mar", "oma", "mgp"))
  on.exit(graphics::par(old))
  graphics::par(mfrow = mfrow, mar = c(2.2, 3, 2, 0.8), oma = c(1.6, 1.6, 2.2, 0),
                mgp = c(2, 0.7, 0))
  for (level in levels) one(level, list(main = shorten(level, 24L), xlab = "", ylab = ""))
  graphics::mtext(xlab, side = 1, outer = TRUE, line = 0.4, cex = 0.9)
  graphics::mtext(ylab, side = 2, outer = TRUE, line = 0.2, cex = 0.9)
  # The whole device as one more plot, empty but for the legend.
  graphics::par(mfrow = c(1, 1), fig = c(0, 1, 0, 1), oma = rep(0, 4), mar = rep(0, 4), new = TRUE)
  graphics::plot.new()
  legend()
}

histogram_colours <- function(given = NULL) {
  grDevices::adjustcolor(margin_colours(2L, given), 0.55)
}

# margin: where the lines of the margins are; NULL of scores that only mean something beside those
# of other classes.
histogram_by_class <- function(score, groups, bins, ours, margin, ..., cut = 0) {
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
    graphics::abline(v = margin * c(-1, 1), lty = 3, col = "grey40")
    graphics::abline(v = cut, lty = 2, col = "grey40")
  }
}

plot_response <- function(drawn, ...) {
  draw(graphics::plot, list(
    x = drawn$fitted, y = drawn$response, pch = 19, cex = 0.6, las = 1,
    col = grDevices::adjustcolor(margin_colours(1L), 0.5), xlab = "fitted value",
    ylab = "response", main = "Response against fitted value (line: equal)"
  ), list(...))
  graphics::abline(0, 1, lty = 2, col = "grey40")
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

# ---- Calibration ----

# The reliability diagram of a calibrated fit.

reliability_tables <- function(fit, class) {
  if (is.null(fit$calibration)) {
    abort_input("`which` is \"calibration\", but the fit has none; make it by margin_calibrate().",
                "which")
  }
  series <- held_out_probabilities(fit)
  levels <- if (length(fit$levels) == 2L) fit$levels[2L] else if (is.null(class)) fit$levels else
    class
  without_row_names(do.call(rbind, lapply(levels, reliability_table, fit = fit, series = series)))
}

plot_calibration <- function(fit, drawn, ...) {
  series <- held_out_probabilities(fit)
  tables <- split(drawn, factor(drawn$class, unique(drawn$class)))
  if (length(tables) == 1L) plot_reliability(fit, series, names(tables), tables[[1L]], ...) else
    plot_reliability_panels(fit, series, tables, ...)
}

# Matrices of cross-validated probabilities of the rows: of the fit's own model where it has any,
# and of the calibration.
held_out_probabilities <- function(fit) {
  held_out <- fit$calibration$held_out
  fit$calibration <- NULL
  before <- if (has_probabilities(fit)) unname_rows(prob_of_fit(fit, held_out$score))
  c(if (!is.null(before)) list(uncalibrated = before), list(calibrated = held_out$prob))
}

reliability_table <- function(fit, series, level) {
  held_out <- fit$calibration$held_out
  shares <- class_shares(fit$response)
  shares <- if (ncol(shares) == 1L) cbind(1 - shares, shares) else shares
  share <- shares[held_out$at, match(level, fit$levels)]
  rows <- lapply(names(series), function(name) {
    cbind(class = level, probabilities = name,
          reliability_bins(series[[name]][, level], share, held_out$weight))
  })
  do.call(rbind, rows)
}

# Up to ten bins of as many rows each, equal probabilities in one, with Wilson's 95 % interval for
# the share of the class. A row counts by its weight.
reliability_bins <- function(prob, share, weight, bins = 10L) {
  used <- weight > 0
  prob <- prob[used]
  share <- share[used]
  weight <- weight[used]
  cuts <- unique(stats::quantile(prob, seq_len(bins - 1L) / bins, type = 1L, names = FALSE))
  bin <- findInterval(prob, cuts, left.open = TRUE)
  rows <- drop(rowsum(weight, bin))
  observed <- pmin(drop(rowsum(weight * share, bin)) / rows, 1)
  interval <- wilson_interval(observed, rows)
  data.frame(rows = rows, mean_prob = drop(rowsum(weight * prob, bin)) / rows, observed = observed,
             lower = interval$lower, upper = interval$upper, row.names = NULL)
}

wilson_interval <- function(share, n, level = 0.95) {
  z2 <- stats::qnorm((1 + level) / 2)^2
  middle <- (share + z2 / (2 * n)) / (1 + z2 / n)
  half <- sqrt(z2 * (share * (1 - share) / n + z2 / (4 * n^2))) / (1 + z2 / n)
  list(lower = pmax(middle - half, 0), upper = pmin(middle + half, 1))
}

plot_reliability <- function(fit, series, level, table, ...) {
  labels <- c(names(series), "95 % interval", "perfect")
  old <- graphics::par(mar = c(4.2, 4.6, 2.5, 1) + 0.1)
  on.exit(graphics::par(old))
  room <- make_legend_room(labels)
  method <- c(platt = "Platt", isotonic = "isotonic")[[fit$calibration$method]]
  shown <- shorten(level, 24L)
  draw_reliability(series, level, table, list(
    main = sprintf("Reliability, cross-validated (%s)", method),
    xlab = sprintf("predicted probability of %s", shown),
    ylab = sprintf("observed share of %s", shown)
  ), ...)
  reliability_legend(series, labels, function(...) side_legend(room, ...), list(...)[["col"]])
}

# A panel for each class, under one legend and over one axis label.
plot_reliability_panels <- function(fit, series, tables, ...) {
  labels <- c(names(series), "95 % interval", "perfect")
  in_panels(names(tables), rev(grDevices::n2mfrow(length(tables))), function(level, ours) {
    draw_reliability(series, level, tables[[level]], ours, ...)
  }, "cross-validated probability of the class", "observed share", function() {
    given <- list(...)[["col"]]
    reliability_legend(series, labels, function(...) {
      widest <- 1.2 * max(graphics::strwidth(labels, cex = 0.85))
      graphics::legend("top", ..., horiz = TRUE, bty = "n", cex = 0.85, text.width = widest)
    }, given)
  })
}

reliability_style <- function(series, given = NULL) {
  colours <- margin_colours(2L, given)
  colours <- c(uncalibrated = colours[2L], calibrated = colours[1L])
  shapes <- c(uncalibrated = 24L, calibrated = 21L)
  list(colours = unname(colours[names(series)]), shapes = unname(shapes[names(series)]))
}

# Points with their intervals over a strip that shows how many rows have which probability.
draw_reliability <- function(series, level, table, ours, ...) {
  strip <- 0.2
  draw(graphics::plot, c(list(x = c(0, 1), y = c(-strip, 1), type = "n", yaxt = "n"), ours),
       list(...))
  graphics::axis(2, at = seq(0, 1, 0.2), las = 1)
  graphics::axis(2, at = -strip / 2, labels = "rows", tick = FALSE, las = 1)
  graphics::abline(h = 0, col = "grey70")
  graphics::segments(0, 0, 1, 1, lty = 2, col = "grey40")
  style <- reliability_style(series, list(...)[["col"]])
  for (i in seq_along(series)) {
    at <- table[table$probabilities == names(series)[i], ]
    draw_rows(series[[i]][, level], style$colours[i], strip)
    graphics::segments(at$mean_prob, at$lower, at$mean_prob, at$upper, col = style$colours[i],
                       lwd = 1.5)
    graphics::lines(at$mean_prob, at$observed, col = style$colours[i], lty = 3)
    graphics::points(at$mean_prob, at$observed, pch = style$shapes[i], bg = style$colours[i],
                     col = "white", cex = 1.2)
  }
}

draw_rows <- function(prob, colour, strip) {
  counts <- graphics::hist(prob, breaks = seq(0, 1, 0.05), plot = FALSE)$counts
  left <- seq(0, 0.95, 0.05)
  graphics::rect(left, -strip, left + 0.05, -strip + 0.9 * strip * counts / max(counts),
                 col = grDevices::adjustcolor(colour, 0.45), border = NA)
}

reliability_legend <- function(series, labels, place, given = NULL) {
  style <- reliability_style(series, given)
  k <- length(series)
  place(labels, pch = c(style$shapes, 124L, NA), pt.bg = c(style$colours, NA, NA),
        col = c(rep("white", k), "grey30", "grey40"), lty = c(rep(NA, k + 1L), 2), pt.cex = 1.2)
}
