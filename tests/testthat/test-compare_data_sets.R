some_scores <- function(sets = 12, k = 4) {
  set.seed(2)
  scores <- matrix(round(runif(sets * k, 0.6, 0.9), 2), sets,
                   dimnames = list(paste0("set", seq_len(sets)), letters[seq_len(k)]))
  scores[, 1] <- scores[, 1] + 0.15
  scores[3, 2] <- scores[3, 4] # a tie
  scores
}

test_that("ranks, Friedman's and Nemenyi's test are those written out", {
  scores <- some_scores()
  result <- friedman_nemenyi(scores)
  ranks <- t(apply(-scores, 1, rank))
  mean_rank <- colMeans(ranks)
  expect_equal(setNames(result$ranks$mean_rank, result$ranks$model), sort(mean_rank))
  expect_equal(setNames(result$ranks$mean, result$ranks$model)[colnames(scores)], colMeans(scores))
  # Friedman's statistic with the correction for ties
  n <- nrow(scores)
  k <- ncol(scores)
  ties <- sum(apply(ranks, 1, function(r) sum(table(r)^3 - table(r))))
  by_hand <- 12 * sum((colSums(ranks) - n * (k + 1) / 2)^2) /
    (n * k * (k + 1) - ties / (k - 1))
  expect_equal(unname(result$friedman$statistic), by_hand)
  expect_equal(result$friedman$p.value, pchisq(by_hand, k - 1, lower.tail = FALSE))
  row <- glance(result)
  expect_identical(c(row$n_models, row$n_sets), c(k, n))
  expect_equal(c(row$statistic, row$p.value, row$parameter),
               c(by_hand, result$friedman$p.value, k - 1))
  expect_equal(row$mean_rank, mean_rank[[row$best]])
  expect_equal(row$mean_rank, min(mean_rank))
  pairs <- tidy(result)
  expect_identical(nrow(pairs), 6L)
  for (i in seq_len(nrow(pairs))) {
    d <- mean_rank[[pairs$model_1[i]]] - mean_rank[[pairs$model_2[i]]]
    expect_equal(pairs$difference[i], d)
    q <- abs(d) / sqrt(k * (k + 1) / (6 * n)) * sqrt(2)
    expect_equal(pairs$p.value[i], ptukey(q, k, Inf, lower.tail = FALSE), tolerance = 1e-6)
    expect_identical(pairs$p.value[i] < 0.05, abs(d) > result$critical_difference)
  }
  # what package PMCMRplus says of these ranks
  expect_equal(pairs$p.value, c(0.00377067358, 0.00211980087, 0.0554366123, 0.998593474, 0.820571524,
                                0.733161894), tolerance = 1e-8)
  # more than ten models
  wide <- some_scores(9, 12)
  tested <- friedman_nemenyi(wide)
  ranks <- colMeans(t(apply(-wide, 1, rank)))
  row <- tested$pairs[tested$pairs$model_1 == "b" & tested$pairs$model_2 == "k", ]
  q <- abs(ranks[["b"]] - ranks[["k"]]) / sqrt(12 * 13 / (6 * 9)) * sqrt(2)
  expect_equal(row$p.value, ptukey(q, 12, Inf, lower.tail = FALSE), tolerance = 1e-6)
})

test_that("where less is better the ranks turn round", {
  scores <- some_scores()
  up <- friedman_nemenyi(scores)
  down <- friedman_nemenyi(-scores, maximize = FALSE)
  expect_equal(down$ranks$mean_rank, up$ranks$mean_rank)
  expect_equal(down$pairs, up$pairs)
  expect_equal(friedman_nemenyi(as.data.frame(scores))$pairs, up$pairs)
})

test_that("comparisons bring their means and certificates", {
  cut <- function(at, certified) {
    threshold_spec("Petal.Width", at, paste("at", at), list(relative_gap = at / 10,
                                                            certified = certified))
  }
  compare <- function(certified, specs = list(cut(1.4, TRUE), cut(1.6, certified),
                                              cut(1.9, TRUE))) {
    quiet_compare(specs, Species ~ ., data = iris_pair(), folds = 4, seed = 1,
                  metric = c("accuracy", "hinge"), scale = FALSE)
  }
  on_sets <- list(one = compare(TRUE), two = compare(FALSE))
  result <- friedman_nemenyi(on_sets)
  means <- tapply(on_sets$two$results$score, on_sets$two$results$model, mean)
  expect_equal(result$scores["two", ], c(means))
  expect_identical(dimnames(result$scores), list(c("one", "two"), names(means)))
  certified <- setNames(result$ranks$certified, result$ranks$model)
  expect_identical(certified[names(means)], c("at 1.4" = TRUE, "at 1.6" = FALSE, "at 1.9" = TRUE))
  expect_equal(sort(result$ranks$relative_gap), c(0.14, 0.16, 0.19))
  expect_identical(result$pairs$certified, c(FALSE, TRUE, FALSE))
  expect_output(print(result), "NOT certified: that rank is one of an optimiser")
  # fewer mean hinge losses are better
  expect_equal(friedman_nemenyi(on_sets, metric = "hinge")$scores["one", ],
               c(tapply(on_sets$one$results$hinge, on_sets$one$results$model, mean)))
  # the same models in another order are the same models
  turned <- compare(TRUE, list(cut(1.9, TRUE), cut(1.4, TRUE), cut(1.6, TRUE)))
  expect_equal(friedman_nemenyi(list(one = on_sets$one, two = turned))$scores["two", ],
               result$scores["two", ])
  other <- compare(TRUE, list(cut(1.5, TRUE), cut(1.6, TRUE)))
  expect_error(friedman_nemenyi(list(on_sets$one, other)), "use the same models",
               class = "dualmargin_input_error")
  expect_error(friedman_nemenyi(list(on_sets$one, 3)), "`scores` holds 3 at position 2",
               class = "dualmargin_input_error")
  expect_error(friedman_nemenyi(on_sets, metric = "auroc"), "`metric` is \"auroc\"",
               class = "dualmargin_input_error")
})

test_that("bad scores are errors of their own", {
  input_error <- function(expression, words) {
    expect_error(expression, words, class = "dualmargin_input_error")
  }
  scores <- some_scores()
  input_error(friedman_nemenyi(1:3), "`scores` is a numeric vector of length 3, but must be a")
  input_error(friedman_nemenyi(replace(scores, 3, NA)), "`scores` must hold finite numbers only")
  input_error(friedman_nemenyi(unname(scores)), "`scores` must have a column name of its own")
  input_error(friedman_nemenyi(scores[1, , drop = FALSE]), "`scores` has 1 data set and 4 models")
  input_error(friedman_nemenyi(scores, metric = "auroc"), "`metric` is for a list of comparisons")
  input_error(friedman_nemenyi(scores, maximize = 1), "`maximize` is 1")
  input_error(friedman_nemenyi(scores, level = 0), "`level` is 0")
  input_error(tidy(friedman_nemenyi(scores), 3), "too many")
})
