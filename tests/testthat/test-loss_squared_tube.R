# The squared epsilon-insensitive loss: what is said of it beyond the laws of all losses.

tight <- margin_control(tol = 1e-9, seed = 1)
set.seed(12)
n <- 120L
x <- matrix(rnorm(3 * n), n, dimnames = list(NULL, c("u", "v", "w")))
y <- 5 + 2 * x[, 1L] - x[, 2L] + rnorm(n)

test_that("it carries its name and parameter, and is for numbers alone", {
  expect_identical(unclass(loss_epsilon_insensitive(2L, squared = TRUE)),
                   list(name = "squared_epsilon_insensitive", gamma = 1, smooth = TRUE,
                        parameter = c(epsilon = 2), task = "regression"))
  for (bad in list(0, -1, NA_real_, Inf, c(1, 2), "1", NULL)) {
    expect_input_error(loss_epsilon_insensitive(bad, squared = TRUE), "epsilon", "`epsilon` is")
  }
  for (f in list(margin_linear, margin_kernel)) {
    expect_input_error(f(iris[1:4], iris$Species, loss = "squared_epsilon_insensitive"), "loss",
                       "factor")
  }
})

test_that("a narrow tube is the squared loss, a wide one leaves the constant model", {
  for (fit in list(
    function(loss) margin_linear(x, y, loss = loss, lambda = 0.05, response_scale = FALSE,
                                 control = tight),
    function(loss) margin_kernel(x, y, kernel_rbf(0.2), loss = loss, lambda = 0.05,
                                 response_scale = FALSE, control = margin_control(tol = 1e-8))
  )) {
    narrow <- fit(loss_epsilon_insensitive(1e-9, squared = TRUE))
    expect_equal(narrow$certificate$value, fit("squared")$certificate$value, tolerance = 1e-7)
    wide <- fit(loss_epsilon_insensitive(100, squared = TRUE))
    expect_true(wide$certificate$certified)
    expect_equal(wide$certificate$value, 0)
    expect_equal(unname(fitted(wide)), rep(fitted(wide)[[1L]], n))
    expect_lt(max(abs(residuals(wide))), 100)
  }
})
