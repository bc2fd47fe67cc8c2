# The absolute and the epsilon-insensitive loss: what is said of them beyond the laws of all losses,
# and the fits of the packages that have them.

tight <- margin_control(tol = 1e-9, seed = 1)

set.seed(11)
n <- 120L
x <- matrix(rnorm(3 * n), n, dimnames = list(NULL, c("u", "v", "w")))
y <- 5 + 2 * x[, 1L] - x[, 2L] + stats::rt(n, 3)

test_that("a narrow tube is the absolute loss, a wide one leaves the constant model", {
  for (fit in list(function(loss) margin_linear(x, y, loss = loss, lambda = 0.05, control = tight),
                   function(loss) margin_kernel(x, y, kernel_rbf(0.2), loss = loss, lambda = 0.05,
                                                control = margin_control(tol = 1e-8)))) {
    narrow <- fit(loss_epsilon_insensitive(1e-8))
    absolute <- fit("absolute")
    expect_equal(narrow$certificate$value, absolute$certificate$value, tolerance = 1e-7)
    wide <- fit(loss_epsilon_insensitive(100))
    expect_true(wide$certificate$certified)
    expect_identical(wide$certificate$value, 0)
    # every constant that leaves all rows in the tube is optimal; the middle is that of the range
    expect_equal(unname(fitted(wide)), rep(mean(range(y)), n))
  }
})

test_that("without a penalty to speak of the fits are those of quantreg", {
  skip_if_not_installed("quantreg")
  omega <- rep_len(c(1, 2, 0.5), n)
  for (tau in c(0.5, 0.2)) {
    theirs <- quantreg::rq.wfit(cbind(1, x), y, tau = tau, weights = omega)
    residual <- y - drop(cbind(1, x) %*% theirs$coefficients)
    exact <- sum(omega * pmax(tau * residual, (tau - 1) * residual)) / sum(omega)
    fit <- margin_linear(x, y, loss = loss_quantile(tau), lambda = 1e-7, weights = omega,
                         response_scale = FALSE, control = margin_control(tol = 1e-8))
    expect_gte(fit$certificate$value, exact * (1 - 1e-10))
    expect_equal(fit$certificate$value, exact, tolerance = 1e-5)
    if (tau != 0.5) next
    absolute <- margin_linear(x, y, loss = "absolute", lambda = 1e-7, weights = omega,
                              response_scale = FALSE, control = margin_control(tol = 1e-8))
    expect_equal(absolute$certificate$value, 2 * exact, tolerance = 1e-5)
  }
})

test_that("far rows, fewer than columns, do not end with rounding in the subproblems of ssnal", {
  problems <- list(
    list(seed = 54, rows = 8, far = 1600, loss = loss_quantile(0.3), lambda = 3e-4,
         intercept = "none"),
    list(seed = 80, rows = 3, far = 1.2e4, loss = loss_epsilon_insensitive(0.1), lambda = 0.02,
         intercept = "free"),
    list(seed = 208, rows = 5, far = 4e5, loss = as_loss("absolute"), lambda = 0.01,
         intercept = "free"),
    list(seed = 306, rows = 1, far = 7e4, loss = as_loss("absolute"), lambda = 0.5,
         intercept = "penalized")
  )
  for (problem in problems) {
    set.seed(problem$seed)
    x <- matrix(rnorm(problem$rows * 60), problem$rows) * problem$far
    y <- 3 * rnorm(problem$rows)
    fit <- margin_linear(x, y, loss = problem$loss, lambda = problem$lambda, scale = FALSE,
                         intercept = problem$intercept, response_scale = FALSE,
                         control = margin_control(seed = 1))
    expect_true(fit$certificate$certified)
  }
})
