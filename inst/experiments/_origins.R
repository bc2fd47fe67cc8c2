# The provenance table of a page, from the sidecars of its results (see _record.R): base R alone.

# files: names without ending. A row for each: the commit it was computed at ("before": of those
# that are older than the sidecars, the one that it was committed in), dates, seeds, processor and
# load.
origins_of <- function(files) {
  rows <- lapply(files, function(name) {
    path <- system.file("extdata", "results", paste0(name, ".dcf"), package = "dualmargin",
                        mustWork = TRUE)
    entries <- as.data.frame(read.dcf(path))
    of <- function(field) unique(gsub("[[:space:]]+", " ", entries[[field]]))
    commit <- sub("^unknown .*in ([0-9a-f]+).*", "before \\1", of("Commit"))
    loads <- as.numeric(unlist(regmatches(of("Load"), gregexpr("[0-9]+[.]?[0-9]*", of("Load")))))
    seeds <- unique(sub("^unknown [(]script of today: (.*)[)]$", "\\1", of("Seeds")))
    seeds <- paste(seeds, collapse = "; ")
    data.frame(file = paste0(name, ".csv"),
               commit = toString(unique(substr(sub("[+]$", "", commit), 1L, 14L))),
               date = toString(unique(substr(of("Date"), 1L, 10L))), seeds,
               processor = toString(of("CPU")),
               load = if (length(loads)) paste(range(loads), collapse = " to ") else "unknown")
  })
  do.call(rbind, rows)
}
# The files of results whose names begin with `prefix` and an underscore.
files_of <- function(prefix) {
  folder <- system.file("extdata", "results", package = "dualmargin", mustWork = TRUE)
  sub("[.]dcf$", "", list.files(folder, sprintf("^%s_.*[.]dcf$", prefix)))
}
