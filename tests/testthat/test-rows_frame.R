# Passes over all rows apply centres and scales of the columns, and no copy of the values has them;
# compressed rows are used where they lie.

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

forms <- list(identity, as_rows, as_columns)

test_that("rows in a frame have the products of rows that are copied with it", {
  for (unit in c(1, 2^-20)) {
    for (size in c(1, 1e80, 1e-80, 1e100, 1e-100)) {
      for (form in forms) {
        x <- form(size * dense)
        copied <- probe("frame", x, omega, "one_by_one", unit, w, a)
        expect_true(copied$copied)
        for (reading in c("in_passes", "shared")) {
          framed <- probe("frame", x, omega, reading, unit, w, a)
          expect_identical(framed$copied, reading != "shared" && !inherits(x, "RsparseMatrix"))
          expect_identical(framed[c("scales", "centre", "largest")],
                           copied[c("scales", "centre", "largest")])
          for (product in names(copied$products)) {
            expect_equal(framed$products[[product]], copied$products[[product]],
                         tolerance = 1e-13)
          }
        }
      }
    }
  }
})

test_that("whole numbers in a frame are the numbers that they are", {
  x <- matrix(rep(c(3L, 5L, 9L, 20L), 6), 8, 3)
  v <- c(1, -2, 0.5, 3)
  whole <- probe("frame", x, rep(1, 8), "in_passes", 1, v, 1:8)
  expect_equal(whole, probe("frame", x + 0, rep(1, 8), "one_by_one", 1, v, 1:8),
               tolerance = 1e-14)
})

test_that("a column far from the origin keeps its digits in a frame", {
  for (form in forms) {
    framed <- probe("frame", form(dense), rep(1, n), "in_passes", 1, w, a)
    x <- sweep(sweep(dense, 2, framed$centre), 2, framed$scales, "/")
    expect_gt(abs(framed$centre[5]), 9e5)
    expect_equal(framed$products$scores, drop(cbind(x, 1) %*% w), tolerance = 1e-13)
    expect_equal(framed$products$sums, drop(crossprod(cbind(x, 1), a)), tolerance = 1e-13)
  }
})

test_that("columns far from the origin keep their digits wherever they lie among others", {
  # runs of columns with centres and without: at both ends, side by side, short and long
  p <- 120
  wide <- matrix(rnorm(n * p), n, p)
  v <- rnorm(p + 1)
  for (far in list(1, p, c(1, 2, p), c(40, 41, 60), c(20, 90), seq_len(p), seq(1, p, 2))) {
    x <- wide
    x[, far] <- x[, far] + 1e6
    framed <- probe("frame", x, rep(1, n), "in_passes", 1, v, a)
    expect_identical(which(framed$centre != 0), as.integer(far))
    z <- cbind(sweep(sweep(x, 2, framed$centre), 2, framed$scales, "/"), 1)
    expect_equal(framed$products$scores, drop(z %*% v), tolerance = 1e-13)
    expect_equal(framed$products$sums, drop(crossprod(z, a)), tolerance = 1e-13)
  }
})

test_that("rows that nothing changes are no copy, however they are read", {
  x <- as_rows(matrix(c(1, -1, 0, 0, 0, 1, -1, 1) / sqrt(0.5), 4, 2))
  x@x <- x@x / abs(x@x)
  x[4, 1] <- 1
  x[3, 1] <- -1
  for (reading in c("in_passes", "one_by_one")) {
    same <- probe("frame", as_rows(as.matrix(x)[, 1, drop = FALSE]), rep(1, 4), reading, 1,
                  c(1, 1), 1:4)
    expect_identical(same$scales, 1)
    expect_false(same$copied)
  }
})
