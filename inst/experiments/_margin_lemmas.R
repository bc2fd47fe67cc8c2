# Part of margin.R: what Section 3 of the paper says of every step of Algorithm 1 (exponential loss,
# theta = 1), beside a run of it in plain R at some steps t. With Z the rows z_i = -y_i x_i, divided
# by the longest, M their margin, lambda_t = 2 / (t + 2), phi(q) = |Z'q|^2 / 2; mu, nu, q as there:
#   gap, gap_bound      phi(mu_t) - M^2 / 2 and 4 ln n / (t + 1)^2             (Lemma 3.1)
#   same                relative difference of w_t from its form (3.2), and of 2 g_t / t from
#                       Z'mu_t, the larger; on the smaller sets the dual method runs beside it, with
#                       nothing in common but the products of rows          (lemma of 3.2, momentum)
#   psi, psi_bound      -psi(Z w_t) and what is below it                       (lemma of 3.3, psi)
#   low, size, high     |w_t| and what is around it                            (lemma of 3.3, norms)
#   margin, half        margin of w_t and M / 2 - 4 ln n / (M (t + 1)^2)       (its proposition)
#   theorem             M - 4 (1 + ln n)(1 + 2 ln(t + 1)) / (M (t + 1)^2)      (Theorem 3.1 (1))
#   lower2, upper2      the interval for M^2                                   (Theorem 3.1 (2))
# Digits 3 and 5 are not separable: M = 0, and only some of this says anything.
# writes: margin_lemmas.csv
# depends: core src/hard R/margin_hard.R
# seeds: none

lemma_sets <- local({
  signed <- function(x, y) {
    z <- x * ifelse(y == levels(y)[2L], -1, 1)
    z / sqrt(max(rowSums(z^2)))
  }
  gold <- margin_data("golub")
  pair <- function(labels) {
    two <- digits_of(digits$train, labels, if (quick) 500 else Inf)
    signed(two$x, two$y)
  }
  flowers <- scale(as.matrix(iris[1:100, 1:4]), scale = FALSE)
  list(iris = signed(flowers, factor(iris$Species[1:100])),
       golub = signed(scale(as.matrix(gold$x)), gold$y), "0 v 1" = pair(0:1),
       "3 v 5" = pair(c(3, 5)))
})
lemmas_at <- c(1, 2, 5, 10, 20, 50, 100)
if (spotting) {
  lemma_sets <- lemma_sets["iris"]
  lemmas_at <- lemmas_at[1:5]
}
biggest <- function(a, b) max(abs(a - b)) / max(abs(b))

check_set <- function(name) {
  z <- lemma_sets[[name]]
  dimnames(z) <- NULL
  n <- nrow(z)
  separable <- name != "3 v 5"
  most <- if (separable) {
    certificate(hard_fit(rbind(z, -z), factor(rep(1:2, each = n)), tol = 1e-10))$value
  } else 0
  dual <- n < 1000
  if (dual) products <- tcrossprod(z)
  if (!dual) z <- Matrix::Matrix(z, sparse = TRUE)
  down <- function(q) as.vector(Matrix::crossprod(z, q))
  logsum <- function(p) max(p) + log(sum(exp(p - max(p))))
  w <- form <- g <- numeric(ncol(z))
  q <- rep(1 / n, n)
  s <- zq <- down(q)
  z_mu <- s
  low <- high <- nu_sum <- mu_sum <- 0
  dual_mu <- dual_q <- q
  log_q <- numeric(n)
  rows <- list()
  for (t in seq_len(max(lemmas_at))) {
    # the step from t - 1 to t
    lambda <- 2 / (t + 1)
    z_nu <- (1 - lambda) * z_mu + lambda * s
    if (t > 1) mu_sum <- mu_sum + (t^2 / 4 - (t^2 - 1) / 4) * sum(z_mu^2) / 2
    nu_sum <- nu_sum + sum(z_nu^2) / (2 * lambda)
    low <- low + most / lambda
    high <- high + sqrt(sum(z_nu^2)) / lambda
    g <- (t - 1) / t * (g + s)
    w <- w - (g + s)
    form <- form - z_nu / lambda
    p <- as.vector(z %*% w)
    q <- exp(p - logsum(p))
    s <- down(q)
    z_mu <- (1 - lambda) * z_mu + lambda * s
    if (dual) {
      nu <- (1 - lambda) * dual_mu + lambda * dual_q
      log_q <- log_q - drop(products %*% nu) / lambda
      dual_q <- exp(log_q - logsum(log_q))
      dual_mu <- (1 - lambda) * dual_mu + lambda * dual_q
    }
    if (!t %in% lemmas_at) next
    g_now <- t / (t + 1) * (g + s)
    same <- c(biggest(form, w), biggest(2 * g_now / t, z_mu))
    if (dual) same <- c(same, biggest(down(dual_mu), z_mu), biggest(dual_q, q))
    upper2 <- 4 * sum(g_now^2) / t^2
    rows[[length(rows) + 1L]] <- data.frame(
      data = name, n, largest_margin = most, t, gap = sum(z_mu^2) / 2 - most^2 / 2,
      gap_bound = 4 * log(n) / (t + 1)^2, same = max(same), psi = -logsum(p),
      psi_bound = -log(n) + (t + 1)^2 / 8 * sum(z_mu^2) + mu_sum + nu_sum, low,
      size = sqrt(sum(w^2)), high, margin = min(-p) / sqrt(sum(w^2)),
      half = if (separable) most / 2 - 4 * log(n) / (most * (t + 1)^2) else NA,
      theorem = if (separable) {
        most - 4 * (1 + log(n)) * (1 + 2 * log(t + 1)) / (most * (t + 1)^2)
      } else NA,
      lower2 = upper2 - 8 * log(n) / (t + 1)^2, upper2
    )
  }
  message(format(Sys.time(), "%T "), "lemmas, ", name)
  do.call(rbind, rows)
}
lemmas <- do.call(rbind, lapply(names(lemma_sets), check_set))
shown <- vapply(lemmas, is.double, NA)
lemmas[shown] <- lapply(lemmas[shown], signif, 7)
lemmas$same <- signif(lemmas$same, 2)
save_results(lemmas, "lemmas", keys = c("data", "t"), skip = "same")
