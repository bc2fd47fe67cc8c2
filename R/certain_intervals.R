# Intervals of optimal scores: ends side by side, and the class that they decide on.

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
