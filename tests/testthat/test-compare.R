test_that("folds and scores are those of margin_cv() with the same seed", {
  some <- spam_rows(20)
  specs <- list(spec_margin("linear", loss = "logistic", lambda = 0.01),
                spec_margin("linear", loss = "hinge", cost = 1))
  comparison <- margin_compare(type ~ ., data = some, specs, folds = 4, repeats = 2, seed = 11)
  cv <- margin_cv(type ~ ., data = some, loss = "logistic", grid = list(lambda = 0.01), folds = 4,
                  repeats = 2, seed = 11, metric = "accuracy")
  expect_identical(comparison$folds, cv$folds)
  of_model <- comparison$results[comparison$results$model == "margin_linear logistic", ]
  # which scales the columns itself, by the rows trained on
  expect_equal(of_model$score, cv$results$score)
  expect_identical(of_model$n_train, cv$results$n_train)
})

test_that("models see the scaled columns, their names, and the weights", {
  seen <- tempfile("seen")
  dir.create(seen)
  spy <- model_spec(
    fit_fun = function(x, y, weights) {
      place <- file.path(seen, paste0(length(dir(seen)) + 1L, ".rds"))
      saveRDS(list(x = x, y = y, weights = weights), place)
    },
    predict_fun = function(model, x, levels) rep(levels[1L], nrow(x)), name = "spy"
  )
  data <- iris_pair()
  weights <- rep(1:2, 50)
  ids <- rep(1:2, each = 50)[order(c(1:25, 76:100, 26:75))]
  comparison <- margin_compare(
    specs = list(spy, other = spec_margin("linear", loss = "hinge", lambda = 0.1)),
    Species ~ Sepal.Length + Petal.Width, data = data, folds = ids, weights = weights
  )
  first <- readRDS(file.path(seen, "1.rds"))
  expect_identical(colnames(first$x), c("Sepal.Length", "Petal.Width"))
  expect_identical(first$weights, as.double(weights[ids != 1]))
  centre <- colSums(first$weights * first$x) / sum(first$weights)
  squares <- colSums(first$weights * sweep(first$x, 2, centre)^2) / sum(first$weights)
  expect_equal(unname(squares), c(1, 1))
  expect_true(comparison$weighted)
  # weighted accuracy of the first class
  first <- comparison$results[comparison$results$model == "spy", ]
  by_hand <- vapply(1:2, function(fold) {
    weighted.mean(as.integer(data$Species[ids == fold]) == 1, weights[ids == fold])
  }, 0)
  expect_equal(first$score, by_hand)
})

test_that("a seed repeats a comparison and leaves R's stream alone", {
  specs <- list(spec_margin("linear", loss = "hinge", lambda = 0.1),
                threshold_spec("Petal.Width", 1.6, "cut"))
  compare <- function(seed) {
    result <- margin_compare(Species ~ ., iris_pair(), specs, folds = 3, seed = seed)
    result$results$seconds <- NULL
    result[c("results", "predictions")]
  }
  set.seed(1)
  before <- .Random.seed
  a <- compare(5)
  expect_identical(.Random.seed, before)
  expect_identical(compare(5), a)
  set.seed(8)
  b <- compare(NULL)
  set.seed(8)
  expect_identical(compare(NULL), b)
})

test_that("a regression is compared by its own metrics", {
  average <- model_spec(function(x, y) mean(y),
                        function(model, x, levels) rep(model, nrow(x)), "average")
  specs <- list(average, spec_margin("linear", loss = "squared", lambda = 0.01))
  comparison <- margin_compare(mpg ~ wt + hp, data = mtcars, specs, folds = 4, seed = 1)
  rows <- comparison$folds[[2]]$test
  expect_equal(comparison$results$score[2], mean((mtcars$mpg[rows] - mean(mtcars$mpg[-rows]))^2))
  expect_named(comparison$predictions,
               c("model", "repetition", "fold", "row", "truth", "response"))
  expect_identical(comparison$task, "regression")
  expect_error(margin_compare(mpg ~ wt, data = mtcars, specs, metric = "accuracy"),
               class = "dualmargin_input_error")
})

test_that("fits that are not certified are counted in one warning and marked", {
  specs <- list(a = threshold_spec("Petal.Width", 1.6, "cut", list(relative_gap = 0.3,
                                                                certified = FALSE)),
                b = spec_margin("linear", loss = "hinge", lambda = 0.1))
  expect_warning(comparison <- margin_compare(Species ~ ., iris_pair(), specs, folds = 3),
                 "3 of 6 fits, the worst with a relative gap of 0.3 [(]model \"a\"",
                 class = "dualmargin_not_certified")
  expect_output(print(comparison), "a +[0-9. ]+0.3 +0 of 3")
  expect_output(print(comparison), "a +b .* NO\nNOT certified: that row compares opti")
})
