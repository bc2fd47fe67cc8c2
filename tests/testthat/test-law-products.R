# Products of rows stand once: every form of the same rows has the same ones.

test_that("robust fits over rows agree for dense and sparse rows, with a penalised intercept too", {
  set.seed(2)
  x <- matrix(rnorm(30 * 300) * rbinom(30 * 300, 1, 0.3), 30)
  y <- factor(rep(c("a", "b"), 15))
  for (norm in c("l1", "l2", "linf")) {
    value <- vapply(list(x, methods::as(x, "dgCMatrix")), function(x) {
      fit <- margin_robust(x, y, norm = norm, radius = 0.02, ridge = 0.1, scale = FALSE,
                           intercept = "penalized", solver = "interior_point",
                           control = margin_control(tol = 1e-9))
      c(fit$certificate$value, fit$certificate$bound)
    }, numeric(2))
    expect_lte(max(value[2, ]), min(value[1, ]))
    expect_equal(value[, 1], value[, 2], tolerance = 1e-8)
  }
})
