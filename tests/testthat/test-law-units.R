# Finite numbers of any unit end in a fit of finite numbers or in an error of a class.

test_that("a tiny response ends in a fit: absolute loss, squares of slopes that are 0", {
  set.seed(1)
  x <- matrix(rnorm(12), 6)
  for (loss in list("absolute", loss_quantile(0.3))) for (intercept in c("none", "penalized")) {
    fit <- suppressWarnings(margin_kernel(x, rep(1e-200, 6), loss = loss, intercept = intercept,
                                          kernel = kernel_rbf(1), lambda = 0.1))
    # the function that is 1e-200 on every row costs next to nothing, that of zero 1e-200
    expect_lte(fit$certificate$value, 1e-200)
    expect_gte(fit$certificate$bound, -1e-212)
    expect_true(all(is.finite(fit$coefficients)))
  }
})

test_that("steps go on where squares of slopes are 0: the optimum of the response times 1e200", {
  set.seed(1)
  x <- matrix(rnorm(24), 12)
  y <- rnorm(12)
  fit <- function(unit) {
    suppressWarnings(margin_kernel(x, y * unit, loss = "absolute", intercept = "none", lambda = 0.1,
                                   kernel = kernel_rbf(1), response_scale = FALSE, solver = "smo"))
  }
  tiny <- fit(1e-200)
  # with no curvature to speak of, all multipliers are at an end: P is not above that of the null
  expect_lte(tiny$certificate$value, mean(abs(y * 1e-200)))
  expect_gte(tiny$certificate$bound, -1e-212)
})

test_that("lasso screens by no dual point where there is none", {
  w <- seq(.5, 1.5, length.out = 27) * 1.4e51
  answer <- tryCatch(
    suppressWarnings(margin_linear(matrix(4.97e92, 27, 1), rep(2.47e56, 27), loss = "squared",
                                   mixture = 0.5, intercept = "none", weights = w,
                                   solver = "lasso")),
    dualmargin_error = identity
  )
  expect_s3_class(answer, c("dualmargin_error", "margin_linear"), exact = FALSE)
})

test_that("coefficients beyond double precision are an error of their class, in every family", {
  set.seed(1)
  x <- cbind(rnorm(12) * 1e-310, rnorm(12))
  two <- factor(rep(1:2, 6))
  three <- factor(rep(1:3, 4))
  hard <- rep(c(-1, 1), 6)
  calls <- list(
    linear = function() margin_linear(x, two, lambda = 1e-4),
    softmax = function() margin_linear(x, three, multiclass = "softmax", lambda = 1e-4),
    crammer_singer = function() margin_linear(x, three, multiclass = "crammer_singer", lambda = 1e-4),
    hard = function() margin_hard(cbind(hard * 1e-310, rnorm(12)), factor(hard), scale = TRUE),
    robust = function() margin_robust(x, two, radius = 1e-4)
  )
  told <- vapply(calls, function(call) {
    tryCatch({
      fit <- suppressWarnings(suppressMessages(call()))
      if (all(is.finite(unlist(fit$coefficients)))) "finite" else "infinite"
    }, error = function(e) class(e)[1L])
  }, "")
  expect_true(all(told %in% c("finite", "dualmargin_numerical_error", "dualmargin_input_error")),
              label = paste(names(told), told, collapse = ", "))
})
