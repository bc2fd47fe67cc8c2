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
