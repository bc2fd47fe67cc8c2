# S-MISO as it is printed, densely: a table of z_i and their mean.
plain_smiso <- function(p, draws, epochs, smallest = 1) {
  alpha <- min(smallest, p$n * p$mu / draws$smoothness)
  gamma <- 2 * p$n / alpha
  from <- 2 + 2 / alpha
  z <- matrix(0, p$p, p$n)
  mean <- sum <- numeric(p$p)
  t <- weights <- 0
  for (k in seq_along(draws$rows)) {
    epoch <- (k - 1) %/% p$n
    if (epoch >= 2) {
      t <- t + 1
      alpha <- min(alpha, 2 * p$n / (gamma + t))
    }
    i <- draws$rows[k]
    xi <- draws$values[, k]
    a <- alpha * draws$correction[k]
    w <- soft(mean, p$l1 / p$mu)
    slope <- p$n * p$omega[i] / p$W * p$slope(sum(w * xi), i)
    new <- (1 - a) * z[, i] - a / p$mu * slope * xi
    mean <- mean + (new - z[, i]) / p$n
    z[, i] <- new
    if (epoch >= from) {
      sum <- sum + (gamma + t) * mean
      weights <- weights + gamma + t
    }
  }
  expect_equal(mean, rowMeans(z), tolerance = 1e-12)
  list(last = soft(mean, p$l1 / p$mu), average = soft(sum / weights, p$l1 / p$mu))
}

test_that("on the same draws it gives the iterates of the algorithms as they are printed", {
  at <- character()
  for (loss in c("logistic", "squared_hinge")) for (mixture in c(0, 0.4)) {
    p <- perturbed_problem(loss, mixture, lambda = 2)
    for (sampling in c("permutation", "uniform")) {
      draws <- draws_of(p, 40, 5, sampling)
      if (sampling == "permutation") {
        expect_true(all(apply(matrix(draws$rows, p$n), 2L, sort) == seq_len(p$n)))
      }
      fit <- fit_baseline(p, "smiso", 40, 5, sampling = sampling)
      at <- c(at, expect_iterate(fit, plain_smiso(p, draws, 40), average = TRUE))
      fit <- fit_baseline(p, "smiso", 40, 5, sampling = sampling, choose = FALSE)
      expect_average(fit, plain_smiso(p, draws, 40))
    }
    bound <- p$n * p$omega / p$W * rowSums(p$x^2) / 0.75^2 / p$loss$gamma
    smallest <- min(0.5 + bound / (2 * mean(bound)))
    plain <- plain_smiso(p, draws_of(p, 6, 6, "nonuniform"), 6, smallest)
    fit <- fit_baseline(p, "smiso", 6, 6, sampling = "nonuniform", averaging = FALSE)
    expect_iterate(fit, plain)
  }
  expect_true(all(c("last", "average") %in% at))
})

test_that("without perturbations it converges linearly, to rounding", {
  for (loss in list("logistic", "squared_hinge", loss_huber(0.5))) {
    p <- few_columns()
    fit <- margin_augmented(p$x, if (is.list(loss)) p$y else factor(p$y), new_perturbation(),
                            loss = loss, lambda = 0.1, solver = "smiso",
                            control = margin_control(tol = 1e-12, seed = 1, max_epochs = 3000),
                            intercept = "none", center = FALSE, scale = FALSE)
    expect_true(certificate(fit)$certified)
    trace <- convergence(fit)
    late <- trace[trace$gap > 0 & trace$epoch > 0, ]
    # epochs and the logarithm of the gap are on one line
    expect_lt(cor(late$epoch, log(late$gap)), -0.95)
  }
})

# |w - v| <= r_w + r_v around the common optimum, with r^2 = 2 gap / mu.
expect_same_optimum <- function(a, b, mu) {
  radius <- sqrt(2 * certificate(a)$gap / mu) + sqrt(2 * certificate(b)$gap / mu)
  expect_lte(sqrt(sum((coef(a) - coef(b))^2)), radius)
  expect_lt(radius, 0.2)
}

test_that("every way to draw and to average reaches the exact optimum", {
  case <- reference_case("logistic_dropout0.3_mu0.1")
  for (sampling in c("auto", "permutation", "uniform", "nonuniform")) {
    for (averaging in c(TRUE, FALSE)) for (balanced in c(TRUE, FALSE)) {
      fit <- fit_reference(case, "smiso", seed = 2, tol = 3e-3,
                           solver_options = list(sampling = sampling, averaging = averaging,
                                                 balanced = balanced))
      bound <- certificate(fit)
      excess <- exact_objective(coef(fit), case) - case$objective
      expect_true(bound$certified)
      expect_gte(excess, 0)
      expect_lte(excess, bound$gap)
      expect_lte(bound$bound, case$objective)
    }
  }
})

test_that("the length of a row that a user's function may make is measured", {
  p <- perturbed_problem("squared_hinge", lambda = 0.5)
  drop <- function(size) {
    perturb_custom(function(values, u) ifelse(u < 0.25, 0, size * values / 0.75))
  }
  # 1.5 times the longest of four visits: above the mean and below 1.5 times the bound
  for (size in c(1, 10)) {
    q <- within(p, perturbation <- drop(size))
    seen <- draws_of(q, 1, 2, "uniform")$smoothness
    bound <- size^2 * max(p$n * p$omega / p$W * rowSums(p$x^2)) / 0.75^2 / p$loss$gamma
    expect_gt(seen, 0.75 * bound)
    expect_lte(seen, 1.5 * bound * (1 + 1e-12))
  }
  fit <- function(perturbation, seed) {
    margin_augmented(p$x, factor(p$y), perturbation, loss = "squared_hinge", lambda = p$lambda,
                     weights = p$omega, control = margin_control(seed = seed, max_epochs = 5000),
                     intercept = "none", center = FALSE, scale = FALSE)
  }
  expect_same_optimum(fit(drop(1), 1), fit(perturb_dropout(0.25), 2), p$lambda)
})

test_that("a function that stretches the rows needs no bound of its own", {
  p <- few_columns()
  shrink <- perturb_custom(function(values, u) values * (2 * u)^2)
  fit <- quiet_augmented(5 * p$x, factor(p$y), shrink, lambda = 0.1, solver = "smiso",
                         control = margin_control(tol = 5e-2, max_epochs = 500, seed = 1))
  expect_true(all(is.finite(coef(fit))))
  expect_true(certificate(fit)$certified)
})
