# A sampled certificate has to hold where it says so, and to be of use.

limit <- function(batches, t = qt(1 - 0.05 / 4, ncol(batches) - 1)) {
  probe("confidence_limit", batches, t)
}

test_that("the limit of |G|^2 holds for normal errors of any shape and direction", {
  set.seed(1)
  spectra <- list(one = 1, few = 2^-(0:7), flat = rep(1, 50), long = 1 / seq_len(100),
                  spike = c(20, rep(1, 100)))
  for (lambda in spectra) for (along in c("top", "noise")) for (ratio in c(0, 0.3, 1, 10, 100)) {
    p <- length(lambda)
    error <- sum(lambda) / 10
    covered <- replicate(400, {
      u <- if (along == "top") as.numeric(seq_len(p) == 1) else rnorm(p) * sqrt(lambda)
      G <- u / sqrt(sum(u^2)) * sqrt(ratio * error)
      limit(G + sqrt(lambda) * matrix(rnorm(10 * p), p)) >= ratio * error
    })
    # 0.90 is what 0.95 can look like in 400 draws, once in 1e4
    expect_gte(mean(covered), 0.90)
  }
})

test_that("the limit is sharp where noise is small or has many directions", {
  set.seed(2)
  G <- c(3, numeric(99))
  batches <- G + 1e-3 * matrix(rnorm(1000), 100)
  expect_equal(limit(batches), 9, tolerance = 2e-3)
  # without noise it is the square itself, and invariant under scale
  expect_equal(limit(matrix(G, 100, 6)), 9)
  expect_equal(limit(10 * batches), 100 * limit(batches))
  # G = 0: below the noise of the mean, which is 500 / 10
  noise <- replicate(50, limit(matrix(rnorm(5000), 500)))
  expect_lt(median(noise), 25)
})

# Reference problems and the excess of a fit, with the optimum of an l1 problem by proximal gradient
# steps on all masks.
exact_case <- function(loss, rate, l2, l1 = 0) {
  rows <- reference_rows()
  masks <- as.matrix(expand.grid(rep(list(0:1), 8L)))
  prob <- apply(masks, 1L, function(m) prod(ifelse(m == 1, 1 - rate, rate)))
  kept <- t(masks) / (1 - rate)
  value <- function(w) {
    drop(colMeans(plain_losses[[loss]](rows$x %*% (kept * w), rows$y)) %*% prob) +
      l2 / 2 * sum(w^2) + l1 * sum(abs(w))
  }
  slope <- list(logistic = function(z) -rows$y / (1 + exp(rows$y * z)),
                squared_hinge = function(z) -rows$y * pmax(1 - rows$y * z, 0))[[loss]]
  gradient <- function(w) {
    g <- crossprod(rows$x, slope(rows$x %*% (kept * w))) / nrow(rows$x)
    drop((g * kept) %*% prob) + l2 * w
  }
  L <- max(rowSums(rows$x^2)) / (1 - rate)^2 + l2
  w <- old <- numeric(8L)
  momentum <- (1 - sqrt(l2 / L)) / (1 + sqrt(l2 / L))
  for (k in 1:300) {
    v <- w + momentum * (w - old)
    old <- w
    w <- soft(v - gradient(v) / L, l1 / L)
  }
  list(rows = rows, value = value, w = w, optimum = value(w), loss = loss, rate = rate,
       lambda = l2 + l1, mixture = l1 / (l2 + l1))
}

coverage <- function(case, seeds, ...) {
  result <- vapply(seeds, function(seed) {
    fit <- quiet_augmented(case$rows$x, factor(case$rows$y), perturb_dropout(case$rate),
                           loss = case$loss, lambda = case$lambda, mixture = case$mixture,
                           control = margin_control(seed = seed, ...))
    bound <- certificate(fit)
    excess <- case$value(coef(fit)) - case$optimum
    c(gap = bound$gap >= excess, bound = bound$bound <= case$optimum, certified = bound$certified,
      true = excess, limit = bound$gap,
      share = fit$certificate_epochs / max(convergence(fit)$epoch))
  }, numeric(6L))
  as.data.frame(t(result))
}

test_that("gap and bound hold where the draws decide when to stop", {
  ours <- exact_case("logistic", 0.3, 0.1)
  expect_equal(ours$optimum, reference_case("logistic_dropout0.3_mu0.1")$objective,
               tolerance = 1e-10)
  for (case in list(ours, exact_case("squared_hinge", 0.1, 0.1),
                    exact_case("logistic", 0.3, 0.1, 0.1))) {
    seen <- coverage(case, 1:50)
    expect_gte(sum(seen$gap), 45)
    expect_gte(sum(seen$bound), 45)
    expect_gte(sum(seen$certified), 45)
  }
})

test_that("few rows with rare drops are not certified by draws that missed them", {
  x <- matrix(c(1, 2, -1, 3, 0.5, -2, 1, -1), 8)
  y <- c(1, 1, -1, 1, -1, -1, 1, 1)
  for (rate in c(0.05, 0.1, 0.15)) {
    misses <- vapply(1:20, function(seed) {
      fit <- suppressWarnings(margin_augmented(
        x, y, perturb_dropout(rate), loss = "squared_hinge", lambda = 0.03, intercept = "none",
        center = FALSE, scale = FALSE, mixture = 0, control = margin_control(seed = seed)
      ))
      w <- unname(coef(fit))
      margin <- function(x) y * x * w
      loss <- function(m) pmax(0, 1 - m)^2 / 2
      exact <- mean(rate * loss(0) + (1 - rate) * loss(margin(x / (1 - rate)))) + 0.015 * w^2
      certificate <- certificate(fit)
      certificate$bound > exact || abs(certificate$value - exact) > 0.01 * exact
    }, NA)
    expect_lte(sum(misses), 3L) # each holds in 95 of 100
  }
})

test_that("masks that are rarer than one in all draws are summed where rows are short", {
  # at a rate of .9 a row of four that loses nothing is one in ten thousand, and ten times as long
  for (p in 2:6) for (sparse in c(FALSE, TRUE)) {
    few <- few_columns(40L, p, seed = p)
    x <- if (sparse) methods::as(few$x * (abs(few$x) > 0.5), "CsparseMatrix") else few$x
    for (intercept in c("none", "penalized")) {
      fit <- quiet_augmented(x, few$y, perturb_dropout(0.9), loss = "logistic", lambda = 0.01,
                             intercept = intercept, weights = few$weights,
                             control = margin_control(tol = 1e-3, seed = 1))
      row <- certificate(fit)
      expect_identical(row$kind, "gradient bound")
      expect_identical(unname(fit$value_se), 0)
      masks <- as.matrix(expand.grid(rep(list(0:1), p)))
      prob <- 0.1^rowSums(masks) * 0.9^(p - rowSums(masks))
      w <- coef(fit)
      b <- if (intercept == "none") 0 else w[[1L]]
      slopes <- if (intercept == "none") w else w[-1L]
      z <- b + as.matrix(x) %*% (t(masks) / 0.1 * slopes)
      mean_loss <- drop(plain_losses$logistic(z, few$y) %*% prob)
      value <- sum(few$weights * mean_loss) / sum(few$weights) +
        0.005 * sum(if (intercept == "none") w^2 else c(slopes, b)^2)
      expect_equal(row$value, value, tolerance = 1e-13)
      # |g|^2 / (2 l2), the bound on F(w) - F*
      slope <- -few$y / (1 + exp(few$y * z))
      weight <- few$weights / sum(few$weights)
      g <- diag(crossprod(as.matrix(x), weight * slope %*% (prob * masks / 0.1)))
      g <- g + 0.01 * slopes
      if (intercept != "none") g <- c(g, sum(weight * slope %*% prob) + 0.01 * b)
      expect_equal(unname(fit$suboptimality), sum(g^2) / 0.02, tolerance = 1e-6)
    }
  }
})

test_that("the trace of a certified fit ends with its certificate", {
  set.seed(1)
  rows <- spambase[sample(nrow(spambase), 300), ]
  fit <- margin_augmented(type ~ ., data = rows, perturbation = perturb_dropout(0.1), loss = "logistic",
                          lambda = 0.1, solver = "smiso", intercept = "none",
                          control = margin_control(max_epochs = 60, seed = 1))
  expect_true(certificate(fit)$certified)
  last <- utils::tail(convergence(fit), 1L)
  expect_identical(unlist(last[c("value", "bound", "gap")]),
                   unlist(certificate(fit)[c("value", "bound", "gap")]))
  expect_identical(last$epoch, fit$status$epochs)
})
