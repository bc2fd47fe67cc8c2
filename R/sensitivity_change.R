# The changed problem of a fit: a pair of it, and what that says of the optimum.

# For each set of rows that leaves beside the change: ends for each class problem, and whether one
# class is left.
change_rows <- function(certain, x, change, sets, new, rule, steps) {
  fit <- certain$fit
  old_rows <- training_geometry(fit, x)
  pairs <- lapply(seq_len(ncol(coef_matrix(fit))), function(k) class_pair(fit, old_rows, k))
  rows <- old_rows
  centre <- old_rows$shift + old_rows$moved
  if (!is.null(change$added)) {
    free <- fit$settings$intercept == "free"
    rows <- certain_rows(fit, stack_rows(x, change$added$x), if (free) centre)
  }
  new_rows <- certain_rows(fit, new$x, centre)
  lapply(sets, function(out) {
    change$out[out] <- TRUE
    found <- lapply(seq_along(pairs), function(k) {
      changed_pair(fit, pairs[[k]], rows, change, k, rule, steps)
    })
    regions <- regions_of_pairs(found, rows)
    open <- fit$settings$intercept == "free" && fit$task != "regression"
    ends <- if (open && (length(found) > 1L || identical(found, pairs))) {
      region_intervals(regions, new_rows, found, rows)
    } else {
      ends_near_a_sign(regions, new_rows, if (open) found, rows)
    }
    list(ends = Map(one_class_ends, ends, found), out = change$out)
  })
}

# A pass over the rows for each open prediction is worth its price where one side of 0 is small, and
# for no more than a hundred of them.
ends_near_a_sign <- function(regions, new, pairs, rows) {
  intervals <- region_intervals(regions, new)
  if (is.null(pairs)) {
    return(intervals)
  }
  ends <- intervals[[1L]]
  near <- near_a_sign(ends)
  some <- new
  some$x <- new$x[near, , drop = FALSE]
  if (length(near) > 0L) ends[near, ] <- region_intervals(regions, some, pairs, rows)[[1L]]
  list(ends)
}

near_a_sign <- function(ends) {
  side <- pmin(-ends[, 1L], ends[, 2L]) / (ends[, 2L] - ends[, 1L])
  near <- which(side > 0 & side < 0.35)
  utils::head(near[order(side[near])], 100L)
}

# Where one class is left a free intercept makes the loss 0 without any coefficient: the values are
# beyond 1, or infinite for the logistic loss, which has no optimum there.
one_class_ends <- function(ends, pair) {
  left <- class_left(pair, list(integer()))
  if (left == 0) {
    return(ends)
  }
  known <- left * c(if (pair$loss$name == "logistic") Inf else 1, Inf)
  matrix(sort(known), nrow(ends), 2L, byrow = TRUE)
}

# Weights with those of classes, of all rows.
changed_omega <- function(fit, change) {
  omega <- c(ifelse(change$out, 0, change$weights), change$added$weights)
  class_weights <- fit$settings$class_weights
  if (is.null(class_weights)) omega else
    omega * unname(class_weights)[c(change$response, change$added$response)]
}

# The coded response of class problem k, as problem_response().
changed_response <- function(fit, response, k) {
  if (fit$task == "regression") {
    response
  } else if (length(fit$levels) == 2L) {
    2 * response - 3
  } else {
    ifelse(response == k, 1, -1)
  }
}

# (w, b) of the fit with its dual variables where labels are the same, else the slopes there. Of the
# ways to balance them for a free intercept the one with the smallest ball.
changed_pair <- function(fit, pair, rows, change, k, rule, steps) {
  omega <- changed_omega(fit, change)
  total <- sum(omega)
  if (!is.finite(total) || total <= 0) {
    abort_input("The change leaves no row with a positive weight; there is nothing to fit.",
                "remove")
  }
  y <- changed_response(fit, c(change$response, change$added$response), k)
  kept <- seq_along(pair$y)
  if (length(y) == length(kept) && identical(omega, pair$omega) && all(y == pair$y)) {
    return(pair)
  }
  penalty <- if (rule == "cost") pair$total / total else 1
  in_space <- is_kernel_rows(rows)
  z <- (if (in_space) space_times(rows, pair$w) else rows_times(rows, pair$w)) + pair$b
  slope <- pair$loss$left(z, y)
  a <- slope
  same <- kept[y[kept] == pair$y]
  a[same] <- pair$a[same]
  make <- function(a, b = pair$b, w = pair$w) {
    new <- list(w = w, b = b, a = a, y = y, omega = omega, loss = pair$loss, free = pair$free,
                l1 = pair$l1 * penalty, mu = pair$mu * penalty)
    if (in_space) space_pair(new, rows) else scored_pair(new, rows)
  }
  found <- list(make(a))
  if (pair$free) {
    found <- c(found, list(tilted_to_balance(make, pair$loss, a, y, omega),
                           filled_to_balance(make, pair$loss, z, a, y, omega),
                           moved_to_balance(make, pair, z, y, omega)))
  }
  best <- smallest_ball(found)
  for (step in seq_len(steps)) {
    if (pair_radius(best) <= 1e-7 * pair_length(best)) break
    more <- if (in_space) newton_functions(make, best, rows) else newton_pairs(make, best, rows)
    best <- smallest_ball(c(list(best), more))
  }
  best
}

smallest_ball <- function(pairs) {
  pairs <- Filter(Negate(is.null), pairs)
  radius <- vapply(pairs, pair_radius, 0)
  pairs[[which.min(replace(radius, is.nan(radius), Inf))]]
}

pair_radius <- function(pair) {
  if (is.null(pair$radius)) optimum_ball(pair)$radius else pair$radius
}

pair_length <- function(pair) if (is.null(pair$length)) sqrt(sum(pair$w^2)) else pair$length

# a + tau h with sum omega a = 0.
tilted_to_balance <- function(make, loss, a, y, omega) {
  h <- loss$tilt(a, y)
  tau <- -sum(omega * a) / sum(omega * h)
  if (is.finite(tau) && abs(tau) <= loss$reach) make(loss$nearest(a + tau * h, y))
}

# sum omega a brought to 0 by the rows where that costs the gap least: for the hinge moving a_i by d
# costs d (y_i - z_i), next to nothing for rows at the margin.
filled_to_balance <- function(make, loss, z, a, y, omega) {
  if (loss$name != "hinge") {
    return(NULL)
  }
  a <- loss$nearest(a, y)
  need <- -sum(omega * a)
  low <- ifelse(y > 0, -1, 0)
  room <- omega * (if (need > 0) low + 1 - a else a - low)
  order <- order(sign(need) * (y - z))
  taken <- pmin(room[order], pmax(0, abs(need) - c(0, cumsum(room[order])[-length(order)])))
  moved <- numeric(length(a))
  moved[order] <- ifelse(omega[order] > 0, sign(need) * taken / omega[order], 0)
  make(loss$nearest(a + moved, y))
}

# The intercept moved to its own optimum, and the slopes there: no excess is left.
moved_to_balance <- function(make, pair, z, y, omega) {
  if (pair$loss$gamma == 0) {
    return(NULL)
  }
  b <- best_offsets(pair$loss, cbind(z - pair$b), y, cbind(omega), pair$b)
  if (is.finite(b)) make(pair$loss$left(z - pair$b + b, y), b)
}

# Newton steps of the changed problem, whole, halved and quartered, for a smooth loss with a ridge:
# the slopes there are the dual variables.
newton_pairs <- function(make, pair, rows) {
  if (pair$loss$gamma == 0 || pair$l1 > 0 || length(pair$w) + pair$free > largest_hessian) {
    return(NULL)
  }
  bend <- pair$omega * pair$loss$curvature(pair$z, pair$y) / pair$total
  factor <- factored_hessian(rows, bend, pair)
  if (is.null(factor)) {
    return(NULL)
  }
  gradient <- pair_gradient(pair, rows, pair$loss$left(pair$z, pair$y))
  step <- drop(backsolve(factor$root, whitened(factor, gradient)) / factor$size)
  step <- step[seq_along(pair$w)]
  lapply(c(1, 0.5, 0.25), function(share) {
    w <- pair$w - share * step
    z <- rows_times(rows, w)
    b <- if (!pair$free) 0 else
      drop(best_offsets(pair$loss, cbind(z), pair$y, cbind(pair$omega), pair$b))
    if (all(is.finite(c(w, b)))) make(pair$loss$left(z + b, pair$y), b, w)
  })
}
