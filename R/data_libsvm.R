# Reading and writing the LIBSVM text format. The C++ file data/libsvm_reader.h knows the format;
# here are the arguments, the file and the matrix classes.

#' Read a file in LIBSVM format
#'
#' Reads the sparse text format of LIBSVM, LIBLINEAR and SVMlight, one sample a line:
#' \preformatted{label index:value index:value ...}
#' with the indices of a line increasing and zeros left out. The file is parsed in pieces of 1 MB
#' while it is unpacked, so the memory needed is that of the result, and reading can be interrupted.
#'
#' Blank lines are skipped, `#` starts a comment, and a line with a label only is a row of zeros.
#' A label is any finite number (`-1`, `+1`, `0`, `2`, a rating, a response) and comes back
#' unchanged: [margin_linear()] takes -1/+1 or 0/1 for classes and other numbers for a regression,
#' so make other labels a factor, see the example. Values are rounded
#' correctly to double precision whatever the locale. A zero that is written in the file is kept as
#' a stored entry.
#'
#' @param path The file: plain text, or packed by gzip, bzip2 or xz.
#' @param features The number of columns. `NULL`: as many as the largest index needs. Give it where
#'   a test set must get the columns of its training set.
#' @param zero_based `TRUE` if the first feature has the index 0, `FALSE` if it has the index 1.
#' @param skip_qid `TRUE` leaves out the query id (`qid:`) that files for ranking have behind the
#'   label, `FALSE` takes one for an error.
#' @param ... Not used; an unknown argument is an error.
#' @returns A list with
#'   * `x`: the samples, a sparse matrix of class `dgRMatrix` (n rows, one column per feature),
#'   * `y`: the labels, a numeric vector of length n.
#' @section Errors:
#' Faults of the file are errors of class `dualmargin_input_error` that name the line and the fault:
#' a label that is missing, not a number, not finite or a list of labels (`1,3`); a feature without
#' colon or value; an index that is no whole number, comes twice or out of order, is 0 with
#' `zero_based = FALSE` or is beyond `features`; a value that is not a finite number; a query id
#' that is not to be skipped; a file without a sample; a packed file that is cut off or damaged.
#' @references Chang, C.-C. and Lin, C.-J. (2011). LIBSVM: a library for support vector machines.
#'   *ACM Transactions on Intelligent Systems and Technology* 2(3), 27.
#'   \doi{10.1145/1961189.1961199}
#' @seealso [write_libsvm()]; [margin_data()] for known files.
#' @examples
#' path <- tempfile(fileext = ".txt")
#' writeLines(c("1 2:0.5 7:1", "2 1:-3.25e-2", "1 # a row of zeros"), path)
#' read_libsvm(path)
#'
#' # labels 1 and 2 as classes
#' factor(read_libsvm(path)$y, labels = c("edible", "poisonous"))
#' @export
read_libsvm <- function(path, features = NULL, zero_based = FALSE, skip_qid = FALSE, ...) {
  assert_no_extra("read_libsvm()", ...)
  assert_readable(path)
  if (!is.null(features)) {
    assert_number(features, "features", lower = 0, upper = .Machine$integer.max, open = FALSE,
                  whole = TRUE, remedy = "NULL takes the largest index of the file")
  }
  assert_flag(zero_based, "zero_based")
  assert_flag(skip_qid, "skip_qid")
  con <- gzfile(path, "rb")
  on.exit(close(con))
  bytes <- 0
  next_chunk <- function() {
    chunk <- tryCatch(readBin(con, "raw", 2^20), warning = function(w) {
      abort_input(sprintf(
        "`path`: \"%s\" cannot be unpacked (%s); get a whole copy.", path, conditionMessage(w)
      ), "path")
    })
    bytes <<- bytes + length(chunk)
    chunk
  }
  parsed <- libsvm_read_cpp(next_chunk, if (is.null(features)) -1L else as.integer(features),
                            zero_based, skip_qid)
  if (!is.null(parsed$fault)) {
    abort_input(sprintf("`path`: line %.0f of \"%s\" cannot be read: %s.",
                        parsed$line, path, parsed$fault), "path")
  }
  assert_whole_gzip(path, bytes, parsed$closed)
  if (length(parsed$y) == 0L) {
    abort_input(sprintf("`path`: \"%s\" has no sample; give a file with lines 'label index:value'.",
                        path), "path")
  }
  x <- methods::new("dgRMatrix", p = parsed$p, j = parsed$j, x = parsed$x,
                    Dim = c(length(parsed$y), parsed$columns))
  list(x = x, y = parsed$y)
}

#' Write a file in LIBSVM format
#'
#' Writes a matrix and its labels so that [read_libsvm()], LIBSVM and LIBLINEAR can read them. Every
#' number is written with the fewest digits that read back as the same double, so
#' `read_libsvm(write_libsvm(x, y, path), features = ncol(x))` gives the values of `x` and `y`
#' exactly. Names of rows and columns are not part of the format. The zeros of a dense matrix are
#' left out; a sparse matrix is never made dense, and its stored entries are written as they are.
#'
#' @param x The samples: a numeric or logical matrix, or any matrix class of package Matrix (n x p).
#' @param y The n labels. Numbers are written as they are; `TRUE` as 1 and `FALSE` as -1. A factor
#'   whose levels are all numbers is written as these numbers. Other factors follow
#'   [margin_linear()]: of two levels the first is -1 and the second 1, of three or more each is its
#'   code 1, 2, 3, ...
#' @param path The file to write; packed by gzip if it ends in `.gz`.
#' @inheritParams read_libsvm
#' @param ... Not used; an unknown argument is an error.
#' @returns `path`, invisibly.
#' @section Errors:
#' Of class `dualmargin_input_error`: `x` is no matrix, is empty, or has a value that is not finite;
#' `y` has another length than `x` has rows, is character, or has a value that is missing or not
#' finite; the folder of `path` does not exist. Nothing is written then.
#' @references Chang, C.-C. and Lin, C.-J. (2011). LIBSVM: a library for support vector machines.
#'   *ACM Transactions on Intelligent Systems and Technology* 2(3), 27.
#'   \doi{10.1145/1961189.1961199}
#' @seealso [read_libsvm()]
#' @examples
#' path <- tempfile(fileext = ".gz")
#' write_libsvm(as.matrix(iris[, 1:4]), iris$Species, path)
#' back <- read_libsvm(path)
#' identical(back$y, as.numeric(iris$Species))
#' all(back$x == as.matrix(iris[, 1:4]))
#' @export
write_libsvm <- function(x, y, path, zero_based = FALSE, ...) {
  assert_no_extra("write_libsvm()", ...)
  x <- libsvm_matrix(x)
  y <- libsvm_labels(y, nrow(x))
  assert_flag(zero_based, "zero_based")
  assert_file_name(path, "path")
  if (!dir.exists(dirname(path))) {
    abort_input(sprintf("`path` is \"%s\", but that folder does not exist; create it first.", path),
                "path")
  }
  con <- if (endsWith(path, ".gz")) gzfile(path, "wb") else file(path, "wb")
  done <- FALSE
  on.exit({
    close(con)
    if (!done) unlink(path) # half a file would pass for a whole one
  })
  sparse <- methods::is(x, "dgRMatrix")
  per_row <- if (sparse) length(x@x) / nrow(x) else ncol(x)
  block <- max(1, floor(2^18 / max(1, per_row)))
  for (first in seq(1, nrow(x), by = block)) {
    rows <- first:min(nrow(x), first + block - 1)
    lines <- if (sparse) {
      libsvm_lines_cpp(x@p, x@j, x@x, y, first - 1L, max(rows), zero_based)
    } else {
      part <- compressed_rows(x[rows, , drop = FALSE])
      libsvm_lines_cpp(part$p, part$j, part$x, y[rows], 0L, length(rows), zero_based)
    }
    writeBin(lines, con)
  }
  done <- TRUE
  invisible(path)
}

assert_readable <- function(path, arg = "path") {
  assert_file_name(path, arg)
  if (dir.exists(path)) {
    abort_input(sprintf("`%s` is \"%s\", which is a folder; give the name of a file in it.",
                        arg, path), arg)
  }
  if (!file.exists(path)) {
    abort_input(sprintf(
      "`%s` is \"%s\", but there is no such file; the working folder is \"%s\".", arg, path, getwd()
    ), arg)
  }
  if (file.access(path, 4L) != 0L) {
    abort_input(sprintf("`%s` is \"%s\", which may not be read; change its permissions.", arg,
                        path), arg)
  }
}

# R reads a gz file that was cut off as if it ended there. Its last four bytes tell: they are the
# length of the text, or of the last part of the text if several gz files were joined.
assert_whole_gzip <- function(path, bytes, closed, arg = "path") {
  con <- file(path, "rb")
  on.exit(close(con))
  if (!identical(readBin(con, "raw", 2L), as.raw(c(0x1f, 0x8b)))) {
    return(invisible())
  }
  told <- Inf # shorter than an empty gz file
  if (file.size(path) >= 18) {
    seek(con, file.size(path) - 4)
    told <- readBin(con, "integer", 1L, size = 4L, endian = "little") %% 2^32
  }
  if (told != bytes %% 2^32 && (!closed || (bytes < 2^32 && told > bytes))) {
    abort_input(sprintf("`%s`: \"%s\" is cut off after %.0f bytes of text; get a whole copy.",
                        arg, path, bytes), arg)
  }
}

# x as dgRMatrix if it is sparse, else as a base matrix; both finite and with at least one row.
libsvm_matrix <- function(x) {
  assert_matrix(x, "x")
  if (methods::is(x, "sparseMatrix")) {
    if (!methods::is(x, "dgRMatrix")) {
      x <- methods::as(methods::as(methods::as(x, "dMatrix"), "generalMatrix"), "RsparseMatrix")
    }
  } else if (isS4(x) && methods::is(x, "Matrix")) {
    x <- as.matrix(x)
  } else if (!is.matrix(x) || !(is.numeric(x) || is.logical(x))) {
    abort_input(sprintf(paste0(
      "`x` is %s, but must be a numeric matrix or a Matrix; ",
      "data.matrix() or model.matrix() makes one from a data frame."
    ), show_value(x)), "x")
  }
  if (nrow(x) == 0L) {
    abort_input("`x` has 0 rows, and no file can be read without a sample; give at least one.",
                "x")
  }
  values <- if (methods::is(x, "Matrix")) x@x else x
  if (anyNA(values) || (length(values) > 0L && any(is.infinite(c(min(values), max(values)))))) {
    abort_input("`x` has values that are NA, NaN or infinite; impute or drop them.", "x")
  }
  x
}

libsvm_labels <- function(y, rows) {
  if (length(y) != rows) {
    abort_input(sprintf("`y` has length %d, but `x` has %d rows; give one label a row.",
                        length(y), rows), "y")
  }
  if (is.factor(y)) {
    numbers <- suppressWarnings(as.numeric(levels(y)))
    y <- if (!anyNA(numbers)) {
      numbers[as.integer(y)]
    } else if (nlevels(y) == 2L) {
      2 * as.integer(y) - 3
    } else {
      as.integer(y)
    }
  } else if (is.logical(y)) {
    y <- 2 * y - 1
  } else if (!is.numeric(y)) {
    abort_input(sprintf("`y` is %s, but labels are numbers; use factor(y).", show_value(y)), "y")
  }
  bad <- which(!is.finite(y))
  if (length(bad) > 0L) {
    abort_input(sprintf("`y` is not finite in row %d; drop the rows without a label.", bad[1L]),
                "y")
  }
  as.numeric(y)
}

# A base matrix in compressed rows, without its zeros.
compressed_rows <- function(x) {
  columns <- t(x)
  stored <- which(columns != 0)
  list(
    p = c(0L, cumsum(as.integer(colSums(columns != 0)))),
    j = as.integer((stored - 1) %% ncol(x)),
    x = as.numeric(columns[stored])
  )
}
