# The absolute and the epsilon-insensitive loss: what is said of them beyond the laws of all losses,
# and the fits of the packages that have them.

tight <- margin_control(tol = 1e-9, seed = 1)
tube_losses <- list(as_loss("absolute"), loss_epsilon_insensitive(0.3))

set.seed(11)
n <- 120L
x <- matrix(rnorm(3 * n), n, dimnames = list(NULL, c("u", "v", "w")))
y <- 5 + 2 * x[, 1L] - x[, 2L] + stats::rt(n, 3)

test_that("they carry their name and parameter, and a bad parameter is an error", {
  expect_identical(unclass(as_loss("absolute")),
                   list(name = "absolute", gamma = 0, smooth = FALSE, parameter = NA_real_,
                        task = "regression"))
  expect_identical(unclass(loss_epsilon_insensitive(2L)),
                   list(name = "epsilon_insensitive", gamma = 0, smooth = FALSE,
                        parameter = c(epsilon = 2), task = "regression"))
  expect_identical(as_loss("epsilon_insensitive"), loss_epsilon_insensitive(0.1))
  for (bad in list(0, -1, NA_real_, Inf, c(1, 2), "1", NULL)) {
    expect_input_error(loss_epsilon_insensitive(bad), "epsilon", "`epsilon` is")
  }
  for (loss in c("absolute", "epsilon_insensitive")) for (f in list(margin_linear, margin_kernel)) {
    expect_input_error(f(iris[1:4], iris$Species, loss = loss), "loss", "factor")
  }
  for (loss in c("absolute", "epsilon_insensitive")) {
    expect_input_error(margin_kernel(iris[1:4], soft_labels(rep_len(c(0, 1), 150)), loss = loss),
                       "loss", "soft")
  }
})

test_that("the absolute loss is twice the quantile loss of the median", {
  for (mixture in c(0, 0.6)) for (intercept in c("free", "none")) {
    fit <- function(loss, lambda) {
      margin_linear(x, y, loss = loss, lambda = lambda, mixture = mixture, intercept = intercept,
                    control = tight)
    }
    whole <- fit("absolute", 0.1)
    half <- fit("quantile", 0.05)
    expect_equal(whole$certificate$value, 2 * half$certificate$value, tolerance = 1e-8)
    expect_equal(coef(whole), coef(half), tolerance = 1e-4)
  }
})

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

test_that("a constant response and a symmetric one have their middle", {
  flat <- margin_linear(x, rep(2, n), loss = "epsilon_insensitive")
  expect_equal(coef(flat), c(`(Intercept)` = 2, u = 0, v = 0, w = 0))
  expect_true(flat$certificate$certified)
  # an even number of rows: the median
  none <- margin_linear(x, y, loss = "absolute", mixture = 1, lambda = 100)
  expect_equal(unname(coef(none)), c(median(y), 0, 0, 0))
})

test_that("rows inside the tube may be left out, and only those outside have a coefficient", {
  loss <- loss_epsilon_insensitive(1)
  fit <- function(rows) {
    margin_kernel(x[rows, ], y[rows], kernel_rbf(0.2), loss = loss, lambda = 20 / length(rows),
                  scale = FALSE, center = FALSE, response_scale = FALSE,
                  control = margin_control(tol = 1e-10))
  }
  all <- fit(seq_len(n))
  residual <- residuals(all)
  supports <- support_rows(all)
  expect_lt(nrow(supports), n)
  inside <- abs(residual) < 1 - 1e-4
  dual <- drop(all$dual)
  expect_lte(max(abs(dual[inside])), 1e-6)
  expect_equal(unname(dual[abs(residual) > 1 + 1e-4]),
               unname(-sign(residual[abs(residual) > 1 + 1e-4])), tolerance = 1e-6)
  fewer <- fit(which(!inside))
  expect_equal(predict(fewer, x), predict(all, x), tolerance = 1e-4)
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

test_that("values after a change of kernel fits are those of refits", {
  few <- x[1:20, ]
  omega <- replace(rep(1, 22), c(3, 11), c(0, 2))
  response <- replace(c(y[1:20], y[21:22]), 5, y[5] + 1)
  for (loss in c(tube_losses, list(loss_quantile(0.3)))) for (intercept in c("free", "penalized")) {
    fit_of <- function(rows, response, omega, lambda, tol) {
      margin_kernel(rows, response, loss = loss, kernel = kernel_rbf(0.3), lambda = lambda,
                    weights = omega, intercept = intercept, scale = FALSE, response_scale = FALSE,
                    control = margin_control(tol = tol, seed = 1))
    }
    certain <- margin_certain(fit_of(few, y[1:20], rep(1, 20), 0.05, 1e-6), few, y[1:20])
    ask <- function(refits) {
      as.data.frame(margin_sensitivity(
        certain, few, y[1:20], x, remove = 3, weights = replace(rep(1, 20), 11, 2),
        relabel = replace(rep(NA, 20), 5, response[5]), add = list(x = x[21:22, ], y = y[21:22]),
        refits = refits
      ))
    }
    kept <- omega > 0
    best <- fit_of(x[1:22, ][kept, ], response[kept], omega[kept], 0.05 * 20 / sum(omega), 1e-12)
    exact <- predict(margin_certain(best, x[1:22, ][kept, ], response[kept]), x)
    bounds <- ask(0)
    solved <- ask(Inf)
    for (found in list(bounds, solved)) {
      expect_true(all(found$lower <= exact$upper + 1e-7 & found$upper >= exact$lower - 1e-7))
    }
    expect_lte(stats::median(solved$upper - solved$lower),
               0.1 * stats::median(bounds$upper - bounds$lower))
  }
})

test_that("intervals and values without a row of kernel fits are those of refits", {
  few <- x[1:20, ]
  for (loss in c(tube_losses, list(loss_quantile(0.3)))) for (intercept in c("free", "penalized")) {
    fit_of <- function(keep, tol) {
      margin_kernel(few[keep, ], y[keep], loss = loss, kernel = kernel_rbf(0.3),
                    lambda = 0.05 * 20 / length(keep), intercept = intercept, scale = FALSE,
                    response_scale = FALSE, control = margin_control(tol = tol, seed = 1))
    }
    loose <- fit_of(1:20, 1e-3)
    certain <- margin_certain(loose, few, y[1:20])
    best <- predict(margin_certain(fit_of(1:20, 1e-12), few, y[1:20]), x)
    found <- predict(certain, x)
    expect_true(all(found$lower <= best$upper + 1e-7 & found$upper >= best$lower - 1e-7))
    loo <- margin_loo(loose, few, y[1:20], precision = 0.1)$rows
    for (i in c(1, 8, 15)) {
      refit <- margin_certain(fit_of(setdiff(1:20, i), 1e-12), few[-i, ], y[1:20][-i])
      ends <- predict(refit, few[i, , drop = FALSE])
      expect_lte(loo$lower[i], ends$upper + 1e-7)
      expect_gte(loo$upper[i], ends$lower - 1e-7)
    }
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
