sgd_fit <- function(p, epochs, step, seed = 4, sampling = "uniform", ...) {
  fit_kernel_problem(p, "sgd", control = margin_control(
    tol = 1e-300, max_epochs = epochs, seed = seed, certify_every_epoch = TRUE,
    solver_options = list(step = step, sampling = sampling), ...
  ))
}

test_that("the iterates are those of gradient steps without a factor kept aside", {
  for (loss in list(as_loss("logistic"), loss_smooth_hinge(0.5), loss_squared_hinge(0.5),
                    as_loss("squared"), loss_huber(0.7))) {
    for (step in c(0.01, if (loss$name == "logistic") 0.45)) {
      p <- plain_kernel_problem(loss)
      # The factor 1 - step lambda of 0.1 is folded in again within the first epochs. The last rows
      # alone count then, which is better than nothing where rows are alike.
      if (step == 0.45) {
        p$lambda <- 2
        p$K <- p$K^0.01
        p$y <- pmax(abs(p$y), 0.8)
      }
      fit <- sgd_fit(p, 6, step)
      beta <- plain_sgd(p, row_draws(4, p$n, 6), step)
      expect_equal(all_coefficients(fit, p$n), beta, tolerance = 1e-10, info = loss$name)
    }
  }
})

test_that("value and bound are those of the iterate and of the average of its slopes", {
  for (loss in list(as_loss("logistic"), loss_smooth_hinge(0.5), loss_squared_hinge(0.5))) {
    p <- plain_kernel_problem(loss)
    fit <- sgd_fit(p, 40, 0.5)
    beta <- all_coefficients(fit, p$n)
    a <- unname(drop(fit$dual))
    expect_equal(fit$certificate$value, primal_of(p, beta), tolerance = 1e-12)
    of_dual <- -p$omega * a / (p$W * p$lambda)
    conjugates <- drop(probe("soft_loss", loss$name, loss$parameter, FALSE, "conjugate",
                             numeric(p$n), p$y, a, 0))
    bound <- -sum(p$omega * conjugates) / p$W - p$lambda / 2 * sum(of_dual * (p$K %*% of_dual))
    expect_equal(fit$certificate$bound, bound, tolerance = 1e-10)
    # the trace ends at the point returned
    expect_equal(tail(convergence(fit)$value, 1L), fit$certificate$value, tolerance = 1e-12)
    expect_equal(tail(convergence(fit)$bound, 1L), fit$certificate$bound, tolerance = 1e-10)
    optimum <- fit_kernel_problem(p, "newton", tol = 1e-12)
    expect_same_optimum(fit, optimum)
    # away from the ends of the domain f is f_a
    inside <- conjugates < Inf & abs(beta - of_dual) <= 1e-12 * max(abs(beta))
    expect_gt(mean(inside), 0.5)
  }
})

test_that("steps that are too long diverge, which is an error and not a fit", {
  p <- plain_kernel_problem(as_loss("squared"))
  expect_error(
    margin_kernel(p$K, soft_labels(p$y), kernel = kernel_precomputed(), loss = "squared",
                  lambda = 0.1, solver = "sgd",
                  control = margin_control(seed = 1, solver_options = list(step = 1e3)),
                  intercept = "none"),
    "left the range of double precision", class = "dualmargin_numerical_error"
  )
})
