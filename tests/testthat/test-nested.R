# Nested cross-validation: each outer fold by hand, and that nothing of it is seen inside.

some <- spambase[seq(1, 4601, by = 40), ]
grid <- list(lambda = 10^-(0:3))

test_that("each outer fold is a cross-validation of its training rows, refitted and judged", {
  outer_ids <- margin_folds(some$type, 3, seed = 1)[, 1]
  inner_ids <- margin_folds(some$type, 4, seed = 2)[, 1]
  nested <- margin_cv(type ~ ., some, loss = "logistic", grid = grid, outer = outer_ids,
                          folds = inner_ids, metric = c("log_loss", "accuracy"), seed = 3)
  expect_s3_class(nested, "margin_nested")
  for (fold in 1:3) {
    train <- some[outer_ids != fold, ]
    cv <- margin_cv(type ~ ., train, loss = "logistic", grid = grid,
                    folds = inner_ids[outer_ids != fold], metric = c("log_loss", "accuracy"))
    best <- summary(cv, rule = "best")
    row <- nested$results[fold, ]
    expect_identical(row$setting, best$setting)
    expect_equal(row$lambda, best$lambda)
    expect_equal(row$inner_score, best$mean, tolerance = 1e-6)
    test <- some[outer_ids == fold, ]
    judged <- margin_performance(refit(cv), test, c("log_loss", "accuracy"))
    expect_equal(c(row$score, row$accuracy), judged$metrics$value, tolerance = 1e-5)
    expect_identical(c(row$n_train, row$n_test), c(nrow(train), nrow(test)))
    expect_equal(nested$inner[[fold]]$results$score, cv$results$score, tolerance = 1e-5)
  }
  table <- summary(nested)
  expect_identical(table$metric, c("log_loss", "accuracy"))
  expect_equal(table$mean, c(mean(nested$results$score), mean(nested$results$accuracy)))
  expect_equal(table$inner[1], mean(nested$results$inner_score))
  expect_equal(table$std.error[1], sd(nested$results$score) / sqrt(3))
  expect_output(print(nested), "settings that were chosen", fixed = TRUE)
  expect_identical(as.data.frame(nested), nested$results)
  expect_identical(as.data.frame(tidy(nested)), table)
  expect_error(coef(nested), class = "dualmargin_input_error")
  expect_error(refit(nested))
})

test_that("rows held out outside change nothing inside", {
  ids <- margin_folds(some$type, 3, seed = 1)[, 1]
  run <- function(data) {
    margin_cv(type ~ ., data, grid = grid, outer = ids, folds = 3, seed = 5)$inner[[1L]]$results
  }
  other <- some
  other$type[ids == 1L] <- rev(other$type[ids == 1L])
  other[ids == 1L, 1:57] <- 7
  strip <- function(results) results[names(results) != "seconds"]
  expect_identical(strip(run(some)), strip(run(other)))
})

test_that("one seed, one result; x and y; groups; families; every rule", {
  x <- as.matrix(some[1:57])
  one <- margin_cv(x, some$type, grid = grid, outer = 3, folds = 3, seed = 2)
  two <- margin_cv(type ~ ., some, grid = grid, outer = 3, folds = 3, seed = 2)
  but_seconds <- function(nested) nested$results[names(nested$results) != "seconds"]
  expect_equal(but_seconds(one), but_seconds(two))
  expect_identical(but_seconds(one),
                   but_seconds(margin_cv(x, some$type, grid = grid, outer = 3, folds = 3,
                                             seed = 2)))
  groups <- rep(1:29, 4)[seq_len(nrow(some))]
  ids <- margin_folds(some$type, 4, groups = groups, seed = 1)[, 1]
  grouped <- margin_cv(x, some$type, grid = grid, outer = ids, folds = ids, seed = 1)
  for (fold in 1:4) {
    at <- which(ids != fold)
    for (part in grouped$inner[[fold]]$folds) {
      inside <- part$test
      expect_true(all(inside %in% at))
      expect_length(intersect(groups[inside], groups[setdiff(at, inside)]), 0L)
    }
  }
  simple <- margin_cv(x, some$type, grid = grid, outer = 3, folds = 3, rule = "one_se",
                          seed = 2)
  expect_true(all(simple$results$lambda >= one$results$lambda))
  # a precomputed kernel keeps to the rows trained on
  K <- exp(-as.matrix(dist(scale(iris[1:4])))^2)
  nested <- margin_cv(K, iris$Species, family = "kernel", kernel = kernel_precomputed(),
                          grid = list(lambda = c(0.01, 1)), outer = 3, folds = 2, seed = 1)
  direct <- margin_cv(scale(iris[1:4]), iris$Species, family = "kernel",
                          kernel = kernel_rbf(1), scale = FALSE,
                          grid = list(lambda = c(0.01, 1)), outer = 3, folds = 2, seed = 1)
  expect_equal(nested$results$score, direct$results$score)
  cars <- margin_cv(mpg ~ wt + hp, mtcars, loss = "squared", outer = 3, folds = 3, seed = 1,
                        weights = rep(1:2, 16))
  expect_identical(names(cars$metrics), "mse")
  expect_true(all(cars$results$certified))
})

test_that("wrong arguments say what is wrong", {
  nested <- function(...) margin_cv(type ~ ., some, ...)
  expect_told("nested", "input", {
    nested(inner = 1)
    nested(inner = "five")
    nested(inner = 1:3)
    nested(inner = rep(1e307, nrow(some)))
    nested(rule = "simplest")
    nested(grid = list(lamda = 1))
    nested(metric = "mse")
    nested(nfolds = 3)
    nested(folds = 2, inner = 80, grid = grid, seed = 1)
    margin_cv(as.matrix(some[1:57]), outer = 10)
  })
})

test_that("one row says what the outer folds say of the first metric", {
  nested <- margin_cv(type ~ ., some, grid = grid, outer = 3, folds = 2, repeats = 2, seed = 1)
  row <- glance(nested)
  results <- nested$results
  expect_identical(nrow(row), 1L)
  expect_equal(c(row$folds, row$repeats, row$nobs), c(3, 2, nrow(some)))
  expect_equal(c(row$mean, row$inner), c(mean(results$score), mean(results$inner_score)))
  expect_equal(row$std.error, sd(results$score) / sqrt(3))
  expect_equal(c(row$relative_gap, row$seconds), c(max(results$relative_gap), sum(results$seconds)))
  expect_identical(row$certified, all(results$certified))
})

test_that("a search leaves options() as they are, and loads no package that only listens", {
  loaded <- "progressr" %in% loadedNamespaces()
  before <- options()
  margin_cv(type ~ ., some, grid = list(lambda = c(1, 0.1)), outer = 2, folds = 2, seed = 1)
  expect_identical(options(), before)
  expect_identical("progressr" %in% loadedNamespaces(), loaded)
})
