# The unit in which the response of a regression is put to a loss that has a size of its own.

# A residual is large for Huber's loss when it is above delta, whatever the unit, as it is small for
# the epsilon-insensitive ones below epsilon, and the slope of the quantile and the absolute loss
# has none: so the problem is solved for y/s, with s the spread of y. The squared loss knows no such
# size, labels have no unit. That is `sized` in the list of losses.
#
# omega: the weights; one of 2 is the row twice, one of 0 no row.
response_unit <- function(settings, response, omega, ranks = NULL) {
  asked <- isTRUE(settings$response_scale) && is_sized(settings$loss)
  if (asked && response$task == "regression") robust_spread(response$codes, omega, ranks) else 1
}

# 1.4826 times the weighted median absolute deviation from the weighted median, which for normal
# numbers is their standard deviation; that itself where half of the rows have one value, and 1
# where all have.
robust_spread <- function(y, omega, ranks = NULL) {
  y <- y[omega > 0]
  omega <- omega[omega > 0]
  median <- function(values) {
    if (is.null(ranks)) weighted_median(values, omega) else
      median_over_ranks(ranks, values, omega)
  }
  middle <- median(y)
  rounding <- 16 * .Machine$double.eps * abs(middle)
  off <- y - middle
  spread <- 1.4826 * median(abs(off))
  if (spread > rounding) {
    return(spread)
  }
  share <- omega / total_over(ranks, sum(omega))
  mean <- total_over(ranks, sum(share * off))
  spread <- sqrt(total_over(ranks, sum(share * (off - mean)^2)))
  if (spread > rounding) spread else 1
}

# As stats::median() of every value as often as its weight says.
weighted_median <- function(values, weights) weighted_quantile(values, weights, 0.5)

# As stats::quantile(type = 2) of every value as often as its weight says: it does not depend on the
# unit of the weights.
weighted_quantile <- function(values, weights, probs) {
  order <- order(values)
  sorted <- values[order][weights[order] > 0]
  weights <- weights[order][weights[order] > 0]
  below <- cumsum(weights) / sum(weights)
  vapply(probs, function(prob) {
    # a sum of weights that is a share of all is so but for rounding
    ends <- c(sum(below < prob - 1e-12), sum(below <= prob + 1e-12)) + 1L
    mean(sorted[pmin(ends, length(sorted))])
  }, 0)
}

# Numbers of the response divided by the unit.
assert_size_in_units <- function(codes, unit) {
  if (any(abs(codes) > largest_size)) {
    abort_input(sprintf(paste(
      "`y` has %s at position %d, which is beyond double precision in units of its spread, %s; use",
      "response_scale = FALSE."
    ), format(max(abs(codes)) * unit, digits = 4), which.max(abs(codes)),
    format(unit, digits = 4)), "y")
  }
}

# What the core found for y/s, in the unit of y: coefficients and scores. Values, bounds and dual
# variables stay those of the problem that was solved.
in_response_units <- function(result, unit) {
  if (unit != 1) {
    result$solutions <- lapply(result$solutions, function(points) lapply(points, function(point) {
      for (name in intersect(c("coefficients", "intercept", "near", "scores"), names(point))) {
        point[[name]] <- point[[name]] * unit
      }
      point
    }))
    # the centre of a response that was moved as part of the problem
    if (!is.null(result$level)) result$level <- result$level * unit
  }
  result
}

# Of any fit: a family without a loss has none.
unit_of <- function(fit) if (is.null(fit$response_scale)) 1 else fit$response_scale

# "25.9 (y divided by its spread)", or NA where the response was taken as it is.
describe_unit <- function(fit, digits) {
  unit <- unit_of(fit)
  if (unit == 1) NA_character_ else
    sprintf("divided by its spread, %s, for the fit", format(unit, digits = digits))
}
