# Writing a file of rows, part by part. What the rows come from is in rows_write.R, what becomes of
# them in rows_coding.R, the file itself in the core.

#' Rows in a file, for data that do not fit into memory
#'
#' `write_rows()` turns data of any size into one file of rows, which [margin_linear()] can be
#' fitted to without reading it into memory: its methods for large data need sums over rows, and a
#' pass over the file gives these. The rows come in parts, whatever they come from, so memory is
#' needed for one part, and for labels and weights, a number a row each. [read_rows()] opens the
#' file.
#'
#' The task and its classes are decided here, on all rows, by the rules for `y` in
#' [margin_linear()], and so are the columns: they are those that one data frame with all rows would
#' give. Numbers that are nothing but 0 and 1, or -1 and 1, are classes, or numbers to a fit with a
#' loss for regressions, also where they are all the same.
#'
#' *Factors and text* need the levels of all rows, which a first pass collects, or `levels`.
#' Levels without rows are left out, those of `levels` all kept. *Terms of a formula* are evaluated
#' part by part. One whose value for a row depends on other rows (`poly(x, 2)`, `scale(x)`,
#' `x - mean(x)`) is an error: give its numbers, as in `scale(x, center = 3, scale = 2)`, or a fit
#' of some rows for `formula`. A missing value is an error, as there is no `na.action`.
#'
#' Every file is written under another name beside `path` and gets its own name when it is whole, so
#' that an interrupt, an error or a full disk leaves nothing behind, nor harms a file that was
#' there.
#'
#' @section Parts of rows by other packages:
#' A function that is given for `x` returns the next part at each call, and `NULL` at the end. A
#' call after that begins again; it comes where levels need a first pass. Parts have the columns and
#' kinds of columns of the first. In five lines, with `k <- 0` and `con <- NULL` before them:
#'
#' ```r
#' # base R: 1e5 lines of one file at a time; first <- read.csv("a.csv", nrows = 1000)
#' next_part <- function() {
#'   if (is.null(con)) readLines(con <<- file("a.csv", "r"), 1)
#'   if (length(line <- readLines(con, 1)) == 0) return({ close(con); con <<- NULL })
#'   pushBack(line, con)
#'   read.csv(con, header = FALSE, nrows = 1e5, col.names = names(first),
#'            colClasses = sub("integer", "numeric", sapply(first, class)))
#' }
#' # data.table: a file at a time
#' next_part <- function() {
#'   k <<- if (k == length(files)) 0 else k + 1
#'   if (k > 0) data.table::fread(files[k], data.table = FALSE)
#' }
#' # nanoparquet: a file at a time
#' next_part <- function() {
#'   k <<- if (k == length(files)) 0 else k + 1
#'   if (k > 0) as.data.frame(nanoparquet::read_parquet(files[k]))
#' }
#' # arrow: a group of rows of one file at a time
#' next_part <- function() {
#'   if (k == 0) con <<- arrow::ParquetFileReader$create("a.parquet")
#'   k <<- if (k == con$num_row_groups) 0 else k + 1
#'   if (k > 0) as.data.frame(con$ReadRowGroup(k - 1))
#' }
#' # DBI: 1e5 rows of a query at a time
#' next_part <- function() {
#'   if (is.null(con)) con <<- DBI::dbSendQuery(base, "SELECT age, ward, returned FROM visits")
#'   part <- DBI::dbFetch(con, 1e5)
#'   if (nrow(part) > 0) return(part)
#'   DBI::dbClearResult(con)
#'   con <<- NULL
#' }
#' ```
#'
#' Text in the format of LIBSVM is read by [read_libsvm()], whose list is a part; give `features`
#' where files differ in their largest index. 64-bit integers (class integer64) are an error;
#' `DBI::dbConnect(bigint = "numeric")` and `fread(integer64 = "numeric")` make numbers of them.
#'
#' @param x The rows:
#'   * a numeric matrix, a matrix of any class of package Matrix, or a data frame;
#'   * names of CSV files (`.csv`, plain or packed by gzip, bzip2 or xz), or of one folder, whose CSV
#'     files are taken in the order of their names. They have a line of names, are text in UTF-8, and
#'     are read as by [utils::read.csv()], `chunk` rows at a time;
#'   * a function without arguments, which returns some rows at each call and `NULL` at the end: a
#'     data frame, a matrix, or a list of `x`, `y` and `weights`.
#' @param path The file to write.
#' @param y The labels or responses: a vector of all rows or the name of a column, which is then no
#'   feature. `NULL` with a formula that has a response, with parts that have their own, and for
#'   rows that are only to be predicted.
#' @param weights Observation weights: a vector or the name of a column, which is then no feature.
#' @param formula A model formula, as in [margin_linear()], for data frames. Without one, all
#'   columns but `y` and `weights` are features, coded as by `~ .`.
#'   Contrasts are those of `options("contrasts")`, or the columns' own. Or a fit, or what
#'   [read_rows()] returned: rows that are to be predicted, or to judge a fit by, are coded as its
#'   rows were, with their levels, knots and centres; they need no response.
#' @param levels The levels of factors: a list named by column, such as `list(colour = c("red",
#'   "blue"))`, that of the response among them (`y` where it has no name). A column that is named
#'   here is a factor, be it of numbers: `list(y = 1:3)` makes classes of the labels 1, 2 and 3.
#' @param chunk The number of rows that are read at a time, and lie together in the file. A function
#'   gives parts of its own size.
#' @param overwrite May a file at `path` be replaced?
#' @param sparse Code factors and formulas into compressed rows? Worth it for factors with many
#'   levels. Rows that come as a matrix are stored as they are, dense or compressed.
#' @param ... Not used; an unknown argument is an error.
#' @returns `path`, invisibly.
#' @section Errors:
#' Of class `dualmargin_input_error`, with the file, the part and the row at fault: a value that is
#' missing or not finite; other columns, another kind of column or new levels in a later part;
#' labels of mixed kinds; a file that cannot be read or is cut off; a formula that cannot be
#' evaluated, or that has a term of all rows (the term is named); a function that gives its rows
#' once where they are needed twice; a disk that is full.
#' @seealso [read_rows()] to open the file; [margin_linear()] to fit it; `vignette("large")` for all
#'   of it.
#' @examples
#' # CSV files, as a database might export them
#' files <- file.path(tempdir(), paste0("part", 1:4, ".csv"))
#' parts <- split(spambase, rep(1:4, length.out = nrow(spambase)))
#' for (k in 1:4) write.csv(parts[[k]], files[k], row.names = FALSE)
#' path <- tempfile(fileext = ".rows")
#' write_rows(files, path, formula = type ~ ., chunk = 500)
#' read_rows(path)
#'
#' # rows that a function gives
#' days <- split(warpbreaks, warpbreaks$tension)
#' k <- 0
#' next_day <- function() {
#'   k <<- if (k == length(days)) 0 else k + 1
#'   if (k > 0) days[[k]]
#' }
#' write_rows(next_day, path, y = "breaks", overwrite = TRUE)
#' head(read_rows(path))
#' @export
write_rows <- function(x, path, y = NULL, weights = NULL, formula = NULL, levels = NULL,
                       chunk = 1e5, overwrite = FALSE, sparse = FALSE, ...) {
  assert_no_extra("write_rows()", ...)
  assert_rows_target(path, overwrite, x)
  assert_number(chunk, "chunk", lower = 1, upper = .Machine$integer.max, open = FALSE, whole = TRUE,
                remedy = "it is the number of rows that are read at a time")
  assert_levels(levels)
  assert_flag(sparse, "sparse")
  source <- rows_source(x, chunk)
  on.exit(source$close())
  first <- source$peek()
  if (is.null(first)) {
    abort_input(sprintf("`x` has no row (%s); a file of rows needs at least one.", source$what),
                "x")
  }
  columns <- colnames(first$x)
  two_sided <- inherits(formula, "formula") && length(formula) == 3L
  if (two_sided && (!is.null(y) || (is.data.frame(first$x) && !is.null(first$y)))) {
    abort_input("`y` is given, and `formula` has a response; leave one of the two out.", "y")
  }
  like <- if (inherits(formula, c("margin_rows", "margin_fit"))) formula
  if (!is.null(like) && !is.null(levels)) {
    abort_input("`levels` is given, but `formula` is a fit or rows that have theirs; use NULL.",
                "levels")
  }
  origin <- list(y = label_origin(y, "y", source, columns, !is.null(first$y)),
                 weights = label_origin(weights, "weights", source, columns,
                                        !is.null(first$weights)))
  taken <- c(y = origin$y$name, weights = origin$weights$name)
  coder <- if (is.null(like)) rows_coder(source, formula, taken, levels, sparse) else
    like_coder(like, columns, origin$y$kind != "none")
  name <- if (is.null(taken["y"]) || is.na(taken["y"])) "y" else taken[["y"]]
  labels <- label_collector(if (is.null(like)) levels[[name]] else like$levels)
  weighing <- weight_collector()
  has_labels <- isTRUE(coder$has_response) || origin$y$kind != "none"

  draft <- NULL
  whole <- FALSE
  on.exit(if (!whole && !is.null(draft)) rows_file_abandon_cpp(draft), add = TRUE)
  largest <- 0
  n <- each_part(source, function(part, offset) {
    coded <- coder$code(part, offset)
    largest <<- max(largest, assert_rows_finite(coded$x, part))
    if (has_labels) {
      labels$add(if (isTRUE(coder$has_response)) coded$y else
        labels_of(origin$y, part, offset, "y"), part)
    }
    if (origin$weights$kind != "none") {
      weighing$add(labels_of(origin$weights, part, offset, "weights"), part)
    }
    if (is.null(draft)) draft <<- begin_draft(path, coded$x)
    draft <<- written(rows_file_append_cpp(draft, coded$x), path)
  }, "Writing rows")
  header <- coder$header()
  assert_all_rows(n, coder$n, origin, largest)
  if (is.null(header$response_name)) header$response_name <- name
  all_labels <- if (has_labels) labels$all()
  response <- if (has_labels) {
    if (!is.null(like)) like_response(like, all_labels) else
      response_to_write(all_labels, n, header$response_name)
  }
  omega <- weighing$all()
  if (!is.null(omega)) {
    assert_weights(omega, n)
    # numbers are no classes yet: the fit decides
    settled <- has_labels && is.null(like) && !is.numeric(all_labels)
    if (settled) assert_weighted_classes(response, omega, "weights")
  }
  if (has_labels && response$task == "regression") assert_size_of_response(response$codes)
  notes <- file_notes(header, response)
  written(rows_file_finish_cpp(draft, response$codes, omega, notes), path)
  whole <- TRUE
  invisible(path)
}

begin_draft <- function(path, x) {
  written(rows_file_begin_cpp(rows_draft(path, isS4(x))), path)
}

# The core has taken away what it had begun.
written <- function(answer, path) {
  if (!is.null(answer$fault)) {
    abort_input(sprintf("`path`: \"%s\" was not written%s: the draft %s; %s.", path,
                        if (answer$chunk > 0) sprintf(" (chunk %.0f)", answer$chunk) else "",
                        answer$fault, "no part of it remains"), "path")
  }
  answer
}

# All that prediction needs stands in the file as R serialises it, without the reference to a file.
file_notes <- function(header, response) {
  names <- header$features
  d <- length(names)
  if (identical(names, feature_names(NULL, d))) names <- character()
  header$type <- response$type
  if (is.factor(response$response)) header$counts <- c(table(response$response))
  header$features <- NULL
  rows_notes(d, if (is.null(response)) "" else response$task,
             if (is.null(response$levels)) character() else response$levels, names,
             serialize(header, NULL, xdr = FALSE, version = 3L))
}

# Each part in turn; returns the number of rows.
each_part <- function(source, visit, title) {
  offset <- 0
  bar <- if (interactive()) {
    cli::cli_progress_bar(title, total = source$n, format = paste(
      "{cli::pb_name}{cli::pb_current} rows {cli::pb_rate} [{cli::pb_elapsed}]"
    ))
  }
  while (!is.null(part <- source$next_part())) {
    visit(part, offset)
    offset <- offset + nrow(part$x)
    if (!is.null(bar)) cli::cli_progress_update(set = offset, id = bar)
  }
  offset
}

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
    if (done > 0) new_part(take_rows(x, from:done), from)
  }, "x", n = nrow(x))
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
