# Robust fits with a ridge: a ball for w, a free intercept over all norm bounds that are possible.

test_that("the ball has the radius of the gap, and shrinks with it", {
  rows <- seq(1, nrow(spambase), by = 20)
  decided <- vapply(c(1e-3, 1e-8), function(tol) {
    fit <- margin_robust(type ~ ., data = spambase[rows, ], radius = 0.05, ridge = 0.05,
                         intercept = "penalized", control = margin_control(tol = tol))
    certain <- margin_certain(fit, spambase[rows, ])
    ball <- certain$problems[[1L]]$ball
    # gap/c - |w - w(a)|^2/4, half of 2 gap/c at most
    x <- cbind(sweep(as.matrix(spambase[rows, -58]), 2L, fit$scales, `/`), 1)
    y <- 2 * as.integer(spambase$type[rows]) - 3
    v <- colMeans((fit$dual - fit$dual_flip) * y * x)
    outside <- v - plain_ball(v, 0.05 - mean(fit$dual_flip), "linf")
    w <- c(coef(fit)[-1L] * fit$scales, coef(fit)[1L])
    expect_equal(ball$radius^2, certificate(fit)$gap / 0.05 - sum((w - outside / 0.05)^2) / 4,
                 tolerance = 1e-5)
    expect_equal(ball$centre, unname(w + outside / 0.05) / 2, tolerance = 1e-8)
    expect_lte(ball$radius, sqrt(certificate(fit)$gap / 0.05) * (1 + 1e-3))
    summary(certain)$decided
  }, 0L)
  expect_gt(decided[2L], decided[1L])
  expect_gte(decided[2L], length(rows) - 3L)
})

test_that("without a ridge there is nothing to say, and it is said", {
  fit <- margin_robust(type ~ ., data = spambase, radius = 0.05)
  expect_error(margin_certain(fit, spambase), "without a ridge", class = "dualmargin_input_error")
})
