# A limit on seconds holds inside a step and inside the set-up: what takes longer than the limit is
# left where it is, and the point that is returned has an honest certificate. Time is counted in
# looks at the clock, of which a block of work has one: a step that went on would look at it again.

# At most `after` looks come after the last that there is time for: by what is told that it is over,
# and to certify the point.
stopped <- function(fit, limit, after) {
  certificate <- certificate(fit, by = "class")
  expect_true(all(certificate$bound <= certificate$value))
  late <- fit$status$status == "max_seconds"
  expect_identical(fit$status$seconds >= limit, late)
  expect_lte(max(fit$status$seconds), limit + after)
  expect_identical(certificate$certified, !late)
  expect_true(all(certificate$relative_gap[late] > 1e-3))
}
with_looks <- function(f, ..., limit, after) {
  fit <- suppressWarnings(
    counting_looks(f(..., control = margin_control(seed = 1, max_seconds = limit, threads = 1,
                                                   progress = FALSE))),
    classes = "dualmargin_not_certified"
  )
  stopped(fit, limit, after)
  fit
}
# In the set-up, and in the first steps: the last fit.
cut_short <- function(f, ..., limits, after = 5) {
  for (limit in limits) fit <- with_looks(f, ..., limit = limit, after = after)
  expect_identical(unique(fit$status$status), "max_seconds")
  fit
}
logistic_value <- function(z, y) mean(log1p(exp(-abs(y * z))) + pmax(-y * z, 0))

set.seed(4)
wide <- matrix(rnorm(600 * 500), 600)
side <- ifelse(rowSums(wide[, 1:9]) + 3 * rnorm(600) > 0, 1, -1)
class <- factor(side)

test_that("a factorisation of many columns stops when the time is over", {
  fit <- cut_short(margin_linear, wide, class, solver = "newton", loss = "logistic", lambda = 1e-6,
                   intercept = "none", scale = FALSE, limits = c(1, 5, 8, 20))
  value <- logistic_value(drop(wide %*% coef(fit)), side) + 0.5e-6 * sum(coef(fit)^2)
  expect_equal(certificate(fit)$value, value, tolerance = 1e-12)
  cut_short(margin_linear, wide, class, solver = "interior_point", loss = "hinge", lambda = 1e-6,
            intercept = "none", scale = FALSE, limits = c(1, 8, 12, 20))
  cut_short(margin_robust, wide[, 1:300], class, radius = 0.01, solver = "interior_point",
            intercept = "none", scale = FALSE, limits = c(1, 20, 30, 50), after = 20)
})

x <- wide[, 1:20]
kernel <- kernel_rbf(0.05)

test_that("so does one of as many kernel rows, for two classes and for three together", {
  cut_short(margin_kernel, x, class, kernel = kernel, loss = "logistic", lambda = 1e-7,
            solver = "newton", intercept = "none", scale = FALSE, limits = c(1, 12, 20, 100, 700),
            after = 30)
  few <- 1:400
  three <- factor(cut(drop(x[few, ] %*% rep(1, 20)), 3, labels = FALSE))
  cut_short(margin_kernel, x[few, ], three, kernel = kernel, loss = "logistic", lambda = 1e-7,
            multiclass = "softmax", solver = "newton", intercept = "none",
            limits = c(1, 12, 100, 500), after = 30)
})

test_that("landmarks that the time does not suffice for leave the zero function and its bound", {
  fit <- with_looks(margin_kernel, x, class, kernel = kernel, loss = "logistic", lambda = 1e-7,
                    nystrom = 500, intercept = "none", limit = 1, after = 5)
  expect_equal(certificate(fit)$value, log(2), tolerance = 1e-14)
  expect_equal(certificate(fit)$bound, 0, tolerance = 1e-12)
  expect_true(all(predict(fit, x[1:5, ], type = "score") == 0))
})

test_that("so do kernel values, whatever the solver, the loss and the number of classes", {
  for (solver in c("newton", "block_sdca")) {
    fit <- with_looks(margin_kernel, x, class, kernel = kernel, loss = "logistic", lambda = 1e-7,
                      solver = solver, intercept = "none", limit = 1, after = 30)
    expect_equal(certificate(fit)$value, log(2), tolerance = 1e-14)
    expect_equal(certificate(fit)$bound, 0, tolerance = 1e-12)
    expect_true(all(predict(fit, x[1:5, ], type = "score") == 0))
  }
  three <- factor(rep(1:3, length.out = 600))
  fit <- with_looks(margin_kernel, x, three, kernel = kernel, loss = "logistic", lambda = 1e-7,
                    multiclass = "softmax", intercept = "none", limit = 1, after = 30)
  expect_equal(certificate(fit)$value, log(3), tolerance = 1e-14)
  one <- with_looks(margin_kernel, x, three, kernel = kernel, loss = "smooth_hinge", lambda = 1e-7,
                    multiclass = "one_vs_rest", limit = 1, after = 30)
  expect_identical(one$status$status, rep("max_seconds", 3L))
})
