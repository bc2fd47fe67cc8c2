# Kernels of distances do not depend on where the rows are, whatever |a|^2 + |b|^2 - 2 a'b cancels.

checkers <- function() {
  set.seed(1)
  x <- matrix(rnorm(1000), 200)[1:60, ]
  list(x = x, y = ifelse(x[, 1] * x[, 2] > 0, 1, -1))
}

# The same doubles in every class a fit takes.
in_every_class <- function(x) {
  sparse <- methods::as(Matrix::Matrix(x, sparse = TRUE), "CsparseMatrix")
  list(dense = x, columns = sparse, rows = methods::as(sparse, "RsparseMatrix"))
}

plain_distances <- function(x) {
  matrix(apply(x, 1L, function(row) rowSums(sweep(x, 2L, row)^2)), nrow(x))
}

# Some rows at the origin, the others far away: no shift brings all of them near.
scattered <- function(x, far, at_origin = 6L) {
  x[-seq_len(at_origin), ] <- x[-seq_len(at_origin), ] + far
  x
}

test_that("every entry of a kernel matrix has its digits, near rows and far ones", {
  case <- checkers()
  none <- list(first = integer(), second = integer(), share = numeric())
  for (x in list(case$x + 1e7, scattered(case$x, 1e8), scattered(case$x, 1e160))) {
    for (name in c("rbf", "laplace")) {
      distance <- plain_distances(x)
      K <- exp(-0.2 * if (name == "rbf") distance else sqrt(distance))
      given <- list(name = name, sigma = 0.2, degree = 1, scale = 1, offset = 0)
      for (rows in in_every_class(x)) for (bytes in c(0, 1e9)) {
        found <- probe("kernel_matrix", rows, given, none, nrow(x), bytes, FALSE, FALSE,
                       numeric(nrow(x)), 16)
        expect_lt(max(abs(found$entries - K)), 1e-13)
      }
    }
  }
})
