# Laws over the registry of robust solvers.

robust_rows <- solver_rows("robust")
# The incremental methods of the paper approach the optimum, but prove little.
proves <- function(row) !row$name %in% c("isg", "ippa", "hybrid")
tolerance_of <- function(row) if (row$name == "gs_admm") 1e-5 else 1e-7
nearness <- function(row) {
  if (proves(row)) 10 * tolerance_of(row) else if (row$name == "ippa") 5e-3 else 2e-2
}

for (row in robust_rows) {
  solver <- row$name
  control <- function(tol = tolerance_of(row), ...) {
    margin_control(tol = max(tol, tolerance_of(row) / 100), seed = 3,
                   max_epochs = if (proves(row)) 1e5 else 500, ...)
  }
  near <- nearness(row)

  test_that(paste(solver, "reaches the optimum of every norm, label cost, ridge and intercept"), {
    problem <- small_problem()
    cases <- robust_cases(label_costs = c(1, Inf))
    for (k in seq_len(nrow(cases))) {
      case <- cases[k, ]
      fit <- function(solver, ...) {
        quiet_robust(problem$x, factor(problem$y), norm = case$norm, ridge = case$ridge,
                     label_cost = case$label_cost, intercept = case$intercept, radius = 0.1,
                     scale = TRUE, weights = problem$weights, solver = solver, ...)
      }
      best <- fit("auto", control = margin_control(tol = 1e-9))
      here <- fit(solver, control = control())
      label <- paste(unlist(case), collapse = " ")
      expect_honest_robust(here, problem$x)
      expect_lte(here$certificate$value, best$certificate$value * (1 + near), label = label)
      expect_gte(here$certificate$value, best$certificate$bound)
      expect_lte(here$certificate$bound, best$certificate$value)
      if (proves(row)) expect_true(here$certificate$certified, info = label)
    }
  })
}

test_that("the best t is the kink at which the slope passes zero, to the last digit", {
  n <- 20000
  set.seed(3)
  z <- round(rnorm(n, 1), 2)  # most kinks are those of many rows
  y <- sample(c(-1, 1), n, TRUE)
  omega <- rexp(n)
  kink <- (1 + y * z - pmax(1 - y * z, 0)) / 0.7
  down <- order(kink, decreasing = TRUE)
  flipped <- 0.7 * cumsum(omega[down]) / sum(omega)
  for (radius in c(0.01, 0.1, 0.3)) {
    found <- probe("robust_certificate", matrix(z, n, 1), y, omega,
                   list(norm = "l2", radius = radius, label_cost = 0.7, ridge = 0,
                        intercept = "none"),
                   list(w = 1, b = 0, t = 1, alpha = numeric(n), beta = numeric(n)))
    expect_identical(found$best_t, max(1, kink[down][which(flipped > radius)[1]]))
  }
})
