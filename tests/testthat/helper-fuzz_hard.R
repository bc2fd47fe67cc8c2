# Margins with twice the digits. A margin is a maximum: the direction gives the lower end, the
# weights of the rows the upper one.

# Rows of a problem in the space where the direction lives, as scores and lengths see them. `K` is
# that of a kernel, as pairs; without one the columns are divided by their scales.
hard_problem <- function(fit, x) {
  keep <- fit$weights > 0
  codes <- as.integer(fit$response)[keep]
  k <- length(fit$levels)
  q <- list(keep = keep, codes = codes, k = k, intercept = fit$settings$intercept,
            x = x[keep, , drop = FALSE], scales = unname(fit$scales), kernel = fit$settings$kernel)
  if (!is.null(q$kernel)) {
    # coefficients that sum to zero are those of moved rows as well, whose intercept predict() uses
    q$moved <- rows_may_move(fit) && any(fit$origin$center != 0) && q$k == 2L
    around <- function(from) exact_kernel(fit, sweep(x, 2L, from), keep)
    q$K <- with_ones(around(if (q$moved) x[which(keep)[1L], ] else 0), q$intercept)
    # the fit's values are those around its own origin, and so is the rounding of the sum's zero
    if (q$moved) q$K$loose <- around(fit$origin$center)$off
  }
  q
}

# Smallest margin of a direction, its slack and the largest norm of a row.
hard_value <- function(q, fit) {
  all <- as.matrix(fit$coefficients)
  has <- q$intercept != "none"
  b <- if (has) all[1L, ] else rep(0, ncol(all))
  w <- unname(if (has) all[-1L, , drop = FALSE] else all)
  if (!is.null(q$kernel)) {
    full <- matrix(0, length(q$keep), ncol(w))
    full[fit$support$at, ] <- w
    w <- full[q$keep, , drop = FALSE]
    if (q$moved) {
      z <- dd_value(dd_symmetric(q$K, w[, 1L]))
      b <- -(min(z[q$codes == 2L]) + max(z[q$codes == 1L])) / 2
    }
  }
  hard_margin_of(q, w, b)
}

hard_margin_of <- function(q, w, b) {
  n <- length(q$codes)
  penalized <- q$intercept == "penalized"
  columns <- seq_len(ncol(w))
  if (is.null(q$kernel)) {
    scores <- lapply(columns, function(c) dd_add(dd_rows(q$x, w[, c]), rep(b[[c]], n)))
    off <- abs(q$x) %*% abs(w)
    squares <- sum((w * q$scales)^2)
  } else {
    scores <- lapply(columns, function(c) dd_add(dd_symmetric(q$K, w[, c]), rep(b[[c]], n)))
    off <- q$K$off %*% abs(w)
    squares <- sum(vapply(columns, function(c) {
      dd_value(dd_sum(dd_mul(dd_symmetric(q$K, w[, c]), w[, c])))
    }, 0))
  }
  if (penalized) squares <- squares + sum(b^2)
  if (!(squares > 0)) {
    return(list(value = -Inf, slack = 0, loose = 0))
  }
  off <- eps * sweep(off, 2L, abs(b), `+`)
  # a free intercept is the middle of two scores
  if (q$intercept == "free") off <- off + max(off)
  if (length(columns) == 1L) {
    s <- 2 * q$codes - 3
    p <- s * dd_value(scores[[1L]])
    off <- off[, 1L]
    length <- sqrt(squares)
  } else {
    own <- function(v) Reduce(dd_add, Map(function(z, c) {
      dd(z$h * (q$codes == c), z$l * (q$codes == c))
    }, v, columns))
    best <- own(scores)
    p <- vapply(columns, function(c) {
      ifelse(q$codes == c, Inf, dd_value(dd_sub(best, scores[[c]])))
    }, numeric(n))
    p <- apply(matrix(p, n), 1L, min)
    off <- 2 * apply(off, 1L, max)
    length <- sqrt(2 * squares)
  }
  low <- min(p)
  slack <- max(low - min(p - off), min(p + off) - low)
  loose <- 0
  kernel_length <- if (is.null(q$kernel)) 0 else {
    e <- eps * sum(abs(w) * (q$K$off %*% abs(w)))
    if (!is.null(q$K$loose)) {
      loose <- 2 * eps * max(q$K$loose %*% abs(w)) / length +
        eps * sum(abs(w) * (q$K$loose %*% abs(w))) / squares * abs(low / length)
    }
    (sqrt(squares + e) - sqrt(max(0, squares - e))) / sqrt(squares)
  }
  list(value = low / length, loose = loose,
       slack = slack / length + (8 * eps + kernel_length) * abs(low / length))
}

# |sum_e q_e a_e| of weights that are made to sum to one, or to a half on each side.
hard_bound <- function(q, dual) {
  dual <- as.matrix(dual)[q$keep, , drop = FALSE]
  out <- max(0, -dual)
  dual <- pmax(dual, 0)
  n <- nrow(dual)
  if (q$k == 2L) {
    s <- 2 * q$codes - 3
    weights <- dd(dual[, 1L])
    if (q$intercept == "free") {
      for (at in list(s > 0, s < 0)) {
        f <- dd_div(0.5, dd_sum(dd_at(weights, at)))
        weights <- dd_scaled(weights, at, f)
      }
    } else {
      weights <- dd_scaled(weights, rep(TRUE, n), dd_div(1, dd_sum(weights)))
    }
    sides <- list(dd_mul(weights, s))
  } else {
    total <- dd_sum(dual)
    share <- dd_div(1, total)
    per <- lapply(seq_len(q$k), function(c) dd_scaled(dd(dual[, c]), rep(TRUE, n), share))
    sum_row <- Reduce(dd_add, per)
    # a_e = x (e_own - e_other)' / sqrt(2)
    sides <- lapply(seq_len(q$k), function(c) {
      dd_sub(dd(sum_row$h * (q$codes == c), sum_row$l * (q$codes == c)), per[[c]])
    })
  }
  if (!all(is.finite(unlist(sides)))) {
    return(list(value = NaN, slack = 0, loose = 0, out = out))
  }
  square <- off <- loose <- 0
  for (side in sides) {
    size <- abs(side$h)
    if (is.null(q$kernel)) {
      v <- dd_value(dd_div(dd_columns(q$x, side), dd(q$scales)))
      centre <- if (q$intercept == "free") colMeans(q$x) else rep(0, ncol(q$x))
      # twice the digits are some thirty; equal rows are exactly nothing apart
      du <- (16 * eps * colSums(size * abs(sweep(q$x, 2L, centre))) +
               1e-30 * colSums(size * abs(q$x))) / q$scales
      square <- square + sum(v^2)
      off <- off + sum(2 * abs(v) * du + du^2)
    } else {
      square <- square + dd_value(dd_sum(dd_mul(dd_symmetric(q$K, side), side)))
      off <- off + 8 * eps * sum(size * (q$K$off %*% size))
      if (!is.null(q$K$loose)) loose <- loose + 8 * eps * sum(size * (q$K$loose %*% size))
    }
    if (q$intercept == "penalized") square <- square + dd_value(dd_sum(side))^2
  }
  if (q$k > 2L) {
    square <- square / 2
    off <- off / 2
  }
  value <- sqrt(max(0, square))
  list(value = value, slack = sqrt(max(0, square) + off) - value + 64 * eps * value, out = out,
       loose = sqrt(max(0, square) + loose) - value)
}

largest_norm <- function(q) {
  squares <- if (is.null(q$kernel)) rowSums(sweep(q$x, 2L, q$scales, `/`)^2) else diag(q$K$h)
  sqrt(max(squares + (q$intercept == "penalized")))
}

# What a margin's certificate and verdict must be.
check_maximum <- function(fit, low, high, largest) {
  row <- fit$certificate
  status <- fit$status$status
  out <- character()
  say <- function(...) out <<- c(out, wrong(...))
  if (anyNA(row[c("value", "bound")])) {
    return(out)
  }
  if (row$certified && !isTRUE(fit$separable)) say("certified, but not separable", status = status)
  if (isFALSE(fit$separable) != (status == "not_separable")) {
    say("verdict and status differ", separable = fit$separable, status = status)
  }
  # a column that is constant but for its last digits leaves an intercept none of its own
  if (row$certified && !(low$value + low$slack > 0)) {
    say("FALSE CERTIFICATE: no margin", margin = low$value)
  }
  if (is.finite(row$value) && row$value > row$bound) {
    say("value above bound", value = row$value, bound = row$bound)
  }
  # a value of -Inf holds for any direction
  if (row$value > -Inf && is.finite(low$value) && is.finite(low$slack + low$loose) &&
        abs(row$value - low$value) > 32 * low$slack + 8 * low$loose +
          1e-14 * abs(low$value) + 1e-300) {
    say("value is not the margin of coef()", value = row$value, exact = low$value,
        slack = low$slack, bound = row$bound, certified = row$certified)
  }
  if (!is.finite(high$value) || !is.finite(high$slack + high$loose)) {
    return(out)
  }
  if (is.finite(row$bound) && row$bound < high$value - high$slack - high$loose - 1e-300) {
    say("bound below that of the weights", bound = row$bound, exact = high$value,
        slack = high$slack, value = row$value)
  }
  size <- max(abs(low$value), abs(high$value))
  if (row$certified && high$value - low$value > row$tol * size * (1 + 1e-9) + 1.5 * low$slack +
        high$slack) {
    say("FALSE CERTIFICATE", value = row$value, bound = row$bound, low = low$value,
        high = high$value, tol = row$tol, slack = low$slack, high_slack = high$slack)
  }
  out
}

# points: margins less their slack.
check_margin_crossing <- function(row, points) {
  points <- points[is.finite(points)]
  if (length(points) == 0L || !is.finite(row$bound)) {
    return(character())
  }
  best <- which.max(points)
  if (row$bound < points[best] * (1 - 16 * eps)) {
    return(wrong("bound below another direction's margin", bound = row$bound,
                 other = points[[best]], which = names(points)[best]))
  }
  character()
}

judge_family_hard <- function(fit, x, case) {
  q <- hard_problem(fit, x)
  low <- hard_value(q, fit)
  high <- hard_bound(q, fit$dual)
  found <- check_maximum(fit, low, high, largest_norm(q))
  points <- c(own = low$value - low$slack)
  if (isFALSE(fit$separable)) {
    # is there a direction after all?
    points <- c(points, direction = found_margin(q))
    if (isTRUE(max(points) > 1e-9 * largest_norm(q))) {
      found <- c(found, wrong("FALSE VERDICT: not separable", margin = max(points),
                              largest = largest_norm(q), residual = fit$residual))
    }
  }
  list(found = c(found, check_margin_crossing(fit$certificate, points)), points = list(points))
}

# The margin of the direction that quadprog finds (two classes), or nothing.
found_margin <- function(q) {
  if (q$k > 2L || !requireNamespace("quadprog", quietly = TRUE)) {
    return(-Inf)
  }
  s <- 2 * q$codes - 3
  free <- q$intercept == "free"
  if (is.null(q$kernel)) {
    shift <- if (free) colMeans(q$x) else rep(0, ncol(q$x))
    A <- sweep(sweep(q$x, 2L, shift), 2L, q$scales, `/`)
    if (q$intercept == "penalized") A <- cbind(A, 1)
  } else {
    K <- q$K$h + (q$intercept == "penalized")
    e <- eigen(K, symmetric = TRUE)
    ok <- e$values > 1e-10 * e$values[1L]
    A <- e$vectors[, ok, drop = FALSE] %*% diag(sqrt(e$values[ok]), sum(ok))
  }
  A <- A / max(abs(A), 1e-300)
  p <- ncol(A)
  D <- diag(c(rep(1, p), if (free) 1e-10), p + free)
  solved <- tryCatch(
    quadprog::solve.QP(D, numeric(p + free), t(s * cbind(A, if (free) 1)), rep(1, length(s))),
    error = function(e) NULL
  )
  if (is.null(solved) || !is.null(q$kernel)) {
    return(-Inf)
  }
  w <- solved$solution[seq_len(p)]
  b <- 0
  if (q$intercept == "penalized") {
    b <- w[p]
    w <- w[-p]
  }
  w <- w / q$scales
  if (free) {
    z <- drop(q$x %*% w)
    b <- -(min(z[s > 0]) + max(z[s < 0])) / 2
  }
  m <- hard_margin_of(q, matrix(w), b)
  m$value - m$slack
}
