# P and D of linear and augmented problems with twice the digits, from what a fit returned. Every
# judge gives for each class problem: primal and dual, the exact objectives at the coefficients and
# at the dual variables after they were made feasible; and how far the rounding of the returned
# numbers (primal_slack, dual_slack) and of a double's arithmetic can have moved them.

eps <- .Machine$double.eps

# phi for scores z (pairs), as doubles.
exact_loss <- function(loss, z, y) {
  g <- loss$gamma
  if (loss$task != "classification") {
    r <- dd_value(dd_sub(z, y))
    if (loss$task == "regression") {
      return(plain_loss(loss, r, 0))
    }
    d <- loss$parameter
    return(if (loss$name == "squared") r^2 / 2 else
      ifelse(abs(r) <= d, r^2 / 2, d * (abs(r) - d / 2)))
  }
  m <- dd_mul(z, y)
  t <- dd_value(dd_sub(1, m))
  switch(
    loss$name,
    hinge = pmax(0, t),
    smooth_hinge = ifelse(t <= 0, 0, ifelse(t >= g, t - g / 2, t * (t / (2 * g)))),
    squared_hinge = pmax(0, t) * (pmax(0, t) / (2 * g)),
    logistic = {
      m <- dd_value(m)
      pmax(0, -m) + log1p(exp(-abs(m)))
    }
  )
}

# phi*(a, y) as pairs; a: pairs within the domain.
exact_conjugate <- function(loss, a, y) {
  if (loss$task != "classification") {
    rest <- loss_twins[[loss$name]]$exact(loss$parameter[[1L]], a)
    return(dd_add(dd_mul(a, y), rest))
  }
  b <- dd_mul(a, y)
  switch(
    loss$name, hinge = b,
    smooth_hinge = , squared_hinge = dd_add(b, dd_mul(dd_mul(b, b), loss$gamma / 2)),
    logistic = {
      p <- pmin(1, pmax(0, -dd_value(b)))
      q <- pmin(1, pmax(0, dd_value(dd_add(1, b))))
      dd(x_log_x(p, q) + x_log_x(q, p))
    }
  )
}

# p log p for p + q = 1, where log(p) has no digits near p = 1.
x_log_x <- function(p, q) ifelse(p <= 0, 0, p * ifelse(p > 0.5, log1p(-q), log(p)))

# Into the domain; `out` says how far a was outside, in units of its size.
into_domain <- function(loss, a, y) {
  ends <- dual_domain(loss)
  b <- if (loss$task != "classification") a else a * y
  inside <- pmin(pmax(b, ends[1L]), ends[2L])
  list(a = if (loss$task != "classification") inside else inside * y,
       out = max(0, abs(inside - b)) / max(1e-300, abs(b)))
}

# sum omega a = 0, by making the heavier side smaller: every domain here is a box around zero.
balanced <- function(a, omega) {
  t <- dd_mul(a, omega)
  up <- which(a$h > 0)
  down <- which(a$h < 0)
  S <- dd_sum(dd_at(t, up))
  R <- dd_minus(dd_sum(dd_at(t, down)))
  if (!(S$h > 0 && R$h > 0)) {
    return(dd(0 * a$h))
  }
  heavier <- if (dd_value(dd_sub(S, R)) > 0) up else down
  f <- if (identical(heavier, up)) dd_div(R, S) else dd_div(S, R)
  small <- dd_mul(dd_at(a, heavier), dd(rep(f$h, length(heavier)), rep(f$l, length(heavier))))
  a$h[heavier] <- small$h
  a$l[heavier] <- small$l
  a
}

# q: a problem, list(x, y, omega, loss, lambda, mixture, scales, intercept), rows that count only.
exact_primal <- function(q, w, b) {
  z <- dd_add(dd_rows(q$x, w), rep(b, nrow(q$x)))
  W <- sum(q$omega)
  phi <- exact_loss(q$loss, z, q$y)
  v <- w * q$scales
  if (q$intercept == "penalized") v <- c(v, b)
  l1 <- q$lambda * q$mixture
  l2 <- q$lambda * (1 - q$mixture)
  value <- sum(q$omega * phi) / W + l1 * sum(abs(v)) + l2 / 2 * sum(v^2)
  beside <- if (is.null(q$around)) 0 else q$around
  slack <- loss_slack(q, z, phi, abs(q$x) %*% abs(w) + abs(b) + beside) + 16 * eps * abs(value)
  # coef() has the intercept of the rows where they lie, whose last digits are its penalty's here
  moved <- if (q$intercept == "penalized") eps * beside else 0
  list(value = value, slack = slack + moved * (l1 + l2 * (abs(b) + moved)))
}

# How far P moves when each score does by the rounding of its terms.
loss_slack <- function(q, z, phi, terms, units = 1) {
  off <- units * eps * (drop(terms) + if (q$loss$task != "classification") abs(q$y) else 0)
  up <- exact_loss(q$loss, dd_add(z, off), q$y)
  down <- exact_loss(q$loss, dd_sub(z, off), q$y)
  sum(q$omega * pmax(abs(up - phi), abs(down - phi))) / sum(q$omega)
}

exact_dual <- function(q, a) {
  W <- sum(q$omega)
  free <- q$intercept == "free"
  inside <- into_domain(q$loss, a, q$y)
  a <- dd(inside$a)
  if (free) a <- balanced(a, q$omega)
  l1 <- q$lambda * q$mixture
  l2 <- q$lambda * (1 - q$mixture)
  u <- function(a) {
    s <- dd_columns(q$x, dd_mul(a, q$omega))
    s <- dd_div(s, dd(q$scales * W))
    if (q$intercept == "penalized") {
      t <- dd_div(dd_sum(dd_mul(a, q$omega)), dd(W))
      s <- dd(c(s$h, t$h), c(s$l, t$l))
    }
    s
  }
  at <- function(a) {
    s <- u(a)
    soft <- pmax(0, dd_value(dd_sub(dd(abs(s$h), ifelse(s$h < 0, -s$l, s$l)), l1)))
    terms <- dd_mul(exact_conjugate(q$loss, a, q$y), q$omega)
    conjugate <- if (l2 > 0) sum(soft^2) / (2 * l2) else if (all(soft <= 0)) 0 else Inf
    list(value = -dd_value(dd_sum(terms)) / W - conjugate, soft = soft, s = s,
         size = sum(abs(dd_value(terms))) / W)
  }
  best <- at(a)
  largest <- max(0, abs(best$s$h))
  # any multiple is a dual point too; where the l1 norm is (nearly) alone only a small one is one
  if (l1 > 0 && largest > l1) {
    f <- l1 / largest * (1 - 4 * eps)
    other <- at(dd_mul(a, f))
    if (other$value > best$value) best <- other
  }
  # what a double makes of the sums; a free intercept lets rows and responses be shifted
  centre <- if (free) colSums(q$omega * q$x) / W else rep(0, ncol(q$x))
  middle <- if (free && q$loss$task != "classification") sum(q$omega * q$y) / W else 0
  mass <- q$omega * abs(inside$a) / W
  # twice the digits are some thirty, which a column far from the origin leaves of its sum
  du <- (16 * eps * colSums(mass * abs(sweep(q$x, 2L, centre))) +
           1e-30 * colSums(mass * abs(q$x))) / q$scales
  if (q$intercept == "penalized") du <- c(du, 16 * eps * sum(mass))
  bent <- if (l2 > 0) sum(best$soft * du + du^2 / 2) / l2 else 0
  slack <- 64 * eps * (best$size + abs(best$value)) + bent +
    (q$loss$task != "classification") * 16 * eps * sum(mass * abs(q$y - middle))
  # without an l2 norm a point is made feasible by a factor
  if (l2 <= 1e-6 * l1 && l1 > 0) slack <- slack + max(du) / l1 * abs(best$size + best$value)
  list(value = best$value, slack = slack, out = inside$out)
}

# P at w = 0, with the best b where it is free.
null_value <- function(q) {
  at <- function(b) sum(q$omega * plain_loss(q$loss, rep(b, length(q$y)), q$y)) / sum(q$omega)
  if (q$intercept != "free") {
    return(at(0))
  }
  ends <- if (q$loss$task != "classification") range(q$y) else c(-40, 40)
  if (ends[1L] == ends[2L]) {
    return(0)
  }
  middle <- sum(q$omega * q$y) / sum(q$omega)
  tried <- c(0, middle, ends, 1, -1)
  min(stats::optimize(at, ends, tol = 1e-9 * diff(ends))$objective, vapply(tried, at, 0))
}

fit_weights <- function(fit) {
  omega <- fit$weights
  if (!is.null(fit$settings$class_weights)) {
    omega <- omega * unname(fit$settings$class_weights[as.character(fit$response)])
  }
  omega
}

# The labels of class problem k.
fit_labels <- function(fit, k, several) {
  if (fit$task == "regression") return(as.double(fit$response))
  if (several) ifelse(as.integer(fit$response) == k, 1, -1) else 2 * as.integer(fit$response) - 3
}

# The class problems of a fit of the linear or the augmented family, on what was fitted: columns and
# response less their centres. around: what is in an intercept beside that of the problem.
linear_problems <- function(fit, x, labels = fit_labels) {
  settings <- fit$settings
  if (!is.null(fit$center)) x <- sweep(x, 2L, unname(fit$center))
  level <- if (is.null(fit$response_center)) 0 else fit$response_center
  omega <- fit_weights(fit)
  keep <- omega > 0
  lapply(seq_len(nrow(fit$certificate)), function(k) {
    list(x = x[keep, , drop = FALSE], y = labels(fit, k, nrow(fit$certificate) > 1L)[keep] - level,
         around = abs(level) + sum(abs(fit_shift(fit, k))), omega = omega[keep], keep = keep,
         loss = settings$loss, lambda = settings$lambda, mixture = settings$mixture,
         scales = unname(fit$scales), intercept = settings$intercept)
  })
}

# Coefficients of class problem k: w and b.
fit_point <- function(fit, k, coefficients = fit$coefficients) {
  all <- as.matrix(coefficients)[, k]
  if (!has_intercept(fit)) {
    return(list(w = unname(all), b = 0))
  }
  level <- if (is.null(fit$response_center)) 0 else fit$response_center
  none <- fit$settings$intercept == "none"
  list(w = unname(all[-1L]), b = if (none) 0 else
    dd_value(dd_sum(dd(c(all[[1L]], -level, fit_shift(fit, k, coefficients))))))
}

# What centred columns have added to the intercept, term by term.
fit_shift <- function(fit, k, coefficients = fit$coefficients) {
  if (is.null(fit$center)) 0 else unname(as.matrix(coefficients)[-1L, k] * fit$center)
}

judge_linear <- function(fit, x) {
  problems <- linear_problems(fit, x)
  dual <- as.matrix(fit$dual)
  lapply(seq_along(problems), function(k) {
    q <- problems[[k]]
    point <- fit_point(fit, k)
    P <- exact_primal(q, point$w, point$b)
    D <- exact_dual(q, unname(dual[q$keep, k]))
    list(primal = P$value, primal_slack = P$slack, dual = D$value, dual_slack = D$slack,
         out = D$out, null = null_value(q), problem = q)
  })
}

# Upper bounds of the optimum that no solver had a hand in.
linear_rivals <- function(q, point) {
  p <- length(point$w)
  W <- sum(q$omega)
  at <- function(w, b) {
    P <- exact_primal(q, w, b)
    P$value + P$slack
  }
  middle <- if (q$intercept == "free") sum(q$omega * q$y) / W else 0
  c(zero = at(numeric(p), 0), middle = at(numeric(p), middle),
    nearby = at(point$w * (1 + 1e-6 * stats::rnorm(p)), point$b),
    shorter = at(point$w * 0.999, point$b))
}
