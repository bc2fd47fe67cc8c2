# The ball in function space: it holds the optimum's decision values, and is tight.

test_that("every optimal offset is in the interval, and no more than these", {
  x <- matrix(1, 6L, 2L)
  y <- factor(rep(c("a", "b"), 3L))
  fit <- quiet_kernel(x, y, kernel = kernel_rbf(1), loss = "hinge", lambda = 0.1,
                      intercept = "free", scale = FALSE, control = margin_control(tol = 1e-12))
  # any score from -1 to 1 is optimal for equal rows of both classes
  found <- predict(margin_certain(fit, x, y))
  expect_equal(unique(found$lower), -1, tolerance = 1e-6)
  expect_equal(unique(found$upper), 1, tolerance = 1e-6)
  expect_true(all(found$lower <= -1 & found$upper >= 1))
})

test_that("several classes, printing, and what is refused", {
  rows <- seq(1, 150, by = 3)
  fit <- margin_kernel(Species ~ ., data = iris[rows, ], lambda = 0.01, loss = "hinge")
  certain <- margin_certain(fit, iris[rows, ])
  found <- predict(certain, iris)
  best <- update(fit, control = margin_control(tol = 1e-10))
  expect_identical(as.character(found$class[found$decided]),
                   as.character(predict(best, iris)[found$decided]))
  expect_output(print(certain), "function")
  expect_output(print(summary(certain)), "half_width")
  refused <- function(code, text) expect_error(code, text, class = "dualmargin_input_error")
  refused(coef(certain), "kernel fit")
  problem <- moons(40L)
  y <- factor(problem$y)
  mixed <- quiet_kernel(problem$x, y, mixup = mixup_pairs(n = 10), loss = "squared_hinge")
  refused(margin_certain(mixed, problem$x, y), "mixed rows")
  near <- quiet_kernel(problem$x, y, nystrom = 10, loss = "squared_hinge")
  refused(margin_certain(near, problem$x, y), "landmarks")
  refused(margin_loo(near, problem$x, y), "margin_loo")
})

test_that("a fit without support vectors has its intervals, for new rows too", {
  x <- matrix(c(1, 2, 4, 3, 5, 1, 0, 2), 4L)
  for (kernel in list(kernel_rbf(1), as_kernel("linear"), kernel_polynomial(2, 1, 1))) {
    for (intercept in c("free", "penalized", "none")) {
      y <- rep(if (intercept == "free") 3 else 0, 4L)
      fit <- quiet_kernel(x, y, kernel = kernel, loss = "huber", lambda = 0.1,
                          intercept = intercept, response_scale = FALSE)
      expect_identical(nrow(fit$support$x), 0L)
      found <- predict(margin_certain(fit, x, y), x + 1)
      expect_true(all(found$lower <= y & found$upper >= y))
      expect_true(all(found$upper - found$lower <= 1e-4))
      left <- as.data.frame(margin_loo(fit, x, y))
      expect_true(all(left$lower <= y & left$upper >= y))
    }
  }
})

test_that("a row of several classes is decided alone as among others", {
  fit <- margin_kernel(Species ~ ., iris, kernel = kernel_rbf(0.5), control = margin_control(tol = 0.1))
  certain <- margin_certain(fit, iris)
  open <- which(!predict(certain, iris)$decided)
  expect_gt(length(open), 3L)
  for (i in head(open, 3L)) {
    expect_identical(predict(certain, iris[i, ], data = iris)$decided,
                     predict(certain, iris[open, ], data = iris)$decided[open == i])
  }
})
