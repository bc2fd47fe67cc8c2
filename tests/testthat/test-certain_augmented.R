# Fits of perturbed rows: the ball of the limit of a certificate, with its confidence if drawn.

test_that("the intervals of loose fits hold the optimum, regressions and centred rows included", {
  answers <- lapply(if (is_extended()) 1:400 else 1:40, function(seed) {
    problem <- certain_problem(seed)
    set.seed(seed + 9)
    regression <- runif(1) < 0.4
    losses <- if (regression) list(loss_squared(), loss_huber(0.7)) else
      list(loss_smooth_hinge(0.5), loss_squared_hinge(0.5), loss_logistic(), loss_squared())
    loss <- losses[[sample(length(losses), 1L)]]
    x <- as.matrix(problem$x)
    y <- if (regression) 3 + 2 * rnorm(nrow(x)) else problem$y
    perturbation <- if (loss$name == "squared" && runif(1) < 0.5) perturb_dropout(0.2) else
      if (runif(1) < 0.5) perturb_gaussian(0.3) else perturb_none()
    arguments <- list(x, y, perturbation = perturbation, loss = loss, lambda = 10^runif(1, -2, 0),
                      mixture = if (runif(1) < 0.6) 0 else 0.5, scale = runif(1) < 0.7,
                      intercept = sample(c("penalized", "none"), 1L),
                      weights = problem$arguments$weights)
    run <- function(tol) {
      suppressWarnings(do.call(margin_augmented, c(arguments, list(
        control = margin_control(tol = tol, seed = 1, progress = FALSE, max_epochs = 3000)
      ))))
    }
    best <- run(1e-12)
    reference <- predict(margin_certain(best, x, y), problem$new)
    certain <- margin_certain(run(10^runif(1, -6, -0.5)), x, y)
    found <- predict(certain, problem$new)
    terms <- coef(certain)
    near <- 1e-9 * (1 + abs(reference$score))
    data.frame(
      holds = all(found$lower <= reference$upper + near & found$upper >= reference$lower - near),
      own = all(found$score >= found$lower - near & found$score <= found$upper + near),
      terms = all(terms[, 1] >= terms[, 2] - 1e-9 & terms[, 1] <= terms[, 3] + 1e-9),
      level = certain$level, slack = max(reference$upper - reference$lower)
    )
  })
  answers <- do.call(rbind, answers)
  for (what in c("holds", "own", "terms")) {
    expect_identical(which(!answers[[what]]), integer(), label = what)
  }
  expect_true(all(answers$level == 1))
  expect_lte(stats::median(answers$slack), 1e-4)
})

test_that("a drawn expectation gives a level, which is printed", {
  rows <- seq(1, nrow(spambase), by = 20)
  fit <- margin_augmented(type ~ ., data = spambase[rows, ], perturbation = perturb_dropout(0.1),
                          loss = "logistic", lambda = 0.1, control = margin_control(seed = 1))
  certain <- margin_certain(fit, spambase[rows, ])
  expect_identical(certain$level, 0.95)
  expect_equal(certain$problems[[1L]]$ball$radius, sqrt(2 * fit$suboptimality[[1L]] / 0.1),
               tolerance = 1e-6)
  expect_output(print(certain), "confidence of 95 %")
})
