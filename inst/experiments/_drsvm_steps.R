# Part of drsvm.R: the single-sample steps as the paper prints them (its Table 6 with Proposition
# 6.2 for q = 2, Algorithm 2 with Proposition 6.5 for q = 1, the same with the projection by
# Moreau's decomposition for q = inf, and (28) for c > 0) on random cases, against the exact step,
# and with one correction after the other. A step solves, with u = w'z,
#   min_{|w|_q <= l} max(1 - u, 1 + u - kappa l, 0) + c |w|^2 / 2
#     + (|w - w0|^2 + (l - l0)^2) / (2 alpha).
# Exact: the dual in the weights (t1, t2) of the first two pieces is concave on a triangle, and an
# answer is taken only when its duality gap is below 1e-9.
# writes: drsvm_steps.csv
# depends: inst/experiments/_drsvm_steps.R
# seeds: 20201025, 20201026 (formulas)

cases <- 20000L

onto_l2 <- function(x, s) {
  size <- sqrt(sum(x^2))
  if (size <= s) return(list(w = x, l = s))
  if (size <= -s) return(list(w = 0 * x, l = 0))
  list(w = x * (size + s) / (2 * size), l = (size + s) / 2)
}
onto_l1 <- function(x, s) {
  size <- abs(x)
  if (sum(size) <= s) return(list(w = x, l = s))
  if (max(size) <= -s) return(list(w = 0 * x, l = 0))
  sorted <- sort(size, decreasing = TRUE)
  levels <- (cumsum(sorted) - s) / (seq_along(sorted) + 1)
  level <- levels[max(which(sorted > levels))]
  list(w = sign(x) * pmax(size - level, 0), l = s + level)
}
# by Moreau's decomposition, as in section 2 of the paper
onto_linf <- function(x, s) {
  p <- onto_l1(-x, -s)
  list(w = x + p$w, l = s + p$l)
}
# The same in the metric m |w|^2 + l^2, by which the exact step with a ridge is one without.
onto_l2_by <- function(x, s, m) {
  size <- sqrt(sum(x^2))
  if (size <= s) return(list(w = x, l = s))
  if (m * size <= -s) return(list(w = 0 * x, l = 0))
  l <- (m * size + s) / (m + 1)
  list(w = x * l / size, l = l)
}
onto_l1_by <- function(x, s, m) {
  size <- abs(x)
  if (sum(size) <= s) return(list(w = x, l = s))
  if (m * max(size) <= -s) return(list(w = 0 * x, l = 0))
  sorted <- sort(size, decreasing = TRUE)
  levels <- (cumsum(sorted) - s) / (m + seq_along(sorted))  # the multiplier over m
  level <- levels[max(which(sorted > levels))]
  list(w = sign(x) * pmax(size - level, 0), l = s + m * level)
}
onto_linf_by <- function(x, s, m) {
  size <- abs(x)
  if (max(size) <= s) return(list(w = x, l = s))
  if (m * sum(size) <= -s) return(list(w = 0 * x, l = 0))
  sorted <- sort(size, decreasing = TRUE)
  levels <- (s + m * cumsum(sorted)) / (1 + m * seq_along(sorted))
  l <- levels[max(which(sorted > levels))]
  list(w = sign(x) * pmin(size, l), l = l)
}
objective <- function(p, case) {
  u <- sum(p$w * case$z)
  max(1 - u, 1 + u - case$kappa * p$l, 0) + case$ridge / 2 * sum(p$w^2) +
    (sum((p$w - case$w0)^2) + (p$l - case$l0)^2) / (2 * case$alpha)
}

# ---- The exact step ----

# The zero of a decreasing function, or the end that it does not pass.
falling_root <- function(f, upper) {
  at0 <- f(0)
  if (at0 <= 0 || upper <= 0) return(0)
  at1 <- f(upper)
  if (at1 >= 0) return(upper)
  stats::uniroot(f, c(0, upper), f.lower = at0, f.upper = at1, tol = 1e-15, maxiter = 200)$root
}
exact_step <- function(case, onto) {
  m <- 1 + case$alpha * case$ridge
  point <- function(t1, t2) {
    onto((case$w0 + case$alpha * (t1 - t2) * case$z) / m,
         case$l0 + case$alpha * case$kappa * t2, m)
  }
  first <- function(t1, t2) 1 - sum(point(t1, t2)$w * case$z)
  second <- function(t1, t2) {
    p <- point(t1, t2)
    1 + sum(p$w * case$z) - case$kappa * p$l
  }
  best_t1 <- function(t2) falling_root(function(t1) first(t1, t2), 1 - t2)
  t2 <- falling_root(function(t2) {
    t1 <- best_t1(t2)
    # on the edge t1 + t2 = 1 more of the second is less of the first
    second(t1, t2) - if (t1 >= 1 - t2) max(first(t1, t2), 0) else 0
  }, 1)
  t1 <- best_t1(t2)
  p <- point(t1, t2)
  dual <- t1 * first(t1, t2) + t2 * second(t1, t2) + case$ridge / 2 * sum(p$w^2) +
    (sum((p$w - case$w0)^2) + (p$l - case$l0)^2) / (2 * case$alpha)
  value <- objective(p, case)
  list(value = value, gap = value - dual, point = p)
}

# ---- q = 2: Table 6 ----

# Proposition 6.2. unknown: what a root of its quartic is, mu2 as printed or t = 2 mu2.
on_edge <- function(w0, l, z, a, b, unknown) {
  # the paper's A, B, C
  ww <- sum(w0^2)
  zz <- sum(z^2)
  wz <- sum(w0 * z)
  mu1 <- (wz - a * l - b) / (a^2 + zz)
  flat <- list(w = w0 - mu1 * z, l = l + a * mu1)
  if (sqrt(sum(flat$w^2)) <= flat$l) return(list(flat))
  p1 <- a^2 * b^2 - zz * b^2
  p2 <- 4 * a^2 * b^2
  p3 <- -4 * zz * a * b * l + 2 * zz * wz * a * l - 2 * wz * a^3 * l - 4 * wz * a^2 * b +
    2 * ww * zz * a^2 + 6 * a^2 * b^2 + zz^2 * l^2 + 2 * zz * b^2 + zz * wz^2 - zz * a^2 * l^2 -
    wz^2 * a^2 - ww * a^4 - ww * zz^2
  p4 <- -8 * zz * a * b * l + 4 * zz * wz * a * l - 2 * zz * a^2 * l^2 - 4 * wz * a^3 * l -
    8 * wz * a^2 * b - 2 * ww * a^4 - 2 * zz * wz^2 + 2 * ww * zz^2 + 4 * a^2 * b^2 +
    2 * zz^2 * l^2 + 2 * wz^2 * a^2
  p5 <- -4 * zz * a * b * l + 2 * zz * wz * a * l - 2 * wz * a^3 * l - 4 * wz * a^2 * b -
    2 * ww * zz * a^2 + a^2 * b^2 + zz^2 * l^2 + 3 * wz^2 * a^2 + zz * wz^2 - zz * a^2 * l^2 -
    zz * b^2 - ww * a^4 - ww * zz^2
  coefficients <- c(p5, p4, p3, p2, p1)
  used <- max(which(coefficients != 0), 1L)
  roots <- polyroot(coefficients[seq_len(used)])
  roots <- Re(roots[abs(Im(roots)) <= 1e-7 * (1 + abs(roots))])
  t <- roots[roots > 0] * if (unknown == "mu2") 2 else 1
  points <- lapply(t, function(t) {
    mu1 <- ((1 - t) * wz - a * (1 + t) * l - b * (1 - t) * (1 + t)) / ((1 + t) * a^2 + (1 - t) * zz)
    list(w = (w0 - mu1 * z) / (1 + t), l = (l + a * mu1) / (1 - t))
  })
  Filter(function(p) is.finite(p$l) && p$l >= -1e-12, points)
}
# signs: also ask of an edge that the weights of its two pieces lie in [0, 1].
table_6 <- function(case, unknown, signs) {
  z <- case$z
  kappa <- case$kappa
  ahead <- case$w0 + case$alpha * z
  u <- function(p) sum(p$w * z)
  # The step when the pieces 1 - u, 1 + u - kappa l and 0 have these weights.
  weighted <- function(t1, t2) {
    onto_l2(case$w0 + case$alpha * (t1 - t2) * z, case$l0 + case$alpha * kappa * t2)
  }
  vertices <- list(
    list(weighted(1, 0), function(u, k) u < min(k / 2, 1)),
    list(weighted(0, 1), function(u, k) u > max(k / 2, k - 1)),
    list(weighted(0, 0), function(u, k) u > 1 && u < k - 1)
  )
  for (vertex in vertices) {
    p <- vertex[[1L]]
    if (vertex[[2L]](u(p), kappa * p$l)) return(p)
  }
  # Along an edge the weight s moves from one piece to the other; the second is ahead at s = 0 and
  # behind at s = 1 when the two are equal in between.
  edges <- list(
    list(points = on_edge(ahead, case$l0, z, kappa / 2, 0, unknown),
         holds = function(u, k) u > k - 1 && u < 1 && k < 2,
         along = function(s) weighted(1 - s, s), lead = function(u, k) 2 * u - k),
    list(points = on_edge(case$w0, case$l0, z, 0, 1, unknown),
         holds = function(u, k) u < min(k / 2, k - 1) && k > 2,
         along = function(s) weighted(s, 0), lead = function(u, k) 1 - u),
    list(points = on_edge(case$w0, case$l0, z, kappa, -1, unknown),
         holds = function(u, k) u > max(k / 2, 1) && k > 2,
         along = function(s) weighted(0, s), lead = function(u, k) 1 + u - k)
  )
  for (edge in edges) {
    lead <- function(s) {
      p <- edge$along(s)
      edge$lead(u(p), kappa * p$l)
    }
    between <- !signs || (lead(0) >= -1e-9 && lead(1) <= 1e-9)
    for (p in edge$points) if (between && edge$holds(u(p), kappa * p$l)) return(p)
  }
  l <- 2 / kappa
  on_plane <- case$w0 - (sum(case$w0 * z) - 1) / sum(z^2) * z
  across <- on_plane - z / sum(z^2)
  if (sum(on_plane^2) > l^2) {
    if (l^2 < 1 / sum(z^2)) return(NULL)
    on_plane <- z / sum(z^2) + across * sqrt((l^2 - 1 / sum(z^2)) / sum(across^2))
  }
  list(w = on_plane, l = l)
}

# ---- q = 1 and q = inf: Algorithm 2 ----

# The least of |w - w0| over w'z = 1, |w|_q <= l: the projections of w0 + s z onto the ball, with s
# from w'z = 1; NULL when there is no such w.
onto_l1_ball <- function(x, l) {
  if (sum(abs(x)) <= l) return(x)
  sorted <- sort(abs(x), decreasing = TRUE)
  levels <- (cumsum(sorted) - l) / seq_along(sorted)
  sign(x) * pmax(abs(x) - levels[max(which(sorted > levels))], 0)
}
onto_linf_ball <- function(x, l) pmax(pmin(x, l), -l)
all_active <- function(case, l, norm) {
  reach <- if (norm == "l1") max(abs(case$z)) else sum(abs(case$z))
  if (reach * l < 1) return(NULL)
  ball <- list(l1 = onto_l1_ball, linf = onto_linf_ball)[[norm]]
  f <- function(s) sum(ball(case$w0 + s * case$z, l) * case$z) - 1
  wide <- 1
  while (f(-wide) > 0 || f(wide) < 0) {
    if (wide > 1e8) return(NULL)
    wide <- 2 * wide
  }
  s <- stats::uniroot(f, c(-wide, wide), tol = 1e-14)$root
  ball(case$w0 + s * case$z, l)
}
# longer: search case 2 in [0, 2]; right_l: lambda = 2 / kappa in case 5.
algorithm_2 <- function(case, longer, right_l, norm = "l1") {
  onto <- projections[[norm]]
  z <- case$z
  kappa <- case$kappa
  alpha <- case$alpha
  u <- function(p) sum(p$w * z)
  # Problem (13) by its multiplier; NULL when that is not in [0, upper].
  search <- function(from, z, a, b, upper) {
    point <- function(s) onto(from - s * alpha * z, case$l0 + s * alpha * a)
    excess <- function(s) {
      p <- point(s)
      sum(p$w * z) - a * p$l - b
    }
    at0 <- excess(0)
    if (at0 <= 1e-12) return(point(0))
    at1 <- excess(upper)
    if (at1 >= 0) return(NULL)
    point(stats::uniroot(excess, c(0, upper), f.lower = at0, f.upper = at1, tol = 1e-15)$root)
  }
  p <- onto(case$w0 - alpha * z, case$l0 + alpha * kappa)
  if (u(p) > max(kappa * p$l - 1, kappa * p$l / 2)) return(p)
  p <- search(case$w0 + alpha * z, z, kappa / 2, 0, if (longer) 2 else 1)
  if (!is.null(p) && u(p) < 1) return(p)
  p <- search(case$w0, z, kappa, -1, 1)
  if (!is.null(p) && u(p) > 1) return(p)
  p <- search(case$w0, -z, 0, -1, 1)
  if (!is.null(p) && kappa * p$l > 2) return(p)
  w <- all_active(case, 2 / kappa, norm)
  if (is.null(w)) return(NULL)
  list(w = w, l = if (right_l) 2 / kappa else kappa / 2)
}

# ---- c > 0: (28) ----

# A step without ridge on (28): w0 / m, l0 / sqrt(m), kappa sqrt(m) and alpha / m, m = 1 + alpha c.
# same: with the cone of (2), as "the same structure" says, else with (28)'s own, whose slope is
# sqrt(m).
by_28 <- function(case, norm, same) {
  m <- 1 + case$alpha * case$ridge
  onto <- if (same) {
    function(x, s, m) projections[[norm]](x, s)
  } else {
    function(x, s, one) {  # onto |w|_q <= sqrt(m) mu: that of the metric, in mu
      p <- projections_by[[norm]](x, sqrt(m) * s, m)
      list(w = p$w, l = p$l / sqrt(m))
    }
  }
  scaled <- list(z = case$z, w0 = case$w0 / m, l0 = case$l0 / sqrt(m), ridge = 0,
                 kappa = case$kappa * sqrt(m), alpha = case$alpha / m)
  p <- exact_step(scaled, onto)$point
  list(w = p$w, l = p$l * sqrt(m))
}

# ---- The count ----

variants <- list(
  list("l2", "as printed", function(case) table_6(case, "mu2", FALSE)),
  list("l2", "roots are 2 mu2", function(case) table_6(case, "2 mu2", FALSE)),
  list("l2", "roots are 2 mu2, weights in [0, 1]", function(case) table_6(case, "2 mu2", TRUE)),
  list("l1", "as printed", function(case) algorithm_2(case, FALSE, FALSE)),
  list("l1", "case 5 with 2/kappa", function(case) algorithm_2(case, FALSE, TRUE)),
  list("l1", "case 5 with 2/kappa, [0, 2]", function(case) algorithm_2(case, TRUE, TRUE)),
  list("linf", "as printed", function(case) algorithm_2(case, FALSE, FALSE, "linf")),
  list("linf", "case 5 with 2/kappa", function(case) algorithm_2(case, FALSE, TRUE, "linf")),
  list("linf", "case 5 with 2/kappa, [0, 2]", function(case) algorithm_2(case, TRUE, TRUE, "linf"))
)
with_ridge <- unlist(lapply(c("l1", "l2", "linf"), function(norm) {
  list(list(norm, "(28), the steps of (2) as they are", function(case) by_28(case, norm, TRUE)),
       list(norm, "(28), cone of slope sqrt(1 + alpha c)", function(case) by_28(case, norm, FALSE)))
}), recursive = FALSE)
projections <- list(l1 = onto_l1, l2 = onto_l2, linf = onto_linf)
projections_by <- list(l1 = onto_l1_by, l2 = onto_l2_by, linf = onto_linf_by)

# ridge: whether each case draws a ridge too, with ln c ~ N(0, 1).
count_wrong <- function(variants, cases, ridge) {
  count <- lapply(variants, function(v) {
    data.frame(norm = v[[1L]], ridge, variant = v[[2L]], cases = 0, wrong = 0, none = 0,
               largest = 0)
  })
  uncertified <- 0
  for (k in seq_len(cases)) {
    d <- sample(2:6, 1L)
    z <- rnorm(d)
    w0 <- 2 * rnorm(d)
    kappa <- exp(rnorm(1L))
    alpha <- exp(1.5 * rnorm(1L))
    slack <- if (runif(1L) < 0.6) 2 * runif(1L) else 0
    c <- if (ridge) exp(rnorm(1L)) else 0
    for (norm in names(projections)) {
      size <- switch(norm, l1 = sum(abs(w0)), l2 = sqrt(sum(w0^2)), linf = max(abs(w0)))
      case <- list(z = z, w0 = w0, kappa = kappa, alpha = alpha, ridge = c,
                   l0 = size * (1 + slack) - 0.1 * alpha)
      right <- exact_step(case, projections_by[[norm]])
      if (right$gap > 1e-9 * (1 + abs(right$value))) {
        uncertified <- uncertified + 1
        next
      }
      for (v in which(vapply(variants, function(v) v[[1L]] == norm, NA))) {
        p <- variants[[v]][[3L]](case)
        count[[v]]$cases <- count[[v]]$cases + 1
        # no answer at all, or one outside the ball
        size <- if (is.null(p)) Inf else
          switch(norm, l1 = sum(abs(p$w)), l2 = sqrt(sum(p$w^2)), linf = max(abs(p$w)))
        if (is.null(p) || size > p$l + 1e-7 * (1 + size)) {
          count[[v]]$none <- count[[v]]$none + 1
          next
        }
        excess <- (objective(p, case) - right$value) / (1 + abs(right$value))
        count[[v]]$largest <- max(count[[v]]$largest, excess)
        if (excess > 1e-6) count[[v]]$wrong <- count[[v]]$wrong + 1
      }
    }
  }
  count <- do.call(rbind, count)
  count$largest <- signif(count$largest, 3)
  count$uncertified <- uncertified
  count
}
# ---- Formulas that no step of these needs ----

# By how much an answer to a random case violates what makes it right, relative; NULL: no answer.
# (13) by (14) and Proposition 3.1: w'z <= a l + b holds and the dual value at sigma is reached.
by_14 <- function(printed) {
  d <- sample(2:6, 1L)
  z <- rnorm(d)
  w0 <- 2 * rnorm(d)
  kappa <- exp(rnorm(1L))
  a <- kappa / 2
  alpha <- exp(rnorm(1L))
  l0 <- sum(abs(w0)) * runif(1L, 0.5, 2)
  # as printed a kappa stands where a l(sigma) belongs, so that l does not enter
  point <- function(s) onto_l1(w0 - s * alpha * z, l0 + if (printed) 0 else s * alpha * a)
  p <- function(s) {
    at <- point(s)
    sum(at$w * z) - a * if (printed) kappa else at$l
  }
  s <- 0
  if (p(0) > 0) {
    if (p(1e3) > 0) return(NULL)
    s <- stats::uniroot(p, c(0, 1e3), tol = 1e-14)$root
  }
  at <- point(s)
  best <- function(s) {
    least <- onto_l1(w0 - s * alpha * z, l0 + s * alpha * a)
    (sum((least$w - w0)^2) + (least$l - l0)^2) / (2 * alpha) + s * (sum(least$w * z) - a * least$l)
  }
  value <- (sum((at$w - w0)^2) + (at$l - l0)^2) / (2 * alpha)
  dual <- stats::optimize(best, c(0, 1e3), maximum = TRUE, tol = 1e-10)$objective
  max(sum(at$w * z) - a * at$l, value - max(dual, best(s))) / (1 + value)
}
# The projection onto |y|_1 <= t by the root below (22): its residual is in the polar cone, and
# orthogonal to it.
below_22 <- function(printed) {
  d <- sample(2:6, 1L)
  x <- rnorm(d)
  s <- runif(1L, -max(abs(x)), sum(abs(x)))
  of <- function(level) if (printed) max(abs(x) - level) else sum(pmax(abs(x) - level, 0))
  if (of(0) < s) return(NULL)
  level <- stats::uniroot(function(level) of(level) - level - s, c(0, 1e3), tol = 1e-14)$root
  y <- sign(x) * pmax(abs(x) - level, 0)
  t <- level + s
  max(sum(abs(y)) - t, max(abs(x - y)) - (t - s), abs(sum((x - y) * y) + (s - t) * t))
}
# The least s_i that (26) allows is the loss of (1).
by_26 <- function(printed) {
  u <- 2 * rnorm(1L)
  reach <- exp(rnorm(1L)) * (if (printed) 1 else -1)  # lambda kappa with its sign
  abs(max(1 - u, 1 + u + reach, 0) - max(1 - u, 1 + u - abs(reach), 0))
}
# The distance in Example 4.1.
example_41 <- function(printed) {
  w1 <- runif(1L, 0, 1)
  distance <- sqrt((1 - w1)^2 + (1 - w1^2))
  abs(distance - if (printed) 1 / (2 * abs(1 - w1)) else sqrt(2 * abs(1 - w1)))
}
count_formula <- function(variant, answer, cases = 1000L) {
  off <- lapply(seq_len(cases), function(k) answer())
  none <- sum(lengths(off) == 0L)
  off <- unlist(off)
  data.frame(norm = "formula", ridge = FALSE, variant, cases, wrong = sum(off > 1e-6), none,
             largest = signif(max(0, off), 3), uncertified = 0)
}
formulas <- list("(14)" = by_14, "below (22)" = below_22, "(26)" = by_26,
                 "Example 4.1" = example_41)

# With "--formulas" these alone, and the rest as it is.
before <- file.path(folder, "drsvm_steps.csv")
count <- if ("--formulas" %in% arguments && length(read_table(before))) {
  found <- read_table(before)
  found[found$norm != "formula", setdiff(names(found), names(origin))]
} else {
  set.seed(20201025)
  rbind(count_wrong(variants, cases, FALSE), count_wrong(with_ridge, cases / 4, TRUE))
}
set.seed(20201026)
fresh <- NULL
for (name in names(formulas)) for (printed in c(TRUE, FALSE)) {
  variant <- paste0(name, if (printed) ", as printed" else ", put right")
  fresh <- rbind(fresh, count_formula(variant, function() formulas[[name]](printed)))
}
all_rows <- rbind(count, fresh)
if ("--formulas" %in% arguments) {
  save_results(all_rows, "steps", keys = c("norm", "ridge", "variant"), fresh = fresh,
               seeds = "20201026 (formulas)")
} else {
  save_results(all_rows, "steps", keys = c("norm", "ridge", "variant"))
}
