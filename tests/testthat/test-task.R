# The response decides the task, once, on all of y: the same labels written in five ways are one
# problem in every family and interface, and nothing that is fitted to a part of the rows decides
# again. `loss = NULL` is that of the task.

set.seed(11)
n <- 40L
x <- matrix(rnorm(3 * n), n, dimnames = list(NULL, c("u", "v", "w")))
positive <- x[, 1L] - x[, 2L] / 2 + 0.7 * rnorm(n) > 0
# the same first level everywhere: "a" < "b"
kinds <- list(factor = factor(ifelse(positive, "b", "a")), logical = positive,
              character = ifelse(positive, "b", "a"), binary = as.integer(positive),
              sign = ifelse(positive, 1, -1))
control <- margin_control(seed = 3, max_epochs = 20)

# Calls of a family on x and y, as a matrix, a data frame and a formula.
calls <- function(family, y, ...) {
  fun <- get(paste0("margin_", family))
  args <- c(list(...), list(control = control))
  frame <- data.frame(x, y = y)
  list(matrix = do.call(fun, c(list(x, y), args)),
       data.frame = do.call(fun, c(list(as.data.frame(x), y), args)),
       formula = do.call(fun, c(list(y ~ ., data = frame), args)))
}

arguments <- list(
  linear = list(lambda = 0.1), kernel = list(kernel = kernel_rbf(0.5), lambda = 0.1),
  augmented = list(lambda = 0.1), robust = list(norm = "l2", radius = 0.05, label_cost = 1),
  hard = list(kernel = kernel_rbf(2), intercept = "none")
)

# Texts of the messages of the package that the expression gives.
texts <- function(expression) {
  found <- character()
  withCallingHandlers(expression, dualmargin_message = function(condition) {
    found <<- c(found, conditionMessage(condition))
    invokeRestart("muffleMessage")
  }, dualmargin_not_certified = function(condition) invokeRestart("muffleWarning"))
  found
}

for (family in names(arguments)) {
  test_that(paste("labels written in five ways are one problem of the family", family), {
    of <- function(y) quietly(do.call(calls, c(list(family, y), arguments[[family]])))
    reference <- of(kinds$factor)
    for (kind in names(kinds)) {
      fits <- of(kinds[[kind]])
      for (interface in names(fits)) {
        fit <- fits[[interface]]
        label <- paste(family, kind, interface)
        expect_identical(fit$task, "classification", label = label)
        expect_identical(fit$response_type, kind, label = label)
        expect_identical(fit$response_scale, if (!family %in% c("robust", "hard")) 1,
                         label = label)
        expect_identical(unname(coef(fit)), unname(coef(reference[[interface]])), label = label)
        expect_identical(fit$certificate[c("value", "bound", "gap", "certified")],
                         reference[[interface]]$certificate[c("value", "bound", "gap",
                                                              "certified")], label = label)
        if (family %in% c("linear", "kernel", "augmented")) {
          expect_identical(fit$settings$loss, as_loss("logistic"), label = label)
        }
      }
    }
  })
}

test_that("paths, cross-validations, comparisons and calibrations of five kinds of labels agree", {
  folds <- rep(1:4, n / 4)
  specs <- list(a = spec_margin("linear", lambda = 0.1), b = spec_margin("kernel", lambda = 0.1))
  of <- function(y) {
    quietly(list(
      path = margin_path(x, y, n_lambda = 4),
      kernel = margin_path(x, y, family = "kernel", n_lambda = 3),
      cv = margin_cv(x, y, grid = list(lambda = c(1, 0.1)), folds = folds, seed = 1,
                     metric = c("accuracy", "log_loss")),
      models = margin_compare(x, y, specs, folds = folds, seed = 1, metric = "log_loss"),
      solvers = compare_solvers(x, y, c("newton", "ssnal"), intercept = "free"),
      calibrated = margin_calibrate(margin_linear(x, y, loss = "hinge", lambda = 0.1,
                                                  control = control), x, y, folds = folds,
                                    seed = 1)
    ))
  }
  numbers <- function(one) {
    list(unname(coef(one$path)), unname(coef(one$kernel)),
         one$cv$results[c("lambda", "fold", "score", "log_loss", "relative_gap", "certified")],
         one$models$results[c("score", "relative_gap", "certified")],
         certificate(one$solvers), unname(predict(one$calibrated, x, type = "prob")))
  }
  reference <- numbers(of(kinds$factor))
  for (kind in setdiff(names(kinds), "factor")) {
    expect_identical(numbers(of(kinds[[kind]])), reference, label = kind)
  }
})

test_that("predictions are written as the labels were", {
  class <- function(kind, ...) predict(quietly(margin_linear(x, kinds[[kind]], ...)), x)
  up <- predict(margin_linear(x, kinds$factor, loss = NULL), x, type = "score") >= 0
  expect_identical(class("binary"), ifelse(up, 1, 0))
  expect_identical(class("sign"), ifelse(up, 1, -1))
  expect_identical(class("logical"), up)
  expect_identical(class("factor"), factor(ifelse(up, "b", "a")))
  prob <- predict(quietly(margin_linear(x, kinds$binary)), x, type = "prob")
  expect_identical(colnames(prob), c("0", "1"))
  expect_identical(prob[, "1"] >= 0.5, up)
  integers <- quietly(margin_linear(x, kinds$binary, class_weights = c("0" = 2, "1" = 1)))
  expect_identical(integers$settings$class_weights, c("0" = 2, "1" = 1))
})

test_that("numbers are a regression, by the squared loss, unless they are labels", {
  y <- x[, 1L] + rnorm(n)
  for (family in c("linear", "kernel", "augmented")) {
    fits <- quietly(do.call(calls, c(list(family, y), arguments[[family]])))
    named <- quietly(do.call(calls, c(list(family, y, loss = "squared"), arguments[[family]])))
    for (interface in names(fits)) {
      expect_identical(fits[[interface]]$task, "regression")
      expect_identical(fits[[interface]]$settings$loss, as_loss("squared"))
      expect_identical(coef(fits[[interface]]), coef(named[[interface]]))
    }
  }
  # a loss of a regression that was named takes any numbers for what they are
  for (kind in c("binary", "sign")) for (loss in c("squared", "huber")) {
    fit <- margin_linear(x, kinds[[kind]], loss = loss)
    expect_identical(fit$task, "regression")
    expect_identical(fit$response_type, "numeric")
  }
  # and a factor stays one
  factor <- margin_linear(x, kinds$factor, loss = "huber", lambda = 0.1)
  plain <- margin_linear(x, kinds$sign, loss = "huber", lambda = 0.1, response_scale = FALSE)
  expect_identical(factor$task, "classification")
  expect_identical(factor$response_scale, 1)
  expect_identical(coef(factor), coef(plain))
})

test_that("a loss that does not go with the task is refused, by name of those that do", {
  y <- x[, 1L]
  for (loss in c("hinge", "smooth_hinge", "squared_hinge", "logistic")) {
    expect_input_error(margin_linear(x, y, loss = loss), "loss", loss)
    expect_input_error(margin_kernel(x, y, loss = loss), "loss", loss)
    expect_input_error(margin_augmented(x, y, loss = loss), "loss", loss)
    expect_input_error(margin_cv(x, y, loss = loss, folds = 3), "loss", loss)
    expect_input_error(margin_path(x, y, loss = loss), "loss", loss)
  }
  expect_told("task", "refused", {
    margin_linear(x, y, loss = "hinge")
    margin_linear(x, rep(c(-1, 0, 1, 1), 10), loss = "hinge")
    margin_robust(x, y, radius = 0.1)
    margin_hard(x, y)
    margin_path(x, y, family = "robust")
    margin_cv(x, y, family = "robust", folds = 3)
    mixup_data(x, y, 5)
    margin_linear(x, rep(1, n), loss = NULL)
    margin_robust(x, rep(0, n), radius = 0.1)
    margin_linear(x, Sys.Date() + seq_len(n))
  })
})

test_that("folds of a count that are all 0 and 1 stay a regression", {
  y <- replace(rep(c(0, 1), n / 2), 1L, 4)
  folds <- rep(1:4, each = 10)
  grid <- list(lambda = 0.1)
  mse <- vapply(1:4, function(fold) {
    train <- folds != fold
    fit <- margin_linear(x[train, ], y[train], loss = "squared", lambda = 0.1)
    mean((predict(fit, x[!train, ]) - y[!train])^2)
  }, 0)
  cv <- quietly(margin_cv(x, y, grid = grid, folds = folds))
  expect_identical(cv$task, "regression")
  expect_equal(cv$results$score, mse)
  frame <- data.frame(x, y = y)
  expect_equal(quietly(margin_cv(y ~ ., frame, grid = grid, folds = folds))$results$score, mse)
  # of a chosen grid, too
  expect_identical(quietly(margin_cv(x, y, folds = folds))$task, "regression")
  specs <- list(a = spec_margin("linear", lambda = 0.1, scale = TRUE),
                b = spec_margin("linear", loss = "squared", lambda = 0.1, scale = TRUE))
  models <- quietly(margin_compare(x, y, specs, folds = folds, scale = FALSE))
  expect_equal(models$results$score, rep(mse, 2L))
  for (other in list(spec_margin("linear", loss = "hinge"), spec_margin("robust"))) {
    expect_error(quietly(margin_compare(x, y, c(specs, list(other)), folds = folds)),
                 "\"hinge\"|margin_robust", class = "dualmargin_input_error")
  }
  best <- quietly(refit(cv))
  expect_identical(best$task, "regression")
  # as does a refit of rows that are
  both <- quietly(margin_cv(y ~ ., frame, grid = grid, folds = folds))
  expect_identical(quietly(refit(both, data = frame[-1L, ]))$task, "regression")
})

test_that("a fold of 0/1 labels without one class is refused, and no regression", {
  y <- rep(c(0, 1), each = n / 2)
  half <- rep(1:2, each = n / 2)
  expect_error(quietly(margin_cv(x, y, grid = list(lambda = 0.1), folds = half)),
               class = "dualmargin_input_error")
  specs <- list(spec_margin("linear"), spec_margin("kernel"))
  expect_error(quietly(margin_compare(x, y, specs, folds = half)),
               class = "dualmargin_input_error")
})

test_that("a comparison of models that name losses of a regression takes 0 and 1 for numbers", {
  named <- list(a = spec_margin("linear", loss = "squared", lambda = 0.1),
                b = spec_margin("linear", loss = "huber", lambda = 0.1))
  expect_identical(texts(result <- margin_compare(x, kinds$binary, named, folds = 3)), character())
  expect_identical(result$task, "regression")
  expect_identical(result$levels, NULL)
  one <- quietly(margin_compare(x, kinds$binary, c(named, list(spec_margin("linear",
                                                                           loss = "hinge"))),
                                folds = 3))
  expect_identical(one$task, "classification")
})

test_that("what hangs on the loss is checked once the task is known", {
  y <- x[, 1L]
  expect_input_error(margin_kernel(x, y, multiclass = "softmax"), "multiclass", "squared")
  expect_input_error(margin_kernel(x, y, solver = "smo"), "loss", "squared")
  expect_input_error(margin_kernel(x, kinds$factor, solver = "smo"), "loss", "logistic")
  # the mean over dropout is known for the squared loss only
  expect_identical(margin_augmented(x, y, lambda = 0.1)$settings$tol, 1e-6)
  expect_identical(quietly(margin_augmented(x, kinds$factor, lambda = 0.1,
                                            control = control))$settings$tol, 1e-3)
  # a comparison of solvers knows it before it fits
  said <- quietly(compare_solvers(x, y, c("auto", "smo"), family = "kernel", intercept = "free"))
  expect_named(said$refused, "smo")
})
