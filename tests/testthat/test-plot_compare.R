comparison <- quiet_compare(
  list(a = threshold_spec("Petal.Width", 1.6, "a", list(relative_gap = 0.2, certified = FALSE)),
       b = threshold_spec("Petal.Length", 4.9, "b"),
       c = spec_margin("linear", loss = "hinge", lambda = 0.01)),
  Species ~ ., data = iris_pair(), folds = 5, repeats = 2, seed = 4, scale = FALSE,
  metric = c("accuracy", "hinge")
)

test_that("the points drawn are the differences and the scores", {
  pdf(NULL)
  on.exit(dev.off())
  results <- comparison$results
  drawn <- plot(comparison, reference = "c")
  expect_identical(levels(drawn$model), c("a", "b"))
  expect_equal(drawn$difference[drawn$model == "b"],
               results$score[results$model == "b"] - results$score[results$model == "c"])
  expect_identical(drawn$certified, rep(c(FALSE, NA), each = 10))
  expect_identical(drawn[drawn$model == "a", c("repetition", "fold")],
                   results[results$model == "a", c("repetition", "fold")])
  scores <- plot(comparison, which = "scores", metric = "hinge", main = "mine")
  expect_equal(scores$score, results$hinge)
  expect_identical(scores$certified, results$certified)
})

test_that("the excess of each fit is drawn where it is known", {
  pdf(NULL)
  on.exit(dev.off())
  drawn <- plot(comparison, which = "excess")
  expect_identical(levels(drawn$model), c("a", "c"))
  known <- comparison$results[comparison$results$model != "b", ]
  expect_identical(drawn$relative_gap, known$relative_gap)
  unknown <- comparison
  unknown$results$relative_gap <- NA_real_
  expect_error(plot(unknown, which = "excess"), "`x` has no model", class = "dualmargin_input_error")
})

test_that("unknown names are errors", {
  expect_error(plot(comparison, which = "ranks"), "`which` is \"ranks\"",
               class = "dualmargin_input_error")
  expect_error(plot(comparison, reference = "d"), "`reference` is \"d\"",
               class = "dualmargin_input_error")
  expect_error(plot(comparison, metric = "auroc"), "`metric` is \"auroc\"",
               class = "dualmargin_input_error")
  expect_error(plot(comparison, level = 2), "`level` is 2", class = "dualmargin_input_error")
})
