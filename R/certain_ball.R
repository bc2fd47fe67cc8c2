# What the pair of a kernel fit is made of, and the response as class problems have it.

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
