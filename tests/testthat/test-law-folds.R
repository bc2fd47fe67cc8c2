# A row that is held out has no say in the model that judges it: what is said of a fold is said by the
# model of the other rows, in whatever is fitted fold by fold.

fold_rows <- local({
  set.seed(31)
  x <- matrix(rnorm(60 * 3), 60, dimnames = list(NULL, c("a", "b", "c")))
  list(x = x, number = x[, 1] - x[, 2] + rnorm(60), class = factor(x[, 1] + rnorm(60) > 0),
       weights = rep(c(1, 2, 0.5), each = 20), fold = rep_len(1:3, 60))
})
tight <- margin_control(tol = 1e-10, seed = 1)

# ask: a function of the rows to fit and of those to judge.
by_fold <- function(ask) lapply(1:3, function(k) ask(fold_rows$fold != k, fold_rows$fold == k))

test_that("a score of a cross-validation or a comparison is that of the model of the other rows", {
  d <- fold_rows
  for (family in c("linear", "kernel")) {
    fit <- family_fun(family)
    want <- function(lambda) {
      unlist(by_fold(function(train, test) {
        model <- fit(d$x[train, ], d$number[train], loss = "squared", lambda = lambda,
                     weights = d$weights[train], control = tight)
        stats::weighted.mean((d$number[test] - predict(model, d$x[test, ]))^2, d$weights[test])
      }))
    }
    # two lambdas are the points of a path, one is a fit
    for (lambda in list(c(0.1, 0.01), 0.1)) {
      cv <- margin_cv(d$x, d$number, family = family, loss = "squared", weights = d$weights,
                      grid = list(lambda = lambda), folds = d$fold, metric = "mse", seed = 1,
                      control = tight)
      expect_equal(cv$results$score, unlist(lapply(lambda, want)), tolerance = 1e-5)
    }
    specs <- lapply(c(a = 0.1, b = 1), function(lambda) {
      spec_margin(family, loss = "squared", lambda = lambda, control = tight)
    })
    compared <- margin_compare(d$x, d$number, specs, folds = d$fold, metric = "mse", seed = 1,
                               weights = d$weights, scale = TRUE)
    found <- compared$results$score[compared$results$model == "a"]
    expect_equal(found, want(0.1), tolerance = 1e-5)
  }
})

test_that("so is that of every other family", {
  d <- fold_rows
  sum_of_scores <- margin_metric(function(truth, predicted, weights) {
    sum(predicted * sin(seq_along(truth)) * weights)
  }, "sum of scores", needs = "score")
  others <- list(
    robust = list(d$class, radius = 0.1, ridge = 0.1),
    augmented = list(d$class, perturbation = perturb_dropout(0.2), lambda = 0.1, loss = "squared",
                     center = FALSE, intercept = "none"),
    hard = list(factor(d$x[, 1] > 0), kernel = kernel_rbf(1))
  )
  expect_setequal(c("linear", "kernel", names(others)), setdiff(family_names(), "oneclass"))
  for (family in names(others)) {
    given <- c(others[[family]][-1L], list(control = tight))
    y <- others[[family]][[1L]]
    want <- by_fold(function(train, test) {
      fit <- do.call(family_fun(family), c(list(d$x[train, ], y[train], weights = d$weights[train]),
                                           given))
      sum_of_scores$compute(y[test], predict(fit, d$x[test, ], type = "score"), d$weights[test])
    })
    cv <- do.call(margin_cv, c(list(d$x, y, family = family, grid = list(), folds = d$fold,
                                    weights = d$weights, metric = sum_of_scores, seed = 1), given))
    expect_equal(cv$results$score, unlist(want), tolerance = 1e-4, label = family)
  }
})

test_that("a calibration goes by decision values of the models of the other rows", {
  d <- fold_rows
  model <- function(rows) margin_linear(d$x[rows, ], d$class[rows], lambda = 0.01, control = tight)
  want <- by_fold(function(train, test) predict(model(train), d$x[test, ], type = "score"))
  calibrated <- margin_calibrate(model(1:60), d$x, d$class, folds = d$fold, seed = 1)
  expect_equal(calibrated$calibration$held_out$score, unlist(want), tolerance = 1e-5)
})
