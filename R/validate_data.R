# Errors in the data themselves: x, its names, the weights. The labels are in response.R.

# What a pass over the stored numbers of a vector, matrix or compressed sparse matrix finds: rows with
# an entry that is not finite, the `largest` size, the first entry that is `bad` or `beyond` all sizes.
scan_entries <- function(x) scan_entries_cpp(x, largest_size)

# "row 3", or "row 3 (\"s3\")" where the row has a name that says more than its number.
row_label <- function(row, names) {
  name <- if (is.null(names)) "" else names[row]
  if (name %in% c("", NA, row)) sprintf("row %d", row) else sprintf("row %d (\"%s\")", row, name)
}

# found: what a scan of x found.
assert_finite_matrix <- function(x, found, features, dropped_by_na_action = FALSE) {
  bad <- found$bad
  if (is.null(bad)) {
    return(invisible(x))
  }
  remedy <- if (is.infinite(bad$value)) {
    "replace it by a finite number or remove the row"
  } else if (dropped_by_na_action) {
    "use na.action = na.omit, impute it or remove the row"
  } else {
    "impute it or remove the row (the formula method can, by its na.action)"
  }
  abort_input(sprintf("`x` has %s in %s, column \"%s\"; %s.", format(bad$value),
                      row_label(bad$row, rownames(x)), features[bad$column], remedy), "x")
}

# part: there may be rows elsewhere.
assert_size <- function(x, part = FALSE) {
  if (nrow(x) == 0L && !part) {
    abort_input("`x` has 0 rows; a fit needs at least one.", "x")
  }
  if (ncol(x) == 0L) {
    abort_input("`x` has 0 columns; a fit needs at least one feature besides the intercept.", "x")
  }
}

# Column names as features: V1, V2, ... where there are none. Prediction goes by these names.
feature_names <- function(names, p) {
  if (length(names) == 0L) {
    return(sprintf("V%d", seq_len(p)))
  }
  empty <- which(is.na(names) | names == "")
  names[empty] <- sprintf("V%d", empty)
  names
}

assert_features <- function(features) {
  twice <- anyDuplicated(features)
  if (twice > 0L) {
    abort_input(sprintf(
      "`x` has two columns named \"%s\" (the second is column %d); rename one, see make.unique().",
      features[twice], twice
    ), "x")
  }
  if ("(Intercept)" %in% features) {
    abort_input(paste(
      "`x` has a column named \"(Intercept)\"; remove it, the intercept is added",
      "by the argument `intercept`."
    ), "x")
  }
}

# A list that says it is a data frame, with columns of other lengths than it has rows, as no
# function of R makes one.
assert_frame <- function(frame, arg) {
  rows <- .row_names_info(frame, 2L)
  sound <- is.list(frame) && length(names(frame)) == length(frame) &&
    all(vapply(unclass(frame), function(column) NROW(column) == rows, NA))
  if (!sound) {
    abort_input(sprintf("`%s` is a damaged data frame: not every column has a name and %d values.",
                        arg, rows), arg)
  }
}

# Contrasts need two levels; stats' own message for this does not name the factor.
assert_factors_vary <- function(frame, arg) {
  one_level <- vapply(frame, function(column) is.factor(column) && nlevels(column) < 2L, NA)
  if (any(one_level)) {
    abort_input(sprintf("`%s` has the factor \"%s\" with one level only; remove it.",
                        arg, names(frame)[one_level][1L]), arg)
  }
}

# NA in a data frame, before factors are coded (model.matrix would drop the row in silence).
assert_frame_complete <- function(frame) {
  for (j in seq_along(frame)) {
    if (anyNA(frame[[j]])) {
      missing <- is.na(frame[[j]])
      row <- (which(missing)[1L] - 1L) %% nrow(frame) + 1L
      abort_input(sprintf(
        "`x` has NA in %s, column \"%s\"; impute it, remove the row, or use the formula method.",
        row_label(row, row.names(frame)), names(frame)[j]
      ), "x")
    }
  }
}

assert_weights <- function(weights, n, part = FALSE) {
  if (!is.numeric(weights) || is.object(weights) || NCOL(weights) != 1L) {
    abort_input(sprintf("`weights` is %s, but must be a numeric vector, one weight a row%s.",
                        show_value(weights), integer64_remedy(weights)), "weights")
  }
  if (length(weights) != n) {
    abort_input(sprintf("`weights` has length %d, but `x` has %d rows; give one weight a row.",
                        length(weights), n), "weights")
  }
  bad <- scan_entries(as.vector(weights))$bad
  if (!is.null(bad)) {
    abort_input(sprintf("`weights` has %s at position %d; a row to leave out has weight 0.",
                        format(bad$value), bad$row), "weights")
  }
  if (any(weights < 0)) {
    k <- which(weights < 0)[1L]
    abort_input(sprintf("`weights` has %s at position %d; weights must not be negative.",
                        format(weights[k], digits = 4), k), "weights")
  }
  if (!any(weights > 0) && !part) {
    abort_input("`weights` are all 0; at least one row must count.", "weights")
  }
  assert_total_weight(weights, "weights")
  invisible(weights)
}
