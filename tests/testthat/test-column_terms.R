# Factors of the penalty and bounds of the coefficients, one a column: value and bound from the
# definitions, the conditions of an optimum, other methods for the same problem, what carries them
# and what refuses them.

n <- 80L
set.seed(8)
x <- matrix(rnorm(n * 5L), n) %*% diag(c(0.3, 1, 2, 1, 5))
x[, 4L] <- x[, 4L] + x[, 2L]
colnames(x) <- paste0("x", 1:5)
factors <- c(0.2, 1, 5, 0.01, 2)
number <- drop(x %*% c(2, -1, 0.4, 1, -0.2)) + rnorm(n)
class <- factor(ifelse(number > 0, "yes", "no"))
tight <- margin_control(tol = 1e-10, max_epochs = 1e5)

# ---- Factors ----

test_that("a ridge with factors is the solution of its normal equations", {
  fit <- margin_linear(x, number, lambda = 0.3, scale = FALSE, penalty_factor = factors,
                       control = tight)
  centred <- sweep(x, 2L, colMeans(x))
  exact <- solve(crossprod(centred) / n + 0.3 * diag(factors),
                 crossprod(centred, number - mean(number)) / n)
  expect_equal(unname(coef(fit))[-1L], drop(unname(exact)), tolerance = 1e-7)
})

test_that("with an l1 part the conditions of an optimum hold", {
  for (mixture in c(0.3, 1)) {
    fit <- margin_linear(x, class, lambda = 0.4, mixture = mixture, scale = FALSE,
                         penalty_factor = factors, control = tight)
    beta <- coef(fit)[-1L]
    y <- 2 * (class == "yes") - 1
    slope <- colMeans(-y / (1 + exp(y * fit$scores)) * x)
    l1 <- 0.4 * mixture * factors
    ridge <- slope + 0.4 * (1 - mixture) * factors * beta
    used <- beta != 0
    expect_equal(unname(ridge[used]), unname(-l1[used] * sign(beta[used])), tolerance = 1e-3)
    expect_true(all(abs(slope[!used]) <= l1[!used] + 1e-6))
    expect_true(any(!used) && any(used))
  }
})

test_that("equal factors are a factor of lambda, and order and names of columns do not matter", {
  for (mixture in c(0, 0.5, 1)) {
    fit <- margin_linear(x, class, lambda = 0.02, mixture = mixture, control = tight,
                         penalty_factor = rep(3, 5))
    expect_equal(coef(fit), coef(margin_linear(x, class, lambda = 0.06, mixture = mixture,
                                               control = tight)), tolerance = 1e-4)
  }
  fit <- margin_linear(x, class, lambda = 0.02, penalty_factor = factors)
  named <- stats::setNames(factors, colnames(x))
  expect_identical(coef(fit), coef(margin_linear(x, class, lambda = 0.02,
                                                 penalty_factor = named[c(3, 1, 5, 2, 4)])))
  one <- margin_linear(x, class, lambda = 0.02, penalty_factor = rep(1, 5))
  expect_identical(coef(one), coef(margin_linear(x, class, lambda = 0.02)))
})

# ---- Bounds ----

test_that("least squares without negative coefficients are those of an active set", {
  # Lawson and Hanson (1974), on the normal equations with their ridge
  active_set <- function(products, r) {
    v <- numeric(length(r))
    on <- rep(FALSE, length(r))
    repeat {
      slope <- r - drop(products %*% v)
      if (!any(!on & slope > 1e-12)) return(v)
      on[which.max(ifelse(on, -Inf, slope))] <- TRUE
      repeat {
        trial <- replace(numeric(length(r)), on, solve(products[on, on, drop = FALSE], r[on]))
        if (all(trial[on] > 0)) break
        out <- on & trial <= 0
        v <- v + min((v / (v - trial))[out]) * (trial - v)
        on <- on & v > 1e-14
        v[!on] <- 0
      }
      v <- trial
    }
  }
  for (lambda in c(0.5, 0.01)) {
    centred <- sweep(x, 2L, colMeans(x))
    exact <- active_set(crossprod(centred) / n + diag(lambda, 5L),
                        drop(crossprod(centred, number - mean(number))) / n)
    for (solver in c("auto", "fista", "dual_cd")) {
      fit <- margin_linear(x, number, lambda = lambda, scale = FALSE, lower = 0, solver = solver,
                           control = margin_control(tol = 1e-9, max_epochs = 1e5, seed = 1))
      expect_true(certificate(fit)$certified, info = solver)
      expect_equal(unname(coef(fit))[-1L], exact, tolerance = 1e-3, info = solver)
      expect_true(all(coef(fit)[-1L] >= 0))
    }
    none <- margin_linear(x, number, lambda = lambda, scale = FALSE, lower = 0, intercept = "none",
                          solver = "sdca", control = margin_control(tol = 1e-9, max_epochs = 1e5))
    expect_equal(unname(coef(none)), tolerance = 1e-3,
                 active_set(crossprod(x) / n + diag(lambda, 5L), drop(crossprod(x, number)) / n))
  }
})

test_that("bounds that do not bind change nothing, and 0 to 0 leaves a column out", {
  plain <- margin_linear(x, class, lambda = 0.05, control = tight)
  wide <- margin_linear(x, class, lambda = 0.05, lower = -50, upper = 50, control = tight)
  expect_equal(coef(wide), coef(plain), tolerance = 1e-4)
  expect_identical(coef(margin_linear(x, class, lambda = 0.05, lower = -Inf, upper = Inf,
                                      control = tight)), coef(plain))
  out <- margin_linear(x, class, lambda = 0.05, lower = c(-Inf, 0, -Inf, -Inf, -Inf),
                       upper = c(Inf, 0, Inf, Inf, Inf), control = tight)
  expect_equal(coef(out)[-3L], coef(margin_linear(x[, -2L], class, lambda = 0.05, control = tight)),
               tolerance = 1e-4)
})

test_that("what is not derived for them is refused by name", {
  bounded <- margin_linear(x, class, lambda = 0.05, lower = 0)
  mixed <- margin_linear(x, class, lambda = 0.05, mixture = 0.5, penalty_factor = factors)
  expect_error(margin_certain(bounded, x, class), "`lower`", class = "dualmargin_input_error")
  expect_error(margin_loo(bounded, x, class), "`lower`", class = "dualmargin_input_error")
  expect_error(margin_certain(mixed, x, class), "`penalty_factor`",
               class = "dualmargin_input_error")
  expect_error(margin_conformal(bounded, x, class, method = "jackknife+"), "bounds",
               class = "dualmargin_input_error")
  expect_named_errors(
    "lower",
    margin_linear(x, class, lower = 0, solver = "saga", intercept = "none"),
    margin_linear(iris[1:4], iris$Species, multiclass = "softmax", lower = 0)
  )
  expect_named_errors("penalty_factor", margin_linear(x, class, mixture = 0.5, solver = "saga",
                                                      intercept = "none",
                                                      penalty_factor = factors))
  file <- tempfile(fileext = ".rows")
  write_rows(x, file, y = class)
  expect_named_errors("lower", margin_linear(read_rows(file), lower = 0))
  expect_error(margin_kernel(x, class, lower = 0), class = "dualmargin_input_error")
})

test_that("bad factors and bounds are errors that name them", {
  expect_named_errors(
    "penalty_factor",
    margin_linear(x, class, penalty_factor = 1), margin_linear(x, class, penalty_factor = "a"),
    margin_linear(x, class, penalty_factor = replace(factors, 2L, -1)),
    margin_linear(x, class, penalty_factor = replace(factors, 2L, NA)),
    margin_linear(x, class, penalty_factor = replace(factors, 2L, 1e200)),
    margin_linear(x, class, penalty_factor = stats::setNames(factors, letters[1:5])),
    margin_path(x, class, penalty_factor = 1)
  )
  expect_named_errors(
    "lower",
    margin_linear(x, class, lower = 1), margin_linear(x, class, lower = NA_real_),
    margin_linear(x, class, lower = c(0, 0)), margin_linear(x, class, lower = "a"),
    margin_linear(x, class, lower = c(a = 0, x2 = 0, x3 = 0, x4 = 0, x5 = 0)),
    margin_path(x, class, lower = 1)
  )
  expect_named_errors("upper", margin_linear(x, class, upper = -1),
                      margin_linear(x, class, upper = rep(1, 4)))
})

test_that("names that are no columns, and columns that have no name, are told by name", {
  fit <- function(...) margin_linear(mpg ~ hp + wt, mtcars, ...)
  expect_input_error(fit(lower = c(hpp = 0)), "lower",
                     "names \"hpp\", which is no column (did you mean \"hp\"?); the columns are")
  expect_input_error(fit(upper = c(a = 0, b = 0)), "upper",
                     "names \"a\", \"b\", which are no column; the columns are \"hp\", \"wt\".")
  expect_input_error(fit(lower = c(hp = 0)), "lower",
                     "and \"wt\" is not among them; name all columns (-Inf is no bound), or none.")
  expect_input_error(fit(penalty_factor = c(wt = 2)), "penalty_factor", "(1 changes nothing)")
  expect_input_error(fit(upper = c(hp = 0, wt = 0, hp = 1)), "upper", "names \"hp\" twice")
  expect_input_error(margin_linear(mpg ~ hp, mtcars, lower = c(x = 0)), "lower",
                     "`lower` names \"x\", which is no column")
  expect_identical(coef(fit(lower = c(wt = 0, hp = -Inf))), coef(fit(lower = c(-Inf, 0))))
})
