# Folds: what a deal promises, and that all ways to give folds come to the same.


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
    margin_folds(10, 3)
    margin_folds("a", 3)
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

test_that("a group is held out as a whole, in even sizes and classes", {
  set.seed(2)
  group <- sample(rep(sprintf("g%02d", 1:40), times = sample(1:12, 40, TRUE)))
  y <- factor(ifelse(as.integer(factor(group)) %% 3 == 0, "a", "b"))
  for (k in c(2, 5, 8)) {
    ids <- margin_folds(y, k, repeats = 3, seed = k, groups = group)
    expect_identical(dim(ids), c(length(y), 3L))
    expect_type(ids, "integer")
    for (r in 1:3) {
      expect_setequal(ids[, r], seq_len(k))
      expect_true(all(tapply(ids[, r], group, function(id) length(unique(id))) == 1L))
      # no part is off by more than the largest group
      expect_lte(diff(range(table(ids[, r]))), max(table(group)))
      expect_true(all(apply(table(ids[, r], y), 2L, function(count) diff(range(count))) <=
                        max(table(group))))
    }
    expect_false(identical(ids[, 1], ids[, 2]))
    expect_identical(margin_folds(y, k, repeats = 3, seed = k, groups = factor(group)), ids)
  }
  # as many groups as parts: each has its own; a row of its own each: as even as without
  own <- margin_folds(y, 40, groups = group, seed = 1)
  expect_identical(length(unique(paste(own, group))), 40L)
  single <- margin_folds(iris$Species, 5, groups = 1:150, seed = 1)
  expect_true(all(table(single, iris$Species) == 10))
  numbers <- margin_folds(mtcars$mpg, 4, groups = rep(1:16, 2), seed = 1)
  expect_true(all(table(numbers) == 8))
})

test_that("along a value the parts are runs of equal size, and equal values stay together", {
  set.seed(3)
  along <- sample(100)
  ids <- margin_folds(along, 7, along = along)
  expect_identical(ids[order(along), 1], sort(ids[, 1]))
  expect_lte(diff(range(table(ids))), 1)
  expect_setequal(ids, 1:7)
  dates <- as.Date("2026-01-01") + along
  expect_identical(margin_folds(along, 7, along = dates), ids)
  # one value with most of the rows, at either end or in the middle
  for (common in c(1, 5, 10)) {
    values <- c(1:10, rep(common, 90))
    for (k in c(2, 4, 10)) {
      ids <- margin_folds(values, k, along = values)[, 1]
      expect_setequal(ids, seq_len(k))
      expect_true(all(tapply(ids, values, function(id) length(unique(id))) == 1L))
      expect_false(is.unsorted(ids[order(values)]))
    }
  }
})

test_that("cross-validation, comparison and calibration take lists of rows to train on and to predict", {
  days <- airquality$Month * 31 + airquality$Day
  past <- lapply(list(10:60, 61:110, 111:153), function(test) {
    list(train = which(days < min(days[test]) - 2), test = test)
  })
  complete <- which(complete.cases(airquality))
  cv <- margin_cv(Ozone ~ Wind + Temp + Solar.R, airquality, loss = "squared", folds = past,
                  grid = list(lambda = 0.1))
  for (i in 1:3) {
    train <- intersect(past[[i]]$train, complete)
    test <- intersect(past[[i]]$test, complete)
    expect_identical(cv$folds[[i]]$test, test)
    fit <- margin_linear(Ozone ~ Wind + Temp + Solar.R, airquality[train, ], loss = "squared",
                         lambda = 0.1)
    expect_equal(cv$results$score[i],
                 mean((predict(fit, airquality[test, ]) - airquality$Ozone[test])^2))
  }
  two <- iris[51:150, ]
  two$Species <- droplevels(two$Species)
  time <- rep(1:50, 2)
  order <- lapply(c(12, 25, 38), function(start) {
    list(train = which(time < start), test = which(time >= start & time < start + 13))
  })
  specs <- list(a = spec_margin("linear", lambda = 0.1), b = spec_margin("linear", lambda = 1))
  compared <- margin_compare(Species ~ ., two, specs, folds = order)
  expect_identical(nrow(compared$results), 6L)
  fit <- margin_linear(Species ~ ., two, loss = "hinge")
  calibrated <- margin_calibrate(fit, two, folds = order)
  expect_setequal(calibrated$calibration$held_out$row, unlist(lapply(order, `[[`, "test")))
  tuned <- margin_cv(Species ~ ., two, prove = TRUE, grid = list(lambda = c(0.1, 1)), folds = order,
                     eps = 0.05)
  expect_true(tuned$proven)
})

test_that("bad groups, runs and times say what is wrong with them", {
  expect_told("folds", "dependent", {
    margin_folds(1:6, 2, groups = 1:5)
    margin_folds(1:6, 2, groups = c(1:5, NA))
    margin_folds(1:6, 2, groups = list(1))
    margin_folds(1:6, 3, groups = rep(1:2, 3))
    margin_folds(1:6, 2, groups = 1:6, along = 1:6)
    margin_folds(1:6, 2, along = letters[1:6])
    margin_folds(1:6, 2, along = c(1:5, Inf))
    margin_folds(1:6, 2, along = 1:5)
    margin_folds(1:6, 3, along = rep(1:2, 3))
    margin_folds(1:6, 2, repeats = 2, along = 1:6)
    margin_cv(iris[1:4], iris$Species, folds = list())
    margin_cv(iris[1:4], iris$Species, folds = list(1:10, 11:20))
    margin_cv(iris[1:4], iris$Species, folds = list(list(train = 1:100, test = 101:160)))
    margin_cv(iris[1:4], iris$Species, folds = list(list(train = 1:100, test = integer())))
    margin_cv(iris[1:4], iris$Species, folds = list(list(train = 1:100, test = 100:150)))
    margin_cv(iris[1:4], iris$Species, folds = list(list(train = 1:100, test = c(101, 101))))
    margin_cv(iris[1:4], iris$Species, folds = list(list(train = 1:100, test = 101:150)))
    margin_cv(iris[1:4], iris$Species, folds = list(list(train = 1:99, test = 100:150)),
              repeats = 2)
  })
})
