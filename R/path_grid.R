# The points (lambda, mixture) of a path.

# The points that were asked for: lambda NULL, or sorted, and what makes the sequence.
path_grid <- function(lambda, n_lambda, lambda_min_ratio, mixture, n_given) {
  assert_number(n_lambda, "n_lambda", lower = 0, whole = TRUE, remedy = "the default is 50")
  assert_count(n_lambda, most_points, "n_lambda", "points")
  if (!is.null(lambda_min_ratio)) {
    assert_number(lambda_min_ratio, "lambda_min_ratio", lower = 0, upper = 1,
                  remedy = "the last lambda as a share of the first")
  }
  assert_values(mixture, "mixture", function(v) v >= 0 & v <= 1, "numbers from 0 to 1")
  if (!is.null(lambda)) {
    assert_values(lambda, "lambda", function(v) v > 0, "positive finite numbers")
    assert_size_of(lambda, "lambda")
    extra <- c(if (n_given) "n_lambda", if (!is.null(lambda_min_ratio)) "lambda_min_ratio")
    if (length(extra) > 0L) {
      abort_input(sprintf("`%s` makes a sequence, but `lambda` gives one; leave one of them out.",
                          extra[1L]), extra[1L])
    }
    lambda <- sort(as.double(lambda), decreasing = TRUE)
    n_lambda <- length(lambda)
  }
  assert_count(n_lambda * length(mixture), most_points,
               if (length(mixture) > 1L) "mixture" else "lambda", "points")
  list(lambda = lambda, n = n_lambda, ratio = lambda_min_ratio, mixture = as.double(mixture))
}

# lambda and mixture of every point. A lambda that is chosen comes in units of the first one, which
# the core finds; see src/linear/path_scale.h.
path_points <- function(grid, rows, features) {
  sequence <- function(mixture) {
    if (!is.null(grid$lambda)) {
      return(grid$lambda)
    }
    ratio <- grid$ratio
    if (is.null(ratio)) ratio <- if (mixture == 0) 1e-6 else if (rows < features) 1e-2 else 1e-3
    above_rounding <- if (mixture == 0) 1 else 1 + 1e-9
    above_rounding * ratio^seq(0, 1, length.out = grid$n)
  }
  lambda <- lapply(grid$mixture, sequence)
  data.frame(lambda = unlist(lambda), mixture = rep(grid$mixture, lengths(lambda)))
}
