# Whether a row alone flips a prediction of a kernel fit, found by solving the problem without that
# row (or with its other label).

# The rows that could flip the most predictions, at most `refits` of them: their bounds replaced by
# what the changed optimum certainly does. state: TRUE flips, FALSE does not, NA is open.
# solve(rows, some): for each of these rows the ends of `some` predictions with it changed.
settle_flips <- function(found, changes, refits, solve) {
  n <- length(changes$idle)
  could <- found$bound >= rep(found$room, each = nrow(found$bound))
  found$state <- ifelse(could, NA, FALSE)
  found$proven <- 0L * found$alone
  at <- split(which(could), factor(found$top[could], levels = seq_len(n)))
  chosen <- utils::head(order(lengths(at), decreasing = TRUE), min(refits, n))
  at <- at[chosen[lengths(at)[chosen] > 0L]]
  rows <- as.integer(names(at))
  some <- lapply(unname(at), function(at) (at - 1L) %/% nrow(could) + 1L)
  answers <- if (length(rows) > 0L) solve(rows, some)
  for (k in seq_along(answers)) {
    ends <- answers[[k]]
    i <- some[[k]]
    up <- found$side[i] > 0
    turned <- ifelse(up, ends[, 2L] < 0, ends[, 1L] >= 0)
    stays <- ifelse(up, ends[, 1L] >= 0, ends[, 2L] < 0)
    moved <- ifelse(up, found$score[i] - ends[, 1L], ends[, 2L] - found$score[i])
    found$bound[at[[k]]] <- pmin(found$bound[at[[k]]], moved)
    found$state[at[[k]]] <- ifelse(turned, TRUE, ifelse(stays, FALSE, NA))
    # a row without weight is no row that flips anything
    found$alone[i] <- found$alone[i] - (stays & !changes$idle[rows[k]])
    found$proven[i] <- found$proven[i] + (turned & !changes$idle[rows[k]])
  }
  # no row alone is one row more; a row that does it is the whole answer
  found$needed[found$needed == 1 & found$alone == 0L] <- if (n > 1L) 2 else Inf
  sorted_flips(found)
}

sorted_flips <- function(found) {
  for (i in seq_len(ncol(found$bound))) {
    order <- order(found$bound[, i], decreasing = TRUE)
    for (part in c("top", "bound", "state")) found[[part]][, i] <- found[[part]][order, i]
  }
  found
}
