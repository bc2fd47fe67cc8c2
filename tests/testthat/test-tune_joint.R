# The proven minimum of the cross-validated error of several classes, against the errors of
# multinomial fits at other penalties.

several <- function(n, p, k, strength = 1) {
  x <- matrix(rnorm(n * p), n, dimnames = list(NULL, paste0("x", seq_len(p))))
  y <- factor(max.col(strength * x %*% matrix(rnorm(p * k), p) + matrix(rnorm(n * k), n)),
              levels = seq_len(k))
  y[seq_len(4 * k)] <- rep(seq_len(k), 4)
  list(x = x, y = y)
}

# Weight of the rows that fits at 1e-12 misclassify, fold by fold, and of those at a tie to 1e-7.
joint_error <- function(d, folds, lambda, weights = rep(1, length(d$y)), ...) {
  wrong <- vapply(sort(unique(folds)), function(fold) {
    train <- folds != fold
    fit <- suppressWarnings(margin_linear(
      d$x[train, ], d$y[train], lambda = lambda, weights = weights[train], multiclass = "softmax",
      control = margin_control(tol = 1e-13, seed = 1), ...
    ))
    score <- predict(fit, d$x[!train, , drop = FALSE], type = "score")
    own <- cbind(seq_len(nrow(score)), as.integer(d$y[!train]))
    rest <- replace(score, own, -Inf)
    lead <- score[own] - apply(rest, 1, max)
    count <- weights[!train]
    c(sum(count[lead < -1e-7]), sum(count[abs(lead) <= 1e-7]))
  }, c(0, 0))
  rowSums(wrong) / sum(weights)
}

test_that("no random penalty beats the proven one: classes, intercepts, weights, storage", {
  set.seed(31)
  for (intercept in c("free", "penalized", "none")) for (k in 3:4) {
    d <- several(60, 3, k)
    folds <- rep_len(1:3, 60)
    weights <- if (k == 3) rep(1, 60) else sample(c(0.5, 1, 2.25), 60, TRUE)
    given <- if (k == 3) d$x else Matrix::Matrix(d$x, sparse = TRUE)
    tune <- margin_cv(given, d$y, prove = TRUE, grid = list(lambda = c(0.005, 1)), folds = folds,
                      weights = weights, intercept = intercept)
    expect_true(tune$proven)
    expect_lte(tune$error[["upper"]] - tune$least, 1e-12)
    for (lambda in exp(runif(6, log(0.005), 0))) {
      error <- joint_error(d, folds, lambda, weights, intercept = intercept)
      step <- tune$bound$lower[tune$bound$from <= lambda & tune$bound$to >= lambda]
      expect_gte(sum(error), min(step) - 1e-12)
      expect_gte(sum(error), tune$least - 1e-12)
    }
    best <- joint_error(d, folds, tune$lambda, weights, intercept = intercept)
    expect_gte(sum(best), tune$error[["lower"]] - 1e-12)
    expect_lte(best[1L], tune$error[["upper"]] + 1e-12)
  }
})

test_that("what has no bounds is told", {
  expect_input_error(margin_cv(Species ~ ., data = iris, prove = TRUE, loss = "hinge"), "loss",
                     "several classes")
  set.seed(1)
  wide <- matrix(rnorm(60 * 400), 60)
  expect_input_error(margin_cv(wide, factor(rep(1:3, 20)), prove = TRUE), "y", "1,000")
})
