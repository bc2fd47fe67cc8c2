# The interior point method: an independent road to the optima of the plain hinge.

hinge_fit <- function(x, y, solver = "interior_point", tol = 1e-10, ...) {
  margin_linear(x, y, loss = "hinge", solver = solver, ...,
                control = margin_control(tol = tol, seed = 1))
}

# Certified, honest, and at the optimum that SSNAL certifies: values to 1e-9, and where the penalty
# is strongly convex |w - v| <= sqrt(2 gap / l2) from either side.
expect_agreement <- function(x, y, ..., lambda, mixture = 0, peer_tol = 1e-10, label = "") {
  fit <- hinge_fit(x, y, lambda = lambda, mixture = mixture, ...)
  peer <- hinge_fit(x, y, solver = "ssnal", tol = peer_tol, lambda = lambda, mixture = mixture, ...)
  expect_true(fit$certificate$certified, info = label)
  expect_true(peer$certificate$certified, info = label)
  expect_honest_certificate(fit, x)
  size <- max(fit$certificate$value, 1e-10)
  expect_lte(abs(fit$certificate$value - peer$certificate$value), 1e-9 * size, label = label)
  expect_lte(fit$certificate$bound, peer$certificate$value + 1e-12 * size)
  expect_lte(peer$certificate$bound, fit$certificate$value + 1e-12 * size)
  l2 <- lambda * (1 - mixture)
  if (l2 > 0) {
    distance <- sqrt(sum((dualmargin:::scaled_slopes(fit) - dualmargin:::scaled_slopes(peer))^2))
    reach <- function(fit) sqrt(2 * max(fit$certificate$gap, 1e-16) / l2)
    expect_lte(distance, reach(fit) + reach(peer), label = label)
  }
  invisible(fit)
}

for (intercept in c("free", "penalized", "none")) {
  test_that(paste("it agrees with ssnal on dense rows with weights, intercept", intercept), {
    problem <- small_problem(n = 200L)
    weights <- rep_len(c(1, 2, 0, 3, 0.5), 200)
    for (mixture in c(0, 0.5, 1)) for (lambda in c(0.05, 0.001)) {
      label <- paste(mixture, lambda)
      y <- factor(problem$y)
      expect_agreement(problem$x, y, intercept = intercept, mixture = mixture, lambda = lambda,
                       weights = weights, label = label)
    }
  })

  test_that(paste("it agrees with ssnal on sparse rows, intercept", intercept), {
    problem <- sparse_problem()
    for (mixture in c(0, 0.5, 1)) {
      fit <- expect_agreement(problem$x, problem$y, intercept = intercept, mixture = mixture,
                              lambda = 0.02, label = mixture)
      dense <- hinge_fit(as.matrix(problem$x), problem$y, intercept = intercept,
                         mixture = mixture, lambda = 0.02)
      expect_equal(fit$certificate$value, dense$certificate$value, tolerance = 1e-10)
    }
  })
}

test_that("separable rows, fewer rows than columns, constant columns, zero rows", {
  set.seed(4)
  x <- matrix(rnorm(120 * 4), 120)
  separable <- factor(x[, 1] > 0)
  for (mixture in c(0, 0.5, 1)) {
    expect_agreement(x, separable, lambda = 1e-2, mixture = mixture, label = mixture)
  }
  for (intercept in c("free", "none")) {
    expect_agreement(x, separable, lambda = 1e-8, intercept = intercept, label = intercept)
  }
  wide <- matrix(rnorm(40 * 200), 40)
  labels <- factor(rep_len(c("a", "b", "b"), 40))
  for (mixture in c(0, 0.5, 1)) {
    expect_agreement(wide, labels, lambda = 0.02, mixture = mixture, label = mixture)
  }
  # indicators of a factor add up to the intercept: the last pivot is nothing but rounding
  level <- rep_len(1:4, 120)
  noisy <- factor(x[, 1] + (level == 2) + rnorm(120) > 0)
  for (lambda in c(1e-2, 1e-6)) {
    expect_agreement(cbind(x, outer(level, 1:4, `==`) * 1), noisy, lambda = lambda, label = lambda)
  }
  expect_agreement(cbind(x, 3, 0), noisy, lambda = 1e-6)
  x[c(1, 5), ] <- 0
  expect_agreement(x, noisy, lambda = 1e-3, mixture = 0.5)
})

test_that("nothing to learn from: all rows zero, or both labels on every row", {
  labels <- factor(rep(c("a", "b", "b"), 20))
  fit <- hinge_fit(matrix(0, 60, 2), labels)
  expect_equal(fit$certificate$value, 2 / 3, tolerance = 1e-10)
  rows <- small_problem(n = 20L)$x
  fit <- hinge_fit(rows[rep(1:20, 3), ], factor(rep(c("a", "b", "b"), each = 20)), lambda = 0.1)
  expect_equal(fit$certificate$value, 2 / 3, tolerance = 1e-10)
})

test_that("unscaled columns, 0.1 to 30, and costs up to 1e4", {
  set.seed(1)
  label <- rbinom(500L, 1L, 0.5)
  x <- matrix(rnorm(500L * 20L), 500L) + outer(label, rnorm(20L, 0, 0.25))
  x <- x %*% diag(exp(seq(log(0.1), log(30), length.out = 20L)))
  for (cost in c(1, 1e4)) for (intercept in c("free", "penalized", "none")) {
    fit <- expect_agreement(x, factor(label), lambda = 1 / (500 * cost), scale = FALSE,
                            intercept = intercept, label = paste(cost, intercept))
    expect_lt(fit$status$steps, 40)
  }
})

test_that("several classes, each with its certificate", {
  fit <- hinge_fit(as.matrix(iris[, 1:4]), iris$Species, lambda = 1e-3)
  peer <- hinge_fit(as.matrix(iris[, 1:4]), iris$Species, lambda = 1e-3, solver = "ssnal")
  expect_true(all(fit$certificate$certified))
  expect_honest_certificate(fit, as.matrix(iris[, 1:4]))
  expect_equal(fit$certificate$value, peer$certificate$value, tolerance = 1e-9)
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

test_that("no random numbers and no start enter", {
  problem <- small_problem(n = 100L)
  fit <- function(...) {
    margin_linear(problem$x, factor(problem$y), loss = "hinge", solver = "interior_point",
                  control = margin_control(...))
  }
  expect_identical(coef(fit(seed = 1)), coef(fit(seed = 2)))
  expect_identical(coef(fit(start = fit(seed = 1))), coef(fit(seed = 1)))
})

test_that("what it cannot do is an error that names the remedy", {
  problem <- small_problem()
  expect_error(
    margin_linear(problem$x, factor(problem$y), loss = "logistic", solver = "interior_point"),
    "solver \"auto\" or \"newton\"", class = "dualmargin_input_error"
  )
  wide <- Matrix::sparseMatrix(i = rep(1:4, 2), j = 1:8, x = 1, dims = c(4L, 3001L))
  expect_error(
    margin_linear(wide, c(1, -1, 1, -1), loss = "hinge", solver = "interior_point"),
    "at most 3000 columns; `x` has 3001. Use solver = \"ssnal\"", class = "dualmargin_input_error"
  )
})
