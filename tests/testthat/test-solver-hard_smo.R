# SMO on the simplex: pairs, halves for a free intercept, the cache of columns.

test_that("gram, columns, products and sums of rows are those of the matrix A", {
  set.seed(1)
  x <- matrix(rnorm(40), 10)
  y <- rep(c(1, -1), 5)
  label <- rep(1:4, length.out = 10)
  R <- max(sqrt(rowSums(x^2)))
  several <- do.call(rbind, lapply(1:10, function(i) {
    do.call(rbind, lapply(setdiff(1:4, label[i]), function(j) {
      as.vector(outer(x[i, ], (1:4 == label[i]) - (1:4 == j))) / (sqrt(2) * R)
    }))
  }))
  for (case in list(list(y, 1L, y * x / R), list(label, 4L, several))) {
    for (rows in list(x, as(x, "RsparseMatrix"))) {
      got <- probe("margin_rows", rows, case[[1]], case[[2]])
      expect_equal(got$rows, case[[3]], tolerance = 1e-14)
      for (name in c("gram", "column", "dots", "multiplied")) {
        expect_equal(got[[name]], tcrossprod(case[[3]]), tolerance = 1e-13, label = name)
      }
    }
  }
})

test_that("it finds the exact margin, with and without a free intercept", {
  for (seed in 1:3) for (intercept in c("none", "penalized", "free")) {
    data <- separable_problem(70L, 4L, seed = seed)
    exact <- hard_fit(data$x, data$y, intercept = intercept)
    fit <- hard_fit(data$x, data$y, "smo", intercept = intercept, tol = 1e-8,
                    max_epochs = 50000)
    expect_true(fit$certificate$certified)
    expect_equal(fit$certificate$value, exact$certificate$value, tolerance = 1e-7)
    expect_equal(coef(fit), coef(exact), tolerance = 1e-3)
    expect_equal(sum(fit$dual), 1, tolerance = 1e-12)
    if (intercept == "free") expect_equal(sum(fit$dual * data$y), 0, tolerance = 1e-12)
  }
})

test_that("on data that no direction separates the upper end goes to zero", {
  set.seed(3)
  x <- matrix(rnorm(120), 40)
  y <- rep(c(1, -1), 20)
  for (intercept in c("none", "free")) {
    fit <- hard_fit(x, y, "smo", intercept = intercept, max_epochs = 20000)
    expect_lt(fit$certificate$bound, 1e-4)
    expect_lte(fit$certificate$value, 0)
  }
})
