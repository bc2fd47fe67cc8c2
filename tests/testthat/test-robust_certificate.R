# What the certificate of the robust family rests on: its yardstick, its rounding, its balance.

# sum of a * b to about twice the digits: products without error (T. J. Dekker, 1971), added up
# with R's long double.
sharp_dot <- function(a, b) {
  split <- function(v) {
    high <- 134217729 * v
    high <- high - (high - v)
    list(high, v - high)
  }
  product <- a * b
  x <- split(a)
  y <- split(b)
  error <- ((x[[1]] * y[[1]] - product) + x[[1]] * y[[2]] + x[[2]] * y[[1]]) + x[[2]] * y[[2]]
  c(product, error)
}

# The gap of a point with all intermediate sums as (number, rest): only what is small is rounded.
sharp_gap <- function(x, y, omega, settings, point, b) {
  share <- omega / sum(omega)
  # margins less one, in two parts
  score <- apply(x, 1, function(row) {
    terms <- sharp_dot(row, point$w)
    high <- sum(terms, b)
    c(high, sum(terms, b, -high))
  })
  u <- y * score[1, ]
  rest <- y * score[2, ]
  kappa <- settings$label_cost
  h <- pmax(1 - u - rest, if (is.finite(kappa)) 1 + u + rest - kappa * point$t else -Inf, 0)
  force <- share * (point$alpha - point$beta) * y
  v <- apply(x, 2, function(column) sum(sharp_dot(force, column)))
  flip <- if (is.finite(kappa)) point$beta * (1 + u + rest - kappa * point$t) else 0
  flipped <- if (any(point$beta > 0)) kappa * sum(share * point$beta) else 0
  p <- dual_norms[[settings$norm]]
  theta <- settings$radius - flipped
  inside <- plain_ball(v, max(theta, 0), p)
  terms <- share * (h - point$alpha * (1 - u - rest) - flip)
  along <- apply(x, 1, function(row) sum(sharp_dot(row, point$w)))
  dual <- sum(share * (point$alpha + point$beta)) -
    if (settings$ridge > 0) sum((v - inside)^2) / (2 * settings$ridge) else 0
  list(
    gap = sum(terms, settings$ridge / 2 * point$w^2, point$t * theta, -sharp_dot(v, point$w),
              if (settings$ridge > 0) (v - inside)^2 / (2 * settings$ridge)),
    bound = dual, infeasible = plain_norm(v, p) - theta
  )
}

test_that("the yardstick is P at w = 0 and the best b and t", {
  set.seed(3)
  for (share in c(0.05, 0.3, 0.5)) for (kappa in c(0, 0.2, 1, 10, Inf)) {
    for (radius in c(0, 0.01, 0.3, 5)) {
      data <- list(x = matrix(rnorm(120), 40), y = ifelse(seq_len(40) <= 40 * share, 1, -1))
      weights <- rep_len(c(1, 2), 40)
      up <- sum(weights[data$y > 0]) / sum(weights)
      at <- function(b, t) {
        flip <- function(u) if (is.finite(kappa)) 1 + u - kappa * t else -Inf
        t * radius + up * max(1 - b, flip(b), 0) + (1 - up) * max(1 + b, flip(-b), 0)
      }
      # P(0, b, t) is piecewise linear: its corners, and a grid that must not go below them
      t <- if (is.finite(kappa) && kappa > 0) c(2 / kappa, seq(0, 3 / kappa, length = 60)) else 0
      brute <- min(outer(seq(-1.5, 1.5, by = 0.125), t, Vectorize(at)))
      free <- core_robust(data, "l2", radius, kappa, 0, "free", weights, tol = 1e-3)
      expect_equal(free$null_value, brute, tolerance = 1e-13)
      for (intercept in c("none", "penalized")) {
        expect_identical(core_robust(data, "l2", radius, kappa, 0, intercept)$null_value, 1)
      }
    }
  }
})

test_that("no gap is smaller than that of its point in exact arithmetic", {
  set.seed(4)
  n <- 64
  cases <- robust_cases(ridges = c(0, 1e-4, 0.3), label_costs = c(0.5, Inf),
                        intercepts = c("none", "free"))
  worst <- 0
  for (k in seq_len(nrow(cases))) for (offset in c(0, 1e3, 1e8)) for (size in c(1, 1e6)) {
    settings <- c(as.list(cases[k, ]), list(radius = 0.05))
    x <- matrix(rnorm(n * 5), n) + offset
    y <- rep_len(c(1, -1, 1), n)
    w <- rnorm(5) * size
    beta <- runif(n) * 0.1
    point <- list(w = w, b = if (settings$intercept == "free") -sum(w) * offset else 0, t = 0,
                  alpha = runif(n), beta = beta)
    omega <- rep(1, n)
    found <- probe("robust_certificate", x, y, omega, settings, point)
    point[c("t", "alpha", "beta")] <- found[c("t", "alpha", "beta")]
    exact <- sharp_gap(x, y, omega, settings, point, point$b)
    info <- paste(c(unlist(cases[k, ]), offset, size), collapse = " ")
    expect_true(is.finite(found$gap) && found$rounding >= 0, info = info)
    if (settings$intercept == "none") {
      expect_lte(exact$gap, found$gap * (1 + 1e-15), label = paste(info, "gap"))
      expect_lte(found$gap - 2 * found$rounding, exact$gap, label = paste(info, "gap"))
    }
    if (settings$ridge > 0) expect_lte(found$bound, exact$bound)
    # small where nothing large is added up
    if (offset == 0 && size == 1) worst <- max(worst, found$rounding / found$value)
  }
  expect_lt(worst, 1e-12)
})

test_that("multipliers of a free intercept are in balance to the rounding of their sum", {
  set.seed(5)
  for (k in 1:60) {
    n <- sample(5:60, 1)
    x <- matrix(rnorm(n * 3), n) * 10^runif(1, -3, 3)
    y <- sample(c(-1, 1), n, TRUE)
    omega <- stats::rexp(n) + 1e-3
    # radii near that at which w = 0 is best: alpha and beta nearly cancel in every row
    fit <- core_robust(list(x = x, y = y), sample(c("l1", "l2", "linf"), 1),
                       10^runif(1, -3, 2), sample(c(0.3, 1, 10, Inf), 1), sample(c(0, 0.1), 1),
                       "free", omega, sample(c("auto", "pdhg"), 1), 1e-6)
    multipliers <- sum(omega * (fit$dual + fit$dual_flip))
    out <- abs(sum(omega * y * (fit$dual - fit$dual_flip)))
    expect_lte(out, 4e-15 * max(multipliers, 1e-300))
  }
})
