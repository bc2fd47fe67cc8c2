# Leave-one-out of kernel fits: against refits, beside the linear family, and what it must not
# depend on.

test_that("the squared loss without a row is exact: the residual over one less the leverage", {
  problem <- moons(40L)
  y <- problem$x[, 1L] + sin(3 * problem$x[, 2L])
  fit <- margin_kernel(problem$x, y, kernel = kernel_rbf(1), loss = "squared", lambda = 0.01,
                       response_scale = FALSE, intercept = "none",
                       control = margin_control(tol = 1e-11))
  loo <- margin_loo(fit, problem$x, y)
  K <- plain_kernel(fit$settings$kernel, sweep(problem$x, 2L, fit$scales, `/`))
  hat <- K %*% solve(K + diag(0.01 * 40, 40))
  press <- y - (y - drop(hat %*% y)) / (1 - diag(hat))
  rows <- as.data.frame(loo)
  expect_true(all(rows$lower <= press + 1e-9 & rows$upper >= press - 1e-9))
  expect_lte(max(rows$upper - rows$lower), 1e-4)
  expect_identical(loo$summary$solved, 0L)
})
