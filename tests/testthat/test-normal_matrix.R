test_that("the blocked factorisation solves what base R solves, across block sizes", {
  set.seed(3)
  for (n in c(1L, 7L, 192L, 193L, 500L)) {
    root <- matrix(rnorm(n * (n + 5L)), n)
    A <- tcrossprod(root) / n + diag(0.1, n)
    right <- rnorm(n)
    expect_equal(probe("cholesky", A, right), drop(solve(A, right)), tolerance = 1e-8)
  }
})

test_that("a matrix that is not positive definite is refused", {
  A <- diag(c(1, -1e-3, 1))
  expect_length(probe("cholesky", A, c(1, 1, 1)), 0L)
})

test_that("the factor of a region asks the clock, and there is none once the time is over", {
  expect_true(probe("region_factor", diag(500), Inf))
  # within the factor, and within the inverse that its rounding is judged by
  for (looks in c(2, 5)) expect_false(probe("region_factor", diag(500), looks))
})
