# Pairs (w, b), a of a penalised problem, on its scale; rows are those of certain_rows().

# The pair of class problem k (1 for two classes or a regression).
class_pair <- function(fit, rows, k) {
  settings <- fit$settings
  loss <- loss_calculus(settings$loss)
  coefficients <- coef_matrix(fit)[, k] / unit_of(fit)
  free <- settings$intercept == "free"
  has <- has_intercept(fit)
  w <- unname(if (has) coefficients[-1L] else coefficients) * unname(fit$scales)
  if (settings$intercept == "penalized") w <- c(w, coefficients[[1L]])
  b <- if (free) coefficients[[1L]] + sum((rows$shift + rows$moved) * w) else 0
  omega <- unname(fit$weights)
  if (!is.null(settings$class_weights)) {
    omega <- omega * unname(settings$class_weights)[as.integer(fit$response)]
  }
  y <- problem_response(fit, k)
  a <- unname(as.matrix(fit$dual)[, k])
  pair <- list(w = w, b = b, a = a, y = y, omega = omega, loss = loss, free = free,
               l1 = settings$lambda * settings$mixture,
               mu = settings$lambda * (1 - settings$mixture))
  scored_pair(pair, rows)
}

# The response as the core had it: -1 and 1 in a classification, else in units of its spread.
problem_response <- function(fit, k) {
  if (fit$task == "regression") {
    return(unname(fit$response) / unit_of(fit))
  }
  codes <- as.integer(fit$response)
  if (length(fit$levels) == 2L) 2 * codes - 3 else ifelse(codes == k, 1, -1)
}

# A loss with its functions of scores, dual variables and labels. tilt: h with a + tau h in the
# domain of phi* for |tau| <= reach.
loss_calculus <- function(loss) {
  list(
    loss = loss, name = loss$name, gamma = loss$gamma,
    value = function(z, y) certain_value(loss, z, y),
    left = function(z, y) certain_slope(loss, z, y, "left"),
    right = function(z, y) certain_slope(loss, z, y, "right"),
    curvature = function(z, y) certain_curvature(loss, z, y),
    excess = function(z, a, y) fenchel_young(loss, z, a, y),
    nearest = function(a, y) certain_box(loss, a, y),
    tilt = function(a, y) {
      alpha <- -y * a
      switch(loss$name,
        squared = rep(1, length(a)),
        squared_hinge = clip(alpha, 0, 1),
        # not times |a|: that leaves the box where delta > 1
        huber = pmax(0, loss$parameter[[1L]] - abs(a)),
        clip(alpha, 0, 1) * (1 - clip(alpha, 0, 1))
      )
    },
    reach = if (loss$name == "squared") Inf else 1
  )
}

# With a feasible, the scores z, u = (1/W) sum omega a x, and bounds of what rounding did to them.
scored_pair <- function(pair, rows) {
  omega <- pair$omega
  total <- sum(omega)
  a <- pair$loss$nearest(pair$a, pair$y)
  if (pair$free) a <- balanced_dual(pair$loss$loss, a, omega)
  z <- rows_times(rows, pair$w) + pair$b
  sizes <- column_sizes(rows, omega)
  a_size <- sqrt(sum(omega * a^2) / total)
  adding <- cross_roundings(length(a)) * a_size
  pair$a <- a
  pair$z <- z
  pair$total <- total
  pair$u <- rows_cross(rows, omega * a) / total
  pair$u_rounding <- adding * sizes$stored
  pair$z_rounding <- row_rounding(rows, pair$w, pair$b)
  pair$column_sizes <- sizes
  pair$excess <- weighted_excess(pair)
  pair$excess_sum <- sum(pair$excess) / total
  pair
}

# omega [phi(z) + phi*(a) - a z] with its rounding: terms of a few roundings each in units of
# |phi| + |phi*| + |a z|, and scores that are off by e, which by convexity change phi(z) - a z by at
# most e times the largest difference of a slope within e of z from a.
weighted_excess <- function(pair) {
  with(pair, {
    excess <- loss$excess(z, a, y)
    size <- 2 * (loss$value(z, y) + abs(a * z)) + excess + abs(a * y)
    e <- z_rounding
    off <- pmax(abs(loss$left(z - e, y) - a), abs(loss$right(z + e, y) - a))
    ifelse(omega > 0, omega * (pmax(0, excess) + 8 * unit_roundoff * size + e * off), 0)
  })
}
