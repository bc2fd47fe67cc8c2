# Parts of rows -> columns of numbers: the same columns, whatever the parts, as all rows together
# would give in memory.
#
# A coder is a list: code(part, offset), which returns list(x, y) of a part that follows `offset`
# rows (y only where a formula has it); and header(), what prediction needs of it.

rows_coder <- function(source, formula, taken, levels, sparse) {
  first <- source$peek()
  if (!is.data.frame(first$x)) {
    if (!is.null(formula)) {
      abort_input("`formula` needs data frames, and these rows are a matrix; leave it NULL.",
                  "formula")
    }
    return(matrix_coder(first$x, taken))
  }
  sample <- first$x
  columns <- names(sample)
  features <- setdiff(columns, taken)
  if (length(features) == 0L) {
    abort_input(sprintf("`x` has no column besides %s; rows need at least one feature.",
                        quote_list(taken)), "x")
  }
  if (is.null(formula)) {
    assert_features(features)
    assert_known_levels(levels, c(columns, "y"))
    if (is_numeric_frame(sample[features]) && !any(features %in% names(levels))) {
      return(number_coder(columns, features))
    }
    assert_frame_columns(sample[features])
    terms <- stats::terms(~., data = sample[features])
  } else {
    terms <- formula_terms(formula, sample[setdiff(columns, taken["weights"])])
    assert_variables_exist(terms, columns, source)
    assert_known_levels(levels, c(columns, variable_names(terms), "y"))
    sample <- sample[unique(c(intersect(all.vars(terms), columns), taken))]
  }
  frame_coder(source, terms, sample, levels, sparse, exact = is.null(formula))
}

# The columns of a part by name. Others than these are an error, but with a formula, which does not
# use them.
same_columns <- function(part, columns, exact = TRUE) {
  if (!is.data.frame(part$x)) {
    abort_input(sprintf("`x` is a matrix in %s, and a data frame before it.", show_part(part)), "x")
  }
  given <- names(part$x)
  if (identical(given, columns)) {
    return(part$x)
  }
  absent <- setdiff(columns, given)
  more <- if (exact) c(setdiff(given, columns), given[duplicated(given)])
  if (length(absent) > 0L || length(more) > 0L) {
    abort_input(sprintf(
      "`x` has other columns in %s than before it: %s; make them the same.", show_part(part),
      if (length(absent) > 0L) sprintf("%s is missing", quote_list(absent, 5L)) else
        sprintf("%s is new", quote_list(more, 5L))
    ), "x")
  }
  part$x[columns]
}

assert_known_levels <- function(levels, names) {
  unknown <- setdiff(names(levels), names)
  if (length(unknown) > 0L) {
    abort_input(sprintf("`levels` names \"%s\", which is no column; the columns are %s.",
                        unknown[1L], quote_list(unique(names))), "levels")
  }
}

# ---- Matrices ----

matrix_coder <- function(first, taken) {
  columns <- colnames(first)
  width <- ncol(first)
  sparse <- isS4(first)
  # LIBSVM and other matrices without names grow by what the largest index needs
  grows <- sparse && is.null(columns)
  keep <- if (length(taken) == 0L) seq_len(width) else which(!columns %in% taken)
  if (length(keep) == 0L) {
    abort_input("`x` has no column besides its labels and weights.", "x")
  }
  features <- feature_names(columns[keep], length(keep))
  assert_features(features)
  list(code = function(part, offset) {
    x <- part$x
    if (is.data.frame(x)) {
      abort_input(sprintf("`x` is a data frame in %s, and a matrix before it.", show_part(part)),
                  "x")
    }
    if (isS4(x) != sparse) {
      x <- if (sparse) by_rows(methods::as(x, "CsparseMatrix")) else as.matrix(x)
    }
    same <- identical(colnames(x), columns) && (grows || ncol(x) == width)
    if (!same) {
      abort_input(sprintf("`x` has other columns in %s than before it: %s.", show_part(part),
                          if (ncol(x) != width) sprintf("%d and not %d", ncol(x), width) else
                            "their names differ"), "x")
    }
    width <<- max(width, ncol(x))
    if (grows) features <<- NULL
    if (length(taken) > 0L) x <- by_rows(core_matrix(x[, keep, drop = FALSE]))
    dimnames(x) <- list(NULL, features)
    list(x = x)
  }, header = function() list(features = if (grows) feature_names(NULL, width) else features,
                              interface = "matrix", sparse = sparse))
}

# ---- Data frames of numbers alone ----

number_coder <- function(columns, features) {
  list(code = function(part, offset) {
    frame <- same_columns(part, columns)[features]
    assert_same_kind(frame, rep("number", length(features)), part)
    assert_frame_columns(frame)
    x <- as.matrix(frame)
    dimnames(x) <- list(NULL, features)
    list(x = x)
  }, header = function() list(features = features, interface = "data.frame", sparse = FALSE))
}

column_kind <- function(column) {
  if (is.ordered(column)) "ordered" else if (is.factor(column) || is.character(column)) "text" else
    if (is.logical(column)) "logical" else if (is.numeric(column)) "number" else "other"
}

assert_same_kind <- function(frame, kinds, part) {
  now <- vapply(frame, column_kind, "")
  # what is missing in all rows of a part is of no kind
  odd <- Filter(function(k) !all(is.na(frame[[k]])), which(now != kinds))
  if (length(odd) > 0L) {
    abort_input(sprintf(
      "`x` has column \"%s\" as %s in %s, and as %s before it; make it the same in all rows.",
      names(frame)[odd[1L]], kind_words[[now[[odd[1L]]]]], show_part(part),
      kind_words[[kinds[[odd[1L]]]]]
    ), "x")
  }
}

kind_words <- c(number = "numbers", logical = "TRUE and FALSE", text = "text or a factor",
                ordered = "an ordered factor", other = "something else")
