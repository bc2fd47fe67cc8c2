# Bounds on the decision value that a row of a kernel fit would have without it, for all rows at
# once from one fit; those of linear fits are in src/decide/removal_bounds.h.
# A penalty of kappa/2 |w|^2 stands beside sum omega phi: rule "cost" keeps kappa = lambda W, rule
# "lambda" has kappa_i = lambda (W - omega_i). Each function returns a matrix of lower and upper
# ends in the units of the solved problem.

# Everything that is known without a step: the tightest of all.
removal_bounds <- function(pair, rows, ball, ellipsoid, kappa, rule) {
  n <- length(pair$y)
  ends <- matrix(rep(c(-Inf, Inf), each = n), n)
  by_pair <- if (pair$free) kernel_tilted_removal else kernel_ball_removal
  ends <- narrowed(ends, by_pair(pair, rows, kappa))
  if (!is.null(ellipsoid)) ends <- narrowed(ends, step_removal(pair, ellipsoid, kappa, rule))
  if (rule == "cost") ends <- narrowed(ends, own_loss_removal(pair, ball))
  ends
}

narrowed <- function(a, b) {
  b[is.nan(b[, 1L]), 1L] <- -Inf
  b[is.nan(b[, 2L]), 2L] <- Inf
  cbind(pmax(a[, 1L], b[, 1L]), pmin(a[, 2L], b[, 2L]))
}

# kappa w + U, with its products and the length of its rounding. U = sum omega a x.
residual_vector <- function(pair, rows) {
  total <- pair$mu * pair$total
  e <- total * pair$w + pair$total * pair$u
  list(e = e, squared = sum(e^2), own = sum(e * pair$w), w_squared = sum(pair$w^2),
       rounding = pair$total * sqrt(sum(pair$u_rounding^2)) +
         4 * unit_roundoff * (total * sqrt(sum(pair$w^2)) + pair$total * sqrt(sum(pair$u^2))))
}

# Weights omega h of the tilt; NULL where nothing moves.
tilt_masses <- function(pair) {
  h <- pair$loss$tilt(pair$a, pair$y)
  mass <- pair$omega * h
  if (sum(mass) > 0) list(h = h, mass = mass, total = sum(mass))
}

# |kappa_i w + U - shift (x_i - c)|^2/(2 kappa_i) as a function of the shift. far: |x_i - c|^2;
# residual = |e|^2 of e = kappa w + U, own = e'w, xe and xw the products of x_i - c with e and w;
# relative, fixed, of_shift: rounding of the squares in units of their terms (with w_size for
# |w|^2), and of the lengths.
ridge_penalty <- function(pair, kappa, known) {
  less <- pair$mu * pair$total - kappa
  function(shift) {
    e2 <- known$residual + less^2 * known$w_squared + shift^2 * known$far - 2 * less * known$own -
      2 * shift * known$xe + 2 * less * shift * known$xw
    size <- known$residual + less^2 * known$w_size + shift^2 * known$far
    e_norm <- sqrt(square_above(e2, known$relative * size)) + known$fixed +
      abs(shift) * known$of_shift
    e_norm^2 / (2 * kappa)
  }
}

# penalty(shift): what the penalty adds to the bound with shift = tau K.
tilted_ends <- function(pair, tilt, kappa, far, penalty) {
  n <- length(pair$y)
  rest <- tilt$total - tilt$mass
  # convex in tau, so chords are above it
  powers <- 10^seq(-5, 0, length.out = 12L)
  tau_grid <- c(-rev(powers), 0, powers)
  sums <- vapply(tau_grid, function(tau) {
    moved <- pair$loss$nearest(pair$a + tau * tilt$h, pair$y)
    sum(weighted_excess(replace(pair, "a", list(moved))))
  }, 0) * (1 + 1e-14 * n)
  out <- pair$omega * pair$a
  sizes <- sqrt(pmax(sum(pair$excess), 1e-14) * kappa / pmax(far, 1e-300))
  ends <- matrix(rep(c(-Inf, Inf), each = n), n)
  for (base in list(abs(out), sizes)) for (share in c(0.25, 0.5, 1, 2, 4)) for (side in c(-1, 1)) {
    tilted <- side * share * base
    tau <- (tilted + out) / rest
    ok <- is.finite(tau) & abs(tau) <= 1 & tilted != 0 & rest > 1e-12 * tilt$total
    tau[!ok] <- 0
    bound <- (stats::approx(tau_grid, sums, tau)$y + penalty(tau * tilt$total)) / abs(tilted)
    bound <- ifelse(ok, bound * (1 + 1e-12) + pair$z_rounding, Inf)
    if (side > 0) ends[, 2L] <- pmin(ends[, 2L], pair$z + bound) else
      ends[, 1L] <- pmax(ends[, 1L], pair$z - bound)
  }
  ends
}

# Removal never helps the removed row: phi_i(f(x_i)) without it is at least phi_i(z_i) less W gap /
# omega_i, for any convex loss and any penalty whose kappa stays. One end of a margin loss.
own_loss_removal <- function(pair, ball) {
  loss <- pair$loss
  n <- length(pair$y)
  ends <- matrix(rep(c(-Inf, Inf), each = n), n)
  if (loss$name %in% c("squared", "huber")) {
    return(ends)
  }
  at_least <- loss$value(pair$z + pair$y * pair$z_rounding, pair$y) * (1 - 1e-12)
  level <- at_least - pair$total * ball$gap / pmax(pair$omega, 1e-300) * (1 + 1e-12)
  level[pair$omega == 0] <- 0
  known <- level > 0
  margin <- margin_of_loss(loss, level[known]) + 1e-12
  positive <- pair$y[known] > 0
  ends[which(known)[positive], 2L] <- margin[positive]
  ends[which(known)[!positive], 1L] <- -margin[!positive]
  ends
}

# The margin y z at which a margin loss is `level` > 0.
margin_of_loss <- function(loss, level) {
  g <- loss$gamma
  margin <- switch(
    loss$name,
    hinge = 1 - level,
    smooth_hinge = ifelse(level >= g / 2, 1 - level - g / 2, 1 - sqrt(2 * g * level)),
    squared_hinge = 1 - sqrt(2 * g * level),
    logistic = -log(expm1(pmin(level, 700))) - pmax(0, level - 700)
  )
  margin + 1e-13 * abs(margin)
}

# The logistic and the squared loss: the Newton step of a removal, with a bound on what it misses.
# With A_i = omega_i phi'(z_i), H = sum omega phi'' x x' + kappa, h_i = x_i'H^{-1}x_i,
# l_i = h_i/(1 - lev_i), lev_i = omega_i phi''_i h_i, g_i = |G|_{H^-1} (1 - lev_i)^{-1/2},
# d_i = |A_i| l_i^{1/2}, R_i = max_j h_j^{1/2} (1 - lev_i)^{-1/2} and t = d_i R_i the value without
# the row is within l_i^{1/2} nu psi(nu R_i), nu = g_i + d_i, of z_i, and within
# (l_i e^t)^{1/2} nu1 psi(nu1 R_i e^{t/2}), nu1 = e^{t/2} (g_i + d_i (e^t - 1 - t)/t), of
# z_i + A_i l_i. Rule "lambda": H shrinks by at most s = 1 - omega_i/W.
step_removal <- function(pair, ellipsoid, kappa, rule) {
  total <- pair$total
  squared <- pair$loss$name == "squared"
  slope <- pair$loss$left(pair$z, pair$y)
  out <- pair$omega * slope
  h <- ellipsoid$norms^2 / total
  bend <- pair$omega * pair$loss$curvature(pair$z, pair$y)
  shrink <- if (rule == "cost") rep(1, length(h)) else 1 - pair$omega / total
  leverage <- bend * h / shrink
  ok <- shrink > 0 & leverage < 1 - 1e-6
  leverage[!ok] <- 0
  factor <- 1 / sqrt(shrink * (1 - leverage))
  l <- h * factor^2
  g <- ellipsoid$nu * sqrt(total) * factor
  if (rule == "lambda") {
    g <- g + pair$mu * pair$omega * factor / sqrt(total) * ellipsoid$pull
  }
  d <- abs(out) * sqrt(l)
  reach <- sqrt(max(h[pair$omega > 0])) * factor
  psi <- function(s) if (squared) 1 else step_factor(s)
  half <- sqrt(l) * (g + d) * psi((g + d) * reach)
  t <- if (squared) 0 * d else d * reach
  growth <- exp(pmin(t, 50))
  missed <- ifelse(t < 1e-5, t / 2 + t^2 / 6 * (1 + t), (expm1(pmin(t, 50)) - t) / pmax(t, 1e-300))
  nu <- sqrt(growth) * (g + d * (missed + 1 / shrink - 1))
  stepped <- sqrt(l * growth) * nu * psi(nu * reach * sqrt(growth))
  stepped[t >= 50] <- Inf
  # the step itself, from both ends of the norm
  low <- ellipsoid$norms^2 / ellipsoid$inflation^4 / total
  step_low <- low / (1 - pmin(bend * low, 1 - 1e-6))
  step_high <- h / (1 - pmin(bend * h, 1 - 1e-6))
  centre <- pair$z + out * (step_low + step_high) / 2
  stepped <- stepped + abs(out) * (step_high - step_low)
  rounding <- pair$z_rounding + 8 * unit_roundoff * (abs(pair$z) + abs(out) * step_high)
  half[!ok] <- Inf
  stepped[!ok] <- Inf
  half <- half * (1 + 1e-10) + rounding
  stepped <- stepped * (1 + 1e-10) + rounding
  narrowed(cbind(pair$z - half, pair$z + half), cbind(centre - stepped, centre + stepped))
}
