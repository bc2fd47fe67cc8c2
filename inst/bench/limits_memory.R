# What searches, comparisons and questions to a fit need beside the rows, and how soon they end
# where the time is over or Ctrl-C is pressed. No result of it is kept: the figures hang on the load.
#
# Peak memory as _memory.R says. `seconds` are of the whole call, `cpu` of the processor; `late` of
# "max_seconds = 0.1" is what the call took beyond that limit, of "Ctrl-C", which another process
# sends after a second, from then on: figures that hang on the machine's load.
#
# Usage: Rscript limits_memory.R [folder for the results] [--cells=regex] [--rows=share of the rows]
# writes: limits_memory.csv
# depends: core src/linear src/kernel src/decide src/region R/cv.R R/models_compare.R R/tune.R
# depends: R/loo.R R/conformal.R
# seeds: 1

library(dualmargin)
script <- sub("^--file=", "", grep("^--file=", commandArgs(), value = TRUE)[1L])
home <- dirname(script)
source(file.path(home, "_arguments.R"))
source(file.path(home, "_clock.R"))
source(file.path(home, "_table.R"))
source(file.path(home, "_memory.R"))
rows_share <- as.numeric(option("rows", "1"))

# ---- the cells ---------------------------------------------------------------------------------
quick <- margin_control(seed = 1, progress = FALSE)
limited <- margin_control(seed = 1, progress = FALSE, max_seconds = 0.1)
long <- margin_control(seed = 1, progress = FALSE, tol = 1e-14, max_epochs = 1e6)
quiet <- function(code) suppressWarnings(suppressMessages(code))
cell <- function(call, n, p, run, ends = "itself") {
  list(call = call, n = ceiling(n * rows_share), p = p, run = run, ends = ends)
}
cells <- list(
  cell("margin_cv, 5 folds, 5 lambda", 1e6, 10, function(x, y) {
    margin_cv(x, y, grid = list(lambda = 10^-(1:5)), folds = 5, loss = "logistic", seed = 1,
              control = quick)
  }),
  cell("margin_compare, 3 folds, 2 models", 1e6, 10, function(x, y) {
    margin_compare(list(logistic = spec_margin("linear", loss = "logistic", lambda = 1e-3),
                        hinge = spec_margin("linear", loss = "smooth_hinge", lambda = 1e-3)),
                   x = x, y = y, folds = 3, seed = 1)
  }),
  cell("margin_cv(prove = TRUE), 10 folds", 1e5, 10, function(x, y) {
    margin_cv(x, y, prove = TRUE, folds = 10, seed = 1)
  }),
  cell("margin_loo of a hinge kernel fit", 8000, 10, function(x, y) {
    fit <- margin_kernel(x, y, kernel_rbf(0.1), loss = "hinge", lambda = 1e-3, control = quick)
    margin_loo(fit, x, y)
  }),
  cell("margin_conformal, jackknife+", 2000, 500, function(x, y) {
    fit <- margin_linear(x, drop(x[, 1L] + x[, 2L]), loss = "squared", lambda = 0.1,
                         control = quick)
    margin_conformal(fit, x, drop(x[, 1L] + x[, 2L]), method = "jackknife+")
  }),
  cell("margin_linear", 1e6, 500, function(x, y) {
    margin_linear(x, y, loss = "logistic", lambda = 1e-3, control = limited)
  }, "max_seconds = 0.1"),
  cell("margin_robust, radius = NULL", 2e5, 100, function(x, y) {
    margin_robust(x, y, control = limited)
  }, "max_seconds = 0.1"),
  cell("margin_linear, sparse rows, lasso", 2e5, 500, function(x, y) {
    x <- methods::as(x * (x > 1), "RsparseMatrix")
    margin_linear(x, y, loss = "logistic", lambda = 1e-3, mixture = 1, control = limited)
  }, "max_seconds = 0.1"),
  cell("margin_linear", 2e5, 300, function(x, y) {
    margin_linear(x, y, loss = "hinge", lambda = 1e-9, solver = "sdca", intercept = "none",
                  control = long)
  }, "Ctrl-C"),
  cell("margin_certain", 3000, 1500, function(x, y) {
    fit <- margin_linear(x, y, loss = "logistic", lambda = 1e-2, control = quick)
    for (k in 1:10) certain <- margin_certain(fit, x, y)
    certain
  }, "Ctrl-C")
)
label <- vapply(cells, function(c) sprintf("%s, %g x %g, %s", c$call, c$n, c$p, c$ends), "")

# ---- the child: one cell, its answer on one line -----------------------------------------------
child <- option("child", "")
if (nzchar(child)) {
  cell <- cells[[as.integer(child)]]
  set.seed(1)
  x <- matrix(stats::rnorm(cell$n * cell$p), cell$n)
  y <- factor(x[, 1L] + x[, 2L] + 2 * stats::rnorm(cell$n) > 0)
  few <- seq_len(300L)
  quiet(margin_linear(x[few, ], y[few], loss = "logistic", control = margin_control(seed = 1)))
  late <- NA_real_
  sent <- Inf
  ask <- function() tryCatch({
    if (cell$ends == "Ctrl-C") {
      sent <<- clock() + 1
      system(sprintf("sleep 1; kill -INT %d", Sys.getpid()), wait = FALSE)
    }
    timed(quiet(cell$run(x, y)))
  }, interrupt = function(condition) list())
  start <- clock()
  cpu <- cpu_clock()
  found <- with_peak(ask)
  if (cell$ends != "itself") late <- if (is.finite(sent)) clock() - sent else found$seconds - 0.1
  if (!is.null(found$error)) message(found$error)
  answer(attr(found, "peak"), clock() - start, cpu_clock() - cpu, late,
         is.null(found$error))
}

# ---- the parent --------------------------------------------------------------------------------
for (i in grep(option("cells", ".", "jackknife"), label)) {
  words <- ask_child(i, label[i], paste0("--rows=", rows_share))
  if (is.null(words)) next
  row <- data.frame(
    call = cells[[i]]$call, n = cells[[i]]$n, p = cells[[i]]$p, ends = cells[[i]]$ends,
    matrix_mb = 8 * cells[[i]]$n * cells[[i]]$p / 1e6, extra_mb = as.numeric(words[1L]) / 1e6,
    seconds = as.numeric(words[2L]), cpu = as.numeric(words[3L]),
    late = suppressWarnings(as.numeric(words[4L])), ended = as.logical(words[5L])
  )
  print(row, row.names = FALSE, digits = 3)
  keep_table(row, "limits_memory.csv", c("call", "n", "p", "ends"), "limits_memory.R",
             skip = c("seconds", "cpu", "late"))
}
