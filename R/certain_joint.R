# What is certain of one problem of all classes (multiclass = "softmax" or "crammer_singer"):
# intervals for the differences of the scores of two classes, which are all that its predictions
# rest on. Weight vectors w_1, ..., w_k; the optimum has sum_c w_c = 0, and the fit is taken there.
#
#   Ball      sum_c |w*_c - m_c|^2 <= r^2 = F/lambda + sum_c |w_c - w_c(a)|^2 / 4,
#             F = (1/W) sum omega [phi(z_i) + phi*(a_i) - a_i'z_i],  w_c(a) = -v_c / lambda,
#             v_c = (1/W) sum omega a_ic x_i: a pair of classes differs by at most 2^(1/2) r |x|,
#             one class by ((k - 1)/k)^(1/2) r |x|, since sum_c (w*_c - m_c) = 0.
#   Curvature of the softmax loss. Along z + t s its second derivative is the variance of s under
#             the probabilities, that of the variance of h at most (max s - min s) times it, so the
#             ellipsoid of certain_ellipsoid.R holds with the joint Hessian H and
#             R = max_i max_{c,d} |(e_c - e_d) (x) (x_i, 1)|_{H^-1}. Moving all free intercepts by
#             one number changes nothing: H is made regular in that direction.

largest_joint_hessian <- 1000L

certain_of_joint <- function(fit, x) {
  softmax <- is_softmax(fit)
  free <- fit$settings$intercept == "free"
  if (free && !softmax) {
    abort_input(paste(
      "`fit` has multiclass = \"crammer_singer\" with free intercepts, of which no interval is",
      "known; use intercept = \"penalized\" or \"none\"."
    ), "fit")
  }
  rows <- training_geometry(fit, x)
  pair <- joint_pair(fit, rows)
  size <- length(fit$levels) * (nrow(pair$w) + free)
  if (free && size > largest_joint_hessian) {
    abort_input(sprintf(paste(
      "`fit` has free intercepts and %s coefficients; their intervals take a Hessian of at most",
      "%s. Use intercept = \"penalized\" or \"none\"."
    ), format(size, big.mark = ","), format(largest_joint_hessian, big.mark = ",")), "fit")
  }
  joint <- list(w = pair$w, b = pair$b, free = free, ball = joint_ball(pair),
                ellipsoid = if (softmax && size <= largest_joint_hessian)
                  joint_ellipsoid(pair, rows))
  certain <- structure(
    list(fit = fit, centre = rows$shift + rows$moved,
         problems = joint_problems(joint, rows), joint = joint, level = 1,
         version = own_version()),
    class = "margin_certain"
  )
  certain$training <- joint_intervals(joint, rows)
  certain
}

# ---- The pair ----

# w: a column for each class; u on the simplex, with sum_i omega_i a_i = 0 for free intercepts.
joint_pair <- function(fit, rows) {
  coefficients <- coef_matrix(fit)
  intercept <- fit$settings$intercept
  has <- has_intercept(fit)
  w <- unname(if (has) coefficients[-1L, , drop = FALSE] else coefficients) * unname(fit$scales)
  if (intercept == "penalized") w <- rbind(w, unname(coefficients[1L, ]))
  w <- w - rowMeans(w)
  free <- intercept == "free"
  b <- numeric(ncol(w))
  if (free) {
    b <- unname(coefficients[1L, ]) + drop(crossprod(w, rows$shift + rows$moved))
    b <- b - mean(b)
  }
  omega <- unname(fit$weights)
  y <- as.integer(fit$response)
  if (!is.null(fit$settings$class_weights)) {
    omega <- omega * unname(fit$settings$class_weights)[y]
  }
  own <- cbind(seq_along(y), y)
  u <- unname(fit$dual)
  u[own] <- u[own] + 1
  u <- pmax(u, 0)
  u[rowSums(u) == 0, ] <- 1
  u <- u / rowSums(u)
  share <- omega / sum(omega)
  if (free) u <- balanced_simplex(u, y, share)
  a <- u
  a[own] <- a[own] - 1
  z <- class_scores(rows, w, b)
  pair <- list(w = w, b = b, u = u, a = a, y = y, own = own, omega = omega, share = share, z = z,
               free = free, lambda = fit$settings$lambda, softmax = is_softmax(fit),
               sizes = column_sizes(rows, omega))
  pair$z_rounding <- do.call(pmax, lapply(seq_len(ncol(w)), function(c) {
    row_rounding(rows, w[, c], b[c])
  }))
  pair$v <- vapply(seq_len(ncol(w)), function(c) rows_cross(rows, share * a[, c]), w[, 1L])
  dim(pair$v) <- dim(w)
  # summing n terms of size a_c |x_j|
  a_size <- sqrt(colSums(share * a^2))
  pair$v_rounding <- outer(pair$sizes$stored,
                           cross_roundings(length(y)) * a_size)
  pair
}

class_scores <- function(rows, w, b) {
  z <- vapply(seq_len(ncol(w)), function(c) rows_times(rows, w[, c]) + b[c], numeric(nrow(rows$x)))
  matrix(z, ncol = ncol(w))
}

# (1 - theta) u + theta p, one p for all rows, with the least theta for which p >= 0 balances.
balanced_simplex <- function(u, y, share) {
  mass <- colSums(share * u)
  target <- vapply(seq_along(mass), function(c) sum(share[y == c]), 0)
  theta <- max(0, (1 - target / mass)[mass > target])
  added <- pmax(target - (1 - theta) * mass, 0)
  if (theta == 0 || sum(added) == 0) {
    return(u)
  }
  (1 - theta) * u + rep(theta * added / sum(added), each = nrow(u))
}

softmax_rows <- function(z) {
  p <- exp(z - do.call(pmax, as.data.frame(z)))
  p / rowSums(p)
}

# ---- Where the optimum is ----

joint_ball <- function(pair) {
  with(pair, {
    dual_w <- -v / lambda
    own <- z[own]
    k <- ncol(w)
    if (softmax) {
      # Kullback-Leibler divergence of u from p, term by term not negative
      p <- softmax_rows(z)
      t <- (u - p) / pmax(p, .Machine$double.xmin)
      terms <- ifelse(u > 0, p * ((1 + t) * log1p(pmax(t, -1)) - t), p)
      excess <- rowSums(pmax(terms, 0))
      steep <- rowSums(abs(p - u)) + 4 * z_rounding
      value <- log(rowSums(exp(z - do.call(pmax, as.data.frame(z))))) +
        do.call(pmax, as.data.frame(z)) - own
      base <- log(k)
    } else {
      s <- z + 1
      s[pair$own] <- own
      top <- do.call(pmax, as.data.frame(s))
      excess <- rowSums(u * (top - s))
      steep <- 2
      value <- top - own
      base <- 1
    }
    largest <- do.call(pmax, as.data.frame(abs(z)))
    size <- 2 * (value + base + 2 * largest) + excess
    excess <- sum(ifelse(share > 0, share * (excess + 8 * unit_roundoff * size +
                                               z_rounding * steep), 0))
    # what is left of sum_i omega_i a_i by rounding meets an intercept
    if (free) {
      left <- abs(colSums(share * a)) + 16 * unit_roundoff * colSums(share * abs(a))
      mass <- colSums(share * u)
      theta <- max((left / pmax(mass, .Machine$double.xmin))[mass > 0 | left > 0])
      excess <- excess + theta * (base + 1 + 2 * max(largest))
    }
    spread <- excess + 8 * unit_roundoff * (sum(abs(v * w)) + lambda * sum(w^2))
    list(centre = (w + dual_w) / 2, lambda = lambda,
         radius = sqrt(spread / lambda + sum((w - dual_w)^2) / 4) * (1 + 1e-12) +
           sqrt(sum(v_rounding^2)) / lambda,
         gap = spread + lambda / 2 * sum((w - dual_w)^2))
  })
}

# NULL where the Hessian is singular up to rounding.
joint_ellipsoid <- function(pair, rows) {
  p <- softmax_rows(pair$z)
  k <- ncol(p)
  m <- nrow(pair$w) + pair$free
  hessian <- matrix(0, k * m, k * m)
  at <- function(c) (c - 1L) * m + seq_len(m)
  for (c in seq_len(k)) for (d in seq_len(c)) {
    h <- pair$share * p[, c] * ((c == d) - p[, d])
    hessian[at(c), at(d)] <- bordered_gram(rows, h, pair$free)
    hessian[at(d), at(c)] <- t(hessian[at(c), at(d)])
  }
  slopes <- as.vector(vapply(seq_len(k), function(c) at(c)[seq_len(nrow(pair$w))],
                             integer(nrow(pair$w))))
  diag(hessian)[slopes] <- diag(hessian)[slopes] + pair$lambda
  if (pair$free) {
    last <- m * seq_len(k)
    hessian[last, last] <- hessian[last, last] + mean(diag(hessian)[last]) / k
  }
  ellipsoid <- factored(hessian, nrow(rows$x),
                        if (rows$shifted) max(rows$shift^2 / diag(hessian)[slopes]) else 0)
  if (is.null(ellipsoid)) {
    return(NULL)
  }
  ellipsoid$free <- pair$free
  ellipsoid$classes <- k
  far <- unlist(over_blocks(ellipsoid, rows, function(part, i) {
    white <- white_classes(ellipsoid, part)
    used <- pair$omega[i] > 0
    max(0, vapply(class_pairs(k), function(two) {
      max(0, white_norms(white[[two[1L]]] - white[[two[2L]]])[used])
    }, 0))
  }))
  ellipsoid$reach <- max(far) * ellipsoid$inflation
  ellipsoid$nu <- joint_gradient_norm(pair, rows, p, ellipsoid)
  ellipsoid$factor <- ellipsoid$nu * step_factor(ellipsoid$nu * ellipsoid$reach)
  ellipsoid
}

joint_gradient_norm <- function(pair, rows, p, ellipsoid) {
  slope <- p
  slope[pair$own] <- slope[pair$own] - 1
  gradient <- vapply(seq_len(ncol(p)), function(c) {
    own <- rows_cross(rows, pair$share * slope[, c]) + pair$lambda * pair$w[, c]
    if (pair$free) c(own, sum(pair$share * slope[, c])) else own
  }, numeric(nrow(pair$w) + pair$free))
  slope_size <- sqrt(colSums(pair$share * slope^2))
  terms <- outer(pair$sizes$stored, slope_size) + pair$lambda * abs(pair$w)
  if (pair$free) terms <- rbind(terms, slope_size)
  rounding <- cross_roundings(nrow(p)) * sum(ellipsoid$inverse * as.vector(terms)) +
    ellipsoid$reach * max(pair$z_rounding)
  sqrt(sum(whitened(ellipsoid, as.vector(gradient))^2)) * ellipsoid$inflation + rounding
}

# f(part, i) for blocks i of the rows, so that what comes of all classes and pairs stays small.
over_blocks <- function(ellipsoid, rows, f) {
  n <- nrow(rows$x)
  block <- max(16L, if (is.null(ellipsoid)) n else
    4e6 %/% (ellipsoid$classes * length(ellipsoid$size)))
  lapply(seq.int(1L, by = block, length.out = ceiling(n / block)), function(first) {
    i <- first:min(n, first + block - 1L)
    part <- rows
    part$x <- rows$x[i, , drop = FALSE]
    part$squares <- rows$squares[i]
    f(part, i)
  })
}

# For each class c the vectors R^{-T} (e_c (x) (x_i, 1)) as columns.
white_classes <- function(ellipsoid, rows) {
  white_vectors(ellipsoid, bordered_rows(rows, seq_len(nrow(rows$x)), ellipsoid$free))
}
white_vectors <- function(ellipsoid, x) {
  m <- nrow(x)
  lapply(seq_len(ellipsoid$classes), function(c) {
    v <- matrix(0, length(ellipsoid$size), ncol(x))
    v[(c - 1L) * m + seq_len(m), ] <- x
    whitened(ellipsoid, v)
  })
}
white_norms <- function(v) sqrt(colSums(v^2))

class_pairs <- function(k) utils::combn(k, 2L, simplify = FALSE)
