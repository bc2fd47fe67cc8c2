seeded <- margin_control(seed = 1)
spam <- margin_path(type ~ ., spambase, loss = "logistic", mixture = c(0.5, 1), n_lambda = 8,
                    control = seeded)
three <- margin_path(Species ~ ., iris, mixture = 0.5, n_lambda = 5, control = seeded,
                     loss = "smooth_hinge")

test_that("coefficients are drawn on the scale of the penalty, a panel a mixture and class", {
  drawn <- on_null_device(plot(spam))
  row <- drawn[drawn$term == "word_freq_hp" & drawn$mixture == 1, ]
  expect_identical(row$lambda, spam$lambda[spam$mixture == 1])
  expect_equal(row$scaled, unname(coef(spam, mixture = 1)["word_freq_hp", ] *
                                    spam$scales[["word_freq_hp"]]))
  expect_identical(unique(on_null_device(plot(spam, mixture = 0.5))$mixture), 0.5)
  expect_identical(unique(on_null_device(plot(three))$class), levels(iris$Species))
  expect_identical(unique(on_null_device(plot(three, class = "setosa"))$class), "setosa")
  expect_invisible(on_null_device(plot(three, top = 0)))
})

test_that("gaps are those of the certificates, missed points among them", {
  expect_identical(on_null_device(plot(spam, which = "gap")), certificate(spam))
  drawn <- on_null_device(plot(three, which = "gap", class = "virginica", main = "one"))
  by_class <- certificate(three, by = "class")
  expect_identical(drawn$gap, by_class$gap[by_class$class == "virginica"])
  short <- quiet_path(type ~ ., spambase, loss = "logistic", lambda = 0.01,
                      control = margin_control(max_epochs = 2, seed = 1))
  expect_false(on_null_device(plot(short, which = "gap"))$certified)
})

test_that("paths without a slope, and of one point, draw", {
  zero <- margin_path(iris[1:4], iris$Species, mixture = 1, n_lambda = 1, loss = "smooth_hinge")
  expect_identical(nrow(on_null_device(plot(zero))), 0L)
  one <- margin_path(mpg ~ wt, mtcars, loss = "squared", lambda = 0.3)
  expect_equal(on_null_device(plot(one))$scaled, unname(coef(one)["wt", ] * one$scales))
})

test_that("what cannot be drawn says why, and par() is as before", {
  wrong <- function(pattern, ...) {
    expect_error(on_null_device(plot(three, ...)), pattern, class = "dualmargin_input_error")
  }
  wrong("`class` is \"rosa\"", class = "rosa")
  wrong("`mixture` is 1", mixture = 1)
  wrong("`top` is 9", top = 9)
  wrong("`which`", which = "boundary")
  many <- margin_path(iris[1:4], iris$Species, lambda = 0.1, mixture = seq(0, 0.4, 0.1),
                      loss = "smooth_hinge")
  expect_error(on_null_device(plot(many)), "15 panels", class = "dualmargin_input_error")
  on_null_device({
    before <- graphics::par("mfrow", "mar", "mai")
    plot(three)
    plot(three, which = "gap")
    expect_equal(graphics::par("mfrow", "mar", "mai"), before)
  })
})
