test_that("the losses carry their name, gamma and task", {
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
  expect_identical(loss_huber(2L)[c("gamma", "parameter", "task")],
                   list(gamma = 1, parameter = c(delta = 2), task = "both"))
})

test_that("a name is the loss with its default gamma, a value is itself", {
  for (name in margin_losses()$name) {
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

test_that("losses print in one line", {
  expect_told("loss", "printed", {
    loss_hinge()
    loss_smooth_hinge(0.25)
    loss_squared_hinge()
    loss_logistic()
    loss_squared()
    loss_huber()
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

test_that("the Huber fit is where a plain optimiser finds it, and not where the squared one is", {
  problem <- small_problem(n = 40L, p = 3L)
  y <- problem$response
  y[1:4] <- y[1:4] + 20
  for (delta in c(0.3, 1.345)) for (intercept in c("none", "free")) {
    x <- cbind(problem$x, if (intercept == "free") 1)
    slopes <- seq_len(3L)
    penalized <- function(w) {
      r <- drop(x %*% w) - y
      phi <- ifelse(abs(r) <= delta, r^2 / 2, delta * (abs(r) - delta / 2))
      sum(problem$weights * phi) / sum(problem$weights) + 0.05 * sum(w[slopes]^2) / 2
    }
    gradient <- function(w) {
      psi <- pmin(pmax(drop(x %*% w) - y, -delta), delta)
      colSums(problem$weights * psi * x) / sum(problem$weights) +
        0.05 * w * (seq_along(w) %in% slopes)
    }
    plain <- optim(numeric(ncol(x)), penalized, gradient, method = "BFGS",
                   control = list(reltol = 1e-16, maxit = 1000))
    fit <- margin_linear(problem$x, y, loss = loss_huber(delta), lambda = 0.05, scale = FALSE,
                         intercept = intercept, weights = problem$weights,
                         response_scale = FALSE, control = margin_control(tol = 1e-12))
    expect_equal(fit$certificate$value, plain$value, tolerance = 1e-9)
    found <- unname(coef(fit))
    if (intercept == "free") found <- c(found[-1L], found[1L])
    expect_equal(found, plain$par, tolerance = 1e-4)
  }
})

test_that("a delta above every residual is the squared loss", {
  problem <- small_problem()
  fit <- function(loss) {
    margin_linear(problem$x, problem$response, loss = loss, lambda = 0.05, mixture = 0.3,
                  response_scale = FALSE, control = margin_control(tol = 1e-12, seed = 1))
  }
  far <- fit(loss_huber(1e6))
  squared <- fit("squared")
  expect_equal(coef(far), coef(squared), tolerance = 1e-12)
  expect_equal(far$certificate$value, squared$certificate$value, tolerance = 1e-14)
  expect_identical(far$task, "regression")
})

test_that("one wild response moves a Huber fit no further than delta lets it", {
  problem <- small_problem()
  slopes <- function(loss, shift) {
    y <- problem$response
    y[1L] <- y[1L] + shift
    coef(margin_linear(problem$x, y, loss = loss, lambda = 0.05,
                       control = margin_control(tol = 1e-12, seed = 1)))
  }
  expect_equal(slopes(loss_huber(0.5), 100), slopes(loss_huber(0.5), 1e4), tolerance = 1e-4)
  expect_gt(max(abs(slopes("squared", 100) - slopes("squared", 1e4))), 1)
})
