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
