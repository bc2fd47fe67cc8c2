# Intervals of the exact optimum: they hold it, they are tight, and they do not depend on what the
# optimum does not depend on.

test_that("the ball is as small as its formula says, and no smaller, for every loss", {
  problem <- small_problem()
  for (loss in all_losses()) for (mixture in c(0, 0.5)) {
    y <- if (loss$task == "regression") problem$response else factor(problem$y)
    fit <- quiet_fit(problem$x, y, loss = loss, lambda = 0.05, mixture = mixture,
                     weights = problem$weights, scale = FALSE, response_scale = FALSE,
                     control = margin_control(tol = 1e-2))
    known <- margin_certain(fit, problem$x, y)$problems[[1L]]
    l1 <- 0.05 * mixture
    mu <- 0.05 * (1 - mixture)
    v <- -drop(crossprod(problem$x, problem$weights * fit$dual)) / sum(problem$weights)
    w <- unname(coef(fit)[-1L])
    dual_w <- unname(sign(v) * pmax(abs(v) - l1, 0) / mu)
    code <- if (loss$task == "regression") y else problem$y
    excess <- plain_loss(loss, fit$scores, code) + plain_conjugate(loss, fit$dual, code) -
      fit$dual * fit$scores
    gap <- sum(problem$weights * excess) / sum(problem$weights) +
      sum(l1 * abs(w) + mu / 2 * (w^2 + dual_w^2) - v * w)
    expect_equal(known$ball$radius^2, gap / mu - sum((w - dual_w)^2) / 4, tolerance = 1e-6,
                 info = loss$name)
    expect_equal(known$ball$centre, (w + dual_w) / 2, tolerance = 1e-10, info = loss$name)
    expect_equal(known$ball$gap, gap, tolerance = 1e-6, info = loss$name)
  }
})

test_that("loose fits of numbers hold the optimum, with kinks, a tube and a free intercept", {
  problem <- small_problem(30L, 4L)
  new <- rbind(problem$x[1:6, ], 3 * problem$x[7:12, ])
  losses <- Filter(function(loss) loss$task == "regression", all_losses())
  for (loss in losses) for (intercept in c("free", "penalized")) {
    fit <- quiet_fit(problem$x, problem$response, loss = loss, lambda = 0.05, intercept = intercept,
                     weights = problem$weights, control = margin_control(tol = 1e-12, seed = 1))
    reference <- margin_certain(fit, problem$x, problem$response)
    slack <- reference_slack(fit, reference, new)
    # the optimal intercept of a piecewise linear loss may be a segment
    if (loss$gamma > 0) expect_lte(max(slack), 1e-4)
    for (size in c(1e-4, 1e-2, 0.3)) {
      loose <- loosened(fit, problem$x, size)
      certain <- margin_certain(loose, problem$x, problem$response)
      found <- predict(certain, new)
      score <- predict(fit, new)
      expect_true(all(found$lower <= score + slack & found$upper >= score - slack),
                  info = paste(loss$name, intercept, size))
      expect_true(all(is.finite(found$lower + found$upper)))
    }
  }
})

test_that("a tilt bounds the score of one row as its formula says, and narrows hinge intervals", {
  problem <- small_problem()
  y <- factor(problem$y)
  for (loss in c("hinge", "logistic")) {
    fit <- quiet_fit(problem$x, y, loss = loss, lambda = 0.05, weights = problem$weights,
                     scale = FALSE, control = margin_control(tol = 1e-3))
    certain <- margin_certain(fit, problem$x, y)
    tilt <- certain$problems[[1L]]$tilt
    # -D of the tilted dual point, from the definitions
    omega <- problem$weights
    a <- unname(fit$dual)
    h <- abs(a) * (1 - abs(a))
    upper <- function(i, size) {
      tau <- size / sum(omega * h)
      at <- a + tau * h
      x <- sweep(problem$x, 2L, certain$centre)
      u <- drop(crossprod(x, omega * at)) / sum(omega)
      t <- size / sum(omega)
      dual <- -sum(omega * plain_conjugate(fit$settings$loss, at, problem$y)) / sum(omega) -
        sum((t * x[i, ] - u)^2) / (2 * 0.05)
      primal <- sum(omega * plain_loss(fit$settings$loss, fit$scores, problem$y)) / sum(omega) +
        0.025 * sum(coef(fit)[-1L]^2)
      (primal - dual) / t
    }
    alone <- certain
    alone$problems[[1L]]$ball$radius <- 1e6
    alone$problems[[1L]]["ellipsoid"] <- list(NULL)
    reach <- predict(alone, problem$x)$upper
    for (i in c(1, 17, 40)) {
      best <- min(vapply(tilt$size, upper, 0, i = i))
      expect_equal(reach[i], best, tolerance = 1e-6)
    }
    found <- predict(certain, problem$x)
    certain$problems[[1L]]["tilt"] <- list(NULL)
    without <- predict(certain, problem$x)
    expect_true(all(found$lower >= without$lower & found$upper <= without$upper))
    if (loss == "hinge") expect_lt(mean(found$upper - found$lower),
                                   mean(without$upper - without$lower))
  }
})
