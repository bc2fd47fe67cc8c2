# max_seconds of robust fits: no step, recovery or epoch runs far beyond it, and the point that is
# returned has an honest certificate.

test_that("a limit of seconds ends every solver soon, with a certificate that holds", {
  set.seed(2)
  n <- 3000
  p <- 400
  x <- matrix(rnorm(n * p), n)
  y <- factor(ifelse(x[, 1] + rnorm(n) > 0, 1, -1))
  rows <- Filter(function(row) row$family == "robust", dualmargin:::solver_rows())
  # the first is over at the first look at the clock; within the second a fast machine may be done
  for (limit in c(1e-6, 0.2)) for (row in rows) {
    norm <- if (row$name %in% c("auto", "ippa")) "linf" else "l1"
    began <- proc.time()[["elapsed"]]
    fit <- quiet_robust(x, y, norm = norm, radius = 0.01, solver = row$name, intercept = "free",
                        control = margin_control(tol = 1e-12, max_epochs = 1e6,
                                                 max_seconds = limit, seed = 1))
    info <- paste(row$name, norm, limit)
    if (limit < 0.1) expect_identical(fit$status$status, "max_seconds", info = info)
    # generous, for a machine that does other things: a pass takes some milliseconds
    expect_lt(proc.time()[["elapsed"]] - began, 30, label = info)
    # the bound holds the rounding of sums that are large beside it so far from the optimum
    expect_honest_robust(fit, x, 1e-8)
  }
})
