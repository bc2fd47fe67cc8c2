# The points of a path.

# The values of `along` that were asked for: `values`, NULL or sorted, the largest first, and what
# makes a sequence: its size, which is `usual` unless given, and the share of its last value.
sequence_grid <- function(along, values, size, ratio, usual, size_given, positive = TRUE,
                          mixture = 0) {
  size_name <- paste0("n_", along)
  ratio_name <- paste0(along, "_min_ratio")
  assert_number(size, size_name, lower = 0, whole = TRUE,
                remedy = sprintf("the default is %d", usual))
  assert_count(size, most_points, size_name, "points")
  if (!is.null(ratio)) {
    assert_number(ratio, ratio_name, lower = 0, upper = 1,
                  remedy = sprintf("the last %s as a share of the first", along))
  }
  assert_values(mixture, "mixture", function(v) v >= 0 & v <= 1, "numbers from 0 to 1")
  if (!is.null(values)) {
    assert_values(values, along, if (positive) function(v) v > 0 else function(v) v >= 0,
                  if (positive) "positive finite numbers" else "finite numbers from 0 on")
    assert_size_of(values, along)
    extra <- c(if (size_given) size_name, if (!is.null(ratio)) ratio_name)
    if (length(extra) > 0L) {
      abort_input(sprintf("`%s` makes a sequence, but `%s` gives one; leave one of them out.",
                          extra[1L], along), extra[1L])
    }
    values <- sort(as.double(values), decreasing = TRUE)
    size <- length(values)
  }
  assert_count(size * length(mixture), most_points, if (length(mixture) > 1L) "mixture" else along,
               "points")
  list(values = values, n = size, ratio = ratio, mixture = as.double(mixture))
}

# The geometric sequence of a path without a mixture, in units of its first value where that is left
# to the data.
sequence_values <- function(grid, ratio) {
  if (!is.null(grid$values)) {
    return(grid$values)
  }
  if (!is.null(grid$ratio)) ratio <- grid$ratio
  ratio^seq(0, 1, length.out = grid$n)
}

# The last value as a share of the first, of a linear path. wide: has_more_columns(), asked only
# where it matters.
default_ratio <- function(grid, mixture, wide) {
  if (!is.null(grid$ratio)) grid$ratio else
    if (mixture == 0) 1e-6 else if (wide) 1e-2 else 1e-3
}

# More columns that vary than distinct rows? Over ranks, each of which sees its own rows alone,
# all of the columns and of the rows with weight.
has_more_columns <- function(problem) {
  ranks <- meeting_of(problem$settings)
  if (!is.null(ranks)) {
    return(total_over(ranks, sum(problem$omega > 0)) < ncol(problem$design$x))
  }
  size <- distinct_size(problem$design$x, problem$omega)
  size$rows < size$columns
}

# lambda and mixture of every point. A lambda that is chosen comes in units of the first one, which
# the core finds; see src/linear/path_scale.h.
path_points <- function(grid, wide) {
  sequence <- function(mixture) {
    if (!is.null(grid$values)) {
      return(grid$values)
    }
    above_rounding <- if (mixture == 0) 1 else 1 + 1e-9
    above_rounding * sequence_values(grid, default_ratio(grid, mixture, wide))
  }
  lambda <- lapply(grid$mixture, sequence)
  data.frame(lambda = unlist(lambda), mixture = rep(grid$mixture, lengths(lambda)))
}
