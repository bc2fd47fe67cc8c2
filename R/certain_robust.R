# What is certain about the optimum of a distributionally robust fit with a ridge c > 0: for fixed
# multipliers its Lagrangian is c-strongly convex in w, so |w* - w|^2 <= 2 gap/c, with the gap of
# the fit's certificate, which holds its rounding. The bound t* on the norm of w* is in no ball.

robust_pair <- function(fit, rows, k) {
  settings <- fit$settings
  coefficients <- coef_matrix(fit)[, k]
  free <- settings$intercept == "free"
  w <- unname(if (has_intercept(fit)) coefficients[-1L] else coefficients) * unname(fit$scales)
  if (settings$intercept == "penalized") w <- c(w, coefficients[[1L]])
  omega <- unname(fit$weights)
  if (!is.null(settings$class_weights)) {
    omega <- omega * unname(settings$class_weights)[as.integer(fit$response)]
  }
  certificate <- fit$certificate[k, ]
  gap <- if (is.finite(certificate$gap)) max(certificate$gap, 0) else Inf
  radius <- sqrt(2 * gap / settings$ridge) * (1 + 1e-12) + 4 * unit_roundoff * sqrt(sum(w^2))
  # radius t* <= P, and t* is at least the norm of w*
  wide <- switch(settings$norm, l1 = sqrt(length(w)), 1)
  size <- vector_norm(w, settings$norm)
  norm <- c(max(0, (size - wide * radius) * (1 - 1e-12)), (size + wide * radius) * (1 + 1e-12))
  t <- c(norm[1L], certificate$value / settings$radius * (1 + 1e-12))
  list(w = w, b = if (free) coefficients[[1L]] + sum((rows$shift + rows$moved) * w) else 0,
       y = problem_response(fit, k), omega = omega, free = free,
       loss = loss_calculus(loss_hinge()), l1 = 0,
       flip = list(cost = settings$label_cost, t = t, norm = norm, radius = settings$radius),
       ball = list(centre = w, radius = radius, gap = gap))
}

# Every optimal b of scores within [low, high] for the loss max(1 - u, 1 + u - kappa t, 0), u = y z:
# its slope in u is -1 below min(1, kappa t/2), 1 above max(kappa t/2, kappa t - 1) and 0 between,
# and falls in t, of which an interval is known.
flip_interval <- function(pair, low, high) {
  used <- pair$omega > 0
  y <- pair$y[used]
  omega <- pair$omega[used]
  low <- low[used]
  high <- high[used]
  if (!all(is.finite(low), is.finite(high))) {
    return(c(-Inf, Inf))
  }
  slope <- function(u, end, right) {
    reach <- pair$flip$cost * pair$flip$t[end]
    if (is.nan(reach)) reach <- 0
    falls <- min(1, reach / 2)
    rises <- max(reach / 2, reach - 1)
    if (right) (u >= rises) - (u < falls) else (u > rises) - (u <= falls)
  }
  sums <- function(t, score, lower) {
    u <- y * (score + t)
    d <- if (lower) {
      ifelse(y > 0, slope(u, 2L, FALSE), -slope(u, 1L, TRUE))
    } else {
      ifelse(y > 0, slope(u, 1L, TRUE), -slope(u, 2L, FALSE))
    }
    c(sum(omega * d), 1e-13 * sum(omega * abs(d)))
  }
  may_be_above <- function(t) {
    s <- sums(t, high, FALSE)
    s[1L] >= -s[2L]
  }
  may_be_below <- function(t) {
    s <- sums(t, low, TRUE)
    s[1L] <= s[2L]
  }
  size <- 3 + max(abs(low), abs(high))
  c(bisect_outer(may_be_above, size, -1), bisect_outer(may_be_below, size, 1))
}

# The norm bound t* is the norm of w*, or where that is more the t at which flipped rows of mass
# radius/kappa are left: row i flips while kappa t <= min(2 u_i, u_i + 1). ends: of the scores.
norm_bounds <- function(pair, ends) {
  share <- pair$omega / sum(pair$omega)
  sign <- pair$y
  cost <- pair$flip$cost
  last_flip <- function(u, strict) {
    gain <- pmin(2 * u, u + 1)
    order <- order(gain, decreasing = TRUE)
    mass <- cost * cumsum(share[order]) * (1 + if (strict) -1e-12 else 1e-12)
    enough <- which(if (strict) mass > pair$flip$radius else mass >= pair$flip$radius)
    if (length(enough) == 0L) -Inf else gain[order][enough[1L]] / cost
  }
  high <- ifelse(sign > 0, ends[, 2L], -ends[, 1L])
  low <- ifelse(sign > 0, ends[, 1L], -ends[, 2L])
  norm <- pair$flip$norm
  t <- c(max(norm[1L], last_flip(low, TRUE)), max(norm[2L], last_flip(high, FALSE)))
  t <- t + c(-1e-12, 1e-12) * abs(t)
  c(max(pair$flip$t[1L], t[1L]), min(pair$flip$t[2L], t[2L]))
}

# The range of the free intercept narrows that of t*, and the other way round.
settled_flip <- function(pair, ball, rows) {
  known <- list(ball = ball, free = TRUE)
  for (round in 1:3) {
    known$centre_score <- score_at(pair, ball, rows)
    t <- norm_bounds(pair, problem_intervals(known, rows))
    if (anyNA(t) || t[1L] > t[2L]) break
    pair$flip$t <- t
  }
  pair$flip
}
