# margin_cv(): every score is that of a fit made by hand, wherever and however the jobs run.

some <- spambase[seq(1, nrow(spambase), by = 23), ] # 201 rows
some_x <- as.matrix(some[1:57])
ids3 <- margin_folds(some$type, 3, seed = 1)[, 1]
ids_iris <- margin_folds(iris$Species, 3, seed = 1)[, 1]
but_seconds <- function(cv) cv$results[names(cv$results) != "seconds"]

# The score of every row when it is held out, from one call a fold. fit: a function of rows.
held_out <- function(fit, x, ids, type = "score") {
  parts <- lapply(sort(unique(ids)), function(fold) {
    as.matrix(predict(fit(ids != fold), x[ids == fold, , drop = FALSE], type = type))
  })
  all <- do.call(rbind, parts)
  all[order(order(ids)), , drop = FALSE]
}

# A metric that hands over what it is given, as one number that no other rows and scores have.
fingerprint <- margin_metric(function(truth, predicted, weights) {
  sum(as.matrix(predicted) * sin(as.integer(truth) + seq_along(truth)) * weights)
}, "fingerprint", needs = "score")

print_of <- function(scores, truth, ids, weights = rep(1, length(ids))) {
  vapply(sort(unique(ids)), function(fold) {
    at <- ids == fold
    fingerprint$compute(truth[at], scores[at, ], weights[at])
  }, 0)
}

close <- margin_control(tol = 1e-10, seed = 3)

# By family: the rows, the folds, what is searched and what is given, and the fit of a setting.
direct <- list(
  linear = list(
    some_x, some$type, ids3, list(),
    list(lambda = c(0.001, 0.1), mixture = c(0, 0.7), loss = c("logistic", "smooth_hinge")),
    function(x, y, s) {
      margin_linear(x, y, lambda = s$lambda, mixture = s$mixture, loss = s$loss, control = close)
    }
  ),
  kernel = list(
    as.matrix(iris[1:4]), iris$Species == "virginica", ids_iris, list(kernel = kernel_rbf),
    data.frame(sigma = c(0.1, 1), lambda = c(0.01, 0.1)),
    function(x, y, s) {
      margin_kernel(x, y, kernel_rbf(s$sigma), lambda = s$lambda, control = close)
    }
  ),
  kernel = list(
    as.matrix(iris[1:4]), iris$Species == "virginica", ids_iris,
    list(kernel = function(sigma) kernel_laplace(sigma)), list(sigma = c(0.1, 1)),
    function(x, y, s) margin_kernel(x, y, kernel_laplace(s$sigma), control = close)
  ),
  robust = list(
    some_x, some$type, ids3, list(scale = TRUE, ridge = 0.1),
    list(radius = c(0.1, 0.01), norm = c("l2", "linf")),
    function(x, y, s) {
      margin_robust(x, y, scale = TRUE, ridge = 0.1, norm = s$norm, radius = s$radius,
                    control = close)
    }
  ),
  augmented = list(
    some_x[, 1:6], some$type, ids3,
    list(lambda = 0.1, loss = "squared", center = FALSE, perturbation = perturb_dropout,
         intercept = "none"),
    list(rate = c(0.3, 0, 0.1)),
    function(x, y, s) {
      margin_augmented(x, y, perturb_dropout(s$rate), lambda = 0.1, loss = "squared",
                       center = FALSE, intercept = "none", control = close)
    }
  ),
  hard = list(
    as.matrix(iris[1:100, 1:4]), droplevels(iris$Species[1:100]), ids_iris[1:100],
    list(intercept = "none"), list(kernel = list(as_kernel("linear"), kernel_rbf(0.5))),
    function(x, y, s) margin_hard(x, y, kernel = s$kernel[[1L]], intercept = "none", control = close)
  )
)
for (k in seq_along(direct)) {
  test_that(paste(names(direct)[k], "settings have the scores of direct fits, fold by fold", k), {
    case <- direct[[k]]
    x <- case[[1L]]
    y <- case[[2L]]
    folds <- case[[3L]]
    cv <- do.call(margin_cv, c(list(x, y, family = names(direct)[k], grid = case[[5L]],
                                    folds = folds, metric = fingerprint, control = close),
                               case[[4L]]))
    expect_true(all(cv$results$certified))
    for (i in seq_len(nrow(cv$settings))) {
      setting <- if (names(direct)[k] == "hard") list(kernel = case[[5L]]$kernel[i]) else
        cv$settings[i, , drop = FALSE]
      scores <- held_out(function(rows) case[[6L]](x[rows, ], y[rows], setting), x, folds)
      expect_equal(cv$results$score[cv$results$setting == i], print_of(scores, factor(y), folds),
                   tolerance = 1e-4)
    }
  })
}

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

test_that("one row held out, of one class or several, is judged by its score", {
  few <- iris[seq(1, 150, by = 6), ]
  fit <- function(rows) margin_linear(Species ~ ., few[rows, ], lambda = 0.01, control = close,
                                      loss = "smooth_hinge")
  cv <- margin_cv(Species ~ ., few, grid = list(lambda = c(0.1, 0.01)), folds = 1:25,
                  metric = fingerprint, control = close, loss = "smooth_hinge")
  expect_equal(cv$results$score[cv$results$setting == 2],
               print_of(held_out(fit, few, 1:25), few$Species, 1:25), tolerance = 1e-6)
  expect_identical(margin_cv(Species ~ ., few, grid = list(), folds = 25,
                             loss = "smooth_hinge")$results$n_test,
                   rep(1L, 25))
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
