# Golden section over t with ADMM inside, beside PDHG and beside what must hold of any optimum.

rows <- small_problem(50L, 4L)

fit_with <- function(solver, x = rows$x, y = rows$y, ..., max_epochs = 1e6,
                     solver_options = list(), intercept = "none", scale = FALSE) {
  withCallingHandlers(
    margin_robust(x, y, ..., intercept = intercept, scale = scale, solver = solver,
                  control = margin_control(max_epochs = max_epochs, seed = 1,
                                           solver_options = solver_options)),
    dualmargin_not_certified = function(condition) invokeRestart("muffleWarning")
  )
}

# Both intervals hold the optimum.
expect_same_optimum <- function(fit, other, info = NULL) {
  a <- fit$certificate
  b <- other$certificate
  expect_true(a$certified, info = info)
  expect_lte(a$bound, b$value + 1e-12)
  expect_lte(b$bound, a$value + 1e-12)
}

test_that("the cost of the radius is a part of the value, and that at most 1: t <= 1 / radius", {
  for (factor in c(0.1, 10)) for (radius in c(0.01, 0.5)) {
    fit <- fit_with("gs_admm", x = factor * rows$x, norm = "l2", radius = radius)
    expect_true(fit$certificate$certified)
    expect_lte(fit$norm_bound * radius, fit$certificate$value)
    expect_lte(fit$certificate$value, 1 + 2e-6)
  }
})

test_that("without a radius it is the hinge of margin_linear(), or says what it cannot say", {
  for (intercept in c("none", "free")) {
    fit <- fit_with("gs_admm", radius = 0, ridge = 0.3, intercept = intercept)
    linear <- margin_linear(rows$x, rows$y, loss = "hinge", lambda = 0.3, scale = FALSE,
                            intercept = intercept)
    expect_same_optimum(fit, linear)
  }
  plain <- fit_with("gs_admm", radius = 0, max_epochs = 1e5)
  expect_false(plain$certificate$certified)
  expect_match(plain$certificate$kind, "^duality gap on norm <= ")
  expect_equal(plain$certificate$value, fit_with("pdhg", radius = 0)$certificate$value,
               tolerance = 1e-5)
})
