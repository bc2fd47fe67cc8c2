# Formula, data frame, matrix or sparse matrix -> one design: x as the core takes it, the raw
# response and weights, and what prediction needs to code new rows in the same way.
#
# A design is a list: x, y, weights (NULL or as given), features, interface, terms, xlevels,
# contrasts, na.action, sparse, intercept (FALSE when a formula removed it), call, response_name.

new_design <- function(x, y, weights, interface, call, terms = NULL, xlevels = NULL,
                       contrasts = NULL, na.action = NULL, intercept = TRUE,
                       response_name = "y", part = FALSE, offset = NULL) {
  assert_size(x, part)
  assert_matrix_memory(x, "x")
  features <- feature_names(colnames(x), ncol(x))
  assert_features(features)
  found <- scan_entries(x)
  assert_finite_matrix(x, found, features, interface == "formula")
  assert_size_of_entries(x, found, features)
  weights <- plain_weights(weights)
  if (!is.null(weights)) {
    assert_weights(weights, nrow(x), part)
  }
  if (!is.null(offset)) offset <- checked_offset(offset, nrow(x))
  structure(
    list(x = x, y = y, weights = weights, features = features, interface = interface,
         terms = terms, xlevels = xlevels, contrasts = contrasts, na.action = na.action,
         sparse = isS4(x), intercept = intercept, call = call, response_name = response_name,
         offset = offset),
    class = "margin_design"
  )
}

# part: are there more rows, on other ranks?
design_xy <- function(x, y, weights, call, part = FALSE, offset = NULL) {
  if (!is.data.frame(x)) {
    return(new_design(core_matrix(x), y, weights, "matrix", call, part = part, offset = offset))
  }
  assert_frame(x, "x")
  assert_size(x, part)
  assert_features(names(x))
  sparse <- sparse_frame(x, "x")
  if (!is.null(sparse)) {
    return(new_design(sparse, y, weights, "data.frame", call, part = part, offset = offset))
  }
  assert_frame_columns(x)
  assert_frame_complete(x)
  if (is_numeric_frame(x)) {
    return(new_design(as.matrix(x), y, weights, "data.frame", call, part = part, offset = offset))
  }
  frame <- evaluate_frame(
    stats::model.frame(~., data = x, drop.unused.levels = TRUE), "x", "coded by `~ .`"
  )
  environment(attr(frame, "terms")) <- globalenv()
  coded <- code_frame(frame, NULL, FALSE, "x")
  new_design(coded$x, y, weights, "data.frame", call, coded$terms, coded$xlevels, coded$contrasts,
             part = part, offset = offset)
}

# The matrix of a sparse tibble, as newer versions of recipes bake: its columns are sparse vectors
# of package sparsevctrs, which is loaded where there is one. NULL: the frame has none.
sparse_frame <- function(frame, arg) {
  if (!isNamespaceLoaded("sparsevctrs")) {
    return(NULL)
  }
  ask <- function(name) getExportedValue("sparsevctrs", name)
  if (!any(vapply(frame, ask("is_sparse_vector"), NA))) {
    return(NULL)
  }
  logical <- vapply(frame, is.logical, NA)
  frame[logical] <- lapply(frame[logical], as.numeric)
  other <- which(!vapply(frame, is.numeric, NA))
  if (length(other) > 0L) {
    abort_input(sprintf(paste(
      "`%s` has sparse columns, and column \"%s\" of class %s, whose coding would make all of them",
      "dense; make numbers of it, as recipes::step_dummy(sparse = \"yes\") does."
    ), arg, names(frame)[other[1L]], class(frame[[other[1L]]])[1L]), arg)
  }
  core_matrix(ask("coerce_to_sparse_matrix")(frame), arg)
}

# Case weights of package hardhat are numbers with a class.
plain_weights <- function(weights) {
  if (inherits(weights, "hardhat_case_weights")) as.double(unclass(weights)) else weights
}

# frame: the model frame of a formula, with its na.action; data: what it was evaluated in, or NULL.
# labelled: must there be a response? NA: it may.
design_formula <- function(frame, contrasts, sparse, data, call, labelled = TRUE) {
  terms <- attr(frame, "terms")
  if (isFALSE(labelled) && attr(terms, "response") != 0L) {
    abort_input("`formula` has a response, but no label is used; write ~ ., or the columns.",
                "formula")
  }
  if (isTRUE(labelled)) assert_has_response(terms)
  if (nrow(frame) == 0L) {
    abort_input("`data` has no row left after `subset` and `na.action`.", "data")
  }
  if (length(attr(terms, "term.labels")) == 0L) {
    abort_input("`formula` has no feature right of ~; a fit needs at least one.", "formula")
  }
  others <- names(frame)[c(attr(terms, "response"), attr(terms, "offset"))]
  features <- setdiff(names(frame), c("(weights)", others))
  assert_frame_columns(frame[features], "data")
  coded <- code_frame(frame, contrasts, sparse, "formula")
  where <- if (is.environment(data)) data else environment(terms)
  if (is.environment(data)) data <- NULL
  is_row_variable <- row_variables_in_memory(terms, data, where)
  closed <- closed_terms(coded$terms, names(data), is_row_variable, where)
  new_design(coded$x, stats::model.response(frame), stats::model.weights(frame), "formula", call,
             closed, coded$xlevels, coded$contrasts, attr(frame, "na.action"),
             intercept = attr(terms, "intercept") == 1L, response_name = response_name(terms),
             offset = formula_offset(frame))
}

assert_has_response <- function(terms) {
  if (attr(terms, "response") == 0L) {
    abort_input("`formula` has no response; write the label left of ~, as in y ~ .", "formula")
  }
}

# What messages call the response: as the formula does, if that is short.
response_name <- function(terms) {
  name <- if (attr(terms, "response") > 0L) deparse(terms[[2L]])
  if (length(name) == 1L && nchar(name) <= 30L) name else "y"
}

# Dummy coding as in lm: with the intercept in the terms, whose column is then dropped.
code_frame <- function(frame, contrasts, sparse, arg) {
  terms <- attr(frame, "terms")
  text <- vapply(frame, is.character, NA)
  frame[text] <- lapply(frame[text], factor)
  assert_factors_vary(
    frame[setdiff(seq_along(frame), c(attr(terms, "response"), attr(terms, "offset")))], arg
  )
  x <- evaluate_frame(code_matrix(terms, frame, contrasts, sparse), arg, "coded as numbers")
  list(x = drop_intercept(x), terms = terms, xlevels = stats::.getXlevels(terms, frame),
       contrasts = recorded_contrasts(attr(x, "contrasts"), frame))
}

# By the names of stats; another name may stand for another function later, so its numbers are kept.
recorded_contrasts <- function(contrasts, frame) {
  for (name in names(contrasts)) {
    coding <- contrasts[[name]]
    if (is.character(coding) && !exists(coding, asNamespace("stats"), inherits = FALSE)) {
      column <- frame[[name]]
      stats::contrasts(column) <- coding
      contrasts[[name]] <- stats::contrasts(column)
    }
  }
  contrasts
}

code_matrix <- function(terms, frame, contrasts, sparse) {
  if (!sparse) {
    return(stats::model.matrix(terms, frame, contrasts.arg = contrasts))
  }
  x <- Matrix::sparse.model.matrix(terms, frame, contrasts.arg = contrasts)
  # It names the columns of a matrix term "1", "2"; the dense coding of one row has the names.
  one_row <- frame[1L, , drop = FALSE]
  attr(one_row, "terms") <- terms
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
    assert_plain_matrix(x, arg)
    if (!typeof(x) %in% c("double", "integer", "logical")) {
      abort_input(sprintf(
        "`%s` is a %s matrix, but must hold numbers; make it a data frame to have factors coded.",
        arg, typeof(x)
      ), arg)
    }
    return(x)
  }
  if (!isS4(x)) {
    abort_input(sprintf("`%s` is %s, but must be a numeric matrix, or one of package Matrix.", arg,
                        show_value(x)), arg)
  }
  assert_matrix(x, arg)
  assert_matrix_memory(x, arg)
  if (methods::is(x, "dgCMatrix") || methods::is(x, "dgRMatrix")) {
    return(without_spare(x))
  }
  if (methods::is(x, "denseMatrix")) {
    return(methods::as(x, "matrix"))
  }
  # Compress first: in a triplet pattern a repeated entry means TRUE once, not 2.
  compressed <- methods::as(x, "CsparseMatrix")
  methods::as(methods::as(compressed, "dMatrix"), "generalMatrix")
}

# Matrix allows slots longer than @p says; the core reads them to their ends.
without_spare <- function(x) {
  stored <- x@p[length(x@p)]
  if (length(x@x) > stored) {
    at <- seq_len(stored)
    x@x <- x@x[at]
    if (methods::is(x, "dgCMatrix")) x@i <- x@i[at] else x@j <- x@j[at]
  }
  x
}

is_numeric_frame <- function(frame) {
  all(vapply(frame, function(column) {
    is.numeric(column) && !is.object(column) && is.null(dim(column))
  }, NA))
}
