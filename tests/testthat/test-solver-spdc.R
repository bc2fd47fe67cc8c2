test_that("its lazy steps give the iterates of Algorithm 1 taken densely", {
  for_each_case(function(p) {
    R <- sqrt(max(rowSums(p$x^2)))
    gamma <- p$loss$gamma * p$W / (p$n * max(p$omega))
    tau <- sqrt(gamma / (p$n * p$l2)) / (2 * R)
    sigma <- sqrt(p$n * p$l2 / gamma) / (2 * R)
    theta <- 1 - 1 / (p$n + 2 * R * sqrt(p$n / (p$l2 * gamma)))
    a <- numeric(p$n)
    w <- w_bar <- u <- numeric(p$p)
    for (i in row_draws(6, p$n, 3)) {
      weight <- p$n * p$omega[i] / p$W
      t <- p$dual_step(sum(p$x[i, ] * w_bar), i, a[i], weight / sigma)
      change <- weight * (t - a[i]) * p$x[i, ]
      a[i] <- t
      before <- w
      w <- soft(w - tau * (u + change), tau * p$l1) / (1 + tau * p$l2)
      u <- u + change / p$n
      w_bar <- w + theta * (w - before)
    }
    fit <- fit_epochs(p, "spdc", 3, seed = 6)
    expect_equal(unname(coef(fit)), w, tolerance = 1e-9)
  })
})
