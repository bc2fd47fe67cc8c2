# The curvature lemma (region/ellipsoid.h) by itself: random altered problems, their optima by Newton
# steps, and what says less than the lemma must fail on some of them.

# A logistic problem and another one of it: weights down and up, labels, another ridge, rows that
# leave and that come, so that leverages sum to less and to more than 1.
altered_problem <- function(seed) {
  set.seed(seed)
  n <- sample(4:14, 1L)
  d <- sample(4L, 1L)
  x <- cbind(matrix(rnorm(n * d), n) * 10^runif(1, -0.5, 0.7), 1)
  y <- sample(c(-1, 1), n, TRUE)
  omega <- runif(n, 0.3, 2)
  kappa <- 10^runif(1, -1.5, 1)
  other <- list(x = x, y = y, omega = omega, kappa = kappa)
  way <- seed %% 6L
  at <- sample(n, 1L + (way == 0L))
  if (way == 0L) other$omega[at] <- 0
  if (way == 1L) other$omega[at] <- other$omega[at] * 10^runif(1, -1, 0)
  if (way == 2L) other$omega[at] <- other$omega[at] * 10^runif(1, 0, 0.7)
  if (way == 3L) other$y[at] <- -y[at]
  if (way == 4L) other$kappa <- kappa * 10^runif(1, -0.6, 0.6)
  if (way == 5L) {
    other$x <- rbind(x, c(rnorm(d), 1))
    other$y <- c(y, 1)
    other$omega <- c(omega, runif(1))
  }
  list(base = list(x = x, y = y, omega = omega, kappa = kappa), other = other)
}

derivatives <- function(p, v) {
  m <- p$y * drop(p$x %*% v)
  slope <- -p$omega * p$y * plogis(-m)
  bend <- p$omega * plogis(m) * plogis(-m)
  list(gradient = drop(crossprod(p$x, slope)) + p$kappa * v,
       hessian = crossprod(p$x, bend * p$x) + diag(p$kappa, length(v)))
}

newton_optimum <- function(p, v) {
  value <- function(v) sum(p$omega * log1p(exp(-p$y * drop(p$x %*% v)))) + p$kappa / 2 * sum(v^2)
  for (step in 1:100) {
    at <- derivatives(p, v)
    move <- solve(at$hessian, at$gradient)
    if (sqrt(sum(at$gradient * move)) < 1e-11) break
    share <- 1
    while (share > 1e-6 && value(v - share * move) > value(v) + 1e-14) share <- share / 2
    v <- v - share * move
  }
  v
}

# At the optimum of the base, and a little off it: what the lemma needs, and how far the other
# optimum is in the base's metric M and, after the other problem's Newton step, in its own.
lemma_case <- function(seed) {
  case <- altered_problem(seed)
  v <- newton_optimum(case$base, numeric(ncol(case$base$x)))
  v <- v + rnorm(length(v)) * 10^runif(1, -6, -1.5)
  M <- derivatives(case$base, v)$hessian
  at <- derivatives(case$other, v)
  goal <- newton_optimum(case$other, v)
  root <- chol(M)
  least <- min(eigen(solve(t(root), t(solve(t(root), at$hessian))), TRUE, TRUE)$values)
  length_in <- function(H, t) sqrt(max(0, sum(t * solve(H, t))))
  used <- case$other$x[case$other$omega > 0, , drop = FALSE]
  reach <- function(H) max(apply(used, 1L, function(t) length_in(H, t)))
  step <- solve(at$hessian, at$gradient)
  drop <- sqrt(sum(at$gradient * step))
  distance <- function(H, from) sqrt(sum((goal - from) * (H %*% (goal - from))))
  list(nu = length_in(at$hessian, at$gradient), stretch = 1 / sqrt(least), reach = reach(M),
       apart = distance(M, v), drop = drop, own_reach = reach(at$hessian),
       after = distance(at$hessian, v - step))
}

lemma_cases <- lapply(if (is_extended()) 1:3000 else 1:400, lemma_case)
lemma_column <- function(name) vapply(lemma_cases, `[[`, 0, name)

test_that("the optimum of an altered problem is within the radius, and no further in a tenth", {
  nu <- lemma_column("nu")
  stretch <- lemma_column("stretch")
  reach <- lemma_column("reach")
  apart <- lemma_column("apart")
  radius <- mapply(function(...) probe("by_curvature", ...), nu, reach, FALSE, stretch)
  known <- is.finite(radius)
  expect_gte(mean(known), 0.3)
  expect_true(any(stretch[known] > 1.05) && any(stretch[known] < 0.95))
  slack <- 1e-9 * (1 + apart)
  expect_true(all(apart[known] <= radius[known] + slack[known]))
  expect_gte(max((apart / radius)[known & radius > 1e-3]), 0.9)
  # no factor of a step, no stretch, rows that are shorter, a gradient of which a part is dropped
  psi <- function(s) ifelse(s <= 0.9, -log1p(-pmin(s, 0.9)) / s, Inf)
  mutants <- list(
    flat = stretch * nu, plain = nu * psi(nu * reach), once = nu * psi(nu * reach * stretch),
    short = stretch * nu * psi(nu * reach * stretch / 4),
    part = 0.8 * stretch * nu * psi(nu * reach * stretch)
  )
  for (name in names(mutants)) {
    expect_gte(sum((apart > mutants[[name]] + slack)[known]), 1, label = name)
  }
})

test_that("what a Newton step misses is within the radius from where it ends", {
  drop <- lemma_column("drop")
  reach <- lemma_column("own_reach")
  after <- lemma_column("after")
  t <- drop * reach
  missed <- vapply(t, function(s) probe("missed_by_step", s), 0)
  expect_equal(missed[t > 1e-3], ((exp(t) - 1 - t) / t)[t > 1e-3], tolerance = 1e-9)
  expect_equal(probe("missed_by_step", 1e-6), 5e-7, tolerance = 1e-6)
  radius <- mapply(function(...) probe("by_curvature", ...), exp(t / 2) * drop * missed, reach,
                   FALSE, exp(t / 2))
  known <- is.finite(radius)
  expect_gte(mean(known), 0.3)
  expect_true(all((after <= radius + 1e-9)[known]))
  half <- drop * missed / 16
  expect_gte(sum((after > half + 1e-9)[known]), 1)
})

test_that("curvature that no step changes needs no factor", {
  expect_identical(probe("by_curvature", 3, 100, TRUE, 2), 6)
  expect_identical(probe("by_curvature", 1, 1, FALSE, 1), Inf)
})
