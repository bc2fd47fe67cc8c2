# L4, the tilt (region/tilt.h) by itself: with a free intercept no point whose objective is not above
# that of the pair, the optimum among them, has a score beyond the reach of a row; some are near it.

# Of each row the least and the largest score among such points in the direction of its own tilt.
level_scores <- function(case) {
  p <- case$p
  most <- lemma_value(p, case$v)
  hessian <- lemma_hessian(p, case$goal)
  ends <- apply(p$rows, 1L, function(x) {
    by <- solve(hessian + diag(1e-9 * max(hessian), length(x)), x)
    vapply(c(-1, 1), function(sign) {
      above <- function(s) lemma_value(p, case$goal + sign * s * by) - most
      far <- 1
      while (above(far) < 0) far <- 2 * far
      s <- stats::uniroot(above, c(0, far), tol = 1e-12)$root
      while (above(s) > 0) s <- s * (1 - 1e-9)
      sum(x * (case$goal + sign * s * by))
    }, 0)
  })
  list(low = ends[1L, ], high = ends[2L, ])
}

test_that("what is no worse than the pair has its scores within reach, and at it in some", {
  cases <- lemma_cases(1:200, function(case) {
    !is.null(case$found$up) &&
      lemma_value(case$p, case$v) > lemma_value(case$p, case$goal) * (1 + 1e-7) + 1e-7
  })
  expect_gte(length(cases), 50)
  of_all <- lapply(cases, function(case) {
    z <- lemma_scores(case$p, case$v)
    ends <- level_scores(case)
    goal <- lemma_scores(case$p, case$goal)
    up <- pmax(ends$high, goal) - z
    down <- z - pmin(ends$low, goal)
    c(up / case$found$up, down / case$found$down)
  })
  share <- unlist(of_all)
  expect_lte(max(share), 1 + 1e-6)
  expect_gte(max(share), 0.9)
})
