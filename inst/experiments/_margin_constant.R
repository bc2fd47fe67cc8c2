# Part of margin.R: is the constant 4 of Theorem 5.1 of the paper false, or only its proof? For N
# samples of k classes, n = N (k - 1), samples of norm at most 1 and the maximum margin M, it says
#   M - margin(U_t) <= 4 (1 + ln n) (1 + 2 ln(t + 1)) / (M (t + 1)^2)   for all t >= 1;
# Theorem 3.1 and the reduction give 8. `constant` is the left side over the right side without its
# constant, the largest over t. First problems drawn at random, then a search that moves the samples
# of the largest ones to make it larger. Above 4: a counterexample.
# writes: margin_constant.csv
# depends: core src/hard R/margin_hard.R
# seeds: 1

constant_steps <- if (quick) 100L else 1000L
random_problems <- if (spotting) 40L else if (quick) 50L else 1000L
climbs <- if (spotting) 0L else if (quick) 2L else 20L
moves <- if (quick) 20L else 150L

short_rows <- function(x) x / pmax(1, sqrt(rowSums(x^2)))
# The rows of the reduction: x_i (e_c - e_j)' / sqrt(2), flattened.
pair_rows <- function(x, label, k) {
  rows <- lapply(seq_len(nrow(x)), function(i) {
    t(vapply(setdiff(seq_len(k), label[i]), function(j) {
      sign <- numeric(k)
      sign[c(label[i], j)] <- c(1, -1)
      as.vector(outer(x[i, ], sign)) / sqrt(2)
    }, numeric(ncol(x) * k)))
  })
  do.call(rbind, rows)
}
# Its largest constant over the steps of Algorithm 1 (exponential loss, theta = 1), and the step;
# NULL where no U separates the samples, or by too little for doubles.
largest_constant <- function(x, label, k, steps = constant_steps) {
  z <- pair_rows(x, label, k)
  n <- nrow(z)
  # a separating plane through the origin is one of the rows and their negatives
  both <- rbind(z, -z)
  exact <- hard_fit(both, factor(rep(1:2, each = n)), tol = 1e-10)
  best <- sqrt(2) * certificate(exact)$value
  if (!isTRUE(exact$separable) || best < 0.01) {
    return(NULL)
  }
  w <- g <- numeric(ncol(z))
  q <- rep(1 / n, n)
  found <- c(constant = -Inf, t = NA)
  for (t in seq_len(steps)) {
    s <- drop(crossprod(z, q))
    g <- (t - 1) / t * (g + s)
    w <- w + g + s
    p <- drop(z %*% w)
    q <- exp(min(p) - p)
    q <- q / sum(q)
    size <- sqrt(sum(w^2))
    margin <- if (size > 0) sqrt(2) * min(p) / size else 0
    value <- (best - margin) * best * (t + 1)^2 / ((1 + log(n)) * (1 + 2 * log(t + 1)))
    if (value > found[[1L]]) found <- c(constant = value, t = t)
  }
  c(found, margin = best)
}
draw_problem <- function() {
  k <- sample(2:5, 1L)
  count <- sample(2:6, 1L)
  x <- matrix(rnorm(count * sample(1:4, 1L)), count)
  if (runif(1L) < 0.5) x <- x / sqrt(rowSums(x^2)) else x <- short_rows(x)
  list(x = x, label = sample(k, count, replace = TRUE), k = k)
}

set.seed(1)
problems <- list()
tries <- 0L
while (length(problems) < random_problems) {
  tries <- tries + 1L
  one <- draw_problem()
  if (length(unique(one$label)) < 2L) next
  one$found <- largest_constant(one$x, one$label, one$k)
  if (!is.null(one$found)) problems[[length(problems) + 1L]] <- one
}
row_of <- function(kind, one) {
  data.frame(kind, N = nrow(one$x), k = one$k, d = ncol(one$x),
             constant = signif(one$found[["constant"]], 6), t = one$found[["t"]],
             margin = signif(one$found[["margin"]], 6))
}
rows <- lapply(problems, function(one) row_of("random", one))
of_each <- vapply(problems, function(one) one$found[["constant"]], 0)
for (start in order(-of_each)[seq_len(climbs)]) {
  one <- problems[[start]]
  width <- 0.3
  for (move in seq_len(moves)) {
    x <- short_rows(one$x + width * matrix(rnorm(length(one$x)), nrow(one$x)))
    found <- largest_constant(x, one$label, one$k)
    better <- !is.null(found) && found[["constant"]] > one$found[["constant"]]
    if (better) {
      one$x <- x
      one$found <- found
    }
    width <- min(0.5, max(1e-4, width * if (better) 1.5 else 0.95))
  }
  rows <- c(rows, list(row_of("search", one)))
}
# of the random ones the largest hundred are kept, with the number of all
if (length(rows)) {
  rows <- do.call(rbind, rows)
  rows <- rows[order(rows$kind != "search", -rows$constant), ]
  # the first ones again, of which the table has those that are large enough
  if (spotting) {
    kept <- read_table(file.path(folder, "margin_constant.csv"))
    rows <- rows[rows$constant >= min(kept$constant[kept$kind == "random"]), ]
  }
  rows$of <- ifelse(rows$kind == "search", climbs, if (spotting) 1000L else random_problems)
  rows$steps <- constant_steps
  rows$moves <- ifelse(rows$kind == "search", moves, NA)
  save_results(rows[rows$kind == "search" | seq_len(nrow(rows)) <= climbs + 100L, ], "constant",
               keys = c("kind", "N", "k", "d", "constant"))
}
