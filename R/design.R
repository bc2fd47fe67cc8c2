# Formula, data frame, matrix or sparse matrix -> one design: x as the core takes it, the raw
# response and weights, and what prediction needs to code new rows in the same way.
#
# A design is a list: x, y, weights (NULL or as given), features, interface, terms, xlevels,
# contrasts, na.action, sparse, intercept (FALSE when a formula removed it), call, response_name.

new_design <- function(x, y, weights, interface, call, terms = NULL, xlevels = NULL,
                       contrasts = NULL, na.action = NULL, intercept = TRUE,
                       response_name = "y", part = FALSE, offset = NULL,
                       found = NULL) {
  assert_size(x, part)
  assert_matrix_memory(x, "x")
  features <- feature_names(colnames(x), ncol(x))
  assert_features(features)
  if (is.null(found)) found <- scan_entries(x, hash = TRUE)
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
         offset = offset, hash = found$hash),
    class = "margin_design"
  )
}

# part: are there more rows, on other ranks?
design_xy <- function(x, y, weights, call, part = FALSE, offset = NULL) {
  if (!is.data.frame(x)) {
    found <- if (isS4(x) && !is.matrix(x)) assert_matrix(x, "x", hash = TRUE)
    return(new_design(core_matrix(x, checked = TRUE), y, weights, "matrix", call, part = part,
                      offset = offset, found = found))
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

# What messages call the response: as the formula does, if that is short. A call is put in words when
# there is a message.
response_name <- function(terms) {
  if (attr(terms, "response") == 0L) "y" else
    if (is.symbol(terms[[2L]])) response_text(as.character(terms[[2L]])) else terms[[2L]]
}
response_text <- function(name) {
  text <- if (is.character(name)) name else deparse(name)
  if (length(text) == 1L && nchar(text) <= 30L) text else "y"
}

# Dummy coding as in lm: with the intercept in the terms, whose column is then dropped.
code_frame <- function(frame, contrasts, sparse, arg) {
  terms <- attr(frame, "terms")
  text <- vapply(frame, is.character, NA)
  frame[text] <- lapply(frame[text], factor)
  assert_factors_vary(
    frame[setdiff(seq_along(frame), c(attr(terms, "response"), attr(terms, "offset")))], arg
  )
  assert_contrasts(contrasts, frame)
  x <- evaluate_frame(code_matrix(terms, frame, contrasts, sparse), arg, "coded as numbers")
  levelled <- any(vapply(frame, is.factor, NA)[setdiff(seq_along(frame), attr(terms, "response"))])
  # what it returns without a factor, which has it deparse all terms
  xlevels <- if (levelled) stats::.getXlevels(terms, frame) else stats::setNames(list(), character())
  list(x = drop_intercept(x), terms = terms, xlevels = xlevels,
       contrasts = recorded_contrasts(attr(x, "contrasts"), frame))
}

# What model.matrix() finds by name, it finds from the namespace of stats.
assert_contrasts <- function(contrasts, frame) {
  if (is.null(contrasts)) {
    return(invisible())
  }
  if (!is.list(contrasts) || is.null(names(contrasts))) {
    abort_input(sprintf(paste(
      "`contrasts` is %s, but must be a list named by factors, as in",
      "list(group = \"contr.sum\")."
    ), show_value(contrasts)), "contrasts")
  }
  for (name in intersect(names(contrasts), names(frame))) {
    if (!is.factor(frame[[name]]) && !is.logical(frame[[name]])) {
      abort_input(sprintf("`contrasts` has %s, which is no factor; leave it out.", name), "contrasts")
    }
  }
  for (coding in Filter(is.character, contrasts)) {
    if (length(coding) != 1L || !exists(coding, asNamespace("stats"), mode = "function")) {
      abort_input(sprintf(paste(
        "`contrasts` has %s, which is no function that is found; use one of contr.treatment,",
        "contr.sum, contr.helmert, contr.poly, or a function or matrix of your own."
      ), show_value(coding)), "contrasts")
    }
  }
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
# other sparse class as dgCMatrix, any other dense class as a base matrix. checked: by assert_matrix()?
core_matrix <- function(x, arg = "x", checked = FALSE) {
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
  if (!checked) assert_matrix(x, arg)
  assert_matrix_memory(x, arg)
  if (inherits(x, c("dgCMatrix", "dgRMatrix"))) {
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

# Factors of the penalty, one a column: lambda f_j [(1 - mixture)/2 w_j^2 + mixture |w_j|]. Of a
# pure ridge that is the ridge on columns divided by sqrt(f_j), of a pure lasso the lasso on columns
# divided by f_j: a factor of the scale, which the core divides by as it does by that of the column.
# Of a penalty with both parts it is the ridge on columns divided by sqrt(f_j), beside an l1 norm
# with factors sqrt(f_j): a column term of the core (src/loss/elastic_net.h), as bounds are. So is a
# factor of 0 (margin_linear.R), which leaves the scale of its column alone.

assert_penalty_factor <- function(factor) {
  if (is.null(factor)) {
    return(invisible())
  }
  if (!is.numeric(factor) || is.object(factor) || length(factor) == 0L || NCOL(factor) != 1L) {
    abort_input(sprintf(
      "`penalty_factor` is %s, but must be a numeric vector, one number a column, 0 or more.",
      show_value(factor)
    ), "penalty_factor")
  }
  bad <- which(!is.finite(factor) | factor < 0)
  if (length(bad) > 0L) {
    abort_input(sprintf(paste(
      "`penalty_factor` has %s at position %d, but must be finite, and 0 (no penalty) or more; a",
      "column that is not wanted is left out."
    ), format(factor[bad[1L]], digits = 4), bad[1L]), "penalty_factor")
  }
  free <- sum(factor == 0)
  if (free > most_free_columns) {
    abort_input(sprintf(paste(
      "`penalty_factor` is 0 for %s, and at most %d may be without a penalty; give the others a",
      "small factor, such as 1e-6."
    ), count(free, "column"), most_free_columns), "penalty_factor")
  }
  assert_size_of(factor[factor > 0], "penalty_factor", "divide all by one of them")
}

# In the order of the columns, by name where they have names.
matched_columns <- function(values, features, arg) {
  if (!is.null(names(values))) {
    assert_column_names(names(values), features, arg)
    values <- values[match(features, names(values))]
  }
  if (length(values) != length(features)) {
    abort_input(sprintf("`%s` has length %d, but %s; give one a column.", arg,
                        length(values), there_are(length(features), "column")), arg)
  }
  stats::setNames(as.double(values), features)
}

assert_column_names <- function(names, features, arg) {
  unknown <- setdiff(names, features)
  if (length(unknown) > 0L) {
    guess <- nearest(unknown[1L], features)
    abort_input(sprintf("`%s` names %s, which %s no column%s; the columns are %s.", arg,
                        quote_list(unknown), if (length(unknown) == 1L) "is" else "are",
                        if (is.null(guess)) "" else sprintf(" (did you mean \"%s\"?)", guess),
                        quote_list(features)), arg)
  }
  missing <- setdiff(features, names)
  if (length(missing) > 0L) {
    abort_input(sprintf(
      "`%s` has names, and %s %s not among them; name all columns (%s), or none.", arg,
      quote_list(missing), if (length(missing) == 1L) "is" else "are",
      switch(arg, lower = "-Inf is no bound", upper = "Inf is no bound", "1 changes nothing")
    ), arg)
  }
  if (anyDuplicated(names)) {
    abort_input(sprintf("`%s` names \"%s\" twice; name each column once.", arg,
                        names[anyDuplicated(names)]), arg)
  }
}

matched_factor <- function(factor, features) {
  if (!is.null(factor)) matched_columns(factor, features, "penalty_factor")
}

# What the scale of each column is multiplied by, in the core; NULL: by 1.
column_factor <- function(factor, mixture) {
  if (all(factor %in% 0:1)) {
    return(NULL)
  }
  factor[factor == 0] <- 1
  unname(if (all(mixture == 1)) factor else sqrt(factor))
}
# What l1 is multiplied by then; 0: no penalty of any kind.
l1_factor <- function(factor, mixture) {
  both <- !all(mixture == 0) && !all(mixture == 1)
  own <- if (both) column_factor(factor, mixture)
  if (any(factor == 0)) {
    own <- replace(if (is.null(own)) rep(1, length(factor)) else own, unname(factor) == 0, 0)
  }
  own
}

# The scales of columns of a fit or a path, without the factors that go with them in the core.
column_scales <- function(model) {
  factor <- column_factor(model$settings$penalty_factor, mixture_of(model))
  if (is.null(factor)) model$scales else model$scales / factor
}
mixture_of <- function(model) {
  if (is.null(model$settings$mixture)) model$mixture else model$settings$mixture
}

# ---- Bounds ----

assert_bounds <- function(lower, upper) {
  for (arg in c("lower", "upper")) {
    bound <- if (arg == "lower") lower else upper
    if (is.null(bound)) next
    if (is.numeric(bound) && anyNA(bound)) {
      abort_input(sprintf("`%s` has NA at position %d; %s is no bound.", arg,
                          which(is.na(bound))[1L], if (arg == "lower") "-Inf" else "Inf"), arg)
    }
    if (!is.numeric(bound) || is.object(bound) || length(bound) == 0L || NCOL(bound) != 1L) {
      abort_input(sprintf(paste(
        "`%s` is %s, but must be one number, or one a column, of which %s is no bound."
      ), arg, show_value(bound), if (arg == "lower") "-Inf" else "Inf"), arg)
    }
    bad <- which(if (arg == "lower") bound > 0 else bound < 0)
    if (length(bad) > 0L) {
      abort_input(sprintf(
        "`%s` has %s at position %d, but 0 must be within bounds: `lower` <= 0 and `upper` >= 0.",
        arg, format(bound[bad[1L]], digits = 4), bad[1L]
      ), arg)
    }
    sized <- bound[is.finite(bound) & bound != 0]
    if (length(sized) > 0L) assert_size_of(abs(sized), arg)
  }
}

# One for each column; NULL where no column has one.
matched_bounds <- function(settings, features) {
  for (arg in c("lower", "upper")) {
    bound <- settings[[arg]]
    if (is.null(bound)) next
    if (length(bound) == 1L && is.null(names(bound))) bound <- rep(bound, length(features))
    settings[arg] <- list(matched_columns(bound, features, arg))
  }
  if (all(is.infinite(c(settings$lower, settings$upper)))) {
    settings[c("lower", "upper")] <- list(NULL)
  }
  settings
}
has_bounds <- function(settings) !is.null(settings$lower) || !is.null(settings$upper)

# In the units of the problem: the core multiplies them by the scales of the columns.
bounds_for_core <- function(settings, unit) {
  if (!has_bounds(settings)) {
    return(list(lower = NULL, upper = NULL))
  }
  p <- max(length(settings$lower), length(settings$upper))
  one <- function(bound, none) if (is.null(bound)) rep(none, p) else unname(bound) / unit
  list(lower = one(settings$lower, -Inf), upper = one(settings$upper, Inf))
}

# A product with a scale and the division by it may leave the last digit beyond a bound.
within_bounds <- function(result, settings) {
  if (!has_bounds(settings)) {
    return(result)
  }
  inside <- function(point) {
    at <- if (is.null(point$place)) seq_along(point$coefficients) else point$place
    for (arg in c("lower", "upper")) {
      bound <- settings[[arg]]
      cut <- if (arg == "lower") pmax else pmin
      if (!is.null(bound)) point$coefficients <- cut(point$coefficients, unname(bound)[at])
    }
    point
  }
  result$solutions <- lapply(result$solutions, function(points) lapply(points, inside))
  result
}

# ---- Columns with terms of their own ----

# As in src/border/dispatch_linear.h.
column_solvers <- function(bounded, free = FALSE) {
  if (free) {
    return(c("auto", "newton", "lbfgs", "fista"))
  }
  if (bounded) {
    return(c("auto", "newton", "ssnal", "fista", "lasso", "interior_point", "dual_cd", "sdca"))
  }
  linear <- Filter(function(row) row$family == "linear", solver_list)
  setdiff(vapply(linear, `[[`, "", "name"),
          c("spdc", "spd1", "spd1_vr", "svrg", "saga", "katyusha"))
}

# The argument that gives columns terms that few methods know; NULL: none does.
column_terms <- function(settings, mixture) {
  if (has_bounds(settings)) {
    return(if (is.null(settings$lower)) "upper" else "lower")
  }
  if (!is.null(l1_factor(settings$penalty_factor, mixture))) "penalty_factor"
}

assert_column_terms <- function(problem, mixture) {
  settings <- problem$settings
  arg <- column_terms(settings, mixture)
  if (is.null(arg)) {
    return(invisible())
  }
  free <- has_free_columns(settings)
  what <- if (free) "`penalty_factor` with a 0" else if (arg == "penalty_factor")
    "`penalty_factor` with a mixture between 0 and 1" else sprintf("`%s`", arg)
  no <- function(why) {
    abort_input(sprintf("%s is given, but %s.", what, why), if (free) "penalty_factor" else arg)
  }
  if (!is.null(problem$multiclass)) {
    no(paste("one problem of all classes has no such columns; use multiclass = \"one_vs_rest\""))
  }
  bounded <- has_bounds(settings)
  if (free) assert_free_possible(settings, bounded, no)
  if (bounded && (is_rows(problem$design$x) || !is.null(meeting_of(settings)))) {
    no(paste("rows in a file or on several ranks have no bounds yet; fit rows in memory, or leave",
             "it out"))
  }
  able <- column_solvers(bounded, free)
  if (!settings$solver$name %in% able) {
    no(sprintf("solver \"%s\" does not know it; use one of %s", settings$solver$name,
               quote_list(able)))
  }
}

# What asks of the optimum of other problems than the one that was fitted.
refuse_column_terms <- function(model, caller, arg = "fit") {
  given <- column_terms(model$settings, mixture_of(model))
  if (!is.null(given)) {
    abort_input(sprintf(
      "`%s` was fitted with %s`%s`, for which %s is not derived yet; fit %s.", arg,
      if (has_free_columns(model$settings)) "a 0 in " else "", given, caller,
      if (has_free_columns(model$settings)) "with positive factors, such as 1e-6" else "without"
    ), arg)
  }
}

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
  if (!is.object(column) && is.atomic(column) && (is.numeric(column) || is.character(column) ||
                                                    is.logical(column))) {
    return(NULL)
  }
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
