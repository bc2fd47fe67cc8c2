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
third_derivative <- function(lower, upper) {
  z1 <- lower$z
  z2 <- upper$z
  peak <- log(2 + sqrt(3))
  one <- abs(z1)
  two <- abs(z2)
  sizes <- pmax(third_at(lower), third_at(upper))
  # both signs: a peak lies between if it does for |z|, or if the larger |z| is beyond it
  top <- (pmin(one, two) <= peak | z1 * z2 < 0) & pmax(one, two) >= peak
  sizes[top] <- 1 / (6 * sqrt(3))
  sizes
}

# |phi'''| at the scores of a point: p (1 - p) |1 - 2p|, that is phi'' |tanh(z/2)|.
third_at <- function(point) {
  if (is.null(point$third)) stats::dlogis(point$z) * abs(tanh(point$z / 2)) else point$third
}

# The gradient of P at a point, in the columns of x and the free intercept's.
gradient_of <- function(rows, point) {
  if (!is.null(point$gradient)) {
    return(point$gradient)
  }
  slope <- certain_slope(rows$loss, point$z, rows$y)
  c(mean_of_rows(rows, slope) + point$lambda * point$w, if (rows$free) sum(rows$share * slope))
}

# NULL where the two points are too far from one another. parent: the chord of an interval that
# holds this one, whose largest norm serves for it: with H' at l1' >= l1 and scores that differ by s
# at most, H' >= e^{-s} H. It is computed anew where the bound would cost more than some 4 % in psi.
curved_chord <- function(rows, lower, upper, most = 1, parent = NULL) {
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
  factor <- cholesky_factor(hessian_of(rows, rows$share * curvature, l1))
  if (is.null(factor)) {
    return(NULL)
  }
  d <- function(v) c(v, if (rows$free) 0)
  stretch <- exp(t / 2)
  q <- if (squared) 0 else third_derivative(lower, upper) * dz^2 / 2
  bend <- if (squared) 0 else sqrt(sum(rows$share * ifelse(q > 0, q * (q / curvature), 0)))
  vectors <- cbind(gradient_of(rows, lower), gradient_of(rows, upper), d(lower$w - upper$w),
                   d(l1 * lower$w - l2 * upper$w))
  norms <- (1 + 1e-8) * sqrt(colSums(backsolve(factor, vectors, transpose = TRUE)^2))
  chord <- list(stretch = stretch, factor = factor, squared = squared, l1 = l1, middle = middle,
                bend = stretch * bend, linear = stretch * (l2 - l1) * norms[3L],
                harmonic = stretch * norms[4L] * (l2 - l1) / (l1 * l2))
  steps <- norms[1:2]
  with_largest <- function(base) {
    chord$base <- base
    chord$largest <- stretch * base
    chord$g <- stretch * (steps + gradient_rounding(rows, lower, upper, factor, base))
    chord
  }
  if (!is.null(parent) && parent$l1 <= l1) {
    shift <- exp(chord_shift(chord, parent) / 2)
    chord$loose <- parent$loose * shift
    inherited <- with_largest(parent$base * shift)
    twist <- min(chord$linear, chord$harmonic * l2)
    s <- step_along(inherited, 1 / 2, twist) * inherited$largest
    if (s <= 0.5 && s * (1 - 1 / chord$loose) <= 0.08) {
      return(inherited)
    }
  }
  chord$loose <- 1
  with_largest(max(norms_in(factor, rows$by_row, rows$free)))
}

# How far the scores of two middles are apart; of the squared loss no curvature depends on them.
chord_shift <- function(chord, parent) {
  if (chord$squared) 0 else max(abs(chord$middle - parent$middle)) * (1 + 1e-12)
}

# (1/W) X~' diag(weight W) X~ + l1 pen
hessian_of <- function(rows, weight, l1) {
  gram <- weighted_gram_cpp(rows$by_row, weight, rows$free)
  penalised <- cbind(seq_len(ncol(rows$x)), seq_len(ncol(rows$x)))
  gram[penalised] <- gram[penalised] + l1
  gram
}

# As inverse_norms(), of rows as the core takes them, with a constant of 1 or without.
norms_in <- function(factor, x, constant, rows = NULL) {
  (1 + 1e-8) * inverse_norms_cpp(x, factor, constant, rows)
}

# Compressed rows, or the dense matrix as it is.
by_row <- function(x) if (isS4(x)) methods::as(x, "RsparseMatrix") else x

# 16 2^-53 {sum_j (H^-1)_jj^(1/2) [(1/W) sum omega |phi'| |x_ij| + lambda |w_j|] + R max_i sum_j
# |x_ij w_j|}, where (H^-1)_jj is at most 1/l1 for a penalised coordinate, and the last sum is taken
# by Cauchy and Schwarz.
gradient_rounding <- function(rows, lower, upper, factor, largest) {
  p <- ncol(factor)
  # the last entry of H^-1 is that of the last pivot
  of_constant <- if (rows$free) (1 + 1e-8) / factor[p, p] else 0
  one <- function(point) {
    slope <- rows$share * abs(certain_slope(rows$loss, point$z, rows$y))
    (sum(slope * rows$sums) + point$lambda * point$w1) / sqrt(lower$lambda) +
      of_constant * sum(slope) +
      largest * (max(rows$norms) * sqrt(point$ww) + abs(point$b))
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
