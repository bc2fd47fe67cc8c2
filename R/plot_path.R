#' Plots of a path
#'
#' See how a model changes along its path: which coefficients enter and grow, how near each fit is
#' to its optimum, and, with rows that were held out, where the error is least.
#'
#' @param x A path.
#' @param which What to draw against lambda, the radius of a robust path or the rate of an augmented
#'   one. All of these fall to the right, so that the model grows from left to right; the axes of
#'   lambda and of a radius above 0 are logarithmic.
#'   * `"coefficients"`: the coefficients of the scaled columns, which the penalty saw; the `top`
#'     that grow largest anywhere on the path have a colour and a name, the others are grey;
#'   * `"gap"`: the relative gap of each point with the tolerance as a line; points that are not
#'     certified are crosses. A gap below 1e-16 is zero up to rounding and drawn at the lower edge.
#'   * `"risk"`, for a robust path: the robust risk (the mean hinge loss in the worst distribution
#'     of the ball, without the ridge) and, with `data`, mean hinge loss and error rate there; for a
#'     kernel path or an augmented path: the objective and, with `data`, the error rate and the log
#'     loss (logistic loss) there, or the mean loss of a regression, in the unit of the objective.
#'     Rows that are those of the path are called training rows, not held out.
#'
#'   A kernel path has no coefficients of columns: without `which` its gap is drawn.
#' @param data,y For `"risk"`, rows that were held out and their labels; for a path from a formula
#'   the labels are found in `data`.
#' @param class For three or more classes, which levels to draw; `NULL` for all. One model of all
#'   classes has coefficients for each of them, but one gap and one risk.
#' @param mixture Which of several mixtures of a penalty to draw; `NULL` for all. `"coefficients"`
#'   has a panel for each class and mixture, twelve at most; `"gap"` a line for each mixture and
#'   each of `class` (`NULL`: the worst one). A path over the radius has none.
#' @param top How many coefficients to name in a panel, at most 7.
#' @param ... Graphical parameters by name: `main`, `sub`, `xlab`, `ylab`, `xlim`, `ylim` (in values
#'   of the axis), `col`, `las`, `bty`, `family`, and `cex.`, `col.` and `font.` of `main`, `sub`,
#'   `lab` and `axis`; any other argument is an error.
#' @return The numbers that were drawn, as a data frame, invisibly.
#' @section Errors:
#' Unknown names, and more than twelve panels, are errors of class `dualmargin_input_error`.
#' @examples
#' path <- margin_path(type ~ ., data = spambase, loss = "logistic", mixture = 1, n_lambda = 30)
#' plot(path)
#' plot(path, which = "gap")
#' @export
plot.margin_path <- function(x, which = c("coefficients", "gap", "risk"), class = NULL,
                             mixture = NULL, top = 7L, data = NULL, y = NULL, ...) {
  assert_plot_arguments("plot()", ...)
  assert_path(x, "x")
  which <- path_picture(x, if (!missing(which)) which)
  assert_plot_class(x, class)
  assert_number(top, "top", lower = 0, upper = 7, open = FALSE, whole = TRUE)
  invisible(switch(
    which, coefficients = plot_path_coefficients(x, path_panels(x, class, mixture), top, ...),
    gap = plot_path_gaps(x, path_gaps(x, class, mixture), class, ...),
    risk = plot_path_risk(x, data, y, class, ...)
  ))
}

path_picture <- function(path, which) {
  kernel <- !is.null(path$support)
  if (is.null(which)) {
    return(if (kernel) "gap" else "coefficients")
  }
  which <- one_of(which, c("coefficients", "gap", "risk"), "which")
  if (which == "coefficients" && kernel) {
    abort_input(
      "`which` is \"coefficients\", but a kernel path has none of columns; draw \"risk\".", "which"
    )
  }
  which
}

picked_series <- function(path, mixture) {
  unique(path_series(path)[pick_points(path, list(mixture = mixture))$lower])
}

# A path of one sequence has one line a class; a second coordinate makes several of them.
path_series <- function(path) {
  if (length(path$coordinates) > 1L) path[[path$coordinates[2L]]] else
    rep(NA, nrow(path$certificate))
}

# ---- Coefficients ----

# A class and a mixture each.
path_panels <- function(path, class, mixture) {
  panels <- expand.grid(class = if (!is.null(class)) class else if (is.null(problem_classes(path))) NA else
    problem_classes(path), mixture = picked_series(path, mixture), stringsAsFactors = FALSE)
  if (nrow(panels) > 12L) {
    abort_input(sprintf(
      "`class` and `mixture` make %d panels, but twelve can be drawn; pick some of them.",
      nrow(panels)
    ), "class")
  }
  panels
}

# Of the scaled columns, with a row at each point for each term that is not 0 at all points of its panel.
drawn_coefficients <- function(path, panels) {
  table <- tidy(path, zeros = FALSE)
  table$at <- match_points(path, table)
  table <- table[table$term != "(Intercept)", ]
  table$scaled <- table$estimate * column_scales(path)[table$term]
  rows <- lapply(seq_len(nrow(panels)), function(i) {
    at <- which(path_series(path) %in% panels$mixture[i])
    of_class <- if (is.na(panels$class[i])) TRUE else table$class == panels$class[i]
    own <- table[table$at %in% at & of_class, ]
    terms <- intersect(path$features, own$term)
    scaled <- matrix(0, length(terms), length(at))
    scaled[cbind(match(own$term, terms), match(own$at, at))] <- own$scaled
    data.frame(points_of(path, rep(at, each = length(terms))), class = rep(panels$class[i], length(scaled)),
               term = rep(terms, length(at)), scaled = as.vector(scaled), row.names = NULL)
  })
  rows <- do.call(rbind, rows)
  if (is.null(problem_classes(path))) rows[names(rows) != "class"] else rows
}

plot_path_coefficients <- function(path, panels, top, ...) {
  drawn <- drawn_coefficients(path, panels)
  if (nrow(panels) > 1L) {
    old <- graphics::par(c("mfrow", "mar"))
    on.exit(graphics::par(old))
    graphics::par(mfrow = grDevices::n2mfrow(nrow(panels)))
  }
  several <- length(unique(path_series(path))) > 1L
  of_row <- path_series(path)[match_points(path, drawn)]
  for (i in seq_len(nrow(panels))) {
    panel <- panels[i, ]
    title <- c(if (!is.na(panel$class)) class_problem(path, panel$class),
               if (several) paste("mixture", format(panel$mixture)))
    own <- if (is.na(panel$class)) TRUE else drawn$class == panel$class
    draw_coefficient_panel(path, drawn[of_row %in% panel$mixture & own, ],
                           which(path_series(path) %in% panel$mixture), top,
                           if (length(title) == 0L) "Coefficients along the path" else
                             paste(title, collapse = ", "), list(...))
  }
  drawn
}

# The problem of a class in words; one model of all classes has none that tells it from the rest.
class_problem <- function(model, class) if (is_joint(model)) class else paste(class, "vs rest")

draw_coefficient_panel <- function(path, drawn, at, top, main, theirs) {
  terms <- unique(drawn$term)
  scaled <- matrix(drawn$scaled, length(terms), length(at))
  size <- apply(abs(scaled), 1L, max)
  named <- utils::head(order(-as.vector(size)), top)
  colour <- rep("grey85", nrow(scaled))
  colour[named] <- margin_colours(length(named), theirs[["col"]])
  labels <- shorten(terms[named], 20L)
  axis <- path_axis(path)
  along <- axis$along[at]
  old <- graphics::par(mar = c(4.2, 4.4, 2.5, 1) + 0.1)
  on.exit(graphics::par(old))
  room <- min(label_room(c(labels, ""), 0.75) - 0.25, 0.4 * graphics::par("fin")[1L])
  graphics::par(mai = replace(graphics::par("mai"), 4L, room))
  draw(graphics::plot, list(
    x = path_limits(along), y = range(0, scaled), type = "n", xlab = axis$label,
    xaxt = "n", las = 1, main = main,
    ylab = if (path$settings$scale) "coefficient (of the scaled column)" else
      "coefficient (per unit of the column)"
  ), along_axis(theirs, axis))
  axis$draw()
  graphics::abline(h = 0, col = "grey40")
  for (j in rev(order(-as.vector(size)))) { # the largest on top
    graphics::lines(along, scaled[j, ], col = colour[j], lwd = if (j %in% named) 2 else 1,
                    type = if (length(at) == 1L) "p" else "l")
  }
  label_ends(scaled[named, which.max(along)], labels, colour[named])
}

# ---- Certificates ----

# The place in the path of each row of a table of its points.
match_points <- function(path, table) {
  key <- function(frame) do.call(paste, unname(as.list(frame[path$coordinates])))
  match(key(table), key(path$certificate))
}

path_gaps <- function(path, class, mixture) {
  assert_own_gap(path, class)
  table <- if (is.null(class)) certificate(path) else
    certificate(path, by = "class")[path$by_class$class %in% class, ]
  without_row_names(table[path_series(path)[match_points(path, table)] %in% picked_series(path, mixture), ])
}

plot_path_gaps <- function(path, table, class, ...) {
  axis <- path_axis(path)
  at <- match_points(path, table)
  along <- axis$along[at]
  of_mixture <- path_series(path)[at]
  mixture <- unique(of_mixture)
  line <- if (is.null(class)) factor(of_mixture, mixture, exclude = NULL) else
    factor(paste0(table$class, if (length(mixture) > 1L) paste0(", mixture ", of_mixture)))
  series <- split(seq_len(nrow(table)), line)
  labels <- if (is.null(class) && length(mixture) > 1L) paste("mixture", names(series)) else
    if (is.null(class)) "certified" else names(series)
  zero_up_to <- 1e-16
  gaps <- table$relative_gap
  lowest <- min(gaps[gaps > zero_up_to], path$settings$tol) / 3
  shown <- function(gap) pmin(pmax(gap, lowest), 1e3)
  missed <- sum(!table$certified)
  colours <- margin_colours(length(series), list(...)[["col"]])
  shapes <- rep_len(21:25, length(series))
  key <- c(shorten(labels, 24L), sprintf("tolerance %s", format(path$settings$tol)),
           if (missed > 0L) "not certified", if (any(gaps <= zero_up_to)) "zero up to rounding")
  old <- graphics::par(mar = c(4.2, 5.2, 2.5, 1) + 0.1)
  on.exit(graphics::par(old))
  room <- make_legend_room(key)
  draw(graphics::plot, list(
    x = path_limits(along), y = range(shown(c(gaps, path$settings$tol)), lowest),
    type = "n", log = "y", xlab = axis$label, xaxt = "n", yaxt = "n",
    main = if (missed > 0L) sprintf("Relative gap: %d of %d points NOT certified", missed,
                                    nrow(table)) else "Relative gap of each point"
  ), without_labels(along_axis(list(...), axis), "ylab"))
  axis$draw()
  axis_of_powers(graphics::par("usr")[3:4])
  outer_label(list(...), ylab = "relative gap (no unit)")
  graphics::abline(h = path$settings$tol, lty = 2, col = "grey40")
  for (i in seq_along(series)) {
    s <- table[series[[i]], ]
    graphics::points(along[series[[i]]], shown(s$relative_gap), type = "o", col = colours[i],
                     bg = colours[i], cex = ifelse(s$certified, 0.8, 1.4),
                     lwd = ifelse(s$certified, 1, 2),
                     pch = ifelse(s$certified & s$relative_gap <= zero_up_to, 6L,
                                  ifelse(s$certified, shapes[i], 4L)))
  }
  n <- length(series)
  zero <- any(gaps <= zero_up_to)
  side_legend(room, key,
              col = c(colours, "grey40", if (missed > 0L) "black", if (zero) "black"),
              pt.bg = c(colours, rep(NA, length(key) - n)),
              lty = c(rep(1, n), 2, rep(NA, length(key) - n - 1L)),
              pch = c(shapes, NA, if (missed > 0L) 4, if (zero) 6))
  table
}

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

# ---- Risk and held-out error along a robust, kernel or augmented path ----

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
