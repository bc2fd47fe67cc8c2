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

test_that("a linear fit of fewer rows than columns is asked by the products of its rows", {
  set.seed(1)
  n <- 12L
  x <- matrix(rnorm(n * 40L, 1), n)
  y <- rep(c(-1, 1), n / 2)
  for (sparse in c(FALSE, TRUE)) for (intercept in c("free", "penalized", "none")) {
    rows <- if (sparse) as(ifelse(abs(x) < 0.5, 0, x), "CsparseMatrix") else x
    for (loss in list(loss_squared_hinge(0.5), as_loss("logistic"))) {
      fit <- margin_linear(rows, factor(y), loss = loss, lambda = 0.1, intercept = intercept)
      found <- as.data.frame(margin_loo(fit, rows, factor(y), precision = 1e-6))
      label <- paste(loss$name, intercept, sparse)
      exact <- plain_left_out(fit, rows, y)
      expect_true(all(found$lower <= exact$score + exact$off), label = label)
      expect_true(all(found$upper >= exact$score - exact$off), label = label)
      expect_identical(found$class, factor(sign(exact$score)), label = label)
      if (loss$name == "logistic") expect_lte(max(found$upper - found$lower), 1e-3, label = label)
    }
  }
})
