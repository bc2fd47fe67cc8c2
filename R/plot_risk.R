# plot(path, which = "risk"): risk and held-out error along a robust, kernel or augmented path.
# Documented in plot_path.R.

# A row for each point: its radius, lambda or rate; robust_risk, the mean hinge loss in the worst
# distribution of the ball, or elsewhere the objective; and, where `data` has labels, the
# error rate there and, for a robust path, the hinge loss.
risk_table <- function(path, data, y, class) {
  coefficients <- path$coefficients
  if (is.list(coefficients) && !is.null(class)) coefficients <- coefficients[[class]]
  inside <- path$by_class
  if (!is.null(class)) inside <- inside[inside$class == class, ]
  table <- data.frame(points_of(path), row.names = NULL)
  name <- if (inherits(path, "margin_path_robust")) "robust_risk" else "objective"
  table[[name]] <- training_risk(path, inside, coefficients)
  if (is.null(data)) {
    return(table)
  }
  labels <- held_out_labels(path, data, y)
  positive <- if (is.null(class)) path$levels[2L] else class
  target <- ifelse(labels == positive, 1, -1)
  scores <- score_design(path, design_newdata(path, data)$x, coefficients)
  margins <- target * as.matrix(scores)
  if (inherits(path, "margin_path_robust")) {
    table$held_out_risk <- unname(colMeans(pmax(1 - margins, 0), na.rm = TRUE))
  }
  # a score of 0 means the positive class
  wrong <- margins < 0 | (margins == 0 & target < 0)
  table$held_out_error <- unname(colMeans(wrong, na.rm = TRUE))
  table
}

# The certificate's value, for a robust path without the ridge.
training_risk <- function(path, inside, coefficients) {
  if (!inherits(path, "margin_path_robust")) {
    return(inside$value)
  }
  slopes <- if (has_intercept(path)) coefficients[-1L, , drop = FALSE] else coefficients
  squares <- Matrix::colSums((slopes * path$scales)^2)
  if (path$settings$intercept == "penalized") squares <- squares + coefficients[1L, ]^2
  inside$value - path$settings$ridge / 2 * squares
}

held_out_labels <- function(path, data, y) {
  labels <- if (is.null(y)) observed_response(path, data) else y
  if (is.null(labels)) {
    abort_input("`y` is missing; give the labels of the rows of `data`.", "y")
  }
  if (length(labels) != nrow(data)) {
    abort_input(sprintf("`y` has length %d, but `data` has %d rows; give one label a row.",
                        length(labels), nrow(data)), "y")
  }
  labels <- as.character(labels)
  unknown <- setdiff(labels, c(path$levels, NA))
  if (length(unknown) > 0L) {
    abort_input(sprintf("`y` has the label \"%s\", which the path was not fitted to.", unknown[1L]),
                "y")
  }
  labels
}

plot_path_risk <- function(path, data, y, class, ...) {
  robust <- inherits(path, "margin_path_robust")
  if (!inherits(path, c("margin_path_robust", "margin_path_kernel", "margin_path_augmented"))) {
    abort_input(paste(
      "`which` is \"risk\", which paths of family \"robust\", \"kernel\" and \"augmented\" have;",
      "use \"gap\" or \"coefficients\"."
    ), "which")
  }
  if (path$task == "regression" && !is.null(data)) {
    abort_input("`data` is given, but a regression has no error rate; leave it out.", "data")
  }
  if (!is.null(problem_classes(path)) && length(class) != 1L) {
    abort_input(sprintf("`class` must be one of %s: each class has a risk of its own.",
                        quote_list(problem_classes(path))), "class")
  }
  table <- risk_table(path, data, y, class)
  shown <- c(robust_risk = "robust risk (training rows)", objective = "objective (training rows)",
             held_out_risk = "hinge loss, held out",
             held_out_error = "error rate, held out")
  shown <- shown[names(shown) %in% names(table)]
  axis <- path_axis(path)
  old <- graphics::par(mar = c(4.2, 4.4, 2.5, 1) + 0.1)
  on.exit(graphics::par(old))
  room <- make_legend_room(shown)
  colours <- margin_colours(length(shown), list(...)$col)
  draw(graphics::plot, list(
    x = path_limits(axis$along), y = range(0, table[names(shown)]), type = "n", xaxt = "n", las = 1,
    xlab = axis$label, ylab = "mean over the rows (no unit)",
    main = paste0("Risk along ", c(lambda = "lambda", radius = "the radius",
                                   rate = "the rate")[path$coordinates[1L]],
                  if (!is.null(class)) paste0(", ", class))
  ), along_axis(list(...), axis))
  axis$draw()
  for (k in seq_along(shown)) {
    graphics::points(axis$along, table[[names(shown)[k]]], type = "o", col = colours[k],
                     bg = colours[k], pch = 20L + k, lty = k, lwd = 2)
  }
  side_legend(room, shown, col = colours, pt.bg = colours,
              pch = 20L + seq_along(shown), lty = seq_along(shown), lwd = 2)
  table
}
