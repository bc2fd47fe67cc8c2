# Laws of the projections onto |w|_q <= t and onto the ball, from their definitions.

norms <- names(dual_of)

project <- function(x, s, norm, m = 1, ball = FALSE) {
  out <- probe("projection", x, s, norm, m, ball)
  d <- nrow(x)
  list(w = out[seq_len(d), , drop = FALSE], t = out[d + 1L, ])
}

# Points inside, outside and in the polar cone, with zeros and with ties.
epigraph_points <- function(n, d, seed) {
  set.seed(seed)
  x <- matrix(rnorm(n * d), d)
  whole <- runif(n) < 0.5
  x[, whole] <- round(x[, whole])
  list(x = x, s = ifelse(runif(n) < 0.3, round(rnorm(n, sd = 2)), rnorm(n, sd = 3)))
}

test_that("the projection onto the epigraph meets its variational inequality", {
  for (norm in norms) for (m in c(1, 0.2, 7)) for (d in c(1L, 2L, 9L)) {
    k <- epigraph_points(5000L, d, seed = d)
    p <- project(k$x, k$s, norm, m)
    g <- m * (k$x - p$w)
    push <- p$t - k$s
    size <- 1 + column_norms(k$x, "l1") * m + abs(k$s)
    # feasible; (g, -push) in the polar cone; at a right angle to the point
    expect_lte(max((column_norms(p$w, norm) - p$t) / size), 1e-14)
    expect_lte(max((column_norms(g, dual_of[[norm]]) - push) / size), 1e-13)
    expect_lte(max(abs(colSums(g * p$w) - push * p$t) / size^2), 1e-13)
  }
})

test_that("a point is the sum of its projections onto the cone and onto its polar cone", {
  for (norm in norms) {
    k <- epigraph_points(5000L, 6L, seed = 3)
    onto <- project(k$x, k$s, norm)
    polar <- project(k$x, -k$s, dual_of[[norm]])
    expect_equal(onto$w + polar$w, k$x, tolerance = 1e-13)
    expect_equal(onto$t - polar$t, k$s, tolerance = 1e-13)
    expect_lte(max(abs(colSums(onto$w * polar$w) - onto$t * polar$t)), 1e-12)
  }
})

# min over t of (m/2) dist^2(x, t B) + (t - s)^2 / 2
test_that("in another metric it is the smallest of all heights", {
  set.seed(4)
  for (norm in norms) for (case in 1:40) {
    x <- rnorm(4, sd = 2)
    s <- rnorm(1, sd = 2)
    m <- exp(rnorm(1))
    p <- project(matrix(x), s, norm, m)
    worth <- function(t) m / 2 * plain_distance(x, t, norm) + (t - s)^2 / 2
    best <- optimize(worth, c(0, abs(s) + m * sum(abs(x))), tol = 1e-10)
    expect_lte(m / 2 * sum((x - p$w)^2) + (p$t - s)^2 / 2, best$objective + 1e-9)
    expect_equal(p$t, best$minimum, tolerance = 1e-4)
  }
})

test_that("ties, the apex and points inside are exact", {
  tie <- matrix(c(1, 1))
  expect_equal(project(tie, 0, "l1"), list(w = matrix(c(1, 1) / 3), t = 2 / 3))
  expect_equal(project(tie, 0, "l2"), list(w = matrix(c(1, 1) / 2), t = 1 / sqrt(2)))
  expect_equal(project(tie, 0, "linf"), list(w = matrix(c(2, 2) / 3), t = 2 / 3))
  for (norm in norms) {
    zero <- list(w = matrix(c(0, 0)), t = 0)
    expect_identical(project(tie, -2.5, norm), zero)
    # the boundary of the polar cone
    expect_identical(project(matrix(c(3, 0)), -3, norm), zero)
    expect_identical(project(matrix(c(0, 0)), -1, norm), zero)
    k <- epigraph_points(2000L, 5L, seed = 5)
    inside <- column_norms(k$x, norm)
    expect_identical(project(k$x, inside + 1, norm), list(w = k$x, t = inside + 1))
    once <- project(k$x, k$s, norm)
    # |w|_q <= t may fail by rounding
    expect_equal(project(once$w, once$t, norm), once, tolerance = 1e-14)
  }
})

test_that("the projection onto the ball leaves a residual along its norm's slope", {
  for (norm in norms) {
    k <- epigraph_points(3000L, 5L, seed = 6)
    radius <- abs(k$s)
    p <- project(k$x, radius, norm, ball = TRUE)
    g <- k$x - p$w
    size <- 1 + column_norms(k$x, "l1")
    expect_lte(max((column_norms(p$w, norm) - radius) / size), 1e-14)
    # nu, the last row: |g|_p <= nu and g'w = nu r
    expect_lte(max((column_norms(g, dual_of[[norm]]) - p$t) / size), 1e-13)
    expect_lte(max(abs(colSums(g * p$w) - p$t * radius) / size^2), 1e-13)
  }
})
