# The table "which generic answers for which class" of CONTRIBUTING.md, cell by cell, for all
# families: each generic answers, or stops; none returns NULL. So do all generics of stats.

two <- droplevels(iris[51:150, ])
names(two)[5L] <- "kind"
control <- margin_control(tol = 0.05, seed = 1)
# Called with the name of the data, so that update() finds them again.
of_family <- list(
  linear = list(loss = "logistic", lambda = 0.01, intercept = "free", scale = TRUE),
  kernel = list(loss = "logistic", lambda = 0.01, intercept = "free", scale = TRUE,
                kernel = kernel_rbf(0.3), center = FALSE),
  augmented = list(loss = "logistic", lambda = 0.1, scale = TRUE, intercept = "penalized",
                   control = control),
  robust = list(radius = 0.1, intercept = "free", scale = TRUE),
  hard = list(intercept = "free", scale = FALSE)
)
fit_family <- function(family, data) {
  do.call(paste0("margin_", family), c(list(kind ~ ., data = data), of_family[[family]]))
}
separable <- droplevels(iris[1:100, ])
names(separable)[5L] <- "kind"
fits <- sapply(names(of_family), function(family) {
  fit_family(family, if (family == "hard") quote(separable) else quote(two))
}, simplify = FALSE)
fits$regression <- margin_linear(Sepal.Length ~ Petal.Length + Petal.Width, data = iris,
                                 loss = "squared", lambda = 0.01, intercept = "free", scale = TRUE)
fits$softmax <- margin_kernel(Species ~ ., data = iris, loss = "logistic", lambda = 0.1,
                              multiclass = "softmax", intercept = "none", scale = TRUE,
                              kernel = kernel_rbf(0.3))
fits$oneclass <- margin_oneclass(~ Sepal.Length + Petal.Length, data = two, nu = 0.2,
                                 kernel = kernel_rbf(0.3))
calibrated <- margin_calibrate(margin_linear(kind ~ ., data = two, loss = "hinge", lambda = 0.01,
                                             intercept = "free", scale = TRUE), two, seed = 1)
paths <- list(
  linear = margin_path(kind ~ ., data = two, loss = "logistic", lambda = c(0.1, 0.01),
                       mixture = c(0, 0.5), intercept = "free", scale = TRUE),
  kernel = margin_path(kind ~ ., data = two, family = "kernel", loss = "logistic",
                       lambda = c(0.1, 0.01), kernel = kernel_rbf(0.3), intercept = "none",
                       scale = TRUE),
  robust = margin_path(kind ~ ., data = two, family = "robust", radius = c(0.2, 0.1),
                       intercept = "free", scale = TRUE),
  augmented = margin_path(kind ~ ., data = two, family = "augmented", rate = c(0, 0.1),
                          lambda = 0.1, loss = "logistic", intercept = "penalized", scale = TRUE,
                          control = control),
  regression = margin_path(Sepal.Length ~ Petal.Length + Petal.Width, data = iris,
                           loss = "squared", lambda = c(0.1, 0.01), intercept = "free",
                           scale = TRUE),
  classes = margin_path(Species ~ ., data = iris, loss = "logistic", lambda = c(0.1, 0.01),
                        intercept = "free", scale = TRUE)
)
paths$oneclass <- margin_path(~ Sepal.Length + Petal.Length, data = two, family = "oneclass",
                              nu = c(0.2, 0.1), kernel = kernel_rbf(0.3))
cv <- margin_cv(kind ~ ., data = two, loss = "logistic", grid = list(lambda = c(0.1, 0.01)),
                folds = 3, repeats = 2, seed = 1, intercept = "free", scale = TRUE)
models <- margin_compare(
  kind ~ ., data = two,
  specs = list(hinge = spec_margin("linear", loss = "hinge", lambda = 0.01),
               logistic = spec_margin("linear", loss = "logistic", lambda = 0.01)),
  folds = 3, seed = 1
)
solvers <- compare_solvers(kind ~ ., data = two, loss = "hinge", lambda = 0.01, scale = TRUE,
                           intercept = "free", solvers = c("auto", "newton", "ssnal"))

generics <- list(
  print = print, summary = summary, plot = function(x) plot(x), predict = NULL, coef = coef,
  nobs = nobs, formula = formula, terms = terms, variable.names = variable.names, fitted = fitted,
  residuals = residuals, weights = weights, case.names = case.names, model.matrix = NULL,
  deviance = deviance, family = family, sigma = sigma, df.residual = df.residual,
  logLik = logLik, AIC = AIC, BIC = BIC, extractAIC = extractAIC, vcov = vcov, confint = confint,
  anova = anova, simulate = simulate, rstandard = rstandard, rstudent = rstudent,
  hatvalues = hatvalues, cooks.distance = cooks.distance, influence = influence, dfbetas = dfbetas,
  update = update, getCall = getCall, refit = refit, tidy = tidy, glance = glance, augment = NULL,
  as.data.frame = as.data.frame, certificate = certificate, convergence = convergence
)
# what every class answers; of fits and paths some by what was fitted
always <- c("print", "summary", "plot", "update", "getCall", "tidy", "glance")
answers <- list(
  fit = c(always, "predict", "coef", "nobs", "formula", "terms", "variable.names", "fitted",
          "weights", "case.names", "model.matrix", "augment", "certificate", "convergence"),
  path = c(always, "predict", "coef", "nobs", "formula", "terms", "variable.names", "augment",
           "as.data.frame", "certificate"),
  cv = c(always, "predict", "coef", "refit", "as.data.frame", "nobs", "formula"),
  models = c(always, "as.data.frame", "nobs", "formula"),
  solvers = c(always, "as.data.frame", "certificate", "convergence")
)

# What it makes of a generic.
verdict <- function(name, object, rows) {
  f <- switch(name, predict = function(x) predict(x, rows),
              model.matrix = function(x) model.matrix(x, data = rows),
              augment = function(x) augment(x, newdata = rows), generics[[name]])
  tryCatch({
    on_null_device(utils::capture.output(value <- f(object)))
    if (is.null(value)) "NULL" else "yes"
  }, error = function(condition) "error")
}

expect_cells <- function(object, kind, rows, also = character(), label = kind) {
  for (name in names(generics)) {
    wanted <- if (name %in% c(answers[[kind]], also)) "yes" else "error"
    expect_identical(verdict(name, object, rows), wanted, label = paste(label, name))
  }
}

test_that("every generic answers for every class, or stops", {
  for (family in names(fits)) {
    rows <- switch(family, hard = separable, regression = iris, softmax = iris, two)
    also <- if (family %in% c("linear", "kernel", "augmented", "regression"))
      c("deviance", "family", "residuals")
    expect_cells(fits[[family]], "fit", rows, also, family)
  }
  expect_cells(calibrated, "fit", two, label = "calibrated")
  for (family in names(paths)) {
    rows <- if (family %in% c("regression", "classes")) iris else two
    expect_cells(paths[[family]], "path", rows, label = paste("path", family))
  }
  expect_cells(cv, "cv", two)
  expect_cells(models, "models", two)
  expect_cells(solvers, "solvers", two)
})

test_that("as.data.frame() has a row for each setting and fold, model and fold, point", {
  table <- as.data.frame(cv)
  expect_identical(class(table), "data.frame")
  expect_identical(nrow(table), 12L)
  expect_identical(table$lambda, cv$settings$lambda[cv$results$setting])
  expect_identical(table$score, cv$results$score)
  expect_identical(as.data.frame(models), models$results)
  expect_identical(as.data.frame(solvers), convergence(solvers))
  expect_equal(as.data.frame(paths$linear)$lambda, paths$linear$lambda)
})

test_that("augment() of a path is predict(), point by point", {
  for (family in names(paths)) {
    path <- paths[[family]]
    rows <- (if (family %in% c("regression", "classes")) iris else two)[c(1, 60, 99), ]
    table <- as.data.frame(augment(path, newdata = rows))
    points <- nrow(path$certificate)
    expect_identical(nrow(table), 3L * points)
    along <- path$coordinates[1L]
    expect_equal(table[[paste0(".", along)]], rep(path[[along]], each = 3L))
    if (family == "regression") {
      expect_equal(table$.fitted, as.vector(predict(path, rows)))
      expect_equal(table$.resid, rep(rows$Sepal.Length, points) - table$.fitted)
    } else {
      expect_identical(as.character(table$.pred_class),
                       as.character(unlist(predict(path, rows), use.names = FALSE)))
      expect_identical(table[[names(rows)[5L]]], rep(rows[[5L]], points))
    }
  }
  one <- suppressMessages(augment(paths$linear, newdata = two[1:2, ], lambda = 0.05, mixture = 0))
  expect_equal(one$.lambda, rep(0.05, 2))
  expect_error(augment(paths$linear), "`newdata` or `data` must be given",
               class = "dualmargin_input_error")
})

test_that("update() makes paths, cross-validations and comparisons again with changes", {
  expect_equal(coef(update(paths$linear)), coef(paths$linear))
  shorter <- update(paths$linear, . ~ . - Sepal.Length, mixture = 0)
  expect_identical(variable.names(shorter), names(two)[2:4])
  expect_identical(unique(shorter$mixture), 0)
  chosen <- update(paths$linear, n_lambda = 3)
  expect_length(unique(chosen$lambda), 6L)
  expect_identical(glance(update(cv, folds = 4, repeats = 1))$folds, 4)
  expect_equal(update(cv)$results$score, cv$results$score)
  expect_equal(update(models)$results$score, models$results$score)
  expect_named(update(solvers, solvers = "auto")$fits, "auto")
  expect_true(is.call(update(cv, folds = 4, evaluate = FALSE)))
  wanted <- c(0.1, 0.01)
  path <- margin_path(kind ~ ., data = two, loss = "logistic", lambda = wanted, mixture = 0,
                      intercept = "free", scale = TRUE)
  wanted <- 17
  expect_equal(update(path)$lambda, c(0.1, 0.01))
  x <- as.matrix(two[1:4])
  bare <- do.call(margin_path, list(x, two$kind, loss = "logistic", n_lambda = 2,
                                    intercept = "free", scale = TRUE))
  expect_error(update(bare), "was given to the fit as a value", class = "dualmargin_input_error")
  expect_error(update(cv, 3), "must be a formula", class = "dualmargin_input_error")
  expect_identical(formula(refit(update(cv, . ~ . - Sepal.Width)))[[3L]],
                   quote(Sepal.Length + Petal.Length + Petal.Width))
})

# Fits of all families, what stands beside them, and the lists of settings in them.
fits_of_all_kinds <- function() {
  line <- margin_linear(kind ~ ., data = two, lambda = 0.01)
  c(fits, list(
    calibrated = calibrated, default_radius = margin_robust(kind ~ ., data = two),
    mixed = margin_kernel(kind ~ ., data = two, mixup = mixup_pairs(10)),
    taus = margin_linear(Sepal.Length ~ Petal.Length, iris, loss = loss_quantile(c(0.2, 0.8))),
    offset = margin_linear(Sepal.Length ~ Petal.Length + offset(Petal.Width), iris),
    refitted = refit(cv), moved = margin_threshold(line, two, seed = 1)
  ))
}

test_that("`$` finds a field of a fit or nothing: none that another fit has is completed", {
  fits <- fits_of_all_kinds()
  for (lists in list(c(fits, paths), lapply(fits, `[[`, "settings"))) {
    known <- unique(unlist(lapply(lists, names)))
    for (object in lists) {
      absent <- setdiff(known, names(object))
      at <- pmatch(absent, names(object), duplicates.ok = TRUE)
      expect_identical(paste(absent, names(object)[at], sep = " is taken for ")[!is.na(at)],
                       character())
    }
  }
})

test_that("the model of a summary has the fields that the fit has, and no others", {
  for (fit in fits) expect_false(anyNA(names(summary(fit)$model)))
})

test_that("rows without a response are augmented by a path of a regression", {
  few <- mtcars[1:2, c("wt", "hp")]
  for (path in list(margin_path(mpg ~ wt + hp, mtcars, n_lambda = 3),
                    margin_path(mpg ~ wt + hp, mtcars, n_lambda = 3, family = "kernel"),
                    margin_path(as.matrix(mtcars[c("wt", "hp")]), mtcars$mpg, n_lambda = 3))) {
    found <- augment(path, newdata = few)
    expect_false(".resid" %in% names(found))
    expect_identical(nrow(found), 6L)
  }
})
