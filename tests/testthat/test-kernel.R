test_that("kernel values are those of kernlab", {
  skip_if_not_installed("kernlab")
  set.seed(1)
  a <- matrix(rnorm(15), 5L)
  b <- matrix(rnorm(12), 4L)
  pairs <- list(
    list(kernel_rbf(0.3), kernlab::rbfdot(0.3)),
    list(kernel_laplace(0.3), kernlab::laplacedot(0.3)),
    list(kernel_polynomial(3, 0.5, 2), kernlab::polydot(3, 0.5, 2)),
    list(kernel_linear(), kernlab::vanilladot())
  )
  # its Laplace kernel is good to eleven digits
  for (pair in pairs) {
    theirs <- kernlab::kernelMatrix(pair[[2L]], a, b)@.Data
    points <- dualmargin:::kernel_points(pair[[1L]], b)
    expect_equal(dualmargin:::kernel_values(pair[[1L]], a, points), theirs, tolerance = 1e-10,
                 ignore_attr = TRUE)
    expect_equal(plain_kernel(pair[[1L]], a, b), theirs, tolerance = 1e-10, ignore_attr = TRUE)
    taken <- dualmargin:::as_kernel(pair[[2L]])
    expect_equal(taken$evaluate(a, b), theirs)
  }
})

test_that("the width chosen from the data is that of the median", {
  problem <- moons(100L)
  fit <- margin_kernel(problem$x, problem$y, intercept = "none")
  scaled <- sweep(problem$x, 2L, fit$scales, `/`)
  squared <- as.vector(dist(scaled))^2
  expect_equal(1 / fit$settings$kernel$sigma, sort(squared)[length(squared) %/% 2L + 1L])
  laplace <- margin_kernel(problem$x, problem$y, kernel = "laplace", intercept = "none")
  expect_equal(laplace$settings$kernel$sigma, sqrt(fit$settings$kernel$sigma))
  # the position and the scale of the data do not matter
  moved <- margin_kernel(1e4 + 3 * problem$x, problem$y, intercept = "none")
  expect_equal(moved$settings$kernel$sigma, fit$settings$kernel$sigma, tolerance = 1e-6)
  expect_equal(moved$certificate$value, fit$certificate$value, tolerance = 1e-6)
  same <- margin_kernel(matrix(1, 4L, 2L), c(1, -1, 1, -1), intercept = "none")
  expect_identical(same$settings$kernel$sigma, 1)
})

test_that("bad parameters have their own words", {
  expect_told("kernel", "parameters", {
    kernel_rbf(-1)
    kernel_laplace("wide")
    kernel_polynomial(degree = 1.5)
    kernel_polynomial(scale = 0)
    kernel_polynomial(offset = -1)
  })
})
