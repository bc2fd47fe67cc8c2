# Compressed rows are used where they lie: passes over all rows apply centres and scales of the
# columns, and no copy of the values has them.

skip_if_not_installed("Matrix")

set.seed(2)
n <- 80
dense <- matrix(rnorm(n * 6), n, 6) * rep(c(1e-3, 1, 50, 1, 7, 1), each = n)
dense[, 2:4] <- dense[, 2:4] * (runif(3 * n) < 0.3)
dense[, 5] <- 1e6 + dense[, 5] # far from the origin: its centre is subtracted
dense[, 6] <- 3                # constant
as_rows <- function(x) as(as(as(x, "dMatrix"), "generalMatrix"), "RsparseMatrix")
as_columns <- function(x) as(as(as(x, "dMatrix"), "generalMatrix"), "CsparseMatrix")
w <- rnorm(7)
a <- rnorm(n)
omega <- runif(n)

test_that("rows in a frame have the products of rows that are copied with it", {
  for (unit in c(1, 2^-20)) {
    for (size in c(1, 1e80, 1e-80, 1e100, 1e-100)) {
      x <- as_rows(size * dense)
      framed <- probe("frame", x, omega, TRUE, unit, w, a)
      copied <- probe("frame", x, omega, FALSE, unit, w, a)
      expect_identical(c(framed$copied, copied$copied), c(FALSE, TRUE))
      expect_identical(framed[c("scales", "centre", "largest")],
                       copied[c("scales", "centre", "largest")])
      for (product in names(copied$products)) {
        expect_equal(framed$products[[product]], copied$products[[product]], tolerance = 1e-13)
      }
    }
  }
})

test_that("a column far from the origin keeps its digits in a frame", {
  framed <- probe("frame", as_rows(dense), rep(1, n), TRUE, 1, w, a)
  x <- sweep(sweep(dense, 2, framed$centre), 2, framed$scales, "/")
  expect_gt(abs(framed$centre[5]), 9e5)
  expect_equal(framed$products$scores, drop(cbind(x, 1) %*% w), tolerance = 1e-13)
  expect_equal(framed$products$sums, drop(crossprod(cbind(x, 1), a)), tolerance = 1e-13)
})

test_that("rows that nothing changes are no copy, however they are read", {
  x <- as_rows(matrix(c(1, -1, 0, 0, 0, 1, -1, 1) / sqrt(0.5), 4, 2))
  x@x <- x@x / abs(x@x)
  x[4, 1] <- 1
  x[3, 1] <- -1
  for (in_passes in c(TRUE, FALSE)) {
    same <- probe("frame", as_rows(as.matrix(x)[, 1, drop = FALSE]), rep(1, 4), in_passes, 1,
                  c(1, 1), 1:4)
    expect_identical(same$scales, 1)
    expect_false(same$copied)
  }
})

test_that("whole-pass solvers find the same optimum on compressed rows and compressed columns", {
  y <- factor(ifelse(dense[, 1] * 1e3 + dense[, 2] + rnorm(n) > 0, "b", "a"))
  # the same optimum, but for what two certificates leave
  both <- function(f, tol) {
    control <- margin_control(tol = tol, seed = 1)
    fits <- list(f(as_rows(dense), control), f(as_columns(dense), control))
    expect_true(all(vapply(fits, function(fit) certificate(fit)$certified, NA)))
    values <- vapply(fits, function(fit) certificate(fit)$value, 0)
    expect_lte(abs(diff(values)), tol * max(values))
    fits
  }
  for (solver in c("newton", "ssnal", "fista", "interior_point", "lasso")) {
    loss <- if (solver == "interior_point") "hinge" else "logistic"
    mixture <- if (solver == "lasso") 0.5 else 0
    fits <- both(function(x, control) {
      margin_linear(x, y, loss = loss, solver = solver, mixture = mixture, lambda = 0.1,
                    control = control)
    }, 1e-9)
    expect_equal(coef(fits[[1]]), coef(fits[[2]]), tolerance = 1e-4)
  }
  three <- factor(c("a", "b", "c")[1 + (dense[, 1] > 0) + (dense[, 3] > 0)])
  both(function(x, control) {
    margin_linear(x, three, multiclass = "softmax", solver = "newton", loss = "logistic",
                  lambda = 0.1, control = control)
  }, 1e-9)
  for (solver in c("interior_point", "pdhg", "auto")) {
    both(function(x, control) {
      margin_robust(x, y, radius = 0.1, solver = solver, scale = TRUE, control = control)
    }, if (solver == "pdhg") 1e-4 else 1e-7)
  }
})
