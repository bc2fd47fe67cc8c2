# Rows far from the origin, and rows of extreme sizes.

# The same stored doubles, moved back exactly: differences of neighbours on one grid do not round.
moved_back <- function(x) {
  sweep(x, 2L, x[1L, ])
}

tiny <- rbind(c(100, 1003), c(101, 1003), c(103, 1002))

test_that("a free intercept's margin on small integers is that of the integers at the origin", {
  fit <- margin_hard(tiny, c(-1, 1, -1), intercept = "free")
  # the second row lies between the two others but for one unit: by hand the point of the segment
  # nearest to (1, 0) is (0.9, -0.3), half of the distance is sqrt(0.1) / 2
  expect_equal(fit$certificate$value, sqrt(0.1) / 2, tolerance = 1e-12)
  expect_true(fit$certificate$certified)
  expect_identical(fit$separable, TRUE)
  set.seed(1)
  wrong <- 0L
  for (i in 1:60) {
    n <- 3L + i %% 2L
    x <- matrix(sample(100:20000, 2 * n), n)
    y <- sample(c(-1, 1, sample(c(-1, 1), n - 2L, TRUE)))
    far <- hard_fit(x, y, intercept = "free")
    back <- hard_fit(moved_back(x), y, intercept = "free")
    same <- identical(far$separable, back$separable) &&
      abs(far$certificate$value - back$certificate$value) <=
        1e-9 * abs(back$certificate$value) + 1e-10
    wrong <- wrong + !isTRUE(same)
  }
  expect_identical(wrong, 0L)
})

test_that("an affine kernel far from the origin has the free margin of its rows", {
  for (seed in c(46L, 1L, 2L)) {
    data <- separable_problem(16L, 3L, seed = seed)
    x <- data$x + 1e4
    back <- moved_back(x)
    truth <- margin_hard(back, data$y, intercept = "free")$certificate$value
    for (kernel in list(as_kernel("linear"), kernel_polynomial(1, scale = 4, offset = 3))) {
      unit <- if (kernel$name == "polynomial") 2 else 1
      for (rows in list(x, methods::as(x, "CsparseMatrix"))) for (solver in c("auto", "smo")) {
        fit <- hard_fit(rows, data$y, solver, kernel = kernel, intercept = "free", tol = 1e-8,
                        max_epochs = 2e4)
        expect_true(fit$certificate$certified)
        expect_equal(fit$certificate$value, unit * truth, tolerance = 2e-8)
        expect_lte(max(abs(predict(fit, rows, type = "score") - fit$scores)), 1e-4)
      }
    }
  }
  # a column that is scaled, and one that is not moved
  frame <- cbind(data$x[, 1:2] + 1e4, ifelse(seq_len(16) %% 3 == 0, 0, data$x[, 3]))
  fit <- hard_fit(frame, data$y, kernel = as_kernel("linear"), intercept = "free", scale = TRUE)
  plain <- hard_fit(frame, data$y, intercept = "free", scale = TRUE)
  expect_equal(fit$certificate$value, plain$certificate$value, tolerance = 1e-8)
  expect_equal(predict(fit, frame, type = "score"), fit$scores, tolerance = 1e-6)
})

# Two heaps of rows, far from each other and from their mean; a row of the far one is on each side.
two_heaps <- function(seed) {
  set.seed(seed)
  x <- matrix(sample(-9:9, 19 * 17, TRUE), 19) + 0
  far <- c(4, 7, 14, 18, 19)
  x[far, ] <- x[far, ] + 24642.25
  list(x = x, y = ifelse(seq_len(19) %in% c(7, 8, 10), -1, 1))
}

test_that("a far fit's value is its direction's margin within the rounding that it states", {
  for (seed in 1:12) {
    data <- two_heaps(seed)
    fit <- hard_fit(data$x, data$y, kernel = as_kernel("linear"), intercept = "free", tol = 1e-8,
                    max_epochs = 1000)
    beta <- numeric(19)
    beta[fit$support$at] <- coef(fit)[-1L]
    # the rows around the first lie on a grid of quarters: their differences and the products of
    # those are exact
    rows <- moved_back(data$x)
    K <- tcrossprod(rows)
    z <- drop(K %*% beta)
    margin <- (min(z[data$y > 0]) - max(z[data$y < 0])) / 2 / sqrt(sum(beta * z))
    certificate <- fit$certificate
    stated <- fit$status$rounding_floor * certificate$gap / certificate$relative_gap
    expect_lte(abs(margin - certificate$value), stated, label = paste("seed", seed))
    expect_lt(stated, 1e-4)
    # which the judge of the campaign knows
    q <- hard_problem(fit, data$x)
    expect_identical(check_maximum(fit, hard_value(q, fit), hard_bound(q, fit$dual),
                                   largest_norm(q)), character(), label = paste("seed", seed))
  }
})

test_that("a column that separates the rows is seen beside one that is far larger", {
  sides <- rep(c(-1, 1), 10)
  set.seed(1)
  clock <- 1.7e18 + round(runif(20, 0, 1e16))
  number <- sample(1000, 21) * 1e16
  for (solver in c("auto", "active_set", "smo")) {
    for (intercept in c("free", "penalized")) {
      for (large in list(clock, number[-1L])) {
        fit <- quiet_hard(cbind(large, sides), sides, solver = solver, intercept = intercept)
        expect_false(isFALSE(fit$separable), label = paste(solver, intercept))
      }
    }
  }
  three <- quiet_hard(cbind(number, diag(3)[rep(1:3, 7), ]), gl(3, 1, 21), intercept = "none")
  expect_false(isFALSE(three$separable))
  # margins of 1e-9 and less beside the column of ones
  for (x in list(2^20 + c(-3:-1, 1:3) * 2^-10, 2^15 + c(-3:-1, 1:3) * 2^-30)) {
    near <- quiet_hard(matrix(x), rep(c(-1, 1), each = 3), intercept = "penalized")
    expect_false(isFALSE(near$separable))
  }
  # columns of any sizes hide no null combination from the active set
  for (seed in 1:8) {
    set.seed(seed)
    mixed <- matrix(rnorm(150), 50) %*% diag(10^c(-3, 0, 3))
    expect_false(quiet_hard(mixed, rep(c(-1, 1), 25), intercept = "free")$separable)
  }
})

test_that("values without the digits that tell rows apart prove nothing", {
  # rows as those of seed 4371 of the campaign: a margin of about one between rows 1e5 apart, of
  # which the rounding of values of 1e20 leaves nothing
  set.seed(4371)
  far <- matrix(rnorm(66), 11) - 4.22e4
  sides <- ifelse(drop((far + 4.22e4) %*% 1:6) > 0, 1, -1)
  expect_false(isFALSE(hard_fit(far, sides, "active_set", kernel = kernel_polynomial(2),
                                intercept = "free")$separable))
  set.seed(1)
  # told apart across the direction in which they are far
  z <- matrix(rnorm(24), 12)
  x <- sweep(z, 2L, c(-2.65e10, 2.65e10), `+`)
  y <- ifelse(rowSums(z) > stats::median(rowSums(z)), 1, -1)
  for (solver in hard_solvers("free")) {
    fit <- hard_fit(x, y, solver, kernel = kernel_polynomial(2), intercept = "free",
                    max_epochs = 100)
    expect_identical(fit$separable, NA)
    expect_false(fit$certificate$certified)
  }
})

test_that("the rounding of a kernel's values is part of the gap", {
  for (seed in 1:20) {
    data <- separable_problem(12L, 2L, seed = seed)
    x <- data$x + 1e4
    for (intercept in c("none", "penalized")) {
      fit <- hard_fit(x, data$y, kernel = as_kernel("linear"), intercept = intercept)
      linear <- hard_fit(x, data$y, intercept = intercept)$certificate
      expect_gte(fit$certificate$gap, 0)
      expect_lte(fit$certificate$value - fit$certificate$gap, linear$bound)
      expect_gte(fit$certificate$bound, linear$value)
      if (fit$certificate$certified) {
        expect_equal(fit$certificate$value, linear$value, tolerance = 3e-9)
      }
    }
  }
})

test_that("max_seconds ends the exact method within its blocks", {
  set.seed(7)
  x <- matrix(rnorm(300 * 160), 300)
  y <- sign(x[, 1] + 1e-3)
  # counted in looks at the clock, as in test-limits.R
  for (solver in c("auto", "active_set")) for (limit in c(1, 3, 20, 300, 1000)) {
    fit <- counting_looks(quiet_hard(
      x, y, solver = solver,
      control = margin_control(max_seconds = limit, progress = FALSE, threads = 1)
    ))
    late <- fit$status$status == "max_seconds"
    if (limit < 100) expect_true(late)
    expect_identical(fit$certificate$certified, !late)
    expect_lte(fit$status$seconds, limit + 10)
  }
})
