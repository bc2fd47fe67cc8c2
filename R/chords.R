# Between two solved points, at lambdas l1 < l2: the gap of what is interpolated.

# Every convex loss, ridge. With theta linear in lambda and k = (1 - theta) l1/lambda, the pair
# w = k w1 + (1 - k) w2, a = (1 - theta) a1 + theta a2 has, F_jk = (1/W) sum omega FY(z_j, a_k),
#   F <= (1-theta) k F11 + theta (1-k) F22 + (1-theta)(1-k) F21 + theta k F12,
#   gap = F + |(1-theta) e1 + theta e2|^2/(2 lambda),   e = lambda w + u.
#
# Logistic and squared loss, ridge. For w = (1 - th) w1 + th w2, th linear in lambda or in 1/lambda,
#   grad = (1-th) G1 + th G2 + V + (1/W) sum omega e x,   |e_i| <= th (1-th) q_i,
#   q_i = sup |phi'''| (z2_i - z1_i)^2/2 between the two scores,
#   V = -th(1-th) (l2 - l1) pen (w2 - w1), or th(1-th) lambda (l2-l1)/(l1 l2) pen (l1 w1 - l2 w2),
# and with H at the middle of the chord and l1, t = max |z2 - z1|/2, R = e^{t/2} max |x|_{H^-1},
#   nu = e^{t/2} |grad|_{H^-1},   P - P* <= nu^2 psi(nu R)  (logistic),  nu^2/2  (squared).
# Bach F (2010), Electronic Journal of Statistics 4, 384-414, doi:10.1214/09-EJS521.

chord_between <- function(rows, lower, upper, curved = has_curved_chord(rows)) {
  chord <- list(l1 = lower$lambda, l2 = upper$lambda)
  if (rows$mixture == 0) {
    chord$f12 <- misfit_of(rows, lower, upper$a)
    chord$f21 <- misfit_of(rows, upper, lower$a)
  }
  if (curved) chord$curved <- curved_chord(rows, lower, upper)
  chord
}

# Up to this many columns a Hessian is factored.
most_hessian_columns <- 2000L

has_curved_chord <- function(rows) {
  rows$loss$name %in% c("logistic", "squared") && rows$mixture == 0 &&
    ncol(rows$x) <= most_hessian_columns
}

# sup |phi'''| of the logistic loss between two scores: t(z) = p(1-p)|1-2p| has its maximum
# 1/(6 sqrt 3) at |z| = ln(2 + sqrt 3) and falls to both sides of it.
third_derivative <- function(z1, z2) {
  at <- function(z) {
    p <- stats::plogis(z)
    p * stats::plogis(-z) * abs(1 - 2 * p)
  }
  peak <- log(2 + sqrt(3))
  low <- pmin(z1, z2)
  high <- pmax(z1, z2)
  top <- (low <= peak & high >= peak) | (low <= -peak & high >= -peak)
  ifelse(top, 1 / (6 * sqrt(3)), pmax(at(z1), at(z2)))
}

# The gradient of P at a point, in the columns of x and the free intercept's.
gradient_of <- function(rows, point) {
  slope <- certain_slope(rows$loss, point$z, rows$y)
  c(mean_of_rows(rows, slope) + point$lambda * point$w, if (rows$free) sum(rows$share * slope))
}

with_constant <- function(rows, x = rows$x) if (rows$free) cbind(x, 1) else x

# NULL where the two points are too far from one another.
curved_chord <- function(rows, lower, upper, most = 1) {
  squared <- rows$loss$name == "squared"
  l1 <- lower$lambda
  l2 <- upper$lambda
  dz <- abs(upper$z - lower$z) + lower$wander + upper$wander
  t <- if (squared) 0 else max(dz) / 2
  if (!is.finite(t) || t > most) {
    return(NULL)
  }
  middle <- (lower$z + upper$z) / 2
  curvature <- certain_curvature(rows$loss, middle, rows$y)
  x <- with_constant(rows)
  ridge <- c(rep(l1, ncol(rows$x)), if (rows$free) 0)
  factor <- hessian_factor(x, rows$share * curvature, ridge)
  if (is.null(factor)) {
    return(NULL)
  }
  d <- function(v) c(v, if (rows$free) 0)
  norm <- function(v) (1 + 1e-8) * sqrt(sum(backsolve(factor, v, transpose = TRUE)^2))
  largest <- max(inverse_norms(factor, x))
  stretch <- exp(t / 2)
  rounding <- gradient_rounding(rows, lower, upper, factor, largest)
  q <- if (squared) 0 else third_derivative(lower$z, upper$z) * dz^2 / 2
  bend <- if (squared) 0 else sqrt(sum(rows$share * ifelse(q > 0, q * (q / curvature), 0)))
  list(stretch = stretch, factor = factor, squared = squared, largest = stretch * largest,
       g = stretch * (c(norm(gradient_of(rows, lower)), norm(gradient_of(rows, upper))) + rounding),
       bend = stretch * bend,
       linear = stretch * (l2 - l1) * norm(d(lower$w - upper$w)),
       harmonic = stretch * norm(d(l1 * lower$w - l2 * upper$w)) * (l2 - l1) / (l1 * l2))
}

# 16 2^-53 {sum_j (H^-1)_jj^(1/2) [(1/W) sum omega |phi'| |x_ij| + lambda |w_j|] + R max_i sum_j
# |x_ij w_j|}, the last by Cauchy and Schwarz.
gradient_rounding <- function(rows, lower, upper, factor, largest) {
  x <- with_constant(rows)
  widths <- sqrt(rowSums(backsolve(factor, diag(ncol(factor)))^2))
  one <- function(point) {
    slope <- abs(certain_slope(rows$loss, point$z, rows$y))
    sizes <- as.vector(Matrix::crossprod(abs(x), rows$share * slope)) +
      c(point$lambda * abs(point$w), if (rows$free) 0)
    sum(widths * sizes) + largest * (max(rows$norms) * sqrt(point$ww) + abs(point$b))
  }
  16 * unit_roundoff * max(one(lower), one(upper))
}

# theta, the share of the upper point: linear in lambda, or in 1/lambda.
linear_share <- function(chord, lambda) (lambda - chord$l1) / (chord$l2 - chord$l1)
harmonic_share <- function(chord, lambda) {
  chord$l2 * (lambda - chord$l1) / ((chord$l2 - chord$l1) * lambda)
}

gap_of_universal <- function(chord, lower, upper, lambda) {
  theta <- linear_share(chord, lambda)
  k <- 1 - harmonic_share(chord, lambda)
  off <- (1 - theta) * (sqrt(lower$ee) + lower$du) + theta * (sqrt(upper$ee) + upper$du) +
    8 * unit_roundoff * lambda * sqrt(max(lower$ww, upper$ww))
  (1 + 1e-12) * ((1 - theta) * k * lower$misfit + theta * (1 - k) * upper$misfit +
                   (1 - theta) * (1 - k) * chord$f21 + theta * k * chord$f12 +
                   off^2 / (2 * lambda))
}

# The largest over the interval: theta (1 - theta) l2/lambda is at most r/(1 + sqrt r)^2, r = l2/l1.
largest_universal <- function(chord, lower, upper) {
  r <- chord$l2 / chord$l1
  off <- sqrt(max(lower$ee, upper$ee)) + lower$du + upper$du +
    8 * unit_roundoff * chord$l2 * sqrt(max(lower$ww, upper$ww))
  (1 + 1e-12) * (max(lower$misfit, upper$misfit) + chord$f21 * r / (1 + sqrt(r))^2 +
                   chord$f12 / (1 + sqrt(r))^2 + off^2 / (2 * chord$l1))
}

# nu along the chord; share: of the upper point.
step_along <- function(curved, share, twist) {
  max(curved$g) + share * (1 - share) * (twist + curved$bend)
}
gap_of_step <- function(curved, nu) {
  (1 + 1e-12) * if (curved$squared) nu^2 / 2 else nu^2 * step_factor(nu * curved$largest)
}
gap_of_curved <- function(chord, lambda, harmonic) {
  curved <- chord$curved
  share <- if (harmonic) harmonic_share(chord, lambda) else linear_share(chord, lambda)
  gap_of_step(curved, step_along(curved, share, if (harmonic) curved$harmonic * lambda else
    curved$linear))
}
largest_curved <- function(chord) {
  curved <- chord$curved
  if (is.null(curved)) {
    return(Inf)
  }
  gap_of_step(curved, step_along(curved, 1 / 2, min(curved$linear, curved$harmonic * chord$l2)))
}
