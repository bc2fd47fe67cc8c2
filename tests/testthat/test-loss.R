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

# ---- Log-cosh ----

test_that("the log-cosh loss neither overflows nor loses a small residual", {
  loss <- loss_log_cosh(1)
  r <- c(1e300, 1e5, 800, -800, -1e300)
  expect_equal(probe_loss(loss, "value", r, 0), abs(r) - log(2), tolerance = 1e-15)
  expect_identical(probe_loss(loss, "slope", r, 0), sign(r))
  expect_identical(probe_loss(loss, "curvature", r, 0), numeric(5))
  small <- 10^-(4:150)
  expect_equal(probe_loss(loss, "value", small, 0) / (small^2 / 2), 1 - small^2 / 6,
               tolerance = 1e-14)
  expect_equal(probe_loss(loss, "conjugate", a = small, y = 0) / (small^2 / 2), 1 + small^2 / 6,
               tolerance = 1e-14)
  expect_equal(probe_loss(loss, "curvature", c(-3, 0.2, 5), 0), 1 - tanh(c(-3, 0.2, 5))^2,
               tolerance = 1e-12)
  # what Fenchel and Young leave of a dual value near the slope is half the square of its distance
  off <- 1e-9
  expect_equal(probe_loss(loss, "excess", 1e-4, 0, tanh(1e-4) + off), off^2 / 2, tolerance = 1e-6)
  # and nowhere less than nothing
  far <- seq(15, 40, by = 0.25)
  for (share in c(1, 1 - 2^-53, 1 - 1e-10)) {
    expect_gte(min(probe_loss(loss, "excess", far, 0, share * tanh(far))), 0)
  }
})

test_that("a response far from 0 in units of delta has its intercept found", {
  # at intercept 0 every slope is delta but for 1e-150, and Newton's first step goes to 1e60
  set.seed(1)
  x <- matrix(rnorm(20), 10)
  y <- 100 + 20 * rnorm(10)
  loss <- loss_log_cosh(0.42)
  values <- vapply(c("ssnal", "newton", "fista"), function(solver) {
    fit <- margin_linear(x, y, loss = loss, lambda = 1, response_scale = FALSE, solver = solver)
    expect_true(fit$certificate$certified, info = solver)
    fit$certificate$value
  }, 0)
  constant <- optimize(function(b) mean(plain_loss(loss, b, y)), range(y), tol = 1e-9)$objective
  expect_true(all(values <= constant & values > 0.9 * constant))
  kernel <- margin_kernel(x, y, loss = loss, lambda = 1, response_scale = FALSE)
  expect_lte(kernel$certificate$value, constant)
})
