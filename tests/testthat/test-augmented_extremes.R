# Certificates of perturbed problems far from the origin and at the ends of the number range: never
# wrong, and no error where a number can be had.

# w, the intercept last if there is one, in the unit of the columns and beside the mean response
# that were fitted.
weights_of <- function(fit, scales = 1) {
  w <- unname(coef(fit))
  if (!is.null(fit$response_center)) w[1L] <- w[1L] - fit$response_center
  if (fit$settings$intercept == "penalized") c(w[-1L] * scales, w[1L]) else w * scales
}

test_that("a response far from zero is no error, and certified means within the tolerance", {
  set.seed(2)
  n <- 80L
  x <- matrix(rnorm(n * 3L), n)
  noise <- x[, 1L] + rnorm(n)
  lambda <- 0.01
  rows <- cbind(x, 1)
  # the mean over dropout of rate r adds r / (1 - r) mean(x_j^2) w_j^2 / 2; the constant stays
  ridge <- lambda + c(colMeans(x^2) * 0.25, 0)
  for (y in list(1300 + noise, round(1990 + 10 * noise), 1.7e9 + noise, 1e8 * (1e4 + noise),
                 1e-8 * noise)) {
    # the penalised intercept is that of a response about its mean
    left <- y - mean(y)
    value <- function(w) mean((rows %*% w - left)^2) / 2 + sum(ridge * w^2) / 2
    best <- qr.solve(rbind(rows / sqrt(n), diag(sqrt(ridge))), c(left / sqrt(n), 0, 0, 0, 0))
    for (solver in c("auto", "smiso")) {
      fit <- quiet_augmented(x, y, perturb_dropout(0.2), loss = "squared", lambda = lambda,
                             solver = solver, intercept = "penalized",
                             control = margin_control(seed = 1, max_epochs = 200))
      certificate <- certificate(fit)
      above <- value(weights_of(fit)) - value(best)
      expect_lte(above, certificate$gap * (1 + 1e-9) + 1e-12 * value(best))
      expect_lte(certificate$bound, value(best) * (1 + 1e-12))
      if (solver == "auto") expect_true(certificate$certified)
      if (certificate$certified) expect_lte(above, certificate$tol * value(best) * (1 + 1e-6))
    }
  }
})

test_that("what rounding does to a gradient far from the origin is in the gap", {
  set.seed(6)
  x <- matrix(rnorm(150), 50L)
  y <- factor(x[, 1L] + rnorm(50L) > 0)
  gap <- vapply(c(0, 1e4, 1e8), function(offset) {
    quiet_augmented(x + offset, y, new_perturbation(), lambda = 1e-3, loss = "logistic",
                    control = margin_control(seed = 1, tol = 1e-14))$certificate$gap
  }, 0)
  expect_gt(gap[2L], gap[1L])
  expect_gt(gap[3L], gap[2L])
  expect_gt(gap[1L], 0)
})

test_that("numbers near the ends of the range are never certified with an infinite bound", {
  set.seed(1)
  x <- matrix(rnorm(80L), 20L)
  e <- rnorm(20L)
  drop <- perturb_custom(function(values, u) values * (u >= 0.3) / 0.7)
  for (loss in c("squared", "huber")) {
    for (unit in c(if (loss == "huber") 1e-160, 1e-98, 1e-80, 1e78, 1e98)) {
      fit <- quiet_augmented(x, unit * e, drop, loss = loss, lambda = 1,
                             control = margin_control(seed = 1, max_epochs = 50))
      certificate <- certificate(fit)
      expect_true(is.finite(certificate$value))
      expect_true(is.finite(certificate$bound) || !certificate$certified)
      expect_identical(certificate$certified, fit$status$status == "certified")
    }
  }
})

test_that("an estimate within the tolerance certifies nothing and is not in the trace", {
  # until it may be made again a certificate that failed leaves the run to estimates
  set.seed(9)
  x <- matrix(rnorm(300L), 100L)
  y <- factor(x[, 1L] + rnorm(100L) > 0)
  for (seed in 1:4) {
    fit <- quiet_augmented(x, y, perturb_dropout(0.5), lambda = 0.05, solver = "sgd",
                           control = margin_control(seed = seed, tol = 0.03, max_epochs = 100))
    trace <- convergence(fit)
    expect_gt(nrow(trace), 0)
    expect_identical(sum(utils::head(trace$gap, -1L) <= 0.03 * utils::head(trace$value, -1L)), 0L)
  }
})

test_that("a limit on seconds leaves a certificate of few batches, and one that holds", {
  set.seed(10)
  n <- 40000L
  x <- matrix(rnorm(n * 10L), n)
  y <- ifelse(x[, 1L] + rnorm(n) > 0, 1, -1)
  optimum <- quiet_augmented(x, y, perturb_gaussian(0.3), lambda = 1e-3,
                             control = margin_control(seed = 1))$certificate$value
  noise <- perturb_gaussian(0.3) + perturb_dropout(1e-300)
  fit <- counting_looks(quiet_augmented(
    x, y, noise, lambda = 1e-3, solver = "sgd",
    control = margin_control(seed = 1, max_seconds = 1, tol = 1e-9, threads = 1)
  ))
  expect_identical(fit$status$status, "max_seconds")
  expect_lte(fit$status$seconds, 1 + 20)
  expect_lte(certificate(fit)$bound, optimum * (1 + 1e-9))
  expect_lt(fit$certificate_epochs, 8)
})

test_that("the sums of thousands of visits of few rows keep their digits", {
  # at w = 0 every draw is the same, so the value is known: it was 138 units in the last place off
  for (seed in 1:10) {
    set.seed(seed)
    x <- matrix(rnorm(15), 5)
    y <- c(-554, 1119, 30, 77, -12) * runif(5, 0.5, 1.5)
    weights <- c(467, 615272, 1e4, 5e4, 2e5)
    fit <- margin_augmented(x, y, perturb_dropout(0.1), loss = "huber", lambda = 5, mixture = 0.5,
                            weights = weights, intercept = "none", center = FALSE, scale = FALSE,
                            response_scale = FALSE, control = margin_control(seed = seed))
    expect_true(all(coef(fit) == 0))
    terms <- ifelse(abs(y) <= 1.345, y^2 / 2, 1.345 * abs(y) - 1.345^2 / 2)
    null <- sum(weights / sum(weights) * terms)
    expect_lte(abs(certificate(fit)$value - null), 8 * .Machine$double.eps * null)
    expect_lte(certificate(fit)$bound, null)
  }
})

test_that("a path asks of every perturbation what a fit asks of one", {
  problem <- moons(30L)
  either <- function(r) if (r < 0.3) perturb_dropout(r) else perturb_gaussian(r)
  path_of <- function(...) {
    margin_path(problem$x, problem$y, family = "augmented", rate = c(0.1, 0.5), perturbation = either,
                loss = "logistic", lambda = 0.05, ...)
  }
  expect_error(path_of(solver = "exact"), "dropout", class = "dualmargin_input_error")
  expect_identical(certificate(path_of())$tol, c(1e-3, 1e-3))
})

# What it does to one value in twenty would be missed by a batch of four rows.
test_that("the value of a fit with a function of the user's is near that of its point", {
  set.seed(1)
  n <- 4L
  x <- matrix(rnorm(n * 6L), n)
  y <- c(1, -1, 1, -1)
  rate <- 0.02
  masks <- as.matrix(expand.grid(rep(list(0:1), 6L)))
  chance <- rate^rowSums(1 - masks) * (1 - rate)^rowSums(masks)
  dropped <- perturb_custom(function(values, u) values * (u >= rate) / (1 - rate))
  for (seed in 1:5) {
    fit <- margin_augmented(x, factor(y), perturbation = dropped, loss = "logistic", lambda = 0.05,
                            scale = FALSE, control = margin_control(tol = 1e-2, seed = seed))
    w <- coef(fit)
    losses <- vapply(seq_len(n), function(i) {
      sum(chance * log1p(exp(-y[i] * (w[1L] + drop(masks %*% (x[i, ] * w[-1L])) / (1 - rate)))))
    }, 0)
    value <- mean(losses) + 0.05 / 2 * sum(w^2)
    expect_lt(abs(certificate(fit)$value - value), max(certificate(fit)$gap, 0.005 * value))
  }
})
