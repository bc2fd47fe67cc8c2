# The interior point method on a factor of the kernel matrix: where pairs of rows creep.

kinked <- list(hinge = "hinge", absolute = "absolute", quantile = loss_quantile(0.2),
               tube = loss_epsilon_insensitive(0.3))
kernel_fit <- function(x, y, ..., solver = "interior_point", tol = 1e-6, max_epochs = 1000) {
  margin_kernel(x, y, ..., solver = solver,
                control = margin_control(tol = tol, seed = 1, max_epochs = max_epochs))
}
# Two certified intervals of one optimum meet.
expect_meeting <- function(a, b, label = NULL) {
  a <- certificate(a)
  b <- certificate(b)
  expect_true(a$certified && b$certified, label = label)
  slack <- 1e-12 * abs(a$value)
  expect_lte(a$bound, b$value + slack, label = label)
  expect_lte(b$bound, a$value + slack, label = label)
}
rows_of <- function(n, d, seed) {
  set.seed(seed)
  x <- matrix(rnorm(n * d), n)
  z <- sin(x[, 1L]) + 0.5 * rnorm(n)
  list(x = x, response = z, class = factor(z > 0), weights = rep_len(c(1, 2, 0, 0.5, 1), n))
}
answer_of <- function(rows, loss) if (identical(loss, "hinge")) rows$class else rows$response

for (name in names(kinked)) {
  test_that(paste("it meets smo, with every intercept and with weights:", name), {
    rows <- rows_of(90L, 3L, 1)
    y <- answer_of(rows, kinked[[name]])
    for (intercept in c("free", "penalized", "none")) for (cost in c(0.1, 10)) {
      fit <- function(solver) {
        kernel_fit(rows$x, y, kernel = kernel_rbf(0.5), loss = kinked[[name]], cost = cost,
                   weights = rows$weights, intercept = intercept, solver = solver,
                   max_epochs = 1e5)
      }
      inner <- fit("interior_point")
      expect_meeting(inner, fit("smo"), paste(intercept, cost))
      expect_identical(inner$status$solver, "interior_point")
    }
  })

  test_that(paste("a linear kernel is the linear problem, dense and sparse:", name), {
    rows <- rows_of(80L, 4L, 2)
    x <- rows$x * (abs(rows$x) > 0.7)
    y <- answer_of(rows, kinked[[name]])
    for (one in list(x, methods::as(x, "CsparseMatrix"))) {
      linear <- margin_linear(one, y, loss = kinked[[name]], lambda = 1e-3, scale = FALSE,
                              intercept = "none", solver = "interior_point",
                              control = margin_control(tol = 1e-8))
      kernel <- kernel_fit(one, y, kernel = as_kernel("linear"), loss = kinked[[name]], lambda = 1e-3,
                           scale = FALSE, center = FALSE, intercept = "none")
      expect_meeting(kernel, linear)
    }
  })
}

test_that("auto finishes the corner of LIBSVM's grid: cost 2^15, gamma 2^-9 and 2^-6", {
  set.seed(5)
  x <- matrix(rnorm(300L * 7L), 300L)
  y <- factor(x[, 1L] + x[, 2L] * x[, 3L] + rnorm(300L) > 0)
  for (gamma in 2^c(-9, -6)) {
    fit <- kernel_fit(x, y, kernel = kernel_rbf(gamma), loss = "hinge", cost = 2^15,
                      solver = "auto")
    expect_true(certificate(fit)$certified)
  }
})

test_that("auto finishes a linear kernel of 40 rows at lambda 1e-8", {
  for (seed in 1:3) {
    set.seed(seed)
    x <- matrix(rnorm(80), 40)
    y <- factor(x[, 1L] + 0.3 * rnorm(40) > 0)
    fit <- kernel_fit(x, y, kernel = as_kernel("linear"), loss = "hinge", lambda = 1e-8,
                      solver = "auto")
    expect_true(certificate(fit)$certified)
    expect_meeting(fit, margin_linear(x, y, loss = "hinge", lambda = 1e-8))
  }
})

test_that("auto of kinked losses at a cost of 1e5 is certified, or ends at the rounding floor", {
  rows <- rows_of(70L, 3L, 4)
  for (loss in kinked) for (gamma in c(1e-3, 1)) {
    fit <- suppressWarnings(kernel_fit(rows$x, answer_of(rows, loss), kernel = kernel_rbf(gamma),
                                       loss = loss, cost = 1e5, solver = "auto"))
    expect_true(fit$status$status %in% c("certified", "rounding_floor"))
  }
})

test_that("auto finishes tubes with a free intercept at lambda 1e-8, on unscaled columns", {
  for (seed in 1:3) {
    set.seed(seed)
    x <- matrix(rnorm(200L * 17L), 200L) %*% diag(10^seq(-2, 2, length.out = 17L))
    y <- drop(scale(x %*% rnorm(17L)))
    fit <- suppressWarnings(
      margin_linear(x, y, loss = loss_epsilon_insensitive(0.3), lambda = 1e-8, scale = FALSE,
                    control = margin_control(seed = 1))
    )
    expect_true(fit$status$status %in% c("certified", "rounding_floor"))
    expect_lt(certificate(fit)$relative_gap, 1e-4)
  }
})

test_that("auto leaves SMO only where its rate promises no end before that of this method", {
  set.seed(1)
  x <- matrix(runif(750), 250)
  y <- sin(6 * x[, 1]) + x[, 2] * x[, 3] + rnorm(250) / 5
  fit <- function(cost) {
    margin_kernel(x, y, loss = "epsilon_insensitive", cost = cost, kernel = kernel_rbf(0.3),
                  control = margin_control(tol = 1e-6, seed = 1, progress = FALSE))
  }
  # a step of this method takes as long as some ten epochs of SMO at 250 rows
  by_smo <- fit(10)
  expect_identical(by_smo$status$solver, "smo")
  expect_lt(by_smo$status$epochs, 250)
  expect_identical(fit(1e4)$status$solver, "interior_point")
  expect_true(all(certificate(by_smo)$certified, certificate(fit(1e4))$certified))
})
