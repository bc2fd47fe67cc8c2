# plot(path, which = "risk"): risk and held-out error along a robust, kernel or augmented path.
# Documented in plot_path.R.

# A row for each point: its radius, lambda or rate; robust_risk, the mean hinge loss in the worst
# distribution of the ball, or elsewhere the objective; and, where `data` is given, the error rate
# there and its loss: the hinge loss of a robust path, the log loss of a logistic one, the loss of a
# regression. An attribute says whether `data` are the rows of the path.
risk_table <- function(path, data, y, class) {
  coefficients <- path$coefficients
  if (is.list(coefficients) && !is.null(class)) coefficients <- coefficients[[class]]
  inside <- path$by_class
  joint <- is_joint(path)
  inside <- inside[inside$class %in% (if (joint) inside$class[1L] else if (is.null(class)) NA else
    class), ]
  table <- data.frame(points_of(path), row.names = NULL)
  name <- if (inherits(path, "margin_path_robust")) "robust_risk" else "objective"
  table[[name]] <- training_risk(path, inside, coefficients)
  if (is.null(data)) {
    return(table)
  }
  refuse_offset(path, "plot(which = \"risk\")", "x")
  truth <- judged_response(path, data, y)
  design <- design_newdata(path, data)
  x <- design$x
  complete <- setdiff(which(!is.na(truth)), design$na_rows)
  codes <- if (path$task == "regression") truth else match(truth, path$levels)
  attr(table, "training") <-
    any(fingerprint_of(take_rows(x, complete), codes[complete]) %in% path$fingerprint)
  if (joint) {
    wrong <- as.matrix(stats::predict(path, data)) != truth
    table$held_out_error <- unname(colMeans(wrong, na.rm = TRUE))
    return(table)
  }
  scoring <- scoring_coefficients(path)
  if (is.list(scoring)) scoring <- scoring[[class]]
  scores <- as.matrix(score_design(path, x, scoring))
  if (path$task == "regression") {
    table$held_out_risk <- regression_losses_of(path, truth, scores)
    return(table)
  }
  target <- ifelse(truth == if (is.null(class)) path$levels[2L] else class, 1, -1)
  margins <- target * scores
  loss <- path_loss(path)
  if (!is.null(loss)) table$held_out_risk <- unname(colMeans(loss(margins), na.rm = TRUE))
  # a score of 0 means the positive class
  wrong <- margins < 0 | (margins == 0 & target < 0)
  table$held_out_error <- unname(colMeans(wrong, na.rm = TRUE))
  table
}

# Of a margin, where it is among the metrics.
path_loss <- function(path) {
  if (inherits(path, "margin_path_robust")) {
    return(function(m) pmax(1 - m, 0))
  }
  if (identical(loss_name(path), "logistic") && !is_joint(path)) {
    return(function(m) -stats::plogis(m, log.p = TRUE))
  }
}

# The mean loss of a regression in the unit of its problem, that of the objective beside it.
regression_losses_of <- function(path, truth, scores) {
  loss <- path$settings$loss
  unit <- unit_of(path)
  metric <- known_metrics(loss, unit)[[default_metric(path$task, list(loss), FALSE)]]
  squares <- isTRUE(loss_list[[loss$name]]$squares)
  of_problem <- if (loss$name == "squared") 1 / 2 else unit^(if (squares) -2 else -1)
  vapply(seq_len(ncol(scores)), function(i) {
    at <- which(!is.na(truth) & !is.na(scores[, i]))
    of_problem * metric$compute(truth[at], scores[at, i], rep(1, length(at)))
  }, 0)
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

# Labels as text, or the numbers of a regression.
judged_response <- function(path, data, y) {
  values <- if (is.null(y)) observed_response(path, data) else y
  if (is.null(values)) {
    abort_input("`y` is missing; give the response of the rows of `data`.", "y")
  }
  if (length(values) != nrow(data)) {
    abort_input(sprintf("`y` has length %d, but `data` has %d rows; give one label a row.",
                        length(values), nrow(data)), "y")
  }
  if (path$task == "regression") {
    if (!is.numeric(values)) {
      abort_input(sprintf("`y` is %s, but this path is of a regression; give numbers.",
                          show_value(values)), "y")
    }
    return(as.double(values))
  }
  labels <- as.character(values)
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
  if (is_joint(path)) {
    if (!is.null(class)) {
      abort_input(sprintf(paste(
        "`class` is %s, but a model of all classes has one objective and one error rate;",
        "leave it out."
      ), show_value(class)), "class")
    }
  } else if (!is.null(problem_classes(path)) && length(class) != 1L) {
    abort_input(sprintf("`class` must be one of %s: each class has a risk of its own.",
                        quote_list(problem_classes(path))), "class")
  }
  table <- risk_table(path, data, y, class)
  training <- isTRUE(attr(table, "training"))
  attr(table, "training") <- NULL
  rows <- if (training) "training rows" else "held out"
  if (training) {
    inform("`data` are the training rows: expect worse on new data.")
  }
  loss <- if (robust) "hinge loss" else if (path$task == "regression") "loss" else "log loss"
  shown <- c(robust_risk = "robust risk (training rows)", objective = "objective (training rows)",
             held_out_risk = sprintf("%s (%s)", loss, rows),
             held_out_error = sprintf("error rate (%s)", rows))
  shown <- shown[names(shown) %in% names(table)]
  axis <- path_axis(path)
  old <- graphics::par(mar = c(4.2, 4.4, 2.5, 1) + 0.1)
  on.exit(graphics::par(old))
  room <- make_legend_room(shown)
  colours <- margin_colours(length(shown), list(...)[["col"]])
  draw(graphics::plot, list(
    x = path_limits(axis$along), y = range(0, table[names(shown)]), type = "n", xaxt = "n", las = 1,
    xlab = axis$label, ylab = if (unit_of(path) == 1) "mean over the rows" else
      "mean over the rows (response by its spread)",
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
