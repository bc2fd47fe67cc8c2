# The augmented family: exact means where they are known (helper-expectation.R) or where the masks
# of a dropout can be counted.

# One weighted row for each mask of a dropout of few columns.
counted_masks <- function(q, rate) {
  p <- ncol(q$x)
  masks <- as.matrix(expand.grid(rep(list(c(0, 1)), p)))
  chances <- apply(masks, 1L, function(m) prod(ifelse(m == 1, 1 - rate, rate)))
  n <- nrow(q$x)
  x <- do.call(rbind, lapply(seq_len(nrow(masks)), function(k) {
    sweep(q$x, 2L, masks[k, ] / (1 - rate), `*`)
  }))
  q$x <- x
  q$y <- rep(q$y, nrow(masks))
  q$omega <- rep(q$omega, nrow(masks)) * rep(chances, each = n)
  q
}

# F at a point; NULL where it is not known.
augmented_value <- function(q, perturbation, w, b, regression) {
  steps <- perturbation$steps
  names <- vapply(steps, `[[`, "", "name")
  if (length(steps) == 0L) {
    return(exact_primal(q, w, b))
  }
  p <- ncol(q$x)
  if (identical(names, "dropout") && p <= 6L && nrow(q$x) * 2^p <= 4000) {
    return(exact_primal(counted_masks(q, steps[[1L]]$rate), w, b))
  }
  if (!has_closed_form(perturbation, q$loss)) {
    return(NULL)
  }
  if (q$loss$name == "squared") {
    # the variance of a perturbed score is a ridge of its own in each column
    square <- q$x^2
    # a step sees the values before scaling where noise is one of the scaled columns
    x <- sweep(q$x, 2L, q$scales, `/`)
    square <- x^2
    for (step in steps) {
      square <- switch(step$name, dropout = square / (1 - step$rate), gaussian = square + step$sd^2,
                       rescale = square * (1 + step$width^2 / 3))
    }
    variance <- colSums(q$omega * (square - x^2)) / sum(q$omega)
    v <- w * q$scales
    P <- exact_primal(q, w, b)
    extra <- sum(variance * v^2) / 2
    spread <- 64 * eps * sum(colSums(q$omega * square) / sum(q$omega) * v^2)
    return(list(value = P$value + extra, slack = P$slack + spread))
  }
  v <- w * q$scales
  variance <- sum(vapply(steps, function(step) step$sd^2, 0))
  tau <- sqrt(variance * sum(v^2))
  base <- exact_primal(q, w, b)
  if (tau < 1e-8 || tau > 1e8) {
    return(NULL)
  }
  z <- dd_value(dd_add(dd_rows(q$x, w), rep(b, nrow(q$x))))
  both <- q$loss$task == "both"
  m <- if (both) dd_value(dd_sub(dd_add(dd_rows(q$x, w), rep(b, nrow(q$x))), q$y)) else q$y * z
  if (max(abs(m)) > 1e6 * tau) {
    return(NULL)
  }
  loss <- q$loss
  # residuals, not margins, of a regression: 1 has no digits for a small one
  kinks <- if (both) c(-1, 1) * loss$parameter else plain_kinks(loss)
  label <- as.numeric(!both)
  mean_at <- function(m) vapply(m, function(at) {
    normal_mean(function(s) plain_loss(loss, s, label), at, tau, kinks)
  }, 0)
  mean <- mean_at(m)
  # scores move by the rounding of coefficients, and the mean loss with them
  off <- eps * (drop(abs(q$x) %*% abs(w)) + abs(b) + if (both) abs(q$y) else 0)
  bend <- sum(q$omega * abs(mean_at(m + off) - mean_at(m - off))) / sum(q$omega)
  pen <- c(v, if (q$intercept == "penalized") b)
  l1 <- q$lambda * q$mixture
  l2 <- q$lambda * (1 - q$mixture)
  value <- sum(q$omega * mean) / sum(q$omega) + l1 * sum(abs(pen)) + l2 / 2 * sum(pen^2)
  # 1e-12 is what normal_mean() asks of its integrals; residuals of 1000 tau have missed it by 2
  list(value = value, slack = 4e-12 * (abs(value) + abs(base$value)) + base$slack + bend)
}

# F(0): the perturbation of nothing.
augmented_zero <- function(q) {
  phi <- exact_loss(q$loss, dd(numeric(length(q$y))), q$y)
  sum(q$omega * phi) / sum(q$omega)
}

judge_family_augmented <- function(fit, x, case) {
  found <- character()
  points <- list()
  problems <- linear_problems(fit, x)
  perturbation <- fit$settings$perturbation
  several <- length(problems) > 1L
  for (k in seq_along(problems)) {
    q <- problems[[k]]
    row <- fit$certificate[k, ]
    status <- fit$status$status[k]
    point <- fit_point(fit, k)
    sampled <- row$kind == "confidence bound"
    known <- length(q$y) <= 60L
    at <- function(w, b) if (known) augmented_value(q, perturbation, w, b, fit$task == "regression")
    own <- at(point$w, point$b)
    zero <- augmented_zero(q)
    rivals <- c(zero = zero * (1 + 1e-12))
    if (!is.null(own) && is.finite(own$slack)) {
      se <- if (sampled) unname(fit$value_se[k]) else 0
      # a mean of squares may be one of its moments
      moments <- if (q$loss$name == "squared") 64 * eps * sum(q$omega * q$y^2) / sum(q$omega) else 0
      # What the gap allows for the value. Batches may all have missed two drops in one row of a
      # rare perturbation: an error far below the gap.
      stated <- if (sampled) 1e-3 * row$gap else
        max(0, row$gap - fit$suboptimality[[k]], na.rm = TRUE)
      if (abs(row$value - own$value) > 32 * own$slack + moments + stated + 8 * se + 1e-300) {
        found <- c(found, wrong("value is not that of coef()", value = row$value,
                                exact = own$value, slack = own$slack, se = se))
      }
      shorter <- at(point$w * 0.999, point$b)
      if (!is.null(shorter)) rivals <- c(rivals, shorter = shorter$value + shorter$slack)
      rivals <- c(rivals, own = own$value + own$slack)
      # from below: F is strongly convex, so its gradient bounds it
      below <- best_of_masks(q, perturbation, point)
      if (is.null(below)) below <- best_of_squares(q, perturbation, at)
      if (!is.null(below)) {
        rivals <- c(rivals, below = below)
      }
    }
    # where the bound is 0, which needs no draws, the limit is F(w), known up to the error of value
    error <- if (row$bound %in% 0 && sampled) 7 * fit$value_se[[k]] else 0
    settled <- !sampled || is.finite(fit$suboptimality[[k]])
    if (settled && fit$suboptimality[[k]] > row$gap * (1 + 1e-9) + error) {
      found <- c(found, wrong("limit of F(w) - F* above the gap", gap = row$gap,
                              suboptimality = fit$suboptimality[[k]]))
    }
    # a confidence bound may miss in 5 of 100; this far beyond its error it may not
    slack <- if (sampled) 6 * unname(fit$value_se[k]) + 0.5 * fit$suboptimality[[k]] else 0
    found <- c(found, check_crossing(row, status, rivals, slack))
    points[[k]] <- rivals
    if (!sampled && row$certified && !is.null(own)) {
      found <- c(found, check_gradient(q, perturbation, point, row, fit, own))
    }
  }
  list(found = found, points = points)
}

# Newton steps on the counted masks or unperturbed rows, ridge alone: a point that may be lower.
best_of_masks <- function(q, perturbation, point) {
  steps <- perturbation$steps
  if (q$mixture > 0 || q$loss$name != "logistic" || length(steps) != 1L ||
        steps[[1L]]$name != "dropout") {
    return(NULL)
  }
  all <- counted_masks(q, steps[[1L]]$rate)
  X <- sweep(all$x, 2L, all$scales, `/`)
  if (q$intercept == "penalized") X <- cbind(X, 1)
  v <- c(point$w * q$scales, if (q$intercept == "penalized") point$b)
  share <- all$omega / sum(all$omega)
  for (step in 1:4) {
    m <- all$y * drop(X %*% v)
    s <- stats::plogis(-m)
    g <- -colSums(share * all$y * s * X) + q$lambda * v
    H <- crossprod(X, share * s * (1 - s) * X) + diag(q$lambda, length(v))
    move <- tryCatch(solve(H, g), error = function(e) NULL)
    if (is.null(move)) return(NULL)
    v <- v - move
  }
  if (!all(is.finite(v))) {
    return(NULL)
  }
  p <- ncol(q$x)
  P <- exact_primal(all, v[seq_len(p)] / q$scales, if (q$intercept == "penalized") v[p + 1L] else 0)
  P$value + P$slack
}

# The squared loss with a ridge alone: the normal equations.
best_of_squares <- function(q, perturbation, at) {
  if (q$mixture > 0 || q$loss$name != "squared" || length(perturbation$steps) == 0L ||
        !all(vapply(perturbation$steps, function(s) s$name != "custom", NA))) {
    return(NULL)
  }
  X <- sweep(q$x, 2L, q$scales, `/`)
  square <- X^2
  for (step in perturbation$steps) {
    square <- switch(step$name, dropout = square / (1 - step$rate), gaussian = square + step$sd^2,
                     rescale = square * (1 + step$width^2 / 3))
  }
  share <- q$omega / sum(q$omega)
  variance <- colSums(share * (square - X^2))
  if (q$intercept == "penalized") X <- cbind(X, 1)
  p <- ncol(q$x)
  ridge <- q$lambda + c(variance, if (q$intercept == "penalized") 0)
  v <- tryCatch(solve(crossprod(X, share * X) + diag(ridge, length(ridge)),
                      colSums(share * q$y * X)), error = function(e) NULL)
  if (is.null(v) || !all(is.finite(v))) {
    return(NULL)
  }
  P <- at(v[seq_len(p)] / q$scales, if (q$intercept == "penalized") v[[p + 1L]] else 0)
  P$value + P$slack
}

# Certified by the gradient: no point along it, or along the way to zero, is lower by more than tol.
check_gradient <- function(q, perturbation, point, row, fit, own) {
  size <- max(abs(own$value), 1e-10 * augmented_zero(q))
  least <- own$value
  for (trial in 1:3) {
    scale <- 10^c(-3, -2, -1)[trial]
    w <- point$w * (1 + scale * stats::rnorm(length(point$w)))
    other <- augmented_value(q, perturbation, w, point$b, fit$task == "regression")
    if (!is.null(other)) least <- min(least, other$value + other$slack)
  }
  if (own$value - least > row$tol * size + 2 * own$slack) {
    return(wrong("FALSE CERTIFICATE", value = row$value, bound = row$bound, lower = least,
                 tol = row$tol))
  }
  character()
}
