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
  quote(margin_conformal(hinge, iris, method = "full")),
  quote(margin_conformal(fit, few, groups = 1:10)),
  quote(margin_conformal(fit, few, refits = -1)),
  quote(margin_conformal(fit, few, method = "cv+", refits = 0)),
  quote(margin_conformal(fit, few, method = "jackknife+", folds = 5)),
  quote(margin_conformal(hinge, iris, method = "jackknife+")),
  quote(margin_conformal(cars, mtcars, method = "jackknife+", score = "normalised")),
  quote(margin_conformal(tuned, few)),
  quote(margin_conformal(update(tuned, scale = FALSE), few, method = "jackknife+")),
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
  quote(margin_conformal(fit, few, score = "cqr")),
  quote(margin_conformal(cars, mtcars, score = "margin")),
  quote(margin_conformal(hinge, iris, score = "probability")),
  quote(margin_conformal(cars, mtcars, by = "label")),
  quote(margin_conformal(cars, mtcars, by = "colour")),
  quote(margin_conformal(cars, mtcars, by = "wt")),
  quote(margin_conformal(cars, mtcars, by = 1:3)),
  quote(margin_conformal(cars, mtcars, folds = 100)),
  quote(margin_conformal(cars, mtcars, folds = list(list(train = 1:16, test = 17:32)))),
  quote(margin_conformal(cars, mtcars, folds = rep(1, 32))),
  quote(margin_conformal(curved, mtcars)),
  quote(margin_conformal(calibrated, few)),
  quote(margin_conformal(fit, few, folds = as.integer(few$type))),
  quote(margin_conformal(cars, mtcars, score = list("quantile", 0.9, 0.1))),
  quote(margin_conformal(fit, few, score = list("raps", rank = 0.5))),
  quote(margin_conformal(fit, few, score = list("aps", 2))),
  quote(margin_conformal(fit, few, score = list("raps", ranks = 2))),
  quote(predict(object)),
  quote(predict(object, new, level = 0)),
  quote(predict(object, new, by = few$type)),
  quote(predict(object, new[1:10])),
  quote(summary(object, new[1:57])),
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
  # sizes in memory hang on the machine
  print_of <- function(object) {
    said <- utils::capture.output(print(object))
    utils::head(grep("^  (size|memory) ", said, value = TRUE, invert = TRUE), 20L)
  }
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

test_that("the search of a refit is done again without each fold of cv+", {
  search <- list(lambda = c(1, 0.1, 0.01))
  rows <- few[c("type", "word_freq_our", "word_freq_remove", "capital_run_length_total")]
  cv <- margin_cv(type ~ ., data = rows, grid = search, folds = 3, seed = 1)
  fit <- refit(cv)
  expect_input_error(margin_conformal(fit, rows), "fit", "chooses them anew")
  expect_input_error(margin_conformal(fit, rows, method = "jackknife+"), "fit", "chooses them anew")
  fold <- rep_len(1:4, nrow(rows))
  found <- margin_conformal(fit, rows, method = "cv+", folds = fold, seed = 5)
  expect_output(print(found), "lambda chosen anew")
  lambda <- vapply(found$models, function(model) model$fit$settings$lambda, 0)
  expect_true(all(lambda %in% search$lambda))
  # each by the rows of the others alone: other responses in a fold change nothing of its model
  other <- rows
  other$type[fold == 2L] <- rev(other$type[fold == 2L])
  changed <- margin_conformal(refit(margin_cv(type ~ ., data = other, grid = search, folds = 3,
                                              seed = 1)),
                              other, method = "cv+", folds = fold, seed = 5)
  expect_identical(changed$models[[2L]]$fit$coefficients, found$models[[2L]]$fit$coefficients)
  expect_identical(update(fit, scale = FALSE)$search$folds, 3L)
  expect_null(update(fit, lambda = 0.1)$search)
})

test_that("rows of the fit among those it has not seen are told", {
  expect_warning(margin_conformal(fit, holdout = rbind(few[1:20, ], new)),
                 class = "dualmargin_shared_rows")
  expect_no_warning(margin_conformal(fit, holdout = new))
  # alike by chance: columns of few values
  set.seed(1)
  draw <- function(n) {
    x <- matrix(rbinom(2 * n, 1, 0.5), n)
    data.frame(x, y = factor(rbinom(n, 1, 0.3 + 0.4 * x[, 1L])))
  }
  common <- draw(60)
  expect_no_warning(margin_conformal(margin_linear(y ~ ., data = common), holdout = draw(60)))
})

test_that("folds without rows that count, new levels and a class of two rows are told", {
  weights <- rep(c(1, 0), c(16, 16))
  some <- margin_linear(x, mtcars$mpg, lambda = 0.1, weights = weights)
  expect_input_error(margin_conformal(some, x, mtcars$mpg, folds = rep(1:2, each = 16)), "folds",
                     "weight 0")
  # a fold of rows that count for nothing is no fold
  thirds <- rep(1:3, c(8, 8, 16))
  object <- margin_conformal(some, x, mtcars$mpg, folds = thirds, seed = 1)
  expect_identical(nrow(object$own), 16L)
  expect_identical(summary(object)$guaranteed,
                   asNamespace("dualmargin")$conformal_guarantee("cv+", 0.9, c(8L, 8L)))
  rows <- data.frame(a = factor(rep(c("u", "v"), 20)), b = sin(1:40), y = cos(1:40))
  of_levels <- margin_conformal(margin_linear(y ~ a + b, data = rows), rows)
  expect_error(predict(of_levels, data.frame(a = "w", b = 1)), "\"w\"",
               class = "dualmargin_input_error")
  two <- droplevels(iris[c(1:2, 51:90), ])
  of_two <- margin_linear(Species ~ ., data = two, lambda = 0.1)
  expect_identical(nrow(margin_conformal(of_two, two)$own), 42L)
  expect_identical(nrow(margin_conformal(of_two, two, method = "full")$own), 42L)
  expect_input_error(margin_conformal(of_two, two, folds = rep(1:2, c(2, 40))), "data",
                     "2 rows of class")
  within <- margin_conformal(of_two, two, by = "label")
  expect_output(print(within), "\"setosa\" has 2 rows, level 0.9 needs\\s+9")
})

test_that("one class has no response to hold", {
  one <- margin_oneclass(as.matrix(few[names(few) != "type"]), nu = 0.1)
  expect_error(margin_conformal(one, few), "no response that a set could hold",
               class = "dualmargin_input_error")
})
