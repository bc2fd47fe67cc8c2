# Random cases of the proximal step of one row, and its optimality conditions in plain R.

column_norms <- function(x, norm) {
  switch(norm,
    l1 = colSums(abs(x)),
    l2 = sqrt(colSums(x^2)),
    linf = do.call(pmax, asplit(abs(x), 1L))
  )
}
dual_of <- c(l1 = "linf", l2 = "l2", linf = "l1")

# n columns: sparse rows, rows parallel to w, points at kinks, t below the norm or negative, steps
# from 1e-8 to 1e6.
prox_cases <- function(n, d, free, seed) {
  set.seed(seed)
  pick <- function(...) sample(c(...), n, replace = TRUE)
  w <- matrix(rnorm(n * d, sd = 2), d)
  x <- matrix(rnorm(n * d) * (runif(n * d) < 0.7), d)
  # as data often are: small whole numbers, so that ties are exact
  whole <- runif(n) < 0.3
  w[, whole] <- round(w[, whole])
  x[, whole] <- sign(x[, whole])
  parallel <- runif(n) < 0.15
  x[, parallel] <- w[, parallel] * rep(pick(-1, -0.5, 1, 2)[parallel], each = d)
  x[, runif(n) < 0.02] <- 0
  w[, runif(n) < 0.05] <- 0
  y <- pick(-1, 1)
  kappa <- pick(0.3, 1, 5, Inf)
  b <- if (free) rnorm(n) else numeric(n)
  size <- sqrt(colSums(w^2))
  t <- size * pick(0, 0.5, 1, 1, 3) + pick(0, 0, 1, -2, -10)
  kink <- runif(n) < 0.1 & is.finite(kappa)
  t[kink] <- 2 / kappa[kink]
  # u = 1 exactly, up to rounding
  at_one <- runif(n) < 0.1 & colSums(w * x) != 0
  x[, at_one] <- x[, at_one] * rep(((y - b) / colSums(w * x))[at_one], each = d)
  list(x = x, w = w,
       cases = cbind(y = y, alpha = pick(1e-8, 1e-3, exp(rnorm(1000)), 1e3, 1e6),
                     radius = pick(0.01, 0.1, 0.1, 2), label_cost = kappa, ridge = pick(0, 0, 0.7),
                     b = b, t = t))
}

# How far (w, b, t) with the weights s on the pieces is from optimal: one number for each case, in
# units of what rounding does to u and t.
prox_violation <- function(x, w, cases, norm, free, out) {
  d <- nrow(x)
  case <- as.data.frame(cases)
  finite <- is.finite(case$label_cost)
  kappa <- ifelse(finite, case$label_cost, 0)
  new_w <- out[seq_len(d), , drop = FALSE]
  b <- out[d + 1L, ]
  t <- out[d + 2L, ]
  s <- rbind(out[d + 3L, ], out[d + 4L, ], 1 - out[d + 3L, ] - out[d + 4L, ])

  # the weights are in the simplex and lie on the largest pieces only
  u <- case$y * (colSums(x * new_w) + b)
  h <- rbind(1 - u, ifelse(finite, 1 + u - kappa * t, -1e300), 0)
  top <- pmax(h[1L, ], h[2L, ], h[3L, ])
  spread <- 1 + abs(case$y * (colSums(x * w) + case$b)) + case$alpha * (colSums(x^2) + free) +
    kappa * (abs(case$t) + case$alpha * (case$radius + kappa))
  slack <- ifelse(s > 0, s * (rep(top, each = 3L) - h), 0)
  weights <- pmax(-s[1L, ], -s[2L, ], -s[3L, ], slack[1L, ] / spread, slack[2L, ] / spread,
                  slack[3L, ] / spread)

  # (m (x - w), s - t) is in the normal cone of |w|_q <= t at (w, t)
  m <- 1 + case$alpha * case$ridge
  pull <- case$alpha * (s[1L, ] - s[2L, ])
  point <- (w + x * rep(case$y * pull, each = d)) / rep(m, each = d)
  height <- case$t - case$alpha * case$radius + case$alpha * kappa * s[2L, ]
  g <- (point - new_w) * rep(m, each = d)
  push <- t - height
  size <- 1 + sqrt(colSums((w * w))) + case$alpha * sqrt(colSums(x^2)) + abs(case$t) +
    case$alpha * (case$radius + kappa)
  cone <- pmax(
    column_norms(new_w, norm) - t, column_norms(g, dual_of[[norm]]) - push, -push,
    abs(colSums(g * new_w) - push * t) / size
  ) / size
  shift <- abs(b - case$b - free * case$y * pull) / (1 + abs(case$b) + case$alpha)
  pmax(weights, cone, shift)
}
