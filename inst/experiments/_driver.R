# What every script here and in inst/bench begins with: the package, its own folder `home`, its
# arguments, the folder of the results; clocks; fits whose conditions are left to the certificate;
# tables by keys; peers at the loosest tolerance that is accurate, and rounds in turns.
#
#   source(file.path(dirname(sub("^--file=", "", grep("^--file=", commandArgs(), value = TRUE)[1L])),
#                    "_driver.R"))

library(dualmargin)
script <- sub("^--file=", "", grep("^--file=", commandArgs(), value = TRUE)[1L])
home <- dirname(script)
source(file.path(home, "..", "experiments", "_record.R"))
arguments <- setdiff(commandArgs(trailingOnly = TRUE), "--spot")
folder <- grep("^--", arguments, value = TRUE, invert = TRUE)[1L]
if (is.na(folder)) folder <- file.path("inst", "extdata", "results")
if (!spotting) known_commit(folder)
# --rounds=3 among the arguments; spot: what it is with --spot, where little is computed again.
option <- function(name, default, spot = default) {
  given <- grep(paste0("^--", name, "="), arguments, value = TRUE)
  if (length(given)) sub("^[^=]*=", "", given[1L]) else if (spotting) spot else default
}
# Those that the arguments name, or all.
parts_of <- function(known) {
  named <- intersect(known, arguments)
  if (length(named)) named else known
}
require_data <- function() {
  if (nzchar(getOption("dualmargin.data_dir", Sys.getenv("DUALMARGIN_DATA")))) return(invisible())
  message("Nothing done: DUALMARGIN_DATA does not name the folder of the data sets.")
  quit()
}
# NULL, and a message, where margin_data() does not find it.
data_or_null <- function(name) {
  tryCatch(margin_data(name), dualmargin_input_error = function(condition) {
    message(name, ": margin_data() does not find it; left out.")
  })
}
quietly <- function(code) {
  withCallingHandlers(
    code, dualmargin_not_certified = function(condition) invokeRestart("muffleWarning"),
    message = function(condition) invokeRestart("muffleMessage")
  )
}

quiet <- function(code) suppressWarnings(suppressMessages(code))

# ---- Clocks ----

clock <- function() as.numeric(Sys.time())
# Seconds of computing: they stand still while another program has the processor.
cpu_clock <- function() sum(proc.time()[c("user.self", "sys.self")])
timed <- function(code) {
  cpu <- cpu_clock()
  start <- clock()
  value <- tryCatch(suppressWarnings(code), error = function(e) e)
  time <- list(seconds = clock() - start, cpu = cpu_clock() - cpu)
  c(time, if (inherits(value, "error")) list(error = conditionMessage(value)) else
    list(value = value))
}

# ---- Tables ----

# With --resume: which of these rows the table has from this version of the package.
done_before <- function(rows, file, keys) {
  old <- if ("--resume" %in% arguments) read_table(file.path(folder, file))
  this <- grepl(paste0("dualmargin ", utils::packageVersion("dualmargin")), old$versions, fixed = TRUE)
  if (any(this)) row_keys(rows, keys) %in% row_keys(old[this, ], keys) else logical(nrow(rows))
}
# Rows with their origin in columns; digits: of what was measured; programs: versions of what is no
# package of R. sorted: the order of the table; others are those of record().
keep_table <- function(rows, file, keys, packages = character(), digits = 4, sorted = identity,
                       programs = character(), ...) {
  measured <- setdiff(names(rows)[vapply(rows, is.double, NA)], keys)
  rows[measured] <- lapply(rows[measured], signif, digits)
  packages <- c("dualmargin", Filter(function(name) requireNamespace(name, quietly = TRUE), packages))
  version <- vapply(packages, function(name) as.character(utils::packageVersion(name)), "")
  rows$load <- load_average()
  rows$commit <- commit_of()
  rows$versions <- toString(c(paste(packages, version), programs))
  rows$date <- as.character(Sys.Date())
  rows$machine <- paste(Sys.info()[["sysname"]], Sys.info()[["machine"]], R.version$version.string)
  rows$command <- paste(c(basename(script), grep("^--", arguments, value = TRUE)), collapse = " ")
  record(sorted(upsert(rows, file, keys)), file.path(folder, file), rows, keys, ...)
}

# ---- Peers ----

# For each accuracy the loosest tolerance of the ladder at which run(tol) is accurate: its error by
# error_of(), its CPU seconds. Runs are remembered. NA: none in `seconds`, or, with `floor`, before
# a tighter one gained nothing more.
loosest <- function(run, error_of, ladder, accuracies, seconds = Inf, floor = FALSE) {
  tried <- list()
  at_floor <- function(k) floor && k > 3L && tried[[k]]$error > 0.8 * tried[[k - 2L]]$error
  lapply(accuracies, function(accuracy) {
    for (k in seq_along(ladder)) {
      if (k > length(tried)) {
        one <- run(ladder[k])
        if (!is.null(one$error)) stop(one$error)
        tried[[k]] <<- list(cpu = one$cpu, error = error_of(one))
        stopifnot(tried[[k]]$error > -1e-7)
      }
      if (tried[[k]]$error <= accuracy || tried[[k]]$cpu > seconds || at_floor(k)) break
    }
    list(tol = if (tried[[k]]$error <= accuracy) ladder[k] else NA, error = tried[[k]]$error,
         cpu = tried[[k]]$cpu)
  })
}
# CPU seconds and seconds of the runs, a column each, one after the other in every round; NULL is NA.
# last: what each returned last.
in_turns <- function(runs, rounds) {
  cpu <- seconds <- matrix(NA_real_, rounds, length(runs))
  last <- vector("list", length(runs))
  for (round in seq_len(rounds)) for (k in which(lengths(runs) > 0L)) {
    gc(FALSE)
    last[[k]] <- runs[[k]]()
    cpu[round, k] <- last[[k]]$cpu
    seconds[round, k] <- last[[k]]$seconds
  }
  list(cpu = cpu, seconds = seconds, last = last)
}

# ---- Rows ----

unit_rows <- function(x) {
  norms <- sqrt(Matrix::rowSums(x^2))
  if (!isS4(x)) return(x / norms)
  methods::as(Matrix::Diagonal(x = 1 / norms) %*% x, "CsparseMatrix")
}
signs <- function(y) if (is.factor(y)) ifelse(y == levels(y)[2L], 1, -1) else y
