test_that("the worst class stands for the fit", {
  fit <- margin_linear(Species ~ ., data = iris, loss = "smooth_hinge")
  all <- certificate(fit, by = "class")
  expect_identical(all$class, levels(iris$Species))
  expect_identical(certificate(fit)$class, all$class[which.max(all$relative_gap)])
  expect_identical(names(all), c("kind", "class", "value", "bound", "gap", "relative_gap", "tol",
                                 "certified", "assumes"))
  expect_error(certificate(fit, by = "row"), class = "dualmargin_input_error")
})

test_that("the trace ends where the certificate is", {
  fit <- margin_linear(type ~ ., data = spambase, loss = "squared_hinge")
  trace <- convergence(fit)
  expect_identical(names(trace), c("class", "epoch", "seconds", "value", "bound", "gap"))
  last <- trace[nrow(trace), ]
  # two computations at one point: value and bound agree to the last digits, the gap to those of the
  # value
  expect_equal(last$value, certificate(fit)$value, tolerance = 1e-13)
  expect_lt(abs(last$gap - certificate(fit)$gap), 1e-13 * last$value)
  expect_false(is.unsorted(trace$epoch))
})

test_that("the worst class is the one with the largest relative gap, certified or not", {
  fit <- quiet_fit(Species ~ ., data = iris, solver = "sdca", intercept = "none",
                   control = margin_control(max_epochs = 20, seed = 1))
  all <- certificate(fit, by = "class")
  expect_equal(all$gap, all$value - all$bound, tolerance = 1e-12)
  expect_equal(all$relative_gap, all$gap / pmax(abs(all$value), abs(all$bound)))
  expect_identical(all$certified, all$relative_gap <= all$tol)
  expect_identical(certificate(fit)$relative_gap, max(all$relative_gap))
  expect_identical(rownames(certificate(fit)), "1")
  expect_identical(certificate(margin_linear(mpg ~ wt, data = mtcars, loss = "squared"))$class,
                   NA_character_)
})

test_that("each class has its own path, from its own start", {
  fit <- margin_linear(Species ~ ., data = iris, loss = "smooth_hinge")
  for (trace in split(convergence(fit), convergence(fit)$class)) {
    expect_false(is.unsorted(trace$epoch, strictly = TRUE))
    expect_false(is.unsorted(trace$seconds))
    expect_equal(trace$gap, trace$value - trace$bound, tolerance = 1e-9)
  }
})
