# The losses in plain R, for statements about where an optimum lies: value, one-sided slopes,
# curvature, and the Fenchel-Young excess phi(z) + phi*(a) - a z in forms that do not cancel.

# left, right: the one-sided derivatives in z, both non-decreasing; tilt: h with a + tau h in the
# domain of phi* for |tau| <= reach; nearest: the point of that domain next to a.
loss_calculus <- function(loss) {
  gamma <- loss$gamma
  formulas <- switch(
    loss$name,
    hinge = , smooth_hinge = hinge_formulas(gamma),
    squared_hinge = list(
      value = function(z, y) pmax(0, 1 - y * z)^2 / (2 * gamma),
      left = function(z, y) -y * pmax(0, 1 - y * z) / gamma,
      curvature = function(z, y) as.numeric(y * z < 1) / gamma,
      excess = function(z, a, y) {
        u <- y * z
        gamma / 2 * (-y * a - pmax(0, 1 - u) / gamma)^2 - y * a * pmax(0, u - 1)
      },
      nearest = function(a, y) -y * pmax(0, -y * a), tilt = function(a, y) pmin(1, pmax(0, -y * a))
    ),
    logistic = list(
      value = function(z, y) pmax(0, -y * z) + log1p(exp(-abs(z))),
      left = function(z, y) -y * stats::plogis(-y * z),
      curvature = function(z, y) stats::plogis(z) * stats::plogis(-z),
      excess = function(z, a, y) bernoulli_divergence(-y * a, -y * z),
      nearest = function(a, y) -y * pmin(1, pmax(0, -y * a)), tilt = box_tilt
    ),
    squared = list(
      value = function(z, y) (z - y)^2 / 2,
      left = function(z, y) z - y,
      curvature = function(z, y) rep(1, length(z)),
      excess = function(z, a, y) (z - y - a)^2 / 2,
      nearest = function(a, y) a, tilt = function(a, y) rep(1, length(a)), reach = Inf
    ),
    huber = huber_formulas(loss$parameter[[1L]])
  )
  if (is.null(formulas$right)) formulas$right <- formulas$left
  if (is.null(formulas$reach)) formulas$reach <- 1
  c(formulas, list(name = loss$name, gamma = gamma))
}

# A step of tau alpha(1 - alpha), |tau| <= 1, stays within 0 <= alpha <= 1.
box_tilt <- function(a, y) {
  alpha <- pmin(1, pmax(0, -y * a))
  alpha * (1 - alpha)
}

# gamma = 0 is the hinge itself, whose slope at the kink is any number between the two.
hinge_formulas <- function(gamma) {
  slope <- function(closed) function(z, y) {
    u <- y * z
    if (gamma > 0) {
      return(-y * pmin(1, pmax(0, (1 - u) / gamma)))
    }
    at_kink <- if (closed == "left") y > 0 else y < 0
    -y * (u < 1 | (u == 1 & at_kink))
  }
  list(
    value = function(z, y) {
      u <- 1 - y * z
      if (gamma == 0) pmax(0, u) else ifelse(u >= gamma, u - gamma / 2, pmax(0, u)^2 / (2 * gamma))
    },
    left = slope("left"), right = slope("right"),
    curvature = function(z, y) {
      u <- y * z
      if (gamma == 0) 0 * u else as.numeric(u < 1 & u >= 1 - gamma) / gamma
    },
    excess = function(z, a, y) {
      u <- y * z
      alpha <- -y * a
      bend <- if (gamma > 0) {
        # phi'(z) and a differ by their distance within the quadratic piece
        gamma / 2 * (alpha - pmin(1, pmax(0, (1 - u) / gamma)))^2
      } else {
        0
      }
      bend + alpha * pmax(0, u - 1) + (1 - alpha) * pmax(0, 1 - gamma - u)
    },
    nearest = function(a, y) -y * pmin(1, pmax(0, -y * a)), tilt = box_tilt
  )
}

huber_formulas <- function(delta) {
  clip <- function(s) pmin(delta, pmax(-delta, s))
  list(
    value = function(z, y) {
      s <- abs(z - y)
      ifelse(s <= delta, s^2 / 2, delta * s - delta^2 / 2)
    },
    left = function(z, y) clip(z - y),
    curvature = function(z, y) as.numeric(abs(z - y) <= delta),
    excess = function(z, a, y) {
      s <- z - y
      c <- clip(s)
      (a - c)^2 / 2 + (a - c) * (c - s)
    },
    nearest = function(a, y) clip(a),
    # delta - |a| and not their product with |a|, which leaves the box where delta > 1
    tilt = function(a, y) pmax(0, delta - abs(a))
  )
}

# KL(p || q) of two Bernoulli variables with q = plogis(log_odds): near p = q as a sum of squares.
bernoulli_divergence <- function(p, log_odds) {
  p <- pmin(1, pmax(0, p))
  q <- stats::plogis(log_odds)
  r <- stats::plogis(-log_odds)
  d <- ifelse(q < r, p - q, r - (1 - p))
  near <- abs(d) <= 0.01 * pmin(q, r)
  far <- xlogx(p) + xlogx(1 - p) - p * stats::plogis(log_odds, log.p = TRUE) -
    (1 - p) * stats::plogis(-log_odds, log.p = TRUE)
  # log(1 + t) - t
  rest <- function(t) -t^2 * (1 / 2 - t * (1 / 3 - t * (1 / 4 - t * (1 / 5 - t * (1 / 6 - t *
    (1 / 7 - t / 8))))))
  d <- ifelse(near, d, 0)
  q <- ifelse(near, q, 1 / 2)
  r <- ifelse(near, r, 1 / 2)
  pmax(0, ifelse(near, d * (d / q / r) + p * rest(d / q) + (1 - p) * rest(-d / r), far))
}

xlogx <- function(p) ifelse(p > 0, p * log(pmax(p, .Machine$double.xmin)), 0)

# sum omega a = 0 by shrinking the side that is larger: stays in the domain of phi* of every loss.
balanced_dual <- function(a, omega, loss) {
  if (loss$name == "squared") {
    return(a - sum(omega * a) / sum(omega))
  }
  up <- sum(omega * pmax(a, 0))
  down <- sum(omega * pmax(-a, 0))
  if (up > down) {
    return(ifelse(a > 0, a * (down / up), a))
  }
  ifelse(a < 0, a * (up / max(down, 1e-300)), a)
}
