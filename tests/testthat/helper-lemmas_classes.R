# Random altered problems of all classes (softmax), as helper-lemmas.R has them of one class problem, in
# sums. v: the coefficients of class 1, those of class 2, ..., each with its intercept last where
# that is free; moving all free intercepts by one number changes nothing, and their sum is kept at 0.

class_scores <- function(p, v) p$rows %*% matrix(v, ncol(p$rows))
class_shares <- function(p, v) {
  z <- class_scores(p, v)
  z <- exp(z - apply(z, 1L, max))
  z / rowSums(z)
}
class_labels <- function(p) outer(p$own, seq_len(p$k), `==`) + 0

class_value <- function(p, v) {
  z <- class_scores(p, v)
  top <- apply(z, 1L, max)
  sum(p$omega * (log(rowSums(exp(z - top))) + top - rowSums(z * class_labels(p)))) +
    sum(p$ridge * v^2) / 2 + p$l1 * sum(abs(v[p$ridge > 0]))
}
# Without the l1 part.
class_gradient <- function(p, v) {
  as.vector(crossprod(p$rows, p$omega * (class_shares(p, v) - class_labels(p)))) + p$ridge * v
}
# gauge: what makes it regular where intercepts are free.
class_hessian <- function(p, v, gauge = 1) {
  q <- class_shares(p, v)
  m <- ncol(p$rows)
  H <- diag(p$ridge, m * p$k)
  for (c in seq_len(p$k)) for (o in seq_len(p$k)) {
    at <- list((c - 1L) * m + seq_len(m), (o - 1L) * m + seq_len(m))
    bend <- p$omega * q[, c] * ((c == o) - q[, o])
    H[at[[1L]], at[[2L]]] <- H[at[[1L]], at[[2L]]] + crossprod(p$rows, bend * p$rows)
  }
  H + gauge * sum(p$omega) * tcrossprod(p$ridge == 0)
}

# Newton steps from v, halved as long as the objective rises; of an l1 part in the coefficients that
# proximal steps leave, until their signs and all others are those of an optimum. NULL where that is
# not reached.
class_optimum <- function(p, v = numeric(length(p$ridge))) {
  penalised <- p$ridge > 0
  most <- sum(p$omega * rowSums(p$rows^2)) + p$kappa
  for (round in 1:60) {
    for (k in seq_len(if (p$l1 > 0) 60 else 0)) {
      v <- v - class_gradient(p, v) / most
      v <- ifelse(penalised, sign(v) * pmax(0, abs(v) - p$l1 / most), v)
    }
    signs <- if (p$l1 > 0) sign(v) else rep(1, length(v))
    on <- which(signs != 0 | !penalised)
    pull <- p$l1 * signs * penalised
    smooth <- utils::modifyList(p, list(l1 = 0))
    value <- function(u) class_value(smooth, u) + sum(pull * u)
    found <- v
    step <- 0L
    while (step < 60L && length(on) > 0L) {
      step <- step + 1L
      g <- class_gradient(p, found) + pull
      move <- replace(0 * v, on, solve(class_hessian(p, found)[on, on, drop = FALSE], g[on]))
      if (sqrt(max(0, sum(g * move))) < 1e-11) break
      share <- 1
      while (share > 1e-8 && value(found - share * move) > value(found) * (1 + 1e-15)) share <- share / 2
      found <- found - share * move
    }
    if (step == 60L) return(NULL)
    if (p$l1 == 0) return(found)
    kept <- !penalised | sign(found) == sign(v) & (found != 0 | abs(class_gradient(p, found)) <= p$l1)
    if (all(kept)) return(found)
  }
  NULL
}

class_problem <- function(seed) {
  set.seed(seed)
  n <- sample(6:14, 1L)
  d <- sample(3L, 1L)
  k <- sample(3:4, 1L)
  x <- matrix(rnorm(n * d), n) * 10^runif(1, -0.5, 0.5)
  if (chance(0.4)) x <- x + rnorm(1)
  free <- chance(0.5)
  kappa <- 10^runif(1, -1, 2)
  p <- list(rows = unname(if (free) cbind(x, 1) else x),
            own = c(rep_len(seq_len(k), k + 1L), sample(k, n - k - 1L, TRUE)),
            omega = runif(n, 0.3, 2), k = k, free = free, kappa = kappa,
            l1 = if (chance(0.25)) 10^runif(1, -1, 0.3) else 0,
            ridge = rep(c(rep(kappa, d), if (free) 0), k), cost = chance(0.5))
  # of each class one row stays as it is
  at <- k + sample(n - k, sample(min(3L, n - k), 1L))
  other <- p
  switch(seed %% 4L + 1L,
    other$omega[at] <- 0,
    other$omega[at] <- p$omega[at] * 10^runif(length(at), -1, 0),
    other$omega[at] <- p$omega[at] * 10^runif(length(at), 0, 0.7),
    other$own[at] <- p$own[at] %% k + 1L
  )
  list(base = p, other = with_rule(other, sum(p$omega)))
}

# The penalty beside the sum of losses stays, or that beside their mean.
with_rule <- function(p, before) {
  share <- if (p$cost) 1 else sum(p$omega) / before
  utils::modifyList(p, list(kappa = share * p$kappa, ridge = share * p$ridge, l1 = share * p$l1))
}
without_row <- function(p, i) {
  with_rule(utils::modifyList(p, list(omega = replace(p$omega, i, 0))), sum(p$omega))
}

# What the core says (probe "joint_lemmas"), of the base from a pair near its optimum.
class_case <- function(seed) {
  case <- class_problem(seed)
  p <- case$base
  v <- class_optimum(p)
  goal <- if (!is.null(v)) class_optimum(case$other, v)
  if (is.null(goal)) return(NULL)
  best <- v
  d <- ncol(p$rows) - p$free
  a <- class_shares(p, v) - class_labels(p)
  if (chance(0.7)) v <- v + rnorm(length(v)) * 10^runif(1, -6, -1)
  if (chance(0.5)) a <- a + rnorm(length(a)) * 10^runif(1, -6, -1)
  u <- matrix(v, ncol(p$rows))
  W <- sum(p$omega)
  given <- list(mu = p$kappa / W, l1 = p$l1 / W, free = p$free + 0, cost = p$cost + 0)
  found <- probe("joint_lemmas", p$rows[, seq_len(d), drop = FALSE], as.integer(p$own), p$omega, given,
                 u[seq_len(d), , drop = FALSE], if (p$free) u[d + 1L, ] else numeric(p$k), a,
                 list(omega = case$other$omega, own = as.integer(case$other$own)))
  # as the core takes it: intercepts with the sum 0 and, of a ridge, weights too
  u[seq_len(d), ] <- u[seq_len(d), ] - (p$l1 == 0) * rowMeans(u[seq_len(d), , drop = FALSE])
  if (p$free) u[d + 1L, ] <- u[d + 1L, ] - mean(u[d + 1L, ])
  list(p = p, other = case$other, v = as.vector(u), best = best, goal = goal, found = found)
}
class_cases <- function(seeds) {
  Filter(Negate(is.null), lapply(if (is_extended()) seq_len(10L * max(seeds)) else seeds, class_case))
}
