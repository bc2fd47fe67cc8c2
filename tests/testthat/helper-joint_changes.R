# Changed problems of all classes solved anew, the slow way: what margin_loo() and
# margin_sensitivity() are compared with. The columns keep the scales of the fit, so the refits are
# on scaled columns.

# Decision values of the optimum of `at`, and how far they can be off. A class without rows has -Inf
# where intercepts are free.
changed_joint_optimum <- function(fit, x, y, omega, at, rule = "cost") {
  settings <- fit$settings
  scaled <- function(x) unname(sweep(as.matrix(x), 2L, fit$scales, `/`))
  used <- omega > 0
  free <- settings$intercept == "free"
  lambda <- settings$lambda * if (rule == "cost") sum(fit$weights) / sum(omega) else 1
  present <- sort(unique(as.integer(y)[used]))
  if (!free) present <- seq_along(fit$levels)
  rows <- scaled(x)[used, , drop = FALSE]
  middle <- if (free) colMeans(rows) else 0
  one <- if (settings$intercept != "none") 1
  score <- matrix(-Inf, nrow(at), length(fit$levels))
  left <- cbind(sweep(rows, 2L, middle), one)
  there <- cbind(sweep(scaled(at), 2L, middle), one)
  if (fit$multiclass == "softmax") {
    # a last row without weight names the last class, which may have none
    codes <- c(match(as.integer(y)[used], present), length(present))
    score[, present] <- plain_softmax_scores(rbind(left, 0), codes, c(omega[used], 0), lambda, free,
                                             there)
    return(list(score = score, off = 1e-8 * (1 + abs(score))))
  }
  best <- quiet_fit(rows, factor(y[used], fit$levels), loss = "hinge",
                    multiclass = "crammer_singer", lambda = lambda, intercept = settings$intercept, scale = FALSE,
                    weights = omega[used],
                    control = margin_control(tol = 1e-13, seed = 1, max_epochs = 5000))
  gap <- max(best$certificate$gap, 0) + 1e-15 * abs(best$certificate$value)
  score[] <- predict(best, scaled(at), type = "score")
  list(score = score, off = outer(sqrt(2 * gap / lambda) * sqrt(rowSums(there^2)) + 1e-12,
                                  rep(1, ncol(score))))
}

# Do the ends hold the optimum's values less that of class `reference`?
expect_held <- function(table, levels, optimum, reference, info = NULL) {
  ends <- function(name) unname(as.matrix(table[paste0(name, "_", levels)]))
  at <- cbind(seq_along(reference), reference)
  apart <- optimum$score - optimum$score[at]
  apart[is.nan(apart)] <- 0
  off <- optimum$off + optimum$off[at]
  off[!is.finite(off)] <- 0
  wrong <- ends("lower") > apart + off | ends("upper") < apart - off
  # where the reference has no rows, it is compared with another class
  wrong[!is.finite(optimum$score[at]), ] <- FALSE
  expect_identical(sum(wrong), 0L, info = info)
  sure <- which(!is.na(table$class) & (if (is.null(table$decided)) TRUE else table$decided))
  own <- optimum$score[cbind(sure, as.integer(table$class)[sure])]
  beaten <- rowSums(optimum$score[sure, , drop = FALSE] - own >
                      2 * (optimum$off[sure, , drop = FALSE])) > 0
  expect_identical(sum(beaten, na.rm = TRUE), 0L, info = info)
}

# What stays open is a tie: the two largest values are equal as far as a refit to 1e-12 tells.
expect_open_ties <- function(open, optimum, info = NULL) {
  lead <- function(i) -diff(sort(optimum$score[i, ], decreasing = TRUE)[1:2])
  apart <- vapply(which(open), lead, 0)
  expect_true(all(apart <= 2 * optimum$off[which(open), 1L] + 1e-9), info = info)
}

# Three or four classes, near or far from the origin, dense or sparse, with weights or without.
joint_instance <- function(seed, multiclass, intercept, n = 24L) {
  set.seed(seed)
  p <- sample(2:4, 1L)
  k <- sample(3:4, 1L)
  x <- matrix(rnorm(n * p), n) %*% diag(10^runif(p, -1, 1))
  y <- factor(max.col(scale(x) %*% matrix(rnorm(p * k), p) + 0.7 * rnorm(n * k)),
              levels = seq_len(k))
  y[seq_len(2L * k)] <- rep(seq_len(k), 2L)
  if (intercept == "free" && runif(1) < 0.5) x <- x + 100
  if (runif(1) < 0.4) x <- round(x)
  weights <- if (runif(1) < 0.5) sample(c(1, 2, 0.5), n, TRUE)
  given <- if (runif(1) < 0.5) Matrix::Matrix(x, sparse = TRUE) else x
  colnames(given) <- colnames(x) <- paste0("x", seq_len(p))
  # drawn here: an argument is drawn when the fit first looks at it
  lambda <- 10^runif(1, -3, 0)
  scaled <- runif(1) < 0.5
  control <- margin_control(tol = 10^runif(1, -10, -2), seed = 1)
  fit <- quiet_fit(given, y, loss = if (multiclass == "softmax") "logistic" else "hinge",
                   multiclass = multiclass, lambda = lambda, intercept = intercept,
                   weights = weights, scale = scaled, control = control)
  list(x = x, given = given, y = y, fit = fit, omega = unname(fit$weights))
}
