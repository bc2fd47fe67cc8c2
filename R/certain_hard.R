# What is certain about the largest margin. For a unit vector w with margin lo and any convex
# combination p = sum q_i y_i x_i of the rows (half of q in each class where the intercept is free)
# with |p| <= hi: w'w* >= lo/gamma* and p'w* >= gamma*, so w* is near both, and
#   |w* - m|^2 <= 1 + |m|^2 - 2 (lo/hi)^(1/2),  m = (w + p/hi)/2.
# A free b* is in the middle between the classes: -(min over + of x'w* + max over - of x'w*)/2.

assert_certain_hard <- function(fit) {
  why <- if (has_kernel(fit)) {
    "a kernel"
  } else if (length(fit$levels) > 2L) {
    "several classes"
  } else if (!isTRUE(fit$certificate$value[1L] > 0)) {
    "no positive margin"
  }
  if (!is.null(why)) {
    abort_input(sprintf(
      "`fit` is a hard-margin fit with %s, whose optimum margin_certain() does not bound.", why
    ), "fit")
  }
  invisible(fit)
}

hard_pair <- function(fit, rows) {
  coefficients <- coef_matrix(fit)[, 1L]
  free <- fit$settings$intercept == "free"
  w <- unname(if (has_intercept(fit)) coefficients[-1L] else coefficients) * unname(fit$scales)
  if (fit$settings$intercept == "penalized") w <- c(w, coefficients[[1L]])
  omega <- unname(fit$weights)
  y <- problem_response(fit, 1L)
  certificate <- fit$certificate[1L, ]
  list(w = w, b = if (free) coefficients[[1L]] + sum((rows$shift + rows$moved) * w) else 0,
       y = y, omega = omega, free = free,
       loss = loss_calculus(loss_hinge()), l1 = 0, flip = list(cost = Inf, middle = TRUE),
       ball = margin_ball(w, convex_weights(unname(fit$dual), y, free) * y, certificate, rows))
}

# q >= 0 with sum 1, half in each class where the intercept is free; NULL without any.
convex_weights <- function(q, y, free) {
  q <- pmax(q, 0)
  group <- if (free) y > 0 else rep(TRUE, length(y))
  total <- ifelse(group, sum(q[group]), sum(q[!group])) * if (free) 2 else 1
  if (all(is.finite(total)) && all(total > 0)) q / total
}

# qy: q_i y_i. 1 + |m|^2 - 2 (lo/hi)^(1/2) in a form that does not cancel:
# 2 (1 - (lo/hi)^(1/2)) - |w - p/hi|^2/4 - (1 - |p/hi|^2)/2, where |w| = 1.
margin_ball <- function(w, qy, certificate, rows) {
  short <- max(0, certificate$gap) / certificate$bound
  unit <- abs(sqrt(sum(w^2)) - 1) + 8 * unit_roundoff * length(w)
  ball <- list(centre = w, gap = certificate$gap, radius = if (is.finite(short)) {
    sqrt(2 * short + 64 * unit_roundoff) + unit
  } else {
    Inf
  })
  if (!is.finite(short) || length(qy) == 0L) {
    return(ball)
  }
  direction <- rows_cross(rows, qy) / certificate$bound
  # of the sum over the rows, relative to hi
  sizes <- column_sizes(rows, abs(qy))$stored
  off <- cross_roundings(length(qy)) * sqrt(sum(sizes^2)) / certificate$bound +
    16 * unit_roundoff * length(w)
  apart <- max(0, sqrt(sum((w - direction)^2)) - off)
  inside <- (1 - sum(direction^2)) / 2 - 2 * off
  left <- 2 * short / (1 + sqrt(max(0, 1 - short))) - apart^2 / 4 - inside
  radius <- sqrt(square_above(left, 64 * unit_roundoff)) + unit + off
  if (is.finite(radius) && radius < ball$radius) {
    ball$centre <- (w + direction) / 2
    ball$radius <- radius
  }
  ball
}

# The middle between the nearest scores of the classes, each within [low, high].
middle_interval <- function(pair, low, high) {
  plus <- pair$y > 0 & pair$omega > 0
  minus <- pair$y < 0 & pair$omega > 0
  ends <- c(-(min(high[plus]) + max(high[minus])) / 2, -(min(low[plus]) + max(low[minus])) / 2)
  ends + c(-4, 4) * unit_roundoff * max(abs(ends))
}
