# autoplot() of package ggplot2: what plot() draws, as an object that can be changed. Registered
# when ggplot2 is loaded, see explainers.R.

#' Plots with ggplot2
#'
#' Draw results by package ggplot2: `ggplot2::autoplot()` makes a plot object of the table that [plot()] draws
#' with the same arguments, but for graphical parameters; theme, scales and labels can be changed.
#'
#' @details
#' * Of a fit, `which` as for [plot.margin_fit()]: `"residuals"`, `"qq"`, `"spread"`, `"scores"`,
#'   `"convergence"`, `"coefficients"`, `"calibration"`. Of [margin_oneclass()] `"scores"` and `"convergence"`.
#' * Of a path [plot.margin_path()] with `which = "coefficients"` or `"gap"`.
#' * Of a cross-validation [plot.margin_cv()]: mean and standard error of every setting along the
#'   coordinate, a line for each of the others. Settings whose fits are not all certified are
#'   hollow.
#' * Of [margin_conformal()] with rows [plot.margin_conformal()]: `"coverage"`.
#' * Of a comparison [plot.model_comparison()]: `"differences"` or `"scores"` of the folds.
#' * Of [margin_performance()] the curves, `"roc"` or `"pr"`.
#' * Of [margin_bootstrap()] `"intervals"` or `"selection"`.
#'
#' What `plot()` has beside these (boundaries, support vectors, risks, sizes of sets) it has alone.
#' @section Errors:
#' Of class `dualmargin_input_error`: a picture that only `plot()` has, and what `plot()` refuses.
#' @examples
#' if (requireNamespace("ggplot2", quietly = TRUE)) {
#'   fit <- margin_linear(mpg ~ wt + hp + factor(cyl), data = mtcars)
#'   print(ggplot2::autoplot(fit))
#'   ggplot2::autoplot(fit, "coefficients") + ggplot2::theme_minimal()
#' }
#' @name autoplot
NULL

# From ggplot2, by name: it is a suggested package.
gg <- function(name, ...) getExportedValue("ggplot2", name)(...)

# Columns by name as aesthetics.
gg_aes <- function(...) do.call(getExportedValue("ggplot2", "aes"), lapply(list(...), as.name))

gg_start <- function(data, ...) gg("ggplot", data, gg_aes(...))

gg_colours <- function(n) gg("scale_colour_manual", values = margin_colours(n))

# Where a fit is not certified.
gg_hollow <- function() {
  gg("scale_shape_manual", values = c("TRUE" = 19L, "FALSE" = 1L), drop = FALSE, guide = "none")
}

refuse_picture <- function(which, known) {
  if (!which %in% known) {
    abort_input(sprintf("`which` is \"%s\", which plot() alone draws; autoplot() has %s.", which,
                        quote_list(known)), "which")
  }
}

gg_fit <- function(object, which = NULL, top = 20L, class = NULL, scaled = TRUE, residuals = NULL, ...) {
  assert_no_extra("autoplot()", ...)
  which <- fit_picture(object, which)
  pictures <- list(residuals = gg_residuals, qq = gg_residuals, spread = gg_residuals,
                   scores = gg_scores, convergence = gg_convergence,
                   coefficients = gg_coefficients, calibration = gg_calibration)
  refuse_picture(which, if (object$task == "one_class") c("scores", "convergence") else names(pictures))
  drawn <- picture_table(object, which, class, scaled, residuals)
  pictures[[which]](object, if (which == "coefficients") utils::head(drawn, top) else drawn, which)
}

gg_residuals <- function(fit, drawn, which) {
  columns <- names(drawn)
  start <- gg_start(drawn, x = columns[1L], y = columns[2L])
  smooth <- stats::lowess(drawn[[1L]], drawn[[2L]])
  labels <- switch(
    which, residuals = c(fitted_label(fit), "residual"),
    spread = c(fitted_label(fit), "square root of |residual|"),
    qq = c("quantile of the normal distribution", "residual")
  )
  points <- gg("geom_point", colour = margin_colours(1L), alpha = 0.6)
  line <- if (which == "qq") {
    ends <- quartile_line(drawn$residual)
    gg("geom_abline", intercept = ends[1L], slope = ends[2L], colour = margin_colours(2L)[2L])
  } else {
    gg("geom_line", gg_aes(x = "x", y = "y"), data = as.data.frame(smooth),
       colour = margin_colours(2L)[2L])
  }
  zero <- if (which == "residuals") gg("geom_hline", yintercept = 0, linetype = 2)
  start + zero + points + line + gg("labs", x = labels[1L], y = labels[2L])
}

gg_scores <- function(fit, drawn, which) {
  if (fit$task == "regression") {
    return(gg_start(drawn, x = "fitted", y = "response") +
             gg("geom_abline", intercept = 0, slope = 1, linetype = 2) +
             gg("geom_point", colour = margin_colours(1L), alpha = 0.6) +
             gg("labs", x = "fitted value", y = "response"))
  }
  group <- if (is.null(drawn$response)) "outlier" else "response"
  fill <- gg("scale_fill_manual", values = margin_colours(length(unique(drawn[[group]]))))
  several <- !is.null(drawn$class) && !all(is.na(drawn$class))
  gg_start(drawn, x = "score", fill = group) + fill +
    gg("geom_histogram", bins = 40L, alpha = 0.6, position = "identity") +
    (if (several) gg("facet_wrap", "class", scales = "free_x")) +
    gg("labs", x = "decision value", y = "rows")
}

gg_convergence <- function(fit, drawn, which) {
  drawn$relative_gap <- pmax(drawn$relative_gap, 1e-16)
  several <- !all(is.na(drawn$class))
  drawn$class <- if (several) drawn$class else "gap"
  gg_start(drawn, x = "epoch", y = "relative_gap", colour = "class") +
    gg_colours(length(unique(drawn$class))) +
    gg("geom_hline", yintercept = fit$settings$tol, linetype = 2) + gg("geom_line") +
    gg("geom_point") + gg("scale_y_log10") +
    (if (!several) gg("guides", colour = "none")) +
    gg("labs", x = "epochs (passes over the data)", y = "relative gap (line: tolerance)")
}

gg_coefficients <- function(fit, drawn, which) {
  names <- unique(as.character(drawn$term))
  drawn$term <- factor(drawn$term, rev(names), rev(distinct_short(names, 24L)))
  drawn$speaks <- sign_words(fit)[1L + (drawn$scaled > 0)]
  gg_start(drawn, x = "scaled", y = "term", fill = "speaks") + gg("geom_col") +
    (if (!is.null(drawn$class)) gg("facet_wrap", "class")) +
    gg("scale_fill_manual", values = stats::setNames(margin_colours(2L), sign_words(fit))) +
    gg("labs", x = "coefficient of the scaled column", y = NULL, fill = NULL)
}

gg_calibration <- function(fit, drawn, which) {
  several <- length(unique(drawn$class)) > 1L
  gg_start(drawn, x = "mean_prob", y = "observed", colour = "probabilities") +
    gg_colours(length(unique(drawn$probabilities))) +
    gg("geom_abline", intercept = 0, slope = 1, linetype = 2) +
    gg("geom_linerange", gg_aes(ymin = "lower", ymax = "upper")) + gg("geom_point") +
    (if (several) gg("facet_wrap", "class")) +
    gg("labs", x = "mean probability", y = "observed share")
}

gg_path <- function(object, which = NULL, class = NULL, mixture = NULL, ...) {
  assert_no_extra("autoplot()", ...)
  which <- path_picture(object, which)
  refuse_picture(which, c("coefficients", "gap"))
  assert_plot_class(object, class)
  drawn <- if (which == "gap") path_gaps(object, class, mixture) else
    drawn_coefficients(object, path_panels(object, class, mixture))
  axis <- path_axis(object)
  along <- object$coordinates[1L]
  value <- if (which == "coefficients") "scaled" else "relative_gap"
  if (which == "gap") drawn[[value]] <- pmax(drawn[[value]], 1e-16)
  panels <- Filter(function(name) length(unique(drawn[[name]])) > 1L,
                   intersect(c("class", "mixture"), names(drawn)))
  colour <- if (which == "coefficients") "term"
  mapped <- list(x = along, y = value)
  if (!is.null(colour)) mapped[c("colour", "group")] <- colour
  many <- length(unique(drawn[[if (is.null(colour)) value else colour]])) > 8L
  do.call(gg_start, c(list(drawn), mapped)) + gg("geom_line") +
    (if (along %in% c("lambda", "radius") && all(drawn[[along]] > 0))
      gg("scale_x_continuous", trans = "log10")) +
    (if (which == "gap") gg("scale_y_log10")) +
    (if (which == "gap") gg("geom_hline", yintercept = object$settings$tol, linetype = 2)) +
    (if (!is.null(colour) && !many) gg_colours(length(unique(drawn[[colour]])))) +
    (if (many && !is.null(colour)) gg("guides", colour = "none")) +
    (if (length(panels) > 0L) gg("facet_wrap", panels)) +
    gg("labs", x = axis$label, y = if (which == "gap") "relative gap (line: tolerance)" else
      "coefficient of the scaled column")
}

gg_cv <- function(object, metric = NULL, along = NULL, ...) {
  assert_no_extra("autoplot()", ...)
  assert_cv(object, "object")
  drawn <- cv_table(object, cv_metric(object, metric))
  axis <- cv_axis(object, along)
  drawn$series <- cv_series(object, axis$column)
  drawn$place <- if (is.null(axis$column)) factor(axis$names, unique(axis$names)) else
    drawn[[axis$column]]
  error <- ifelse(is.na(drawn$std.error), 0, drawn$std.error)
  drawn$low <- drawn$mean - error
  drawn$high <- drawn$mean + error
  drawn$all_certified <- factor(drawn$certified >= 1, c(TRUE, FALSE))
  k <- nlevels(drawn$series)
  logarithmic <- !is.null(axis$column) && grepl("log scale", axis$label, fixed = TRUE)
  gg_start(drawn, x = "place", y = "mean", colour = "series", group = "series") +
    gg("geom_line") + gg("geom_linerange", gg_aes(ymin = "low", ymax = "high")) +
    gg("geom_point", gg_aes(shape = "all_certified")) +
    gg_hollow() +
    (if (k <= 8L) gg_colours(k)) + (if (k == 1L) gg("guides", colour = "none")) +
    (if (logarithmic) gg("scale_x_continuous", trans = "log10")) +
    gg("labs", x = axis$label, y = cv_ylab(cv_metric(object, metric)), colour = NULL)
}

gg_conformal <- function(object, newdata, y = NULL, which = "coverage", by = NULL, ...) {
  assert_no_extra("autoplot()", ...)
  refuse_picture(assert_choice(which, c("coverage", "sizes", "intervals"), "which"), "coverage")
  assert_newdata_given(missing(newdata))
  drawn <- coverage_of_levels(object, newdata, y, by)
  gg_start(drawn, x = "level", y = "coverage") +
    gg("geom_abline", intercept = 0, slope = 1, linetype = 2) +
    gg("geom_linerange", gg_aes(ymin = "lower", ymax = "upper"), colour = margin_colours(1L)) +
    gg("geom_point", colour = margin_colours(1L)) +
    gg("labs", x = "level", y = "share of responses in the set (95 % interval)")
}

gg_comparison <- function(object, which = "differences", reference = NULL, metric = NULL, ...) {
  assert_no_extra("autoplot()", ...)
  refuse_picture(assert_choice(which, c("differences", "scores", "excess"), "which"),
                 c("differences", "scores"))
  drawn <- fold_table(object, which, comparison_metric(object, metric), reference_model(object, reference))
  drawn$all_certified <- factor(drawn$certified %in% TRUE, c(TRUE, FALSE))
  value <- intersect(c("difference", "score"), names(drawn))
  gg_start(drawn, x = value, y = "model") +
    (if (value == "difference") gg("geom_vline", xintercept = 0, linetype = 2)) +
    gg("geom_point", gg_aes(shape = "all_certified"), colour = margin_colours(1L)) + gg_hollow() +
    gg("labs", x = sprintf("%s: %s of a fold%s", comparison_metric(object, metric)$name, value,
                           if (value == "difference") paste(" from", reference_model(object, reference)) else ""),
       y = NULL)
}

gg_performance <- function(object, which = "roc", ...) {
  assert_no_extra("autoplot()", ...)
  drawn <- drawn_curve(object, assert_choice(which, c("roc", "pr"), "which"))
  roc <- which == "roc"
  if (roc) drawn$alarm <- 1 - drawn$specificity
  start <- if (roc) gg_start(drawn, x = "alarm", y = "sensitivity", colour = "class") else
    gg_start(drawn, x = "recall", y = "precision", colour = "class")
  start + (if (roc) gg("geom_abline", intercept = 0, slope = 1, linetype = 3)) + gg("geom_path") +
    gg_colours(length(unique(drawn$class))) + (if (roc) gg("labs", x = "1 - specificity"))
}

gg_bootstrap <- function(object, which = "intervals", level = 0.95, type = NULL, top = 20L, scaled = TRUE,
                         ...) {
  assert_no_extra("autoplot()", ...)
  drawn <- utils::head(bootstrap_bars(object, which, level, type, scaled), top)
  drawn$term <- factor(drawn$term, rev(unique(drawn$term)))
  panel <- intersect(c("class", "tau"), names(drawn))
  panels <- if (length(panel) > 0L) gg("facet_wrap", panel)
  if (which == "selection") {
    return(gg_start(drawn, x = "selected", y = "term") + gg("geom_col", fill = margin_colours(1L)) +
             panels + gg("labs", x = "share of the refits in which it is not 0", y = NULL))
  }
  gg_start(drawn, x = "estimate", y = "term") + panels +
    gg("geom_vline", xintercept = 0, linetype = 2) +
    gg("geom_linerange", gg_aes(xmin = "lower", xmax = "upper"), colour = margin_colours(1L)) +
    gg("geom_point", colour = margin_colours(1L)) +
    gg("labs", x = if (scaled) "coefficient times the column's standard deviation" else
      "coefficient (per unit of the column)", y = NULL)
}
