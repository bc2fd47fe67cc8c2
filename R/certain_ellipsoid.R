# Around a point (w, b) near the optimum of the logistic or squared loss the curvature there says
# more than strong convexity does: with the Hessian H and the gradient G of P at (w, b),
#
#   nu = |G|_{H^-1},  R = max_i |(x_i, 1)|_{H^-1},  psi(s) = -log(1 - s)/s,
#   |(w, b) - (w*, b*)|_H <= nu psi(nu R)   if nu R < 1,
#
# since phi''(z + s) >= phi''(z) e^{-|s|} (Bach 2010, Electronic Journal of Statistics 4, 384-414);
# psi = 1 for the squared loss. With an l1 part G has that subgradient which makes it smallest.

largest_hessian <- 2000L

# NULL where there is none: another loss, no ridge part, too many columns, or a matrix that is
# singular up to rounding. factor: nu psi(nu R), Inf where nu R is too near 1.
optimum_ellipsoid <- function(pair, rows) {
  loss <- pair$loss$name
  q <- length(pair$w) + pair$free
  if (!loss %in% c("logistic", "squared") || pair$mu == 0 || q > largest_hessian) {
    return(NULL)
  }
  curvature <- pair$omega * pair$loss$curvature(pair$z, pair$y) / pair$total
  ellipsoid <- factored_hessian(rows, curvature, pair)
  if (is.null(ellipsoid)) {
    return(NULL)
  }
  norms <- ellipsoid_norms(ellipsoid, rows)
  ellipsoid$norms <- norms
  ellipsoid$reach <- max(norms[pair$omega > 0])
  ellipsoid$nu <- gradient_norm(pair, rows, ellipsoid)
  ellipsoid$factor <- ellipsoid$nu *
    if (loss == "squared") 1 else step_factor(ellipsoid$nu * ellipsoid$reach)
  ellipsoid
}

# sum_i h_i (x_i, 1)(x_i, 1)' + mu I, without mu for a free intercept.
# NULL where a curvature is beyond double precision.
factored_hessian <- function(rows, h, pair) {
  if (!all(is.finite(h))) {
    return(NULL)
  }
  hessian <- bordered_gram(rows, h, pair$free)
  slopes <- seq_along(pair$w)
  diag(hessian)[slopes] <- diag(hessian)[slopes] + pair$mu
  cancelled <- if (rows$shifted) max(sum(h) * rows$shift^2 / diag(hessian)[slopes]) else 0
  ellipsoid <- factored(hessian, nrow(rows$x), cancelled)
  if (!is.null(ellipsoid)) ellipsoid$free <- pair$free
  ellipsoid
}

# sum_i h_i (x_i, 1)(x_i, 1)' of the moved rows, without the 1 unless `free`; h of any sign.
bordered_gram <- function(rows, h, free) {
  x <- rows$x
  gram <- if (all(h >= 0)) Matrix::crossprod(x * sqrt(h)) else Matrix::crossprod(x, x * h)
  gram <- as.matrix(gram)
  sums <- drop(as.matrix(Matrix::crossprod(x, h)))
  if (rows$shifted) {
    s <- rows$shift
    gram <- gram - outer(s, sums) - outer(sums, s) + sum(h) * outer(s, s)
    sums <- sums - sum(h) * s
  }
  unname(if (free) rbind(cbind(gram, sums), c(sums, sum(h))) else gram)
}

# The factor of a Hessian of n rows, with a unit diagonal; NULL where it is singular up to rounding.
# Errors of its entries are u sqrt(n) of the diagonal, those of the factor u q; over the least
# eigenvalue they are what norms are too small by. cancelled: what moving the rows took
# from its diagonal, relative to what is left.
factored <- function(hessian, n, cancelled) {
  size <- sqrt(pmax(diag(hessian), 0))
  if (!all(is.finite(size)) || any(size == 0)) {
    return(NULL)
  }
  hessian <- hessian / outer(size, size)
  root <- tryCatch(chol(hessian), error = function(condition) NULL)
  if (is.null(root) || min(diag(root))^2 < 1e-12) {
    return(NULL)
  }
  inverse <- chol2inv(root)
  q <- nrow(root)
  rounding <- 8 * unit_roundoff * q * (sqrt(n) + q) * (1 + 4 * cancelled) *
    max(rowSums(abs(inverse)))
  if (!is.finite(rounding) || rounding > 0.1) {
    return(NULL)
  }
  list(root = root, size = size, inflation = 1 + 1e-8 + rounding,
       inverse = sqrt(diag(inverse)) / size)
}

# R^{-T} of the vectors (v, last), a column each, in the units of H.
whitened <- function(ellipsoid, v) {
  backsolve(ellipsoid$root, v / ellipsoid$size, transpose = TRUE)
}

# |(x_i, 1)|_{H^-1}, from above; in blocks, so that sparse rows are never dense at once.
ellipsoid_norms <- function(ellipsoid, rows, at = NULL) {
  n <- nrow(rows$x)
  norms <- numeric(n)
  block <- max(64L, 4e6 %/% length(ellipsoid$size))
  for (first in seq.int(1L, by = block, length.out = ceiling(n / block))) {
    i <- first:min(n, first + block - 1L)
    norms[i] <- sqrt(colSums(whitened(ellipsoid, bordered_rows(rows, i, ellipsoid$free))^2))
  }
  norms * ellipsoid$inflation
}

# The rows i as columns, with a last entry 1 for a free intercept.
bordered_rows <- function(rows, i, free) {
  x <- t(as.matrix(rows$x[i, , drop = FALSE]))
  if (rows$shifted) x <- x - rows$shift
  dimnames(x) <- NULL
  if (free) rbind(x, 1) else x
}

gradient_norm <- function(pair, rows, ellipsoid) {
  slope <- pair$loss$left(pair$z, pair$y)
  gradient <- pair_gradient(pair, rows, slope)
  slope_size <- sqrt(sum(pair$omega * slope^2) / pair$total)
  # a share of sum_j (H^-1)_jj^(1/2) [(1/W) sum omega |phi'| |x_ij| + lambda |w_j|], and what the
  # scores are off by
  terms <- slope_size * pair$column_sizes$stored + pair$mu * abs(pair$w) + pair$l1
  if (pair$free) terms <- c(terms, slope_size)
  rounding <- cross_roundings(length(slope)) * sum(ellipsoid$inverse * terms) +
    ellipsoid$reach * max(pair$z_rounding)
  sqrt(sum(whitened(ellipsoid, gradient)^2)) * ellipsoid$inflation + rounding
}

pair_gradient <- function(pair, rows, slope) {
  gradient <- rows_cross(rows, pair$omega * slope) / pair$total + pair$mu * pair$w
  if (pair$l1 > 0) {
    sign <- ifelse(pair$w != 0, sign(pair$w), pmin(1, pmax(-1, -gradient / pair$l1)))
    gradient <- gradient + pair$l1 * sign
  }
  if (pair$free) c(gradient, sum(pair$omega * slope) / pair$total) else gradient
}
