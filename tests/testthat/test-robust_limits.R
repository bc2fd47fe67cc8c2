# max_seconds of robust fits: no step, recovery or epoch runs far beyond it, and the point that is
# returned has an honest certificate. Time is counted in looks at the clock, as in test-limits.R.

test_that("a limit of seconds ends every solver soon, with a certificate that holds", {
  set.seed(2)
  n <- 600
  p <- 100
  x <- matrix(rnorm(n * p), n)
  y <- factor(ifelse(x[, 1] + rnorm(n) > 0, 1, -1))
  rows <- solver_rows("robust")
  for (limit in c(1, 30, 200)) for (row in rows) {
    norm <- if (row$name %in% c("auto", "ippa")) "linf" else "l1"
    fit <- counting_looks(quiet_robust(
      x, y, norm = norm, radius = 0.01, solver = row$name, intercept = "free",
      control = margin_control(tol = 1e-12, max_epochs = 1e6, max_seconds = limit, seed = 1,
                               threads = 1)
    ))
    info <- paste(row$name, norm, limit)
    if (limit == 1) expect_identical(fit$status$status, "max_seconds", info = info)
    expect_lte(fit$status$seconds, limit + 50, label = info)
    # the bound holds the rounding of sums that are large beside it so far from the optimum
    expect_honest_robust(fit, x, 1e-8)
  }
})
