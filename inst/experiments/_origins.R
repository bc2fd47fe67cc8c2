# The provenance table of a page, from the sidecars of its results (see _record.R) and from what
# `make stale` and `make spot` found (inst/extdata/stale.csv): base R alone.

# The tables of vignettes/provenance.Rmd, and by their names which results are in each. A
# file may be in two of them; scripts/stale.R tells which is in none.
result_titles <- list(papers = "The five papers", comparison = "Comparing classifiers", audit = "Audits",
                      conformal = "Conformal sets, bootstrap", decisions = "Decisions", large = "Large data",
                      benchmarks = "Benchmarks")
result_pages <- list(
  papers = "^((aspdc|drsvm|margin|mixup|smiso)_|hard$)",
  comparison = "^(comparison_|defaults_)",
  audit = "^audit_", conformal = "^(conformal_|bootstrap$)",
  decisions = "^decisions_", large = "^(large_|ranks$)",
  benchmarks = paste0("^((auto|kernel|libsvm|linear|multinomial|oneclass|pass|regression|robust|",
                      "unscaled)_|(memory|threads)$)")
)
# Their names without ending.
files_of <- function(page, folder = system.file("extdata", "results", package = "dualmargin",
                                                mustWork = TRUE)) {
  grep(result_pages[[page]], sub("[.]dcf$", "", list.files(folder, "[.]dcf$")), value = TRUE)
}

# Results of before record() asked for it: of a tree with changes, or of a commit that git does not have.
older_results <- c("audit_nystrom", "conformal_probably", "conformal_sizes", "decisions_tune",
                   "kernel_mixup", "kernel_peers", "large_peers", "large_whole", "robust_peers")

# What was found, one line a result: `changed`, the sources that were no longer those of its
# sidecar at `commit` (which stands in the first line), and `spot`, how a row compared that was
# computed again on the day and at the commit of `spotted`. `sidecar` is a digest: a line is of a
# result as long as its sidecar has it.
read_stale <- function(path) {
  utils::read.csv(path, colClasses = "character", na.strings = "")
}
sidecar_digest <- function(paths) substr(unname(tools::md5sum(paths)), 1L, 8L)
# For a reader: files of R are R, scripts are script, folders and entries of src (src/linear.cpp)
# their names, several of those that all families share the core.
change_words <- function(changed) {
  paths <- strsplit(changed, " ")[[1L]]
  paths[grepl("^R/", paths)] <- "R"
  paths[grepl("^inst/", paths)] <- "script"
  paths <- sub("^src/(.*?)([.]cpp)?$", "\\1", paths, perl = TRUE)
  shared <- c("algebra", "base", "loss", "rows", "run", "space")
  if (sum(shared %in% paths) > 2L) paths <- c("core", paths)
  if ("core" %in% paths) paths <- setdiff(paths, shared)
  last <- c("R", "script")
  toString(c(intersect("core", paths), sort(setdiff(paths, c("core", last))),
             intersect(last, paths)))
}
# The versions of the package that computed results.
version_of <- function(files, folder) {
  vapply(file.path(folder, paste0(files, ".dcf")), function(path) {
    said <- gsub("[[:space:]]+", " ", read.dcf(path, "Versions")[, 1L])
    toString(unique(sub(".*dualmargin ([0-9.]+).*", "\\1", said)))
  }, "", USE.NAMES = FALSE)
}
stale_words <- function(files, folder) {
  stale <- read_stale(file.path(dirname(folder), "stale.csv"))
  at <- match(paste0(files, ".csv"), stale$file)
  now <- sidecar_digest(file.path(folder, paste0(files, ".dcf")))
  at[!is.na(at) & stale$sidecar[at] != now] <- NA
  changed <- vapply(stale$changed[at], function(paths) {
    if (is.na(paths)) "nothing" else change_words(paths)
  }, "", USE.NAMES = FALSE)
  day <- substr(stale$spotted[at], 1L, 10L)
  spot <- ifelse(is.na(stale$spot[at]), "not tried",
                 ifelse(stale$spot[at] == "none", paste("none, of", version_of(files, folder)),
                        paste(ifelse(stale$spot[at] == "seconds", "numbers same, seconds not",
                                                    stale$spot[at]), day)))
  data.frame(changed = ifelse(is.na(at), "not told yet", changed),
             spot = ifelse(is.na(at), "not tried", spot))
}
# What a caption says of the last two columns.
stale_said <- function(folder = system.file("extdata", package = "dualmargin")) {
  paste("Changed since: which of its sources at commit",
        read_stale(file.path(folder, "stale.csv"))$commit[1L], "differ from those that it was",
        "computed with, by a comment at least (core: what all families share; others: folders of",
        "src, R, its script). Row again: was a cheap row, computed again on that day, the same?")
}

# Those of which a cheap row is another one now, with about the hours of one core that the whole takes, by
# its parts that were run.
whole_hours <- c(decisions_change = 0.5, decisions_tune = 1, defaults_accuracy = 0.5, kernel_mixup = 1,
                 linear_cost = 0.5, memory = 0.4, threads = 0.3)
differing_said <- function(folder = system.file("extdata", package = "dualmargin")) {
  stale <- read_stale(file.path(folder, "stale.csv"))
  found <- sub(".csv", "", stale$file[stale$spot %in% "differs"], fixed = TRUE)
  if (!length(found)) return("No row that was computed again differs.")
  hours <- whole_hours[found]
  sprintf("A row differs, and the whole has not been run again, in %s (about so many hours of one core).",
          toString(ifelse(is.na(hours), found, paste0(found, " (", hours, ")"))))
}

# "1, 2, 3, 4 (rows)" as "1 to 4 (rows)".
spans <- function(seeds) {
  vapply(seeds, function(text) {
    listed <- regmatches(text, regexpr("^[0-9]+(, [0-9]+){2,}", text))
    if (!length(listed)) return(text)
    numbers <- sort(as.numeric(strsplit(listed, ", ")[[1L]]))
    if (any(diff(numbers) != 1)) return(text)
    paste(paste(range(numbers), collapse = " to "), substring(text, nchar(listed) + 2L))
  }, "", USE.NAMES = FALSE)
}

# The processors of all results, by letters.
processors <- function(folder = system.file("extdata", "results", package = "dualmargin", mustWork = TRUE)) {
  named <- lapply(list.files(folder, "[.]dcf$", full.names = TRUE), function(path) {
    unique(gsub("[[:space:]]+", " ", read.dcf(path, "CPU")[, 1L]))
  })
  named <- sort(unique(unlist(named)))
  stats::setNames(LETTERS[seq_along(named)], named)
}

# files: names without ending. A row for each: the commit it was computed at ("before": of those
# that are older than the sidecars, the one that it was committed in), dates, seeds, processor and
# load, and what has changed since.
origins_of <- function(files) {
  folder <- system.file("extdata", "results", package = "dualmargin", mustWork = TRUE)
  rows <- lapply(files, function(name) {
    entries <- as.data.frame(read.dcf(file.path(folder, paste0(name, ".dcf"))))
    of <- function(field) unique(gsub("[[:space:]]+", " ", entries[[field]]))
    commit <- sub("^unknown .*in ([0-9a-f]+).*", "before \\1", of("Commit"))
    loads <- as.numeric(unlist(regmatches(of("Load"), gregexpr("[0-9]+[.]?[0-9]*", of("Load")))))
    seeds <- unique(sub("^unknown [(]script of today: (.*)[)]$", "\\1", of("Seeds")))
    seeds <- paste(unique(spans(seeds)), collapse = "; ")
    data.frame(file = paste0(name, ".csv"),
               commit = toString(unique(substr(sub("[+]$| [(].*", "", commit), 1L, 14L))),
               date = toString(unique(substr(of("Date"), 1L, 10L))), seeds,
               processor = toString(processors()[of("CPU")]),
               load = if (length(loads)) paste(range(loads), collapse = " to ") else "unknown")
  })
  told <- stale_words(files, folder)
  data.frame(do.call(rbind, rows), "changed since" = told$changed, "row again" = told$spot,
             check.names = FALSE)
}
