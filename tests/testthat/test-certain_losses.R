# The formulas of helper-certain_losses.R against those of helper-losses.R.

every_loss <- list(as_loss("hinge"), loss_smooth_hinge(0.7), loss_squared_hinge(0.6), as_loss("logistic"),
                   as_loss("squared"), loss_huber(0.8))

drawn <- function(loss, n = 400) {
  y <- sample(c(-1, 1), n, TRUE)
  if (loss$task == "both") y <- rnorm(n)
  z <- rnorm(n, sd = 3)
  a <- if (loss$task == "both") rnorm(n) else -y * rexp(n)
  list(y = y, z = z, a = certain_box(loss, a, y))
}

test_that("values and Fenchel-Young terms are those of the definitions", {
  set.seed(1)
  for (loss in every_loss) {
    d <- drawn(loss)
    expect_equal(certain_value(loss, d$z, d$y), plain_loss(loss, d$z, d$y), tolerance = 1e-13)
    expect_equal(fenchel_young(loss, d$z, d$a, d$y),
                 plain_loss(loss, d$z, d$y) + plain_conjugate(loss, d$a, d$y) - d$a * d$z,
                 tolerance = 1e-11, info = loss$name)
    for (side in c("left", "right")) {
      a <- certain_slope(loss, d$z, d$y, side)
      expect_lte(max(fenchel_young(loss, d$z, a, d$y)), 1e-28)
      # near the slope of second order, where phi* has no edge
      if (loss$name %in% c("logistic", "squared", "squared_hinge")) {
        z <- clip(d$z, -4, 4)
        a <- certain_slope(loss, z, d$y, side)
        expect_lte(max(fenchel_young(loss, z, a * (1 - 1e-9), d$y)), 1e-15)
      }
    }
  }
})

test_that("slopes are one-sided derivatives, also at the hinge's kink", {
  loss <- as_loss("hinge")
  expect_identical(certain_slope(loss, c(1, -1), c(1, -1), "left"), c(-1, 0))
  expect_identical(certain_slope(loss, c(1, -1), c(1, -1), "right"), c(0, 1))
  set.seed(2)
  for (loss in every_loss) {
    d <- drawn(loss)
    numeric <- (plain_loss(loss, d$z + 1e-6, d$y) - plain_loss(loss, d$z - 1e-6, d$y)) / 2e-6
    expect_equal(certain_slope(loss, d$z, d$y), numeric, tolerance = 1e-5, info = loss$name)
  }
})

test_that("the factor of a step is -log(1 - s)/s, and infinite from .9 on", {
  expect_identical(step_factor(c(0, 0.5, 0.95, NaN)), c(1, -log1p(-0.5) / 0.5, Inf, Inf))
})
