# Fits of rows in a file whose memory is a part of it, beside reading the file and beside the same
# fit in memory.
#
#   rows     seconds of a fit by the number of rows, in memory and from the file, each in a cgroup
#            of --limit GB, page cache included; a run that outgrows it is killed. The last file is
#            four times the limit, the others parts of it (--shares=). -> large_rows.csv
#   dense    the same of one file of dense rows
#   whole    (only with --parts=whole) a file of --entries=3e9 stored entries, written once, and
#            predictions for its rows. With --keep the file stays, and the next run takes it.
#            -> large_whole.csv
#
# Readings of the file are counted by /proc/self/io. Files go to the folder of temporary files
# (TMPDIR), 5 GB of them, whole: 36 GB. Caches are emptied by /proc/sys/vm/drop_caches, by root.
#
# Usage: Rscript large.R [folder for the results] [--parts=rows,dense] [--limit=1]
# writes: large_rows.csv large_whole.csv
# depends: core src/linear R/margin_linear.R R/rows_fit.R R/rows_write.R
# seeds: 1 (pools, solver), the number of a chunk (its windows)

library(dualmargin)
script <- sub("^--file=", "", grep("^--file=", commandArgs(), value = TRUE)[1L])
home <- dirname(script)
for (file in c("_arguments.R", "_clock.R", "_table.R", "_memory.R", "_large.R")) {
  source(file.path(home, file))
}
parts <- strsplit(option("parts", "rows,dense", "rows"), ",")[[1L]]
limit <- as.numeric(option("limit", "1", "0.3")) * 1e9
entries <- as.numeric(option("entries", "3e9"))
keep <- "--keep" %in% arguments
shape <- function(sparse, n, d, k = d) list(sparse = sparse, n = n, d = d, k = k)
words <- function(what, shape, ...) {
  paste(what, shape$sparse, sprintf("%.0f", shape$n), shape$d, shape$k, ...)
}

# ---- the child ---------------------------------------------------------------------------------
fit_rows <- function(source, solver, epochs, tol) {
  control <- margin_control(seed = 1, progress = FALSE, max_epochs = epochs, tol = tol)
  ask <- list(loss = "logistic", lambda = 1e-4, scale = FALSE, intercept = "free",
              solver = solver, control = control)
  from <- if (inherits(source, "margin_rows")) list(source) else list(source$x, source$y)
  before <- bytes_read()
  run <- timed(do.call(margin_linear, c(from, ask)))
  if (!is.null(run$error)) stop(run$error)
  c(run, list(bytes = bytes_read() - before))
}
if (nzchar(child <- option("child", ""))) {
  enter_cgroup(option("group", ""))
  asked <- strsplit(child, " ")[[1L]]
  size <- as.numeric(asked[3:5])
  s <- shape(as.logical(asked[2L]), size[1L], size[2L], size[3L])
  source <- if (asked[1L] == "disk") read_rows(file_of(s)) else make_matrix(s)
  run <- fit_rows(source, asked[6L], as.numeric(asked[7L]), as.numeric(asked[8L]))
  certified <- certificate(run$value)
  answer_with(seconds = run$seconds, cpu = run$cpu, called = run$bytes[1L], stored = run$bytes[2L],
              rss = 1024 * kilobytes("VmHWM"), epochs = run$value$status$epochs,
              value = certified$value, gap = certified$gap, certified = certified$certified)
}
of <- function(run, name) if (is.null(run[[name]])) NA_real_ else run[[name]]
kind_of <- function(s) {
  if (s$sparse) sprintf("sparse, %d a row of %d", s$k, s$d) else sprintf("dense, %d columns", s$d)
}

# ---- seconds by rows ---------------------------------------------------------------------------
measure_rows <- function(s, where) {
  path <- file_of(s)
  if (where == "disk") make_file(s)
  read <- if (where == "disk") read_once(path) else c(cold = NA_real_, warm = NA_real_)
  if (where == "disk") drop_caches()
  run <- run_child(words(where, s, "newton", 1000, 1e-6), limit)
  readings <- of(run, "called") / file_bytes(s)
  if (where == "memory") readings <- NA_real_
  data.frame(
    data = kind_of(s), n = s$n, where = where, file_gb = file_bytes(s) / 1e9,
    limit_gb = limit / 1e9, outcome = run$outcome, seconds = of(run, "seconds"),
    cpu = of(run, "cpu"), epochs = of(run, "epochs"), readings = readings,
    read_gb = of(run, "called") / 1e9,
    stored_gb = of(run, "stored") / 1e9, reading = of(run, "seconds") / readings,
    cat_cold = read[["cold"]], ratio = of(run, "seconds") / readings / read[["cold"]],
    peak_gb = of(run, "group_peak") / 1e9, resident_gb = of(run, "rss") / 1e9,
    certified = if (is.null(run$certified)) NA else run$certified, loss = "logistic",
    lambda = 1e-4, tol = 1e-6, solver = "newton", seed = 1
  )
}
if (any(c("rows", "dense") %in% parts)) {
  # the last one of each kind is four times the limit
  most <- function(sparse, d, k) floor(4 * limit / (if (sparse) 12 * k + 8 else 8 * d) / 1e3) * 1e3
  shares <- as.numeric(strsplit(option("shares", "50,16,6,1", "16"), ",")[[1L]])
  sparse <- lapply(round(most(TRUE, 20000, 100) / shares, -3), function(n) {
    shape(TRUE, n, 20000, 100)
  })
  shapes <- c(if ("rows" %in% parts) sparse,
              if ("dense" %in% parts) list(shape(FALSE, most(FALSE, 200, 200), 200)))
  for (s in shapes) {
    for (where in c("disk", if (s$sparse) "memory")) {
      row <- measure_rows(s, where)
      print(row[c(2:10, 13:18)], row.names = FALSE, digits = 3)
      keep_table(row, "large_rows.csv", c("data", "n", "where"), "large.R", "Matrix",
                 skip = c("stored_gb", "reading", "cat_cold", "peak_gb", "resident_gb"))
    }
    if (!keep) unlink(file_of(s))
  }
}

# ---- entries beyond 2^31 -----------------------------------------------------------------------
# The decision values of a model of the first rows, block by block; those of the last chunk, behind
# 2^31 entries, are held against the same chunk in memory.
if ("whole" %in% parts) {
  s <- shape(TRUE, ceiling(entries / 100), 20000, 100)
  s$n <- ceiling(s$n / chunk_rows) * chunk_rows
  made <- make_file(s)
  first <- draw_chunk(s, pools(s), 1)
  model <- margin_linear(first$x, factor(first$y), loss = "logistic", lambda = 1e-3,
                         control = margin_control(seed = 1, progress = FALSE))
  read <- read_once(file_of(s))
  drop_caches()
  rows <- read_rows(file_of(s))
  writeLines("5", "/proc/self/clear_refs")
  before <- bytes_read()
  run <- timed(predict(model, rows, type = "score"))
  if (!is.null(run$error)) stop(run$error)
  called <- bytes_read() - before
  last <- draw_chunk(s, pools(s), s$n / chunk_rows)$x
  agree <- identical(run$value[s$n - rev(seq_len(chunk_rows)) + 1],
                     predict(model, last, type = "score"))
  row <- data.frame(
    data = kind_of(s), n = s$n, entries = s$n * s$k, file_gb = file_bytes(s) / 1e9,
    write = made$seconds, write_cpu = made$cpu,
    cat_cold = read[["cold"]], predict = run$seconds, predict_cpu = run$cpu,
    readings = called[1L] / file_bytes(s), peak_gb = 1024 * kilobytes("VmHWM") / 1e9,
    values_gb = 8 * s$n / 1e9, model_certified = certificate(model)$certified,
    last_rows_agree = agree, seed = 1
  )
  print(row, row.names = FALSE)
  keep_table(row, "large_whole.csv", c("data", "n"), "large.R", "Matrix")
  if (!keep) unlink(file_of(s))
}
