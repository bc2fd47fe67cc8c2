# Landmarks in the place of all rows: src/kernel/nystrom.h. The approximated problem is made again
# in plain R, from the landmarks that a fit reports as its support.

rows <- seq(1, nrow(spambase), by = 18)
mails <- spambase[rows, ]
features <- as.matrix(mails[1:57])
spam <- ifelse(mails$type == "spam", 1, -1)

plain_rbf <- function(x, y, sigma) {
  exp(-sigma * pmax(outer(rowSums(x^2), rowSums(y^2), `+`) - 2 * x %*% t(y), 0))
}
plain_soft <- function(loss, z, y) {
  (1 + y) / 2 * plain_loss(loss, z, 1) + (1 - y) / 2 * plain_loss(loss, -z, 1)
}

fit_with <- function(m, ..., x = features, y = factor(spam), tol = 1e-9, seed = 1,
                     intercept = "none") {
  margin_kernel(x, y, kernel_rbf(0.02), nystrom = m,
                control = margin_control(tol = tol, seed = seed), intercept = intercept, ...)
}

test_that("with all rows as landmarks the fit is that of the full kernel", {
  soft <- soft_labels(0.8 * spam + 0.2 * sin(seq_along(spam)))
  for (loss in c("logistic", "hinge", "smooth_hinge", "squared_hinge")) {
    for (intercept in c("none", "penalized", "free")) {
      part <- fit_with(nrow(features), loss = loss, intercept = intercept, y = soft)
      full <- fit_with(NULL, loss = loss, intercept = intercept, y = soft)
      expect_true(part$certificate$certified)
      expect_equal(part$certificate$value, full$certificate$value, tolerance = 3e-9)
      expect_equal(part$scores, full$scores, tolerance = 1e-3)
    }
  }
  for (loss in c("squared", "huber")) {
    part <- fit_with(nrow(features), loss = loss, intercept = "free", y = features[, 57] / 1000)
    full <- fit_with(NULL, loss = loss, intercept = "free", y = features[, 57] / 1000)
    expect_equal(part$certificate$value, full$certificate$value, tolerance = 3e-9)
    expect_equal(part$scores, full$scores, tolerance = 1e-3)
  }
})

test_that("the plain hinge is certified with soft labels, and its intercept is the best one", {
  for (intercept in c("none", "penalized", "free")) {
    fit <- fit_with(60, loss = "hinge", lambda = 0.001, intercept = intercept,
                    y = soft_labels(0.7 * spam))
    expect_true(fit$certificate$certified)
    expect_gt(fit$certificate$gap, -1e-14)
    if (intercept == "free") {
      shift <- seq(-0.5, 0.5, by = 0.01)
      risk <- vapply(shift, function(d) {
        mean(plain_soft(fit$settings$loss, fit$scores + d, 0.7 * spam))
      }, 0)
      expect_lte(risk[51], min(risk) + 1e-12)
    }
  }
})

test_that("more landmarks come nearer to the full kernel, from above", {
  full <- fit_with(NULL, lambda = 1e-3)
  values <- vapply(c(10, 40, 120, 256), function(m) fit_with(m, lambda = 1e-3)$certificate$value,
                   0)
  expect_true(all(values >= full$certificate$bound * (1 - 1e-12)))
  # draws of one seed are nested: the spans grow
  expect_true(all(diff(values) <= 1e-9))
  expect_lt(values[4] - full$certificate$value, 0.01 * full$certificate$value)
})

test_that("a seed makes the draw reproducible, and rows of weight zero are never drawn", {
  one <- fit_with(20)
  expect_identical(fit_with(20)$coefficients, one$coefficients)
  expect_false(identical(fit_with(20, seed = 2)$support$at, one$support$at))
  weights <- rep(c(0, 1), length.out = nrow(features))
  half <- fit_with(100, weights = weights)
  expect_true(all(weights[half$support$at] == 1))
  all_of_them <- fit_with(sum(weights), weights = weights)
  full <- fit_with(NULL, x = features[weights == 1, ], y = factor(spam[weights == 1]))
  expect_equal(all_of_them$certificate$value, full$certificate$value, tolerance = 3e-9)
})

test_that("three thousand rows, dense or sparse, need n x m numbers only", {
  x <- as.matrix(spambase[1:3000, 1:57])
  y <- spambase$type[1:3000]
  fit <- function(x, ...) {
    margin_kernel(x, y, kernel_rbf(0.02), nystrom = 60,
                  control = margin_control(tol = 1e-8, seed = 4), intercept = "none", ...)
  }
  y[1:10] <- levels(y)[2:1] # the first 3000 rows must hold both
  dense <- fit(x)
  sparse <- fit(Matrix::Matrix(x, sparse = TRUE))
  expect_equal(sparse$certificate$value, dense$certificate$value, tolerance = 1e-8)
  expect_equal(sparse$scores, dense$scores, tolerance = 1e-4)
  expect_identical(dense$bytes, 8 * 3000 * 60)
})

test_that("what landmarks cannot do is an error that names the remedy", {
  expect_error(fit_with(nrow(features) + 1), "`nystrom` is 257, but the data have 256 rows",
               class = "dualmargin_input_error")
  expect_error(fit_with(200, weights = rep(c(0, 1), length.out = nrow(features))),
               "128 rows of positive weight", class = "dualmargin_input_error")
  expect_error(margin_kernel(features, factor(spam), kernel_rbf(0.02), nystrom = 20,
                             solver = "sdca", intercept = "none"),
               "`solver` is \"sdca\", but with `nystrom` it must be \"auto\"",
               class = "dualmargin_input_error")
  K <- plain_rbf(features, features, 1e-6)
  expect_error(margin_kernel(K, factor(spam), kernel_precomputed(), nystrom = 20,
                             intercept = "none"),
               "kernel known by a formula and not precomputed", class = "dualmargin_input_error")
  expect_error(margin_kernel(features, factor(spam), function(a, b) a %*% t(b), nystrom = 20,
                             intercept = "none"),
               "kernel known by a formula", class = "dualmargin_input_error")
  expect_error(margin_kernel(iris[1:4], iris$Species, nystrom = 20, multiclass = "softmax",
                             intercept = "none"),
               "one_vs_rest", class = "dualmargin_input_error")
})
