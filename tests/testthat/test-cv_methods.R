# Reading a cross-validation, choosing from it, fitting what was chosen.

some <- spambase[seq(1, nrow(spambase), by = 23), ]
close <- margin_control(tol = 1e-10, seed = 3)

# A cross-validation with scores of our own: a matrix with a row per setting, a column per fold.
made_cv <- function(settings, scores, maximize = TRUE, repetitions = 1L) {
  folds <- ncol(scores) / repetitions
  rows <- expand.grid(fold = seq_len(folds), repetition = seq_len(repetitions),
                      setting = seq_len(nrow(scores)))
  results <- cbind(rows["setting"], settings[rows$setting, , drop = FALSE],
                   rows[c("repetition", "fold")], score = as.vector(t(scores)), n_train = 8,
                   n_test = 2, relative_gap = rows$setting * 1e-8,
                   certified = rows$setting != 2, seconds = 1)
  own <- margin_metric(function(truth, predicted, weights) 0, "own", maximize = maximize)
  structure(list(results = results, settings = settings, metrics = list(own = own),
                 folds = lapply(seq_len(ncol(scores)), function(k) list(fold = k, test = k)),
                 family = "linear", task = "classification", levels = c("a", "b"), nobs = 10L,
                 call = quote(margin_cv()), format = 1L), class = "margin_cv")
}

test_that("means, standard errors and shares are those of the rows", {
  scores <- rbind(c(1, 2, 3, 6), c(4, 4, 5, 5), c(NA, 1, 2, NA))
  cv <- made_cv(data.frame(lambda = 1:3), scores)
  table <- summary(cv)
  expect_identical(as.data.frame(tidy(cv)), table)
  expect_equal(table$mean, c(3, 4.5, 1.5))
  expect_equal(table$std.error, c(sd(scores[1, ]), sd(scores[2, ]), sd(1:2) * sqrt(2)) / 2)
  expect_identical(table$n, c(4L, 4L, 2L))
  expect_identical(table$certified, c(1, 0, 1))
  expect_equal(table$relative_gap, 1:3 * 1e-8)
  # four scores of two repetitions of two folds: the error is that of two folds
  twice <- summary(made_cv(data.frame(lambda = 1:3), scores, repetitions = 2L))
  expect_equal(twice$std.error[1:2], c(sd(scores[1, ]), sd(scores[2, ])) / sqrt(2))
})

test_that("the best and the simplest within one standard error, by hand", {
  # means 1.0, 0.9, 0.75, 0.5; standard error of the best: sd(c(.8, 1, 1.2)) / sqrt(3) = 0.1155
  base <- c(1, 0.9, 0.75, 0.5)
  scores <- outer(base, c(-0.2, 0, 0.2), `+`)
  chosen <- function(settings, rule, ...) summary(made_cv(settings, scores, ...), rule = rule)$setting
  expect_identical(chosen(data.frame(lambda = 1:4), "best"), 1L)
  expect_identical(chosen(data.frame(lambda = 1:4), "one_se"), 2L)
  expect_identical(chosen(data.frame(cost = 1:4), "one_se"), 1L)
  expect_identical(chosen(data.frame(cost = 4:1), "one_se"), 2L)
  expect_identical(chosen(data.frame(radius = 1:4), "one_se"), 2L)
  expect_identical(chosen(data.frame(rate = 4:1), "one_se"), 1L)
  expect_identical(chosen(data.frame(sigma = 4:1), "one_se"), 2L)
  # less is better: the best is the fourth, and alone within its error
  expect_identical(chosen(data.frame(lambda = 1:4), "best", maximize = FALSE), 4L)
  expect_identical(chosen(data.frame(lambda = 4:1), "one_se", maximize = FALSE), 4L)
  # settings that differ in more than the number are no simpler ones
  two <- data.frame(lambda = c(1, 2, 3, 4), mixture = c(0, 1, 0, 0))
  expect_identical(chosen(two, "one_se"), 1L)
  # lambda before sigma
  both <- data.frame(sigma = c(1, 1, 2, 2), lambda = c(1, 2, 1, 2))
  expect_identical(chosen(both, "one_se"), 2L)
})

test_that("of equal means the first is best, the largest lambda the simplest; NA is left out", {
  cv <- made_cv(data.frame(lambda = c(1, 3, 2)), rbind(1:2, 1:2, c(NA, NA)))
  expect_identical(summary(cv, rule = "best")$setting, 1L)
  expect_identical(summary(cv, rule = "one_se")$setting, 2L)
  one_fold <- made_cv(data.frame(lambda = c(1, 3)), rbind(2, 2))
  expect_identical(summary(one_fold, rule = "one_se")$setting, 2L)
  expect_identical(summary(one_fold, rule = "best")$std.error, NA_real_)
})

test_that("refit() is the direct call with that setting", {
  cv <- margin_cv(type ~ ., data = some, loss = "logistic", folds = 3, seed = 1, control = close,
                  grid = list(lambda = c(0.1, 0.001), mixture = c(0, 0.5)))
  best <- summary(cv, rule = "best")
  fit <- refit(cv)
  expect_equal(coef(fit), coef(margin_linear(type ~ ., data = some, loss = "logistic",
                                             lambda = best$lambda, mixture = best$mixture,
                                             control = close)), tolerance = 1e-12)
  expect_identical(fit$call[[1]], quote(margin_linear))
  expect_identical(refit(cv, solver = "newton", lambda = 1)$settings$lambda, 1)
  other <- some[1:150, ]
  expect_identical(nobs(refit(cv, data = other)), 150L)

  x <- as.matrix(iris[1:4])
  labels <- iris$Species
  by_matrix <- margin_cv(x, labels, folds = 3, grid = list(cost = c(0.01, 1)), seed = 1,
                         loss = "smooth_hinge")
  expect_equal(coef(refit(by_matrix)),
               coef(margin_linear(x, labels, cost = summary(by_matrix, rule = "best")$cost,
                                  loss = "smooth_hinge")))
  expect_identical(nobs(refit(by_matrix, x = x[-1, ], y = labels[-1])), 149L)
  # the one takes the place of the other
  expect_identical(refit(by_matrix, lambda = 0.5)$settings$lambda, 0.5)
})

test_that("the print names the best first, how many there are, and whether all are certified", {
  cv <- made_cv(data.frame(lambda = 1:10), outer(1:10, c(0, 0.5), `+`))
  lines <- capture.output(print(cv, top = 3))
  expect_match(lines[1], "linear family, 10 settings on 10 rows", fixed = TRUE)
  expect_match(lines[2], "2 folds; mean own, higher is better", fixed = TRUE)
  expect_match(lines[4], "^ *10 ")
  expect_match(lines[7], "and 7 more settings", fixed = TRUE)
  expect_identical(lines[8], "The best lambda, 10, is the largest that was tried: extend the grid.")
  expect_match(lines[9], "NOT certified: 2 of 20 fits, relative gap up to 2e-08", fixed = TRUE)
  repeated <- made_cv(data.frame(lambda = 1), t(1:6), repetitions = 2L)
  expect_output(print(repeated), "2 repetitions, in all 6 folds", fixed = TRUE)
  capture.output(expect_invisible(print(cv)))
})

test_that("what cannot be chosen, summarised or fitted says why", {
  cv <- made_cv(data.frame(mixture = c(0, 1)), rbind(1:2, 2:3))
  empty <- made_cv(data.frame(lambda = 1:2), matrix(NA_real_, 2, 2))
  gone <- local({
    here <- some
    margin_cv(type ~ ., data = here, grid = list(lambda = 1), folds = 2, loss = "smooth_hinge")
  })
  given <- do.call(margin_cv, list(as.matrix(iris[1:4]), iris$Species, folds = 2,
                                   grid = list(lambda = 1)))
  expect_told("cv_methods", "input", {
    summary(iris, rule = "best")
    summary(cv, rule = "simplest")
    summary(cv, rule = "one_se")
    summary(cv, rule = "best", metric = "auroc")
    summary(empty, rule = "best")
    summary(cv, digits = 3)
    tidy(cv, conf.int = TRUE)
    print(cv, n = 3)
    print(cv, top = 0)
    refit(gone, scale = FALSE)
    refit(given, scale = FALSE)
    refit(given, 5)
    refit(given, x = iris[1:4], y = iris$Species, lamda = 1)
  })
})

test_that("predict() and coef() are those of the refit, by every rule and metric", {
  some <- spambase[seq(1, 4601, by = 60), ]
  new <- spambase[seq(2, 4601, by = 60), ]
  cv <- margin_cv(type ~ ., some, loss = "logistic", grid = list(lambda = 10^-(0:3)), folds = 3,
                  metric = c("accuracy", "log_loss"), seed = 1)
  for (rule in c("best", "one_se")) {
    for (metric in c("accuracy", "log_loss")) {
      fit <- refit(cv, rule, metric)
      expect_identical(coef(cv, rule, metric), coef(fit))
      expect_identical(predict(cv, new, rule, metric), predict(fit, new))
      expect_identical(predict(cv, new, rule, metric, type = "prob"),
                       predict(fit, new, type = "prob"))
    }
  }
  expect_identical(predict(cv), predict(refit(cv)))
  expect_error(predict(cv, new, kind = "prob"), class = "dualmargin_input_error")
})

test_that("a summary has milliseconds, tidy() what was measured", {
  cv <- margin_cv(mpg ~ ., mtcars, grid = list(lambda = c(1, 0.1)), folds = 2, seed = 1)
  cv$results$seconds <- c(0.000965338, 0.0012345, 0.1, 0.2)
  expect_identical(summary(cv)$seconds, c(0.002, 0.3))
  expect_equal(tidy(cv)$seconds, c(0.002199838, 0.3))
})
