# Landmarks in the place of all rows: src/kernel/nystrom.h. The approximated problem is made again
# in plain R, from the landmarks that a fit reports as its support.

rows <- seq(1, nrow(spambase), by = 18)
mails <- spambase[rows, ]
features <- as.matrix(mails[1:57])
spam <- ifelse(mails$type == "spam", 1, -1)

plain_rbf <- function(x, y, sigma) {
  exp(-sigma * pmax(outer(rowSums(x^2), rowSums(y^2), `+`) - 2 * x %*% t(y), 0))
}
scaled_columns <- function(x) {
  sweep(x, 2L, sqrt(colMeans(sweep(x, 2L, colMeans(x))^2)), `/`)
}
inverse_root <- function(K) {
  e <- eigen(K, symmetric = TRUE)
  keep <- e$values > 1e-11 * e$values[1]
  e$vectors[, keep] %*% diag(1 / sqrt(e$values[keep]), sum(keep))
}
# Phi up to a rotation, which changes no score and no norm.
features_of <- function(fit, x, kernel) {
  landmarks <- x[fit$support$at, , drop = FALSE]
  root <- inverse_root(kernel(landmarks, landmarks))
  kernel(x, landmarks) %*% root
}
plain_soft <- function(loss, z, y) {
  (1 + y) / 2 * plain_loss(loss, z, 1) + (1 - y) / 2 * plain_loss(loss, -z, 1)
}
slopes <- list(
  logistic = function(z, y) stats::plogis(z) - (1 + y) / 2,
  squared_hinge = function(z, y) -(1 + y) / 2 * pmax(0, 1 - z) + (1 - y) / 2 * pmax(0, 1 + z)
)
# The conjugate by search, for one row.
conjugate_of <- function(loss, a, y) {
  mapply(function(a, y) {
    optimize(function(z) a * z - plain_soft(loss, z, y), c(-60, 60), maximum = TRUE,
             tol = 1e-10)$objective
  }, a, y)
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

test_that("the certificate is that of the problem made of the landmarks in plain R", {
  x <- scaled_columns(features)
  kernel <- function(a, b) plain_rbf(a, b, 0.02)
  y <- 0.9 * spam
  lambda <- 0.003
  set.seed(3)
  omega <- sample(1:3, length(y), TRUE)
  x_weighted <- local({
    mean <- colSums(omega * features) / sum(omega)
    sd <- sqrt(colSums(omega * sweep(features, 2L, mean)^2) / sum(omega))
    sweep(features, 2L, ifelse(sd > 0, sd, 1), `/`)
  })
  for (name in names(slopes)) {
    loss <- dualmargin:::as_loss(name)
    for (intercept in c("none", "penalized", "free")) {
      fit <- fit_with(40, loss = name, lambda = lambda, intercept = intercept, weights = omega,
                      y = soft_labels(y))
      expect_identical(fit$certificate$kind, "duality gap (Nystrom, 40 landmarks)")
      expect_identical(length(fit$support$at), 40L)
      Phi <- features_of(fit, x_weighted, kernel)
      beta <- unname(coef(fit))
      b <- if (intercept == "none") 0 else beta[1]
      if (intercept != "none") beta <- beta[-1]
      landmarks <- x_weighted[fit$support$at, ]
      norm2 <- sum(beta * (kernel(landmarks, landmarks) %*% beta)) +
        (intercept == "penalized") * b^2
      z <- drop(kernel(x_weighted, landmarks) %*% beta) + b
      expect_equal(unname(fit$scores), unname(z), tolerance = 1e-7)
      value <- lambda / 2 * norm2 + sum(omega * plain_soft(loss, z, y)) / sum(omega)
      expect_equal(fit$certificate$value, value, tolerance = 1e-9)
      # D at the dual point of the fit, with Phi in the place of the kernel's space
      a <- fit$dual
      if (intercept == "penalized") Phi <- cbind(Phi, 1)
      if (intercept == "free") expect_lt(abs(sum(omega * a)), 1e-12 * sum(omega * abs(a)))
      u <- colSums(omega * a * Phi) / sum(omega)
      dual <- -sum(omega * conjugate_of(loss, a, y)) / sum(omega) - sum(u^2) / (2 * lambda)
      expect_equal(fit$certificate$bound, dual, tolerance = 1e-7)
      # the optimum, by the slope of P in the weights of Phi
      slope <- slopes[[name]](z, y)
      w <- -u / lambda
      gradient <- lambda * w + colSums(omega * slope * Phi) / sum(omega)
      expect_lt(max(abs(gradient)), 1e-5)
    }
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

test_that("landmarks that depend on others are left out", {
  # a linear kernel of 4 columns has rank 4
  x <- scaled_columns(as.matrix(iris[1:100, 1:4]))
  y <- droplevels(iris$Species[1:100])
  fit <- margin_kernel(x, y, "linear", nystrom = 30, center = FALSE, scale = FALSE, lambda = 0.01,
                       control = margin_control(tol = 1e-10, seed = 1), intercept = "none")
  expect_identical(length(fit$support$at), 4L)
  linear <- margin_linear(x, y, "logistic", lambda = 0.01, intercept = "none", scale = FALSE,
                          control = margin_control(tol = 1e-10))
  expect_equal(fit$certificate$value, linear$certificate$value, tolerance = 1e-9)
  expect_equal(fit$scores, linear$scores, tolerance = 1e-4)
  # so have repeated rows
  twice <- margin_kernel(x[rep(1:50 * 2, 2), ], y[rep(1:50 * 2, 2)], kernel_rbf(0.3), nystrom = 100,
                         lambda = 0.01, control = margin_control(tol = 1e-9, seed = 1),
                         intercept = "none")
  expect_lte(length(twice$support$at), 50L)
})

test_that("three classes share their landmarks, mixed rows have features too", {
  x <- as.matrix(iris[1:4])
  fit <- margin_kernel(x, iris$Species, kernel_rbf(0.3), nystrom = 25, lambda = 0.01,
                       mixup = mixup_pairs(40), control = margin_control(tol = 1e-9, seed = 1),
                       intercept = "none")
  expect_identical(fit$multiclass, "one_vs_rest")
  expect_identical(length(fit$support$at), 25L)
  expect_true(all(fit$certificate$certified))
  expect_identical(dim(fit$dual), c(190L, 3L))
  expect_true(all(fit$support$at <= 150))
  # the same rows as data of their own
  pairs <- fit$mixed
  scaled <- scaled_columns(x)
  s <- pairs$share
  all_x <- rbind(scaled, (1 - s) * scaled[pairs$first, ] + s * scaled[pairs$second, ])
  landmarks <- scaled[fit$support$at, ]
  for (k in 1:3) {
    hard <- ifelse(as.integer(iris$Species) == k, 1, -1)
    y <- c(hard, (1 - s) * hard[pairs$first] + s * hard[pairs$second])
    beta <- unname(coef(fit)[, k])
    z <- drop(plain_rbf(all_x, landmarks, 0.3) %*% beta)
    norm2 <- sum(beta * (plain_rbf(landmarks, landmarks, 0.3) %*% beta))
    value <- 0.01 / 2 * norm2 + mean(plain_soft(fit$settings$loss, z, y))
    expect_equal(fit$certificate$value[k], value, tolerance = 1e-8)
  }
  expect_equal(predict(fit, x, type = "score"), fit$scores, tolerance = 1e-7, ignore_attr = TRUE)
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
