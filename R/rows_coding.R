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

# Data frames with factors, and formulas, in parts: the columns that model.matrix() would make of
# all rows at once.
#
# Text and factors need the levels of all rows, which are given or which a first pass collects. All
# else is evaluated part by part: a term whose value for a row depends on other rows (poly(),
# scale(), x - mean(x)) would be another in each, and is an error.

variable_names <- function(terms) {
  vapply(as.list(attr(terms, "variables"))[-1L], function(variable) {
    paste(deparse(variable, width.cutoff = 500L), collapse = " ")
  }, "")
}

formula_terms <- function(formula, sample) {
  if (!inherits(formula, "formula")) {
    abort_input(sprintf(
      "`formula` is %s, but must be a formula, as in y ~ ., a fit, rows in a file, or NULL.",
      show_value(formula)
    ), "formula")
  }
  terms <- evaluate_frame(stats::terms(without_removed(formula, sample), data = sample), "formula",
                          "evaluated")
  if (!is.null(attr(terms, "offset"))) {
    abort_input(paste(
      "`formula` has an offset(), which no fit from a file has; remove it, or subtract it from the",
      "response of a regression."
    ), "formula")
  }
  if (length(attr(terms, "term.labels")) == 0L) {
    abort_input("`formula` has no feature right of ~; a file of rows needs one at least.",
                "formula")
  }
  terms
}

# exact: are the columns those of a data frame, all of them features, and not those of a formula?
# sample: the first part, with the columns that are needed.
frame_coder <- function(source, terms, sample, levels, sparse, exact) {
  variables <- stats::setNames(as.list(attr(terms, "variables"))[-1L], variable_names(terms))
  coder <- list2env(list(
    terms = terms, sample = sample[seq_len(min(32L, nrow(sample))), , drop = FALSE],
    sparse = sparse, exact = exact, columns = names(sample), variables = variables,
    where = environment(terms),
    plain = vapply(variables, is.name, NA) & names(variables) %in% names(sample),
    response = names(variables)[attr(terms, "response")],
    kinds = vapply(sample, column_kind, ""),
    value_kinds = NULL, # of the variables of the terms
    xlevels = list(),   # list(levels, ordered, contrasts) of each factor, by name
    n = NA,             # the rows of a first pass
    header = NULL
  ), parent = emptyenv())
  given <- intersect(names(levels), names(variables))
  coder$xlevels[given] <- lapply(levels[given], function(l) list(levels = as.character(l)))
  values <- variables_in_part(coder, source$peek())
  coder$value_kinds <- vapply(values, column_kind, "")
  open <- names(values)[coder$value_kinds %in% c("text", "ordered")]
  collect_levels(coder, source, setdiff(open, c(
    names(coder$xlevels), if (isTRUE(coder$plain[coder$response])) coder$response
  )))
  list(code = function(part, offset) code_part(coder, part),
       header = function() coder$header, has_response = length(coder$response) > 0L,
       n = function() coder$n)
}

assert_variables_exist <- function(terms, columns, source) {
  names <- setdiff(all.vars(terms), columns)
  absent <- names[!vapply(names, exists, NA, envir = environment(terms))]
  if (length(absent) > 0L) {
    near <- nearest(absent[1L], columns)
    abort_input(sprintf(
      "`formula` has \"%s\", which is no column of %s%s.", absent[1L], source$what,
      if (is.null(near)) "" else sprintf(" (did you mean \"%s\"?)", near)
    ), "formula")
  }
}

# The first pass.
collect_levels <- function(coder, source, names) {
  if (length(names) == 0L) {
    return(invisible())
  }
  found <- list()
  coder$n <- each_part(source, function(part, offset) {
    values <- variables_in_part(coder, part)
    for (name in names) {
      value <- values[[name]]
      settled <- coder$plain[[name]] || is.character(value) || is.null(found[[name]]) ||
        identical(levels(value), found[[name]]$levels)
      if (!settled) {
        abort_input(sprintf(paste(
          "`formula` has the term %s, whose levels in %s are others than before it; give them, as",
          "in levels = list(`%s` = c(\"a\", \"b\"))."
        ), name, show_part(part), name), "formula")
      }
      found[[name]] <<- join_levels(found[[name]], value)
    }
  }, "Reading rows")
  if (is.null(source$peek())) {
    abort_input(sprintf(paste(
      "`x` is a function that gives its rows once, and %s needs the levels of all rows; let it begin",
      "again when it is called after its NULL, or give them in `levels`."
    ), names[1L]), "x")
  }
  coder$xlevels[names] <- Map(final_levels, found[names], names)
}

# ---- One part ----

columns_of <- function(coder, part) {
  frame <- same_columns(part, coder$columns, coder$exact)
  assert_same_kind(frame, coder$kinds, part)
  assert_no_integer64(coder$columns, frame, "x")
  frame
}

evaluate_variable <- function(coder, name, frame, part) {
  value <- tryCatch(
    withCallingHandlers(eval(coder$variables[[name]], frame, coder$where),
                        warning = refuse_factor_arithmetic),
    error = function(condition) {
      if (inherits(condition, "dualmargin_error")) stop(condition)
      abort_input(sprintf("`formula` could not be evaluated in %s: %s.", show_part(part),
                          sub("[.]$", "", conditionMessage(condition))), "formula")
    }
  )
  if (NROW(value) != nrow(frame)) {
    abort_input(sprintf("`formula` has %s, which gives %s for the %s of %s.", name,
                        count(NROW(value), "value"), count(nrow(frame), "row"), show_part(part)),
                "formula")
  }
  value
}

# Each is that of the row alone.
variables_in_part <- function(coder, part) {
  frame <- columns_of(coder, part)
  values <- lapply(stats::setNames(nm = names(coder$variables)), function(name) {
    value <- evaluate_variable(coder, name, frame, part)
    if (!coder$plain[[name]] && depends_on_rows(coder, name, value, frame)) {
      abort_input(sprintf(paste(
        "`formula` has the term %s, whose value for a row depends on other rows; give its numbers",
        "(knots, coefs, center, scale, breaks), or a fit of some rows as `formula`."
      ), name), "formula")
    }
    value
  })
  if (!is.null(coder$value_kinds)) assert_same_kind(values, coder$value_kinds, part)
  values
}

code_part <- function(coder, part) {
  model <- variables_in_part(coder, part)
  names <- names(model)
  levelled <- intersect(names, names(coder$xlevels))
  model[levelled] <- lapply(levelled, function(name) {
    with_levels(model[[name]], coder$xlevels[[name]], name, part)
  })
  m <- nrow(part$x)
  assert_frame_columns(model[setdiff(names, coder$response)])
  assert_variables_complete(model, part)
  y <- if (length(coder$response) > 0L) model[[coder$response]]
  classes <- vapply(names, function(name) {
    text <- coder$plain[[name]] && is.character(coder$sample[[name]])
    stats::.MFclass(if (text) "" else model[[name]])
  }, "")
  model[coder$response] <- list(numeric(m))
  terms <- coder$terms
  attr(terms, "dataClasses") <- classes
  # package Matrix cannot code a matrix of one row: it gets it twice
  alone <- coder$sparse && m == 1L
  if (alone) model <- lapply(model, rows_picked, c(1L, 1L))
  model <- structure(model, row.names = .set_row_names(NROW(model[[1L]])), class = "data.frame",
                     terms = terms)
  coded <- code_frame(model, NULL, coder$sparse, if (coder$exact) "x" else "formula")
  if (alone) coded$x <- core_matrix(coded$x[1L, , drop = FALSE])
  dimnames(coded$x) <- list(NULL, colnames(coded$x))
  if (is.null(coder$header)) coder$header <- coded_header(coder, coded)
  list(x = by_rows(coded$x), y = y)
}

# What prediction needs, as a design of design.R has it.
coded_header <- function(coder, coded) {
  features <- feature_names(colnames(coded$x), ncol(coded$x))
  assert_features(features)
  terms <- coded$terms
  attr(terms, "predvars") <- attr(terms, "variables")
  if (coder$exact) environment(terms) <- globalenv() else
    terms <- closed_terms(terms, coder$columns, function(k, name, value) FALSE)
  list(features = features, interface = if (coder$exact) "data.frame" else "formula",
       sparse = coder$sparse, terms = terms, xlevels = coded$xlevels, contrasts = coded$contrasts,
       intercept = attr(terms, "intercept") == 1L, response_name = response_text(response_name(terms)))
}

# ---- Levels ----

# found: what earlier parts had, or NULL.
join_levels <- function(found, column) {
  text <- is.character(column)
  here <- if (text) unique(column) else levels(column)
  seen <- if (text) here else here[tabulate(column, nlevels(column)) > 0L]
  first <- is.null(found)
  list(levels = union(found$levels, here), used = union(found$used, seen),
       text = text && (first || found$text), ordered = is.ordered(column),
       contrasts = if (first) attr(column, "contrasts") else found$contrasts)
}

# As factor() sorts text; levels without rows go, as they do in memory.
final_levels <- function(found, name) {
  levels <- if (found$text) levels(factor(found$used)) else
    found$levels[found$levels %in% found$used]
  if (length(levels) < length(found$levels) && !is.null(found$contrasts)) {
    inform(sprintf("`x` has empty levels in \"%s\": its own contrasts went with them.", name))
    found$contrasts <- NULL
  }
  list(levels = levels, ordered = found$ordered, contrasts = found$contrasts)
}

with_levels <- function(value, known, name, part) {
  text <- as.character(value)
  ordered <- if (is.null(known$ordered)) is.ordered(value) else known$ordered
  result <- factor(text, levels = known$levels, ordered = ordered,
                   exclude = excluded_value(known$levels))
  new <- which(is.na(result) & !is.na(text))
  if (length(new) > 0L) {
    abort_input(sprintf(
      "`x` has \"%s\" in %s, column \"%s\", whose levels are %s; name it in `levels`.",
      text[new[1L]], show_place(part, new[1L]), name, quote_list(known$levels)
    ), "x")
  }
  if (!is.null(known$contrasts)) attr(result, "contrasts") <- known$contrasts
  result
}

assert_variables_complete <- function(model, part) {
  for (name in names(model)) {
    missing <- is.na(model[[name]])
    if (any(missing)) {
      row <- (which(missing)[1L] - 1L) %% NROW(model[[name]]) + 1L
      abort_input(sprintf("`x` has NA in %s, column \"%s\"; impute it or remove the row.",
                          show_place(part, row), name), "x")
    }
  }
}

rows_picked <- function(value, rows) {
  if (is.null(dim(value))) value[rows] else value[rows, , drop = FALSE]
}

# Has a row another value, or the whole another attribute (centre, knots, coefficients), when other
# rows are beside it? `value` is that of the whole part.
depends_on_rows <- function(coder, name, value, frame) {
  variable <- coder$variables[[name]]
  among <- function(rows) {
    tryCatch(suppressWarnings(eval(variable, rows, coder$where)), error = function(e) NULL)
  }
  m <- nrow(frame)
  some <- if (m > 2L) seq(1L, m, by = 2L) else 1L
  part <- among(frame[some, , drop = FALSE])
  more <- among(rbind(coder$sample, frame))
  if (is.null(part) || is.null(more) || NROW(more) != nrow(coder$sample) + m) {
    return(TRUE)
  }
  # earlier rows as well, with these behind them: of a sorted file a maximum is always the part's own
  alone <- among(coder$sample)
  before <- rows_picked(more, seq_len(nrow(coder$sample)))
  if (!identical(bare(alone), bare(before))) {
    return(TRUE)
  }
  behind <- rows_picked(more, nrow(coder$sample) + seq_len(m))
  !identical(bare(part), bare(rows_picked(value, some))) || !identical(bare(behind), bare(value)) ||
    !identical(beside(part), beside(value)) || !identical(beside(more), beside(value))
}

# The values, and the attributes that are more than places and names.
bare <- function(value) {
  if (is.list(value)) value <- unlist(value, use.names = FALSE)
  as.vector(if (is.factor(value)) as.character(value) else value)
}
beside <- function(value) {
  kept <- attributes(value)
  kept[setdiff(names(kept), c("dim", "dimnames", "names", "row.names", "levels"))]
}

# Rows coded as those of a fit, or of another file, were: to be predicted, or to judge it by. What
# depends on all rows (levels, knots, centres) is the model's, not these rows' own.

# columns: of the first part, NULL where they have no names.
like_coder <- function(model, columns, labelled) {
  terms <- model$terms
  has_response <- !labelled && !is.null(terms) && attr(terms, "response") > 0L &&
    all(response_variables(terms) %in% columns)
  list(code = function(part, offset) {
    coded <- in_words_of(part, design_newdata(unclass(model), widened(part$x, model)))
    bad <- coded$na_rows
    if (length(bad) > 0L) {
      abort_input(sprintf("`x` has a value that is NA or not finite in %s; impute it or remove it.",
                          show_place(part, bad[1L])), "x")
    }
    x <- coded$x
    dimnames(x) <- list(NULL, model$features)
    list(x = by_rows(core_matrix(x)),
         y = if (has_response) response_values(terms, part$x))
  }, header = function() {
    kept <- c("interface", "terms", "xlevels", "contrasts", "response_name", "intercept", "sparse")
    header <- unclass(model)[intersect(kept, names(model))]
    header$sparse <- isTRUE(if (is.null(model$coded_sparse)) model$sparse else model$coded_sparse)
    header$intercept <- !isFALSE(header$intercept)
    c(list(features = model$features), header)
  }, has_response = has_response)
}

# LIBSVM names no columns, and has as many as these rows need.
widened <- function(x, model) {
  d <- length(model$features)
  if (methods::is(x, "dgRMatrix") && is.null(colnames(x)) && ncol(x) < d) {
    x@Dim[2L] <- d
    x@Dimnames <- list(NULL, NULL)
  }
  x
}

# What is said of new rows, said of this part.
in_words_of <- function(part, expression) {
  tryCatch(expression, dualmargin_input_error = function(condition) {
    abort_input(sub("[.]$", sprintf(" (%s).", show_part(part)),
                    gsub("`newdata`", "`x`", conditionMessage(condition), fixed = TRUE)), "x")
  })
}

# Its levels are the model's, whichever of them these rows have.
like_response <- function(model, y) {
  if (is.null(model$levels)) {
    if (!is.numeric(y)) {
      abort_input(sprintf("`y` is %s, but `formula` is of a regression; give numbers.",
                          show_value(y)), "y")
    }
    return(new_response(as.double(y), "numeric"))
  }
  new_response(y, "factor")
}
