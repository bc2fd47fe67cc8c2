# Robust fits with a ridge: a ball for w, a free intercept over all norm bounds that are possible.

own <- asNamespace("dualmargin")

test_that("the intervals of loose robust fits hold the optimum", {
  answers <- lapply(if (is_extended()) 1:1000 else 1:60, function(seed) {
    problem <- certain_problem(seed)
    set.seed(seed + 9)
    arguments <- list(
      problem$x, problem$y, norm = sample(c("l1", "l2", "linf"), 1L),
      radius = 10^runif(1, -2.5, -0.3), label_cost = sample(c(0.3, 1, 3, Inf), 1L),
      ridge = 10^runif(1, -2.5, 0), scale = runif(1) < 0.7,
      intercept = sample(c("free", "penalized", "none"), 1L), weights = problem$arguments$weights
    )
    run <- function(tol) {
      suppressWarnings(do.call(margin_robust, c(arguments, list(
        control = margin_control(tol = tol, seed = 1, progress = FALSE, max_epochs = 3000)
      ))))
    }
    best <- run(1e-12)
    certain <- margin_certain(run(10^runif(1, -8, -0.5)), problem$x, problem$y)
    score <- predict(best, problem$new, type = "score")
    found <- predict(certain, problem$new)
    slack <- 1e-4 * (1 + abs(score))
    reference <- coef(margin_certain(best, problem$x, problem$y))
    terms <- coef(certain)
    data.frame(
      holds = all(found$lower <= score + slack & found$upper >= score - slack),
      terms = all(terms[, 2] <= reference[, 3] & terms[, 3] >= reference[, 2]),
      free = arguments$intercept == "free", width = stats::median(found$upper - found$lower)
    )
  })
  answers <- do.call(rbind, answers)
  expect_identical(which(!answers$holds), integer())
  expect_identical(which(!answers$terms), integer())
  expect_lte(stats::median(answers$width[!answers$free]), 0.5)
})

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
