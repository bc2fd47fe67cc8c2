test_that("the losses carry their name, gamma and task", {
  expect_identical(unclass(as_loss("hinge")),
                   list(name = "hinge", gamma = 0, smooth = FALSE, parameter = NA_real_,
                        task = "classification"))
  expect_identical(unclass(loss_smooth_hinge(2L)),
                   list(name = "smooth_hinge", gamma = 2, smooth = TRUE, parameter = c(gamma = 2),
                        task = "classification"))
  expect_identical(loss_smooth_hinge()$gamma, 1)
  expect_identical(loss_squared_hinge(0.5)$gamma, 0.5)
  expect_identical(as_loss("logistic")$gamma, 4)
  expect_identical(as_loss("squared")[c("gamma", "task")], list(gamma = 1, task = "both"))
  expect_identical(loss_huber(2L)[c("gamma", "parameter", "task")],
                   list(gamma = 1, parameter = c(delta = 2), task = "both"))
})

test_that("a name is the loss with its default gamma, a value is itself", {
  for (name in names(loss_makers())) {
    expect_identical(as_loss(name)$name, name)
    expect_s3_class(as_loss(name), "margin_loss")
  }
  expect_identical(as_loss("squared_hinge"), loss_squared_hinge(1))
  expect_identical(as_loss(loss_smooth_hinge(0.3)), loss_smooth_hinge(0.3))
})

test_that("a bad parameter is an error that names it", {
  for (bad in list(0, -1, NA_real_, Inf, c(1, 2), "1", NULL)) {
    expect_error(loss_smooth_hinge(bad), "`gamma` is", class = "dualmargin_input_error")
    expect_error(loss_squared_hinge(bad), "`gamma` is", class = "dualmargin_input_error")
    expect_error(loss_huber(bad), "`delta` is", class = "dualmargin_input_error")
  }
  expect_told("loss", "parameters", {
    loss_smooth_hinge(0)
    loss_squared_hinge(0)
    loss_huber(0)
  })
})
