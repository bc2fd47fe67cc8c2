# Columns without a penalty, penalty_factor = 0: value and bound from the definitions, feasible
# duals, independent optima, invariances, what carries them and what refuses them.

n <- 90L
set.seed(31)
x <- matrix(rnorm(n * 6L), n) %*% diag(c(0.3, 1, 2, 1, 4, 1))
x[, 4L] <- x[, 4L] + x[, 2L]
colnames(x) <- paste0("x", 1:6)
x[, 1L] <- x[, 1L] + 20
f <- c(0, 1, 1, 0, 2, 0.5)
free <- f == 0
number <- drop(x %*% c(2, -1, 0.4, 1, -0.2, 0)) - 40 + rnorm(n)
class <- factor(ifelse(number + 2 * rnorm(n) > 0, "yes", "no"))
sign <- 2 * (class == "yes") - 1
w <- rep(c(1, 2, 0.5), length.out = n)
tight <- margin_control(tol = 1e-10, max_epochs = 1e5)
sparse <- as(as(Matrix::Matrix(round(x, 1), sparse = TRUE), "generalMatrix"), "CsparseMatrix")
smooth_losses <- Filter(function(loss) loss$smooth, c(class_losses(), unname(number_losses())))

# The risk of scores and its slopes, in the unit of the problem that was solved.
risk_of <- function(fit) {
  unit <- if (is.null(fit$response_scale)) 1 else fit$response_scale
  loss <- fit$settings$loss
  y <- if (fit$task == "regression") fit$response / unit else 2 * as.integer(fit$response) - 3
  omega <- fit$weights / sum(fit$weights)
  step <- 1e-6
  list(value = function(z) sum(omega * plain_loss(loss, z, y)), omega = omega, unit = unit,
       slope = function(z) {
         (plain_loss(loss, z + step, y) - plain_loss(loss, z - step, y)) / (2 * step)
       })
}

# The columns as the problem has them, a constant first where the intercept is free.
columns_of <- function(fit, x) {
  x <- as.matrix(x)
  omega <- fit$weights / sum(fit$weights)
  spread <- if (!fit$settings$scale) rep(1, ncol(x)) else
    sqrt(colSums(omega * sweep(x, 2L, colSums(omega * x))^2))
  list(x = sweep(x, 2L, spread, `/`), spread = spread)
}

# Conditions of an optimum, from the definitions: no slope along free columns and the intercept,
# and the subdifferential of the penalty on the others; and that the dual is feasible.
expect_optimal <- function(fit, x, f, slack = 1e-4, info = NULL) {
  risk <- risk_of(fit)
  columns <- columns_of(fit, x)
  has <- fit$settings$intercept != "none"
  beta <- coef(fit) / risk$unit
  v <- (if (has) beta[-1L] else beta) * columns$spread
  z <- drop(columns$x %*% v) + if (has) beta[[1L]] else 0
  slopes <- colSums(risk$omega * risk$slope(z) * columns$x)
  size <- sqrt(colSums(risk$omega * columns$x^2))
  l1 <- fit$settings$lambda * fit$settings$mixture * f
  l2 <- fit$settings$lambda * (1 - fit$settings$mixture) * f
  pull <- slopes + l2 * v
  used <- v != 0
  expect_lt(max(abs(pull + l1 * base::sign(v))[used]), slack)
  expect_true(all(abs(pull[!used]) <= l1[!used] + slack), info = info)
  expect_true(certificate(fit)$certified, info = info)
  penalty <- sum(l1 * abs(v) + l2 / 2 * v^2)
  if (fit$settings$intercept == "penalized") {
    penalty <- penalty + fit$settings$lambda / 2 * beta[[1L]]^2
  }
  expect_equal(risk$value(z) + penalty, certificate(fit)$value, tolerance = 1e-9, info = info)
  # of the dual point that is kept
  sums <- colSums(risk$omega * fit$dual * columns$x)
  rms <- sqrt(sum(risk$omega * fit$dual^2))
  expect_lt(max(abs(sums[f == 0]) / (rms * size[f == 0])), 1e-12)
  if (fit$settings$intercept == "free") expect_lt(abs(sum(risk$omega * fit$dual)) / rms, 1e-12)
  invisible(z)
}

test_that("an optimum has no slope along free columns, nor has its dual, for every smooth loss", {
  for (rows in list(x, sparse)) for (mixture in c(0, 0.4, 1)) {
    for (loss in smooth_losses) {
      fit <- margin_linear(rows, if (loss$task == "regression") number else class, loss = loss,
                           lambda = 0.03, mixture = mixture, weights = w, penalty_factor = f,
                           control = tight, response_scale = FALSE)
      expect_optimal(fit, rows, f, info = paste(format(fit$settings$loss), mixture))
    }
  }
  for (intercept in c("none", "penalized")) {
    fit <- margin_linear(x[, -1L], class, lambda = 0.03, intercept = intercept, scale = FALSE,
                         penalty_factor = f[-1L], control = tight)
    expect_optimal(fit, x[, -1L], f[-1L])
  }
})

test_that("the bound is the dual value of the definitions, and below the optimum at every stop", {
  for (mixture in c(0, 0.6)) {
    best <- margin_linear(x, class, lambda = 0.03, mixture = mixture, penalty_factor = f,
                          control = tight)$certificate$value
    able <- c("newton", "fista", if (mixture == 0) "lbfgs")
    for (solver in able) for (most in c(1, 2, 3, 5, 10, 50)) {
      fit <- suppressWarnings(margin_linear(
        x, class, lambda = 0.03, mixture = mixture, penalty_factor = f, solver = solver,
        control = margin_control(max_epochs = most, certify_every_epoch = TRUE)
      ))
      here <- fit$certificate
      expect_lte(here$bound, best * (1 + 1e-12))
      expect_gte(here$gap, (here$value - best) * (1 - 1e-9) - 1e-12)
      columns <- columns_of(fit, x)
      u <- colMeans(fit$dual * columns$x)
      expect_lt(max(abs(u[free])), 1e-12)
      conjugate <- sum(pmax(0, abs(u) - 0.03 * mixture * f)[!free]^2 /
                         (2 * 0.03 * (1 - mixture) * f[!free]))
      expect_equal(-mean(plain_conjugate(fit$settings$loss, fit$dual, sign)) - conjugate,
                   here$bound, tolerance = 1e-9)
    }
  }
})

test_that("least squares are those of the normal equations, and of lm() where all are free", {
  centred <- sweep(x, 2L, colMeans(x))
  for (lambda in c(2, 1e-3)) {
    fit <- margin_linear(x, number, lambda = lambda, scale = FALSE, response_scale = FALSE,
                         penalty_factor = f, control = tight)
    exact <- solve(crossprod(centred) / n + lambda * diag(f),
                   crossprod(centred, number - mean(number)) / n)
    expect_equal(unname(coef(fit))[-1L], drop(unname(exact)), tolerance = 1e-7)
  }
  for (scale in c(TRUE, FALSE)) {
    all <- margin_linear(x, number, penalty_factor = rep(0, 6), scale = scale, weights = w,
                         control = tight)
    expect_equal(unname(coef(all)), unname(coef(stats::lm(number ~ x, weights = w))),
                 tolerance = 1e-8)
    none <- margin_linear(x, number, penalty_factor = rep(0, 6), scale = scale, intercept = "none",
                          control = tight)
    expect_equal(unname(coef(none)), unname(coef(stats::lm(number ~ x - 1))), tolerance = 1e-8)
  }
})

test_that("a logistic model without any penalty is that of glm()", {
  theirs <- stats::glm(class ~ x, family = stats::binomial(), weights = rep(c(1, 2), n / 2),
                       control = list(epsilon = 1e-14))
  for (solver in c("auto", "newton", "lbfgs", "fista")) {
    ours <- margin_linear(x, class, penalty_factor = rep(0, 6), weights = rep(c(1, 2), n / 2),
                          solver = solver,
                          control = margin_control(tol = if (solver == "fista") 1e-8 else 1e-11,
                                                   max_epochs = 1e5))
    expect_equal(unname(coef(ours)), unname(coef(theirs)), info = solver,
                 tolerance = if (solver == "fista") 1e-2 else 1e-5)
    expect_equal(2 * sum(rep(c(1, 2), n / 2)) * ours$certificate$value, stats::deviance(theirs),
                 tolerance = 1e-7)
  }
})

test_that("columns that determine no coefficient are errors that name them", {
  twin <- cbind(x, copy = x[, 1L] + x[, 4L], one = 1)
  expect_error(margin_linear(twin, class, penalty_factor = c(f, 0, 1)), "\"copy\"",
               class = "dualmargin_input_error")
  expect_error(margin_linear(twin, class, penalty_factor = c(f, 0, 0)), "\"copy\", \"one\"",
               class = "dualmargin_input_error")
  expect_error(margin_linear(twin, class, penalty_factor = c(f, 1, 0)), "\"one\"",
               class = "dualmargin_input_error")
  # without an intercept a constant is one
  constant <- margin_linear(twin[, -7L], class, penalty_factor = c(f, 0), intercept = "none",
                            lambda = 0.05, control = tight)
  plain <- margin_linear(x, class, penalty_factor = f, lambda = 0.05, control = tight)
  expect_equal(unname(coef(constant)[c(7, 1:6)]), unname(coef(plain)), tolerance = 1e-4)
  # rows without weight say nothing
  expect_named_errors(
    "penalty_factor",
    margin_linear(cbind(x, last = c(rep(0, n - 1), 1)), class, penalty_factor = c(f, 0),
                  weights = c(rep(1, n - 1), 0)),
    margin_linear(x[1:4, ], number[1:4], penalty_factor = rep(0, 6)),
    margin_path(twin, class, penalty_factor = c(f, 0, 1)),
    margin_cv(twin, class, folds = 2, penalty_factor = c(f, 0, 1), seed = 1)
  )
})

test_that("classes are called separate only where that is proven", {
  # they overlap by one pair of rows, so that a best coefficient exists; at 3e-8 it is not found
  overlapping <- function(d) {
    u <- c(seq(-1, -d, length.out = 50), d, seq(2 * d, 1, length.out = 49), -d / 2)
    set.seed(2)
    list(x = cbind(u, v = rnorm(101)), y = factor(rep(c("n", "p"), c(51, 50))))
  }
  fit <- function(r, ...) {
    margin_linear(r$x, r$y, lambda = 0.1, penalty_factor = c(0, 1), scale = FALSE, ...)
  }
  expect_true(certificate(fit(overlapping(1e-7)))$certified)
  near <- overlapping(3e-8)
  expect_gt(max(near$x[near$y == "n", "u"]), min(near$x[near$y == "p", "u"]))
  expect_input_error(fit(near), "penalty_factor",
                     "of which no best coefficients were found in 100 Newton steps")
  far <- near
  far$x[, "u"] <- 1e8 * overlapping(1e-8)$x[, "u"]
  expect_input_error(fit(far), "penalty_factor", "found in 100 Newton steps")
  # without the pair a margin is the proof, without an intercept, and of one class of three, as well
  apart <- list(x = near$x[-c(51, 101), ], y = near$y[-c(51, 101)])
  expect_input_error(fit(apart), "penalty_factor", "along which classes are separate")
  expect_input_error(fit(apart, intercept = "none"), "penalty_factor", "classes are separate")
  three <- list(x = rbind(apart$x, cbind(c(3, 4), 0)),
                y = factor(c(as.character(apart$y), "q", "q")))
  expect_input_error(fit(three, multiclass = "one_vs_rest"), "penalty_factor",
                     "along which classes are separate")
})

test_that("what is not derived for free columns is refused by name", {
  ridge <- margin_linear(x, class, lambda = 0.05, penalty_factor = f)
  for (ask in list(margin_certain, margin_loo)) {
    expect_error(ask(ridge, x, class), "a 0 in `penalty_factor`", class = "dualmargin_input_error")
  }
  expect_error(margin_conformal(ridge, x, class, method = "jackknife+"), "factors of their own",
               class = "dualmargin_input_error")
  expect_error(margin_bootstrap(ridge, x, class, type = "bca"), "penalty",
               class = "dualmargin_input_error")
  expect_named_errors(
    "penalty_factor",
    margin_linear(x, class, loss = "hinge", penalty_factor = f),
    margin_linear(x, number, loss = "absolute", penalty_factor = f),
    margin_linear(x, number, loss = loss_quantile(c(0.1, 0.9)), penalty_factor = f),
    margin_linear(x, number, loss = loss_epsilon_insensitive(0.1), penalty_factor = f),
    margin_linear(x, class, penalty_factor = f, lower = 0),
    margin_linear(x, class, penalty_factor = f, solver = "dual_cd"),
    margin_linear(x, class, penalty_factor = f, solver = "lasso", mixture = 1),
    margin_linear(iris[1:4], iris$Species, multiclass = "softmax", penalty_factor = c(0, 1, 1, 1)),
    margin_linear(matrix(rnorm(6000), 100), rnorm(100), penalty_factor = rep(0, 60))
  )
})

test_that("L-BFGS has the columns of Newton's method, with a Hessian and without", {
  set.seed(32)
  many <- matrix(rnorm(120 * 1600), 120)
  for (of in list(list(x = x, f = f), list(x = sparse, f = f),
                  list(x = cbind(x, many[seq_len(n), ]), f = c(f, rep(1, 1600))))) {
    for (loss in c("logistic", "squared_hinge")) for (intercept in c("free", "none")) {
      one <- function(solver) {
        margin_linear(of$x, class, loss = loss, lambda = 0.1, penalty_factor = of$f, weights = w,
                      intercept = intercept, solver = solver,
                      control = margin_control(tol = 1e-9, max_epochs = 1e4))
      }
      quasi <- one("lbfgs")
      expect_true(quasi$certificate$certified)
      expect_equal(coef(quasi), coef(one("newton")), tolerance = 1e-3)
    }
  }
})
