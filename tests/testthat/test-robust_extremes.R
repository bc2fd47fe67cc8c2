# Weights, options and data near the ends of double precision, in the robust family.

extreme_data <- function() {
  set.seed(1)
  list(x = matrix(rnorm(80), 20), y = rep(c(-1, 1), 10))
}

# What every fit keeps, whatever was asked: finite coefficients, value and bound that are those of
# the point, and a bound that no model is below.
expect_sound <- function(fit, data, best) {
  expect_true(all(is.finite(c(coef(fit), fit$dual, fit$dual_flip))))
  expect_honest_robust(fit, data$x)
  expect_lte(fit$certificate$bound, best$certificate$value)
  expect_gte(fit$certificate$value, best$certificate$bound)
}

test_that("options near the largest and the smallest double end the method, not the session", {
  data <- extreme_data()
  cases <- list(
    isg = c("step", "floor"), hybrid = c("step", "floor", "change", "shrink"),
    ippa = c("step", "floor", "shrink"), gs_admm = c("penalty", "growth")
  )
  # what is farther out is refused, see test-validate_size.R
  values <- list(step = c(9e11, 2e-12), floor = c(1e-300, 1 - 1e-16),
                 change = c(1e-300, 1 - 1e-16), shrink = c(1e-300, 1 - 1e-16),
                 penalty = c(9e11, 2e-12), growth = 1.999)
  for (intercept in c("none", "free")) for (norm in c("l1", "l2")) {
    best <- margin_robust(data$x, data$y, norm = norm, intercept = intercept, scale = FALSE)
    for (solver in names(cases)) for (option in cases[[solver]]) for (value in values[[option]]) {
      fit <- quiet_robust(data$x, data$y, norm = norm, intercept = intercept, solver = solver,
                          control = margin_control(solver_options = structure(list(value),
                                                                              names = option),
                                                   max_epochs = 200, seed = 1))
      expect_sound(fit, data, best)
    }
  }
})

test_that("from a radius of half the label cost on w = 0 is the fit, of every solver and size", {
  data <- extreme_data()
  solvers <- margin_solvers("robust")$name
  for (solver in solvers) for (intercept in c("none", "free")) for (end in c(1e-50, 1, 1e99)) {
    for (beyond in c(1, 1 + 1e-15, 1e9)) {
      cost <- 2 * end / max(beyond, 1)
      fit <- quiet_robust(data$x, data$y, norm = "l1", radius = end, label_cost = cost,
                          intercept = intercept, solver = solver)
      expect_identical(fit$status$solver, "closed form")
      expect_true(certificate(fit)$certified)
      expect_equal(certificate(fit)$value, 1)
      expect_true(all(coef(fit) == 0))
    }
  }
})

# With w = 0, P is piecewise linear in b and t: its least vertex is one label for all at t = 2 / kappa,
# or half of each label.
test_that("rows that are all alike are fitted by the intercept, wherever they lie", {
  y <- c(-1, 1, -1, 1, 1, -1)
  weights <- c(1, 1, 2, 0.5, 1, 3)
  minority <- sum(weights[y > 0]) / sum(weights)
  for (norm in c("l1", "l2", "linf")) for (ridge in c(0, 0.06)) for (radius in c(1e-9, 0.02, 0.3)) {
    for (at in c(0, 1, 0.1, 1e-8, 1e-16, 1e8 / 3)) {
      fit <- margin_robust(matrix(at, 6, 1), factor(y), weights = weights, norm = norm,
                           radius = radius, ridge = ridge, scale = FALSE)
      expect_true(fit$certificate$certified)
      expect_equal(fit$certificate$value, min(1, 2 * radius + 2 * minority), tolerance = 1e-6)
    }
  }
})
