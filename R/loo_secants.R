# The optimum of a smooth loss by the curvature that is certain. Let every optimal score z*_i be
# known to lie within [l_i, h_i], z_i too, and phi' rise there by at least c_i for each unit. With
# d = (w*, b*) - (w, b), the gradient G at (w, b) and H = (1/W) sum omega_i c_i x_i x_i' + mu I,
#
#   d'H d <= (grad P(w*, b*) - G)'d <= -G'd,   so   |d|_H <= |G|_{H^-1},
#
# as the subgradients of an l1 part are monotone too. Where no row can cross a kink of a piecewise
# linear slope this is the curvature of the fit, whatever rounding leaves of its duality gap.

# The ends of the scores of the rows `out`, of the optimum of the pair of the rows `less`; NULL where
# nothing is known.
curved_ends <- function(pair, less, ball, rows, out) {
  if (pair$loss$gamma == 0 || length(pair$w) + pair$free > largest_hessian) {
    return(NULL)
  }
  own <- rows_times(less, ball$centre)
  half <- ball$radius * sqrt(less$squares) + row_rounding(less, ball$centre)
  offset <- if (pair$free) score_at(pair, ball, less) else c(0, 0)
  low <- own + offset[1L] - half
  high <- own + offset[2L] + half
  known <- NULL
  for (round in 1:6) {
    low <- pmin(low, pair$z - pair$z_rounding)
    high <- pmax(high, pair$z + pair$z_rounding)
    bend <- least_curvature(pair$loss, low, high, pair$y)
    if (!is.null(known) && sum(pair$omega * bend) <= known$bend * (1 + 1e-3)) break
    hessian <- factored_hessian(less, pair$omega * bend / pair$total, pair)
    if (is.null(hessian)) break
    norms <- ellipsoid_norms(hessian, less)
    nu <- secant_gradient(pair, less, hessian, max(norms[pair$omega > 0]))
    known <- list(hessian = hessian, nu = nu, bend = sum(pair$omega * bend))
    reach <- norms * nu + pair$z_rounding
    low <- pmax(low, pair$z - reach)
    high <- pmin(high, pair$z + reach)
  }
  if (is.null(known)) {
    return(NULL)
  }
  at <- rows
  at$x <- rows$x[out, , drop = FALSE]
  at$squares <- rows$squares[out]
  score <- rows_times(at, pair$w) + pair$b
  half <- ellipsoid_norms(known$hessian, at) * known$nu + row_rounding(at, pair$w, pair$b)
  cbind(score - half, score + half)
}

# What phi' rises by at least for each unit of a score within [low, high].
least_curvature <- function(loss, low, high, y) {
  g <- loss$gamma
  m_low <- ifelse(y > 0, low, -high)
  m_high <- ifelse(y > 0, high, -low)
  switch(loss$name,
    smooth_hinge = (m_low >= 1 - g & m_high <= 1) / g,
    squared_hinge = (m_high <= 1) / g,
    # falls on both sides of 0
    logistic = pmin(stats::dlogis(low), stats::dlogis(high)) * (1 - 1e-12),
    squared = rep(1, length(low)),
    huber = as.numeric(pmax(abs(low - y), abs(high - y)) <= loss$loss$parameter[[1L]])
  )
}

# |G|_{H^-1} at the pair from above; reach: the largest |(x_i, 1)|_{H^-1}. Scores that are off by e
# move slopes by e/gamma.
secant_gradient <- function(pair, rows, hessian, reach) {
  slope <- pair$loss$left(pair$z, pair$y)
  gradient <- pair_gradient(pair, rows, slope)
  size <- sqrt(sum(pair$omega * slope^2) / pair$total)
  terms <- size * pair$column_sizes$stored + pair$mu * abs(pair$w) + pair$l1
  if (pair$free) terms <- c(terms, size)
  summing <- cross_roundings(length(slope))
  sqrt(sum(whitened(hessian, gradient)^2)) * hessian$inflation +
    summing * sum(hessian$inverse * terms) +
    reach * (max((pair$z_rounding / pair$loss$gamma)[pair$omega > 0]) + 4 * unit_roundoff)
}
