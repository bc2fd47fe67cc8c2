# L2, the curvature ball (region/ellipsoid.h, decide/altered.h) by itself: random altered problems, their
# optima by Newton steps, and what says less than the lemma must fail on some of them.

# At the optimum of the base, and a little off it: what the lemma needs, and how far the other
# optimum is in the base's metric M and, after the other problem's Newton step, in its own.
curvature_case <- function(seed) {
  case <- lapply(lemma_problem(seed, losses = "logistic"), utils::modifyList, list(l1 = 0))
  v <- lemma_optimum(case$base)
  v <- v + rnorm(length(v)) * 10^runif(1, -6, -1.5)
  M <- lemma_hessian(case$base, v)
  hessian <- lemma_hessian(case$other, v)
  gradient <- lemma_gradient(case$other, v)
  goal <- lemma_optimum(case$other, v)
  root <- chol(M)
  least <- min(eigen(solve(t(root), t(solve(t(root), hessian))), TRUE, TRUE)$values)
  length_in <- function(H, t) sqrt(max(0, sum(t * solve(H, t))))
  used <- case$other$rows[case$other$omega > 0, , drop = FALSE]
  reach <- function(H) max(apply(used, 1L, function(t) length_in(H, t)))
  step <- solve(hessian, gradient)
  drop <- sqrt(sum(gradient * step))
  distance <- function(H, from) sqrt(sum((goal - from) * (H %*% (goal - from))))
  list(nu = length_in(hessian, gradient), stretch = 1 / sqrt(least), reach = reach(M),
       apart = distance(M, v), drop = drop, own_reach = reach(hessian),
       after = distance(hessian, v - step))
}

curvature_cases <- lapply(if (is_extended()) 1:3000 else 1:400, curvature_case)
curvature_column <- function(name) vapply(curvature_cases, `[[`, 0, name)

test_that("the optimum of an altered problem is within the radius, and no further in a tenth", {
  nu <- curvature_column("nu")
  stretch <- curvature_column("stretch")
  reach <- curvature_column("reach")
  apart <- curvature_column("apart")
  radius <- mapply(function(...) probe("by_curvature", ...), nu, reach, FALSE, stretch)
  known <- is.finite(radius)
  expect_gte(mean(known), 0.3)
  expect_true(any(stretch[known] > 1.05) && any(stretch[known] < 0.95))
  slack <- 1e-9 * (1 + apart)
  expect_true(all(apart[known] <= radius[known] + slack[known]))
  expect_gte(max((apart / radius)[known & radius > 1e-3]), 0.9)
  # no factor of a step, no stretch, rows that are shorter, a gradient of which a part is dropped
  psi <- function(s) ifelse(s <= 0.9, -log1p(-pmin(s, 0.9)) / s, Inf)
  mutants <- list(
    flat = stretch * nu, plain = nu * psi(nu * reach), once = nu * psi(nu * reach * stretch),
    short = stretch * nu * psi(nu * reach * stretch / 4),
    part = 0.8 * stretch * nu * psi(nu * reach * stretch)
  )
  for (name in names(mutants)) {
    expect_gte(sum((apart > mutants[[name]] + slack)[known]), 1, label = name)
  }
})

test_that("what a Newton step misses is within the radius from where it ends", {
  drop <- curvature_column("drop")
  reach <- curvature_column("own_reach")
  after <- curvature_column("after")
  t <- drop * reach
  missed <- vapply(t, function(s) probe("missed_by_step", s), 0)
  expect_equal(missed[t > 1e-3], ((exp(t) - 1 - t) / t)[t > 1e-3], tolerance = 1e-9)
  expect_equal(probe("missed_by_step", 1e-6), 5e-7, tolerance = 1e-6)
  radius <- mapply(function(...) probe("by_curvature", ...), exp(t / 2) * drop * missed, reach,
                   FALSE, exp(t / 2))
  known <- is.finite(radius)
  expect_gte(mean(known), 0.3)
  expect_true(all((after <= radius + 1e-9)[known]))
  half <- drop * missed / 16
  expect_gte(sum((after > half + 1e-9)[known]), 1)
})

test_that("curvature that no step changes needs no factor", {
  expect_identical(probe("by_curvature", 3, 100, TRUE, 2), 6)
  expect_identical(probe("by_curvature", 1, 1, FALSE, 1), Inf)
})

test_that("the curvature at a pair bounds scores of columns and of functions alike", {
  cases <- lemma_cases(1:200, function(case) !is.null(case$found$curved))
  found <- lapply(cases, function(case) {
    W <- sum(case$p$omega)
    hessian <- lemma_hessian(case$p, case$v) / W
    x <- case$p$rows
    norms <- sqrt(rowSums(x * t(solve(hessian, t(x)))))
    by <- case$goal - case$v
    list(norms = max(abs(case$found$norms / pmax(norms, 1e-9) - 1)[norms > 1e-9]),
         moved = max(sqrt(sum(by * (hessian %*% by))), abs(drop(x %*% by)) / pmax(norms, 1e-9)))
  })
  expect_lte(max(vapply(found, `[[`, 0, "norms")), 1e-6)
  moved <- vapply(found, `[[`, 0, "moved") / vapply(cases, function(case) case$found$curved, 0)
  known <- vapply(cases, function(case) is.finite(case$found$curved) && case$found$curved > 1e-7, NA)
  expect_gte(sum(known), 50)
  expect_lte(max(moved[known]), 1 + 1e-6)
  expect_gte(max(moved[known]), 0.99)
})

# Parts of a whole in random directions, of which shares are lost: what of the whole is then lost at
# most, and the leverages that the lemma knows the parts by.
lost_case <- function(seed) {
  set.seed(seed)
  d <- sample(4L, 1L)
  n <- sample(6L, 1L)
  parts <- lapply(seq_len(n), function(i) tcrossprod(rnorm(d)) * rexp(1))
  whole <- Reduce(`+`, parts) + diag(10^runif(1, -3, 1), d)
  share <- pmin(1, rnorm(n, 0.3, 0.5))
  root <- solve(chol(whole))
  lost <- t(root) %*% Reduce(`+`, Map(`*`, share, parts)) %*% root
  list(share = share, leverage = vapply(parts, function(A) sum(diag(solve(whole, A))), 0),
       truth = max(eigen(lost, TRUE, TRUE)$values))
}

test_that("no more is lost of a Hessian than its shares say, and nearly so much in some", {
  cases <- lapply(if (is_extended()) 1:3000 else 1:300, lost_case)
  truth <- vapply(cases, `[[`, 0, "truth")
  least <- vapply(cases, function(case) probe("lost_shares", case$share, case$leverage), 0)
  expect_true(all(truth <= least + 1e-9))
  expect_gte(sum((truth / least)[least > 1e-3] > 0.99), 3)
  total <- vapply(cases, function(case) sum(case$leverage), 0)
  expect_true(any(total > 1) && any(total < 0.5))
  plain <- vapply(cases, function(case) sum(case$leverage * pmax(0, case$share)), 0)
  expect_true(all(least <= plain + 1e-9))
})

# A row that comes, rows that leave, another ridge: the optimum from a point near it, in the metric of
# the fit with the curvature of the row that comes.
theta_case <- function(seed) {
  losses <- if (seed %% 5L < 3L) c("logistic", "squared") else names(lemma_losses)
  p <- lemma_problem(seed, losses = losses)$other
  p$l1 <- 0
  p$omega <- pmax(p$omega, 0.3 * (p$omega > 0 | seq_along(p$y) < 3L))
  v <- lemma_optimum(p)
  d <- sum(p$ridge > 0)
  new <- length(p$y) - 1L
  at <- seq_len(new - 1L)
  out <- if (chance(0.6)) sample(at[-(1:2)], min(length(at) - 2L, sample(2L, 1L))) else integer()
  q <- if (chance(0.5)) with_ridge(p, 10^runif(1, -0.4, 0.2)) else p
  q$omega[out] <- 0
  if (chance(0.5)) q$omega[new] <- runif(1, 0.1, 2)
  goal <- if (!is.null(v)) lemma_optimum(q, v)
  if (is.null(goal)) return(rep(NA_real_, 5L))
  x <- p$rows[new, ]
  bend <- (q$omega * plain_bend(q$loss, lemma_scores(q, v), q$y))[new]
  M <- lemma_hessian(p, v) + bend * tcrossprod(x)
  from <- if (chance(0.7)) v - solve(M, lemma_gradient(q, v)) else v
  split <- function(v) list(w = v[seq_len(d)], b = if (p$free) v[d + 1L] else 0)
  radius <- probe("altered", p$rows[at, seq_len(d), drop = FALSE], p$y[at], p$omega[at],
                  lemma_given(p), split(v)$w, split(v)$b,
                  list(out = out, x = x, y = q$y[new], omega = q$omega[new], bend = bend,
                       kappa = q$kappa, at = split(from)$w, b = split(from)$b))
  by <- goal - from
  c(apart = sqrt(sum(by * (M %*% by))), radius = radius, out = length(out), came = bend > 0,
    ridge = q$kappa / p$kappa)
}

test_that("the optimum is within g/theta once rows leave or come and the ridge changes", {
  found <- as.data.frame(t(vapply(if (is_extended()) 1:5000 else 1:600, theta_case, numeric(5))))
  known <- is.finite(found$radius) & found$radius > 1e-7 & is.finite(found$apart)
  expect_gte(mean(known), 0.3)
  expect_true(all((found$apart <= found$radius + 1e-9)[known]))
  for (part in list(found$out > 0, found$came > 0, found$ridge < 1)) {
    expect_gte(max((found$apart / found$radius)[known & part]), 0.9)
  }
})
