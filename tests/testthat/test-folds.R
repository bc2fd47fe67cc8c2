# Folds: what a deal promises, and that all ways to give folds come to the same.

resamples_of <- function(...) dualmargin:::as_resamples(...)

test_that("folds are a partition, sizes and class counts to one row", {
  for (k in c(2, 3, 7, 10)) {
    ids <- margin_folds(iris$Species[1:140], folds = k, repeats = 3, seed = k)
    expect_identical(dim(ids), c(140L, 3L))
    expect_type(ids, "integer")
    for (r in 1:3) {
      expect_setequal(ids[, r], seq_len(k))
      expect_lte(diff(range(table(ids[, r]))), 1)
      by_class <- table(ids[, r], iris$Species[1:140])
      expect_true(all(apply(by_class, 2L, function(counts) diff(range(counts))) <= 1))
    }
    expect_false(identical(ids[, 1], ids[, 2]))
  }
})

test_that("labels of any kind are dealt alike", {
  y <- rep(c("a", "b", "a"), 20)
  as_given <- margin_folds(y, 4, seed = 1)
  expect_identical(margin_folds(factor(y), 4, seed = 1), as_given)
  expect_identical(margin_folds(y == "b", 4, seed = 1), as_given)
  expect_identical(margin_folds(ifelse(y == "b", 1, -1), 4, seed = 1), as_given)
})

test_that("of k neighbours in a numeric response every fold has one", {
  expect_lte(diff(range(table(margin_folds(mtcars$mpg, 5, seed = 3)))), 1)
  set.seed(1)
  y <- sample(seq(2, 80, by = 2))
  ids <- margin_folds(y, 5, seed = 3)[order(y), 1]
  expect_true(all(apply(matrix(ids, 5), 2L, function(run) setequal(run, 1:5))))
})

test_that("a seed leaves R's stream and its generators untouched, set.seed() rules without one", {
  set.seed(5)
  before <- .Random.seed
  one <- margin_folds(iris$Species, seed = 1)
  expect_identical(.Random.seed, before)
  expect_identical(margin_folds(iris$Species, seed = 1), one)
  expect_false(identical(margin_folds(iris$Species, seed = 2), one))
  set.seed(5)
  drawn <- margin_folds(iris$Species)
  set.seed(5)
  expect_identical(margin_folds(iris$Species), drawn)
  # another generator, as in a process of package future
  kind <- RNGkind("L'Ecuyer-CMRG")
  before <- .Random.seed
  expect_identical(margin_folds(iris$Species, seed = 1), one)
  expect_identical(.Random.seed, before)
  expect_identical(RNGkind()[1], "L'Ecuyer-CMRG")
  do.call(RNGkind, as.list(kind))
})

test_that("a vector, a matrix, a factor and a number give the same resamples", {
  y <- iris$Species
  ids <- margin_folds(y, 4, 2, seed = 1)
  from_matrix <- resamples_of(ids, NULL, y, NULL)
  expect_identical(resamples_of(4, 2, y, 1), from_matrix)
  expect_identical(resamples_of(ids[, 1], NULL, y, NULL), from_matrix[1:4])
  expect_identical(resamples_of(factor(letters[ids[, 1]]), NULL, y, NULL), from_matrix[1:4])
  for (one in from_matrix) {
    expect_identical(sort(c(one$train, one$test)), seq_along(y))
    expect_identical(one$test, which(ids[, one$repetition] == one$fold))
  }
})

test_that("rows that were left out do not shift the folds of the others", {
  kept <- c(1L, 3L, 4L, 6L, 7L, 8L)
  ids <- c(1, 1, 2, 2, 3, 3, 1, 2)
  resamples <- resamples_of(ids, NULL, factor(c("a", "b", "a", "b", "a", "b")), NULL, kept, 8L)
  held_out <- lapply(resamples, function(one) kept[one$test])
  expect_identical(held_out, list(c(1L, 7L), c(3L, 4L, 8L), 6L))
})

test_that("rsample's resamples are taken as they are, repeats and strata among them", {
  skip_if_not_installed("rsample")
  set.seed(1)
  folds <- rsample::vfold_cv(iris, v = 3, repeats = 2, strata = "Species")
  ours <- resamples_of(folds, NULL, iris$Species, NULL)
  expect_length(ours, 6L)
  expect_identical(vapply(ours, function(one) one$repetition, 0L), rep(1:2, each = 3))
  expect_identical(vapply(ours, function(one) one$fold, 0L), rep(1:3, 2))
  for (i in seq_along(ours)) {
    split <- folds$splits[[i]]
    # rows by number: whether analysis() keeps the names of rows depends on rsample's version
    expect_identical(ours[[i]]$train, as.integer(split))
    expect_identical(ours[[i]]$test, as.integer(split, data = "assessment"))
    expect_identical(unname(as.list(iris[ours[[i]]$train, ])),
                     unname(as.list(rsample::analysis(split))))
  }
  boots <- rsample::bootstraps(iris, times = 3)
  ours <- resamples_of(boots, NULL, iris$Species, NULL)
  for (i in 1:3) {
    expect_identical(ours[[i]]$train, boots$splits[[i]]$in_id)
    expect_identical(ours[[i]]$test, setdiff(1:150, boots$splits[[i]]$in_id))
  }
  # rows 1 to 10 were left out of the model
  without <- resamples_of(folds, NULL, iris$Species[11:150], NULL, 11:150, 150L)
  expect_identical(11:150 %in% (10L + without[[1]]$test),
                   11:150 %in% as.integer(folds$splits[[1]], data = "assessment"))
  expect_told("folds", "resamples", {
    margin_cv(Species ~ ., iris[1:100, ], folds = folds, loss = "smooth_hinge")
    margin_cv(Species ~ ., iris, folds = folds, repeats = 2, loss = "smooth_hinge")
    margin_cv(Species ~ ., iris, folds = rsample::bootstraps(iris, times = 2, apparent = TRUE),
              loss = "smooth_hinge")
  })
})

test_that("bad folds say what is wrong with them", {
  y <- iris$Species
  cv <- function(...) margin_cv(iris[1:4], y, grid = list(lambda = 1), ...)
  expect_told("folds", "input", {
    margin_folds(y, 1)
    margin_folds(y, 2.5)
    margin_folds(y, 151)
    margin_folds(y, repeats = 0)
    margin_folds(y, seed = -1)
    margin_folds(c("a", NA))
    margin_folds(iris)
    margin_folds(list("a", "b"))
    cv(folds = 1)
    cv(folds = 151)
    cv(folds = "five")
    cv(folds = c(1.5, 2))
    cv(folds = 1:3)
    cv(folds = rep(1, 150))
    cv(folds = as.integer(y))
    cv(folds = rep(1:2, 75), repeats = 2)
    cv(folds = 3, repeats = 0)
    cv(folds = replace(rep(1:2, 75), 5, NA))
  })
  for (folds in list(1, 151, "five", 1:3, rep(1, 150), as.integer(y))) {
    condition <- expect_error(cv(folds = folds), class = "dualmargin_input_error")
    expect_identical(condition$arg, "folds")
  }
})
