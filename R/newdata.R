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
  # names of a formula are those of its symbols, in the encoding of the locale
  if (anyNA(columns)) columns <- match(enc2native(features), enc2native(given))
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
      "`newdata` is %s, but this fit needs a data frame with the variables it was fitted to%s.",
      show_value(newdata), if (is.list(newdata)) "; use as.data.frame()" else ""
    ), "newdata")
  }
  find_columns(required_variables(fit$terms), names(newdata))
  x <- if (is.null(rows)) plain_newdata(fit, newdata)
  if (!is.null(x)) {
    return(list(x = x, na_rows = integer(), offset = NULL))
  }
  terms <- stats::delete.response(fit$terms)
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
    rows <- if (all(complete)) frame else
      frame[replace(rep(which(complete)[1L], nrow(frame)), complete, which(complete)), ,
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

# Where a formula names columns and no more, and all of these are finite numbers: what stats would
# code them to, in less time. NULL: there is more to it, or something to say.
plain_newdata <- function(fit, newdata) {
  terms <- fit$terms
  labels <- attr(terms, "term.labels")
  variables <- as.list(predicted_variables(terms))[-1L]
  symbols <- variables[vapply(variables, is.symbol, NA)]
  plain <- all(labels %in% as.character(symbols)) && is.null(attr(terms, "offset")) &&
    all(attr(terms, "dataClasses")[labels] %in% "numeric") && !isTRUE(fit$sparse)
  if (!plain || !identical(labels, fit$features)) {
    return(NULL)
  }
  columns <- unclass(newdata)[labels]
  number <- vapply(columns, function(column) {
    is.numeric(column) && !is.object(column) && is.null(dim(column))
  }, NA)
  if (!all(number)) {
    return(NULL)
  }
  x <- matrix(as.double(unlist(columns, use.names = FALSE)), nrow(newdata), length(labels),
              dimnames = list(row.names(newdata), labels))
  if (length(scan_entries(x)$rows) == 0L) x
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

# Are these the rows that a fit was made from? A fit keeps scores and labels, but not its rows.

# The rows that were fitted, after every check that they are those: their places in data, `rows`,
# and coded as they were, `x`. on_disk: does the caller read rows in a file by blocks?
training_design <- function(fit, data, y, on_disk = FALSE) {
  if (!missing(data)) assert_matrix(data, "data")
  labels <- training_labels(fit, data, y)
  rows <- fitted_places(fit, data)
  assert_as_many_rows(fit, data, rows)
  if (!is.null(labels)) assert_same_labels(fit, labels[rows], !missing(y))
  design <- coded_training(fit, data, rows)
  # which refuses rows in a file by name
  if (!on_disk && is_rows(data)) design_newdata(fit, data)
  design
}

training_rows <- function(fit, data, y) training_design(fit, data, y, on_disk = TRUE)$rows

# rows: the places of the rows of the fit in data.
coded_training <- function(fit, data, rows) {
  design <- named_as("data", design_newdata(fit, data, on_disk = TRUE, rows = rows))
  assert_scores_of_fit(fit, design, rows)
  list(rows = rows, x = design$x)
}

assert_scores_of_fit <- function(fit, design, rows) {
  scores <- scores_of_design(fit, design, if (fit$interface != "formula") fit$offset)
  assert_same_scores(fit, as.matrix(scores), rows, design$x)
}

# The places in data of n rows of the fit: of all rows, or of those that the subset of its call
# leaves there, as lm() would take them, without those that na.action left out.
fitted_places <- function(fit, data, n = NROW(fit$scores), left_out = fit$na.action) {
  complete <- function(rows) {
    if (length(left_out) > 0L && length(rows) == n + length(left_out)) rows[-left_out] else rows
  }
  rows <- complete(seq_len(NROW(data)))
  if (length(rows) == n || is.null(fit$call$subset) || !is.data.frame(data)) {
    return(rows)
  }
  taken <- fit$taken
  if (!is.null(taken$rows) && taken$of == nrow(data)) {
    left <- complete(taken$rows)
    return(if (length(left) == n) left else rows)
  }
  where <- environment(fit$terms)
  subset <- tryCatch(eval(fit$call$subset, data, where), error = function(condition) {
    abort_input(sprintf("`data` has %s, but the fit was made from %d, and %s (%s).",
                        count(nrow(data), "row"), n, subset_remedy(fit),
                        sub("[.]$", "", conditionMessage(condition))), "data")
  })
  left <- complete(unname(stats::setNames(seq_len(nrow(data)), row.names(data))[subset]))
  if (length(left) == n && !anyNA(left)) left else rows
}

assert_as_many_rows <- function(fit, data, rows) {
  if (length(rows) != NROW(fit$scores)) {
    abort_input(sprintf(
      "`data` has %s, but the fit was made from %d; %s.", count(NROW(data), "row"),
      NROW(fit$scores), subset_remedy(fit, "give it those, in their order")
    ), "data")
  }
}

# What a fit of some of its data asks for; otherwise the remedy as it is.
subset_remedy <- function(fit, otherwise) {
  subset <- fit$call$subset
  if (is.null(subset)) {
    return(otherwise)
  }
  text <- deparse(subset, width.cutoff = 60L)
  sprintf(paste(
    "its call has subset = %s%s: give the data that it is evaluated in, or the rows that it",
    "leaves, in their order"
  ), text[1L], if (length(text) > 1L) " ..." else "")
}

# Labels as text, one for each row of data; NULL where the fit has none.
training_labels <- function(fit, data, y) {
  if (fit$task == "one_class") {
    return(no_labels(data, y))
  }
  if (!missing(data) && is_rows(data)) {
    if (!missing(y)) {
      abort_input("`y` is given, but rows in a file have their own response; leave `y` out.", "y")
    }
    return(label_text(labels_of_rows(data, fit)))
  }
  if (identical(fit$interface, "formula")) {
    if (!missing(y)) {
      abort_input("`y` is given, but the fit has a formula and finds it in `data`; leave `y` out.",
                  "y")
    }
    if (missing(data) || !is.data.frame(data)) {
      abort_input(sprintf(
        "`data` is %s, but the fit has a formula; give the data frame it was fitted to.",
        if (missing(data)) "missing" else show_value(data)
      ), "data")
    }
    observed <- observed_response(fit, data)
    if (is.null(observed)) {
      abort_input(sprintf("`data` lacks the response \"%s\" of the fit; give the whole data frame.",
                          deparse1(stats::formula(fit$terms)[[2L]])), "data")
    }
    return(label_text(observed))
  }
  if (missing(data)) {
    abort_input("`data` is missing; a fit does not keep its rows, give those it was fitted to.",
                "data")
  }
  if (is.null(dim(data))) {
    abort_input(sprintf("`data` is %s, but must be the matrix or data frame of the fitted rows.",
                        show_value(data)), "data")
  }
  if (missing(y)) {
    abort_input(paste("`y` is missing; give the labels the fit was made from, one for each row of",
                      "`data`."), "y")
  }
  labels <- if (inherits(y, "soft_labels")) label_text(y) else as.character(plain_labels(y))
  if (length(labels) != nrow(data)) {
    abort_input(sprintf("`y` has length %d, but `data` has %s; give the labels of these rows.",
                        length(labels), count(nrow(data), "row")), "y")
  }
  labels
}

no_labels <- function(data, y) {
  if (missing(data) || is.null(dim(data))) {
    abort_input(sprintf("`data` is %s, but must be the rows that were fitted.",
                        if (missing(data)) "missing" else show_value(data)), "data")
  }
  if (!missing(y)) {
    abort_input("`y` is given, but the fit is of one class and has no labels; leave `y` out.", "y")
  }
}

# One text a row, also of soft labels.
label_text <- function(y) {
  if (!inherits(y, "soft_labels")) {
    return(as.character(y))
  }
  values <- unclass(y)
  if (is.matrix(values)) do.call(paste, as.data.frame(values)) else as.character(values)
}

assert_same_labels <- function(fit, labels, given) {
  fitted <- label_text(fit$response)
  other <- which(is.na(labels) | labels != fitted)
  if (length(other) > 0L) {
    abort_input(sprintf(
      "%s has the label \"%s\" at fitted row %d, where the fit has \"%s\"; %s.",
      if (given) "`y`" else "The response in `data`", labels[other[1L]], other[1L],
      fitted[other[1L]], "give the rows as fitted"
    ), if (given) "y" else "data")
  }
}

# x: the rows, whose fingerprint is asked where scores are off by what kernel values far from the
# origin may lose.
assert_same_scores <- function(fit, scores, rows, x = NULL) {
  fitted <- as.matrix(fit$scores)
  # an intercept that makes up for rows far from the origin leaves no more digits than its own
  level <- if (has_intercept(fit) && !has_kernel(fit)) max(abs(coef_matrix(fit)[1L, ])) else 0
  others <- function(share) {
    off <- abs(unname(scores) - unname(fitted)) > share * (1 + max(abs(fitted))) + 1e-14 * level
    which(rowSums(is.na(off) | off) > 0)
  }
  other <- others(1e-8)
  if (length(other) > 0L && length(others(1e-4)) == 0L && has_kernel(fit) && !is.null(x) &&
      hash_of_rows(x, response_numbers(fit$response), FALSE)$all %in% fit$fingerprint) {
    return(invisible())
  }
  if (length(other) > 0L) {
    abort_input(sprintf(
      paste("`data` has the decision value %s in row %d, where the fit has %s; give the rows it",
            "was fitted to, unchanged and in their order, or fit these."),
      format(scores[other[1L], 1L], digits = 6), rows[other[1L]],
      format(fitted[other[1L], 1L], digits = 6)
    ), "data")
  }
}

# The two labels of a class problem, the negative one first.
assert_one_problem <- function(fit, class) {
  assert_plot_class(fit, class)
  if (is.null(problem_classes(fit))) {
    return(fit$levels)
  }
  if (length(class) != 1L) {
    abort_input(sprintf("`class` is %s, but a fit of several classes needs one of %s.",
                        show_value(class), quote_list(fit$levels)), "class")
  }
  c(paste("not", class), class)
}

# The mass of each row: its weight, times that of its class, of all.
row_shares <- function(fit) {
  omega <- fit$weights
  class_weights <- fit$settings$class_weights
  if (!is.null(class_weights)) {
    omega <- omega * unname(class_weights)[as.integer(fit$response)]
  }
  unname(omega / sum(omega))
}

# A number that is added to the decision value of each row and that no coefficient moves: given with
# the rows, and with new rows that are to be predicted.

# One finite number a row, as a plain vector.
checked_offset <- function(offset, n, arg = "offset", missing_too = FALSE) {
  rows <- if (arg == "offset") "the data have" else "`newdata` has"
  plain <- is.numeric(offset) && !is.object(offset) || (missing_too && is_missing(offset))
  if (!plain || NCOL(offset) != 1L) {
    abort_input(sprintf("`%s` is %s, but must be a numeric vector, one number a row%s.", arg,
                        show_value(offset), integer64_remedy(offset)), arg)
  }
  offset <- as.double(offset)
  if (length(offset) != n) {
    abort_input(sprintf("`%s` has length %d, but %s %s; give one number a row.", arg,
                        length(offset), rows, count(n, "row")), arg)
  }
  known <- if (missing_too) offset[!is.na(offset)] else offset
  found <- scan_entries(known)
  if (!is.null(found$bad)) {
    abort_input(sprintf("`%s` has %s at position %d; replace it by a finite number, or %s.", arg,
                        format(found$bad$value), found$bad$row, "remove the row"), arg)
  }
  if (!is.null(found$beyond)) {
    abort_input(sprintf("`%s` has %s, whose square is beyond double precision; rescale it.", arg,
                        format(found$beyond$value, digits = 4)), arg)
  }
  offset
}

is_missing <- function(values) is.atomic(values) && all(is.na(values))

# The sum of the offset() terms of a model frame; NULL where there is none.
formula_offset <- function(frame, missing_too = FALSE) {
  at <- attr(attr(frame, "terms"), "offset")
  if (is.null(at)) {
    return(NULL)
  }
  for (name in names(frame)[at]) {
    value <- frame[[name]]
    if (!is.numeric(value) && !(missing_too && is_missing(value)) || NCOL(value) != 1L) {
      abort_input(sprintf("`formula` has %s of class %s, but must have one number a row there.",
                          name, class(value)[1L]), "formula")
    }
  }
  total <- Reduce(`+`, lapply(frame[at], as.double))
  checked_offset(total, nrow(frame), missing_too = missing_too)
}

# It would have to be looked up in the data, and again in those that are predicted.
refuse_formula_offset <- function() {
  abort_input("`offset` is given beside a formula; write it there, as in y ~ x + offset(o).",
              "offset")
}

assert_takes_offset <- function(offset, takes, caller, of_formula) {
  if (!is.null(offset) && !isTRUE(takes)) {
    abort_input(sprintf(paste(
      "%s, which %s does not have; remove it, subtract it from the response of a regression, or",
      "use margin_linear(), margin_path() or margin_cv()."
    ), if (of_formula) "`formula` has an offset()" else "`offset` is given", caller),
    if (of_formula) "formula" else "offset")
  }
}

# What is the same for each class moves none against another, and ranks do not say who has one.
assert_offset_possible <- function(problem) {
  if (is.null(problem$design$offset)) {
    return(invisible())
  }
  arg <- if (identical(problem$design$interface, "formula")) "formula" else "offset"
  assert_offset_of_two(problem$response$levels, arg)
  if (!is.null(meeting_of(problem$settings))) {
    abort_input(paste(
      "`offset` is given, but rows on several ranks have none yet; subtract it from the response",
      "of a regression, or leave `ranks` out."
    ), "offset")
  }
}

assert_offset_of_two <- function(levels, arg) {
  if (length(levels) > 2L) {
    abort_input(sprintf(paste(
      "`%s` has an offset, one number a row, but %d classes would need one for each class; remove",
      "it, or fit two classes."
    ), arg, length(levels)), arg)
  }
}

# A loss of z - y has its offset taken from the response; one of labels has it in the core.
response_less_offset <- function(response, offset, loss) {
  if (!is.null(offset) && takes_numbers(loss)) response$codes <- response$codes - offset
  response
}

has_offset <- function(model) !is.null(model$offset)

# Decision values of the rows of a design, which are those of w and b, with their offset. newoffset:
# as given to predict(). A path has a column for each point.
add_offset <- function(scores, model, design, newoffset = NULL) {
  offset <- offset_of_rows(model, design, newoffset)
  if (is.null(offset)) scores else scores + offset
}

offset_of_rows <- function(model, design, newoffset) {
  if (!has_offset(model)) {
    if (!is.null(newoffset)) {
      abort_input("`newoffset` is given, but the model was fitted without an offset; leave it out.",
                  "newoffset")
    }
    return(NULL)
  }
  if (!is.null(design$offset)) {
    if (!is.null(newoffset)) {
      abort_input(paste(
        "`newoffset` is given, but the formula of the model has its offset() in `newdata`; leave",
        "`newoffset` out."
      ), "newoffset")
    }
    return(design$offset)
  }
  if (is.null(newoffset)) {
    abort_input(paste(
      "`newoffset` is missing: the model was fitted with an offset, and new rows need theirs. Give",
      "`newoffset`, one number a row, or fit by a formula with offset(), which is found in",
      "`newdata`."
    ), "newoffset")
  }
  checked_offset(newoffset, nrow(design$x), "newoffset", missing_too = TRUE)
}

# What is proven is of the class that a decision value of 0 tells.
refuse_threshold <- function(model, caller, arg = "fit") {
  if (!is.null(model[["threshold"]])) {
    abort_input(sprintf(paste(
      "`%s` has a threshold, and %s speaks of the class from %s on; take it away by",
      "margin_threshold(fit, at = NULL)."
    ), arg, caller, describe_cut(NULL)), arg)
  }
}

# What asks of the optimum of other problems than the one that was fitted.
refuse_offset <- function(model, caller, arg = "fit") {
  if (has_offset(model)) {
    abort_input(sprintf(paste(
      "`%s` has an offset, for which %s is not derived yet; of a regression subtract it from the",
      "response and fit without, of two classes leave it out."
    ), arg, caller), arg)
  }
}
