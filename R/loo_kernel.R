# Leave-one-out of a kernel fit: the bounds of loo_bounds.R with kernel values for inner products.
# The pair of a kernel fit is the function of its dual point,
# w = -(1/kappa) sum_j omega_j a_j k(x_j, .), so that kappa w + U = 0 and a row that leaves costs
# the kernel's diagonal alone.

# As core_removals().
kernel_removals <- function(fit, x, sets, rule) {
  rows <- kernel_geometry(fit, x)
  pairs <- lapply(seq_len(ncol(coef_matrix(fit))), geometry_pair, rows = rows)
  parts <- lapply(pairs, kernel_part, rows = rows, sets = sets, rule = rule)
  list(parts = parts, solve = function(k, which, aim) {
    still <- if (isTRUE(aim$once)) function(out, ends) FALSE else still_open(fit, aim)
    refit_kernel_removals(pairs[[k]], rows, sets[which], parts[[k]]$kappa[which], still)
  })
}

kernel_part <- function(pair, rows, sets, rule) {
  n <- length(pair$y)
  taken <- vapply(sets, function(out) sum(pair$omega[out]), 0)
  kappa <- pair$mu * (if (rule == "cost") pair$total else pair$total - taken)
  kappa <- rep_len(kappa, length(sets))
  ends <- if (all(lengths(sets) == 1L)) {
    removal_bounds(pair, rows, list(gap = sum(pair$excess) / pair$total),
                   kernel_ellipsoid(pair, rows), kappa, rule)
  } else {
    cbind(rep(-Inf, n), rep(Inf, n))
  }
  left <- class_left(pair, sets)
  for (k in which(left != 0)) ends[sets[[k]], ] <- left[k] * Inf
  list(kappa = kappa, ends = ends, gone = left != 0)
}

is_kernel_rows <- function(rows) !is.null(rows$kernel_fit)

kernel_geometry <- function(fit, x) {
  frame <- kernel_frame(fit, x)
  if (!is.null(frame$rest)) {
    abort_input(paste(
      "`fit` has sparse rows with columns that are centred implicitly, which a refit without a row",
      "would not be: margin_loo() has no bounds for it; use center = FALSE, or dense rows."
    ), "fit")
  }
  list(kernel_fit = fit, frame = frame, points = frame_points(fit, frame),
       # from above
       squares = self_kernel(fit, frame) * (1 + kernel_rounding(fit)))
}

geometry_pair <- function(rows, k) {
  fit <- rows$kernel_fit
  support <- kernel_frame(fit, fit$support$x)
  pair <- kernel_pair(fit, k, rows$frame, frame_points(fit, support), rows$squares,
                      sqrt(self_kernel(fit, support)))
  # |w|^2 in function space
  pair$w_squared <- judged_square(sum(pair$beta * pair$products[fit$support$at, 1L]),
                                  kernel_rounding(fit) * pair$size^2)
  pair
}

# Kernel values of all rows with all rows, times weights.
kernel_products <- function(rows, weights) {
  kernel_times(rows$kernel_fit, rows$frame, rows$points, as.matrix(weights))
}

# No or a penalised intercept. With e_i = (kappa_i - kappa) w - omega_i a_i k(x_i, .) the optimum
# without row i is in the ball around w - e_i/(2 kappa_i) with squared radius F_i/kappa_i +
# |e_i|^2/(4 kappa_i^2).
kernel_ball_removal <- function(pair, rows, kappa) {
  out <- pair$omega * pair$a
  less <- pair$mu * pair$total - kappa
  eps <- kernel_rounding(rows$kernel_fit)
  own <- rows$squares
  score <- pair$z - pair$b
  e2 <- less^2 * pair$w_squared + out^2 * own + 2 * less * out * score
  size <- less^2 * pair$size^2 + out^2 * own
  e_norm <- sqrt(square_above(e2, 8 * eps * size)) + expansion_rounding(pair)
  rest <- pmax(0, sum(pair$excess) * (1 + 1e-14 * length(score)) - pair$excess)
  radius <- sqrt(rest / kappa + e_norm^2 / (4 * kappa^2)) * (1 + 1e-12)
  middle <- score + (less * score + out * own) / (2 * kappa)
  half <- radius * sqrt(own) + pair$z_rounding * (1 + abs(less) / kappa) +
    (4 * eps * abs(out) * own + expansion_rounding(pair) * sqrt(own)) / kappa
  cbind(middle - half, middle + half)
}

# What rounding of the coefficients leaves of kappa w + U.
expansion_rounding <- function(pair) 16 * unit_roundoff * pair$mu * pair$total * pair$size

# A free intercept: as tilted_removal().
kernel_tilted_removal <- function(pair, rows, kappa) {
  n <- length(pair$y)
  tilt <- tilt_masses(pair)
  if (is.null(tilt)) {
    return(matrix(rep(c(-Inf, Inf), each = n), n))
  }
  eps <- kernel_rounding(rows$kernel_fit)
  along <- kernel_products(rows, tilt$mass / tilt$total)[, 1L]
  score <- pair$z - pair$b
  own <- rows$squares
  square <- sum(tilt$mass * along) / tilt$total
  far <- square_above(own - 2 * along + square, 4 * eps * (own + max(own)))
  tilted_ends(pair, tilt, kappa, far, ridge_penalty(pair, kappa, list(
    far = far, residual = 0, own = 0, xe = 0, w_squared = pair$w_squared, w_size = pair$size^2,
    xw = score - sum(tilt$mass * score) / tilt$total,
    # |<w, x_i - c>| has the rounding eps |w| (|x_i| + |c|)
    relative = 16 * eps * (1 + (own + max(own)) / pmax(far, 1e-300)),
    fixed = expansion_rounding(pair), of_shift = 0
  )))
}

# The Hessian of the logistic and the squared loss at the fit, in function space. With
# D = diag(omega phi'')^(1/2), M = kappa I + D K D and Mi = D M^{-1} D, a function v with the values
# p at the rows, and an entry s for a free intercept,
#   |(v, s)|^2_{H^-1} = (1/kappa) [|v|^2 - p'Mi p + (s - 1'Mi p)^2 / (1'Mi 1)],
# the last term for a free intercept alone. The matrix is factored up to 2,000 rows.
kernel_ellipsoid <- function(pair, rows) {
  n <- length(pair$y)
  if (!pair$loss$name %in% c("logistic", "squared") || n > largest_hessian) {
    return(NULL)
  }
  used <- which(pair$omega > 0)
  total <- pair$total
  kappa <- pair$mu * total
  bend <- (pair$omega * pair$loss$curvature(pair$z, pair$y))[used]
  d <- sqrt(bend)
  K <- kernel_products(rows, diag(n))
  values <- K[used, , drop = FALSE]
  root <- tryCatch(chol(d * values[, used, drop = FALSE] * rep(d, each = length(used)) +
                          diag(kappa, length(used))), error = function(condition) NULL)
  if (is.null(root)) {
    return(NULL)
  }
  white <- function(p) backsolve(root, d * p, transpose = TRUE)
  one <- if (pair$free) white(matrix(1, length(used)))
  mass <- sum(one^2)
  own <- rows$squares
  eps <- kernel_rounding(rows$kernel_fit)
  # of the factor in units of its least eigenvalue, kappa, and of the kernel values
  trace <- sum(bend * own[used])
  rounding <- 8 * (n + 4) * unit_roundoff * (n * kappa + trace) / kappa +
    8 * eps * (trace / kappa + 1) + 8 * max(pair$z_rounding)
  if (!is.finite(rounding) || rounding > 1e-4 || (pair$free && mass <= 0)) {
    return(NULL)
  }
  # squares in the norm, and what rounding can have done to them
  squared <- function(size, p, s) {
    w <- white(p)
    last <- if (pair$free) (s - drop(crossprod(one, w)))^2 / mass else 0
    slack <- rounding * (size + last) / kappa
    list(value = judged_square((size - colSums(w^2) + last) / kappa, slack), slack = slack)
  }
  h <- squared(own, values, 1)
  slope <- pair$loss$left(pair$z, pair$y)
  off <- pair$omega * (slope - pair$a)
  off_size <- sum(abs(off) * sqrt(own))
  p <- drop(K %*% off)
  off_square <- square_above(sum(off * p), kernel_rounding(rows$kernel_fit, n) * off_size^2)
  G <- squared(off_square, matrix(p[used]), sum(pair$omega * slope))
  # scores that are off by e move slopes by e/gamma
  wobble <- pair$omega * (pair$z_rounding / pair$loss$gamma + 4 * unit_roundoff)
  nu <- sqrt(G$value + G$slack) + sum(wobble * sqrt(own)) / sqrt(kappa) +
    if (pair$free) sum(wobble) / sqrt(kappa * mass) else 0
  f <- pair$z - pair$b
  pull <- squared(pair$w_squared + eps * pair$size^2, matrix(f[used]), 0)
  above <- h$value + h$slack
  if (!all(is.finite(c(above, nu, pull$value)))) {
    return(NULL)
  }
  below <- ifelse(own > 0 | pair$free, (h$value - h$slack) / above, 1)
  if (min(below) < 0.5) {
    return(NULL)
  }
  list(norms = sqrt(above * total), reach = sqrt(max(above[used]) * total),
       nu = nu / sqrt(total) * (1 + 1e-10), inflation = (1 / min(below))^(1 / 4) * (1 + 1e-10),
       white = white, one = one, mass = mass, used = used, kappa = kappa, rounding = rounding,
       values = K, own = own, total = total, free = pair$free,
       pull = sqrt((pull$value + pull$slack) * total))
}
