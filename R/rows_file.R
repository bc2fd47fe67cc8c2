# Files of rows: what the core says of them, and of what is wrong with them. src/rows/disk_format.h
# has the format.

# An answer of the core about a file, or the error that it tells.
from_rows_file <- function(answer, arg = "rows") {
  if (is.null(answer$fault)) {
    return(answer)
  }
  place <- c(if (answer$chunk > 0) sprintf("chunk %.0f", answer$chunk),
             if (answer$row > 0) sprintf("row %.0f", answer$row))
  place <- if (length(place) > 0L) sprintf(" (%s)", paste(place, collapse = ", ")) else ""
  abort_input(sprintf("`%s`: \"%s\"%s %s; write the file again with write_rows().",
                      arg, answer$path, place, answer$fault), arg)
}

# What a file is begun with: its place and its form. The draft is written under another name in the
# same folder, so that half a file is never taken for a whole one.
rows_draft <- function(path, sparse) {
  path <- normalizePath(path, mustWork = FALSE)
  draft <- tempfile(paste0(basename(path), ".draft-"), tmpdir = dirname(path))
  list(path = path, draft = draft, sparse = sparse, n = 0, d = 0, entries = 0, chunks = 0,
       used = 0, bytes = 128)
}

# What stands in the file beside its rows; `extra` is for R alone.
rows_notes <- function(d, task = "", levels = character(), names = character(), extra = raw()) {
  list(d = as.double(d), task = task, levels = levels, names = names, extra = extra)
}
