# What src/loss/loss.h asks of a loss for statements on the optimum, in plain R: losses with their
# one-sided slopes, Fenchel-Young terms in forms that do not cancel, dual points made feasible.
# loss: a margin_loss; y: codes -1/+1 of a classification, or numbers. Slopes and dual variables
# are those of phi in (z, y),
# without weights.

clip <- function(values, lower, upper) pmin(pmax(values, lower), upper)

# phi(z, y)
certain_value <- function(loss, z, y) {
  m <- y * z
  g <- loss$gamma
  switch(loss$name,
    hinge = pmax(0, 1 - m),
    smooth_hinge = ifelse(m >= 1, 0, ifelse(m <= 1 - g, 1 - m - g / 2, (1 - m)^2 / (2 * g))),
    squared_hinge = pmax(0, 1 - m)^2 / (2 * g),
    logistic = pmax(0, -m) + log1p(exp(-abs(m))),
    squared = (z - y)^2 / 2,
    huber = {
      d <- loss$parameter[[1L]]
      ifelse(abs(z - y) <= d, (z - y)^2 / 2, d * abs(z - y) - d^2 / 2)
    }
  )
}

# The left or right derivative of phi in z; they differ at the hinge's kink alone.
certain_slope <- function(loss, z, y, side = "right") {
  m <- y * z
  g <- loss$gamma
  switch(loss$name,
    hinge = {
      # in m the left derivative at 1 is -1, the right one 0; y < 0 turns the axis
      at_kink <- if (side == "right") y < 0 else y > 0
      -y * (m < 1 | (m == 1 & at_kink))
    },
    smooth_hinge = -y * clip((1 - m) / g, 0, 1),
    squared_hinge = -y * pmax(0, (1 - m) / g),
    logistic = -y * stats::plogis(-m),
    squared = z - y,
    huber = clip(z - y, -loss$parameter[[1L]], loss$parameter[[1L]])
  )
}

# phi(z) + phi*(a) - a z >= 0, each by a closed form without cancellation: with alpha = -y a,
# m = y z, alpha(z) = -y phi'(z),
#   hinges    gamma/2 (alpha - alpha(z))^2 + alpha (m - 1)_+ + (1 - alpha) (1 - gamma - m)_+
#             (the last term but for the squared hinge)
#   logistic  the Kullback-Leibler divergence of alpha from alpha(z)
#   squared   (a - phi'(z))^2 / 2,   huber  (a - c)^2/2 + (a - c)(c - s), c = phi'(z), s = z - y
fenchel_young <- function(loss, z, a, y) {
  m <- y * z
  alpha <- -y * a
  g <- loss$gamma
  off <- function() g / 2 * (alpha + y * certain_slope(loss, z, y))^2
  terms <- switch(loss$name,
    hinge = alpha * pmax(0, m - 1) + (1 - alpha) * pmax(0, 1 - m),
    smooth_hinge = off() + alpha * pmax(0, m - 1) + (1 - alpha) * pmax(0, 1 - g - m),
    squared_hinge = off() + alpha * pmax(0, m - 1),
    logistic = bernoulli_divergence(alpha, m),
    squared = (a - (z - y))^2 / 2,
    huber = {
      s <- z - y
      c <- clip(s, -loss$parameter[[1L]], loss$parameter[[1L]])
      (a - c)^2 / 2 + (a - c) * (c - s)
    }
  )
  pmax(0, terms)
}

# p log(p/q) + (1 - p) log((1 - p)/(1 - q)) with q = 1/(1 + e^m); near p = q by log1p of p - q.
bernoulli_divergence <- function(p, m) {
  q <- stats::plogis(-m)
  r <- stats::plogis(m)
  d <- p - q
  q <- rep_len(q, length(d))
  r <- rep_len(r, length(d))
  near <- abs(d) < pmin(q, r) / 2
  p <- rep_len(p, length(d))
  m <- rep_len(m, length(d))
  result <- d
  result[] <- NA_real_
  i <- which(near)
  result[i] <- p[i] * log1p(d[i] / q[i]) + (1 - p[i]) * log1p(-d[i] / r[i])
  i <- which(!near)
  if (length(i) > 0L) {
    times_log <- function(p, log_q) {
      ifelse(p > 0, p * (log(pmax(p, .Machine$double.xmin)) - log_q), 0)
    }
    result[i] <- times_log(p[i], stats::plogis(-m[i], log.p = TRUE)) +
      times_log(1 - p[i], stats::plogis(m[i], log.p = TRUE))
  }
  result
}

# The dual variables inside the domain of phi*.
certain_box <- function(loss, a, y) {
  switch(loss$name,
    hinge = , smooth_hinge = , logistic = -y * clip(-y * a, 0, 1),
    squared_hinge = -y * pmax(0, -y * a),
    squared = a,
    huber = clip(a, -loss$parameter[[1L]], loss$parameter[[1L]])
  )
}

# psi(s) = -log(1 - s)/s, the factor of a step in the Hessian's norm; Inf from 0.9 on.
step_factor <- function(s) {
  inside <- is.finite(s) & s <= 0.9
  at <- ifelse(inside, s, 0)
  ifelse(inside, ifelse(at < 1e-8, 1 + at, -log1p(-at) / pmax(at, 1e-8)), Inf)
}
