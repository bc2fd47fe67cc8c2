# Class weights move the probabilities of a logistic fit; print and summary say so, predict() not.

data <- local({
  set.seed(6)
  x <- matrix(rnorm(600), 200, dimnames = list(NULL, c("a", "b", "c")))
  list(x = x, y = factor(ifelse(x[, 1] + rnorm(200) > 1, "yes", "no")))
})
fit_by <- function(class_weights, loss = "logistic", ...) {
  margin_linear(data$x, data$y, loss = loss, lambda = 0.01, intercept = "free", scale = TRUE,
                class_weights = class_weights, ...)
}
note <- "probabilities +those of classes reweighted by class_weights"
shown <- function(fit) {
  list(print = paste(capture.output(print(fit)), collapse = "\n"),
       summary = paste(capture.output(print(summary(fit))), collapse = "\n"))
}

test_that("balanced classes shift the probabilities, which print and summary say once", {
  fit <- fit_by("balanced")
  mean_prob <- function(fit) mean(predict(fit, data$x, type = "prob")[, "yes"])
  share <- mean(data$y == "yes")
  expect_equal(mean_prob(fit_by(NULL)), share, tolerance = 1e-4)
  expect_gt(mean_prob(fit), share + 0.05)
  for (text in shown(fit)) {
    expect_length(gregexpr(note, text)[[1L]], 1L)
    expect_match(text, note)
    text <- gsub("\\s+", " ", text)
    expect_match(text, "calibrate (margin_calibrate()) or fit without", fixed = TRUE)
  }
  expect_silent(predict(fit, data$x, type = "prob"))
  # what it advises helps
  calibrated <- margin_calibrate(fit, data$x, data$y, folds = 5, seed = 1)
  expect_lt(abs(mean_prob(calibrated) - share), 0.02)
  for (text in shown(calibrated)) expect_no_match(text, note)
})

test_that("nothing is said without such weights, or without probabilities", {
  expect_no_match(shown(fit_by(NULL))$print, note)
  expect_no_match(shown(fit_by(c(no = 2, yes = 2)))$print, note)
  expect_no_match(shown(fit_by("balanced", loss = "hinge"))$print, note)
  kernel <- margin_kernel(data$x, data$y, kernel_rbf(0.3), loss = "logistic", lambda = 0.01,
                          intercept = "free", scale = TRUE, class_weights = "balanced")
  expect_match(shown(kernel)$print, note)
})
