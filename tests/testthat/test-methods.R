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
  expect_error(residuals(binary()), class = "dualmargin_input_error")
  expect_error(formula(margin_linear(iris[1:4], iris$Species)), class = "dualmargin_input_error")
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
  expect_identical(sum(s$performance$confusion), nrow(spam()))
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

test_that("a saved fit is small, without its data, and predicts the same", {
  fit <- margin_linear(type ~ ., data = spambase)
  file <- tempfile()
  saveRDS(fit, file)
  expect_lt(file.size(file), 0.25 * as.numeric(object.size(spambase)))
  expect_identical(predict(readRDS(file), spambase[1:20, ]), predict(fit, spambase[1:20, ]))
  expect_false(any(vapply(fit, inherits, NA, "externalptr")))
})
