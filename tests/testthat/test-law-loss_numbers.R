# What every loss of numbers keeps, whatever it is: an optimum that all solvers find, and of a smooth
# loss a plain optimiser too, which no unit, sign or origin of the response moves.

tight <- margin_control(tol = 1e-9, seed = 1)
set.seed(12)
n <- 120L
x <- matrix(rnorm(3 * n), n, dimnames = list(NULL, c("u", "v", "w")))
y <- 5 + 2 * x[, 1L] - x[, 2L] + rnorm(n)

of_numbers_alone <- Filter(function(loss) loss$task == "regression", all_losses())
smooth_ones <- Filter(function(loss) loss$smooth, of_numbers_alone)

test_that("the linear fit is where a plain optimiser finds it", {
  for (loss in smooth_ones) {
    objective <- function(v) {
      mean(plain_loss(loss, drop(v[1L] + x %*% v[-1L]), y)) + 0.05 / 2 * sum(v[-1L]^2)
    }
    best <- optim(c(5, 2, -1, 0), objective, method = "BFGS",
                  control = list(reltol = 1e-15, maxit = 1000))
    fit <- margin_linear(x, y, loss = loss, lambda = 0.05, scale = FALSE, response_scale = FALSE,
                         control = tight)
    expect_equal(fit$certificate$value, best$value, tolerance = 1e-8, info = format(loss))
    expect_equal(unname(coef(fit)), best$par, tolerance = 1e-4, info = format(loss))
  }
})

test_that("every solver of kernels reaches one optimum, for every intercept", {
  for (loss in of_numbers_alone) {
    for (intercept in c("free", "penalized", "none")) {
      fit <- function(solver, tol) {
        without_notes(margin_kernel(
          x, y, kernel_rbf(0.2), loss = loss, lambda = 0.05, intercept = intercept,
          solver = solver, weights = rep_len(c(1, 2, 0, 0.5), n),
          control = margin_control(tol = tol, seed = 1, max_epochs = 20000, progress = FALSE)
        ))
      }
      best <- fit("auto", 1e-9)
      for (row in solver_rows("kernel")) {
        solver <- row$name
        if (!solver_takes(row, loss, intercept, 0)) next
        if (solver == "auto" || row$large_lambda || startsWith(solver, "mixup_")) next
        rough <- grepl("sgd", solver) || (solver == "sdca" && !loss$smooth)
        other <- withCallingHandlers(
          fit(solver, tol_for(row, if (rough) 1e-2 else 1e-5)),
          dualmargin_not_certified = function(condition) invokeRestart("muffleWarning")
        )
        expect_lte(other$certificate$bound, best$certificate$value * (1 + 1e-12))
        expect_gte(other$certificate$value, best$certificate$bound * (1 - 1e-12))
        if (!grepl("sgd", solver)) expect_true(other$certificate$certified, info = solver)
      }
    }
  }
})

test_that("paths, cross-validation, comparisons, plots and the augmented family take it", {
  for (loss in of_numbers_alone) {
    path <- margin_path(x, y, loss = loss, mixture = 1, n_lambda = 8)
    expect_true(all(certificate(path)$certified))
    # the first lambda is the smallest at which the null model is optimal, or above it
    expect_identical(unname(coef(path)[-1L, 1L]), numeric(3))
    cv <- margin_cv(x, y, loss = loss, grid = list(lambda = c(1, 0.1, 0.01)), folds = 3,
                    metric = c("mae", "mse"), seed = 1)
    expect_true(all(is.finite(cv$results$score)))
    expect_s3_class(refit(cv), "margin_fit")
    kernel <- margin_cv(x, y, family = "kernel", kernel = kernel_rbf(0.2), loss = loss,
                        grid = list(lambda = c(0.1, 0.01)), folds = 3, metric = "mae", seed = 1)
    expect_true(all(is.finite(kernel$results$score)))
    comparison <- compare_solvers(x, y, solvers = c("ssnal", "dual_cd"), loss = loss, lambda = 0.1,
                                  control = margin_control(tol = 1e-4, seed = 1))
    fit <- margin_linear(x, y, loss = loss)
    on_null_device({
      plot(path)
      plot(cv)
      plot(comparison)
      plot(fit)
      plot(fit, which = "scores")
    })
    expect_output(print(fit), loss$name)
    if (!loss$smooth) next
    plain <- margin_augmented(x, y, new_perturbation(), loss = loss, lambda = 0.1, intercept = "none",
                              center = FALSE, control = margin_control(tol = 1e-6, seed = 1))
    linear <- margin_linear(x, y, loss = loss, lambda = 0.1, intercept = "none", control = tight)
    expect_equal(plain$certificate$value, linear$certificate$value, tolerance = 1e-5)
  }
})
