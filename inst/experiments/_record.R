# Where a result comes from. record() writes a table and, beside it, a sidecar of the same name with
# the ending .dcf (read.dcf() reads it): one entry for each run that rows of the table are of. All
# scripts of inst/experiments and inst/bench write through it; base R is enough.
#
# A script, or the part of one that computes a table, says in its head
#   # writes: a.csv b.csv                     the tables that it makes
#   # depends: core src/linear R/loss.R       the sources that their values depend on
#   # seeds: 1 to 3 (solver)                  where random numbers come from
# A folder of src stands for itself and the file of its name, "core" for the folders below the
# families. What a part (_smiso_text.R) does not say, its script (smiso.R) says.
#
# With --spot a script computes a few cheap rows only, and record() compares them with those in the
# committed table, all columns but the origin, seconds as ratios, instead of writing.

spotting <- "--spot" %in% commandArgs(trailingOnly = TRUE)
sidecar_fields <- c("File", "Script", "Command", "Commit", "Date", "Rows", "Seeds", "CPU", "BLAS",
                    "Compiler", "System", "Load", "Seconds", "Versions", "Sources")
core_folders <- file.path("src", c("base", "loss", "rows", "run", "algebra"))

record_root <- local({
  file <- sub("^--file=", "", grep("^--file=", commandArgs(), value = TRUE)[1L])
  tried <- c(if (!is.na(file)) file.path(dirname(file), c("../..", "..")), ".", "../..")
  found <- tried[file.exists(file.path(tried, "DESCRIPTION"))]
  if (length(found)) normalizePath(found[1L]) else find.package("dualmargin")
})

# ---- what scripts say of themselves --------------------------------------------------------------

# The scripts of the clone, or of the installed package, with what their heads say.
script_heads <- function(root = record_root) {
  folders <- c("inst/experiments", "inst/bench", "experiments", "bench")
  files <- unlist(lapply(file.path(root, folders), list.files, "\\.R$", full.names = TRUE))
  said <- function(lines, word) {
    found <- grep(sprintf("^# %s: ", word), lines, value = TRUE)
    if (length(found)) paste(sub("^# [a-z]+: ", "", found), collapse = " ") else NA_character_
  }
  heads <- lapply(files, function(file) {
    lines <- readLines(file, warn = FALSE)
    lines <- lines[seq_len(min(length(lines), 60L))]
    data.frame(script = sub("^/", "", substring(file, nchar(root) + 1L)),
               writes = said(lines, "writes"), depends = said(lines, "depends"),
               seeds = said(lines, "seeds"))
  })
  heads <- do.call(rbind, heads)
  whole <- function(script) {
    name <- sub("^_([a-z]+)_.*", "\\1.R", basename(script))
    match(file.path(dirname(script), name), heads$script)
  }
  for (field in c("depends", "seeds")) {
    none <- is.na(heads[[field]])
    heads[[field]][none] <- heads[[field]][whole(heads$script[none])]
  }
  heads
}
# The one that writes `file`: no rows if none does.
script_of <- function(file, heads = script_heads()) {
  heads[vapply(strsplit(heads$writes, " +"), function(names) file %in% names, NA), , drop = FALSE]
}
# Paths that the values in `file` depend on, its script and the script's other parts first.
sources_of <- function(script, heads = script_heads()) {
  main <- sub("^_([a-z]+)_.*", "\\1.R", basename(script$script))
  own <- unique(c(script$script, file.path(dirname(script$script), main)))
  named <- strsplit(script$depends, " +")[[1L]]
  named <- unlist(lapply(named, function(name) if (name == "core") core_folders else name))
  beside <- paste0(named, ".cpp")
  c(own[own %in% heads$script], named, beside[file.exists(file.path(record_root, beside))])
}
# What of a source is computed with: no comments, no help, one space for all blanks.
code_of <- function(file) {
  text <- paste(readLines(file, warn = FALSE), collapse = "\n")
  string <- "(\"(?:[^\"\\\\]|\\\\.)*+\"|'(?:[^'\\\\\n]|\\\\.)*+')"
  comment <- if (grepl("[.](R|py)$", file)) "#[^\n]*" else "//[^\n]*|/[*](?s:.*?)[*]/"
  code <- gsub(paste0(string, "|", comment), "\\1", text, perl = TRUE, useBytes = TRUE)
  trimws(gsub("[[:space:]]+", " ", code, useBytes = TRUE))
}
# A digest of the code of a file, or of all sources below a folder.
digest_of <- function(path, root = record_root) {
  full <- file.path(root, path)
  if (!file.exists(full)) {
    return(NA_character_)
  }
  files <- if (dir.exists(full)) {
    all <- list.files(full, "\\.(h|cpp|R|py)$", recursive = TRUE, full.names = TRUE)
    sort(all, method = "radix")
  } else {
    full
  }
  told <- tempfile()
  on.exit(unlink(told))
  writeLines(unlist(lapply(files, function(file) c(substring(file, nchar(root) + 2L), code_of(file)))), told)
  substr(tools::md5sum(told)[[1L]], 1L, 12L)
}

# ---- the machine -------------------------------------------------------------------------------

first_line <- function(command, ...) {
  told <- tryCatch(suppressWarnings(system2(command, c(...), stdout = TRUE, stderr = FALSE)),
                   error = function(condition) character())
  if (length(told) && nzchar(told[1L])) trimws(told[1L]) else "unknown"
}
load_average <- function() {
  if (!file.exists("/proc/loadavg")) {
    return(NA_real_)
  }
  as.numeric(strsplit(readLines("/proc/loadavg"), " ")[[1L]][1L])
}
git <- function(...) first_line("git", "-C", shQuote(record_root), ...)

# The commit of the clone, with "+" where sources or scripts have changes.
commit_of <- function() {
  commit <- git("rev-parse", "--short=10", "HEAD")
  changed <- git("status", "--porcelain", "--untracked-files=no", "--", "src", "R",
                 "inst/experiments", "inst/bench")
  if (commit != "unknown" && changed != "unknown") paste0(commit, "+") else commit
}
# What lies among the committed results is of a commit that git has, without changes.
known_commit <- function(path) {
  if (grepl("inst/extdata/results", path, fixed = TRUE) && grepl("unknown|[+]$", run_started$commit)) {
    stop("Results are written from a clean tree: commit sources and scripts first, or name another folder.")
  }
}
cpu_model <- function() {
  file <- "/proc/cpuinfo"
  said <- if (file.exists(file)) grep("^model name", readLines(file), value = TRUE)
  if (length(said)) sprintf("%s, %d threads", sub("^[^:]*: *", "", said[1L]), length(said)) else
    "unknown"
}
blas_library <- function() {
  library <- c(extSoftVersion()[["BLAS"]], La_library())
  toString(unique(basename(normalizePath(library[nzchar(library)], mustWork = FALSE))))
}
compiler <- function() {
  r <- file.path(R.home("bin"), "R")
  name <- first_line(r, "CMD", "config", "CXX17")
  flags <- first_line(r, "CMD", "config", "CXX17FLAGS")
  flags <- gsub(" -f(file|debug)-prefix-map=[^ ]+", "", flags)
  sprintf("%s; %s %s", first_line(sub(".*ccache +", "", sub(" -.*", "", name)), "--version"), name,
          flags)
}
versions <- function() {
  loaded <- setdiff(loadedNamespaces(), rownames(utils::installed.packages(priority = "base")))
  sorted <- c(intersect("dualmargin", loaded), sort(setdiff(loaded, "dualmargin")))
  version <- vapply(sorted, function(name) as.character(utils::packageVersion(name)), "")
  toString(c(paste("R", getRversion()), paste(sorted, version)))
}
# The command without the folders of scripts and results.
command_line <- function() {
  file <- basename(sub("^--file=", "", grep("^--file=", commandArgs(), value = TRUE)[1L]))
  given <- commandArgs(trailingOnly = TRUE)
  given[grepl("/", given) & !grepl("^--", given)] <- "<folder>"
  paste(c("Rscript", file, given), collapse = " ")
}
# As it is when the run begins: sources may change while it runs.
run_started <- list(clock = proc.time(), date = format(Sys.time(), "%Y-%m-%d %H:%M", tz = "UTC"), load = load_average(),
                    commit = commit_of(), heads = script_heads())
run_started$digests <- local({
  heads <- run_started$heads
  main <- function(script) sub("^_([a-z]+)_.*", "\\1.R", basename(script))
  file <- sub("^--file=", "", grep("^--file=", commandArgs(), value = TRUE)[1L])
  mine <- heads[main(heads$script) %in% basename(file) & !is.na(heads$depends), ]
  paths <- unique(unlist(lapply(seq_len(nrow(mine)), function(k) sources_of(mine[k, ], heads))))
  vapply(paths, digest_of, "")
})
machine_now <- local({
  known <- NULL
  function() {
    if (is.null(known)) {
      known <<- list(Commit = run_started$commit, CPU = cpu_model(), BLAS = blas_library(),
                     Compiler = compiler(),
                     System = paste(Sys.info()[["sysname"]], Sys.info()[["release"]],
                                    Sys.info()[["machine"]]))
    }
    known
  }
})

# ---- the table and its sidecar -------------------------------------------------------------------

# The tables of a folder by name, the large ones of which lie there compressed.
tables_in <- function(folder) sub("\\.xz$", "", list.files(folder, "\\.csv(\\.xz)?$"))
# The table of that path, NULL if there is none.
read_table <- function(path, ...) {
  at <- c(path, paste0(path, ".xz"))
  at <- at[file.exists(at)]
  if (length(at)) utils::read.csv(at[1L], ...)
}
write_table <- function(table, path, ...) {
  utils::write.csv(table, path, row.names = FALSE, ...)
  packed <- paste0(path, ".xz")
  unlink(packed)
  size <- file.size(path)
  if (size > 1.5e4) {
    writeBin(memCompress(readBin(path, "raw", size), "xz"), packed)
    unlink(path)
  }
}

sidecar_path <- function(path) sub("\\.csv$", ".dcf", path)
read_sidecar <- function(path) as.data.frame(read.dcf(sidecar_path(path), keep.white = "Sources"))

# Of the run until now; processor: with all that it started.
seconds_said <- function() {
  spent <- proc.time() - run_started$clock
  sprintf("%.0f, processor %.0f", spent[["elapsed"]], sum(spent[-3L]))
}
# The entry of this run for a table with `rows` rows of it.
sidecar_entry <- function(file, rows, seeds = NULL) {
  script <- script_of(file, run_started$heads)
  if (nrow(script) != 1L) stop(nrow(script), " scripts say that they write ", file, "; one must.")
  paths <- sources_of(script, run_started$heads)
  digests <- run_started$digests[paths]
  digests[is.na(digests)] <- vapply(paths[is.na(digests)], digest_of, "")
  c(list(File = file, Script = script$script, Command = command_line(),
         Date = paste(run_started$date, "UTC"), Rows = rows,
         Seeds = if (!is.null(seeds)) toString(seeds) else if (is.na(script$seeds)) "none" else
           script$seeds,
         Load = paste(run_started$load, "at the start,", load_average(), "at the end"),
         Seconds = seconds_said(),
         Versions = versions(),
         Sources = paste(paths, digests, collapse = ", ")), machine_now())
}
# Rows of an entry: their number, and where they stand in the table, "3 (1, 4-5)"; entries of before
# that was kept have the number alone.
row_counts <- function(entries) as.integer(sub(" .*", "", entries$Rows))
rows_said <- function(at) {
  ends <- c(which(diff(at) != 1L), length(at))
  from <- at[c(1L, ends[-length(ends)] + 1L)]
  to <- at[ends]
  sprintf("%d (%s)", length(at), toString(ifelse(from == to, from, paste(from, to, sep = "-"))))
}
rows_at <- function(said) {
  if (!grepl("(", said, fixed = TRUE)) return(NULL)
  spans <- strsplit(gsub("^.*\\(|[)[:space:]]", "", said), ",")[[1L]]
  unlist(lapply(strsplit(spans, "-"), function(ends) {
    seq.int(as.integer(ends[1L]), as.integer(ends[length(ends)]))
  }))
}
# What tells the rows of a table apart, as text that a file does not change.
row_keys <- function(table, keys) {
  do.call(paste, c(lapply(table[keys], function(column) {
    column <- utils::type.convert(as.character(column), as.is = TRUE)
    if (is.numeric(column)) signif(column, 10) else column
  }), sep = "\r"))
}
# at: which rows of `table` this run computed; the others keep their entries. before: the table that
# was there. Of entries without places the oldest are taken to be those that were replaced.
write_sidecar <- function(path, table, at, seeds = NULL, before = NULL, keys = NULL) {
  entry <- sidecar_entry(basename(path), rows_said(at), seeds)
  entries <- as.data.frame(entry[sidecar_fields])
  if (length(at) < nrow(table) && file.exists(sidecar_path(path))) {
    others <- read_sidecar(path)[sidecar_fields]
    now <- replace(row_keys(table, keys), at, NA)
    was <- row_keys(before, keys)
    places <- lapply(others$Rows, function(said) which(now %in% was[rows_at(said)]))
    known <- grepl("(", others$Rows, fixed = TRUE)
    counts <- ifelse(known, lengths(places), row_counts(others))
    left <- nrow(table) - length(at) - sum(counts[known])
    newer <- cumsum(ifelse(known, 0, counts)) - counts
    counts <- ifelse(known, counts, pmin(counts, pmax(0, left - newer)))
    others$Rows <- ifelse(known, vapply(places, rows_said, ""), counts)
    # a run that writes its table piece by piece is one entry; a long command is folded in the file,
    # and loses spaces at its ends
    one_line <- function(text) trimws(gsub("[[:space:]]+", " ", text))
    same <- others$Date == entries$Date & one_line(others$Command) == one_line(entries$Command)
    entries$Rows <- rows_said(sort(unique(c(at, unlist(places[same])))))
    entries <- rbind(entries, others[!same & counts > 0L, ])
  }
  write.dcf(entries, sidecar_path(path), indent = 2L, width = 98L)
}

# The rows of a table that is there, with the columns of `like`: NA where it has none of that name.
rows_before <- function(path, like) {
  table <- read_table(path)
  if (is.null(table)) {
    return(NULL)
  }
  table[setdiff(names(like), names(table))] <- NA
  table[names(like)]
}

# Writes `table`, of which `rows` are new, or compares those with the file when spotting.
# keys: columns that tell rows apart; skip: columns besides times and origin that are not compared;
# tolerance: relative; where none is given .002, and 0 of whole numbers; floor: numbers up to it are all
# alike; seconds: are they compared? Others are those of write.csv().
record <- function(table, path, rows = table, keys = NULL, skip = NULL, tolerance = NULL,
                   floor = 0, seeds = NULL, seconds = TRUE, ...) {
  if (spotting) {
    return(spot_compare(rows, path, keys, skip, tolerance, floor, seconds))
  }
  known_commit(path)
  before <- read_table(path)
  whole <- nrow(rows) == nrow(table)
  if (!whole && (is.null(keys) || !all(keys %in% names(before)))) {
    stop("A part of ", basename(path), " takes `keys`, which tell whose the other rows are.")
  }
  write_table(table, path, ...)
  at <- if (whole) seq_len(nrow(table)) else
    which(row_keys(table, keys) %in% row_keys(rows, keys))
  write_sidecar(path, table, at, seeds, before, keys)
}

# Which this once is enough in a file of many rows; the sidecar has the rest.
origin <- list(
  date = as.character(Sys.Date()),
  machine = paste(Sys.info()[["sysname"]], Sys.info()[["machine"]], R.version$version.string),
  command = "make experiments"
)
# With the rows of the file, in `folder`, that have other `keys`.
upsert <- function(rows, file, keys) {
  before <- rows_before(file.path(folder, file), rows)
  if (is.null(before)) rows else rbind(before[!row_keys(before, keys) %in% row_keys(rows, keys), ], rows)
}
# A table of inst/experiments, into `folder`, which the script knows; replaced: columns by which rows of
# the file give way to these, the others stay; further arguments as record().
write_results <- function(rows, file, fresh = rows, replaced = NULL, ...) {
  force(fresh)
  if (length(replaced)) rows <- upsert(rows, file, replaced)
  for (column in names(origin)) rows[[column]] <- c(origin[[column]], rep(NA, nrow(rows) - 1L))
  quoted <- which(vapply(rows, is.character, NA))
  record(rows, file.path(folder, file), fresh, ..., na = "", quote = quoted)
  message(format(Sys.time(), "%T "), file, ": ", nrow(rows), " rows")
}

record_home <- file.path(record_root, c("inst", ""), "experiments")
source(file.path(record_home[dir.exists(record_home)][1L], "_spot.R"), local = TRUE)
