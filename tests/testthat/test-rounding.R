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

test_that("sums of 200,000 terms are within what is stated, in blocks and accurate", {
  for (how in c("rows", "sum", "accurate")) {
    stated <- probe("rounding", if (how == "accurate") "accurate_sum" else "sum", 2e5)
    found <- vapply(hard_sums(2e5), function(terms) {
      off_by(probe("sum", how, terms, 2L), dd(terms))
    }, 0)
    expect_lte(max(found), stated)
    # and not for nothing: 127 u, or a half of one
    expect_gt(max(found), if (how == "accurate") 0.01 * stated else 0.97 * stated)
  }
})

test_that("a sum of few terms is a plain one, and what is stated of it is no wider than that", {
  for (n in c(2, 3, 10, 100, 128, 129, 400)) {
    stated <- probe("rounding", "sum", n)
    found <- vapply(hard_sums(n + n %% 2), function(terms) {
      terms <- terms[seq_len(n)]
      max(off_by(probe("sum", "sum", terms, 1L), dd(terms)),
          off_by(probe("sum", "rows", terms, 1L), dd(terms)))
    }, 0)
    expect_lte(max(found), stated)
    # beyond one block not all of them are lost at once
    expect_gt(max(found), (if (n <= 128) 0.97 else 0.4) * stated)
  }
})

# The linear kernel of rows that are all 1: its values are 1, scores are off by their sums alone.
test_that("kernel scores lose no more than the additions that are stated, n - 1 at most", {
  none <- list(first = integer(), second = integer(), share = numeric())
  given <- list(name = "linear", sigma = NA_real_, degree = 1, scale = 1, offset = 0)
  for (n in c(2, 10, 60, 64, 65, 128, 300, 1100, 2500)) {
    for (stored in c(TRUE, FALSE)) {
      off <- 0
      for (kind in 1:4) {
        beta <- switch(kind, c(1, rep(u, n - 1)), c(rep(u, n %/% 2), 1, rep(u, n - n %/% 2 - 1)),
                       rep(0.1, n), rep_len(c(1, rep(u, 63)), n))
        found <- probe("kernel_matrix", matrix(1, n, 1), given, none, n, if (stored) 1e9 else 0,
                       FALSE, TRUE, beta, 64L)
        exact <- dd_sum(dd(beta))
        wrong <- abs(dd_value(dd_sub(dd(found$product), dd(rep(exact$h, n), rep(exact$l, n)))))
        off <- max(off, wrong / dd_value(exact))
      }
      expect_lte(off, found$additions * u / (1 - found$additions * u))
      # in no order more than n - 1, and of many rows few
      expect_lte(found$additions, min(n - 1, 128 + n / 31))
    }
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

test_that("the roundings stated grow with the terms", {
  k <- c(1, 2, 10, 1e3, 1e6)
  stated <- function(what) vapply(k, function(terms) probe("rounding", what, terms), 0)
  expect_equal(stated("plain_sum"), (k - 1) * u, tolerance = 1e-9)
  expect_equal(stated("dot"), k * u, tolerance = 1e-9)
  expect_equal(stated("score"), (k + 3) * u, tolerance = 1e-9)
  expect_equal(stated("sum"), c(0, 1, 9, 130, 130) * u, tolerance = 1e-9)
  expect_gt(probe("rounding", "value", 1), probe("rounding", "sum", 1))
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

test_that("kernel certificates of few rows state no more than their few terms can lose", {
  lambda <- 0.1
  for (n in c(1, 2, 10, 50, 128)) {
    y <- rep_len(c(-1, 1), n)
    found <- probe("orthogonal", "hinge", y, -0.3 * y, lambda, FALSE)
    beta <- dd_div(dd(0.3), dd_mul(dd(n), dd(lambda)))
    penalty <- dd_value(dd_mul(dd_mul(dd(lambda / 2), dd(n)), dd_mul(beta, beta)))
    value <- max(0, 1 - dd_value(beta)) + penalty
    expect_lte(abs(found$value - value), found$rounding)
    expect_lte(found$bound, 0.3 - penalty)
    # of |beta'f| no more than the n terms, the errors of both kernel values and a few operations;
    # and the rounding of the mean loss
    sizes <- lambda * (n * dd_value(beta))^2
    most <- 1.5 * sizes * (2 * (n - 1) + 4 + 16) + 143 * (2 + value)
    expect_lte(found$rounding, 1.1 * most * u)
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

test_that("the Hessian of a million equal rows is off by less than its norms are widened by", {
  # region/ellipsoid.h states a root of the number of rows, and eight times that and 1e-8 besides
  n <- 1e6
  x <- matrix(0.1, n, 1)
  y <- factor(rep(1:2, c(0.3, 0.7) * n))
  fit <- margin_linear(x, y, loss = "logistic", lambda = 1e-3, intercept = "none", scale = FALSE)
  problem <- margin_certain(fit, x, y)$problems[[1L]]
  z <- 0.1 * problem$w
  hessian <- 0.01 * stats::plogis(z) * stats::plogis(-z) + 1e-3
  off <- abs(problem$ellipsoid$size^2 / hessian - 1)
  expect_lte(off, 8 * sqrt(n) * u)
  expect_lte(off, problem$ellipsoid$inflation - 1)
})
