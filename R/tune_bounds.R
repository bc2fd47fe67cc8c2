# What the fits of one fold at two lambdas prove of the held-out rows at every lambda between them.

# The rows trained on and held out of a fold; always: the weight that is wrong at every lambda.
tune_fold <- function(problem, scales, x, codes, weights) {
  rows <- solved_rows(problem, scales)
  if (methods::is(x, "dgRMatrix")) x <- methods::as(x, "CsparseMatrix")
  merged <- merge_equal_rows(x, codes, weights)
  held <- in_solved_columns(rows, x[merged$at, , drop = FALSE])
  norms <- row_norms(held)
  fold <- list(problem = problem, rows = rows, held = held, by_row = by_row(held),
               codes = merged$codes, weights = merged$weights, always = merged$always,
               total = sum(weights),
               norms = norms, entries = if (isS4(x)) max(row_entries(held), 0) else ncol(held),
               # of a row of zeros without an intercept the score is 0, which is positive
               still = norms == 0 & !rows$free,
               curved = has_curved_chord(rows))
  if (!rows$free && rows$loss$smooth) fold$operator <- operator_norm(rows)
  fold
}

# Equal rows have one score: of those with different labels the lighter side is always wrong, and
# what the other side has more counts as one row. Two such rows change sides in opposite directions
# at the same lambda, which no bound on their scores could tell apart. Found by a product with
# irregular numbers, and compared.
merge_equal_rows <- function(x, codes, weights) {
  n <- nrow(x)
  keys <- as.vector(x %*% (1 + (seq_len(ncol(x)) * 0.7548776662466927) %% 1))
  leader <- match(keys, keys)
  twin <- which(leader != seq_len(n))
  if (length(twin) > 0L) {
    off <- x[twin, , drop = FALSE] != x[leader[twin], , drop = FALSE]
    other <- twin[Matrix::rowSums(off) > 0]
    leader[other] <- other
  }
  at <- which(leader == seq_len(n))
  group <- match(leader, at)
  side <- function(sign) {
    mine <- codes == sign
    vapply(split(weights[mine], factor(group[mine], seq_along(at))), sum, 0, USE.NAMES = FALSE)
  }
  above <- side(1)
  below <- side(-1)
  net <- above - below
  keep <- abs(net) > 1e-13 * (above + below)
  list(at = at[keep], codes = ifelse(net[keep] > 0, 1, -1), weights = abs(net[keep]),
       always = sum(pmin(above, below)))
}

# A bound on the largest eigenvalue of (1/W) X' Omega X, its root.
operator_norm <- function(rows) {
  trace <- sum(rows$share * rows$norms^2)
  if (ncol(rows$x) > 500L) {
    return(sqrt(trace))
  }
  gram <- as.matrix(Matrix::crossprod(rows$x, rows$x * rows$share))
  top <- eigen(gram, symmetric = TRUE, only.values = TRUE)$values[1L]
  sqrt(min(trace, max(top, 0) + 1e-10 * trace))
}

tune_point <- function(fold, solution, lambda) {
  point <- certified_point(fold$rows, solution, lambda, dual = !fold$rows$free)
  point$solution <- solution
  # what every interval at the point asks for
  if (fold$rows$loss$smooth) point$gradient <- gradient_of(fold$rows, point)
  if (fold$rows$loss$name == "logistic") point$third <- third_at(point)
  margin <- fold$codes
  point$held <- margin * (as.vector(fold$held %*% point$w) + point$b)
  size <- sqrt(point$ww)
  if (!fold$rows$free) {
    point$held_dual <- -margin * as.vector(fold$held %*% point$u)
    size <- size + sqrt(sum(point$u^2)) / lambda
  }
  point$slack <- score_roundings(fold$entries) * fold$norms * size + roundings(4) * abs(point$b)
  point
}

# Signed scores of the held-out rows (negative: wrong) at the exact optimum of one lambda: the
# tightest of the ball around (w + w(a))/2 and of the Hessian's, whose half-widths come from an
# interval beside the point or, where there is none, from the Hessian at the point itself.
held_interval <- function(fold, point, width) {
  lower <- rep(-Inf, length(fold$codes))
  upper <- -lower
  if (!fold$rows$free) {
    off <- sqrt(point$ee) / point$lambda
    radius <- sqrt(point$misfit / point$lambda + (off + point$du / point$lambda)^2 / 4)
    centre <- (point$held + point$held_dual / point$lambda) / 2
    ball <- fold$norms * radius * (1 + 1e-12) + point$slack
    lower <- centre - ball
    upper <- centre + ball
  }
  if (fold$curved && is.null(width)) {
    chord <- curved_chord(fold$rows, point, point)
    if (!is.null(chord)) width <- held_half_widths(fold, chord, Inf)$ends
  }
  if (!is.null(width)) {
    lower <- pmax(lower, point$held - width - point$slack)
    upper <- pmin(upper, point$held + width + point$slack)
  }
  list(lower = lower, upper = upper)
}

# Certainly wrong and certainly right rows of a point, by weight. codes +1: wrong is a score below
# 0; codes -1: one of 0 is wrong too.
point_errors <- function(fold, point, width = NULL) {
  at <- held_interval(fold, point, width)
  positive <- fold$codes > 0
  wrong <- ifelse(positive, at$upper < 0, at$upper <= 0)
  right <- ifelse(positive, at$lower >= 0, at$lower > 0)
  wrong[fold$still] <- !positive[fold$still]
  right[fold$still] <- positive[fold$still]
  c(lower = fold$always + sum(fold$weights[wrong]),
    upper = fold$always + sum(fold$weights[!right]), undecided = sum(!wrong & !right))
}

# |score at the exact optimum - interpolated score| <= start + th (1 - th) bend, for each held-out
# row, at the two ends `ends`; harmonic: th is linear in 1/lambda. l2: the upper one. The norms
# |x|_{H^-1} of rows that are not `needed` may be those of the parent, times what the Hessians
# differ by.
held_half_widths <- function(fold, curved, l2, needed = NULL, parent = NULL) {
  harmonic <- is.finite(l2) && curved$harmonic * l2 < curved$linear
  twist <- if (!is.finite(l2)) 0 else if (harmonic) curved$harmonic * l2 else curved$linear
  g <- max(curved$g)
  bend <- twist + curved$bend
  factor <- if (curved$squared) 1 else step_factor((g + bend / 4) * curved$largest)
  if (is.null(parent)) {
    caps <- norms_in(curved$factor, fold$by_row, fold$rows$free)
  } else {
    caps <- parent$caps * exp(chord_shift(curved, parent) / 2)
    if (length(needed) > 0L) {
      caps[needed] <- pmin(caps[needed], norms_in(curved$factor, fold$by_row, fold$rows$free,
                                                  needed))
    }
  }
  norms <- curved$stretch * (1 + 1e-12) * caps
  list(start = factor * norms * g, bend = factor * norms * bend, harmonic = harmonic, caps = caps,
       ends = norms * g * if (curved$squared) 1 else step_factor(g * curved$largest))
}

# The same in the Euclidean norm, without a free intercept: |w* - w_th| <= |grad|/l1 with
# |grad| <= g + th (1 - th) (|V| + B), B a bound on |(1/W) sum omega e x|.
flat_half_widths <- function(fold, lower, upper) {
  rows <- fold$rows
  l1 <- lower$lambda
  l2 <- upper$lambda
  q <- slope_bend(rows, lower, upper)
  bend <- min(sum(rows$share * q * rows$norms), fold$operator * sqrt(sum(rows$share * q^2)))
  linear <- (l2 - l1) * sqrt(sum((upper$w - lower$w)^2))
  harmonic <- (l2 - l1) / l1 * sqrt(sum((l1 * lower$w - l2 * upper$w)^2))
  size <- function(point) {
    slope <- certain_slope(rows$loss, point$z, rows$y)
    sqrt(sum(gradient_of(rows, point)^2)) +
      16 * unit_roundoff * (sum(rows$share * abs(slope) * rows$norms) +
                              point$lambda * sqrt(point$ww)) +
      sum(rows$share * point$wander * rows$norms) / rows$loss$gamma
  }
  unit <- fold$norms * (1 + 1e-12) / l1
  list(start = unit * max(size(lower), size(upper)), bend = unit * (min(linear, harmonic) + bend),
       harmonic = harmonic < linear)
}

# q_i with |interpolation error of phi'| <= th (1 - th) q_i: of slopes that are piecewise linear
# |z2 - z1|/gamma where a kink lies between the two scores.
slope_bend <- function(rows, lower, upper) {
  loss <- rows$loss
  dz <- abs(upper$z - lower$z) + lower$wander + upper$wander
  if (loss$name == "logistic") {
    return(third_derivative(lower, upper) * dz^2 / 2)
  }
  if (loss$name == "squared") {
    return(0 * dz)
  }
  along <- function(point) if (loss$name == "huber") point$z - rows$y else point$z * rows$y
  kinks <- switch(loss$name, huber = c(-1, 1) * loss$parameter[[1L]], squared_hinge = 1,
                  smooth_hinge = c(1 - loss$gamma, 1))
  wander <- lower$wander + upper$wander
  low <- pmin(along(lower), along(upper)) - wander
  high <- pmax(along(lower), along(upper)) + wander
  crosses <- Reduce(`|`, lapply(kinks, function(kink) low <= kink & high >= kink))
  crosses * dz / loss$gamma
}

# Where a row is not certainly wrong: `spans`, from and to in ln lambda, Inf and -Inf where it is
# nowhere. memory: what intervals within this one start from, and the half-widths at its ends.
open_spans <- function(fold, lower, upper, parent = NULL) {
  n <- length(fold$codes)
  l1 <- lower$lambda
  l2 <- upper$lambda
  # what held of the interval around holds of this one
  from <- pmax(log(l1), parent$from)
  to <- pmin(log(l2), parent$to)
  if (is.null(parent)) {
    from <- rep(log(l1), n)
    to <- rep(log(l2), n)
  }
  width <- NULL
  # norms of a Hessian, but not the half-widths at the ends, which are others
  memory <- parent[c("l1", "middle", "base", "loose", "caps")]
  known <- if (!is.null(parent$base)) memory
  # an interpolated score that is right at both ends is never certainly wrong
  needed <- which((lower$held < 0 | upper$held < 0) & from <= to)
  if (fold$curved && length(needed) > 0L) {
    curved <- curved_chord(fold$rows, lower, upper, parent = known)
    if (!is.null(curved)) {
      width <- held_half_widths(fold, curved, l2, needed, known)
      memory <- c(curved[c("l1", "middle", "base", "loose")], width[c("caps", "ends")])
    }
  }
  if (!fold$rows$free) {
    if (fold$rows$loss$smooth && is.null(width)) width <- flat_half_widths(fold, lower, upper)
    from <- pmax(from, log(ball_reach(fold, lower, l2)))
    to <- pmin(to, log(ball_reach(fold, upper, l1)))
  }
  if (!is.null(width) && length(needed) > 0L && all(is.finite(c(width$start, width$bend)))) {
    slack <- (lower$slack + upper$slack)[needed]
    spans <- not_wrong_share(lower$held[needed], upper$held[needed], width$start[needed] + slack,
                             width$bend[needed])
    at <- function(share) {
      if (width$harmonic) -log((1 - share) / l1 + share / l2) else log(l1 + share * (l2 - l1))
    }
    from[needed] <- pmax(from[needed], ifelse(spans$nowhere, Inf, at(spans$from)))
    to[needed] <- pmin(to[needed], ifelse(spans$nowhere, -Inf, at(spans$to)))
  }
  out <- 1e-13 * (1 + abs(log(c(l1, l2))))
  from <- pmax(from - out[1L], log(l1))
  to <- pmin(to + out[2L], log(l2))
  # certainly wrong at every lambda
  none <- from > to | (fold$still & fold$codes < 0)
  from[none] <- Inf
  to[none] <- -Inf
  memory$from <- from
  memory$to <- to
  list(spans = cbind(from = from, to = to), memory = memory)
}

# The shares th in [0, 1] outside of which z1 + (z2 - z1) th + g + Q th (1 - th) < 0, concave in th:
# [from, to], or nowhere. Roots by the form without cancellation; each is moved inwards until the
# inequality really holds there, on the side where it is monotone.
not_wrong_share <- function(z1, z2, g, Q) {
  q <- function(th) z1 + (z2 - z1) * th + g + Q * th * (1 - th)
  B <- z2 - z1 + Q
  C <- z1 + g
  top <- ifelse(Q > 0, clip(B / pmax(2 * Q, .Machine$double.xmin), 0, 1), as.numeric(B > 0))
  # the largest value, with room for its rounding
  room <- 8 * unit_roundoff * (abs(z1) + abs(z2) + g + Q)
  nowhere <- q(top) + room < 0
  root <- sqrt(pmax(0, B^2 + 4 * Q * C))
  h <- -(B + ifelse(B < 0, -1, 1) * root) / 2
  one <- ifelse(h != 0, C / h, 0)
  two <- ifelse(Q > 0, -h / pmax(Q, .Machine$double.xmin), one)
  low <- pmin(one, two)
  high <- pmax(one, two)
  # with Q = 0 there is one root, on the side where the line rises or falls
  line <- Q <= 0
  low <- ifelse(line & B < 0, 0, low)
  high <- ifelse(line & B >= 0, 1, high)
  from <- inward(clip(low, 0, top), 0, function(th) q(th) + room < 0)
  to <- inward(clip(high, top, 1), 1, function(th) q(th) + room < 0)
  list(from = from, to = to, nowhere = nowhere)
}

# `at`, moved towards `end` until the statement holds there; at the end itself nothing is claimed.
inward <- function(at, end, holds) {
  result <- rep(end, length(at))
  pending <- rep(TRUE, length(at))
  for (shrink in c(0, 1e-12, 1e-9, 1e-6, 1e-3, 0.1)) {
    moved <- at + shrink * (end - at)
    fine <- pending & holds(moved) %in% TRUE
    result[fine] <- moved[fine]
    pending <- pending & !fine
    if (!any(pending)) break
  }
  result
}

# The lambda up to which a row that is certainly wrong at the point stays so on the way to `end`, by
# the ball around (w - u v)/2 of squared radius F v + |w + u v|^2/4, v = 1/lambda:
#   y (x'w - x'u v) + |x| (4 F v + |w + u v|^2)^(1/2) < 0,
# which holds on an interval of v; its end by bisection, w + u v = e v0 + u (v - v0) not cancelling.
ball_reach <- function(fold, point, end) {
  v0 <- 1 / point$lambda
  uu <- sum(point$u^2)
  ue <- sum(point$u * point$e)
  slack <- 2 * point$slack * max(1, point$lambda / end)
  wrong <- function(v, i) {
    step <- v - v0
    terms <- point$ee * v0^2 + uu * step^2
    off <- sqrt(square_above(terms + 2 * ue * v0 * step,
                             score_roundings(length(point$u)) * terms)) + point$du * v
    width <- sqrt(4 * point$misfit * v + off^2) * (1 + 1e-12)
    point$held[i] + point$held_dual[i] * v + fold$norms[i] * width + slack[i] < 0
  }
  reach <- rep(point$lambda, length(point$held))
  i <- which(point$held < 0)
  i <- i[wrong(v0, i)]
  at_end <- wrong(1 / end, i)
  reach[i[at_end]] <- end
  i <- i[!at_end]
  if (length(i) == 0L) {
    return(reach)
  }
  near <- rep(0, length(i))
  far <- rep(log(end / point$lambda), length(i))
  for (k in 1:40) {
    middle <- (near + far) / 2
    holds <- wrong(exp(-middle) * v0, i)
    near[holds] <- middle[holds]
    far[!holds] <- middle[!holds]
  }
  reach[i] <- point$lambda * exp(near)
  reach
}
