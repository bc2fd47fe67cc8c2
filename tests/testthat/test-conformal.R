# Prediction sets: their ranks and counts, and that they are what the definition gives with the call
# itself on the rows that are left (helper-conformal.R).

own <- asNamespace("dualmargin")
few <- spambase[seq(1, nrow(spambase), by = 20), ]
new <- spambase[seq(2, nrow(spambase), by = 20), ]
fit <- margin_linear(type ~ ., data = few, lambda = 0.01)

test_that("the rank is that of whole numbers", {
  for (m in c(99L, 199L, 499L, 999L)) {
    j <- 1:49
    expect_identical(own$conformal_rank(1 - j / 100, m), as.numeric(j * (m + 1L)) %/% 100)
    # what a user types
    expect_identical(own$conformal_rank(c(0.9, 0.95, 0.99), m), (m + 1) / c(10, 20, 100))
  }
  expect_identical(own$conformal_rank(0.9, 8), 0)
  expect_identical(own$conformal_rank(0.9, 9), 1)
  # no rank is above m, however low the level
  expect_identical(own$conformal_rank(c(0.5, 1e-6, 1e-12), 9), c(5, 9, 9))
  expect_identical(own$conformal_rank(1e-12, 0), 0)
})

test_that("what is guaranteed is the formula of the method", {
  guarantee <- own$conformal_guarantee
  expect_identical(guarantee("split", 0.9), 0.9)
  expect_equal(guarantee("cv+", 0.9, rep(10, 10)), 0.8 - min(2 * 0.9 * 9 / 110, 0.9 / 11))
  expect_equal(guarantee("cv+", 0.9, c(10, 11)), 0.8 - 2 * 0.9 / 23)
  expect_equal(guarantee("cv+", 0.9, rep(10, 10), any = TRUE), 0.8 - 2 * 0.9 * 9 / 110)
  # a fold for each row is the jackknife+
  expect_equal(guarantee("cv+", 0.9, rep(1, 50)), 0.8)
  expect_identical(guarantee("cv+", 0.4, c(1, 2)), 0)
})

test_that("cv+ is the definition with the call itself on the rows left", {
  found <- vapply(1:12, judge_cv, c(checked = 0, missed = 0, open = 0))
  expect_identical(sum(found["missed", ]), 0)
  expect_gt(sum(found["checked", ]), 80)
  expect_lt(sum(found["open", ]), 0.1 * sum(found["checked", ]))
})

test_that("split counts rows that the fit has not seen, by the fit as it is", {
  object <- margin_conformal(fit, holdout = new, level = 0.8)
  score <- predict(fit, new, type = "score")
  e <- ifelse(new$type == "spam", -score, score)
  f <- predict(fit, few, type = "score")
  k <- floor(0.2 * (nrow(new) + 1) + 1e-9)
  sets <- predict(object, few)
  expect_identical(sets$spam, unname(vapply(-f, function(one) sum(e >= one), 0) >= k))
  expect_identical(sets$nonspam, unname(vapply(f, function(one) sum(e >= one), 0) >= k))
  expect_identical(sets$size, as.integer(sets$spam + sets$nonspam))
  expect_identical(lengths(sets$set), sets$size)
  expect_equal(sets$p_spam, unname((1 + vapply(-f, function(one) sum(e >= one), 0)) /
                                     (nrow(new) + 1)))
  # the p-value and the level say the same
  expect_identical(sets$p_spam > 0.2 + 1e-12, sets$spam)
  expect_message(half <- margin_conformal(fit, few, method = "split", seed = 1), "refitted on 115")
  expect_identical(sort(c(half$own$row, setdiff(seq_len(231), half$own$row))), 1:231)
  expect_identical(nrow(half$own), 116L)
})

test_that("scores of quantiles, of spread and of probabilities are their definitions", {
  train <- mtcars[1:20, ]
  rest <- mtcars[21:32, ]
  cars <- margin_linear(mpg ~ wt + hp, data = train, lambda = 0.05,
                        control = margin_control(tol = 1e-10, seed = 1))
  normalised <- margin_conformal(cars, train, score = "normalised", holdout = rest, level = 0.8)
  size <- log(abs(train$mpg - predict(cars, train)))
  spread <- margin_linear(cbind(wt = train$wt, hp = train$hp), size, loss = "squared",
                          lambda = 0.05, control = margin_control(tol = 1e-10))
  sigma <- function(rows) exp(predict(spread, cbind(wt = rows$wt, hp = rows$hp)))
  e <- abs(rest$mpg - predict(cars, rest)) / sigma(rest)
  expect_equal(normalised$own$score, unname(e), tolerance = 1e-6)
  sets <- predict(normalised, train)
  half <- sigma(train) * sort(e, decreasing = TRUE)[2L]
  expect_equal(sets$upper, unname(predict(cars, train) + half), tolerance = 1e-6)
  of_quantiles <- margin_conformal(cars, train, score = list("quantile", 0.2, 0.7), holdout = rest,
                                   level = 0.8)
  q <- lapply(c(0.2, 0.7), function(tau) {
    margin_linear(mpg ~ wt + hp, data = train, loss = loss_quantile(tau), lambda = 0.05,
                  control = margin_control(tol = 1e-10))
  })
  e <- pmax(predict(q[[1L]], rest) - rest$mpg, rest$mpg - predict(q[[2L]], rest))
  expect_equal(of_quantiles$own$score, unname(e), tolerance = 1e-3)
  three <- margin_linear(Species ~ ., data = iris[seq(1, 150, by = 2), ], lambda = 0.01)
  rest <- iris[seq(2, 150, by = 2), ]
  p <- predict(three, rest, type = "prob")
  at <- cbind(seq_len(75), as.integer(rest$Species))
  aps <- sapply(1:75, function(i) sum(p[i, p[i, ] > p[at][i]]) + p[at][i])
  rank <- sapply(1:75, function(i) sum(p[i, ] >= p[at][i]))
  strange <- function(score) margin_conformal(three, holdout = rest, score = score)$own$score
  expect_equal(strange("probability"), 1 - unname(p[at]))
  expect_equal(strange("aps"), unname(aps))
  expect_equal(strange(list("raps", 0.3, 1)), unname(aps + 0.3 * pmax(rank - 1, 0)))
})

test_that("the probability of two classes gives the sets of the margin", {
  margin <- predict(margin_conformal(fit, few, method = "cv+", seed = 2), new)
  prob <- predict(margin_conformal(fit, few, seed = 2, score = "probability"), new)
  expect_identical(margin, prob)
})

test_that("levels are stacked, missing rows are NA, an unseen level has everything", {
  object <- margin_conformal(fit, few, seed = 1)
  some <- new[1:5, ]
  some[2L, 3L] <- NA
  both <- predict(object, some, level = c(0.5, 0.9))
  expect_identical(both$level, rep(c(0.5, 0.9), each = 5L))
  one <- predict(object, some, level = 0.9)
  expect_identical(unclass(both[6:10, -1L])[names(one)], unclass(one)[names(one)])
  expect_true(all(is.na(one[2L, c("spam", "nonspam", "size")])))
  # sets grow with the level
  nested <- predict(object, new, level = c(0.6, 0.7, 0.8))
  expect_true(all(nested$spam[1:230] <= nested$spam[231:460]))
  cars <- margin_linear(mpg ~ wt + hp, data = mtcars)
  by_cyl <- margin_conformal(cars, mtcars, by = "cyl", level = 0.75, seed = 1)
  other <- mtcars[1:3, ]
  other$cyl <- c(4, 5, NA)
  sets <- predict(by_cyl, other)
  expect_true(all(is.finite(unlist(sets[1L, ]))))
  expect_identical(unlist(sets[2L, ], use.names = FALSE), c(-Inf, Inf))
  expect_true(all(is.na(sets[3L, ])))
  expect_identical(summary(by_cyl, mtcars)$value, c("", "4", "6", "8"))
})

test_that("too few rows for the level: the set is everything, and print says so", {
  cars <- margin_linear(mpg ~ wt, data = mtcars)
  few_rows <- margin_conformal(cars, mtcars, level = c(0.9, 0.99), seed = 1)
  sets <- predict(few_rows, mtcars[1:2, ], level = 0.99)
  expect_identical(sets$lower, c(-Inf, -Inf))
  expect_output(print(few_rows), "the whole line: too few rows \\(level 0.99 needs 99\\)")
  expect_identical(summary(few_rows)$guaranteed[2L], 1)
})

test_that("coverage has exact binomial intervals by class and size", {
  object <- margin_conformal(fit, few, seed = 1)
  table <- summary(object, new)
  expect_identical(table$of, c("all", "class", "class", rep("size", nrow(table) - 3L)))
  test <- stats::binom.test(table$covered[1L], table$n[1L])
  expect_equal(unlist(table[1L, c("lower", "upper")], use.names = FALSE),
               as.vector(test$conf.int))
  expect_identical(sum(table$n[table$of == "size"]), nrow(new))
  expect_equal(summary(object, new[1:57], new$type), table)
  expect_identical(summary(object, new, level = c(0.5, 0.8))$level[1L], 0.5)
  many <- summary(object, new, level = c(0.5, 0.9))
  expect_equal(many$coverage[many$of == "all"][2L], table$coverage[1L])
  expect_identical(nrow(tidy(object)), 1L)
  expect_identical(glance(object)$method, "jackknife+")
  expect_true(all(c(".set", ".size") %in% names(augment(object, new))))
})

test_that("new rows of which none can be used have NA, no rows have no sets", {
  unusable <- new[1:2, ]
  unusable[[1L]] <- NA_real_
  three <- margin_linear(Species ~ ., data = iris, lambda = 0.01)
  objects <- list(
    margin_conformal(fit, few, method = "cv+", folds = 5, seed = 1),
    margin_conformal(fit, holdout = new[-(1:20), ], level = c(0.8, 0.9))
  )
  for (object in objects) {
    sets <- predict(object, unusable)
    told <- predict(object, new[1:2, ])
    expect_identical(dim(sets), dim(told))
    expect_identical(lapply(sets, class), lapply(told, class))
    expect_true(all(is.na(sets$size)))
    expect_identical(nrow(predict(object, new[0, ])), 0L)
    expect_identical(names(predict(object, new[0, ])), names(told))
    # beside a row that can be used
    mixed <- predict(object, rbind(unusable[1, ], new[2, ]))
    expect_identical(is.na(mixed$size), rep(c(TRUE, FALSE), nrow(told) / 2))
    expect_error(summary(object, unusable), "no row with a response and a set",
                 class = "dualmargin_input_error")
  }
  sets <- predict(margin_conformal(three, iris, method = "cv+", folds = 5, seed = 1),
                  transform(iris[1:2, ], Sepal.Length = NA))
  expect_true(all(is.na(sets$size)))
})

test_that("ties are judged in the unit of the decision values, however small they are", {
  x <- as.matrix(few[1:5])
  of <- margin_linear(x, few$type, lambda = 0.01, loss = "hinge", intercept = "none")
  sets <- margin_conformal(of, x, few$type, method = "cv+", folds = 4, seed = 1)
  small <- sets
  small$own$score <- 2^-80 * sets$own$score
  small$models <- lapply(sets$models, function(model) {
    model$fit$coefficients <- 2^-80 * model$fit$coefficients
    model
  })
  sizes <- predict(sets, x)$size
  expect_true(any(sizes == 1L))
  expect_identical(predict(small, x)$size, sizes)
  # probabilities are beside 1
  sure <- list(score = list(name = "probability"), own = list(score = 1e-20))
  expect_identical(own$score_rounding(sure), 2^-42)
})
