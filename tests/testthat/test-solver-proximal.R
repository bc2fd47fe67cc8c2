# aspdc_i, asdca and proximal_sdca: proximal point iterations around a dual coordinate method.

# Outer stages of `passes` passes; `momentum` is beta.
plain_stages <- function(p, kappa, damped, momentum, stages, passes, seed) {
  a <- numeric(p$n)
  w <- centre <- numeric(p$p)
  draws <- split(row_draws(seed, p$n, stages * passes), rep(seq_len(stages), each = passes * p$n))
  strength <- p$l2 + kappa
  for (stage in draws) {
    for (i in stage) {
      inner <- soft(kappa * centre - dual_sum(p, a), p$l1) / strength
      q <- if (damped) p$omega[i] * sum(p$x[i, ]^2) / (p$W * strength) else 0
      a[i] <- p$dual_step(sum(p$x[i, ] * inner), i, a[i], q)
    }
    before <- w
    w <- soft(kappa * centre - dual_sum(p, a), p$l1) / strength
    centre <- w + momentum * (w - before)
  }
  list(w = w, a = a)
}

test_that("aspdc_i: the iterates of Algorithm 3, centred at the previous outer point", {
  for_each_case(function(p) {
    kappa <- 4 * p$row_smoothness - p$l2
    plain <- plain_stages(p, kappa, damped = FALSE, momentum = 0, stages = 3, passes = 2, seed = 4)
    fit <- fit_epochs(p, "aspdc_i", 6, seed = 4)
    expect_equal(unname(coef(fit)), plain$w, tolerance = 1e-9)
    kappa <- 2 * p$row_smoothness - p$l2
    plain <- plain_stages(p, kappa, damped = FALSE, momentum = 0, stages = 2, passes = 1, seed = 4)
    fit <- fit_epochs(p, "aspdc_i", 2, seed = 4, strength = 2, inner_passes = 1)
    expect_equal(unname(coef(fit)), plain$w, tolerance = 1e-9)
  })
})

test_that("asdca: momentum from the previous w", {
  for_each_case(function(p) {
    expect_gt(p$row_smoothness, 10 * p$l2)
    kappa <- p$row_smoothness - p$l2
    eta <- sqrt(p$l2 / 2 / (p$l2 / 2 + kappa))
    plain <- plain_stages(p, kappa, damped = TRUE, momentum = (1 - eta) / (1 + eta), stages = 4,
                          passes = 2, seed = 4)
    expect_equal(unname(coef(fit_epochs(p, "asdca", 8, seed = 4))), plain$w, tolerance = 1e-9)
  }, lambda = 1e-3)
})

test_that("asdca on a well-conditioned problem is sdca", {
  p <- plain_problem(as_loss("logistic"), lambda = 5)
  asdca <- fit_epochs(p, "asdca", 2, seed = 8)
  sdca <- fit_epochs(p, "sdca", 2, seed = 8, sampling = "uniform")
  expect_equal(coef(asdca), coef(sdca), tolerance = 1e-12)
})

test_that("proximal_sdca: kappa = 1/(n gamma), no momentum", {
  for_each_case(function(p) {
    plain <- plain_stages(p, p$row_smoothness, damped = TRUE, momentum = 0, stages = 3, passes = 2,
                          seed = 4)
    expect_equal(unname(coef(fit_epochs(p, "proximal_sdca", 6, seed = 4))), plain$w,
                 tolerance = 1e-9)
  })
})

test_that("with a small lambda both need fewer epochs than sdca, asdca far fewer", {
  set.seed(21)
  n <- 400L
  x <- cbind(1, matrix(rnorm(n * 8L), n))
  y <- ifelse(x[, 2L] + 0.7 * rnorm(n) > 0, 1, -1)
  x <- x / sqrt(rowSums(x^2))
  epochs <- function(solver, ...) {
    control <- margin_control(tol = 1e-4, seed = 1, max_epochs = 50000, certify_every_epoch = TRUE,
                              solver_options = list(sampling = "uniform", ...))
    fit <- margin_linear(x, y, lambda = 0.01 / n, scale = FALSE, intercept = "none",
                         solver = solver, control = control, loss = "smooth_hinge")
    fit$status$epochs
  }
  sdca <- epochs("sdca")
  expect_lt(epochs("asdca"), 0.3 * sdca)
  expect_lt(epochs("aspdc_i"), 0.8 * sdca)
})
