# The certificate of a fit recomputed in plain R from its coefficients and dual variables: nothing
# here calls the package's own losses or penalties.

plain_loss <- function(loss, z, y) {
  m <- y * z
  g <- loss$gamma
  d <- loss$parameter
  switch(loss$name,
    hinge = pmax(0, 1 - m),
    smooth_hinge = ifelse(m >= 1, 0, ifelse(m <= 1 - g, 1 - m - g / 2, (1 - m)^2 / (2 * g))),
    squared_hinge = pmax(0, 1 - m)^2 / (2 * g),
    logistic = pmax(0, -m) + log1p(exp(-abs(m))),
    squared = (z - y)^2 / 2,
    huber = ifelse(abs(z - y) <= d, (z - y)^2 / 2, d * abs(z - y) - d^2 / 2)
  )
}

plain_conjugate <- function(loss, a, y) {
  b <- y * a
  g <- loss$gamma
  d <- loss$parameter
  inside <- function(ok, value) ifelse(ok, value, Inf)
  xlogx <- function(p) ifelse(p > 0, p * log(p), 0)
  switch(loss$name,
    hinge = inside(b >= -1 & b <= 0, b),
    smooth_hinge = inside(b >= -1 & b <= 0, b + g * b^2 / 2),
    squared_hinge = inside(b <= 0, b + g * b^2 / 2),
    logistic = suppressWarnings(inside(b >= -1 & b <= 0, xlogx(-b) + xlogx(1 + b))),
    squared = a * y + a^2 / 2,
    huber = inside(abs(a) <= d, a * y + a^2 / 2)
  )
}

# P(w, b) and D(a), with w on the scale of the columns of x.
plain_objectives <- function(x, y, omega, loss, lambda, mixture, intercept, w, b, a) {
  x <- as.matrix(x)
  if (intercept == "penalized") {
    x <- cbind(x, 1)
    w <- c(w, b)
    b <- 0
  }
  W <- sum(omega)
  keep <- omega > 0
  l1 <- lambda * mixture
  l2 <- lambda * (1 - mixture)
  u <- colSums(omega * a * x) / W
  soft <- pmax(abs(u) - l1, 0)
  conjugate <- if (l2 > 0) sum(soft^2) / (2 * l2) else if (all(soft <= 1e-15)) 0 else Inf
  z <- drop(x %*% w) + b
  list(
    primal = sum((omega * plain_loss(loss, z, y))[keep]) / W + l1 * sum(abs(w)) + l2 / 2 * sum(w^2),
    dual = -sum((omega * plain_conjugate(loss, a, y))[keep]) / W - conjugate,
    # how far the dual point is from feasible, relative to its size
    imbalance = (intercept == "free") * abs(sum(omega * a)) / max(sum(omega * abs(a)), 1e-300)
  )
}

# The fit of the problem that was solved: that of y in units of its spread, where a loss wants it.
# The certificate and the dual variables of a fit are this problem's already.
solved_fit <- function(fit) {
  unit <- fit$response_scale
  if (is.null(unit) || unit == 1) return(fit)
  for (part in c("coefficients", "scores", "response", "response_center")) {
    if (!is.null(fit[[part]])) fit[[part]] <- fit[[part]] / unit
  }
  if (!is.null(fit$origin)) fit$origin$intercept <- fit$origin$intercept / unit
  fit$response_scale <- 1
  fit
}

# The same for a fitted object: one row per class problem.
outside_certificate <- function(fit, x) {
  fit <- solved_fit(fit)
  settings <- fit$settings
  scaled <- sweep(as.matrix(x), 2L, fit$scales, `/`)
  coefficients <- as.matrix(fit$coefficients)
  dual <- as.matrix(fit$dual)
  omega <- fit$weights
  if (!is.null(settings$class_weights)) {
    omega <- omega * settings$class_weights[as.character(fit$response)]
  }
  has <- settings$intercept != "none"
  rows <- lapply(seq_len(ncol(coefficients)), function(k) {
    y <- if (fit$task == "regression") {
      fit$response
    } else if (ncol(coefficients) == 1L) {
      2 * as.integer(fit$response) - 3
    } else {
      ifelse(as.integer(fit$response) == k, 1, -1)
    }
    w <- if (has) coefficients[-1L, k] else coefficients[, k]
    b <- if (has) coefficients[1L, k] else 0
    as.data.frame(plain_objectives(scaled, y, omega, settings$loss, settings$lambda,
                                   settings$mixture, settings$intercept, w * fit$scales, b,
                                   dual[, k]))
  })
  do.call(rbind, rows)
}

expect_honest_certificate <- function(fit, x, tolerance = 1e-10) {
  outside <- outside_certificate(fit, x)
  inside <- fit$certificate
  size <- pmax(abs(inside$value), abs(inside$bound), 1e-10)
  testthat::expect_true(all(abs(outside$primal - inside$value) <= tolerance * size))
  testthat::expect_true(all(abs(outside$dual - inside$bound) <= tolerance * size))
  testthat::expect_true(all(outside$imbalance <= 1e-12))
  testthat::expect_true(all(abs(inside$gap - (inside$value - inside$bound)) <= 1e-14 * size))
  testthat::expect_identical(inside$certified, inside$relative_gap <= inside$tol)
}
