# Every metric against its formula or a reference.

metric <- function(name) known_metrics()[[name]]$compute

set.seed(4)
two <- factor(sample(c("no", "yes"), 40, TRUE))
score <- rnorm(40) + (two == "yes")
weight <- sample(0:3, 40, TRUE)
once <- rep(1, 40)
prob <- cbind(no = 1 - plogis(score), yes = plogis(score))
three <- factor(sample(c("a", "b", "c"), 60, TRUE))
scores3 <- matrix(rnorm(180), 60, dimnames = list(NULL, c("a", "b", "c")))
scores3[cbind(1:60, as.integer(three))] <- scores3[cbind(1:60, as.integer(three))] + 1
prob3 <- exp(scores3) / rowSums(exp(scores3))
called <- factor(ifelse(score >= 0, "yes", "no"), levels = c("no", "yes"))

test_that("shares of rows, by hand", {
  table <- table(two, called)
  expect_equal(metric("accuracy")(two, called, once), sum(diag(table)) / 40)
  expect_equal(metric("balanced_accuracy")(two, called, once),
               mean(diag(table) / rowSums(table)))
  weighted <- tapply(weight, list(two, called), sum)
  expect_equal(metric("accuracy")(two, called, weight), sum(diag(weighted)) / sum(weight))
  expect_equal(metric("balanced_accuracy")(two, called, weight),
               mean(diag(weighted) / rowSums(weighted)))
  # of a class that is not there no share can be had
  yes <- two == "yes"
  expect_equal(metric("balanced_accuracy")(two[yes], called[yes], once[yes]),
               mean(called[yes] == "yes"))
})

test_that("probabilities: log loss and Brier's score", {
  p <- ifelse(two == "yes", prob[, "yes"], prob[, "no"])
  expect_equal(metric("log_loss")(two, prob, once), -mean(log(p)))
  expect_equal(metric("log_loss")(two, prob, weight), -sum(weight * log(p)) / sum(weight))
  expect_equal(metric("brier")(two, prob, weight), sum(weight * (1 - p)^2) / sum(weight))
  distance <- vapply(1:60, function(i) sum((prob3[i, ] - (colnames(prob3) == three[i]))^2), 0)
  expect_equal(metric("brier")(three, prob3, rep(1, 60)), mean(distance) / 2)
  expect_equal(metric("log_loss")(three, prob3, rep(1, 60)),
               -mean(log(prob3[cbind(1:60, match(three, colnames(prob3)))])))
})

test_that("hinge, for two classes and one-vs-rest", {
  sign <- ifelse(two == "yes", 1, -1)
  expect_equal(metric("hinge")(two, score, weight),
               sum(weight * pmax(0, 1 - sign * score)) / sum(weight))
  by_class <- sapply(levels(three), function(k) {
    mean(pmax(0, 1 - ifelse(three == k, 1, -1) * scores3[, k]))
  })
  expect_equal(metric("hinge")(three, scores3, rep(1, 60)), mean(by_class))
})

test_that("errors of a regression", {
  expect_equal(metric("mse")(c(1, 2, 4), c(1, 0, 5), c(1, 2, 3)), (0 + 2 * 4 + 3) / 6)
  expect_equal(metric("mae")(c(1, 2, 4), c(1, 0, 5), c(1, 2, 3)), (0 + 2 * 2 + 3) / 6)
})

# The share of pairs in the right order, ties counting half.
area_by_hand <- function(positive, negative) {
  mean(outer(positive, negative, ">") + outer(positive, negative, "==") / 2)
}

test_that("the area under the curve is the share of ordered pairs, and never turned around", {
  rounded <- round(score, 1)
  by_hand <- area_by_hand(rounded[two == "yes"], rounded[two == "no"])
  expect_equal(metric("auroc")(two, rounded, once), by_hand)
  expect_equal(metric("auroc")(two, -rounded, once), 1 - by_hand)
  pairs <- combn(levels(three), 2, function(pair) {
    i <- pair[1]
    j <- pair[2]
    (area_by_hand(scores3[three == i, i], scores3[three == j, i]) +
       area_by_hand(scores3[three == j, j], scores3[three == i, j])) / 2
  })
  expect_equal(metric("auroc")(three, scores3, rep(1, 60)), mean(pairs))
  expect_equal(metric("auroc")(three, -scores3, rep(1, 60)), 1 - mean(pairs))
  # a class that is not among the rows leaves the pairs of the others
  few <- three != "b"
  expect_silent(area <- metric("auroc")(three[few], scores3[few, ], rep(1, sum(few))))
  expect_equal(area, pairs[2])
  expect_identical(metric("auroc")(two[two == "yes"], score[two == "yes"], once[two == "yes"]),
                   NA_real_)
})

# tp, fn, fp, tn of each class against the rest, by a loop over rows
by_class <- function(truth, called, w) {
  sapply(levels(truth), function(k) {
    own <- truth == k
    say <- called == k
    c(tp = sum(w[own & say]), fn = sum(w[own & !say]), fp = sum(w[!own & say]),
      tn = sum(w[!own & !say]))
  })
}

test_that("shares of the table, by hand: of the second class, or the mean over classes", {
  formulas <- list(
    sensitivity = function(t) t["tp", ] / (t["tp", ] + t["fn", ]),
    specificity = function(t) t["tn", ] / (t["tn", ] + t["fp", ]),
    precision = function(t) t["tp", ] / (t["tp", ] + t["fp", ]),
    f1 = function(t) 2 / ((t["tp", ] + t["fn", ]) / t["tp", ] + (t["tp", ] + t["fp", ]) / t["tp", ])
  )
  called3 <- factor(levels(three)[max.col(scores3)], levels(three))
  w3 <- rep(1:3, 20)
  for (name in names(formulas)) {
    expect_equal(metric(name)(two, called, weight),
                 formulas[[name]](by_class(two, called, weight))[["yes"]], info = name)
    expect_equal(metric(name)(three, called3, w3),
                 mean(formulas[[name]](by_class(three, called3, w3))), info = name)
  }
  # two classes: Matthews' own formula; more: the correlation of indicators
  t <- by_class(two, called, weight)[, "yes"]
  expect_equal(metric("mcc")(two, called, weight),
               unname((t["tp"] * t["tn"] - t["fp"] * t["fn"]) /
                        sqrt((t["tp"] + t["fp"]) * (t["tp"] + t["fn"]) * (t["tn"] + t["fp"]) *
                               (t["tn"] + t["fn"]))))
  indicator <- function(f) 1 * outer(as.integer(f), 1:3, "==")
  centred <- function(f) sweep(indicator(f), 2, colSums(w3 * indicator(f)) / sum(w3))
  product <- function(f, g) sum(w3 * centred(f) * centred(g))
  expect_equal(metric("mcc")(three, called3, w3),
               product(three, called3) / sqrt(product(three, three) * product(called3, called3)))
  own <- tapply(w3, three, sum) / sum(w3)
  say <- tapply(w3, called3, sum) / sum(w3)
  expect_equal(metric("kappa")(three, called3, w3),
               (metric("accuracy")(three, called3, w3) - sum(own * say)) / (1 - sum(own * say)))
})

test_that("what rows do not tell is NA", {
  never <- factor(rep("no", 40), c("no", "yes"))
  expect_identical(metric("precision")(two, never, once), NA_real_)
  expect_identical(metric("f1")(two, never, once), 0)
  expect_identical(metric("mcc")(two, never, once), NA_real_)
  expect_identical(metric("kappa")(never, never, once), NA_real_)
  expect_identical(metric("sensitivity")(never, called, once), NA_real_)
  expect_identical(metric("auprc")(never, score, once), NA_real_)
  expect_identical(metric("r2")(rep(1, 5), 1:5, rep(1, 5)), NA_real_)
  # a class that is never predicted has no precision, and the others have their mean
  called3 <- factor(ifelse(three == "a", "a", "b"), levels(three))
  expect_equal(metric("precision")(three, called3, rep(1, 60)),
               mean(c(1, mean(three[called3 == "b"] == "b"))))
})

test_that("areas under precision and recall, by hand", {
  rounded <- round(score, 1)
  cuts <- sort(unique(rounded), decreasing = TRUE)
  recall <- c(0, sapply(cuts, function(t) mean(rounded[two == "yes"] >= t)))
  precision <- c(1, sapply(cuts, function(t) mean(two[rounded >= t] == "yes")))
  n <- length(recall)
  expect_equal(metric("auprc")(two, rounded, once),
               sum(diff(recall) * (precision[-1] + precision[-n]) / 2))
  expect_equal(metric("average_precision")(two, rounded, once), sum(diff(recall) * precision[-1]))
  each <- sapply(levels(three), function(k) {
    truth <- factor(three == k, c(FALSE, TRUE))
    metric("auprc")(truth, scores3[, k], rep(1, 60))
  })
  expect_equal(metric("auprc")(three, scores3, rep(1, 60)), mean(each))
})

test_that("calibration error, by a loop over the bins", {
  error <- function(p, happened, w) {
    sum(sapply(0:9, function(b) {
      inside <- p >= b / 10 & (p < (b + 1) / 10 | b == 9)
      abs(sum((w * (p - happened))[inside]))
    })) / sum(w)
  }
  expect_equal(metric("calibration_error")(two, prob, weight),
               error(prob[, "yes"], two == "yes", weight))
  most <- max.col(prob3)
  expect_equal(metric("calibration_error")(three, prob3, rep(1, 60)),
               error(prob3[cbind(1:60, most)], as.integer(three) == most, rep(1, 60)))
})

test_that("a user's metric gets rows, predictions of its kind and weights", {
  seen <- list()
  spy <- function(needs) {
    margin_metric(function(truth, predicted, weights) {
      seen[[needs]] <<- list(truth = truth, predicted = predicted, weights = weights)
      sum(weights)
    }, paste("spy", needs), needs = needs)
  }
  w <- rep(1:3, 50)
  cv <- margin_cv(iris[1:4], iris$Species, loss = "logistic", weights = w,
                  multiclass = "one_vs_rest", grid = list(lambda = 0.01), folds = rep(1:2, 75),
                  metric = list(spy("class"), spy("score"), spy("prob")))
  held_out <- seq(2, 150, by = 2)
  fit <- margin_linear(iris[-held_out, 1:4], iris$Species[-held_out], loss = "logistic",
                       lambda = 0.01, weights = w[-held_out], multiclass = "one_vs_rest")
  for (type in c("class", "score", "prob")) {
    expect_identical(seen[[type]]$truth, iris$Species[held_out])
    expect_identical(seen[[type]]$weights, as.double(w[held_out]))
    predicted <- predict(fit, iris[held_out, ], type = type)
    expect_equal(seen[[type]]$predicted, predicted, tolerance = 1e-3,
                 ignore_attr = TRUE)
  }
  expect_identical(cv$results$score, cv$results[["spy prob"]])
  expect_equal(cv$results$score[2], sum(w[held_out]))
})

test_that("bad metrics say what is wrong with them", {
  cv <- function(...) margin_cv(iris[1:4], iris$Species, grid = list(lambda = 1), folds = 3, ...)
  own <- margin_metric(function(truth, predicted, weights) "good", "own")
  expect_told("metrics", "input", {
    margin_metric("accuracy", "own")
    margin_metric(mean, "")
    margin_metric(mean, "own", maximize = NA)
    margin_metric(mean, "own", needs = "probability")
    cv(metric = "acuracy")
    cv(metric = character())
    cv(metric = mean)
    cv(metric = c("accuracy", "accuracy"))
    cv(metric = "mse")
    cv(metric = "log_loss", loss = "hinge")
    cv(metric = own, seed = 1)
    cv(metric = margin_metric(mean, "n_train"))
    margin_cv(mpg ~ ., mtcars, loss = "squared", metric = "accuracy")
    margin_cv(Species ~ ., iris, family = "hard", grid = list(), metric = "brier",
              intercept = "none")
  })
  expect_output(print(own), "<margin_metric> own, from the class, higher is better", fixed = TRUE)
})

test_that("where no area can be had, that is told before the first fit", {
  two <- iris[51:150, ]
  two$Species <- droplevels(two$Species)
  expect_told("metrics", "area", {
    margin_cv(Species ~ ., two, folds = 100, metric = "auroc", loss = "smooth_hinge")
  })
  # a fold of one class has none, which the means leave out and n tells
  ids <- c(rep(1, 10), rep(2:3, 45))
  cv <- margin_cv(Species ~ ., two, grid = list(lambda = 0.1), folds = ids, metric = "auroc",
                  loss = "smooth_hinge")
  expect_identical(is.na(cv$results$score), c(TRUE, FALSE, FALSE))
  expect_identical(summary(cv)$n, 2L)
  expect_equal(summary(cv)$mean, mean(cv$results$score[2:3]))
  expect_output(print(cv), "1 of 3 scores cannot be had", fixed = TRUE)
})
