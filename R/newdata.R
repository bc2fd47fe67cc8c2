# New rows to predict: by name, coded as the fit's rows were.

# Rows to predict, coded as the fit's rows were: x with the columns of fit$features in their order,
# and na_rows, the rows that cannot be predicted because an entry is missing or not finite.
#
# Rows in a file stay there, where `on_disk` says that the caller reads them by blocks.
#
# rows: NULL, or the places of those that are coded. As in lm(), a formula is evaluated in all rows.
design_newdata <- function(fit, newdata, on_disk = FALSE, rows = NULL) {
  if (is_rows(newdata)) {
    return(design_stored(fit, newdata, on_disk))
  }
  if (is.data.frame(newdata)) assert_frame(newdata, "newdata")
  if (!is.null(fit$terms)) {
    return(code_newdata(fit, newdata, rows))
  }
  if (is.data.frame(newdata)) {
    newdata <- numeric_columns(newdata, fit$features)
  } else if (!is.matrix(newdata) && !methods::is(newdata, "Matrix")) {
    abort_input(sprintf("`newdata` is %s, but must be a matrix or data frame of the features.",
                        show_value(newdata)), "newdata")
  }
  x <- pick_features(core_matrix(newdata, "newdata"), fit)
  if (!is.null(rows) && length(rows) < nrow(x)) x <- take_rows(x, rows)
  list(x = x, na_rows = scan_entries(x)$rows)
}

pick_features <- function(x, fit) {
  features <- fit$features
  if (is.null(colnames(x))) {
    if (!identical(features, feature_names(NULL, length(features)))) {
      abort_input("`newdata` has no column names, but the fit has; name its columns.", "newdata")
    }
    if (ncol(x) != length(features)) {
      remedy <- if (isS4(x) && ncol(x) < length(features))
        sprintf("; of a file give read_libsvm(features = %d)", length(features)) else ""
      abort_input(sprintf("`newdata` has %d columns without names, but the fit has %d features%s.",
                          ncol(x), length(features), remedy), "newdata")
    }
    return(x)
  }
  given <- feature_names(colnames(x), ncol(x))
  if (identical(given, features)) {
    return(x)
  }
  columns <- find_columns(features, given)
  if (methods::is(x, "dgRMatrix")) {
    x <- methods::as(x, "CsparseMatrix")
  }
  x <- x[, columns, drop = FALSE]
  colnames(x) <- features
  x
}

# Position of each feature among the names given; names beyond them are tolerated.
find_columns <- function(features, given) {
  columns <- match(features, given)
  if (anyNA(columns)) {
    absent <- features[is.na(columns)]
    unnamed <- identical(features, feature_names(NULL, length(features)))
    # as.matrix() of a dist() names rows and columns by their numbers
    numbered <- all(grepl("^[0-9]+$", c(features, given)))
    abort_input(sprintf(
      "`newdata` lacks %d of the fit's columns: %s%s.", length(absent), quote_list(absent, 5L),
      if (unnamed) " (the fit's columns had no names; so should these)" else if (numbered) paste(
        " (names that are numbers count as names; give `x` of the fit and `newdata` by unname(),",
        "their columns in one order)"
      ) else ""
    ), "newdata")
  }
  twice <- given[duplicated(given) & given %in% features]
  if (length(twice) > 0L) {
    abort_input(sprintf("`newdata` has two columns named \"%s\"; remove or rename one.", twice[1L]),
                "newdata")
  }
  columns
}

numeric_columns <- function(frame, features) {
  frame <- frame[find_columns(features, names(frame))]
  sparse <- sparse_frame(frame, "newdata")
  if (!is.null(sparse)) {
    return(sparse)
  }
  assert_frame_columns(frame, "newdata")
  number <- vapply(frame, function(column) is.numeric(column) || is.logical(column), NA)
  if (!all(number)) {
    name <- features[!number][1L]
    column <- frame[[which(!number)[1L]]]
    abort_input(sprintf(
      "`newdata` has column \"%s\" of class %s, but the fit has it as a number; use %s.", name,
      class(column)[1L], type_conversion(name, "numeric", column)
    ), "newdata")
  }
  as.matrix(frame)
}

# New rows of a fit that has terms. Rows with a missing entry are coded as the first complete one
# and named in na_rows: model.matrix() would drop them, or in sparse form take them for zeros.
code_newdata <- function(fit, newdata, rows = NULL) {
  if (!is.data.frame(newdata)) {
    abort_input(sprintf(
      "`newdata` is %s, but this fit needs a data frame with the variables it was fitted to.",
      show_value(newdata)
    ), "newdata")
  }
  terms <- stats::delete.response(fit$terms)
  find_columns(required_variables(fit$terms), names(newdata))
  assert_no_integer64(all.vars(terms), newdata, "newdata")
  frame <- evaluate_frame({
    frame <- stats::model.frame(terms, newdata, na.action = stats::na.pass)
    if (!is.null(rows)) {
      frame <- structure(frame[rows, , drop = FALSE], terms = attr(frame, "terms"))
    }
    frame <- match_types(frame, fit$xlevels, attr(terms, "dataClasses"))
    assert_frame_columns(frame, "newdata")
    assert_same_types(frame, attr(terms, "dataClasses"))
    stats::.checkMFClasses(attr(terms, "dataClasses"), frame)
    frame
  }, "newdata", "coded as the fit was")
  complete <- stats::complete.cases(frame)
  x <- if (any(complete)) {
    rows <- frame[replace(rep(which(complete)[1L], nrow(frame)), complete, which(complete)), ,
                  drop = FALSE]
    attr(rows, "terms") <- attr(frame, "terms")
    drop_intercept(code_matrix(terms, rows, fit$contrasts, isTRUE(fit$sparse)))
  } else {
    matrix(0, nrow(frame), length(fit$features), dimnames = list(NULL, fit$features))
  }
  rownames(x) <- rownames(frame)
  list(x = x, na_rows = which(!complete | seq_len(nrow(x)) %in% scan_entries(x)$rows),
       offset = formula_offset(frame, missing_too = TRUE))
}

# Factors get the levels of the fit; a column of nothing but NA is taken for what the fit had there.
match_types <- function(frame, xlevels, classes) {
  for (name in names(frame)) {
    column <- frame[[name]]
    unknown <- is.logical(column) && all(is.na(column))
    if (name %in% names(xlevels) && (is.factor(column) || is.character(column) || unknown)) {
      frame[[name]] <- known_levels(as.character(column), xlevels[[name]], name)
    } else if (unknown && classes[[name]] == "numeric") {
      frame[[name]] <- as.double(column)
    }
  }
  frame
}

# What makes of a column of new rows what the fit had there.
type_conversion <- function(name, was, column) {
  if (was == "numeric" && is.factor(column)) {
    return(sprintf("as.numeric(as.character(%s))", name))
  }
  sprintf(switch(was, logical = "as.logical(%s)", character = "as.character(%s)",
                 numeric = "as.numeric(%s)", "factor(%s)"), name)
}

# A column that would be coded in another way than the fit's was, after match_types(), which has
# made factors of text. Matrices are left to stats.
assert_same_types <- function(frame, classes) {
  plain <- c("logical", "numeric")
  levels <- c("factor", "ordered", "character")
  for (name in intersect(names(frame), names(classes))) {
    now <- stats::.MFclass(frame[[name]])
    was <- classes[[name]]
    if (now != was && !all(c(now, was) %in% levels) && all(c(now, was) %in% c(plain, levels))) {
      abort_input(sprintf(
        "`newdata` has \"%s\" of type %s, but the fit has it as %s; use %s.", name, now, was,
        type_conversion(name, was, frame[[name]])
      ), "newdata")
    }
  }
}

known_levels <- function(values, levels, name) {
  new <- setdiff(values, c(levels, NA))
  if (length(new) > 0L) {
    abort_input(sprintf(
      "`newdata` has level \"%s\" in \"%s\", which the fit has not seen; make it NA or one of %s.",
      new[1L], name, quote_list(levels)
    ), "newdata")
  }
  factor(values, levels = levels, exclude = excluded_value(levels))
}

# NA is a level where the rows that were fitted had it as one, and a missing value elsewhere.
excluded_value <- function(levels) if (anyNA(levels)) NULL else NA
