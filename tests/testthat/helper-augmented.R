# The augmented family: its reference problems, and its objective in plain R.

# A fit whose warning is part of what is looked at.
quiet_augmented <- function(..., intercept = "none", center = FALSE, scale = FALSE) {
  withCallingHandlers(
    margin_augmented(..., intercept = intercept, center = center, scale = scale),
    dualmargin_not_certified = function(condition) invokeRestart("muffleWarning")
  )
}

# F of dropout on few columns, by all masks: mean over rows and masks of phi, plus the penalty.
dropout_objective <- function(x, y, w, rate, phi, l2, l1 = 0, weights = rep(1, nrow(x))) {
  masks <- as.matrix(expand.grid(rep(list(0:1), ncol(x))))
  prob <- apply(masks, 1L, function(m) prod(ifelse(m == 1, 1 - rate, rate)))
  z <- x %*% (t(masks / (1 - rate)) * w)
  loss <- phi(z, y)
  sum(weights * (loss %*% prob)) / sum(weights) + l2 / 2 * sum(w^2) + l1 * sum(abs(w))
}

plain_losses <- list(
  logistic = function(z, y) log1p(exp(-abs(y * z))) + pmax(-y * z, 0),
  squared_hinge = function(z, y) pmax(1 - y * z, 0)^2 / 2,
  squared = function(z, y) (z - y)^2 / 2
)

few_columns <- function(n = 60L, p = 5L, seed = 3L) {
  set.seed(seed)
  x <- matrix(rnorm(n * p), n, p, dimnames = list(NULL, paste0("x", seq_len(p))))
  list(x = x, y = ifelse(drop(x %*% seq(-1, 1, length.out = p)) + rnorm(n) > 0, 1, -1),
       weights = sample(c(0.5, 1, 2), n, replace = TRUE))
}
