# What was asked for stays what it is, whether the call has it as a value or by the name of a variable.

d <- droplevels(iris[1:100, ])
half <- d[30:100, ]

test_that("numbers are numbers, and \"balanced\" is balanced, by whatever name", {
  numbers <- c(setosa = 0.75, versicolor = 1.5)
  few <- d[c(1:40, 51:70), ]
  written <- margin_linear(Species ~ Sepal.Width, few, class_weights = c(setosa = 0.75, versicolor = 1.5),
                           lambda = 0.05)
  named <- margin_linear(Species ~ Sepal.Width, few, class_weights = numbers, lambda = 0.05)
  expect_identical(margin_conformal(named, few)$method, margin_conformal(written, few)$method)
  ends <- function(fit) confint(margin_bootstrap(fit, few, resamples = 39, seed = 1))
  expect_equal(ends(named), ends(written))
  expect_false(any(grepl("balanced", capture.output(print(margin_loo(named, few))))))
  how <- "balanced"
  balanced <- margin_linear(Species ~ Sepal.Width, few, class_weights = how, lambda = 0.05)
  expect_match(margin_conformal(balanced, few, seed = 1)$why, "balanced")
})

test_that("an update asks the new rows for what the old ones were asked for", {
  how <- "balanced"
  width <- kernel_rbf()
  many <- "auto"
  formula <- Species ~ Sepal.Width + Sepal.Length
  pairs <- list(
    list(margin_linear(formula, d, class_weights = "balanced", lambda = 0.1),
         margin_linear(formula, d, class_weights = how, lambda = 0.1)),
    list(margin_kernel(formula, d, kernel = kernel_rbf(), lambda = 0.1),
         margin_kernel(formula, d, kernel = width, lambda = 0.1)),
    list(margin_kernel(formula, d, nystrom = "auto", lambda = 0.1),
         margin_kernel(formula, d, nystrom = many, lambda = 0.1)),
    list(margin_path(formula, d, class_weights = "balanced", lambda = c(0.1, 0.01)),
         margin_path(formula, d, class_weights = how, lambda = c(0.1, 0.01)))
  )
  for (pair in pairs) {
    new <- lapply(pair, function(object) update(object, data = half))
    parts <- c("class_weights", "kernel", "nystrom")
    expect_identical(new[[2L]]$settings[parts], new[[1L]]$settings[parts])
  }
  cv <- margin_cv(formula, d, class_weights = how, grid = list(lambda = c(0.1, 0.01)), folds = 3, seed = 1)
  fit <- refit(cv)
  again <- margin_linear(formula, half, class_weights = "balanced", lambda = fit$settings$lambda)
  expect_identical(update(fit, data = half)$settings$class_weights, again$settings$class_weights)
})

test_that("no verb takes a global variable for that of a function", {
  expect_false(exists("own_weight", globalenv()))
  assign("own_weight", rep(1, 100), globalenv())
  on.exit(rm("own_weight", envir = globalenv()))
  grid <- list(lambda = c(0.1, 0.01))
  specs <- list(a = spec_margin("linear", lambda = 0.1), b = spec_margin("linear", lambda = 0.01))
  make <- function() {
    own_weight <- ifelse(d$Species == "setosa", 9, 1)
    formula <- Species ~ Sepal.Width
    cv <- margin_cv(formula, d, weights = own_weight, grid = grid, folds = 3, seed = 1)
    list(cv, refit(cv), margin_path(formula, d, weights = own_weight, lambda = c(0.1, 0.01)),
         margin_cv(formula, d, weights = own_weight, grid = grid, folds = 2, outer = 2, seed = 1),
         margin_compare(Species ~ Sepal.Width, d, weights = own_weight, specs = specs, folds = 3, seed = 1))
  }
  made <- make()
  cv <- made[[1L]]
  formula <- Species ~ Sepal.Width
  for (object in made) expect_input_error(update(object), "weights", "variable of the function")
  expect_equal(update(cv, weights = ifelse(d$Species == "setosa", 9, 1))$results$score, cv$results$score)
})

test_that("rows of weight 0 are in no number of a test", {
  set.seed(8)
  d <- data.frame(a = rnorm(120), b = rnorm(120))
  d$y <- factor(ifelse(d$a + rnorm(120) > 0, "p", "n"))
  folds <- rep(1:6, each = 20)
  w <- ifelse(folds %% 2 == 0, 0, 1)
  specs <- list(A = spec_margin(loss = "hinge"), B = spec_margin(loss = "logistic", lambda = 1))
  all <- margin_compare(y ~ a + b, d, specs = specs, folds = folds, weights = w)
  less <- margin_compare(y ~ a + b, d[w > 0, ], specs = specs, folds = folds[w > 0])
  numbers <- c("std.error", "p.value")
  expect_equal(as.data.frame(tidy(all, tests = "corrected_t")[numbers]),
               as.data.frame(tidy(less, tests = "corrected_t")[numbers]), tolerance = 1e-6)
  cv <- margin_cv(y ~ a + b, d, grid = list(lambda = 0.1), folds = folds, weights = w)
  expect_identical(unique(cv$results$n_test), c(20L, 0L))
})

test_that("a comparison on one split has no test of its mean", {
  set.seed(8)
  d <- data.frame(a = rnorm(60))
  d$y <- factor(ifelse(d$a + rnorm(60) > 0, "p", "n"))
  compared <- margin_compare(y ~ a, d, folds = list(list(train = 1:40, test = 41:60)),
                             specs = list(A = spec_margin(loss = "hinge"), B = spec_margin(loss = "logistic")))
  expect_output(print(compared), "2 models")
  expect_output(print(summary(compared)), "A")
  expect_true(all(is.na(tidy(compared, tests = "corrected_t")$p.value)))
})

test_that("weights that caret keeps beside the columns are no column", {
  skip_if_not_installed("LiblineaR")
  x <- as.matrix(d[1:2])
  engine <- LiblineaR::LiblineaR(x, d$Species, type = 2, cost = 0.4, epsilon = 1e-10)
  model <- structure(list(finalModel = engine, bestTune = data.frame(cost = 0.4),
                          trainingData = data.frame(x, .outcome = d$Species, .weights = 1)), class = "train")
  expect_identical(margin_audit(model)$verdict, "exact")
})

test_that("arguments that say the same wherever they are evaluated are known", {
  is_constant <- asNamespace("dualmargin")$is_constant
  same <- expression(0.1, "rbf", NULL, -2, c(a = 1, b = 2 * 3), kernel_rbf(0.3), dualmargin::kernel_rbf(0.3),
                     loss_huber(1.5), rep(1, 4))
  other <- expression(x, f(), runif(1), kernel_rbf(s), stats::runif(1), (function() 1)(), c(1, x), dualmargin::f(1))
  for (one in as.list(same)) expect_true(is_constant(one), label = deparse1(one))
  for (one in as.list(other)) expect_false(is_constant(one), label = deparse1(one))
})

test_that("an update of a search is of its family", {
  grid <- list(lambda = c(0.1, 0.01))
  family <- "kernel"
  named <- margin_cv(Species ~ Sepal.Width, d, family = family, grid = grid, folds = 3, seed = 1)
  written <- margin_cv(Species ~ Sepal.Width, d, family = "kernel", grid = grid, folds = 3, seed = 1)
  family <- "linear"
  for (cv in list(named, written)) {
    expect_identical(update(cv)$family, "kernel")
    expect_equal(update(cv)$results$score, cv$results$score)
  }
  nested <- margin_cv(Species ~ Sepal.Width, d, family = "kernel", grid = grid, folds = 2, outer = 2, seed = 1)
  expect_identical(update(nested)$family, "kernel")
})
