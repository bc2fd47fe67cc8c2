seeded <- margin_control(seed = 1)
mixed <- margin_path(type ~ ., spambase, lambda = c(1, 0.1, 0.01), mixture = c(0, 0.5),
                     loss = "logistic", control = seeded)
three <- margin_path(Species ~ ., iris, loss = "logistic", mixture = 0.5, n_lambda = 4,
                     control = seeded)

test_that("predictions are those of the fit at the point, by name", {
  new <- spambase[c(5, 2000, 4000), rev(names(spambase))]
  fit <- quiet_fit(type ~ ., spambase, loss = "logistic", lambda = 0.1, mixture = 0.5,
                   control = margin_control(tol = 1e-12, seed = 1))
  ask <- function(type) {
    predict(mixed, new, lambda = 0.1, mixture = 0.5, type = type)
  }
  by_hand <- cbind(1, as.matrix(new[mixed$features])) %*% coef(mixed, 0.1, 0.5)
  expect_equal(ask("score"), by_hand)
  expect_equal(unname(ask("score")[, 1L]), unname(predict(fit, new, type = "score")),
               tolerance = 1e-2)
  expect_identical(ask("class")[[1L]], unname(predict(fit, new)))
  expect_identical(levels(ask("class")[[1L]]), levels(spambase$type))
  expect_equal(unname(ask("prob")[, "spam", 1L]), unname(plogis(ask("score")[, 1L])))
  expect_identical(predict(mixed, new), predict(mixed, new, type = "class"))
  expect_identical(dim(predict(mixed, new, type = "score")), c(3L, 6L))
  expect_identical(dim(predict(mixed, new[1L, ], type = "score")), c(1L, 6L))
  expect_error(predict(mixed, new[-1L][-1L]), "lacks 1", class = "dualmargin_input_error")
})

test_that("rows that cannot be scored are NA at every point", {
  holes <- iris[c(1, 60, 120), ]
  holes$Sepal.Width[2L] <- NA
  scores <- predict(three, holes, type = "score")
  expect_identical(dimnames(scores)[[2L]], levels(iris$Species))
  expect_identical(which(is.na(scores[, 1L, 1L])), c("60" = 2L))
  expect_true(all(is.na(predict(three, holes)[2L, ])))
  expect_identical(rownames(predict(three, holes)), rownames(holes))
  expect_equal(unname(rowSums(predict(three, holes, type = "prob")[, , 4L])), c(1, NA, 1))
  by_hand <- cbind(1, as.matrix(holes[1L, 1:4])) %*% coef(three)$virginica
  expect_equal(unname(scores[1L, "virginica", ]), as.vector(by_hand))
})

test_that("every type of response comes back as it was given", {
  x <- as.matrix(mtcars[c("wt", "hp")])
  logical <- margin_path(x, mtcars$am == 1, n_lambda = 3, loss = "smooth_hinge")
  expect_type(predict(logical, x)[[1L]], "logical")
  sign <- margin_path(x, 2 * mtcars$am - 1, n_lambda = 3, loss = "smooth_hinge")
  expect_setequal(predict(sign, x)[[3L]], c(-1, 1))
  line <- margin_path(x, mtcars$mpg, loss = "squared", n_lambda = 3)
  expect_identical(predict(line, x), predict(line, x, type = "score"))
  expect_equal(predict(line, x)[, 3L], drop(cbind(1, x) %*% coef(line)[, 3L]))
  expect_error(predict(line, x, type = "class"), "regression", class = "dualmargin_input_error")
  expect_error(predict(sign, x, type = "prob"), "estimates no probability",
               class = "dualmargin_input_error")
  expect_error(predict(sign), "keeps no decision values", class = "dualmargin_input_error")
})

test_that("points are picked by value, and what the path has not is told", {
  expect_identical(unname(coef(mixed, lambda = 0.1)), unname(coef(mixed)[, c(2, 5)]))
  expect_identical(coef(mixed, lambda = c(0.01, 1), mixture = 0), coef(mixed)[, c(3, 1)])
  expect_identical(coef(mixed, lambda = 0.1 * (1 + 1e-12)), coef(mixed, lambda = 0.1))
  wrong <- function(pattern, ...) {
    expect_error(coef(mixed, ...), pattern, class = "dualmargin_input_error")
  }
  wrong("`lambda` is 2, but the path goes from 0.01 to 1; .*margin_linear\\(lambda = 2", lambda = 2)
  wrong("`lambda` is 0.001, but the path goes from 0.01 to 1;", lambda = c(0.1, 0.001))
  wrong("`mixture` is 1, which the path does not have; it has 0, 0.5", mixture = 1)
  wrong("`lambda` is \"all\"", lambda = "all")
  wrong("`s` is not an argument of coef", s = 0.1)
  split <- margin_path(spambase[1:3], spambase$type, n_lambda = 2, mixture = c(0.5, 1),
                       loss = "smooth_hinge")
  expect_error(coef(split, split$lambda[1L], split$mixture[4L]), "but the path goes from",
               class = "dualmargin_input_error")
})

test_that("a large matrix of zeros is sparse, and reads as the dense one", {
  path <- margin_path(colon$x, colon$y, mixture = 1, n_lambda = 60, control = seeded,
                      loss = "smooth_hinge")
  expect_s4_class(coef(path), "dgCMatrix")
  dense <- margin_path(colon$x, colon$y, mixture = 1, lambda = path$lambda[1:10],
                       control = seeded, loss = "smooth_hinge")
  expect_true(is.matrix(coef(dense)))
  expect_equal(unname(Matrix::colSums(coef(path)[-1L, ] != 0)), path$df)
  expect_honest_path(path, colon$x, colon$y)
  nonzero <- tidy(path, zeros = FALSE)
  expect_identical(nrow(nonzero), sum(path$df) + 60L)
  row <- nonzero[200L, ]
  expect_identical(coef(path, row$lambda)[row$term, 1L], row$estimate)
  by_hand <- as.matrix(cbind(1, colon$x) %*% coef(path))
  expect_equal(unname(predict(path, colon$x, type = "score")), unname(by_hand))
  expect_identical(on_null_device(plot(path))$lambda[1L], path$lambda[1L])
})

test_that("a value that is not finite is no point of a path", {
  path <- margin_path(am ~ wt + hp, mtcars, n_lambda = 3)
  for (value in c(Inf, -Inf, NaN, NA)) {
    expect_input_error(coef(path, lambda = value), "lambda", "finite")
    expect_input_error(predict(path, mtcars, lambda = value), "lambda", "finite")
    expect_input_error(coef(path, mixture = value), "mixture", "finite")
  }
})
