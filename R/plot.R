#' Plots of a fit
#'
#' Check a fit by eye: its residuals, decision values, coefficients, calibration, support vectors,
#' decision regions and convergence.
#'
#' The plots are base graphics in a palette that colour-blind readers can distinguish; lines and
#' points differ in shape as well. Legends stand beside the data, never on them.
#'
#' @param x A fit.
#' @param which What to draw. Without it: of a regression its `"residuals"`, of a classifier of up
#'   to twelve classes its `"scores"`; `"convergence"` of a fit that is not certified, and of more
#'   classes.
#'   * `"residuals"`: [residuals()][residuals.margin_fit] of the type `residuals` against the fitted
#'     values, of a classifier the decision values, with a line at 0 and a smooth of them
#'     ([stats::lowess()]). Residuals of two classes form two bands, of which the smooth alone
#'     tells.
#'   * `"qq"`: the ordered residuals against quantiles of the normal distribution, with a line
#'     through their quartiles.
#'   * `"spread"`: square roots of the sizes of the residuals against the fitted values, with a
#'     smooth: does their spread grow with these?
#'   * `"convergence"`: the relative gap against epochs, on a logarithmic scale, with the tolerance
#'     as a line. A gap of 0 or less, or below 1e-16, is zero up to rounding and drawn at the lower
#'     edge.
#'   * `"coefficients"`: the largest coefficients of the scaled columns, see [summary.margin_fit()],
#'     coloured by the class that a larger value of the column speaks for.
#'   * `"scores"`: a histogram of the training decision values for each class, with lines at 0 and
#'     at the margins -1 and 1; more than two classes have a panel each, one-vs-rest, or without
#'     these lines where all classes are one model, whose scores mean something beside one another
#'     only. For a regression, the response against the fitted value.
#'   * `"boundary"`: for a classifier of two numeric features, the rows and the predicted classes in
#'     the plane (and for two classes the lines of decision value 0 and of the margins -1 and 1, for
#'     [margin_hard()] those of its margin, with its support vectors ringed); needs `data`.
#'   * `"interval"`, for [margin_hard()]: both ends of the interval around the maximum margin,
#'     against epochs.
#'   * `"support"`, for a fit with dual variables: the rows with the largest weights, see
#'     [support_rows()], coloured by their class or, in a regression, by the side of the fit that
#'     they lie on. Where the loss bounds the weights (as the hinge does) the rows at the bound are
#'     all alike: they are counted, and those below it drawn, which lie on the margin.
#'   * `"calibration"`, for a fit from [margin_calibrate()]: the reliability diagram of the
#'     cross-validated probabilities. They are put into up to ten bins of as many rows each by their
#'     probability; points are the observed share of the class (with Wilson's 95 % interval, a row
#'     counting by its weight) against the mean probability, on the broken line where probabilities
#'     are right. The strip below shows how many rows have which probability. A logistic fit is
#'     shown before calibration too. Of more than two classes each has a panel.
#' @param data For `"boundary"`, the rows to draw: a data frame or matrix with the two features. The
#'   observed classes are those of the response in `data`, or, for a fit from `x` and `y`, of the
#'   training rows when `data` has as many rows.
#' @param top For `"coefficients"` and `"support"`, how many to draw.
#' @param class For three or more classes, which levels to draw; `NULL` for all. Of a fit of several
#'   quantiles which of them, as in `"tau = 0.5"`.
#' @param scaled For `"coefficients"`: `TRUE` for those of the scaled columns, which can be
#'   compared; `FALSE` for those per unit of each column, as in `coef()`.
#' @param residuals For `"residuals"`, `"qq"` and `"spread"`, the type of the residuals, see
#'   [residuals()][residuals.margin_fit]; `NULL` is `"response"` of a regression, `"deviance"` of
#'   classes.
#' @param ... Graphical parameters by name: `main`, `sub`, `xlab`, `ylab`, `xlim`, `ylim` (in values
#'   of the axis), `col`, `las`, `bty`, `family`, and `cex.`, `col.` and `font.` of `main`, `sub`,
#'   `lab` and `axis`; any other argument is an error.
#' @return The numbers that were drawn, as a data frame, invisibly.
#' @section Errors:
#' `"boundary"` for other than two features or without `data`, `"calibration"` of a fit without one,
#' and unknown `which`, are errors of class `dualmargin_input_error`.
#' @references
#' Wilson EB (1927). Probable inference, the law of succession, and statistical inference. *Journal
#' of the American Statistical Association* 22, 209-212. \doi{10.1080/01621459.1927.10502953}.
#' @examples
#' fit <- margin_linear(type ~ ., data = spambase, loss = "logistic")
#' plot(fit) # its scores
#' plot(fit, which = "convergence")
#' plot(fit, which = "coefficients", top = 12)
#' cars <- margin_linear(mpg ~ wt + hp + factor(cyl), data = mtcars)
#' plot(cars) # its residuals
#' two <- margin_linear(Species ~ Petal.Length + Petal.Width, data = iris)
#' plot(two, which = "boundary", data = iris)
#' @export
plot.margin_fit <- function(x, which = c("residuals", "scores", "convergence", "coefficients",
                                         "boundary", "interval", "support", "calibration", "qq",
                                         "spread"),
                            data = NULL, top = 20L, class = NULL, scaled = TRUE,
                            residuals = NULL, ...) {
  which <- fit_picture(x, which)
  # the rows of a regression are points of one kind
  own <- if (which %in% residual_pictures || which == "scores" && identical(x$task, "regression"))
    c("pch", "cex")
  assert_plot_arguments("plot()", ..., also = own)
  assert_fit(x, "x")
  assert_plot_class(x, class)
  assert_of_picture(which, residuals)
  drawn <- switch(
    which, boundary = plot_boundary(x, data, ...), interval = plot_interval(x, ...),
    support = plot_support(of_one_tau(x, which, class), top, if (!has_quantiles(x)) class, list(...)),
    picture_table(x, which, class, scaled, residuals)
  )
  if (which == "coefficients") {
    assert_number(top, "top", lower = 1, upper = Inf, open = FALSE, whole = TRUE)
    drawn <- plot_coefficients(x, drawn, top, scaled, list(...))
  }
  switch(which, residuals = , spread = draw_residuals(x, drawn, which, residuals, list(...)),
         qq = draw_quantiles(drawn, residual_type(x, residuals), list(...)),
         convergence = plot_convergence(x, drawn, ...), scores = plot_scores(x, drawn, ...),
         calibration = plot_calibration(x, drawn, ...))
  invisible(drawn)
}

# The one that is asked for, of those that plot() has.
fit_picture <- function(fit, which) {
  choices <- eval(formals(plot.margin_fit)$which)
  refuse_curves(fit, which)
  if (is.null(which) || identical(which, choices)) first_picture(fit) else
    assert_choice(which, choices, "which")
}

# What plot() and autoplot() draw.
picture_table <- function(fit, which, class = NULL, scaled = TRUE, residuals = NULL) {
  assert_plot_class(fit, class)
  assert_of_picture(which, residuals)
  fit <- of_one_tau(fit, which, class)
  switch(which, residuals = , qq = , spread = residual_table(fit, which, residuals),
         convergence = gap_table(fit, class), coefficients = bar_table(fit, class, scaled),
         scores = score_table(fit, class), calibration = reliability_tables(fit, class))
}

# Rows have a response, and a score of each quantile.
of_one_tau <- function(fit, which, class) {
  rows <- which %in% c(residual_pictures, "scores", "support")
  if (rows && has_quantiles(fit)) fit_of_tau(fit, assert_one_tau(fit, which, class)) else fit
}

# A fit keeps no rows to judge it by.
refuse_curves <- function(fit, which) {
  asked <- is.character(which) && length(which) == 1L &&
    tolower(readable(which)) %in% c("roc", "pr")
  if (asked && !identical(fit$task, "regression")) {
    abort_input(sprintf(paste(
      "`which` is \"%s\", a curve of rows that a fit is judged by;",
      "plot(margin_performance(fit, newdata), which = \"%s\") draws it."
    ), which, tolower(which)), "which")
  }
}

# What only some pictures have.
assert_of_picture <- function(which, residuals) {
  if (!is.null(residuals) && !which %in% residual_pictures) {
    abort_input(sprintf("`residuals` is given, but `which` is \"%s\"; they are for %s.", which,
                        quote_list(residual_pictures)), "residuals")
  }
}

# What is asked of a fit first, unless it ended before its tolerance.
first_picture <- function(fit) {
  assert_fit(fit, "x")
  if (!all(fit$certificate$certified) || length(fit$levels) > 12L) {
    return("convergence")
  }
  if (has_quantiles(fit)) {
    return("coefficients")
  }
  if (fit$task == "regression") "residuals" else "scores"
}

assert_plot_class <- function(fit, class) {
  if (is.null(class)) {
    return(invisible())
  }
  if (is.null(problem_classes(fit))) {
    abort_input(sprintf(
      "`class` is %s, but a fit of fewer than three classes has one problem only; leave it out.",
      show_value(class)
    ), "class")
  }
  for (level in class) assert_choice(level, problem_classes(fit), "class")
}

# ---- Shared by all plots ----

# Okabe and Ito's colours without the yellow, which is lost on white.
# given: a caller's `col`, which takes their place.
margin_colours <- function(n, given = NULL) {
  colours <- unname(grDevices::palette.colors(9L, "Okabe-Ito"))[c(6L, 7L, 4L, 2L, 8L, 3L, 1L, 9L)]
  if (length(given) > 0L) colours <- given
  rep_len(colours, n)
}

# A caller's graphical parameters replace ours instead of meeting them. A title or a label that is
# longer than the figure is drawn smaller.
draw <- function(f, ours, theirs) {
  arguments <- utils::modifyList(ours, theirs)
  size <- graphics::par("fin")
  frame <- graphics::par("plt")
  # centred on the frame, not on the figure
  room <- 2 * size * c(min(mean(frame[1:2]), 1 - mean(frame[1:2])),
                       min(mean(frame[3:4]), 1 - mean(frame[3:4])))
  fitting <- function(text, cex, font, room) {
    if (!is.character(text) || !any(nzchar(text))) {
      return(cex)
    }
    width <- max(graphics::strwidth(text, "inches", cex = 1, font = font))
    min(cex, 0.97 * room / width)
  }
  sizes <- list(
    cex.main = fitting(arguments$main, graphics::par("cex.main"), 2L, room[1L]),
    cex.lab = min(fitting(arguments$xlab, 1, 1L, room[1L]),
                  fitting(arguments$ylab, 1, 1L, room[2L]))
  )
  do.call(f, utils::modifyList(sizes, arguments))
}

# The label of an axis farther away than plot() puts it, where its numbers are long, and a title
# above lines of text: draw() is given none, outer_label() draws it.
without_labels <- function(theirs, labels) utils::modifyList(theirs, stats::setNames(
  rep(list(""), length(labels)), labels
))

outer_label <- function(theirs, ..., line = 3.8) {
  ours <- list(...)
  kind <- if ("main" %in% names(ours)) "main" else "lab"
  look <- theirs[names(theirs) %in% c(paste0(c("cex.", "col.", "font."), kind), "family",
                                      names(ours))]
  draw(function(...) graphics::title(..., line = line), ours, look)
}

# The names of bars on the left: as large as the bars permit, none left out, and the room they take.
size_of_names <- function(label) {
  max(0.35, min(0.85, (graphics::par("fin")[2L] - 1.45) / length(label) / 0.17))
}
names_margins <- function(label, size) {
  inches <- max(graphics::strwidth(label, units = "inches", cex = size)) + 0.3
  c(0.85, min(inches, 0.6 * graphics::par("fin")[1L]), 0.6, 0.25)
}

# Long names lose their middle, so that those with a common start stay apart.
shorten <- function(names, most = 32L) {
  ends <- (most - 3L) %/% 2L
  long <- nchar(names) > most
  names[long] <- paste0(substr(names[long], 1L, most - 3L - ends), "...",
                        substring(names[long], nchar(names[long]) - ends + 1L))
  names
}

# Room for a legend beside the plot, or under it where that would take more than 40 % of the width;
# called when the other margins are set.
make_legend_room <- function(labels, cex = 0.85, below = FALSE) {
  inches <- label_room(labels, cex)
  below <- below || inches > 0.4 * graphics::par("fin")[1L]
  margins <- graphics::par("mai")
  columns <- 1L
  if (below) {
    columns <- max(1L, floor(0.95 * graphics::par("fin")[1L] / inches))
    lines <- ceiling(length(labels) / columns)
    inches <- (1.2 * lines + 0.5) * cex * graphics::par("csi") / graphics::par("cex")
    graphics::par(mai = replace(margins, 1L, margins[1L] + inches))
  } else {
    graphics::par(mai = replace(margins, 4L, inches))
  }
  list(below = below, columns = columns, cex = cex, inches = inches)
}

# Inches that labels with their symbols take.
label_room <- function(labels, cex) {
  graphics::par("fin") # opens the device, whose font the width is of
  max(graphics::strwidth(labels, units = "inches", cex = cex)) + 0.65
}

# The legend where room was made for it.
side_legend <- function(room, labels, ...) {
  edge <- 0.1 / graphics::par("fin") # inches as shares of the figure
  at <- if (room$below) {
    list(x = edge[1L], y = room$inches / graphics::par("fin")[2L])
  } else {
    list(x = graphics::par("plt")[2L] + edge[1L], y = graphics::par("plt")[4L])
  }
  graphics::legend(graphics::grconvertX(at$x, "nfc"), graphics::grconvertY(at$y, "nfc"), labels,
                   ..., ncol = room$columns, bty = "n", cex = room$cex, xpd = NA)
}

# ---- Convergence ----

gap_table <- function(fit, class) {
  assert_own_gap(fit, class)
  trace <- convergence(fit)
  trace$relative_gap <- relative_gap(trace$value, trace$bound, trace$gap, 0)
  without_row_names(if (is.null(class)) trace else trace[trace$class %in% class, ])
}

plot_convergence <- function(fit, trace, ...) {
  label <- ifelse(is.na(trace$class), "gap", trace$class)
  series <- split(trace, factor(label, unique(label)))
  group <- names(series)
  if (length(group) > 16L) {
    worst <- worst_certificate(fit$certificate)$class
    group <- ifelse(group == worst, paste("worst:", worst), "the other classes")
  }
  missed <- !all(fit$certificate$certified)
  draw_gaps(series, group, "epoch", "epochs (passes over the data)", fit$settings$tol,
            if (missed) "Relative gap: NOT certified" else "Relative gap", list(...))
}

assert_own_gap <- function(model, class) {
  if (is_joint(model) && !is.null(class)) {
    abort_input(sprintf(paste(
      "`class` is %s, but a model of all classes has one gap for all of its classes;",
      "leave it out, or draw \"%s\"."
    ), show_value(class), if (inherits(model, "margin_path")) "coefficients" else "scores"),
    "class")
  }
}

# One line a series, those of a group alike; shared with compare_solvers().
draw_gaps <- function(series, group, x, xlab, tol, main, theirs) {
  gaps <- unlist(lapply(series, function(s) s$relative_gap))
  along <- unlist(lapply(series, function(s) s[[x]]))
  zero_up_to <- 1e-16
  zero <- any(gaps <= zero_up_to)
  lowest <- min(gaps[gaps > zero_up_to], tol) / 3
  shown <- function(gap) pmax(gap, lowest)
  groups <- unique(group)
  k <- seq_along(groups)
  # Thick below thin, so that of lines that coincide each can be seen.
  style <- data.frame(col = margin_colours(length(k), theirs[["col"]]),
                      pch = rep_len(21:25, length(k)),
                      lty = 1L + (k - 1L) %/% 8L,
                      lwd = if (length(k) > 1L) seq(4, 1.5, length.out = length(k)) else 2)
  labels <- c(shorten(groups, 24L), sprintf("tolerance %s", format(tol)),
              if (zero) "zero up to rounding")
  old <- graphics::par(mar = c(4.2, 5.2, 2.5, 1) + 0.1)
  on.exit(graphics::par(old))
  room <- make_legend_room(labels)
  draw(graphics::plot, list(
    x = range(0, along), y = range(shown(c(gaps, tol)), lowest), type = "n", log = "y",
    xlab = xlab, main = main, yaxt = "n"
  ), without_labels(theirs, "ylab"))
  axis_of_powers(graphics::par("usr")[3:4])
  outer_label(theirs, ylab = "relative gap (no unit)")
  graphics::abline(h = tol, lty = 2, col = "grey40")
  for (i in seq_along(series)) {
    s <- series[[i]]
    how <- style[match(group[i], groups), ]
    graphics::lines(s[[x]], shown(s$relative_gap), col = how$col, lwd = how$lwd, lty = how$lty)
    # markers of a long trace would hide the other lines
    m <- s[unique(round(seq(1, nrow(s), length.out = min(nrow(s), 30L)))), ]
    graphics::points(m[[x]], shown(m$relative_gap), col = how$col, bg = how$col, cex = 0.9,
                     pch = ifelse(m$relative_gap <= zero_up_to, 6, how$pch))
  }
  side_legend(room, labels,
              col = c(style$col, "grey40", if (zero) "black"),
              pt.bg = c(style$col, NA, if (zero) NA), lwd = c(style$lwd, 1, if (zero) 1),
              lty = c(style$lty, 2, if (zero) NA), pch = c(style$pch, NA, if (zero) 6))
}

# Powers of ten, at most seven of them; span in powers.
axis_of_powers <- function(span) {
  powers <- seq(ceiling(span[1L]), floor(span[2L]))
  powers <- powers[powers %% max(1, ceiling(length(powers) / 7)) == 0]
  graphics::axis(2, at = 10^powers, las = 1, labels = parse(text = sprintf("10^%d", powers)))
}

# Residuals of a fit against its fitted values, their normal quantiles and their spread. Called by
# plot.margin_fit().

residual_pictures <- c("residuals", "qq", "spread")

residual_type <- function(fit, type) {
  if (!is.null(type)) type else if (fit$task == "regression") "response" else "deviance"
}

residual_table <- function(fit, which, type) {
  type <- assert_choice(residual_type(fit, type), residual_types, "residuals")
  if (length(fit$levels) > 2L || !has_deviance_residuals(fit)) {
    abort_input(sprintf(paste(
      "`which` is \"%s\", which is for regressions and for fits of two classes with a loss; for",
      "others draw \"scores\"."
    ), which), "which")
  }
  fit$na.action <- NULL
  residual <- unname(typed_residuals(fit, type))
  fitted <- unname(fit$scores)
  switch(which, residuals = data.frame(fitted, residual),
         spread = data.frame(fitted, root = sqrt(abs(residual))),
         qq = data.frame(normal = stats::qnorm(stats::ppoints(length(residual))), residual = sort(residual)))
}

residual_label <- function(type) {
  if (type == "response") "residual (response minus fitted value)" else paste(type, "residual")
}

fitted_label <- function(fit) if (fit$task == "regression") "fitted value" else "decision value"

# Points, of classes coloured by the class, with a smooth of all of them.
draw_residuals <- function(fit, drawn, which, type, theirs) {
  type <- residual_type(fit, type)
  own <- if (type == "response") "" else paste0(type, " ")
  spread <- which == "spread"
  x <- drawn$fitted
  y <- drawn[[2L]]
  classes <- if (fit$task != "regression" && !inherits(fit$response, "soft_labels"))
    as.integer(fit$response == fit$levels[2L]) + 1L
  key <- c(if (!is.null(classes)) shorten(fit$levels, 24L), "smooth")
  colours <- margin_colours(if (is.null(classes)) 1L else 2L, theirs[["col"]])
  smooth <- if (is.null(classes)) margin_colours(2L)[2L] else "grey20"
  shapes <- if (is.null(classes)) 19 else c(19, 17)
  old <- graphics::par(mar = c(4.2, 4.4, 2.5, 1) + 0.1)
  on.exit(graphics::par(old))
  room <- make_legend_room(key)
  point <- function(values) if (is.null(classes)) values[1L] else values[classes]
  draw(graphics::plot, list(
    x = x, y = y, pch = point(shapes), cex = 0.6, las = 1,
    col = grDevices::adjustcolor(point(colours), 0.5), xlab = fitted_label(fit),
    ylab = if (spread) sprintf("square root of |%sresidual|", own) else residual_label(type),
    main = sprintf("%s against %ss", if (spread) "Spread of the residuals" else
      capital(paste0(own, "residuals")), fitted_label(fit))
  ), theirs[names(theirs) != "col" | is.null(classes)])
  graphics::abline(h = 0, lty = 2, col = "grey40")
  graphics::lines(stats::lowess(x, y), col = smooth, lwd = 1.5)
  k <- length(key) - 1L
  side_legend(room, key, lty = c(rep(NA, k), 1), lwd = 1.5, pch = c(shapes[seq_len(k)], NA),
              col = c(colours[seq_len(k)], smooth))
}

draw_quantiles <- function(drawn, type, theirs) {
  key <- "quartile line"
  old <- graphics::par(mar = c(4.2, 4.4, 2.5, 1) + 0.1)
  on.exit(graphics::par(old))
  room <- make_legend_room(key)
  draw(graphics::plot, list(
    x = drawn$normal, y = drawn$residual, pch = 19, cex = 0.6, las = 1,
    col = grDevices::adjustcolor(margin_colours(1L), 0.5),
    xlab = "quantile of the normal distribution", ylab = residual_label(type),
    main = if (type == "response") "Residuals against normal quantiles" else
      sprintf("%s residuals against normal quantiles", capital(type))
  ), theirs)
  line <- margin_colours(2L)[2L]
  ends <- quartile_line(drawn$residual)
  graphics::abline(ends[1L], ends[2L], col = line, lwd = 1.5)
  side_legend(room, key, lty = 1, lwd = 1.5, col = line)
}

# Its height at 0, and its slope.
quartile_line <- function(residual) {
  ends <- stats::quantile(residual, c(0.25, 0.75), names = FALSE)
  c(mean(ends), diff(ends) / diff(stats::qnorm(c(0.25, 0.75))))
}

capital <- function(word) paste0(toupper(substr(word, 1L, 1L)), substring(word, 2L))

# The score of each threshold. Documented in threshold.R.

#' @rdname margin_threshold
#' @export
tidy.margin_threshold <- function(x, ...) {
  assert_no_extra("tidy()", ...)
  as_tibble_if_installed(if (is.null(x$curve)) data.frame(threshold = x$value, score = NA_real_) else
    x$curve)
}

#' @rdname margin_threshold
#' @export
glance.margin_threshold <- function(x, ...) {
  assert_no_extra("glance()", ...)
  part <- function(name, none) if (is.null(x[[name]])) none else x[[name]]
  as_tibble_if_installed(data.frame(
    threshold = x$value, on = x$on, metric = part("metric", NA_character_),
    score = part("score", NA_real_), at_zero = part("at_zero", NA_real_), nobs = part("n", NA_integer_)
  ))
}

#' @rdname margin_threshold
#' @export
plot.margin_threshold <- function(x, ...) {
  assert_plot_arguments("plot()", ..., also = c("lty", "lwd"))
  if (is.null(x$curve)) {
    abort_input("`x` is a number that was given; only a threshold that was chosen has a curve.", "x")
  }
  of_prob <- identical(x$on, "prob")
  key <- c(sprintf("chosen: %s", format(x$value, digits = 3L)),
           if (!of_prob && x$value != 0) "0, that of the fit")
  old <- graphics::par(mar = c(4.2, 4.6, 2.5, 1) + 0.1)
  on.exit(graphics::par(old))
  room <- make_legend_room(key)
  label <- metric_label(x$metric)
  draw(graphics::plot, list(
    x = x$curve$threshold, y = x$curve$score, type = "s", col = margin_colours(1L), lwd = 1.5,
    las = 1, xlim = threshold_limits(x, of_prob), ylab = label,
    xlab = if (of_prob) "threshold of the probability" else "threshold of the decision value",
    main = sprintf("%s%s by threshold", toupper(substr(label, 1L, 1L)), substring(label, 2L))
  ), list(...))
  graphics::abline(v = x$value, col = "grey30")
  if (length(key) > 1L) graphics::abline(v = 0, lty = 2, col = "grey30")
  side_legend(room, key, lty = seq_along(key), col = "grey30")
  invisible(x$curve)
}

# Where the rows are: a few far away would leave the rest no room.
threshold_limits <- function(x, of_prob) {
  if (of_prob) {
    return(c(0, 1))
  }
  inner <- stats::quantile(x$scores, c(0.02, 0.98), names = FALSE)
  range(inner, 0, x$value)
}
