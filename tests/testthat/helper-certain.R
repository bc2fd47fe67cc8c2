# Random problems for statements about exact optima: a loose fit, and one solved as far as double
# precision goes.

certain_problem <- function(seed) {
  set.seed(seed)
  n <- sample(8:20, 1L)
  p <- sample(6L, 1L)
  losses <- list(as_loss("hinge"), loss_smooth_hinge(0.5), loss_squared_hinge(0.5), as_loss("logistic"),
                 as_loss("squared"), loss_huber(0.7))
  x <- matrix(rnorm(n * p), n, p) %*% diag(10^runif(p, -1, 1), p)
  colnames(x) <- paste0("x", seq_len(p))
  if (runif(1) < 0.2) x <- x + 5
  if (runif(1) < 0.2) x[1L, ] <- 0
  if (runif(1) < 0.2) x[3L, ] <- x[2L, ]
  score <- drop(scale(x) %*% rnorm(p))
  score[!is.finite(score)] <- 0
  y <- ifelse(score + rnorm(n) > 0, 1, -1)
  y[1:2] <- c(-1, 1)
  sparse <- runif(1) < 0.3
  if (sparse) x[abs(x) < 0.3] <- 0
  list(
    x = if (sparse) as(as(as(x, "dMatrix"), "generalMatrix"), "CsparseMatrix") else x,
    y = factor(y), new = rbind(x[1:3, , drop = FALSE], 2 * x[4:6, , drop = FALSE]),
    arguments = list(
      loss = losses[[sample(length(losses), 1L)]], lambda = 10^runif(1, -2.5, 0),
      mixture = if (runif(1) < 0.6) 0 else runif(1), scale = runif(1) < 0.7,
      intercept = sample(c("free", "penalized", "none"), 1L),
      weights = if (runif(1) < 0.4) c(1, 2, sample(c(0, 0.5, 1, 3), n - 2L, TRUE))
    )
  )
}

certain_fit <- function(problem, tol, ...) {
  suppressWarnings(do.call(margin_linear, c(
    list(problem$x, problem$y), problem$arguments,
    list(control = margin_control(tol = tol, seed = 1, max_epochs = 3000, progress = FALSE), ...)
  )))
}

# The same fit, wrong by `size` in its coefficients and in its dual variables: a valid pair, only
# a loose one.
loosened <- function(fit, x, size) {
  wrong <- function(v) v + size * rnorm(length(v)) * (mean(abs(v)) + abs(v))
  fit$coefficients[] <- wrong(fit$coefficients)
  # scores are of these, not of those of the moved rows
  fit$origin <- NULL
  fit$scores[] <- scores_by(fit, x)
  fit$dual[] <- wrong(fit$dual)
  fit
}
