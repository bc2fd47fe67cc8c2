test_that("soft labels are checked, snapped and kept", {
  y <- soft_labels(c(-1, 1 - 1e-14, 0.3, -1 + 1e-13))
  expect_identical(as.vector(unclass(y)), c(-1, 1, 0.3, -1))
  expect_s3_class(y[2:3], "soft_labels")
  shares <- matrix(c(0.2, 1, 0.8, 0), 2L)
  expect_identical(colnames(unclass(soft_labels(shares))), c("1", "2"))
  expect_told("mixup", "soft labels", {
    soft_labels(c(0, 1.5))
    soft_labels(c(0, NA))
    soft_labels("a")
    soft_labels(matrix(0.3, 2L, 2L))
    soft_labels(matrix(c(-0.1, 1.1), 1L))
    soft_labels(matrix(1, 3L, 1L))
    margin_linear(matrix(1:4, 4L), soft_labels(c(1, -1, 0, 0)), loss = "smooth_hinge")
  })
})

test_that("mixed rows lie between their parents, with labels between theirs", {
  set.seed(1)
  x <- as.matrix(iris[1:100, 1:4])
  y <- droplevels(iris$Species[1:100])
  more <- mixup_data(x, y, 40, alpha = 0.4)
  pairs <- more$pairs
  expect_identical(dim(more$x), c(140L, 4L))
  expect_equal(more$x[101:140, ],
               (1 - pairs$share) * x[pairs$first, ] + pairs$share * x[pairs$second, ],
               ignore_attr = TRUE)
  code <- ifelse(y == "versicolor", 1, -1)
  expect_equal(as.vector(unclass(more$y))[101:140],
               (1 - pairs$share) * code[pairs$first] + pairs$share * code[pairs$second])
  expect_identical(as.vector(unclass(more$y))[1:100], code)
  expect_true(all(pairs$first != pairs$second))
  alike <- code[pairs$first] == code[pairs$second]
  expect_true(all(abs(as.vector(unclass(more$y))[101:140][alike]) == 1))
})

test_that("pairs are of the classes asked for, and shares have their distribution", {
  y <- iris$Species
  x <- as.matrix(iris[1:4])
  for (alpha in c(0.3, 1, 3)) {
    set.seed(2)
    s <- mixup_data(x, y, 4000, alpha = alpha)$pairs$share
    expect_gt(ks.test(s, "pbeta", alpha, alpha)$p.value, 1e-3)
  }
  set.seed(3)
  same <- mixup_data(x, y, 300, pairs = "same")$pairs
  expect_true(all(y[same$first] == y[same$second] & same$first != same$second))
  different <- mixup_data(x, y, 300, pairs = "different")$pairs
  expect_true(all(y[different$first] != y[different$second]))
  any <- mixup_data(x, y, 3000)$pairs
  expect_gt(chisq.test(table(factor(any$first, 1:150)))$p.value, 1e-3)
})

test_that("three classes are mixed by their shares", {
  set.seed(4)
  more <- mixup_data(Matrix::Matrix(as.matrix(iris[1:4]), sparse = TRUE), iris$Species, 10)
  expect_s4_class(more$x, "sparseMatrix")
  shares <- unclass(more$y)
  expect_equal(rowSums(shares), rep(1, 160))
  expect_identical(colnames(shares), levels(iris$Species))
  expect_equal(shares[1:150, ], unname(diag(3)[iris$Species, ]), ignore_attr = TRUE)
})

test_that("rows without weight are never mixed", {
  problem <- moons()
  fit <- margin_kernel(problem$x, problem$y, mixup = mixup_pairs(200), weights = problem$weights,
                       intercept = "none")
  expect_true(all(problem$weights[c(fit$mixed$first, fit$mixed$second)] > 0))
})

test_that("bad arguments have their own words", {
  expect_told("mixup", "pairs", {
    mixup_pairs()
    mixup_pairs(0)
    mixup_pairs(5, alpha = 0)
    mixup_pairs(5, pairs = "near")
  })
  x <- matrix(1:6, 3L)
  expect_told("mixup", "data", {
    mixup_data(x, c(1, -1, 1), 5, beta = 2)
    mixup_data(x[1:2, ], c(1, -1), 5, pairs = "same")
  })
})

test_that("mixed rows that a fit uses are not counted among its support vectors", {
  set.seed(5)
  rows <- data.frame(y = factor(rep(1:2, 20)), a = rnorm(40), b = rnorm(40))
  fit <- margin_kernel(y ~ a + b, rows, mixup = mixup_pairs(3), control = margin_control(seed = 1))
  expect_identical(sum(fit$support$at > 40L), 3L)
  expect_output(print(fit), "40 support vectors, and 3 mixed rows", fixed = TRUE)
  expect_output(print(summary(fit)), "40 of 40 (100 %), and 3 of 3 mixed rows", fixed = TRUE)
  expect_output(print(margin_kernel(y ~ a + b, rows)), "support +40 support vectors\n")
})

test_that("mixup_data() names what is wrong by its own arguments", {
  x <- matrix(c(1, 2, NA, 4), 2)
  expect_input_error(mixup_data(x, factor(c("a", "b")), 3), "x", "finite")
  expect_input_error(mixup_data(diag(2), factor(c("a", "b")), 3, pairs = "same"), "pairs",
                     "one class")
})
