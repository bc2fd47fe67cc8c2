# Part of margin.R: Theorem 4.1 of the paper where it asks for few enough steps to be taken. For n
# rows of length 1 at most, with a margin M: after
#   t = max((32 ln n + 64 ln(2 / delta)) / (M^2 e^2), 32 / (delta e^2))
# steps of Algorithm 2 without momentum, step sqrt(ln n / t), the last point has the margin M - e
# with probability 1 - delta. delta = 0.05. Rows: _margin_cones.R.
# Last points, not the best margin until then.
# writes: margin_adaptive.csv
# depends: core src/hard R/margin_hard.R
# seeds: 20210701 (rows of the cones), 1 to 100 (runs; two of the cones 1 to 60, iris 1 to 20)

source(file.path(home, "_margin_cones.R"))
asks <- data.frame(data = c("cone 0.76", "cone 0.76", "cone 0.4", "iris"),
                   epsilon = c(0.3, 0.1, 0.2, 0.15), runs = c(100L, 60L, 60L, 20L))
if (spotting) asks <- transform(asks[1L, ], runs = 2L)
delta <- 0.05

# Algorithm 2 in terms of the products of rows; signs are in the rows.
last_margin <- function(products, steps, seed) {
  set.seed(seed)
  n <- nrow(products)
  theta <- sqrt(log(n) / steps)
  scores <- numeric(n)
  counts <- integer(n)
  for (t in seq_len(steps)) {
    q <- exp(-theta * (scores - min(scores)))
    i <- sample.int(n, 1L, prob = q)
    scores <- scores + products[, i]
    counts[i] <- counts[i] + 1L
  }
  min(scores) / sqrt(sum(counts * scores))
}
measured <- lapply(seq_len(nrow(asks)), function(k) {
  rows <- sets[[asks$data[k]]]
  n <- nrow(rows)
  most <- certificate(hard_fit(rbind(rows, -rows), factor(rep(1:2, each = n)), tol = 1e-10))$value
  e <- asks$epsilon[k]
  steps <- max(ceiling((32 * log(n) + 64 * log(2 / delta)) / (most^2 * e^2)),
               ceiling(32 / (delta * e^2)))
  margins <- vapply(seq_len(asks$runs[k]), last_margin, 0, products = tcrossprod(rows),
                    steps = steps)
  message(format(Sys.time(), "%T "), asks$data[k], ": ", steps, " steps")
  data.frame(data = asks$data[k], n, columns = ncol(rows), margin = signif(most, 6), epsilon = e,
             delta, steps, runs = asks$runs[k], held = sum(margins >= most - e),
             least = signif(min(margins), 5), middle = signif(stats::median(margins), 5))
})
save_results(do.call(rbind, measured), "adaptive", keys = c("data", "epsilon"),
             skip = c("runs", "held", "least", "middle"))
