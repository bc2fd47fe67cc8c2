# Laws of a run of several stages.

test_that("the epochs of a trace never fall, whichever methods an automatic solver calls", {
  set.seed(2)
  x <- matrix(rnorm(60 * 12), 60)
  y <- factor(x[, 1] + rnorm(60) > 0)
  wide <- matrix(rnorm(60 * 2100), 60)
  dense <- matrix(rnorm(320 * 200), 320)
  control <- margin_control(tol = 1e-300, seed = 1, max_epochs = 3000, certify_every_epoch = TRUE)
  fits <- list(
    margin_linear(x, y, loss = "hinge", lambda = 1e-4, control = control),
    margin_linear(x, y, loss = "squared_hinge", lambda = 1e-4, mixture = 0.5, control = control),
    margin_linear(x, y, loss = "logistic", lambda = 1e-4, control = control),
    margin_linear(wide, y, loss = "hinge", lambda = 1e-5, control = control),
    margin_linear(dense, rep(y, length.out = 320), loss = "smooth_hinge", lambda = 1e-6,
                  control = control),
    margin_kernel(x, y, loss = "hinge", lambda = 1e-4, control = control),
    margin_kernel(x, y, loss = "logistic", lambda = 1e-4, control = control),
    margin_kernel(x, factor(rep(1:3, 20)), loss = "logistic", lambda = 1e-4, intercept = "none",
                  multiclass = "softmax", control = control),
    margin_robust(x, y, radius = 0.1, control = control),
    margin_hard(x[1:10, ], y[1:10], control = control),
    margin_augmented(x, y, control = margin_control(tol = 1e-300, seed = 1, max_epochs = 50))
  ) |> suppressWarnings()
  for (fit in fits) {
    trace <- convergence(fit)
    expect_true(all(diff(trace$epoch) >= 0), label = fit$status$solver[1L])
    expect_lte(max(trace$epoch), fit$status$epochs)
  }
  by <- vapply(fits[1:5], function(fit) fit$status$solver, "")
  expect_gt(length(unique(by)), 1L)
})

test_that("the patience of a stage ends with it", {
  # a fifth of the run so far, thirty epochs at least; four fifths where the method asks for it
  for (gap in c(1e-3, 1)) {
    expect_identical(probe("stages", c(0.2, 0.8, 0.2), gap), c(30, 150, 188))
  }
})

test_that("a run that stalls goes on to its limit of epochs where it may not stall", {
  set.seed(5)
  x <- matrix(rnorm(60 * 5), 60)
  y <- factor(x[, 1] + rnorm(60) > 0)
  control <- function(stall) margin_control(tol = 1e-300, max_epochs = 900, seed = 1, stall = stall)
  runs <- c(
    lapply(c("sdca", "fista", "saga"), function(solver) function(control) {
      margin_linear(x, y, loss = "logistic", solver = solver, intercept = "none",
                    control = control)
    }),
    function(control) margin_linear(x, y, loss = "hinge", solver = "dual_cd", intercept = "none",
                                    control = control),
    function(control) margin_kernel(x, y, loss = "logistic", solver = "sdca", intercept = "none",
                                    control = control)
  )
  for (run in runs) {
    ended <- suppressWarnings(run(control(TRUE)))
    went_on <- suppressWarnings(run(control(FALSE)))
    expect_lt(ended$status$epochs, 900)
    expect_gte(went_on$status$epochs, 900)
    # it is the same run, and goes on
    one <- convergence(ended)
    other <- convergence(went_on)
    same <- seq_len(nrow(one) - 1L)
    expect_identical(one$gap[same], other$gap[same])
    expect_lte(min(other$gap), min(one$gap))
  }
  refused <- expect_error(margin_linear(x, y, control = control(FALSE)),
                          class = "dualmargin_input_error")
  expect_match(conditionMessage(refused), "name the solver")
  expect_error(margin_control(stall = NA), class = "dualmargin_input_error")
})

test_that("a trace of margins has no interval from before there is a point", {
  set.seed(3)
  x <- matrix(rnorm(40 * 6), 40)
  y <- factor(x[, 1] + 0.5 * x[, 2] > 0)
  x[, 1] <- x[, 1] + ifelse(y == "TRUE", 0.3, -0.3)
  for (solver in c("auto", "active_set")) {
    for (intercept in c("none", "free", "penalized")) {
      fit <- suppressWarnings(margin_hard(
        x, y, intercept = intercept, solver = solver,
        control = margin_control(seed = 1, certify_every_epoch = TRUE)
      ))
      trace <- subset(convergence(fit), epoch > 0)
      expect_true(all(trace$value > -max(sqrt(rowSums(x^2)))), label = paste(solver, intercept))
    }
  }
})

test_that("a start that is certified is certified again, whatever `auto` begins with", {
  set.seed(4)
  x <- matrix(rnorm(200 * 5), 200)
  y <- factor(x[, 1] + rnorm(200) > 0)
  few <- function(start) margin_control(seed = 1, start = start, max_epochs = 3)
  for (fit in list(margin_linear, margin_kernel, margin_robust)) {
    first <- fit(x, y, control = margin_control(seed = 1))
    again <- fit(x, y, control = few(first))
    expect_true(certificate(again)$certified)
    # a kernel fit starts with the function of its dual point
    expect_lte(certificate(again)$value, certificate(first)$value * (1 + 1e-8))
  }
})
