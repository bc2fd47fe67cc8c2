# Table 2 of the ASPDC paper by the clock: what a step and a pass cost against the columns d and the
# nonzeros of a row, for SPD1 and SPD1-VR, which read one entry a step, and for SDCA, ASPDC, SPDC
# and SVRG, which read a row. H. Liang and others (2022), Electronics 11, 2382.
#
# Drawn rows of norm 1 with 1.28 million entries in all: dense with d from 10 to 2,560; sparse with
# 10 to 160 nonzeros in each row, at d = 10,000, and with 40 at d = 1,000 to 100,000. Squared loss,
# lambda = 4/n, which ASPDC needs; no row of this loss stands still before the end.
#
#   step  seconds of the processor of a step, in nanoseconds: of runs of two lengths, the difference
#         over the steps more, which leaves out reading, checks and set-up; median, smallest and
#         largest of twenty repeats, and each of them
#   pass  of as many steps as there are entries (SPD1) or rows, in milliseconds: the median
# The repeats of a cell take the methods in turn.
# A certificate is no part of a step. SDCA, ASPDC and SPDC have one every few epochs; a fit with one
# in each says what it takes, and it is taken off. SPD1 has one an epoch, which is left in, and so
# is what SPD1-VR and SVRG need of all rows for each two passes.
# Usage: Rscript aspdc_pass_times.R [folder for the results] [--spot]
# writes: aspdc_pass_times.csv
# depends: core src/linear R/margin_linear.R
# seeds: 1 (data, solvers), twenty repeats

source(file.path(dirname(sub("^--file=", "", grep("^--file=", commandArgs(), value = TRUE)[1L])),
                 "_driver.R"))
entries <- 1.28e6
repeats <- if (spotting) 3L else 20L

unit <- function(x) Matrix::Diagonal(x = 1 / sqrt(Matrix::rowSums(x^2))) %*% x
dense <- function(d) {
  n <- entries / d
  list(x = as.matrix(unit(matrix(rnorm(n * d), n, d))), rows = "dense", d = d, nonzeros = d)
}
sparse <- function(nonzeros, d) {
  n <- entries / nonzeros
  columns <- replicate(n, sample.int(d, nonzeros))
  x <- Matrix::sparseMatrix(rep(seq_len(n), each = nonzeros), c(columns), x = rnorm(entries),
                            dims = c(n, d))
  list(x = methods::as(unit(x), "RsparseMatrix"), rows = "sparse", d = d, nonzeros = nonzeros)
}
cells <- c(lapply(10 * 4^(0:4), function(d) list(dense, d)),
           lapply(10 * 4^(0:2), function(nonzeros) list(sparse, nonzeros, 1e4)),
           lapply(c(1e3, 1e5), function(d) list(sparse, 40, d)))

if (spotting) cells <- cells[c(3L, 7L)]

# epochs of the shorter and of the longer run, steps an epoch
one_by_one <- c("SPD1", "SPD1-VR")
methods <- list("SPD1" = list("spd1", list(), c(1, 3)),
                "SPD1-VR" = list("spd1_vr", list(), c(4, 7)),
                "SDCA" = list("sdca", list(sampling = "uniform"), c(2, 12)),
                "ASPDC" = list("aspdc", list(sampling = "uniform"), c(2, 12)),
                "SPDC" = list("spdc", list(sampling = "uniform"), c(2, 12)),
                "SVRG" = list("svrg", list(sampling = "uniform"), c(4, 10)))
# of these a stage is three epochs, two of which are steps
staged <- c("SPD1-VR", "SVRG")

run <- function(cell, method, epochs, every) {
  control <- margin_control(tol = 1e-300, max_epochs = epochs, seed = 1, threads = 1,
                            progress = FALSE, certify_every_epoch = every, stall = FALSE,
                            solver_options = method[[2L]])
  before <- sum(proc.time()[c("user.self", "sys.self")])
  fit <- suppressMessages(suppressWarnings(
    margin_linear(cell$x, cell$y, loss = "squared", lambda = 4 / nrow(cell$x), intercept = "none",
                  scale = FALSE, response_scale = FALSE, solver = method[[1L]], control = control)
  ))
  cpu <- sum(proc.time()[c("user.self", "sys.self")]) - before
  stopifnot(abs(fit$status$epochs - epochs) < 1e-9)
  c(cpu = cpu, certificates = nrow(fit$trace))
}
# Of an epoch, certificates taken off where they can be.
epoch_of <- function(cell, name) {
  method <- methods[[name]]
  lengths <- method[[3L]]
  priced <- !name %in% c(one_by_one, staged)
  kinds <- list(list(lengths[1L], FALSE), list(lengths[2L], FALSE), list(lengths[2L], TRUE))
  runs <- vapply(kinds[seq_len(2L + priced)], function(how) run(cell, method, how[[1L]], how[[2L]]),
                 c(cpu = 0, certificates = 0))
  cpu <- runs["cpu", ]
  count <- runs["certificates", ]
  certificate <- if (priced) (cpu[3L] - cpu[2L]) / (count[3L] - count[2L]) else 0
  (cpu[2L] - cpu[1L] - certificate * (count[2L] - count[1L])) / diff(lengths)
}

rows <- list()
for (make in cells) {
  set.seed(1)
  cell <- do.call(make[[1L]], make[-1L])
  cell$y <- rnorm(nrow(cell$x))
  taken <- vapply(seq_len(repeats), function(r) {
    vapply(names(methods), function(name) epoch_of(cell, name), 0)
  }, numeric(length(methods)))
  for (name in names(methods)) {
    seconds <- taken[name, ]
    steps <- if (name %in% one_by_one) entries else nrow(cell$x)
    if (name %in% staged) seconds <- 1.5 * seconds
    rows <- c(rows, list(data.frame(
      rows = cell$rows, n = nrow(cell$x), d = cell$d, nonzeros = cell$nonzeros, method = name,
      step_ns = signif(1e9 * stats::median(seconds) / steps, 3),
      smallest = signif(1e9 * min(seconds) / steps, 3),
      largest = signif(1e9 * max(seconds) / steps, 3),
      pass_ms = signif(1e3 * stats::median(seconds), 3),
      each = paste(signif(1e9 * seconds / steps, 3), collapse = " ")
    )))
  }
  message(format(Sys.time(), "%T "), cell$rows, ", d = ", cell$d, ", ", cell$nonzeros, " a row")
}
write_results(do.call(rbind, rows), "aspdc_pass_times.csv",
              keys = c("rows", "d", "nonzeros", "method"), skip = c("smallest", "largest", "each"))
