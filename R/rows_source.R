# Where the rows of a file come from: one interface, whatever holds them.
#
# A source is a list:
#   next_part()  the next rows, or NULL behind the last, after which it begins again: list(x, y,
#                weights, file, first, chunk). x is a base matrix, a dgRMatrix or a data frame; y and
#                weights are what comes with the rows, else NULL; first is the number of its first
#                row in `file`, or of all rows where that is NULL; chunk counts the parts.
#   peek()       the part that next_part() will give.
#   close()      gives back what is open.
#   n            the number of rows, NA where it is not known before the end.
#   what         the source in words, for messages.

new_source <- function(next_part, what, n = NA_real_, close = function() NULL) {
  chunk <- 0
  waiting <- NULL
  advance <- function() {
    empty <- -1
    repeat {
      part <- next_part()
      if (is.null(part)) {
        chunk <<- 0
        return(NULL)
      }
      chunk <<- chunk + 1
      part$chunk <- chunk
      if (nrow(part$x) > 0L) return(part)
      if ((empty <- empty + 1) == 100) {
        abort_input(paste("`x` is a function that returned parts without rows, one after another;",
                          "it must return NULL at the end."), "x")
      }
    }
  }
  list(peek = function() {
    if (is.null(waiting)) waiting <<- advance()
    waiting
  }, next_part = function() {
    part <- if (is.null(waiting)) advance() else waiting
    waiting <<- NULL
    part
  }, what = what, n = n, close = close)
}

new_part <- function(x, first, y = NULL, weights = NULL, file = NULL) {
  list(x = x, y = y, weights = weights, file = file, first = first)
}

# "row 7 of \"a.csv\" (chunk 2)", for the i-th row of a part.
show_place <- function(part, i) {
  sprintf("row %.0f%s (chunk %.0f)", part$first + i - 1, show_file(part), part$chunk)
}

show_file <- function(part) {
  if (is.null(part$file)) "" else sprintf(" of \"%s\"", basename(part$file))
}

show_part <- function(part) sprintf("chunk %.0f%s", part$chunk, show_file(part))

# The source that `x` is.
rows_source <- function(x, chunk) {
  if (is.character(x)) {
    return(csv_source(x, chunk))
  }
  if (is.function(x)) {
    return(function_source(x))
  }
  if (is.data.frame(x)) {
    assert_frame(x, "x")
    return(memory_source(x, chunk))
  }
  if (!is.matrix(x) && !(isS4(x) && methods::is(x, "Matrix"))) {
    abort_input(sprintf(paste(
      "`x` is %s, but must be a matrix, a Matrix, a data frame, names of CSV files or a function",
      "that returns the next part of the rows, and NULL at the end."
    ), show_value(x)), "x")
  }
  memory_source(by_rows(core_matrix(x)), chunk)
}

# dgRMatrix where it is sparse, double where it is dense.
by_rows <- function(x) {
  if (methods::is(x, "dgCMatrix")) methods::as(x, "RsparseMatrix") else x
}

memory_source <- function(x, chunk) {
  done <- 0
  new_source(function() {
    from <- done + 1
    done <<- if (from > nrow(x)) 0 else min(nrow(x), done + chunk)
    if (done > 0) new_part(some_rows(x, from, done), from)
  }, "x", n = nrow(x))
}

# Rows from, ..., to. package Matrix would make triplets of a dgRMatrix on the way.
some_rows <- function(x, from, to) {
  if (from == 1 && to == nrow(x)) {
    return(x)
  }
  if (!methods::is(x, "dgRMatrix")) {
    return(x[from:to, , drop = FALSE])
  }
  stored <- seq_len(x@p[to + 1] - x@p[from]) + x@p[from]
  names <- dimnames(x)
  if (!is.null(names[[1L]])) names[[1L]] <- names[[1L]][from:to]
  methods::new("dgRMatrix", p = x@p[from:(to + 1)] - x@p[from], j = x@j[stored], x = x@x[stored],
               Dim = c(as.integer(to - from + 1), ncol(x)), Dimnames = names)
}

function_source <- function(fun) {
  done <- 0
  new_source(function() {
    value <- fun()
    part <- if (!is.null(value)) function_part(value, done + 1)
    done <<- if (is.null(part)) 0 else done + nrow(part$x)
    part
  }, "a function")
}

# A data frame, a matrix, or a list(x, y, weights).
function_part <- function(value, first) {
  given <- if (is.list(value) && !is.data.frame(value)) value else list(x = value)
  unknown <- setdiff(names(given), c("x", "y", "weights"))
  if (is.null(given$x) || length(unknown) > 0L) {
    abort_input(sprintf(paste(
      "`x` is a function that returned %s before row %.0f; it must return a data frame, a matrix,",
      "a list of x, y and weights, or NULL at the end."
    ), show_value(value), first), "x")
  }
  if (is.data.frame(given$x)) {
    assert_frame(given$x, "x")
  } else {
    given$x <- by_rows(core_matrix(given$x))
  }
  m <- nrow(given$x)
  for (name in c("y", "weights")) {
    if (!is.null(given[[name]]) && NROW(given[[name]]) != m) {
      abort_input(sprintf(
        "`x` is a function that returned %d rows with %d values of %s at row %.0f; give one a row.",
        m, NROW(given[[name]]), name, first
      ), "x")
    }
  }
  new_part(given$x, first, given$y, given$weights)
}

# ---- CSV, as read.csv() reads it ----

csv_source <- function(paths, chunk) {
  if (length(paths) == 1L && dir.exists(paths)) {
    folder <- paths
    paths <- sort(list.files(folder, csv_names, full.names = TRUE, ignore.case = TRUE),
                  method = "radix")
    if (length(paths) == 0L) {
      abort_input(sprintf("`x` is the folder \"%s\", which has no CSV file (.csv, packed or not).",
                          folder), "x")
    }
  }
  for (path in paths) assert_csv(path)
  k <- rows <- 0
  con <- header <- NULL
  text <- character() # columns that were text, which stay so where a part has nothing but numbers
  close <- function() {
    if (!is.null(con)) base::close(con)
    con <<- NULL
  }
  open <- function() {
    k <<- k + 1
    rows <<- 0
    con <<- file(paths[k], "rt", encoding = "UTF-8-BOM")
    header <<- scan(con, "", sep = ",", quote = "\"", nlines = 1L, quiet = TRUE, strip.white = TRUE,
                    na.strings = character(), comment.char = "")
    if (length(header) == 0L) {
      abort_input(sprintf("`x`: \"%s\" is empty; a CSV file has a line of names.",
                          basename(paths[k])), "x")
    }
    header <<- make.names(header, unique = TRUE)
    # scan() would take a line of twice as many fields for two
    fields <- utils::count.fields(paths[k], ",", "\"", comment.char = "")
    odd <- which(fields != length(header))
    if (length(odd) > 0L) {
      abort_input(sprintf("`x`: row %d of \"%s\" has %d fields, and its header %d; mend or drop it.",
                          odd[1L] - 1L, basename(paths[k]), fields[odd[1L]], length(header)), "x")
    }
  }
  # Not read.csv(): it loses rows before a quote that nothing closes.
  read <- function() {
    fields <- scan(con, stats::setNames(rep(list(""), length(header)), header), nmax = chunk,
                   sep = ",", quote = "\"", quiet = TRUE, multi.line = FALSE, comment.char = "")
    if (length(fields[[1L]]) == 0L) return(NULL)
    known <- header %in% text
    fields[!known] <- lapply(fields[!known], utils::type.convert, as.is = TRUE)
    text <<- union(text, header[vapply(fields, is.character, NA)])
    frame <- as.data.frame(fields, optional = TRUE)
    rows <<- rows + nrow(frame)
    new_part(frame, rows - nrow(frame) + 1, file = paths[k])
  }
  new_source(function() {
    repeat {
      if (is.null(con)) {
        if (k == length(paths)) {
          k <<- 0
          return(NULL)
        }
        csv_try(paths[k + 1], 0, open())
      }
      part <- csv_try(paths[k], rows, read())
      if (!is.null(part)) return(part)
      close()
    }
  }, if (length(paths) == 1L) sprintf("\"%s\"", basename(paths)) else
    count(length(paths), "file"), close = close)
}

csv_try <- function(path, rows, expression) {
  force(path)
  force(rows)
  fail <- function(condition) {
    if (inherits(condition, "dualmargin_error")) stop(condition)
    abort_input(sprintf("`x`: \"%s\" cannot be read as CSV in UTF-8 behind row %.0f: %s.",
                        basename(path), rows, sub("[.]$", "", conditionMessage(condition))), "x")
  }
  tryCatch(expression, error = fail, warning = fail)
}

csv_names <- "[.]csv([.](gz|bz2|xz))?$"

# R takes a packed file that was cut off for one that ends there.
assert_csv <- function(path) {
  assert_readable(path, "x")
  if (!grepl(csv_names, path, ignore.case = TRUE)) {
    abort_input(sprintf(paste(
      "`x` names \"%s\", and files by name are CSV (.csv, packed or not); give a function that",
      "reads its next part, see the help of write_rows()."
    ), basename(path)), "x")
  }
  if (!identical(readBin(path, "raw", 2L), as.raw(c(0x1f, 0x8b)))) {
    return(invisible())
  }
  con <- gzfile(path, "rb")
  on.exit(close(con))
  bytes <- 0
  last <- as.raw(10L)
  while (length(piece <- readBin(con, "raw", 2^20)) > 0L) {
    bytes <- bytes + length(piece)
    last <- piece[length(piece)]
  }
  assert_whole_gzip(path, bytes, last == as.raw(10L), "x")
}
