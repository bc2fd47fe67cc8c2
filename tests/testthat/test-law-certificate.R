# Certificates are checked from outside: P, D and feasibility in plain R (helper-certificate.R).

mixtures <- c(0, 0.5, 1)
intercepts <- c("free", "penalized", "none")
labels_for <- function(loss, problem) {
  if (loss$task != "classification") problem$response else factor(problem$y)
}

for (loss in all_losses()) for (intercept in intercepts) {
  label <- sprintf("%s, intercept %s", format(loss), intercept)

  test_that(paste("the certificate is what the definitions say:", label), {
    problem <- small_problem()
    for (k in 1:4) {
      mixture <- c(0, 0, 0.5, 1)[k]
      scale <- k %% 2L == 0L
      lambda <- if (scale) 0.3 else 1e-3
      fit <- quiet_fit(problem$x, labels_for(loss, problem), loss = loss, intercept = intercept,
                       mixture = mixture, scale = scale, lambda = lambda,
                       weights = problem$weights, control = margin_control(seed = 1))
      expect_honest_certificate(fit, problem$x)
      expect_true(fit$certificate$certified)
    }
  })

  test_that(paste("no dual point is above the optimum:", label), {
    problem <- small_problem(n = 40L)
    for (mixture in mixtures) {
      fit <- quiet_fit(problem$x, labels_for(loss, problem), loss = loss, intercept = intercept,
                       mixture = mixture, scale = FALSE, lambda = 0.05, weights = problem$weights,
                       response_scale = FALSE, control = margin_control(tol = 1e-9, seed = 1))
      set.seed(4)
      y <- if (loss$task != "classification") problem$response else problem$y
      points <- lapply(y, function(label) dual_points(loss, label))
      # one column a draw, and one expectation for all of them
      seen <- vapply(1:5, function(draw) {
        a <- vapply(points, sample, 0, 1L)
        w <- rnorm(ncol(problem$x) + (intercept == "penalized"), sd = 0.1)
        c <- probe(
          "certificate", problem$x, y, problem$weights,
          list(loss = loss$name, parameter = loss$parameter, lambda = 0.05, mixture = mixture,
               intercept = intercept), w, 0.2 * (intercept == "free"), a
        )
        # balanced and scaled inside, and feasible after that
        outside <- plain_objectives(
          problem$x, y, problem$weights, loss, 0.05, mixture, intercept,
          if (intercept == "penalized") w[-length(w)] else w,
          if (intercept == "penalized") w[length(w)] else 0.2 * (intercept == "free"), c$dual
        )
        c(bound = c$bound, value = c$value, imbalance = outside$imbalance, dual = outside$dual,
          primal = outside$primal)
      }, numeric(5L))
      size <- abs(fit$certificate$value)
      expect_lte(max(seen["bound", ]), fit$certificate$value + 1e-9 * size)
      expect_gte(min(seen["value", ]), fit$certificate$bound - 1e-9 * size)
      expect_lte(max(seen["imbalance", ]), 1e-12)
      expect_equal(seen["dual", ], seen["bound", ], tolerance = 1e-9)
      expect_equal(seen["primal", ], seen["value", ], tolerance = 1e-12)
    }
  })
}

test_that("with an l1 part the best multiple of a dual point is taken, to a hundredth of the gap", {
  problem <- small_problem(n = 40L)
  for (loss in all_losses()) for (mixture in c(0.2, 0.8, 1)) for (seed in 1:4) {
    set.seed(seed)
    y <- if (loss$task != "classification") problem$response else problem$y
    a <- vapply(y, function(label) sample(dual_points(loss, label), 1L), 0)
    w <- rnorm(ncol(problem$x), sd = 0.1)
    c <- probe("certificate", problem$x, y, problem$weights,
               list(loss = loss$name, parameter = loss$parameter, lambda = 0.05, mixture = mixture,
                    intercept = "none"), w, 0, a)
    # but for a loss whose dual point may be of any size none is longer than it was given
    longest <- if (loss$name == "squared" && mixture == 1) 10 else max(abs(a)) / max(abs(c$dual))
    others <- vapply(seq(0.02, 1, by = 0.02) * min(longest, 1e6), function(multiple) {
      plain_objectives(problem$x, y, problem$weights, loss, 0.05, mixture, "none", w, 0,
                       multiple * c$dual)$dual
    }, 0)
    expect_lte(max(others[is.finite(others)]), c$bound + 0.011 * (c$value - c$bound))
  }
})

test_that("the outside check notices what a wrong certificate would look like", {
  problem <- small_problem()
  fit <- margin_linear(problem$x, factor(problem$y), loss = "logistic", weights = problem$weights,
                       control = margin_control(seed = 1))
  expect_honest_certificate(fit, problem$x)
  differs <- function(broken, x = problem$x) {
    outside <- outside_certificate(broken, x)
    any(abs(c(outside$primal - broken$certificate$value,
              outside$dual - broken$certificate$bound)) > 1e-8) || any(outside$imbalance > 1e-12)
  }
  expect_false(differs(fit))
  flipped <- fit
  flipped$dual <- -fit$dual
  expect_true(differs(flipped))
  stale <- fit
  stale$coefficients[2L] <- fit$coefficients[2L] * 1.2
  expect_true(differs(stale))
  unweighted <- fit
  unweighted$weights <- fit$weights * 0 + 1
  expect_true(differs(unweighted))
  unbalanced <- fit
  unbalanced$dual[1L] <- fit$dual[1L] / 2
  expect_true(differs(unbalanced))
  not_divided <- fit
  not_divided$settings$lambda <- fit$settings$lambda * sum(fit$weights)
  expect_true(differs(not_divided))
})

test_that("several classes and class weights have honest certificates too", {
  fit <- margin_linear(iris[1:4], iris$Species, loss = "squared_hinge",
                       class_weights = c(setosa = 1, versicolor = 2, virginica = 0.5))
  expect_identical(fit$certificate$class, levels(iris$Species))
  expect_honest_certificate(fit, iris[1:4])
})

test_that("sparse fits have honest certificates", {
  problem <- sparse_problem()
  for (solver in c("sdca", "newton", "ssnal", "auto")) {
    fit <- quiet_fit(problem$x, problem$y, intercept = "penalized", solver = solver, mixture = 0.2,
                     lambda = 0.05, control = margin_control(seed = 1))
    expect_honest_certificate(fit, problem$x)
  }
})

test_that("an intercept that is not free is 0 in the certificate of any point", {
  problem <- small_problem()
  n <- nrow(problem$x)
  for (intercept in c("penalized", "none")) {
    w <- seq(-0.2, 0.3, length.out = ncol(problem$x) + (intercept == "penalized"))
    at <- function(b) {
      probe(
        "certificate", problem$x, problem$y, problem$weights,
        list(loss = "logistic", parameter = 1, lambda = 0.05, mixture = 0, intercept = intercept),
        w, b, -problem$y / 2
      )
    }
    expect_identical(at(0.7), at(0))
    at <- function(b) {
      probe(
        "robust_certificate", problem$x, problem$y, problem$weights,
        list(norm = "l2", radius = 0.1, label_cost = 1, ridge = 0.1, intercept = intercept),
        list(w = w, b = b, t = 1, alpha = rep(0.5, n), beta = rep(0, n))
      )[c("value", "bound", "gap")]
    }
    expect_identical(at(0.7), at(0))
  }
})
