# A column that only looks like numbers is refused in fitting and in predicting, by a formula, a
# data frame or a matrix, by one and the same rule.

set.seed(1)
rows <- data.frame(z = rnorm(12), age = 30 + 1:12, y = factor(rep(c("a", "b"), 6)))
# 64-bit integers in the bits of doubles, as bit64 keeps them; made without that package.
as_bits <- function(x) structure(x * 2^-1074, class = "integer64")
odd <- list(
  integer64 = as_bits(30 + 1:12), Date = as.Date("2020-01-01") + 1:12,
  POSIXct = as.POSIXct("2020-01-01", tz = "UTC") + 1:12,
  difftime = as.difftime(1:12, units = "mins"),
  haven_labelled = structure(as.double(1:12), class = c("haven_labelled", "vctrs_vctr", "double")),
  units = structure(as.double(1:12), class = "units"), complex = complex(real = 1:12),
  raw = as.raw(1:12), list = as.list(1:12)
)
refused <- function(expr, arg, class) {
  condition <- tryCatch({
    expr
    NULL
  }, error = identity)
  expect_s3_class(condition, "dualmargin_input_error")
  expect_true(condition$arg %in% arg)
  # complex and raw say their type where there is no class
  expect_match(conditionMessage(condition), paste0("age.*", class, "|", class, ".*age"))
}

test_that("odd columns are refused by formula, by data frame and by predict()", {
  by_formula <- margin_linear(y ~ z + age, rows, loss = "smooth_hinge")
  by_frame <- margin_linear(rows[c("z", "age")], rows$y, loss = "smooth_hinge")
  with_level <- margin_linear(transform(rows[c("z", "age")], g = gl(2, 6)), rows$y,
                              loss = "smooth_hinge")
  for (class in names(odd)) {
    bad <- rows
    bad$age <- odd[[class]]
    # what model.frame() refuses itself is said of the formula
    refused(margin_linear(y ~ z + age, bad, loss = "smooth_hinge"), c("data", "formula"), class)
    refused(margin_linear(y ~ ., bad, loss = "smooth_hinge"), c("data", "formula"), class)
    refused(margin_linear(bad[c("z", "age")], rows$y, loss = "smooth_hinge"), "x", class)
    refused(predict(by_formula, bad), "newdata", class)
    refused(predict(by_frame, bad), "newdata", class)
    refused(predict(with_level, cbind(bad, g = gl(2, 6))), "newdata", class)
  }
})

test_that("64-bit integers are no labels, weights or numbers of other arguments", {
  says <- function(expression, arg) expect_input_error(expression, arg, "bit64's as.double()")
  x <- as.matrix(rows["z"])
  bits <- as_bits(rep(0:1, 6))
  bad <- rows["z"]
  bad$age <- bits
  fits <- list(margin_linear, margin_kernel, margin_augmented, margin_robust, margin_hard)
  for (fit in fits) {
    says(fit(x, bits), "y")
    says(fit(x, rows$y, weights = as_bits(1:12)), "weights")
    refused(fit(bad, rows$y), "x", "integer64")
  }
  says(margin_linear(bits ~ z, rows), "data")
  says(margin_linear(y ~ z, rows, weights = as_bits(1:12)), "weights")
  says(margin_linear(x, rows$y, class_weights = as_bits(c(a = 1, b = 2))), "class_weights")
  says(margin_path(x, bits), "y")
  says(margin_cv(x, rows$y, weights = as_bits(1:12)), "weights")
  fit <- margin_linear(x, rows$y)
  says(margin_performance(fit, x, y = bits), "y")
  expect_input_error(margin_linear(x, rows$y, lambda = as_bits(1)), "lambda", "integer64")
  expect_input_error(margin_control(max_epochs = as_bits(9)), "max_epochs", "whole number")
})

test_that("what lm() takes as numbers is taken: matrices of a term, AsIs, ts, logical", {
  fit <- margin_linear(y ~ poly(z, 2) + I(age^2) + scale(age), rows, loss = "smooth_hinge")
  expect_length(coef(fit), 5L)
  expect_equal(predict(fit, rows), predict(fit))
  series <- margin_linear(y ~ as.ts(age) + (z > 0), rows, loss = "smooth_hinge")
  expect_equal(predict(series, rows), predict(series))
})
