# Formula, data frame, matrix or sparse matrix -> one design: x as the core takes it, the raw
# response and weights, and what prediction needs to code new rows in the same way.
#
# A design is a list: x, y, weights (NULL or as given), features, interface, terms, xlevels,
# contrasts, na.action, sparse, intercept (FALSE when a formula removed it), call.

new_design <- function(x, y, weights, interface, call, terms = NULL, xlevels = NULL,
                       contrasts = NULL, na.action = NULL, intercept = TRUE) {
  assert_size(x)
  features <- feature_names(colnames(x), ncol(x))
  assert_features(features)
  assert_finite_matrix(x, features, interface == "formula")
  if (!is.null(weights)) {
    assert_weights(weights, nrow(x))
  }
  structure(
    list(x = x, y = y, weights = weights, features = features, interface = interface,
         terms = terms, xlevels = xlevels, contrasts = contrasts, na.action = na.action,
         sparse = isS4(x), intercept = intercept, call = call),
    class = "margin_design"
  )
}

design_xy <- function(x, y, weights, call) {
  if (!is.data.frame(x)) {
    return(new_design(core_matrix(x), y, weights, "matrix", call))
  }
  assert_size(x)
  assert_features(names(x))
  assert_frame_columns(x)
  assert_frame_complete(x)
  if (is_numeric_frame(x)) {
    return(new_design(as.matrix(x), y, weights, "data.frame", call))
  }
  frame <- evaluate_frame(
    stats::model.frame(~., data = x, drop.unused.levels = TRUE), "x", "coded by `~ .`"
  )
  coded <- code_frame(frame, NULL, FALSE, "x")
  new_design(coded$x, y, weights, "data.frame", call, coded$terms, coded$xlevels, coded$contrasts)
}

# frame: the model frame of a formula, with its na.action.
design_formula <- function(frame, contrasts, sparse, variables, call) {
  terms <- attr(frame, "terms")
  if (attr(terms, "response") == 0L) {
    abort_input("`formula` has no response; write the label left of ~, as in y ~ .", "formula")
  }
  if (!is.null(attr(terms, "offset"))) {
    abort_input("`formula` has an offset(), which these models do not have; remove it.", "formula")
  }
  if (nrow(frame) == 0L) {
    abort_input("`data` has no row left after `subset` and `na.action`.", "data")
  }
  if (length(attr(terms, "term.labels")) == 0L) {
    abort_input("`formula` has no feature right of ~; a fit needs at least one.", "formula")
  }
  coded <- code_frame(frame, contrasts, sparse, "formula")
  attr(coded$terms, "data_variables") <- variables
  new_design(coded$x, stats::model.response(frame), stats::model.weights(frame), "formula", call,
             coded$terms, coded$xlevels, coded$contrasts, attr(frame, "na.action"),
             intercept = attr(terms, "intercept") == 1L)
}

# Dummy coding as in lm: with the intercept in the terms, whose column is then dropped.
code_frame <- function(frame, contrasts, sparse, arg) {
  terms <- attr(frame, "terms")
  x <- evaluate_frame(code_matrix(terms, frame, contrasts, sparse), arg, "coded as numbers")
  used <- attr(x, "contrasts")
  environment(terms) <- globalenv()
  list(x = drop_intercept(x), terms = terms, xlevels = stats::.getXlevels(terms, frame),
       contrasts = used)
}

code_matrix <- function(terms, frame, contrasts, sparse) {
  if (!sparse) {
    return(stats::model.matrix(terms, frame, contrasts.arg = contrasts))
  }
  x <- Matrix::sparse.model.matrix(terms, frame, contrasts.arg = contrasts)
  # It names the columns of a matrix term "1", "2"; the dense coding of one row has the names.
  one_row <- frame[1L, , drop = FALSE]
  colnames(x) <- colnames(stats::model.matrix(terms, one_row, contrasts.arg = contrasts))
  x
}

drop_intercept <- function(x) {
  keep <- colnames(x) != "(Intercept)"
  if (isS4(x)) core_matrix(x[, keep, drop = FALSE]) else x[, keep, drop = FALSE]
}

# Errors of model.frame() and model.matrix() are the user's: give them our class and the argument.
evaluate_frame <- function(expression, arg, what) {
  tryCatch(expression, error = function(condition) {
    if (inherits(condition, "dualmargin_error")) {
      stop(condition)
    }
    abort_input(sprintf("`%s` could not be %s: %s.", arg, what,
                        sub("[.]$", "", conditionMessage(condition))), arg)
  })
}

# A base matrix as it is (double, integer or logical), dgRMatrix and dgCMatrix as they are, any
# other sparse class as dgCMatrix, any other dense class as a base matrix.
core_matrix <- function(x, arg = "x") {
  if (is.matrix(x)) {
    if (!typeof(x) %in% c("double", "integer", "logical")) {
      abort_input(sprintf(
        "`%s` is a %s matrix, but must hold numbers; make it a data frame to have factors coded.",
        arg, typeof(x)
      ), arg)
    }
    return(x)
  }
  if (methods::is(x, "dgCMatrix") || methods::is(x, "dgRMatrix")) {
    return(x)
  }
  if (methods::is(x, "denseMatrix")) {
    return(methods::as(x, "matrix"))
  }
  # Compress first: in a triplet pattern a repeated entry means TRUE once, not 2.
  compressed <- methods::as(x, "CsparseMatrix")
  methods::as(methods::as(compressed, "dMatrix"), "generalMatrix")
}

is_numeric_frame <- function(frame) {
  all(vapply(frame, function(column) is.numeric(column) && !is.object(column), NA))
}

# ---- New rows ----

# Rows to predict, coded as the fit's rows were: x with the columns of fit$features in their order,
# and na_rows, the rows that cannot be predicted because an entry is missing or not finite.
design_newdata <- function(fit, newdata) {
  if (!is.null(fit$terms)) {
    return(code_newdata(fit, newdata))
  }
  if (is.data.frame(newdata)) {
    newdata <- numeric_columns(newdata, fit$features)
  } else if (!is.matrix(newdata) && !methods::is(newdata, "Matrix")) {
    abort_input(sprintf("`newdata` is %s, but must be a matrix or data frame of the features.",
                        show_value(newdata)), "newdata")
  }
  x <- pick_features(core_matrix(newdata, "newdata"), fit)
  list(x = x, na_rows = incomplete_rows(x))
}

pick_features <- function(x, fit) {
  features <- fit$features
  unnamed_fit <- identical(features, feature_names(NULL, length(features)))
  if (is.null(colnames(x))) {
    if (!unnamed_fit) {
      abort_input("`newdata` has no column names, but the fit has; name its columns.", "newdata")
    }
    if (ncol(x) != length(features)) {
      abort_input(sprintf("`newdata` has %d columns without names, but the fit has %d features.",
                          ncol(x), length(features)), "newdata")
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

# Position of each feature among the names given; extra names are tolerated.
find_columns <- function(features, given) {
  columns <- match(features, given)
  if (anyNA(columns)) {
    absent <- features[is.na(columns)]
    abort_input(sprintf("`newdata` lacks %d of the fit's columns: %s.", length(absent),
                        quote_list(absent, 5L)), "newdata")
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
  number <- vapply(frame, function(column) is.numeric(column) || is.logical(column), NA)
  if (!all(number)) {
    abort_input(sprintf("`newdata` has column \"%s\" of class %s, but the fit has it as a number.",
                        features[!number][1L], class(frame[[which(!number)[1L]]])[1L]), "newdata")
  }
  as.matrix(frame)
}

incomplete_rows <- function(x) {
  if (check_finite(x)$ok) {
    return(integer())
  }
  if (!isS4(x)) {
    return(unname(which(rowSums(!is.finite(x)) > 0)))
  }
  bad <- which(!is.finite(x@x))
  rows <- vapply(bad, function(k) entry_place(x, k)[1L], 0L)
  sort(unique(rows))
}

# New rows of a fit that has terms. Rows with a missing entry are coded as the first complete one
# and named in na_rows: model.matrix() would drop them, or in sparse form take them for zeros.
code_newdata <- function(fit, newdata) {
  if (!is.data.frame(newdata)) {
    abort_input(sprintf(
      "`newdata` is %s, but this fit needs a data frame with the variables it was fitted to.",
      show_value(newdata)
    ), "newdata")
  }
  terms <- stats::delete.response(fit$terms)
  find_columns(intersect(all.vars(terms), wanted_variables(fit)), names(newdata))
  frame <- evaluate_frame({
    frame <- stats::model.frame(terms, newdata, na.action = stats::na.pass, xlev = fit$xlevels)
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
  list(x = x, na_rows = which(!complete | seq_len(nrow(x)) %in% incomplete_rows(x)))
}

# The variables that must be found in newdata: those that came from the data, or all of them.
wanted_variables <- function(fit) {
  known <- attr(fit$terms, "data_variables")
  if (length(known) > 0L) known else all.vars(fit$terms)
}
