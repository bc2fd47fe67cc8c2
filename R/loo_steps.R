# The optimum without some rows, found for the rows that the bounds leave open: Newton steps for a
# smooth loss with a ridge, refits otherwise. Each gives a pair of the smaller problem, and that an
# interval; steps need not be exact for the interval to hold.

# sets: a list of the rows that leave together; kappa: one number for each. Returns the ends for
# the rows of each set, and how it was solved.
solve_removals <- function(pair, rows, ellipsoid, sets, kappa, is_open) {
  found <- vector("list", length(sets))
  if (length(sets) == 0L) {
    return(found)
  }
  if (is_kernel_rows(rows)) {
    return(refit_kernel_removals(pair, rows, sets, kappa, is_open))
  }
  n <- length(pair$y)
  smooth <- pair$loss$gamma > 0 && pair$l1 == 0 && length(pair$w) + pair$free <= largest_hessian
  if (!smooth) {
    return(refit_removals(pair, rows, sets, kappa, is_open))
  }
  if (is.null(ellipsoid)) {
    bend <- pair$omega * pair$loss$curvature(pair$z, pair$y) / pair$total
    ellipsoid <- factored_hessian(rows, bend, pair)
  }
  block <- max(1L, min(64L, 1e6 %/% n))
  for (first in seq.int(1L, by = block, length.out = ceiling(length(sets) / block))) {
    which <- first:min(length(sets), first + block - 1L)
    at <- first_steps(pair, rows, ellipsoid, sets[which], kappa[which])
    ends <- step_intervals(pair, rows, ellipsoid, at, sets[which], kappa[which], is_open)
    at <- ends$at
    for (j in seq_along(which)) {
      found[[which[j]]] <- more_steps(pair, rows, at$w[, j], at$b[j], sets[[which[j]]],
                                      kappa[which[j]], is_open, ends$ends[[j]])
    }
  }
  # steps without a line search need not converge where slopes have kinks
  open <- which(vapply(seq_along(sets), function(k) is_open(sets[[k]], found[[k]]$ends), NA))
  refitted <- refit_removals(pair, rows, sets[open], kappa[open], is_open)
  for (j in seq_along(open)) {
    refitted[[j]]$ends <- narrowed(refitted[[j]]$ends, found[[open[j]]]$ends)
    found[[open[j]]] <- refitted[[j]]
  }
  found
}

# (w, b) - H_{-S}^{-1} G_{-S}, a column for each set; where that matrix is lacking (w, b) itself.
first_steps <- function(pair, rows, ellipsoid, sets, kappa) {
  w <- matrix(pair$w, length(pair$w), length(sets))
  b <- rep(pair$b, length(sets))
  if (is.null(ellipsoid)) {
    return(list(w = w, b = b))
  }
  total <- pair$total
  slope <- pair$omega * pair$loss$left(pair$z, pair$y)
  bend <- pair$omega * pair$loss$curvature(pair$z, pair$y)
  penalty <- c(pair$w, if (pair$free) 0)
  gradient <- c(rows_cross(rows, slope), if (pair$free) sum(slope)) +
    pair$mu * total * penalty
  inverse <- function(v) backsolve(ellipsoid$root, whitened(ellipsoid, v)) / ellipsoid$size / total
  for (k in seq_along(sets)) {
    out <- sets[[k]]
    x <- bordered_rows(rows, out, pair$free)
    rest <- gradient - drop(x %*% slope[out]) - (pair$mu * total - kappa[k]) * penalty
    # Woodbury: (H - X D X')^{-1} = H^{-1} + H^{-1} X (D^{-1} - X'H^{-1}X)^{-1} X'H^{-1}
    step <- drop(inverse(rest))
    used <- which(bend[out] > 0)
    if (length(used) > 0L) {
      x <- x[, used, drop = FALSE] * rep(sqrt(bend[out][used]), each = nrow(x))
      hx <- inverse(x)
      core <- diag(length(used)) - crossprod(x, hx)
      more <- tryCatch(drop(hx %*% solve(core, crossprod(x, step))), error = function(e) 0)
      step <- step + more
    }
    if (!all(is.finite(step))) next
    w[, k] <- pair$w - step[seq_along(pair$w)]
    if (pair$free) b[k] <- pair$b - step[length(step)]
  }
  list(w = w, b = b)
}

# Newton steps with a Hessian of their own until the set is decided, at most eight.
more_steps <- function(pair, rows, w, b, out, kappa, is_open, ends) {
  steps <- 1L
  y <- pair$y
  while (is_open(out, ends) && steps < 8L) {
    omega <- replace(pair$omega, out, 0)
    z <- rows_times(rows, w) + b
    slope <- omega * pair$loss$left(z, y)
    here <- pair
    here$mu <- kappa / pair$total
    factor <- factored_hessian(rows, omega * pair$loss$curvature(z, y) / pair$total, here)
    if (is.null(factor)) break
    gradient <- (c(rows_cross(rows, slope), if (pair$free) sum(slope)) +
                   kappa * c(w, if (pair$free) 0)) / pair$total
    step <- drop(backsolve(factor$root, whitened(factor, gradient)) / factor$size)
    w <- w - step[seq_along(w)]
    if (pair$free) b <- b - step[length(step)]
    steps <- steps + 1L
    at <- list(w = matrix(w), b = b)
    ends <- narrowed(ends, removal_intervals(pair, rows, at, list(out), kappa)[[1L]])
  }
  list(ends = ends, how = "step", steps = steps)
}

# For the rows of each set the interval of the optimum without it, by the pair of `at`: the point
# (w, b), a column each, with b moved to its root, and a = phi'(z), balanced for a free intercept.
removal_intervals <- function(pair, rows, at, sets, kappa) {
  loss <- pair$loss
  n <- length(pair$y)
  m <- length(sets)
  y <- pair$y
  omega <- matrix(pair$omega, n, m)
  for (k in seq_along(sets)) omega[sets[[k]], k] <- 0
  z <- as.matrix(rows$x %*% at$w)
  if (rows$shifted) z <- z - rep(colSums(rows$shift * at$w), each = n)
  if (pair$free) z <- z + rep(best_offsets(loss, z, y, omega, at$b), each = n)
  a <- z
  a[] <- loss$left(z, y)
  if (pair$free) a <- balanced_columns(loss, a, omega)
  inner <- sqrt(rows$squares) + sqrt(sum((abs(rows$shift) + 2 * abs(rows$moved))^2))
  lengths <- sqrt(colSums(at$w^2))
  wobble <- score_roundings(nrow(at$w)) * (outer(inner, lengths) + abs(z))
  excess <- function(a) {
    terms <- pmax(0, loss$excess(z, a, y)) + 16 * unit_roundoff * (loss$value(z, y) + abs(a * z) +
                                                                     abs(a * y))
    # slopes change by at most wobble/gamma within the rounding of a score
    off <- abs(loss$left(z, y) - a) + wobble / loss$gamma
    colSums(omega * (terms + wobble * off)) * (1 + 1e-14 * n)
  }
  u <- as.matrix(Matrix::crossprod(rows$x, omega * a))
  if (rows$shifted) u <- u - outer(rows$shift, colSums(omega * a))
  e <- at$w * rep(kappa, each = nrow(u)) + u
  rounding <- cross_roundings(n) * sqrt(sum(pair$column_sizes$stored^2)) *
    sqrt(pair$total * colSums(omega * a^2)) + 4 * unit_roundoff * kappa * lengths
  rest <- excess(a)
  ends <- if (pair$free) {
    tilted_intervals(pair, rows, sets, kappa, z, a, omega, e, rest, rounding, excess)
  } else {
    ball_intervals(rows, sets, kappa, z, e, rest, rounding)
  }
  Map(function(end, out, k) end + outer(wobble[out, k], c(-1, 1)), ends, sets, seq_along(sets))
}

# w - e/(2 kappa) with squared radius F/kappa + |e|^2/(4 kappa^2).
ball_intervals <- function(rows, sets, kappa, z, e, rest, rounding) {
  lapply(seq_along(sets), function(k) {
    out <- sets[[k]]
    size <- sqrt(sum(e[, k]^2)) + rounding[k]
    half <- sqrt(rest[k] / kappa[k] + size^2 / (4 * kappa[k]^2)) * (1 + 1e-12)
    x <- bordered_rows(rows, out, FALSE)
    far <- sqrt(rows$squares[out])
    middle <- z[out, k] - drop(crossprod(x, e[, k])) / (2 * kappa[k])
    half <- half * far + far * (rounding[k] + 1e-14 * size) / kappa[k]
    cbind(middle - half, middle + half)
  })
}

# As tilted_removal(), the sums taken at the tilts themselves.
tilted_intervals <- function(pair, rows, sets, kappa, z, a, omega, e, rest, rounding, excess) {
  loss <- pair$loss
  h <- a
  h[] <- loss$tilt(a, pair$y)
  mass <- colSums(omega * h)
  centre <- as.matrix(Matrix::crossprod(rows$x, omega * h))
  centre <- (if (rows$shifted) centre - outer(rows$shift, mass) else centre) /
    rep(mass, each = nrow(centre))
  ends <- lapply(sets, function(out) cbind(rep(-Inf, length(out)), rep(Inf, length(out))))
  # row j of every set at once
  for (j in seq_len(max(lengths(sets)))) {
    here <- which(lengths(sets) >= j)
    i <- vapply(sets[here], `[`, 0L, j)
    apart <- bordered_rows(rows, i, FALSE) - centre[, here, drop = FALSE]
    far <- sqrt(colSums(apart^2)) * (1 + 1e-12) + 4 * moved_rounding(rows)
    e_norm <- sqrt(colSums(e[, here, drop = FALSE]^2)) + rounding[here]
    base <- sqrt((rest[here] + e_norm^2 / (2 * kappa[here])) /
                   (far^2 / (2 * kappa[here]) + 1 / (2 * mass[here])))
    for (share in c(1, 3)) for (side in c(-1, 1)) {
      tilt <- side * share * base
      tau <- tilt / mass[here]
      ok <- is.finite(tau) & abs(tau) <= loss$reach & tau != 0
      tau[!ok] <- 0
      steps <- numeric(length(sets))
      steps[here] <- tau
      moved <- excess(loss$nearest(a + h * rep(steps, each = nrow(h)), pair$y))[here]
      off <- e[, here, drop = FALSE] - apart * rep(tilt, each = nrow(apart))
      size <- sqrt(colSums(off^2)) + rounding[here] + 1e-13 * abs(tilt) * far
      bound <- (moved + size^2 / (2 * kappa[here])) / abs(tilt) * (1 + 1e-12)
      score <- z[cbind(i, here)]
      for (k in which(ok & is.finite(bound))) {
        side_of <- if (side > 0) 2L else 1L
        end <- score[k] + side * bound[k]
        old <- ends[[here[k]]][j, side_of]
        ends[[here[k]]][j, side_of] <- if (side > 0) min(old, end) else max(old, end)
      }
    }
  }
  ends
}

# The b that balances the slopes of each column, by Newton steps within a bracket.
best_offsets <- function(loss, z, y, omega, b) {
  low <- rep(-Inf, length(b))
  high <- rep(Inf, length(b))
  scale <- colSums(omega)
  for (iteration in seq_len(80L)) {
    at <- z + rep(b, each = nrow(z))
    sum <- colSums(omega * loss$left(at, y))
    low <- ifelse(sum <= 0, pmax(low, b), low)
    high <- ifelse(sum >= 0, pmin(high, b), high)
    if (all(abs(sum) <= 1e-15 * scale)) break
    bend <- colSums(omega * loss$curvature(at, y))
    step <- ifelse(bend > 1e-12 * scale, -sum / bend, -sign(sum))
    new <- b + pmin(5, pmax(-5, step))
    between <- ifelse(is.finite(low) & is.finite(high), (low + high) / 2, new)
    # back at an end of the bracket a step makes no progress
    stuck <- (new <= low | new >= high) & abs(step) > 1e-15 * (1 + abs(b))
    new <- ifelse(stuck, between, new)
    if (all(abs(new - b) <= 1e-15 * (1 + abs(b)))) break
    b <- new
  }
  b
}

balanced_columns <- function(loss, a, omega) {
  for (k in seq_len(ncol(a))) a[, k] <- balanced_dual(loss$loss, a[, k], omega[, k])
  a
}
