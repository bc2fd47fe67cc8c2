plain_svrg <- function(p, stages, seed, step = 0.1, passes = 2) {
  eta <- step / (p$n * p$row_smoothness)
  w <- numeric(p$p)
  draws <- split(row_draws(seed, p$n, stages * passes), rep(seq_len(stages), each = passes * p$n))
  for (stage in draws) {
    slope <- p$slope(drop(p$x %*% w), seq_len(p$n))
    mu <- dual_sum(p, slope)
    for (i in stage) {
      change <- p$n * p$omega[i] / p$W * (p$slope(sum(p$x[i, ] * w), i) - slope[i])
      w <- soft(w - eta * (mu + change * p$x[i, ]), eta * p$l1) / (1 + eta * p$l2)
    }
  }
  w
}

test_that("its lazy steps give the iterates of prox-SVRG taken densely", {
  for_each_case(function(p) {
    # a stage is a full gradient and two passes; the next full gradient ends the run
    fit <- fit_epochs(p, "svrg", 7, seed = 6)
    expect_equal(unname(coef(fit)), plain_svrg(p, 2, 6), tolerance = 1e-9)
  })
})

test_that("on sparse rows, with steps owed for long, it is the same method", {
  problem <- sparse_problem(n = 60L, p = 25L)
  for (solver in c("svrg", "katyusha", "spdc")) for (mixture in c(0, 0.5)) {
    fit <- function(x) {
      quiet_fit(x, problem$y, lambda = 1e-2, mixture = mixture, intercept = "none", scale = FALSE,
                solver = solver, control = margin_control(tol = 1e-300, max_epochs = 7, seed = 3))
    }
    # dense rows owe no steps
    expect_equal(coef(fit(problem$x)), coef(fit(as.matrix(problem$x))), tolerance = 1e-9)
  }
})
