# Leave-one-out of kernel fits: against refits, beside the linear family, and what it must not
# depend on.

kernel_loo <- function(x, y, ..., tol = 1e-10, groups = NULL, rule = "cost") {
  fit <- suppressWarnings(margin_kernel(x, y, ..., control = margin_control(
    tol = tol, seed = 1, max_epochs = 3000, progress = FALSE
  )))
  margin_loo(fit, x, y, groups = groups, rule = rule)
}

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

test_that("several classes, sparse and centred rows, one row of a class, and what is refused", {
  some <- seq(1, 150, by = 6)
  fit <- margin_kernel(Species ~ ., data = iris[some, ], lambda = 0.02, kernel = kernel_rbf(0.3),
                       loss = "squared_hinge")
  loo <- margin_loo(fit, iris[some, ])
  expect_identical(nrow(loo$rows), 25L)
  expect_output(print(loo), "left-out error")
  x <- sweep(as.matrix(iris[some, 1:4]), 2L, fit$scales, `/`)
  refit <- vapply(c(1L, 9L, 14L, 22L), function(i) {
    best <- margin_kernel(x[-i, ], iris$Species[some][-i], lambda = 0.02 * 25 / 24, scale = FALSE,
                          kernel = fit$settings$kernel, loss = "squared_hinge",
                          control = margin_control(tol = 1e-10))
    as.integer(predict(best, x[i, , drop = FALSE]))
  }, 0L)
  expect_identical(as.integer(loo$rows$class)[c(1L, 9L, 14L, 22L)], refit)
  problem <- moons(30L)
  y <- factor(problem$y)
  dense <- kernel_loo(problem$x, y, kernel = kernel_rbf(1), loss = "hinge", lambda = 0.05)
  sparse <- kernel_loo(methods::as(problem$x, "CsparseMatrix"), y, kernel = kernel_rbf(1),
                       loss = "hinge", lambda = 0.05)
  expect_identical(dense$rows$class, sparse$rows$class)
  centred <- kernel_loo(problem$x + 100, y, kernel = kernel_polynomial(2, 1, 1),
                        loss = "squared_hinge", lambda = 0.05, center = TRUE)
  shifted <- kernel_loo(problem$x, y, kernel = kernel_polynomial(2, 1, 1), loss = "squared_hinge",
                        lambda = 0.05, center = TRUE)
  expect_identical(centred$rows$class, shifted$rows$class)
  few <- kernel_loo(problem$x, factor(rep(c("a", "b"), c(1, 29))), kernel = kernel_rbf(1),
                    loss = "hinge", lambda = 0.05, intercept = "free")
  expect_identical(few$rows$by[1L], "no optimum")
  refused <- function(fit, text) {
    expect_error(margin_loo(fit, problem$x, y), text, class = "dualmargin_input_error")
  }
  refused(quiet_kernel(problem$x, y, nystrom = 10, loss = "squared_hinge"), "landmarks")
  refused(quiet_kernel(problem$x, y, mixup = mixup_pairs(n = 10), loss = "squared_hinge"),
          "mixed rows")
  K <- plain_kernel(as_kernel("linear"), problem$x)
  expect_error(margin_loo(quiet_kernel(K, y, kernel = kernel_precomputed(), loss = "hinge"), K, y),
               "precomputed kernel", class = "dualmargin_input_error")
  far <- methods::as(problem$x * (abs(problem$x) > 0.3) + 0, "CsparseMatrix")
  expect_error(kernel_loo(far, y, kernel = as_kernel("linear"), loss = "hinge", intercept = "none",
                          center = TRUE, lambda = 0.1), "center = FALSE",
               class = "dualmargin_input_error")
})
