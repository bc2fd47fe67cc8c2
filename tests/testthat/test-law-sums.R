# Sums over a million rows are off by no more than the rounding that certificates state.

test_that("a robust bound of a million equal multipliers is within its rounding", {
  n <- 1e6
  y <- rep(c(-1, 1), each = n / 2)
  # v = 0 and theta > 0, so D is the mean of alpha + beta; t makes what kappa sum(beta) is off by
  # count, which the rounding of the terms would not cover
  for (beta in c(0.1, 0.3)) {
    found <- probe("robust_certificate", matrix(0, n, 1), y, rep(1, n),
                   list(norm = "l1", radius = beta * 1.1, label_cost = 1, ridge = 0,
                        intercept = "none"),
                   list(w = 0, b = 0, t = 1e6, alpha = rep(beta, n), beta = rep(beta, n)))
    expect_lte(found$bound, 2 * beta)
    expect_lte(abs(found$bound + found$rounding - 2 * beta), found$rounding)
  }
})

test_that("a robust pair of a million fractional weights is within its rounding", {
  n <- 1e6
  y <- rep(c(-1, 1), each = n / 2)
  # P = 1 and D = 2 beta, however large all weights are
  for (weight in c(0.1, 0.3, 1 / 3)) {
    found <- probe("robust_certificate", matrix(0, n, 1), y, rep(weight, n),
                   list(norm = "l1", radius = 0.2, label_cost = 1, ridge = 0, intercept = "free"),
                   list(w = 0, b = 0, t = 0, alpha = rep(0.1, n), beta = rep(0.1, n)))
    expect_lte(found$bound, 0.2)
    expect_lte(max(abs(c(found$value - 1, found$bound + found$rounding - 0.2))), found$rounding)
  }
})

test_that("robust multipliers of sorted and of alternating labels cancel within the rounding", {
  n <- 1e6
  sorted <- rep(c(-1, 1), each = n / 2)
  # v = 0 in exact arithmetic, so D is the mean of alpha
  for (y in list(sorted, rep(c(-1, 1), n / 2))) {
    found <- probe("robust_certificate", matrix(0.1, n, 1), y, rep(0.3, n),
                   list(norm = "l2", radius = 0, label_cost = Inf, ridge = 1e-3,
                        intercept = "free"),
                   list(w = 10, b = -1, t = 10, alpha = rep(0.3, n), beta = rep(0, n)))
    expect_lte(found$bound, 0.3)
    expect_lte(abs(found$bound + found$rounding - 0.3), found$rounding)
  }
})

test_that("a robust bound holds where one column of wide sparse rows is a long plain sum", {
  n <- 2e4
  x <- methods::as(Matrix::sparseMatrix(i = seq_len(n), j = rep(1, n), x = 0.1, dims = c(n, n)),
                   "RsparseMatrix")
  for (alpha in c(0.3, 0.7)) {
    # D = alpha - (0.1 alpha)^2 / (2 ridge), which no smaller multiple of alpha exceeds
    ridge <- 0.0125 * alpha
    found <- probe("robust_certificate", x, rep(1, n), rep(1, n),
                   list(norm = "l1", radius = 0, label_cost = Inf, ridge = ridge,
                        intercept = "none"),
                   list(w = numeric(n), b = 0, t = 0, alpha = rep(alpha, n), beta = rep(0, n)))
    expect_lte(abs(found$bound + found$rounding - 0.6 * alpha), found$rounding)
  }
})

# The sum of v, exact to about twice the digits: the error of every addition is kept (D. E. Knuth).
sharp_sum <- function(v) {
  rest <- 0
  while (length(v) > 1L) {
    if (length(v) %% 2L == 1L) v <- c(v, 0)
    half <- seq_len(length(v) / 2L)
    a <- v[half]
    b <- v[-half]
    total <- a + b
    back <- total - a
    rest <- rest + sum((a - (total - back)) + (b - back))
    v <- total
  }
  v + rest
}

test_that("what joint classes state is what sums of equal or alternating multipliers lose", {
  n <- 199998L
  patterns <- list(equal = rbind(c(0.1, 0.3, 0.6)),
                   alternating = rbind(c(0.1, 0.3, 0.6), c(0.6, 0.3, 0.1)))
  labels <- list(sorted = rep(1:3, each = n / 3), alternating = rep_len(1:3, n))
  asked <- expand.grid(loss = c("softmax", "crammer_singer"), pattern = names(patterns),
                       labels = names(labels), weight = c(1, 0.5), far = c(0, 40),
                       stringsAsFactors = FALSE)
  off <- apply(asked, 1, function(case) {
    y <- labels[[case[["labels"]]]]
    pattern <- patterns[[case[["pattern"]]]]
    u <- pattern[rep_len(seq_len(nrow(pattern)), n), ]
    weights <- rep(as.numeric(case[["weight"]]), n)
    b <- as.numeric(case[["far"]]) * c(1, 0, -1)
    found <- probe("joint_certificate", matrix(0, n, 1), y, weights,
                   list(loss = case[["loss"]], lambda = 1, intercept = "free"),
                   matrix(0, 1, 3), b, u)
    # x is zero, so D has no square: it is the mean of what the losses' conjugates are
    u <- found$dual
    own <- cbind(seq_len(n), y)
    conjugate <- if (case[["loss"]] == "softmax") rowSums(u * log(u)) else u[own] - 1
    exact <- -sharp_sum(conjugate) / n
    u[own] <- u[own] - 1
    drift <- abs(vapply(1:3, function(k) sharp_sum(u[, k]), 0))
    c(max(drift / colSums(abs(u))) / (80 * .Machine$double.eps),
      max(drift) / (n / 3) * (1 + max(abs(b))) / found$rounding,
      abs(found$bound + found$rounding - exact) / found$rounding,
      if (case[["loss"]] == "softmax") (found$bound - log(3)) / found$rounding else 0)
  })
  expect_lte(max(off), 1)
  expect_lte(max(off[4, ]), 0)
})
