plain_saga <- function(p, epochs, seed) {
  eta <- 1 / (3 * p$n * p$row_smoothness)
  w <- numeric(p$p)
  slope <- p$slope(numeric(p$n), seq_len(p$n))
  for (i in row_draws(seed, p$n, epochs)) {
    renewed <- p$slope(sum(p$x[i, ] * w), i)
    step <- dual_sum(p, slope) + p$n * p$omega[i] / p$W * (renewed - slope[i]) * p$x[i, ]
    slope[i] <- renewed
    w <- soft(w - eta * step, eta * p$l1) / (1 + eta * p$l2)
  }
  w
}

test_that("its lazy steps give the iterates of SAGA taken densely", {
  for_each_case(function(p) {
    # the first epoch fills the table
    fit <- fit_epochs(p, "saga", 5, seed = 6)
    expect_equal(unname(coef(fit)), plain_saga(p, 4, 6), tolerance = 1e-9)
  })
})

test_that("on sparse rows, with steps owed for long, it is the same method", {
  problem <- sparse_problem(n = 60L, p = 25L)
  for (sampling in drawn) for (mixture in c(0, 0.5, 1)) {
    fit <- function(x) {
      quiet_fit(x, problem$y, lambda = 1e-2, mixture = mixture, intercept = "none", scale = FALSE,
                solver = "saga",
                control = margin_control(tol = 1e-300, max_epochs = 7, seed = 3,
                                         solver_options = list(sampling = sampling)))
    }
    # dense rows owe no steps
    expect_equal(coef(fit(problem$x)), coef(fit(as.matrix(problem$x))), tolerance = 1e-9)
  }
})

test_that("the average of its table has not drifted after thousands of visits", {
  problem <- small_problem()
  fit <- margin_linear(problem$x, factor(problem$y), loss = "logistic", lambda = 0.01,
                       intercept = "none", solver = "saga",
                       control = margin_control(tol = 1e-13, seed = 1, max_epochs = 1e5))
  newton <- margin_linear(problem$x, factor(problem$y), loss = "logistic", lambda = 0.01,
                          intercept = "none", control = margin_control(tol = 1e-13))
  expect_equal(coef(fit), coef(newton), tolerance = 1e-5)
})
