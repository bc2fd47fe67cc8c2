paper_losses <- function() {
  list(as_loss("logistic"), loss_smooth_hinge(0.5), loss_squared_hinge(0.5), as_loss("squared"),
       loss_huber(0.7))
}

probe_mixup <- function(loss, what, a, y, n = 50L, level = 1) {
  probe("mixup", loss$name, loss$parameter, what, a, rep_len(y, length(a)), n, level)
}

soft_at <- function(loss, what, y, z = 0, a = 0) {
  size <- max(length(y), length(z), length(a))
  drop(probe("soft_loss", loss$name, loss$parameter, FALSE, what, rep_len(z, size),
             rep_len(y, size), rep_len(a, size), 0))
}

# Scores of all sizes, and the knots of the losses; the slopes there fill the dual domains.
score_cases <- function(n = 400L) {
  set.seed(3)
  list(z = c(rnorm(n, sd = 3), rep(c(-1.7, -1, -0.5, -0.3, 0, 0.3, 0.5, 1, 1.7), 20)),
       y = round(runif(n + 180L, -0.95, 0.95), 2))
}

test_that("the conjugate that a search of the infimal convolution finds is that in closed form", {
  cases <- score_cases()
  for (loss in paper_losses()) {
    for (y in list(cases$y, 1, -1, 1 - 1e-9, -1 + 1e-9)) {
      a <- soft_at(loss, "slope", y, cases$z)
      closed <- soft_at(loss, "conjugate", y, a = a)
      expect_equal(probe_mixup(loss, "search", a, y), closed, tolerance = 1e-9, info = loss$name)
      # Fenchel's equality: a is the slope at z
      value <- soft_at(loss, "value", y, cases$z)
      expect_equal(value + closed, a * cases$z, tolerance = 1e-9, info = loss$name)
    }
  }
})

test_that("the grid bounds the conjugate from below, closely where it is fine", {
  cases <- score_cases()
  for (loss in paper_losses()) {
    a <- soft_at(loss, "slope", cases$y, cases$z)
    closed <- soft_at(loss, "conjugate", cases$y, a = a)
    slack <- vapply(c(10L, 1000L), function(n) {
      below <- probe_mixup(loss, "below", a, cases$y, n, n * soft_at(loss, "value", 1))
      expect_true(all(below <= closed + 1e-12 * (1 + abs(closed))), info = loss$name)
      mean(closed - below)
    }, 0)
    # a tenth of the spacing, at least, less slack
    expect_lt(slack[2L], 0.1 * slack[1L])
  }
})

test_that("a dual point taken apart into two classes and put together is the same", {
  cases <- score_cases()
  for (loss in paper_losses()) for (y in list(cases$y, 1, -1)) {
    a <- soft_at(loss, "slope", y, cases$z)
    expect_equal(probe_mixup(loss, "merged", a, y), a, tolerance = 1e-12, info = loss$name)
  }
})

test_that("the iterates are those of the printed algorithms", {
  for (loss in paper_losses()) {
    p <- plain_kernel_problem(loss)
    draws <- row_draws(4, p$n, 3)
    fit <- function(solver) {
      all_coefficients(fit_kernel_problem(p, solver, tol = 1e-300, max_epochs = 3, seed = 4), p$n)
    }
    beta <- function(alpha) p$omega * alpha / (p$lambda * p$W)
    naive <- plain_mixup(p, draws, function(i, alpha) soft_conjugate(p, -alpha, p$y[i]))
    expect_equal(fit("mixup_naive"), beta(naive), tolerance = 1e-6, info = loss$name)
    approx <- plain_mixup(p, draws, function(i, alpha) grid_conjugate(p, i, alpha))
    expect_equal(fit("mixup_approx"), beta(approx), tolerance = 1e-9, info = loss$name)
    # an epoch is n kernel rows, so this many rounds over all copies reach epoch 3
    copies <- function(size) row_draws(4, size, ceiling(3 * p$n / size))
    expect_equal(fit("mixup_decomp"), as.vector(plain_decomp(p, copies)), tolerance = 1e-9,
                 info = loss$name)
  }
})

test_that("two duals a row end at the optimum of one, though (23) as printed would not", {
  p <- plain_kernel_problem(as_loss("logistic"), n = 40L)
  p$y[seq(1, 40, 2)] <- sign(p$y[seq(1, 40, 2)] + 1e-3)
  decomp <- fit_kernel_problem(p, "mixup_decomp", tol = 1e-10, seed = 1, max_epochs = 5000)
  one <- fit_kernel_problem(p, "newton", tol = 1e-12)
  expect_equal(all_coefficients(decomp, 40L), all_coefficients(one, 40L), tolerance = 1e-4)
  # as printed: the loss weighs 2n/n~ as much
  printed <- fit_kernel_problem(p, "newton", tol = 1e-12,
                                lambda = p$lambda * sum(1 + (abs(p$y) < 1)) / 80)
  beta <- all_coefficients(printed, 40L)
  expect_gt(primal_of(p, beta), one$certificate$value + 1e-5)
})
