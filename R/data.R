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
