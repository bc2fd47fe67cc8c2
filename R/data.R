# Known data sets. inst/extdata/data_sets.csv lists them, the small ones ship with the package, and
# the others are read from a folder of the user's.

#' Real data sets by name
#'
#' Returns a data set of the list below. Three ship with the package ([a1a], [spambase], [colon]);
#' the others are read from files in the folder named by the option `dualmargin.data_dir` or, if
#' that is not set, the environment variable `DUALMARGIN_DATA`. Nothing is downloaded: a file that
#' is
#' not there is an error that says where to get it, its checksum and where to put it.
#'
#' The file may be packed (gzip, bzip2, xz) or not. A file with more or fewer rows than the set has,
#' or with other columns, is an error. That the file is the very one listed is for you to check by
#' its SHA-256 checksum, for example with `sha256sum <file>` in a shell, or with `sha256sum()` of
#' package tools in R 4.5 and later; `sha256_unpacked` does not depend on how the file was packed.
#'
#' Files in LIBSVM format give `x` as a sparse `dgRMatrix` and `y` as the numbers in the file: -1/+1
#' for most, 1/2 for mushrooms, 0/1 for phishing, ratings of 1 to 10 for imdb (above 5 is positive).
#' The other sets give `x` as a numeric matrix, or as a data frame where some features are factors
#' (bank), and `y` as a factor whose second level is the positive class. Names ending in `.t` are
#' test sets with the columns of their training set. A name with `sub` or `vw` is an excerpt.
#'
#' @param name The name of one set; missing: list what is known.
#' @param ... Not used; an unknown argument is an error.
#' @returns With a name, a list with
#'   * `x`: the n samples by row, as described above,
#'   * `y`: the response, of length n,
#'   * `source`, `licence`: where the data come from and on what terms.
#'
#'   Without a name, a data frame with one row a set and the columns `name`, `rows`, `columns`,
#'   `available` (ships with the package or its file was found), `note`, `source`, `licence`,
#'   `address`, `file`, `sha256`, `sha256_unpacked`.
#' @section Errors:
#' Of class `dualmargin_input_error`: the name is not known; no folder is set or the file is not in
#' it; the file is not what the list says.
#' @references Chang, C.-C. and Lin, C.-J. (2011). LIBSVM: a library for support vector machines.
#'   *ACM Transactions on Intelligent Systems and Technology* 2(3), 27.
#'   \doi{10.1145/1961189.1961199}
#' @seealso [read_libsvm()] for files of your own.
#' @examples
#' known <- margin_data()
#' known[known$available, c("name", "rows", "columns")]
#'
#' adult <- margin_data("a1a")
#' dim(adult$x)
#' table(adult$y)
#' adult$licence
#' @export
margin_data <- function(name, ...) {
  assert_no_extra("margin_data()", ...)
  sets <- known_data_sets()
  if (missing(name)) {
    sets$available <- vapply(seq_len(nrow(sets)), function(i) {
      sets$bundled[i] || !is.null(data_file(sets[i, ]))
    }, NA)
    shown <- c("name", "rows", "columns", "available", "note", "source", "licence", "address",
               "file", "sha256", "sha256_unpacked")
    return(sets[shown])
  }
  assert_choice(name, sets$name, "name")
  set <- sets[sets$name == name, ]
  data <- if (set$bundled) {
    bundled_data(set)
  } else {
    path <- data_file(set)
    if (is.null(path)) {
      abort_no_data_file(set)
    }
    read_data_file(set, path)
  }
  c(data[c("x", "y")], source = set$source, licence = set$licence)
}

known_data_sets <- function() {
  path <- system.file("extdata", "data_sets.csv", package = "dualmargin", mustWork = TRUE)
  utils::read.csv(path, colClasses = c(sha256 = "character", sha256_unpacked = "character"),
                  na.strings = character())
}

data_folder <- function() {
  folder <- getOption("dualmargin.data_dir", Sys.getenv("DUALMARGIN_DATA"))
  if (!is.character(folder) || length(folder) != 1L || is.na(folder)) {
    abort_input(sprintf(
      "`dualmargin.data_dir` is %s, but this option must be the name of one folder.",
      show_value(folder)
    ), "dualmargin.data_dir")
  }
  folder
}

# The path of a set's file, packed in any way, or NULL.
data_file <- function(set) {
  folder <- data_folder()
  if (!nzchar(folder)) {
    return(NULL)
  }
  stem <- sub("\\.gz$", "", set$file)
  candidates <- file.path(folder, paste0(stem, c(".gz", "", ".bz2", ".xz")))
  found <- candidates[file.exists(candidates) & !dir.exists(candidates)]
  if (length(found) > 0L) found[1L] else NULL
}

abort_no_data_file <- function(set) {
  folder <- data_folder()
  place <- if (nzchar(folder)) {
    sprintf("is not in the folder \"%s\"", folder)
  } else {
    "cannot be looked for, since no folder is set"
  }
  put <- if (nzchar(folder)) {
    "Put it in that folder"
  } else {
    paste("Put it in a folder of yours and name that by options(dualmargin.data_dir = ) or the",
          "environment variable DUALMARGIN_DATA")
  }
  abort_input(sprintf(
    paste0("`name` is \"%s\", whose file %s (packed or not) %s. Get it from %s (%s). %s. ",
           "SHA-256: %s as listed, %s unpacked."),
    set$name, set$file, place, set$address, set$source, put, set$sha256, set$sha256_unpacked
  ), "name")
}

bundled_data <- function(set) {
  home <- new.env()
  utils::data(list = set$name, package = "dualmargin", envir = home)
  data <- home[[set$name]]
  if (is.data.frame(data)) {
    response <- names(data) == set$response
    data <- list(x = as.matrix(data[!response]), y = data[[set$response]])
    rownames(data$x) <- NULL
  }
  data
}

read_data_file <- function(set, path) {
  data <- switch(set$format,
    "libsvm" = read_libsvm(path, features = set$columns),
    "libsvm from 0" = read_libsvm(path, features = set$columns, zero_based = TRUE),
    "csv" = read_data_table(set, path, ","),
    "csv;" = read_data_table(set, path, ";")
  )
  if (nrow(data$x) != set$rows || ncol(data$x) != set$columns) {
    abort_input(sprintf(
      "`name` is \"%s\", %d rows by %d columns, but \"%s\" has %d by %d; get it anew from %s.",
      set$name, set$rows, set$columns, path, nrow(data$x), ncol(data$x), set$address
    ), "name")
  }
  data
}

split_at_spaces <- function(text) strsplit(text, " ", fixed = TRUE)[[1L]]

read_data_table <- function(set, path, separator) {
  has_header <- !nzchar(set$header)
  table <- utils::read.table(path, header = has_header, sep = separator, quote = "\"",
                             comment.char = "", check.names = FALSE, stringsAsFactors = TRUE)
  if (!has_header && ncol(table) == length(split_at_spaces(set$header))) {
    names(table) <- split_at_spaces(set$header)
  }
  if (!set$response %in% names(table)) {
    abort_input(sprintf("`name` is \"%s\", but \"%s\" has no column \"%s\"; get it anew from %s.",
                        set$name, path, set$response, set$address), "name")
  }
  codes <- do.call(rbind, strsplit(split_at_spaces(set$levels), "=", fixed = TRUE))
  y <- factor(as.character(table[[set$response]]), levels = codes[, 1L], labels = codes[, 2L])
  if (anyNA(y)) {
    abort_input(sprintf(
      "`name` is \"%s\", but \"%s\" has other classes than %s in row %d; get it anew from %s.",
      set$name, path, quote_list(codes[, 1L]), which(is.na(y))[1L], set$address
    ), "name")
  }
  x <- table[setdiff(names(table), c(set$response, split_at_spaces(set$drop)))]
  if (all(vapply(x, is.numeric, NA))) {
    x <- as.matrix(x)
    storage.mode(x) <- "double"
    rownames(x) <- NULL
  }
  list(x = x, y = y)
}

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

# The help pages of the data that ship with the package; the scripts in data-raw/ made them.

#' Adult income, 1,605 rows
#'
#' Does a person earn more than 50,000 dollars a year? Census records, each numeric attribute cut
#' into fifths and each categorical one into indicators, as 123 binary features of which 14 or fewer
#' are 1. This is `a1a`, the smallest training set of the series a1a to a9a on the LIBSVM data page;
#' [margin_data()] reads the others.
#'
#' @format A list with
#'   * `x`: a sparse matrix of class `dgCMatrix`, 1,605 rows and 123 columns, with 22,249 ones,
#'   * `y`: a numeric vector, +1 for more than 50,000 dollars (395 rows), -1 for less (1,210 rows).
#'
#'   Ten columns are zero in these rows (`which(Matrix::colSums(a1a$x) == 0)`); each of them is used
#'   in the larger sets of the series.
#' @source LIBSVM data page, <https://www.csie.ntu.edu.tw/~cjlin/libsvmtools/datasets/>, from the
#'   Adult data of the UCI Machine Learning Repository.
#' @section Licence:
#' Creative Commons Attribution 4.0 International (CC BY 4.0), as the Adult data.
#' @references Becker, B. and Kohavi, R. (1996). Adult. UCI Machine Learning Repository.
#'   \doi{10.24432/C5XW20}
#'
#'   Platt, J. C. (1999). Fast training of support vector machines using sequential minimal
#'   optimization. In *Advances in Kernel Methods: Support Vector Learning*, MIT Press, 185-208.
#'
#'   Chang, C.-C. and Lin, C.-J. (2011). LIBSVM: a library for support vector machines. *ACM
#'   Transactions on Intelligent Systems and Technology* 2(3), 27. \doi{10.1145/1961189.1961199}
#' @examples
#' dim(a1a$x)
#' table(a1a$y)
"a1a"

#' Spam in e-mail, 4,601 messages
#'
#' Is a message spam? Frequencies of words and characters, and lengths of runs of capital letters,
#' in 4,601 messages received at Hewlett-Packard Labs in 1999. Dense, with columns on very different
#' scales. The words "george" and "650" are the recipient's name and area code, so they point to
#' good mail.
#'
#' @format A data frame with 4,601 rows and 58 columns:
#'   * `word_freq_*` (48 columns): percentage of the words of the message that are this word,
#'   * `char_freq_*` (6 columns): percentage of its characters that are `;`, `(`, `[`, `!`, `$` or
#'     `#`, here called semicolon, parenthesis, bracket, exclamation, dollar, hash,
#'   * `capital_run_length_average`, `capital_run_length_longest`, `capital_run_length_total`: mean,
#'     largest and total length of the unbroken runs of capital letters, in letters,
#'   * `type`: factor, `nonspam` (2,788 rows) or `spam` (1,813 rows).
#' @source UCI Machine Learning Repository, <https://archive.ics.uci.edu/dataset/94/spambase>. The
#'   names are those of the repository, with the six characters spelt out.
#' @section Licence:
#' Creative Commons Attribution 4.0 International (CC BY 4.0).
#' @references Hopkins, M., Reeber, E., Forman, G. and Suermondt, J. (1999). Spambase. UCI Machine
#'   Learning Repository. \doi{10.24432/C53G6X}
#' @examples
#' table(spambase$type)
#' aggregate(char_freq_exclamation ~ type, spambase, mean)
"spambase"

#' Gene expression in colon tissue, 62 samples
#'
#' Is a tissue sample of a tumour? Expression of 2,000 genes, the ones with the highest minimal
#' intensity, measured by Affymetrix oligonucleotide arrays: far more columns than rows.
#'
#' @format A list with
#'   * `x`: a numeric matrix of 62 samples and 2,000 genes (`X1` to `X2000`), raw intensities, all
#'     positive,
#'   * `y`: a factor, `normal` (22 samples) or `tumour` (40 samples).
#' @source The data of Alon and others (1999), taken from the R package datamicroarray by J. A.
#'   Ramey, <https://github.com/ramhiser/datamicroarray>.
#' @section Licence:
#' The authors published the data with their article and state no licence; the R package from which
#' this copy was taken is under the MIT licence.
#' @references Alon, U., Barkai, N., Notterman, D. A., Gish, K., Ybarra, S., Mack, D. and Levine,
#'   A. J. (1999). Broad patterns of gene expression revealed by clustering analysis of tumor and
#'   normal colon tissues probed by oligonucleotide arrays. *Proceedings of the National Academy of
#'   Sciences* 96(12), 6745-6750. \doi{10.1073/pnas.96.12.6745}
#' @examples
#' dim(colon$x)
#' table(colon$y)
#' range(colon$x)
"colon"
