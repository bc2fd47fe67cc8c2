# One-class support vector machines: the certificate from its definition, the properties of nu and
# rho, weights, invariances, other packages, and what a user gives wrongly.

rows_of_two <- function(n = 150L, p = 4L, seed = 3L) {
  set.seed(seed)
  matrix(rnorm(n * p), n, dimnames = list(NULL, sprintf("v%d", seq_len(p)))) + 3
}
plot_of <- function(fit, ...) {
  grDevices::pdf(NULL)
  on.exit(grDevices::dev.off())
  plot(fit, ...)
}

quick <- function(...) margin_oneclass(..., control = margin_control(tol = 1e-9, threads = 1))

kernels_here <- list(kernel_rbf(0.3), kernel_laplace(0.5), kernel_polynomial(2, 0.5, 1),
                     as_kernel("linear"))

test_that("nu is above the share of outliers and below that of support vectors", {
  x <- rows_of_two(400L)
  for (nu in c(0.02, 0.1, 0.5, 0.9)) {
    fit <- quick(x, nu = nu, kernel = kernel_rbf(0.3))
    # rows on the boundary are outliers by rounding alone
    expect_lte(mean(fit$scores < -1e-6 * fit$rho), nu + 1e-12)
    expect_gte(length(fit$coefficients) / 400, nu - 1e-12)
    expect_equal(unname(summary(fit)$performance$shares["nu"]), nu)
  }
})

one_class_optima <- function(check) {
  x <- rows_of_two(200L)
  K <- plain_kernel(kernel_rbf(0.3), x)
  for (nu in c(0.05, 0.3)) {
    check(x, nu, quick(x, nu = nu, kernel = kernel_rbf(0.3), scale = FALSE),
          function(a) -0.5 * sum(a * (K %*% a)))
  }
}

test_that("e1071 finds the same optimum", {
  skip_if_not_installed("e1071")
  one_class_optima(function(x, nu, fit, bound) {
    peer <- e1071::svm(x, type = "one-classification", nu = nu, gamma = 0.3, scale = FALSE,
                       tolerance = 1e-8)
    a <- numeric(200)
    a[peer$index] <- peer$coefs / (nu * 200)
    expect_equal(certificate(fit)$value, bound(a), tolerance = 1e-6)
    expect_equal(fit$rho, peer$rho / (nu * 200), tolerance = 1e-4)
  })
})

test_that("what ends a run early is said, with a bound that holds", {
  x <- rows_of_two(500L)
  best <- certificate(quick(x, nu = 0.3, kernel = kernel_rbf(0.3)))$value
  fit <- expect_warning(
    margin_oneclass(x, nu = 0.3, kernel = kernel_rbf(0.3),
                    control = margin_control(max_seconds = 1e-6)),
    class = "dualmargin_not_certified"
  )
  fit <- suppressWarnings(margin_oneclass(x, nu = 0.3, kernel = kernel_rbf(0.3),
                                          control = margin_control(max_seconds = 1e-6)))
  expect_gte(certificate(fit)$value, best - 1e-9)
  expect_lte(certificate(fit)$bound, best)
  # an origin among the rows: the optimum is 0, of which no share is small enough
  expect_warning(margin_oneclass(rbind(x - 3, -(x - 3)), nu = 0.5, kernel = "linear"), "origin",
                 class = "dualmargin_not_certified")
})

test_that("bad input is refused by name", {
  x <- rows_of_two(20L)
  expect_input_error(margin_oneclass(x, nu = 0), "nu", "above 0")
  expect_input_error(margin_oneclass(x, nu = 1.5), "nu", "at most 1")
  expect_input_error(margin_oneclass(x, nu = NA), "nu", "finite number")
  expect_input_error(margin_oneclass(x, kernel = "cosine"), "kernel", "cosine")
  expect_input_error(margin_oneclass(x, gamma = 1), "gamma", "margin_oneclass()")
  expect_input_error(margin_oneclass(replace(x, 3, NA)), "x", "")
  expect_input_error(margin_oneclass(x, weights = rep(0, 20)), "weights", "")
  expect_input_error(margin_oneclass(v1 ~ ., data.frame(x)), "formula", "response")
  expect_input_error(margin_oneclass("a"), "x", "matrix")
  fit <- margin_oneclass(x, nu = 0.2, kernel = kernel_rbf(0.3))
  expect_input_error(predict(fit, x[, 1:3]), "newdata", "lacks")
  expect_input_error(predict(fit, x, type = "prob"), "type", "score")
  expect_input_error(predict(fit, NULL), "newdata", "NULL")
  expect_input_error(margin_oneclass(x, control = margin_control(start = margin_linear(
    x, rep(c(-1, 1), 10)))), "start", "oneclass fit")
})

test_that("an optimum of 0 is certified at no tolerance and in no unit of the rows", {
  wrong <- character()
  for (seed in 1:10) for (unit in c(1e-6, 1, 1e6)) for (tol in c(0.5, 1e-3, 1e-6)) {
    set.seed(seed)
    x <- matrix(rnorm(60), 30)
    fit <- suppressWarnings(margin_oneclass(rbind(x, -x) * unit, nu = 0.5, kernel = "linear",
                                            scale = FALSE, control = margin_control(tol = tol)))
    row <- certificate(fit)
    # 0 is the optimum: f = 0 is the mean of rows that come with their mirror image
    if (row$certified || row$bound > 0 || fit$boundary != 0) {
      wrong <- c(wrong, paste(seed, unit, tol))
    }
  }
  expect_identical(wrong, character())
})

test_that("the default is the radial kernel with the median heuristic", {
  x <- rows_of_two(60L)
  fit <- quick(x, nu = 0.2)
  expect_identical(fit$settings$kernel$name, "rbf")
  labelled <- margin_kernel(x, rep(c("a", "b"), 30), kernel = kernel_rbf())
  expect_identical(fit$settings$kernel$sigma, labelled$settings$kernel$sigma)
  expect_equal(predict(fit, x, type = "score"),
               predict(quick(x, nu = 0.2, kernel = kernel_rbf()), x, type = "score"))
})

test_that("rows on the boundary within the certified error are counted and are no outliers", {
  for (nu in c(0.05, 0.2, 0.5)) for (kernel in kernels_here) {
    x <- rows_of_two(120L)
    fit <- margin_oneclass(x, nu = nu, kernel = kernel, scale = FALSE,
                           control = margin_control(tol = 1e-5))
    exact <- quick(x, nu = nu, kernel = kernel, scale = FALSE)
    K <- plain_kernel(kernel, x)
    gap <- certificate(fit)$gap
    expect_equal(fit$boundary, 2 * sqrt(gap * max(diag(K))), tolerance = 1e-6)
    # no decision value is farther from that of the optimum, but for what the better fit lacks
    expect_true(all(abs(fit$scores - exact$scores) <= fit$boundary + exact$boundary))
    outlier <- predict(fit) == "outlier"
    expect_identical(outlier, fit$scores < -fit$boundary)
    # those that are left are outliers at the optimum, of which there is at most the share nu
    expect_true(all(exact$scores[outlier] <= exact$boundary))
    expect_lte(mean(outlier), nu)
    expect_identical(glance(fit)$on_boundary, sum(abs(fit$scores) <= fit$boundary))
    expect_equal(glance(fit)$outside, mean(outlier))
    expect_equal(unname(summary(fit)$performance$shares["outliers"]), mean(outlier))
    expect_identical(predict(fit, x), predict(fit))
    expect_identical(plot_of(fit)$outlier, unname(outlier))
  }
})

plot_of <- function(fit, ...) {
  grDevices::pdf(NULL)
  on.exit(grDevices::dev.off())
  plot(fit, ...)
}

test_that("distances are those from the smallest ball, of Tax and Duin", {
  x <- rows_of_two(80L)
  new <- rows_of_two(15L, seed = 9L)
  for (kernel in list(kernel_rbf(0.3), kernel_laplace(0.4))) for (nu in c(0.05, 0.3)) {
    fit <- quick(x, nu = nu, kernel = kernel, scale = FALSE)
    K <- plain_kernel(kernel, rbind(x, new))
    a <- unname(fit$dual)
    square <- drop(a %*% K[1:80, 1:80] %*% a)
    distance <- function(at) sqrt(1 - 2 * drop(K[at, 1:80] %*% a) + square)
    expect_equal(unname(predict(fit, new, type = "distance")), distance(81:95), tolerance = 1e-8)
    expect_equal(unname(predict(fit, type = "distance")), distance(1:80), tolerance = 1e-8)
    # the problem of the ball: R^2 + 1/(nu n) sum of slacks is twice that of one class, and 1 more
    ball <- function(radius2) {
      radius2 + sum(pmax(distance(1:80)^2 - radius2, 0)) / (nu * 80)
    }
    expect_equal(ball(fit$radius^2), 1 + 2 * certificate(fit)$value, tolerance = 1e-9)
    expect_gte(ball(fit$radius^2), 1 + 2 * certificate(fit)$bound - 1e-9)
    near <- min(ball(fit$radius^2 * 0.99), ball(fit$radius^2 * 1.01))
    expect_gte(near, ball(fit$radius^2))
    inside <- unname(predict(fit, new, type = "distance")) < fit$radius
    clear <- abs(predict(fit, new, type = "score")) > fit$boundary
    expect_identical(inside[clear], unname(predict(fit, new) == "inlier")[clear])
  }
  linear <- quick(x, nu = 0.2, kernel = "linear")
  expect_identical(linear$radius, NA_real_)
  expect_input_error(predict(linear, x, type = "distance"), "type", "kernel_rbf")
})

test_that("cross-validation judges rows without labels by nu, and with labels by them", {
  x <- rows_of_two(60L)
  colnames(x) <- paste0("v", 1:4)
  grid <- list(nu = c(0.1, 0.3), sigma = c(0.2, 1))
  cv <- margin_cv(x, family = "oneclass", grid = grid, folds = 4, seed = 2)
  expect_identical(names(cv$metrics), c("nu_distance", "outside"))
  for (i in c(1L, 6L, 16L)) {
    row <- cv$results[i, ]
    held_out <- cv$folds[[row$fold]]$test
    fit <- margin_oneclass(x[-held_out, ], nu = row$nu, kernel = kernel_rbf(row$sigma))
    outside <- mean(predict(fit, x[held_out, ]) == "outlier")
    expect_equal(row$outside, outside)
    expect_equal(row$score, abs(outside - row$nu))
  }
  best <- summary(cv, rule = "best")
  fit <- refit(cv)
  expect_identical(fit$settings$nu, best$nu)
  expect_identical(fit$settings$kernel$sigma, best$sigma)
  y <- ifelse(rowSums(scale(x)^2) > 5, "outlier", "inlier")
  labelled <- margin_cv(x, y, family = "oneclass", grid = list(nu = c(0.1, 0.3)),
                        kernel = kernel_rbf(0.3), folds = 4, seed = 2,
                        metric = c("auroc", "precision", "sensitivity"))
  row <- labelled$results[1L, ]
  held_out <- labelled$folds[[row$fold]]$test
  fit <- margin_oneclass(x[-held_out, ], nu = row$nu, kernel = kernel_rbf(0.3))
  called <- predict(fit, x[held_out, ]) == "inlier"
  truth <- y[held_out] == "inlier"
  expect_equal(row$precision, mean(truth[called]))
  expect_equal(row$sensitivity, mean(called[truth]))
  # labels do not train, and are no column either
  data <- data.frame(x, kind = y)
  by_formula <- margin_cv(kind ~ ., data, family = "oneclass", grid = list(nu = c(0.1, 0.3)),
                          kernel = kernel_rbf(0.3), folds = 4, seed = 2, metric = "auroc")
  expect_equal(by_formula$results$score, labelled$results$score)
  expect_identical(refit(by_formula)$features, colnames(x))
  nested <- margin_cv(x, family = "oneclass", grid = list(nu = c(0.1, 0.3)),
                          kernel = kernel_rbf(0.3), outer = 3, folds = 3, seed = 1)
  expect_identical(nrow(nested$results), 3L)
  expect_input_error(margin_cv(x, family = "oneclass", metric = "auroc"), "metric", "labels")
  expect_input_error(margin_cv(x, y, family = "oneclass", metric = "mse"), "metric", "regression")
  expect_input_error(margin_cv(x, rep(letters[1:3], 20), family = "oneclass"), "y", "two")
})
