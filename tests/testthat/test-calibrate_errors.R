flowers <- droplevels(iris[iris$Species != "setosa", ])
x <- as.matrix(flowers[1:4])
y <- flowers$Species
fit <- margin_linear(x, y, loss = "hinge", lambda = 0.05)

test_that("what cannot be calibrated says why", {
  expect_input_error <- function(expression, pattern) {
    expect_error(expression, pattern, class = "dualmargin_input_error")
  }
  expect_input_error(margin_calibrate(3, x, y), "`fit` is 3, but must be a classifier")
  regression <- margin_linear(mpg ~ wt, data = mtcars, loss = "squared")
  expect_input_error(margin_calibrate(regression, mtcars), "`fit` is a regression")
  path <- margin_path(x, y, lambda = c(1, 0.1), loss = "smooth_hinge")
  expect_input_error(margin_calibrate(path, x, y), "an object of class margin_path")
  expect_input_error(margin_calibrate(fit, x, y, method = "beta"), "`method` is \"beta\"")
  expect_input_error(margin_calibrate(fit, x, y, seed = -1), "`seed` is -1")
  expect_input_error(margin_calibrate(fit), "`data` is missing; a fit does not keep its rows")
  expect_input_error(margin_calibrate(fit, x), "`y` is missing")
  expect_input_error(margin_calibrate(fit, x[1:9, ], y[1:9]), "`data` has 9 rows, but the fit")
  expect_input_error(margin_calibrate(fit, x, rev(y)), "`y` has the label")
  expect_input_error(margin_calibrate(fit, 2 * x, y), "`data` has the decision value")
  expect_input_error(margin_calibrate(fit, x, y, folds = 1), "`folds` is 1")
  expect_input_error(margin_calibrate(fit, x, y, folds = 101), "`folds` is 101, but there are 100")
  expect_input_error(margin_calibrate(fit, x, y, folds = 1:99), "`folds` has 99 rows")
  expect_input_error(margin_calibrate(fit, x, y, folds = as.integer(y)), "without a row of class")
  by_formula <- margin_linear(Species ~ ., data = flowers, loss = "smooth_hinge")
  expect_input_error(margin_calibrate(by_formula, flowers, y), "`y` is given, but the fit has")
  expect_input_error(margin_calibrate(by_formula, flowers[1:4]), "`data` lacks the response")
  expect_input_error(margin_calibrate(fit, x, y, fold = 5, colour = 1), "`colour` is not an arg")
})

test_that("probabilities of a fit that has none name the calibration", {
  for (one in list(fit, margin_hard(x, factor(x[, 3] > 4.8), intercept = "free"))) {
    expect_error(predict(one, x, type = "prob"), "margin_calibrate()", fixed = TRUE,
                 class = "dualmargin_input_error")
  }
  path <- margin_path(x, y, loss = "hinge", lambda = c(1, 0.1))
  told <- tryCatch(predict(path, x, type = "prob"), error = conditionMessage)
  expect_no_match(told, "margin_calibrate")
})

test_that("refits that are not certified are counted once and stay visible", {
  poor <- suppressWarnings(margin_linear(x, y, loss = "hinge", lambda = 1e-5, intercept = "none",
                                         solver = "sdca", control = margin_control(max_epochs = 2,
                                                                                   seed = 1)))
  warnings <- list()
  calibrated <- withCallingHandlers(margin_calibrate(poor, x, y, seed = 1),
                                    warning = function(condition) {
                                      warnings[[length(warnings) + 1]] <<- condition
                                      invokeRestart("muffleWarning")
                                    })
  expect_length(warnings, 1)
  expect_s3_class(warnings[[1]], "dualmargin_not_certified")
  expect_match(conditionMessage(warnings[[1]]), "5 of 5 refits")
  expect_false(any(calibrated$calibration$folds$certified))
  expect_output(print(calibrated), "5 of 5\\s+refits NOT certified")
})

test_that("scores that rank held out rows the wrong way give one probability and a warning", {
  set.seed(3)
  noise <- matrix(rnorm(400), 40)
  labels <- factor(rep(c("no", "yes"), 20))
  fit <- margin_linear(noise[, 1, drop = FALSE], labels, loss = "hinge", lambda = 100)
  score <- c(4, 3, 2, 1)
  target <- prior_targets(c(0, 0, 1, 1), rep(1, 4))
  for (make in list(fit_platt, fit_isotonic)) {
    expect_true(make(score, target, rep(1, 4))$flat)
    expect_true(make(rep(1, 4), target, rep(1, 4))$flat)
    expect_false(make(-score, target, rep(1, 4))$flat)
  }
  expect_equal(plogis(fit_platt(score, target, rep(1, 4))$intercept), mean(target))
  for (method in c("platt", "isotonic")) {
    worst <- NULL
    for (seed in 1:20) {
      worst <- tryCatch(margin_calibrate(fit, noise[, 1, drop = FALSE], labels, method = method,
                                         folds = 20, seed = seed),
                        dualmargin_flat_map = identity)
      if (inherits(worst, "dualmargin_flat_map")) break
    }
    expect_match(conditionMessage(worst), "every row gets the same probability")
  }
})
