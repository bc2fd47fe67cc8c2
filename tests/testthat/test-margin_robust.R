fit_case <- function(problem, case, ...) {
  quiet_robust(problem$x, factor(problem$y), norm = case$norm, ridge = case$ridge,
               label_cost = case$label_cost, intercept = case$intercept, ...)
}

test_that("no multipliers are above the optimum, however they are made", {
  problem <- small_problem(n = 40L)
  cases <- robust_cases()
  set.seed(8)
  for (k in seq_len(nrow(cases))) {
    case <- cases[k, ]
    fit <- fit_case(problem, case, radius = 0.1, weights = problem$weights,
                    control = margin_control(tol = 1e-9))
    best <- fit$certificate
    # one column a draw, and one expectation for all of them
    seen <- vapply(1:8, function(draw) {
      p <- ncol(problem$x) + (case$intercept == "penalized")
      point <- list(w = rnorm(p, sd = 0.3), b = 0.2 * (case$intercept == "free"), t = runif(1),
                    alpha = rnorm(40, 0.3), beta = rnorm(40, 0.1))
      settings <- list(norm = case$norm, radius = 0.1, label_cost = case$label_cost,
                       ridge = case$ridge, intercept = case$intercept)
      c <- probe("robust_certificate", problem$x, problem$y, problem$weights,
                 settings, point)
      free <- case$intercept != "penalized"
      outside <- plain_robust(problem$x, problem$y, problem$weights, settings,
                              if (free) point$w else point$w[-p],
                              if (free) point$b else point$w[p], c$t, c$alpha, c$beta)
      # best_t: no t allowed for this w is better
      at <- function(t) {
        plain_robust(problem$x, problem$y, problem$weights, settings,
                     if (free) point$w else point$w[-p], if (free) point$b else point$w[p], t,
                     c$alpha, c$beta)$primal
      }
      lowest <- plain_norm(point$w, case$norm)
      others <- pmax(lowest, c(lowest, c$best_t + c(-1, -0.01, 0.01, 1)))
      c(bound = c$bound, value = c$value, infeasible = outside$infeasible, dual = outside$dual,
        primal = outside$primal, better_t = max(at(c$best_t) - vapply(others, at, 0)))
    }, numeric(6L))
    expect_lte(max(seen["bound", ]), best$value * (1 + 1e-9))
    expect_gte(min(seen["value", ]), best$bound * (1 - 1e-9))
    expect_lte(max(seen["infeasible", ]), 1e-12)
    expect_equal(seen["dual", ], seen["bound", ], tolerance = 1e-9)
    expect_equal(seen["primal", ], seen["value", ], tolerance = 1e-12)
    expect_lte(max(seen["better_t", ]), 1e-12)
  }
})

test_that("without radius and ridge the bound is one of limited norm, and not certified", {
  problem <- small_problem()
  expect_warning(
    fit <- margin_robust(problem$x, factor(problem$y), radius = 0, label_cost = 2,
                         control = margin_control(max_epochs = 20000),
                         intercept = "none", scale = FALSE),
    "limited norm", class = "dualmargin_not_certified"
  )
  expect_match(fit$certificate$kind, "^duality gap on norm <= ")
  expect_false(fit$certificate$certified)
  limit <- as.numeric(sub(".*<= ", "", fit$certificate$kind))
  # no w of that norm does better by more than the gap
  set.seed(2)
  for (draw in 1:200) {
    w <- coef(fit) + rnorm(ncol(problem$x), sd = 10^runif(1, -4, 0))
    w <- w * min(1, limit / sum(abs(w)))
    risk <- mean(pmax(0, 1 - problem$y * drop(problem$x %*% w)))
    expect_gte(risk, fit$certificate$bound - 1e-9)
  }
  expect_output(print(fit), "NOT certified")
})

test_that("weights that are zero but for rounding are zero, and the certificate is of that point", {
  problem <- small_problem(n = 200L)
  x <- cbind(problem$x[, 1:2], matrix(rnorm(200 * 20), 200))
  fit <- function(radius) {
    margin_robust(x, factor(problem$y), norm = "linf", radius = radius, label_cost = Inf,
                  intercept = "none", scale = FALSE)
  }
  # moves measured by the sum of changes: a radius above every |mean of y x_j| leaves nothing
  expect_identical(unname(coef(fit(1.01 * sum(abs(colMeans(problem$y * x)))))), numeric(22))
  sparse <- margin_robust(x, factor(problem$y), norm = "l1", radius = 0.05, label_cost = Inf,
                          intercept = "none", scale = FALSE)
  size <- abs(coef(sparse))
  expect_gt(sum(size == 0), 5L)
  expect_gt(min(size[size > 0]), 1e-5 * max(size))
  expect_honest_robust(sparse, x)
  expect_true(sparse$certificate$certified)
})

test_that("bad input names argument, value and remedy", {
  x <- matrix(c(1, 2, -1, 0, 3, 1), 3)
  y <- c(1, -1, 1)
  expect_told("margin_robust", "input", {
    margin_robust(x, y, norm = "l3", intercept = "none", scale = FALSE)
    margin_robust(x, y, radius = -1, intercept = "none", scale = FALSE)
    margin_robust(x, y, radius = Inf, intercept = "none", scale = FALSE)
    margin_robust(x, y, label_cost = -2, intercept = "none", scale = FALSE)
    margin_robust(x, y, label_cost = NA, intercept = "none", scale = FALSE)
    margin_robust(x, y, ridge = -0.1, intercept = "none", scale = FALSE)
    margin_robust(x, y, lambda = 1, intercept = "none", scale = FALSE)
    margin_robust(x, y, solver = "newton", intercept = "none", scale = FALSE)
    margin_robust(x, c(1, 1, 1), intercept = "none", scale = FALSE)
    margin_robust(x, c(0.5, 1, 2), intercept = "none", scale = FALSE)
    margin_robust(x, y, control = margin_control(start = margin_linear(x, y,
                                                                       loss = "smooth_hinge")),
                  intercept = "none", scale = FALSE)
    margin_robust(x, y, class_weights = c(1, 2), intercept = "none", scale = FALSE)
    margin_robust("x", y, intercept = "none", scale = FALSE)
    margin_robust(x, intercept = "none", scale = FALSE)
  })
})
