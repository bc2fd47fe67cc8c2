test_that("the worst class stands for the fit", {
  fit <- margin_linear(Species ~ ., data = iris)
  all <- certificate(fit, by = "class")
  expect_identical(all$class, levels(iris$Species))
  expect_identical(certificate(fit)$class, all$class[which.max(all$relative_gap)])
  expect_identical(names(all), c("kind", "class", "value", "bound", "gap", "relative_gap", "tol",
                                 "certified"))
  expect_error(certificate(fit, by = "row"), class = "dualmargin_input_error")
})

test_that("the trace ends where the certificate is", {
  fit <- margin_linear(type ~ ., data = spambase, loss = "squared_hinge")
  trace <- convergence(fit)
  expect_identical(names(trace), c("class", "epoch", "seconds", "value", "bound", "gap"))
  last <- trace[nrow(trace), ]
  expect_equal(c(last$value, last$gap), c(certificate(fit)$value, certificate(fit)$gap),
               tolerance = 1e-9)
  expect_false(is.unsorted(trace$epoch))
})
