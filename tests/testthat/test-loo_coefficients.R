# The coefficients without rows: a refit without them lies within the radius of the fit plus the
# step, for every loss, dense and sparse, near and far from the origin.

own <- asNamespace("dualmargin")

# The coefficients of the refit on the columns as the fit scaled them, and how far they can be off:
# a point is within (2 gap/mu)^(1/2) of its optimum.
refit_without <- function(fit, x, y, out, rule) {
  settings <- fit$settings
  omega <- unname(fit$weights)
  x <- sweep(as.matrix(x), 2L, fit$scales, `/`)
  lambda <- settings$lambda * if (rule == "cost") sum(omega) / sum(omega[-out]) else 1
  best <- suppressWarnings(margin_linear(
    x[-out, , drop = FALSE], y[-out], loss = settings$loss, lambda = lambda,
    mixture = settings$mixture, intercept = settings$intercept, scale = FALSE,
    weights = omega[-out], response_scale = FALSE,
    control = margin_control(tol = 1e-14, seed = 1, max_epochs = 3000, progress = FALSE)
  ))
  w <- unname(coef(best))
  if (settings$intercept != "none") w <- c(w[-1L], if (settings$intercept == "penalized") w[1L])
  mu <- lambda * (1 - settings$mixture)
  list(w = w, b = unname(coef(best))[1L], off = sqrt(2 * max(0, certificate(best)$gap) / mu))
}

fitted_coefficients <- function(fit) {
  w <- unname(coef(fit))
  intercept <- fit$settings$intercept
  if (intercept == "none") return(w * unname(fit$scales))
  c(w[-1L] * unname(fit$scales), if (intercept == "penalized") w[1L])
}

test_that("a refit lies within the radius of the fit plus the step", {
  problem <- small_problem(n = 40L, p = 4L)
  sets <- list(7L, c(3L, 9L, 31L))
  for (loss in all_losses()) {
    regression <- loss$task == "regression" || loss$name == "huber"
    y <- if (regression) problem$response else factor(problem$y)
    case <- 0L
    for (intercept in c("free", "penalized", "none")) for (form in c("dense", "sparse", "far")) {
      case <- case + 1L
      mixture <- if (form == "sparse" && intercept != "none" && loss$name != "hinge") 0.3 else 0
      rule <- c("cost", "lambda")[case %% 2L + 1L]
      x <- switch(form, dense = problem$x, far = problem$x + 30,
                  sparse = methods::as(problem$x * (abs(problem$x) > 0.4), "CsparseMatrix"))
      fit <- quiet_fit(x, y, loss = loss, lambda = 0.1, intercept = intercept, mixture = mixture,
                       response_scale = FALSE, weights = problem$weights[1:40],
                       control = margin_control(tol = 10^-(case %% 3 * 3 + 2), seed = 1))
      found <- own$coefficients_without(fit, x, sets, rule)[[1L]]
      start <- fitted_coefficients(fit)
      for (k in seq_along(sets)) {
        info <- paste(loss$name, intercept, form, rule, mixture, k)
        refit <- refit_without(fit, x, y, sets[[k]], rule)
        far <- sqrt(sum((start + found$step[, k] - refit$w)^2))
        size <- sqrt(sum(refit$w^2))
        expect_lte(far, found$radius[k] + refit$off + 1e-12 * size, label = info)
        # and that says something, far from the origin less
        expect_lte(found$radius[k], (if (form == "far") 1e-2 else 1e-4) * (1 + size), label = info)
        if (intercept == "free") {
          room <- 1e-9 + refit$off * (1 + 100 * (form == "far"))
          expect_true(found$intercept[k, 1L] <= refit$b + room &&
                        found$intercept[k, 2L] >= refit$b - room, label = info)
        }
      }
    }
  }
})

test_that("a row without pull leaves the coefficients as they are, a class that goes none", {
  problem <- small_problem(n = 40L)
  y <- factor(problem$y)
  fit <- quiet_fit(problem$x, y, loss = "hinge", lambda = 0.05,
                   control = margin_control(tol = 1e-13))
  idle <- which(abs(fit$dual) < 1e-12)[1:3]
  found <- own$coefficients_without(fit, problem$x, as.list(idle), "cost")[[1L]]
  expect_lte(max(abs(found$step)), 1e-5)
  found <- own$coefficients_without(fit, problem$x, list(which(problem$y > 0)), "cost")[[1L]]
  expect_identical(found$radius, Inf)
})
