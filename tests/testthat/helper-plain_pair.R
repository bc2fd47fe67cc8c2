# The pair of a linear fit of two classes in plain R, on dense rows: what statements on its optimum
# are recomputed from.

# Scaled, with a 1 for a penalised intercept, around their mean for a free one.
plain_rows <- function(fit, x) {
  x <- sweep(unname(as.matrix(x)), 2L, unname(fit$scales), `/`)
  switch(fit$settings$intercept,
    penalized = cbind(x, 1),
    free = sweep(x, 2L, colSums(x * fit$weights) / sum(fit$weights)),
    none = x
  )
}

# omega: other weights than those of the fit, with which a free intercept's a would not be balanced.
plain_pair <- function(fit, x, omega = unname(fit$weights)) {
  settings <- fit$settings
  loss <- loss_calculus(settings$loss)
  rows <- plain_rows(fit, x)
  coefficients <- unname(dualmargin:::coef_matrix(fit)[, 1L])
  slopes <- if (settings$intercept == "none") coefficients else coefficients[-1L]
  w <- slopes * unname(fit$scales)
  if (settings$intercept == "penalized") w <- c(w, coefficients[1L])
  scores <- unname(drop(as.matrix(x) %*% slopes)) +
    if (settings$intercept == "none") 0 else coefficients[1L]
  y <- 2 * as.integer(fit$response) - 3
  a <- loss$nearest(unname(drop(fit$dual)), y)
  total <- sum(omega)
  list(x = rows, w = w, b = if (settings$intercept == "free") scores[1L] - sum(rows[1L, ] * w) else 0,
       a = a, z = scores, y = y, omega = omega, total = total, loss = loss,
       free = settings$intercept == "free", l1 = settings$lambda * settings$mixture,
       mu = settings$lambda * (1 - settings$mixture),
       u = drop(crossprod(rows, omega * a)) / total,
       excess = sum(omega * loss$excess(scores, a, y)) / total)
}
