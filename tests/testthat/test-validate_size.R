# Numbers whose squares or inverses leave double precision, and counts that no result could hold:
# told before any work, by argument.

sized <- function() {
  set.seed(1)
  list(x = matrix(rnorm(80), 20), y = rep(c(-1, 1), 10), r = rnorm(20))
}

test_that("weights and class weights must add up to a number that can be divided by", {
  d <- sized()
  for (fit in list(margin_linear, margin_kernel, margin_robust, margin_augmented, margin_hard)) {
    expect_input_error(fit(d$x, d$y, weights = rep(1e307, 20)), "weights",
                       "gives row 1 the weight 1e+307")
    expect_input_error(fit(d$x, d$y, weights = rep(1e-320, 20)), "weights", "beyond what double")
    expect_input_error(fit(d$x, d$y, weights = rep(1e99, 20)), "weights", "add up to 2e+100")
  }
  for (fit in list(margin_linear, margin_kernel, margin_robust, margin_augmented)) {
    expect_input_error(fit(d$x, d$y, class_weights = c("-1" = 1e308, "1" = 1e308)),
                       "class_weights", "gives row 1 the weight 1e+308")
    expect_input_error(fit(d$x, d$y, weights = rep(1e60, 20),
                           class_weights = c("-1" = 1, "1" = 1e60)), "class_weights", "row 2")
  }
  heavy <- margin_linear(d$x, d$y, weights = rep(1e90, 20), lambda = 0.1, loss = "smooth_hinge")
  expect_true(certificate(heavy)$certified)
  expect_equal(coef(heavy), coef(margin_linear(d$x, d$y, lambda = 0.1, loss = "smooth_hinge")),
               tolerance = 1e-6)
  # a weight of 0 has no size
  expect_silent(assert_total_weight(c(0, 1, 1e99), "weights"))
})

test_that("strengths of the penalty and the like have a size", {
  d <- sized()
  for (fit in list(margin_linear, margin_kernel, margin_augmented)) {
    for (lambda in c(1e-320, 1e-101, 1e101, 1e308)) {
      expect_input_error(fit(d$x, d$y, lambda = lambda), "lambda", "beyond double precision")
      expect_input_error(fit(d$x, d$y, cost = lambda), "cost", "beyond double precision")
    }
    expect_input_error(fit(d$x, d$y, cost = 1e-60, weights = rep(1e-60, 20)), "cost",
                       "give a lambda")
  }
  expect_input_error(margin_path(d$x, d$y, lambda = c(1, 1e-320), loss = "smooth_hinge"),
                     "lambda", "at position 2")
  expect_input_error(margin_robust(d$x, d$y, radius = 1e200, intercept = "none", scale = FALSE),
                     "radius", "1e+200")
  expect_input_error(margin_robust(d$x, d$y, ridge = 1e200, intercept = "none", scale = FALSE),
                     "ridge", "1e+200")
  expect_input_error(margin_robust(d$x, d$y, label_cost = 1e200, intercept = "none", scale = FALSE),
                     "label_cost", "1e+200")
  expect_input_error(kernel_rbf(1e300), "sigma", "1e+300")
  expect_input_error(kernel_polynomial(offset = 1e300), "offset", "1e+300")
  expect_input_error(loss_huber(1e-300), "delta", "1e-300")
  expect_input_error(loss_smooth_hinge(1e300), "gamma", "1e+300")
  expect_input_error(perturb_gaussian(1e300), "sd", "1e+300")
})

test_that("columns and responses whose squares overflow are named", {
  d <- sized()
  x <- d$x
  x[7, 3] <- -1e300
  sparse <- methods::as(x, "CsparseMatrix")
  for (fit in list(margin_linear, margin_kernel, margin_robust, margin_augmented, margin_hard)) {
    expect_input_error(fit(x, d$y), "x", "-1e+300 in row 7, column \"V3\"")
    expect_input_error(fit(sparse, d$y), "x", "-1e+300 in row 7, column \"V3\"")
  }
  expect_input_error(margin_hard(d$x * 1e300, d$y, intercept = "none"),
                     "x", "whose square is beyond double precision")
  y <- replace(d$r, 4, 1e297)
  for (fit in list(margin_linear, margin_kernel, margin_augmented)) {
    for (loss in c("squared", "huber")) {
      expect_input_error(fit(d$x, y, loss = loss), "y", "1e+297 at position 4")
    }
  }
  expect_input_error(
    margin_linear(matrix(1), -4.77e299, loss = "squared", lambda = 0.078, mixture = 1,
                  scale = FALSE), "y", "-4.77e+299"
  )
})

test_that("options of solvers have bounds that keep a fit finite", {
  d <- sized()
  told <- function(fit, solver, option, text, ...) {
    control <- margin_control(solver_options = option)
    expect_input_error(fit(d$x, d$y, solver = solver, control = control, ...), names(option), text)
  }
  for (solver in c("isg", "ippa", "hybrid")) {
    told(margin_robust, solver, list(step = 1e300), "strictly between 1e-12 and 1e+12")
  }
  told(margin_kernel, "block_sdca", list(block = 0), "from 1 to 1e+06")
  told(margin_kernel, "smo", list(cache_mb = 1e300), "between 0 and 1e+06", loss = "hinge")
  told(margin_linear, "aspdc_i", list(strength = 1e-300), "1e-12", intercept = "none")
})

test_that("paths, grids, folds and repetitions are counted before they are made", {
  d <- sized()
  for (n in c(1e6, 1e9, 1e10, 1e300)) {
    expect_input_error(margin_path(d$x, d$y, n_lambda = n, loss = "smooth_hinge"),
                       "n_lambda", "the most are 10,000")
    expect_input_error(margin_path(d$x, d$y, n_lambda = n, family = "kernel", intercept = "none"),
                       "n_lambda", "most")
    expect_input_error(margin_path(d$x, d$y, n_radius = n, family = "robust",
                                   intercept = "none", scale = FALSE), "n_radius", "most")
    expect_input_error(margin_folds(d$y, 3, repeats = n), "repeats", "the most are 10,000")
    expect_input_error(margin_cv(d$x, d$y, folds = 3, repeats = n, loss = "smooth_hinge"),
                       "repeats", "the most are")
    expect_input_error(margin_folds(d$y, n), "folds", "use fewer folds")
  }
  expect_input_error(margin_path(d$x, d$y, lambda = 1 / seq_len(20000), loss = "smooth_hinge"),
                     "lambda", "20,000 points")
  expect_input_error(margin_path(d$x, d$y, n_lambda = 5000, mixture = c(0, 0.5, 1),
                                 loss = "smooth_hinge"), "mixture",
                     "15,000 points")
  expect_input_error(margin_path(d$x, d$y, rate = seq(0, 0.5, length.out = 2e4),
                                 family = "augmented", intercept = "none", scale = FALSE),
                     "rate", "20,000 points")
  grid <- list(lambda = 10^seq(-3, 3, length.out = 3000), mixture = seq(0, 1, length.out = 3000))
  expect_input_error(margin_cv(d$x, d$y, grid = grid, loss = "smooth_hinge"),
                     "grid", "9,000,000 settings")
  expect_input_error(margin_cv(d$x, d$y, grid = list(lambda = 1:1001), folds = 2, repeats = 500,
                               loss = "smooth_hinge"),
                     "grid", "1,001,000 fits")
})

test_that("what a count takes of memory is told by its argument", {
  d <- sized()
  old <- options(dualmargin.memory = 2e9)
  on.exit(options(old))
  expect_input_error(margin_kernel(d$x, d$y, mixup = mixup_pairs(2147483647), intercept = "none"),
                     "mixup",
                     "adds 2,147,483,647 mixed rows to 20 rows")
  expect_input_error(mixup_data(d$x, d$y, 2147483647), "mixup", "GB of memory are needed")
  broad <- matrix(rnorm(20 * 200), 20)
  expect_input_error(margin_kernel(broad, d$y, kernel = kernel_ntk(1e6), intercept = "none"),
                     "width",
                     "1,000,000 hidden units for 20 rows and 200 columns")
  # 30,000 classes of 30,000 rows
  many <- factor(seq_len(30000))
  expect_input_error(margin_linear(matrix(rnorm(30000), ncol = 1), many, loss = "smooth_hinge"),
                     "y",
                     "has 30,000 labels for 30,000 rows")
  wide <- methods::new("dgCMatrix", i = 0:1, p = c(0L, 1L, rep(2L, 1e5 - 1)), x = c(1, 1),
                       Dim = c(2L, 100000L))
  expect_input_error(margin_path(wide, c(-1, 1), n_lambda = 9000, loss = "smooth_hinge"),
                     "n_lambda",
                     "9,000 points of 100,000 coefficients each")
  # no allocation of a row number for every row, fold and repetition
  expect_input_error(as_resamples(rep_len(1:10000, 30000), NULL, seq_len(30000)), "folds",
                     "10,000 parts of 30,000 rows")
  tall <- matrix(rnorm(20000), ncol = 1)
  expect_input_error(margin_kernel(tall, rep(c(-1, 1), 1e4), kernel = kernel_rbf(1),
                                   nystrom = 19999, intercept = "none"),
                     "nystrom", "give fewer landmarks")
})
