test_that("shrinking changes the work and not the optimum", {
  problem <- sparse_problem(n = 300L, p = 20L)
  lambda <- 0.05
  for (loss in c("hinge", "smooth_hinge", "squared_hinge", "logistic")) {
    fit <- function(...) {
      margin_linear(problem$x, problem$y, loss = loss, lambda = lambda, intercept = "penalized",
                    solver = "dual_cd",
                    control = margin_control(tol = 1e-5, seed = 1, max_epochs = 1e5,
                                             solver_options = list(...)))
    }
    plain <- fit(shrinking = FALSE)
    other <- fit(shrinking = TRUE)
    expect_lte(other$certificate$bound, plain$certificate$value)
    expect_gte(other$certificate$value, plain$certificate$bound)
    radius <- sqrt(2 * plain$certificate$gap / lambda) + sqrt(2 * other$certificate$gap / lambda)
    expect_lte(sqrt(sum((scaled_slopes(other) - scaled_slopes(plain))^2)), radius)
  }
})

test_that("the dual value never falls", {
  problem <- small_problem()
  fit <- quiet_fit(problem$x, factor(problem$y), loss = "hinge", intercept = "none", lambda = 0.01,
                   solver = "dual_cd",
                   control = margin_control(tol = 1e-10, max_epochs = 100, seed = 2,
                                            certify_every_epoch = TRUE))
  expect_true(all(diff(convergence(fit)$bound) >= -1e-14))
})

test_that("rows in groups end as those alone do, however they are sorted", {
  # more rows than are visited one by one (src/linear/cost_model.cpp), in order of class and score
  set.seed(3)
  n <- 6000L
  x <- matrix(rnorm(n * 12L), n)
  score <- x %*% rnorm(12L) + rnorm(n)
  sorted <- order(score)
  for (loss in c("hinge", "logistic")) {
    fits <- lapply(list(sorted, sample(n)), function(rows) {
      margin_linear(x[rows, ], factor(score[rows] > 0), loss = loss, lambda = 0.01,
                    intercept = "penalized", scale = FALSE, solver = "dual_cd",
                    control = margin_control(tol = 1e-5, seed = 1))
    })
    for (k in 1:2) {
      expect_true(fits[[k]]$certificate$certified)
      expect_lte(fits[[k]]$certificate$bound, fits[[3 - k]]$certificate$value)
    }
  }
})
