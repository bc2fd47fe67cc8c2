# Fits of rows in a file whose memory is a part of it, beside reading the file and beside the same
# fit in memory.
#
#   rows      seconds of a fit by the number of rows, in memory and from the file, each in a cgroup
#             of --limit GB, page cache included; a run that outgrows it is killed. The last file is
#             four times the limit (or --file= GB), the others parts of it (--shares=).
#             -> large_rows.csv
#   dense     the same of one file of dense rows
#   warm      the fit of the file and that of the rows in memory by turns, in one process without a
#             limit, the file in the page cache: --rounds=3, files of --warm=1 GB. -> large_warm.csv
#   ways      a pass over a file, empty and full page cache, by blocks of pread as the package does, by
#             two blocks of which a thread reads one, and by a mapped file: --rounds=3.
#             -> large_ways.csv
#   readings  how often fits read their file, on 20,000 rows of 20 columns. -> large_readings.csv
#   peers     LiblineaR (in memory), scikit-learn's SGDClassifier (partial_fit over the same file,
#             --passes=20 at most) and, of dense rows, biglasso (a file of its own) to the same
#             objective, with the memory of --limit and, where rows are in memory, without a limit.
#             -> large_peers.csv
#   whole     (only with --extended) a file of --entries=3e9 stored entries, written once, and
#             predictions for its rows. -> large_whole.csv
#
# Rows of a table stay where a cell fails; --resume passes over cells that have rows, --keep leaves
# the files for the next run. Readings of the file are counted by /proc/self/io. Files go to the
# folder of temporary files (TMPDIR): twice 4 GB with the limit of 1 GB, biglasso's again 4 GB,
# whole 36 GB. Caches are emptied by /proc/sys/vm/drop_caches, by root. A trial of all parts in a
# minute or two: --file=0.03 --warm=0.03 --entries=3e6 --extended. (Less memory than R and python
# need for themselves, --limit=0.2, makes them wait for the disk.)
#
# Usage: Rscript large.R [folder for the results] [--parts=rows,dense,warm,ways,readings,peers]
#        [--limit=1] [--resume] [--keep] [--extended]
# writes: large_rows.csv large_warm.csv large_ways.csv large_readings.csv large_peers.csv
# writes: large_whole.csv
# depends: core src/linear R/margin_linear.R R/rows_read.R R/rows_write.R
# seeds: 1 (pools, solver), the number of a chunk (its windows); 1 to 5 (readings)

source(file.path(dirname(sub("^--file=", "", grep("^--file=", commandArgs(), value = TRUE)[1L])),
                 "..", "experiments", "_driver.R"))
for (file in c("_memory.R", "_python.R", "_large.R", "_large_peers.R")) source(file.path(home, file))
parts <- strsplit(option("parts", "rows,dense,warm,ways,readings,peers", "rows,warm,readings"), ",")[[1L]]
if ("--extended" %in% arguments) parts <- c(parts, "whole")
limit <- as.numeric(option("limit", "1")) * 1e9
largest <- if (nzchar(option("file", ""))) as.numeric(option("file", "")) * 1e9 else 4 * limit
entries <- as.numeric(option("entries", "3e9"))
keep <- "--keep" %in% arguments
shape <- function(sparse, n, d, k = d) list(sparse = sparse, n = n, d = d, k = k)
words <- function(what, shape, ...) {
  paste(what, shape$sparse, sprintf("%.0f", shape$n), shape$d, shape$k, ...)
}

# ---- the child ---------------------------------------------------------------------------------
fit_rows <- function(source, solver, epochs, tol, cell = NULL, seed = 1) {
  # from a start without a sample of the rows, as "auto" reads a file
  options <- if (solver == "newton") list(subsample = FALSE) else list()
  control <- margin_control(seed = seed, progress = FALSE, max_epochs = epochs, tol = tol,
                            solver_options = options)
  if (is.null(cell)) cell <- list(loss = "logistic", scale = FALSE, intercept = "free")
  ask <- c(cell, list(lambda = 1e-4, solver = solver, control = control))
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
  if (asked[1L] %in% c("liblinear", "biglasso")) {
    # the names of peers in small letters, LiblineaR without its type
    answer_with(runs = as.vector(peer_runs(asked[1L], s, as.numeric(asked[-(1:5)]))))
  }
  if (asked[1L] == "warm") {
    sources <- list(disk = read_rows(file_of(s)), memory = make_matrix(s))
    taken <- replicate(as.numeric(asked[6L]), vapply(sources, function(source) {
      gc(FALSE)
      run <- fit_rows(source, "newton", 1000, 1e-6)
      c(run$seconds, run$cpu, run$bytes[1L], certificate(run$value)$certified)
    }, numeric(4L)))
    answer_with(disk = taken[1L, "disk", ], memory = taken[1L, "memory", ],
                disk_cpu = taken[2L, "disk", ], memory_cpu = taken[2L, "memory", ],
                called = taken[3L, "disk", 1L], certified = all(taken[4L, , ] == 1))
  }
  source <- if (asked[1L] %in% c("disk", "cell")) read_rows(file_of(s)) else make_matrix(s)
  run <- fit_rows(source, asked[6L], as.numeric(asked[7L]), as.numeric(asked[8L]),
                  if (asked[1L] == "cell") cell_of(s))
  certified <- certificate(run$value)
  trace <- convergence(run$value)
  answer_with(seconds = run$seconds, cpu = run$cpu, called = run$bytes[1L], stored = run$bytes[2L],
              rss = 1024 * kilobytes("VmHWM"), epochs = run$value$status$epochs,
              value = certified$value, gap = certified$gap, certified = certified$certified,
              trace_seconds = trace$seconds, trace_value = trace$value)
}
of <- function(run, name) if (is.null(run[[name]])) NA_real_ else run[[name]]
kind_of <- function(s) {
  if (s$sparse) sprintf("sparse, %d a row of %d", s$k, s$d) else sprintf("dense, %d columns", s$d)
}

# Cells that have rows in a table already, with --resume.
is_done <- function(file, ...) {
  path <- file.path(folder, file)
  table <- if ("--resume" %in% arguments) read_table(path)
  if (is.null(table)) return(FALSE)
  failed <- grepl("^status|^no cgroup|^not installed", table$outcome)
  if (any(failed)) table <- table[!failed, ]
  wanted <- list(...)
  any(Reduce(`&`, Map(function(name, value) table[[name]] == value, names(wanted), wanted)))
}
of_size <- function(sparse, d, k, bytes) {
  shape(sparse, floor(bytes / (if (sparse) 12 * k + 8 else 8 * d) / 1e3) * 1e3, d, k)
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
  shares <- as.numeric(strsplit(option("shares", "50,16,6,1", "50"), ",")[[1L]])
  sparse <- lapply(largest / shares, function(bytes) of_size(TRUE, 20000, 100, bytes))
  shapes <- c(if ("rows" %in% parts) sparse,
              if ("dense" %in% parts) list(of_size(FALSE, 200, 200, largest)))
  for (s in shapes) {
    for (where in c("disk", "memory")) {
      if (is_done("large_rows.csv", data = kind_of(s), n = s$n, where = where)) next
      row <- measure_rows(s, where)
      print(row[c(2:10, 13:18)], row.names = FALSE, digits = 3)
      # readings count all bytes that the process asks for, those of its packages too
      keep_table(row, "large_rows.csv", c("data", "n", "where"), "Matrix", tolerance = 0.05,
                 skip = c("stored_gb", "read_gb", "reading", "cat_cold", "peak_gb", "resident_gb"))
    }
    if (!keep) unlink(file_of(s))
  }
}

# ---- beside the fit in memory, warm -------------------------------------------------------------
both_shapes <- function(bytes) {
  list(of_size(TRUE, 20000, 100, bytes), of_size(FALSE, 200, 200, bytes))[seq_len(2L - spotting)]
}
if ("warm" %in% parts) {
  rounds <- as.integer(option("rounds", "3", "1"))
  bytes <- as.numeric(option("warm", "1")) * 1e9
  for (s in both_shapes(bytes)) {
    if (is_done("large_warm.csv", data = kind_of(s), n = s$n)) next
    make_file(s)
    read <- read_once(file_of(s))
    run <- run_child(words("warm", s, rounds))
    if (run$outcome != "done") stop("warm: ", run$outcome)
    ratio <- run$disk / run$memory
    readings <- run$called / file_bytes(s)
    row <- data.frame(
      data = kind_of(s), n = s$n, file_gb = file_bytes(s) / 1e9, rounds = rounds,
      disk = median(run$disk), memory = median(run$memory), median_ratio = median(ratio),
      smallest = min(ratio), largest = max(ratio),
      cpu_ratio = median(run$disk_cpu / run$memory_cpu), readings = readings,
      reading = median(run$disk) / readings, cat_warm = read[["warm"]],
      certified = run$certified, loss = "logistic", lambda = 1e-4, tol = 1e-6, solver = "newton",
      seed = 1
    )
    print(row[2:14], row.names = FALSE, digits = 3)
    keep_table(row, "large_warm.csv", c("data", "n"), "Matrix",
               skip = c("smallest", "largest", "reading", "cat_warm"))
    if (!keep) unlink(file_of(s))
  }
}

# ---- ways to read ------------------------------------------------------------------------------
if ("ways" %in% parts) {
  rounds <- as.integer(option("rounds", "3"))
  bytes <- as.numeric(option("warm", "1")) * 1e9
  config <- function(name) {
    system2(file.path(R.home("bin"), "R"), c("CMD", "config", name), stdout = TRUE)
  }
  program <- tempfile("ways")
  source <- file.path(home, "..", "..", "src")
  system(paste(config("CXX17"), config("CXX17STD"), "-O2 -w -pthread", paste0("-I", shQuote(c(
    source, system.file("include", package = "RcppEigen")
  )), collapse = " "), shQuote(file.path(home, "large_ways.cpp")), paste(shQuote(file.path(
    source, "units", paste0(c("base", "algebra", "rows", "rows_columns", "rows_files"), ".cpp")
  )), collapse = " "), "-o", shQuote(program)))
  ways <- c("one", "two", "mapped")
  for (s in list(of_size(TRUE, 20000, 100, bytes), of_size(FALSE, 200, 200, bytes))) {
    make_file(s)
    pass <- function(way, cold) {
      if (cold && !drop_caches()) stop("ways: the page cache cannot be emptied")
      lines <- system2(program, c(shQuote(file_of(s)), way, if (cold) 1 else 2), stdout = TRUE)
      as.numeric(strsplit(lines[length(lines)], " ")[[1L]])
    }
    for (cold in c(TRUE, FALSE)) {
      if (is_done("large_ways.csv", data = kind_of(s), n = s$n, cache = if (cold) "empty" else
        "full")) next
      taken <- replicate(rounds, vapply(ways, pass, numeric(3L), cold = cold))
      stopifnot(taken[3L, , ] == taken[3L, 1L, 1L])
      rows <- data.frame(
        data = kind_of(s), n = s$n, cache = if (cold) "empty" else "full", way = ways,
        file_gb = file_bytes(s) / 1e9, rounds = rounds,
        seconds = apply(taken[1L, , ], 1L, median), cpu = apply(taken[2L, , ], 1L, median),
        ratio = vapply(ways, function(way) median(taken[1L, way, ] / taken[1L, "one", ]), 0)
      )
      print(rows, row.names = FALSE, digits = 3)
      keep_table(rows, "large_ways.csv", c("data", "n", "cache", "way"))
    }
    if (!keep) unlink(file_of(s))
  }
}

# ---- how often a file is read -------------------------------------------------------------------
if ("readings" %in% parts) {
  s <- shape(FALSE, 20000, 20)
  make_file(s)
  rows <- read_rows(file_of(s))
  for (loss in c("logistic", "hinge")) for (seed in 1:5) {
    if (is_done("large_readings.csv", loss = loss, seed = seed)) next
    cell <- list(loss = loss, scale = TRUE, intercept = "free")
    run <- fit_rows(rows, "auto", 1000, 1e-6, cell, seed)
    row <- data.frame(
      data = kind_of(s), n = s$n, loss = loss, seed = seed, solver = run$value$status$solver,
      epochs = run$value$status$epochs, readings = run$bytes[1L] / file_bytes(s),
      certified = certificate(run$value)$certified, lambda = 1e-4, tol = 1e-6
    )
    # how far a thread has read ahead is another in each run
    keep_table(row, "large_readings.csv", c("data", "loss", "seed"), "Matrix", tolerance = 0.05)
  }
  unlink(file_of(s))
}

# ---- peers --------------------------------------------------------------------------------------
if ("peers" %in% parts) {
  passes <- as.integer(option("passes", "20"))
  for (s in list(of_size(TRUE, 20000, 100, largest), of_size(FALSE, 200, 200, largest))) {
    if (is_done("large_peers.csv", data = kind_of(s), n = s$n)) next
    rows <- measure_peers(s, passes)
    print(rows[c(1:11, 15)], row.names = FALSE, digits = 3)
    keep_table(rows, "large_peers.csv", c("data", "n", "peer", "limit_gb", "goal"),
               c("Matrix", "LiblineaR", "biglasso"))
    if (!keep) unlink(file_of(s))
  }
}

spot_none("large_ways.csv", "its program takes minutes to compile")
spot_none("large_peers.csv", "files of 4 GB")
spot_none("large_whole.csv", "a file of 36 GB")

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
  keep_table(row, "large_whole.csv", c("data", "n"), "Matrix")
  if (!keep) unlink(file_of(s))
}
