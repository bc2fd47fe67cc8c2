# Intervals of optimal scores, in the units of the solved problem: a matrix of lower and upper ends.

# Of coded rows x; again: the rows of the fit, to decide what is left open.
certain_intervals <- function(certain, x, again = NULL) {
  fit <- certain$fit
  if (inherits(fit, "margin_kernel")) {
    frame <- kernel_frame(fit, x)
    intervals <- kernel_intervals(certain, frame)
    return(if (is.null(again)) intervals else
      sharpened_kernel(certain, intervals, frame, kernel_frame(fit, again)))
  }
  geometry <- function(x) {
    certain_rows(fit, x, certain$centre)
  }
  new <- geometry(x)
  intervals <- lapply(certain$problems, problem_intervals, rows = new)
  if (is.null(again)) intervals else sharpened(certain, intervals, new, geometry(again))
}

problem_intervals <- function(known, rows) {
  ball <- known$ball
  middle <- rows_times(rows, ball$centre)
  half <- ball$radius * sqrt(rows$squares) + row_rounding(rows, ball$centre)
  own <- if (known$free) known$centre_score else c(0, 0)
  rounding <- if (known$free) 4 * unit_roundoff * max(abs(own[is.finite(own)]), 0) else 0
  ends <- cbind(middle + own[1L] - half - rounding, middle + own[2L] + half + rounding)
  if (!is.null(known$offset)) ends <- ends + known$offset
  if (!is.null(known$tilt)) {
    score <- rows_times(rows, known$w) + known$b
    rounding <- row_rounding(rows, known$w, known$b)
    reach <- tilt_reach(known$tilt, rows)
    ends <- cbind(pmax(ends[, 1L], score - reach$down - rounding),
                  pmin(ends[, 2L], score + reach$up + rounding))
  }
  ellipsoid <- known$ellipsoid
  if (is.null(ellipsoid) || !is.finite(ellipsoid$factor)) {
    return(ends)
  }
  score <- rows_times(rows, known$w) + known$b
  half <- ellipsoid_norms(ellipsoid, rows) * ellipsoid$factor +
    row_rounding(rows, known$w, known$b)
  cbind(pmax(ends[, 1L], score - half), pmin(ends[, 2L], score + half))
}

# The free intercept of the rows that are still undecided, once more around each of them: tighter
# than around the mean of the rows, at the price of a pass over them for each.
sharpened <- function(certain, intervals, new, rows) {
  if (!certain$problems[[1L]]$free || certain$fit$task == "regression") {
    return(intervals)
  }
  open <- which(!decide(bind_ends(intervals, 1L), bind_ends(intervals, 2L))$decided)
  for (i in open) {
    at <- as.vector(as.matrix(new$x[i, ])) - new$shift
    for (k in seq_along(intervals)) {
      intervals[[k]][i, ] <- meet(intervals[[k]][i, ], interval_at(certain, k, rows, at))
    }
  }
  intervals
}

interval_at <- function(certain, k, rows, at) {
  known <- certain$problems[[k]]
  pair <- list(y = known$y, omega = known$omega, w = known$w, flip = known$flip,
               loss = loss_calculus(family_loss_of(certain$fit)))
  score_at(pair, known$ball, rows, at)
}

# One end of all class problems: a vector, or a column for each.
bind_ends <- function(intervals, end) {
  ends <- lapply(intervals, function(interval) interval[, end])
  if (length(ends) == 1L) ends[[1L]] else do.call(cbind, ends)
}

# The class (1, 2, ...) of every score within the ends, where there is one. A score of 0 is the
# second of two classes; of several the largest, the first of equal ones.
decide <- function(lower, upper) {
  if (!is.matrix(lower)) {
    class <- ifelse(lower >= 0, 2L, ifelse(upper < 0, 1L, NA_integer_))
    return(list(class = class, decided = !is.na(class)))
  }
  # the only level that can win is that with the largest lower end
  best <- max.col(replace(lower, is.na(lower), -Inf), ties.method = "first")
  own <- lower[cbind(seq_along(best), best)]
  wins <- rep(TRUE, length(best))
  for (l in seq_len(ncol(lower))) {
    beaten <- ifelse(l > best, own >= upper[, l], own > upper[, l])
    wins <- wins & (l == best | (!is.na(beaten) & beaten))
  }
  list(class = ifelse(wins, best, NA_integer_), decided = wins)
}

family_loss_of <- function(fit) {
  if (is.null(fit$settings$loss)) loss_hinge() else fit$settings$loss
}
