# The interior point method of the robust family, against restarted PDHG and by its certificate.

norms <- c("l1", "l2", "linf")
intercepts <- c("none", "penalized", "free")

robust_value <- function(data, ...) {
  fit <- core_robust(data, ..., solver = "interior_point")
  expect_identical(fit$status, "certified")
  fit$value
}

# The certificate once more in plain R: any multipliers in the triangle bound the optimum.
plain_bound <- function(data, norm, radius, label_cost, ridge, intercept, fit,
                        weights = rep(1, nrow(data$x))) {
  share <- weights / sum(weights)
  alpha <- fit$dual
  beta <- fit$dual_flip
  x <- if (intercept == "penalized") cbind(data$x, 1) else data$x
  v <- colSums(share * (alpha - beta) * data$y * x)
  theta <- radius - if (any(beta > 0)) label_cost * sum(share * beta) else 0
  size <- c(l1 = max(abs(v)), l2 = sqrt(sum(v^2)), linf = sum(abs(v)))[[norm]]
  expect_true(all(alpha >= 0 & beta >= 0 & alpha + beta <= 1 + 1e-15))
  if (intercept == "free") expect_lte(abs(sum(share * data$y * (alpha - beta))), 1e-15)
  if (ridge == 0) {
    expect_lte(size, theta + 1e-15)
    return(sum(share * (alpha + beta)))
  }
  expect_gte(theta, -1e-15)
  outside <- switch(norm,
    l1 = sum(pmax(abs(v) - theta, 0)^2),
    l2 = max(size - theta, 0)^2,
    linf = {
      level <- if (size <= theta) 0 else uniroot(
        function(level) sum(pmax(abs(v) - level, 0)) - theta, c(0, max(abs(v))), tol = 1e-15
      )$root
      sum(pmin(abs(v), level)^2)
    }
  )
  sum(share * (alpha + beta)) - outside / (2 * ridge)
}

plain_value <- function(data, radius, label_cost, ridge, intercept, fit,
                        weights = rep(1, nrow(data$x))) {
  u <- data$y * (drop(data$x %*% fit$coefficients) + fit$intercept)
  flip <- if (is.finite(label_cost)) 1 + u - label_cost * fit$norm_bound else -Inf
  w <- c(fit$coefficients, if (intercept == "penalized") fit$intercept)
  radius * fit$norm_bound + sum(weights * pmax(1 - u, flip, 0)) / sum(weights) +
    ridge / 2 * sum(w^2)
}

test_that("one class: a certificate for every intercept, and the closed form of a free one", {
  data <- robust_instance("small_onecl")
  for (norm in norms) for (ridge in c(0, 0.3)) for (kappa in c(0.5, 2, Inf)) {
    for (radius in c(0.3, 0.01)) {
      label <- paste(norm, ridge, kappa, radius)
      for (intercept in intercepts) {
        fit <- core_robust(data, norm, radius, kappa, ridge, intercept)
        expect_identical(fit$status, "certified", info = paste(label, intercept))
      }
      expect_equal(fit$value, min(1, 2 * radius / kappa), tolerance = 1e-14, info = label)
      # the iteration has to come close as well
      penalized <- core_robust(data, norm, radius, kappa, ridge, "penalized")
      expect_gte(penalized$value, fit$value - 1e-12, label = label)
    }
  }
})

test_that("rounding of steps that rows leave open does not reach the bound", {
  # all three pieces meet at the optimum of many rows: theta = 0, so v must vanish
  fit <- margin_robust(a1a$x[, 1:119], a1a$y, norm = "linf", radius = 0.1,
                       solver = "interior_point", control = margin_control(tol = 1e-10),
                       intercept = "none", scale = FALSE)
  expect_true(fit$certificate$certified)
  expect_equal(fit$certificate$value, 0.62242990654, tolerance = 1e-10)
  wide <- robust_small(12L, 30L)
  for (norm in norms) for (intercept in intercepts) {
    for (kappa in c(0.5, 2)) for (radius in c(0.1, 0.01)) {
      robust_value(wide, norm, radius, kappa, 0, intercept)
    }
  }
})

test_that("with more columns than rows the system is one over rows, and as exact", {
  wide <- robust_small(12L, 30L)
  weights <- c(rep(1, 6), rep(2.5, 5), 0)
  for (norm in norms) for (intercept in intercepts) {
    for (kappa in c(0.5, 2, Inf)) for (ridge in c(0, 1e-4, 0.3)) {
      fit <- core_robust(wide, norm, 0.05, kappa, ridge, intercept, weights, "interior_point")
      label <- paste(norm, intercept, kappa, ridge)
      expect_identical(fit$status, "certified", info = label)
      value <- plain_value(wide, 0.05, kappa, ridge, intercept, fit, weights)
      expect_equal(fit$value, value, tolerance = 1e-12, info = label)
      bound <- plain_bound(wide, norm, 0.05, kappa, ridge, intercept, fit, weights)
      expect_equal(bound, value, tolerance = 2e-9, info = label)
    }
  }
})

test_that("auto takes the matrix where it is small and passes where it is not", {
  fit <- margin_robust(a1a$x, a1a$y, control = margin_control(seed = 1),
                       intercept = "none", scale = FALSE)
  expect_identical(fit$status$solver, "interior_point")
  # the matrix is as large as the smaller side of x
  for (n in c(40L, 3200L)) {
    wide <- Matrix::sparseMatrix(i = rep(seq_len(n), 2), j = c(seq_len(n), rep(c(50, 3500), n / 2)),
                                 x = 1, dims = c(n, 3500L))
    y <- rep(c(1, -1), n / 2)
    fit <- margin_robust(wide, y, radius = 0.1, norm = "l2", ridge = 0.1,
                         control = margin_control(seed = 1), intercept = "none", scale = FALSE)
    expect_identical(fit$status$solver, if (n > 3000) "pdhg" else "interior_point")
    expect_true(fit$certificate$certified)
  }
})

test_that("too many columns are an error that names the remedy, but where rows are few", {
  fit <- function(n, ...) {
    wide <- Matrix::sparseMatrix(i = seq_len(n), j = seq_len(n) %% 3001 + 1, x = 1,
                                 dims = c(n, 3001L))
    margin_robust(wide, rep_len(c(1, -1), n), solver = "interior_point", intercept = "none",
                  scale = FALSE, ...)
  }
  few <- fit(4L, norm = "l2")
  expect_true(certificate(few)$certified)
  expect_match(few$status$solver, "interior_point")
  expect_error(
    fit(4L, radius = 0),
    "at most 3000 columns; `x` has 3001. Use solver = \"pdhg\"", class = "dualmargin_input_error"
  )
  expect_error(
    fit(3001L), "at most 3000 columns or rows; `x` has 3001 and 3001. Use solver = \"pdhg\"",
    class = "dualmargin_input_error"
  )
})
