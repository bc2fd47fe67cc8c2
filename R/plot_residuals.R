# Residuals of a fit against its fitted values, their normal quantiles and their spread. Called by
# plot.margin_fit().

residual_pictures <- c("residuals", "qq", "spread")

plot_residuals <- function(fit, which, type, theirs) {
  if (is.null(type)) type <- if (fit$task == "regression") "response" else "deviance"
  assert_choice(type, residual_types, "residuals")
  if (length(fit$levels) > 2L || !has_deviance_residuals(fit)) {
    abort_input(sprintf(paste(
      "`which` is \"%s\", which is for regressions and for fits of two classes with a loss; for",
      "others draw \"scores\"."
    ), which), "which")
  }
  fit$na.action <- NULL
  drawn <- data.frame(fitted = unname(fit$scores), residual = unname(typed_residuals(fit, type)))
  switch(which, residuals = draw_residuals(fit, drawn, type, theirs),
         spread = draw_spread(fit, drawn, type, theirs), qq = draw_quantiles(drawn, type, theirs))
}

residual_label <- function(type) {
  if (type == "response") "residual (response minus fitted value)" else paste(type, "residual")
}

fitted_label <- function(fit) if (fit$task == "regression") "fitted value" else "decision value"

# Points, of classes coloured by the class, with a smooth of all of them.
draw_residuals <- function(fit, drawn, type, theirs) {
  draw_smoothed(fit, drawn$fitted, drawn$residual, list(
    xlab = fitted_label(fit), ylab = residual_label(type), main = if (type == "response")
      sprintf("Residuals against %ss", fitted_label(fit)) else
        sprintf("%s residuals against %ss", capital(type), fitted_label(fit))
  ), theirs)
  drawn
}

draw_spread <- function(fit, drawn, type, theirs) {
  root <- sqrt(abs(drawn$residual))
  draw_smoothed(fit, drawn$fitted, root, list(
    xlab = fitted_label(fit),
    ylab = sprintf("square root of |%sresidual|", if (type == "response") "" else
      paste0(type, " ")),
    main = sprintf("Spread of the residuals against %ss", fitted_label(fit))
  ), theirs)
  data.frame(fitted = drawn$fitted, root = root)
}

draw_smoothed <- function(fit, x, y, ours, theirs) {
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
  draw(graphics::plot, c(list(
    x = x, y = y, pch = point(shapes), cex = 0.6, las = 1,
    col = grDevices::adjustcolor(point(colours), 0.5)
  ), ours), theirs[names(theirs) != "col" | is.null(classes)])
  graphics::abline(h = 0, lty = 2, col = "grey40")
  graphics::lines(stats::lowess(x, y), col = smooth, lwd = 1.5)
  k <- length(key) - 1L
  side_legend(room, key, lty = c(rep(NA, k), 1), lwd = 1.5, pch = c(shapes[seq_len(k)], NA),
              col = c(colours[seq_len(k)], smooth))
}

draw_quantiles <- function(drawn, type, theirs) {
  residual <- sort(drawn$residual)
  normal <- stats::qnorm(stats::ppoints(length(residual)))
  key <- "quartile line"
  old <- graphics::par(mar = c(4.2, 4.4, 2.5, 1) + 0.1)
  on.exit(graphics::par(old))
  room <- make_legend_room(key)
  draw(graphics::plot, list(
    x = normal, y = residual, pch = 19, cex = 0.6, las = 1,
    col = grDevices::adjustcolor(margin_colours(1L), 0.5),
    xlab = "quantile of the normal distribution", ylab = residual_label(type),
    main = if (type == "response") "Residuals against normal quantiles" else
      sprintf("%s residuals against normal quantiles", capital(type))
  ), theirs)
  ends <- stats::quantile(residual, c(0.25, 0.75), names = FALSE)
  slope <- diff(ends) / diff(stats::qnorm(c(0.25, 0.75)))
  line <- margin_colours(2L)[2L]
  graphics::abline(mean(ends), slope, col = line, lwd = 1.5)
  side_legend(room, key, lty = 1, lwd = 1.5, col = line)
  data.frame(normal = normal, residual = residual)
}

capital <- function(word) paste0(toupper(substr(word, 1L, 1L)), substring(word, 2L))
