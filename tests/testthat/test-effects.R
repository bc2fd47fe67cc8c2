# plot(fit, data): partial dependence, by its definition.

effect_of <- function(...) on_null_device(plot(...))

test_that("an effect is the mean prediction of the rows with the variable set to a value", {
  cars <- transform(mtcars, cyl = factor(cyl), slow = qsec > 18, kind = ifelse(am == 1, "m", "a"))
  fit <- margin_linear(mpg ~ cyl * wt + log(hp) + slow + kind + factor(gear), cars)
  drawn <- effect_of(fit, cars)
  expect_identical(unique(drawn$variable), c("cyl", "wt", "hp", "slow", "kind", "gear"))
  for (i in seq_len(nrow(drawn))) {
    rows <- cars
    name <- drawn$variable[i]
    rows[[name]] <- switch(name, cyl = factor(drawn$level[i], levels(cars$cyl)),
                           slow = as.logical(drawn$level[i]), kind = drawn$level[i],
                           gear = as.numeric(drawn$level[i]), drawn$value[i])
    expect_equal(drawn$effect[i], mean(predict(fit, rows)), info = name)
  }
  wt <- drawn$value[drawn$variable == "wt"]
  expect_identical(range(wt), range(cars$wt))
  expect_identical(drawn$level[drawn$variable == "gear"], c("3", "4", "5"))
  # that of a linear fit without an interaction is a line with the slope of the coefficient
  plain <- margin_linear(mpg ~ wt + hp, cars)
  line <- effect_of(plain, cars, variables = "hp")
  expect_equal(diff(line$effect) / diff(line$value), rep(coef(plain)[["hp"]], nrow(line) - 1L))
  # it goes through the mean prediction at the mean of the variable
  expect_equal(stats::approx(line$value, line$effect, mean(cars$hp))$y, mean(predict(plain, cars)))
  expect_identical(effect_of(plain, "effects", data = cars), effect_of(plain, data = cars))
})

test_that("classes have probabilities where the fit has some, else decision values", {
  three <- margin_linear(Species ~ ., iris)
  drawn <- effect_of(three, iris, variables = "Petal.Width")
  expect_identical(unique(drawn$class), levels(iris$Species))
  at <- drawn$value[5L]
  prob <- colMeans(predict(three, transform(iris, Petal.Width = at), type = "prob"))
  expect_equal(drawn$effect[drawn$value == at], unname(prob))
  # of each value they add up to 1
  expect_equal(as.vector(tapply(drawn$effect, drawn$value, sum)), rep(1, 25))
  one <- effect_of(three, iris, variables = "Petal.Width", class = "virginica")
  expect_equal(one$effect, drawn$effect[drawn$class == "virginica"])
  two <- droplevels(iris[51:150, ])
  hinge <- margin_linear(Species ~ ., two, loss = "hinge")
  drawn <- effect_of(hinge, two, variables = "Sepal.Width")
  at <- drawn$value[3L]
  expect_equal(drawn$effect[3L], mean(predict(hinge, transform(two, Sepal.Width = at),
                                              type = "score")))
  calibrated <- margin_calibrate(hinge, two, seed = 1)
  drawn <- effect_of(calibrated, two, variables = "Sepal.Width")
  expect_equal(drawn$effect[3L], mean(predict(calibrated, transform(two, Sepal.Width = at),
                                              type = "prob")[, 2L]))
})

test_that("dense, sparse and missing entries are as they are for predict()", {
  x <- as.matrix(spambase[seq(1L, 4601L, by = 50L), 1:57])
  fit <- margin_linear(x, spambase$type[seq(1L, 4601L, by = 50L)], lambda = 0.1)
  plain <- effect_of(fit, x)
  expect_length(unique(plain$variable), 9L)
  expect_equal(effect_of(fit, Matrix::Matrix(x, sparse = TRUE)), plain)
  expect_equal(effect_of(fit, as.data.frame(x)), plain)
  # those drawn vary most over the rows
  all <- effect_of(fit, x, top = 57)
  middle <- function(name) {
    x[, name] <- stats::quantile(x[, name], 0.9)
    abs(mean(predict(fit, x, type = "prob")[, 2L]) - mean(predict(fit, type = "prob")[, 2L]))
  }
  expect_gt(median(vapply(unique(plain$variable), middle, 0)),
            median(vapply(unique(all$variable), middle, 0)))
  holes <- x
  holes[2L, 3L] <- NA
  expect_equal(effect_of(fit, holes, variables = colnames(x)[7L]),
               effect_of(fit, x[-2L, ], variables = colnames(x)[7L]))
})

test_that("kernels are averaged over 500 rows, in any order, and one class has effects too", {
  fit <- margin_kernel(as.matrix(iris[1:4]), iris$Species, loss = "hinge")
  many <- as.matrix(iris[rep(1:150, 4), 1:4])
  drawn <- effect_of(fit, many, variables = "Petal.Width", class = "setosa")
  scores <- predict(fit, many, type = "score")
  even <- many[order(scores[, 1], scores[, 2], scores[, 3])[ceiling(600 * ppoints(500))], ]
  even[, "Petal.Width"] <- drawn$value[4L]
  expect_equal(drawn$effect[4L], mean(predict(fit, even, type = "score")[, "setosa"]))
  again <- effect_of(fit, many[600:1, ], variables = "Petal.Width", class = "setosa")
  expect_equal(again$effect, drawn$effect, tolerance = 1e-12)
  one <- margin_oneclass(iris[1:100, 1:4])
  drawn <- effect_of(one, iris, variables = "Sepal.Width")
  expect_equal(drawn$effect[3L], mean(predict(one, transform(iris, Sepal.Width = drawn$value[3L]),
                                              type = "score")))
})

test_that("the picture has a panel a variable, a legend of classes and a word for the mean", {
  three <- margin_linear(Species ~ ., iris)
  text <- drawn_text(plot(three, iris))
  expect_true(all(c(names(iris)[1:4], levels(iris$Species), "mean probability") %in% text))
  cars <- margin_linear(mpg ~ wt + factor(cyl), mtcars)
  text <- drawn_text(plot(cars, mtcars))
  expect_true(all(c("wt", "cyl", "4", "6", "8", "mean prediction") %in% text))
  before <- NULL
  on_null_device({
    before <- graphics::par(no.readonly = TRUE)
    plot(three, iris)
    expect_identical(graphics::par("mfrow", "mar", "oma", "mgp"),
                     before[c("mfrow", "mar", "oma", "mgp")])
  })
})

test_that("residual plots draw what residuals() returns", {
  line <- margin_linear(mpg ~ wt + hp, mtcars, loss = "huber")
  expect_equal(effect_of(line, "qq")$residual, unname(sort(residuals(line))))
  expect_equal(effect_of(line, "qq")$normal, stats::qnorm(stats::ppoints(32)))
  expect_equal(effect_of(line, "spread")$root, unname(sqrt(abs(residuals(line)))))
  deviance <- effect_of(line, "residuals", residuals = "deviance")
  expect_equal(deviance$residual, unname(residuals(line, type = "deviance")))
  two <- margin_linear(type ~ ., spambase[seq(1L, 4601L, by = 60L), ], loss = "hinge")
  drawn <- effect_of(two, "residuals")
  expect_equal(drawn$residual, unname(residuals(two, type = "deviance")))
  expect_equal(drawn$fitted, unname(predict(two, type = "score")))
  expect_true(all(c("nonspam", "spam", "smooth", "Deviance residuals against decision values") %in%
                    drawn_text(plot(two, "residuals"))))
  left_out <- margin_linear(Ozone ~ Wind, airquality)
  expect_identical(nrow(effect_of(left_out, "residuals")), sum(!is.na(airquality$Ozone)))
})

test_that("what cannot be drawn says why", {
  line <- margin_linear(mpg ~ wt + hp, mtcars)
  three <- margin_linear(Species ~ ., iris)
  expect_told("effects", "dependent", {
    plot(line, "effects")
    plot(line, mtcars["wt"])
    plot(line, mtcars, variables = "cyl")
    plot(line, mtcars, variables = 2)
    plot(line, mtcars, top = 0)
    plot(line, "scores", variables = "wt")
    plot(line, "scores", residuals = "deviance")
    plot(line, "residuals", residuals = "partial")
    plot(three, "qq")
    plot(three, iris, class = "lupin")
    plot(line, transform(mtcars, wt = NA))
    plot(margin_oneclass(iris[1:4]), variables = "wt")
  })
})
