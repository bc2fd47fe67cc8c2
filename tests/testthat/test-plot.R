# A plot returns what it drew.

on_null_device <- function(code) {
  grDevices::pdf(NULL)
  on.exit(grDevices::dev.off())
  force(code)
}
three <- margin_linear(Species ~ Petal.Length + Petal.Width, data = iris, loss = "squared")

test_that("convergence draws the relative gaps, zero ones included", {
  drawn <- on_null_device(plot(three))
  expect_identical(drawn$gap, three$trace$gap)
  expect_true(any(drawn$relative_gap < 1e-15))
  expect_identical(unique(on_null_device(plot(three, class = "setosa"))$class), "setosa")
})

test_that("coefficients are the largest scaled ones", {
  fit <- margin_linear(type ~ ., data = spambase)
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
  expect_error(plot(margin_linear(Species ~ ., data = iris), which = "boundary", data = iris),
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
