# Peak memory of margin_kernel() beyond what its caller already holds, against the array it promises
# to keep: 8 bytes for each pair of original rows, 4 at a tolerance of 1e-5 or more, with mixed rows
# or without, and nothing that grows with the pairs beyond `cache_mb`.
#
# As _memory.R says. A fit on few rows comes first and loads what is loaded lazily. Logistic loss,
# rbf kernel with sigma = 1/d on standardised columns, lambda = 1/n.
#
# Usage: Rscript kernel_memory.R [folder for the results] [--small]
# writes: kernel_memory.csv
# depends: core src/kernel R/margin_kernel.R
# seeds: 1

library(dualmargin)
script <- sub("^--file=", "", grep("^--file=", commandArgs(), value = TRUE)[1L])
home <- dirname(script)
source(file.path(home, "_kernel_data.R"))
source(file.path(home, "_memory.R"))

cells <- rbind(
  expand.grid(mixed = c(0, 5000), tol = c(1e-6, 1e-5), cache_mb = 2000,
              data = c("spambase", "magic04"), stringsAsFactors = FALSE),
  data.frame(mixed = c(0, 5000), tol = 1e-5, cache_mb = 10, data = "spambase")
)

# ---- the child: one cell, its answer on one line -----------------------------------------------
child <- option("child", "")
if (nzchar(child)) {
  cell <- cells[as.integer(child), ]
  data <- suppressMessages(read_set(cell$data))
  if (is.null(data)) no_data()
  fit <- function(rows, mixed) {
    suppressWarnings(margin_kernel(
      data$x[rows, , drop = FALSE], data$y[rows], kernel = kernel_rbf(1 / ncol(data$x)),
      loss = "logistic", lambda = 1 / (length(rows) + mixed),
      mixup = if (mixed > 0) mixup_pairs(mixed), scale = FALSE,
      control = margin_control(tol = cell$tol, seed = 1, progress = FALSE, max_seconds = 120,
                               solver_options = list(cache_mb = cell$cache_mb)), intercept = "none"
    ))
  }
  invisible(fit(round(seq(1, nrow(data$x), length.out = 100)), if (cell$mixed > 0) 10 else 0))
  model <- with_peak(function() fit(seq_len(nrow(data$x)), cell$mixed))
  answer(attr(model, "peak"), dim(data$x), model$bytes, certificate(model)$certified)
}

# ---- the parent --------------------------------------------------------------------------------
for (i in if (spotting) 1L else seq_len(nrow(cells))) {
  words <- ask_child(i, cells$data[i], if (small) "--small")
  if (is.null(words)) next
  size <- as.numeric(words[1:4])
  array <- size[4L]
  row <- data.frame(
    cells[i, c("data", "mixed", "tol", "cache_mb")], n = size[2L], d = size[3L],
    matrix_mb = signif(8 * size[2L] * size[3L] / 1e6, 4), array_mb = signif(array / 1e6, 4),
    square_mb = signif(8 * size[2L]^2 / 1e6, 4), extra_mb = signif(size[1L] / 1e6, 4),
    extra_to_array = if (array > 0) signif(size[1L] / array, 3) else NA_real_,
    extra_to_square = signif(size[1L] / (8 * size[2L]^2), 3), certified = as.logical(words[5L])
  )
  print(row, row.names = FALSE)
  keep_rows(row, "kernel_memory.csv", c("data", "n", "mixed", "tol", "cache_mb"),
            "kernel_memory.R", tolerance = 0.15)
}
