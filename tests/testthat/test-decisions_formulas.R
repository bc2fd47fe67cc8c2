# Bounds recomputed from their formulas, where a wrong factor is too small for random problems to
# contradict: a wrong one makes an interval shorter than what is proven.

test_that("the bound of a step without a row is its formula, the growth of the Hessian included", {
  set.seed(3)
  n <- 24L
  x <- matrix(rnorm(3L * n), n)
  y <- factor(ifelse(x[, 1L] + rnorm(n) > 0, "b", "a"))
  for (intercept in c("penalized", "free")) {
    fit <- suppressWarnings(margin_linear(
      x, y, loss = "logistic", lambda = 0.5, intercept = intercept, scale = FALSE,
      weights = rep(c(1, 0.5, 2), 8L),
      control = margin_control(tol = 1e-10, seed = 1)
    ))
    fit <- loosened(fit, x, 1e-3)
    pair <- plain_pair(fit, x)
    total <- pair$total
    v <- if (intercept == "free") cbind(pair$x, 1) else pair$x
    p <- stats::plogis(pair$z)
    slope <- p - (pair$y > 0)
    ridge <- diag(c(rep(1, ncol(pair$x)), if (intercept == "free") 0))
    kappa <- 0.5 * total
    inverse <- solve(crossprod(v, pair$omega * p * (1 - p) * v) + kappa * ridge)
    theta <- c(pair$w, if (intercept == "free") pair$b)
    G <- drop(crossprod(v, pair$omega * slope)) + kappa * drop(ridge %*% theta)
    norm <- function(u) sqrt(sum(u * (inverse %*% u)))
    h <- rowSums((v %*% inverse) * v)
    psi <- function(s) ifelse(s < 0.9, -log1p(-s) / s, Inf)
    for (rule in c("cost", "lambda")) {
      s <- if (rule == "cost") rep(1, n) else 1 - pair$omega / total
      leverage <- pair$omega * p * (1 - p) * h
      l <- (h / s) / (1 - leverage / s)
      root <- sqrt(s * (1 - leverage / s))
      g <- norm(G) / root + if (rule == "cost") 0 else
        0.5 * pair$omega * norm(drop(ridge %*% theta)) / root
      out <- pair$omega * slope
      d <- abs(out) * sqrt(l)
      R <- sqrt(max(h)) / root
      t <- d * R
      direct <- sqrt(l) * (g + d) * psi((g + d) * R)
      nu <- exp(t / 2) * (g + d * ((exp(t) - 1 - t) / t + 1 / s - 1))
      stepped <- sqrt(l * exp(t)) * nu * psi(nu * R * exp(t / 2))
      centre <- pair$z + out * h / (1 - leverage)
      lower <- pmax(pair$z - direct, centre - stepped)
      upper <- pmin(pair$z + direct, centre + stepped)
      found <- bounds_without_rows(fit, x, rule)
      expect_gte(min(found[, 1L] - lower, upper - found[, 2L]), -1e-6)
      # where no other bound is sharper
      met <- abs(found - cbind(lower, upper)) <= 1e-6
      expect_gte(mean(met), 0.5)
      # it is the growth that decides some of them
      expect_gte(sum((lower == centre - stepped | upper == centre + stepped) & t > 0.02), 3)
    }
  }
})

test_that("the ball of a kernel fit has all of F, and half of F would lose the optimum", {
  problem <- moons(40L)
  y <- factor(problem$y)
  K <- plain_kernel(kernel_rbf(1), problem$x, problem$x)
  for (loss in list(as_loss("hinge"), loss_squared_hinge(0.5), as_loss("logistic"))) {
    fit <- quiet_kernel(problem$x, y, kernel = kernel_rbf(1), loss = loss, lambda = 0.05,
                        intercept = "none", scale = FALSE, control = margin_control(tol = 1e-12))
    best <- unname(predict(fit, problem$x, type = "score"))
    set.seed(5)
    fit$dual[] <- fit$dual * exp(rnorm(40) / 3)
    a <- loss_calculus(loss)$nearest(fit$dual, problem$y)
    score <- -drop(K %*% a) / (0.05 * 40)
    F <- mean(plain_loss(loss, score, problem$y) + plain_conjugate(loss, a, problem$y) - a * score)
    known <- margin_certain(fit, problem$x, y)$problems[[1L]]
    expect_lte(abs(known$ball$radius^2 / (F / 0.05) - 1), 1e-8)
    # |f* - f| in function space against r
    beta <- solve(K + diag(1e-10, 40), best - score)
    expect_lte(sqrt(sum(beta * (best - score))), known$ball$radius)
    # the same of a function that is not that of the dual point: rows leave, and it stays
    if (loss$name == "logistic") next
    out <- c(1L, 7L, 8L)
    kept <- replace(rep(1, 40), out, 0)
    F <- mean(kept * (plain_loss(loss, score, problem$y) +
                        plain_conjugate(loss, a, problem$y) - a * score))
    gone <- replace(0 * a, out, a[out]) / (0.05 * 40)
    radius <- sqrt(F / 0.05 + sum(gone * (K %*% gone)) / 4)
    middle <- score + drop(K %*% gone) / 2
    found <- as.data.frame(margin_sensitivity(margin_certain(fit, problem$x, y), problem$x, y,
                                              remove = out, refits = 0))
    expect_equal(found$lower, middle - radius, tolerance = 1e-8)
    expect_equal(found$upper, middle + radius, tolerance = 1e-8)
  }
})

test_that("a robust fit whose multipliers say nothing has the ball of 2 gap/c", {
  problem <- certain_problem(5)
  fit <- suppressWarnings(margin_robust(problem$x, problem$y, radius = 0.1, ridge = 0.2,
                                        norm = "l2", intercept = "penalized",
                                        control = margin_control(tol = 1e-3)))
  fit$dual[] <- 0
  fit$dual_flip[] <- 0
  fit$certificate$gap <- 0.02
  known <- margin_certain(fit, problem$x, problem$y)$problems[[1L]]
  expect_equal(known$ball$radius, sqrt(2 * 0.02 / 0.2), tolerance = 1e-9)
  expect_equal(known$norm[2L], sqrt(sum(known$w^2)) + sqrt(2 * 0.02 / 0.2), tolerance = 1e-9)
})

test_that("multipliers of a robust fit that are not feasible are made so", {
  problem <- small_problem(n = 30L, p = 3L)
  y <- factor(problem$y)
  up <- problem$y > 0
  cost <- 1
  active <- 0
  for (intercept in c("none", "free")) {
    fit <- suppressWarnings(margin_robust(
      problem$x, y, radius = 0.1, ridge = 0.3, norm = "l2", label_cost = cost, scale = FALSE,
      intercept = intercept, control = margin_control(tol = 1e-12, seed = 1, progress = FALSE)
    ))
    w <- unname(coef(fit)[colnames(problem$x)])
    exact <- margin_certain(fit, problem$x, y)$problems[[1L]]$ball
    for (seed in 1:6) {
      set.seed(seed)
      wrong <- fit
      wrong$dual[] <- fit$dual + 10^runif(1, -2, 0) * rnorm(30)
      wrong$dual_flip[] <- fit$dual_flip + 10^runif(1, -2, 0) * rnorm(30)
      alpha <- pmax(0, pmin(1, wrong$dual))
      beta <- pmax(0, pmin(wrong$dual_flip, 1 - alpha))
      if (intercept == "free") {
        sides <- c(sum(ifelse(up, alpha, beta)), sum(ifelse(up, beta, alpha)))
        share <- min(sides) / sides
        alpha <- alpha * ifelse(up, share[1L], share[2L])
        beta <- beta * ifelse(up, share[2L], share[1L])
      }
      shrink <- min(1, 0.1 / (cost * mean(beta)))
      alpha <- shrink * alpha
      beta <- shrink * beta
      active <- active + (shrink < 1)
      # feasible, whatever was given
      expect_true(all(alpha >= 0 & beta >= 0 & alpha + beta <= 1 + 1e-15))
      if (intercept == "free") expect_lte(abs(sum((alpha - beta) * problem$y)), 1e-12)
      v <- unname(colMeans((alpha - beta) * problem$y * problem$x))
      theta <- max(0, 0.1 - cost * mean(beta))
      dual_w <- v * max(0, 1 - theta / sqrt(sum(v^2))) / 0.3
      gap <- fit$certificate$value - mean(alpha + beta) + 0.15 * sum(dual_w^2)
      square <- gap / 0.3 - sum((w - dual_w)^2) / 4
      # so that of the two balls that of the multipliers is the smaller one
      wrong$certificate$gap <- 1e6
      ball <- margin_certain(wrong, problem$x, y)$problems[[1L]]$ball
      expect_lte(max(abs(ball$centre - (w + dual_w) / 2)), 1e-9)
      expect_equal(ball$radius^2, square, tolerance = 1e-5)
      expect_lte(sqrt(sum((w - ball$centre)^2)), ball$radius + exact$radius)
    }
  }
  expect_gte(active, 3)
})
