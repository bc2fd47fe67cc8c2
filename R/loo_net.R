# Rows left out of an elastic net: the ball and the tilt of loo_bounds.R with an l1 part. Beside
# sum omega phi stand L |w|_1 + kappa/2 |w|^2, and for v = U of the dual point that is tried
#
#   w(a) = S(-v, L)/kappa,  q = clip(-v, -L, L),
#   g(w) + g*(-v) + v'w = sum_j |w_j| (L - sign(w_j) q_j) + kappa/2 |w - w(a)|^2.
#
# v is another for each row that leaves: blocks of rows, p numbers each.

most_net_entries <- 2e8

has_net_bounds <- function(rows) as.double(nrow(rows$x)) * ncol(rows$x) <= most_net_entries

row_blocks <- function(rows) {
  n <- nrow(rows$x)
  size <- max(1L, as.integer(2e6 %/% ncol(rows$x)))
  split(seq_len(n), (seq_len(n) - 1L) %/% size)
}

# Of v, a column for each row that leaves: w(a), the first sum and |w - w(a)|, with `off`, what
# rounding can have done to the entries of v, counted in.
net_parts <- function(pair, v, off, kappa) {
  w <- pair$w
  kappa <- rep(kappa, each = length(w))
  l1 <- kappa * (pair$l1 / pair$mu)
  q <- pmin(pmax(-v, -l1), l1)
  dual_w <- (-v - q) / kappa
  off <- off + 4 * unit_roundoff * (abs(v) + l1 + kappa * abs(w))
  slack <- abs(w) * (pmax(l1 - sign(w) * q, 0) + off * (abs(v) <= l1 + off))
  list(dual_w = dual_w, slack = colSums(slack),
       apart = sqrt(colSums((w - dual_w)^2)) + sqrt(colSums((off / kappa)^2)),
       off = sqrt(colSums((off / kappa)^2)))
}

# The ball around (w + w(a))/2 with squared radius (F_i + sum_j ...)/kappa + |w - w(a)|^2/4, where
# a_i = 0: v = U - omega_i a_i x_i.
net_ball_removal <- function(pair, rows, kappa) {
  n <- length(pair$y)
  ends <- matrix(rep(c(-Inf, Inf), each = n), n)
  if (!has_net_bounds(rows)) {
    return(ends)
  }
  out <- pair$omega * pair$a
  rest <- pmax(0, sum(pair$excess) * (1 + 1e-14 * n) - pair$excess)
  for (i in row_blocks(rows)) {
    x <- bordered_rows(rows, i, FALSE)
    moved <- x * rep(out[i], each = nrow(x))
    parts <- net_parts(pair, pair$total * pair$u - moved,
                       pair$total * pair$u_rounding + 4 * unit_roundoff * abs(moved), kappa[i])
    radius <- sqrt((rest[i] + parts$slack) / kappa[i] + parts$apart^2 / 4) + parts$off
    middle <- (pair$z[i] - pair$b + colSums(x * parts$dual_w)) / 2
    half <- radius * (1 + 1e-12) * sqrt(rows$squares[i]) + pair$z_rounding[i] +
      score_roundings(nrow(x)) * colSums((abs(x) + 2 * abs(rows$moved)) * abs(parts$dual_w))
    ends[i, ] <- cbind(middle - half, middle + half)
  }
  ends
}

# A free intercept, by the tilt: v = U - tau K (x_i - c).
net_tilted_removal <- function(pair, rows, kappa) {
  n <- length(pair$y)
  tilt <- tilt_masses(pair)
  if (is.null(tilt) || !has_net_bounds(rows)) {
    return(matrix(rep(c(-Inf, Inf), each = n), n))
  }
  centre <- rows_cross(rows, tilt$mass) / tilt$total
  adding <- 4 * unit_roundoff * sqrt(n) * pair$column_sizes$stored
  penalty <- function(shift) {
    bound <- numeric(n)
    for (i in row_blocks(rows)) {
      moved <- (bordered_rows(rows, i, FALSE) - centre) * rep(shift[i], each = length(centre))
      off <- pair$total * pair$u_rounding + outer(adding, abs(shift[i])) +
        4 * unit_roundoff * abs(moved)
      parts <- net_parts(pair, pair$total * pair$u - moved, off, kappa[i])
      bound[i] <- parts$slack + kappa[i] / 2 * parts$apart^2
    }
    bound
  }
  tilted_ends(pair, tilt, kappa, distances_from(rows, centre), penalty)
}
