test_that("its lazy steps give the iterates of Algorithm 1 taken densely", {
  for (lambda in c(1e-3, 50)) for_each_case(lambda = lambda, function(p) {
    L <- p$n * p$row_smoothness
    m <- 2 * p$n
    tau1 <- min(sqrt(m * p$l2 / (3 * L)), 0.5)
    alpha <- 1 / (3 * tau1 * L)
    snapshot <- y <- z <- numeric(p$p)
    snapshots <- list(snapshot)
    draws <- split(row_draws(6, p$n, 4), rep(1:2, each = m))
    for (stage in draws) {
      slope <- p$slope(drop(p$x %*% snapshot), seq_len(p$n))
      mu <- dual_sum(p, slope)
      sum <- total <- 0
      for (i in stage) {
        x <- tau1 * z + 0.5 * snapshot + (0.5 - tau1) * y
        change <- p$n * p$omega[i] / p$W * (p$slope(sum(p$x[i, ] * x), i) - slope[i])
        gradient <- mu + change * p$x[i, ]
        before <- z
        z <- soft(z - alpha * gradient, alpha * p$l1) / (1 + alpha * p$l2)
        y <- x + tau1 * (z - before)
        theta <- 1 + alpha * p$l2
        sum <- sum / theta + y
        total <- total / theta + 1
      }
      snapshot <- sum / total
      snapshots <- c(snapshots, list(snapshot))
    }
    # what is returned is the best of them
    value <- function(w) {
      sum(p$omega * plain_loss(p$loss, drop(p$x %*% w), p$y)) / p$W + p$l1 * sum(abs(w)) +
        p$l2 / 2 * sum(w^2)
    }
    best <- snapshots[[which.min(vapply(snapshots, value, 0))]]
    fit <- fit_epochs(p, "katyusha", 7, seed = 6)
    expect_equal(unname(coef(fit)), best, tolerance = 1e-9)
  })
})
