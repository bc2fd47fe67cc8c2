# Kernel problems recomputed from differences of rows, nothing of which cancels. A kernel matrix is
# a pair of matrices h + l and `off`, the rounding of an entry in units of eps.

# x %*% K for a symmetric K of pairs and a vector of doubles or pairs.
dd_symmetric <- function(K, b) {
  b <- as_dd(b)
  n <- nrow(K$h)
  dd_colsums(dd_mul(dd(K$h, K$l), dd(matrix(b$h, n, ncol(K$h)), matrix(b$l, n, ncol(K$h)))))
}

squared_distances <- function(a, b = a, scales = rep(1, ncol(a))) {
  d <- 0
  for (j in seq_len(ncol(a))) d <- d + (outer(a[, j], b[, j], `-`) / scales[j])^2
  matrix(d, nrow(a), nrow(b))
}

# Of the rows that were fitted, mixed ones included, those in `keep`.
exact_kernel <- function(fit, x, keep) {
  kernel <- fit$settings$kernel
  scales <- unname(fit$scales)
  name <- kernel$name
  mixed <- fit$mixed
  if (name == "precomputed") {
    K <- x[keep, keep, drop = FALSE]
    return(list(h = K, l = 0 * K, off = 8 * abs(K)))
  }
  if (name %in% c("rbf", "laplace")) {
    # a common shift changes no difference, but rounds rows that are nearer to the origin; for those
    # that are mixed it leaves more digits
    if (!is.null(mixed)) x <- sweep(x, 2L, x[1L, ])
    rows <- mixed_below(x, mixed)[keep, , drop = FALSE]
    d2 <- squared_distances(rows, scales = scales)
    if (!is.null(mixed)) d2 <- pmax(d2, 0)
    K <- if (name == "rbf") exp(-kernel$sigma * d2) else exp(-kernel$sigma * sqrt(d2))
    argument <- if (name == "rbf") kernel$sigma * d2 else kernel$sigma * sqrt(d2)
    # what |a|^2 + |b|^2 - 2ab leaves of the digits of rows about their mean
    size <- rowSums(sweep(sweep(rows, 2L, colMeans(rows)), 2L, scales, `/`)^2)
    around <- kernel$sigma * outer(size, size, `+`)
    if (name == "laplace") around <- pmin(around / sqrt(pmax(d2, eps * around)), 1e8 * sqrt(around))
    # rows are rounded when they are divided by their scales, which moves a distance by half a unit
    # of their norms
    divided <- outer(sqrt(size), sqrt(size), `+`) *
      if (name == "rbf") sqrt(kernel$sigma) else kernel$sigma
    return(list(h = K, l = 0 * K, off = K * (4 + 8 * argument),
                loose = K * (4 + 8 * around) + 2 * divided))
  }
  centre <- fit$center
  if (!is.null(centre)) x <- sweep(x, 2L, unname(centre))
  if (name %in% c("linear", "polynomial")) {
    rows <- mixed_below(x, mixed)[keep, , drop = FALSE]
    inner <- exact_products(rows, scales)
    scaled <- abs(sweep(rows, 2L, scales, `/`))
    loose <- tcrossprod(scaled)
    # sparse rows keep the centre apart from their entries; and what is left of a row is rounded
    if (!is.null(centre)) {
      far <- sqrt(rowSums(scaled^2)) + sqrt(sum((centre / scales)^2)) * isTRUE(fit$sparse)
      loose <- 2 * loose + isTRUE(fit$sparse) * 4 * tcrossprod(far)
    }
    # the fit has seen the rows moved, and its intercept has been brought back
    moved <- if (is.null(centre) && any(fit$origin$center != 0)) {
      tcrossprod(sqrt(rowSums(scaled^2)) + 2 * sqrt(sum((fit$origin$center / scales)^2)))
    }
    if (name == "linear") {
      return(c(inner, list(off = 2 * loose, loose = if (!is.null(moved)) 4 * moved)))
    }
    base <- dd_add(dd_mul(inner, kernel$scale), kernel$offset)
    K <- base
    for (step in seq_len(kernel$degree - 1)) K <- dd_mul(K, base)
    return(c(K, list(off = 2 * kernel$degree *
                       (kernel$scale * loose + kernel$offset)^kernel$degree,
                     loose = if (!is.null(moved)) 4 * kernel$scale * moved)))
  }
  rows <- sweep(x, 2L, scales, `/`)
  K <- if (name == "ntk") plain_tangent(kernel, rows) else kernel$evaluate(rows, rows)
  K <- unname(K)[keep, keep, drop = FALSE]
  list(h = K, l = 0 * K, off = abs(K) * 64 + 16 * (name == "ntk"))
}

# A penalised intercept adds one to a kernel, beside which a small value has few digits.
with_ones <- function(K, intercept) {
  if (intercept == "penalized") K$loose <- 16 + if (is.null(K$loose)) K$off else K$loose
  K
}

# Inner products of scaled rows; with twice the digits where a double would lose some.
exact_products <- function(rows, scales) {
  n <- nrow(rows)
  if (n * ncol(rows) > 400L && max(abs(rows)) < 1e3 * max(1e-300, stats::sd(rows))) {
    K <- tcrossprod(sweep(rows, 2L, scales, `/`))
    return(dd(K))
  }
  h <- l <- matrix(0, n, n)
  for (i in seq_len(n)) {
    v <- dd_div(dd_div(rows[i, ], scales), scales)
    z <- dd_rows(rows, v)
    h[, i] <- z$h
    l[, i] <- z$l
  }
  dd(h, l)
}

mixed_below <- function(x, mixed) {
  if (is.null(mixed)) return(x)
  rbind(x, (1 - mixed$share) * x[mixed$first, , drop = FALSE] +
          mixed$share * x[mixed$second, , drop = FALSE])
}

# The gradient of one hidden layer of rectified units, unit by unit.
plain_tangent <- function(kernel, x) {
  W <- kernel$weights$W
  a <- kernel$weights$a
  a <- if (is.matrix(a)) a else matrix(a, 1L)
  on <- x %*% t(W)
  hidden <- pmax(on, 0)
  K <- nrow(a) * tcrossprod(hidden)
  inner <- tcrossprod(x)
  for (j in seq_len(nrow(W))) K <- K + sum(a[, j]^2) * outer(on[, j] > 0, on[, j] > 0) * inner
  if (kernel$normalize) {
    size <- sqrt(diag(K))
    size[size == 0] <- 1
    K <- K / outer(size, size)
  }
  K
}

# ---- Losses of soft labels ----

exact_soft <- function(loss, z, y, regression) {
  if (regression || all(abs(y) == 1)) {
    return(exact_loss(loss, z, y))
  }
  one <- rep(1, length(y))
  (1 + y) / 2 * exact_loss(loss, z, one) + (1 - y) / 2 * exact_loss(loss, dd_minus(z), one)
}

plain_soft_slope <- function(loss, s, y) {
  one <- function(s) if (loss$task == "both") {
    if (loss$name == "squared") s - 1 else pmax(-loss$parameter, pmin(loss$parameter, s - 1))
  } else plain_slope(loss, s)
  (1 + y) / 2 * one(s) - (1 - y) / 2 * one(-s)
}

# The conjugate where phi' = a; its slope is piecewise linear, or logistic.
label_conjugate <- function(loss, a, y) {
  if (loss$name == "logistic") {
    t <- pmin(1, pmax(0, (1 - y) / 2 - a))
    u <- pmin(1, pmax(0, (1 + y) / 2 + a))
    return(x_log_x(t, u) + x_log_x(u, t))
  }
  if (loss$name == "squared") {
    return(a * y + a^2 / 2 + (y^2 - 1) / 2)
  }
  phi <- function(s) {
    (1 + y[i]) / 2 * plain_loss(loss, s, 1) + (1 - y[i]) / 2 * plain_loss(loss, -s, 1)
  }
  kinks <- sort(unique(c(1, -1, switch(
    loss$name, smooth_hinge = c(1 - loss$gamma, loss$gamma - 1),
    huber = c(1 + loss$parameter, 1 - loss$parameter, -1 + loss$parameter, -1 - loss$parameter)
  ))))
  value <- numeric(length(a))
  for (i in seq_along(a)) {
    # at a kink, or on a piece between two where the slope is a
    slopes <- plain_soft_slope(loss, kinks, y[i])
    s <- kinks
    for (k in seq_len(length(kinks) + 1L)) {
      left <- if (k == 1L) kinks[1L] - 1 else kinks[k - 1L]
      right <- if (k > length(kinks)) kinks[length(kinks)] + 1 else kinks[k]
      h <- (right - left) / 4
      at <- plain_soft_slope(loss, c(left + h, right - h), y[i])
      if (at[2L] > at[1L] + 1e-13) {
        found <- left + h + (a[i] - at[1L]) / (at[2L] - at[1L]) * (right - left - 2 * h)
        ok <- (k == 1L || found >= left) && (k > length(kinks) || found <= right)
        if (ok) s <- c(s, found)
      }
    }
    value[i] <- max(a[i] * s - phi(s))
  }
  value
}

# ---- The problem ----

kernel_problem <- function(fit, x, k) {
  several <- nrow(fit$certificate) > 1L
  response <- fit$response
  y <- if (inherits(response, "soft_labels")) as.double(unclass(response)) else
    fit_labels(fit, k, several)
  omega <- with_mixed(fit, if (inherits(response, "soft_labels")) fit$weights else fit_weights(fit))
  y <- with_mixed(fit, y)
  if (fit$task != "regression") y <- ifelse(abs(y) > 1 - 1e-12, sign(y), y)
  keep <- omega > 0
  K <- with_ones(exact_kernel(fit, x, keep), fit$settings$intercept)
  list(K = K, y = y[keep], omega = omega[keep], keep = keep,
       loss = fit$settings$loss, lambda = fit$settings$lambda,
       intercept = fit$settings$intercept, regression = fit$task == "regression")
}

kernel_primal <- function(q, beta, b) {
  z0 <- dd_symmetric(q$K, beta)
  z <- dd_add(z0, rep(b, length(beta)))
  W <- sum(q$omega)
  rounding <- function(K) {
    eps * (drop(K %*% abs(beta)) + abs(b) + if (q$regression) abs(q$y) else 0)
  }
  off <- rounding(q$K$off)
  at <- function(z) exact_soft(q$loss, z, q$y, q$regression)
  phi <- at(z)
  bend <- sum(q$omega * pmax(abs(at(dd_add(z, off)) - phi), abs(at(dd_sub(z, off)) - phi))) / W
  norm2 <- dd_value(dd_sum(dd_mul(z0, beta))) + (q$intercept == "penalized") * b^2
  value <- sum(q$omega * phi) / W + q$lambda / 2 * norm2
  loose <- if (is.null(q$K$loose)) 0 else {
    far <- rounding(q$K$loose)
    q$lambda * sum(abs(beta) * far) +
      sum(q$omega * abs(at(dd_add(z, far)) - at(dd_sub(z, far)))) / W
  }
  list(value = value, loose = loose,
       slack = bend + q$lambda * sum(abs(beta) * off) + 16 * eps * abs(value))
}

kernel_dual <- function(q, a) {
  W <- sum(q$omega)
  soft <- !q$regression && any(abs(q$y) != 1)
  if (soft) {
    ends <- t(vapply(q$y, function(y) soft_domain(q$loss, y), c(0, 0)))
    inside <- pmin(pmax(a, ends[, 1L]), ends[, 2L])
    out <- max(0, abs(inside - a) - 4 * eps)
  } else {
    checked <- into_domain(q$loss, a, q$y)
    inside <- checked$a
    out <- checked$out
  }
  a <- dd(inside)
  if (q$intercept == "free") a <- balanced(a, q$omega)
  beta <- dd_mul(a, -q$omega / (q$lambda * W))
  conjugate <- if (soft) dd(label_conjugate(q$loss, dd_value(a), q$y)) else
    exact_conjugate(q$loss, a, q$y)
  # a classification by the squared loss has labels of one, whose square the loss keeps
  terms <- dd_mul(conjugate, q$omega)
  norm2 <- dd_value(dd_sum(dd_mul(dd_symmetric(q$K, beta), beta)))
  if (q$intercept == "penalized") norm2 <- norm2 + dd_value(dd_sum(beta))^2
  size <- sum(abs(dd_value(terms))) / W
  middle <- if (q$intercept == "free" && q$regression) sum(q$omega * q$y) / W else 0
  value <- -dd_value(dd_sum(terms)) / W - q$lambda / 2 * norm2
  off <- q$K$off + (q$intercept == "penalized")
  list(value = value, out = out, loose = if (is.null(q$K$loose)) 0 else
         4 * eps * q$lambda * sum(abs(beta$h) * (q$K$loose %*% abs(beta$h))),
       slack = 64 * eps * (size + abs(value)) + 4 * eps * q$lambda *
         sum(abs(beta$h) * (off %*% abs(beta$h))) +
         q$regression * 16 * eps * sum(q$omega * abs(inside) * abs(q$y - middle)) / W)
}

kernel_beta <- function(fit, q, k) {
  all <- as.matrix(fit$coefficients)
  has <- fit$settings$intercept != "none"
  own <- unname(if (has) all[-1L, , drop = FALSE] else all)
  beta <- matrix(0, length(q$keep), ncol(own))
  beta[fit$support$at, ] <- own
  list(beta = beta[q$keep, k, drop = FALSE], b = if (has) unname(all[1L, k]) else 0 * k,
       lost = sum(abs(beta[!q$keep, ])))
}

judge_family_kernel <- function(fit, x, case) {
  if (identical(fit$multiclass, "softmax")) {
    return(judge_softmax(fit, x))
  }
  if (!is.null(fit$settings$nystrom)) {
    return(judge_nystrom(fit, x))
  }
  found <- character()
  points <- list()
  slacks <- numeric()
  dual <- as.matrix(fit$dual)
  for (k in seq_len(nrow(fit$certificate))) {
    q <- kernel_problem(fit, x, k)
    at <- kernel_beta(fit, q, k)
    P <- kernel_primal(q, at$beta[, 1L], at$b)
    D <- kernel_dual(q, unname(dual[q$keep, k]))
    null <- kernel_null(q)
    j <- list(primal = P$value, primal_slack = P$slack, dual = D$value, dual_slack = D$slack,
              out = D$out, null = null, loose = P$loose, dual_loose = D$loose)
    shorter <- kernel_primal(q, at$beta[, 1L] * 0.999, at$b)
    rivals <- c(zero = null * (1 + 1e-9), shorter = shorter$value + shorter$slack)
    row <- fit$certificate[k, ]
    found <- c(found, check_minimum(row, fit$status$status[k], j),
               check_crossing(row, fit$status$status[k], rivals, D$slack))
    slacks[k] <- D$slack
    if (at$lost > 0) found <- c(found, "a row of weight zero has a coefficient")
    points[[k]] <- c(own = P$value + P$slack, rivals)
  }
  list(found = found, points = points, slacks = slacks)
}

kernel_null <- function(q) {
  at <- function(b) sum(q$omega * exact_soft(q$loss, dd(rep(b, length(q$y))), q$y, q$regression)) /
    sum(q$omega)
  if (q$intercept != "free") {
    return(at(0))
  }
  ends <- if (q$regression) range(q$y) else c(-40, 40)
  if (ends[1L] == ends[2L]) {
    return(0)
  }
  tried <- c(0, sum(q$omega * q$y) / sum(q$omega), ends, 1, -1)
  min(stats::optimize(at, ends, tol = 1e-9 * diff(ends))$objective, vapply(tried, at, 0))
}

# ---- Several classes at once ----

judge_softmax <- function(fit, x) {
  response <- fit$response
  t <- outer(as.integer(response), seq_along(fit$levels), `==`) + 0
  t <- mixed_below(t, fit$mixed)
  omega <- with_mixed(fit, fit_weights(fit))
  keep <- omega > 0
  q <- list(K = exact_kernel(fit, x, keep), keep = keep, intercept = fit$settings$intercept)
  t <- t[keep, , drop = FALSE]
  omega <- omega[keep]
  W <- sum(omega)
  lambda <- fit$settings$lambda
  at <- kernel_beta(fit, q, seq_along(fit$levels))
  penalized <- q$intercept == "penalized"
  primal <- function(beta, b) {
    z0 <- apply(beta, 2L, function(v) dd_value(dd_symmetric(q$K, v)))
    z0 <- matrix(z0, nrow(t))
    z <- sweep(z0, 2L, b, `+`)
    value <- lambda / 2 * (sum(beta * z0) + penalized * sum(b^2)) +
      sum(omega * (plain_lse(z) - rowSums(t * z))) / W
    off <- eps * (q$K$off %*% abs(beta)) + 8 * eps * abs(z)
    list(value = value, slack = 2 * sum(omega * off) / W + lambda * sum(abs(beta) * off) +
           16 * eps * abs(value))
  }
  P <- primal(at$beta, at$b)
  a <- as.matrix(fit$dual)[keep, , drop = FALSE]
  u <- unname(a) + t
  out <- max(0, -u, abs(rowSums(u) - 1))
  u <- pmax(u, 0)
  u <- u / rowSums(u)
  made <- -omega * (u - t) / (lambda * W)
  norm2 <- sum(vapply(seq_len(ncol(made)), function(c) {
    dd_value(dd_sum(dd_mul(dd_symmetric(q$K, made[, c]), made[, c]))) + penalized * sum(made[, c])^2
  }, 0))
  entropy <- sum(omega * rowSums(ifelse(u > 0, u * log(u), 0))) / W
  D <- -entropy - lambda / 2 * norm2
  size <- abs(entropy) + lambda / 2 * norm2
  # u and t are rounded at one, whatever a is
  slack <- 64 * eps * size + 8 * eps * sum(omega * rowSums(ifelse(u > 0, abs(log(u)) * u, 0))) / W +
    4 * eps * lambda * sum(abs(made) * ((q$K$off + penalized) %*% abs(made))) +
    2 * eps * lambda * sum(abs(q$K$h %*% made) * omega) / (lambda * W)
  null <- log(length(fit$levels))
  j <- list(primal = P$value, primal_slack = P$slack, dual = D, dual_slack = slack,
            out = if (out > 1e-12) out else 0, null = null)
  row <- fit$certificate
  shorter <- primal(at$beta * 0.999, at$b)
  rivals <- c(zero = null * (1 + 1e-12), shorter = shorter$value + shorter$slack)
  list(found = c(check_minimum(row, fit$status$status, j),
                 check_crossing(row, fit$status$status, rivals, slack)),
       points = list(c(own = P$value + P$slack, rivals)), slacks = slack)
}

plain_lse <- function(z) {
  top <- apply(z, 1L, max)
  top + log(rowSums(exp(z - top)))
}

# ---- Landmarks ----

# The space of the landmarks is known up to its smallest directions: the norm of the dual point is
# taken with more and with fewer of them.
judge_nystrom <- function(fit, x) {
  found <- character()
  points <- list()
  slacks <- numeric()
  dual <- as.matrix(fit$dual)
  for (k in seq_len(nrow(fit$certificate))) {
    q <- kernel_problem(fit, x, k)
    q$K <- exact_kernel(fit, x, rep(TRUE, nrow(x)))
    mark <- fit$support$at
    # a fit without coefficients tells nothing of its landmarks
    if (length(mark) == 0L) next
    all <- as.matrix(fit$coefficients)
    has <- q$intercept != "none"
    beta <- unname(if (has) all[-1L, k] else all[, k])
    b <- if (has) all[[1L, k]] else 0
    W <- sum(q$omega)
    Kmm <- q$K$h[mark, mark, drop = FALSE]
    Knm <- q$K$h[q$keep, mark, drop = FALSE]
    penalized <- q$intercept == "penalized"
    z <- drop(Knm %*% beta)
    norm2 <- sum(beta * (Kmm %*% beta)) + penalized * b^2
    P <- sum(q$omega * exact_soft(q$loss, dd(z + b), q$y, q$regression)) / W +
      q$lambda / 2 * norm2
    off <- 16 * eps * (drop(abs(Knm) %*% abs(beta)) + abs(b) + if (q$regression) abs(q$y) else 0)
    bend <- sum(q$omega * abs(exact_soft(q$loss, dd(z + b + off), q$y, q$regression) -
                                exact_soft(q$loss, dd(z + b - off), q$y, q$regression))) / W
    slack <- bend + q$lambda * 16 * eps * sum(abs(beta) * (abs(Kmm) %*% abs(beta))) +
      64 * eps * abs(P)
    row <- fit$certificate[k, ]
    if (!is.finite(P + slack)) next
    if (abs(row$value - P) > 1e2 * slack + 1e-9 * abs(P)) {
      found <- c(found, wrong("value is not that of coef()", value = row$value, exact = P,
                              slack = slack))
    }
    null <- kernel_null(q)
    found <- c(found, check_crossing(row, fit$status$status[k], c(zero = null * (1 + 1e-9))))
    # no point of the space is below the bound: the best multiple, and one Newton step for ridges
    found <- c(found, check_crossing(row, fit$status$status[k],
                                     c(own = P + slack + 1e-9 * abs(P))))
    a <- unname(dual[q$keep, k])
    g <- drop(crossprod(Knm, q$omega * a)) / W
    e <- eigen(Kmm, symmetric = TRUE)
    bounds <- vapply(c(1e-7, 1e-9, 1e-11, 1e-13), function(cut) {
      ok <- e$values > cut * e$values[1L]
      s <- sum((crossprod(e$vectors[, ok, drop = FALSE], g))^2 / e$values[ok])
      if (penalized) s <- s + (sum(q$omega * a) / W)^2
      conjugate <- if (!q$regression && any(abs(q$y) != 1)) label_conjugate(q$loss, a, q$y) else
        dd_value(exact_conjugate(q$loss, dd(into_domain(q$loss, a, q$y)$a), q$y))
      -sum(q$omega * conjugate) / W - s / (2 * q$lambda)
    }, 0)
    if (is.finite(row$bound) &&
          row$bound > max(bounds) + 1e-6 * (abs(P) + abs(row$bound)) + slack) {
      found <- c(found, wrong("bound above that of the dual point", bound = row$bound,
                              exact = bounds, value = row$value))
    }
    points[[k]] <- c(zero = null * (1 + 1e-9))
  }
  list(found = found, points = points, slacks = slacks)
}
