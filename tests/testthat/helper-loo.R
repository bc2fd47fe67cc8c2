# Leave-one-out by refits, the slow way: what margin_loo() is compared with. The columns keep the
# scales of all rows, so the refits are on scaled columns.

# The optimum of a smooth loss with a ridge in plain R, by Newton steps with a line search. x: with
# a column of ones where the intercept is penalised; free: one more that is not.
plain_optimum <- function(x, y, omega, loss, lambda, free = FALSE) {
  border <- if (free) cbind(x, 1) else x
  share <- omega / sum(omega)
  penalty <- lambda * rep(1:0, c(ncol(x), free))
  g <- loss$gamma
  bend_of <- function(z) {
    m <- y * z
    switch(loss$name,
      smooth_hinge = (m <= 1 & m >= 1 - g) / g, squared_hinge = (m <= 1) / g,
      logistic = 1 / (2 + exp(m) + exp(-m)), squared = 1 + 0 * z,
      huber = as.numeric(abs(z - y) <= loss$parameter[[1L]])
    )
  }
  value <- function(theta) {
    sum(share * plain_loss(loss, drop(border %*% theta), y)) + sum(penalty * theta^2) / 2
  }
  slope <- function(theta) {
    z <- drop(border %*% theta)
    drop(crossprod(border, share * sided_slope(loss, z, y, TRUE))) + penalty * theta
  }
  # of the mean slope, which rises with the intercept
  root_of <- function(z) {
    ends <- c(-1, 1) * (2 + max(abs(z)) + max(abs(y)))
    for (k in 1:200) {
      middle <- mean(ends)
      rising <- sum(share * sided_slope(loss, z + middle, y, TRUE)) > 0
      ends[1L + rising] <- middle
    }
    mean(ends)
  }
  theta <- numeric(ncol(border))
  for (k in 1:300) {
    bend <- share * bend_of(drop(border %*% theta))
    # where no row is on a slope with curvature a step of the intercept would have no end: its root
    # comes first
    if (free && sum(bend) <= 1e-10) {
      theta[length(theta)] <- root_of(drop(x %*% theta[-length(theta)]))
      bend <- share * bend_of(drop(border %*% theta))
    }
    corner <- if (sum(bend) > 1e-10) 1e-14 else 1 / max(g, 1e-6)
    hessian <- crossprod(border * sqrt(bend)) + diag(penalty + corner * (penalty == 0),
                                                     length(penalty))
    size <- sqrt(diag(hessian))
    inverse <- function(v) drop(solve(hessian / outer(size, size), v / size, tol = 0)) / size
    down <- slope(theta)
    step <- -inverse(down)
    if (sum(abs(down * step)) < 1e-28) break
    t <- 1
    while (t > 1e-9 && value(theta + t * step) > value(theta) - 1e-4 * t * sum(-down * step)) {
      t <- t / 2
    }
    # at the end values are equal up to rounding, and the gradient tells
    if (t <= 1e-9) {
      if (sum(slope(theta + step)^2 / size^2) >= sum(down^2 / size^2)) break
      t <- 1
    }
    theta <- theta + t * step
  }
  list(theta = theta, free = free, left = sqrt(abs(sum(slope(theta) * inverse(slope(theta))))),
       inverse = inverse)
}

# Its scores of rows, and how far they can be off.
plain_optimum_scores <- function(optimum, at) {
  border <- if (optimum$free) cbind(at, 1) else at
  score <- drop(border %*% optimum$theta)
  norm <- apply(border, 1L, function(v) sqrt(abs(sum(v * optimum$inverse(v)))))
  list(score = score, off = 4 * norm * optimum$left + 1e-9 * (1 + abs(score)))
}

# Each row without it, of a fit of a smooth loss with a ridge.
plain_left_out <- function(fit, x, y, rule = "cost", rows = seq_len(nrow(x))) {
  settings <- fit$settings
  x <- sweep(unname(as.matrix(x)), 2L, unname(fit$scales), `/`)
  if (settings$intercept == "penalized") x <- cbind(x, 1)
  omega <- unname(fit$weights)
  found <- vapply(rows, function(i) {
    lambda <- settings$lambda * if (rule == "cost") sum(omega) / sum(omega[-i]) else 1
    best <- plain_optimum(x[-i, , drop = FALSE], y[-i], omega[-i], settings$loss, lambda,
                          settings$intercept == "free")
    unlist(plain_optimum_scores(best, x[i, , drop = FALSE]))
  }, c(0, 0))
  data.frame(score = found[1L, ], off = found[2L, ])
}
