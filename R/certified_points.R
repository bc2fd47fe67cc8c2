# Points (w, b, a) of a problem at one lambda, with what certificates at other lambdas are made of.

# The rows of class problem k as the core solved them: columns divided by their scales, those of a
# free intercept moved to their mean where that keeps them dense, a penalised intercept as a last
# column of ones; without rows of weight 0. share: omega/W.
solved_rows <- function(problem, scales, k = 1L) {
  settings <- problem$settings
  keep <- problem$omega > 0
  x <- problem$design$x
  if (!all(keep)) x <- take_rows(x, which(keep))
  free <- settings$intercept == "free"
  share <- problem$omega[keep] / sum(problem$omega[keep])
  if (methods::is(x, "dgRMatrix")) x <- methods::as(x, "CsparseMatrix")
  centre <- if (free && !isS4(x)) colSums(share * x) else numeric(ncol(x))
  rows <- list(scales = unname(scales), centre = unname(centre), share = share,
               loss = settings$loss, mixture = settings$mixture, free = free,
               penalized = settings$intercept == "penalized", keep = keep)
  rows$x <- in_solved_columns(rows, x)
  rows$y <- class_codes(problem$response, k)[keep]
  rows$by_row <- by_row(rows$x)
  rows$norms <- row_norms(rows$x)
  rows$sums <- unname(Matrix::rowSums(abs(rows$x)))
  rows$entries <- if (isS4(x)) max(row_entries(rows$x), 0) else ncol(rows$x)
  rows
}

# x as the columns of `rows` are.
in_solved_columns <- function(rows, x) {
  if (isS4(x)) {
    x <- x %*% Matrix::Diagonal(x = 1 / rows$scales)
  } else {
    x <- unname((x - rep(rows$centre, each = nrow(x))) / rep(rows$scales, each = nrow(x)))
  }
  if (rows$penalized) cbind(x, 1) else x
}

class_codes <- function(response, k) {
  if (response$n_classes == 1L) response$codes else ifelse(response$codes == k, 1, -1)
}

row_norms <- function(x) sqrt(unname(Matrix::rowSums(x^2)))
mean_of_rows <- function(rows, values) as.vector(Matrix::crossprod(rows$x, rows$share * values))

# One solution of the core, at lambda, in the columns of `rows`:
#   w, b, z         the primal point and its scores
#   a, u            the feasible dual point and (1/W) sum omega a x
#   misfit          (1/W) sum omega FY(z, a), a = theta a too where the penalty has an l1 part
#   loss            (1/W) sum omega phi(z)
#   e = lambda w + u, of which ww, we, ee and the rounding du make the gap of a ridge at any lambda
# dual: FALSE where the Hessian's bounds alone are wanted, which know no dual point.
certified_point <- function(rows, solution, lambda, dual = TRUE) {
  coefficients <- numeric(length(rows$scales))
  coefficients[] <- solution$coefficients
  w <- c(coefficients * rows$scales, if (rows$penalized) solution$intercept)
  b <- if (rows$free) solution$intercept + sum(coefficients * rows$centre) else 0
  z <- as.vector(rows$x %*% w) + b
  point <- list(lambda = lambda, w = w, b = b, z = z, wander = wander_of(rows, w, b),
                w1 = sum(abs(w)), ww = sum(w^2))
  if (!dual) {
    return(point)
  }
  a <- certain_box(rows$loss, solution$dual[rows$keep], rows$y)
  if (rows$free) a <- balanced_dual(rows$loss, a, rows$share)
  u <- mean_of_rows(rows, a)
  e <- lambda * (1 - rows$mixture) * w + u
  slack <- cross_roundings(length(z)) * sum(rows$share * abs(a) * rows$norms)
  point <- c(point, list(a = a, u = u, e = e, we = sum(w * e), ee = sum(e^2), du = slack,
                         loss = sum(rows$share * certain_value(rows$loss, z, rows$y))))
  point$misfit <- misfit_of(rows, point, a)
  if (rows$mixture > 0) {
    point$shares <- c(0, 0.5, 0.8, 0.9, 0.95, 0.98, 0.99, 0.995, 0.998, 0.999, 0.9995, 0.9998,
                      0.9999, 1)
    point$misfits <- vapply(point$shares, function(share) misfit_of(rows, point, share * a), 0)
  }
  point
}

# |z - (x'w + b)| by rounding.
wander_of <- function(rows, w, b) {
  score_roundings(rows$entries) * rows$norms * sqrt(sum(w^2)) + roundings(4) * abs(b)
}

# (1/W) sum omega FY(z, a) from above: with the rounding of the terms, and of the scores, by which
# FY moves no more than |phi'(z) - a| dz + dz^2/gamma (dz where the slope jumps).
misfit_of <- function(rows, point, a, z = point$z) {
  loss <- rows$loss
  dz <- point$wander
  steep <- if (loss$gamma > 0) dz / loss$gamma else 1
  moved <- dz * (abs(certain_slope(loss, z, rows$y) - a) + steep)
  sum(rows$share * (fenchel_young(loss, z, a, rows$y) + moved)) +
    gap_rounding(loss, z, a, rows$y, rows$share)
}

# P at lambda of the point.
value_at <- function(point, lambda, mixture) {
  point$loss + lambda * (mixture * point$w1 + (1 - mixture) / 2 * point$ww)
}

# P - D at another lambda, of the same pair. Ridge:
#   gap(l) = misfit + |l w + u|^2/(2 l),   l w + u = (l - lambda) w + e.
# With an l1 part a is scaled by theta; misfit(theta) is convex, so that chords are above it:
#   gap(l) = misfit(theta) + sum_j [g(w_j) + g*(-theta u_j) + theta u_j w_j].
gap_at <- function(point, lambda, mixture) {
  if (mixture == 0) {
    step <- lambda - point$lambda
    terms <- step^2 * point$ww + point$ee
    off <- square_above(terms + 2 * step * point$we,
                        score_roundings(length(point$w)) * terms)
    slack <- point$du + 8 * unit_roundoff * lambda * sqrt(point$ww)
    return((1 + 1e-12) * (point$misfit + (sqrt(off) + slack)^2 / (2 * lambda)))
  }
  vapply(lambda, function(l) net_gap(point, l, mixture), 0)
}

net_gap <- function(point, lambda, mixture) {
  l1 <- lambda * mixture
  l2 <- lambda * (1 - mixture)
  full <- max(abs(point$u)) + point$du
  most <- if (full > 0) min(1, l1 / full) else 1
  tried <- unique(c(most, if (l2 > 0) c(1, point$shares[point$shares > most])))
  misfit <- stats::approx(point$shares, point$misfits, tried)$y
  gaps <- vapply(seq_along(tried), function(i) {
    u <- tried[i] * point$u
    du <- tried[i] * point$du
    soft <- pmax(0, abs(u) - l1)
    # the part beyond l1 by rounding counts where there is no l2 to bear it
    bent <- if (l2 > 0) (sqrt(sum(soft^2)) + du)^2 / (2 * l2) else 0
    linear <- l1 * point$w1 + l2 / 2 * point$ww + sum(u * point$w)
    misfit[i] + max(0, linear + bent) + sqrt(point$ww) * du +
      8 * unit_roundoff * (2 * l1 * point$w1 + l2 * point$ww + bent)
  }, 0)
  (1 + 1e-12) * min(gaps)
}

# The lambdas around its own where the relative gap of the point stays below eps: {gap <= eps P} is
# an interval, for the gap is convex and P linear in lambda. `side` -1: the lower end, 1: the upper;
# found by bisection of the logarithm, the inner end is returned. NA: not even at its own lambda.
reach_of <- function(point, mixture, eps, side, most = 100) {
  inside <- function(lambda) {
    gap_at(point, lambda, mixture) <= eps * value_at(point, lambda, mixture)
  }
  if (!inside(point$lambda)) {
    return(NA_real_)
  }
  near <- 0
  far <- log(most)
  if (inside(point$lambda * exp(side * far))) {
    return(point$lambda * exp(side * far))
  }
  for (k in 1:45) {
    middle <- (near + far) / 2
    if (inside(point$lambda * exp(side * middle))) near <- middle else far <- middle
  }
  point$lambda * exp(side * near)
}
