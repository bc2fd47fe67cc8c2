# The proven minimum of a cross-validated error, against the errors of fits at other penalties.

two_classes <- function(n, p, strength = 1) {
  x <- matrix(rnorm(n * p), n)
  y <- factor(ifelse(x %*% rnorm(p) * strength + rlogis(n) > 0, "yes", "no"))
  list(x = x, y = y)
}

# Weight of the rows that fits at 1e-12 misclassify, fold by fold; of rows that stand on the border
# to 1e-7, which the reference does not decide, also the weight.
reference_error <- function(d, folds, lambda, weights = rep(1, length(d$y)), ...) {
  wrong <- vapply(sort(unique(folds)), function(fold) {
    train <- folds != fold
    fit <- suppressWarnings(margin_linear(d$x[train, ], d$y[train], lambda = lambda,
                                          weights = weights[train],
                                          control = margin_control(tol = 1e-13, seed = 1), ...))
    score <- predict(fit, d$x[!train, , drop = FALSE], type = "score")
    bad <- (score >= 0) != (d$y[!train] == levels(d$y)[2L])
    near <- abs(score) < 1e-7
    c(sum(weights[!train][bad & !near]), sum(weights[!train][near]))
  }, c(0, 0))
  rowSums(wrong) / sum(weights)
}

expect_proof <- function(tune, d, folds, n, ...) {
  lambda <- exp(runif(n, log(tune$range[1L]), log(tune$range[2L])))
  for (one in lambda) {
    error <- reference_error(d, folds, one, ...)
    info <- format(one, digits = 16)
    expect_gte(sum(error), tune$least - 1e-12, label = info)
    step <- tune$bound$lower[tune$bound$from <= one & tune$bound$to >= one]
    expect_gte(sum(error), min(step) - 1e-12, label = info)
  }
  best <- reference_error(d, folds, tune$lambda, ...)
  expect_gte(sum(best), tune$error[["lower"]] - 1e-12)
  expect_lte(best[1L], tune$error[["upper"]] + 1e-12)
}

test_that("the steps cover the range, and the bound is not above the errors that were seen", {
  set.seed(23)
  d <- two_classes(50, 4)
  tune <- margin_cv(d$x, d$y, prove = TRUE, grid = list(lambda = c(1e-3, 1)), folds = 5, eps = 0.02,
                    seed = 4)
  bound <- tune$bound
  expect_equal(range(bound$from, bound$to), c(1e-3, 1))
  expect_equal(bound$from[-1L], bound$to[-nrow(bound)])
  for (i in seq_len(nrow(tune$points))) {
    at <- bound$from < tune$points$lambda[i] & bound$to > tune$points$lambda[i]
    expect_true(all(bound$lower[at] <= tune$points$upper[i] + 1e-12))
  }
})

test_that("the steps begin and end at the range as it was given", {
  set.seed(35)
  d <- two_classes(20, 2)
  range <- c(0.6559929, 6.559929)
  expect_false(identical(exp(log(range)), range))
  bound <- margin_cv(d$x, d$y, prove = TRUE, grid = list(lambda = range), folds = 3, eps = 0.3,
                     seed = 1)$bound
  expect_identical(c(bound$from[1L], bound$to[nrow(bound)]), range)
  # no step is a single point, where the bound would be that of no row at all
  expect_true(all(bound$to > bound$from * (1 + 1e-14)))
})

test_that("equal rows with different labels do not stand in the way of a proof", {
  set.seed(31)
  d <- two_classes(60, 2)
  d$x <- round(d$x)
  folds <- rep_len(1:3, 60)
  expect_true(anyDuplicated(cbind(d$x, folds, d$y)) > 0)
  weights <- sample(c(1, 2), 60, TRUE)
  for (x in list(d$x, methods::as(d$x, "CsparseMatrix"))) {
    tune <- margin_cv(x, d$y, prove = TRUE, grid = list(lambda = c(1e-3, 1)), folds = folds,
                      weights = weights)
    expect_true(tune$proven)
    expect_proof(tune, d, folds, 6L, weights = weights)
  }
  # of the rows 1:2 the labels weigh 2 against 3, of the rows 3:4 2 against 2
  n <- nrow(d$x)
  found <- tune_search_cpp(
    rbind(d$x, 1:2, 3:4, 1:2, 1:2, 3:4), c(2 * as.integer(d$y) - 3, 1, 1, -1, 1, -1),
    c(rep(0, n), 1, 2, 3, 1, 2), list(list(omega = rep(c(1, 0), c(n, 5)), test = n + 1:5)),
    list(loss = "logistic", parameter = 0, from = 0.1, to = 1, eps = 0, most = 2,
         intercept = "free", scale = FALSE, n_classes = 1),
    core_control(linear_settings("logistic", NULL, 0, "free", FALSE, NULL, "auto",
                                 margin_control(seed = 1), NULL), NULL)
  )
  expect_identical(found$total, 9)
  expect_true(all(c(found$lower, found$upper) %in% c(4, 5)))
})

test_that("a row of zeros without an intercept is wrong for ever, and proven so", {
  set.seed(26)
  d <- two_classes(30, 2)
  d$x[1:3, ] <- 0
  d$y[1:3] <- c("no", "no", "yes")
  tune <- margin_cv(d$x, d$y, prove = TRUE, grid = list(lambda = c(0.01, 1)), folds = rep_len(1:3, 30),
                    intercept = "none")
  expect_true(tune$proven)
  expect_equal(sum(reference_error(d, rep_len(1:3, 30), tune$lambda, intercept = "none")),
               tune$least + 1 / 30)
})

test_that("what is not proven is said: points used up, best at the end", {
  set.seed(27)
  d <- two_classes(60, 3)
  expect_warning(
    tune <- margin_cv(d$x, d$y, loss = "hinge", intercept = "none", prove = TRUE,
                      grid = list(lambda = c(1e-3, 1)), folds = 3, max_points = 10, seed = 1),
    "Not proven within eps = 0", class = "dualmargin_not_certified"
  )
  expect_false(tune$proven)
  expect_identical(tune$ended, "points")
  expect_identical(nrow(tune$points), 10L)
  expect_output(print(tune), "NOT proven within eps = 0")
  on_null_device(plot(tune))
  wide <- margin_cv(d$x, d$y, prove = TRUE, grid = list(lambda = c(100, 200)), folds = 3, seed = 1,
                    eps = 1)
  expect_output(print(wide), "widen the range")
})

test_that("errors name the argument", {
  set.seed(28)
  d <- two_classes(20, 2)
  tell <- function(arg, text, ..., y = d$y) {
    expect_input_error(margin_cv(d$x, y, prove = TRUE, ...), arg, text)
  }
  tell("grid", "two ends of a range", grid = list(lambda = 1))
  tell("grid", "position 1", grid = list(lambda = c(-1, 1)))
  tell("family", "is for", family = "kernel")
  tell("metric", "misclassification", metric = "log_loss")
  tell("outer", "beside prove", outer = 2)
  tell("rule", "beside prove", rule = "best")
  expect_input_error(margin_cv(d$x, d$y, eps = 0.1), "eps", "for prove = TRUE")
  tell("eps", "from 0 to 1", eps = 2)
  tell("intercept", "penalized", loss = "hinge")
  tell("loss", "several classes", y = factor(rep_len(1:3, 20)), loss = "squared_hinge")
  tell("y", "numeric", y = rnorm(20))
  tell("grid", "two ends of a range", grid = list(lambda = c(0.1, 1), mixture = 0))
  tell("lambda", "ends of its range", lambda = 1)
  tell("mixture", "not an argument", mixture = 1)
  tell("max_points", "above 1", max_points = 1)
})

test_that("a1a: 257 of 1,605 is the smallest error of all penalties from 1e-4 to 1", {
  d <- a1a
  x <- d$x[, Matrix::colSums(d$x) > 0]
  set.seed(1)
  folds <- sample(rep(1:5, length.out = 1605))
  tune <- margin_cv(x, factor(d$y), prove = TRUE, folds = folds, scale = FALSE, seed = 1)
  expect_true(tune$proven)
  expect_equal(tune$least * 1605, 257)
  expect_lte(nrow(tune$points), 45L)
  # on scaled columns two rows that differ in their labels only would else stop the proof
  scaled <- margin_cv(x, factor(d$y), prove = TRUE, folds = folds, seed = 1)
  expect_true(scaled$proven)
  expect_equal(scaled$least * 1605, 257)
})

test_that("a search of one point has no interval: R refuses it before the core calls it proven", {
  skip_without_probes()
  expect_identical(probe("search", 0, 0.2, 0.1, 10, 1)[c("ended", "intervals")],
                   list(ended = "proven", intervals = 0L))
  d <- two_classes(40, 3)
  expect_input_error(margin_cv(d$x, d$y, prove = TRUE, max_points = 1), "max_points", "above 1")
})

test_that("phi' is off its chord by at most th (1 - th) q", {
  set.seed(34)
  for (loss in list(as_loss("logistic"), as_loss("squared"), loss_smooth_hinge(0.6), loss_huber(0.7),
                    loss_squared_hinge())) {
    y <- sample(c(-1, 1), 500, TRUE)
    low <- rnorm(500, sd = 2)
    high <- low + rnorm(500)
    parameter <- if (is.null(loss$parameter)) 0 else loss$parameter[[1L]]
    q <- probe("slope_bend", loss$name, parameter, low, high, y)
    slope <- function(z) certain_slope(loss, z, y)
    ratio <- vapply(c(0.1, 0.3, 0.5, 0.7, 0.9), function(th) {
      off <- abs(slope((1 - th) * low + th * high) - (1 - th) * slope(low) - th * slope(high))
      max((off - 1e-14) / pmax(th * (1 - th) * q, 1e-300))
    }, 0)
    expect_lte(max(ratio), 1 + 1e-9)
    if (loss$name != "squared") expect_gte(max(ratio), 0.5)
  }
})
