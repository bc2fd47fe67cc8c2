test_that("a path chooses its own lambdas from the diagonal of the kernel", {
  problem <- moons(80L)
  path <- margin_path(problem$x, problem$y, family = "kernel", kernel = kernel_rbf(0.7),
                      n_lambda = 5, intercept = "none")
  # logistic: gamma = 4, and k(x, x) = 1
  expect_equal(path$lambda, 0.25 * 1e-4^(0:4 / 4))
  linear <- margin_path(problem$x, problem$y, family = "kernel", kernel = "linear",
                        center = FALSE, scale = FALSE,
                        n_lambda = 3, lambda_min_ratio = 0.01, intercept = "none")
  expect_equal(linear$lambda[1L], mean(rowSums(problem$x^2)) / 4)
  expect_identical(length(path$support$at), nrow(path$coefficients))
})

test_that("a path of one model of all classes has a penalised intercept", {
  for (kernel in list(as_kernel("linear"), kernel_rbf(0.7), kernel_polynomial(2))) {
    path <- margin_path(Species ~ ., data = iris, family = "kernel", kernel = kernel,
                        multiclass = "softmax", intercept = "penalized", lambda = c(1, 0.1),
                        control = margin_control(tol = 1e-9))
    expect_true(all(path$certificate$certified))
    scores <- predict(path, iris, type = "score")
    for (i in 1:2) {
      fit <- margin_kernel(Species ~ ., data = iris, kernel = kernel, multiclass = "softmax",
                           intercept = "penalized", lambda = path$lambda[i],
                           control = margin_control(tol = 1e-9))
      expect_equal(path$certificate$value[i], fit$certificate$value, tolerance = 1e-8)
      expect_equal(unname(scores[, , i]), unname(fit$scores), tolerance = 1e-3)
    }
  }
})
