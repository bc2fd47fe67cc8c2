# Leave-one-out of elastic nets from the fit alone: with no l1 part left it is the ridge's, and it
# is worth having.

test_that("without an l1 part the bounds are those of the ridge", {
  problem <- small_problem(n = 30L)
  y <- factor(problem$y)
  for (loss in c("hinge", "squared_hinge")) for (tol in c(1e-2, 1e-8)) {
    for (intercept in c("penalized", "free")) for (rule in c("cost", "lambda")) {
      fit <- quiet_fit(problem$x, y, loss = loss, lambda = 0.1, intercept = intercept,
                       control = margin_control(tol = tol))
      ridge <- bounds_without_rows(fit, problem$x, rule)
      # one l1 part that is next to nothing, and takes the way of those that are not
      fit$settings$mixture <- 1e-12
      expect_equal(bounds_without_rows(fit, problem$x, rule), ridge, tolerance = 1e-6)
    }
  }
})

test_that("the ball of a removal is the ball of the smaller problem's pair", {
  problem <- small_problem(n = 30L)
  y <- factor(problem$y)
  fit <- quiet_fit(problem$x, y, loss = "smooth_hinge", lambda = 0.1, intercept = "none",
                   mixture = 0.4, control = margin_control(tol = 1e-3))
  # lambda and mixture stay, and with them what the pair is one of
  ends <- bounds_without_rows(fit, problem$x, "lambda")
  for (i in c(1L, 7L, 20L)) {
    pair <- plain_pair(fit, problem$x, replace(rep(1, 30L), i, 0))
    ball <- with(pair, {
      q <- pmin(l1, pmax(-l1, -u))
      from <- (-u - q) / mu
      gap <- excess + sum(abs(w) * (l1 - sign(w) * q))
      list(centre = (w + from) / 2, radius = sqrt(gap / mu + sum((w - from)^2) / 4))
    })
    middle <- sum(pair$x[i, ] * ball$centre)
    half <- ball$radius * sqrt(sum(pair$x[i, ]^2))
    expect_equal(ends[i, ], middle + c(-half, half), tolerance = 1e-6)
  }
})

test_that("most rows of an elastic net need no refit", {
  rows <- seq(1, nrow(spambase), by = 10)
  fit <- margin_linear(type ~ ., data = spambase[rows, ], lambda = 0.05, mixture = 0.3)
  loo <- margin_loo(fit, spambase[rows, ])
  expect_lte(loo$summary$undecided, length(rows) / 5)
  expect_true(all(loo$rows$wrong[loo$rows$wrong_in_training]))
})
