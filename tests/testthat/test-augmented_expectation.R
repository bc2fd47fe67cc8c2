test_that("means under a normal score are those of numerical integration", {
  for (loss in class_losses()) {
    kinks <- plain_kinks(loss)
    for (tau in c(0.05, 0.6, 1, 1.4, 7)) for (m in c(-4, 0.2, 1, 9)) {
      found <- probe("normal_mean", loss$name, loss$parameter, m, tau, 1)
      value <- normal_mean(function(x) plain_loss(loss, x, 1), m, tau, kinks)
      first <- normal_mean(function(x) plain_slope(loss, x), m, tau, kinks)
      # Stein: E phi'' = E phi' e / tau
      second <- normal_mean(function(x) plain_slope(loss, x) * (x - m) / tau^2, m, tau, kinks)
      info <- paste(loss$name, tau, m)
      expect_lt(abs(found[1L] - value), 1e-11 * max(1, abs(value)), label = info)
      expect_lt(abs(found[2L] - first), 1e-11 * max(1, abs(first)), label = info)
      expect_lt(abs(found[3L] - second), 1e-9 * max(1, abs(first) / tau), label = info)
    }
  }
})

test_that("means of Huber's loss have all their digits for any residual, noise and delta", {
  # in t = |r + s e| / s, of which the density is dnorm(t - a) + dnorm(t + a), all is positive
  reference <- function(a, d) {
    ends <- sort(unique(pmax(0, c(a + (-13:13), d))))
    ends <- ends[ends <= a + 13]
    half <- diff(ends) / 2
    t <- outer(half, gauss_legendre$x) + (ends[-length(ends)] + half)
    w <- outer(half, gauss_legendre$w) * dnorm(t - a)
    even <- w * (1 + exp(-2 * t * a))
    c(sum(even * ifelse(t < d, t^2 / 2, d * (t - d / 2))),
      sum(w * -expm1(-2 * t * a) * pmin(t, d)), sum(even * (t < d)))
  }
  for (delta in c(8.18, 1e-3)) for (s in 10^c(-8, -5, -2, -0.5, 0, 0.4, 3)) {
    r <- 10^c(-8, -6, -3, -1, -0.2, 0, 0.2, 1, 3)
    found <- probe("normal_mean", "huber", delta, r * delta, s * delta, 0)
    mirror <- probe("normal_mean", "huber", delta, -r * delta, s * delta, 0)
    expect_identical(mirror, found * rep(c(1, -1, 1), each = length(r)))
    for (k in seq_along(r)) {
      if (r[k] / s > 1e4) {
        # no noise reaches the kink but at r = delta, where half of it does
        if (r[k] == 1) next
        exact <- if (r[k] < 1) c((r[k]^2 + s^2) / 2, r[k], 1) else c(r[k] - 0.5, 1, 0)
      } else {
        exact <- reference(r[k] / s, 1 / s) * c(s^2, s, 1)
      }
      answer <- found[k, ] / c(delta^2, delta, 1)
      expect_lt(max(abs(answer - exact) / (exact + c(0, 0, 1e-20))), 1e-11,
                label = paste("error at r, s =", r[k], s))
    }
  }
})

test_that("means of hinges keep their digits far out on the flat side and with a narrow bend", {
  # E (u + s e)_+^2 / 2 = s^2 int_0^inf t^2 / 2 dnorm(t - u / s) dt, on panels of the tail's width
  tail <- function(a, bend) {
    width <- 1 / max(1, -a)
    ends <- sort(unique(c(seq(0, max(a, 0) + 40 * width, by = width / 2), bend[is.finite(bend)])))
    half <- diff(ends) / 2
    t <- outer(half, gauss_legendre$x) + (ends[-length(ends)] + half)
    w <- outer(half, gauss_legendre$w) * dnorm(t - a)
    c(sum(w * ifelse(t < bend, t^2 / 2, bend * (t - bend / 2))), sum(w * pmin(t, bend)))
  }
  for (a in c(-30, -9, -2.1, -1.9, -0.5, 0, 0.5, 3)) for (s in c(1e-3, 1, 20)) {
    found <- probe("normal_mean", "squared_hinge", 0.5, 1 - a * s, s, 1)[1:2]
    exact <- tail((1 - (1 - a * s)) / s, Inf) * c(s^2, -s) / 0.5
    expect_lt(max(abs(found / exact - 1)), 1e-10, label = paste("error at", a, s))
    for (bend in c(1e-7, 0.02, 0.9, 1.1, 4)) {
      found <- probe("normal_mean", "smooth_hinge", bend * s, 1 - a * s, s, 1)[1:2]
      exact <- tail((1 - (1 - a * s)) / s, bend) * c(s^2, -s) / (bend * s)
      expect_lt(max(abs(found / exact - 1)), 1e-10, label = paste("error at", a, s, bend))
    }
  }
})

test_that("the sum for the logistic loss is exact for any spread of the score", {
  # two rules meet at tau = 1; the heat equation d/d(tau^2) E phi = E phi'' / 2 ties all tau
  mean_at <- function(m, tau) probe("normal_mean", "logistic", 1, m, tau, 1)
  m <- c(-30, -2, 0, 0.7, 5, 80)
  expect_lt(max(abs(mean_at(m, 1) - mean_at(m, 1 + 1e-15))), 1e-13)
  for (tau in c(0.01, 0.3, 2, 50)) {
    # phi(m) - phi(-m) = -m, phi'(m) + phi'(-m) = -1, phi'' even: kept by every mean
    odd <- mean_at(m, tau) - mean_at(-m, tau)
    expect_lt(max(abs(odd[, 1L] + m) / pmax(1, abs(m))), 1e-14)
    expect_lt(max(abs(mean_at(m, tau)[, 2L] + mean_at(-m, tau)[, 2L] + 1)), 1e-14)
    h <- if (tau < 1) min(tau^2 / 2, 3e-3) else 3e-3 * tau^2
    heat <- (mean_at(m, sqrt(tau^2 + h)) - mean_at(m, sqrt(tau^2 - h)))[, 1L] / (2 * h)
    expect_equal(heat, mean_at(m, tau)[, 3L] / 2, tolerance = 1e-5)
  }
  expect_equal(mean_at(0, 1e6)[1L], 1e6 * dnorm(0), tolerance = 1e-11)
  expect_equal(mean_at(m, 0)[, 1L], plain_loss(as_loss("logistic"), m, 1), tolerance = 1e-15)
})

test_that("each known expectation and its gradient are those of plain R, dense and sparse", {
  problem <- small_problem(n = 12L, p = 4L)
  problem$weights[3L] <- 0
  set.seed(4)
  for (case in closed_form_cases()) for (penalized in c(FALSE, TRUE)) {
    for (regression in c(FALSE, case[[1L]] %in% c("squared", "huber"))) {
      loss <- as_loss(case[[1L]])
      y <- if (regression) problem$response else problem$y
      w <- rnorm(4L + penalized)
      settings <- list(loss = loss$name, parameter = loss$parameter, regression = regression,
                       penalized = penalized, perturbation = case[[2L]]$steps)
      closed <- function(x, w) {
        probe("expectation", x, y, problem$weights, settings, w)
      }
      mean_at <- function(w) {
        plain_mean(problem$x, y, problem$weights, loss, case[[2L]], w, penalized, regression)
      }
      answer <- closed(problem$x, w)
      expect_equal(answer, mean_at(w), tolerance = 1e-10, info = loss$name)
      value <- function(w) mean_at(w)$value
      h <- 1e-3
      slope <- vapply(seq_along(w), function(j) {
        e <- replace(numeric(length(w)), j, h)
        # fourth order
        (8 * (value(w + e) - value(w - e)) - (value(w + 2 * e) - value(w - 2 * e))) / (12 * h)
      }, 0)
      # where no noise smooths a kink of phi' the difference has one
      smooth <- loss$name != "smooth_hinge" || length(case[[2L]]$steps) > 0L
      expect_equal(answer$gradient, slope, tolerance = if (smooth) 1e-7 else 1e-3,
                   info = loss$name)
      expect_equal(closed(as(problem$x, "RsparseMatrix"), w), answer, tolerance = 1e-14)
    }
  }
})
