# The changed problem of a kernel fit, in function space. A function is sum_j w_j k(x_j, .) over all
# rows, those that leave and those that come included; that of the dual point has the coefficients
# v = -omega a/(mu W). The optimum is in the ball around (w + v)/2 with r^2 = F/mu + |w - v|^2/4.

# As change_rows(); a set is solved by so many Newton steps.
change_functions <- function(certain, x, change, sets, new, rule, refits, steps) {
  fit <- certain$fit
  rows <- kernel_space(fit, x, change$added$x)
  pairs <- lapply(seq_len(ncol(coef_matrix(fit))), function(k) {
    fitted_function(fit, k, rows, nrow(x))
  })
  frame <- kernel_frame(fit, new$x)
  found_by <- function(steps) function(out) {
    change$out[out] <- TRUE
    found <- lapply(seq_along(pairs), function(k) {
      changed_pair(fit, pairs[[k]], rows, change, k, rule, steps)
    })
    ends <- changed_intervals(found, identical(found, pairs), rows, frame)
    list(ends = Map(one_class_ends, ends, found), out = change$out, solved = steps > 0)
  }
  if (refits >= length(sets)) {
    return(lapply(sets, found_by(steps)))
  }
  found <- lapply(sets, found_by(0))
  open <- vapply(found, function(one) sum(open_classes_of(fit, one$ends)), 0)
  first <- utils::head(order(open, decreasing = TRUE), refits)
  first <- first[open[first] > 0 | fit$task == "regression"]
  found[first] <- lapply(sets[first], found_by(steps))
  found
}

# same: are they the pairs of the fit?
changed_intervals <- function(found, same, rows, frame) {
  question <- question_of_functions(found, rows)
  regions <- regions_of_functions(question, rows)
  ends <- function_intervals(regions, rows, frame)
  near <- if (same || length(ends) > 1L) seq_len(nrow(frame$x)) else near_a_sign(ends[[1L]])
  some <- list(x = frame$x[near, , drop = FALSE], rest = frame$rest)
  sharp <- function_intervals(regions, rows, some, question)
  Map(function(ends, sharp) {
    ends[near, ] <- sharp
    ends
  }, ends, sharp)
}

frame_points <- function(fit, frame) {
  kernel_points(fit$settings$kernel, frame$x, rest = frame$rest)
}

# k(x, x), with 1 for a penalised intercept
self_kernel <- function(fit, frame) {
  kernel <- fit$settings$kernel
  own <- switch(
    kernel$name,
    rbf = , laplace = rep(1, nrow(frame$x)),
    linear = squared_lengths(frame, above = TRUE),
    polynomial = (kernel$scale * squared_lengths(frame, above = TRUE) + kernel$offset)^kernel$degree
  )
  own + (fit$settings$intercept == "penalized")
}

# Values of the kernel with the points times weights, a block of rows at a time. They add up to
# those of the core's expansion of these points.
kernel_times <- function(fit, frame, points, weights) {
  n <- nrow(frame$x)
  result <- matrix(0, n, ncol(weights))
  size <- max(nrow(weights), as.integer(1e7 / max(ncol(frame$x), 1L)))
  for (begin in seq.int(1L, by = size, length.out = ceiling(n / size))) {
    rows <- begin:min(n, begin + size - 1L)
    both <- stack_rows(frame$x[rows, , drop = FALSE], points$x)
    result[rows, ] <- kernel_expansion(fit$settings$kernel, both, length(rows), weights,
                                       rest = frame$rest, threads = fit$settings$control$threads)
  }
  if (fit$settings$intercept == "penalized") sweep(result, 2L, colSums(weights), `+`) else result
}

# Roundings of a sum of `terms` kernel values, in units of their Cauchy-Schwarz bound.
kernel_rounding <- function(fit, terms = nrow(fit$support$x)) {
  degree <- if (fit$settings$kernel$name == "polynomial") fit$settings$kernel$degree else 1
  4 * unit_roundoff * (terms + 64 * degree * (length(fit$scales) + 4))
}

# Up to so many rows the n x n matrix is factored.
largest_hessian <- 2000L

# The rows of the fit and those that come. gram: their kernel values, where a step may be taken.
kernel_space <- function(fit, x, more = NULL) {
  frame <- kernel_frame(fit, if (is.null(more)) x else stack_rows(x, more))
  n <- nrow(frame$x)
  rounding <- kernel_rounding(fit, n)
  rows <- list(kernel_fit = fit, frame = frame, points = frame_points(fit, frame), n = n,
               rounding = rounding, squares = self_kernel(fit, frame) * (1 + rounding))
  if (n <= largest_hessian) rows$gram <- kernel_times(fit, frame, rows$points, diag(n))
  rows
}

# Values at the rows.
space_times <- function(rows, w) {
  drop(if (is.null(rows$gram)) {
    kernel_times(rows$kernel_fit, rows$frame, rows$points, as.matrix(w))
  } else {
    rows$gram %*% w
  })
}

# The function of the fit's dual point, of all rows; those that come have no part in it.
fitted_function <- function(fit, k, rows, n) {
  settings <- fit$settings
  responses <- responses_of_fit(fit)
  y <- responses$y[, k]
  omega <- responses$omega
  free <- settings$intercept == "free"
  loss <- loss_calculus(settings$loss)
  # rows that are no support vectors have a = 0 or no weight: balancing leaves them so
  a <- loss$nearest(unname(as.matrix(fit$dual)[, k]), y)
  at <- fit$support$at
  a[setdiff(seq_along(a), at)] <- 0
  if (free) a[at] <- balanced_dual(settings$loss, a[at], omega[at])
  w <- numeric(rows$n)
  w[at] <- -(omega * a)[at] / (settings$lambda * sum(omega))
  b <- 0
  if (free) {
    score <- space_times(rows, w)[seq_len(n)]
    b <- drop(best_offsets(loss, matrix(score), y, matrix(omega), 0))
  }
  pair <- list(loss = loss, y = y, omega = omega, total = sum(omega), free = free, a = a, b = b,
               w = w, mu = settings$lambda, l1 = 0)
  if (rows$n == n) space_pair(pair, rows) else pair
}

# With a feasible, its scores and their rounding, and the radius of its ball.
space_pair <- function(pair, rows) {
  omega <- pair$omega
  total <- sum(omega)
  a <- pair$loss$nearest(pair$a, pair$y)
  if (pair$free) a <- balanced_dual(pair$loss$loss, a, omega)
  far <- sqrt(rows$squares)
  score <- space_times(rows, pair$w)
  pair$a <- a
  pair$total <- total
  pair$z <- score + pair$b
  pair$z_rounding <- rows$rounding * (far * sum(abs(pair$w) * far) + abs(pair$b))
  pair$excess <- weighted_excess(pair)
  own <- -omega * a / (pair$mu * total)
  apart <- pair$w - own
  between <- sum(apart * space_times(rows, apart))
  # of the kernel values, and of the coefficients
  apart <- sqrt(square_above(between, rows$rounding * sum(abs(apart) * far)^2)) +
    8 * unit_roundoff * sum((abs(pair$w) + abs(own)) * far)
  pair$apart <- apart
  pair$radius <- sqrt(sum(pair$excess) / (pair$mu * total) + apart^2 / 4) * (1 + 1e-12)
  # the length of the middle as far as its terms go
  pair$size <- sum(abs(pair$w + own) / 2 * far) * (1 + 1e-12)
  pair$length <- sqrt(judged_square(sum(pair$w * score), rows$rounding * sum(abs(pair$w) * far)^2))
  pair
}

# What the core is asked about pairs of one problem for each class.
question_of_functions <- function(pairs, rows) {
  one <- pairs[[1L]]
  all <- function(part) do.call(cbind, lapply(pairs, `[[`, part))
  c(loss_for_core(one$loss$loss), list(
    free = one$free, mu = one$mu, omega = one$omega, y = all("y"), dual = all("a"), w = all("w"),
    at = seq_len(rows$n)
  ))
}

regions_of_functions <- function(question, rows) {
  ask_kernel(certain_kernel_cpp, rows$kernel_fit, list(rows$frame), question, FALSE, FALSE)$problems
}

# A matrix of lower and upper ends for each region; question: for a second look at what is open.
function_intervals <- function(regions, rows, frame, question = NULL) {
  ends <- kernel_region_ends(rows$kernel_fit, regions, frame, rows$frame, question, rows$frame)
  lapply(seq_along(regions), function(k) cbind(ends$lower[, k], ends$upper[, k]))
}

# The Hessian sum_j d_j^2 k_j k_j' + kappa in function space, d_j^2 = omega_j phi''(z_j), with its
# border of a free intercept. Applied to sum_j r_j k_j its inverse is
# sum_j (r - d M^{-1} d K r)_j k_j/kappa, M = kappa I + D K D.
space_hessian <- function(pair, rows) {
  if (pair$loss$gamma == 0 || is.null(rows$gram)) {
    return(NULL)
  }
  d <- sqrt(pair$omega * pair$loss$curvature(pair$z, pair$y))
  kappa <- pair$mu * pair$total
  root <- tryCatch(chol(rows$gram * outer(d, d) + diag(kappa, rows$n)),
                   error = function(condition) NULL)
  if (is.null(root)) {
    return(NULL)
  }
  solve <- function(v) drop(backsolve(root, backsolve(root, v, transpose = TRUE)))
  border <- if (pair$free) solve(d)
  mass <- kappa * sum(d * border)
  # slopes that are all flat say nothing of a free intercept
  if (pair$free && !(mass > 0)) {
    return(NULL)
  }
  list(d = d, kappa = kappa, free = pair$free, solve = solve, border = border, mass = mass)
}

# H^{-1} (sum_j r_j k_j, last): coefficients and the entry of the intercept.
space_solve <- function(hessian, rows, r, last) {
  v <- hessian$solve(hessian$d * space_times(rows, r))
  b <- if (hessian$free) (last - sum(hessian$d * v)) / hessian$mass else 0
  w <- (r - hessian$d * v) / hessian$kappa
  list(w = if (hessian$free) w - hessian$d * hessian$border * b else w, b = b)
}

# Newton steps of the changed problem, whole, halved and quartered: the slopes there are the dual
# variables.
newton_functions <- function(make, pair, rows) {
  hessian <- space_hessian(pair, rows)
  if (is.null(hessian)) {
    return(NULL)
  }
  pull <- pair$omega * pair$loss$left(pair$z, pair$y)
  step <- space_solve(hessian, rows, hessian$kappa * pair$w + pull, sum(pull))$w
  lapply(c(1, 0.5, 0.25), function(share) {
    w <- pair$w - share * step
    z <- space_times(rows, w)
    b <- if (!pair$free) 0 else
      drop(best_offsets(pair$loss, cbind(z), pair$y, cbind(pair$omega), pair$b))
    if (all(is.finite(c(w, b)))) make(pair$loss$left(z + b, pair$y), b, w)
  })
}
