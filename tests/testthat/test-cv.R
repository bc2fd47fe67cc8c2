# margin_cv() beside test-law-folds.R: kernel values, weights, rows that a formula leaves out.

some <- spambase[seq(1, nrow(spambase), by = 23), ] # 201 rows
some_x <- as.matrix(some[1:57])
ids3 <- margin_folds(some$type, 3, seed = 1)[, 1]
ids_iris <- margin_folds(iris$Species, 3, seed = 1)[, 1]
but_seconds <- function(cv) cv$results[names(cv$results) != "seconds"]

# A metric that hands over what it is given, as one number that no other rows and scores have.
fingerprint <- margin_metric(function(truth, predicted, weights) {
  sum(as.matrix(predicted) * sin(as.integer(truth) + seq_along(truth)) * weights)
}, "fingerprint", needs = "score")

close <- margin_control(tol = 1e-10, seed = 3)

test_that("a precomputed kernel loses rows and columns", {
  x <- scale(as.matrix(iris[1:4]))
  values <- exp(-as.matrix(dist(x))^2)
  cv <- margin_cv(values, iris$Species, family = "kernel", kernel = kernel_precomputed(),
                  grid = list(lambda = c(0.1, 0.01)), folds = ids_iris, metric = fingerprint,
                  control = close, intercept = "none")
  rbf <- margin_cv(x, iris$Species, family = "kernel", kernel = kernel_rbf(1), scale = FALSE,
                   grid = list(lambda = c(0.1, 0.01)), folds = ids_iris, metric = fingerprint,
                   control = close, intercept = "none")
  expect_equal(cv$results$score, rbf$results$score, tolerance = 1e-6)
  hard <- margin_cv(values[1:100, 1:100], droplevels(iris$Species[1:100]), family = "hard",
                    kernel = kernel_precomputed(), grid = list(), folds = ids_iris[1:100],
                    intercept = "none")
  expect_identical(hard$results$score, rep(1, 3))
})

test_that("an integer weight is as many rows, in the fits and in the scores", {
  w <- rep_len(1:3, nrow(some))
  again <- rep(seq_len(nrow(some)), w)
  metrics <- c("accuracy", "balanced_accuracy", "log_loss", "brier", "hinge")
  weighted <- margin_cv(some_x, some$type, loss = "logistic", weights = w, folds = ids3,
                        grid = list(lambda = c(0.1, 0.01)), metric = metrics, control = close)
  repeated <- margin_cv(some_x[again, ], some$type[again], loss = "logistic", folds = ids3[again],
                        grid = list(lambda = c(0.1, 0.01)), metric = metrics, control = close)
  expect_equal(weighted$results[c("score", metrics[-1])], repeated$results[c("score", metrics[-1])],
               tolerance = 1e-5)
  # in a formula the weights are looked up in the data
  in_data <- margin_cv(type ~ . - w, cbind(some, w = w), loss = "logistic", weights = w,
                       folds = ids3, grid = list(lambda = c(0.1, 0.01)), metric = metrics,
                       control = close)
  expect_equal(in_data$results$score, weighted$results$score, tolerance = 1e-6)
})

test_that("held out rows are rows of the user's data, whatever na.action and subset left out", {
  holes <- airquality
  holes$hot <- factor(holes$Temp > 79)
  ids <- rep_len(1:4, nrow(holes))
  cv <- margin_cv(hot ~ Ozone + Solar.R + Wind, holes, subset = Month != 6,
                  grid = list(lambda = 0.01), folds = ids, control = close, loss = "smooth_hinge")
  used <- which(complete.cases(holes) & holes$Month != 6)
  for (k in 1:4) {
    test <- used[ids[used] == k]
    expect_identical(cv$folds[[k]]$test, test)
    fit <- margin_linear(hot ~ Ozone + Solar.R + Wind, holes[setdiff(used, test), ], lambda = 0.01,
                         control = close, loss = "smooth_hinge")
    expect_identical(cv$results$score[k], mean(predict(fit, holes[test, ]) == holes$hot[test]))
  }
})

test_that("without an intercept in the formula there is none in the fits", {
  cv <- margin_cv(type ~ . - 1, some, grid = list(lambda = 0.01), folds = ids3,
                  metric = fingerprint, control = close, loss = "smooth_hinge")
  none <- margin_cv(type ~ ., some, intercept = "none", grid = list(lambda = 0.01), folds = ids3,
                    metric = fingerprint, control = close, loss = "smooth_hinge")
  free <- margin_cv(type ~ ., some, grid = list(lambda = 0.01), folds = ids3,
                    metric = fingerprint, control = close, loss = "smooth_hinge")
  expect_identical(but_seconds(cv), but_seconds(none))
  expect_false(isTRUE(all.equal(cv$results$score, free$results$score)))
})

test_that("settings that differ in their mixture have one model of several classes", {
  x <- as.matrix(iris[1:4])
  search <- function(...) {
    margin_cv(x, iris$Species, ..., folds = 3, seed = 1, grid = list(mixture = c(0, 0.5, 1), lambda = 0.01))
  }
  expect_identical(refit(search(penalty_factor = c(2, 1, 1, 1)))$settings$multiclass, "one_vs_rest")
  expect_identical(refit(search(penalty_factor = rep(1, 4)))$settings$multiclass, "softmax")
})
