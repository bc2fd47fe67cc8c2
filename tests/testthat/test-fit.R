# The fit object: small, complete, free of the caller's environment and data.

x <- as.matrix(iris[51:150, 1:4])
y <- droplevels(iris$Species[51:150])

test_that("a fit has the documented elements", {
  fit <- margin_linear(x, y, loss = "smooth_hinge")
  expect_s3_class(fit, c("margin_linear", "margin_fit"), exact = TRUE)
  expect_named(fit, c(
    "coefficients", "certificate", "trace", "status", "scores", "response", "weights", "dual",
    "settings", "scales", "response_scale", "features", "levels", "response_type", "task", "terms",
    "xlevels", "contrasts", "na.action", "sparse", "interface", "fingerprint", "call", "version",
    "format"
  ))
  expect_named(fit$certificate, c("kind", "class", "value", "bound", "gap", "relative_gap", "tol",
                                  "certified", "assumes"))
  expect_named(fit$trace, c("class", "epoch", "seconds", "value", "bound", "gap"))
  expect_named(fit$status, c("class", "status", "rounding_floor", "solver", "epochs", "steps",
                             "seconds"))
  expect_named(fit$settings, c("loss", "lambda", "mixture", "response_scale", "multiclass",
                               "intercept", "scale", "class_weights", "solver", "control", "tol"))
  expect_equal(unname(fit$scores), unname(drop(x %*% coef(fit)[-1] + coef(fit)[1])))
  n <- nrow(x)
  expect_equal(unname(fit$scales), unname(apply(x, 2, sd) * sqrt((n - 1) / n)))
  expect_identical(fit$weights, rep(1, n))
})

test_that("a fit made in a function keeps neither its environment nor the data", {
  make <- function() {
    big <- rnorm(1e6)
    form <- Species ~ Sepal.Length + Sepal.Width
    list(margin_linear(form, data = iris, loss = "smooth_hinge"),
         margin_linear(Species ~ ., data = iris, loss = "smooth_hinge"),
         do.call(margin_linear, list(form, data = iris)), margin_linear(x, y,
                                                                        loss = "smooth_hinge"),
         do.call(margin_linear, list(x, y)), do.call(margin_linear, list(iris[1:4], iris$Species)))
  }
  for (fit in make()) {
    expect_lt(length(serialize(fit, NULL)), 30000)
    expect_identical(as.character(fit$call[[1]]), "margin_linear")
    file <- tempfile(fileext = ".rds")
    saveRDS(fit, file)
    expect_identical(readRDS(file), fit)
  }
})

test_that("the call is as the user wrote it; values that came with do.call() are left out", {
  long <- margin_linear(Species ~ Sepal.Length + Sepal.Width + Petal.Length + Petal.Width +
                          I(Sepal.Length^2), data = iris, loss = "logistic",
                        control = margin_control(tol = 1e-7, seed = 1))
  expect_identical(long$call$formula, quote(
    Species ~ Sepal.Length + Sepal.Width + Petal.Length + Petal.Width + I(Sepal.Length^2)
  ))
  expect_identical(long$call$data, quote(iris))
  expect_identical(long$call$control, quote(margin_control(tol = 1e-7, seed = 1)))
  values <- do.call(margin_linear, list(Species ~ Petal.Width, data = iris, lambda = 0.1,
                                        loss = "smooth_hinge"))
  expect_identical(values$call, quote(
    margin_linear(formula = Species ~ Petal.Width, data = `<data>`, loss = "smooth_hinge",
                  lambda = 0.1)
  ))
})

# A solution as the core returns it, to see what R makes of each ending.
ending <- function(status, gap, scale = TRUE, solver = "auto", class = NA_character_) {
  structure(list(
    certificate = data.frame(class = class, gap = gap, relative_gap = gap, tol = 1e-6,
                             certified = gap <= 1e-6),
    status = data.frame(class = class, status = status, rounding_floor = 3e-5, epochs = 10),
    settings = list(scale = scale, solver = solver), levels = class
  ), class = c("margin_linear", "margin_fit"))
}

test_that("each way to miss the tolerance has one warning that says what to try", {
  endings <- list(
    ending("max_epochs", 1e-3), ending("max_epochs", 1e-3, solver = "sdca"),
    ending("max_seconds", 1e-3), ending("stalled", 1e-4), ending("stalled", 1e-4, scale = FALSE),
    ending("stalled", 1e-4, solver = "newton"), ending("rounding_floor", 2e-5),
    ending("rounding_floor", 2e-5, scale = FALSE),
    ending(c("certified", "stalled"), c(1e-9, 1e-2), class = c("a", "b"))
  )
  warned <- lapply(endings, function(fit) tryCatch(signal_outcome(fit), warning = identity))
  for (k in seq_along(endings)) {
    expect_s3_class(warned[[k]], "dualmargin_not_certified")
    expect_identical(warned[[k]]$relative_gap, max(endings[[k]]$certificate$relative_gap))
  }
  expect_identical(warned[[9]]$class, "b")
  expect_recorded("fit", "not certified", vapply(warned, conditionMessage, ""))
  expect_silent(signal_outcome(ending("certified", 1e-7)))
})

test_that("numbers out of range are an error, never a fit", {
  broken <- lapply(list(ending("not_finite", NaN), ending("not_finite", NaN, scale = FALSE)),
                   function(fit) tryCatch(signal_outcome(fit), error = identity))
  for (condition in broken) {
    expect_s3_class(condition, c("dualmargin_numerical_error", "dualmargin_error"))
  }
  expect_recorded("fit", "not finite", vapply(broken, conditionMessage, ""))
})
