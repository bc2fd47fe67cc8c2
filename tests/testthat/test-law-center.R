# Column means that are subtracted are those of the definition, whatever carries them out: a fit on
# x with center = TRUE is that on x - m. Columns are a calendar year, a temperature and noise.

far <- function(n = 60L, seed = 1L) {
  set.seed(seed)
  x <- cbind(year = sample(1990:2020, n, TRUE), kelvin = 290 + rnorm(n, 0, 5), z = rnorm(n))
  score <- (x[, "year"] - 2005) / 9 + x[, "z"]^2 - 0.8 + rnorm(n, 0, 0.3)
  list(x = x, y = factor(ifelse(score > 0, "late", "early")), number = 1e4 + score,
       three = factor(cut(score, c(-Inf, -0.7, 0.7, Inf), labels = FALSE)),
       weights = sample(c(0, 1, 2, 3), n, TRUE))
}

less_means <- function(x, weights = rep(1, nrow(x))) {
  sweep(as.matrix(x), 2L, colSums(weights * as.matrix(x)) / sum(weights))
}

# A relative gap of 1e-9 lets scores differ by some 1e-5.
expect_same_fit <- function(one, other, tolerance = 1e-5) {
  testthat::expect_true(all(one$certificate$certified))
  testthat::expect_equal(one$certificate$value, other$certificate$value, tolerance = 1e-8)
  testthat::expect_equal(one$scores, other$scores, tolerance = tolerance)
}

# ---- Kernels ----

test_that("many columns of zeros are centred without storing them", {
  set.seed(3)
  n <- 60L
  p <- 20000L
  x <- Matrix::rsparsematrix(n, p, 2e-3, rand.x = function(n) 1 + runif(n))
  y <- factor(as.vector(x %*% rnorm(p)) > 0)
  fit <- margin_kernel(x, y, kernel = kernel_polynomial(2, 0.1), loss = "logistic",
                       intercept = "free", center = TRUE, scale = FALSE, lambda = 0.1)
  expect_true(fit$certificate$certified)
  expect_lte(as.double(object.size(fit$support$x)), 2 * as.double(object.size(x)))
  # 9.6 MB as doubles
  expect_lt(length(serialize(fit$support, NULL)), 1e6)
  expect_equal(unname(predict(fit, x, type = "score")), unname(fit$scores), tolerance = 1e-9)
  dense <- margin_kernel(as.matrix(x), y, kernel = kernel_polynomial(2, 0.1), loss = "logistic",
                         intercept = "free", center = TRUE, scale = FALSE, lambda = 0.1)
  expect_equal(fit$scores, dense$scores, tolerance = 1e-5)
})

test_that("rounding of sparse rows that are far from their mean's origin is in the gap", {
  set.seed(4)
  n <- 40L
  base <- matrix(rnorm(n * 3L), n)
  y <- factor(base[, 1L] > 0)
  for (offset in c(1e2, 1e5, 1e7)) {
    x <- base + offset
    x[1L, ] <- 0
    sparse <- quiet_kernel(methods::as(x, "CsparseMatrix"), y, kernel = as_kernel("linear"),
                           loss = "squared_hinge", lambda = 0.1, intercept = "none", center = TRUE,
                           scale = FALSE, control = margin_control(tol = 1e-10, seed = 1))
    case <- quiet_kernel(x, y, kernel = as_kernel("linear"), loss = "squared_hinge", lambda = 0.1,
                         intercept = "none", center = TRUE, scale = FALSE,
                         control = margin_control(tol = 1e-10, seed = 1))
    # no bound above a value
    expect_lte(sparse$certificate$bound, case$certificate$value * (1 + 1e-12))
    expect_lte(abs(sparse$certificate$value - case$certificate$value),
               sparse$certificate$gap + case$certificate$gap)
  }
})

test_that("kernels of distances do not see a centre, and precomputed ones cannot have one", {
  d <- far()
  for (kernel in list(kernel_rbf(0.3), kernel_laplace(0.3))) {
    fits <- lapply(c(TRUE, FALSE), function(center) {
      margin_kernel(d$x, d$y, kernel = kernel, loss = "logistic", intercept = "free",
                    center = center, scale = TRUE)
    })
    parts <- c("coefficients", "scores", "certificate", "center", "settings")
    expect_identical(fits[[1L]][setdiff(parts, "settings")], fits[[2L]][setdiff(parts, "settings")])
    expect_null(fits[[1L]]$center)
  }
  K <- tcrossprod(less_means(d$x))
  expect_error(margin_kernel(K, d$y, kernel = kernel_precomputed(), center = TRUE),
               "center = FALSE", class = "dualmargin_input_error")
  expect_false(margin_kernel(K, d$y, kernel = kernel_precomputed(), loss = "logistic",
                             lambda = 1, intercept = "none")$settings$center)
  own <- function(a, b) tcrossprod(as.matrix(a), as.matrix(b))
  expect_error(margin_kernel(methods::as(d$x, "CsparseMatrix"), d$y, kernel = own, center = TRUE),
               "as.matrix", class = "dualmargin_input_error")
  expect_error(margin_kernel(d$x, d$y, center = 1), "`center`", class = "dualmargin_input_error")
})

# ---- Perturbed rows ----

test_that("a centred augmented fit is that of the columns less their weighted means", {
  d <- far()
  exact <- less_means(d$x, d$weights)
  for (perturbation in list(new_perturbation(), perturb_gaussian(0.3), perturb_dropout(0.2),
                            perturb_rescale(0.5) + perturb_dropout(0.1))) {
    for (intercept in c("none", "penalized")) {
      for (loss in c("logistic", "squared", "huber")) {
        # a huber loss of a response that an intercept does not take up is far from its kink
        if (loss == "huber" && intercept == "none") next
        y <- if (loss == "logistic") d$y else d$number
        run <- function(x, center) {
          margin_augmented(x, y, perturbation, loss = loss, lambda = 0.05, intercept = intercept,
                           center = center, scale = TRUE, weights = d$weights,
                           control = margin_control(seed = 1))
        }
        fit <- run(d$x, TRUE)
        shifted <- run(exact, FALSE)
        expect_same_fit(fit, shifted)
        # coefficients are those of the columns as they were given
        b <- if (intercept == "none") 0 else coef(shifted)[[1L]]
        w <- if (intercept == "none") coef(shifted) else coef(shifted)[-1L]
        expect_equal(coef(fit), c("(Intercept)" = b - sum(w * fit$center), w), tolerance = 1e-6)
        expect_equal(unname(predict(fit, d$x, type = "score")), unname(fit$scores),
                     tolerance = 1e-9)
      }
    }
  }
  three <- margin_augmented(d$x, d$three, perturb_dropout(0.2), loss = "logistic", lambda = 0.05,
                            intercept = "none", center = TRUE, scale = TRUE,
                            control = margin_control(seed = 1))
  expect_identical(dim(coef(three)), c(4L, 3L))
  expect_equal(unname(predict(three, d$x, type = "score")), unname(three$scores), tolerance = 1e-9)
})

test_that("the certificate of a centred augmented fit holds in plain R", {
  d <- far()
  d$weights <- d$weights + 1
  for (loss in c("logistic", "squared")) {
    perturbation <- if (loss == "squared") perturb_dropout(0.3) else perturb_gaussian(0.4)
    y <- if (loss == "logistic") ifelse(d$y == "late", 1, -1) else d$number
    for (intercept in c("none", "penalized")) {
      fit <- margin_augmented(d$x, if (loss == "logistic") d$y else y, perturbation, loss = loss,
                              lambda = 0.05, intercept = intercept, center = TRUE, scale = FALSE,
                              weights = d$weights, control = margin_control(seed = 1, tol = 1e-7))
      outside <- outside_bound(fit, unname(d$x), y, perturbation)
      expect_equal(outside$value, fit$certificate$value, tolerance = 1e-9)
      expect_lte(outside$gap, fit$certificate$gap * (1 + 1e-3) + 1e-10 * outside$value)
    }
  }
})

test_that("a penalised intercept of a regression stands for what is left beside the mean", {
  d <- far()
  x <- less_means(d$x)
  for (given in list(x, methods::as(x * (abs(x) > 1), "CsparseMatrix"))) {
    fits <- lapply(c(0, 1e6), function(level) {
      margin_augmented(given, d$number - 1e4 + level, perturb_dropout(0.1), loss = "squared",
                       lambda = 0.1, intercept = "penalized", center = FALSE, scale = TRUE,
                       weights = d$weights)
    })
    expect_equal(fits[[2L]]$certificate$value, fits[[1L]]$certificate$value, tolerance = 1e-8)
    expect_equal(coef(fits[[2L]]) - coef(fits[[1L]]), replace(coef(fits[[1L]]) * 0, 1L, 1e6),
                 tolerance = 1e-9)
    expect_equal(fits[[2L]]$response_center,
                 sum(d$weights * (d$number - 1e4 + 1e6)) / sum(d$weights))
    expect_output(print(fits[[2L]]), "the centred response")
  }
  # elsewhere nothing is taken from it
  none <- margin_augmented(x, d$number, perturb_dropout(0.1), loss = "squared", lambda = 0.1,
                           intercept = "none", center = FALSE, scale = TRUE)
  expect_null(none$response_center)
})

test_that("what cannot be centred says so", {
  d <- far(64L)
  expect_error(margin_augmented(methods::as(d$x, "CsparseMatrix"), d$y, center = TRUE),
               "center = FALSE", class = "dualmargin_input_error")
  image <- matrix(rnorm(64 * 16), 64)
  expect_error(margin_augmented(image, d$y, perturb_image(c(4, 4)), center = TRUE),
               "center = FALSE", class = "dualmargin_input_error")
  custom <- perturb_custom(function(values, u) values * (u > 0.1) / 0.9)
  expect_error(margin_augmented(image, d$y, custom, center = TRUE),
               "center = FALSE", class = "dualmargin_input_error")
  expect_error(margin_path(image, d$y, family = "augmented", perturbation = function(r) custom,
                           rate = 0.1, center = TRUE),
               "center = FALSE", class = "dualmargin_input_error")
})

# ---- The default ----

# What a user has: a year, a temperature in Kelvin, seconds since 1970.
clock <- function(n = 200L) {
  set.seed(8)
  base <- cbind(year = sample(-20:20, n, TRUE), kelvin = rnorm(n, 0, 8),
                seconds = round(rnorm(n, 0, 1e7)))
  score <- base[, 1L] / 12 + base[, 2L] / 8 - base[, 3L] / 1e7
  list(near = base, far = sweep(base, 2L, c(2000, 290, 1.6e9), `+`),
       y = factor(score + rnorm(n, 0, 0.7) > 0, labels = c("no", "yes")))
}

test_that("dense columns are centred where the optimum depends on it, and may be anywhere", {
  d <- clock()
  fits <- lapply(d[c("near", "far")], function(x) {
    list(
      margin_kernel(x, d$y, kernel = kernel_polynomial(2), loss = "logistic", lambda = 0.005,
                    intercept = "free", scale = TRUE),
      margin_kernel(x, d$y, kernel = "linear", loss = "logistic", lambda = 0.005,
                    intercept = "none", scale = TRUE),
      margin_kernel(x, d$y, kernel = kernel_ntk(32, seed = 1), loss = "logistic", lambda = 0.005,
                    intercept = "free", scale = TRUE),
      margin_augmented(x, d$y, perturb_dropout(0.1), loss = "logistic", lambda = 0.005,
                       intercept = "penalized", scale = TRUE, control = margin_control(seed = 1)),
      margin_augmented(x, d$y, perturb_rescale(0.5), loss = "logistic", lambda = 0.005,
                       intercept = "none", scale = TRUE, control = margin_control(seed = 1))
    )
  })
  for (k in seq_along(fits$far)) {
    far <- fits$far[[k]]
    expect_true(far$settings$center)
    expect_true(far$certificate$certified)
    expect_equal(far$certificate$value, fits$near[[k]]$certificate$value, tolerance = 1e-6)
    expect_equal(far$scores, fits$near[[k]]$scores, tolerance = 1e-5)
    expect_equal(unname(predict(far, d$far, type = "score")), unname(far$scores), tolerance = 1e-7)
    expect_gt(mean(predict(far, d$far) == d$y), 0.85)
  }
  # as they are, dropout leaves nothing of them
  raw <- quiet_augmented(d$far, d$y, perturb_dropout(0.1), loss = "logistic", lambda = 0.005,
                         intercept = "penalized", center = FALSE, scale = TRUE,
                         control = margin_control(seed = 1, max_epochs = 100))
  expect_lt(mean(predict(raw, d$far) == d$y), 0.8)
})

test_that("nothing else is centred unless it is asked for", {
  d <- clock(60L)
  sparse <- methods::as(d$near, "CsparseMatrix")
  own <- function(a, b) (tcrossprod(as.matrix(a), as.matrix(b)) + 1)^2
  centred <- function(...) {
    fit <- margin_kernel(..., loss = "logistic", lambda = 1, intercept = "free", scale = TRUE)
    expect_identical(fit$settings$center, !is.null(fit$center))
    fit$settings$center
  }
  expect_true(centred(d$near, d$y, kernel = "polynomial"))
  expect_false(centred(sparse, d$y, kernel = "polynomial"))
  expect_false(centred(d$near, d$y, kernel = own))
  expect_true(centred(d$near, d$y, kernel = own, center = TRUE))
  expect_false(centred(d$near, d$y, kernel = "rbf"))
  augmented <- function(x, perturbation) {
    margin_augmented(x, d$y, perturbation, loss = "logistic", lambda = 1, intercept = "penalized",
                     scale = TRUE, control = margin_control(seed = 1))$settings$center
  }
  expect_true(augmented(d$near, perturb_gaussian(0.1)))
  expect_true(augmented(d$near, new_perturbation()))
  expect_false(augmented(sparse, perturb_dropout(0.1)))
  expect_false(augmented(d$near, perturb_image(c(3, 1))))
  expect_false(augmented(d$near, perturb_custom(function(values, u) values * (u > 0.1) / 0.9)))
})
