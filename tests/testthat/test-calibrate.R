flowers <- droplevels(iris[iris$Species != "setosa", ])
x <- as.matrix(flowers[1:4])
y <- flowers$Species
ids <- rep_len(1:5, 100)

hinge <- margin_linear(x, y, loss = "hinge", lambda = 0.05)

test_that("a kernel keeps the width of the fit, and a precomputed one loses rows and columns", {
  fit <- margin_kernel(x, y, loss = "logistic", lambda = 0.05, intercept = "none")
  sigma <- fit$settings$kernel$sigma
  calibrated <- margin_calibrate(fit, x, y, folds = ids)
  out <- ids == 4
  by_hand <- margin_kernel(x[!out, ], y[!out], kernel = kernel_rbf(sigma), lambda = 0.05,
                           intercept = "none")
  held_out <- calibrated$calibration$held_out
  expect_equal(held_out$score[held_out$fold == 4],
               unname(predict(by_hand, x[out, ], type = "score")), tolerance = 1e-6)
  values <- exp(-0.4 * as.matrix(dist(x))^2)
  dimnames(values) <- NULL
  given <- margin_kernel(values, y, kernel = kernel_precomputed(), loss = "hinge", lambda = 0.05,
                         intercept = "none")
  direct <- margin_kernel(x, y, kernel = kernel_rbf(0.4), scale = FALSE, loss = "hinge",
                          lambda = 0.05, intercept = "none")
  expect_equal(margin_calibrate(given, values, y, folds = ids)$calibration$held_out$score,
               margin_calibrate(direct, x, y, folds = ids)$calibration$held_out$score,
               tolerance = 1e-5)
})

test_that("only the calibration is new: coefficients, classes and certificate stay", {
  for (method in c("platt", "isotonic")) {
    calibrated <- margin_calibrate(hinge, x, y, method = method, seed = 1)
    expect_identical(calibrated[names(hinge)], unclass(hinge)[names(hinge)])
    expect_identical(class(calibrated), class(hinge))
    expect_identical(predict(calibrated, x), predict(hinge, x))
    expect_identical(predict(calibrated, x, type = "score"), predict(hinge, x, type = "score"))
    expect_identical(certificate(calibrated), certificate(hinge))
    prob <- predict(calibrated, x, type = "prob")
    expect_identical(dimnames(prob), list(rownames(x), levels(y)))
    expect_equal(unname(rowSums(prob)), rep(1, 100))
    order <- order(predict(hinge, x, type = "score"))
    expect_true(all(diff(prob[order, 2]) >= 0))
    expect_true(all(prob > 0 & prob < 1))
  }
})

test_that("probabilities are the map of the score, missing ones too", {
  calibrated <- margin_calibrate(hinge, x, y, seed = 1)
  map <- calibrated$calibration$maps[[1]]
  new <- rbind(x[1:3, ], c(NA, 1, 1, 1))
  expect_equal(predict(calibrated, new, type = "prob")[, "virginica"],
               plogis(map$slope * predict(hinge, new, type = "score") + map$intercept))
  isotonic <- margin_calibrate(hinge, x, y, method = "isotonic", seed = 1)
  map <- isotonic$calibration$maps[[1]]
  expect_equal(unname(predict(isotonic, new, type = "prob")[, "virginica"]),
               approx(map$score, map$prob, predict(hinge, new, type = "score"), rule = 2)$y)
  far <- rbind(1e6 * hinge$coefficients[-1], -1e6 * hinge$coefficients[-1])
  expect_equal(unname(predict(isotonic, far, type = "prob")[, 2]), rev(range(map$prob)))
})

test_that("several classes are calibrated one-vs-rest and divided by their sum", {
  for (multiclass in c("softmax", "one_vs_rest")) {
    fit <- margin_kernel(Species ~ ., data = iris, lambda = 0.05, multiclass = multiclass,
                         intercept = "none")
    for (method in c("platt", "isotonic")) {
      calibrated <- margin_calibrate(fit, iris, method = method, folds = rep_len(1:3, 150))
      maps <- calibrated$calibration$maps
      expect_named(maps, levels(iris$Species))
      odds <- function(scores) {
        prob <- exp(scores) / rowSums(exp(scores))
        if (multiclass == "softmax") log(prob / (1 - prob)) else scores
      }
      scores <- odds(predict(fit, iris, type = "score"))
      each <- sapply(levels(iris$Species), function(level) {
        map <- maps[[level]]
        if (method == "platt") plogis(map$slope * scores[, level] + map$intercept) else
          approx(map$score, map$prob, scores[, level], rule = 2)$y
      })
      prob <- predict(calibrated, iris, type = "prob")
      expect_equal(unname(prob), unname(each / rowSums(each)), tolerance = 1e-10)
      expect_identical(predict(calibrated, iris), predict(fit, iris))
      held_out <- calibrated$calibration$held_out
      target <- odds(held_out$score)[, "virginica"]
      alone <- fit_maps(method, target, cbind(1 * (iris$Species[held_out$row] == "virginica")),
                        held_out$weight, NULL)[[1]]
      expect_equal(alone, maps$virginica)
    }
  }
})

test_that("what summary() counts is where sign and cross-validated probability disagree", {
  fit <- margin_linear(type ~ ., data = spambase[seq(1, 4601, 10), ], loss = "hinge", lambda = 0.01)
  calibrated <- margin_calibrate(fit, spambase[seq(1, 4601, 10), ], seed = 1)
  held_out <- calibrated$calibration$held_out
  map <- calibrated$calibration$maps[[1]]
  prob <- plogis(map$slope * held_out$score + map$intercept)
  odd <- which((held_out$score >= 0) != (prob > 0.5))
  expect_gt(length(odd), 0)
  expect_identical(calibrated$calibration$differing, odd)
  summary <- summary(calibrated)$calibration
  expect_identical(summary$differing$row, sort(held_out$row[odd]))
  expect_true(all(summary$differing$by_score != summary$differing$by_prob))
  expect_output(print(summary(calibrated)), sprintf("in %d of 461 rows", length(odd)))
  expect_output(print(calibrated), "Platt on cross-validated decision values, 5 folds",
                fixed = TRUE)
  other <- margin_calibrate(fit, spambase[seq(1, 4601, 10), ], method = "isotonic", folds = 3,
                            seed = 1)
  expect_output(print(other), "isotonic on cross-validated decision values, 3 folds")
  expect_null(summary(fit)$calibration)
})

test_that("the class is the score's sign where the probability says otherwise", {
  calibrated <- margin_calibrate(hinge, x, y, seed = 1)
  calibrated$calibration$maps[[1]]$intercept <- 100
  expect_identical(predict(calibrated, x), predict(hinge, x))
  expect_true(all(predict(calibrated, x, type = "prob")[, 2] > 0.5))
})
