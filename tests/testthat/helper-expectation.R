# Means over perturbations in plain R.

closed_form_cases <- function() {
  noise <- perturb_gaussian(0.4)
  chain <- perturb_dropout(0.2) + perturb_gaussian(0.3) + perturb_rescale(0.5)
  list(list("squared", chain), list("squared", noise), list("logistic", noise),
       list("smooth_hinge", noise), list("squared_hinge", noise), list("huber", noise),
       list("logistic", new_perturbation()), list("smooth_hinge", new_perturbation()))
}

# Nodes and weights of Gauss and Legendre on (-1, 1), from the Jacobi matrix (Golub and Welsch,
# 1969).
gauss_legendre <- local({
  k <- seq_len(23L)
  jacobi <- matrix(0, 24L, 24L)
  jacobi[cbind(k, k + 1L)] <- jacobi[cbind(k + 1L, k)] <- k / sqrt(4 * k^2 - 1)
  e <- eigen(jacobi, symmetric = TRUE)
  list(x = e$values, w = 2 * e$vectors[1L, ]^2)
})

# E f(m + tau e), e ~ N(0, 1), for an f that is smooth between the kinks.
normal_mean <- function(f, m, tau, kinks) {
  ends <- sort(unique(c(m + tau * (-9:9), kinks[abs(kinks - m) < 9 * tau])))
  from <- ends[-length(ends)]
  half <- diff(ends) / 2
  x <- outer(half, gauss_legendre$x) + (from + half)
  sum(outer(half, gauss_legendre$w) * f(x) * dnorm(x, m, tau))
}

plain_slope <- function(loss, m) {
  g <- loss$gamma
  switch(loss$name, logistic = -plogis(-m), hinge = -(m < 1),
         smooth_hinge = pmin(0, pmax(-1, (m - 1) / g)), squared_hinge = pmin(0, m - 1) / g,
         squared = m - 1, huber = pmax(-loss$parameter, pmin(loss$parameter, m - 1)))
}

plain_kinks <- function(loss) {
  switch(loss$name, logistic = , squared = NULL, huber = 1 + c(-1, 1) * loss$parameter,
         smooth_hinge = c(1 - loss$gamma, 1), 1)
}

# Mean loss over the perturbations and its gradient at w, the intercept last if there is one.
plain_mean <- function(x, y, omega, loss, perturbation, w, penalized = FALSE, regression = FALSE) {
  steps <- perturbation$steps
  x <- as.matrix(x)
  columns <- seq_len(ncol(x))
  u <- w[columns]
  X <- if (penalized) cbind(x, 1) else x
  z <- drop(X %*% w)
  share <- omega / sum(omega)
  if (loss$name == "squared") {
    # var(xi_j) = E xi_j^2 - x_j^2, value by value
    square <- x^2
    for (step in steps) {
      square <- switch(step$name, dropout = square / (1 - step$rate), gaussian = square + step$sd^2,
                       rescale = square * (1 + step$width^2 / 3))
    }
    variance <- colSums(share * (square - x^2))
    gradient <- colSums(share * (z - y) * X)
    gradient[columns] <- gradient[columns] + variance * u
    return(list(value = sum(share * (z - y)^2 / 2) + sum(variance * u^2) / 2,
                gradient = unname(gradient)))
  }
  variance <- sum(vapply(steps, function(step) step$sd^2, 0))
  tau <- sqrt(variance * sum(u^2))
  m <- if (regression) z - y + 1 else y * z
  side <- if (regression) 1 else y
  mean_of <- function(f) {
    if (tau == 0) f(m, 0) else vapply(m, function(at) {
      normal_mean(function(s) f(s, (s - at) / tau^2), at, tau, plain_kinks(loss))
    }, 0)
  }
  gradient <- colSums(share * side * mean_of(function(s, e) plain_slope(loss, s)) * X)
  # Stein: E phi'' = E phi'(m + tau e) e / tau
  second <- sum(share * mean_of(function(s, e) plain_slope(loss, s) * e))
  gradient[columns] <- gradient[columns] + variance * second * u
  list(value = sum(share * mean_of(function(s, e) plain_loss(loss, s, 1))),
       gradient = unname(gradient))
}

# F and its subgradient of least norm at the returned point.
outside_bound <- function(fit, x, y, perturbation) {
  settings <- fit$settings
  penalized <- settings$intercept == "penalized"
  w <- unname(coef(fit))
  # back to the columns and the response that were fitted, less their centres
  if (!is.null(fit$center)) {
    x <- sweep(as.matrix(x), 2L, fit$center)
    w <- if (penalized) c(w[1L] + sum(w[-1L] * fit$center), w[-1L]) else w[-1L]
  }
  if (!is.null(fit$response_center)) {
    y <- y - fit$response_center
    w[1L] <- w[1L] - fit$response_center
  }
  if (penalized) w <- c(w[-1L], w[1L])
  mean <- plain_mean(x, y, fit$weights, settings$loss, perturbation, w, penalized)
  l1 <- settings$lambda * settings$mixture
  l2 <- settings$lambda * (1 - settings$mixture)
  g <- mean$gradient + l2 * w
  g <- ifelse(w != 0, g + l1 * sign(w), sign(g) * pmax(0, abs(g) - l1))
  list(value = mean$value + l1 * sum(abs(w)) + l2 / 2 * sum(w^2), gap = sum(g^2) / (2 * l2),
       least = g)
}
