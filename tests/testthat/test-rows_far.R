# Starts of sparse rows and columns are of 64 bits. The rows lie at the end of an address space with
# more than 2^31 entries before them, of which only the last page is memory.

skip_if_not_installed("Matrix")

set.seed(1)
dense <- matrix(rnorm(60 * 8) * (runif(60 * 8) < 0.4), 60, 8)
dense[, 3] <- 1e6 + rnorm(60)
x <- as(as(as(dense, "dMatrix"), "generalMatrix"), "RsparseMatrix")
w <- rnorm(9)
a <- rnorm(60)

test_that("rows beyond 2^31 stored entries give the products of the same rows at offset 0", {
  here <- probe("far_starts", x, 0, w, a)
  skip_if(length(here) == 0, "this system gives no address space without memory")
  far <- probe("far_starts", x, 2^31 + 12345, w, a)
  skip_if(length(far) == 0, "this system gives no address space without memory")
  expect_identical(far, here)
})

test_that("the products of rows at offset 0 are those of the matrix", {
  here <- probe("far_starts", x, 0, w, a)
  skip_if(length(here) == 0, "this system gives no address space without memory")
  with_bias <- cbind(dense, 1)
  omega <- seq(1, 2, length.out = 60)
  lower <- function(h) { # the lower triangle is what is summed
    gram <- crossprod(with_bias, h * with_bias)
    gram[upper.tri(gram)] <- 0
    gram
  }
  z <- drop(with_bias %*% w)
  right <- list(
    scores = z, some = z[c(3, 1)], sums = drop(crossprod(with_bias, a)),
    gradient = drop(crossprod(with_bias, a + z)),
    normal = drop(crossprod(with_bias, omega * (z + 1))), gram = lower(omega),
    lengths = sqrt(rowSums(with_bias^2)), squares = colSums(omega * with_bias^2),
    one = z[2] * with_bias[2, ], nonzeros = sum(dense != 0) + 60,
    products = tcrossprod(with_bias) * lower.tri(diag(60), TRUE)
  )
  expect_equal(here$rows, right, tolerance = 1e-12)
  expect_identical(here$plain, here$rows)
  mean <- colSums(omega * dense) / sum(omega)
  sd <- sqrt(colSums(omega * sweep(dense, 2, mean)^2) / sum(omega))
  expect_equal(here$scales, sd, tolerance = 1e-12)
})
