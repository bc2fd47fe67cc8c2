# What is certain about the optimum of a kernel fit. Its function is that of its dual point,
# f = -(1/(lambda W)) sum_i omega_i a_i k(x_i, .), so the ball in function space is around the fit
# itself, with r^2 = F/lambda. Norms and inner products are kernel values.

certain_kernels <- c("rbf", "laplace", "polynomial", "linear")

assert_certain_kernel <- function(fit, caller) {
  settings <- fit$settings
  why <- if (!settings$kernel$name %in% certain_kernels) {
    sprintf("a %s kernel, whose value of a new row with itself is not given", settings$kernel$name)
  } else if (!is.null(fit$mixed)) {
    "mixed rows"
  } else if (!is.null(settings$nystrom)) {
    "landmarks (nystrom), so its optimum is that of an approximation"
  } else if (is_softmax(fit)) {
    "a multinomial model; multiclass = \"one_vs_rest\" has one problem for each class"
  } else if (inherits(fit$response, "soft_labels")) {
    "soft labels"
  }
  if (!is.null(why)) {
    abort_input(sprintf("`fit` has %s: %s does not bound its optimum yet.", why, caller), "fit")
  }
}

# Rows as the kernel sees them.
kernel_frame <- function(fit, x) {
  scales <- unname(fit$scales)
  if (!is.null(fit$center)) {
    return(centred_rows(x, unname(fit$center), scales))
  }
  # a fit without support vectors has no rows to be centred
  near <- is_isotropic(fit$settings$kernel) && nrow(fit$support$x) > 0L
  centre <- if (near) exact_centres(fit$support$x)
  list(x = scale_columns(subtract_columns(x, centre), scales), rest = NULL)
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

certain_of_kernel <- function(fit, x) {
  frame <- kernel_frame(fit, x)
  support <- kernel_frame(fit, fit$support$x)
  points <- frame_points(fit, support)
  own <- self_kernel(fit, frame)
  base <- sqrt(self_kernel(fit, support))
  problems <- lapply(seq_len(ncol(coef_matrix(fit))), function(k) {
    kernel_problem(fit, k, frame, points, own, base)
  })
  certain <- structure(
    list(fit = fit, problems = problems, level = 1,
         version = own_version()),
    class = "margin_certain"
  )
  intervals <- kernel_intervals(certain, frame)
  intervals <- sharpened_kernel(certain, intervals, frame, frame)
  certain$training <- list(lower = bind_ends(intervals, 1L), upper = bind_ends(intervals, 2L))
  certain
}

# The pair of class problem k: the function of the fit's dual point, with its offset at its root.
# products: its scores without the offset, and for a free intercept those of the rows' mean.
kernel_pair <- function(fit, k, frame, points, own, base) {
  settings <- fit$settings
  loss <- loss_calculus(settings$loss)
  free <- settings$intercept == "free"
  omega <- unname(fit$weights)
  if (!is.null(settings$class_weights)) {
    omega <- omega * unname(settings$class_weights)[as.integer(fit$response)]
  }
  total <- sum(omega)
  y <- problem_response(fit, k)
  a <- loss$nearest(unname(as.matrix(fit$dual)[, k]), y)
  at <- fit$support$at
  # rows that are no support vectors have a = 0 or no weight: balancing leaves them so
  a[setdiff(seq_along(a), at)] <- 0
  if (free) a[at] <- balanced_dual(settings$loss, a[at], omega[at])
  beta <- -(omega * a)[at] / (settings$lambda * total)
  gamma <- if (free) omega[at] / sum(omega[at])
  products <- kernel_times(fit, frame, points, cbind(beta, gamma))
  score <- products[, 1L]
  b <- if (free) best_offsets(loss, matrix(score), y, matrix(omega), 0) else 0
  size <- sum(abs(beta) * base)
  pair <- list(loss = loss, y = y, omega = omega, total = total, free = free, a = a, b = b,
               z = score + b, beta = beta, gamma = gamma, size = size, products = products,
               mu = settings$lambda, l1 = 0,
               z_rounding = kernel_rounding(fit) * (sqrt(own) * size + abs(b)))
  pair$excess <- weighted_excess(pair)
  pair
}

kernel_problem <- function(fit, k, frame, points, own, base) {
  pair <- kernel_pair(fit, k, frame, points, own, base)
  gap <- sum(pair$excess) / pair$total
  pair$radius <- sqrt(gap / pair$mu) * (1 + 1e-12)
  # the centre sum_j gamma_j k(x_j, .), which is known from the support vectors alone
  among <- if (pair$free) {
    kernel_times(fit, kernel_frame(fit, fit$support$x), points, cbind(pair$beta, pair$gamma))
  }
  known_function(fit, pair, own, pair$products, among, base)
}

# The ball around sum_j beta_j k(x_j, .) of a pair, and what a free intercept needs of the rows.
# products: of the rows with beta and gamma; among: of the points x_j.
known_function <- function(fit, pair, own, products, among, base) {
  known <- list(beta = pair$beta, b = pair$b, size = pair$size, free = pair$free, y = pair$y,
                omega = pair$omega, radius = pair$radius,
                rounding = kernel_rounding(fit, length(pair$beta)))
  if (pair$free) {
    known$gamma <- pair$gamma
    known$centre_square <- sum(pair$gamma * among[, 2L])
    known$centre_own <- sum(pair$gamma * among[, 1L])
    half <- known$radius * centre_distance(known, own, products[, 2L], base)
    middle <- products[, 1L] - known$centre_own
    rounding <- known$rounding * (sqrt(own) + max(base, 0)) * known$size
    known$centre_score <- intercept_interval(pair, middle - half - rounding,
                                             middle + half + rounding)
  }
  known
}

# |k_x - c| from above
centre_distance <- function(known, own, along, base) {
  largest <- max(base, 0)^2
  sqrt(square_above(own - 2 * along + known$centre_square,
                    2 * known$rounding * (own + largest)))
}

# A matrix of ends for each class problem. support: the frame of the points x_j.
kernel_intervals <- function(certain, frame,
                             support = kernel_frame(certain$fit, certain$fit$support$x)) {
  fit <- certain$fit
  points <- frame_points(fit, support)
  base <- sqrt(self_kernel(fit, support))
  own <- self_kernel(fit, frame)
  lapply(certain$problems, function(known) {
    products <- kernel_times(fit, frame, points, cbind(known$beta, known$gamma))
    function_ends(known, products, own, max(base, 0))
  })
}

# products: of the rows with beta and gamma; own: k(x, x) of them; base: the longest point.
function_ends <- function(known, products, own, base) {
  score <- products[, 1L]
  rounding <- known$rounding * (sqrt(own) + base) * known$size
  if (!known$free) {
    half <- known$radius * sqrt(own) * (1 + 1e-12) + rounding
    return(cbind(score - half, score + half))
  }
  half <- known$radius * centre_distance(known, own, products[, 2L], base) + rounding
  ends <- known$centre_score
  cbind(ends[1L] + score - known$centre_own - half, ends[2L] + score - known$centre_own + half)
}

# The free intercept around each open row, as sharpened(): new and training are frames.
sharpened_kernel <- function(certain, intervals, new, training,
                             support = kernel_frame(certain$fit, certain$fit$support$x)) {
  fit <- certain$fit
  if (!certain$problems[[1L]]$free || fit$task == "regression") {
    return(intervals)
  }
  open <- which(!decide(bind_ends(intervals, 1L), bind_ends(intervals, 2L))$decided)
  if (length(open) == 0L) {
    return(intervals)
  }
  support <- frame_points(fit, support)
  points <- frame_points(fit, training)
  own <- self_kernel(fit, training)
  some <- list(x = new$x[open, , drop = FALSE], rest = new$rest)
  self <- self_kernel(fit, some)
  values <- kernel_times(fit, training, frame_points(fit, some), diag(length(open)))
  for (k in seq_along(intervals)) {
    known <- certain$problems[[k]]
    rounding <- known$rounding
    scores <- kernel_times(fit, training, support, cbind(known$beta))[, 1L]
    here <- kernel_times(fit, some, support, cbind(known$beta))[, 1L]
    pair <- list(y = known$y, omega = known$omega, loss = loss_calculus(fit$settings$loss))
    for (j in seq_along(open)) {
      far <- sqrt(square_above(own - 2 * values[, j] + self[j], 2 * rounding * (own + self[j])))
      half <- known$radius * far + rounding * (sqrt(own) + sqrt(self[j])) * known$size
      ends <- intercept_interval(pair, scores - here[j] - half, scores - here[j] + half)
      intervals[[k]][open[j], ] <- meet(intervals[[k]][open[j], ], ends)
    }
  }
  intervals
}
