# What the memory benchmarks share. A child process reads the data, drops the garbage, resets the
# kernel's record of its peak (Linux: 5 into /proc/self/clear_refs), fits, and reads the record
# again: peak resident size less resident size before, R's garbage included. The C library is told
# to give every freed vector back at once, or the fit would run in what reading the data left behind.
# source() it from its folder after _arguments.R, with `script` set.

kilobytes <- function(field) {
  status <- readLines("/proc/self/status")
  as.numeric(gsub("\\D", "", grep(paste0("^", field, ":"), status, value = TRUE)))
}

# In the child: what fit() returns, with its peak in bytes as attribute "peak".
with_peak <- function(fit) {
  invisible(gc(full = TRUE))
  invisible(gc(full = TRUE))
  writeLines("5", "/proc/self/clear_refs")
  before <- kilobytes("VmRSS")
  value <- fit()
  structure(value, peak = 1024 * (kilobytes("VmHWM") - before))
}

# The end of the child: its answer on one line.
answer <- function(...) {
  cat("answer", ..., "\n")
  quit(status = 0)
}
no_data <- function() quit(status = 3)

# In the parent: the words of child i, or NULL with a message.
ask_child <- function(i, label, more = character()) {
  if (!file.exists("/proc/self/clear_refs")) {
    message("Peak memory is read from Linux's /proc, which is not here; nothing is measured.")
    quit(status = 0)
  }
  said <- suppressWarnings(system2(
    file.path(R.home("bin"), "Rscript"), c(shQuote(script), paste0("--child=", i), more),
    stdout = TRUE, env = c("MALLOC_MMAP_THRESHOLD_=16384", "MALLOC_TRIM_THRESHOLD_=16384")
  ))
  line <- grep("^answer ", said, value = TRUE)
  if (length(line)) {
    return(strsplit(trimws(line), " ")[[1L]][-1L])
  }
  message(label, ": ", if (identical(attr(said, "status"), 3L)) {
    "margin_data() does not find it; left out."
  } else {
    "the child failed."
  })
}
