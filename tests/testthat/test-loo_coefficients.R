# The coefficients without rows: a refit without them lies within the radius of the fit plus the
# step, for every loss, dense and sparse, near and far from the origin.

own <- asNamespace("dualmargin")

test_that("a row without pull leaves the coefficients as they are, a class that goes none", {
  problem <- small_problem(n = 40L)
  y <- factor(problem$y)
  fit <- quiet_fit(problem$x, y, loss = "hinge", lambda = 0.05,
                   control = margin_control(tol = 1e-13))
  idle <- which(abs(fit$dual) < 1e-12)[1:3]
  found <- own$coefficients_without(fit, problem$x, as.list(idle), "cost")[[1L]]
  expect_lte(max(abs(found$step)), 1e-5)
  found <- own$coefficients_without(fit, problem$x, list(which(problem$y > 0)), "cost")[[1L]]
  expect_identical(found$radius, Inf)
})
