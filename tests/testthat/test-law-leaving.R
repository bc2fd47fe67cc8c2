# Rows that leave together (src/decide/removal_step.h): what the fit alone says of their scores holds of
# refits without them.

test_that("groups of a linear fit are where refits have them", {
  by <- character()
  for (seed in 1:24) {
    problem <- certain_problem(seed)
    problem$arguments$loss <- if (seed %% 2) "logistic" else "squared"
    if (seed %% 3) problem$arguments$mixture <- 0
    fit <- certain_fit(problem, 10^-(4 + seed %% 7))
    n <- nrow(problem$x)
    omega <- if (is.null(problem$arguments$weights)) rep(1, n) else problem$arguments$weights
    groups <- rep_len(seq_len(ceiling(n / 2)), n)
    rule <- if (problem$arguments$mixture == 0 && seed %% 5 == 0) "lambda" else "cost"
    loo <- margin_loo(fit, problem$x, problem$y, groups = groups, rule = rule, precision = Inf)$rows
    by <- c(by, loo$by)
    for (g in groups[!duplicated(groups) & loo$by == "bound"]) {
      out <- which(groups == g)
      left <- replace(omega, out, 0)
      if (length(unique(problem$y[left > 0])) < 2L) next
      best <- changed_optimum(fit, problem$x, problem$y, left, problem$x[out, , drop = FALSE], rule)
      expect_true(all(loo$lower[out] <= best[, 2L] & loo$upper[out] >= best[, 1L]), info = seed)
    }
  }
  expect_gt(sum(by == "bound"), 50)
})

test_that("groups of a fit of three classes are", {
  by <- character()
  for (seed in 1:6) {
    set.seed(seed)
    rows <- sample(150, 60)
    lambda <- 10^-(1 + seed %% 3)
    x <- scale(as.matrix(iris[rows, 1:4]))
    fit_of <- function(use, lambda, tol) {
      margin_linear(x[use, ], iris$Species[rows[use]], multiclass = "softmax", lambda = lambda,
                    intercept = if (seed %% 2) "free" else "penalized", scale = FALSE,
                    control = margin_control(tol = tol))
    }
    groups <- rep(1:30, 2L)
    loo <- margin_loo(suppressWarnings(fit_of(1:60, lambda, 1e-8)), x, iris$Species[rows], groups = groups,
                      precision = Inf)$rows
    by <- c(by, loo$by)
    for (g in sample(unique(groups[loo$by == "bound"]), 3L)) {
      out <- which(groups == g)
      left <- suppressWarnings(fit_of(-out, lambda * 60 / 58, 1e-13))
      z <- predict(left, x[out, ], type = "score")
      z <- z - z[cbind(1:2, match(iris$Species[rows[out]], colnames(z)))]
      slack <- 1e-6 * max(abs(z))
      expect_true(all(loo[out, paste0("lower_", colnames(z))] <= z + slack), info = seed)
      expect_true(all(loo[out, paste0("upper_", colnames(z))] >= z - slack), info = seed)
    }
  }
  expect_gt(sum(by == "bound"), 150)
})

test_that("groups of a kernel fit are", {
  by <- character()
  for (seed in 1:8) {
    set.seed(seed)
    n <- 36L
    x <- matrix(rnorm(2L * n), n)
    loss <- if (seed %% 2) "logistic" else "squared"
    y <- factor(rowSums(x^2) + rnorm(n) > 1.4)
    weights <- if (seed %% 4 < 2) rep(1, n) else round(rexp(n), 1)
    fit_of <- function(weights, lambda, tol) {
      suppressWarnings(margin_kernel(
        x, y, kernel = kernel_rbf(0.5), loss = loss, lambda = lambda, weights = weights,
        intercept = c("free", "none", "penalized")[seed %% 3 + 1], scale = FALSE,
        control = margin_control(tol = tol)
      ))
    }
    lambda <- 10^-(1 + seed %% 3)
    fit <- fit_of(weights, lambda, 1e-8)
    groups <- rep_len(1:12, n)
    loo <- margin_loo(fit, x, y, groups = groups, precision = Inf)$rows
    by <- c(by, loo$by)
    for (g in utils::head(unique(groups[loo$by == "bound"]), 4L)) {
      out <- which(groups == g)
      left <- replace(weights, out, 0)
      z <- predict(fit_of(left, lambda * sum(weights) / sum(left), 1e-13), x[out, ], type = "score")
      slack <- 1e-6 * max(abs(z))
      expect_true(all(loo$lower[out] <= z + slack & loo$upper[out] >= z - slack), info = seed)
    }
  }
  expect_gt(sum(by == "bound"), 100)
})
