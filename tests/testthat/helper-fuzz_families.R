# What each family draws: its problem and its solver; see helper-fuzz_draw.R.

# Data and labels for classes, or a response.
draw_data <- function(classes, rows = 200L, columns = 60L, noise = one(c(0, 0.3, 1, 3))) {
  size <- draw_size(rows, columns)
  k <- if (classes) draw_classes(size$n) else 1L
  x <- draw_matrix(size$n, size$p)
  score <- draw_score(x, noise)
  list(x = x, y = if (classes) draw_labels(score, k) else draw_response(score), k = k)
}

# Numbers are a response to a loss that takes any.
tells_classes <- function(data, loss) {
  data$k > 1L && !(is.numeric(data$y) && loss$task != "classification")
}

draw_linear <- function() {
  row <- auto_often("linear")
  classes <- !chance(0.4)
  loss <- draw_loss(row$smooth_loss, classes)
  if (!loss$name %in% row$losses) loss <- as_loss("hinge")
  data <- draw_data(loss$task == "classification" || (classes && chance(0.5)))
  mixture <- one(c(0, between(0, 1), 0.5, 1 - 1e-9, 1), c(6, 2, 1, 0.3, 2))
  if (row$strong_convexity && mixture >= 1) mixture <- 0.5
  if (row$l1 && mixture == 0) mixture <- one(c(0.5, 1))
  if (row$ridge) mixture <- 0
  weights <- draw_weights(data$y)
  intercept <- one(unlist(row$intercepts))
  lambda <- draw_lambda()
  scale <- chance(0.6)
  class_weights <- draw_class_weights(data$y, tells_classes(data, loss))
  if (row$large_lambda) class_weights <- NULL
  if (row$large_lambda) {
    lambda <- lambda_for(row, if (is.null(lambda)) 0.1 else lambda, data$x, loss, mixture,
                         intercept, scale, if (is.null(weights)) rep(1, nrow(data$x)) else weights)
    lambda <- min(lambda, 1e300)
  }
  list(row = row, x = data$x, y = data$y, k = data$k,
       extra = one(c("none", "warm", "path", "other"), c(6, 2, 1.5, 3)),
       args = drop_null(list(loss = loss, lambda = lambda, mixture = mixture,
                             intercept = intercept, scale = scale, weights = weights,
                             class_weights = class_weights, solver = row$name)))
}

draw_kernel_function <- function(x) {
  width <- function() if (chance(0.5)) NULL else 10^between(-3, 1)
  switch(
    one(c("rbf", "laplace", "polynomial", "linear", "ntk", "precomputed", "function"),
        c(6, 2, 2, 2, 1, 1, 1)),
    rbf = kernel_rbf(width()), laplace = kernel_laplace(width()),
    polynomial = kernel_polynomial(sample.int(4L, 1L), 10^between(-2, 0), one(c(0, 1, 2))),
    linear = as_kernel("linear"), ntk = kernel_ntk(one(c(4L, 32L)), seed = sample.int(1e6, 1L),
                                               normalize = chance(0.7)),
    precomputed = kernel_precomputed(),
    # from differences, so that rounding leaves it positive definite; or a sigmoid, which is not
    `function` = if (chance(0.7)) {
      function(a, b) 1 / (1 + squared_distances(as.matrix(a), as.matrix(b)))
    } else {
      function(a, b) tanh(0.5 * tcrossprod(as.matrix(a), as.matrix(b)) + 0.5)
    }
  )
}

# A matrix of kernel values; half of them lack something of being semidefinite, from far below the
# rounding of their values on.
draw_kernel_values <- function(x) {
  z <- scale(x)
  z[!is.finite(z)] <- 0
  n <- nrow(z)
  K <- tcrossprod(z) + diag(one(c(1e-3, 0, 1e-9)), n)
  if (chance(0.5)) {
    v <- stats::rnorm(n)
    v <- sqrt(diag(K)) * v / sqrt(sum(v^2))
    K <- K - 10^between(-16, 0) * outer(v, v)
  }
  (K + t(K)) / 2
}

draw_kernel <- function() {
  row <- auto_often("kernel")
  classes <- startsWith(row$name, "mixup_") || !chance(0.3)
  loss <- draw_loss(row$smooth_loss, classes)
  if (!loss$name %in% row$losses) loss <- as_loss("hinge")
  data <- draw_data(loss$task == "classification" || (classes && chance(0.5)), 80L, 20L)
  if (startsWith(row$name, "mixup_") && !tells_classes(data, loss)) {
    data$y <- factor(sample(rep_len(c("a", "b"), nrow(data$x))))
    data$k <- 2L
  }
  kernel <- draw_kernel_function(data$x)
  y <- data$y
  soft <- FALSE
  if (loss$task == "classification" && data$k == 2L && chance(0.2)) {
    up <- if (is.numeric(y)) y > 0 else as.factor(y) == levels(as.factor(y))[2L]
    sign <- 2 * up - 1
    y <- soft_labels(pmin(1, pmax(-1, sign * stats::runif(length(sign), -0.2, 1.3))))
    soft <- TRUE
  }
  n <- nrow(data$x)
  known <- inherits(kernel, "kernel_function") &&
    kernel$name %in% c("rbf", "laplace", "polynomial", "linear")
  weights <- if (soft) NULL else draw_weights(y)
  mixup <- if (n > 3L && loss$task == "classification" && known && is.null(weights) &&
                 chance(0.2)) mixup_pairs(sample.int(20L, 1L), alpha = one(c(1, 0.2)))
  nystrom <- if (known && is.null(mixup) && row$name == "auto" && n > 6L && is.null(weights) &&
                   chance(0.25)) sample.int(n - 2L, 1L)
  scale <- chance(0.6)
  precomputed <- inherits(kernel, "kernel_function") && kernel$name == "precomputed"
  if (precomputed) {
    data$x <- draw_kernel_values(data$x)
    kernel <- kernel_precomputed(check = one(c("auto", "full", "none"), c(4, 1, 1)))
    scale <- FALSE
  }
  evaluated <- !known && !precomputed
  centred <- !precomputed && chance(0.5)
  classes <- !soft && tells_classes(data, loss)
  list(row = row, x = data$x, y = y, k = data$k, dense = precomputed || evaluated,
       extra = one(c("none", "warm", "path", "other"), c(6, 1.5, 1.5, 2)),
       args = drop_null(list(kernel = kernel, loss = loss, lambda = draw_lambda(),
                             mixup = mixup, nystrom = nystrom,
                             multiclass = if (chance(0.2)) "one_vs_rest",
                             intercept = one(unlist(row$intercepts)), center = centred,
                             scale = scale, weights = weights,
                             class_weights = draw_class_weights(y, classes),
                             solver = row$name)))
}

draw_robust <- function() {
  row <- auto_often("robust")
  data <- draw_data(TRUE, 120L, 30L)
  list(row = row, x = data$x, y = data$y, k = data$k,
       extra = one(c("none", "warm", "path", "other"), c(6, 1.5, 1, 3)),
       args = drop_null(list(norm = one(c("l1", "l2", "linf")),
                             radius = one(c(0.1, 0, 10^between(-4, 1)), c(2, 0.5, 4)),
                             label_cost = one(c(1, 0, Inf, 10^between(-2, 1)), c(3, 0.5, 1, 3)),
                             ridge = one(c(0, 10^between(-4, 1))),
                             intercept = one(unlist(row$intercepts)), scale = chance(0.5),
                             weights = draw_weights(data$y),
                             class_weights = draw_class_weights(data$y, TRUE),
                             solver = row$name)))
}

draw_hard <- function() {
  row <- auto_often("hard")
  data <- draw_data(TRUE, 80L, 30L, noise = one(c(0, 0, 0, 0.3, 2)))
  k <- data$k
  intercept <- one(unlist(row$intercepts))
  if (intercept == "free" && k > 2L) intercept <- "penalized"
  kernel <- if (chance(0.35)) draw_kernel_function(data$x)
  scale <- chance(0.3)
  precomputed <- inherits(kernel, "kernel_function") && kernel$name == "precomputed"
  if (precomputed) {
    data$x <- draw_kernel_values(data$x)
    kernel <- kernel_precomputed(check = one(c("auto", "full", "none"), c(4, 1, 1)))
    scale <- FALSE
  }
  known <- is.null(kernel) || (inherits(kernel, "kernel_function") &&
                                 kernel$name %in% c("rbf", "laplace", "polynomial", "linear"))
  weights <- draw_weights(data$y)
  list(row = row, x = data$x, y = data$y, k = k, dense = !known,
       extra = one(c("none", "other"), c(5, 3)),
       args = drop_null(list(kernel = kernel, intercept = intercept, scale = scale,
                             weights = weights, solver = row$name)))
}

draw_perturbation <- function(p) {
  switch(one(1:5, c(4, 3, 1, 1, 1)), perturb_dropout(one(c(0.05, 0.1, 0.3, 0.5))),
         perturb_gaussian(10^between(-2, 0)), perturb_rescale(between(0.05, 1)),
         new_perturbation(), perturb_dropout(0.2) + perturb_gaussian(0.3))
}

draw_augmented <- function() {
  row <- auto_often("augmented")
  loss <- draw_loss(TRUE, !chance(0.3))
  perturbation <- draw_perturbation()
  if (row$closed_form && !has_closed_form(perturbation, loss)) {
    perturbation <- perturb_gaussian(0.3)
  }
  known <- has_closed_form(perturbation, loss)
  data <- draw_data(loss$task == "classification" || chance(0.3), if (known) 100L else 40L,
                    if (known) 30L else 6L)
  mixture <- one(c(0, between(0, 0.9), 0.5), c(6, 1, 1))
  noisy <- any(vapply(perturbation$steps, function(s) s$name == "gaussian", NA))
  centred <- chance(0.5)
  list(row = row, x = data$x, y = data$y, k = data$k,
       dense = noisy || centred || (row$dense_l1 && mixture > 0),
       extra = one(c("none", "warm", "other", "path"), c(6, 2, 2, 1)),
       args = drop_null(list(perturbation = perturbation, loss = loss,
                             lambda = 10^between(-4, 0.5), mixture = mixture,
                             intercept = one(unlist(row$intercepts)), center = centred,
                             scale = chance(0.5), weights = draw_weights(data$y),
                             class_weights = draw_class_weights(data$y, tells_classes(data, loss)),
                             solver = row$name)))
}
