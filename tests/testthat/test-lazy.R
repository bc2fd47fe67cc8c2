# Many steps of a coordinate at once are as many single steps.

one_by_one <- function(k, w, drift, step, l1, l2) {
  for (i in seq_len(k)) w <- soft(w - step * drift, step * l1) / (1 + step * l2)
  w
}

test_that("a run of proximal steps on one coordinate has the value of the steps one by one", {
  set.seed(1)
  for (case in 1:400) {
    step <- 10^runif(1, -2, 1)
    l1 <- sample(c(0, 0.3, 1), 1)
    l2 <- sample(c(0, 1e-6, 0.05, 2), 1)
    drift <- sample(c(0, rnorm(1), 3 * rnorm(1)), 1)
    w <- sample(c(0, 5 * rnorm(1), 50 * rnorm(1)), 1)
    k <- sample(c(0L, 1L, 2L, 3L, 17L, 300L), 1)
    many <- probe("lazy", k, w, drift, step, l1, l2)
    one <- one_by_one(k, w, drift, step, l1, l2)
    expect_lte(abs(many - one), 1e-11 * max(abs(w), abs(one), step * k * abs(drift)))
  }
})

test_that("a run that ends on zero stays on it exactly", {
  expect_identical(probe("lazy", 1000, 3, 0.2, 0.1, 0.5, 0.01), 0)
  expect_identical(probe("lazy", 1000, -3, -0.2, 0.1, 0.5, 0), 0)
})

test_that("millions of steps keep their digits", {
  k <- 2e6
  step <- 1e-4
  for (l2 in c(1e-8, 1e-3, 1)) {
    shrink <- 1 / (1 + step * l2)
    for (drift in c(-1e-3, 2)) {
      power <- exp(-k * log1p(step * l2))
      exact <- power * 3 - drift / l2 * -expm1(-k * log1p(step * l2))
      many <- probe("lazy", k, 3, drift, step, 0, l2)
      expect_lte(abs(many - exact), 1e-8 * max(abs(exact), 3))
    }
  }
})
