# Opening a file of rows, and looking into it.

#' Open a file of rows
#'
#' Opens a file that [write_rows()] made and says what is in it, without reading its rows. The
#' result stands for the rows where one would give a matrix and its labels: to [margin_linear()], to
#' `predict()` for new rows, to [margin_report()]. It holds the name of the file and its checksum,
#' so it can be saved and loaded as any object; a file that has changed since is an error.
#'
#' `x[i, ]` and `head()` read the named rows into memory, as a matrix, or as compressed rows
#' (`dgRMatrix`) where they are stored so, after the chunks they lie in have been held against their
#' checksums. `summary()` reads the file once and holds every byte against its checksum, or, the
#' heads of chunks, against their table.
#'
#' @param path The file.
#' @param share `NULL` for all rows, or `c(k, K)` for the k-th of K parts of the file, which differ
#'   by one row at most, so that some have none where the rows are fewer than the parts: what one of
#'   K processes works on. [mpi_ranks()] is that of this process in a job under MPI.
#' @param ... Not used; an unknown argument is an error.
#' @returns An object of class `margin_rows`, a list with `path`, `checksum`, the size `n` and `d`,
#'   the `task`, the `levels` of the response and the names of the `features`. `dim()` and
#'   `colnames()` answer as for a matrix.
#' @section Errors:
#' Of class `dualmargin_input_error`: a file that is missing, not one of rows, cut off or damaged;
#' rows that are not there; an invalid share.
#' @seealso [write_rows()], [mpi_ranks()], `vignette("large")`
#' @examples
#' path <- tempfile(fileext = ".rows")
#' write_rows(a1a$x, path, y = factor(a1a$y))
#' rows <- read_rows(path)
#' rows
#' dim(rows)
#' rows[c(1, 1000), 1:8]
#' summary(rows)
#' @export
read_rows <- function(path, share = NULL, ...) {
  assert_no_extra("read_rows()", ...)
  assert_readable(path)
  info <- from_rows_file(rows_file_info_cpp(normalizePath(path)), "path")
  header <- rows_header(info)
  if (inherits(share, "mpi_ranks")) share <- share_of_ranks(share)
  part <- share_of(info$n, share)
  structure(list(
    path = info$path, n = part[2L] - part[1L] + 1, d = info$d, sparse = info$sparse,
    entries = info$entries, bytes = info$bytes, checksum = info$checksum,
    task = if (nzchar(info$task)) info$task, levels = if (length(info$levels) > 0L) info$levels,
    type = header$type, counts = header$counts, response_name = header$response_name,
    features = feature_names(info$names, info$d), intercept = !isFALSE(header$intercept),
    interface = header$interface, terms = header$terms, xlevels = header$xlevels,
    contrasts = header$contrasts, coded_sparse = isTRUE(header$sparse), weights = info$weights,
    labels = info$labels, share = share, first = part[1L], last = part[2L],
    of = info$n
  ), class = "margin_rows")
}

# What write_rows() put into the file for R.
rows_header <- function(info) {
  header <- tryCatch(unserialize(info$extra), error = function(condition) NULL)
  if (!is.list(header)) {
    abort_input(sprintf("`path` is \"%s\", which write_rows() has not written; write it again.",
                        info$path), "path")
  }
  header
}

# The first and the last row of the k-th of K shares, which differ by one row at most; the last is
# before the first in one without rows, as some are where there are more shares than rows.
share_of <- function(n, share) {
  if (is.null(share)) {
    return(c(1, n))
  }
  sound <- is.numeric(share) && length(share) == 2L && all(is.finite(share)) &&
    all(share == round(share)) && share[1L] >= 1 && share[1L] <= share[2L]
  if (!sound) {
    abort_input(sprintf("`share` is %s, but must be c(k, K), the k-th of K parts of the rows, or mpi_ranks().",
                        if (is.numeric(share)) paste(format(share), collapse = ", ") else
                          show_value(share)), "share")
  }
  c(floor((share[1L] - 1) * n / share[2L]) + 1, floor(share[1L] * n / share[2L]))
}

# The file must be what was opened.
assert_same_file <- function(rows, arg = "x") {
  if (!file.exists(rows$path)) {
    abort_input(sprintf("`%s` is of the file \"%s\", which is gone; write it again.", arg,
                        rows$path), arg)
  }
  info <- from_rows_file(rows_file_info_cpp(rows$path), arg)
  if (!identical(info$checksum, rows$checksum)) {
    abort_input(sprintf("`%s`: \"%s\" has changed since read_rows() opened it; open it again.", arg,
                        rows$path), arg)
  }
  info
}

#' @export
dim.margin_rows <- function(x) {
  size <- c(x$n, x$d)
  if (all(size <= .Machine$integer.max)) as.integer(size) else size
}

#' @export
dimnames.margin_rows <- function(x) list(NULL, x$features)

#' @rdname read_rows
#' @param x,object What `read_rows()` returned.
#' @param i Rows: numbers, also negative ones, or a logical for every row.
#' @param j,drop Columns of what was read, as for a matrix.
#' @export
`[.margin_rows` <- function(x, i, j, drop = FALSE) {
  if (nargs() - (!missing(drop)) < 3L) {
    abort_input("`x` is a file of rows, which has rows and columns; write x[i, ] or x[i, j].", "x")
  }
  at <- if (missing(i)) seq_len(x$n) else chosen_rows(x, i)
  assert_memory(if (x$sparse) 12 * x$entries / x$of * length(at) else 8 * x$d * length(at),
                "i", sprintf("asks for %s", count(length(at), "row")), "ask for fewer")
  assert_same_file(x)
  got <- from_rows_file(rows_file_read_cpp(x$path, x$first - 1 + at, 0), "x")
  names <- list(NULL, x$features)
  values <- if (x$sparse) {
    methods::new("dgRMatrix", p = got$p, j = got$j, x = got$x,
                 Dim = c(length(at), as.integer(x$d)), Dimnames = names)
  } else {
    structure(got$x, dimnames = names)
  }
  if (missing(j)) {
    if (drop && length(at) == 1L) values[1L, ] else values
  } else {
    picked <- values[, j, drop = drop]
    if (isS4(picked)) by_rows(core_matrix(picked)) else picked
  }
}

chosen_rows <- function(x, i) {
  if (is.logical(i) && length(i) == x$n && !anyNA(i)) {
    return(as.double(which(i)))
  }
  whole <- is.numeric(i) && all(is.finite(i)) && all(i == round(i)) && all(abs(i) <= x$n) &&
    (all(i >= 0) || all(i <= 0))
  if (!whole) {
    abort_input(sprintf("`i` is %s, but must be numbers of rows from 1 to %.0f, or %s.",
                        show_value(i), x$n, "a logical for every row"), "i")
  }
  i <- i[i != 0]
  if (length(i) > 0L && i[1L] < 0) as.double(seq_len(x$n)[i]) else as.double(i)
}

#' @rdname read_rows
#' @param n How many rows; of a negative number all but so many.
#' @importFrom utils head
#' @export
head.margin_rows <- function(x, n = 6L, ...) {
  assert_number(n, "n", whole = TRUE)
  x[seq_len(if (n < 0) max(0, x$n + n) else min(n, x$n)), ]
}

#' @export
print.margin_rows <- function(x, ...) {
  cat(rows_lines(x), sep = "\n")
  invisible(x)
}

rows_lines <- function(x) {
  known <- rows_words(x)
  c(sprintf("Rows in the file \"%s\"", basename(x$path)),
    sprintf("  %-10s %s", paste0(names(known), ":"), known))
}

rows_words <- function(x) {
  share <- x$entries / (x$of * x$d)
  c(rows = paste0(format(x$n, big.mark = ",", scientific = FALSE), if (!is.null(x$share)) sprintf(
    ", share %.0f of %.0f of the file", x$share[1L], x$share[2L]
  )),
  columns = sprintf("%s (%s)", format(x$d, big.mark = ",", scientific = FALSE),
                    paste(c(utils::head(x$features, 3L), if (x$d > 3) "..."), collapse = ", ")),
  storage = sprintf("%s, %s on disk", if (x$sparse) sprintf(
    "sparse, %s %% of the entries stored", format(100 * share, digits = 2)
  ) else "dense", show_size(x$bytes)),
  response = response_words(x),
  weights = if (x$weights) "one a row")
}

response_words <- function(x) {
  if (!x$labels) {
    return("none")
  }
  sprintf("%s, %s", x$response_name, if (identical(x$task, "regression")) "a regression" else
    sprintf("%s", paste(utils::head(sprintf("%s (%s)", names(x$counts),
                                             format(x$counts, big.mark = ",", trim = TRUE)), 6L),
                        collapse = ", ")))
}

show_size <- function(bytes) {
  unit <- min(3, max(0, floor(log10(max(1, bytes)) / 3)))
  sprintf("%s %s", format(signif(bytes / 1000^unit, 3)), c("bytes", "kB", "MB", "GB")[unit + 1])
}

#' @rdname read_rows
#' @export
summary.margin_rows <- function(object, ...) {
  info <- assert_same_file(object, "object")
  info <- from_rows_file(rows_file_verify_cpp(object$path), "object")
  own <- from_rows_file(rows_file_labels_cpp(object$path), "object")
  mine <- object$first - 1 + seq_len(object$n)
  numbers <- function(values) if (!is.null(values)) summary(values[mine])
  response <- if (identical(object$task, "classification")) {
    codes <- own$y[mine]
    if (length(object$levels) == 2L) codes <- (codes + 3) / 2
    stats::setNames(tabulate(codes, length(object$levels)), object$levels)
  } else {
    numbers(own$y)
  }
  structure(list(rows = object, chunks = info$chunks, response = response,
                 weights = numbers(own$weights)), class = "summary.margin_rows")
}

#' @export
print.summary.margin_rows <- function(x, ...) {
  cat(rows_lines(x$rows), sep = "\n")
  cat(sprintf("  %-10s %s, every checksum is right\n", "chunks:",
              format(x$chunks, big.mark = ",", scientific = FALSE)))
  for (part in c("response", "weights")) {
    if (is.null(x[[part]])) next
    cat("\n", if (part == "response") x$rows$response_name else part, "\n", sep = "")
    print(x[[part]])
  }
  invisible(x)
}
