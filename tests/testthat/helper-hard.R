# Small problems with a margin, and fits whose warning is part of what is looked at.

quiet_hard <- function(..., intercept = "none") {
  withCallingHandlers(
    margin_hard(..., intercept = intercept),
    dualmargin_not_certified = function(condition) invokeRestart("muffleWarning"),
    dualmargin_message = function(note) invokeRestart("muffleMessage")
  )
}

hard_fit <- function(x, y, solver = "auto", ..., tol = 1e-9, max_epochs = 3000,
                     options = list()) {
  quiet_hard(x, y, solver = solver, ...,
             control = margin_control(tol = tol, max_epochs = max_epochs, seed = 1,
                                      progress = FALSE, solver_options = options))
}

hard_solvers <- function(intercept = "none") {
  rows <- margin_solvers("hard")
  rows$name[vapply(rows$intercepts, function(kinds) intercept %in% kinds, NA)]
}

# n x p, labels from a plane, rows moved away from it by `gap`.
separable_problem <- function(n = 60L, p = 4L, gap = 0.3, seed = 1L) {
  set.seed(seed)
  x <- matrix(rnorm(n * p), n, p)
  w <- rnorm(p)
  w <- w / sqrt(sum(w^2))
  y <- ifelse(drop(x %*% w) > 0, 1, -1)
  y[1:2] <- c(1, -1)
  x[1:2, ] <- x[1:2, ] - outer(drop(x[1:2, ] %*% w), w)
  list(x = x + gap * outer(y, w), y = y)
}

# Examples of k classes, each at least `gap` above the others' scores.
separable_classes <- function(n = 60L, p = 5L, k = 3L, gap = 0.3, seed = 1L) {
  set.seed(seed)
  x <- matrix(rnorm(4 * n * p), 4 * n, p)
  score <- x %*% matrix(rnorm(p * k), p, k)
  first <- apply(score, 1L, max)
  second <- apply(score, 1L, function(v) sort(v, decreasing = TRUE)[2L])
  keep <- which(first - second > gap)[seq_len(n)]
  list(x = x[keep, ], y = factor(max.col(score[keep, ])))
}

reference_hard <- function() read.csv(test_path("reference_hard.csv"))

# The data of a case of the reference table: _icpt has a column of ones.
reference_hard_data <- function(case) {
  data <- read.csv(test_path(sprintf("reference_hard_%s.csv", sub("_.*", "", case))))
  x <- as.matrix(data[-1L])
  list(x = if (endsWith(case, "_icpt")) cbind(x, one = 1) else x, y = data$y)
}
