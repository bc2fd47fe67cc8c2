# The model frame of a formula: which argument an error blames, and what a formula takes away again.

rows <- data.frame(
  low = rep(0:1, 20), age = 1:40 + 0.5, weight = sqrt(40:1),
  type = factor(rep(c("a", "b"), each = 20)), day = as.Date("2024-01-01") + 0:39,
  one = factor(rep("same", 40))
)
plain <- rows[c("low", "age", "weight", "type")]

test_that("an error names the argument at fault", {
  fit <- function(...) margin_linear(type ~ age + weight, rows, ...)
  expect_input_error(fit(weights = 1:3), "weights", "length 3, but `data` has 40 rows")
  expect_input_error(fit(weights = "age"), "weights", "without quotes: weights = age")
  expect_input_error(fit(weights = "w"), "weights", "is \"w\", but must be a numeric vector")
  expect_input_error(fit(weights = nosuch), "weights", "object 'nosuch' not found")
  expect_input_error(fit(subset = nosuch > 1), "subset", "object 'nosuch' not found")
  expect_input_error(margin_linear(type ~ age, nosuch), "data", "object 'nosuch' not found")
  expect_input_error(margin_linear(type ~ age, as.matrix(plain)), "data", "as.data.frame()")
  expect_input_error(margin_linear(type ~ nosuch, rows), "formula", "object 'nosuch' not found")
  expect_input_error(margin_linear(type ~ wieght, rows), "formula",
                     "; \"wieght\" is no column of `data` (did you mean \"weight\"?).")
  expect_input_error(margin_linear(rows$type ~ nosuch), "formula",
                     "object 'nosuch' not found.")
  for (family in list(margin_kernel, margin_augmented, margin_robust, margin_hard)) {
    expect_input_error(family(type ~ age, rows, weights = 1:3), "weights", "length 3")
    expect_input_error(family(type ~ age, nosuch), "data", "nosuch")
  }
})

test_that("missing values that na.fail stops at are the data's, named by column", {
  gaps <- transform(rows, age = replace(age, 3L, NA), weight = replace(weight, 4L, NA))
  words <- "`data` has missing values in \"age\", \"weight\", which na.action = na.fail"
  gaps <- gaps[names(plain)]
  expect_input_error(margin_linear(type ~ ., gaps, na.action = na.fail), "data", words)
  expect_input_error(margin_linear(type ~ ., gaps, na.action = "na.fail"), "data", words)
  old <- options(na.action = "na.fail")
  on.exit(options(old))
  expect_input_error(margin_linear(type ~ age, gaps), "data", "missing values in \"age\", which")
})

test_that("rows in a file beside a formula are given alone", {
  path <- tempfile(fileext = ".rows")
  on.exit(unlink(path))
  write_rows(plain, path, y = "type")
  expect_input_error(margin_linear(type ~ ., read_rows(path)), "data", "as in margin_linear(rows)")
  expect_input_error(margin_cv(type ~ ., read_rows(path)), "data", "as in margin_linear(rows)")
})

test_that("arithmetic with a factor is an error and no warning of R", {
  expect_quiet(expect_input_error(margin_linear(type + age ~ weight, rows), "formula",
                                  "`type` and `age`, and a factor has no arithmetic"))
})

test_that("a variable that the formula takes away is not judged, nor needed to predict", {
  expect_quiet(fit <- margin_linear(type ~ . - day - one, rows))
  same <- margin_linear(type ~ low + age + weight, rows)
  expect_identical(coef(fit), coef(same))
  expect_identical(certificate(fit), certificate(same))
  expect_identical(predict(fit, plain, type = "score"), predict(same, plain, type = "score"))
  # nor do its missing values take rows away, or its class
  gaps <- transform(rows, day = replace(day, 1:5, NA), one = I(as.list(1:40)))
  expect_identical(nobs(margin_linear(type ~ . - day - one, gaps)), 40L)
  expect_identical(coef(margin_linear(type ~ . - day - one - 1, rows)),
                   coef(margin_linear(type ~ low + age + weight - 1, rows)))
  cv <- margin_cv(type ~ . - day - one, rows, grid = list(lambda = 0.1), folds = 2, seed = 1)
  expect_identical(nrow(cv$results), 2L)
})

test_that("a response made of a column takes it from the features without a warning of R", {
  expect_quiet(fit <- margin_linear(factor(age > 20) ~ . - age, plain))
  expect_identical(variable.names(fit), c("low", "weight", "typeb"))
})

test_that("messages call the response as the formula does", {
  expect_message(margin_linear(low ~ age, rows), "`low` has only 0 and 1", fixed = TRUE)
  expect_message(margin_linear(low ~ age, rows), "factor(low)", fixed = TRUE)
  expect_message(margin_linear(rows[c("age", "weight")], rows$low), "`y` has only", fixed = TRUE)
  expect_input_error(margin_linear(age ~ weight, rows, loss = "hinge"), "loss", "`age` is numeric")
  expect_input_error(margin_linear(one ~ weight, rows), "y", "`one` has one class only")
  expect_message(margin_linear(level ~ age, transform(rows, level = 3)),
                 "`level` has one value only, 3", fixed = TRUE)
  expect_message(margin_linear(level ~ age, transform(rows, level = rep(1:4, 10))),
                 "`level` has only 4 values, all whole numbers", fixed = TRUE)
})
