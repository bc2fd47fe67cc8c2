# importance(): permutation by its definition, coefficients by theirs.

some <- spambase[seq(1L, 4601L, by = 60L), c(5L, 7L, 16L, 52:53, 58L)]
others <- spambase[seq(2L, 4601L, by = 45L), ]
two <- margin_linear(type ~ ., some)

# The definition, written out: one permutation a repeat, for all variables.
by_hand <- function(loss, rows, variables, repeats, seed) {
  set.seed(seed, "Mersenne-Twister", "Inversion", "Rejection")
  orders <- lapply(seq_len(repeats), function(i) sample.int(nrow(rows)))
  sapply(variables, function(name) {
    mean(vapply(orders, function(order) {
      moved <- rows
      moved[[name]] <- rows[[name]][order]
      loss(moved) - loss(rows)
    }, 0))
  })
}

test_that("the permutation importance is the mean loss of the metric, the largest first", {
  truth <- as.integer(others$type)
  log_loss <- function(rows) {
    -mean(log(predict(two, rows, type = "prob")[cbind(seq_along(truth), truth)]))
  }
  found <- importance(two, others, repeats = 4, seed = 3)
  variables <- names(some)[-6L]
  expected <- by_hand(log_loss, others, variables, 4, 3)
  table <- as.data.frame(found)
  expect_equal(table$importance, unname(expected[table$variable]))
  expect_false(is.unsorted(-table$importance))
  expect_identical(found$metric, "log_loss")
  expect_equal(found$baseline, log_loss(others))
  expect_equal(rowMeans(found$values), stats::setNames(table$importance, table$variable))
  expect_equal(table$std.dev, unname(apply(found$values, 1L, stats::sd)))
  # a metric that is better when larger has the other sign
  accuracy <- function(rows) -mean(predict(two, rows) == others$type)
  found <- importance(two, others, metric = "accuracy", repeats = 2, seed = 1)
  expected <- by_hand(accuracy, others, variables, 2, 1)
  expect_equal(found$importance$importance, unname(expected[found$importance$variable]))
  # of one variable it is the same, and of a metric that the user wrote
  one <- importance(two, others, metric = "accuracy", repeats = 2, seed = 1,
                    variables = variables[4L])
  expect_equal(one$importance$importance, unname(expected[4L]))
  error <- margin_metric(function(truth, predicted, weights) mean(truth != predicted), "error",
                         maximize = FALSE)
  expect_equal(as.data.frame(importance(two, others, metric = error, repeats = 2, seed = 1)),
               as.data.frame(found))
})

test_that("formulas are permuted by variable: factors and interactions as a whole", {
  cars <- transform(mtcars, cyl = factor(cyl), slow = qsec > 18)
  fit <- margin_linear(mpg ~ cyl * wt + log(hp) + slow, cars, lambda = 0.01)
  found <- importance(fit, cars, metric = "mse", repeats = 3, seed = 2)
  mse <- function(rows) mean((predict(fit, rows) - cars$mpg)^2)
  expected <- by_hand(mse, cars, c("cyl", "wt", "hp", "slow"), 3, 2)
  table <- found$importance
  expect_equal(table$importance, unname(expected[table$variable]))
  expect_true(found$fitted)
  # what has no part in the fit is not asked, and what has no coefficient has no importance
  flat <- margin_linear(mpg ~ wt + noise, transform(mtcars, noise = rep(0:1, 16)), lambda = 3,
                        mixture = 1)
  expect_identical(coef(flat)[["noise"]], 0)
  zero <- importance(flat, transform(mtcars, noise = rep(0:1, 16)), seed = 1)
  expect_equal(zero$importance$importance[zero$importance$variable == "noise"], 0)
})

test_that("dense, sparse and data frame rows, any order of columns and every family agree", {
  x <- as.matrix(some[1:5])
  fit <- margin_linear(x, some$type)
  new <- as.matrix(others[colnames(x)])
  ask <- function(fit, rows) {
    as.data.frame(importance(fit, rows, others$type, repeats = 2, seed = 1))
  }
  plain <- ask(fit, new)
  expect_equal(ask(fit, Matrix::Matrix(new, sparse = TRUE)), plain)
  expect_equal(ask(fit, methods::as(Matrix::Matrix(new, sparse = TRUE), "RsparseMatrix")), plain)
  expect_equal(ask(fit, as.data.frame(new)), plain)
  expect_equal(ask(fit, new[, 5:1]), plain)
  unnamed <- ask(margin_linear(unname(x), some$type), unname(new))
  expect_equal(unnamed$importance, plain$importance)
  for (other in list(margin_kernel(x, some$type, loss = "hinge"), margin_robust(x, some$type),
                     suppressWarnings(margin_hard(x, some$type, intercept = "none")),
                     quietly(margin_augmented(x, some$type, perturb_dropout(0.2), lambda = 0.1)),
                     margin_linear(x, cut(seq_len(nrow(x)), 3, labels = c("a", "b", "c")),
                                   multiclass = "softmax"))) {
    y <- factor(rep_len(other$levels, nrow(new)), other$levels)
    found <- importance(other, new, y, repeats = 2, seed = 1)
    expect_setequal(found$importance$variable, colnames(x))
    expect_true(all(is.finite(found$importance$importance)))
  }
  one <- margin_oneclass(x)
  found <- importance(one, new, rep(c("outlier", "inlier"), length.out = nrow(new)),
                      metric = "accuracy", repeats = 2, seed = 1)
  expect_identical(nrow(found$importance), 5L)
})

test_that("rows that are missing are left out, and a seed leaves the stream of R alone", {
  holes <- others
  holes$word_freq_our[3L] <- NA
  holes$type[5L] <- NA
  set.seed(8)
  before <- .Random.seed
  found <- importance(two, holes, seed = 1, repeats = 2)
  expect_identical(.Random.seed, before)
  expect_identical(found$missing, 2L)
  expect_equal(as.data.frame(found), as.data.frame(importance(two, others[-c(3, 5), ], seed = 1,
                                                              repeats = 2)))
  set.seed(8)
  once <- importance(two, others)
  set.seed(8)
  expect_identical(importance(two, others), once)
  # weights: one of 2 is the row twice in the metric, if it is not permuted
  weighted <- importance(two, others, weights = rep(2, nrow(others)), seed = 1, repeats = 2)
  expect_equal(as.data.frame(weighted), as.data.frame(importance(two, others, seed = 1,
                                                                 repeats = 2)))
})

test_that("coefficients count per standard deviation of their columns", {
  deviation <- function(x) sqrt(mean((x - mean(x))^2))
  size <- abs(coef(two)[-1L]) * vapply(some[-6L], deviation, 0)
  found <- as.data.frame(importance(two, type = "coefficient"))
  expect_identical(found$variable, names(sort(size, decreasing = TRUE)))
  expect_equal(found$importance, unname(sort(size, decreasing = TRUE)))
  expect_equal(as.data.frame(importance(two, some, type = "coefficient")), found)
  # of other rows their own deviations
  there <- abs(coef(two)[-1L]) * vapply(others[names(some)[-6L]], deviation, 0)
  given <- as.data.frame(importance(two, others, type = "coefficient"))
  expect_equal(given$importance, unname(sort(there, decreasing = TRUE)))
  raw <- margin_linear(as.matrix(some[1:5]), some$type, scale = FALSE)
  sizes <- abs(coef(raw)[-1L]) * vapply(some[-6L], deviation, 0)
  sparse <- Matrix::Matrix(as.matrix(some[1:5]), sparse = TRUE)
  for (rows in list(as.matrix(some[1:5]), sparse)) {
    found <- as.data.frame(importance(raw, rows, type = "coefficient"))
    expect_equal(found$importance, unname(sort(sizes, decreasing = TRUE)))
  }
  three <- margin_linear(Species ~ ., iris)
  size <- rowMeans(abs(coef(three)[-1L, ])) * vapply(iris[1:4], deviation, 0)
  expect_equal(as.data.frame(importance(three, type = "coefficient"))$importance,
               unname(sort(size, decreasing = TRUE)))
})

test_that("print, tidy and plot show it", {
  found <- importance(two, others, repeats = 3, seed = 1)
  expect_output(print(found, top = 2), "how much worse log loss gets.*and 3 more")
  expect_output(print(importance(two, type = "coefficient")), "standard deviation of the column")
  expect_output(print(importance(two, some, seed = 1)), "may be using their noise")
  expect_identical(as.data.frame(tidy(found)), as.data.frame(found))
  drawn <- NULL
  text <- drawn_text(drawn <- plot(found, top = 3))
  expect_identical(drawn, utils::head(as.data.frame(found), 3L))
  expect_true(all(c("The 3 most important of 5", "log loss worse when permuted", "a repeat",
                    drawn$variable) %in% text))
  expect_input_error(plot(found, which = 1), "which", "not an argument")
})

test_that("what has no importance says why", {
  kernel <- margin_kernel(type ~ ., some, loss = "hinge")
  stored <- read_rows(write_rows(as.matrix(some[1:5]), tempfile(), y = some$type))
  expect_told("importance", "dependent", {
    importance(1)
    importance(two)
    importance(two, others[1:3])
    importance(two, as.matrix(others[1:57]))
    importance(two, others, metric = "mse")
    importance(two, others, metric = c("accuracy", "auroc"))
    importance(kernel, others, metric = "log_loss")
    importance(two, others, variables = "nosuch")
    importance(two, others, variables = 1)
    importance(two, others, repeats = 0)
    importance(two, others, type = "gain")
    importance(two, others, n = 3)
    importance(kernel, type = "coefficient")
    importance(margin_linear(mpg ~ wt, mtcars, scale = FALSE), type = "coefficient")
    importance(two, type = "coefficient", metric = "accuracy")
    importance(margin_oneclass(iris[1:4]), iris)
    importance(margin_linear(as.matrix(some[1:5]), some$type), stored)
  })
})

test_that("a fit with an offset takes that of the data, or says what it lacks", {
  fit <- margin_linear(mpg ~ wt + qsec + offset(hp / 100), mtcars, lambda = 0.1)
  found <- importance(fit, mtcars, metric = "mse", repeats = 2, seed = 1)
  expect_equal(found$baseline, mean((mtcars$mpg - predict(fit, mtcars))^2))
  set.seed(1)
  orders <- lapply(1:2, function(i) sample.int(32))
  # the offset is a variable as any other, and stays with its row where another is permuted
  for (name in c("wt", "hp")) {
    by_hand <- vapply(orders, function(order) {
      permuted <- mtcars
      permuted[[name]] <- permuted[[name]][order]
      mean((mtcars$mpg - predict(fit, permuted))^2) - found$baseline
    }, 0)
    expect_equal(unname(found$values[name, ]), by_hand)
  }
  grDevices::pdf(NULL)
  on.exit(grDevices::dev.off())
  drawn <- plot(fit, mtcars)
  at <- drawn$variable == "wt"
  expect_equal(drawn$effect[at], vapply(drawn$value[at], function(value) {
    mean(predict(fit, transform(mtcars, wt = value)))
  }, 0))
  x <- as.matrix(mtcars[c("wt", "qsec")])
  by_matrix <- margin_linear(x, mtcars$mpg, lambda = 0.1, offset = mtcars$hp / 100)
  expect_input_error(importance(by_matrix, x, mtcars$mpg), "newoffset", "fit by a formula")
  expect_input_error(plot(by_matrix, x), "newoffset", "fit by a formula")
})
