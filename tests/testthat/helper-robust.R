# The robust problem and its dual in plain R, from the definitions in the help of margin_robust().

plain_norm <- function(v, q) {
  switch(q, l1 = sum(abs(v)), l2 = sqrt(sum(v^2)), linf = max(0, abs(v)))
}

# The nearest point of the ball |.|_q <= r, by other means than the package's.
plain_ball <- function(v, r, q) {
  size <- plain_norm(v, q)
  if (size <= r) {
    return(v)
  }
  if (q == "l2") {
    return(v * r / size)
  }
  if (q == "linf") {
    return(pmin(pmax(v, -r), r))
  }
  if (r == 0) {
    return(0 * v)
  }
  sorted <- sort(abs(v), decreasing = TRUE)
  k <- max(1L, which(sorted > (cumsum(sorted) - r) / seq_along(sorted)))
  level <- (sum(sorted[seq_len(k)]) - r) / k
  sign(v) * pmax(abs(v) - level, 0)
}

plain_robust <- function(x, y, omega, settings, w, b, t, alpha, beta) {
  x <- as.matrix(x)
  if (settings$intercept == "penalized") {
    x <- cbind(x, 1)
    w <- c(w, b)
    b <- 0
  }
  W <- sum(omega)
  u <- y * (drop(x %*% w) + b)
  kappa <- settings$label_cost
  flip <- if (is.finite(kappa)) 1 + u - kappa * t else -Inf
  p <- dual_norms[[settings$norm]]
  v <- colSums(omega * (alpha - beta) * y * x) / W
  theta <- settings$radius - if (any(beta > 0)) kappa * sum(omega * beta) / W else 0
  outside <- v - plain_ball(v, max(theta, 0), p)
  size <- max(abs(v), settings$radius)
  list(
    primal = t * settings$radius + sum(omega * pmax(1 - u, flip, 0)) / W +
      settings$ridge / 2 * sum(w^2),
    dual = sum(omega * (alpha + beta)) / W -
      if (settings$ridge > 0) sum(outside^2) / (2 * settings$ridge) else 0,
    norm_excess = plain_norm(w, settings$norm) - t,
    # how far the multipliers are from feasible, relative to their size
    infeasible = max(
      0, -alpha, -beta, alpha + beta - 1, -theta / max(settings$radius, 1e-300),
      if (settings$ridge == 0) (plain_norm(v, p) - theta) / max(size, 1e-300),
      if (settings$intercept == "free") {
        abs(sum(omega * y * (alpha - beta))) / max(sum(omega * (alpha + beta)), 1e-300)
      }
    )
  )
}

outside_robust <- function(fit, x) {
  scaled <- sweep(as.matrix(x), 2L, fit$scales, `/`)
  coefficients <- as.matrix(fit$coefficients)
  has <- fit$settings$intercept != "none"
  omega <- fit$weights
  if (!is.null(fit$settings$class_weights)) {
    omega <- omega * fit$settings$class_weights[as.character(fit$response)]
  }
  alpha <- as.matrix(fit$dual)
  beta <- as.matrix(fit$dual_flip)
  rows <- lapply(seq_len(ncol(coefficients)), function(k) {
    level <- if (ncol(coefficients) == 1L) 2L else k
    y <- ifelse(as.integer(fit$response) == level, 1, -1)
    w <- if (has) coefficients[-1L, k] else coefficients[, k]
    as.data.frame(plain_robust(scaled, y, omega, fit$settings, w * fit$scales,
                               if (has) coefficients[1L, k] else 0, fit$norm_bound[[k]],
                               alpha[, k], beta[, k]))
  })
  do.call(rbind, rows)
}

expect_honest_robust <- function(fit, x, tolerance = 1e-10) {
  outside <- outside_robust(fit, x)
  inside <- fit$certificate
  testthat::expect_true(all(abs(outside$primal - inside$value) <= tolerance * inside$value))
  testthat::expect_true(all(outside$norm_excess <= 1e-12 * fit$norm_bound))
  if (all(inside$kind == "duality gap")) {
    testthat::expect_true(all(abs(outside$dual - inside$bound) <= tolerance * inside$value))
    testthat::expect_true(all(outside$infeasible <= 1e-12))
  }
  testthat::expect_true(
    all(abs(inside$gap - (inside$value - inside$bound)) <= 1e-14 * inside$value)
  )
}

quiet_robust <- function(..., intercept = "none", scale = FALSE) {
  withCallingHandlers(
    margin_robust(..., intercept = intercept, scale = scale),
    dualmargin_not_certified = function(condition) invokeRestart("muffleWarning")
  )
}

robust_cases <- function(norms = c("l1", "l2", "linf"), ridges = c(0, 0.3),
                         label_costs = c(0.5, 2, Inf),
                         intercepts = c("none", "penalized", "free")) {
  expand.grid(norm = norms, ridge = ridges, label_cost = label_costs, intercept = intercepts,
              stringsAsFactors = FALSE)
}
