# Part of margin.R: both sides of the statements of Appendices B to D, at every step of runs in plain R, for the
# exponential loss (rho = 1) and the logistic one (rho = n). With phi(q) = |Z'q|^2 / 2, psi and its conjugate, D
# their distance, lambda, theta, mu, nu, q as there; a step is p <- p - theta / (rho lambda) Z Z' nu, so that
# D(q, q_t) = psi*(q) + psi(p_t) - q'p_t, and psi*(q) is the sum of q ln q on the simplex for both losses.
#   B.2 sums     the sum of f(mu_j) - f(q), for qbar, corners and random q; random lambda and theta
#   B.2 three    the identity of three points
#   B.10, C.1    its rate with lambda = 2 / (t + 2), with equality in (B.8) and with lambda = 1
#   C.1 forms    (C.2) and (C.4), random lambda and theta: left over, relative
#   C.4, C.7     -psi(Z w_t); norms of w_t; the other form of w_t (left over) and the sums below it, with ln n
#                as printed and with D(qbar, q_0), which is ln n at most for the exponential loss alone
#   D psi, D up  share of runs of Algorithm 2 in which the lemmas of Appendix D hold (they promise 0.975)
#   D low        their lower bound of |w_t|
# slack: the least of (right - left) / |right|, or the largest left over, or the share of the runs.
# writes: margin_proofs.csv
# depends: core src/hard R/margin_hard.R
# seeds: 1 (random lambda, theta and q), 1 to 100 (runs of Algorithm 2), 20210701 (rows of the cones)

proof_steps <- if (quick) 10L else 60L
proof_runs <- if (spotting || quick) 0L else 100L
psi_of <- list(
  exponential = list(psi = function(p) max(p) + log(sum(exp(p - max(p)))),
                     slope = function(p) exp(p - max(p)) / sum(exp(p - max(p)))),
  logistic = local({
    psi <- function(p) {
      total <- sum(pmax(p, 0) + log1p(exp(-abs(p))))
      if (total > 30) total + log1p(-exp(-total)) else log(expm1(total))
    }
    list(psi = psi, slope = function(p) stats::plogis(p) / stats::plogis(psi(p)))
  })
)
lambdas_of <- list(
  "2 / (t + 2)" = function(steps) 2 / (seq_len(steps) + 1),
  equality = function(steps) Reduce(function(l, t) 2 / (1 + sqrt(1 + 4 / l^2)), seq_len(steps - 1L), 1, accumulate = TRUE),
  one = function(steps) rep(1, steps), random = function(steps) c(1, stats::runif(steps - 1L, 0.1, 1))
)
# Dual averaging on the rows z; what every step has, in columns or as numbers.
dual_run <- function(z, loss, lambda, theta = rep(1, length(lambda))) {
  n <- nrow(z)
  rho <- if (loss == "logistic") n else 1
  of <- psi_of[[loss]]
  products <- tcrossprod(z)
  p <- numeric(n)
  mu <- q <- of$slope(p)
  w <- g <- numeric(ncol(z))
  keep <- list(p = p, mu = mu, q = q, w = w, nu = NULL, g = NULL)
  for (t in seq_along(lambda)) {
    nu <- (1 - lambda[t]) * mu + lambda[t] * q
    p <- p - theta[t] / (rho * lambda[t]) * drop(products %*% nu)
    w <- w - theta[t] / (rho * lambda[t]) * drop(crossprod(z, nu))
    if (t > 1L) g <- lambda[t - 1L] * (1 - lambda[t]) / lambda[t] * (g + drop(crossprod(z, q)))
    q <- of$slope(p)
    mu <- (1 - lambda[t]) * mu + lambda[t] * q
    keep <- Map(cbind, keep, list(p, mu, q, w, nu, g))
  }
  c(keep, list(rho = rho, psi = apply(keep$p, 2L, of$psi)))
}
half_square <- function(z, q) colSums(crossprod(z, q)^2) / 2
entropy <- function(q) sum(ifelse(q > 0, q * log(q), 0))
proof_rows <- function(name, z, most, best) {
  steps <- proof_steps
  rows <- list()
  say <- function(what, loss, slack, cases = length(slack), worst = min) {
    rows[[length(rows) + 1L]] <<- data.frame(statement = what, data = name, loss, cases, slack = signif(worst(slack), 4))
  }
  share <- function(right, left) (right - left) / pmax(abs(right), abs(left), 1e-300)
  left_over <- function(a, b) max(abs(a - b)) / max(abs(b))
  for (loss in names(psi_of)) {
    distance <- function(run, q) entropy(q) + run$psi - drop(crossprod(run$p, q))
    set.seed(1)
    lambda <- lambdas_of$random(steps)
    theta <- stats::runif(steps)
    run <- dual_run(z, loss, lambda, theta)
    f <- half_square(z, run$mu)
    weights <- stats::rexp(nrow(z))
    corner <- replace(numeric(nrow(z)), which.max(best), 1)
    slack <- vapply(list(best, weights / sum(weights), corner), function(q) {
      excess <- f - half_square(z, cbind(q))
      d <- distance(run, q)
      vapply(seq_len(steps), function(t) {
        j <- seq_len(t - 1L)
        left <- theta[t] / lambda[t]^2 * excess[t + 1L] +
          sum((theta[j] / lambda[j]^2 - theta[j + 1L] * (1 - lambda[j + 1L]) / lambda[j + 1L]^2) * excess[j + 1L])
        right <- run$rho * (d[1L] - d[t + 1L]) + theta[1L] * (1 - lambda[1L]) / lambda[1L]^2 * excess[1L]
        share(right, left)
      }, 0)
    }, numeric(steps))
    say("B.2 sums", loss, slack)
    # D(q_{t+1}, q_t) by psi* at q_{t+1}, where it is q'p - psi(p)
    d <- distance(run, best)
    j <- seq_len(steps)
    between <- colSums(run$q[, j + 1L] * run$p[, j + 1L]) - run$psi[j + 1L] + run$psi[j] - colSums(run$q[, j + 1L] * run$p[, j])
    three <- colSums((run$p[, j] - run$p[, j + 1L]) * (run$q[, j + 1L] - best))
    say("B.2 three points", loss, left_over(d[j] - d[j + 1L] - between, three), steps, max)
    zq <- crossprod(z, run$q)
    say("C.1 forms", loss, c(
      left_over(run$w[, j + 1L] - run$w[, j], -rep(theta / run$rho, each = ncol(z)) * (run$g + zq[, j])),
      left_over(crossprod(z, run$mu[, j + 1L]), rep(lambda, each = ncol(z)) * (run$g + zq[, j + 1L]))
    ), 2L * steps, max)
    for (rule in setdiff(names(lambdas_of), "random")) {
      lambda <- lambdas_of[[rule]](steps)
      run <- dual_run(z, loss, lambda)
      d <- distance(run, best)
      excess <- half_square(z, run$mu)[-1L] - half_square(z, cbind(best))
      say(paste("B.10,", rule), loss, share(lambda^2 * run$rho * (d[1L] - d[-1L]), excess))
      if (rule != "2 / (t + 2)") next
      say("C.1 rate", loss, share(4 * run$rho * d[1L] / (j + 1)^2, excess))
      mu2 <- colSums(crossprod(z, run$mu)^2)[-1L]
      nu2 <- colSums(crossprod(z, run$nu)^2)
      gained <- c(1 / lambda[-steps]^2 - (1 - lambda[-1L]) / lambda[-1L]^2)
      of_mu <- (mu2 / lambda^2 + c(0, cumsum(gained * mu2[-steps]))) / (2 * run$rho)
      size <- sqrt(colSums(run$w^2))[-1L]
      say("C.4 psi", loss, share(-run$psi[-1L], -run$psi[1L] + of_mu + cumsum(nu2 / lambda) / (2 * run$rho)))
      say("C.7 norms, low", loss, share(size, cumsum(most / (run$rho * lambda))))
      say("C.7 norms, high", loss, share(cumsum(sqrt(nu2) / (run$rho * lambda)), size))
      forms <- (zq_of <- crossprod(z, run$q))[, j + 1L] - zq_of[, 1L] -
        t(apply(crossprod(z, run$mu)[, j + 1L] / rep(lambda, each = ncol(z)), 1L, cumsum))
      say("C.7 form of w", loss, left_over(run$w[, j + 1L], forms / run$rho), steps, max)
      for (known in c("", ", D")) {
        most_of_d <- if (nzchar(known)) d[1L] else log(nrow(z))
        say(paste0("C.7 sums", known), loss,
            share(of_mu, cumsum(mu2 / lambda) / (2 * run$rho) - 2 * most_of_d * log(j + 1)))
      }
    }
  }
  do.call(rbind, rows)
}
# Algorithm 2 without momentum, as Theorem 4.1 has it: by how much its lemmas hold in a run.
lemmas_of_d <- function(z, most, epsilon, delta, seed) {
  set.seed(seed)
  n <- nrow(z)
  steps <- ceiling(max((32 * log(n) + 64 * log(2 / delta)) / (most^2 * epsilon^2), 32 / (delta * epsilon^2)))
  step <- sqrt(log(n) / steps)
  products <- tcrossprod(z)
  p <- numeric(n)
  w2 <- squares <- norms <- 0
  for (t in seq_len(steps)) {
    q <- exp(p - max(p))
    q <- q / sum(q)
    square <- sum(q * (products %*% q))
    squares <- squares + step * square
    norms <- norms + step * sqrt(square)
    i <- sample.int(n, 1L, prob = q)
    w2 <- w2 - 2 * step * p[i] + step^2 * products[i, i]
    p <- p - step * products[, i]
  }
  size <- sqrt(w2)
  c(psi = -psi_of$exponential$psi(p) >= squares - 2 * log(n) - sqrt(8 * log(2 / delta) * log(n)),
    up = size <= norms + sqrt(8 * log(n) / delta), low = size / (most * sqrt(steps * log(n))) - 1)
}
proof_sets <- local({
  source(file.path(home, "_margin_cones.R"), local = TRUE)
  gold <- margin_data("golub")
  x <- scale(as.matrix(gold$x)) * ifelse(gold$y == levels(gold$y)[2L], -1, 1)
  c(lapply(sets, `-`), list(golub = x / sqrt(max(rowSums(x^2)))))
})
if (spotting) proof_sets <- proof_sets["iris"]
proofs <- lapply(names(proof_sets), function(name) {
  z <- proof_sets[[name]]
  dimnames(z) <- NULL
  fit <- hard_fit(rbind(z, -z), factor(rep(1:2, each = nrow(z))), tol = 1e-10)
  most <- certificate(fit)$value
  # the weights of the dual optimum
  best <- rowSums(matrix(abs(fit$dual), nrow(z)))
  best <- best / sum(best)
  stopifnot(abs(sqrt(2 * half_square(z, cbind(best))) / most - 1) < 1e-6)
  rows <- proof_rows(name, z, most, best)
  if (name == "cone 0.76" && proof_runs > 0L) {
    runs <- vapply(seq_len(proof_runs), function(seed) lemmas_of_d(z, most, 0.3, 0.05, seed), numeric(3L))
    rows <- rbind(rows, data.frame(statement = c("D psi", "D up", "D low"), data = name, loss = "exponential",
                                   cases = proof_runs, slack = signif(c(rowMeans(runs[1:2, ]), min(runs[3L, ])), 4)))
  }
  message(format(Sys.time(), "%T "), "proofs, ", name)
  rows
})
save_results(do.call(rbind, proofs), "proofs", keys = c("statement", "data", "loss"), floor = 1e-9)
