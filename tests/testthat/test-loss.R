test_that("the five losses carry their name, gamma and task", {
  expect_identical(unclass(loss_hinge()),
                   list(name = "hinge", gamma = 0, smooth = FALSE, parameter = NA_real_,
                        task = "classification"))
  expect_identical(unclass(loss_smooth_hinge(2L)),
                   list(name = "smooth_hinge", gamma = 2, smooth = TRUE, parameter = c(gamma = 2),
                        task = "classification"))
  expect_identical(loss_smooth_hinge()$gamma, 1)
  expect_identical(loss_squared_hinge(0.5)$gamma, 0.5)
  expect_identical(loss_logistic()$gamma, 4)
  expect_identical(loss_squared()[c("gamma", "task")], list(gamma = 1, task = "both"))
})

test_that("a name is the loss with its default gamma, a value is itself", {
  for (name in margin_losses()$name) {
    expect_identical(as_loss(name)$name, name)
    expect_s3_class(as_loss(name), "margin_loss")
  }
  expect_identical(as_loss("squared_hinge"), loss_squared_hinge(1))
  expect_identical(as_loss(loss_smooth_hinge(0.3)), loss_smooth_hinge(0.3))
})

test_that("a bad gamma is an error that names it", {
  for (bad in list(0, -1, NA_real_, Inf, c(1, 2), "1", NULL)) {
    expect_error(loss_smooth_hinge(bad), "`gamma` is", class = "dualmargin_input_error")
    expect_error(loss_squared_hinge(bad), "`gamma` is", class = "dualmargin_input_error")
  }
  expect_snapshot({
    writeLines(conditionMessage(tryCatch(loss_smooth_hinge(0), error = identity)))
    writeLines(conditionMessage(tryCatch(loss_squared_hinge(0), error = identity)))
  })
})

test_that("losses print in one line", {
  expect_snapshot({
    loss_hinge()
    loss_smooth_hinge(0.25)
    loss_squared_hinge()
    loss_logistic()
    loss_squared()
  })
  expect_identical(format(loss_smooth_hinge(0.25)), "smooth_hinge (gamma = 0.25)")
  expect_identical(format(loss_hinge()), "hinge")
})

test_that("gamma changes the optimum: the loss that was asked for is the loss that is fitted", {
  x <- as.matrix(iris[51:150, 1:4])
  y <- droplevels(iris$Species[51:150])
  value <- function(loss) certificate(margin_linear(x, y, loss = loss, lambda = 0.1))$value
  hinge <- value("hinge")
  # The smooth hinge lies below the hinge by at most gamma / 2, and so do the optima.
  for (gamma in c(0.01, 0.1, 1)) {
    smooth <- value(loss_smooth_hinge(gamma))
    expect_lt(smooth, hinge)
    expect_gt(smooth, hinge - gamma / 2 - 1e-6)
  }
  expect_gt(value(loss_squared_hinge(0.5)), value(loss_squared_hinge(1)))
})
