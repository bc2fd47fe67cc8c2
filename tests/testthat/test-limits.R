# A limit on seconds holds inside a step and inside the set-up: what takes longer than the limit is
# left where it is, and the point that is returned has an honest certificate.

# So short that it is over at the first look at the clock, however fast the machine is.
at_once <- 1e-6

stopped <- function(fit, limit) {
  certificate <- certificate(fit, by = "class")
  expect_true(all(certificate$bound <= certificate$value))
  # by the fit's own clock, and generous, for a machine that does other things
  expect_lt(sum(fit$status$seconds), limit * nrow(fit$status) + 10)
  # One factorisation of these takes longer than what is granted here, unless the machine is fast.
  late <- fit$status$status == "max_seconds"
  if (limit == at_once) expect_true(all(late))
  expect_identical(certificate$certified, !late)
  expect_true(all(certificate$relative_gap[late] > 1e-3))
}
quickly <- function(f, ..., limit) {
  fit <- withCallingHandlers(
    f(..., control = margin_control(seed = 1, max_seconds = limit, progress = FALSE)),
    dualmargin_not_certified = function(condition) invokeRestart("muffleWarning")
  )
  stopped(fit, limit)
  fit
}
logistic_value <- function(z, y) mean(log1p(exp(-abs(y * z))) + pmax(-y * z, 0))

set.seed(4)
wide <- matrix(rnorm(2600 * 2500), 2600)
side <- ifelse(rowSums(wide[, 1:9]) + 3 * rnorm(2600) > 0, 1, -1)

test_that("a factorisation of many columns stops when the time is over", {
  fit <- quickly(margin_linear, wide, side, solver = "newton", loss = "logistic", lambda = 1e-6,
                 intercept = "none", scale = FALSE, limit = 0.4)
  value <- logistic_value(drop(wide %*% coef(fit)), side) + 0.5e-6 * sum(coef(fit)^2)
  expect_equal(certificate(fit)$value, value, tolerance = 1e-12)
  quickly(margin_linear, wide, side, solver = "interior_point", loss = "hinge", lambda = 1e-6,
          intercept = "none", scale = FALSE, limit = 0.4)
  quickly(margin_robust, wide[, 1:1500], side, solver = "interior_point", intercept = "none",
          scale = FALSE, limit = 0.4)
})

test_that("so does one of as many kernel rows, for two classes and for three together", {
  x <- wide[, 1:20]
  kernel <- kernel_rbf(0.05)
  fit <- quickly(margin_kernel, x, side, kernel = kernel, loss = "logistic", lambda = 1e-7,
                 solver = "newton", intercept = "none", scale = FALSE, limit = 0.6)
  few <- 1:2000
  three <- factor(cut(drop(x[few, ] %*% rep(1, 20)), 3, labels = FALSE))
  quickly(margin_kernel, x[few, ], three, kernel = kernel, loss = "logistic", lambda = 1e-7,
          multiclass = "softmax", solver = "newton", intercept = "none", limit = 0.6)
})

test_that("landmarks that the time does not suffice for leave the zero function and its bound", {
  x <- wide[, 1:20]
  fit <- quickly(margin_kernel, x, side, kernel = kernel_rbf(0.05), loss = "logistic",
                 lambda = 1e-7, nystrom = 2500, intercept = "none", limit = at_once)
  expect_equal(certificate(fit)$value, log(2), tolerance = 1e-14)
  expect_equal(certificate(fit)$bound, 0, tolerance = 1e-12)
  expect_true(all(predict(fit, x[1:5, ], type = "score") == 0))
})

test_that("so do kernel values, whatever the solver, the loss and the number of classes", {
  x <- wide[, 1:20]
  for (solver in c("newton", "block_sdca")) {
    fit <- quickly(margin_kernel, x, side, kernel = kernel_rbf(0.05), loss = "logistic",
                   lambda = 1e-7, solver = solver, intercept = "none", limit = at_once)
    expect_equal(certificate(fit)$value, log(2), tolerance = 1e-14)
    expect_equal(certificate(fit)$bound, 0, tolerance = 1e-12)
    expect_true(all(predict(fit, x[1:5, ], type = "score") == 0))
  }
  three <- factor(rep(1:3, length.out = 2600))
  fit <- quickly(margin_kernel, x, three, kernel = kernel_rbf(0.05), loss = "logistic",
                 lambda = 1e-7, multiclass = "softmax", intercept = "none", limit = at_once)
  expect_equal(certificate(fit)$value, log(3), tolerance = 1e-14)
  one <- quickly(margin_kernel, x, three, kernel = kernel_rbf(0.05), loss = "smooth_hinge",
                 lambda = 1e-7, multiclass = "one_vs_rest", limit = at_once)
  expect_identical(one$status$status, rep("max_seconds", 3L))
})
