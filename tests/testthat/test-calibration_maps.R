i <- 1:30
score <- 3 * sin(i)
label <- 1 * (score + 2 * cos(5 * i) > 0)
ones <- rep(1, 30)

# The likelihood of Platt as it is written in the help, of the slope and the intercept.
written_out <- function(score, label, weight) {
  inside <- sum(weight * label)
  outside <- sum(weight * (1 - label))
  target <- ifelse(label == 1, (inside + 1) / (inside + 2), 1 / (outside + 2))
  function(at) {
    f <- at[1] * score + at[2]
    -sum(weight * (target * plogis(f, log.p = TRUE) + (1 - target) * plogis(-f, log.p = TRUE)))
  }
}

test_that("Platt's slope and intercept minimise the likelihood that is written out", {
  for (weight in list(ones, rep(c(0.5, 3), 15))) {
    map <- fit_platt(score, prior_targets(label, weight), weight)
    by_optim <- optim(c(1, 0), written_out(score, label, weight), method = "BFGS",
                      control = list(reltol = 1e-15))
    expect_equal(c(map$slope, map$intercept), by_optim$par, tolerance = 1e-5)
    expect_lte(written_out(score, label, weight)(c(map$slope, map$intercept)),
               by_optim$value * (1 + 1e-12))
    by_glm <- suppressWarnings(glm.fit(cbind(score, 1), prior_targets(label, weight), weight,
                                       family = quasibinomial(), control = list(epsilon = 1e-15)))
    expect_equal(c(map$slope, map$intercept), unname(by_glm$coefficients), tolerance = 1e-8)
  }
})

test_that("Platt agrees with scikit-learn 1.2.1", {
  # from sklearn.calibration import _sigmoid_calibration; import numpy as np; i = np.arange(1, 31)
  # z = 3 * np.sin(i); _sigmoid_calibration(z, (z + 2 * np.cos(5 * i) > 0).astype(float))
  # whose p is 1 / (1 + exp(A z + B))
  map <- fit_platt(score, prior_targets(label, ones), ones)
  expect_equal(c(-map$slope, -map$intercept), c(-1.0291322, -0.2382270), tolerance = 1e-5)
})

test_that("Platt's map does not depend on the unit of the scores, separable or huge ones too", {
  separable <- ifelse(label == 1, 1, -1) * (1 + abs(score))
  for (one in list(score, separable)) {
    map <- fit_platt(one, prior_targets(label, ones), ones)
    expect_true(is.finite(map$slope) && map$slope > 0)
    for (unit in c(1e-12, 1e6, 1e150)) {
      scaled <- fit_platt(unit * one, prior_targets(label, ones), ones)
      expect_equal(c(unit * scaled$slope, scaled$intercept), c(map$slope, map$intercept),
                   tolerance = 1e-8)
    }
    moved <- fit_platt(one + 1000, prior_targets(label, ones), ones)
    expect_equal(moved$slope * 1000 + moved$intercept, map$intercept, tolerance = 1e-6)
  }
  # one row far out on its own side does not spoil the descent
  far <- replace(score, which(label == 1)[1], 1e8)
  at <- fit_platt(far, prior_targets(label, ones), ones)
  objective <- written_out(far, label, ones)
  best <- min(vapply(10^seq(-12, 2, by = 0.1), function(slope) {
    optimize(function(b) objective(c(slope, b)), c(-20, 20))$objective
  }, 0))
  expect_lte(objective(c(at$slope, at$intercept)), best + 1e-9)
})

test_that("where the wrong way round is likelier, the slope is 0 and the mean target is left", {
  target <- prior_targets(label, ones)
  map <- fit_platt(-score, target, ones)
  expect_identical(map$slope, 0)
  expect_equal(plogis(map$intercept), mean(target))
  along <- vapply(seq(0, 2, by = 0.01), function(slope) {
    optimize(function(b) written_out(-score, label, ones)(c(slope, b)), c(-10, 10))$objective
  }, 0)
  expect_identical(which.min(along), 1L)
})

test_that("isotonic regression is that of stats::isoreg on distinct scores", {
  target <- prior_targets(label, ones)
  map <- fit_isotonic(score, target, ones)
  reference <- isoreg(score, target)
  expect_equal(plogis(map_isotonic(map, sort(score))), reference$yf, tolerance = 1e-12)
  expect_false(is.unsorted(map$prob))
  # between blocks on the line, beyond the ends flat
  between <- map$score[2:3]
  expect_equal(plogis(map_isotonic(map, mean(between))), mean(map$prob[2:3]))
  expect_equal(plogis(map_isotonic(map, c(-1e9, 1e9))), range(map$prob))
})

test_that("with weights and equal scores it is the solution of the quadratic program", {
  skip_if_not_installed("quadprog")
  set.seed(4)
  for (round in 1:5) {
    z <- round(rnorm(60), 1)
    y <- rbinom(60, 1, plogis(z))
    w <- rexp(60)
    target <- prior_targets(y, w)
    levels <- sort(unique(z))
    k <- length(levels)
    mass <- as.vector(tapply(w, z, sum))
    mean <- as.vector(tapply(w * target, z, sum)) / mass
    rises <- cbind(-diag(k)[, -k], 0)[, seq_len(k - 1)] + diag(k)[, -1]
    solved <- quadprog::solve.QP(diag(mass), mass * mean, rises)$solution
    expect_equal(plogis(map_isotonic(fit_isotonic(z, target, w), levels)), solved,
                 tolerance = 1e-8)
  }
})

test_that("weights that are whole numbers are rows", {
  weight <- rep(c(1, 2, 0), 10)
  rows <- rep(i, weight)
  for (fit in list(fit_platt, fit_isotonic)) {
    expect_equal(fit(score, prior_targets(label, weight), weight),
                 fit(score[rows], prior_targets(label[rows], rep(1, length(rows))),
                     rep(1, length(rows))), tolerance = 1e-10)
  }
})

test_that("a row that hardly counts does not stop Platt's map, however far it is", {
  set.seed(3)
  z <- c(rnorm(60), 0)
  y <- c(rbinom(60, 1, plogis(z[1:60])), 1)
  for (far in c(1e6, 1e7, 1e8)) {
    for (least in c(1e-6, 1e-12)) {
      score <- replace(z, 61L, far)
      weight <- replace(rep(1, 61L), 61L, least)
      target <- prior_targets(y, weight)
      slope_at <- function(slope, intercept) sum(weight * (plogis(slope * score + intercept) - target) * score)
      found <- fit_platt(score, target, weight)
      expect_gt(found$slope, 0)
      size <- sum(weight * abs(score))
      expect_lt(abs(slope_at(found$slope, found$intercept)), 1e-9 * size)
    }
  }
})
