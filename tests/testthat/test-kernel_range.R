# What a kernel fit cannot work with is refused before it starts, and a limit on time holds while
# the kernel is made.

test_that("values that leave the range of double precision are refused by name", {
  case <- moons(20)
  expect_out_of_range <- function(fit, text) {
    condition <- tryCatch(fit, error = identity)
    expect_s3_class(condition, "dualmargin_numerical_error")
    expect_match(conditionMessage(condition), "`kernel` has values", fixed = TRUE)
    expect_match(conditionMessage(condition), text, fixed = TRUE)
  }
  expect_out_of_range(
    margin_kernel(case$x * 3, case$y, kernel_polynomial(1000), scale = FALSE, intercept = "none"),
    "use a smaller degree or scale"
  )
  for (mixup in list(NULL, mixup_pairs(10))) {
    expect_out_of_range(margin_kernel(case$x * 1e80, case$y, "linear", scale = FALSE,
                                     mixup = mixup, intercept = "none"), "scale = TRUE")
  }
  expect_out_of_range(margin_kernel(case$x * 1e80, case$y, "linear", scale = FALSE, nystrom = 5,
                                    intercept = "none"),
                     "a fit works up to 1e150")
  expect_out_of_range(margin_hard(case$x * 1e80, case$y, kernel = "linear", intercept = "none"),
                      "scale = TRUE")
  expect_out_of_range(
    margin_kernel(case$x, case$y, kernel = function(a, b) 1e200 * tcrossprod(a, b),
                  intercept = "none"),
    "divide it by"
  )
  # whatever the unit, distances have a median
  for (unit in c(1e40, 1e-40)) {
    fit <- margin_kernel(case$x * unit, case$y, kernel_rbf(), scale = FALSE, lambda = 0.1,
                         intercept = "none")
    one <- margin_kernel(case$x, case$y, kernel_rbf(), scale = FALSE, lambda = 0.1,
                         intercept = "none")
    expect_equal(certificate(fit)$value, certificate(one)$value, tolerance = 1e-6)
  }
})

test_that("a limit on time that ends while the kernel is made leaves the zero function", {
  set.seed(4)
  x <- matrix(rnorm(3000 * 300), 3000)
  side <- rep(c(-1, 1), 1500)
  three <- factor(rep(1:3, 1000))
  quickly <- function(..., intercept = "none") {
    withCallingHandlers(
      margin_kernel(..., kernel = kernel_rbf(0.05), scale = FALSE, lambda = 1e-4,
                    intercept = intercept,
                    control = margin_control(seed = 1, max_seconds = 1e-6, progress = FALSE)),
      dualmargin_not_certified = function(condition) invokeRestart("muffleWarning")
    )
  }
  for (intercept in c("none", "penalized", "free")) {
    fit <- quickly(x, side, loss = "logistic", intercept = intercept)
    expect_identical(fit$status$status, "max_seconds")
    expect_equal(certificate(fit)$value, log(2), tolerance = 1e-13)
    expect_lte(certificate(fit)$bound, 1e-12)
    expect_true(all(predict(fit, x[1:3, ], type = "score") == 0))
  }
  # the arguments of mixed rows are stored in the place of values
  fit <- quickly(x, side, loss = "logistic", mixup = mixup_pairs(500))
  expect_identical(fit$status$status, "max_seconds")
  fit <- quickly(x, three, loss = "logistic", multiclass = "softmax")
  expect_identical(unique(fit$status$status), "max_seconds")
  expect_equal(certificate(fit)$value, log(3), tolerance = 1e-13)
})
