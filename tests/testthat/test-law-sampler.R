# The draws are the same on every platform, so a few are written down.

draw <- function(what, n = 10L, draws = 5L, seed = 42, weights = 1) {
  probe("sampler", seed, what, n, draws, weights)
}

test_that("a seed gives the draws of the standard's mt19937_64", {
  # The 10,000th number of the default-seeded generator is 9981545732273789042 by ISO C++
  # [rand.predef]; a uniform takes its upper 53 bits.
  u <- draw("uniform", draws = 10000L, seed = 5489)[10000L]
  expect_identical(u, 4873801627086811 / 2^53)
  expect_identical(draw("below"), draw("below"))
  expect_false(identical(draw("below", draws = 20L), draw("below", draws = 20L, seed = 43)))
})

test_that("below() is uniform on 0, ..., n - 1", {
  counts <- tabulate(draw("below", n = 7L, draws = 70000L) + 1, 7L)
  expect_gt(chisq.test(counts)$p.value, 1e-4)
})

test_that("below() has no bias where n does not divide what it draws from", {
  # 32 bits: 8/3 of them a value, two or three by what the value leaves when divided by 3; more bits
  # than that are drawn again in a quarter and in half of the cases
  for (n in c(3 * 2^29, 3 * 2^34, 2^40 + 1)) {
    u <- draw("below", n = n, draws = 60000L)
    expect_true(all(u >= 0 & u < n & u == floor(u)))
    expect_gt(chisq.test(tabulate(u %% 3 + 1, 3L))$p.value, 1e-4)
    expect_gt(chisq.test(tabulate(floor(8 * (u / n)) + 1, 8L))$p.value, 1e-4)
  }
  expect_gt(max(draw("below", n = 2^53, draws = 100L)), 2^52)
  expect_identical(draw("below", n = 1L, draws = 3L), numeric(3))
})

test_that("shuffle() is a permutation, each place equally likely", {
  expect_identical(sort(draw("shuffle", n = 50L, draws = 50L)), as.numeric(0:49))
  first <- vapply(1:6000, function(seed) draw("shuffle", n = 6L, draws = 6L, seed = seed)[1L], 0)
  expect_gt(chisq.test(tabulate(first + 1, 6L))$p.value, 1e-4)
})

test_that("weighted() draws in proportion to the weights", {
  w <- c(1, 0, 3, 6)
  counts <- tabulate(draw("weighted", draws = 50000L, weights = w) + 1, 4L)
  expect_identical(counts[2L], 0L)
  expect_gt(chisq.test(counts[w > 0], p = w[w > 0] / 10)$p.value, 1e-4)
})
