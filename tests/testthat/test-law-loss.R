# Laws of the losses, over the registry. What holds on a grid is expected once.

z_grid <- c(-30, -5, seq(-2.5, 2.5, by = 0.25), 5, 30)

for (loss in all_losses()) {
  label <- format(loss)
  duals <- function(y) dual_points(loss, y)
  signed <- function(y, beta) if (loss$task == "regression") beta else y * beta
  conjugate <- function(a, y) probe_loss(loss, "conjugate", a = a, y = y)

  test_that(paste(label, "is its formula, on the dual domain that it should have and no more"), {
    ends <- dual_domain(loss)
    outside <- ends[is.finite(ends)] + c(-0.1, 0.1)[is.finite(ends)]
    for (y in c(-1, 1)) {
      value <- probe_loss(loss, "value", z_grid, y)
      slope <- probe_loss(loss, "slope", z_grid, y)
      expect_equal(value, plain_loss(loss, z_grid, y), tolerance = 1e-13)
      expect_equal(conjugate(duals(y), y), plain_conjugate(loss, duals(y), y), tolerance = 1e-13)
      for (a in signed(y, outside)) expect_identical(conjugate(a, y), Inf)
      # Fenchel and Young, with equality at the slope
      expect_equal(value + conjugate(slope, y), slope * z_grid, tolerance = 1e-12)
    }
  })

  test_that(paste(label, "says what Fenchel and Young leave without cancellation"), {
    for (y in c(-1, 1)) {
      grid <- expand.grid(z = z_grid, a = duals(y))
      left <- plain_loss(loss, grid$z, y) + plain_conjugate(loss, grid$a, y) - grid$a * grid$z
      excess <- probe_loss(loss, "excess", grid$z, y, grid$a)
      expect_true(all(excess >= -1e-15 * (1 + abs(grid$a * grid$z))))
      expect_lte(max(abs(excess - left) / (1 + abs(grid$a * grid$z))), 1e-12)
    }
  })

  test_that(paste(label, "goes from a dual value to the domain, and within it from there"), {
    ends <- dual_domain(loss)
    for (y in c(-1, 1)) {
      far <- signed(y, ends[is.finite(ends)] + c(-1, 1)[is.finite(ends)])
      near <- probe_loss(loss, "nearest", a = c(duals(y), far), y = y)
      expect_true(all(conjugate(near, y) < Inf))
      expect_equal(near[seq_along(duals(y))], duals(y), tolerance = 1e-15)
      off <- probe_loss(loss, "tilt", a = near, y = y)
      expect_true(all(off >= 0))
      for (side in c(-1, 1)) expect_true(all(conjugate(near + side * off * (1 - 1e-12), y) < Inf))
    }
  })

  test_that(paste(label, "has a slope that rises by no less than it says"), {
    for (y in c(-1, 1)) for (width in c(0.01, 0.3, 2)) {
      least <- probe_loss(loss, "least_curvature", z_grid, y, q = width)
      above <- vapply(c(-1, -0.5, 0.2), function(part) {
        rise <- probe_loss(loss, "slope", z_grid + width, y) -
          probe_loss(loss, "slope", z_grid + part * width, y)
        min(rise - least * (1 - part) * width)
      }, 0)
      expect_gte(min(above), -1e-13)
    }
  })

  test_that(paste(label, "takes the dual step that maximises, its slope for q = 0"), {
    off_kink <- z_grid[abs(abs(z_grid) - 1) > 0.01]
    for (y in c(-1, 1)) {
      grid <- expand.grid(z = c(-3, -0.4, 0, 0.7, 1, 2),
                          a = signed(y, c(-0.9, -0.3, 0) * min(1, -dual_domain(loss)[1L])))
      for (q in c(1e-3, 0.3, 5)) {
        objective <- function(t) t * grid$z - conjugate(t, y) - q / 2 * (t - grid$a)^2
        step <- probe_loss(loss, "dual_step", grid$z, y, grid$a, q)
        # points of the domain, and such near by
        others <- c(lapply(duals(y), rep_len, nrow(grid)), lapply(
          c(-1, 1) %o% c(1e-4, 1e-2), function(by) step + by
        ))
        best <- do.call(pmax, lapply(others, objective))
        expect_gte(min(objective(step) - best), -1e-11)
      }
      expect_equal(probe_loss(loss, "dual_step", off_kink, y, 0, 0),
                   probe_loss(loss, "slope", off_kink, y), tolerance = 1e-14)
    }
  })

  test_that(paste(label, "knows the score at which it has a slope, the slope of its conjugate"), {
    h <- 1e-6
    for (y in c(-1, 1)) {
      inside <- mean(range(duals(y))) + 0.9 * (duals(y) - mean(range(duals(y))))
      rise <- conjugate(inside + h, y) - conjugate(inside - h, y)
      expect_equal(probe_loss(loss, "score", a = inside, y = y), rise / (2 * h), tolerance = 1e-6)
    }
  })

  test_that(paste(label, "has the curvature of its dual step, and is as smooth as it says"), {
    h <- 1e-6
    for (q in c(if (loss$smooth) 0, 0.5)) {
      z <- z_grid + 0.0123
      up <- probe_loss(loss, "dual_step", z + h, 1, -0.4, q)
      down <- probe_loss(loss, "dual_step", z - h, 1, -0.4, q)
      expect_equal(probe_loss(loss, "curvature", z, 1, -0.4, q), (up - down) / (2 * h),
                   tolerance = 1e-5)
    }
    if (loss$smooth) {
      slope <- probe_loss(loss, "slope", z_grid, 1)
      ratio <- abs(outer(slope, slope, `-`)) / abs(outer(z_grid, z_grid, `-`))
      expect_lte(max(ratio, na.rm = TRUE), 1 / loss$gamma + 1e-12)
      expect_identical(probe_loss(loss, "gamma"), loss$gamma)
    }
  })
}

test_that("logistic neither overflows nor loses its tail", {
  value <- probe_loss(as_loss("logistic"), "value", c(-1000, 1000, 40), 1)
  expect_equal(value, c(1000, 0, exp(-40)), tolerance = 1e-14)
})

test_that("a dual step climbs, however curved the rest of the dual is", {
  # the hinge keeps its dual value at a tie
  expect_identical(probe_loss(as_loss("hinge"), "dual_step", 1, 1, -0.37, 0), -0.37)
  grid <- expand.grid(z = c(-1e4, -300, -12.2007, -3, -0.4, 0, 2.90132, 3.43244, 20, 2e3),
                      a = -c(0, 1e-17, 1e-12, 1e-5, 0.3, 0.98549767, 1 - 1e-9, 1 - 7e-16, 1))
  for (loss in all_losses()) for (q in c(1e-3, 3, 17.7253, 120, 12159.4, 1e6)) {
    y <- rep(1, nrow(grid))
    climbed <- function(t) {
      t * grid$z - probe_loss(loss, "conjugate", a = t, y = y) - q / 2 * (t - grid$a)^2
    }
    step <- probe_loss(loss, "dual_step", grid$z, y, grid$a, q)
    rounding <- 1e-12 * (1 + abs(grid$z) + q)
    expect_true(all(climbed(step) >= climbed(grid$a) - rounding), info = paste(format(loss), q))
  }
})
