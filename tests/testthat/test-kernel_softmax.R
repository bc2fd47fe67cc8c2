# Multinomial kernel regression: softmax_losses.h and block_sdca.cpp in src/kernel,
# src/loss/softmax.h. The objectives and the optimum are computed again in plain R.

few <- c(1:14, 51:68, 101:120)
flowers <- iris[few, ]
features <- as.matrix(flowers[1:4])
shares_of <- function(y) outer(as.integer(y), seq_len(nlevels(y)), `==`) + 0

scaled_columns <- function(x, omega = rep(1, nrow(x))) {
  mean <- colSums(omega * x) / sum(omega)
  sweep(x, 2L, sqrt(colSums(omega * sweep(x, 2L, mean)^2) / sum(omega)), `/`)
}
plain_softmax <- function(z) {
  e <- exp(z - apply(z, 1L, max))
  e / rowSums(e)
}
plain_lse <- function(z) {
  top <- apply(z, 1L, max)
  top + log(rowSums(exp(z - top)))
}

# The optimum by Newton's method in all n k coefficients at once.
softmax_newton <- function(K, t, omega, lambda) {
  n <- nrow(K)
  k <- ncol(t)
  W <- sum(omega)
  big <- kronecker(diag(k), K)
  beta <- rep(0, n * k)
  value <- function(beta) {
    b <- matrix(beta, n)
    z <- K %*% b
    lambda / 2 * sum(b * z) + sum(omega * (plain_lse(z) - rowSums(t * z))) / W
  }
  for (step in 1:60) {
    p <- plain_softmax(K %*% matrix(beta, n))
    # the gradient of P in f is K times this
    slope <- lambda * beta + as.vector(omega * (p - t)) / W
    H <- matrix(0, n * k, n * k)
    for (c in seq_len(k)) for (l in seq_len(k)) {
      diag(H[(c - 1) * n + 1:n, (l - 1) * n + 1:n]) <- omega * p[, c] * ((c == l) - p[, l]) / W
    }
    move <- -solve(lambda * diag(n * k) + H %*% big, slope)
    length <- 1
    while (value(beta + length * move) > value(beta) + 1e-14) length <- length / 2
    beta <- beta + length * move
    if (max(abs(move)) < 1e-12 * (1 + max(abs(beta)))) break
  }
  list(value = value(beta), beta = matrix(beta, n), scores = K %*% matrix(beta, n))
}

tight <- function(tol = 1e-10, ...) margin_control(tol = tol, seed = 1, ...)

test_that("the Wright omega function solves its equation", {
  x <- c(seq(-60, 60, by = 0.37), 1e3, 1e8, -700)
  w <- probe("wright_omega", x)
  expect_true(all(w > 0))
  expect_lt(max(abs(w + log(w) - x) / (1 + abs(x))), 1e-15)
})

# Columns: random scores, points of the simplex (corners too) and proximal weights.
softmax_cases <- function(n, k, seed) {
  set.seed(seed)
  z <- matrix(rnorm(k * n), k) %*% diag(10^runif(n, -2, 2.5))
  u <- matrix(rexp(k * n)^3, k)
  u[, seq_len(n %/% 8)] <- diag(k)[, sample(k, n %/% 8, TRUE)]
  list(z = z, u = sweep(u, 2L, colSums(u), `/`), q = c(0, 10^runif(n - 1, -12, 4)))
}

test_that("the proximal step of a row is optimal", {
  for (k in c(2, 3, 7)) {
    cases <- softmax_cases(1500, k, k)
    v <- probe("softmax", "step", cases$z, cases$u, cases$q)
    expect_lt(max(abs(colSums(v) - 1)), 1e-14)
    expect_true(all(v >= 0))
    # v = softmax(z - q (v - u)), to the digits that q leaves
    moved <- cases$z - sweep(v - cases$u, 2L, cases$q, `*`)
    off <- abs(t(plain_softmax(t(moved))) - v)
    expect_lt(max(sweep(off, 2L, 1 + cases$q, `/`)), 1e-13)
  }
  # no point of the simplex is better
  cases <- softmax_cases(300, 3, 11)
  q <- cases$q
  aim <- function(v) {
    colSums(v * cases$z - ifelse(v > 0, v * log(v), 0)) - q / 2 * colSums((v - cases$u)^2)
  }
  best <- aim(probe("softmax", "step", cases$z, cases$u, q))
  for (trial in 1:40) {
    other <- matrix(rexp(900)^sample(1:4, 1), 3)
    other <- sweep(other, 2L, colSums(other), `/`)
    expect_true(all(aim(other) <= best + 1e-10 * (1 + abs(best))))
  }
})

test_that("the conjugate of the loss is the entropy, and the gap is Fenchel and Young's", {
  t <- c(0.2, 0.5, 0.3)
  for (u in list(c(0.1, 0.6, 0.3), c(0.9, 0.05, 0.05), c(1 / 3, 1 / 3, 1 / 3))) {
    a <- u - t
    loss <- function(z) log(sum(exp(c(0, z)))) - sum(t[-1] * z)
    found <- optim(c(0, 0), function(z) loss(z) - sum(a[-1] * z), method = "BFGS",
                   control = list(reltol = 1e-15))
    expect_equal(-found$value, sum(u * log(u)), tolerance = 1e-8)
  }
  cases <- softmax_cases(500, 4, 5)
  value <- probe("softmax", "value", cases$z, cases$u, 0)[1, ]
  plain <- plain_lse(t(cases$z)) - colSums(cases$u * cases$z)
  expect_equal(value, plain, tolerance = 1e-12)
  expect_true(all(value >= 0))
  gap <- probe("softmax", "gap", cases$z, cases$u, 0)[1, ]
  entropy <- colSums(ifelse(cases$u > 0, cases$u * log(cases$u), 0))
  expect_true(all(gap >= 0))
  expect_lt(max(abs(gap - (plain + entropy)) / (1 + abs(plain))), 1e-12)
  at_slope <- probe("softmax", "gap", cases$z, t(plain_softmax(t(cases$z))), 0)[1, ]
  expect_lt(max(at_slope), 1e-13)
})

test_that("what softmax cannot do is an error that names the remedy", {
  expect_error(margin_kernel(Species ~ ., data = iris, loss = "hinge", multiclass = "softmax",
                             intercept = "none"),
               "for loss \"logistic\"", class = "dualmargin_input_error")
  expect_error(margin_kernel(Species ~ ., data = iris, solver = "sdca", multiclass = "softmax",
                             intercept = "none"),
               "\"auto\", \"block_sdca\", \"newton\"", class = "dualmargin_input_error")
})

test_that("a kernel of large values, on which ascent stalls, is certified too", {
  # Polynomials of scaled columns have values in the thousands.
  weights <- replace(rep(1, nrow(features)), 1:5, 0)
  x <- scaled_columns(features, weights)
  t <- shares_of(flowers$Species)
  K <- (x %*% t(x) + 1)^2
  for (lambda in c(1e-2, 1e-3, 1e-4)) {
    exact <- softmax_newton(K, t, weights, lambda)
    for (solver in c("auto", "newton")) {
      fit <- margin_kernel(features, flowers$Species, kernel_polynomial(2), lambda = lambda,
                           center = FALSE, weights = weights, solver = solver,
                           control = tight(1e-6), intercept = "none")
      expect_true(fit$certificate$certified)
      expect_lte(fit$certificate$bound, exact$value * (1 + 1e-9))
      expect_gte(fit$certificate$value, exact$value * (1 - 1e-9))
    }
  }
})
