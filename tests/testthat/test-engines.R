# The function that parsnip calls, called without it: its translations and its errors.

engine <- function(model, ...) dualmargin_engine(..., model = model)

two <- transform(mtcars, am = factor(am))
x <- as.matrix(two[c("mpg", "wt", "hp")])

test_that("cost multiplies the sum of the losses beside half the squared norm", {
  for (fit in list(engine("svm_linear", x, two$am, cost = 0.2, scale = FALSE),
                   engine("svm_linear", x, two$am, cost = 0.2, scale = FALSE,
                          weights = rep(2, 32)))) {
    w <- coef(fit)
    margins <- fit$weights * pmax(0, 1 - (2 * mtcars$am - 1) * drop(cbind(1, x) %*% w))
    total <- sum(w[-1L]^2) / 2 + 0.2 * sum(margins)
    expect_equal(fit$certificate$value * sum(fit$weights) * 0.2, total)
  }
})

test_that("penalty stands beside the mean of the losses", {
  fit <- engine("logistic_reg", x, two$am, penalty = 0.03, mixture = 0.4, scale = FALSE)
  w <- coef(fit)
  losses <- log1p(exp(-(2 * mtcars$am - 1) * drop(cbind(1, x) %*% w)))
  expect_equal(fit$certificate$value, mean(losses) +
                 0.03 * (0.3 * sum(w[-1L]^2) + 0.4 * sum(abs(w[-1L]))))
  fit <- engine("linear_reg", x[, -1L], two$mpg, penalty = 0.03, mixture = 0.4, scale = FALSE)
  w <- coef(fit)
  losses <- (drop(cbind(1, x[, -1L]) %*% w) - two$mpg)^2 / 2
  expect_equal(fit$certificate$value, mean(losses) +
                 0.03 * (0.3 * sum(w[-1L]^2) + 0.4 * sum(abs(w[-1L]))))
})

test_that("bad input is an error in the words of parsnip", {
  expect_input_error(engine("svm_linear", x, two$am, margin = 0.1), "margin", "width of the tube")
  expect_input_error(engine("svm_rbf", x, two$am, margin = 0.1), "margin", "width of the tube")
  expect_input_error(engine("svm_poly", x, two$am, margin = 0.1), "margin", "width of the tube")
  expect_input_error(engine("svm_linear", x, two$am, cost = 0), "cost", "above 0")
  expect_input_error(engine("svm_rbf", x, two$am, rbf_sigma = -1), "rbf_sigma", "the data's own")
  expect_input_error(engine("svm_poly", x, two$am, scale_factor = 0), "scale_factor", "to take 1")
  expect_input_error(engine("svm_poly", x, two$am, degree = 1.5), "degree", "whole number")
  expect_input_error(engine("logistic_reg", x, two$am, penalty = 0), "penalty", "not certified")
  expect_input_error(engine("linear_reg", x, two$mpg, penalty = -1), "penalty", "not certified")
  expect_input_error(engine("linear_reg", x, two$mpg, mixture = 2), "mixture", "from 0 to 1")
  expect_input_error(engine("logistic_reg", iris[1:4], iris$Species), "y", "has 3 classes")
  expect_input_error(engine("linear_reg", x, two$am), "y", "needs numbers")
})

test_that("an argument that the model sets cannot be given to the engine too", {
  said <- "the model sets it itself"
  expect_input_error(engine("svm_linear", x, two$am, lambda = 1), "lambda", "model's `cost`")
  expect_input_error(engine("svm_rbf", x, two$am, kernel = "rbf"), "kernel", "model's `rbf_sigma`")
  expect_input_error(engine("svm_poly", x, two$am, kernel = "rbf"), "kernel", "model's `degree`")
  expect_input_error(engine("logistic_reg", x, two$am, lambda = 1), "lambda", "model's `penalty`")
  expect_input_error(engine("logistic_reg", x, two$am, loss = "hinge"), "loss", "leave it out")
  expect_input_error(engine("linear_reg", x, two$mpg, cost = 1), "cost", said)
  expect_input_error(engine("linear_reg", x, two$mpg, alpha = 1), "alpha", "not an argument")
})

test_that("the function that parsnip calls passes on to that of the model", {
  x <- as.matrix(mtcars[c("wt", "hp")])
  expect_equal(coef(dualmargin_engine(x, mtcars$mpg, model = "linear_reg", penalty = 0.1)),
               coef(margin_linear(x, mtcars$mpg, loss = "squared", lambda = 0.1)))
  expect_input_error(dualmargin_engine(x, mtcars$mpg), "model", "is missing")
  expect_input_error(dualmargin_engine(x, mtcars$mpg, model = "rand_forest"), "model", "choices are")
})
