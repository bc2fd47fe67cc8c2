# What margin_linear(Species ~ ., iris) fits is asked of every verb: one multinomial model, by
# default as by name.

fit <- margin_linear(Species ~ ., data = iris)
half <- seq(1, nrow(iris), by = 2)

test_that("three classes of the logistic loss are one model, of others one-vs-rest", {
  expect_identical(fit$multiclass, "softmax")
  named <- margin_linear(Species ~ ., data = iris, loss = "logistic", multiclass = "softmax")
  expect_identical(coef(fit), coef(named))
  expect_identical(nrow(certificate(fit)), 1L)
  expect_identical(margin_linear(Species ~ ., iris, mixture = 0.5)$multiclass, "softmax")
  for (loss in c("hinge", "smooth_hinge", "squared")) {
    other <- suppressMessages(margin_linear(Species ~ ., iris, loss = loss))
    expect_null(other$multiclass, label = loss)
    expect_identical(other$settings$multiclass, "one_vs_rest")
  }
  # a solver that the model has not
  expect_null(margin_linear(Species ~ ., iris, solver = "ssnal")$multiclass)
  rest <- margin_linear(Species ~ ., iris, multiclass = "one_vs_rest")
  expect_identical(nrow(certificate(rest, by = "class")), 3L)
  # two classes and regressions have one problem anyhow
  two <- droplevels(iris[1:100, ])
  auto <- margin_linear(Species ~ ., two)
  expect_identical(coef(auto), coef(margin_linear(Species ~ ., two, multiclass = "one_vs_rest")))
})

test_that("update() keeps the classes together", {
  expect_identical(update(fit, lambda = 0.1)$multiclass, "softmax")
})

test_that("certain, loo, sensitivity and coefficients", {
  for (mixture in c(0, 0.5)) {
    some <- margin_linear(Species ~ ., data = iris[half, ], lambda = 0.01, mixture = mixture)
    tight <- update(some, control = margin_control(tol = 1e-11))
    certain <- margin_certain(some, iris[half, ])
    found <- predict(certain, iris[-half, ], data = iris[half, ])
    expect_true(all(found$decided))
    expect_identical(as.character(found$class), as.character(predict(tight, iris[-half, ])))
    ends <- coef(certain)
    exact <- coef(tight)
    if (mixture == 0) exact <- exact - rowMeans(exact)
    expect_true(all(ends[-1, "lower", ] <= exact[-1, ] + 1e-6))
    expect_true(all(ends[-1, "upper", ] >= exact[-1, ] - 1e-6))
    loo <- margin_loo(some, iris[half, ])
    expect_false(any(as.data.frame(loo)$by == "open"))
    changed <- margin_sensitivity(some, iris[half, ], remove = 1:2, newdata = iris[-half, ])
    expect_identical(summary(changed)$open, 0L)
  }
})

test_that("tune, path, cv and nested choose among multinomial models", {
  tune <- margin_cv(Species ~ ., data = iris, prove = TRUE, grid = list(lambda = c(0.001, 0.1)),
                    folds = 3, seed = 1, eps = 0.01)
  expect_true(tune$proven)
  expect_identical(refit(tune)$multiclass, "softmax")
  for (mixture in c(0, 1)) {
    path <- margin_path(Species ~ ., data = iris, n_lambda = 5, mixture = mixture)
    expect_identical(path$multiclass, "softmax")
    expect_true(all(certificate(path)$certified))
    one <- margin_linear(Species ~ ., data = iris, lambda = path$lambda[3L], mixture = mixture)
    expect_equal(one$certificate$value, certificate(path)$value[3L], tolerance = 2e-6)
    prob <- predict(path, iris, lambda = path$lambda[3L], type = "prob")
    expect_identical(dim(prob), c(150L, 3L, 1L))
  }
  cv <- margin_cv(Species ~ ., data = iris, folds = 3, seed = 1,
                  grid = list(lambda = c(0.1, 0.001), mixture = c(0, 0.5)))
  expect_identical(refit(cv)$multiclass, "softmax")
  nested <- margin_cv(Species ~ ., data = iris, outer = 3, folds = 3, seed = 1,
                          grid = list(lambda = c(0.1, 0.001)))
  expect_s3_class(nested, "margin_nested")
})

test_that("calibration, conformal sets, metrics and words", {
  calibrated <- margin_calibrate(fit, iris, folds = 3, seed = 1)
  prob <- predict(calibrated, iris, type = "prob")
  expect_equal(unname(rowSums(prob)), rep(1, 150))
  some <- margin_linear(Species ~ ., data = iris[half, ], lambda = 0.01)
  sets <- margin_conformal(some, holdout = iris[-half, ])
  expect_s3_class(sets, "margin_conformal")
  plus <- margin_conformal(some, iris[half, ], method = "cv+", folds = 5, seed = 1)
  expect_s3_class(plus, "margin_conformal")
  measured <- margin_performance(some, iris[-half, ])
  expect_output(print(measured), "accuracy")
  expect_output(print(fit), "one multinomial model")
  expect_output(print(summary(fit)), "multinomial")
  expect_identical(nrow(glance(fit)), 1L)
  expect_identical(nrow(tidy(fit)), 15L)
  expect_identical(nrow(augment(fit, iris)), 150L)
  expect_equal(unname(rowSums(predict(fit, iris, type = "prob"))), rep(1, 150))
})

test_that("what is for two classes, or for a problem each, names the remedy", {
  expect_input_error(margin_sensitivity(fit, iris, count = TRUE), "fit", "two classes")
  expect_input_error(margin_threshold(fit, iris), "fit", "3 classes")
})
