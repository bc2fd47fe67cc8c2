# margin_linear(multiclass = ): certificates by the definitions, solvers against one another and
# against peers, and what a fit of all classes is asked for elsewhere.

set.seed(7)
n <- 90
x <- matrix(rnorm(n * 5), n, dimnames = list(NULL, letters[1:5]))
x[, 5] <- x[, 5] * 3 + 1
truth <- x %*% matrix(rnorm(20), 5)
y <- factor(c("k", "l", "m", "o")[max.col(truth + rnorm(n * 4))])
tight <- function(...) margin_control(tol = 1e-10, seed = 1, ...)
models <- c("softmax", "crammer_singer")

losses_of <- function(z, y, model) {
  own <- cbind(seq_along(y), as.integer(y))
  if (model == "softmax") {
    top <- apply(z, 1, max)
    return(top + log(rowSums(exp(z - top))) - z[own])
  }
  moved <- z + 1
  moved[own] <- z[own]
  apply(moved, 1, max) - z[own]
}

# P, D and how far the dual point is from feasible, from what the fit returned and nothing else.
by_definition <- function(fit, x, weights = rep(1, nrow(x))) {
  s <- fit$settings
  share <- weights / sum(weights)
  scaled <- sweep(x, 2, fit$scales, "/")
  if (s$intercept == "penalized") scaled <- cbind(scaled, 1)
  w <- coef(fit)
  b <- if (s$intercept == "none") numeric(ncol(w)) else w["(Intercept)", ]
  slopes <- w[rownames(w) != "(Intercept)", , drop = FALSE] * fit$scales
  if (s$intercept == "penalized") slopes <- rbind(slopes, b)
  z <- sweep(x %*% w[rownames(w) != "(Intercept)", , drop = FALSE], 2, b, "+")
  a <- fit$dual
  indicator <- 1 * outer(as.integer(fit$response), seq_along(fit$levels), "==")
  u <- a + indicator
  entropy <- if (fit$multiclass == "softmax") -rowSums(ifelse(u > 0, u * log(u), 0)) else
    1 - rowSums(u * indicator)
  v <- crossprod(scaled, share * a)
  list(value = sum(share * losses_of(z, fit$response, fit$multiclass)) +
         s$lambda / 2 * sum(slopes^2),
       bound = sum(share * entropy) - sum(v^2) / (2 * s$lambda),
       off = max(abs(rowSums(u) - 1), -u, if (s$intercept == "free") abs(colSums(share * a))),
       common = max(abs(rowSums(slopes))) / max(abs(slopes)))
}

test_that("free intercepts are certified on wide sparse rows, scaled or not", {
  # three classes of short texts: 600 rows of about 25 of 1,500 words
  set.seed(8)
  topic <- sample(3L, 600L, TRUE)
  common <- stats::rexp(1500L)^2 / seq_len(1500L)^0.7
  shares <- vapply(1:3, function(k) common * exp(0.4 * stats::rnorm(1500L)), numeric(1500L))
  texts <- t(vapply(topic, function(k) {
    tabulate(sample(1500L, 40L, TRUE, shares[, k]), 1500L)
  }, numeric(1500L)))
  texts <- methods::as(texts[, colSums(texts) > 0] / sqrt(rowSums(texts^2)), "dgCMatrix")
  # by whatever draws: half of the seeds once left the way to Newton's method for good
  for (seed in 1:6) for (scale in if (seed == 1) c(FALSE, TRUE) else FALSE) {
    fit <- margin_linear(texts, factor(letters[topic]), loss = "hinge", cost = 1, scale = scale,
                         multiclass = "crammer_singer",
                         control = margin_control(max_epochs = 400, seed = seed))
    expect_true(certificate(fit)$certified)
    own <- by_definition(fit, as.matrix(texts))
    expect_equal(certificate(fit)$bound, own$bound, tolerance = 1e-6)
    expect_lte(certificate(fit)$bound, own$bound)
    expect_lt(own$off, 1e-12)
  }
})

test_that("at the softmax optimum the gradient vanishes; probabilities are the model's", {
  fit <- margin_linear(x, y, multiclass = "softmax", lambda = 0.01, control = tight())
  z <- predict(fit, x, type = "score")
  p <- predict(fit, x, type = "prob")
  expect_equal(p, exp(z) / rowSums(exp(z)))
  off <- p - outer(as.integer(y), 1:4, "==")
  slopes <- coef(fit)[-1, ] * fit$scales
  gradient <- crossprod(sweep(x, 2, fit$scales, "/"), off) / n + 0.01 * slopes
  expect_lt(max(abs(gradient)), 1e-6)
  expect_lt(max(abs(colMeans(off))), 1e-7)
  expect_equal(unname(rowSums(p)), rep(1, n))
  expect_identical(predict(fit, x), factor(levels(y)[max.col(z)], levels(y)))
})

test_that("the softmax value is that of glmnet's multinomial ridge", {
  skip_if_not_installed("glmnet")
  for (lambda in c(0.1, 0.003)) {
    ours <- margin_linear(x, y, multiclass = "softmax", lambda = lambda, control = tight())
    theirs <- glmnet::glmnet(sweep(x, 2, ours$scales, "/"), y, family = "multinomial", alpha = 0,
                             lambda = lambda, standardize = FALSE, thresh = 1e-14, maxit = 1e6)
    w <- sapply(theirs$beta, as.vector)
    z <- sweep(sweep(x, 2, ours$scales, "/") %*% w, 2, theirs$a0, "+")
    value <- mean(losses_of(z, y, "softmax")) + lambda / 2 * sum(w^2)
    expect_equal(certificate(ours)$value, value, tolerance = 1e-6)
    expect_lte(certificate(ours)$bound, value)
    expect_equal(unname(coef(ours)[-1, ] * ours$scales), unname(w), tolerance = 1e-3)
  }
})

test_that("the Crammer-Singer value is that of LiblineaR type 4", {
  skip_if_not_installed("LiblineaR")
  for (cost in c(0.02, 0.2)) {
    ours <- margin_linear(x, y, multiclass = "crammer_singer", cost = cost, scale = FALSE,
                          intercept = "penalized", control = tight(max_epochs = 5000))
    theirs <- LiblineaR::LiblineaR(x, y, type = 4, cost = cost, bias = 1, epsilon = 1e-8)
    w <- t(theirs$W)[, match(levels(y), theirs$ClassNames)]
    z <- cbind(x, 1) %*% w
    value <- mean(losses_of(z, y, "crammer_singer")) + ours$settings$lambda / 2 * sum(w^2)
    expect_equal(certificate(ours)$value, value, tolerance = 1e-6)
    expect_lte(certificate(ours)$bound, value * (1 + 1e-12))
  }
})

test_that("a start may be of classes one by one, and ends dual steps early", {
  for (model in models) {
    first <- margin_linear(x, y, multiclass = model, lambda = 0.01)
    rest <- margin_linear(x, y, loss = "logistic", lambda = 0.01)
    expect_true(certificate(update(first, control = margin_control(start = rest)))$certified)
    # how many epochs are left depends on the order that is drawn
    dual <- margin_linear(x, y, multiclass = model, lambda = 0.3, intercept = "penalized",
                          solver = "dual_cd", control = margin_control(seed = 1))
    warm <- update(dual, control = margin_control(start = dual, seed = 1))
    expect_lte(warm$status$epochs, dual$status$epochs / 2)
  }
})

test_that("a fit of all classes is printed and tidied as the others are", {
  fit <- margin_linear(y ~ ., data.frame(x, y = y), multiclass = "softmax", lambda = 0.01)
  expect_identical(dim(coef(fit)), c(6L, 4L))
  expect_identical(nrow(certificate(fit)), 1L)
  expect_output(print(fit), "one multinomial model", fixed = TRUE)
  expect_output(print(summary(fit)), "one multinomial model", fixed = TRUE)
  expect_identical(nrow(tidy(fit)), 24L)
  expect_setequal(unique(tidy(fit)$class), levels(y))
  expect_true(glance(fit)$certified)
  rows <- as.data.frame(x)
  expect_equal(nrow(augment(fit, newdata = rows)), n)
  crammer <- update(fit, multiclass = "crammer_singer")
  expect_identical(crammer$settings$loss$name, "hinge")
  expect_output(print(crammer), "Crammer and Singer", fixed = TRUE)
  expect_error(predict(crammer, rows, type = "prob"), class = "dualmargin_input_error")
  calibrated <- margin_calibrate(crammer, data.frame(x, y = y), folds = 3, seed = 1)
  expect_equal(unname(rowSums(predict(calibrated, rows, type = "prob"))), rep(1, n))
  grDevices::pdf(NULL)
  on.exit(grDevices::dev.off())
  for (which in c("convergence", "coefficients", "scores")) expect_silent(plot(fit, which = which))
  expect_identical(nrow(support_rows(crammer)), sum(crammer$dual != 0))
  judged <- margin_performance(fit, rows, "log_loss", y)
  expect_equal(judged$metrics$value,
               mean(losses_of(predict(fit, rows, type = "score"), y, "softmax")))
})

test_that("paths and cross-validation are of one model", {
  for (model in models) {
    chosen <- margin_path(x, y, n_lambda = 4, multiclass = model)
    expect_identical(nrow(chosen$certificate), 4L)
    cv <- margin_cv(x, y, multiclass = model, grid = list(lambda = c(0.1, 0.01)), folds = 3,
                    seed = 1)
    expect_true(all(cv$results$certified))
    expect_identical(refit(cv)$multiclass, model)
  }
  both <- margin_cv(x, y, folds = 3, seed = 1, grid = list(multiclass = c("one_vs_rest", "softmax"),
                                                           lambda = 0.01))
  expect_identical(nrow(both$settings), 2L)
})

test_that("two classes have one problem, whatever is asked for", {
  two <- factor(y == "k")
  expect_equal(coef(margin_linear(x, two, multiclass = "softmax", lambda = 0.1)),
               coef(margin_linear(x, two, lambda = 0.1)))
  expect_null(margin_linear(x, two, multiclass = "softmax", lambda = 0.1)$multiclass)
})

test_that("a dual point that is balanced to the last digit stays as it is", {
  set.seed(11)
  few <- matrix(rnorm(200), 20) %*% diag(10^runif(10, -3, 3))
  label <- factor(rep(c("a", "b", "c"), c(9, 4, 7)))
  for (lambda in 10^(0:3)) {
    fit <- margin_linear(few, label, multiclass = "softmax", lambda = lambda, scale = FALSE)
    expect_true(certificate(fit)$certified)
    expect_lt(by_definition(fit, few)$off, 1e-12)
  }
})

test_that("separable classes of unequal columns are certified under a small penalty", {
  set.seed(192)
  wide <- matrix(rnorm(60 * 40), 60) %*% diag(10^runif(40, -2, 2))
  label <- factor(sample(letters[1:4], 60, TRUE))
  for (model in models) {
    fit <- margin_linear(wide, label, multiclass = model, lambda = 1e-3, scale = FALSE,
                         control = margin_control(max_epochs = 3000))
    expect_true(certificate(fit)$certified)
  }
})

test_that("what has no answer says so", {
  fit <- margin_linear(x, y, multiclass = "softmax", lambda = 0.01)
  expect_told("multiclass", "input", {
    margin_linear(x, y, multiclass = "ovr")
    margin_linear(x, y, multiclass = "softmax", loss = "hinge")
    margin_linear(x, y, multiclass = "crammer_singer", loss = "logistic")
    margin_linear(x, y, multiclass = "crammer_singer", mixture = 0.5)
    margin_linear(x, y, multiclass = "softmax", solver = "sdca", intercept = "none")
    margin_linear(x, x[, 1], multiclass = "softmax")
    margin_linear(x, factor(y == "k"), multiclass = "crammer_singer", solver = "newton")
    margin_certain(update(fit, multiclass = "crammer_singer"), x, y)
    margin_loo(update(fit, multiclass = "crammer_singer"), x, y)
  })
})
