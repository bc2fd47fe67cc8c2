# Random altered problems of the four lemmas (vignettes/proofs.Rmd), in plain R: weights down and up,
# labels, another ridge, rows that leave and that come, seen from a pair of the problem before. The
# optimum is by Newton steps to 1e-11. In sums, not means: sum omega phi + kappa/2 |w|^2 + l1 |w|_1.

lemma_losses <- list(
  logistic = as_loss("logistic"), squared = as_loss("squared"), smooth_hinge = loss_smooth_hinge(0.5),
  nearly_hinge = loss_smooth_hinge(0.02), squared_hinge = loss_squared_hinge(0.5), huber = loss_huber(0.7)
)

# phi'', of a slope with pieces that of the piece.
plain_bend <- function(loss, z, y) {
  m <- y * z
  g <- loss$gamma
  switch(loss$name,
    logistic = plogis(m) * plogis(-m), squared = 1 + 0 * m, huber = (abs(z - y) < 0.7) + 0,
    smooth_hinge = (m > 1 - g & m < 1) / g, squared_hinge = (m < 1) / g
  )
}

# rows: with a 1 for a free intercept; ridge: of each coordinate.
lemma_scores <- function(p, v) drop(p$rows %*% v)
lemma_value <- function(p, v) {
  sum(p$omega * plain_loss(p$loss, lemma_scores(p, v), p$y)) + sum(p$ridge * v^2) / 2 +
    p$l1 * sum(abs(v[p$ridge > 0]))
}
# Without the l1 part.
lemma_gradient <- function(p, v) {
  slope <- p$omega * sided_slope(p$loss, lemma_scores(p, v), p$y, TRUE)
  drop(crossprod(p$rows, slope)) + p$ridge * v
}
lemma_hessian <- function(p, v) {
  bend <- p$omega * plain_bend(p$loss, lemma_scores(p, v), p$y)
  crossprod(p$rows, bend * p$rows) + diag(p$ridge, length(v))
}

# Steps as long as the objective falls. Where signs of penalised coordinates are 0 they stay where they
# are; NULL where 100 steps are too few.
newton_optimum <- function(p, v, signs = rep(1, length(v))) {
  on <- which(signs != 0 | p$ridge == 0)
  if (length(on) == 0L) return(v)
  gradient <- function(v) (lemma_gradient(p, v) + p$l1 * signs * (p$ridge > 0))[on]
  for (step in 1:100) {
    hessian <- lemma_hessian(p, v)[on, on, drop = FALSE]
    # an intercept along which nothing bends
    flat <- diag(hessian) <= 1e-6 * sum(p$omega)
    g <- gradient(v)
    move <- solve(hessian + diag(flat * sum(p$omega) / p$loss$gamma, length(on)), g)
    first <- sum(g * move)
    if (sqrt(first) < 1e-11) return(v)
    to <- function(share) replace(v, on, v[on] - share * move)
    fall <- function(share) sum(gradient(to(share)) * move)
    ends <- c(0, 1)
    while (fall(ends[2L]) > 0.5 * first && ends[2L] < 1e6) ends <- c(1, 2) * ends[2L]
    if (fall(ends[2L]) < -0.1 * first) {
      for (k in 1:40) ends[1L + (fall(mean(ends)) < 0)] <- mean(ends)
    }
    v <- to(ends[2L])
  }
  NULL
}

lemma_optimum <- function(p, v = numeric(length(p$ridge))) {
  if (p$l1 == 0) return(newton_optimum(p, v))
  penalised <- p$ridge > 0
  most <- sum(p$omega * rowSums(p$rows^2)) / p$loss$gamma + p$kappa
  for (round in 1:40) {
    for (k in 1:30) {
      v <- v - lemma_gradient(p, v) / most
      v <- ifelse(penalised, sign(v) * pmax(0, abs(v) - p$l1 / most), v)
    }
    found <- newton_optimum(p, v, sign(v))
    if (is.null(found)) return(NULL)
    kept <- !penalised | sign(found) == sign(v) &
      (found != 0 | abs(lemma_gradient(p, found)) <= p$l1)
    if (all(kept)) return(found)
  }
  NULL
}

with_ridge <- function(p, share) utils::modifyList(p, list(kappa = share * p$kappa, ridge = share * p$ridge))

# The rows of weight 0 are asked about as well: one in the middle of the others, one far from them.
lemma_problem <- function(seed, kernel = FALSE, losses = names(lemma_losses)) {
  set.seed(seed)
  n <- sample(4:12, 1L)
  d <- sample(4L, 1L)
  x <- matrix(rnorm(n * d), n) * 10^runif(1, -0.5, 0.7)
  if (chance(0.5)) x <- x + rnorm(1)
  if (chance(0.3)) x <- x * (runif(n * d) > 0.3)
  x <- rbind(x, colMeans(x), 10 * x[1L, ])
  if (kernel) {
    K <- exp(-as.matrix(dist(x))^2 / 4) + diag(0.1, n + 2L)
    x <- t(chol(K))
  }
  loss <- lemma_losses[[sample(losses, 1L)]]
  y <- c(-1, 1, sample(c(-1, 1), n - 2L, TRUE), 1, 1)
  if (loss$name %in% c("squared", "huber") && chance(0.5)) y <- 2 * rnorm(n + 2L)
  free <- chance(0.6)
  kappa <- 10^runif(1, -1.5, 3)
  p <- list(rows = unname(if (free) cbind(x, 1) else x), y = y, omega = c(runif(n, 0.3, 2), 0, 0), kappa = kappa,
            l1 = if (!kernel && chance(0.3)) 10^runif(1, -1, 0.5) else 0, free = free,
            ridge = c(rep(kappa, ncol(x)), if (free) 0), loss = loss)
  other <- p
  at <- sample(3:n, sample(n - 2L, 1L))
  switch(seed %% 6L + 1L,
    other$omega[at] <- 0,
    other$omega[at] <- p$omega[at] * 10^runif(length(at), -1, 0),
    other$omega[at] <- p$omega[at] * 10^runif(length(at), 0, 0.7),
    other$y[at] <- -p$y[at],
    other <- with_ridge(p, 10^runif(1, -0.6, 0.6)),
    p$omega[at] <- 0
  )
  list(base = p, other = other)
}

# What the core says (probe "lemmas") of the other problem from a pair of the base, exact or not.
lemma_case <- function(seed, kernel = FALSE) {
  case <- lemma_problem(seed, kernel)
  p <- case$other
  v <- lemma_optimum(case$base)
  if (is.null(v)) return(NULL)
  d <- sum(p$ridge > 0)
  slopes <- function(y) sided_slope(p$loss, lemma_scores(p, v), y, TRUE)
  a <- slopes(case$base$y)
  if (chance(0.7)) v <- v + rnorm(length(v)) * 10^runif(1, -6, 0) * (chance(0.7) | seq_along(v) > d)
  if (chance(0.5)) a <- a + rnorm(length(a)) * 10^runif(1, -6, 0)
  a <- ifelse(p$y != case$base$y | case$base$omega == 0, slopes(p$y), a)
  goal <- lemma_optimum(p, v)
  if (is.null(goal)) return(NULL)
  x <- p$rows[, seq_len(d), drop = FALSE]
  w <- v[seq_len(d)]
  stored <- if (kernel) tcrossprod(x) else if (chance(0.5)) x else methods::as(x, "CsparseMatrix")
  found <- probe("lemmas", stored, p$y, p$omega, lemma_given(p, kernel),
                 if (kernel) solve(t(x), w) else w, if (p$free) v[d + 1L] else 0, a)
  if (kernel) found$centre <- drop(crossprod(x, found$centre))
  # of functions it is made anew
  if (p$free) v[d + 1L] <- found$b
  list(p = p, v = v, goal = goal, found = found)
}

# The problem as probes take it, of means.
lemma_given <- function(p, kernel = FALSE) {
  W <- sum(p$omega)
  list(loss = p$loss$name, parameter = c(unlist(p$loss$parameter), 0)[[1L]], mu = p$kappa / W,
       l1 = p$l1 / W, free = p$free + 0, kernel = kernel + 0)
}

# Of columns and of functions.
lemma_cases <- function(seeds, keep = function(case) TRUE) {
  seeds <- if (is_extended()) seq_len(10L * max(seeds)) else seeds
  cases <- c(lapply(seeds, lemma_case), lapply(seeds, lemma_case, kernel = TRUE))
  Filter(function(case) !is.null(case) && keep(case), cases)
}
