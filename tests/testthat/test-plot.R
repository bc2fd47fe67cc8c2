# A plot returns what it drew.

three <- margin_linear(Species ~ Petal.Length + Petal.Width, data = iris, loss = "squared")

test_that("convergence draws the relative gaps, zero ones included", {
  exact <- three
  exact$trace$gap[nrow(exact$trace)] <- 0
  drawn <- on_null_device(plot(exact, which = "convergence"))
  expect_identical(drawn$gap, exact$trace$gap)
  expect_identical(utils::tail(drawn$relative_gap, 1L), 0)
  expect_identical(unique(on_null_device(plot(three, "convergence", class = "setosa"))$class),
                   "setosa")
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

test_that("a plot that cannot be drawn says why", {
  expect_error(plot(three, which = "boundary"), "`data` is NULL", class = "dualmargin_input_error")
  expect_error(plot(margin_linear(Species ~ ., data = iris, loss = "smooth_hinge"),
                    which = "boundary", data = iris),
               "4 features", class = "dualmargin_input_error")
  for (curve in c("roc", "pr", "ROC")) {
    expect_input_error(plot(three, which = curve), "which",
                       sprintf("plot(margin_performance(fit, newdata), which = \"%s\") draws it.",
                               tolower(curve)))
  }
  expect_input_error(plot(margin_linear(mpg ~ wt, mtcars), which = "roc"), "which",
                     "`which` is \"roc\", which is not known. The choices are")
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

test_that("the first picture is what is asked first: residuals, scores, or why it is not certified", {
  line <- margin_linear(mpg ~ wt + hp, mtcars)
  drawn <- NULL
  text <- drawn_text(drawn <- plot(line))
  expect_identical(drawn, data.frame(fitted = unname(fitted(line)),
                                     residual = unname(residuals(line))))
  expect_true(all(c("Residuals against fitted values", "fitted value", "smooth") %in% text))
  expect_identical(on_null_device(plot(three)), on_null_device(plot(three, "scores")))
  short <- quiet_fit(type ~ ., spambase, control = margin_control(max_epochs = 1))
  expect_identical(on_null_device(plot(short)), convergence_drawn <-
                     on_null_device(plot(short, "convergence")))
  expect_true("relative_gap" %in% names(convergence_drawn))
  expect_true("Relative gap: NOT certified" %in% drawn_text(plot(short)))
  expect_error(on_null_device(plot(three, "residuals")), "which is for regressions",
               class = "dualmargin_input_error")
})
