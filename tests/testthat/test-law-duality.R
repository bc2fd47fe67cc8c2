# L1, the duality ball (region/ball.h, region/of_kernel.h) by itself: the optimum of an altered problem
# is within the radius of the centre, of columns and of functions, and no further in some.

cases <- lemma_cases(1:300)

test_that("the optimum of an altered problem is in the ball, and at its edge in some", {
  apart <- vapply(cases, function(case) {
    sqrt(sum((case$goal[seq_along(case$found$centre)] - case$found$centre)^2))
  }, 0)
  radius <- vapply(cases, function(case) case$found$radius, 0)
  size <- vapply(cases, function(case) sqrt(sum(case$goal^2)), 0)
  expect_true(all(apart <= radius + 1e-10 * (1 + size)))
  known <- radius > 1e-6
  expect_gte(mean(known), 0.9)
  of <- function(part) (apart / radius)[known & vapply(cases, part, NA)]
  expect_gte(max(of(function(case) case$p$l1 > 0)), 0.9)
  expect_gte(sum(of(function(case) case$p$l1 == 0) > 0.99), 10)
})

test_that("the optimum is below the pair by no more than the gap", {
  off <- vapply(cases, function(case) {
    (lemma_value(case$p, case$v) - lemma_value(case$p, case$goal)) / sum(case$p$omega) /
      case$found$gap
  }, 0)
  expect_lte(max(off[is.finite(off)]), 1 + 1e-6)
})
