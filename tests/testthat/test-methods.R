# What a fit answers, checked against what it was made from.

spam <- function(rows = seq(1L, 4601L, by = 10L)) spambase[rows, ]
binary <- function(...) margin_linear(type ~ ., data = spam(), loss = "logistic", ...)

test_that("coef, nobs, weights, formula and residuals are those of the problem", {
  fit <- margin_linear(mpg ~ wt + hp, data = mtcars, loss = "squared", weights = carb)
  expect_named(coef(fit), c("(Intercept)", "wt", "hp"))
  expect_equal(nobs(fit), 32L)
  expect_identical(weights(fit), mtcars$carb)
  expect_equal(formula(fit), mpg ~ wt + hp, ignore_attr = TRUE)
  scores <- drop(cbind(1, as.matrix(mtcars[c("wt", "hp")])) %*% coef(fit))
  expect_equal(unname(fitted(fit)), unname(scores), tolerance = 1e-12)
  expect_equal(unname(residuals(fit)), mtcars$mpg - unname(scores), tolerance = 1e-12)
  expect_error(residuals(margin_linear(type ~ ., spam(), loss = "hinge", lambda = 0.1)),
               class = "dualmargin_input_error")
  expect_error(formula(margin_linear(iris[1:4], iris$Species, loss = "smooth_hinge")),
               class = "dualmargin_input_error")
  expect_error(coef(fit, exact = TRUE), "`exact` is not an argument",
               class = "dualmargin_input_error")
})

test_that("na.exclude puts missing rows back and na.omit leaves them out", {
  holes <- replace(mtcars, "wt", list(replace(mtcars$wt, c(3, 7), NA)))
  omit <- margin_linear(mpg ~ wt, data = holes, loss = "squared")
  exclude <- update(omit, na.action = na.exclude)
  expect_length(fitted(omit), 30L)
  expect_identical(unname(which(is.na(fitted(exclude)))), c(3L, 7L))
  expect_equal(unname(fitted(exclude)[-c(3, 7)]), unname(fitted(omit)))
})

test_that("a fit prints its certificate, and for ever that it has none", {
  expect_output(print(binary()), "certificate .*: certified")
  poor <- quiet_fit(a1a$x, a1a$y, loss = "hinge", lambda = 1e-5, intercept = "none",
                    solver = "sdca", control = margin_control(max_epochs = 10, seed = 1))
  expect_output(print(poor), "NOT certified.*stopped by max_epochs")
  expect_output(print(summary(poor)), "NOT certified")
  expect_false(glance(poor)$certified)
  file <- tempfile()
  saveRDS(poor, file)
  expect_output(print(readRDS(file)), "NOT certified")
})

test_that("summary counts what the fit predicts", {
  fit <- binary()
  s <- summary(fit)
  expect_equal(s$performance$accuracy, mean(predict(fit) == spam()$type))
  expect_equal(sum(s$performance$confusion), nrow(spam()))
  expect_identical(unname(s$nonzero), sum(coef(fit)[-1L] != 0))
  slopes <- s$coefficients$scaled[s$coefficients$term != "(Intercept)"]
  expect_false(is.unsorted(-abs(slopes)))
  line <- margin_linear(mpg ~ wt, data = mtcars, loss = "squared", lambda = 1e-9)
  expect_equal(summary(line)$performance$r_squared, summary(lm(mpg ~ wt, mtcars))$r.squared,
               tolerance = 1e-6)
})

test_that("update() changes what it is told to and nothing else", {
  fit <- margin_linear(mpg ~ wt + hp, data = mtcars, loss = "squared", lambda = 0.1)
  expect_equal(coef(update(fit, lambda = 0.2)),
               coef(margin_linear(mpg ~ wt + hp, data = mtcars, loss = "squared", lambda = 0.2)))
  expect_named(coef(update(fit, . ~ . - hp)), c("(Intercept)", "wt"))
  expect_identical(coef(update(fit)), coef(fit))
  x <- as.matrix(mtcars[-1L])
  by_matrix <- margin_linear(x, mtcars$mpg, loss = "squared")
  expect_identical(update(by_matrix, scale = FALSE)$settings$scale, FALSE)
  expect_error(update(by_matrix, y ~ .), class = "dualmargin_input_error")
  local_fit <- local({
    hidden <- x
    margin_linear(hidden, mtcars$mpg, loss = "squared")
  })
  expect_error(update(local_fit), "hidden", class = "dualmargin_input_error")
})

test_that("update() takes settings from the fit, not from variables that have changed", {
  make <- function() {
    strength <- 0.3
    which_loss <- loss_smooth_hinge(0.5)
    margin_linear(type ~ word_freq_free + word_freq_hp, data = spambase, lambda = strength,
                  loss = which_loss, control = margin_control(tol = 1e-8))
  }
  fit <- make()
  again <- update(fit, . ~ . - word_freq_hp)
  recorded <- c("lambda", "loss", "tol")
  expect_identical(again$settings[recorded], fit$settings[recorded])
  expect_equal(coef(update(again, . ~ . + word_freq_hp)), coef(fit), tolerance = 1e-3)
  given <- function(cost) margin_linear(type ~ word_freq_free, data = spambase, cost = cost,
                                        loss = "smooth_hinge")
  by_cost <- given(3)
  expect_equal(update(by_cost, data = spambase[1:2000, ])$settings$lambda, 1 / (2000 * 3))
  expect_equal(update(by_cost, lambda = 0.5)$settings$lambda, 0.5)
  expect_equal(update(fit, cost = 2)$settings$lambda, 1 / (4601 * 2))
})

test_that("nobs leaves out rows without weight, and class weights are not observation weights", {
  w <- rep(c(0, 1, 2, 1), 25)
  fit <- margin_linear(droplevels(Species) ~ Sepal.Length, data = iris[51:150, ], weights = w,
                       class_weights = "balanced", loss = "smooth_hinge")
  expect_identical(nobs(fit), 75L)
  expect_identical(weights(fit), w)
})

test_that("the summary of an unfinished class names it and how far it may be off", {
  poor <- quiet_fit(Species ~ ., data = iris, solver = "sdca", intercept = "none",
                    control = margin_control(max_epochs = 20, seed = 1))
  text <- capture.output(print(summary(poor)))
  worst <- certificate(poor)
  expect_match(text, paste0("class ", worst$class, ": stopped by max_epochs"), all = FALSE)
  expect_match(text, sprintf("up to %s, which is %s %% of it", format(worst$gap, digits = 2),
                             format(100 * worst$gap / worst$value, digits = 2)), all = FALSE,
               fixed = TRUE)
  expect_identical(summary(poor)$status$status[summary(poor)$certificate$certified == FALSE],
                   poor$status$status[!poor$certificate$certified])
})
