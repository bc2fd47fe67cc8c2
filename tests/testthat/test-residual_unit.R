# loss_huber(unit = ): delta in robust standard deviations of the residuals of the very fit, of the
# response, or in units that are given.

tight <- margin_control(tol = 1e-10, seed = 1)
median_size <- function(r, w = rep(1, length(r))) {
  weighted_median(abs(r), w) / 0.6745
}
in_one_line <- function(result) {
  gsub("\\s+", " ", paste(capture.output(print(result)), collapse = " "))
}
# y that its features explain, ten rows of which are wild
explained <- function() {
  set.seed(2)
  x <- matrix(stats::rnorm(600), 200)
  y <- 5 * rowSums(x) + stats::rnorm(200, sd = 0.5)
  list(x = x, y = y + replace(numeric(200), 1:10, 8))
}

# what rlm(stack.loss ~ ., stackloss, k = 1.345, scale.est = "MAD", acc = 1e-12) of MASS returns
rlm_stackloss <- c(-41.0265311, 0.8293739, 0.9261082, -0.1278492)

test_that("on stackloss it is Huber's M-estimate with the MAD of the residuals", {
  fit <- margin_linear(stack.loss ~ ., stackloss, loss = "huber", lambda = 1e-9)
  expect_true(certificate(fit)$certified)
  expect_equal(unname(coef(fit)), rlm_stackloss, tolerance = 1e-5)
  skip_if_not_installed("MASS")
  rlm <- MASS::rlm(stack.loss ~ ., stackloss, k = 1.345, scale.est = "MAD", maxit = 200,
                   acc = 1e-12)
  expect_equal(coef(fit), coef(rlm), tolerance = 1e-5)
  expect_equal(huber_scale(fit), rlm$s, tolerance = 1e-5)
})

test_that("an intercept is that of the many where a few rows are wild and y is explained", {
  d <- explained()
  fit <- margin_linear(d$x, d$y, loss = "huber", lambda = 1e-9)
  expect_lt(abs(coef(fit)[[1L]] - 0.071), 0.001)
  response <- margin_linear(d$x, d$y, loss = loss_huber(unit = "response"), lambda = 1e-9)
  expect_equal(coef(response)[[1L]], stats::coef(stats::lm(d$y ~ d$x))[[1L]], tolerance = 1e-6)
})

test_that("s is the median size of the fit's own residuals, whatever the problem", {
  d <- explained()
  weights <- rep(c(1, 0, 2, 0.5), 50)
  for (w in list(rep(1, 200), weights)) for (intercept in c("free", "penalized", "none")) {
    for (setting in list(c(0, 1e-6), c(0, 0.1), c(0.5, 0.1), c(1, 0.05), c(0, 10))) {
      fit <- margin_linear(d$x, d$y, loss = loss_huber(1, "residual"), weights = w,
                           intercept = intercept, mixture = setting[1L], lambda = setting[2L])
      size <- huber_scale(fit)
      expect_true(certificate(fit)$certified)
      expect_equal(size, median_size(residuals(fit), w), tolerance = 2e-8)
      # the loss of the problem that was solved, and its certificate from outside
      expect_equal(fit$settings$loss$parameter[[1L]], size / fit$response_scale)
      expect_honest_certificate(fit, d$x)
      # a number holds it
      held <- margin_linear(d$x, d$y, loss = loss_huber(1, size), weights = w,
                            intercept = intercept, mixture = setting[1L], lambda = setting[2L],
                            control = tight)
      expect_equal(coef(held), coef(fit), tolerance = 1e-3)
    }
  }
})

test_that("what follows from a fit holds its s, and says so", {
  d <- explained()
  rows <- 1:60
  fit <- margin_linear(d$x[rows, ], d$y[rows], loss = "huber", lambda = 0.05, control = tight)
  s <- huber_scale(fit)
  loo <- margin_loo(fit, d$x[rows, ], d$y[rows])
  expect_match(capture.output(print(loo)), sprintf("unit = %s", format(s, digits = 4)),
               fixed = TRUE, all = FALSE)
  change <- margin_sensitivity(fit, d$x[rows, ], d$y[rows], remove = 1L)
  for (result in list(loo, change)) {
    expect_match(in_one_line(result),
                 "size of the residuals, which delta counts, is held at that of the fit")
  }
  again <- stats::update(fit)
  expect_equal(coef(again), coef(fit))
})

test_that("a fit whose search for s was cut short, or has no end, is not certified and says so", {
  d <- explained()
  end <- function(most, fit = margin_linear, tol = 1e-2, ...) {
    control <- margin_control(tol = tol, max_epochs = most, seed = 1)
    expect_warning(
      made <- fit(d$x, d$y, loss = "huber", intercept = "none", solver = "dual_cd",
                  control = control, ...),
      "The size of the residuals, which `delta` counts, ", class = "dualmargin_not_certified"
    )
    made
  }
  # the gap of the problem at s is within tol: it is s that is off
  off <- function(fit) {
    abs(median_size(residuals(fit)) / huber_scale(fit) - 1)
  }
  words <- c(max_epochs = "before the size of the residuals", no_fixed_point = "no_fixed_point")
  for (status in names(words)) {
    most <- c(max_epochs = 8, no_fixed_point = 1000)[[status]]
    fit <- end(most, lambda = 0.05)
    expect_identical(fit$status$status, status)
    expect_false(certificate(fit)$certified)
    expect_lte(certificate(fit)$relative_gap, 1e-2)
    expect_gt(off(fit), 1e-6)
    expect_match(in_one_line(fit), words[[status]])
    expect_match(in_one_line(fit), "sought as their median")
    path <- end(most, margin_path, if (most > 100) 5e-2 else 1e-2, lambda = c(0.1, 0.05))
    expect_identical(path$status$status, rep(status, 2L))
    expect_no_match(capture.output(print(path)), "> tol")
  }
  # both have one with more of what the warning names
  more <- margin_linear(d$x, d$y, loss = "huber", intercept = "none", solver = "dual_cd",
                        lambda = 0.05, control = margin_control(tol = 1e-8, seed = 1))
  expect_true(certificate(more)$certified)
  expect_lt(off(more), 2e-8)
})

test_that("print counts the residuals beyond delta", {
  one <- function(...) gsub("\\s+", " ", paste(capture.output(print(margin_linear(
    stack.loss ~ ., stackloss, lambda = 1e-9, ...
  ))), collapse = " "))
  expect_match(one(loss = "huber"), "residuals 3 of 21 beyond delta = 1.345 times s = 2.44")
  expect_match(one(loss = loss_huber(unit = "response")),
               "residuals 0 of 21 beyond delta .* this is least squares")
  expect_match(one(loss = loss_huber(unit = 2)), "times the unit 2", fixed = TRUE)
  fit <- margin_linear(stack.loss ~ ., stackloss, loss = "huber", lambda = 1e-9)
  expect_match(capture.output(print(summary(fit))), "3 of 21 beyond", all = FALSE)
  expect_true(all(nchar(capture.output(print(fit))) <= 80L))
})

test_that("half of the residuals 0 is an error that names the remedy, as do other bad units", {
  x <- matrix(stats::rnorm(40), 20)
  expect_input_error(margin_linear(x, rep(1, 20), loss = "huber"), "unit", "unit = \"response\"")
  constant <- margin_linear(x, rep(1, 20), loss = loss_huber(unit = "response"))
  expect_equal(unname(coef(constant)), c(1, 0, 0))
  expect_input_error(loss_huber(unit = "residuals"), "unit", "residual")
  expect_input_error(loss_huber(unit = -1), "unit", "-1")
  expect_input_error(margin_kernel(x, x[, 1L], loss = loss_huber(unit = "residual")), "unit",
                     "margin_kernel")
  expect_input_error(margin_augmented(x, x[, 1L], loss = loss_huber(unit = "residual")), "unit",
                     "margin_augmented")
})

test_that("classes ignore the unit, and kernels take the response's or a number", {
  x <- as.matrix(iris[1:100, 1:4])
  y <- droplevels(iris$Species[1:100])
  for (unit in list("residual", "response", 3)) {
    expect_equal(coef(margin_linear(x, y, loss = loss_huber(0.5, unit))),
                 coef(margin_linear(x, y, loss = loss_huber(0.5))))
  }
  kernel <- function(loss) margin_kernel(x[, 1:2], x[, 3L], loss = loss, lambda = 0.01)
  given <- stats::mad(x[, 3L])
  expect_equal(fitted(kernel(loss_huber(0.5, given))), fitted(kernel(loss_huber(0.5))),
               tolerance = 1e-8)
})
