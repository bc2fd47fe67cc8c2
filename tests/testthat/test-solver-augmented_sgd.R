plain_sgd <- function(p, draws, w = numeric(p$p), step = 1) {
  steps <- plain_steps(step / (draws$smoothness + p$mu), p$mu, p$n, length(draws$rows))
  sum <- 0
  for (t in seq_along(draws$rows)) {
    i <- draws$rows[t]
    xi <- draws$values[, t]
    eta <- steps$eta[t]
    slope <- p$n * p$omega[i] / p$W * draws$correction[t] * p$slope(sum(w * xi), i)
    w <- soft((1 - eta * p$mu) * w - eta * slope * xi, eta * p$l1)
    sum <- sum + steps$weight[t] * w
  }
  list(last = w, average = sum / sum(steps$weight))
}

test_that("on the same draws it gives the iterates of SGD taken densely", {
  at <- character()
  epochs <- 20 # until all points are better than w = 0, which a fit would return instead
  for (loss in c("logistic", "squared_hinge", "smooth_hinge", "huber")) {
    for (sampling in c("uniform", "nonuniform")) for (mixture in c(0, 0.4)) {
      p <- perturbed_problem(loss, mixture)
      draws <- draws_of(p, epochs, 6, sampling)
      fit <- fit_baseline(p, "sgd", epochs, 6, sampling = sampling)
      at <- c(at, expect_iterate(fit, plain_sgd(p, draws), average = TRUE))
      fit <- fit_baseline(p, "sgd", epochs, 6, sampling = sampling, choose = FALSE)
      expect_average(fit, plain_sgd(p, draws))
      draws <- draws_of(p, epochs, 6, sampling, balanced = FALSE)
      fit <- fit_baseline(p, "sgd", epochs, 6, sampling = sampling, averaging = FALSE,
                          balanced = FALSE, step = 0.5)
      expect_iterate(fit, plain_sgd(p, draws, step = 0.5))
    }
  }
  expect_true("average" %in% at)
})

test_that("its steps are no longer than the smoothness of the rows drawn allows", {
  p <- perturbed_problem("squared_hinge")
  bound <- p$n * p$omega / p$W * rowSums(p$x^2) / 0.75^2 / p$loss$gamma
  uniform <- draws_of(p, 1, 1, sampling = "uniform")
  expect_equal(uniform$smoothness, max(bound))
  expect_identical(unique(uniform$correction), 1)
  uneven <- draws_of(p, 1, 1, sampling = "nonuniform")
  expect_equal(uneven$smoothness, mean(bound))
  expect_equal(uneven$correction, 1 / (0.5 + bound[uneven$rows] / (2 * mean(bound))))
})

test_that("its scale may fall far below the smallest number in a single epoch", {
  p <- perturbed_problem(lambda = 50, n = 2000L, p = 3L)
  draws <- draws_of(p, 4, 2)
  steps <- plain_steps(1 / (draws$smoothness + p$mu), p$mu, p$n, length(draws$rows))
  expect_lt(sum(log(1 - steps$eta[1:2000] * p$mu)), log(1e-300))
  expect_lt(prod(1 - steps$eta[4001:6000] * p$mu), 1e-5)
  fit <- fit_baseline(p, "sgd", 4, 2)
  expect_iterate(fit, plain_sgd(p, draws), average = TRUE)
})

test_that("it sees what a user's function makes of the rows", {
  # of so many rows one visit is enough for a certificate
  p <- perturbed_problem(n = 500L, perturbation = perturb_custom(function(values, u) {
    ifelse(u < 0.25, 0, values / 0.75)
  }))
  fit <- fit_baseline(p, "sgd", 5, 6, averaging = FALSE)
  expect_iterate(fit, plain_sgd(p, draws_of(p, 5, 6)))
})
