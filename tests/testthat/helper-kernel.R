# Kernel fits recomputed in plain R: nothing here calls the package's own kernels or losses.

plain_kernel <- function(kernel, a, b = a) {
  a <- as.matrix(a)
  b <- as.matrix(b)
  # differences, not inner products: nothing cancels
  squared <- apply(b, 1L, function(row) rowSums(sweep(a, 2L, row)^2))
  squared <- matrix(squared, nrow(a))
  switch(
    kernel$name,
    rbf = exp(-kernel$sigma * squared),
    laplace = exp(-kernel$sigma * sqrt(squared)),
    polynomial = (kernel$scale * a %*% t(b) + kernel$offset)^kernel$degree,
    linear = a %*% t(b)
  )
}

plain_soft_loss <- function(loss, z, y) {
  (1 + y) / 2 * plain_loss(loss, z, 1) + (1 - y) / 2 * plain_loss(loss, -z, 1)
}

# sup_s a s - phi(s; y), searched; the domain is known, outside it is infinite.
searched_conjugate <- function(loss, a, y, phi = plain_soft_loss) {
  vapply(seq_along(a), function(i) {
    f <- function(s) a[i] * s - phi(loss, s, y[i])
    -optimize(function(s) -f(s), c(-200, 200), tol = 1e-11)$objective
  }, 0)
}

soft_domain <- function(loss, y) {
  p <- (1 + y) / 2
  q <- (1 - y) / 2
  d <- loss$parameter
  switch(
    loss$name,
    hinge = , smooth_hinge = , logistic = c(-p, q),
    squared_hinge = c(if (p > 0) -Inf else 0, if (q > 0) Inf else 0),
    squared = c(-Inf, Inf),
    huber = c(-d, d)
  )
}

# The rows that were fitted: centred and scaled, mixed ones below.
fitted_rows <- function(fit, x) {
  x <- as.matrix(x)
  if (!is.null(fit$center)) x <- sweep(x, 2L, fit$center)
  x <- sweep(x, 2L, fit$scales, `/`)
  m <- fit$mixed
  if (is.null(m)) {
    return(x)
  }
  rbind(x, (1 - m$share) * x[m$first, , drop = FALSE] + m$share * x[m$second, , drop = FALSE])
}

# P and D of a fit of one class problem. `target` and `omega` of all rows, mixed ones last.
outside_kernel <- function(fit, x, target, omega, dual = fit$dual) {
  settings <- fit$settings
  K <- plain_kernel(settings$kernel, fitted_rows(fit, x))
  if (settings$intercept == "penalized") K <- K + 1
  W <- sum(omega)
  beta <- -omega * dual / (settings$lambda * W)
  f <- drop(K %*% beta)
  b <- if (settings$intercept == "free") coef(fit)[[1L]] else 0
  phi <- if (fit$task == "regression") plain_loss else plain_soft_loss
  # a row of weight zero is not there
  keep <- omega > 0
  conjugate <- searched_conjugate(settings$loss, dual[keep], target[keep], phi)
  norm2 <- sum(beta * f)
  list(
    primal = sum((omega * phi(settings$loss, f + b, target))[keep]) / W +
      settings$lambda / 2 * norm2,
    dual = -sum(omega[keep] * conjugate) / W - settings$lambda / 2 * norm2,
    imbalance = (settings$intercept == "free") * abs(sum(omega * dual)) /
      max(sum(omega * abs(dual)), 1e-300),
    scores = f + b, beta = beta
  )
}

# Targets and weights with those of mixed rows below.
with_mixed <- function(fit, values) {
  m <- fit$mixed
  if (is.null(m)) values else c(values, (1 - m$share) * values[m$first] +
                                  m$share * values[m$second])
}

expect_honest_kernel <- function(fit, x, target, omega = rep(1, NROW(x))) {
  target <- with_mixed(fit, target / fit$response_scale)
  fit <- solved_fit(fit)
  omega <- with_mixed(fit, omega)
  outside <- outside_kernel(fit, x, target, omega)
  certificate <- fit$certificate
  label <- paste(format(fit$settings$loss), fit$settings$intercept, fit$settings$kernel$name)
  expect_equal(outside$primal, certificate$value, tolerance = 1e-10, label = label)
  # the search for the conjugate is good to about 1e-10
  expect_equal(outside$dual, certificate$bound, tolerance = 1e-8, label = label)
  expect_lte(outside$imbalance, 1e-12)
  ends <- vapply(target, function(y) {
    if (fit$task == "regression") c(-Inf, Inf) else soft_domain(fit$settings$loss, y)
  }, c(0, 0))
  counts <- omega > 0
  expect_true(all(fit$dual[counts] >= ends[1L, counts] - 1e-15), label = label)
  expect_true(all(fit$dual[counts] <= ends[2L, counts] + 1e-15), label = label)
  n <- NROW(x)
  expect_equal(unname(fit$scores), outside$scores[seq_len(n)], tolerance = 1e-9)
  used <- which(outside$beta != 0)
  beta <- unname(own_slopes(fit))[, 1L]
  expect_equal(beta, outside$beta[used], tolerance = 1e-12)
  invisible(outside)
}

# Moons that overlap: 2 features, labels -1 and +1.
moons <- function(n = 60L, seed = 3L, noise = 0.25) {
  set.seed(seed)
  angle <- runif(n, 0, pi)
  y <- rep_len(c(-1, 1), n)
  x <- cbind(cos(angle) - 0.5 * y, y * sin(angle) + 0.25 * y) + noise * rnorm(2 * n)
  colnames(x) <- c("east", "north")
  list(x = x, y = y, weights = sample(c(0, 0.5, 1, 2), n, replace = TRUE),
       soft = pmin(1, pmax(-1, y * runif(n, -0.2, 1.4))))
}

quiet_kernel <- function(..., intercept = "none", center = FALSE) {
  withCallingHandlers(
    margin_kernel(..., intercept = intercept, center = center),
    dualmargin_not_certified = function(condition) invokeRestart("muffleWarning")
  )
}
