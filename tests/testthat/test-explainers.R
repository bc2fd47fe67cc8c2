# What packages that explain models are told of a fit: probabilities of classes, never their codes.
# Their generics are met by stand-ins where the packages are absent, or do not run.

two <- margin_linear(type ~ ., spambase[seq(1L, 4601L, by = 60L), ])
rows <- spambase[seq(2L, 4601L, by = 200L), ]
several <- margin_linear(Species ~ ., iris)
number <- margin_linear(mpg ~ wt, mtcars)
flowers <- margin_linear(Species ~ ., iris, loss = "hinge")
# what generics of others call, by name: no verb of ours does
method <- asNamespace("dualmargin")
of_theirs <- function(package, name, ...) getExportedValue(package, name)(...)

test_that("a prediction is a probability of the second level, a matrix of them, or a number", {
  expect_identical(method$explained_prediction(two, rows),
                   unname(predict(two, rows, type = "prob")[, 2L]))
  expect_identical(method$explained_prediction(several, iris),
                   predict(several, iris, type = "prob"))
  expect_identical(method$explained_prediction(number, mtcars),
                   unname(predict(number, mtcars)))
  # none of a loss without probabilities
  hinge <- update(number, vs ~ wt, loss = "hinge", data = transform(mtcars, vs = factor(vs)))
  expect_input_error(method$explained_prediction(hinge, mtcars), "type", "margin_calibrate()")
})

test_that("marginaleffects gets estimates, ids and groups, and no class codes", {
  ask <- method$estimated_prediction
  expect_equal(ask(two, rows)$estimate, unname(predict(two, rows, type = "prob")[, 2L]))
  expect_equal(ask(number, cbind(mtcars, rowid = 32:1))$rowid, 32:1)
  groups <- ask(several, cbind(iris, rowid = 1:150))
  prob <- predict(several, iris, type = "prob")
  expect_equal(groups$estimate, as.vector(prob))
  expect_identical(as.character(groups$group), rep(levels(iris$Species), each = 150L))
  expect_identical(groups$rowid, rep(1:150, 3L))
  scores <- predict(flowers, iris, type = "score")
  expect_equal(ask(flowers, iris, type = "link")$estimate, as.vector(scores))
  expect_input_error(ask(flowers, iris), "type", "margin_calibrate()")
  expect_input_error(ask(two, rows, type = "class"), "type", "not known")
  expect_false(method$estimated_vcov(two, TRUE))
  expect_input_error(method$estimated_vcov(two, "HC3"), "vcov", "margin_bootstrap()")
  coefficients <- method$estimated_coef(several)
  expect_equal(coefficients[["virginica:Petal.Width"]], coef(several)["Petal.Width", "virginica"])
  expect_equal(method$estimated_coef(number), coef(number))
})

test_that("insight gets coefficients, predictions and the task, and no interval", {
  found <- method$insight_parameters(several)
  expect_identical(names(found), c("Parameter", "Estimate", "Response"))
  expect_equal(found$Estimate, as.vector(coef(several)))
  expect_equal(method$insight_parameters(number),
               data.frame(Parameter = names(coef(number)), Estimate = unname(coef(number))))
  expect_identical(method$insight_names(several, flatten = TRUE), rownames(coef(several)))
  predicted <- method$insight_predicted
  values <- function(...) as.vector(unclass(predicted(...)))
  expect_equal(values(number), unname(fitted(number)))
  expect_equal(values(two, rows), unname(predict(two, rows, type = "prob")[, 2L]))
  expect_equal(values(two, rows, predict = "link"), unname(predict(two, rows, type = "score")))
  classes <- predicted(two, rows, predict = "classification")
  expect_identical(as.character(classes), as.character(predict(two, rows)))
  long <- predicted(several, iris)
  expect_equal(long$Predicted, as.vector(predict(several, iris, type = "prob")))
  expect_input_error(predicted(two, ci = 0.95), "ci", "margin_conformal()")
  expect_input_error(predicted(two, predict = "terms"), "predict", "not known")
  kernel <- margin_kernel(Species ~ ., iris, loss = "hinge")
  expect_input_error(method$insight_parameters(kernel), "x", "those of rows")
})

test_that("vip gets sizes of coefficients", {
  sizes <- as.data.frame(method$vip_importance(number))
  expect_equal(sizes$Importance, importance(number)$importance$importance)
})

test_that("DALEX explains probabilities and knows the task", {
  skip_if_not_installed("DALEX")
  explain <- getExportedValue("DALEX", "explain")
  truth <- as.integer(rows$type == "spam")
  explained <- explain(two, rows[1:57], truth, verbose = FALSE)
  expect_identical(explained$model_info$type, "classification")
  expect_equal(explained$y_hat, unname(predict(two, rows, type = "prob")[, 2L]))
  expect_lt(max(abs(explained$residuals)), 1)
  explained <- explain(several, iris[1:4], iris$Species, verbose = FALSE)
  expect_identical(explained$model_info$type, "multiclass")
  expect_identical(dim(explained$y_hat), c(150L, 3L))
})

test_that("pdp averages the probabilities of the class that is asked for", {
  skip_if_not_installed("pdp")
  grid <- data.frame(Petal.Width = c(0.5, 1.5))
  drawn <- of_theirs("pdp", "partial", several, "Petal.Width", pred.grid = grid, prob = TRUE,
                     which.class = "virginica", train = iris)
  expected <- vapply(grid$Petal.Width, function(value) {
    mean(predict(several, transform(iris, Petal.Width = value), type = "prob")[, "virginica"])
  }, 0)
  expect_equal(drawn$yhat, expected)
  drawn <- of_theirs("pdp", "partial", number, "wt", pred.grid = data.frame(wt = 3), train = mtcars)
  expect_equal(drawn$yhat, mean(predict(number, transform(mtcars, wt = 3))))
  expect_error(of_theirs("pdp", "partial", flowers, "Petal.Width", prob = TRUE, train = iris),
               "margin_calibrate", class = "dualmargin_input_error")
})

test_that("insight finds the fit by its generics", {
  skip_if_not_installed("insight")
  expect_equal(of_theirs("insight", "get_parameters", several),
               method$insight_parameters(several))
  expect_identical(of_theirs("insight", "find_parameters", number)[[1L]], names(coef(number)))
  expect_true(of_theirs("insight", "model_info", several)$is_multinomial)
  expect_true(of_theirs("insight", "model_info", two)$is_logit)
  expect_true(of_theirs("insight", "model_info", number)$is_linear)
  hinge <- margin_linear(factor(vs) ~ wt, mtcars, loss = "hinge")
  info <- of_theirs("insight", "model_info", hinge)
  expect_true(info$is_binomial && !info$is_logit)
  expect_equal(as.vector(of_theirs("insight", "get_predicted", number)), unname(fitted(number)))
  expect_identical(of_theirs("insight", "find_response", two), "type")
  expect_equal(of_theirs("insight", "get_data", number)$mpg, mtcars$mpg)
})

test_that("marginaleffects averages slopes of numbers and of probabilities", {
  skip_if_not_installed("marginaleffects")
  runs <- tryCatch({
    of_theirs("marginaleffects", "avg_slopes", stats::lm(mpg ~ wt, mtcars))
    TRUE
  }, error = function(condition) FALSE)
  skip_if_not(runs, "marginaleffects does not run with this version of R")
  expect_equal(of_theirs("marginaleffects", "avg_slopes", number)$estimate, coef(number)[["wt"]],
               tolerance = 1e-6)
  slopes <- of_theirs("marginaleffects", "avg_slopes", several, variables = "Petal.Width")
  step <- 1e-4
  by_hand <- colMeans(predict(several, transform(iris, Petal.Width = Petal.Width + step),
                              type = "prob") - predict(several, iris, type = "prob")) / step
  expect_equal(slopes$estimate, unname(by_hand), tolerance = 1e-2)
  expect_null(slopes$std.error)
  expect_error(of_theirs("marginaleffects", "avg_slopes", flowers))
  scores <- of_theirs("marginaleffects", "avg_slopes", flowers, type = "score",
                      variables = "Petal.Width")
  expect_equal(scores$estimate, unname(coef(flowers)["Petal.Width", ]), tolerance = 1e-6)
})

test_that("the generic of ranger finds importance() of a fit", {
  skip_if_not_installed("ranger")
  expect_equal(of_theirs("ranger", "importance", number),
               importance(number))
})

test_that("weights and an offset reach what other packages permute and average", {
  cars <- transform(mtcars, years = cyl / 4, o = hp / 100)
  priced <- margin_linear(mpg ~ wt + qsec + offset(o), cars, weights = years, lambda = 0.01)
  error <- function(observed, predicted) {
    stats::weighted.mean((observed - predicted)^2, cars$years)
  }
  skip_if_not_installed("pdp")
  by_pdp <- pdp::partial(priced, "wt", train = cars, grid.resolution = 3,
                         pred.fun = function(object, newdata) {
                           stats::weighted.mean(predict(object, newdata), cars$years)
                         })
  expect_equal(by_pdp$yhat, vapply(by_pdp$wt, function(value) {
    stats::weighted.mean(predict(priced, transform(cars, wt = value)), cars$years)
  }, 0))
  skip_if_not_installed("DALEX")
  asked <- DALEX::explain(priced, cars, cars$mpg, weights = cars$years, verbose = FALSE,
                          predict_function = function(model, rows) predict(model, rows))
  parts <- DALEX::model_parts(asked, loss_function = error, N = NULL, B = 1, variables = "wt")
  expect_equal(parts$dropout_loss[parts$variable == "_full_model_"][1L],
               error(cars$mpg, predict(priced, cars)))
})

test_that("an expression of the columns has the predictions of the fit, for a database", {
  ask <- method$fitted_expression
  answer <- function(fit, rows) unname(eval(ask(fit), as.list(rows)))
  logged <- margin_linear(mpg ~ wt + log(hp), mtcars)
  expect_equal(answer(logged, mtcars), unname(predict(logged, mtcars)))
  expect_equal(answer(two, rows), unname(predict(two, rows, type = "prob")[, 2L]))
  apart <- update(several, multiclass = "one_vs_rest", data = iris)
  for (fit in list(several, apart)) {
    shares <- vapply(ask(fit), eval, numeric(150L), as.list(iris))
    expect_equal(unname(shares), unname(predict(fit, iris, type = "prob")))
    expect_identical(colnames(shares), levels(iris$Species))
  }
  quantiles <- margin_linear(mpg ~ wt, mtcars, loss = loss_quantile(c(0.1, 0.9)))
  expect_length(ask(quantiles), 2L)
  sparse <- margin_linear(as.matrix(iris[1:3]), iris$Petal.Width, lambda = 10, mixture = 1)
  expect_identical(ask(sparse), unname(coef(sparse)[["(Intercept)"]]))
  coded <- update(number, mpg ~ factor(cyl), data = mtcars)
  expect_input_error(ask(coded), "model", "its formula makes of others")
  shifted <- update(number, mpg ~ wt + offset(hp / 100), data = mtcars)
  expect_input_error(ask(shifted), "model", "an offset")
  expect_input_error(ask(margin_threshold(two, at = 0.3)), "model", "a threshold")
  skip_if_not_installed("tidypredict")
  expect_identical(of_theirs("tidypredict", "tidypredict_fit", two), ask(two))
})

test_that("orbital has the predictions of a parsnip model", {
  for (package in c("parsnip", "orbital", "tidypredict", "dplyr")) skip_if_not_installed(package)
  engine <- function(model) parsnip::set_engine(model, "dualmargin")
  machine <- parsnip::set_mode(parsnip::svm_linear(), "classification")
  price <- parsnip::fit(engine(parsnip::linear_reg(penalty = 0.1)), mpg ~ wt + hp, mtcars)
  mails <- spambase[seq(1L, 4601L, by = 60L), c(1:10, 58)]
  models <- list(
    price, parsnip::fit(engine(parsnip::logistic_reg()), type ~ ., mails),
    parsnip::fit(engine(machine), type ~ ., mails), parsnip::fit(engine(machine), Species ~ ., iris),
    parsnip::fit(engine(parsnip::multinom_reg()), Species ~ ., iris)
  )
  data <- list(mtcars, mails, mails, iris, iris)
  for (k in seq_along(models)) {
    answer <- predict(of_theirs("orbital", "orbital", models[[k]]), data[[k]])[[1L]]
    wanted <- predict(models[[k]], data[[k]])[[1L]]
    expect_equal(answer, if (is.factor(wanted)) as.character(wanted) else wanted, info = k)
  }
  prob <- of_theirs("orbital", "orbital", models[[5L]], type = "prob")
  expect_equal(as.data.frame(predict(prob, iris)),
               as.data.frame(predict(models[[5L]], iris, type = "prob")))
})

# As case_when() of dplyr reads its cases.
first_case <- function(cases, rows) {
  class <- rep(NA_character_, nrow(rows))
  for (case in as.list(cases)[-1L]) {
    true <- eval(case[[2L]], rows) %in% TRUE
    class[is.na(class) & true] <- case[[3L]]
  }
  class
}

test_that("the expression of a class is missing where a column is", {
  rows <- transform(iris[c(1, 60, 120, 7), 1:4], Sepal.Width = replace(Sepal.Width, 4L, NA))
  for (classes in list(iris, droplevels(iris[1:100, ]))) {
    fit <- margin_linear(Species ~ ., classes, loss = "hinge", lambda = 0.1)
    found <- first_case(asNamespace("dualmargin")$fitted_expression(fit), rows)
    expect_identical(found, unname(as.character(predict(fit, rows))))
  }
})
