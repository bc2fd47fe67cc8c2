# The robust problem with twice the digits; see helper-robust.R for its definitions and
# helper-fuzz_linear.R for what a judge returns.

robust_problems <- function(fit, x) {
  omega <- fit_weights(fit)
  keep <- omega > 0
  lapply(seq_len(nrow(fit$certificate)), function(k) {
    c(list(x = x[keep, , drop = FALSE], omega = omega[keep], keep = keep,
           y = fit_labels(fit, k, nrow(fit$certificate) > 1L)[keep], scales = unname(fit$scales),
           middle = if (is.null(fit$origin)) 0 else unname(fit$origin$center)),
      fit$settings[c("norm", "radius", "label_cost", "ridge", "intercept")])
  })
}

robust_primal <- function(q, w, b, t) {
  v <- w * q$scales
  if (q$intercept == "penalized") v <- c(v, b)
  t <- max(t, plain_norm(v, q$norm))
  u <- dd_mul(dd_add(dd_rows(q$x, w), rep(b, nrow(q$x))), q$y)
  off <- eps * (drop(abs(q$x) %*% abs(w)) + abs(b))
  # the fit has seen the rows moved to their middle, which is that of rows without a weight too
  if (q$intercept == "free") off[] <- max(off) + 2 * eps * sum(abs(q$middle * w))
  share <- q$omega / sum(q$omega)
  flip <- if (is.finite(q$label_cost)) {
    dd_value(dd_add(dd_add(1, u), -q$label_cost * t))
  } else {
    rep(-Inf, length(q$y))
  }
  bend <- pmax(dd_value(dd_sub(1, u)), flip)
  if (is.finite(q$label_cost)) off <- off + q$label_cost * t * eps
  value <- t * q$radius + sum(share * pmax(0, bend)) + q$ridge / 2 * sum(v^2)
  list(value = value, slack = sum(share * off * (bend > -off)) + 16 * eps * value)
}

# Multipliers that are made feasible: not negative, together at most one, balanced, short enough.
robust_dual <- function(q, alpha, beta) {
  W <- sum(q$omega)
  out <- max(0, -alpha, -beta, (alpha + beta) - 1)
  alpha <- pmax(0, alpha)
  beta <- pmax(0, beta)
  over <- pmax(1, (alpha + beta) * (1 + 2 * eps * (alpha + beta > 1)))
  a <- dd_div(alpha, over)
  b <- dd_div(beta, over)
  if (q$intercept == "free") {
    up <- q$y > 0
    t <- dd_mul(a, q$omega)
    s <- dd_mul(b, q$omega)
    S <- dd_add(dd_sum(dd_at(t, up)), dd_sum(dd_at(s, !up)))
    R <- dd_add(dd_sum(dd_at(t, !up)), dd_sum(dd_at(s, up)))
    first <- dd_value(dd_sub(S, R)) > 0
    f <- if (first) dd_div(R, S) else dd_div(S, R)
    if (is.finite(f$h)) {
      less <- if (first) up else !up
      a <- dd_scaled(a, less, f)
      b <- dd_scaled(b, !less, f)
    }
  }
  p <- c(l1 = "linf", l2 = "l2", linf = "l1")[[q$norm]]
  kappa <- q$label_cost
  mass <- dd_value(dd_sum(dd_mul(b, q$omega))) / W
  spent <- if (mass > 0) kappa * mass else 0
  at <- function(f) {
    c <- dd_mul(dd_mul(dd_sub(a, b), q$omega * q$y), f)
    v <- dd_value(dd_div(dd_columns(q$x, c), dd(q$scales * W)))
    if (q$intercept == "penalized") v <- c(v, dd_value(dd_sum(c)) / W)
    theta <- q$radius - f * spent
    linear <- f * dd_value(dd_add(dd_sum(dd_mul(a, q$omega)), dd_sum(dd_mul(b, q$omega)))) / W
    outside <- v - plain_ball(v, max(0, theta), p)
    list(v = v, theta = theta, linear = linear, outside = outside,
         value = linear - if (q$ridge > 0) sum(outside^2) / (2 * q$ridge) else 0)
  }
  whole <- at(1)
  need <- plain_norm(whole$v, p)
  # the longest multiple that needs no ridge
  f <- if (need + spent > 0) min(1, q$radius / (need + spent)) else 1
  short <- f * whole$linear * (1 - 4 * eps)
  value <- short
  if (q$ridge > 0 && whole$theta >= 0) value <- max(short, whole$value)
  if (q$ridge > 0 && whole$theta < 0) value <- max(short, at(q$radius / spent)$value)
  centre <- if (q$intercept == "free") colSums(q$omega * q$x) / W else rep(0, ncol(q$x))
  du <- 16 * eps * colSums(q$omega * (alpha + beta) * abs(sweep(q$x, 2L, centre))) / W / q$scales
  if (q$intercept == "penalized") du <- c(du, 16 * eps)
  bent <- if (q$ridge > 0) (sum(abs(whole$outside) * du) + sum(du^2)) / q$ridge else Inf
  # short only by rounding
  stretched <- if (need + spent > 0) plain_norm(du, p) / (need + spent) * whole$linear else 0
  # mass of weight in the flipped hinge costs kappa in digits
  list(value = value, out = out,
       slack = min(bent, stretched) + 64 * eps * (whole$linear + abs(value)) +
         if (need + spent > 0) 16 * eps * whole$linear * (1 + spent / max(q$radius, 1e-300)) else 0)
}

dd_scaled <- function(a, at, f) {
  s <- dd_mul(dd_at(a, at), dd(rep(f$h, sum(at)), rep(f$l, sum(at))))
  a$h[at] <- s$h
  a$l[at] <- s$l
  a
}

robust_null <- function(q) {
  if (is.finite(q$label_cost) || q$intercept != "free") {
    return(1)
  }
  share <- sum(q$omega[q$y > 0]) / sum(q$omega)
  2 * min(share, 1 - share)
}

judge_robust <- function(fit, x) {
  problems <- robust_problems(fit, x)
  alpha <- as.matrix(fit$dual)
  beta <- as.matrix(fit$dual_flip)
  lapply(seq_along(problems), function(k) {
    q <- problems[[k]]
    point <- fit_point(fit, k)
    P <- robust_primal(q, point$w, point$b, fit$norm_bound[[k]])
    D <- robust_dual(q, unname(alpha[q$keep, k]), unname(beta[q$keep, k]))
    list(primal = P$value, primal_slack = P$slack, dual = D$value, dual_slack = D$slack,
         out = D$out, null = robust_null(q), problem = q)
  })
}

robust_rivals <- function(q, point) {
  at <- function(w, b) {
    v <- c(w * q$scales, if (q$intercept == "penalized") b)
    size <- plain_norm(v, q$norm)
    P <- lapply(size * c(1, 1.001, 2), function(t) robust_primal(q, w, b, t))
    min(vapply(P, function(p) p$value + p$slack, 0))
  }
  p <- length(point$w)
  c(zero = at(numeric(p), 0), nearby = at(point$w * (1 + 1e-6 * stats::rnorm(p)), point$b),
    shorter = at(point$w * 0.999, point$b))
}

judge_family_robust <- function(fit, x, case) {
  found <- character()
  points <- list()
  slacks <- numeric()
  for (k in seq_along(judged <- judge_robust(fit, x))) {
    j <- judged[[k]]
    row <- fit$certificate[k, ]
    rivals <- robust_rivals(j$problem, fit_point(fit, k))
    found <- c(found, check_minimum(row, fit$status$status[k], j),
               check_crossing(row, fit$status$status[k], rivals, j$dual_slack))
    slacks[k] <- j$dual_slack
    found <- c(found, check_trace(fit, k, j$primal + 8 * j$primal_slack, j$dual_slack))
    limited <- grepl("norm <=", row$kind)
    if (limited && row$certified) found <- c(found, "a bound of limited norm certifies")
    points[[k]] <- c(own = j$primal + j$primal_slack, rivals)
  }
  list(found = found, points = points, slacks = slacks)
}
