# Where the rows of a file come from: one interface, whatever holds them.
#
# A source is a list:
#   next_part()  the next rows, or NULL behind the last: list(x, y, weights, file, first, chunk). x
#                is a base matrix, a dgRMatrix or a data frame; y and weights are what comes with
#                the rows, else NULL; first is the number of its first row in `file`, or of all rows
#                where that is NULL; chunk counts the parts.
#   rewind()     begins again; NULL where rows come once.
#   close()      gives back what is open.
#   keep(names)  names the columns that are wanted, where others need not be read; NULL elsewhere.
#   n            the number of rows, NA where it is not known before the end.
#   what         the source in words, for messages.

new_source <- function(next_part, rewind, what, n = NA_real_, close = function() NULL,
                       keep = NULL) {
  chunk <- 0
  waiting <- list()
  number <- function(part) {
    if (!is.null(part)) {
      chunk <<- chunk + 1
      part$chunk <- chunk
    }
    part
  }
  list(
    next_part = function() {
      if (length(waiting) == 0L) return(number(next_part()))
      part <- waiting[[1L]]
      waiting <<- waiting[-1L]
      part
    },
    # Parts of at least so many rows, which next_part() will give again.
    peek = function(rows) {
      repeat {
        seen <- sum(vapply(waiting, function(part) nrow(part$x), 0))
        part <- if (seen < rows) number(next_part())
        if (is.null(part)) return(waiting)
        waiting <<- c(waiting, list(part))
      }
    },
    rewind = if (!is.null(rewind)) function() {
      chunk <<- 0
      waiting <<- list()
      rewind()
    },
    what = what, n = n, close = close, keep = keep
  )
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
rows_source <- function(x, format, chunk) {
  if (is.character(x)) {
    return(files_source(x, format, chunk))
  }
  if (!is.null(format)) {
    abort_input(sprintf("`format` is %s, but `x` is %s; it tells how files are to be read.",
                        show_value(format), show_value(x)), "format")
  }
  if (is.function(x)) {
    return(function_source(x))
  }
  if (isS4(x) && methods::is(x, "DBIResult")) {
    return(database_source(x, chunk))
  }
  if (is.data.frame(x)) {
    assert_frame(x, "x")
    return(memory_source(x, chunk))
  }
  if (!is.matrix(x) && !(isS4(x) && methods::is(x, "Matrix"))) {
    abort_input(sprintf(paste(
      "`x` is %s, but must be a matrix, a Matrix, a data frame, names of files, a result of DBI or",
      "a function that gives rows."
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
    if (done >= nrow(x)) return(NULL)
    from <- done + 1
    done <<- min(nrow(x), done + chunk)
    new_part(some_rows(x, from, done), from)
  }, function() done <<- 0, "x", n = nrow(x))
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

# ---- Rows that come once ----

function_source <- function(fun) {
  done <- 0
  new_source(function() {
    value <- fun()
    if (is.null(value)) return(NULL)
    part <- function_part(value, done + 1)
    done <<- done + nrow(part$x)
    part
  }, NULL, "a function")
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

# DBI has no way back to the first row of a result.
database_source <- function(result, chunk) {
  need_package("DBI", "reads a result of a database")
  done <- 0
  new_source(function() {
    frame <- tryCatch(DBI::dbFetch(result, n = chunk), error = function(condition) {
      abort_input(sprintf("`x`: the database gave no rows behind row %.0f: %s.", done,
                          sub("[.]$", "", conditionMessage(condition))), "x")
    })
    if (nrow(frame) == 0L) return(NULL)
    done <<- done + nrow(frame)
    new_part(frame_of_doubles(frame, done - nrow(frame)), done - nrow(frame) + 1)
  }, NULL, "a result of a database")
}

# 64-bit integers, which databases return by that class where one does not fit into 32 bits.
frame_of_doubles <- function(frame, before) {
  long <- which(vapply(frame, inherits, NA, "integer64"))
  frame[long] <- lapply(frame[long], doubles_of_integer64)
  assert_exact_integers(frame, names(frame)[long], before)
  frame
}

# columns: those that were 64-bit integers. before: rows of `file`, or of all, before these.
assert_exact_integers <- function(frame, columns, before = 0, file = NULL) {
  for (name in columns) {
    large <- which(abs(frame[[name]]) >= 2^53)
    if (length(large) > 0L) {
      abort_input(sprintf(paste(
        "`x` has the 64-bit integer %.0f in row %.0f%s, column \"%s\", where doubles skip",
        "integers; leave the column out, or make it text (a factor) or a double in the source."
      ), frame[[name]][large[1L]], before + large[1L], show_file(list(file = file)), name), "x")
    }
  }
}

need_package <- function(package, why) {
  if (!requireNamespace(package, quietly = TRUE)) {
    abort_input(sprintf("`x` needs package %s, which %s and is not installed.", package, why), "x")
  }
}
