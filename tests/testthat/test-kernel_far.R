# Kernels of distances do not depend on where the rows are, whatever |a|^2 + |b|^2 - 2 a'b cancels.

checkers <- function() {
  with_seed(1, x <- matrix(rnorm(1000), 200)[1:60, ])
  list(x = x, y = ifelse(x[, 1] * x[, 2] > 0, 1, -1))
}

# The same doubles in every class a fit takes.
in_every_class <- function(x) {
  sparse <- methods::as(Matrix::Matrix(x, sparse = TRUE), "CsparseMatrix")
  list(dense = x, columns = sparse, rows = methods::as(sparse, "RsparseMatrix"))
}

plain_distances <- function(x) {
  matrix(apply(x, 1L, function(row) rowSums(sweep(x, 2L, row)^2)), nrow(x))
}

# Some rows at the origin, the others far away: no shift brings all of them near.
scattered <- function(x, far, at_origin = 6L) {
  x[-seq_len(at_origin), ] <- x[-seq_len(at_origin), ] + far
  x
}

test_that("a fit far from the origin is that of the same rows near it", {
  case <- checkers()
  for (kernel in list(kernel_rbf(0.2), kernel_laplace(0.4), kernel_rbf())) {
    for (far in c(1e3, 1e8)) for (scale in c(FALSE, TRUE)) {
      stored <- case$x + far
      near <- margin_kernel(stored - far, case$y, kernel, lambda = 0.01, scale = scale,
                            control = margin_control(seed = 1), intercept = "none")
      for (x in in_every_class(stored)) {
        fit <- margin_kernel(x, case$y, kernel, lambda = 0.01, scale = scale,
                             control = margin_control(seed = 1), intercept = "none")
        expect_true(certificate(fit)$certified)
        # a scale is rounded beside the offset
        expect_equal(certificate(fit)$value, certificate(near)$value, tolerance = 1e-7)
        expect_equal(fit$settings$kernel$sigma, near$settings$kernel$sigma, tolerance = 1e-7)
        expect_equal(unname(predict(fit, x, type = "score")), unname(fit$scores),
                     tolerance = 1e-12)
      }
    }
  }
  fit <- margin_kernel(in_every_class(case$x + 1e7)$columns, case$y, kernel_rbf(0.2),
                       lambda = 0.01, scale = FALSE, intercept = "none")
  expect_equal(certificate(fit)$value, 0.593853538923, tolerance = 1e-9)
})

test_that("value and bound are those of the kernel when only some rows are far away", {
  case <- checkers()
  # mixtures of rows that are far apart have kernel values of few digits, which the gap then holds
  for (far in c(100, 1e8)) for (mixed in c(FALSE, far < 1e8)) {
    x <- scattered(case$x, far)
    mixup <- if (mixed) mixup_pairs(60, pairs = "same")
    for (given in in_every_class(x)) for (tol in c(1e-4, 1e-9)) {
      fit <- margin_kernel(given, case$y, kernel_rbf(0.2), lambda = 0.01, scale = FALSE,
                           mixup = mixup, control = margin_control(tol = tol, seed = 1),
                           intercept = "none")
      expect_true(certificate(fit)$certified)
      expect_honest_kernel(fit, x, case$y)
      expect_equal(unname(predict(fit, given, type = "score")), unname(fit$scores),
                   tolerance = 1e-9)
    }
  }
})

test_that("every entry of a kernel matrix has its digits, near rows and far ones", {
  case <- checkers()
  none <- list(first = integer(), second = integer(), share = numeric())
  for (x in list(case$x + 1e7, scattered(case$x, 1e8), scattered(case$x, 1e160))) {
    for (name in c("rbf", "laplace")) {
      distance <- plain_distances(x)
      K <- exp(-0.2 * if (name == "rbf") distance else sqrt(distance))
      given <- list(name = name, sigma = 0.2, degree = 1, scale = 1, offset = 0)
      for (rows in in_every_class(x)) for (bytes in c(0, 1e9)) {
        found <- probe("kernel_matrix", rows, given, none, nrow(x), bytes, FALSE, FALSE,
                       numeric(nrow(x)), 16)
        expect_lt(max(abs(found$entries - K)), 1e-13)
      }
    }
  }
})

test_that("predictions of affine kernels have the digits of the scores, however far the rows are", {
  set.seed(3)
  x0 <- matrix(round(rnorm(60), 3), 20)
  y <- ifelse(x0[, 1] + 0.3 * rnorm(20) > 0, 1, -1)
  for (offset in c(1e4, 1e6, 2^27)) {
    x <- x0 + offset
    new <- x[1:7, ] + 0.25
    for (kernel in list(as_kernel("linear"), kernel_polynomial(1, 2, 3))) {
      fit <- margin_kernel(x, y, kernel = kernel, loss = "logistic", intercept = "free",
                           center = FALSE, scale = FALSE, lambda = 0.1)
      near <- margin_kernel(x - offset, y, kernel = kernel, loss = "logistic", intercept = "free",
                            center = FALSE, scale = FALSE, lambda = 0.1)
      expect_equal(predict(fit, x, type = "score"), unname(fit$scores), tolerance = 1e-9,
                   ignore_attr = TRUE)
      expect_equal(predict(fit, new, type = "score"),
                   predict(near, new - offset, type = "score"), tolerance = 1e-5)
    }
  }
  apart <- abs(x0[, 1]) > 0.3
  fit <- margin_hard(x0[apart, ] + 2^27, sign(x0[apart, 1]), kernel = "linear", intercept = "free")
  scores <- predict(fit, x0[apart, ] + 2^27, type = "score")
  expect_equal(min(scores * sign(x0[apart, 1])), certificate(fit)$value, tolerance = 1e-7)
})
