# Bounds on how far decision values of a kernel fit move when rows of the fit change, as those of a
# linear fit in src/decide/flip_bounds.h: of each row alone, and of any k rows together. A bound is a
# list of `each` (n numbers) and `sets` (n numbers that do not decrease, for k = 1..n), as functions
# of one row to predict; `none` is that of no change.

# For the rows to predict: `needed`, `alone` (which could flip it), and the `most` largest bounds.
count_flips <- function(pair, rows, new, changes, most) {
  known <- function_scores(pair, rows, new)
  score <- known$score
  room <- pmax(0, abs(score))
  side <- ifelse(score >= 0, 1, -1)
  bounds <- Filter(Negate(is.null), function_flips(pair, rows, changes))
  n <- length(pair$y)
  m <- length(score)
  alone <- integer(m)
  needed <- numeric(m)
  top <- matrix(0L, most, m)
  largest <- matrix(0, most, m)
  block <- max(1L, min(256L, 4e6 %/% n))
  for (first in seq.int(1L, by = block, length.out = ceiling(m / block))) {
    which <- first:min(m, first + block - 1L)
    prepared <- lapply(bounds, function(bound) bound(new, which))
    for (j in seq_along(which)) {
      i <- which[j]
      each <- rep(Inf, n)
      for (of_row in prepared) {
        # what is no number bounds nothing
        found <- lapply(of_row(j, side[i]), function(v) replace(v, is.nan(v), Inf))
        each <- pmin(each, pmin(found$each, found$sets[1L]) + known$off[i])
        if (found$none + known$off[i] < room[i]) {
          enough <- sum(found$sets + known$off[i] < room[i]) + 1
          needed[i] <- max(needed[i], if (enough > n) Inf else enough)
        }
      }
      alone[i] <- sum(each >= room[i] & !changes$idle)
      # a prediction that is not certain as it is could be flipped by anything
      if (needed[i] == 0) alone[i] <- sum(!changes$idle)
      at <- order(each, decreasing = TRUE)[seq_len(most)]
      top[, i] <- at
      largest[, i] <- each[at]
    }
  }
  list(alone = alone, needed = needed, top = top, bound = largest, room = room, score = score,
       side = side)
}

# What a change does to each row: y, omega: the new ones; mass: omega' a' - omega a of the dual
# variables; pull: the same of the slopes; bend: |omega' - omega| phi''; excess: what the new
# terms add to the gap; idle: it does nothing.
row_changes <- function(fit, pair, rows, change) {
  slope <- pair$loss$left(pair$z, pair$y)
  bend <- pair$loss$curvature(pair$z, pair$y)
  steep <- if (pair$loss$gamma > 0) 1 / pair$loss$gamma else 0
  y <- pair$y
  if (change == "remove") {
    omega <- 0 * pair$omega
    a <- new_slope <- 0 * slope
    excess <- 0
  } else {
    y <- -y
    omega <- turned_weights(fit)
    other <- pair
    other$y <- y
    other$omega <- omega
    other$a <- a <- new_slope <- pair$loss$left(pair$z, y)
    excess <- sum(weighted_excess(other))
  }
  mass <- omega * a - pair$omega * pair$a
  pull <- omega * new_slope - pair$omega * slope
  wobble <- (omega + pair$omega) * steep * pair$z_rounding + 8 * unit_roundoff * abs(pull)
  list(y = y, omega = omega, mass = mass, pull = pull, wobble = wobble,
       bend = abs(omega - pair$omega) * bend, excess = excess, idle = pair$omega == 0)
}

# Of rows with the other class.
turned_weights <- function(fit) {
  weights <- unname(fit$weights)
  class_weights <- fit$settings$class_weights
  if (is.null(class_weights)) weights else
    weights * unname(class_weights)[3L - as.integer(fit$response)]
}

# The largest k of values >= 0, summed, for k = 1..n.
largest_sums <- function(values) {
  values[is.nan(values)] <- Inf
  sums <- cumsum(sort(pmax(0, values), decreasing = TRUE))
  sums * (1 + 4 * unit_roundoff * length(values))
}

# The largest singular value of the rows v_j, a column each, from above. rounding: of the
# eigenvalues of their products, beside that of the decomposition.
spectral_size <- function(gram, rounding = 0) {
  if (nrow(gram) > 500L || !all(is.finite(gram))) {
    return(Inf)
  }
  largest <- max(eigen(gram, symmetric = TRUE, only.values = TRUE)$values)
  sqrt(square_above(largest * (1 + 1e-8), rounding))
}

# own: what the gap of the fit moves, lengths: |Delta_j|, size: the largest singular value of all
# Delta_j; products: of the rows with some new ones.
ball_moves <- function(changes, kappa, own, lengths, size, rounding, products) {
  together <- pmin(largest_sums(lengths), size * sqrt(seq_along(lengths))) * (1 + rounding)
  function(new, which) {
    inner <- products(new, which)
    far <- sqrt(new$squares[which])
    function(j, side) {
      x <- far[j]
      along <- side * changes$mass * inner[, j]
      noise <- rounding * x * lengths
      each <- (x * lengths + along + noise) / (2 * kappa)
      sums <- pmin(largest_sums(each),
                   (x * together + largest_sums(along + noise)) / (2 * kappa))
      list(each = each + x * own, sets = sums + x * own, none = x * own)
    }
  }
}

# mass: omega h; apart: |x_j - c|; size: the largest singular value of all changes around c.
# products: of the rows with some new ones, around c, their rounding the product of two numbers.
tilted_sets <- function(tilt, changes, mass, apart, size, products) {
  lengths <- abs(changes$mass) * apart
  together <- list(
    length = pmin(largest_sums(lengths), size * sqrt(seq_along(lengths))),
    out = pmax(largest_sums(changes$mass), largest_sums(-changes$mass)),
    gone = largest_sums(mass), gone_length = largest_sums(mass * apart)
  )
  single <- list(length = lengths, out = abs(changes$mass), gone = mass,
                 gone_length = mass * apart)
  nothing <- list(length = 0, out = 0, gone = 0, gone_length = 0)
  function(new, which) {
    at <- products(new, which)
    function(j, side) {
      far <- at$far[j]
      along <- side * changes$mass * at$inner[, j] + at$noise * at$noise_of[j]
      list(each = tilted_moves(tilt, single, along, far),
           sets = cummax(tilted_moves(tilt, together, largest_sums(along), far)),
           none = tilted_moves(tilt, nothing, 0, far))
    }
  }
}

# sum omega FY(z, a + tau h) over tau >= 0, of both signs the larger: convex, so chords are above.
tilted_excess <- function(pair, h, more) {
  grid <- c(0, 10^seq(-5, 0, length.out = 24L))
  excess_at <- function(tau) {
    tilted <- replace(pair, "a", list(pair$loss$nearest(pair$a + tau * h, pair$y)))
    sum(weighted_excess(tilted))
  }
  sums <- vapply(grid, function(tau) max(excess_at(tau), excess_at(-tau)), 0)
  sums <- cummax(sums) * (1 + 1e-14 * length(h)) + more
  function(tau) stats::approx(grid, sums, tau, rule = 2)$y
}

# The bound for the best of a few T, where one of them is possible.
tilted_moves <- function(tilt, what, along, x) {
  best <- rep(Inf, length(what$out))
  rest <- tilt$total - what$gone
  open <- which(rest > 1e-12 * tilt$total & what$out < tilt$reach * rest)
  if (length(open) == 0L) {
    return(best)
  }
  what <- lapply(what, `[`, open)
  along <- along[open]
  rest <- rest[open]
  limit <- tilt$reach * rest - what$out
  near <- (tilt$own + what$length) / x
  wide <- sqrt(2 * tilt$kappa * tilt$excess((what$out + pmin(near, limit)) / rest)) / x
  for (size in list(near, near + wide, 0.5 * near, 2 * near, limit / 4, limit / 16)) {
    possible <- is.finite(size) & size > 0 & size <= limit
    size[!possible] <- limit[!possible]
    tau <- pmin(1, (size + what$out) / rest * (1 + 1e-12))
    terms <- what$length^2 + size^2 * x^2
    length <- sqrt(square_above(terms + 2 * size * along, 8 * unit_roundoff * terms)) + tilt$own +
      tau * what$gone_length + tau * tilt$rounding
    bound <- (tilt$excess(tau) + length^2 / (2 * tilt$kappa)) / size
    best[open] <- pmin(best[open], bound)
  }
  best * (1 + 1e-10)
}

# size: the largest singular value of all changes in the metric of H^-1; products: in that metric of
# the rows with some new ones, with their relative error, and the length of these.
curved_sets <- function(pair, changes, ellipsoid, size, products) {
  total <- pair$total
  squared <- pair$loss$name == "squared"
  norms <- ellipsoid$norms
  pull <- changes$pull / total
  slack <- changes$wobble / total
  lengths <- (abs(pull) + slack) * norms
  leverage <- changes$bend / total * norms^2 * (1 + 1e-8)
  missed <- function(d, l) missed_by_step(ellipsoid, d, l, squared)
  sizes <- pmin(largest_sums(lengths), size * sqrt(seq_along(lengths)))
  levers <- largest_sums(leverage)
  alone <- missed(lengths, leverage)
  together <- missed(sizes, levers)
  together$direct <- cummax(together$direct)
  together$step <- cummax(together$step)
  none <- missed(0, 0)$direct
  function(new, which) {
    at <- products(new, which)
    function(j, side) {
      x <- at$far[j]
      along <- side * pull * at$inner[, j] + x * norms * (at$error[j] * abs(pull) + slack)
      each <- pmin(times(x, alone$direct), along + times(x, alone$step))
      sums <- pmin(times(x, together$direct), largest_sums(along) + times(x, together$step))
      noise <- 1 + 1e-10
      list(each = each + 1e-10 * abs(each), sets = sums * noise, none = times(x, none) * noise)
    }
  }
}

# Nothing is known of 0 times an infinite bound.
times <- function(x, bound) ifelse(is.finite(bound), x * bound, Inf)

# d: |Delta|_{H^-1}; l: the change of H is within -l H and l H. In units of |x|_{H^-1}.
missed_by_step <- function(ellipsoid, d, l, squared) {
  d <- d + 0 * l
  l <- l + 0 * d
  open <- l < 0.99 & d * ellipsoid$reach < 50
  l[!open] <- 0
  psi <- function(s) if (squared) 1 else step_factor(s)
  g <- ellipsoid$nu
  nu <- (g + d) / (1 - l)
  direct <- nu * psi(nu * ellipsoid$reach)
  t <- if (squared) 0 * d else d * ellipsoid$reach
  t[!open] <- 0
  curved <- ifelse(t < 1e-5, t / 2 + t^2 / 6 * (1 + t), (expm1(t) - t) / pmax(t, 1e-300))
  shrink <- sqrt(1 - l)
  grown <- exp(t / 2)
  nu <- grown * (g / shrink + d * (curved * sqrt(1 + l) + l / shrink))
  step <- grown / shrink * nu * psi(nu * ellipsoid$reach * grown / shrink)
  direct[!open] <- Inf
  step[!open] <- Inf
  list(direct = direct * (1 + 1e-10), step = step * (1 + 1e-10))
}
