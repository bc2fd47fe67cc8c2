# What is certain about the optimum of a distributionally robust fit with a ridge c > 0: for fixed
# multipliers its Lagrangian is c-strongly convex in w, so |w* - w|^2 <= 2 gap/c, with the gap of
# the fit's certificate, which holds its rounding; and as for a ridge the ball around the middle of
# w and the w(a) of the multipliers has half of that. The bound t* on the norm of w* is in no ball.

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
  pair <- list(w = w, b = if (free) coefficients[[1L]] + sum((rows$shift + rows$moved) * w) else 0,
               y = problem_response(fit, k), omega = omega, free = free,
               loss = loss_calculus(loss_hinge()), l1 = 0,
               flip = list(cost = settings$label_cost, t = t, norm = norm,
                           radius = settings$radius),
               ball = list(centre = w, radius = radius, gap = gap))
  middle <- robust_middle_ball(pair, fit, rows, k)
  if (!is.null(middle) && middle$radius < radius) pair$ball[c("centre", "radius")] <- middle
  pair
}

# With multipliers alpha, beta of the two pieces of the loss,
# v = (1/W) sum omega (alpha - beta) y x, theta = radius - kappa (1/W) sum omega beta and the ball B
# of the dual norm,
#   w(a) = (v - Proj_{theta B} v)/c,   D = (1/W) sum omega (alpha + beta) - c/2 |w(a)|^2,
#   |w* - m|^2 <= (P - D)/c - |w - w(a)|^2/4,   m = (w + w(a))/2.
# NULL where the fit has no such multipliers.
robust_middle_ball <- function(pair, fit, rows, k) {
  settings <- fit$settings
  value <- fit$certificate$value[k]
  if (is.null(fit$dual) || is.null(fit$dual_flip) || !is.finite(value)) {
    return(NULL)
  }
  alpha <- clip(unname(as.matrix(fit$dual)[, k]), 0, 1)
  beta <- pmin(pmax(unname(as.matrix(fit$dual_flip)[, k]), 0), 1 - alpha)
  if (anyNA(alpha) || anyNA(beta)) {
    return(NULL)
  }
  cost <- pair$flip$cost
  if (!is.finite(cost)) beta[] <- 0
  omega <- pair$omega
  total <- sum(omega)
  if (pair$free) {
    # the heavier side is scaled down, which keeps the multipliers feasible
    up <- pair$y > 0
    above <- sum(omega * ifelse(up, alpha, beta))
    below <- sum(omega * ifelse(up, beta, alpha))
    for_above <- if (above > below) below / above else 1
    for_below <- if (below > above) above / below else 1
    alpha <- alpha * ifelse(up, for_above, for_below)
    beta <- beta * ifelse(up, for_below, for_above)
  }
  flipped <- if (any(beta > 0)) cost * sum(omega * beta) / total else 0
  if (flipped > settings$radius) {
    shrink <- settings$radius / flipped * (1 - 1e-14)
    alpha <- alpha * shrink
    beta <- beta * shrink
    flipped <- flipped * shrink
  }
  v <- rows_cross(rows, omega * (alpha - beta) * pair$y) / total
  theta <- max(0, settings$radius - flipped)
  outside <- v - nearest_in_ball(v, theta, dual_norms[[settings$norm]])
  c <- settings$ridge
  dual_w <- outside / c
  # rounding of v, of theta, of the sums
  off <- cross_roundings(length(alpha)) *
    sqrt(sum(column_sizes(rows, omega)$stored^2)) + 16 * unit_roundoff * (theta + settings$radius) *
    sqrt(length(v))
  size <- sqrt(sum(outside^2))
  gap <- value - sum(omega * (alpha + beta)) / total + size^2 / (2 * c) +
    off * (size + off) / c + 64 * unit_roundoff * sqrt(length(alpha)) * (abs(value) + 1)
  apart <- max(0, sqrt(sum((pair$w - dual_w)^2)) - off / c)
  square <- max(gap / c - apart^2 / 4, apart^2 / 4)
  list(centre = (pair$w + dual_w) / 2,
       radius = sqrt(square) * (1 + 1e-12) + off / c + 4 * unit_roundoff * sqrt(sum(pair$w^2)))
}

# The nearest point of |.|_q <= r.
nearest_in_ball <- function(v, r, q) {
  size <- vector_norm(v, q)
  if (size <= r) {
    return(v)
  }
  if (q == "l2") {
    return(v * (r / size))
  }
  if (q == "linf") {
    return(clip(v, -r, r))
  }
  sorted <- sort(abs(v), decreasing = TRUE)
  level <- (cumsum(sorted) - r) / seq_along(sorted)
  last <- max(1L, which(sorted > level))
  sign(v) * pmax(abs(v) - level[last], 0)
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
