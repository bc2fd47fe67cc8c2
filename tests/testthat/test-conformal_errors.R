# What margin_conformal() refuses: a classed error that names the argument and a remedy.

few <- spambase[seq(1, nrow(spambase), by = 30), ]
new <- spambase[seq(2, nrow(spambase), by = 30), ]
fit <- margin_linear(type ~ ., data = few, lambda = 0.01)
cars <- margin_linear(mpg ~ wt + hp, data = mtcars)
hinge <- margin_linear(Species ~ ., data = iris, loss = "hinge", lambda = 0.1)
curved <- margin_linear(mpg ~ poly(wt, 2), data = mtcars)
lonely <- margin_linear(Species ~ ., data = droplevels(iris[50:100, ]), lambda = 0.1)
tuned <- refit(margin_cv(type ~ ., data = few, grid = list(lambda = c(0.1, 0.01)), folds = 3,
                         seed = 1))
calibrated <- margin_calibrate(fit, few, folds = 3, seed = 1)
object <- margin_conformal(fit, few, seed = 1)
x <- as.matrix(mtcars[c("wt", "hp")])
of_matrix <- margin_linear(x, mtcars$mpg)
alone <- margin_linear(x, mtcars$mpg, lambda = 0.1, weights = c(1, rep(0, 31)))

cases <- list(
  quote(margin_conformal(1, few)),
  quote(margin_conformal(fit, few, level = 1)),
  quote(margin_conformal(fit, few, level = c(0.5, 0.5))),
  quote(margin_conformal(fit, few, method = "cross")),
  quote(margin_conformal(fit, few, method = "full")),
  quote(margin_conformal(fit, few, groups = 1:10)),
  quote(margin_conformal(fit, few, refits = -1)),
  quote(margin_conformal(fit, few, method = "cv+", refits = 0)),
  quote(margin_conformal(fit, few, method = "jackknife+", folds = 5)),
  quote(margin_conformal(hinge, iris, method = "jackknife+")),
  quote(margin_conformal(cars, mtcars, method = "jackknife+", score = "normalised")),
  quote(margin_conformal(tuned, few)),
  quote(margin_conformal(update(tuned, scale = FALSE), few, method = "cv+")),
  quote(margin_conformal(lonely, droplevels(iris[50:100, ]))),
  quote(margin_conformal(fit, few[-1, ])),
  quote(margin_conformal(fit)),
  quote(margin_conformal(fit, few, new$type)),
  quote(margin_conformal(fit, holdout = few)),
  quote(margin_conformal(fit, few, holdout = new)),
  quote(margin_conformal(fit, holdout = new, method = "cv+")),
  quote(margin_conformal(fit, holdout = new, folds = 5)),
  quote(margin_conformal(fit, holdout = transform(new, type = "other"))),
  quote(margin_conformal(of_matrix, holdout = mtcars)),
  quote(margin_conformal(fit, few, score = "absolute")),
  quote(margin_conformal(fit, few, score = "quantile")),
  quote(margin_conformal(cars, mtcars, score = "margin")),
  quote(margin_conformal(hinge, iris, score = "probability")),
  quote(margin_conformal(cars, mtcars, by = "label")),
  quote(margin_conformal(cars, mtcars, by = "colour")),
  quote(margin_conformal(cars, mtcars, by = "wt")),
  quote(margin_conformal(cars, mtcars, by = 1:3)),
  quote(margin_conformal(cars, mtcars, folds = 100)),
  quote(margin_conformal(cars, mtcars, folds = margin_time_folds(1:32))),
  quote(margin_conformal(cars, mtcars, folds = rep(1, 32))),
  quote(margin_conformal(curved, mtcars)),
  quote(margin_conformal(calibrated, few)),
  quote(margin_conformal(fit, few, folds = as.integer(few$type))),
  quote(score_quantile(0.9, 0.1)),
  quote(score_raps(rank = 0.5)),
  quote(predict(object)),
  quote(predict(object, new, level = 0)),
  quote(predict(object, new, by = few$type)),
  quote(predict(object, new[1:10])),
  quote(coverage(object, new[1:57])),
  quote(coverage(fit, new)),
  quote(augment(object, new, level = c(0.5, 0.9))),
  quote(plot(object, new, which = "intervals")),
  quote(plot(object)),
  quote(margin_conformal(alone, x, mtcars$mpg))
)

test_that("what cannot be done is an error of ours, recorded", {
  said <- vapply(cases, function(case) {
    condition <- tryCatch(eval(case), error = identity)
    expect_s3_class(condition, "dualmargin_input_error")
    paste0("> ", paste(deparse(case), collapse = " "), "\n", conditionMessage(condition))
  }, "")
  expect_recorded("conformal_errors", "errors", said)
})

test_that("what is printed is recorded", {
  print_of <- function(object) utils::head(grep("^  size ", utils::capture.output(print(object)),
                                                value = TRUE, invert = TRUE), 20L)
  expect_recorded("conformal_errors", "jackknife", print_of(object))
  expect_recorded("conformal_errors", "cv", print_of(
    margin_conformal(margin_linear(type ~ ., data = few, loss = "hinge", lambda = 0.01), few,
                     seed = 1)
  ))
  expect_recorded("conformal_errors", "within", print_of(
    margin_conformal(fit, holdout = new, by = "label", level = c(0.8, 0.999))
  ))
})

test_that("a fit by refit() is known as such until its penalty is given", {
  expect_identical(margin_conformal(tuned, holdout = new)$method, "split")
  expect_identical(margin_conformal(update(tuned, lambda = 0.1), few)$method, "jackknife+")
  # of several settings each
  two <- margin_cv(type ~ word_freq_our + word_freq_remove, data = few, folds = 3, seed = 1,
                   grid = list(lambda = c(0.1, 0.01), mixture = c(0, 0.5)))
  expect_identical(refit(two)$tuned, c("lambda", "mixture"))
  expect_identical(refit(two, lambda = 0.1)$tuned, "mixture")
  expect_identical(update(update(refit(two), cost = 1), scale = FALSE)$tuned, "mixture")
  expect_null(update(refit(two), lambda = 0.1, mixture = 0)$tuned)
  width <- margin_cv(type ~ word_freq_our + word_freq_remove, data = few, family = "kernel", folds = 3, seed = 1,
                     grid = list(lambda = 0.1, sigma = c(0.1, 1)))
  expect_identical(refit(width, lambda = 0.1)$tuned, "sigma")
  expect_input_error(margin_conformal(refit(width, lambda = 0.1), few), "fit", "refit of a search")
  expect_null(update(refit(width), kernel = kernel_rbf(0.3))$tuned)
  one <- refit(margin_cv(type ~ ., data = few, grid = list(lambda = 0.1), folds = 3, seed = 1))
  expect_identical(margin_conformal(one, few)$method, "jackknife+")
})

test_that("one class has no response to hold", {
  one <- margin_oneclass(as.matrix(few[names(few) != "type"]), nu = 0.1)
  expect_error(margin_conformal(one, few), "no response that a set could hold",
               class = "dualmargin_input_error")
})
