# Whether a row alone flips a prediction, found by solving the problem without that row (or with its
# other label) as far as a few steps with one Hessian lead.

# The rows that could flip the most predictions, at most `settle` of them: their bounds replaced by
# what the changed optimum certainly does. state: TRUE flips, FALSE does not, NA is open.
settle_flips <- function(found, pair, rows, new, changes, settle) {
  could <- found$bound >= rep(found$room, each = nrow(found$bound))
  found$state <- ifelse(could, NA, FALSE)
  found$proven <- 0L * found$alone
  factor <- if (settle > 0 && any(could) && pair$loss$gamma > 0) flip_hessian(pair, rows)
  if (!is.null(factor)) {
    cross <- if (is_kernel_rows(rows)) {
      kernel_times(rows$kernel_fit, new$frame, rows$points, diag(rows$n))
    }
    times_named <- tabulate(found$top[could], length(pair$y))
    chosen <- utils::head(order(times_named, decreasing = TRUE), settle)
    for (j in chosen[times_named[chosen] > 0L]) {
      at <- which(could & found$top == j, arr.ind = TRUE)
      i <- at[, 2L]
      is_open <- function(ends) any(ends[i, 1L] < 0 & ends[i, 2L] >= 0)
      ends <- if (is.null(cross)) settled_ends(pair, rows, new, changes, factor, j, is_open) else
        settled_function_ends(pair, rows, new, changes, factor, cross, j, is_open)
      moved <- ifelse(found$side > 0, found$score - ends[, 1L], ends[, 2L] - found$score)[i]
      turned <- ifelse(found$side > 0, ends[, 2L] < 0, ends[, 1L] >= 0)[i]
      stays <- ifelse(found$side > 0, ends[, 1L] >= 0, ends[, 2L] < 0)[i]
      found$bound[at] <- pmin(found$bound[at], moved)
      found$state[at] <- ifelse(turned, TRUE, ifelse(stays, FALSE, NA))
      # a row without weight is no row that flips anything
      found$alone[i] <- found$alone[i] - (stays & !changes$idle[j])
      found$proven[i] <- found$proven[i] + (turned & !changes$idle[j])
    }
  }
  # no row alone is one row more; a row that does it is the whole answer
  found$needed[found$needed == 1 & found$alone == 0L] <- if (length(pair$y) > 1L) 2 else Inf
  sorted_flips(found)
}

sorted_flips <- function(found) {
  for (i in seq_len(ncol(found$bound))) {
    order <- order(found$bound[, i], decreasing = TRUE)
    for (part in c("top", "bound", "state")) found[[part]][, i] <- found[[part]][order, i]
  }
  found
}

flip_hessian <- function(pair, rows) {
  if (is_kernel_rows(rows)) {
    return(space_hessian(pair, rows))
  }
  if (length(pair$w) + pair$free > largest_hessian) {
    return(NULL)
  }
  factored_hessian(rows, pair$omega * pair$loss$curvature(pair$z, pair$y) / pair$total, pair)
}

# Steps -H_j^{-1} G_j, with the Hessian of the fit and the rank-one change of row j in it; then the
# ball of the pair they lead to; what that leaves open has Hessians of its own.
settled_ends <- function(pair, rows, new, changes, factor, j, is_open) {
  left <- changed_row(pair, changes, j)
  if (is.null(left)) {
    return(matrix(rep(c(-Inf, Inf), each = nrow(new$x)), ncol = 2L))
  }
  omega <- left$omega
  total <- sum(omega)
  inverse <- function(v) drop(backsolve(factor$root, whitened(factor, v)) / factor$size)
  x <- drop(bordered_rows(rows, j, pair$free))
  hx <- inverse(x)
  change <- (omega[j] - pair$omega[j]) * pair$loss$curvature(pair$z[j], pair$y[j]) / pair$total
  bent <- change / (1 + change * sum(x * hx))
  best <- NULL
  size <- Inf
  for (step in 1:4) {
    left <- scored_pair(replace(left, "a", list(pair$loss$left(left$z, left$y))), rows)
    ball <- optimum_ball(left)
    if (!is.finite(ball$radius) || ball$radius >= size) break
    best <- left
    size <- ball$radius
    if (size <= 1e-9 * sqrt(sum(left$w^2))) break
    gradient <- pair_gradient(left, rows, pair$loss$left(left$z, left$y)) * total / pair$total
    step <- inverse(gradient)
    step <- step - bent * sum(x * step) * hx
    left$w <- left$w - step[seq_along(left$w)]
    z <- rows_times(rows, left$w)
    if (pair$free) {
      left$b <- drop(best_offsets(pair$loss, cbind(z), left$y, cbind(omega), left$b))
    }
    left$z <- z + left$b
    if (!all(is.finite(left$z))) break
  }
  make <- function(a, b, w) {
    scored_pair(utils::modifyList(best, list(a = a, b = b, w = w)), rows)
  }
  ends <- pair_intervals(best, rows, new)
  for (step in 1:3) {
    if (!is_open(ends)) break
    best <- smallest_ball(c(list(best), newton_pairs(make, best, rows)))
    ends <- narrowed(ends, pair_intervals(best, rows, new))
  }
  ends
}

# The pair with row j changed; NULL where no or one class is left.
changed_row <- function(pair, changes, j) {
  left <- pair
  left$y <- replace(pair$y, j, changes$y[j])
  left$omega <- replace(pair$omega, j, changes$omega[j])
  total <- sum(left$omega)
  # rule "cost": the penalty is that of the fit beside the sum of losses
  left$mu <- pair$mu * pair$total / total
  if (total > 0 && class_left(left, list(integer())) == 0) left
}

# By the ball alone.
pair_intervals <- function(pair, rows, new) {
  region_intervals(regions_of_pairs(list(pair), rows, ball_alone = TRUE), new)[[1L]]
}
