# Writing a file of rows, part by part. What the rows come from is in rows_source.R, what becomes of
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
  like <- if (is_coded_model(formula)) formula
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
  response <- if (has_labels) {
    if (!is.null(like)) like_response(like, labels$all()) else
      response_to_write(labels$all(), n, header$response_name)
  }
  omega <- weighing$all()
  if (!is.null(omega)) {
    assert_weights(omega, n)
    if (has_labels && is.null(like)) assert_weighted_classes(response, omega, "weights")
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
                        answer$fault, "nothing of it is left"), "path")
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
