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
