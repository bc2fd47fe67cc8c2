# base/rounding.h against sums with twice the digits: of terms that are chosen for it none is off by
# more than is stated, and no less could be stated.

u <- 2^-53

# How far off, as a share of the sizes of the terms.
off_by <- function(found, terms) {
  abs(dd_value(dd_sub(dd(found), dd_sum(terms)))) / dd_value(dd_sum(abs(dd_value(terms))))
}

hard_sums <- function(n) {
  set.seed(3)
  weights <- round(stats::rexp(n), 3)
  list(
    equal = rep(0.1, n), third = rep(1 / 3, n), sorted = rep(c(-0.1, 0.1), c(n / 2, n / 2)),
    alternating = rep(c(-1.1, 0.7), n / 2), weights = weights,
    falling = sort(weights, decreasing = TRUE), wide = stats::rnorm(n) * 10^stats::runif(n, -8, 8),
    # the first of a block loses all others
    lost = rep(c(1, rep(u, 127)), length.out = n)
  )
}

test_that("sums of a million terms are within what is stated, in blocks and accurate", {
  for (how in c("rows", "sum", "accurate")) {
    stated <- probe("rounding", if (how == "accurate") "accurate_sum" else "sum", 1e6)
    found <- vapply(hard_sums(1e6), function(terms) {
      off_by(probe("sum", how, terms, 2L), dd(terms))
    }, 0)
    expect_lte(max(found), stated)
    # and not for nothing: 127 u, or a half of one
    expect_gt(max(found), if (how == "accurate") 0.01 * stated else 0.97 * stated)
  }
})

test_that("a dot product is within what is stated, and a root of its terms would not do", {
  for (k in c(1, 7, 100, 1e4)) {
    set.seed(k)
    pairs <- list(list(rep(0.1, k), rep(0.3, k)), list(stats::rnorm(k), stats::rnorm(k)),
                  list(c(1, rep(sqrt(u), k - 1)), c(1, rep(sqrt(u), k - 1))))
    found <- vapply(pairs, function(pair) {
      off <- function(how) off_by(probe("dot", how, pair[[1L]], pair[[2L]]),
                                  dd_mul(dd(pair[[1L]]), dd(pair[[2L]])))
      max(off("dense"), off("sparse"))
    }, 0)
    expect_lte(max(found), probe("rounding", "dot", k))
  }
  expect_gt(max(found), 8 * sqrt(k) * u)
})

test_that("the roundings stated grow with the terms, and R states those of a score alike", {
  k <- c(1, 2, 10, 1e3, 1e6)
  stated <- function(what) vapply(k, function(terms) probe("rounding", what, terms), 0)
  expect_equal(stated("plain_sum"), (k - 1) * u, tolerance = 1e-9)
  expect_equal(stated("dot"), k * u, tolerance = 1e-9)
  expect_equal(stated("score"), (k + 3) * u, tolerance = 1e-9)
  expect_equal(probe("rounding", "sum", 1), 130 * u, tolerance = 1e-9)
  expect_gt(probe("rounding", "value", 1), probe("rounding", "sum", 1))
  # there for two scores, which a statement compares
  expect_equal(dualmargin:::score_roundings(k), 2 * stated("score"), tolerance = 1e-9)
  expect_equal(dualmargin:::cross_roundings(k), stated("dot") + 8 * u, tolerance = 1e-9)
})

# With orthogonal rows f_i = beta_i, so that value and bound are known: a_i = -0.3 y_i for the hinge
# gives beta_i = 0.3 y_i / (n lambda).
test_that("kernel certificates of a million rows hold the rounding of their sums", {
  n <- 1e6
  lambda <- 1e-5
  beta <- 0.3 / (n * lambda)
  value <- 1 - beta + lambda / 2 * n * beta^2
  bound <- 0.3 - lambda / 2 * n * beta^2
  orders <- list(sorted = rep(c(-1, 1), each = n / 2), alternating = rep(c(-1, 1), n / 2))
  for (y in orders) {
    for (free in c(FALSE, TRUE)) {
      found <- probe("orthogonal", "hinge", y, -0.3 * y, lambda, free)
      expect_lte(abs(found$value - value), found$rounding)
      expect_lte(found$bound, bound)
      expect_gte(found$bound, bound - 2 * found$rounding)
      expect_lte(found$rounding, 1e-7)
    }
  }
})

test_that("a one-class certificate of a million equal coefficients holds its rounding", {
  n <- 1e6
  found <- probe("orthogonal", "one_class", rep(2 / n, n), rep(1 / n, n), 1, FALSE)
  # f_i = rho = 1/n: nothing is on the wrong side, and the point is optimal
  expect_lte(abs(found$value + 0.5 / n), found$rounding)
  expect_lte(found$bound, -0.5 / n)
  expect_lte(found$rounding, 1e-11)
})

test_that("an upper end of the margin holds the rounding of a million equal weights", {
  n <- 1e6
  sizes <- list(equal = rep(0.1, n), alternating = rep(c(1.1, -0.7), n / 2),
                none = rep(c(0.1, -0.1), each = n / 2))
  for (size in sizes) {
    y <- rep(c(-1, 1), each = n / 2)
    found <- probe("hard_upper", matrix(c(y * size, 3)), c(y, 1), c(rep(0.1, n), 0))
    exact <- abs(dd_value(dd_sum(size))) / n
    expect_lte(abs(found$value - exact), found$rounding)
    expect_lte(found$rounding, 1e-12)
  }
})
