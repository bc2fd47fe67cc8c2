# A fit of rows in a file beside peers: logistic loss with a ridge of lambda = 1e-4.
#
#   LiblineaR    rows in memory; no intercept, columns as they are; its own tolerances
#   sklearn      SGDClassifier.partial_fit over blocks of the same rows in a raw file, after so many
#                epochs (blocks and their rows in order, as a file is read; large_sgd.py)
#   biglasso     dense rows in a file-backed big.matrix; it has an intercept and scaled columns
#
# Every fit is made in a process of its own. Seconds are those of the fit alone, not of preparing
# the rows; `peak_gb` is the peak of resident memory during it, rows that a process holds or maps
# included. `excess` is how far the objective at the returned coefficients, computed here on all
# rows, lies above the bound of our fit at 1e-9, over that bound.
#
# Usage: Rscript large_peers.R [folder for the results] [--data=regex]
# writes: large_peers.csv
# depends: core src/linear R/margin_linear.R R/rows_fit.R
# seeds: 1 (pools, solvers), the number of a chunk (its windows)

library(dualmargin)
script <- sub("^--file=", "", grep("^--file=", commandArgs(), value = TRUE)[1L])
home <- dirname(script)
for (file in c("_arguments.R", "_clock.R", "_table.R", "_memory.R", "_large.R")) {
  source(file.path(home, file))
}
lambda <- 1e-4
block <- 10000L
sets <- list("sparse, 50 a row of 20000" = list(sparse = TRUE, n = 1e5, d = 20000L, k = 50L),
             "dense, 100 columns" = list(sparse = FALSE, n = 1e5, d = 100L, k = 100L))

# The problem of biglasso, else that of the others.
fit_ours <- function(source, tol, scaled) {
  ask <- list(loss = "logistic", lambda = lambda, scale = scaled, solver = "newton",
              intercept = if (scaled) "free" else "none",
              control = margin_control(seed = 1, progress = FALSE, tol = tol))
  from <- if (inherits(source, "margin_rows")) list(source) else list(source$x, source$y)
  function() do.call(margin_linear, c(from, ask))
}
fit_liblinear <- function(rows, type, tol) {
  y <- ifelse(rows$y == "b", 1, -1)
  function() {
    LiblineaR::LiblineaR(rows$x, y, type = type, cost = 1 / (lambda * length(y)), epsilon = tol,
                         bias = 0)
  }
}
fit_biglasso <- function(s, tol) {
  folder <- dirname(tempdir())
  x <- bigmemory::filebacked.big.matrix(s$n, s$d, backingfile = "large.bin", backingpath = folder,
                                        descriptorfile = "large.desc")
  rows <- make_matrix(s)
  for (j in seq_len(s$d)) x[, j] <- rows$x[, j]
  y <- as.numeric(rows$y == "b")
  function() {
    biglasso::biglasso(x, y, penalty = "ridge", family = "binomial", lambda = lambda, eps = tol,
                       max.iter = 100000, ncores = 1, screen = "None")
  }
}
coefficients_of <- function(value, rows) {
  if (inherits(value, "margin_linear")) return(as.vector(coef(value)))
  if (inherits(value, "biglasso")) return(as.vector(as.matrix(value$beta)))
  drop(value$W)[seq_len(ncol(rows$x))] * (if (value$ClassNames[1L] == 1) 1 else -1)
}

# ---- the child: set, problem, peer, setting, and where its coefficients go ---------------------
if (nzchar(child <- option("child", ""))) {
  asked <- strsplit(child, ";")[[1L]]
  s <- sets[[asked[1L]]]
  scaled <- asked[2L] == "scaled"
  number <- as.numeric(strsplit(asked[4L], " ")[[1L]])
  source <- switch(asked[3L], "ours, file" = read_rows(file_of(s)), biglasso = NULL,
                   make_matrix(s))
  fit <- switch(asked[3L], "ours, file" = , "ours, memory" = fit_ours(source, number, scaled),
                LiblineaR = fit_liblinear(source, number[1L], number[2L]),
                biglasso = fit_biglasso(s, number))
  invisible(gc(full = TRUE))
  writeLines("5", "/proc/self/clear_refs")
  run <- timed(fit())
  if (!is.null(run$error)) stop(run$error)
  peak <- 1024 * kilobytes("VmHWM")
  saveRDS(coefficients_of(run$value, source), asked[5L])
  certified <- if (inherits(run$value, "margin_linear")) certificate(run$value)
  answer_with(seconds = run$seconds, cpu = run$cpu, peak = peak,
              bound = if (is.null(certified)) NA_real_ else certified$bound,
              certified = if (is.null(certified)) NA else certified$certified)
}

# ---- the parent --------------------------------------------------------------------------------
python <- local({
  has <- function(path) {
    nzchar(path) && system2(path, c("-c", shQuote("import sklearn")), stdout = FALSE,
                            stderr = FALSE) == 0
  }
  Find(has, c(Sys.which("python3"), "/usr/bin/python3"))
})
# Its epochs in one process: a list with one entry for each of them that was asked for.
run_sgd <- function(rows, epochs) {
  folder <- tempfile("sgd")
  dir.create(folder)
  on.exit(unlink(folder, recursive = TRUE))
  put <- function(value, name, ...) {
    writeBin(value, file.path(folder, name), endian = "little", ...)
  }
  put(ifelse(rows$y == "b", 1, -1), "y")
  if (isS4(rows$x)) {
    put(rows$x@x, "data")
    put(rows$x@j, "indices")
    put(as.double(rows$x@p), "indptr")
  } else {
    put(as.vector(t(rows$x)), "data")
  }
  said <- system2(python, c(shQuote(file.path(home, "large_sgd.py")), shQuote(folder), nrow(rows$x),
                            ncol(rows$x), if (isS4(rows$x)) "csr" else "dense", lambda, block,
                            epochs), stdout = TRUE)
  lapply(strsplit(said, " "), function(line) {
    number <- as.numeric(line)
    list(setting = number[1L], seconds = number[2L], cpu = number[3L], peak = number[4L],
         w = readBin(file.path(folder, paste0("w", line[1L])), "double", ncol(rows$x),
                     endian = "little"))
  })
}
objective <- function(rows, w, scales = NULL) {
  free <- !is.null(scales)
  z <- as.vector(rows$x %*% (if (free) w[-1L] else w)) + (if (free) w[1L] else 0)
  m <- ifelse(rows$y == "b", z, -z)
  slope <- if (free) w[-1L] * scales else w
  mean(pmax(0, -m) + log1p(exp(-abs(m)))) + lambda / 2 * sum(slope^2)
}

runs <- function(s) {
  has <- function(name) requireNamespace(name, quietly = TRUE)
  plain <- c(list(list("ours, file", "1e-9"), list("ours, file", "1e-6"),
                  list("ours, memory", "1e-6")),
             if (has("LiblineaR")) list(list("LiblineaR", "0 1e-2"), list("LiblineaR", "0 1e-5"),
                                        list("LiblineaR", "7 1e-1"), list("LiblineaR", "7 1e-4")))
  scaled <- if (!s$sparse && has("biglasso")) {
    list(list("ours, file", "1e-9"), list("ours, file", "1e-6"), list("ours, memory", "1e-6"),
         list("biglasso", "1e-3"), list("biglasso", "1e-7"))
  }
  named <- function(list, problem) lapply(list, function(one) c(one, problem = problem))
  c(named(plain, "plain"), named(scaled, "scaled"))
}

for (name in grep(option("data", ".", "^dense"), names(sets), value = TRUE)) {
  s <- sets[[name]]
  make_file(s)
  rows <- make_matrix(s)
  scales <- sqrt(colMeans(rows$x^2) - colMeans(rows$x)^2)
  bound <- list()
  table <- NULL
  note <- function(problem, peer, setting, run, w) {
    value <- objective(rows, w, if (problem == "scaled") scales)
    row <- data.frame(
      data = name, n = s$n, problem = problem, peer = peer, setting = setting,
      seconds = run$seconds, cpu = run$cpu, peak_gb = run$peak / 1e9, value = value,
      excess = value / bound[[problem]] - 1, lambda = lambda, seed = 1
    )
    print(row[1:10], row.names = FALSE, digits = 4)
    table <<- rbind(table, row)
  }
  todo <- if (spotting) runs(s)[1:2] else runs(s)
  for (one in todo) {
    to <- tempfile(fileext = ".rds")
    run <- run_child(paste(name, one$problem, one[[1L]], one[[2L]], to, sep = ";"))
    if (run$outcome != "done") {
      message(name, ", ", one[[1L]], " ", one[[2L]], ": ", run$outcome)
      next
    }
    # the first of each problem
    if (is.null(bound[[one$problem]])) bound[[one$problem]] <- run$bound
    note(one$problem, one[[1L]], one[[2L]], run, readRDS(to))
    unlink(to)
  }
  if (!is.null(python) && !spotting) {
    for (run in run_sgd(rows, c(1, 5, 20))) {
      note("plain", "sklearn SGD", paste(run$setting, "epochs"), run, run$w)
    }
  }
  unlink(c(file_of(s), file.path(dirname(tempdir()), c("large.bin", "large.desc"))))
  keep_table(table, "large_peers.csv", c("data", "problem", "peer", "setting"), "large_peers.R",
             c("LiblineaR", "biglasso", "Matrix"), digits = 6, skip = "peak_gb")
}
