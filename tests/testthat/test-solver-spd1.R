# spd1 and spd1_vr: the steps of src/linear/entries.h once more in plain R, from the same draws.

# The entries in the order in which they are numbered, row after row: of a sparse x what is stored.
entries_of <- function(x) {
  if (isS4(x)) {
    stored <- methods::as(methods::as(x, "RsparseMatrix"), "TsparseMatrix")
    order <- order(stored@i, stored@j)
    table <- data.frame(i = stored@i[order] + 1, j = stored@j[order] + 1, x = stored@x[order])
  } else {
    table <- data.frame(i = rep(seq_len(nrow(x)), each = ncol(x)),
                        j = rep(seq_len(ncol(x)), nrow(x)), x = c(t(x)))
  }
  table$of_row <- tabulate(table$i, nrow(x))[table$i]
  table$of_column <- tabulate(table$j, ncol(x))[table$j]
  table
}
# p of helper-iterates.R, with rows of zeros in sparse storage.
sparse_plain <- function(loss, mixture) {
  p <- plain_problem(loss, mixture)
  p$x[abs(p$x) < 0.4] <- 0
  p$row_smoothness <- max(p$omega * rowSums(p$x^2)) / (p$W * loss$gamma)
  p$stored <- methods::as(methods::as(p$x, "CsparseMatrix"), "generalMatrix")
  p
}

# The points after each of `stages` stages of so many epochs; each reference point, with their
# value, and averages with rising weights.
plain_entries <- function(p, seed, stages, passes, theta, reference, start = numeric(p$p)) {
  table <- entries_of(if (is.null(p$stored)) p$x else p$stored)
  size <- nrow(table)
  draws <- row_draws(seed, size, stages * passes)
  columns <- max(colSums(p$omega * p$x^2)) / p$W
  rho <- p$l2 / (size * max(p$row_smoothness, columns / p$loss$gamma))
  none <- tabulate(table$i, p$n) == 0
  w <- start
  w_sum <- numeric(p$p)
  a <- if (any(w != 0)) p$slope(drop(p$x %*% w), seq_len(p$n)) else numeric(p$n)
  a[none] <- p$slope(0, which(none))
  points <- means <- list(w)
  for (t in seq_along(draws)) {
    if (t %% (passes * size) == 1) {
      w_ref <- if (reference) w else 0 * w
      a_ref <- if (reference) a else 0 * a
      z_ref <- drop(p$x %*% w_ref)
      u_ref <- dual_sum(p, a_ref)
    }
    e <- table[draws[t], ]
    step <- if (reference) theta else theta / (1 + theta * rho * (t - 1) / 2)
    z <- z_ref[e$i] + e$of_row * e$x * (w[e$j] - w_ref[e$j])
    v <- u_ref[e$j] + e$of_column * p$omega[e$i] / p$W * e$x * (a[e$i] - a_ref[e$i])
    tau <- step / (e$of_column * p$row_smoothness)
    a[e$i] <- p$dual_step(z, e$i, a[e$i], e$of_row * columns / p$l2 / step)
    w[e$j] <- soft(w[e$j] - tau * v, tau * p$l1) / (1 + tau * p$l2)
    w_sum <- w_sum + t * w
    if (t %% (passes * size) == 0) {
      points <- c(points, list(w))
      means <- c(means, list(2 * w_sum / (t * (t + 1))))
    }
  }
  if (reference) points else means
}

# Of several points the one that a fit returns, the least by value.
least <- function(p, points) {
  value <- function(w) {
    sum(p$omega * plain_loss(p$loss, drop(p$x %*% w), p$y)) / p$W + p$l1 * sum(abs(w)) +
      p$l2 / 2 * sum(w^2)
  }
  points[[which.min(vapply(points, value, 0))]]
}

test_that("spd1 takes the steps of its file, and returns averages with rising weights", {
  for (case in iterate_cases()) for (make in list(plain_problem, sparse_plain)) {
    p <- make(as_loss(case$loss), case$mixture)
    points <- plain_entries(p, 6, stages = 3, passes = 1, theta = 0.5, reference = FALSE)
    best <- least(p, points)
    if (!is.null(p$stored)) p$x <- p$stored
    expect_equal(unname(coef(fit_epochs(p, "spd1", 3, seed = 6))), best, tolerance = 1e-9)
  }
})

test_that("spd1_vr takes the steps of its file, and returns the best of its reference points", {
  for (case in iterate_cases()) for (make in list(plain_problem, sparse_plain)) {
    p <- make(as_loss(case$loss), case$mixture)
    points <- plain_entries(p, 6, stages = 2, passes = 2, theta = 0.25, reference = TRUE)
    best <- least(p, points)
    if (!is.null(p$stored)) p$x <- p$stored
    expect_equal(unname(coef(fit_epochs(p, "spd1_vr", 7, seed = 6))), best, tolerance = 1e-9)
  }
})

test_that("given a row, or a column, the mean of the estimates is what they stand for", {
  set.seed(1)
  for (make in list(plain_problem, sparse_plain)) {
    p <- make(as_loss("logistic"), 0)
    x <- if (is.null(p$stored)) p$x else p$stored
    e <- entries_of(x)
    w <- rnorm(p$p)
    a <- rnorm(p$n)
    score <- tapply(e$of_row * e$x * w[e$j], factor(e$i, seq_len(p$n)), mean, default = 0)
    pull <- tapply(e$of_column * p$omega[e$i] / p$W * e$x * a[e$i], factor(e$j, seq_len(p$p)),
                   mean, default = 0)
    expect_equal(c(score), drop(p$x %*% w), ignore_attr = TRUE)
    expect_equal(c(pull), dual_sum(p, a), ignore_attr = TRUE)
  }
})

test_that("at the optimum a step of spd1_vr leaves the point where it is, one of spd1 does not", {
  for (mixture in c(0, 0.4)) for (make in list(plain_problem, sparse_plain)) {
    p <- make(as_loss("logistic"), mixture)
    fit <- without_notes(quiet_fit(p$x, factor(p$y), loss = p$loss, lambda = p$lambda,
                                   mixture = mixture, intercept = "none", scale = FALSE,
                                   weights = p$omega, solver = "newton",
                                   control = margin_control(tol = 1e-14)))
    w <- unname(coef(fit))
    moved <- function(theta, reference) {
      points <- plain_entries(p, 3, stages = 2, passes = 2, theta, reference, start = w)
      max(abs(unlist(points) - w))
    }
    expect_lt(moved(0.25, TRUE), 1e-6)
    expect_gt(moved(0.5, FALSE), 1e-3)
  }
})

test_that("spd1_vr comes to the optimum linearly, spd1 comes nearer", {
  p <- plain_problem(loss_smooth_hinge(), lambda = 0.2)
  fit <- function(solver, tol, epochs) {
    quiet_fit(p$x, factor(p$y), loss = p$loss, lambda = p$lambda, intercept = "none",
              scale = FALSE, weights = p$omega, solver = solver,
              control = margin_control(tol = tol, max_epochs = epochs, seed = 3))
  }
  best <- fit("auto", 1e-13, 1000)
  reduced <- fit("spd1_vr", 1e-10, 20000)
  expect_true(reduced$certificate$certified)
  expect_equal(coef(reduced), coef(best), tolerance = 1e-4)
  epochs_to <- function(gap) {
    seen <- convergence(reduced)
    min(seen$epoch[seen$gap <= gap * abs(best$certificate$value)])
  }
  expect_lt(epochs_to(1e-9) - epochs_to(1e-6), 1.5 * epochs_to(1e-6))
  gaps <- vapply(c(10, 100, 1000, 10000), function(epochs) {
    fit("spd1", 1e-12, epochs)$certificate$gap
  }, 0)
  expect_true(all(diff(log(gaps)) < 0))
  expect_lt(gaps[4L], gaps[2L] / 20)
})
