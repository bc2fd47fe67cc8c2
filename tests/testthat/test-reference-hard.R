# Exact margins, normals and iterates of Algorithm 1, made by non-negative least squares of others.

cases <- c("tiny_raw", "tiny_icpt", "small_raw", "small_icpt")

test_that("every margin and every normal of the table is met to its last digit", {
  table <- reference_hard()
  for (case in cases) {
    rows <- table[table$case == case, ]
    value <- function(quantity) rows$value[rows$quantity == quantity]
    data <- reference_hard_data(case)
    u <- rows$value[grepl("^u[0-9]+$", rows$quantity)]
    for (solver in c("auto", "active_set", "dual_cd", "smo")) {
      fit <- hard_fit(data$x, data$y, solver, tol = 1e-10, max_epochs = 20000)
      expect_true(fit$certificate$certified, label = paste(case, solver))
      expect_equal(fit$certificate$value, value("margin"), tolerance = 2e-10)
      expect_gte(fit$certificate$bound, value("margin") - 1e-12)
      expect_lte(max(abs(coef(fit) - u)), if (solver == "smo") 1e-4 else 1e-6)
      expect_equal(sum(fit$dual > 0), value("support"), label = paste(case, solver))
    }
    exact <- hard_fit(data$x, data$y)
    expect_lte(max(abs(coef(exact) - u)), 1e-11)
    # what rounding can have done to the rows is part of the gap
    expect_lte(exact$certificate$relative_gap, 5e-13)
  }
})

test_that("a penalised intercept is the column of ones", {
  table <- reference_hard()
  for (name in c("tiny", "small")) {
    data <- reference_hard_data(paste0(name, "_raw"))
    margin <- table$value[table$case == paste0(name, "_icpt") & table$quantity == "margin"]
    for (solver in hard_solvers("penalized")) {
      fit <- hard_fit(data$x, data$y, solver, intercept = "penalized", max_epochs = 500)
      expect_lte(fit$certificate$value, margin + 1e-11, label = solver)
      expect_gte(fit$certificate$bound, margin - 1e-11, label = solver)
    }
    fit <- hard_fit(data$x, data$y, intercept = "penalized")
    expect_equal(fit$certificate$value, margin, tolerance = 1e-11)
  }
})

test_that("the cases known in closed form come out", {
  expect_equal(hard_fit(diag(2), c(1, 1, -1)[c(1, 3)])$certificate$value, sqrt(0.5))
  x <- cbind(1, seq(-1, 1, length.out = 11))
  flip <- rep(c(1, -1), length.out = 11)
  for (solver in c("auto", "active_set", "smo", "dual_cd")) {
    fit <- hard_fit(flip * x, flip, solver)
    expect_equal(fit$certificate$value, 1, tolerance = 1e-8, label = solver)
    same <- hard_fit(rbind(c(0.6, 0.8), -c(0.6, 0.8), c(0.6, 0.8)), c(1, -1, 1), solver)
    expect_equal(same$certificate$value, 1, tolerance = 1e-12, label = solver)
  }
})
