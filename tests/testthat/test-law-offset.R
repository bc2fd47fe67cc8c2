# L3, the offset (region/offset.h) by itself: of scores that are known to intervals every optimal free
# intercept is in the interval, whose ends are optimal for scores at the ends.

# The first and the last t at which sum omega phi(z + t) is least: where its slope on the right is no
# longer below 0, and where that on the left is not yet above it.
best_offsets <- function(loss, y, omega, z) {
  off <- 1e-12 * sum(omega)
  total <- function(t, right) sum(omega * offset_slope(loss, z + t, y, right))
  bisect <- function(beyond) {
    ends <- c(-1, 1) * (100 + max(abs(z), abs(y)))
    for (k in 1:60) ends[1L + beyond(mean(ends))] <- mean(ends)
    mean(ends)
  }
  c(bisect(function(t) total(t, TRUE) >= -off), bisect(function(t) total(t, FALSE) > off))
}
offset_slope <- function(loss, z, y, right) {
  if (loss$name != "quantile") return(sided_slope(loss, z, y, right))
  (if (right) z >= y else z > y) - loss$parameter[[1L]]
}

# How far the ends are from the extremes of optimal offsets of scores at the ends, and beyond those of
# scores between.
offset_case <- function(seed) {
  losses <- c(lemma_losses, list(as_loss("hinge"), as_loss("hinge"), loss_quantile(0.2)))
  set.seed(seed)
  n <- sample(3:9, 1L)
  loss <- losses[[sample(length(losses), 1L)]]
  y <- if (loss$task == "regression") rnorm(n) else c(-1, 1, sample(c(-1, 1), n - 2L, TRUE))
  omega <- if (chance(0.5)) sample(2, n, TRUE) else c(1, 1, runif(n - 2L) * (runif(n - 2L) > 0.3))
  low <- 2 * rnorm(n)
  high <- low + runif(n) * 10^runif(1, -3, 0.5)
  found <- probe("offset", loss$name, c(unlist(loss$parameter), 0)[[1L]], y, omega, low, high)
  between <- best_offsets(loss, y, omega, low + runif(n) * (high - low))
  ends <- c(best_offsets(loss, y, omega, high)[1L], best_offsets(loss, y, omega, low)[2L])
  c(off = max(abs(found - ends)), beyond = max(found[1L] - between, between - found[2L]))
}

test_that("every optimal offset of scores between the ends is in the interval, at ends its ends", {
  of_all <- vapply(if (is_extended()) 1:3000 else 1:300, offset_case, c(off = 0, beyond = 0))
  expect_lte(max(of_all), 1e-8)
})

test_that("one class has no offset but at infinity", {
  expect_equal(probe("offset", "hinge", 0, c(1, 1), c(1, 2), c(0, 0), c(0.5, 1)), c(0.5, Inf))
})

test_that("the optimal scores of an altered problem are within the offsets around them", {
  cases <- lemma_cases(1:200, function(case) case$p$free)
  score <- lapply(cases, function(case) lemma_scores(case$p, case$goal))
  slack <- lapply(score, function(z) 1e-8 * (1 + max(abs(z))))
  expect_true(all(mapply(function(case, z, off) {
    all(z >= case$found$low - off & z <= case$found$high + off)
  }, cases, score, slack)))
  near <- mapply(function(case, z) {
    max(abs(2 * z - case$found$low - case$found$high) / (case$found$high - case$found$low))
  }, cases, score)
  expect_gte(max(near), 0.95)
})
