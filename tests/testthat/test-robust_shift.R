# A robust problem with a free intercept is the same wherever its rows lie, and every robust problem
# is the same in any unit.

shift_data <- function(sparse = FALSE) {
  set.seed(8)
  n <- 40
  # ten bits after the point: adding an integer and doubling are exact
  x <- matrix(round(rnorm(n * 4) * 1024) / 1024, n)
  if (sparse) x[, 3:4] <- x[, 3:4] * rbinom(2 * n, 1, 0.4)
  y <- ifelse(x[, 1] - x[, 2] + rnorm(n, sd = 0.7) > 0, 1, -1)
  list(x = x, y = factor(y), weights = rep_len(c(1, 2, 0.5), n))
}

test_that("the worst case of a fit far from the origin is that of the fit at it", {
  data <- shift_data()
  fit <- function(x) {
    margin_robust(x, data$y, intercept = "free", label_cost = 2, control = margin_control(seed = 1),
                  scale = FALSE)
  }
  here <- worst_case(fit(data$x), data$x, data$y)
  for (offset in c(1e8, 2^36)) {
    x <- data$x + offset
    there <- worst_case(fit(x), x, data$y)
    expect_equal(attr(there, "risk"), attr(here, "risk"), tolerance = 1e-9)
    expect_equal(there$distance, here$distance, tolerance = 1e-6)
    expect_identical(there$flipped, here$flipped)
  }
})
