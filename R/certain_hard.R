# What is certain about the largest margin: of a unit vector w with margin lo, hi being above every
# margin, w'w* >= lo/hi, so |w - w*|^2 <= 2 (1 - lo/hi). A free b* is in the middle between the
# classes: -(min over + of x'w* + max over - of x'w*)/2.

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
  certificate <- fit$certificate[1L, ]
  short <- max(0, certificate$gap) / certificate$bound
  radius <- if (is.finite(short)) {
    sqrt(2 * short + 64 * unit_roundoff) + abs(sqrt(sum(w^2)) - 1) + 8 * unit_roundoff * length(w)
  } else {
    Inf
  }
  omega <- unname(fit$weights)
  list(w = w, b = if (free) coefficients[[1L]] + sum((rows$shift + rows$moved) * w) else 0,
       y = problem_response(fit, 1L), omega = omega, free = free,
       loss = loss_calculus(loss_hinge()), l1 = 0, flip = list(cost = Inf, middle = TRUE),
       ball = list(centre = w, radius = radius, gap = certificate$gap))
}

# The middle between the nearest scores of the classes, each within [low, high].
middle_interval <- function(pair, low, high) {
  plus <- pair$y > 0 & pair$omega > 0
  minus <- pair$y < 0 & pair$omega > 0
  ends <- c(-(min(high[plus]) + max(high[minus])) / 2, -(min(low[plus]) + max(low[minus])) / 2)
  ends + c(-4, 4) * unit_roundoff * max(abs(ends))
}
