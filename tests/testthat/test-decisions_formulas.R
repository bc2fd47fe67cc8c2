# Bounds recomputed from their formulas, where a wrong factor is too small for random problems to
# contradict: a wrong one makes an interval shorter than what is proven.

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
