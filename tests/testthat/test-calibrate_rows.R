flowers <- droplevels(iris[iris$Species != "setosa", ])
x <- as.matrix(flowers[1:4])
y <- flowers$Species
ids <- rep_len(1:5, 100)

hinge <- margin_linear(x, y, loss = "hinge", lambda = 0.05)

test_that("a weight of two is the row twice, and a weight of zero no row", {
  weights <- rep(c(1, 2, 0), length.out = 100)
  twice <- rep(seq_len(100), weights)
  for (method in c("platt", "isotonic")) {
    weighted <- margin_linear(x, y, loss = "logistic", lambda = 0.05, weights = weights)
    repeated <- margin_linear(x[twice, ], y[twice], loss = "logistic", lambda = 0.05)
    one <- margin_calibrate(weighted, x, y, method = method, folds = ids)
    two <- margin_calibrate(repeated, x[twice, ], y[twice], method = method, folds = ids[twice])
    expect_equal(one$calibration$maps, two$calibration$maps, tolerance = 1e-5)
  }
})

test_that("a row held out m times counts with 1/m of its weight", {
  both <- cbind(ids, rev(ids))
  twice <- margin_calibrate(hinge, x, y, folds = both)
  held_out <- twice$calibration$held_out
  expect_identical(as.vector(table(held_out$row)), rep(2L, 100))
  expect_identical(held_out$weight, rep(0.5, 200))
  expect_identical(twice$calibration$folds$repetition, rep(1:2, each = 5))
  first <- margin_calibrate(hinge, x, y, folds = ids)
  same <- margin_calibrate(hinge, x, y, folds = cbind(ids, ids))
  expect_equal(same$calibration$maps, first$calibration$maps, tolerance = 1e-10)
})

test_that("held out probabilities are by a map without the row", {
  calibrated <- margin_calibrate(hinge, x, y, folds = ids)
  held_out <- calibrated$calibration$held_out
  out <- held_out$fold == 3
  map <- fit_maps("platt", held_out$score[!out], cbind(1 * (y[held_out$row] == "virginica"))[!out, ,
                                                                                      drop = FALSE],
                  held_out$weight[!out], NULL)[[1]]
  expect_equal(held_out$prob[out, 2], plogis(map$slope * held_out$score[out] + map$intercept))
})

test_that("soft labels count for each class by their share", {
  soft <- soft_labels(ifelse(y == "virginica", 0.8, -0.8))
  fit <- margin_kernel(x, soft, lambda = 0.05, intercept = "none")
  calibrated <- margin_calibrate(fit, x, soft, folds = ids)
  held_out <- calibrated$calibration$held_out
  share <- (1 + ifelse(y == "virginica", 0.8, -0.8)[held_out$row]) / 2
  target <- share * 51 / 52 + (1 - share) / 52
  map <- calibrated$calibration$maps[[1]]
  p <- plogis(map$slope * held_out$score + map$intercept)
  expect_lt(max(abs(c(sum(p - target), sum((p - target) * held_out$score)))), 1e-8)
  shares <- soft_labels(cbind(a = (1 - unclass(soft)) / 2, b = (1 + unclass(soft)) / 2))
  two <- margin_calibrate(margin_kernel(x, shares, lambda = 0.05, intercept = "none"),
                          x, shares, folds = ids)
  expect_equal(two$calibration$maps, calibrated$calibration$maps, tolerance = 1e-6)
  expect_error(margin_calibrate(fit, x, y), "has the label", class = "dualmargin_input_error")
})
