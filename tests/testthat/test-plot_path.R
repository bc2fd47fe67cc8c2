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

test_that("labels stand in order, apart and inside", {
  spread <- dualmargin:::spread_apart
  ends <- c(0, 0.01, 5, 0.02, 4.99)
  place <- spread(ends, 0.5, -1, 5)
  expect_identical(order(place), order(ends))
  expect_true(all(diff(sort(place)) >= 0.5 - 1e-12))
  expect_true(all(place >= -1 & place <= 5 + 1e-12))
  expect_identical(spread(c(1, 3), 0.5, 0, 4), c(1, 3))
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

test_that("one model of all classes does not call itself one-vs-rest", {
  few <- iris[seq(1, 150, 3), ]
  for (model in c("softmax", "crammer_singer")) {
    path <- margin_path(Species ~ ., few, multiclass = model, lambda = c(1, 0.1, 0.01))
    table <- certificate(path)
    expect_identical(table$class, rep(NA_character_, 3))
    expect_identical(certificate(path, by = "class"), table)
    expect_false(any(grepl("class setosa|vs rest|one-vs", capture.output(print(summary(path))))))
    text <- drawn_text(plot(path))
    expect_true(all(levels(iris$Species) %in% text))
    expect_false(any(grepl("rest", text)))
    expect_identical(on_null_device(plot(path, which = "gap"))$gap, table$gap)
    expect_error(on_null_device(plot(path, which = "gap", class = "setosa")), "one gap for all",
                 class = "dualmargin_input_error")
  }
  # Its error rate is that of the class with the largest score, and its objective that of all.
  path <- margin_path(Species ~ ., few, family = "kernel", multiclass = "softmax",
                      intercept = "none", lambda = c(0.1, 0.01))
  drawn <- on_null_device(plot(path, which = "risk", data = iris))
  wrong <- vapply(predict(path, iris), function(class) mean(class != iris$Species), 0)
  expect_equal(drawn$held_out_error, unname(wrong))
  expect_identical(drawn$objective, certificate(path)$value)
  expect_error(on_null_device(plot(path, which = "risk", class = "setosa")), "one objective",
               class = "dualmargin_input_error")
  rest <- margin_path(Species ~ ., few, loss = "logistic", multiclass = "one_vs_rest",
                      lambda = c(1, 0.1))
  expect_true("setosa vs rest" %in% drawn_text(plot(rest)))
})
