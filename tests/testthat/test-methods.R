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

test_that("update() looks data and the formula's variables up where it is called", {
  inside <- function() {
    local_rows <- transform(mtcars, extra = qsec)
    power <- 2
    fit <- margin_linear(mpg ~ wt, data = local_rows, loss = "squared")
    update(fit, . ~ . + I(extra^power))
  }
  expect_named(coef(inside()), c("(Intercept)", "wt", "I(extra^power)"))
  fit <- margin_linear(mpg ~ wt, data = mtcars, loss = "squared")
  expect_error(update(fit, 3), "`formula.` is 3", class = "dualmargin_input_error")
  expect_error(update(fit, . ~ ., 3), "without a name", class = "dualmargin_input_error")
  expect_error(update(fit, strength = 3), "`strength` is not", class = "dualmargin_input_error")
  by_value <- do.call(margin_linear, list(mpg ~ wt, data = mtcars, loss = "squared"))
  expect_error(update(by_value), "give it again", class = "dualmargin_input_error")
  expect_equal(coef(update(by_value, data = mtcars)), coef(fit))
  kept <- update(fit, lambda = 2, evaluate = FALSE)
  expect_identical(kept, quote(margin_linear(formula = mpg ~ wt, data = mtcars, loss = "squared",
                                             lambda = 2)))
})

test_that("every accessor refuses what it does not know", {
  fit <- margin_linear(mpg ~ wt, data = mtcars, loss = "squared")
  takes <- list(coef = coef, fitted = fitted, residuals = residuals, nobs = nobs, weights = weights,
                formula = formula, print = print, summary = summary, predict = predict,
                certificate = certificate, convergence = convergence, tidy = tidy, glance = glance,
                augment = augment)
  for (name in names(takes)) {
    expect_error(takes[[name]](fit, surplus = 1), paste0("`surplus` is not an argument of ", name),
                 class = "dualmargin_input_error")
  }
})

test_that("nobs leaves out rows without weight, and class weights are not observation weights", {
  w <- rep(c(0, 1, 2, 1), 25)
  fit <- margin_linear(droplevels(Species) ~ Sepal.Length, data = iris[51:150, ], weights = w,
                       class_weights = "balanced", loss = "smooth_hinge")
  expect_identical(nobs(fit), 75L)
  expect_identical(weights(fit), w)
})

test_that("the print shows enough digits of value and bound to see the gap", {
  poor <- quiet_fit(a1a$x, a1a$y, control = margin_control(tol = 1e-2, seed = 1))
  line <- grep("value .*bound", capture.output(print(poor)), value = TRUE)
  shown <- as.numeric(regmatches(line, gregexpr("[0-9][0-9.e+-]*[0-9]", line))[[1L]])
  expect_equal(shown[1L] - shown[2L], certificate(poor)$gap, tolerance = 0.2)
  three <- capture.output(print(margin_linear(Species ~ ., data = iris, loss = "smooth_hinge")))
  expect_match(three, "certificate .*: certified, 3 of 3 classes; the worst is", all = FALSE)
  utils::capture.output(expect_invisible(print(poor)))
  expect_lt(max(nchar(three)), 100)
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

test_that("accessors follow na.exclude for several classes too", {
  holes <- iris
  holes$Sepal.Width[c(2, 60)] <- NA
  fit <- margin_linear(Species ~ ., data = holes, loss = "logistic", na.action = na.exclude)
  expect_identical(unname(which(is.na(fitted(fit)))), c(2L, 60L))
  expect_identical(dim(predict(fit, type = "prob")), c(150L, 3L))
  expect_identical(unname(which(is.na(weights(fit)))), c(2L, 60L))
  expect_identical(nobs(fit), 148L)
  expect_equal(predict(fit, holes, type = "score"), predict(fit, type = "score"),
               tolerance = 1e-10)
})

test_that("printed numbers are possible: no bound below 0, no negative gap; the data keep them", {
  fit <- margin_linear(mpg ~ wt, data = mtcars, loss = "squared")
  fit$certificate[c("value", "bound", "gap", "relative_gap", "certified")] <-
    list(0.82, -162792, 162792.82, 1, FALSE)
  fit$status$status <- "max_epochs"
  text <- capture.output(print(fit))
  expect_match(text, "value 0.82, bound 0, gap 0.82", fixed = TRUE, all = FALSE)
  expect_match(text, "lower than the value by up to 0.82", fixed = TRUE, all = FALSE)
  expect_identical(certificate(fit)$bound, -162792)
  fit$certificate[c("bound", "gap", "relative_gap")] <- list(0.82, -5.42e-20, -6.6e-20)
  text <- capture.output(print(fit))
  expect_match(text, "gap 0$", all = FALSE)
  expect_identical(certificate(fit)$gap, -5.42e-20)
})

test_that("a summary prints no column twice, and one count where classes have the same", {
  shown <- function(...) capture.output(print(summary(margin_linear(Species ~ ., iris, ...))))
  plain <- shown(scale = FALSE)
  expect_false(any(grepl("scaled", plain[grep("^Coefficients", plain) + 0:1])))
  expect_true(any(grepl("15, largest first; not zero: 4 for each class)", plain, fixed = TRUE)))
  scaled <- shown()
  expect_true(any(grepl("largest scaled first", scaled)) && any(grepl("estimate +scaled", scaled)))
  words <- dualmargin:::describe_nonzero
  expect_identical(words(c(a = 3L, b = 4L)), "a 3, b 4")
  expect_identical(words(stats::setNames(1:7, letters[1:7])), "1 to 7 by class")
  expect_identical(words(5L), "5")
})

test_that("update() with other data starts from the old fit, where it can", {
  old <- spambase[seq(1, 4601, by = 3), ]
  new <- spambase[seq(2, 4601, by = 3), ]
  fit <- margin_linear(type ~ ., old, cost = 1, solver = "fista")
  fresh <- margin_linear(type ~ ., new, cost = 1, solver = "fista")
  warm <- update(fit, data = new)
  expect_true(certificate(warm)$certified)
  expect_equal(certificate(warm)$value, certificate(fresh)$value, tolerance = 1e-5)
  expect_lt(max(warm$trace$epoch), 0.9 * max(fresh$trace$epoch))
  # the old fit is neither kept nor in the call
  expect_identical(warm$call, fresh$call)
  expect_null(warm$settings$control$start)
  expect_lt(abs(as.numeric(object.size(warm) / object.size(fresh)) - 1), 0.05)
  # a control that is given is taken as it is, one of the fit with its tolerance
  cold <- update(fit, data = new, control = margin_control())
  expect_identical(coef(cold), coef(fresh))
  loose <- margin_linear(type ~ ., old, cost = 1, control = margin_control(tol = 1e-3))
  expect_identical(update(loose, data = new)$settings$tol, 1e-3)
  # other columns and other classes: from nothing, as before
  fewer <- update(margin_linear(type ~ ., old, cost = 1), data = new[-1L])
  expect_identical(coef(fewer), coef(margin_linear(type ~ ., new[-1L], cost = 1)))
  classes <- transform(new, type = factor(as.character(type), c("spam", "nonspam")))
  expect_identical(update(fit, data = classes)$levels, levels(classes$type))
  matrix <- margin_linear(as.matrix(old[-58]), old$type)
  expect_true(certificate(update(matrix, x = as.matrix(new[-58]), y = new$type))$certified)
})
