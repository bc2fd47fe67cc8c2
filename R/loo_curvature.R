# Steps of the logistic and the squared loss without a row, with the one Hessian of the fit.

# By the curvature where there is some, in up to three steps with the same Hessian; by the pair for
# what that leaves open.
step_intervals <- function(pair, rows, ellipsoid, at, sets, kappa, is_open) {
  if (is.null(ellipsoid$reach) || any(lengths(sets) > 1L)) {
    return(list(ends = removal_intervals(pair, rows, at, sets, kappa), at = at))
  }
  ends <- lapply(sets, function(out) cbind(-Inf, Inf))
  open <- seq_along(sets)
  for (round in 1:3) {
    some <- list(w = at$w[, open, drop = FALSE], b = at$b[open])
    found <- curvature_intervals(pair, rows, ellipsoid, some, unlist(sets[open]), kappa[open])
    for (j in seq_along(open)) {
      ends[[open[j]]] <- narrowed(ends[[open[j]]], found$ends[j, , drop = FALSE])
    }
    still <- vapply(open, function(k) is_open(sets[[k]], ends[[k]]), NA)
    at$w[, open[still]] <- found$w[, still]
    at$b[open[still]] <- found$b[still]
    open <- open[still]
    if (length(open) == 0L) break
  }
  if (length(open) > 0L) {
    some <- list(w = at$w[, open, drop = FALSE], b = at$b[open])
    more <- removal_intervals(pair, rows, some, sets[open], kappa[open])
    ends[open] <- Map(narrowed, ends[open], more)
  }
  list(ends = ends, at = at)
}

# Each row out alone: at a point v near the fit, H_{-i}(v) >= e^{-t} H_{-i} with t the largest
# change of a decision value, so with the gradient G of the smaller problem at v
#   nu = e^{t/2} |G|_{H_{-i}^-1}:  |f(x_i) - v'x_i| <= (e^t l_i)^{1/2} nu psi(nu e^{t/2} R_i).
curvature_intervals <- function(pair, rows, ellipsoid, at, out, kappa) {
  n <- length(pair$y)
  m <- length(out)
  total <- pair$total
  gone <- cbind(out, seq_len(m))
  z <- as.matrix(rows$x %*% at$w)
  if (rows$shifted) z <- z - rep(colSums(rows$shift * at$w), each = n)
  if (pair$free) z <- z + rep(at$b, each = n)
  slope <- z
  slope[] <- pair$loss$left(z, pair$y)
  pull <- pair$omega * slope
  pull[gone] <- 0
  gradient <- as.matrix(Matrix::crossprod(rows$x, pull))
  if (rows$shifted) gradient <- gradient - outer(rows$shift, colSums(pull))
  gradient <- gradient + at$w * rep(kappa, each = nrow(gradient))
  if (pair$free) gradient <- rbind(gradient, colSums(pull))
  sizes <- sqrt(colSums(pull * slope) / total)
  terms <- outer(pair$column_sizes$stored, sizes) + pair$mu * abs(at$w)
  if (pair$free) terms <- rbind(terms, sizes)
  x_size <- sqrt(max(rows$squares)) + sqrt(sum((abs(rows$shift) + 2 * abs(rows$moved))^2))
  wobble <- score_roundings(nrow(at$w)) * (x_size * sqrt(colSums(at$w^2)) + abs(at$b))
  rounding <- cross_roundings(length(rows$squares)) * colSums(ellipsoid$inverse * terms) +
    ellipsoid$reach * wobble
  # |.|_{H^-1} of sums, then of the Hessian without the row
  nu <- sqrt(colSums(whitened(ellipsoid, gradient / total)^2)) * ellipsoid$inflation + rounding
  h <- ellipsoid$norms[out]^2 / total
  shrink <- kappa / (pair$mu * total)
  bend <- pair$omega[out] * pair$loss$curvature(pair$z[out], pair$y[out])
  leverage <- bend * h / shrink
  ok <- shrink > 0 & leverage < 1 - 1e-6
  factor <- 1 / sqrt(shrink * (1 - ifelse(ok, leverage, 0)))
  squared <- pair$loss$name == "squared"
  t <- if (squared) 0 else largest_moves(z, pair) + wobble
  grown <- exp(pmin(t, 50) / 2) * factor
  nu <- nu * sqrt(total) * grown
  reach <- ellipsoid$reach / sqrt(total) * grown
  psi <- if (squared) 1 else step_factor(nu * reach)
  half <- sqrt(h) * grown * nu * psi * (1 + 1e-10) + wobble
  half[!ok | t >= 50] <- Inf
  score <- z[gone]
  c(list(ends = cbind(score - half, score + half)),
    next_steps(ellipsoid, rows, at, gradient, out, leverage, total))
}

# v - H_{-i}^{-1} G, by the rank-one change of H.
next_steps <- function(ellipsoid, rows, at, gradient, out, leverage, total) {
  inverse <- function(v) backsolve(ellipsoid$root, whitened(ellipsoid, v)) / ellipsoid$size / total
  x <- bordered_rows(rows, out, ellipsoid$free)
  step <- inverse(gradient)
  hx <- inverse(x)
  own <- colSums(x * hx)
  more <- leverage / own / (1 - pmin(leverage, 1 - 1e-6)) * colSums(x * step)
  step <- step + hx * rep(ifelse(own > 0, more, 0), each = nrow(hx))
  slopes <- seq_len(nrow(at$w))
  list(w = at$w - step[slopes, , drop = FALSE],
       b = if (ellipsoid$free) at$b - step[nrow(step), ] else at$b)
}

# max |z_j - z0_j| over the rows with weight, of each column.
largest_moves <- function(z, pair) {
  off <- abs(z - pair$z)
  if (any(pair$omega == 0)) off <- off[pair$omega > 0, , drop = FALSE]
  vapply(seq_len(ncol(off)), function(k) max(off[, k]), 0)
}
