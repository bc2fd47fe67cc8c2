plain_saga <- function(p, draws, falls, w = NULL, step = 1) {
  eta <- step / (3 * (draws$smoothness + p$mu))
  steps <- plain_steps(eta, p$mu, p$n, length(draws$rows))
  if (!falls) steps <- list(eta = rep(eta, length(draws$rows)), weight = 0 * steps$weight)
  slope <- function(z, i) p$n * p$omega[i] / p$W * p$slope(z, i)
  x <- as.matrix(p$x)
  table <- if (is.null(w)) 0 * x else slope(drop(x %*% w), seq_len(p$n)) * x
  w <- if (is.null(w)) numeric(p$p) else w
  sum <- 0
  for (t in seq_along(draws$rows)) {
    i <- draws$rows[t]
    xi <- draws$values[, t]
    eta <- steps$eta[t]
    z <- slope(sum(w * xi), i) * xi
    w <- soft((1 - eta * p$mu) * w - eta * (z - table[i, ] + colMeans(table)), eta * p$l1)
    table[i, ] <- z
    sum <- sum + steps$weight[t] * w
  }
  list(last = unname(w), average = unname(sum / sum(steps$weight)))
}

draws_of_saga <- function(p, epochs, seed, ...) draws_of(p, epochs, seed, "uniform", ...)

test_that("on the same draws they give the iterates of SAGA taken densely", {
  at <- character()
  for (loss in c("logistic", "squared_hinge", "smooth_hinge", "huber")) {
    for (mixture in c(0, 0.4)) {
      p <- perturbed_problem(loss, mixture)
      fit <- fit_baseline(p, "nsaga", 5, 5)
      draws <- draws_of_saga(p, 5, 5)
      expect_iterate(fit, plain_saga(p, draws, FALSE))
      fit <- fit_baseline(p, "saga_decay", 5, 5, averaging = FALSE, step = 0.5)
      expect_iterate(fit, plain_saga(p, draws, TRUE, step = 0.5))
      fit <- fit_baseline(p, "saga_decay", 5, 5, balanced = FALSE)
      draws <- draws_of_saga(p, 5, 5, balanced = FALSE)
      at <- c(at, expect_iterate(fit, plain_saga(p, draws, TRUE), average = TRUE))
      fit <- fit_baseline(p, "saga_decay", 5, 5, balanced = FALSE, choose = FALSE)
      expect_average(fit, plain_saga(p, draws, TRUE))
    }
  }
  expect_true("average" %in% at)
})

test_that("their scale may fall far below the smallest number in a single epoch", {
  p <- perturbed_problem(lambda = 50, n = 3000L, p = 3L)
  draws <- draws_of_saga(p, 4, 2)
  steps <- plain_steps(1 / (3 * (draws$smoothness + p$mu)), p$mu, p$n, length(draws$rows))
  expect_lt(sum(log(1 - steps$eta[1:3000] * p$mu)), log(1e-150))
  expect_lt(prod(1 - steps$eta[6001:9000] * p$mu), 1e-5)
  expect_iterate(fit_baseline(p, "saga_decay", 4, 2), plain_saga(p, draws, TRUE), average = TRUE)
})

test_that("without a perturbation both converge linearly, to the same optimum", {
  case <- reference_case("logistic_dropout0_mu0.1")
  for (solver in c("nsaga", "saga_decay")) {
    fit <- fit_reference(case, solver, seed = 1, tol = 1e-13, certify_every_epoch = TRUE)
    expect_true(fit$certificate$certified)
    expect_equal(exact_objective(coef(fit), case), case$objective, tolerance = 1e-10)
    expect_equal(unname(coef(fit)), case$w, tolerance = 1e-6)
    # every ten epochs another factor, until rounding
    trace <- convergence(fit)
    gaps <- trace$gap[seq(1, nrow(trace) - 1, by = 10)]
    expect_gte(length(gaps), 3L)
    expect_lt(max(gaps[-1L] / gaps[-length(gaps)]), 1e-2)
  }
  # and with an l1 part, to that of another family's solver
  p <- perturbed_problem(mixture = 0.5, perturbation = new_perturbation())
  control <- margin_control(tol = 1e-11, seed = 1)
  fit <- margin_augmented(p$x, factor(p$y), new_perturbation(), lambda = 0.1, mixture = 0.5,
                          weights = p$omega, solver = "nsaga", control = control,
                          intercept = "none", center = FALSE, scale = FALSE)
  other <- margin_linear(p$x, factor(p$y), loss = "logistic", lambda = 0.1, mixture = 0.5,
                         intercept = "none", scale = FALSE, weights = p$omega, control = control)
  expect_equal(fit$certificate$value, other$certificate$value, tolerance = 1e-10)
  expect_equal(coef(fit), coef(other), tolerance = 1e-4)
})
