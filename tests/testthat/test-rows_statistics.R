# Means and scales of columns: sums over ranges of rows, the same for every way that a matrix is
# stored and every number of threads.

set.seed(3)
n <- 6000
x <- cbind(rnorm(n), 1e8 + rnorm(n), 1e-150 * rexp(n), 7, rep(0:1, length.out = n))
omega <- sample(4, n, TRUE)

test_that("statistics of columns in ranges of rows are those of their definition", {
  for (threads in 1:2) {
    found <- probe("column_statistics", x, omega, threads, 500)
    centred <- sweep(x, 2, c(0, 1e8, 0, 7, 0))
    mean <- colSums(omega * centred) / sum(omega)
    sd <- sqrt(colSums(omega * sweep(centred, 2, mean)^2) / sum(omega))
    sd[3] <- sqrt(sum(omega * (1e150 * (x[, 3] - mean[3]))^2) / sum(omega)) * 1e-150
    expect_equal(found$mean, mean + c(0, 1e8, 0, 7, 0), tolerance = 1e-14)
    expect_equal(found$sd, sd, tolerance = 1e-13)
    expect_identical(found$sd[4], 0)
    expect_identical(found$centre != 0, c(FALSE, TRUE, FALSE, TRUE, FALSE))
  }
})

test_that("statistics are the same for every number of threads and every way of storage", {
  skip_if_not_installed("Matrix")
  full <- x + 1
  one <- probe("column_statistics", full, omega, 1, 500)
  as_sparse <- function(class) {
    as(as(as(full, "dMatrix"), "generalMatrix"), class)
  }
  for (form in list(full, as_sparse("CsparseMatrix"), as_sparse("RsparseMatrix"))) {
    for (threads in 1:3) {
      expect_identical(probe("column_statistics", form, omega, threads, 500), one)
    }
  }
  # with zeros that are not stored
  thin <- full * (runif(length(full)) < 0.2)
  by_columns <- as(as(as(thin, "dMatrix"), "generalMatrix"), "CsparseMatrix")
  columns <- probe("column_statistics", by_columns, omega, 1, 500)
  rows <- probe("column_statistics", as(by_columns, "RsparseMatrix"), omega, 2, 500)
  expect_identical(rows, columns)
  plain <- probe("column_statistics", thin, omega, 1, 500)
  expect_equal(columns[c("mean", "sd")], plain[c("mean", "sd")], tolerance = 1e-12)
})

test_that("ranges lose no digits of whole numbers: a row twice is a row of weight two", {
  whole <- matrix(sample(-50:50, 4 * n, TRUE), n, 4)
  twice <- whole[rep(seq_len(n), omega), ]
  expect_identical(
    probe("column_statistics", twice, rep(1, nrow(twice)), 1, 500)[c("mean")],
    probe("column_statistics", whole, omega, 1, 700)[c("mean")]
  )
})

# Mean and deviation in two passes with twice the digits, of one column.
exact_statistics <- function(v, omega) {
  total <- dd_sum(dd(omega))
  mean <- dd_div(dd_sum(dd_mul(dd(v), dd(omega))), total)
  every <- function(a) dd(rep(a$h, length(v)), rep(a$l, length(v)))
  d <- dd_sub(dd(v), every(mean))
  c(mean = dd_value(mean),
    sd = sqrt(dd_value(dd_div(dd_sum(dd_mul(dd_mul(d, d), dd(omega))), total))))
}

hard_columns <- function(n) {
  set.seed(8)
  cbind(
    near = rnorm(n), far = 1e8 + rnorm(n), drift = 1e8 + seq(-50, 50, length.out = n),
    sorted = rep(0:1, each = n / 2), outlier = c(1e6, rnorm(n - 1)), wide = rnorm(n)^9,
    jumps = rep(c(1e8, -1e8), each = n / 2) + rnorm(n), minus = -1e8 - 1e-3 * rnorm(n)
  )
}

test_that("one pass by blocks has the digits of two passes, near the origin and far from it", {
  columns <- hard_columns(n)
  right <- apply(columns, 2L, exact_statistics, omega)
  for (grain in c(100, 500, 1e6)) { # of many blocks, of few, of one
    found <- probe("column_statistics", columns, omega, 2, grain)
    expect_lte(max(abs(found$mean / right["mean", ] - 1)), 1e-14)
    expect_lte(max(abs(found$sd / right["sd", ] - 1)), 1e-13)
  }
})

test_that("large and small columns stay in range, and rows without weight count for nothing", {
  for (size in c(1e-300, 1e-160, 1e160, 1e300)) {
    found <- probe("column_statistics", size * cbind(x[, 1], x[, 5], 7), omega, 1, 500)
    one <- probe("column_statistics", cbind(x[, 1], x[, 5], 7), omega, 1, 500)
    expect_equal(found$sd / size, one$sd, tolerance = 1e-12)
  }
  some <- omega * (seq_len(n) > n / 2)
  with_none <- probe("column_statistics", x, some, 1, 500)
  without <- probe("column_statistics", x[some > 0, ], some[some > 0], 1, 500)
  expect_equal(with_none[c("mean", "sd")], without[c("mean", "sd")], tolerance = 1e-13)
})

test_that("statistics of rows on several ranks are those of all rows, the same on every rank", {
  columns <- cbind(hard_columns(n), 7, 0)
  thin <- columns * (runif(length(columns)) < 0.3)
  forms <- list(columns)
  if (requireNamespace("Matrix", quietly = TRUE)) {
    sparse <- methods::as(methods::as(methods::as(thin, "dMatrix"), "generalMatrix"),
                          "CsparseMatrix")
    forms <- c(forms, sparse, methods::as(sparse, "RsparseMatrix"))
  }
  for (form in forms) {
    one <- probe("column_statistics", form, omega, 1, 500)
    kind <- if (methods::is(form, "RsparseMatrix")) "RsparseMatrix" else "CsparseMatrix"
    for (ranks in c(1, 2, 3, 5, 8)) {
      deals <- list(turns = rep_len(seq_len(ranks), n), ranges = sort(rep_len(seq_len(ranks), n)),
                    uneven = pmax(1, ranks - n + seq_len(n)))
      for (deal in deals) {
        rows <- split(seq_len(n), deal)
        part_of <- function(i) {
          part <- form[i, , drop = FALSE]
          if (is.matrix(form)) part else methods::as(part, kind)
        }
        found <- probe("column_ranks", unname(lapply(rows, part_of)),
                       unname(lapply(rows, function(i) omega[i])), 500)
        expect_length(unique(found), 1L)
        expect_identical(found[[1L]]$fault, "")
        expect_equal(found[[1L]]$mean, one$mean, tolerance = 1e-14)
        expect_equal(found[[1L]]$sd, one$sd, tolerance = 1e-13)
        expect_identical(found[[1L]]$centre != 0, one$centre != 0)
        expect_identical(found[[1L]]$exact != 0, one$exact != 0)
      }
    }
  }
})

test_that("what is taken from a column before it is read takes nothing from its digits", {
  columns <- cbind(hard_columns(n), 7, -3e200, 1e8 + sample(1000, n, TRUE), sample(9, n, TRUE) / 8,
                   1 / 3 + rnorm(n) * 1e-4)
  centre <- probe("column_statistics", columns, omega, 2, 500)$exact
  for (j in seq_len(ncol(columns))) {
    expect_identical(max(abs(two_sum(columns[, j], rep(-centre[j], n))$l)), 0)
  }
  expect_identical(centre != 0, c(FALSE, TRUE, TRUE, TRUE, FALSE, FALSE, FALSE, rep(TRUE, 6)))
  far <- c(2, 3, 8, 11, 13)
  expect_lte(max(abs(sweep(columns, 2, centre)[, far])), 100 + 1000)
  expect_identical(unname(columns[1, 9:10]), centre[9:10])
})
