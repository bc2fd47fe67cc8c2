# What is read from what is certain: predictions, coefficients, print, errors.

own <- asNamespace("dualmargin")

test_that("one-vs-rest problems decide by the lower end against all upper ones, ties by order", {
  lower <- rbind(c(1, 0, -1), c(1, 1, 0), c(0, 1, 1), c(0, 1, 1.5), c(-Inf, 0, 0))
  upper <- rbind(c(2, 0.5, 0), c(1, 1, 0.5), c(1, 2, 1), c(1, 1.2, 2), c(Inf, 1, 1))
  expect_identical(own$decide(lower, upper)$class, c(1L, 1L, NA, 3L, NA))
  expect_identical(own$decide(c(0, -1, -1), c(1, 0, -1e-9))$class, c(2L, NA, 1L))
  fit <- margin_linear(Species ~ ., data = iris, lambda = 0.01, multiclass = "one_vs_rest")
  certain <- margin_certain(fit, iris)
  found <- predict(certain, iris)
  exact <- update(fit, control = margin_control(tol = 1e-12))
  expect_identical(found$class[found$decided], predict(exact, iris)[found$decided],
                   ignore_attr = TRUE)
  prob <- predict(certain, iris, type = "prob")
  best <- predict(exact, iris, type = "prob")
  for (level in levels(iris$Species)) {
    expect_true(all(prob[[paste0("lower_", level)]] <= best[, level] + 1e-9))
    expect_true(all(prob[[paste0("upper_", level)]] >= best[, level] - 1e-9))
  }
  expect_identical(dim(coef(certain)), c(5L, 3L, 3L))
  expect_identical(nrow(tidy(certain)), 15L)
})

test_that("a calibrated fit has intervals of its probabilities", {
  rows <- seq(1, nrow(spambase), by = 20)
  fit <- margin_linear(type ~ ., data = spambase[rows, ], loss = "hinge", lambda = 0.1)
  for (method in c("platt", "isotonic")) {
    calibrated <- margin_calibrate(fit, spambase[rows, ], method = method, seed = 1)
    certain <- margin_certain(calibrated, spambase[rows, ])
    found <- predict(certain, spambase[1:200, ], type = "prob")
    expect_equal(found$prob, predict(calibrated, spambase[1:200, ], type = "prob")[, 2L],
                 ignore_attr = TRUE)
    expect_true(all(found$lower <= found$upper & found$lower >= 0 & found$upper <= 1))
  }
})

test_that("rows with missing entries are NA, and a regression has intervals in its unit", {
  data <- mtcars
  fit <- margin_linear(mpg ~ wt + hp, data = data, loss = "huber", lambda = 0.01)
  certain <- margin_certain(fit, data)
  new <- data[1:3, ]
  new$wt[2L] <- NA
  found <- predict(certain, new)
  expect_identical(names(found), c("score", "lower", "upper"))
  expect_identical(is.na(found$lower), c(FALSE, TRUE, FALSE))
  best <- update(fit, control = margin_control(tol = 1e-11))
  score <- predict(best, data)
  all_rows <- predict(certain)
  expect_true(all(all_rows$lower <= score + 1e-6 & all_rows$upper >= score - 1e-6))
  expect_lte(max(all_rows$upper - all_rows$lower), 1)
})

test_that("the root of a Hessian is kept once, and left out by compact = TRUE", {
  set.seed(6)
  x <- matrix(rnorm(150 * 40), 150)
  y <- factor(max.col(x[, 1:3] + 0.5 * rnorm(450)))
  new <- matrix(rnorm(200), 5)
  fits <- list(
    squared = margin_linear(x, y, loss = "squared", lambda = 0.01),
    logistic = margin_linear(x, y, loss = "logistic", lambda = 0.01, multiclass = "one_vs_rest"),
    softmax = margin_linear(x, y, loss = "logistic", lambda = 0.01, intercept = "none")
  )
  # class problems of the squared loss have one curvature, those of the logistic one each
  q <- list(squared = 41, logistic = rep(41, 3), softmax = 120)
  for (name in names(fits)) {
    certain <- margin_certain(fits[[name]], x, y)
    expect_identical(as.double(lengths(certain$metrics)), q[[name]] * (q[[name]] + 1) / 2)
    compact <- margin_certain(fits[[name]], x, y, compact = TRUE)
    expect_lt(as.numeric(utils::object.size(compact)),
              as.numeric(utils::object.size(certain)) - 8 * sum(lengths(certain$metrics)))
    same <- c("training", "level", "centre", "joint", "problems")
    expect_identical(compact[same], certain[same])
    expect_identical(predict(compact), predict(certain))
    expect_identical(coef(compact), coef(certain))
    expect_identical(predict(compact, new, data = x, refits = 0),
                     predict(certain, new, data = x, refits = 0))
    expect_identical(predict(compact, new, data = x), predict(certain, new, data = x))
    told <- expect_error(predict(compact, new), class = "dualmargin_input_error")
    expect_match(conditionMessage(told), "data = <the rows of the fit>", fixed = TRUE)
    certain$metrics <- lapply(certain$metrics, `[`, -1L)
    expect_error(predict(certain, new), "damaged object: `root`", fixed = TRUE)
  }
  hinge <- margin_linear(x, y, loss = "hinge", lambda = 0.01)
  expect_identical(predict(margin_certain(hinge, x, y, compact = TRUE), new),
                   predict(margin_certain(hinge, x, y), new))
  expect_error(margin_certain(hinge, x, y, compact = 1), "compact",
               class = "dualmargin_input_error")
})

test_that("what cannot be known is refused in words", {
  fit <- margin_linear(type ~ ., data = spambase, lambda = 0.1, mixture = 1)
  refused <- function(code, text) {
    expect_error(code, text, class = "dualmargin_input_error")
  }
  refused(margin_certain(fit, spambase), "mixture = 1.*certainly zero")
  fit <- margin_linear(type ~ ., data = spambase, lambda = 0.1)
  refused(margin_certain(fit, spambase[-1, ]), "`data` has 4,600 rows")
  refused(margin_certain(fit, spambase, tol = 1), "`tol` is not an argument")
  refused(margin_certain(1, spambase), "asked of a fit")
  robust <- margin_robust(type ~ ., data = spambase)
  refused(margin_certain(robust, spambase), "without a ridge")
  hard <- suppressWarnings(margin_hard(Species ~ ., data = iris, intercept = "none"))
  refused(margin_certain(hard, iris), "several classes")
  refused(margin_loo(robust, spambase), "margin_robust\\(\\)")
  certain <- margin_certain(fit, spambase)
  refused(predict(certain, NULL), "`newdata` is NULL")
  refused(predict(certain, spambase[1:2, ], data = spambase[-1, ]), "made from 4601")
  refused(predict(certain, spambase[1:2, ], data = spambase[4601:1, ]), "decision value")
  refused(predict(certain, spambase, type = "probability"), "type")
  hinge <- margin_linear(type ~ ., data = spambase, loss = "hinge", lambda = 0.1)
  # not type = "score", which this predict() has not
  refused(predict(margin_certain(hinge, spambase), type = "prob"), "use type = \"class\"")
  expect_message(table <- tidy(certain, conf.int = TRUE), "no confidence")
  expect_true(all(is.na(table$conf.low) & is.na(table$conf.high) & table$lower <= table$upper))
  squared <- margin_linear(mpg ~ wt, data = mtcars, lambda = 0.1)
  refused(predict(margin_certain(squared, mtcars), type = "prob"), "regression")
})
