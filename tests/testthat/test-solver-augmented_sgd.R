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

test_that("with uniform draws it takes longer steps when told to", {
  p <- perturbed_problem(n = 60L)
  p$x[1L, ] <- 10 * p$x[1L, ]
  fit <- fit_baseline(p, "sgd", 5, 6, sampling = "uniform", step = 10, averaging = FALSE)
  expect_iterate(fit, plain_sgd(p, draws_of(p, 5, 6, "uniform"), step = 10))
  # too long a step is a fit that says so
  diverged <- fit_baseline(perturbed_problem("squared_hinge"), "sgd", 50, 1, sampling = "uniform",
                           step = 30, averaging = FALSE)
  expect_false(diverged$certificate$certified)
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

test_that("on sparse rows it is the same method", {
  p <- perturbed_problem(n = 60L, p = 25L, sparse = TRUE)
  fit <- fit_baseline(p, "sgd", 5, 3)
  expect_iterate(fit, plain_sgd(p, draws_of(p, 5, 3)), average = TRUE)
  # without perturbations, or without zeros, dense rows see the same
  p$perturbation <- new_perturbation()
  dense <- within(p, x <- as.matrix(x))
  expect_equal(coef(fit_baseline(p, "sgd", 7, 3)), coef(fit_baseline(dense, "sgd", 7, 3)),
               tolerance = 1e-10)
  full <- perturbed_problem()
  full$x <- full$x + 0.1
  stored <- within(full, x <- as(as(x, "CsparseMatrix"), "generalMatrix"))
  expect_equal(coef(fit_baseline(full, "sgd", 7, 3)), coef(fit_baseline(stored, "sgd", 7, 3)),
               tolerance = 1e-10)
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

test_that("balanced draws are nothing to a method that does not remember", {
  case <- reference_case("logistic_dropout0.3_mu0.1")
  gap <- function(solver, balanced) {
    mean(vapply(1:10, function(seed) {
      fit <- fit_reference(case, solver, seed = seed, tol = 1e-9, max_epochs = 200,
                           solver_options = list(balanced = balanced, averaging = FALSE))
      exact_objective(coef(fit), case) - case$objective
    }, 0))
  }
  sgd <- gap("sgd", TRUE)
  smiso <- gap("smiso", TRUE)
  expect_gt(sgd, 0.6 * gap("sgd", FALSE))
  expect_lt(smiso, 0.7 * gap("smiso", FALSE))
  expect_lt(smiso, 0.5 * sgd)
})

test_that("it sees what a user's function makes of the rows", {
  p <- perturbed_problem(perturbation = perturb_custom(function(values, u) {
    ifelse(u < 0.25, 0, values / 0.75)
  }))
  fit <- fit_baseline(p, "sgd", 5, 6, averaging = FALSE)
  expect_iterate(fit, plain_sgd(p, draws_of(p, 5, 6)))
})
