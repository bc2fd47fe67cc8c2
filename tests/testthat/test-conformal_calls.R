# Models of conformal sets are those of the fit's call, whatever its arguments were written as; and a
# part of one row is a part.

rows_of_three <- function(n) {
  class <- sample(3, n, TRUE, c(0.6, 0.2, 0.2))
  data.frame(a = rnorm(n) + 0.5 * (class == 2), b = rnorm(n) + 0.5 * (class == 3),
             y = factor(letters[class]))
}

test_that("a row that is held out alone has the score of its own class", {
  set.seed(2)
  d <- rows_of_three(60)
  new <- rows_of_three(2000)
  fit <- margin_linear(y ~ ., d, loss = "squared_hinge", lambda = 0.01)
  sets <- margin_conformal(fit, d, folds = 60, level = 0.9, seed = 1)
  table <- summary(sets, new)
  all <- table[table$of == "all", ]
  expect_gt(all$upper, summary(sets)$guaranteed[1L])
  expect_gt(all$coverage, 0.8)
})

test_that("a penalty is by what was given, not by what is named in the call", {
  set.seed(1)
  x <- matrix(rnorm(120), 40, dimnames = list(NULL, letters[1:3]))
  y <- x[, 1] + rnorm(40)
  new <- matrix(rnorm(6), 2, dimnames = list(NULL, letters[1:3]))
  wrap <- function(lambda = NULL, cost = NULL) margin_linear(x, y, lambda = lambda, cost = cost)
  cases <- list(list(cost = 3), list(lambda = 0.02), list())
  for (case in cases) {
    plain <- do.call(margin_linear, c(list(x, y), case))
    wrapped <- do.call(wrap, case)
    for (method in c("jackknife+", "cv+")) {
      sets <- function(fit) {
        of_folds <- if (method == "cv+") list(folds = 5, seed = 1)
        predict(do.call(margin_conformal, c(list(fit, x, y, method = method), of_folds)), new)
      }
      expect_equal(sets(wrapped), sets(plain), tolerance = 1e-8)
    }
    expect_equal(coef(update(wrapped, x = x, y = 2 * y)), coef(update(plain, x = x, y = 2 * y)), tolerance = 1e-6)
  }
})

test_that("a kernel is what the fit had, by whatever name or function", {
  set.seed(1)
  x <- matrix(rnorm(80), 40)
  y <- factor(ifelse(x[, 1] + rnorm(40) > 0, "b", "a"))
  named <- margin_kernel(x, y, kernel = "rbf", scale = FALSE)
  expect_s3_class(margin_conformal(named, x, y, seed = 1), "margin_conformal")
  fit_in_function <- function() {
    make <- function() kernel_rbf(0.3)
    margin_kernel(x, y, kernel = make(), scale = FALSE)
  }
  written <- margin_kernel(x, y, kernel = kernel_rbf(0.3), scale = FALSE)
  expect_identical(predict(margin_conformal(fit_in_function(), x, y), x), predict(margin_conformal(written, x, y), x))
  # a width that was chosen from the rows is chosen again, by whatever name the kernel has
  for (kernel in list(kernel_rbf(), "rbf")) {
    sets <- margin_conformal(margin_kernel(x, y, kernel = kernel, scale = FALSE), x, y, folds = 4, seed = 1)
    widths <- vapply(sets$models, function(model) model$fit$settings$kernel$sigma, 0)
    expect_length(unique(widths), 4L)
  }
  drawn <- function() {
    strength <- function() 0.7
    margin_linear(x, y, lambda = strength())
  }
  written <- margin_linear(x, y, lambda = 0.7)
  sets <- function(fit) predict(margin_conformal(fit, x, y, folds = 4, seed = 1), x)
  expect_equal(sets(drawn()), sets(written))
})

test_that("rows of weight 0 are no rows of landmarks", {
  set.seed(1)
  x <- matrix(rnorm(120), 60)
  y <- factor(ifelse(x[, 1] + rnorm(60) > 0, "b", "a"))
  w <- rep(c(0, 1, 2), 20)
  used <- w > 0
  fit <- function(x, y, w) {
    margin_kernel(x, y, kernel = kernel_rbf(0.5), loss = "logistic", nystrom = 3, weights = w, lambda = 0.01)
  }
  all <- margin_audit(fit(x, y, w), x, y)
  expect_true(all$excess$from <= all$excess$to)
  expect_identical(all$nobs, sum(used))
  expect_warning(automatic <- margin_kernel(x, y, kernel = kernel_rbf(0.5), loss = "logistic",
                                            nystrom = "auto", weights = w, lambda = 0.01), NA)
  expect_s3_class(automatic, "margin_kernel")
})

test_that("columns far from 0 are scaled anew as near ones are", {
  set.seed(4)
  x <- cbind(a = round(rnorm(10) * 2^10) / 2^10)
  x[1] <- 256
  y <- x[, 1] + rnorm(10)
  y[1] <- 259
  new <- cbind(a = c(-200, 200))
  for (method in c("jackknife+", "full")) {
    ends <- lapply(c(0, 2^31), function(far) {
      sets <- margin_conformal(margin_linear(x + far, y, lambda = 0.5), x + far, y, method = method,
                               level = 0.85)
      predict(sets, new + far)[c("lower", "upper")]
    })
    # outwards by at most what is open of the far ones, and never inwards
    expect_true(all(ends[[2L]]$lower <= ends[[1L]]$lower + 1e-7))
    expect_true(all(ends[[2L]]$upper >= ends[[1L]]$upper - 1e-7))
    expect_equal(ends[[2L]], ends[[1L]], tolerance = 1e-6)
  }
})
