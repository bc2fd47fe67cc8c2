test_that("tidy has a row per coefficient", {
  two <- margin_linear(am ~ wt + hp, data = transform(mtcars, am = factor(am)),
                       loss = "smooth_hinge")
  expect_identical(as.data.frame(tidy(two)),
                   data.frame(term = names(coef(two)), estimate = unname(coef(two))))
  three <- margin_linear(Species ~ ., data = iris, loss = "smooth_hinge")
  table <- tidy(three)
  expect_identical(names(table), c("class", "term", "estimate"))
  expect_identical(table$estimate, as.vector(coef(three)))
})

test_that("glance is one row, with the gap of the worst class", {
  fit <- margin_linear(Species ~ ., data = iris, loss = "smooth_hinge")
  row <- glance(fit)
  expect_identical(nrow(row), 1L)
  expect_identical(row$relative_gap, max(fit$certificate$relative_gap))
  expect_identical(row$nobs, 150L)
  expect_identical(row$certified, certificate(fit)$certified)
})

test_that("augment binds predictions to the rows they belong to", {
  fit <- margin_linear(Species ~ ., data = iris, loss = "logistic")
  full <- augment(fit, iris)
  expect_identical(as.data.frame(full[names(iris)]), iris)
  expect_identical(full$.pred_class, unname(predict(fit, iris)))
  expect_equal(full$.score_setosa, unname(predict(fit, type = "score")[, "setosa"]))
  holes <- replace(mtcars, "wt", list(replace(mtcars$wt, 5, NA)))
  line <- margin_linear(mpg ~ wt, data = holes, loss = "squared")
  rows <- augment(line, holes)
  expect_identical(which(is.na(rows$.fitted)), 5L)
  expect_equal(rows$.resid[-5L], unname(residuals(line)))
  expect_error(augment(line, holes[1:3, ]), class = "dualmargin_input_error")
  expect_equal(augment(line, newdata = holes[1:3, ])$.fitted, unname(fitted(line)[1:3]))
})

test_that("augment keeps tibbles, takes matrices, and leaves a sparse matrix out", {
  fit <- margin_linear(Species ~ ., data = iris, loss = "smooth_hinge")
  x <- as.matrix(iris[1:100, 1:4])
  two <- margin_linear(x, droplevels(iris$Species[1:100]), loss = "logistic")
  expect_named(augment(two, newdata = x[1:3, ]),
               c(".rownames", colnames(x), ".pred_class", ".score", ".pred_setosa",
                 ".pred_versicolor"))
  sparse <- augment(two, newdata = Matrix::Matrix(x, sparse = TRUE))
  expect_named(sparse, c(".pred_class", ".score", ".pred_setosa", ".pred_versicolor"))
  expect_equal(sparse$.score, unname(predict(two, x, type = "score")))
  expect_identical(names(augment(fit, augment(fit, iris))), names(augment(fit, iris)))
  expect_error(augment(fit, iris, newdata = iris), "both given", class = "dualmargin_input_error")
  skip_if_not_installed("tibble")
  cv <- margin_cv(Species ~ ., iris, grid = list(lambda = 0.1), folds = 3, seed = 1,
                  loss = "smooth_hinge")
  path <- margin_path(Species ~ ., iris, n_lambda = 2, loss = "smooth_hinge")
  for (table in list(augment(fit, iris), augment(fit), tidy(fit), glance(fit), tidy(cv),
                     tidy(path), glance(path))) {
    expect_s3_class(table, "tbl_df")
  }
})

test_that("glance counts work over all classes and coefficients that are not zero", {
  fit <- margin_linear(Species ~ ., data = iris, mixture = 0.9, lambda = 0.05,
                       loss = "smooth_hinge")
  row <- glance(fit)
  expect_identical(row$epochs, sum(fit$status$epochs))
  expect_equal(row$nonzero, sum(rowSums(coef(fit)[-1L, ] != 0) > 0))
  expect_identical(as.data.frame(row[c("loss", "lambda", "mixture")]),
                   data.frame(loss = "smooth_hinge", lambda = 0.05, mixture = 0.9))
})

test_that("columns have the names of broom's glossary, or those that it has no word for", {
  two <- transform(mtcars, am = factor(am))[c("am", "wt", "hp")]
  flowers <- droplevels(iris[1:100, ])
  fits <- list(
    linear = margin_linear(am ~ ., two, loss = "smooth_hinge"),
    kernel = margin_kernel(am ~ ., two, intercept = "none"),
    augmented = margin_augmented(am ~ ., two, loss = "squared", lambda = 1,
                                 intercept = "none", center = FALSE, scale = FALSE),
    robust = margin_robust(am ~ ., two, norm = "l2", intercept = "none", scale = FALSE),
    hard = margin_hard(Species ~ ., flowers, intercept = "free")
  )
  # What broom has of a problem, then ours.
  problems <- list(
    linear = c("lambda", "loss", "mixture"),
    kernel = c("sigma", "lambda", "kernel", "loss", "mixed"),
    augmented = c("lambda", "perturbation", "loss", "mixture"),
    robust = c("norm", "radius", "label_cost", "ridge"), hard = c("kernel", "separable")
  )
  certificates <- c("bound", "gap", "relative_gap", "tol", "certified", "assumes")
  work <- c("status", "solver", "epochs", "seconds")
  for (family in names(fits)) {
    fit <- fits[[family]]
    expect_named(tidy(fit), c("term", "estimate"))
    expect_named(glance(fit), c("nobs", "value", "n_features", "nonzero", problems[[family]],
                                certificates, work), ignore.order = TRUE)
    score <- c(".pred_class", ".score")
    prob <- sprintf(".pred_%s", fit$levels)
    expect_named(augment(fit), c(score, if (family == "kernel") prob))
  }
  several <- margin_linear(Species ~ ., iris, loss = "smooth_hinge")
  expect_named(tidy(several), c("class", "term", "estimate"))
  expect_named(augment(several), c(".pred_class", paste0(".score_", levels(iris$Species))))
  line <- margin_linear(mpg ~ wt, mtcars, loss = "squared")
  expect_named(augment(line, mtcars), c(".rownames", names(mtcars), ".fitted", ".resid"))
  expect_identical(augment(line, mtcars)$.rownames, rownames(mtcars))
})

test_that("what has tidy() has glance()", {
  methods <- getNamespaceInfo("dualmargin", "S3methods")
  classes <- function(generic) sort(methods[methods[, 1L] == generic, 2L])
  expect_identical(classes("glance"), classes("tidy"))
  expect_gt(length(classes("tidy")), 10L)
})

test_that("one row says what is certain, summed over the class problems", {
  fits <- list(margin_linear(Species ~ ., iris, multiclass = "one_vs_rest"),
               margin_kernel(Species ~ ., iris, loss = "logistic", lambda = 0.1))
  for (fit in fits) {
    certain <- margin_certain(fit, iris)
    row <- glance(certain)
    known <- summary(certain)
    expect_identical(nrow(row), 1L)
    expect_identical(c(row$nobs, row$decided), c(150L, known$decided))
    expect_identical(row$radius, max(known$problems$radius))
    expect_identical(row$relative_gap, max(fit$certificate$relative_gap))
    expect_identical(row$certified, all(fit$certificate$certified))
    signs <- unlist(row[c("positive", "negative", "zero", "open")])
    if (inherits(fit, "margin_kernel")) expect_true(all(is.na(signs))) else {
      slopes <- tidy(certain)
      slopes <- slopes[slopes$term != "(Intercept)", ]
      expect_identical(unname(signs), c(sum(slopes$sign %in% 1), sum(slopes$sign %in% -1),
                                        sum(slopes$sign %in% 0), sum(is.na(slopes$sign))))
    }
  }
  line <- glance(margin_certain(margin_linear(mpg ~ wt, mtcars), mtcars))
  expect_identical(line$decided, NA_integer_)
})

test_that("one row says how a fit performs, a column a metric", {
  fit <- margin_linear(mpg ~ wt, mtcars[1:20, ])
  new <- replace(mtcars[21:32, ], "wt", list(replace(mtcars$wt[21:32], 3, NA)))
  row <- glance(margin_performance(fit, new))
  expect_identical(dim(row), c(1L, 8L))
  expect_identical(c(row$nobs, row$missing), c(11L, 1L))
  error <- (new$mpg - predict(fit, new))[-3]
  expect_equal(row$rmse, sqrt(mean(error^2)))
  expect_equal(row$mae, mean(abs(error)))
})

test_that("one row says what mattered most", {
  fit <- margin_linear(mpg ~ wt + hp + qsec, mtcars)
  plain <- glance(importance(fit))
  expect_identical(c(plain$first, plain$n_variables), c(tidy(importance(fit))$variable[1L], "3"))
  expect_equal(plain$importance, max(abs(coef(fit)[-1] * fit$scales)))
})

# They would stand beside the numbers of the fit's own rows.
test_that("augment() refuses training rows in another order", {
  set.seed(1)
  other <- iris[sample(150), ]
  fits <- list(margin_linear(Species ~ ., iris), margin_kernel(Species ~ ., iris),
               margin_linear(Sepal.Length ~ Petal.Width, iris, subset = Petal.Width > 0.2))
  for (fit in fits) {
    expect_error(augment(fit, other), "in their order", class = "dualmargin_input_error")
    expect_identical(nrow(augment(fit, iris)), 150L)
    expect_identical(nrow(augment(fit, newdata = other)), 150L)
  }
  expect_identical(nrow(augment(fits[[1L]], data.frame(id = 1:150))), 150L)
  expect_error(augment(fits[[1L]], 1:3), "must be a data frame", class = "dualmargin_input_error")
})

test_that("augment() takes rows of which a term knows the whole column", {
  set.seed(1)
  d <- data.frame(a = rnorm(600), b = rexp(600))
  d$y <- d$a + d$b + rnorm(600)
  few <- replace(d[1:100, ], "b", list(replace(d$b[1:100], 7L, NA)))
  for (term in c("I(a - mean(a))", "rank(a)", "cumsum(a)")) {
    formula <- stats::reformulate(c(term, "b"), "y")
    expect_identical(nrow(augment(margin_linear(formula, d), data = d)), 600L)
    expect_identical(nrow(augment(margin_kernel(formula, few), data = few)), 100L)
    expect_identical(nrow(augment(margin_linear(formula, few, subset = b < 1), data = few)), 100L)
  }
})
