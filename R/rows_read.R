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
#' @section Fits of rows in a file:
#' [margin_linear()] fits rows where they lie, to the same certificate as in memory: value, bound
#' and every step are sums over rows. The file has response, weights and columns, so `y`, `weights`
#' and `subset` beside it are errors. Rows are read in whole passes, block by block: in memory are a
#' few numbers a row and a column, and less than a megabyte of rows for each thread. Solvers are
#' those that need few passes, `"newton"` for a smooth loss, `"ssnal"` for another, `"lbfgs"` and `"fista"`;
#' `"auto"` is the first or the second, and a print of the fit says which of them read which file.
#' With `multiclass = "softmax"` Newton's method reads the file once for each class and pass. The
#' same named solver gives the same bits as with the rows in memory (as a matrix, or as compressed
#' rows, a dgRMatrix), for every number of threads, if both are given the same `seed` in
#' [margin_control()]: `"newton"`, `"lbfgs"` and `"ssnal"` start from rows that they draw. Fits and predictions
#' hold each part of the file against its checksum when they first come to it, before anything is
#' made of it; a file that is cut, damaged, changed while it is read, or is not the one that was
#' opened, is an error. `predict(fit, rows)`, [margin_performance()], [margin_path()],
#' [margin_cv()], [margin_calibrate()], [margin_certain()] and [margin_report()] read such rows too;
#' folds are sets of rows, not copies. A run of hours can be made to go on after a crash, see
#' [checkpoints]. `vignette("large")` has a whole analysis.
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
  if (inherits(share, "mpi_ranks")) share <- c(share$rank + 1, share$size)
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
  j <- if (missing(j)) NULL else chosen_columns(x, j)
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
  if (is.null(j)) {
    if (drop && length(at) == 1L) values[1L, ] else values
  } else {
    picked <- values[, j, drop = drop]
    if (isS4(picked)) by_rows(core_matrix(picked)) else picked
  }
}

#' @exportS3Method
as.matrix.margin_rows <- function(x, ...) {
  assert_no_extra("as.matrix()", ...)
  assert_memory(8 * x$d * x$n, "x", "has all of its rows", "ask for some by x[i, ]")
  as.matrix(x[seq_len(x$n), ])
}

# -> numbers of columns
chosen_columns <- function(x, j) {
  at <- seq_len(x$d)
  names(at) <- x$features
  tryCatch({
    chosen <- at[j]
    if (anyNA(chosen)) stop("absent")
    unname(chosen)
  }, error = function(condition) {
    abort_input(sprintf("`j` is %s, but must be columns of `x`: names, numbers from 1 to %.0f, or %s.",
                        show_value(j), x$d, "a logical for every column"), "j")
  })
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
  c(rows = paste0(grouped(x$n, scientific = FALSE), if (!is.null(x$share)) sprintf(
    ", share %.0f of %.0f of the file", x$share[1L], x$share[2L]
  )),
  columns = sprintf("%s (%s)", grouped(x$d, scientific = FALSE),
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
                                             grouped(x$counts, trim = TRUE)), 6L),
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
              grouped(x$chunks, scientific = FALSE)))
  for (part in c("response", "weights")) {
    if (is.null(x[[part]])) next
    cat("\n", if (part == "response") x$rows$response_name else part, "\n", sep = "")
    print(x[[part]])
  }
  invisible(x)
}

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

# Fits of rows in a file: a design whose x is what read_rows() returned.

is_rows <- function(x) inherits(x, "margin_rows")

#' @rdname margin_linear
#' @usage NULL
#' @export
margin_linear.margin_rows <- function(x, ...) {
  fit <- margin_linear.matrix(file_design("linear", x, match.call(), list(...)), NULL, ...)
  fit$file <- x$path
  fit
}

# What the file has, cannot be given beside it.
of_file <- c("y", "weights", "subset", "offset")

assert_of_file <- function(dots, valid, caller) {
  given <- intersect(names(dots), of_file)
  if ("offset" %in% given) {
    abort_input(paste(
      "`offset` is given beside rows in a file, whose fits have none yet; subtract it from the",
      "response of a regression before write_rows(), or fit rows in memory."
    ), "offset")
  }
  if (length(given) > 0L) {
    abort_input(sprintf(
      "`%s` is given beside rows in a file, which have their own; write them with write_rows(%s).",
      given[1L], if (given[1L] == "subset") "the rows that are to be fitted" else
        sprintf("%s = ", given[1L])
    ), given[1L])
  }
  assert_nothing_left(dots, valid, formula_arguments, caller)
}

# part: are there more rows, on other ranks?
design_rows <- function(rows, call, part = FALSE) {
  assert_rows(rows)
  assert_size(rows, part)
  if (!isTRUE(rows$labels)) {
    abort_input(sprintf("`x`: \"%s\" has rows without a response; write them with one, write_rows(y = ).",
                        rows$path), "x")
  }
  structure(
    list(x = rows, y = NULL, weights = rows_numbers(rows)$weights, features = rows$features,
         interface = rows$interface, terms = rows$terms, xlevels = rows$xlevels,
         contrasts = rows$contrasts, na.action = NULL, sparse = rows$coded_sparse,
         intercept = !isFALSE(rows$intercept), call = call, response_name = rows$response_name),
    class = "margin_design"
  )
}

# The file that was opened, and no other in its place: labels are read before the core looks at it.
assert_rows <- function(rows, arg = "x") {
  if (!file.exists(rows$path)) {
    abort_input(sprintf("`%s`: there is no file \"%s\"; give its place to read_rows().", arg,
                        rows$path), arg)
  }
  assert_same_file(rows, arg)
}

# Labels as the core takes them and weights, of the rows that are meant.
rows_numbers <- function(rows) {
  numbers <- from_rows_file(rows_file_labels_cpp(rows$path), "x")
  at <- numbers_in_file(rows)
  if (is.null(at)) numbers else lapply(numbers, function(v) v[at])
}

# Their numbers in the file, where they are not all of it: a share of it, or those of a fold.
numbers_in_file <- function(rows) {
  if (is.null(rows$at) && !is.null(rows$share)) rows$first - 1 + seq_len(rows$n) else rows$at
}

# The response as code_response() makes it of the same labels in memory. The task was decided when
# the file was written; numbers that were taken for classes are numbers where `loss` asks for them.
response_of_rows <- function(rows, codes, loss, classes_only = NULL) {
  if (identical(rows$task, "regression")) {
    if (identical(loss$task, "classification") || !is.null(classes_only)) {
      assert_regression_possible(codes, loss, classes_only)
    }
    return(new_response(codes, "numeric"))
  }
  labels <- coded_labels(rows, codes)
  if (takes_numbers(loss) && rows$type %in% names(label_values)) {
    return(new_response(label_values[[rows$type]][labels], "numeric"))
  }
  numbers <- rows$type %in% names(label_values)
  if (!numbers) assert_classes_possible(loss, "a factor")
  response <- new_response(used_levels(labels), rows$type)
  assert_two_classes(response, numbers)
  response
}

coded_labels <- function(rows, codes) {
  place <- if (length(rows$levels) == 2L) 1L + (codes > 0) else as.integer(codes)
  structure(place, levels = rows$levels, class = "factor")
}

# What was observed in the rows, for a fit to be judged by: labels or numbers.
labels_of_rows <- function(rows, fit) {
  codes <- if (isTRUE(rows$labels)) rows_numbers(rows)$y
  if (is.null(codes) || identical(rows$task, "regression")) {
    return(codes)
  }
  labels <- coded_labels(rows, codes)
  if (fit$task == "regression" && rows$type %in% names(label_values)) {
    label_values[[rows$type]][labels]
  } else {
    labels
  }
}

# Some of the rows, by their numbers among those that are meant; nothing is copied.
rows_subset <- function(rows, which) {
  at <- numbers_in_file(rows)
  rows$at <- if (is.null(at)) as.double(which) else at[which]
  rows$n <- length(which)
  rows
}

# For what holds rows in memory, or draws single ones.
refuse_rows <- function(arg) {
  abort_input(sprintf(paste(
    "`%s` is rows in a file, and this function needs them in memory; margin_linear(),",
    "margin_path(), margin_cv(), margin_calibrate(), margin_performance(), margin_report(),",
    "margin_certain() and predict() read them in whole passes. A matrix of some of them is",
    "rows[1:1000, ]."
  ), arg), arg)
}

# ---- Solvers ----

# where: the rows are.
assert_rows_solver <- function(settings, joint, where = "rows in a file") {
  solver <- settings$solver$name
  if (identical(joint, "crammer_singer")) {
    abort_input(sprintf(paste(
      "`multiclass` is \"crammer_singer\", whose solver draws single rows and is not for %s; use",
      "\"softmax\" or \"one_vs_rest\"."
    ), where), "multiclass")
  }
  able <- families()[[settings$solver$family]]$whole_pass
  if (!is.null(joint)) able <- intersect(able, joint_models()[[joint]]$solvers)
  if (!solver %in% able) {
    fits <- function(name) {
      is.null(settings$loss) || check_solver(find_solver(name, settings$solver$family), settings$loss,
                                             settings$intercept, settings$mixture)$ok
    }
    if (is.null(joint)) able <- Filter(fits, able)
    abort_input(sprintf(paste(
      "`solver` \"%s\" does not read rows in whole passes, as %s are read; use %s."
    ), solver, where, quote_list(able)), "solver")
  }
}

assert_linear_on_disk <- function(family) {
  known <- is.character(family) && length(family) == 1L
  if (!known || length(families()[[family]]$whole_pass) == 0L) {
    abort_input(sprintf(paste(
      "`family` is %s, which holds its rows in memory; rows in a file are for family = \"linear\"."
    ), show_value(family)), "family")
  }
}

# ranks: all of which name the rows that they mean, or none
rows_of_core <- function(rows, ranks = NULL) {
  at <- numbers_in_file(rows)
  if (!is.null(ranks) && is.null(at)) at <- as.double(seq_len(rows$n))
  list(path = rows$path, checksum = rows$checksum, at = at)
}

# The one call into C++.
solve_rows <- function(problem, arguments, control, joint) {
  rows <- problem$design$x
  assert_rows_solver(problem$settings, joint)
  fit <- if (is.null(joint)) fit_linear_rows_cpp else fit_multiclass_rows_cpp
  from_rows_file(in_core(fit(
    rows_of_core(rows, control$ranks), problem$response$codes, problem$omega, arguments, control
  )), "x")
}

# Decision values and predictions of rows in a file, block by block.

# Rows to predict, as design_newdata() has them: the columns of the file must be those of the fit,
# which has none of its own terms to code them by again. A chunk is held against its checksum before
# anything is made of its rows: where the first block comes to it, and of the rows of a fold, which
# may be in any order, in each block.
design_stored <- function(fit, rows, on_disk) {
  assert_rows(rows, "newdata")
  if (!on_disk) refuse_rows("data")
  if (!identical(rows$features, fit$features)) {
    rows$columns <- find_columns(fit$features, rows$features)
  }
  list(x = rows, na_rows = integer())
}

# About 8 MB of entries, and a million rows at most.
block_rows <- function(rows) {
  each <- max(1, if (rows$sparse) rows$entries / max(1, if (is.null(rows$of)) rows$n else rows$of) else rows$d)
  max(1, min(1e6, floor(1e6 / each)))
}

for_blocks <- function(rows, f) {
  size <- block_rows(rows)
  for (from in seq(1, rows$n, by = size)) f(from:min(rows$n, from + size - 1))
}

# The rows of these numbers as a matrix, in the columns of the fit that asks.
rows_block <- function(rows, which) {
  at <- numbers_in_file(rows)
  at <- if (is.null(at)) which else at[which]
  held <- if (!is.null(rows$at)) 0 else if (is.null(rows$share)) 1 else rows$first
  got <- from_rows_file(rows_file_read_cpp(rows$path, as.double(at), held), "newdata")
  x <- if (rows$sparse) {
    methods::new("dgRMatrix", p = got$p, j = got$j, x = got$x,
                 Dim = c(length(which), as.integer(rows$d)))
  } else {
    got$x
  }
  if (is.null(rows$columns)) {
    return(x)
  }
  if (isS4(x)) x <- methods::as(x, "CsparseMatrix")
  x[, rows$columns, drop = FALSE]
}

# score(block): a vector or a matrix; all of them one below another.
score_blocks <- function(rows, score) {
  assert_memory(8 * rows$n, "newdata", "has decision values for all of its rows",
                "predict(file = ) writes them to a file")
  scores <- NULL
  for_blocks(rows, function(which) {
    block <- score(rows_block(rows, which))
    if (is.null(scores)) {
      scores <<- if (is.matrix(block)) matrix(0, rows$n, ncol(block), dimnames = list(
        NULL, colnames(block)
      )) else numeric(rows$n)
    }
    if (is.matrix(block)) scores[which, ] <<- block else scores[which] <<- block
  })
  scores
}

# Written beside, and put in place once it is whole.
predict_to_file <- function(fit, rows, type, threshold, file) {
  if (missing(rows) || !is_rows(rows)) {
    abort_input("`file` is for rows that read_rows() has opened; leave it out.", "file")
  }
  refuse_offset(fit, "predict(file = )", "object")
  assert_file_name(file, "file")
  if (file.exists(file)) {
    abort_input(sprintf("`file`: \"%s\" is there already; remove it or give another name.", file),
                "file")
  }
  rows <- design_stored(fit, rows, TRUE)$x
  draft <- tempfile(paste0(basename(file), ".draft-"), tmpdir = dirname(file))
  on.exit(unlink(draft))
  con <- tryCatch(file(draft, "wt"), error = identity, warning = identity)
  if (inherits(con, "condition")) {
    abort_input(sprintf("`file`: \"%s\" cannot be written; give a place in a folder that is there.",
                        file), "file")
  }
  on.exit(if (!is.null(con)) suppressWarnings(close(con)), add = TRUE, after = FALSE)
  # a full disk is told by a line that cannot be written, or by closing, which writes the last ones
  say <- function(fault) {
    abort_input(sprintf("`file`: \"%s\" was not written (%s); make room, or give another place.",
                        file, sub("[.]?\\s*$", "", fault)), "file")
  }
  told <- function(expression) {
    fail <- function(condition) say(conditionMessage(condition))
    tryCatch(expression, error = fail, warning = fail)
  }
  first <- TRUE
  for_blocks(rows, function(which) {
    block <- score_design(fit, rows_block(rows, which))
    table <- present_scores(fit, block, type, threshold)
    table <- if (is.matrix(table)) as.data.frame(table) else data.frame(prediction = unname(table))
    lines <- csv_lines(table, first)
    told(writeLines(lines, con))
    first <<- FALSE
  })
  open <- con
  con <- NULL
  told(close(open))
  fault <- put_in_place_cpp(draft, file.path(normalizePath(dirname(file)), basename(file)))
  if (!is.null(fault)) say(fault)
  invisible(file)
}

# All digits of numbers; text in quotes, as write.csv() has it.
csv_lines <- function(table, named) {
  quoted <- function(text) paste0("\"", gsub("\"", "\"\"", text, fixed = TRUE), "\"")
  columns <- lapply(table, function(column) {
    if (is.double(column)) sprintf("%.17g", column) else quoted(as.character(column))
  })
  c(if (named) paste(quoted(names(table)), collapse = ","),
    do.call(paste, c(unname(columns), sep = ",")))
}
