# What hangs on the rows alone is found once for all class problems and all points of a path.

test_that("rows are read once for norms and sizes of columns, whatever classes and penalties", {
  set.seed(1)
  x <- matrix(rnorm(40 * 3), 40)
  for (classes in c(1, 4)) {
    codes <- if (classes == 1) rep(c(-1, 1), 20) else rep(seq_len(classes), length.out = 40)
    read <- probe("class_rows", x, codes, classes, c(1, 0.1, 0.01))
    expect_identical(read, list(fits = c(norms = 1, reads = 1), regions = c(norms = 1, reads = 1)))
  }
})

test_that("a path of radii finds the norm of its form once for each class problem", {
  set.seed(2)
  x <- matrix(rnorm(60 * 5), 60)
  y <- factor(rep(c("a", "b", "c"), 20))
  path <- margin_path(x, y, family = "robust", radius = c(0.02, 0.01, 0.005), ridge = 0.1,
                      solver = "pdhg", control = margin_control(tol = 0.9))
  epochs <- path$by_class$epochs
  first <- path$by_class$radius == max(path$by_class$radius)
  expect_true(all(epochs[first] >= 40))
  expect_true(all(epochs[!first] < 40))
})
