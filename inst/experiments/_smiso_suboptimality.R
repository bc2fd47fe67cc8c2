# How far points are from the optimum of an expectation that cannot be computed. With w* the
# optimum,
#   F(w) - F(w*) = (1/n) sum_i E[phi(z_i) - phi(z*_i) - phi'(z*_i) (z_i - z*_i)] + mu/2 |w - w*|^2,
#   z_i = y_i w'(rho x_i), z*_i = y_i w*'(rho x_i),
# since the gradient of F at w* is zero. Every term is at least zero and of second order in w - w*,
# so sampled perturbations, the same in both, leave a small relative error and no floor, where the
# difference of two sampled objectives has one. w* is the end of a long run.

bregman_losses <- list(
  logistic = list(value = function(z) ifelse(z > 0, log1p(exp(-z)), log1p(exp(z)) - z),
                  slope = function(z) -stats::plogis(-z)),
  squared_hinge = list(value = function(z) pmax(1 - z, 0)^2 / 2,
                       slope = function(z) -pmax(1 - z, 0))
)

dropped_out <- function(x, rate) {
  if (isS4(x)) {
    x@x <- x@x * (stats::runif(length(x@x)) >= rate) / (1 - rate)
    x
  } else {
    x * (stats::runif(length(x)) >= rate) / (1 - rate)
  }
}

# For the columns of `points`; y is -1 or 1.
suboptimality <- function(x, y, points, reference, loss, mu, rate, draws = 20L) {
  points <- as.matrix(points)
  phi <- bregman_losses[[loss]]
  set.seed(20170201)
  gap <- numeric(ncol(points))
  for (draw in seq_len(if (rate > 0) draws else 1L)) {
    rows <- if (rate > 0) dropped_out(x, rate) else x
    z <- y * as.matrix(rows %*% points)
    best <- y * as.vector(rows %*% reference)
    bent <- phi$value(z) - phi$value(best) - phi$slope(best) * (z - best)
    gap <- gap + (colMeans(bent) - gap) / draw
  }
  gap + mu / 2 * colSums((points - reference)^2)
}
