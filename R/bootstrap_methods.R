# What is read from a bootstrap.

#' @rdname margin_bootstrap
#' @export
summary.margin_bootstrap <- function(object, level = 0.95, type = NULL, what = NULL, ...) {
  assert_no_extra("summary()", ...)
  assert_bootstrap(object)
  what <- bootstrap_what(object, what)
  assert_coverage_levels(level, one = TRUE)
  type <- interval_type(object, type)
  if (what == "metrics") {
    return(metric_table(object, level))
  }
  assert_reach(object, level, type)
  coefficient_table(object, level, type)
}

bootstrap_what <- function(object, what, arg = "object") {
  if (is.null(what)) {
    return(if (is.null(object$estimates)) "metrics" else "coefficients")
  }
  assert_choice(what, c("coefficients", "metrics"), "what")
  if (what == "coefficients") assert_has_coefficients(object, arg)
  what
}

# level: NULL leaves the ends out.
coefficient_table <- function(object, level, type) {
  table <- object$estimates
  table$bias <- unname(colMeans(object$replicates)) - table$estimate
  table$std.error <- unname(apply(object$replicates, 2L, stats::sd))
  if (!is.null(level)) {
    ends <- bootstrap_ends(object, level, type)
    table$lower <- ends[, 1L]
    table$upper <- ends[, 2L]
  }
  if (has_selection(object)) table$selected <- unname(colMeans(object$replicates != 0))
  table
}

has_selection <- function(object) isTRUE(object$mixture > 0)

metric_table <- function(object, level) {
  rows <- lapply(names(object$metrics), function(name) {
    values <- object$results[[name]]
    values <- values[!is.na(values)]
    ends <- if (is.null(level)) NULL else replicate_quantiles(values, (1 + c(-1, 1) * level) / 2)
    row <- data.frame(metric = name, mean = if (length(values) > 0L) mean(values) else NA_real_,
                      std.dev = stats::sd(values))
    if (!is.null(ends)) row[c("lower", "upper")] <- ends
    row$n <- length(values)
    row
  })
  do.call(rbind, rows)
}

#' @rdname margin_bootstrap
#' @export
tidy.margin_bootstrap <- function(x, conf.int = FALSE, conf.level = 0.95, type = NULL, what = NULL,
                                  ...) {
  assert_no_extra("tidy()", ...)
  assert_bootstrap(x, "x")
  assert_flag(conf.int, "conf.int")
  what <- bootstrap_what(x, what, "x")
  type <- interval_type(x, type)
  if (conf.int && what == "coefficients") assert_reach(x, conf.level, type)
  if (conf.int) assert_coverage_levels(conf.level, one = TRUE)
  level <- if (conf.int) conf.level
  table <- if (what == "metrics") metric_table(x, level) else coefficient_table(x, level, type)
  names(table) <- sub("^lower$", "conf.low", sub("^upper$", "conf.high", names(table)))
  as_tibble_if_installed(table)
}

#' @rdname margin_bootstrap
#' @export
glance.margin_bootstrap <- function(x, ...) {
  assert_no_extra("glance()", ...)
  assert_bootstrap(x, "x")
  fits <- bootstrap_certificates(x)
  metric <- metric_table(x, NULL)[1L, ]
  as_tibble_if_installed(data.frame(
    family = x$family, resamples = nrow(x$results), drawn = x$draws$noun, units = x$draws$units,
    strata = length(x$draws$members), type = x$type, metric = metric$metric, mean = metric$mean,
    std.dev = metric$std.dev, nobs = x$nobs, refits = nrow(fits),
    n_certified = sum(fits$certified), certified = all(fits$certified),
    relative_gap = max(fits$relative_gap), seconds = sum(x$results$seconds)
  ))
}

bootstrap_certificates <- function(object) {
  rbind(object$results[c("relative_gap", "certified")], object$jackknife$certificates)
}

#' @rdname margin_bootstrap
#' @export
as.data.frame.margin_bootstrap <- function(x, row.names = NULL, optional = FALSE, ...) {
  assert_no_extra("as.data.frame()", ...)
  assert_bootstrap(x, "x")
  x$results
}

#' @rdname margin_bootstrap
#' @export
print.margin_bootstrap <- function(x, level = 0.95, digits = max(3L, getOption("digits") - 3L),
                                   ...) {
  assert_no_extra("print()", ...)
  assert_bootstrap(x, "x")
  assert_coverage_levels(level, one = TRUE)
  number <- function(value) format(value, digits = digits)
  draws <- x$draws
  cat(fold_lines(sprintf(
    "<margin_bootstrap> %s family, %s of %s%s%s", x$family, count(nrow(x$results), "resample"),
    count(draws$units, draws$noun),
    if (draws$noun == "row") "" else sprintf(" (%s)", count(draws$rows, "row")),
    if (length(draws$members) == 1L) "" else sprintf(" within %d strata", length(draws$members))
  )), sep = "\n")
  cat(key_lines(c(
    "fixed" = strength_words(x, number),
    "certified" = certified_words(bootstrap_certificates(x)),
    "out of bag" = out_of_bag_words(x, number)
  )), sep = "\n")
  if (!is.null(x$estimates)) print_coefficients(x, level, digits)
  invisible(x)
}

strength_words <- function(object, number) {
  strength <- object$strength
  if (length(strength) == 0L) {
    return(NULL)
  }
  paste0(paste(names(strength), vapply(strength, number, ""), sep = " = ", collapse = ", "),
         if (object$tuned) paste(", which a search of these rows chose: that it may choose others",
                                 "is not in the intervals"))
}

certified_words <- function(fits) {
  missed <- sum(!fits$certified)
  if (missed == 0L) {
    return(sprintf("all %s, relative gap at most %s", count(nrow(fits), "refit"),
                   format(max(fits$relative_gap), digits = 2L)))
  }
  sprintf("NOT all: %d of %s are not, relative gap up to %s", missed, count(nrow(fits), "refit"),
          format(worst_certificate(fits)$relative_gap, digits = 2L))
}

out_of_bag_words <- function(object, number) {
  table <- metric_table(object, NULL)
  sizes <- range(object$results$left_out)
  each <- sprintf("%s %s (standard deviation %s)", table$metric, vapply(table$mean, number, ""),
                  vapply(table$std.dev, number, ""))
  paste0(paste(each, collapse = ", "),
         sprintf("; means over resamples, of %s to %s left out", format(sizes[1L]),
                 count(sizes[2L], "row")))
}

print_coefficients <- function(x, level, digits) {
  reaches <- x$type == "bca" || nrow(x$results) >= ceiling(2 / (1 - level) - 1e-9) - 1
  table <- coefficient_table(x, if (reaches) level, x$type)
  cat(fold_lines(if (reaches) sprintf(
    "Intervals at %s %% of the penalised estimate, %s:", format(100 * level),
    if (x$type == "bca") "BCa" else "percentile"
  ) else sprintf("Too few resamples for intervals at %s %%; the penalised estimate:",
                 format(100 * level))), sep = "\n")
  shown <- utils::head(table, 12L)
  print(shown, digits = digits, row.names = FALSE)
  if (nrow(table) > nrow(shown)) {
    cat(sprintf("... and %d more, see summary().\n", nrow(table) - nrow(shown)))
  }
  cat(fold_lines(paste("They show how the penalised estimate varies from sample to sample, and do",
                       "not correct its shrinkage towards 0.")), sep = "\n")
}

# Intervals around estimates, or how often a coefficient is not 0.

#' @rdname margin_bootstrap
#' @export
plot.margin_bootstrap <- function(x, which = NULL, level = 0.95, type = NULL, top = 20L,
                                  scaled = TRUE, ...) {
  assert_plot_arguments("plot()", ...)
  table <- bootstrap_bars(x, which, level, type, scaled)
  assert_number(top, "top", lower = 1, upper = Inf, open = FALSE, whole = TRUE)
  drawn <- utils::head(table, top)
  theirs <- list(...)
  label <- shorten(drawn$term)
  of <- problem_of_row(drawn)
  if (!is.null(of)) label <- paste0(label, " (", shorten(of, 16L), ")")
  size <- size_of_names(label)
  old <- graphics::par(mai = names_margins(label, size))
  on.exit(graphics::par(old))
  (if (identical(which, "selection")) draw_selection else draw_intervals)(
    x, drawn, level, scaled, nrow(table), theirs
  )
  graphics::axis(2, rev(seq_along(label)), label, las = 1, tick = FALSE, cex.axis = size,
                 gap.axis = -1)
  invisible(drawn)
}

# Of all columns, the largest first.
bootstrap_bars <- function(x, which, level, type, scaled) {
  assert_bootstrap(x, "x")
  assert_has_coefficients(x, "x")
  which <- if (is.null(which)) "intervals" else
    assert_choice(which, c("intervals", "selection"), "which")
  if (which == "selection" && !has_selection(x)) {
    abort_input(paste(
      "`which` is \"selection\", but a fit without an l1 penalty (mixture = 0) has no coefficient",
      "of 0; draw \"intervals\"."
    ), "which")
  }
  assert_flag(scaled, "scaled")
  type <- interval_type(x, type)
  assert_reach(x, level, type)
  table <- coefficient_table(x, level, type)
  table$scale <- x$scales
  table <- table[table$term != "(Intercept)", ]
  by <- if (which == "selection") table$selected else abs(table$estimate * table$scale)
  if (scaled && which == "intervals") {
    table[c("estimate", "lower", "upper")] <- table[c("estimate", "lower", "upper")] * table$scale
  }
  without_row_names(table[order(-by), ])
}

draw_intervals <- function(x, drawn, level, scaled, candidates, theirs) {
  at <- rev(seq_len(nrow(drawn)))
  ends <- c(drawn$estimate, drawn$lower, drawn$upper, 0)
  colour <- margin_colours(1L, theirs[["col"]])
  draw(graphics::plot, list(
    x = range(ends[is.finite(ends)]), y = c(0.5, nrow(drawn) + 0.5), type = "n", yaxt = "n",
    ylab = "", las = 1,
    xlab = if (scaled) "coefficient times the column's standard deviation" else
      "coefficient (per unit of the column)",
    main = sprintf("%s %% intervals of the penalised estimate%s", format(100 * level),
                   if (nrow(drawn) < candidates) sprintf(", %d of %d", nrow(drawn), candidates) else
                     "")
  ), theirs[names(theirs) != "col"])
  graphics::abline(v = 0, lty = 2, col = "grey40")
  graphics::segments(drawn$lower, at, drawn$upper, at, col = colour, lwd = 2)
  graphics::points(drawn$estimate, at, pch = 21, col = colour, bg = "white")
}

draw_selection <- function(x, drawn, level, scaled, candidates, theirs) {
  at <- rev(seq_len(nrow(drawn)))
  colour <- margin_colours(1L, theirs[["col"]])
  draw(graphics::plot, list(
    x = c(0, 1), y = c(0.5, nrow(drawn) + 0.5), type = "n", yaxt = "n", ylab = "", las = 1,
    xlab = sprintf("share of %s in which it is not 0", count(nrow(x$results), "refit")),
    main = if (nrow(drawn) < candidates) sprintf("The %d of %d picked most often", nrow(drawn),
                                                 candidates) else "How often it is picked"
  ), theirs[names(theirs) != "col"])
  graphics::rect(0, at - 0.35, drawn$selected, at + 0.35, col = colour, border = NA)
  # those of the fit itself
  own <- drawn$estimate != 0
  graphics::points(drawn$selected[own], at[own], pch = 21, col = colour, bg = "white")
}
