cut <- threshold_spec("Petal.Width", 1.6, "cut")
compare <- function(specs = list(cut, spec_margin("linear", loss = "hinge", lambda = 0.1)),
                    data = iris_pair(), ...) {
  quiet_compare(specs, Species ~ ., data = data, folds = 3, seed = 1, ...)
}
input_error <- function(expression, words) {
  expect_error(expression, words, class = "dualmargin_input_error")
}

test_that("bad arguments are errors of their own", {
  input_error(compare(list()), "`specs` has 0 models; a comparison needs two")
  input_error(compare(list(cut)), "`specs` has 1 model; a comparison needs two")
  input_error(compare(cut), "`specs` is an object of class margin_spec, but must be a list")
  input_error(compare(list(cut, mean)), "`specs` holds a function at position 2")
  input_error(compare(list(cut, cut)), "`specs` has two models called \"cut\"")
  input_error(compare(list(a = cut, a = spec_margin())), "`specs` has two models called \"a\"")
  input_error(compare(rope = -1), "`rope` is -1, but must be one finite number not below 0")
  input_error(compare(rope = stdin()), "`rope` is an object of class terminal")
  input_error(compare(scale = NA), "`scale` is NA, but must be TRUE or FALSE")
  input_error(compare(seeds = 1), "`seeds` is not an argument of margin_compare\\(\\)")
  input_error(compare(metric = "acc"), "`metric` is \"acc\"")
  input_error(margin_compare(iris_pair()[1:4], iris_pair()$Species, list(cut, spec_margin()),
                             weights = rep(1, 100)), "`weights` are given, but model \"cut\" takes")
  input_error(margin_compare(Species ~ . - 1, iris, list(cut, cut)),
              "`formula` removes the intercept, which here is the models' affair")
  input_error(margin_compare(as.matrix(iris[1:4]), specs = list(cut, cut)), "`y` is missing")
  input_error(margin_compare(specs = list(cut, cut)), "`x` is missing")
  input_error(margin_compare("iris", specs = list(cut, cut)), "`x` is \"iris\"")
  input_error(margin_compare(~ ., iris, list(cut, cut)), "`formula` has no response")
  input_error(margin_compare(Kind ~ ., iris, list(cut, cut)), "`formula` could not be eval")
  input_error(margin_compare(Species ~ ., specs = list(cut, cut)), "`data` is missing")
  input_error(margin_compare(Species ~ ., data = iris), "`specs` is missing; give a list of two")
})

test_that("an error inside a model says where, and keeps its class and words", {
  failing <- function(fit = function(x, y) 1, ask = function(model, x, levels) rep(0, nrow(x)),
                      gap = NULL) {
    compare(list(cut, model_spec(fit, ask, "bad", gap)))
  }
  caught <- tryCatch(failing(fit = function(x, y) {
    stop(structure(class = c("my_error", "error", "condition"),
                   list(message = "no luck", call = NULL)))
  }), error = identity)
  expect_s3_class(caught, c("dualmargin_model_error", "my_error"), exact = FALSE)
  expect_identical(conditionMessage(caught),
                   "Model \"bad\" cannot be fitted in fold 1 of repetition 1: no luck")
  expect_error(failing(ask = function(model, x, levels) stop("what?")),
               "Model \"bad\" cannot predict in fold 1 of repetition 1: what?",
               class = "dualmargin_model_error")
  bare <- tryCatch(failing(fit = function(x, y) stop("what?")), error = identity)
  expect_s3_class(bare, c("dualmargin_model_error", "dualmargin_error", "simpleError", "error",
                          "condition"), exact = TRUE)
  wrong_rows <- function(model, x, levels) 1
  caught <- tryCatch(failing(ask = wrong_rows), error = identity)
  expect_s3_class(caught, "dualmargin_model_error")
  expect_s3_class(caught, c("dualmargin_model_error", "dualmargin_input_error", "dualmargin_error",
                            "error", "condition"), exact = TRUE)
  expect_match(conditionMessage(caught), "cannot predict .* predictions for 1 row, but was asked")
  expect_error(failing(ask = function(model, x, levels) rep("rose", nrow(x))),
               "the class \"rose\"; the levels are \"versicolor\", \"virginica\"",
               class = "dualmargin_input_error")
  expect_error(failing(gap = function(model, x, y, weights) 0.1),
               "Model \"bad\" cannot be measured .*`gap_fun` returned 0.1, but must return a list",
               class = "dualmargin_input_error")
  in_words <- function(model, x, y, weights) list(relative_gap = "small", certified = TRUE)
  expect_error(failing(gap = in_words), "`gap_fun` returned a list",
               class = "dualmargin_input_error")
})

test_that("a metric needs what a model must predict", {
  class_only <- model_spec(function(x, y) 1, function(model, x, levels) rep(levels[1], nrow(x)),
                           "constant")
  expect_error(compare(list(class_only, again = class_only), metric = "hinge"),
               "`metric` is \"hinge\", which needs decision values, and none of the models",
               class = "dualmargin_input_error")
  expect_error(compare(metric = "brier"),
               "needs probabilities, and none of the models.*with a logistic loss",
               class = "dualmargin_input_error")
})
