# The picture of what is certain: the intervals themselves, sorted, as many as asked.

rows <- spambase[seq(1, nrow(spambase), by = 20), ]
fit <- margin_linear(type ~ ., data = rows, lambda = 0.01, loss = "hinge",
                     control = margin_control(tol = 1e-2, seed = 1))
certain <- margin_certain(fit, rows)

test_that("the intervals drawn are those of predict(), the rows nearest to 0 in their order", {
  found <- predict(certain)
  drawn <- on_null_device(plot(certain, top = 30))
  expect_identical(nrow(drawn), 30L)
  expect_setequal(drawn$row, order(abs(found$score))[1:30])
  expect_false(is.unsorted(drawn$score))
  expect_equal(as.matrix(drawn[c("lower", "upper")]),
               as.matrix(found[drawn$row, c("lower", "upper")]), ignore_attr = TRUE)
  expect_identical(drawn$decided, found$decided[drawn$row])
  expect_identical(drawn$decided, drawn$lower >= 0 | drawn$upper < 0)
  expect_gt(sum(!drawn$decided), 0)
})

test_that("of several classes the lead is drawn, of a regression the response", {
  for (classes in c("one_vs_rest", "softmax")) {
    three <- margin_linear(Species ~ ., iris, lambda = 0.01, multiclass = classes)
    known <- margin_certain(three, iris)
    found <- predict(known)
    drawn <- on_null_device(plot(known, top = 150))
    expect_identical(drawn$decided, found$decided[drawn$row])
    z <- as.matrix(found[paste0("score_", levels(iris$Species))])[drawn$row, ]
    expect_equal(drawn$score, unname(apply(z, 1L, function(v) -diff(sort(v, TRUE)[1:2]))))
    expect_true(all(drawn$lower <= drawn$score + 1e-9 & drawn$upper >= drawn$score - 1e-9))
  }
  cars <- margin_linear(mpg ~ ., mtcars, loss = "huber")
  drawn <- on_null_device(plot(margin_certain(cars, mtcars)))
  expect_true(all(is.na(drawn$decided)))
  expect_equal(drawn$score, sort(unname(fitted(cars))))
})

test_that("unknown arguments of the pictures of decisions are refused by name", {
  expect_input_error(plot(certain, newdata = rows), "newdata", "`newdata` is not an argument")
  expect_input_error(plot(certain, top = 0), "top", "`top` is")
  loo <- margin_loo(fit, rows)
  expect_input_error(plot(loo, which = "x"), "which", "`which` is not an argument")
  smooth <- margin_linear(type ~ ., data = rows, lambda = 1, intercept = "none")
  known <- margin_certain(smooth, rows)
  flips <- margin_flips(known, rows, refits = 0)
  expect_input_error(plot(flips, rows = 3), "rows", "did you mean `row`")
  changed <- margin_sensitivity(known, rows, remove = 1)
  expect_input_error(plot(changed, breaks = 3), "breaks", "`breaks` is not an argument")
  tuned <- margin_tune(type ~ ., data = rows, range = c(0.1, 1), folds = 2, eps = 0.5, seed = 1)
  expect_input_error(plot(tuned, xvar = 1), "xvar", "`xvar` is not an argument")
})
