# Errors in the data themselves: x, its names, the weights. The labels are in response.R.

# First entry that is NA, NaN or infinite, as row, column and value. A finite sum proves there is
# none without n x p logicals; only a sum that is not finite pays for the search.
check_finite <- function(x) {
  entries <- if (isS4(x)) x@x else x
  clean <- if (is.double(entries)) is.finite(sum(entries)) else !anyNA(entries)
  first <- if (!clean) which(!is.finite(entries))[1L] else NA
  if (clean || is.na(first)) {
    return(list(ok = TRUE))
  }
  place <- entry_place(x, first)
  list(ok = FALSE, row = place[1L], column = place[2L], value = format(entries[[first]]))
}

# Row and column of the k-th stored entry of a vector, matrix or compressed sparse matrix.
entry_place <- function(x, k) {
  if (methods::is(x, "dgCMatrix")) {
    return(c(x@i[k] + 1L, findInterval(k - 1L, x@p)))
  }
  if (methods::is(x, "dgRMatrix")) {
    return(c(findInterval(k - 1L, x@p), x@j[k] + 1L))
  }
  if (is.matrix(x)) arrayInd(k, dim(x)) else c(k, NA)
}

# "row 3", or "row 3 (\"s3\")" where the row has a name that says more than its number.
row_label <- function(row, names) {
  name <- if (is.null(names)) "" else names[row]
  if (name %in% c("", NA, row)) sprintf("row %d", row) else sprintf("row %d (\"%s\")", row, name)
}

assert_finite_matrix <- function(x, features, dropped_by_na_action = FALSE) {
  evidence <- check_finite(x)
  if (evidence$ok) {
    return(invisible(x))
  }
  remedy <- if (grepl("Inf", evidence$value)) {
    "replace it by a finite number or remove the row"
  } else if (dropped_by_na_action) {
    "use na.action = na.omit, impute it or remove the row"
  } else {
    "impute it or remove the row (the formula method can, by its na.action)"
  }
  abort_input(sprintf("`x` has %s in %s, column \"%s\"; %s.", evidence$value,
                      row_label(evidence$row, rownames(x)), features[evidence$column], remedy), "x")
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
  evidence <- check_finite(as.vector(weights))
  if (!evidence$ok) {
    abort_input(sprintf("`weights` has %s at position %d; a row to leave out has weight 0.",
                        evidence$value, evidence$row), "weights")
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
