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
