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

test_that("losses print in one line", {
  expect_told("loss", "printed", {
    as_loss("hinge")
    loss_smooth_hinge(0.25)
    loss_squared_hinge()
    as_loss("logistic")
    as_loss("squared")
    loss_huber()
  })
  expect_identical(format(loss_smooth_hinge(0.25)), "smooth_hinge (gamma = 0.25)")
  expect_identical(format(as_loss("hinge")), "hinge")
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

# The value of the linear programme min_v sum omega rho(y - X v): it is attained at a v that passes
# through as many rows as v has entries.
programme_value <- function(x, y, omega, tau) {
  loss <- loss_quantile(tau)
  best <- Inf
  for (rows in utils::combn(nrow(x), ncol(x), simplify = FALSE)) {
    v <- tryCatch(solve(x[rows, ], y[rows]), error = function(singular) NULL)
    if (is.null(v)) next
    best <- min(best, sum(omega * plain_loss(loss, drop(x %*% v), y)) / sum(omega))
  }
  best
}

test_that("without a penalty to speak of, a quantile fit is the optimum of its linear programme", {
  set.seed(3)
  x <- matrix(rnorm(24), 12)
  y <- x[, 1L] + rnorm(12)
  omega <- rep_len(c(1, 2, 0.5), 12)
  for (tau in c(0.1, 0.5, 0.8)) for (intercept in c("free", "none")) {
    exact <- programme_value(cbind(x, if (intercept == "free") 1), y, omega, tau)
    for (mixture in c(0, 1)) {
      fit <- margin_linear(x, y, loss = loss_quantile(tau), lambda = 1e-6, mixture = mixture,
                           intercept = intercept, weights = omega, response_scale = FALSE,
                           control = margin_control(tol = 1e-7))
      expect_true(fit$certificate$certified)
      # the penalty is 1e-6 of the coefficients' size
      expect_gte(fit$certificate$value, exact * (1 - 1e-12))
      expect_equal(fit$certificate$value, exact, tolerance = 1e-4)
    }
  }
})

test_that("a share tau of the rows is below a quantile fit, whatever the penalty", {
  set.seed(5)
  x <- matrix(rnorm(900), 300)
  y <- x[, 1L] + stats::rt(300, 2)
  omega <- rep_len(c(1, 2, 0, 0.5), 300)
  for (tau in c(0.05, 0.5, 0.9)) for (lambda in c(1e-6, 0.1, 10)) {
    loss <- loss_quantile(tau)
    fits <- list(margin_linear(x, y, loss = loss, lambda = lambda, weights = omega),
                 margin_kernel(x, y, kernel_rbf(0.2), loss = loss, lambda = max(lambda, 1e-3),
                               weights = omega))
    for (fit in fits) {
      residual <- y - fitted(fit)
      near <- abs(residual) <= 1e-4
      expect_lte(sum(omega[residual < 0 & !near]), tau * sum(omega) + 1e-8)
      expect_lte(sum(omega[residual > 0 & !near]), (1 - tau) * sum(omega) + 1e-8)
    }
  }
  # with features that say nothing it is the quantile itself
  null <- margin_linear(x, y, loss = loss_quantile(0.9), mixture = 1, lambda = 100)
  expect_identical(unname(coef(null)[-1L]), numeric(3))
  # any number from the 270th to the next is a quantile
  expect_true(coef(null)[[1L]] >= sort(y)[270] - 1e-8 && coef(null)[[1L]] <= sort(y)[271] + 1e-8)
})

test_that("a quantile has a unit as a Huber fit has, and no classes", {
  fit <- function(unit, ...) {
    margin_linear(speed * unit ~ dist, data = cars, loss = loss_quantile(0.7), lambda = 0.01, ...,
                  control = margin_control(tol = 1e-9))
  }
  expect_equal(fitted(fit(1000)), 1000 * fitted(fit(1)), tolerance = 1e-6)
  expect_identical(fit(1, response_scale = FALSE)$response_scale, 1)
  for (bad in list(0, 1, -1, NA_real_, "a")) {
    expect_input_error(loss_quantile(bad), "tau", "`tau` is")
  }
  for (f in list(margin_linear, margin_kernel)) {
    expect_input_error(f(iris[1:4], iris$Species, loss = "quantile"), "loss", "factor")
    expect_input_error(f(iris[1:4], iris$Species == "setosa", loss = "quantile"), "loss", "logical")
  }
  expect_input_error(margin_kernel(iris[1:4], soft_labels(rep_len(c(0, 1), 150)),
                                   loss = "quantile"), "loss", "soft")
  expect_identical(margin_linear(iris[1:4], rep_len(c(0, 1), 150), loss = "quantile")$task,
                   "regression")
})

test_that("a loss that was changed by hand is refused by print() and format()", {
  for (part in c("smooth", "gamma", "task", "parameter")) for (value in list(NULL, "a", NA)) {
    bad <- unclass(loss_smooth_hinge(0.5))
    bad[part] <- list(value)
    class(bad) <- "margin_loss"
    expect_error(print(bad), class = "dualmargin_input_error")
    expect_error(format(bad), class = "dualmargin_input_error")
  }
})

# ---- Log-cosh ----

test_that("the log-cosh loss carries its name and number, and is for numbers alone", {
  expect_identical(unclass(loss_log_cosh(2L)),
                   list(name = "log_cosh", gamma = 1, smooth = TRUE, parameter = c(delta = 2),
                        task = "regression"))
  for (bad in list(0, -1, NA_real_, Inf, c(1, 2), "1", NULL)) {
    expect_input_error(loss_log_cosh(bad), "delta", "`delta` is")
  }
  expect_input_error(margin_linear(iris[1:4], iris$Species, loss = "log_cosh"), "loss", "factor")
})

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

test_that("the log-cosh loss lies between the squared and the absolute one", {
  set.seed(5)
  x <- matrix(rnorm(120), 40)
  y <- x[, 1L] + rt(40, 2)
  value <- function(loss) {
    margin_linear(x, y, loss = loss, lambda = 0.05, response_scale = FALSE,
                  control = margin_control(tol = 1e-10, seed = 1))$certificate$value
  }
  expect_equal(value(loss_log_cosh(1e5)), value("squared"), tolerance = 1e-8)
  narrow <- 1e-5
  # delta |r| - delta^2 log 2 <= phi <= delta |r|, so that lambda goes with delta
  fit <- margin_linear(x, y, loss = loss_log_cosh(narrow), lambda = 0.05 * narrow,
                       response_scale = FALSE, control = margin_control(tol = 1e-8, seed = 1))
  expect_equal(fit$certificate$value / narrow, value("absolute"), tolerance = 2 * narrow)
  # and under Huber's with the same delta by at most what that has more at its corner
  huber <- value(loss_huber(1, unit = "response"))
  expect_lt(value(loss_log_cosh(1)), huber)
  expect_gt(value(loss_log_cosh(1)), huber - (log(2) - 0.5))
})

test_that("outliers move a log-cosh fit little, and its certificates hold the exact optimum", {
  wild <- transform(cars, dist = replace(dist, 50, 850))
  slope <- function(data, loss) {
    coef(margin_linear(dist ~ speed, data = data, loss = loss, lambda = 1e-4))[["speed"]]
  }
  expect_gt(slope(wild, "squared") - slope(cars, "squared"), 2)
  expect_lt(slope(wild, "log_cosh") - slope(cars, "log_cosh"), 0.5)
  fit <- margin_linear(dist ~ speed, data = cars, loss = "log_cosh", lambda = 0.01)
  exact <- margin_linear(dist ~ speed, data = cars, loss = "log_cosh", lambda = 0.01,
                         control = margin_control(tol = 1e-11))
  ends <- predict(margin_certain(fit, cars), cars)
  expect_true(all(fitted(exact) >= ends$lower - 1e-9 & fitted(exact) <= ends$upper + 1e-9))
  # each row left out, against fits without it
  fitted_to <- function(data, tol) {
    margin_linear(dist ~ speed, data = data, lambda = 0.01, loss = loss_log_cosh(10), scale = FALSE,
                  response_scale = FALSE, control = margin_control(tol = tol))
  }
  table <- as.data.frame(margin_loo(fitted_to(cars, 1e-6), cars, rule = "lambda"))
  for (i in c(1, 23, 49)) {
    without <- predict(fitted_to(cars[-i, ], 1e-11), cars[i, ])
    expect_gte(without, table$lower[i] - 1e-6)
    expect_lte(without, table$upper[i] + 1e-6)
  }
  expect_lt(stats::median(table$upper - table$lower), 1)
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
