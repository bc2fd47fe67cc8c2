# What the benchmarks of rows in a file share: rows drawn by chunks, files of them, and children
# that run in a cgroup whose memory is limited. source() it from its folder after _arguments.R and
# _clock.R, with `script` set.
#
# A shape is a list of sparse, n, d and k (entries a row). A chunk of rows is a window of pools of
# numbers that are drawn once: k columns, one in each k-th of all, uniform there; normal values;
# labels by a plane (of sparse rows, and the first 20 entries), a tenth of them flipped. After a
# hundred chunks of 5,000 rows the first one comes again.

chunk_rows <- 5e3
seen <- 20L
distinct <- 100L
pools <- function(shape) {
  set.seed(1)
  width <- shape$d %/% shape$k
  entries <- chunk_rows * shape$k
  spare <- 1000L * shape$k
  list(values = stats::rnorm(entries + spare),
       columns = if (shape$sparse) sample.int(width, entries + spare, TRUE) - 1L,
       slots = if (shape$sparse) rep((seq_len(shape$k) - 1L) * as.integer(width), chunk_rows),
       plane = stats::rnorm(shape$d))
}
draw_chunk <- function(shape, pool, number, rows = chunk_rows) {
  set.seed((number - 1L) %% distinct + 1L)
  k <- shape$k
  places <- rows * k
  from <- sample.int(1000L, 2L) * k - k
  value <- pool$values[(from[1L] + 1L):(from[1L] + places)]
  flip <- function(z) ifelse((z > 0) != (stats::runif(rows) < 0.1), "b", "a")
  if (!shape$sparse) {
    x <- matrix(value, rows)
    return(list(x = x, y = flip(as.vector(x %*% pool$plane))))
  }
  column <- pool$columns[(from[2L] + 1L):(from[2L] + places)] + pool$slots[seq_len(places)]
  at <- rep((seq_len(rows) - 1L) * k, each = seen) + seq_len(seen)
  z <- colSums(matrix(value[at] * pool$plane[column[at] + 1L], seen))
  list(x = methods::new("dgRMatrix", p = as.integer(seq(0, places, by = k)), j = column,
                        x = value, Dim = as.integer(c(rows, shape$d))),
       y = flip(z))
}
# The sizes of the chunks, as a function of their number.
chunk_sizes <- function(shape) diff(c(seq(0, shape$n - 1, by = chunk_rows), shape$n))

# A file of such rows in the folder of temporary files, made where it is not there yet. Children
# have folders of their own, which go with them: a killed one cannot clear up.
store <- option("files", dirname(tempdir()))
file_bytes <- function(shape) shape$n * (if (shape$sparse) 12 * shape$k + 8 else 8 * shape$d)
file_of <- function(shape) {
  file.path(store, sprintf("large-%s-%.0f-%d-%d.rows", if (shape$sparse) "sparse" else
    "dense", shape$n, shape$d, shape$k))
}
make_file <- function(shape) {
  path <- file_of(shape)
  # that of a run with --keep, or of one that was stopped: the same rows
  if (file.exists(path)) return(list(seconds = NA_real_, cpu = NA_real_))
  pool <- pools(shape)
  sizes <- chunk_sizes(shape)
  done <- 0L
  drawn <- list()
  run <- timed(write_rows(function() {
    done <<- done + 1L
    if (done > length(sizes)) return(NULL)
    if (sizes[done] < chunk_rows) return(draw_chunk(shape, pool, done, sizes[done]))
    if (done <= distinct) drawn[[done]] <<- draw_chunk(shape, pool, done)
    drawn[[(done - 1L) %% distinct + 1L]]
  }, path, levels = list(y = c("a", "b"))))
  if (!is.null(run$error)) stop(run$error)
  run
}
# The same rows as one matrix.
make_matrix <- function(shape) {
  pool <- pools(shape)
  sizes <- chunk_sizes(shape)
  if (!shape$sparse) {
    x <- matrix(0, shape$n, shape$d)
    y <- character(shape$n)
    for (c in seq_along(sizes)) {
      part <- draw_chunk(shape, pool, c, sizes[c])
      at <- (c - 1) * chunk_rows + seq_len(sizes[c])
      x[at, ] <- part$x
      y[at] <- part$y
    }
    return(list(x = x, y = factor(y, c("a", "b"))))
  }
  j <- integer(shape$n * shape$k)
  value <- double(shape$n * shape$k)
  y <- character(shape$n)
  for (c in seq_along(sizes)) {
    part <- draw_chunk(shape, pool, c, sizes[c])
    at <- (c - 1) * chunk_rows * shape$k + seq_along(part$x@x)
    j[at] <- part$x@j
    value[at] <- part$x@x
    y[(c - 1) * chunk_rows + seq_len(sizes[c])] <- part$y
  }
  x <- methods::new("dgRMatrix", p = as.integer(seq(0, shape$n * shape$k, by = shape$k)), j = j,
                    x = value, Dim = as.integer(c(shape$n, shape$d)))
  list(x = x, y = factor(y, c("a", "b")))
}

# ---- the system --------------------------------------------------------------------------------
# Bytes that this process has read by system calls, and from the disk.
bytes_read <- function() {
  said <- readLines("/proc/self/io")
  as.numeric(sub(".*: ", "", said[match(c("rchar", "read_bytes"), sub(":.*", "", said))]))
}
# Seconds to read a file once with an empty page cache, NA where it cannot be emptied, and with a
# full one. Empty: the median of three, since what is below a virtual disk may have the file or not.
drop_caches <- function() {
  if (spotting) return(FALSE)  # other programs need theirs
  system("sync")
  tryCatch({
    suppressWarnings(cat("3\n", file = "/proc/sys/vm/drop_caches"))
    TRUE
  }, error = function(condition) FALSE)
}
read_once <- function(path) {
  read <- function() timed(system2("cat", shQuote(path), stdout = "/dev/null"))$seconds
  cold <- replicate(3L, if (drop_caches()) read() else NA_real_)
  c(cold = stats::median(cold), warm = min(read(), read()))
}

# A cgroup with `bytes` of memory, page cache included: its folder, or NULL where none can be made.
new_cgroup <- function(bytes) {
  name <- paste0("dualmargin", Sys.getpid())
  if (file.exists("/sys/fs/cgroup/memory/memory.limit_in_bytes")) {
    group <- file.path("/sys/fs/cgroup/memory", name)
    limit <- "memory.limit_in_bytes"
  } else {
    group <- file.path("/sys/fs/cgroup", name)
    limit <- "memory.max"
  }
  made <- suppressWarnings(dir.create(group)) && tryCatch({
    cat(sprintf("%.0f\n", bytes), file = file.path(group, limit))
    TRUE
  }, error = function(condition) FALSE, warning = function(condition) FALSE)
  if (made) group
}
# Its highest use so far.
cgroup_peak <- function(group) {
  files <- file.path(group, c("memory.max_usage_in_bytes", "memory.peak"))
  found <- files[file.exists(files)]
  if (length(found)) as.numeric(readLines(found[1L])) else NA_real_
}

# In the child: into the group, before anything is read.
enter_cgroup <- function(group) {
  if (nzchar(group)) cat(Sys.getpid(), "\n", file = file.path(group, "cgroup.procs"))
}
# In the parent: the named numbers that a child of this script, called with `words`, answers, or its
# failure. limit: of its memory in bytes; NA: none.
run_child <- function(words, limit = NA) {
  group <- if (!is.na(limit)) new_cgroup(limit) else ""
  if (is.null(group)) {
    return(list(outcome = "no cgroup"))
  }
  own <- tempfile("child")
  dir.create(own)
  on.exit({
    unlink(own, recursive = TRUE)
    Sys.sleep(0.2)  # the group is empty once the system has let go of the child
    if (nzchar(group)) unlink(group, recursive = TRUE)
  })
  said <- suppressWarnings(system2(
    file.path(R.home("bin"), "Rscript"),
    shQuote(c(script, paste0("--child=", words), paste0("--group=", group),
              paste0("--files=", store))), stdout = TRUE, env = paste0("TMPDIR=", shQuote(own))
  ))
  line <- sub("^answer ", "", grep("^answer ", said, value = TRUE))
  peak <- if (nzchar(group)) cgroup_peak(group) else NA_real_
  # 137: SIGKILL, which is what a group that outgrows its limit gets
  if (length(line) == 0L) {
    status <- attr(said, "status")
    return(list(outcome = if (identical(status, 137L)) "killed" else paste("status", status),
                group_peak = peak))
  }
  c(eval(str2lang(line)), list(outcome = "done", group_peak = peak))
}
# The end of the child.
answer_with <- function(...) {
  cat("answer", deparse1(list(...), width.cutoff = 500L), "\n")
  quit(status = 0)
}
