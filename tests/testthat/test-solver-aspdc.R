# n normalised rows that no hyperplane separates, so that lambda n gamma is the whole story.
normalised_rows <- function(n = 100L, p = 6L) {
  set.seed(11)
  x <- cbind(1, matrix(rnorm(n * p), n, p))
  list(x = x / sqrt(rowSums(x^2)), y = ifelse(x[, 2L] + rnorm(n) > 0, 1, -1))
}

fit_at <- function(ratio, solver, tol = 1e-8, max_epochs = 2000) {
  rows <- normalised_rows()
  margin_linear(rows$x, factor(rows$y), lambda = ratio / nrow(rows$x), scale = FALSE,
                intercept = "none", solver = solver, loss = "smooth_hinge",
                control = margin_control(tol = tol, seed = 1, max_epochs = max_epochs))
}

# Algorithm 1 with nothing added, also where the package refuses to run it.
plain_gap <- function(ratio, epochs, damped) {
  rows <- normalised_rows()
  n <- nrow(rows$x)
  lambda <- ratio / n
  a <- numeric(n)
  w <- numeric(ncol(rows$x))
  loss <- loss_smooth_hinge()
  for (i in row_draws(3, n, epochs)) {
    z <- sum(rows$x[i, ] * w)
    q <- if (damped) 1 / (lambda * n) else 0
    t <- rows$y[i] * min(0, max(-1, (rows$y[i] * z - 1 + q * rows$y[i] * a[i]) / (1 + q)))
    w <- w - (t - a[i]) * rows$x[i, ] / (lambda * n)
    a[i] <- t
  }
  value <- plain_objectives(rows$x, rows$y, rep(1, n), loss, lambda, 0, "none", w, 0, a)
  value$primal - value$dual
}

test_that("ASPDC converges at lambda n gamma = 1.1 R^2 and diverges at 0.5, where SDCA converges", {
  expect_lt(plain_gap(1.1, 200, damped = FALSE), 1e-8)
  expect_gt(plain_gap(0.5, 200, damped = FALSE), 1e-2)
  expect_lt(plain_gap(0.5, 200, damped = TRUE), 1e-8)
  expect_true(suppressMessages(fit_at(1.1, "aspdc"))$certificate$certified)
  expect_true(fit_at(0.5, "sdca")$certificate$certified)
  condition <- tryCatch(fit_at(0.5, "aspdc"), error = identity)
  expect_s3_class(condition, "dualmargin_input_error")
  expect_identical(condition$arg, "lambda")
  expect_match(conditionMessage(condition), "not above 0.01", fixed = TRUE)
  expect_match(conditionMessage(condition), "\"aspdc_i\" or \"auto\"", fixed = TRUE)
})

test_that("between one and four times the bound a note says that the theorem does not reach", {
  expect_message(fit_at(2, "aspdc"), "below 4 times 0.01", class = "dualmargin_message")
  expect_quiet(fit_at(4.1, "aspdc"))
})

test_that("the bound counts weights, column scales, gamma and the penalised intercept", {
  problem <- small_problem()
  for (intercept in c("none", "penalized")) for (scale in c(TRUE, FALSE)) {
    loss <- loss_squared_hinge(0.4)
    row <- list(large_lambda = TRUE)
    bound <- lambda_for(row, 0, problem$x, loss, 0.3, intercept, scale, problem$weights) / 2
    fit <- function(lambda) {
      without_notes(quiet_fit(problem$x, factor(problem$y), loss = loss, lambda = lambda,
                              mixture = 0.3, intercept = intercept, scale = scale,
                              weights = problem$weights, solver = "aspdc",
                              control = margin_control(seed = 1, max_epochs = 2)))
    }
    expect_error(fit(bound * 0.999), class = "dualmargin_input_error")
    expect_s3_class(fit(bound * 1.001), "margin_linear")
  }
})

test_that("its iterates are those of Algorithm 1", {
  for_each_case(lambda = 20, function(p) {
    draws <- row_draws(9, p$n, 2)
    a <- numeric(p$n)
    for (i in draws) {
      w <- soft(-dual_sum(p, a), p$l1) / p$l2
      a[i] <- p$slope(sum(p$x[i, ] * w), i)
    }
    fit <- fit_epochs(p, "aspdc", 2, seed = 9)
    expect_equal(unname(coef(fit)), soft(-dual_sum(p, a), p$l1) / p$l2, tolerance = 1e-9)
  })
})

test_that("each gap of its expectation shrinks at least as Lemma 2 says", {
  # E gap(t) <= 2n (1 - 1/(2n))^t gap(0) for lambda >= 4/(n gamma): mean over 30 runs
  rows <- normalised_rows()
  n <- nrow(rows$x)
  gaps <- vapply(1:30, function(seed) {
    fit <- quiet_fit(rows$x, rows$y, lambda = 4.01 / n, scale = FALSE, intercept = "none",
                     solver = "aspdc",
                     control = margin_control(tol = 1e-300, seed = seed, max_epochs = 8,
                                              certify_every_epoch = TRUE))
    convergence(fit)$gap
  }, numeric(9))
  expect_true(all(rowMeans(gaps) <= 2 * n * (1 - 1 / (2 * n))^(n * (0:8)) * gaps[1L, 1L]))
})
