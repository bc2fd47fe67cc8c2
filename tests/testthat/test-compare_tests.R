# One comparison for all: three models of known predictions and one that is fitted.
comparison <- quiet_compare(
  list(cut = threshold_spec("Petal.Width", 1.6, "cut", list(relative_gap = 0.2, certified = FALSE)),
       long = threshold_spec("Petal.Length", 4.9, "long"),
       logistic = spec_margin("linear", loss = "logistic", lambda = 0.01),
       hinge = spec_margin("linear", loss = "hinge", lambda = 0.01)),
  Species ~ ., data = iris_pair(), folds = 5, repeats = 3, seed = 4, scale = FALSE,
  metric = c("accuracy", "hinge")
)
row_of <- function(table, a, b) table[table$model_1 == a & table$model_2 == b, ]
scores <- function(model, column = "score") {
  comparison$results[[column]][comparison$results$model == model]
}

test_that("the corrected t test is the written formula", {
  table <- tidy(comparison, tests = "corrected_t")
  expect_identical(nrow(table), 6L)
  for (i in seq_len(nrow(table))) {
    row <- table[i, ]
    d <- scores(row$model_1) - scores(row$model_2)
    se <- sqrt((1 / 15 + 20 / 80) * var(d))
    expect_equal(row$estimate, mean(d))
    expect_equal(row$std.error, se)
    expect_equal(row$statistic, mean(d) / se)
    expect_equal(row$parameter, 14)
    expect_equal(row$p.value, 2 * pt(-abs(mean(d) / se), 14))
    expect_equal(c(row$conf.low, row$conf.high), mean(d) + c(-1, 1) * qt(0.975, 14) * se)
  }
  expect_equal(table$adj.p.value, p.adjust(table$p.value, "holm"))
  # what package correctR 0.3.1 says of these differences
  d <- c(0.02, 0.05, -0.01, 0.04, 0.03)
  test <- corrected_t_test(d, corrected_spread(d, data.frame(n_train = 80, n_test = 20)[rep(1, 5), ]),
                           0.95)
  expect_equal(c(test$statistic, test$p.value), c(1.683562, 0.1675532), tolerance = 1e-6)
  of_hinge <- tidy(comparison, tests = "corrected_t", metric = "hinge", level = 0.8)
  d <- scores("cut", "hinge") - scores("long", "hinge")
  expect_equal(row_of(of_hinge, "cut", "long")$conf.low,
               mean(d) - qt(0.9, 14) * sqrt((1 / 15 + 1 / 4) * var(d)))
})

test_that("the Bayesian posterior is the integral of its density", {
  for (rope in c(0, 0.01, 0.05)) {
    table <- tidy(comparison, tests = "bayes", rope = rope)
    for (i in seq_len(nrow(table))) {
      row <- table[i, ]
      d <- scores(row$model_1) - scores(row$model_2)
      scale <- sqrt((1 / 15 + 1 / 4) * var(d))
      density <- function(at) dt((at - mean(d)) / scale, 14) / scale
      mass <- function(from, to) {
        middle <- min(max(mean(d), from), to)
        part <- function(a, b) if (a < b) integrate(density, a, b, rel.tol = 1e-10)$value else 0
        part(from, middle) + part(middle, to)
      }
      expect_equal(row$prob_model_1, mass(rope, Inf), tolerance = 1e-7)
      expect_equal(row$prob_model_2, mass(-Inf, -rope), tolerance = 1e-7)
      expect_equal(row$prob_model_1 + row$prob_rope + row$prob_model_2, 1)
      expect_true(is.na(row$p.value) && is.na(row$adj.p.value))
    }
  }
})

first <- comparison$predictions[comparison$predictions$repetition == 1, ]
first <- lapply(split(first, first$model), function(rows) rows[order(rows$row), ])

test_that("McNemar's test is stats' of the first repetition", {
  table <- tidy(comparison, tests = "mcnemar")
  row <- row_of(table, "cut", "long")
  right <- lapply(first, function(rows) rows$class == rows$truth)
  direct <- mcnemar.test(table(right$cut, right$long))
  expect_equal(row$statistic, unname(direct$statistic))
  expect_equal(row$p.value, direct$p.value)
  expect_equal(row$estimate, mean(right$cut) - mean(right$long))
  # by hand, with the continuity correction
  b <- sum(right$cut & !right$long)
  c <- sum(!right$cut & right$long)
  expect_equal(row$statistic, (abs(b - c) - 1)^2 / (b + c))
})

test_that("DeLong's test ranks rows within their fold", {
  row <- row_of(tidy(comparison, tests = "delong", level = 0.9), "cut", "long")
  # DeLong's variance by hand in each fold, from the shares of rows that each row outranks
  parts <- lapply(1:5, function(fold) {
    truth <- first$cut$truth[first$cut$fold == fold] == comparison$levels[2]
    shares <- lapply(c("cut", "long"), function(model) {
      s <- first[[model]]$score[first[[model]]$fold == fold]
      wins <- outer(s[truth], s[!truth], function(a, b) (a > b) + (a == b) / 2)
      list(up = rowMeans(wins), down = colMeans(wins))
    })
    up <- shares[[1]]$up - shares[[2]]$up
    down <- shares[[1]]$down - shares[[2]]$down
    c(mean(up), var(up) / sum(truth) + var(down) / sum(!truth))
  })
  parts <- do.call(cbind, parts)
  expect_equal(row$estimate, mean(parts[1, ]))
  expect_equal(row$std.error, sqrt(sum(parts[2, ])) / 5)
  expect_equal(row$statistic, row$estimate / row$std.error)
  expect_equal(row$p.value, 2 * pnorm(-abs(row$statistic)))
  expect_equal(c(row$conf.low, row$conf.high),
               row$estimate + c(-1, 1) * qnorm(0.95) * row$std.error)
  # the difference in the mean area of the folds, as cross-validation has it
  areas <- vapply(c("cut", "long"), function(model) {
    mean(vapply(split(first[[model]], first[[model]]$fold), function(rows) {
      known_metrics()$auroc$compute(rows$truth, rows$score, rep(1, nrow(rows)))
    }, 0))
  }, 0)
  expect_equal(row$estimate, areas[["cut"]] - areas[["long"]])
})

test_that("a fold without two rows of each class is no place for DeLong's test", {
  few <- quiet_compare(list(threshold_spec("Petal.Width", 1.6, "a"),
                            threshold_spec("Petal.Length", 4.9, "b")),
                       Species ~ ., data = iris_pair(), folds = 50, seed = 1)
  expect_match(summary(few)$left_out[["delong"]], "fewer than two rows of a class")
  expect_output(print(summary(few)), "No delong: it ranks rows within their fold")
})

test_that("gaps and certificates stand beside every test", {
  table <- tidy(comparison)
  expect_identical(unique(table$relative_gap_1[table$model_1 == "cut"]), 0.2)
  expect_true(all(is.na(table$relative_gap_1[table$model_1 == "long"])))
  expect_false(any(row_of(table, "cut", "hinge")$certified))
  expect_true(all(row_of(table, "logistic", "hinge")$certified))
  expect_true(all(is.na(row_of(table, "long", "hinge")$certified)))
  expect_identical(unique(row_of(table, "logistic", "hinge")$relative_gap_1),
                   max(comparison$results$relative_gap[comparison$results$model == "logistic"]))
  models <- summary(comparison)$models
  expect_identical(models$certified, c(0L, NA, 15L, 15L))
  expect_equal(models$mean, unname(vapply(models$model, function(m) mean(scores(m)), 0)))
  expect_output(print(summary(comparison)), "NOT certified: that row compares optimisers")
})

test_that("tests that cannot be made say why", {
  input_error <- function(expression, words) {
    expect_error(expression, words, class = "dualmargin_input_error")
  }
  input_error(summary(comparison, tests = "t"), "`tests` is \"t\"")
  input_error(summary(comparison, tests = 1), "`tests` is 1, but must be names among")
  input_error(summary(comparison, metric = "auroc"), "`metric` is \"auroc\"")
  input_error(summary(comparison, rope = NA), "`rope` is NA")
  input_error(summary(comparison, level = 1), "`level` is 1")
  input_error(summary(comparison, level = 0.9, k = 1), "`k` is not an argument of summary")
  constant <- model_spec(function(x, y) 1,
                         function(model, x, levels) rep(levels[1], nrow(x)), "constant")
  three <- quiet_compare(list(spec_margin("linear", loss = "hinge"), constant), Species ~ .,
                         data = iris, folds = 2, seed = 1)
  input_error(tidy(three, tests = "delong"), "which is for two classes, and there are 3")
  expect_match(summary(three)$left_out[["delong"]], "two classes")
  expect_output(print(summary(three)), "No delong: it is for two classes")
  two <- comparison
  two$predictions$score <- NA_real_
  input_error(tidy(two, tests = "delong"), "needs decision values, which model \"cut\" has none of")
  weighted <- comparison
  weighted$weighted <- TRUE
  input_error(tidy(weighted, tests = "mcnemar"), "`tests` has \"mcnemar\", which takes no weights")
  twice <- comparison
  twice$predictions$repetition <- 1L
  input_error(tidy(twice, tests = "mcnemar"), "needs folds that hold every row out once")
  numbers <- margin_compare(
    mpg ~ wt, mtcars,
    list(spec_margin("linear", loss = "squared"), spec_margin("linear", loss = "huber")),
    folds = 3, seed = 1
  )
  input_error(tidy(numbers, tests = "mcnemar"), "needs classes, and this is a regression")
})

test_that("models are told apart by the size of their sets at one coverage", {
  some <- spambase[seq(1, nrow(spambase), by = 25), ]
  specs <- list(
    good = spec_margin("linear", loss = "logistic", lambda = 0.01),
    poor = spec_margin("linear", loss = "logistic", lambda = 30)
  )
  comparison <- margin_compare(type ~ ., data = some, specs, folds = 4, seed = 1)
  size <- summary(comparison)$models$set_size
  # by hand, of the first
  rows <- comparison$predictions[comparison$predictions$model == "good", ]
  strange <- ifelse(rows$truth == "spam", -1, 1) * rows$score
  by_hand <- mean(vapply(1:4, function(fold) {
    others <- sort(strange[rows$fold != fold], decreasing = TRUE)
    end <- others[floor(0.1 * (length(others) + 1) + 1e-9)]
    mean((rows$score[rows$fold == fold] <= end) + (-rows$score[rows$fold == fold] <= end))
  }, 0))
  expect_equal(size[1L], by_hand)
  expect_lt(size[1L], size[2L])
  said <- "set_size: mean size of 90 % prediction sets, or length of 90 % intervals."
  for (shown in list(comparison, summary(comparison))) {
    printed <- capture.output(shown)
    expect_identical(sum(printed == said), 1L)
    expect_gt(which(printed == said), grep("set_size$", printed)[1L])
  }
  bare <- summary(comparison)
  bare$models$set_size <- NA_real_
  expect_false(any(grepl("set_size", capture.output(bare))))
  cars <- list(all = spec_margin("linear", loss = "squared", lambda = 0.01),
               none = spec_margin("linear", loss = "squared", lambda = 100))
  widths <- summary(margin_compare(mpg ~ wt + hp, data = mtcars, cars, folds = 3,
                                   seed = 1))$models$set_size
  expect_lt(widths[1L], widths[2L])
})
