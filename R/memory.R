# Sizes against the memory there is, before the work starts.

# Up to here nothing is asked about the machine, so that small problems are the same on all.
small_memory <- 1e9

# Memory that a result may take, in bytes: the physical memory, less where a container or the option
# says so; where nothing is known 16 GB.
memory_limit <- function() {
  given <- getOption("dualmargin.memory")
  if (!is.null(given)) {
    assert_number(given, "dualmargin.memory", lower = 0, infinite = TRUE,
                  remedy = "the option is in bytes, options(dualmargin.memory = 64e9) is 64 GB")
    return(given)
  }
  number_in <- function(path, pattern) {
    lines <- tryCatch(suppressWarnings(readLines(path, n = 5L)), error = function(e) character())
    as.numeric(sub(pattern, "\\1", grep(pattern, lines, value = TRUE)[1L]))
  }
  found <- c(
    physical_memory_cpp(),
    number_in("/sys/fs/cgroup/memory.max", "^([0-9]+)$"),
    number_in("/sys/fs/cgroup/memory/memory.limit_in_bytes", "^([0-9]+)$")
  )
  found <- found[is.finite(found) & found > 0]
  if (length(found) == 0L) 16e9 else min(found)
}

# what: "has 7 rows"; remedy: what to give instead.
assert_memory <- function(bytes, arg, what, remedy) {
  if (bytes <= small_memory) {
    return(invisible())
  }
  limit <- memory_limit()
  if (bytes > limit) {
    abort_input(sprintf("`%s` %s, for which at least %s of memory are needed and %s are there; %s.",
                        arg, what, show_bytes(bytes), show_bytes(limit), remedy), arg)
  }
}

show_bytes <- function(bytes) sprintf("%s GB", format(signif(bytes / 1e9, 2), big.mark = ","))

# The one call of a family into the core. Memory that runs out all the same is an error of ours.
in_core <- function(expression) {
  tryCatch(expression, error = function(condition) {
    said <- conditionMessage(condition)
    if (inherits(condition, "dualmargin_error") ||
          !grepl("bad_alloc|bad_array_new_length|cannot allocate|length_error", said)) {
      stop(condition)
    }
    stop(structure(
      class = c("dualmargin_memory_error", "dualmargin_error", "error", "condition"),
      list(message = paste(
        "The fit needs more memory than there is; give fewer rows or columns, another solver,",
        "or for a kernel a smaller cache_mb or `nystrom`."
      ), call = NULL)
    ))
  })
}
