# A plot returns what it drew.

three <- margin_linear(Species ~ Petal.Length + Petal.Width, data = iris, loss = "squared")

test_that("convergence draws the relative gaps, zero ones included", {
  exact <- three
  exact$trace$gap[nrow(exact$trace)] <- 0
  drawn <- on_null_device(plot(exact))
  expect_identical(drawn$gap, exact$trace$gap)
  expect_identical(utils::tail(drawn$relative_gap, 1L), 0)
  expect_identical(unique(on_null_device(plot(three, class = "setosa"))$class), "setosa")
})

test_that("coefficients are the largest scaled ones", {
  fit <- margin_linear(type ~ ., data = spambase, loss = "smooth_hinge")
  drawn <- on_null_device(plot(fit, which = "coefficients", top = 5))
  expected <- sort(abs(coef(fit)[-1L] * fit$scales), decreasing = TRUE)[1:5]
  expect_equal(abs(drawn$scaled), unname(expected))
  expect_identical(drawn$term, names(expected))
})

test_that("scores and boundary are those of predict()", {
  drawn <- on_null_device(plot(three, which = "scores", class = "virginica"))
  expect_identical(drawn$score, unname(three$scores[, "virginica"]))
  plane <- on_null_device(plot(three, which = "boundary", data = iris))
  expect_identical(plane$class, unname(predict(three, plane)))
})

test_that("the scores of soft labels are drawn by the class with the larger share", {
  shares <- seq(-1, 1, length.out = 150)
  fit <- margin_kernel(as.matrix(iris[1:4]), soft_labels(shares), intercept = "none")
  drawn <- on_null_device(plot(fit, which = "scores"))
  expect_identical(as.integer(drawn$response), 1L + (shares >= 0))
})

test_that("a plot that cannot be drawn says why", {
  expect_error(plot(three, which = "boundary"), "`data` is NULL", class = "dualmargin_input_error")
  expect_error(plot(margin_linear(Species ~ ., data = iris, loss = "smooth_hinge"),
                    which = "boundary", data = iris),
               "4 features", class = "dualmargin_input_error")
  expect_error(plot(three, which = "roc"), class = "dualmargin_input_error")
})

test_that("graphical parameters are as before", {
  on_null_device({
    before <- graphics::par(no.readonly = TRUE)
    plot(three)
    plot(three, which = "coefficients")
    plot(three, which = "scores")
    expect_identical(graphics::par("mfrow", "mar", "mai"), before[c("mfrow", "mar", "mai")])
  })
})

test_that("a boundary takes a matrix, a sparse matrix, rows with holes and other rows", {
  x <- as.matrix(iris[51:150, 3:4])
  virginica <- iris$Species[51:150] == "virginica"
  fit <- margin_linear(x, virginica, loss = "smooth_hinge")
  plane <- on_null_device(plot(fit, which = "boundary", data = x))
  sparse <- Matrix::Matrix(x, sparse = TRUE)
  expect_identical(on_null_device(plot(fit, which = "boundary", data = sparse)), plane)
  expect_identical(plane$class, unname(predict(fit, as.matrix(plane[1:2]))))
  unnamed <- margin_linear(unname(x), virginica, loss = "smooth_hinge")
  drawn <- on_null_device(plot(unnamed, which = "boundary", data = unname(x)))
  expect_equal(drawn$class, plane$class)
  holes <- iris
  holes$Petal.Width[7] <- NA
  some <- on_null_device(plot(three, which = "boundary", data = holes[1:120, ]))
  expect_lt(min(some$Petal.Width), 0.1)
  expect_false(anyNA(some$class))
})

test_that("a boundary of two variables may be curved", {
  fit <- margin_linear(Species ~ poly(Petal.Length, 2) * Petal.Width, data = iris,
                       loss = "smooth_hinge")
  plane <- on_null_device(plot(fit, which = "boundary", data = iris))
  expect_named(plane, c("Petal.Length", "Petal.Width", "class"))
  expect_identical(plane$class, unname(predict(fit, plane)))
  wrong <- function(...) on_null_device(plot(..., which = "boundary"))
  expect_error(wrong(three, data = iris[1:2]), "no column \"Petal.Length\"",
               class = "dualmargin_input_error")
  coded <- margin_linear(factor(vs) ~ wt + factor(am), data = mtcars, loss = "smooth_hinge")
  expect_error(wrong(coded, data = mtcars), "`factor\\(am\\)` is not a number",
               class = "dualmargin_input_error")
  line <- margin_linear(mpg ~ wt + hp, data = mtcars, loss = "squared")
  expect_error(wrong(line, data = mtcars), "regression", class = "dualmargin_input_error")
})

test_that("class picks problems where there are several", {
  drawn <- on_null_device(plot(three, which = "coefficients", class = c("setosa", "virginica")))
  expect_setequal(drawn$class, c("setosa", "virginica"))
  expect_error(plot(three, class = "lupin"), "lupin", class = "dualmargin_input_error")
  two <- margin_linear(factor(vs) ~ wt, data = mtcars, loss = "smooth_hinge")
  expect_error(plot(two, class = "1"), "one problem only", class = "dualmargin_input_error")
})

test_that("long names that start alike stay apart", {
  names <- paste("a feature with an extremely long and winding name, number", 1:12)
  short <- dualmargin:::shorten(c(names, "x"))
  expect_identical(anyDuplicated(short), 0L)
  expect_lte(max(nchar(short)), 32L)
  expect_identical(short[13L], "x")
})

test_that("many classes, one row and gaps of zero all draw", {
  set.seed(4)
  many <- quiet_fit(matrix(rnorm(2000), 400), factor(rep(letters[1:20], 20)), loss = "squared")
  expect_identical(nrow(on_null_device(plot(many))), nrow(many$trace))
  expect_identical(dim(on_null_device(plot(many, which = "scores"))), c(8000L, 3L))
  flat <- many
  flat$trace$gap[] <- 0
  expect_identical(on_null_device(plot(flat))$relative_gap, numeric(nrow(many$trace)))
  line <- margin_linear(mpg ~ wt, data = mtcars, loss = "squared")
  expect_identical(on_null_device(plot(line, which = "scores"))$response, mtcars$mpg)
  expect_identical(on_null_device(plot(line, which = "coefficients", main = "one"))$term, "wt")
  expect_invisible(on_null_device(plot(line)))
})
