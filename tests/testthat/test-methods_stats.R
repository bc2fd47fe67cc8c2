# What stats' own functions ask of a fit: an answer that lm() or glm() agrees with, or a reason.

line <- margin_linear(mpg ~ wt + hp, data = mtcars, loss = "squared", lambda = 1e-10,
                      scale = TRUE, intercept = "free", weights = carb)
two <- margin_linear(am ~ wt + hp, data = transform(mtcars, am = factor(am)), loss = "logistic",
                     lambda = 1e-3, scale = TRUE, intercept = "free")

test_that("the deviance is that of lm() and of glm()'s formula at the same scores", {
  by_lm <- lm(mpg ~ wt + hp, data = mtcars, weights = carb)
  expect_equal(deviance(line), deviance(by_lm), tolerance = 1e-6)
  probability <- predict(two, type = "prob")[, "1"]
  expect_equal(deviance(two), -2 * sum(dbinom(mtcars$am, 1, probability, log = TRUE)),
               tolerance = 1e-12)
  weighted <- margin_linear(am ~ wt, data = transform(mtcars, am = am == 1), loss = "logistic",
                            weights = carb)
  p <- predict(weighted, type = "prob")[, 2L]
  expect_equal(deviance(weighted), -2 * sum(mtcars$carb * dbinom(mtcars$am, 1, p, log = TRUE)),
               tolerance = 1e-12)
  hinge <- margin_linear(am ~ wt, data = transform(mtcars, am = am == 1), loss = "hinge")
  expect_input_error(deviance(hinge), "object", "not the negative log-likelihood")
  three <- margin_linear(Species ~ ., data = iris, loss = "logistic")
  expect_input_error(deviance(three), "object", "one model")
})

test_that("residuals have the types of lm()", {
  by_lm <- lm(mpg ~ wt + hp, data = mtcars, weights = carb)
  for (type in c("response", "working", "pearson", "deviance")) {
    expect_equal(residuals(line, type = type), residuals(by_lm, type = type), tolerance = 1e-6)
  }
  huber <- margin_linear(mpg ~ wt, data = mtcars, loss = "huber")
  expect_input_error(residuals(huber, type = "pearson"), "type", "huber")
  expect_input_error(residuals(line, type = "partial"), "type", "partial")
})

test_that("residuals of two classes have the types of glm(), and their squares the deviance", {
  by_glm <- glm(am ~ wt, data = mtcars, family = binomial, weights = carb)
  fit <- margin_linear(factor(am) ~ wt, data = mtcars, weights = carb, lambda = 1e-9,
                       control = margin_control(tol = 1e-12))
  for (type in c("response", "working", "pearson", "deviance")) {
    expect_equal(residuals(fit, type = type), residuals(by_glm, type = type), tolerance = 1e-5,
                 ignore_attr = TRUE)
  }
  strong <- margin_linear(factor(am) ~ wt, data = mtcars, weights = carb, lambda = 0.1)
  expect_equal(sum(residuals(strong, type = "deviance")^2), deviance(strong), tolerance = 1e-12)
  expect_identical(names(residuals(strong)), rownames(mtcars))
  # a row far on its own side keeps its digits
  far <- margin_linear(cbind(c(-800, -1, 1, 800)), factor(c(1, 2, 1, 2)), lambda = 1e-4, scale = FALSE)
  far <- residuals(far, type = "deviance")
  expect_true(all(is.finite(far)) && far[[1L]] < 0 && far[[4L]] > 0)
  holes <- replace(mtcars, "wt", replace(mtcars$wt, 3, NA))
  left_out <- margin_linear(factor(am) ~ wt, data = holes, na.action = na.exclude)
  expect_identical(which(is.na(residuals(left_out))), c("Datsun 710" = 3L))
  soft <- margin_kernel(as.matrix(mtcars["wt"]), soft_labels(seq(-1, 1, length.out = 32)))
  expect_input_error(residuals(soft), "object", "need a regression or a fit of two classes")
  expect_input_error(residuals(margin_linear(Species ~ ., iris)), "object", "need a regression or a fit of two classes")
})

test_that("model.matrix codes rows as the fit did, and needs them", {
  coded <- margin_linear(Sepal.Length ~ Species * Petal.Width, data = iris, loss = "squared")
  want <- model.matrix(Sepal.Length ~ Species * Petal.Width, iris)
  expect_equal(model.matrix(coded, iris), want, ignore_attr = TRUE)
  expect_identical(colnames(model.matrix(coded, iris[1:3, ])), c("(Intercept)", coded$features))
  score <- drop(model.matrix(coded, iris) %*% coef(coded))
  expect_equal(unname(score), unname(fitted(coded)), tolerance = 1e-12)
  through <- update(coded, . ~ . - 1)
  expect_identical(colnames(model.matrix(through, iris)), names(coef(through)))
  kernel <- margin_kernel(Sepal.Length ~ Species * Petal.Width, iris)
  expect_identical(colnames(model.matrix(kernel, iris)), kernel$features)
  expect_input_error(model.matrix(coded), "data", "model.matrix(fit, data)")
  sparse <- Matrix::Matrix(as.matrix(iris[1:4]), sparse = TRUE)
  by_x <- margin_linear(sparse, iris$Species, loss = "smooth_hinge")
  columns <- model.matrix(by_x, sparse[1:3, ])
  expect_s4_class(columns, "Matrix")
  expect_equal(as.matrix(columns %*% coef(by_x)), predict(by_x, sparse[1:3, ], type = "score"),
               ignore_attr = TRUE)
})

test_that("names, family and the arguments that stats' callers add", {
  expect_identical(variable.names(line), c("wt", "hp"))
  expect_identical(case.names(line), rownames(mtcars))
  none <- margin_linear(mpg ~ wt, data = mtcars, loss = "squared", weights = rep(0:1, 16))
  expect_identical(case.names(none), rownames(mtcars)[c(FALSE, TRUE)])
  expect_identical(family(line)$family, "gaussian")
  expect_identical(family(two)$family, "binomial")
  expect_identical(coef(line, complete = FALSE), coef(line))
  expect_identical(nobs(line, use.fallback = TRUE), nobs(line))
  expect_identical(formula(line, env = globalenv()), formula(line))
})

test_that("what a penalised model does not have is an error with the reason, never NULL", {
  calls <- list(sigma = sigma, df.residual = df.residual, logLik = logLik, AIC = AIC, BIC = BIC,
                vcov = vcov, confint = confint)
  for (name in names(calls)) {
    expect_input_error(calls[[name]](line), "object", "penalised")
  }
  expect_message(table <- tidy(line, conf.int = TRUE, conf.level = 0.9), "margin_bootstrap",
                 class = "dualmargin_message")
  expect_identical(as.data.frame(table), cbind(as.data.frame(tidy(line)), conf.low = NA_real_,
                                               conf.high = NA_real_))
  expect_input_error(tidy(line, conf.int = TRUE, conf.level = 2), "conf.level", "2")
})

test_that("what is asked of rows and of draws leads to what answers it", {
  for (f in list(rstandard, rstudent, hatvalues, cooks.distance, influence, dfbetas)) {
    expect_error(f(line))
  }
  expect_input_error(anova(line), "object", "compare models by margin_cv()")
  expect_input_error(simulate(line, 3), "object", "margin_bootstrap() refits draws")
})

test_that("intervals that a fit lacks are not sought where they are refused", {
  kernel <- margin_kernel(mpg ~ wt + hp, mtcars)
  alone <- margin_oneclass(~ wt + hp, mtcars, nu = 0.5)
  certain <- margin_certain(line, mtcars)
  for (f in list(confint, vcov)) {
    expect_input_error(f(kernel), "object", "margin_bootstrap() has intervals of its metrics")
    expect_no_match(tryCatch(f(alone), error = conditionMessage), "margin_bootstrap")
    expect_input_error(f(alone), "object", "predict(object, newdata)")
    expect_error(f(certain))
  }
  expect_error(hatvalues(alone))
})

test_that("what a fit without a penalty does not have is had of the function of that estimate", {
  free <- margin_linear(mpg ~ wt, mtcars, loss = "squared", penalty_factor = 0, lambda = 1)
  classes <- margin_linear(factor(am) ~ wt, mtcars, loss = "logistic", penalty_factor = 0, lambda = 1)
  for (generic in list(vcov, sigma, logLik, df.residual)) {
    expect_input_error(generic(free), "object", "estimate of lm()")
    expect_input_error(generic(classes), "object", "estimate of glm()")
    expect_input_error(generic(margin_linear(mpg ~ wt, mtcars)), "object", "penalised")
  }
})
