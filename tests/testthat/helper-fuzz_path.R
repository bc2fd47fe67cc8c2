# Paths, and optimisers that are not ours.

# A path over three points: its first and its last are fits of their own, and every bound stands
# against them and the zero model.
judge_path <- function(case, x, dense, fit, main) {
  args <- case$args
  control <- args$control
  control$solver_options <- list()
  coordinate <- switch(case$family, robust = "radius", augmented = "rate", "lambda")
  if (case$family == "augmented") {
    step <- args$perturbation$steps[1L][[1L]]
    noisy <- !is.null(step) && step$name == "gaussian"
    args$perturbation <- if (noisy) perturb_gaussian else perturb_dropout
    args$solver <- "auto"
    grid <- c(0, 0.1, 0.5)
  } else {
    strength <- fit$settings[[coordinate]]
    if (!(strength > 0)) strength <- 0.1
    grid <- strength * c(4, 1, 0.25)
  }
  args[[coordinate]] <- grid
  args$control <- control
  run <- watched(do.call(margin_path, c(list(x, case$y, family = case$family), args)))
  if (is.null(run$fit)) {
    return(list(found = check_error(run$error, case, dense), outcome = "refused"))
  }
  path <- run$fit
  ce <- certificate(path, by = "class")
  found <- character()
  status <- path$by_class$status
  if (anyNA(unlist(ce[c("value", "bound", "gap", "relative_gap", "certified")]))) {
    found <- c(found, wrong("NA in the path's certificate", value = ce$value, bound = ce$bound))
    return(list(found = found, outcome = "not certified"))
  }
  if (any(ce$certified != (status == "certified")) ||
        any(ce$certified & ce$relative_gap > ce$tol)) {
    found <- c(found, wrong("certified and status of a path differ", certified = ce$certified,
                            status = status, relative_gap = ce$relative_gap))
  }
  if (sum(run$warned$class == "dualmargin_not_certified") != as.integer(!all(ce$certified))) {
    found <- c(found, wrong("warning and certified of a path differ", certified = ce$certified))
  }
  if (any(run$warned$class == "other")) {
    other <- run$warned$message[run$warned$class == "other"]
    found <- c(found, paste("another warning:", other[1L]))
  }
  classes <- nrow(ce) / length(grid)
  for (i in seq_along(grid)) {
    for (k in seq_len(classes)) {
      row <- ce[(i - 1L) * classes + k, ]
      state <- status[(i - 1L) * classes + k]
      found <- c(found, judge_point(case, path, i, k, row, state, fit, dense, main))
    }
  }
  list(found = found, outcome = if (all(ce$certified)) "certified" else "not certified")
}

# The value of point i (in the order of the path), class k, and its bound against the fit's points.
judge_point <- function(case, path, i, k, row, state, fit, dense, main) {
  found <- character()
  all <- if (is.list(path$coefficients)) path$coefficients[[k]] else path$coefficients
  unit <- if (is.null(path$response_scale)) 1 else path$response_scale
  at <- as.matrix(all)[, i, drop = FALSE] / unit
  if (case$family == "linear" && is_joint(fit)) {
    at <- lapply(path$coefficients, function(own) as.matrix(own)[, i, drop = FALSE])
  }
  coordinate <- path$coordinates[1L]
  strength <- path[[coordinate]][i]
  if (!is.null(path$residual_scale)) {
    size <- path$residual_scale[i]
    delta <- path$settings$loss$parameter[[1L]]
    fit$settings$loss <- loss_huber(delta * size / unit, "response")
    if (!identical(size, main$size)) main$points <- NULL
  }
  P <- value_of_point(case, path, k, coordinate, strength, at, fit, dense)
  if (is.null(P) || grepl("norm <=", row$kind)) {
    return(found)
  }
  off <- row$value - P$value
  allowed <- 32 * P$slack + max(0, P$loose) + 1e-300
  # the norm's bound of a robust point is not kept: the best one for its weights is known
  if (is.finite(off) && is.finite(allowed) &&
        (off < -allowed || (case$family != "robust" && off > allowed))) {
    found <- c(found, wrong("value of a path's point", value = row$value, exact = P$value,
                            slack = P$slack, strength = strength))
  }
  if (case$family != "augmented" &&
        isTRUE(all.equal(strength, fit$settings[[coordinate]], tolerance = 1e-15)) &&
        length(main$points) >= k) {
    found <- c(found, check_crossing(row, state, main$points[[k]],
                                     max(0, main$slacks[k], na.rm = TRUE)))
  }
  found
}

# P at a point of a path; NULL where it is not judged.
value_of_point <- function(case, path, k, coordinate, strength, at, fit, dense) {
  made <- fit
  made$settings[[coordinate]] <- strength
  if (case$family == "kernel") {
    if (identical(path$multiclass, "softmax") || !is.null(case$args$nystrom)) {
      return(NULL)
    }
    made[c("mixed", "support")] <- path[c("mixed", "support")]
    made$coefficients <- at
    q <- kernel_problem(made, dense, k)
    point <- kernel_beta(made, q, 1L)
    return(kernel_primal(q, point$beta[, 1L], point$b))
  }
  if (is.list(at)) {
    points <- lapply(at, function(own) fit_point(made, 1L, own))
    return(joint_primal(joint_problem(made, dense), points))
  }
  point <- fit_point(made, 1L, at)
  if (case$family == "robust") {
    return(robust_least(robust_problems(made, dense)[[k]], point$w, point$b))
  }
  q <- linear_problems(made, dense)[[k]]
  if (case$family == "linear") {
    return(exact_primal(q, point$w, point$b))
  }
  NULL
}

# The least of P over t at (w, b).
robust_least <- function(q, w, b) {
  v <- c(w * q$scales, if (q$intercept == "penalized") b)
  low <- plain_norm(v, q$norm)
  u <- q$y * dd_value(dd_add(dd_rows(q$x, w), rep(b, length(q$y))))
  kinks <- if (is.finite(q$label_cost) && q$label_cost > 0) {
    c(2 * u, 1 + u)[c(u > 0, u > -1)] / q$label_cost
  }
  tried <- c(low, kinks[kinks > low])
  all <- lapply(tried, function(t) robust_primal(q, w, b, t))
  all[[which.min(vapply(all, function(p) p$value, 0))]]
}

# ---- Optimisers of others on small problems ----

check_independent <- function(case, fit, x) {
  if (case$family != "linear" || is_joint(fit) || nrow(x) > 60L ||
        ncol(x) > 15L || max(abs(x)) > 1e6) {
    return(character())
  }
  found <- character()
  problems <- linear_problems(fit, x)
  for (k in seq_along(problems)) {
    q <- problems[[k]]
    other <- other_optimum(q, fit_point(fit, k))
    if (is.null(other)) next
    found <- c(found, check_crossing(fit$certificate[k, ], fit$status$status[k], other))
  }
  found
}

# P at the point another program finds.
other_optimum <- function(q, start) {
  p <- ncol(q$x)
  has <- q$intercept != "none"
  X <- sweep(q$x, 2L, q$scales, `/`)
  if (has) X <- cbind(X, 1)
  W <- sum(q$omega)
  l2 <- q$lambda * (1 - q$mixture)
  ridge <- c(rep(l2, p), if (has) if (q$intercept == "penalized") l2 else 0)
  found <- NULL
  name <- "optim"
  if (q$loss$name == "hinge" && q$mixture == 0 && requireNamespace("quadprog", quietly = TRUE)) {
    # variables (w, b, xi)
    n <- nrow(X)
    D <- diag(c(pmax(ridge, 1e-9), rep(1e-9, n)))
    A <- rbind(cbind(q$y * X, diag(n)), cbind(matrix(0, n, ncol(X)), diag(n)))
    size <- max(q$omega) / W
    solved <- tryCatch(quadprog::solve.QP(D / size, -c(rep(0, ncol(X)), q$omega / W) / size, t(A),
                                          c(rep(1, n), rep(0, n))), error = function(e) NULL)
    if (!is.null(solved)) found <- solved$solution[seq_len(ncol(X))]
    name <- "quadprog"
  } else if (q$loss$smooth && q$mixture == 0) {
    f <- function(v) {
      z <- drop(X %*% v)
      sum(q$omega * plain_loss(q$loss, z, q$y)) / W + sum(ridge * v^2) / 2
    }
    g <- function(v) {
      z <- drop(X %*% v)
      slope <- if (q$loss$task == "both") {
        r <- z - q$y
        if (q$loss$name == "squared") r else pmax(-q$loss$parameter, pmin(q$loss$parameter, r))
      } else q$y * plain_slope(q$loss, q$y * z)
      colSums(q$omega * slope * X) / W + ridge * v
    }
    v0 <- c(start$w * q$scales, if (has) start$b)
    solved <- tryCatch(stats::optim(v0, f, g, method = "BFGS", control = list(maxit = 100)),
                       error = function(e) NULL)
    if (!is.null(solved)) found <- solved$par
  } else if (q$loss$name == "squared" && q$mixture > 0 && p > 1L && q$intercept != "penalized" &&
               requireNamespace("glmnet", quietly = TRUE) && stats::sd(q$y) > 0) {
    solved <- tryCatch(precise_glmnet(
      X[, seq_len(p), drop = FALSE], q$y, weights = q$omega, alpha = q$mixture,
      lambda = q$lambda, standardize = FALSE, intercept = has, thresh = 1e-12
    ), error = function(e) NULL, warning = function(w) NULL)
    if (!is.null(solved)) found <- c(as.numeric(solved$beta), if (has) solved$a0)
    name <- "glmnet"
  }
  if (is.null(found) || !all(is.finite(found))) {
    return(NULL)
  }
  P <- exact_primal(q, found[seq_len(p)] / q$scales, if (has) found[p + 1L] else 0)
  stats::setNames(P$value + P$slack, name)
}
