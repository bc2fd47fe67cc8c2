# Multinomial kernel regression with free intercepts: softmax_losses.h and softmax_newton.cpp in
# src/kernel, src/loss/class_intercepts.h. Beside the linear family on the rows of a factor of the
# kernel, beside plain R, and by what must change nothing.

few <- c(1:14, 51:68, 101:120)
flowers <- iris[few, ]
features <- as.matrix(flowers[1:4])
classes <- flowers$Species
set.seed(3)
weights <- sample(c(0.5, 1, 2), length(few), TRUE)
tight <- function(tol = 1e-9, ...) margin_control(tol = tol, seed = 1, ...)

scaled_by <- function(x, omega) {
  mean <- colSums(omega * x) / sum(omega)
  sweep(x, 2L, sqrt(colSums(omega * sweep(x, 2L, mean)^2) / sum(omega)), `/`)
}
values_of <- function(x, omega, sigma = 0.3) exp(-sigma * as.matrix(dist(scaled_by(x, omega)))^2)
rows_of <- function(K) {
  e <- eigen(K, symmetric = TRUE)
  e$vectors %*% diag(sqrt(pmax(e$values, 0)))
}
centred <- function(scores) unname(scores - rowMeans(scores))

free_fit <- function(..., x = features, y = classes, lambda = 0.01, control = tight()) {
  margin_kernel(x, y, kernel_rbf(0.3), multiclass = "softmax", lambda = lambda,
                control = control, ...)
}

test_that("it is the linear multinomial model on the rows of a factor of the kernel", {
  for (omega in list(rep(1, length(few)), weights)) {
    R <- rows_of(values_of(features, omega))
    for (lambda in c(0.1, 0.01, 1e-4)) {
      linear <- margin_linear(R, classes, lambda = lambda, multiclass = "softmax", scale = FALSE,
                              weights = omega, control = tight(1e-10))
      for (solver in c("auto", "newton", "block_sdca")) {
        fit <- free_fit(lambda = lambda, weights = omega, solver = solver)
        expect_identical(fit$multiclass, "softmax")
        expect_identical(nrow(fit$certificate), 1L)
        expect_true(fit$certificate$certified)
        expect_equal(fit$certificate$value, linear$certificate$value, tolerance = 2e-9)
        expect_lte(fit$certificate$bound, linear$certificate$value * (1 + 1e-13))
        expect_equal(centred(fit$scores), centred(linear$scores), tolerance = 1e-3)
        b <- coef(linear)[1L, ]
        expect_equal(unname(coef(fit)[1L, ]), unname(b - mean(b)), tolerance = 1e-3)
      }
    }
  }
})

test_that("an affine kernel is that of margin_linear(), however far the rows are from the origin", {
  for (away in c(0, 1e6)) {
    x <- features + away
    linear <- margin_linear(x, classes, multiclass = "softmax", lambda = 0.02, control = tight())
    for (kernel in list(as_kernel("linear"), kernel_polynomial(1))) {
      fit <- margin_kernel(x, classes, kernel, multiclass = "softmax", lambda = 0.02,
                           center = FALSE, control = tight())
      expect_true(fit$certificate$certified)
      expect_equal(fit$certificate$value, linear$certificate$value, tolerance = 1e-8)
      expect_equal(predict(fit, x, type = "prob"), predict(linear, x, type = "prob"),
                   tolerance = 1e-3, ignore_attr = TRUE)
      expect_equal(unname(predict(fit, x, type = "score")), unname(fit$scores), tolerance = 1e-8)
    }
  }
})

test_that("the default penalty is a quarter of 1/W for the logistic loss, whatever refits it", {
  fit <- margin_kernel(Species ~ ., data = flowers)
  expect_equal(fit$settings$lambda, 1 / (4 * nrow(flowers)), tolerance = 1e-14)
  expect_identical(coef(fit), coef(margin_kernel(Species ~ ., data = flowers, cost = 4)))
  for (loss in c("hinge", "smooth_hinge")) {
    other <- margin_kernel(Species ~ ., data = flowers, loss = loss)
    expect_equal(other$settings$lambda, 1 / nrow(flowers), tolerance = 1e-14)
  }
  numbers <- margin_kernel(mpg ~ ., data = mtcars)
  expect_equal(numbers$settings$lambda, 1 / nrow(mtcars), tolerance = 1e-14)
  # it follows the rows
  expect_equal(update(fit, data = flowers[-1, ])$settings$lambda, 1 / (4 * (nrow(flowers) - 1)))
})
