# The interior point method: an independent road to the optima of the plain hinge.

hinge_fit <- function(x, y, solver = "interior_point", tol = 1e-10, ...) {
  margin_linear(x, y, loss = "hinge", solver = solver, ...,
                control = margin_control(tol = tol, seed = 1))
}

test_that("nothing to learn from: all rows zero, or both labels on every row", {
  labels <- factor(rep(c("a", "b", "b"), 20))
  fit <- hinge_fit(matrix(0, 60, 2), labels)
  expect_equal(fit$certificate$value, 2 / 3, tolerance = 1e-10)
  rows <- small_problem(n = 20L)$x
  fit <- hinge_fit(rows[rep(1:20, 3), ], factor(rep(c("a", "b", "b"), each = 20)), lambda = 0.1)
  expect_equal(fit$certificate$value, 2 / 3, tolerance = 1e-10)
})

test_that("a9a: the known optima of the plain hinge to nine digits", {
  data <- tryCatch(margin_data("a9a"), dualmargin_input_error = function(e) NULL)
  skip_if(is.null(data), "a9a is not on this machine")
  known <- c("1e-2" = 0.380703366165, "1e-4" = 0.35176180047, "1e-6" = 0.35081807270)
  for (lambda in names(known)) {
    fit <- hinge_fit(data$x, data$y, lambda = as.numeric(lambda), scale = FALSE, intercept = "none")
    expect_true(fit$certificate$certified)
    expect_equal(fit$certificate$value, known[[lambda]], tolerance = 1e-9)
    expect_lte(fit$certificate$bound, known[[lambda]] * (1 + 1e-9))
  }
})

test_that("a run cut short warns, and its bound is valid all the same", {
  problem <- small_problem(n = 200L)
  y <- factor(problem$y)
  for (mixture in c(0, 0.5, 1)) for (epochs in c(1, 10, 30)) {
    expect_warning(
      fit <- margin_linear(problem$x, y, loss = "hinge", lambda = 1e-3, mixture = mixture,
                           solver = "interior_point",
                           control = margin_control(tol = 1e-10, max_epochs = epochs)),
      "Raise max_epochs", class = "dualmargin_not_certified"
    )
    best <- hinge_fit(problem$x, y, lambda = 1e-3, mixture = mixture)
    expect_honest_certificate(fit, problem$x)
    expect_lte(fit$certificate$bound, best$certificate$value)
    expect_gte(fit$certificate$value, best$certificate$bound)
  }
})
