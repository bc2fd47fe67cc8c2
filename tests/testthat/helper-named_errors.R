# Each expression is an error of bad input that names the argument.
expect_named_errors <- function(arg, ...) {
  where <- parent.frame()
  for (expression in eval(substitute(alist(...)))) {
    condition <- tryCatch(eval(expression, where), error = identity)
    testthat::expect_s3_class(condition, "dualmargin_input_error")
    testthat::expect_identical(condition$arg, arg, info = deparse1(expression))
    testthat::expect_match(conditionMessage(condition), arg, fixed = TRUE)
  }
}
