# Residuals of the deviance: the sign, and the loss above that of the saturated model.

test_that("the squares of those of a regression are twice the losses, by the metric of the loss", {
  weights <- rep(1:4, 8) / 2
  makers <- loss_makers()[regression_losses()]
  known <- lapply(makers, function(make) make())
  for (loss in c(known, list(loss_huber(0.8), loss_huber(0.5, "response"), loss_quantile(0.2),
                             loss_epsilon_insensitive(0.2)))) {
    fit <- margin_linear(mpg ~ wt + hp, mtcars, loss = loss, weights = weights, lambda = 0.05)
    r <- residuals(fit, type = "deviance")
    response <- residuals(fit)
    name <- fit$settings$loss$name
    metric <- margin_performance(fit, mtcars, weights = weights)$metrics$value[1L]
    if (name == "squared") metric <- metric / 2
    expect_equal(sum(r^2), 2 * sum(weights) * metric, info = name)
    inside <- r == 0
    expect_identical(sign(r)[!inside], sign(response)[!inside])
    # larger residuals of a side have larger ones
    for (side in c(-1, 1)) {
      of <- which(sign(response) == side & weights == 1)
      expect_false(is.unsorted(abs(r)[of][order(abs(response)[of])]), info = name)
    }
    expect_identical(names(r), rownames(mtcars))
  }
  line <- margin_linear(mpg ~ wt + hp, mtcars, weights = weights)
  expect_equal(residuals(line, type = "deviance"), sqrt(weights) * residuals(line))
  expect_equal(sum(residuals(line, type = "deviance")^2), deviance(line))
})

test_that("those of two classes are of the loss at the margin, signed by the class", {
  some <- spambase[seq(1L, 4601L, by = 60L), ]
  weights <- rep_len(c(0.5, 1, 2), nrow(some))
  side <- ifelse(some$type == "spam", 1, -1)
  values <- list(
    hinge = function(m) pmax(1 - m, 0),
    smooth_hinge = function(m) ifelse(m >= 1, 0, ifelse(m <= 0.7, 0.85 - m, (1 - m)^2 / 0.6)),
    squared_hinge = function(m) pmax(1 - m, 0)^2, logistic = function(m) log1p(exp(-m)),
    squared = function(m) (1 - m)^2 / 2,
    huber = function(m) ifelse(abs(1 - m) < 0.5, (1 - m)^2 / 2, 0.5 * (abs(1 - m) - 0.25))
  )
  losses <- list(as_loss("hinge"), loss_smooth_hinge(0.3), loss_squared_hinge(0.5), as_loss("logistic"),
                 as_loss("squared"), loss_huber(0.5))
  for (i in seq_along(losses)) {
    fit <- margin_linear(type ~ ., some, loss = losses[[i]], weights = weights, lambda = 0.1)
    m <- side * unname(predict(fit, type = "score"))
    expected <- side * sqrt(2 * weights * values[[i]](m))
    expect_equal(unname(residuals(fit, type = "deviance")), expected, info = names(values)[i])
    # the objective is the mean of the losses and the penalty
    penalty <- 0.05 * sum((coef(fit)[-1L] * fit$scales)^2)
    expect_equal(sum(residuals(fit, type = "deviance")^2) / (2 * sum(weights)) + penalty,
                 certificate(fit)$value, info = names(values)[i])
  }
  robust <- margin_robust(type ~ ., some, radius = 0.01)
  expect_equal(unname(residuals(robust, type = "deviance")),
               side * sqrt(2 * pmax(1 - side * unname(predict(robust, type = "score")), 0)))
})

test_that("several classes one-vs-rest have a column each, soft labels their entropy", {
  three <- margin_linear(Species ~ ., iris, loss = "logistic", multiclass = "one_vs_rest")
  r <- residuals(three, type = "deviance")
  expect_identical(dim(r), c(150L, 3L))
  score <- predict(three, type = "score")
  for (level in levels(iris$Species)) {
    side <- ifelse(iris$Species == level, 1, -1)
    expect_equal(unname(r[, level]), unname(side * sqrt(2 * log1p(exp(-side * score[, level])))))
  }
  set.seed(1)
  share <- stats::runif(100)
  soft <- margin_kernel(as.matrix(iris[51:150, 1:4]), soft_labels(2 * share - 1),
                        intercept = "none")
  p <- stats::plogis(predict(soft, type = "score"))
  # what glm() has for shares
  theirs <- stats::binomial()$dev.resids(share, p, rep(1, 100))
  expect_equal(unname(residuals(soft, type = "deviance")), unname(sign(share - p) * sqrt(theirs)),
               tolerance = 1e-6)
})

test_that("what has no residuals of the deviance says why", {
  expect_told("residuals", "dependent", {
    residuals(margin_linear(Species ~ ., iris, multiclass = "softmax"), type = "deviance")
    residuals(margin_hard(Species ~ Petal.Length, iris[c(1:50, 101:150), ]), type = "deviance")
    residuals(margin_linear(Species ~ ., iris[51:150, ], loss = "hinge"))
    residuals(margin_linear(mpg ~ wt, mtcars, loss = "absolute"), type = "pearson")
    residuals(margin_oneclass(iris[1:4]), type = "deviance")
    residuals(margin_kernel(as.matrix(iris[1:4]), soft_labels(rep(c(-1, 0.5), 75)),
                            loss = "smooth_hinge", intercept = "none"), type = "deviance")
  })
})

test_that("several quantiles have a column each, that of a fit of one", {
  several <- margin_linear(mpg ~ wt + hp, mtcars, loss = loss_quantile(c(0.2, 0.8)), lambda = 0.05)
  r <- residuals(several, type = "deviance")
  for (tau in c(0.2, 0.8)) {
    label <- paste("tau =", tau)
    one <- margin_linear(mpg ~ wt + hp, mtcars, loss = loss_quantile(tau), lambda = 0.05)
    expect_equal(r[, label], residuals(one, type = "deviance"), tolerance = 1e-3)
  }
})
