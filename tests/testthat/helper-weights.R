# The same rows in other words: what no default that is found from data may hang on.

# data: x, weights and what else has a value a row. Each with the places (own) where its rows are
# those of `data`.
rewritten <- function(data) {
  n <- nrow(data$x)
  pick <- function(at, weights) {
    changed <- lapply(data[setdiff(names(data), c("x", "weights"))], `[`, at)
    c(list(x = data$x[at, , drop = FALSE], weights = weights, own = match(seq_len(n), at)), changed)
  }
  far <- pick(c(1:3, seq_len(n), 1:9), c(0, 0, 0, data$weights, rep(0, 9)))
  unweighted <- far$weights == 0
  far$x[unweighted, ] <- 7 - 30 * far$x[unweighted, ]
  far$own <- 3L + seq_len(n)
  if (!is.null(far$number)) far$number[unweighted] <- 100
  constant <- pick(seq_len(n), data$weights)
  constant$x <- cbind(constant$x[, 1:2], constant = 5, constant$x[, -(1:2)])
  list("weight 0" = far, copies = pick(rep(seq_len(n), data$weights), rep(1, sum(data$weights))),
       order = pick(rev(order(sin(seq_len(n)))), data$weights[rev(order(sin(seq_len(n))))]),
       constant = constant)
}

# What a fit or a path has found from its data, and its scores.
found_of <- function(fit, own = NULL) {
  settings <- fit$settings
  scores <- if (!is.null(own) && !inherits(fit, "margin_path")) {
    as.matrix(fit$scores)[own, , drop = FALSE]
  }
  list(sigma = settings$kernel$sigma, radius = settings$radius, lambda = settings$lambda,
       unit = fit$response_scale, residual = fit$residual_scale, loss = settings$loss$parameter,
       path = fit$lambda, radii = fit$radius, nu = fit$nu, class_weights = settings$class_weights,
       scores = scores)
}
