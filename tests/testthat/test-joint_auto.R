# The stages of the default for one problem of all classes: none makes the fit worse.

rows_of <- function(seed) {
  set.seed(seed)
  x <- matrix(rnorm(150 * 6), 150)
  x[, 2] <- 10 * x[, 2]
  noise <- c(0.3, 1, 3)[seed]
  list(x = x, y = factor(max.col(x[, 1:4] + noise * matrix(rnorm(600), 150)), levels = 1:4))
}

# The gap that is returned over the least one of the trace, for runs that end early. Gaps of a
# hundredth of the tolerance and less are one: there the rounding of the last pair counts.
worsening <- function(seed, multiclass, intercept, solver, epochs, lambda) {
  data <- rows_of(seed)
  vapply(epochs, function(most) {
    fit <- suppressWarnings(margin_linear(
      data$x, data$y, loss = if (multiclass == "softmax") "logistic" else "hinge",
      multiclass = multiclass, lambda = lambda, intercept = intercept, solver = solver,
      control = margin_control(tol = 1e-7, seed = 1, max_epochs = most)
    ))
    certificate(fit)$gap / max(min(convergence(fit)$gap), 1e-9 * certificate(fit)$value)
  }, 0)
}

test_that("no stage and no late step leaves a worse pair than the run had before", {
  asked <- expand.grid(seed = 1:3, multiclass = c("softmax", "crammer_singer"),
                       intercept = c("free", "none"),
                       solver = c("auto", "newton", "lbfgs", "dual_cd"),
                       lambda = c(0.1, 1e-3), stringsAsFactors = FALSE)
  asked <- asked[asked$solver != "lbfgs" | asked$multiclass == "softmax", ]
  worse <- vapply(seq_len(nrow(asked)), function(k) {
    max(do.call(worsening, c(list(epochs = c(3, 20, 25, 30, 50)), asked[k, ])))
  }, 0)
  expect_lte(max(worse), 1 + 1e-6)
})

test_that("softmax beside free intercepts ends where the gap is there, and not a step later", {
  # the gap of probabilities that are off the shares of the classes is linear in what is missing: the
  # gradient alone was at 1e-9 where another step was taken for it
  x <- scale(as.matrix(iris[1:4]))
  steps <- vapply(c(1e-1, 1e-2, 1e-4), function(lambda) {
    fit <- margin_linear(x, iris$Species, multiclass = "softmax", lambda = lambda, scale = FALSE,
                         solver = "newton")
    expect_true(certificate(fit)$certified)
    fit$status$steps
  }, 1)
  expect_identical(steps, c(4, 5, 7))
})

test_that("rows that are next to the same have a fit, and dual steps among them end with numbers", {
  # steps of 1e17 lost the 1 that dual variables sum to: "left the range of double precision"
  for (off in c(2e-8, 1e-12, 1e-3)) for (solver in c("auto", "dual_cd", "newton")) {
    x <- matrix(29.6274080674981 - off * c(0, 0, 0, 1, 0), 5L)
    fit <- suppressWarnings(margin_linear(
      x, factor(c(1, 1, 2, 3, 1)), multiclass = "crammer_singer", lambda = 0.4, scale = FALSE,
      solver = solver, control = margin_control(tol = 1e-6, seed = 1, max_epochs = 10000)
    ), classes = "dualmargin_not_certified")
    expect_lte(certificate(fit)$bound, 0.8)
    if (solver != "dual_cd") expect_equal(certificate(fit)$value, 0.8, tolerance = 1e-2)
    if (solver != "dual_cd") expect_true(certificate(fit)$certified)
  }
})
