# Statements on exact optima against refits at 1e-12: what margin_certain(), margin_loo() and
# margin_cv(prove = TRUE) claim. One whole number draws a problem and a pair
# that is off its optimum; the judge shares no code with what it judges but the solver of the
# refit, which gets its own radius (2 gap/mu)^(1/2) as slack and nothing else. The letters are those
# of the campaign tests/fuzz/decisions.R:
#
#   A1 coefficients            A2 scores, no or penalised intercept    A3 scores, free intercept
#   A4 the same by curvature   A6 kernels                              A7 robust fits with a ridge
#   A8 of them a free one      A9 perturbed rows                       A10 hard margins
#   A11 one softmax problem of all classes                            A12 Crammer and Singer's
#   B3 zeros of an l1 part
#   C1 left out by the ball    C2 of elastic nets, by the own loss too C3 by a tilt (free intercept)
#   C4 by a certified step     C5 by steps and refits                  C6 other rows
#   C7 left out of a kernel    C8 other rows of a kernel
#   C9 what is called a tie, and what is decided, of fits that rounding keeps loose
#   C10 the precision of the left-out loss
#   E1 tuning by the ball      E2 by curvature                         E3 smooth losses

decision_losses <- list(
  hinge = as_loss("hinge"), smooth_hinge = loss_smooth_hinge(0.5),
  squared_hinge = loss_squared_hinge(0.5), logistic = as_loss("logistic"), squared = as_loss("squared"),
  huber = loss_huber(0.7)
)
without_curvature <- c("hinge", "smooth_hinge", "squared_hinge", "huber")
with_curvature <- c("logistic", "squared")

# ---- Draws ----

decision_problem <- function(seed, losses = names(decision_losses),
                             intercepts = c("free", "penalized", "none"), mixture = 0,
                             n = sample(6:20, 1L), numeric_y = TRUE) {
  RNGkind("Mersenne-Twister", "Inversion", "Rejection")
  set.seed(seed)
  n <- eval(n)
  p <- sample(6L, 1L)
  x <- matrix(rnorm(n * p), n) %*% diag(10^runif(p, -1, 1), p)
  score <- drop(scale(x) %*% rnorm(p))
  if (chance(0.3)) x <- round(x)
  if (chance(0.2)) x <- x + 5
  if (chance(0.15)) x[sample.int(n, 1L), ] <- 0
  if (chance(0.15)) x[n, ] <- x[n - 1L, ]
  if (chance(0.1)) x[, sample.int(p, 1L)] <- 1
  y <- ifelse(score + rnorm(n) > 0, 1, -1)
  # two rows of each class, so that one can go
  y[1:4] <- c(-1, 1, -1, 1)
  loss <- decision_losses[[sample(losses, 1L)]]
  weights <- if (chance(0.4)) c(1, 1, 2, 0.5, sample(c(0, 0.5, 1, 3), n - 4L, TRUE))
  regression <- numeric_y && loss$name %in% c("squared", "huber") && chance(0.3)
  colnames(x) <- paste0("x", seq_len(p))
  list(
    x = x, codes = if (regression) score + rnorm(n) else y, regression = regression,
    omega = if (is.null(weights)) rep(1, n) else weights,
    new = rbind(x[1:2, , drop = FALSE], 2 * x[3:4, , drop = FALSE], rnorm(p)),
    settings = list(
      loss = loss, lambda = 10^runif(1, -2.5, 0),
      mixture = if (is.function(mixture)) mixture() else mixture, scale = chance(0.5),
      intercept = sample(intercepts, 1L), weights = weights
    )
  )
}

ridge_or_net <- function() if (chance(0.5)) 0 else runif(1, 0.05, 0.95)
elastic <- function() runif(1, 0.05, 0.95)

decision_response <- function(problem, at = seq_along(problem$codes)) {
  if (problem$regression) problem$codes[at] else factor(problem$codes[at], c(-1, 1))
}

decision_fit <- function(problem, tol, with = margin_linear, ...) {
  regression <- if (identical(with, margin_linear)) list(response_scale = FALSE)
  suppressMessages(suppressWarnings(do.call(with, c(
    list(problem$x, decision_response(problem)), problem$settings, regression,
    list(control = margin_control(tol = tol, seed = 1, max_epochs = 3000, progress = FALSE), ...)
  ))))
}

# A fit that is not at its optimum: solved loosely, or solved and then moved.
off_optimum <- function(problem) {
  if (chance(0.5)) {
    return(decision_fit(problem, 10^runif(1, -8, -1)))
  }
  loosened(decision_fit(problem, 1e-12), problem$x, 10^runif(1, -6, -0.3))
}

# ---- The judge: an optimum at 1e-12, and where the exact one can be ----

# One-sided slopes of the losses in z.
sided_slope <- function(loss, z, y, right) {
  g <- loss$gamma
  rise <- function(m) pmax(0, pmin(1, (1 - m) / g))
  switch(loss$name,
    hinge = (y < 0) * (if (right) z >= -1 else z > -1) - (y > 0) * (if (right) z < 1 else z <= 1),
    smooth_hinge = -y * rise(y * z),
    squared_hinge = -y * pmax(0, 1 - y * z) / g,
    logistic = -y / (1 + exp(y * z)),
    squared = z - y,
    huber = pmax(-0.7, pmin(0.7, z - y))
  )
}

# x: as the solver sees it (scaled). gram: inner products of rows, without the 1 of an intercept.
exact_optimum <- function(x, codes, omega, settings, gram = tcrossprod, kernel = NULL,
                          regression = FALSE) {
  y <- if (regression) codes else factor(codes, c(-1, 1))
  colnames(x) <- paste0("x", seq_len(ncol(x)))
  shared <- list(x, y, loss = settings$loss, lambda = settings$lambda, weights = omega,
                 intercept = settings$intercept, scale = FALSE,
                 control = margin_control(tol = 1e-12, seed = 1, max_epochs = 5000,
                                          progress = FALSE))
  fit <- suppressMessages(suppressWarnings(if (is.null(kernel)) {
    do.call(margin_linear, c(shared, mixture = settings$mixture, response_scale = FALSE))
  } else {
    do.call(margin_kernel, c(shared, list(kernel = kernel, center = FALSE, response_scale = FALSE)))
  }))
  mu <- settings$lambda * (1 - settings$mixture)
  certificate <- fit$certificate
  gap <- max(certificate$gap, 0) + 1e-16 * abs(certificate$value)
  list(fit = fit, x = x, y = codes, omega = omega, settings = settings, gram = gram,
       radius = sqrt(2 * gap / mu))
}

# Scores of rows `at`: outer ends hold the exact optimum's (all of them); between the inner ends,
# where there are some, every value is that of an optimum.
exact_scores <- function(optimum, at) {
  fit <- optimum$fit
  colnames(at) <- colnames(optimum$x)
  free <- optimum$settings$intercept == "free"
  own <- unname(predict(fit, at, type = "score"))
  square <- function(v) vapply(seq_len(nrow(v)), function(i) optimum$gram(v[i, , drop = FALSE],
                                                                          v[i, , drop = FALSE])[1],
                               0)
  near <- square(at)
  if (!free) {
    half <- optimum$radius * sqrt(near + (optimum$settings$intercept == "penalized"))
    return(list(score = own, low = own - half, high = own + half, in_low = own + half,
                in_high = own - half))
  }
  used <- optimum$omega > 0
  x <- optimum$x[used, , drop = FALSE]
  z <- unname(predict(fit, x, type = "score"))
  far <- sqrt(pmax(outer(square(x), near, `+`) - 2 * optimum$gram(x, at), 0))
  middle <- outer(z, own, `-`)
  low <- middle - optimum$radius * far
  high <- middle + optimum$radius * far
  slope_sum <- function(scores, t, right, sign) {
    slopes <- scores
    slopes[] <- optimum$omega[used] * sided_slope(optimum$settings$loss,
                                                  scores + rep(t, each = nrow(scores)),
                                                  optimum$y[used], right)
    colSums(slopes) + sign * 1e-12 * colSums(abs(slopes))
  }
  # for the outer ends the sums may be off by their rounding
  rising <- function(scores, room) first_crossing(function(t) slope_sum(scores, t, TRUE, room) >= 0,
                                                  ncol(far), 1 + max(abs(scores), abs(optimum$y)))
  falling <- function(scores, room) {
    -first_crossing(function(t) slope_sum(scores, -t, FALSE, -room) <= 0, ncol(far),
                    1 + max(abs(scores), abs(optimum$y)))
  }
  list(score = own, low = rising(high, 1), high = falling(low, 1),
       in_low = rising(low, 0), in_high = falling(high, 0))
}

# The least t at which a statement holds that stays true from there on; of m of them.
first_crossing <- function(holds, m, size) {
  low <- rep(-1e4 * size, m)
  high <- -low
  never <- !holds(high)
  always <- holds(low)
  for (k in 1:70) {
    middle <- (low + high) / 2
    yes <- holds(middle)
    high[yes] <- middle[yes]
    low[!yes] <- middle[!yes]
  }
  ifelse(never, Inf, ifelse(always, -Inf, (low + high) / 2))
}

# Intervals against the reference: how many, how many miss the optimum, how far the optimum comes to
# an end (1: it is at the end), and how wide they are.
judged_intervals <- function(lower, upper, exact) {
  room <- 1e-11 * (1 + abs(exact$score))
  sure <- is.finite(exact$in_low) & is.finite(exact$in_high) & exact$in_low < exact$in_high
  wrong <- is.na(lower) | is.na(upper) | lower > exact$high + room | upper < exact$low - room |
    sure & (lower > exact$in_low + room | upper < exact$in_high - room)
  half <- (upper - lower) / 2
  known <- is.finite(half) & half > 10 * pmax(1e-7 * (1 + abs(exact$score)), exact$high - exact$low)
  used <- (abs(exact$score - (lower + upper) / 2) / half)[known]
  data.frame(checked = length(lower), violations = sum(wrong %in% c(TRUE, NA)),
             one_sided = sum(is.finite(lower) | is.finite(upper)), finite = sum(is.finite(half)),
             used = if (length(used) > 0L) max(used) else NA_real_,
             half = stats::median(half), slack = stats::median(exact$high - exact$low))
}

# Classes that were called certain, against the refit's where its own range has one sign.
contradicted <- function(class, decided, exact) {
  positive <- as.integer(class) == 2L
  sum(decided & ((positive & exact$high < 0) | (!positive & exact$low >= 0)), na.rm = TRUE)
}

# ---- A and B: one fit ----

scaled_by <- function(problem, fit) sweep(problem$x, 2L, unname(fit$scales), `/`)

optimum_of <- function(problem, fit) {
  exact_optimum(scaled_by(problem, fit), problem$codes, problem$omega, problem$settings,
                regression = problem$regression)
}

check_scores <- function(problem) {
  fit <- off_optimum(problem)
  certain <- margin_certain(fit, problem$x, decision_response(problem))
  optimum <- optimum_of(problem, fit)
  problem$new <- rbind(problem$new, worst_row(problem, fit, certain, unname(coef(optimum$fit))))
  found <- predict(certain, problem$new, data = problem$x, refits = 0)
  exact <- exact_scores(optimum, sweep(problem$new, 2L, unname(fit$scales), `/`))
  tight <- margin_certain(decision_fit(problem, 1e-12), problem$x, decision_response(problem))
  tight <- predict(tight, problem$new, data = problem$x, refits = 0)
  # at the optimum an interval is no wider than the optimum's own range, and what rounding leaves
  excess <- (tight$upper - tight$lower) - pmax(exact$high - exact$low, 0)
  result <- judged_intervals(found$lower, found$upper, exact)
  result$tight <- stats::median(excess)
  result$contradicted <- if (problem$regression) 0 else
    contradicted(found$class, found$decided, exact) + contradicted(tight$class, tight$decided,
                                                                   exact)
  result
}

# The row whose optimal score comes nearest to an end: along the way from the middle of the ball to
# the optimum, whose coefficients of scaled columns are given.
worst_row <- function(problem, fit, certain, best) {
  slopes <- function(v) if (problem$settings$intercept == "none") v else v[-1L]
  scales <- unname(fit$scales)
  ends <- coef(certain)
  way <- slopes(best) - slopes(unname(ends[, 2L] + ends[, 3L])) / 2 * scales
  way <- way / max(sqrt(sum(way^2)), 1e-300)
  if (!all(is.finite(way))) way[] <- 1
  (if (problem$settings$intercept == "free") colMeans(problem$x) else 0) + scales * way
}

exact_terms <- function(optimum, scales) {
  coefficients <- unname(coef(optimum$fit))
  has <- optimum$settings$intercept != "none"
  w <- (if (has) coefficients[-1L] else coefficients) / scales
  half <- optimum$radius / scales
  b <- if (has) exact_scores(optimum, matrix(0, 1L, length(w)))
  list(score = c(b$score, w), low = c(b$low, w - half), high = c(b$high, w + half),
       in_low = c(b$in_low, w + half), in_high = c(b$in_high, w - half))
}

check_coefficients <- function(problem) {
  fit <- off_optimum(problem)
  found <- coef(margin_certain(fit, problem$x, decision_response(problem)))
  exact <- exact_terms(optimum_of(problem, fit), unname(fit$scales))
  tight <- coef(margin_certain(decision_fit(problem, 1e-12), problem$x, decision_response(problem)))
  result <- judged_intervals(found[, 2L], found[, 3L], exact)
  result$tight <- stats::median((tight[, 3L] - tight[, 2L]) - (exact$high - exact$low))
  result
}

check_zeros <- function(problem) {
  # near enough that something is certain
  fit <- if (chance(0.5)) decision_fit(problem, 10^runif(1, -10, -2)) else
    loosened(decision_fit(problem, 1e-12), problem$x, 10^runif(1, -8, -2))
  found <- coef(margin_certain(fit, problem$x, decision_response(problem)))
  if (problem$settings$intercept != "none") found <- found[-1L, , drop = FALSE]
  exact <- exact_terms(optimum_of(problem, fit), unname(fit$scales))
  slopes <- length(exact$score) - ncol(problem$x) + seq_len(ncol(problem$x))
  zero <- found[, 2L] == 0 & found[, 3L] == 0
  at <- exact$score[slopes]
  near <- (exact$high - exact$score)[slopes]
  data.frame(checked = sum(zero), violations = sum(zero & abs(at) > near + 1e-12),
             one_sided = sum(zero), finite = sum(zero), used = NA_real_, half = NA_real_,
             slack = stats::median(near),
             # of those that are zero in the reference, the share that is known
             tight = if (any(at == 0)) 1 - mean(zero[at == 0]) else NA_real_)
}

# ---- Kernels ----

kernel_problem_drawn <- function(seed, ...) {
  problem <- decision_problem(seed, ...)
  problem$settings$scale <- FALSE
  problem$x <- problem$x / 3
  problem$new <- problem$new / 3
  problem$kernel <- list(kernel_rbf(0.7), kernel_laplace(0.7), kernel_polynomial(2, 1, 1),
                         as_kernel("linear"))[[sample.int(4L, 1L)]]
  problem
}

kernel_fit_drawn <- function(problem, tol) {
  settings <- problem$settings[setdiff(names(problem$settings), "mixture")]
  suppressMessages(suppressWarnings(do.call(margin_kernel, c(
    list(problem$x, decision_response(problem), kernel = problem$kernel, center = FALSE,
         response_scale = FALSE), settings,
    list(control = margin_control(tol = tol, seed = 1, max_epochs = 3000, progress = FALSE))
  ))))
}

# The same fit with other coefficients and dual variables.
loosened_kernel <- function(fit, size) {
  wrong <- function(v) v + size * rnorm(length(v)) * (mean(abs(v)) + abs(v))
  fit$dual[] <- wrong(fit$dual)
  fit
}

gram_of <- function(kernel) function(a, b = a) plain_kernel(kernel, a, b)

kernel_optimum <- function(problem, at = seq_along(problem$codes),
                           lambda = problem$settings$lambda) {
  settings <- problem$settings
  settings$lambda <- lambda
  exact_optimum(problem$x[at, , drop = FALSE], problem$codes[at], problem$omega[at], settings,
                gram = gram_of(problem$kernel), kernel = problem$kernel,
                regression = problem$regression)
}

check_kernel <- function(problem) {
  fit <- loosened_kernel(kernel_fit_drawn(problem, 10^runif(1, -8, -1)), 10^runif(1, -6, -0.5))
  found <- predict(margin_certain(fit, problem$x, decision_response(problem)), problem$new,
                   data = problem$x, refits = 0)
  exact <- exact_scores(kernel_optimum(problem), problem$new)
  tight <- margin_certain(kernel_fit_drawn(problem, 1e-12), problem$x, decision_response(problem))
  tight <- predict(tight, problem$new, data = problem$x, refits = 0)
  result <- judged_intervals(found$lower, found$upper, exact)
  result$tight <- stats::median((tight$upper - tight$lower) - pmax(exact$high - exact$low, 0))
  result$contradicted <- if (problem$regression) 0 else
    contradicted(found$class, found$decided, exact)
  result
}

# One class: |f - f*|^2 is at most the gap, and with it go the intervals at new rows; f* by a fit at
# 1e-12, in its own ball.
check_oneclass <- function(problem) {
  kernel <- list(kernel_rbf(0.7), kernel_laplace(0.7))[[sample.int(2L, 1L)]]
  nu <- runif(1, 0.05, 1)
  fit_to <- function(tol) {
    suppressMessages(suppressWarnings(margin_oneclass(
      problem$x, nu = nu, kernel = kernel, scale = FALSE, weights = problem$settings$weights,
      control = margin_control(tol = tol, seed = 1, max_epochs = 3000, progress = FALSE)
    )))
  }
  ends_of <- function(fit) predict(margin_certain(fit, problem$x), problem$new)
  fit <- fit_to(10^runif(1, -8, -0.5))
  best <- fit_to(1e-12)
  exact <- ends_of(best)
  found <- ends_of(fit)
  result <- judged_intervals(found$lower, found$upper, list(
    score = exact$score, low = exact$lower, high = exact$upper, in_low = exact$upper,
    in_high = exact$lower
  ))
  apart <- unname(fit$dual - best$dual)
  square <- sum(apart * (gram_of(kernel)(problem$x) %*% apart))
  near <- sqrt(best$certificate$gap) + 1e-8
  result$checked <- result$checked + 1L
  result$violations <- result$violations +
    (sqrt(max(square, 0)) > sqrt(max(fit$certificate$gap, 0)) + near)
  result
}

# ---- Refits ----

# Within what is known without them, around the optimum; tight: the share of what they leave open,
# where that is the aim, though the optimum is known not to be a tie.
check_refits <- function(problem, fit, optimum, new = problem$new) {
  certain <- margin_certain(fit, problem$x, decision_response(problem))
  refits <- sample(c(1, 2, Inf), 1L)
  bounds <- predict(certain, problem$new, data = problem$x, refits = 0)
  found <- predict(certain, problem$new, data = problem$x, refits = refits)
  exact <- exact_scores(optimum, new)
  result <- judged_intervals(found$lower, found$upper, exact)
  result$violations <- result$violations +
    sum(found$lower < bounds$lower | found$upper > bounds$upper)
  result$contradicted <- if (problem$regression) 0 else
    contradicted(found$class, found$decided, exact)
  if (refits == Inf && !problem$regression) {
    clear <- exact$low > 1e-6 | exact$high < -1e-6
    if (any(clear)) result$tight <- mean(!found$decided[clear])
  }
  result
}

# ---- Robust fits with a ridge ----

check_robust <- function(problem) {
  arguments <- list(
    problem$x, decision_response(problem), norm = sample(c("l1", "l2", "linf"), 1L),
    radius = 10^runif(1, -2.5, -0.3), label_cost = sample(c(0.3, 1, 3, Inf), 1L),
    ridge = 10^runif(1, -2.5, 0), scale = problem$settings$scale,
    intercept = problem$settings$intercept, weights = problem$settings$weights
  )
  run <- function(tol) {
    suppressMessages(suppressWarnings(do.call(margin_robust, c(arguments, list(
      control = margin_control(tol = tol, seed = 1, max_epochs = 3000, progress = FALSE)
    )))))
  }
  fit <- run(10^runif(1, -8, -0.5))
  best <- run(1e-12)
  # a reference that is not solved judges nothing
  if (!isTRUE(best$certificate$relative_gap < 1e-7)) {
    return(NULL)
  }
  if (chance(0.5)) {
    # other multipliers, that need not be feasible
    size <- 10^runif(1, -6, -1)
    fit$dual <- fit$dual + size * rnorm(length(fit$dual))
    fit$dual_flip <- fit$dual_flip + size * rnorm(length(fit$dual_flip))
  }
  certain <- margin_certain(fit, problem$x, decision_response(problem))
  scales <- unname(best$scales)
  near <- unname(coef(best)) * if (arguments$intercept == "none") scales else c(1, scales)
  problem$new <- rbind(problem$new, worst_row(problem, fit, certain, near))
  found <- predict(certain, problem$new)
  score <- unname(predict(best, problem$new, type = "score"))
  scaled <- sweep(problem$new, 2L, scales, `/`)
  half <- sqrt(2 * max(best$certificate$gap, 0) / arguments$ridge) *
    sqrt(rowSums(scaled^2) + (arguments$intercept == "penalized")) + 1e-12
  # a free intercept has no strong convexity: what a gap of 1e-12 leaves of it is not known
  if (arguments$intercept == "free") half <- half + 1e-4 * (1 + abs(score))
  judged_scores(found, score, half)
}

# Values that a reference knows to within half.
judged_scores <- function(found, score, half, classes = TRUE) {
  exact <- list(score = score, low = score - half, high = score + half, in_low = score + half,
                in_high = score - half)
  result <- judged_intervals(found$lower, found$upper, exact)
  result$contradicted <- if (classes) contradicted(found$class, found$decided, exact) else 0
  result
}

# ---- Perturbed rows, and hard margins ----

check_augmented <- function(problem) {
  name <- problem$settings$loss$name
  perturbation <- if (name == "squared" && chance(0.5)) perturb_dropout(0.2) else
    if (chance(0.6)) perturb_gaussian(0.3) else new_perturbation()
  run <- function(tol) {
    suppressMessages(suppressWarnings(do.call(margin_augmented, c(
      list(problem$x, decision_response(problem), perturbation = perturbation), problem$settings,
      if (problem$regression) list(response_scale = FALSE),
      list(control = margin_control(tol = tol, seed = 1, max_epochs = 3000, progress = FALSE))
    ))))
  }
  best <- run(1e-12)
  fit <- run(10^runif(1, -6, -0.5))
  certain <- margin_certain(fit, problem$x, decision_response(problem))
  found <- predict(certain, problem$new)
  mu <- problem$settings$lambda * (1 - problem$settings$mixture)
  certificate <- best$certificate
  gap <- max(certificate$gap, 0) + 1e-15 * abs(certificate$value)
  middle <- if (is.null(best$center)) 0 else unname(best$center)
  at <- sweep(sweep(problem$new, 2L, middle), 2L, unname(best$scales), `/`)
  half <- sqrt(2 * gap / mu) * sqrt(rowSums(at^2) + 1) + 1e-12
  judged_scores(found, unname(predict(best, problem$new, type = "score")), half,
                !problem$regression)
}

check_hard <- function(problem) {
  free <- problem$settings$intercept == "free"
  way <- rnorm(ncol(problem$x))
  problem$codes <- problem$codes * if (chance(0.5)) 1 else -1
  shift <- 3 * max(abs(problem$x)) * way / sqrt(sum(way^2))
  problem$x <- problem$x + outer(problem$codes, shift)
  problem$new <- rbind(problem$x[1:3, , drop = FALSE], problem$x[4:5, , drop = FALSE] / 3)
  run <- function(tol) {
    tryCatch(suppressMessages(suppressWarnings(margin_hard(
      problem$x, decision_response(problem), intercept = problem$settings$intercept,
      scale = problem$settings$scale, solver = if (tol > 1e-9) "smo" else "auto",
      control = margin_control(tol = tol, seed = 1, progress = FALSE)
    ))), dualmargin_input_error = function(condition) NULL)
  }
  best <- run(1e-12)
  fit <- run(10^runif(1, -6, -0.5))
  usable <- function(fit) !is.null(fit) && isTRUE(fit$certificate$value > 0)
  if (!usable(best) || !usable(fit)) {
    return(NULL)
  }
  found <- predict(margin_certain(fit, problem$x, decision_response(problem)), problem$new)
  certificate <- best$certificate
  radius <- sqrt(2 * max(certificate$gap, 1e-15 * certificate$bound) / certificate$bound)
  scaled <- function(x) sweep(x, 2L, unname(best$scales), `/`)
  x <- scaled(problem$x)
  at <- scaled(problem$new)
  # a free intercept is in the middle between the classes, around the row that is predicted
  far <- if (!free) sqrt(rowSums(at^2) + (problem$settings$intercept == "penalized")) else
    vapply(seq_len(nrow(at)), function(i) max(sqrt(rowSums(sweep(x, 2L, at[i, ])^2))), 0)
  judged_scores(found, unname(predict(best, problem$new, type = "score")),
                radius * far + 1e-12 * max(abs(x)))
}

# ---- One problem of all classes ----

# By Newton's method in plain R: the scores of `at`, around their mean over the classes, at the
# optimum of the softmax loss. Rows with a last entry 1 where there is an intercept.
plain_softmax_scores <- function(x, y, omega, lambda, free, at) {
  k <- max(y)
  share <- omega / sum(omega)
  ridge <- c(rep(lambda, ncol(x) - free), if (free) 0)
  target <- outer(y, seq_len(k), `==`) + 0
  w <- matrix(0, ncol(x), k)
  probabilities <- function(w) {
    z <- x %*% w
    p <- exp(z - apply(z, 1L, max))
    p / rowSums(p)
  }
  value <- function(w) {
    z <- x %*% w
    top <- apply(z, 1L, max)
    sum(share * (top + log(rowSums(exp(z - top))) - rowSums(target * z))) + sum(ridge * w^2) / 2
  }
  for (step in 1:60) {
    p <- probabilities(w)
    gradient <- crossprod(x, share * (p - target)) + ridge * w
    hessian <- matrix(0, length(w), length(w))
    at_class <- function(c) (c - 1L) * ncol(x) + seq_len(ncol(x))
    for (c in seq_len(k)) for (d in seq_len(k)) {
      hessian[at_class(c), at_class(d)] <- crossprod(x, x * (share * p[, c] * ((c == d) - p[, d])))
    }
    hessian <- hessian + diag(rep(ridge, k))
    # free intercepts may all move by one number
    last <- if (free) ncol(x) * seq_len(k)
    hessian[last, last] <- hessian[last, last] + 0.1
    move <- matrix(solve(hessian, as.vector(gradient), tol = 1e-300), nrow(w))
    size <- 1
    while (size > 1e-6 && value(w - size * move) > value(w)) size <- size / 2
    w <- w - size * move
    if (max(abs(move)) <= 1e-15 * max(abs(w))) break
  }
  z <- at %*% w
  z - rowMeans(z)
}

check_joint <- function(problem, multiclass) {
  n <- nrow(problem$x)
  problem$settings$loss <- NULL
  k <- sample(3:4, 1L)
  score <- scale(problem$x, scale = FALSE) %*% matrix(rnorm(ncol(problem$x) * k), ncol = k)
  y <- max.col(score / (1 + max(abs(score))) + 0.3 * rnorm(length(score)))
  y[seq_len(2L * k)[seq_len(min(n, 2L * k))]] <- rep_len(seq_len(k), min(n, 2L * k))
  problem$settings$weights <- if (!is.null(problem$settings$weights)) pmax(problem$omega, 0.2)
  omega <- if (is.null(problem$settings$weights)) rep(1, n) else problem$settings$weights
  response <- factor(letters[y])
  run <- function(tol) {
    suppressMessages(suppressWarnings(do.call(margin_linear, c(
      list(problem$x, response, multiclass = multiclass), problem$settings,
      list(control = margin_control(tol = tol, seed = 1, max_epochs = 3000, progress = FALSE))
    ))))
  }
  best <- run(1e-12)
  fit <- if (chance(0.5)) run(10^runif(1, -8, -1)) else
    loosened(best, problem$x, 10^runif(1, -6, -0.3))
  found <- predict(margin_certain(fit, problem$x, response), problem$new)
  k <- length(levels(response))
  scaled <- function(x) sweep(x, 2L, unname(best$scales), `/`)
  free <- problem$settings$intercept == "free"
  one <- if (problem$settings$intercept != "none") 1
  at <- cbind(scaled(problem$new), one)
  if (multiclass == "softmax") {
    # moved to the mean where that changes nothing, for the digits
    middle <- if (free) colMeans(scaled(problem$x)) else 0
    x <- cbind(sweep(scaled(problem$x), 2L, middle), one)
    score <- plain_softmax_scores(x, as.integer(response), omega, problem$settings$lambda, free,
                                  cbind(sweep(scaled(problem$new), 2L, middle), one))
    half <- 1e-8 * (1 + abs(score))
  } else {
    score <- predict(best, problem$new, type = "score")
    score <- unname(score - rowMeans(score))
    certificate <- best$certificate
    gap <- max(certificate$gap, 0) + 1e-15 * abs(certificate$value)
    half <- outer(sqrt(2 * gap / problem$settings$lambda) * sqrt(rowSums(at^2)) + 1e-12, rep(1, k))
  }
  ends <- function(name) as.vector(as.matrix(found[paste0(name, "_", levels(response))]))
  result <- judged_scores(list(lower = ends("lower"), upper = ends("upper")), as.vector(score),
                          as.vector(half), FALSE)
  own <- score[cbind(seq_len(nrow(score)), as.integer(found$class))]
  result$contradicted <- sum(found$decided & rowSums(score - own > 2 * half) > 0)
  result$decided <- mean(found$decided)
  result
}

# ---- C: a row left out ----

# by: the rows that are looked at, "bound" (from the fit alone) or the others.
check_left_out <- function(problem, by = "bound", rule = sample(c("cost", "lambda"), 1L)) {
  fit <- if (chance(0.3)) decision_fit(problem, 1e-10) else off_optimum(problem)
  loo <- margin_loo(fit, problem$x, decision_response(problem), rule = rule)
  judged_rows(problem, loo, by, rule, function(i, lambda) {
    settings <- problem$settings
    settings$lambda <- lambda
    x <- scaled_by(problem, fit)
    optimum <- exact_optimum(x[-i, , drop = FALSE], problem$codes[-i], problem$omega[-i], settings,
                             regression = problem$regression)
    exact_scores(optimum, x[i, , drop = FALSE])
  })
}

check_left_out_kernel <- function(problem, by, rule = sample(c("cost", "lambda"), 1L)) {
  fit <- kernel_fit_drawn(problem, if (chance(0.5)) 1e-10 else 10^runif(1, -8, -1))
  if (chance(0.3)) fit <- loosened_kernel(fit, 10^runif(1, -6, -0.5))
  loo <- margin_loo(fit, problem$x, decision_response(problem), rule = rule)
  judged_rows(problem, loo, by, rule, function(i, lambda) {
    exact_scores(kernel_optimum(problem, -i, lambda), problem$x[i, , drop = FALSE])
  })
}

# Three rows of those found that way.
judged_rows <- function(problem, loo, by, rule, exact_at) {
  rows <- as.data.frame(loo)
  some <- which(rows$by %in% by)
  if (length(some) == 0L) {
    return(NULL)
  }
  some <- some[sample.int(length(some), min(3L, length(some)))]
  total <- sum(problem$omega)
  exact <- lapply(some, function(i) {
    left <- total - problem$omega[i]
    exact_at(i, problem$settings$lambda * if (rule == "cost") total / left else 1)
  })
  exact <- lapply(stats::setNames(nm = names(exact[[1L]])), function(name) {
    vapply(exact, `[[`, 0, name)
  })
  result <- judged_intervals(rows$lower[some], rows$upper[some], exact)
  result$tight <- NA_real_
  result$contradicted <- if (problem$regression) 0 else
    contradicted(rows$class[some], !rows$by[some] %in% c("tie", "open", "no optimum"), exact)
  result$decided <- mean(rows$by == "bound")
  result
}

# At an exact fit (ridge, no or penalised intercept, rule "cost") the free interval reaches from z
# to z + q a, q = omega |x|^2/kappa, and no further: the share by which it is longer.
surplus_of_ball <- function(problem) {
  fit <- decision_fit(problem, 1e-14)
  rows <- as.data.frame(margin_loo(fit, problem$x, decision_response(problem)))
  x <- scaled_by(problem, fit)
  square <- rowSums(x^2) + (problem$settings$intercept == "penalized")
  reach <- abs(problem$omega * square * as.vector(fit$dual)) /
    (problem$settings$lambda * sum(problem$omega))
  at <- rows$by == "bound" & reach > 1e-3
  if (!any(at)) {
    return(NA_real_)
  }
  max((rows$upper - rows$lower - reach)[at] / reach[at])
}

# Fits whose balls rounding keeps wide: penalised intercepts of columns far from the origin, a small
# lambda, weights from 1e-4 to 1e4, any tolerance; and rows whose value without themselves is 0.
loose_problem <- function(seed, losses = names(decision_losses)) {
  problem <- decision_problem(seed, losses, n = 8L + 2L * sample.int(12L, 1L), numeric_y = FALSE)
  n <- nrow(problem$x)
  settings <- problem$settings
  settings$lambda <- 10^runif(1, -6, -1)
  kind <- sample(c("far", "weights", "tie", "plain"), 1L)
  if (kind == "far") {
    problem$x <- problem$x + rep(10^runif(ncol(problem$x), 0, 4), each = n)
    settings$intercept <- sample(c("penalized", "none", "free"), 1L, prob = c(2, 1, 1))
    settings$scale <- TRUE
  } else if (kind == "weights") {
    settings$weights <- 10^runif(n, -4, 4)
    problem$omega <- settings$weights
  } else if (kind == "tie") {
    # each row and its mirror image of the other class: w = 0 or b = 0, and 0 where a row is 0
    half <- seq_len(n / 2)
    problem$x[-half, ] <- problem$x[half, ]
    problem$codes <- rep(c(-1, 1), each = n / 2)
    settings["weights"] <- list(NULL)
    problem$omega <- rep(1, n)
  }
  problem$groups <- if (kind == "tie") rep(seq_len(n / 2), 2L)
  problem$settings <- settings
  problem
}

check_loose <- function(problem) {
  fit <- decision_fit(problem, 10^runif(1, -12, -1))
  loo <- margin_loo(fit, problem$x, decision_response(problem), groups = problem$groups)
  rows <- loo$rows
  s <- loo$summary
  sets <- if (is.null(problem$groups)) as.list(seq_along(problem$codes)) else
    unname(split(seq_along(problem$codes), problem$groups))
  # all ties, and of the others three
  of <- vapply(sets, function(out) any(rows$by[out] == "tie"), NA)
  some <- union(which(of), sample.int(length(sets), 3L))
  x <- scaled_by(problem, fit)
  total <- sum(problem$omega)
  smooth <- problem$settings$loss$gamma > 0
  found <- lapply(sets[some], function(out) {
    omega <- problem$omega[-out]
    if (any(table(factor(problem$codes[-out][omega > 0], c(-1, 1))) == 0)) return(NULL)
    settings <- problem$settings
    settings$lambda <- settings$lambda * total / sum(omega)
    exact <- if (smooth) {
      border <- if (settings$intercept == "penalized") cbind(x, 1) else x
      best <- plain_optimum(border[-out, , drop = FALSE], problem$codes[-out], omega,
                            settings$loss, settings$lambda, settings$intercept == "free")
      at <- plain_optimum_scores(best, border[out, , drop = FALSE])
      list(score = at$score, low = at$score - at$off, high = at$score + at$off,
           in_low = at$score + at$off, in_high = at$score - at$off)
    } else {
      exact_scores(exact_optimum(x[-out, , drop = FALSE], problem$codes[-out], omega, settings),
                   x[out, , drop = FALSE])
    }
    result <- judged_intervals(rows$lower[out], rows$upper[out], exact)
    room <- 1e-7 * max(1, abs(fit$scores))
    tied <- rows$by[out] == "tie"
    result$violations <- result$violations +
      sum(tied & (exact$low > room | exact$high < -room))
    result$contradicted <- contradicted(rows$class[out], !rows$by[out] %in%
                                          c("tie", "open", "no optimum"), exact)
    result
  })
  found <- do.call(rbind, found)
  if (is.null(found)) {
    return(NULL)
  }
  used <- problem$omega > 0
  counted <- s$errors_upper - s$errors_lower == sum(rows$by[used] %in% c("tie", "open")) &&
    is.na(s$errors) == (s$open > 0L) && identical(is.na(rows$wrong), rows$by == "open")
  data.frame(checked = sum(found$checked), violations = sum(found$violations) + !counted,
             contradicted = sum(found$contradicted), one_sided = sum(found$one_sided),
             finite = sum(found$finite), used = NA_real_, half = stats::median(found$half),
             slack = stats::median(found$slack), tight = mean(rows$by == "tie"),
             decided = 1 - mean(rows$by == "open"))
}

of_numbers <- function(problem) {
  problem$regression <- TRUE
  problem$codes <- drop(scale(problem$x, scale = FALSE) %*% rnorm(ncol(problem$x))) +
    rnorm(nrow(problem$x))
  problem
}

# The left-out deviance or mean squared error: it is held, and known to the precision unless that is
# said.
check_precision <- function(problem) {
  fit <- decision_fit(problem, 10^runif(1, -12, -1))
  precision <- 10^runif(1, -4, -0.5)
  rule <- sample(c("cost", "lambda"), 1L)
  loo <- margin_loo(fit, problem$x, decision_response(problem), precision = precision, rule = rule)
  s <- loo$summary
  exact <- plain_left_out(fit, problem$x, problem$codes, rule)
  omega <- problem$omega
  sum_of <- function(score) {
    if (problem$regression) return(sum(omega * (problem$codes - score)^2) / sum(omega))
    sum((2 * omega * log1p(exp(-problem$codes * score)))[omega > 0])
  }
  best <- sum_of(exact$score)
  near <- exact$off
  room <- 1e-9 * best + if (problem$regression) {
    sum(omega * near * (2 * abs(problem$codes - exact$score) + near)) / sum(omega)
  } else {
    sum_of(exact$score - problem$codes * near) - best
  }
  ends <- unlist(s[paste0(if (problem$regression) "mse" else "deviance", c("_lower", "_upper"))])
  told <- s$precision <= precision ||
    any(grepl("NOT kept", gsub("\\s+", " ", paste(utils::capture.output(print(loo)),
                                                  collapse = " "))))
  lost <- all(is.finite(ends)) && (ends[1L] > best + room || ends[2L] < best - room)
  data.frame(checked = 3L, violations = lost + !told +
               !isTRUE(all.equal(s$precision, unname(ends[2L] / ends[1L] - 1), tolerance = 1e-6)) *
               is.finite(ends[2L]), one_sided = 3L, finite = 3L,
             used = NA_real_, half = unname(diff(ends) / 2 / best), slack = room / best,
             tight = s$precision / precision, decided = as.numeric(s$precision <= precision))
}

check_ball <- function(problem) {
  result <- check_left_out(problem)
  surplus <- surplus_of_ball(problem)
  if (!is.null(result)) result$tight <- surplus
  result
}

# ---- C6: other rows ----

# Rows leave, have another label or weight, or come; both classes stay.
check_change <- function(problem) {
  rule <- sample(c("cost", "lambda"), 1L)
  n <- length(problem$codes)
  in_space <- !is.null(problem$kernel)
  fit <- if (in_space) {
    loosened_kernel(kernel_fit_drawn(problem, 1e-10), 10^runif(1, -9, -0.5))
  } else if (chance(0.3)) {
    decision_fit(problem, 1e-10)
  } else {
    off_optimum(problem)
  }
  some <- function() sample(3:n, sample.int(max(1L, n %/% 5L), 1L))
  change <- list()
  codes <- problem$codes
  omega <- problem$omega
  x <- problem$x
  if (chance(0.3)) {
    at <- some()
    codes[at] <- if (problem$regression) codes[at] + rnorm(length(at)) else -codes[at]
    change$relabel <- replace(rep(NA, n), at, if (problem$regression) codes[at] else
      as.character(codes[at]))
  }
  if (chance(0.3)) {
    omega <- omega * exp(rnorm(n) / 5)
    change$weights <- omega
  }
  if (chance(0.5) || length(change) == 0L) {
    change$remove <- some()
    omega[change$remove] <- 0
  }
  if (chance(0.3)) {
    more <- x[1:2, , drop = FALSE] + rnorm(2L * ncol(x)) / 2
    change$add <- list(x = more, y = decision_response(problem, 1:2))
    x <- rbind(x, more)
    codes <- c(codes, problem$codes[1:2])
    omega <- c(omega, 1, 1)
  }
  found <- as.data.frame(do.call(margin_sensitivity, c(
    list(fit, problem$x, decision_response(problem), problem$new, rule = rule,
         refits = if (sample(0:2, 1L) > 0) Inf else 0), change
  )))
  scales <- unname(fit$scales)
  settings <- problem$settings
  if (rule == "cost") settings$lambda <- settings$lambda * sum(problem$omega) / sum(omega)
  gram <- if (in_space) gram_of(problem$kernel) else tcrossprod
  optimum <- exact_optimum(sweep(x, 2L, scales, `/`), codes, omega, settings, gram,
                           problem$kernel, problem$regression)
  exact <- exact_scores(optimum, sweep(problem$new, 2L, scales, `/`))
  result <- judged_intervals(found$lower, found$upper, exact)
  result$contradicted <- if (problem$regression) 0 else
    contradicted(found$class, found$decided, exact)
  result$decided <- if (problem$regression) NA_real_ else mean(found$decided)
  result
}

# ---- E: tuning ----

check_tuning <- function(problem, eps = 0.1) {
  settings <- problem$settings
  n <- length(problem$codes)
  # each class twice in every training part
  folds <- c(1L, 2L, 2L, 1L, sample(rep_len(1:3, n - 4L)))
  y <- decision_response(problem)
  range <- settings$lambda * c(1, 10)
  tune <- suppressWarnings(margin_cv(
    problem$x, y, prove = TRUE, grid = list(lambda = range), folds = folds, eps = eps, loss = settings$loss,
    intercept = settings$intercept, scale = settings$scale, weights = settings$weights,
    max_points = 30
  ))
  lambda <- c(exp(runif(2, log(range[1L]), log(range[2L]))), tune$lambda)
  errors <- vapply(lambda, function(one) {
    settings$lambda <- one
    parts <- vapply(sort(unique(folds)), function(fold) {
      train <- folds != fold
      scales <- 1
      if (settings$scale) {
        scales <- unname(suppressWarnings(margin_linear(
          problem$x[train, , drop = FALSE], y[train], weights = problem$omega[train],
          control = margin_control(max_epochs = 1, progress = FALSE)
        ))$scales)
      }
      x <- sweep(problem$x, 2L, scales, `/`)
      exact <- exact_scores(exact_optimum(x[train, , drop = FALSE], problem$codes[train],
                                          problem$omega[train], settings),
                            x[!train, , drop = FALSE])
      own <- problem$codes[!train]
      weight <- problem$omega[!train]
      certain <- ifelse(own > 0, exact$high < 0, exact$low >= 0)
      possible <- ifelse(own > 0, exact$low < 0, exact$high >= 0)
      c(sum(weight[certain]), sum(weight[possible]))
    }, c(0, 0))
    rowSums(parts) / sum(problem$omega)
  }, c(0, 0))
  steps <- vapply(lambda, function(one) {
    min(tune$bound$lower[tune$bound$from <= one & tune$bound$to >= one])
  }, 0)
  room <- 1e-12
  wrong <- c(errors[2L, ] < tune$least - room, errors[2L, ] < steps - room,
             errors[1L, 3L] > tune$error[["upper"]] + room,
             errors[2L, 3L] < tune$error[["lower"]] - room,
             tune$proven && errors[1L, 3L] > tune$least + eps + room)
  data.frame(checked = length(wrong), violations = sum(wrong), one_sided = length(wrong),
             finite = length(wrong), used = NA_real_, half = NA_real_,
             slack = mean(errors[2L, ] - errors[1L, ]),
             # how far the steps are below the errors that are there
             tight = mean(errors[2L, 1:2] - steps[1:2]), decided = as.numeric(tune$proven))
}

# ---- The statements ----

decision_statements <- local({
  no_free <- c("penalized", "none")
  free <- "free"
  list(
    A1 = function(s) check_coefficients(decision_problem(s, without_curvature,
                                                         mixture = ridge_or_net)),
    A2 = function(s) check_scores(decision_problem(s, without_curvature, no_free, ridge_or_net)),
    A3 = function(s) check_scores(decision_problem(s, without_curvature, free, ridge_or_net)),
    A4 = function(s) {
      check <- if (s %% 3L == 0L) check_coefficients else check_scores
      check(decision_problem(s, with_curvature, mixture = ridge_or_net))
    },
    A6 = function(s) check_kernel(kernel_problem_drawn(s)),
    A7 = function(s) check_robust(decision_problem(s, "hinge", no_free)),
    A8 = function(s) check_robust(decision_problem(s, "hinge", free)),
    A9 = function(s) check_augmented(decision_problem(
      s, c("smooth_hinge", "squared_hinge", "logistic", "squared", "huber"), no_free, ridge_or_net
    )),
    A10 = function(s) check_hard(decision_problem(s, "hinge")),
    A11 = function(s) check_joint(decision_problem(s, "logistic", numeric_y = FALSE), "softmax"),
    A12 = function(s) check_joint(decision_problem(s, "logistic", no_free, numeric_y = FALSE),
                                  "crammer_singer"),
    A13 = function(s) {
      problem <- decision_problem(s, mixture = ridge_or_net)
      fit <- off_optimum(problem)
      new <- sweep(problem$new, 2L, unname(fit$scales), `/`)
      check_refits(problem, fit, optimum_of(problem, fit), new)
    },
    A14 = function(s) {
      problem <- kernel_problem_drawn(s)
      fit <- loosened_kernel(kernel_fit_drawn(problem, 10^runif(1, -8, -1)), 10^runif(1, -6, -0.5))
      check_refits(problem, fit, kernel_optimum(problem))
    },
    A15 = function(s) check_oneclass(decision_problem(s, "hinge", numeric_y = FALSE)),
    B3 = function(s) check_zeros(decision_problem(s, setdiff(names(decision_losses), "hinge"),
                                                  mixture = elastic)),
    C1 = function(s) check_ball(decision_problem(s, without_curvature, no_free)),
    C2 = function(s) check_left_out(decision_problem(s, mixture = elastic)),
    C3 = function(s) check_left_out(decision_problem(s, without_curvature, free)),
    C4 = function(s) check_left_out(decision_problem(s, with_curvature)),
    C5 = function(s) check_left_out(decision_problem(s, mixture = if (s %% 4L == 0L) elastic else
      0), c("step", "refit", "tie", "open")),
    C6 = function(s) check_change(decision_problem(s, mixture = ridge_or_net)),
    C7 = function(s) check_left_out_kernel(kernel_problem_drawn(s), if (s %% 2L == 1L) "bound" else
      c("refit", "tie", "open")),
    C8 = function(s) check_change(kernel_problem_drawn(s)),
    C9 = function(s) check_loose(loose_problem(s)),
    C10 = function(s) check_precision(switch(
      s %% 3L + 1L, loose_problem(s, "logistic"), decision_problem(s, "logistic"),
      of_numbers(decision_problem(s, c("squared", "huber")))
    )),
    E1 = function(s) check_tuning(decision_problem(s, "hinge", no_free, numeric_y = FALSE), 0.2),
    E2 = function(s) check_tuning(decision_problem(s, with_curvature, numeric_y = FALSE)),
    E3 = function(s) check_tuning(decision_problem(s, c("smooth_hinge", "squared_hinge", "huber"),
                                                   no_free, numeric_y = FALSE))
  )
})

# The problems of a statement that the seeds name: a row each, with what went wrong as a violation.
run_decisions <- function(statement, seeds) {
  check <- decision_statements[[statement]]
  rows <- lapply(seeds, function(seed) {
    found <- tryCatch(check(seed), error = function(e) {
      data.frame(checked = 0L, violations = 1L, failed = conditionMessage(e))
    })
    if (is.null(found)) found <- data.frame(checked = 0L, violations = 0L)
    for (name in setdiff(decision_columns, names(found))) {
      found[[name]] <- if (name == "failed") "" else NA_real_
    }
    cbind(data.frame(statement, seed), found[decision_columns])
  })
  do.call(rbind, rows)
}

decision_columns <- c("checked", "violations", "contradicted", "one_sided", "finite", "used",
                      "half", "slack", "tight", "decided", "failed")
