# The methods of the mixup paper once more, in plain R with its own letters: alpha = -a, a kernel
# matrix K, weights omega. `draws` are rows from 1.

plain_kernel_problem <- function(loss, lambda = 0.05, n = 24L, seed = 8L) {
  set.seed(seed)
  x <- matrix(rnorm(2 * n), n)
  y <- pmin(pmax(x[, 1] + 0.5 * rnorm(n), -1), 1)
  y[1:3] <- c(1, -1, 0)
  omega <- rep(c(1, 2, 0.5), length.out = n)
  K <- exp(-as.matrix(stats::dist(x))^2)
  list(K = unname(K), y = y, omega = omega, W = sum(omega), n = n, loss = loss, lambda = lambda,
       gamma = loss$gamma,
       phi0 = function(s) plain_loss(loss, s, 1),
       # derivative of phi0
       slope0 = function(s) switch(loss$name,
         smooth_hinge = pmin(pmax((s - 1) / loss$gamma, -1), 0),
         squared_hinge = pmin(s - 1, 0) / loss$gamma,
         logistic = -1 / (1 + exp(s)),
         squared = s - 1,
         huber = pmin(pmax(s - 1, -loss$parameter), loss$parameter)
       ),
       conjugate0 = function(t) plain_conjugate(loss, t, 1))
}

soft_value <- function(p, s, y) (1 + y) / 2 * p$phi0(s) + (1 - y) / 2 * p$phi0(-s)
soft_slope <- function(p, s, y) (1 + y) / 2 * p$slope0(s) - (1 - y) / 2 * p$slope0(-s)

# phi*(t; y) as the largest t s - phi(s; y)
soft_conjugate <- function(p, t, y) {
  if (abs(y) == 1) return(p$conjugate0(y * t))
  f <- function(s) t * s - soft_value(p, s, y)
  -optimize(function(s) -f(s), c(-60, 60), tol = 1e-10)$objective
}

primal_of <- function(p, beta) {
  f <- drop(p$K %*% beta)
  p$lambda / 2 * sum(beta * f) + sum(p$omega * soft_value(p, f, p$y)) / p$W
}

plain_share <- function(F, gamma, q, s_bar) min(1, s_bar * (F + gamma * q^2 / 2) / (gamma * q^2))

# Algorithm 1 with `F_of(i, z, alpha)`; algorithm 3 with its own and the maximum of (21).
plain_mixup <- function(p, draws, conjugate_of, alpha = numeric(p$n)) {
  for (i in draws) {
    z <- sum(p$K[i, ] * p$omega * alpha) / (p$lambda * p$W)
    q <- -soft_slope(p, z, p$y[i]) - alpha[i]
    F <- soft_value(p, z, p$y[i]) + conjugate_of(i, alpha[i]) + alpha[i] * z
    s_bar <- p$lambda * p$W * p$gamma / (p$omega[i] * p$K[i, i] + p$lambda * p$W * p$gamma)
    F <- max(F, p$gamma * q^2 / 2)
    if (q != 0) alpha[i] <- alpha[i] + q * plain_share(F, p$gamma, q, s_bar)
  }
  alpha
}

# (14)-(20), the grid gone through point by point.
grid_conjugate <- function(p, i, alpha) {
  y <- p$y[i]
  if (abs(y) == 1) return(p$conjugate0(-alpha * y))
  level <- max(2, p$W / p$omega[i]) * p$phi0(0)
  end <- function(side) {
    uniroot(function(s) soft_value(p, side * s, y) - level, c(1e-9, 1e9), tol = 1e-12)$root
  }
  side <- if (alpha > -soft_slope(p, 0, y)) -1 else 1
  grid <- side * exp(0:p$n / p$n * (4 + log(end(side))) - 4)
  inside <- side * (-soft_slope(p, grid, y) - alpha) >= 0
  zeta <- if (any(inside)) side * max(abs(grid[inside])) else 0
  soft_slope(p, zeta, y) * zeta - soft_value(p, zeta, y)
}

# Section VI as printed but for its constant: alpha_j of phi~_j = (n~/n) c_j phi0 (weighted, (n~
# omega_j / W) c_j phi0), f = 1/(lambda n~) sum alpha_j sigma_j k(x_j, .).
plain_decomp <- function(p, draws) {
  row <- rep(seq_len(p$n), 2)
  sigma <- rep(c(1, -1), each = p$n)
  share <- (1 + sigma * p$y[row]) / 2
  keep <- share > 0
  row <- row[keep]
  sigma <- sigma[keep]
  size <- sum(keep)
  scale <- (size * p$omega[row] * share[keep]) / p$W
  alpha <- numeric(size)
  for (j in draws(size)) {
    i <- row[j]
    z <- sigma[j] * sum(p$K[i, row] * sigma * alpha) / (p$lambda * size)
    gamma <- p$gamma * p$W / (size * p$omega[i])
    q <- -scale[j] * p$slope0(z) - alpha[j]
    F <- scale[j] * (p$phi0(z) + p$conjugate0(-alpha[j] / scale[j])) + alpha[j] * z
    s_bar <- p$lambda * size * gamma / (p$K[i, i] + p$lambda * size * gamma)
    if (q != 0) alpha[j] <- alpha[j] + q * plain_share(F, gamma, q, s_bar)
  }
  # beta of the rows
  drop(tapply(sigma * alpha, factor(row, seq_len(p$n)), sum)) / (p$lambda * size)
}

plain_sgd <- function(p, draws, step) {
  beta <- numeric(p$n)
  for (i in draws) {
    slope <- soft_slope(p, sum(p$K[i, ] * beta), p$y[i])
    beta <- (1 - step * p$lambda) * beta
    beta[i] <- beta[i] - step * p$n * p$omega[i] / p$W * slope
  }
  beta
}

fit_kernel_problem <- function(p, solver, ..., lambda = p$lambda, control = margin_control(...)) {
  quiet_kernel(p$K, soft_labels(p$y), kernel = kernel_precomputed(), loss = p$loss,
               lambda = lambda, weights = p$omega, solver = solver, control = control)
}

# beta of all rows, zeros included.
all_coefficients <- function(fit, n) {
  beta <- numeric(n)
  beta[fit$support$at] <- coef(fit)
  beta
}

expect_same_optimum <- function(fit, other) {
  a <- fit$certificate
  b <- other$certificate
  size <- max(abs(a$value), abs(b$value))
  testthat::expect_lte(a$bound, b$value + 1e-12 * size)
  testthat::expect_lte(b$bound, a$value + 1e-12 * size)
}
