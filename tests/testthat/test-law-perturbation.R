# What the noise of a perturbation is: exact margins at every visit, independence, and what cancels
# over a cycle.

# Columns: visits; rows: coordinates.
uniforms <- function(kind, visits, count, share = 0, row = 0L, seed = 3) {
  probe("uniforms", seed, kind, share, rep_len(as.integer(row), length(visits)),
        visits, count)
}

shown <- function(x, perturbation, row, visits, balanced = TRUE, bias = 0, seed = 3) {
  row <- rep_len(as.integer(row), length(visits))
  probe("perturbation", x, core_perturbation(perturbation), seed,
        balanced, bias, row, visits)
}
ones <- function(p, n = 1L) matrix(1, n, p)

# Of many tests at once: the smallest p-value, corrected for their number, is no surprise.
expect_no_surprise <- function(p_values) expect_gt(min(p_values) * length(p_values), 1e-3)

test_that("dropout is Bernoulli at every visit of a cycle, and exact over the cycle", {
  for (rate in c(0.1, 0.3, 0.5, 0.25, 0.01)) {
    length <- shown(ones(1L), perturb_dropout(rate), 0L, 0)$cycle
    expect_equal(length * rate, round(length * rate))
    count <- 1e5 %/% length
    seen <- shown(ones(count), perturb_dropout(rate), 0L, seq_len(length) - 1)$values
    expect_true(all(seen == 0 | abs(seen - 1 / (1 - rate)) < 1e-15))
    expect_true(all(rowSums(seen == 0) == round(length * rate)))
    # one coordinate of each of these has nothing to do with the next: a binomial count a visit
    dropped <- colSums(seen == 0)
    expect_no_surprise(vapply(dropped, function(k) binom.test(k, count, rate)$p.value, 0))
  }
})

test_that("over many seeds p-values are uniform", {
  p <- vapply(1:500, function(seed) {
    u <- uniforms("lattice", 0, 1e4, 0.1, seed = seed)
    chisq.test(tabulate(floor(10 * u) + 1, 10L))$p.value
  }, 0)
  expect_gt(suppressWarnings(ks.test(p, "punif"))$p.value, 1e-3)
})

test_that("every visit alone has 1e5 Bernoulli coordinates", {
  for (rate in c(0.1, 0.3, 0.25)) {
    visits <- c(0, 1, 2, 3, 9, 1234567)
    seen <- shown(ones(1e5), perturb_dropout(rate), 0L, visits)$values
    expect_no_surprise(apply(seen == 0, 2L, function(out) {
      chisq.test(c(sum(out), sum(!out)), p = c(rate, 1 - rate))$p.value
    }))
  }
})

test_that("a rate without a short cycle has the right share of zeros all the same", {
  rate <- 0.123
  seen <- shown(ones(1e4), perturb_dropout(rate), 0L, 0:31)
  expect_identical(seen$cycle, 16)
  expect_no_surprise(apply(seen$values == 0, 2L, function(out) {
    binom.test(sum(out), length(out), rate)$p.value
  }))
  # steadier over a cycle than independent draws are
  spread <- function(balanced) {
    var(rowSums(shown(ones(1e4), perturb_dropout(rate), 0L, 0:15, balanced)$values == 0))
  }
  expect_lt(spread(TRUE), 0.25 * spread(FALSE))
})

test_that("coordinates, rows, cycles, seeds and steps are independent of each other", {
  u <- uniforms("lattice", 0:19, 2e4, 0.1)
  pairs <- list(coordinates = list(u[-1L, 1L], u[-2e4, 1L]),
                distant = list(u[-(1:64), 1L], u[seq_len(2e4 - 64), 1L]),
                rows = list(u[, 1L], uniforms("lattice", 0, 2e4, 0.1, row = 1L)[, 1L]),
                cycles = list(u[, 1L], u[, 11L]),
                seeds = list(u[, 1L], uniforms("lattice", 0, 2e4, 0.1, seed = 2)[, 1L]))
  expect_no_surprise(vapply(pairs, function(p) cor.test(p[[1L]], p[[2L]])$p.value, 0))
  # of a row as a whole: which coordinates are dropped together
  tables <- lapply(pairs, function(p) table(p[[1L]] < 0.1, p[[2L]] < 0.1))
  expect_no_surprise(vapply(tables, function(t) chisq.test(t)$p.value, 0))
  twice <- shown(ones(2e4), perturb_dropout(0.5) + perturb_dropout(0.5), 0L, 0)$values
  expect_gt(binom.test(sum(twice == 0), 2e4, 0.75)$p.value, 1e-4)
})

test_that("uniform numbers are uniform at every visit", {
  for (kind in c("lattice", "mirrors", "independent")) {
    u <- uniforms(kind, c(0:15, 1e6), 5000L, 0.1)
    expect_true(all(u > 0 & u < 1))
    expect_no_surprise(apply(u, 2L, function(column) ks.test(column, "punif")$p.value))
  }
})

test_that("noise and rescaling have their distribution, and mirrored visits cancel", {
  noisy <- shown(matrix(3, 1L, 5000L), perturb_gaussian(2), 0L, 0:15)$values
  expect_no_surprise(apply(noisy, 2L, function(v) ks.test(v, "pnorm", 3, 2)$p.value))
  scaled <- shown(matrix(-2, 1L, 5000L), perturb_rescale(0.5), 0L, 0:15)$values
  expect_no_surprise(apply(scaled, 2L, function(v) ks.test(v, "punif", -3, -1)$p.value))
  even <- seq(1L, 15L, by = 2L)
  expect_lt(max(abs(noisy[, even] + noisy[, even + 1L] - 6)), 1e-14)
  expect_lt(max(abs(scaled[, even] + scaled[, even + 1L] + 4)), 1e-15)
  zero <- shown(matrix(0, 1L, 5000L), perturb_gaussian(2), 0L, 0:15)$values
  expect_identical(zero[, even], -zero[, even + 1L])
})

test_that("without balance visits are independent draws", {
  seen <- shown(ones(2e4), perturb_dropout(0.3), 0L, 0:9, balanced = FALSE)
  expect_identical(seen$cycle, 1)
  counts <- tabulate(rowSums(seen$values == 0) + 1L, 11L)
  expect_gt(chisq.test(c(counts[1:8], sum(counts[9:11])),
                       p = c(dbinom(0:7, 10, 0.3), pbinom(7, 10, 0.3, FALSE)))$p.value, 1e-4)
  noisy <- shown(ones(2e4), perturb_gaussian(1), 0L, 0:1, balanced = FALSE)$values
  expect_gt(cor.test(noisy[, 1L], noisy[, 2L])$p.value, 1e-4)
})

test_that("an image is moved by whole pixels and never wraps around", {
  set.seed(5)
  image <- matrix(runif(2 * 4 * 5), 1L)
  moved <- shown(image, perturb_image(c(4, 5), 2), 0L, 0:1999, balanced = FALSE)$values
  planes <- array(image, c(4L, 5L, 2L))
  move <- function(down, right) {
    out <- array(0, dim(planes))
    rows <- intersect(1:4, 1:4 + down)
    columns <- intersect(1:5, 1:5 + right)
    out[rows, columns, ] <- planes[rows - down, columns - right, ]
    c(out)
  }
  all_moves <- expand.grid(down = -2:2, right = -2:2)
  possible <- mapply(move, all_moves$down, all_moves$right)
  which_one <- apply(moved, 2L, function(v) which(colSums(abs(possible - v)) == 0))
  expect_type(which_one, "integer")
  expect_gt(chisq.test(tabulate(which_one, 25L))$p.value, 1e-4)
})

test_that("steps act one after another, in the order of the sum", {
  x <- matrix(c(1, -2, 3), 1L)
  seen <- function(p) shown(x, p, 0L, 0:200)$values
  # a value is noisy where it was dropped before, and 0 where it was dropped after
  before <- seen(perturb_dropout(0.5) + perturb_rescale(0.2))
  after <- seen(perturb_dropout(0.5) + perturb_custom(function(values, u) values + 1))
  expect_setequal(unique(round(after - 1, 12)), c(0, 2, -4, 6))
  other <- seen(perturb_custom(function(values, u) values + 1) + perturb_dropout(0.5))
  expect_setequal(unique(round(other, 12)), c(0, 4, -2, 8))
  live <- before[before != 0]
  expect_true(all(abs(live) >= 2 * 0.8 & abs(live) <= 6 * 1.2))
})

test_that("the constant column is never perturbed, and sparse rows keep their pattern", {
  chain <- perturb_dropout(0.5) + perturb_rescale(0.5)
  seen <- shown(ones(3L), chain, 0L, 0:99, bias = 2.5)$values
  expect_true(all(seen[4L, ] == 2.5))
  x <- as(Matrix::rsparsematrix(6L, 40L, 0.2), "CsparseMatrix")
  seen <- shown(x, chain, 2L, 0:99, bias = 1)$values
  expect_true(all(seen[c(x[3L, ] == 0, FALSE), ] == 0))
  expect_true(any(seen[which(x[3L, ] != 0), ] != 0))
  expect_true(all(seen[41L, ] == 1))
})

test_that("the normal quantile is R's to rounding", {
  p <- c(10^-(1:300), 1e-16 * (1:9), seq(0.001, 0.999, by = 0.001), 1 - 10^-(1:15), 0.02425, 0.5)
  q <- probe("normal_quantile", p)
  expect_lt(max(abs(q - qnorm(p)) / pmax(abs(qnorm(p)), 1e-2)), 1e-14)
  expect_identical(probe("normal_quantile", 0.25),
                   -probe("normal_quantile", 0.75))
})
