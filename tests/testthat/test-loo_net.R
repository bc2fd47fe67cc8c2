# Leave-one-out of elastic nets from the fit alone: with no l1 part left it is the ridge's, and it is
# worth having.

own <- asNamespace("dualmargin")

net_pair <- function(x, y, loss, intercept, mixture, tol = 1e-8, lambda = 0.1) {
  fit <- quiet_fit(x, y, loss = loss, lambda = lambda, intercept = intercept, mixture = mixture,
                   control = margin_control(tol = tol))
  rows <- own$training_geometry(fit, x)
  list(rows = rows, pair = own$class_pair(fit, rows, 1L))
}

test_that("without an l1 part the bounds are those of the ridge", {
  problem <- small_problem(n = 30L)
  y <- factor(problem$y)
  for (loss in c("hinge", "squared_hinge", "logistic")) for (tol in c(1e-2, 1e-8)) {
    kappa <- 3 * seq(1, 0.9, length.out = 30)
    at <- net_pair(problem$x, y, loss, "penalized", 0, tol)
    expect_equal(own$net_ball_removal(at$pair, at$rows, kappa),
                 own$ball_removal(at$pair, at$rows, kappa), tolerance = 1e-6)
    at <- net_pair(problem$x, y, loss, "free", 0, tol)
    expect_equal(own$net_tilted_removal(at$pair, at$rows, kappa),
                 own$tilted_removal(at$pair, at$rows, kappa), tolerance = 1e-6)
  }
})

test_that("the ball of a removal is the ball of the smaller problem's pair", {
  problem <- small_problem(n = 30L)
  at <- net_pair(problem$x, factor(problem$y), "smooth_hinge", "none", 0.4, 1e-3)
  kappa <- rep(at$pair$mu * 30, 30)
  ends <- own$net_ball_removal(at$pair, at$rows, kappa)
  for (i in c(1L, 7L, 20L)) {
    smaller <- at$pair
    smaller$omega[i] <- 0
    smaller$mu <- smaller$mu * 30 / 29
    smaller$l1 <- smaller$l1 * 30 / 29
    smaller <- own$scored_pair(smaller, at$rows)
    ball <- own$optimum_ball(smaller)
    middle <- sum(at$rows$x[i, ] * ball$centre)
    half <- ball$radius * sqrt(sum(at$rows$x[i, ]^2))
    expect_equal(ends[i, ], middle + c(-half, half), tolerance = 1e-6)
  }
})

test_that("sparse rows, blocks and rule lambda have the same bounds as dense ones", {
  problem <- small_problem(n = 40L)
  y <- factor(problem$y)
  x <- problem$x * (abs(problem$x) > 0.5)
  for (intercept in c("free", "none")) {
    both <- lapply(list(x, methods::as(x, "CsparseMatrix")), function(x) {
      fit <- quiet_fit(x, y, loss = "logistic", lambda = 0.05, intercept = intercept, mixture = 0.5,
                       control = margin_control(tol = 1e-9))
      as.data.frame(margin_loo(fit, x, y, rule = "lambda"))
    })
    expect_identical(both[[1L]]$class, both[[2L]]$class)
    expect_true(all(both[[1L]]$lower <= both[[2L]]$upper + 1e-7 &
                      both[[2L]]$lower <= both[[1L]]$upper + 1e-7))
  }
})

test_that("most rows of an elastic net need no refit", {
  rows <- seq(1, nrow(spambase), by = 10)
  fit <- margin_linear(type ~ ., data = spambase[rows, ], lambda = 0.05, mixture = 0.3)
  loo <- margin_loo(fit, spambase[rows, ])
  expect_lte(loo$summary$undecided, length(rows) / 5)
  expect_true(all(loo$rows$wrong[loo$rows$wrong_in_training]))
})
