# A free intercept by tilting the problem towards the score of one row x (ridge): for T > 0 the dual
# point a + tau h, tau = T / sum omega h, of which sum omega (a + tau h) = T, is one of
# P - (T/W) f(x), so the optimal score is at most
#
#   f(x) + [sum_i omega_i FY(z_i, a_i + tau h_i) + |e - T (x - c)|^2 / (2 kappa)] / T,
#
# kappa = mu W, e = kappa w + sum omega a x, c = sum omega h x / sum omega h; T < 0 gives the lower
# end. The rows enter by the sums for a few T alone.

# What is kept of a class problem; NULL where there is no such point.
known_tilt <- function(pair, rows) {
  if (!pair$free || pair$l1 > 0 || pair$mu == 0 || !is.null(pair$flip)) {
    return(NULL)
  }
  h <- pair$loss$tilt(pair$a, pair$y)
  mass <- pair$omega * h
  total <- sum(mass)
  if (!is.finite(total) || total <= 0) {
    return(NULL)
  }
  r <- residual_vector(pair, rows)
  centre <- rows_cross(rows, mass) / total
  tau <- 10^seq(-8, 0, length.out = 33L)
  excess_at <- function(tau) {
    tilted <- replace(pair, "a", list(pair$loss$nearest(pair$a + tau * h, pair$y)))
    sum(weighted_excess(tilted)) * (1 + 1e-14 * length(h))
  }
  list(kappa = pair$mu * pair$total, size = tau * total, centre = centre, e = r$e,
       upper = vapply(tau, excess_at, 0), lower = vapply(-tau, excess_at, 0),
       rounding = r$rounding + tau * 8 * unit_roundoff * sqrt(length(h)) * total *
         sqrt(sum(pair$column_sizes$stored^2)))
}

# How far above and below the fit's scores of the rows the optimal ones can be.
tilt_reach <- function(tilt, rows) {
  far <- distances_from(rows, tilt$centre)
  along <- rows_times(rows, tilt$e) - sum(tilt$centre * tilt$e)
  own <- sum(tilt$e^2)
  one_side <- function(excess, sign) {
    best <- rep(Inf, length(far))
    for (k in seq_along(tilt$size)) {
      size <- tilt$size[k]
      sum_of <- own + size^2 * far
      length <- sqrt(square_above(sum_of - sign * 2 * size * along, 64 * unit_roundoff *
                                    (length(tilt$e) + 4) * sum_of)) + tilt$rounding[k]
      best <- pmin(best, (excess[k] + length^2 / (2 * tilt$kappa)) / size)
    }
    best * (1 + 1e-10)
  }
  list(up = one_side(tilt$upper, 1), down = one_side(tilt$lower, -1))
}
