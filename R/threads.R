# How many threads a fit takes. The answer is the same for every number of them, so the default may
# look at the machine.

# threads: as many as margin_control() was told, or NULL for two at most (or what the option says),
# and one in a process that is itself a worker of parallel computations, or one of several ranks
# (`most` is 1).
resolve_threads <- function(threads = NULL, most = usual_threads()) {
  if (!is.null(threads)) {
    return(threads)
  }
  if (is_worker()) {
    return(1)
  }
  number <- function(value) {
    value <- suppressWarnings(as.numeric(value))
    if (length(value) == 1L && is.finite(value)) value else Inf
  }
  limits <- c(most, processors_cpp(), number(getOption("mc.cores")),
              number(Sys.getenv("OMP_THREAD_LIMIT")),
              number(sub(",.*", "", Sys.getenv("OMP_NUM_THREADS"))))
  max(1, floor(min(limits[!is.na(limits)])))
}

usual_threads <- function() {
  given <- getOption("dualmargin.threads")
  if (is.null(given)) return(2)
  assert_number(given, "dualmargin.threads", lower = 1, open = FALSE, whole = TRUE, remedy =
                  "options(dualmargin.threads = 4) lets a fit take four, on as many processors")
  as.double(given)
}

# A child of fork(), as mclapply() makes, or an R that makeCluster() started. Package future sets
# option mc.cores in its workers.
is_worker <- function() {
  Sys.getpid() != session$pid || any(startsWith(commandArgs(), "MASTER="))
}
session <- new.env(parent = emptyenv())

# The least work of a chunk, in entries of the data: smaller in tests alone.
chunk_entries <- function() getOption("dualmargin.chunk_entries", 65536)
