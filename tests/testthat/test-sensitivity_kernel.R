# Changes of the rows of kernel fits: against refits, beside the linear family, and by hand.

kernel_case <- function(seed = 1, n = 40L, ..., loss = "logistic", intercept = "free",
                        kernel = kernel_rbf(1), lambda = 0.05, tol = 1e-13) {
  problem <- moons(n = n, seed = seed)
  y <- factor(problem$y)
  fit <- suppressWarnings(margin_kernel(
    problem$x, y, kernel = kernel, loss = loss, lambda = lambda, intercept = intercept,
    scale = FALSE, ..., control = margin_control(tol = tol, seed = 1, max_epochs = 5000,
                                                 progress = FALSE)
  ))
  list(x = problem$x, y = y, new = problem$x[1:9, ] + 0.2, fit = fit, n = n)
}

test_that("as many groups are solved as are asked for, with any number of threads the same", {
  case <- kernel_case(n = 60L, lambda = 0.001, loss = "hinge")
  groups <- rep(1:6, 10)
  ask <- function(refits, threads = 1L) {
    fit <- case$fit
    fit$settings$control$threads <- threads
    margin_sensitivity(fit, case$x, case$y, case$new, groups = groups, refits = refits)
  }
  bounds <- ask(0)
  some <- ask(2)
  all <- ask(Inf)
  expect_identical(sum(bounds$summary$solved), 0L)
  expect_identical(sum(some$summary$solved), 2L)
  expect_gt(sum(bounds$summary$open), sum(some$summary$open))
  expect_identical(sum(all$summary$open), 0L)
  expect_true(all(all$rows$lower >= bounds$rows$lower & all$rows$upper <= bounds$rows$upper))
  expect_identical(ask(Inf, 2L)$rows, all$rows)
})
