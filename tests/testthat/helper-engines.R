# An input error for `arg` whose message says `text`.
expect_input_error <- function(object, arg, text) {
  condition <- tryCatch({
    object
    NULL
  }, error = identity)
  expect_s3_class(condition, "dualmargin_input_error")
  expect_identical(condition$arg, arg)
  expect_match(conditionMessage(condition), text, fixed = TRUE)
}

# A model of parsnip's with our engine; arguments of the engine come in `engine`.
engine_of <- function(model, mode = "classification", engine = list()) {
  do.call(parsnip::set_engine, c(list(parsnip::set_mode(model, mode), "dualmargin"), engine))
}

# The fit inside, after translate() has put its names to the arguments.
fit_inside <- function(model, formula, data, ...) {
  set.seed(1)
  parsnip::extract_fit_engine(parsnip::fit(model, formula, data = data, ...))
}

# Two fits are of one problem and one seed: every number that defines or certifies it is the same.
expect_same_fit <- function(ours, direct) {
  force(ours)
  set.seed(1)
  expect_identical(class(ours), class(direct))
  expect_equal(coef(ours), coef(direct))
  expect_equal(ours$certificate[c("value", "bound")], direct$certificate[c("value", "bound")])
  expect_identical(ours$settings$lambda, direct$settings$lambda)
  expect_identical(ours$settings$loss, direct$settings$loss)
  expect_identical(ours$settings$intercept, direct$settings$intercept)
}
