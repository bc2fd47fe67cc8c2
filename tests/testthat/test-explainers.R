# What DALEX and marginaleffects are told of a fit: probabilities of classes and never their codes.
# Their generics are met by stand-ins where the packages are absent, or do not run.

two <- margin_linear(type ~ ., spambase[seq(1L, 4601L, by = 60L), ])
rows <- spambase[seq(2L, 4601L, by = 200L), ]
several <- margin_linear(Species ~ ., iris)
number <- margin_linear(mpg ~ wt, mtcars)

test_that("a prediction is a probability of the second level, a matrix of them, or a number", {
  expect_identical(dualmargin:::explained_prediction(two, rows),
                   unname(predict(two, rows, type = "prob")[, 2L]))
  expect_identical(dualmargin:::explained_prediction(several, iris),
                   predict(several, iris, type = "prob"))
  expect_identical(dualmargin:::explained_prediction(number, mtcars),
                   unname(predict(number, mtcars)))
  # none of a loss without probabilities
  hinge <- update(number, vs ~ wt, loss = "hinge", data = transform(mtcars, vs = factor(vs)))
  expect_input_error(dualmargin:::explained_prediction(hinge, mtcars), "type", "margin_calibrate()")
})

test_that("the task is told by its name", {
  tasks <- vapply(list(two, several, number), function(fit) {
    dualmargin:::explained_model(fit)$type
  }, "")
  expect_identical(tasks, c("classification", "multiclass", "regression"))
})

test_that("marginaleffects is refused with what to do, and gets no class codes", {
  expect_input_error(dualmargin:::estimated_prediction(two, rows), "model", "through parsnip")
})

test_that("methods are found by generics of a namespace that is loaded later", {
  home <- new.env()
  home$yhat <- function(X.model, newdata, ...) UseMethod("yhat")
  home$.__S3MethodsTable__. <- new.env()
  environment(home$yhat) <- home
  dualmargin:::register_for(home, list(yhat = dualmargin:::explained_prediction,
                                       model_info = dualmargin:::explained_model))
  # a generic that the version lacks is left out
  expect_identical(ls(home$.__S3MethodsTable__.), "yhat.margin_fit")
  registered <- home$.__S3MethodsTable__.[["yhat.margin_fit"]]
  expect_identical(registered(two, rows), unname(predict(two, rows, type = "prob")[, 2L]))
  for (package in c("DALEX", "marginaleffects")) {
    expect_true(length(getHook(packageEvent(package, "onLoad"))) > 0L)
  }
})

test_that("DALEX explains probabilities and knows the task", {
  skip_if_not_installed("DALEX")
  explain <- getExportedValue("DALEX", "explain")
  truth <- as.integer(rows$type == "spam")
  explained <- explain(two, rows[1:57], truth, verbose = FALSE)
  expect_identical(explained$model_info$type, "classification")
  expect_equal(explained$y_hat, unname(predict(two, rows, type = "prob")[, 2L]))
  expect_lt(max(abs(explained$residuals)), 1)
  explained <- explain(several, iris[1:4], iris$Species, verbose = FALSE)
  expect_identical(explained$model_info$type, "multiclass")
  expect_identical(dim(explained$y_hat), c(150L, 3L))
})
