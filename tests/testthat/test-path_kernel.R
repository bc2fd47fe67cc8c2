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

test_that("a path of several classes predicts, plots and prints", {
  path <- margin_path(Species ~ ., data = iris, family = "kernel", loss = "squared_hinge",
                      n_lambda = 4, intercept = "none")
  scores <- predict(path, iris, type = "score")
  expect_identical(dim(scores), c(150L, 3L, 4L))
  fit <- margin_kernel(Species ~ ., data = iris, loss = "squared_hinge", lambda = path$lambda[4L],
                       intercept = "none")
  expect_equal(unname(scores[, , 4L]), unname(fit$scores), tolerance = 1e-2)
  expect_output(print(path), "along 4 points")
  grDevices::pdf(NULL)
  on.exit(grDevices::dev.off())
  expect_identical(plot(path)$lambda, path$lambda)
  two <- margin_path(type ~ ., data = spambase[seq(1, 4601, by = 30), ], family = "kernel",
                     n_lambda = 4, intercept = "none")
  drawn <- plot(two, which = "risk", data = spambase[seq(2, 4601, by = 30), ])
  expect_identical(names(drawn), c("lambda", "objective", "held_out_risk", "held_out_error"))
  expect_equal(drawn$objective, two$certificate$value)
  wrong <- predict(two, spambase[seq(2, 4601, by = 30), ])[[2L]] !=
    spambase$type[seq(2, 4601, by = 30)]
  expect_equal(drawn$held_out_error[2L], mean(wrong))
  expect_error(plot(two, which = "coefficients"), class = "dualmargin_input_error")
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

test_that("solvers are compared on one problem", {
  problem <- moons(100L)
  solvers <- margin_solvers("kernel")
  smooth <- solvers$name[vapply(solvers$losses, function(l) "smooth_hinge" %in% l, NA)]
  comparison <- compare_solvers(problem$x, problem$y, solvers = setdiff(smooth, "sgd"),
                                family = "kernel", loss = loss_smooth_hinge(0.5), lambda = 0.01,
                                control = margin_control(seed = 1, max_epochs = 5000))
  certificates <- certificate(comparison)
  expect_true(all(certificates$certified))
  expect_true(max(certificates$bound) <= min(certificates$value) + 1e-12)
})
