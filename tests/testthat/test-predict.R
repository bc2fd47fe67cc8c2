test_that("scores are x w + b and classes their sign, ties positive", {
  x <- as.matrix(spambase[1:300, 1:57])
  y <- rep(c(TRUE, FALSE, FALSE), 100)
  fit <- margin_linear(x, y, loss = "smooth_hinge")
  scores <- drop(cbind(1, x) %*% coef(fit))
  expect_equal(unname(predict(fit, x, type = "score")), unname(scores), tolerance = 1e-10)
  expect_identical(unname(predict(fit, x)), unname(scores >= 0))
  fit$coefficients[] <- 0
  expect_true(all(predict(fit, x)))
})

test_that("labels come back in the type that was given", {
  x <- as.matrix(iris[1:100, 1:4])
  species <- droplevels(iris$Species[1:100])
  expect_identical(levels(predict(margin_linear(x, species, loss = "smooth_hinge"),
                                  x)), levels(species))
  expect_identical(unname(predict(margin_linear(x, ifelse(species == "setosa", -1, 1),
                                                loss = "smooth_hinge"), x)),
                   ifelse(species == "setosa", -1, 1))
  expect_identical(unname(predict(margin_linear(x, species == "setosa", loss = "smooth_hinge"),
                                  x)), species == "setosa")
  named <- suppressMessages(margin_linear(x, as.character(species), loss = "smooth_hinge"))
  expect_identical(unname(predict(named, x)), species)
})

test_that("probabilities are the logistic of the score and sum to one", {
  two <- margin_linear(type ~ ., data = spambase[seq(1, 4601, 20), ], loss = "logistic")
  prob <- predict(two, type = "prob")
  expect_identical(colnames(prob), c("nonspam", "spam"))
  expect_equal(unname(prob[, "spam"]), unname(plogis(predict(two, type = "score"))))
  for (multiclass in c("one_vs_rest", "softmax")) {
    three <- margin_linear(Species ~ ., data = iris, loss = "logistic", multiclass = multiclass)
    prob <- predict(three, type = "prob")
    expect_equal(unname(rowSums(prob)), rep(1, 150))
    score <- predict(three, type = "score")
    one <- if (multiclass == "softmax") exp(score) else plogis(score)
    expect_equal(prob, one / rowSums(one), tolerance = 1e-12)
  }
  expect_error(predict(margin_linear(Species ~ ., data = iris, loss = "smooth_hinge"),
                       type = "prob"),
               "estimates no probability", class = "dualmargin_input_error")
})

test_that("without newdata the training rows are predicted", {
  fit <- margin_linear(Species ~ ., data = iris, loss = "smooth_hinge")
  expect_equal(predict(fit, type = "score"), predict(fit, iris, type = "score"), tolerance = 1e-10)
  expect_error(predict(fit, NULL), class = "dualmargin_input_error")
  expect_error(predict(fit, iris, "link"), class = "dualmargin_input_error")
})

test_that("several classes: the largest score wins, and the first of equal ones", {
  fit <- margin_linear(Species ~ ., data = iris, loss = "smooth_hinge")
  scores <- predict(fit, iris, type = "score")
  expect_identical(as.character(predict(fit, iris)),
                   unname(colnames(scores)[apply(scores, 1, which.max)]))
  expect_equal(unname(scores), unname(cbind(1, as.matrix(iris[1:4])) %*% unname(coef(fit))),
               tolerance = 1e-10)
  fit$coefficients[] <- 0
  expect_true(all(predict(fit, iris) == "setosa"))
})

test_that("probabilities keep their order and their sum where every one is tiny", {
  fit <- margin_linear(Species ~ ., data = iris, loss = "logistic")
  far <- rbind(c(-800, -790, -900), c(40, 50, -5), c(NA, 1, 2))
  prob <- prob_of_scores(far, fit$levels)
  expect_equal(prob[1, ], c(setosa = exp(-10), versicolor = 1, virginica = 0) / (1 + exp(-10)))
  expect_equal(unname(rowSums(prob)), c(1, 1, NA))
  expect_identical(class_of_scores(far), c(2L, 2L, NA))
})

test_that("a regression predicts numbers and has neither classes nor probabilities", {
  fit <- margin_linear(mpg ~ wt + hp, data = mtcars, loss = "squared")
  expect_equal(predict(fit, mtcars[3, ]),
               c("Datsun 710" = sum(coef(fit) * c(1, mtcars$wt[3], mtcars$hp[3]))))
  expect_identical(predict(fit, mtcars), predict(fit, mtcars, type = "score"))
  for (type in c("class", "prob")) {
    expect_error(predict(fit, mtcars, type = type), "has no classes",
                 class = "dualmargin_input_error")
  }
})

test_that("an ordered response stays ordered, and head() commutes with predict()", {
  size <- cut(iris$Sepal.Length, 3, c("small", "middle", "large"), ordered_result = TRUE)
  fit <- margin_linear(iris[2:4], size, loss = "smooth_hinge")
  expect_s3_class(predict(fit, iris), "ordered")
  expect_identical(unname(head(predict(fit, iris))), unname(predict(fit, head(iris))))
})
