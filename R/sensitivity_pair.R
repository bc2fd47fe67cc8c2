# The pair of a kernel fit in its changed problem.

# (w, b) of the fit with its dual variables where labels are the same, else the slopes there. Of the
# ways to balance them for a free intercept the one with the smallest ball.
changed_pair <- function(fit, pair, rows, change, k, rule, steps) {
  omega <- changed_omega(fit, change)
  assert_weight_left(omega)
  total <- sum(omega)
  y <- changed_response(k, fit, c(change$response, change$added$response))
  kept <- seq_along(pair$y)
  if (length(y) == length(kept) && identical(omega, pair$omega) && all(y == pair$y)) {
    return(pair)
  }
  penalty <- if (rule == "cost") pair$total / total else 1
  z <- space_times(rows, pair$w) + pair$b
  slope <- pair$loss$left(z, y)
  a <- slope
  same <- kept[y[kept] == pair$y]
  a[same] <- pair$a[same]
  make <- function(a, b = pair$b, w = pair$w) {
    new <- list(w = w, b = b, a = a, y = y, omega = omega, loss = pair$loss, free = pair$free,
                l1 = pair$l1 * penalty, mu = pair$mu * penalty)
    space_pair(new, rows)
  }
  found <- list(make(a))
  if (pair$free) {
    found <- c(found, list(tilted_to_balance(make, pair$loss, a, y, omega),
                           filled_to_balance(make, pair$loss, z, a, y, omega),
                           moved_to_balance(make, pair, z, y, omega)))
  }
  best <- smallest_ball(found)
  for (step in seq_len(steps)) {
    if (best$radius <= 1e-7 * best$length) break
    best <- smallest_ball(c(list(best), newton_functions(make, best, rows)))
  }
  best
}

smallest_ball <- function(pairs) {
  pairs <- Filter(Negate(is.null), pairs)
  radius <- vapply(pairs, `[[`, 0, "radius")
  pairs[[which.min(replace(radius, is.nan(radius), Inf))]]
}

# a + tau h with sum omega a = 0.
tilted_to_balance <- function(make, loss, a, y, omega) {
  h <- loss$tilt(a, y)
  tau <- -sum(omega * a) / sum(omega * h)
  if (is.finite(tau) && abs(tau) <= loss$reach) make(loss$nearest(a + tau * h, y))
}

# sum omega a brought to 0 by the rows where that costs the gap least: for the hinge moving a_i by d
# costs d (y_i - z_i), next to nothing for rows at the margin.
filled_to_balance <- function(make, loss, z, a, y, omega) {
  if (loss$name != "hinge") {
    return(NULL)
  }
  a <- loss$nearest(a, y)
  need <- -sum(omega * a)
  low <- ifelse(y > 0, -1, 0)
  room <- omega * (if (need > 0) low + 1 - a else a - low)
  order <- order(sign(need) * (y - z))
  taken <- pmin(room[order], pmax(0, abs(need) - c(0, cumsum(room[order])[-length(order)])))
  moved <- numeric(length(a))
  moved[order] <- ifelse(omega[order] > 0, sign(need) * taken / omega[order], 0)
  make(loss$nearest(a + moved, y))
}

# The intercept moved to its own optimum, and the slopes there: no excess is left.
moved_to_balance <- function(make, pair, z, y, omega) {
  if (pair$loss$gamma == 0) {
    return(NULL)
  }
  b <- best_offsets(pair$loss, cbind(z - pair$b), y, cbind(omega), pair$b)
  if (is.finite(b)) make(pair$loss$left(z - pair$b + b, y), b)
}

near_a_sign <- function(ends) {
  side <- pmin(-ends[, 1L], ends[, 2L]) / (ends[, 2L] - ends[, 1L])
  near <- which(side > 0 & side < 0.35)
  utils::head(near[order(side[near])], 100L)
}

# Where one class is left a free intercept makes the loss 0 without any coefficient: the values are
# beyond 1, or infinite for the logistic loss, which has no optimum there.
one_class_ends <- function(ends, pair) {
  left <- class_left(pair, list(integer()))
  if (left == 0) {
    return(ends)
  }
  known <- left * c(if (pair$loss$name == "logistic") Inf else 1, Inf)
  matrix(sort(known), nrow(ends), 2L, byrow = TRUE)
}
