some <- spambase[seq(1, 4601, 10), ]

test_that("the diagram shows shares of held out rows, bin by bin", {
  fit <- margin_linear(type ~ ., data = some, loss = "hinge", lambda = 0.01)
  calibrated <- margin_calibrate(fit, some, seed = 1)
  drawn <- on_null_device(plot(calibrated, which = "calibration"))
  held_out <- calibrated$calibration$held_out
  prob <- held_out$prob[, "spam"]
  order <- order(prob)
  spam <- (some$type[held_out$row] == "spam")[order]
  prob <- prob[order]
  expect_identical(nrow(drawn), 10L)
  # as many each, but for e-mails that were sent twice
  expect_lte(diff(range(drawn$rows)), 5)
  ends <- cumsum(drawn$rows)
  for (bin in seq_len(10)) {
    rows <- seq(c(0, ends)[bin] + 1, ends[bin])
    expect_equal(drawn$mean_prob[bin], mean(prob[rows]))
    expect_equal(drawn$observed[bin], mean(spam[rows]))
    wilson <- suppressWarnings(prop.test(sum(spam[rows]), length(rows), correct = FALSE))$conf.int
    expect_equal(c(drawn$lower[bin], drawn$upper[bin]), as.vector(wilson), tolerance = 1e-10)
  }
})

test_that("a logistic fit is shown before calibration too", {
  fit <- margin_linear(type ~ ., data = some, loss = "logistic", lambda = 0.5)
  calibrated <- margin_calibrate(fit, some, seed = 1)
  drawn <- on_null_device(plot(calibrated, which = "calibration"))
  expect_identical(unique(drawn$probabilities), c("uncalibrated", "calibrated"))
  before <- drawn[drawn$probabilities == "uncalibrated", ]
  scores <- calibrated$calibration$held_out$score
  expect_equal(sum(before$rows * before$mean_prob), sum(plogis(scores)))
  # timid before, right after
  error <- tapply(drawn$rows * abs(drawn$observed - drawn$mean_prob), drawn$probabilities, sum)
  expect_lt(error[["calibrated"]], error[["uncalibrated"]])
})

test_that("several classes have a panel each, or those that are asked for", {
  fit <- margin_linear(Species ~ ., data = iris, loss = "hinge", lambda = 0.01)
  calibrated <- margin_calibrate(fit, iris, seed = 1)
  drawn <- on_null_device(plot(calibrated, which = "calibration"))
  expect_identical(unique(drawn$class), levels(iris$Species))
  expect_equal(as.vector(tapply(drawn$rows * drawn$observed, drawn$class, sum)), rep(50, 3))
  one <- on_null_device(plot(calibrated, which = "calibration", class = "virginica"))
  expect_equal(one, drawn[drawn$class == "virginica", ], ignore_attr = TRUE)
  expect_error(on_null_device(plot(calibrated, which = "calibration", class = "rose")),
               class = "dualmargin_input_error")
})

test_that("a fit without a calibration says how to make one", {
  fit <- margin_linear(type ~ ., data = some, loss = "logistic")
  expect_error(on_null_device(plot(fit, which = "calibration")), "make it by margin_calibrate()",
               fixed = TRUE, class = "dualmargin_input_error")
})
