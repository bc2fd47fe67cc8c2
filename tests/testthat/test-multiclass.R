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
