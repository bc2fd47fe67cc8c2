# A robust problem with a free intercept is the same wherever its rows lie, and every robust problem
# is the same in any unit.

shift_data <- function(sparse = FALSE) {
  set.seed(8)
  n <- 40
  # ten bits after the point: adding an integer and doubling are exact
  x <- matrix(round(rnorm(n * 4) * 1024) / 1024, n)
  if (sparse) x[, 3:4] <- x[, 3:4] * rbinom(2 * n, 1, 0.4)
  y <- ifelse(x[, 1] - x[, 2] + rnorm(n, sd = 0.7) > 0, 1, -1)
  list(x = x, y = factor(y), weights = rep_len(c(1, 2, 0.5), n))
}

shift_fit <- function(x, data, unit, norm, ridge, label_cost, ..., intercept = "free") {
  quiet_robust(x, data$y, weights = data$weights, norm = norm, radius = 0.05 * unit,
               label_cost = label_cost * unit, ridge = ridge * unit^2, intercept = intercept, ...)
}

proving <- c("auto", "interior_point", "pdhg", "gs_admm")
all_solvers <- c(proving, "isg", "ippa", "hybrid")

test_that("far from the origin and in another unit it is the same fit, dense", {
  data <- shift_data()
  cases <- robust_cases(intercepts = "free")
  moves <- list(c(1e3, 1), c(1e5, 2^-27), c(1e8, 1), c(-1e8, 2^27), c(0, 2^-27), c(0, 2^27))
  for (k in seq_len(nrow(cases))) {
    case <- cases[k, ]
    solver <- all_solvers[k %% length(all_solvers) + 1]
    control <- margin_control(tol = 1e-7, max_epochs = 300, seed = 1)
    here <- shift_fit(data$x, data, 1, case$norm, case$ridge, case$label_cost, solver = solver,
                      control = control)
    for (move in moves) {
      x <- (data$x + move[1]) * move[2]
      there <- shift_fit(x, data, move[2], case$norm, case$ridge, case$label_cost, solver = solver,
                         control = control)
      info <- paste(c(unlist(case), solver, move), collapse = " ")
      # the optimum lies in both brackets; moved alone the rows inside are even the same numbers
      expect_lte(there$certificate$bound, here$certificate$value * (1 + 1e-12), label = info)
      expect_lte(here$certificate$bound, there$certificate$value * (1 + 1e-12), label = info)
      if (move[2] == 1) {
        expect_identical(there$status$status, here$status$status, info = info)
        expect_equal(there$certificate$value, here$certificate$value, tolerance = 1e-9, info = info)
        expect_equal(there$scores, here$scores, tolerance = 1e-6, info = info)
      }
      # the coefficients are those of the rows as they were given, to the digits of an intercept
      # that makes up for the offset
      slopes <- coef(there)[-1]
      expect_lte(max(abs(predict(there, x, type = "score") - there$scores)),
                 1e-14 * (sum(abs(slopes)) * max(abs(x)) + 1), label = info)
      shifted <- x - move[1] * move[2]
      outside <- plain_robust(shifted, ifelse(data$y == "1", 1, -1), data$weights, there$settings,
                              slopes, 0, there$norm_bound, there$dual, there$dual_flip)
      expect_equal(outside$dual, there$certificate$bound, tolerance = 1e-11, info = info)
      expect_lte(outside$infeasible, 1e-11, label = info)
    }
  }
})

test_that("the worst case of a fit far from the origin is that of the fit at it", {
  data <- shift_data()
  fit <- function(x) {
    margin_robust(x, data$y, intercept = "free", label_cost = 2, control = margin_control(seed = 1),
                  scale = FALSE)
  }
  here <- worst_case(fit(data$x), data$x, data$y)
  for (offset in c(1e8, 2^36)) {
    x <- data$x + offset
    there <- worst_case(fit(x), x, data$y)
    expect_equal(attr(there, "risk"), attr(here, "risk"), tolerance = 1e-9)
    expect_equal(there$distance, here$distance, tolerance = 1e-6)
    expect_identical(there$flipped, here$flipped)
  }
})
