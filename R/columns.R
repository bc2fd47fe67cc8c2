# What a column of data may be: one check for fitting and predicting, for data frames, formulas and
# matrices. A class that only looks like numbers (integer64 keeps 64-bit integers in the bits of
# doubles) would be read as garbage without a word.

# The remedy for a class that is known to have no agreed coding as numbers, else NULL.
class_remedy <- function(column) {
  of_class <- c(
    integer64 = "convert it by bit64's as.double(), which is exact up to 2^53",
    Date = "convert it by as.numeric(), which counts days, or to a factor",
    POSIXct = "convert it by as.numeric(), which counts seconds",
    POSIXlt = "convert it by as.numeric(as.POSIXct()), which counts seconds",
    difftime = "convert it by as.numeric(, units = ), so that the unit is said",
    haven_labelled = "convert it by haven's as_factor() or zap_labels()",
    labelled = "convert it to numbers by as.numeric() or to a factor"
  )
  known <- intersect(class(column), names(of_class))
  if (length(known) > 0L) of_class[[known[1L]]]
}

# That of any column that cannot be coded.
column_remedy <- function(column) {
  remedy <- class_remedy(column)
  if (!is.null(remedy)) {
    return(remedy)
  }
  if (is.list(column)) {
    return("spread it into columns of numbers or factors")
  }
  bare <- !is.object(column) || is.factor(column) || inherits(column, c("AsIs", "table", "ts")) ||
    is.matrix(column)
  known <- is.numeric(column) || is.logical(column) || is.factor(column) || is.character(column)
  if (!bare || !known) "convert it to numbers or a factor"
}

# For a message about what is no column.
integer64_remedy <- function(x) {
  if (inherits(x, "integer64")) paste0("; ", column_remedy(x)) else ""
}

assert_frame_columns <- function(frame, arg = "x") {
  for (j in seq_along(frame)) {
    remedy <- column_remedy(frame[[j]])
    if (!is.null(remedy)) {
      abort_input(sprintf("`%s` has column \"%s\" of class %s; %s.", arg, names(frame)[j],
                          class(frame[[j]])[1L], remedy), arg)
    }
  }
}

# A matrix that is more than its numbers.
assert_plain_matrix <- function(x, arg) {
  remedy <- if (is.object(x) && !isS4(x)) column_remedy(x)
  if (!is.null(remedy)) {
    abort_input(sprintf("`%s` is a matrix of class %s; %s.", arg, class(x)[1L], remedy), arg)
  }
}

# The variables of a formula as they stand in the data or around it, before a function in the
# formula drops their class: log() or as.numeric() of such bits without package bit64 look like
# numbers.
assert_no_integer64 <- function(variables, data, arg, around = emptyenv()) {
  if (!is.list(data)) data <- list()
  if ("." %in% variables) variables <- union(variables, names(data))
  for (name in variables) {
    column <- if (name %in% names(data)) data[[name]] else get0(name, around)
    if (inherits(column, "integer64")) {
      assert_frame_columns(stats::setNames(list(column), name), arg)
    }
  }
}
