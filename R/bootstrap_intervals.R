# Intervals from replicates.

# The quantiles of sorted values that package boot calls percentiles: at the place (R + 1) p, and
# between two places by normal quantiles. NA beyond the first and the last.
replicate_quantiles <- function(values, p) {
  values <- sort(values)
  count <- length(values)
  place <- (count + 1) * p
  # as far as doubles tell a whole number
  near <- round(place)
  whole <- abs(place - near) < 1e-9 * (1 + count)
  place[whole] <- near[whole]
  k <- floor(place)
  inside <- !is.na(place) & place >= 1 & place <= count
  ends <- rep(NA_real_, length(p))
  at <- k[inside]
  share <- (stats::qnorm(p[inside]) - stats::qnorm(at / (count + 1))) /
    (stats::qnorm((at + 1) / (count + 1)) - stats::qnorm(at / (count + 1)))
  share[whole[inside]] <- 0
  above <- values[pmin(at + 1, count)]
  ends[inside] <- values[at] + share * (above - values[at])
  ends
}

# Shares moved for bias and skewness; NA where all replicates are on one side of the estimate.
bca_shares <- function(p, replicates, estimate, left_out) {
  bias <- stats::qnorm(mean(replicates < estimate))
  moved <- mean(left_out) - left_out
  size <- sum(moved^2)
  acceleration <- if (size > 0) sum(moved^3) / (6 * size^1.5) else 0
  if (!is.finite(bias)) {
    return(rep(NA_real_, length(p)))
  }
  z <- bias + stats::qnorm(p)
  stats::pnorm(bias + z / (1 - acceleration * z))
}

# A row for each coefficient, a column for each end.
bootstrap_ends <- function(object, level, type) {
  p <- (1 + c(-1, 1) * level) / 2
  ends <- vapply(seq_len(ncol(object$replicates)), function(j) {
    values <- object$replicates[, j]
    shares <- if (type == "percentile") p else
      bca_shares(p, values, object$estimates$estimate[j], object$jackknife$coefficients[, j])
    replicate_quantiles(values, shares)
  }, numeric(2L))
  t(ends)
}

interval_type <- function(object, type) {
  if (is.null(type)) {
    return(object$type)
  }
  assert_choice(type, interval_types, "type")
  if (type == "bca" && is.null(object$jackknife)) {
    abort_input(paste(
      "`type` is \"bca\", but no refits without a row were made; use margin_bootstrap(type =",
      "\"bca\")."
    ), "type")
  }
  type
}

# The ends of percentile intervals are replicates: so many there have to be.
assert_reach <- function(object, level, type) {
  assert_coverage_levels(level, one = TRUE)
  need <- ceiling(2 / (1 - level) - 1e-9) - 1
  if (type == "percentile" && nrow(object$results) < need) {
    abort_input(sprintf(paste(
      "`level` is %s, for which percentiles need %s, and there are %s; use",
      "margin_bootstrap(resamples = %s)."
    ), format(level), count(need, "resample"), format(nrow(object$results)),
    format(need, scientific = FALSE)), "level")
  }
}

assert_has_coefficients <- function(object, arg = "object") {
  if (is.null(object$estimates)) {
    abort_input(sprintf(paste(
      "`%s` is of a fit on a kernel, which has no coefficients of columns; its metrics are",
      "summary(%s, what = \"metrics\")."
    ), arg, arg), arg)
  }
}

#' @rdname margin_bootstrap
#' @importFrom stats confint
#' @export
confint.margin_bootstrap <- function(object, parm, level = 0.95, type = NULL, ...) {
  assert_no_extra("confint()", ...)
  assert_bootstrap(object)
  assert_has_coefficients(object)
  type <- interval_type(object, type)
  assert_reach(object, level, type)
  names <- colnames(object$replicates)
  at <- if (missing(parm)) seq_along(names) else picked_coefficients(parm, names)
  ends <- bootstrap_ends(object, level, type)
  percent <- format(100 * (1 + c(-1, 1) * level) / 2, trim = TRUE, scientific = FALSE, digits = 3)
  dimnames(ends) <- list(names, paste(percent, "%"))
  ends[at, , drop = FALSE]
}

picked_coefficients <- function(parm, names) {
  at <- NA
  if (is.character(parm)) at <- match(parm, names)
  if (is.numeric(parm)) at <- replace(parm, !parm %in% seq_along(names), NA)
  if (length(at) == 0L || anyNA(at)) {
    wrong <- if (is.character(parm) && anyNA(at)) sprintf("has \"%s\"", parm[is.na(at)][1L]) else
      paste("is", show_value(parm))
    abort_input(sprintf("`parm` %s, but must be names or numbers of coefficients: %s.", wrong,
                        quote_list(utils::head(names, 8L))), "parm")
  }
  at
}
