# Data frames with factors, and formulas, in parts: the columns that model.matrix() would make of
# all rows at once.
#
# Three kinds of variables of a formula. A column as it stands needs the levels of all rows. A term
# whose values for one row depend on that row alone, such as log(x), is evaluated part by part. What
# depends on the rows together (poly(), scale(), x - mean(x), factor(x)) is evaluated once, on its
# columns of all rows, and cut into parts: that is exact, and takes memory for these columns only.

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
# sample: the first rows, with the columns that are needed.
frame_coder <- function(source, terms, sample, levels, sparse, known, exact) {
  variables <- stats::setNames(as.list(attr(terms, "variables"))[-1L], variable_names(terms))
  columns <- names(sample)
  coder <- list2env(list(
    source = source, terms = terms, sample = sample, sparse = sparse, known = known, exact = exact,
    columns = columns, variables = variables, where = environment(terms),
    plain = vapply(variables, is.name, NA) & names(variables) %in% columns,
    response = names(variables)[attr(terms, "response")],
    kinds = NULL,    # of the columns
    values = list(), # of what depends on all rows, by name
    xlevels = list(), # list(levels, ordered, contrasts) of each factor, by name
    header = NULL
  ), parent = emptyenv())
  given <- intersect(names(levels), names(variables))
  coder$xlevels[given] <- lapply(levels[given], function(l) list(levels = as.character(l)))
  if (is.null(source$rewind)) assert_levels_given(coder) else scan_variables(coder)
  list(code = function(part, offset) code_part(coder, part, offset),
       header = function() coder$header, has_response = length(coder$response) > 0L)
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

# The features whose levels are not given, of plain columns or of terms.
open_variables <- function(coder, plain) {
  names <- names(coder$variables)[coder$plain == plain]
  setdiff(names, c(names(coder$xlevels), if (plain) coder$response))
}

# ---- The first reading ----

scan_variables <- function(coder) {
  columns <- open_variables(coder, TRUE)
  text <- vapply(coder$sample[columns], function(column) {
    column_kind(column) %in% c("text", "ordered")
  }, NA)
  terms <- setdiff(names(coder$variables)[!coder$plain], coder$known$together)
  if (!any(text) && all(coder$plain)) {
    return(invisible())
  }
  found <- list()
  together <- coder$known$together
  raw <- intersect(unlist(lapply(coder$variables[together], all.vars)), coder$columns)
  gathered <- list()
  each_part(coder$source, function(part, offset) {
    frame <- columns_of(coder, part)
    for (name in terms) {
      # what cannot be evaluated on a part, as poly() of few rows, is judged on all of them
      value <- tryCatch(evaluate_variable(coder, name, frame, part),
                        dualmargin_input_error = function(condition) NULL)
      open <- is.null(coder$xlevels[[name]]) && (is.factor(value) || is.character(value))
      if (is.null(value) || open || depends_on_rows(coder, name, value, frame)) {
        coder$known$together <- c(coder$known$together, name)
        begin_again()
      }
    }
    for (name in columns[text]) found[[name]] <<- join_levels(found[[name]], frame[[name]])
    gathered <<- c(gathered, list(frame[raw]))
  }, "Reading rows")
  coder$source$rewind()
  all_rows <- do.call(rbind, gathered)
  for (name in together) {
    value <- evaluate_variable(coder, name, all_rows, list(chunk = 1))
    if (is.factor(value) || is.character(value)) found[[name]] <- join_levels(NULL, value)
    coder$values[[name]] <- value
  }
  closed <- setdiff(names(found), names(coder$xlevels))
  coder$xlevels[closed] <- Map(final_levels, found[closed], closed)
}

# Rows that come once have no first reading.
assert_levels_given <- function(coder) {
  for (name in c(open_variables(coder, TRUE), open_variables(coder, FALSE))) {
    value <- evaluate_variable(coder, name, coder$sample, list(chunk = 1))
    if (is.factor(value) || is.character(value)) {
      abort_input(sprintf(paste(
        "`levels` has none for \"%s\", and %s gives its rows once; name them, as in levels =",
        "list(%s = c(\"a\", \"b\"))."
      ), name, coder$source$what, if (make.names(name) == name) name else sprintf("`%s`", name)),
      "levels")
    }
  }
}

# ---- One part ----

columns_of <- function(coder, part) {
  frame <- same_columns(part, coder$columns, coder$exact)
  if (is.null(coder$kinds)) coder$kinds <- vapply(frame, column_kind, "")
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

# Its value, as a factor with the levels of all rows where it is one.
value_in_part <- function(coder, name, frame, part, offset) {
  if (name %in% names(coder$values)) {
    value <- rows_picked(coder$values[[name]], offset + seq_len(nrow(frame)))
  } else {
    value <- evaluate_variable(coder, name, frame, part)
    if (is.null(coder$source$rewind) && !coder$plain[[name]] &&
          depends_on_rows(coder, name, value, frame)) {
      abort_input(sprintf(paste(
        "`formula` has the term %s, which depends on all rows, and %s gives them once; give its",
        "values (knots, coefs, center, breaks), or write from files or a data frame."
      ), name, coder$source$what), "formula")
    }
  }
  if (!is.null(coder$xlevels[[name]])) {
    value <- with_levels(value, coder$xlevels[[name]], name, part)
  }
  value
}

code_part <- function(coder, part, offset) {
  frame <- columns_of(coder, part)
  names <- names(coder$variables)
  model <- lapply(stats::setNames(nm = names), function(name) {
    value_in_part(coder, name, frame, part, offset)
  })
  assert_frame_columns(model[setdiff(names, coder$response)])
  assert_variables_complete(model, part)
  y <- if (length(coder$response) > 0L) model[[coder$response]]
  classes <- vapply(names, function(name) {
    text <- coder$plain[[name]] && is.character(coder$sample[[name]])
    stats::.MFclass(if (text) "" else model[[name]])
  }, "")
  model[coder$response] <- list(numeric(nrow(frame)))
  terms <- coder$terms
  attr(terms, "dataClasses") <- classes
  # package Matrix cannot code a matrix of one row: it gets it twice
  alone <- coder$sparse && nrow(frame) == 1L
  if (alone) model <- lapply(model, rows_picked, c(1L, 1L))
  model <- structure(model, row.names = .set_row_names(NROW(model[[1L]])), class = "data.frame",
                     terms = terms)
  coded <- code_frame(model, NULL, coder$sparse, if (coder$exact) "x" else "formula")
  if (alone) coded$x <- core_matrix(coded$x[1L, , drop = FALSE])
  dimnames(coded$x) <- list(NULL, colnames(coded$x))
  if (is.null(coder$header)) coder$header <- coded_header(coder, coded)
  list(x = by_rows(coded$x), y = y)
}

# For closed_terms(): what a term of all rows takes from outside of them, a value for each.
row_variables_of_coder <- function(coder) {
  function(k, name, value) {
    together <- coder$values[[names(coder$variables)[k]]]
    !is.null(together) && NROW(value) == NROW(together)
  }
}

# What prediction needs, as a design of design.R has it.
coded_header <- function(coder, coded) {
  features <- feature_names(colnames(coded$x), ncol(coded$x))
  assert_features(features)
  terms <- coded$terms
  calls <- as.list(attr(terms, "variables"))
  for (k in seq_along(coder$variables)) {
    name <- names(coder$variables)[k]
    value <- coder$values[[name]]
    if (is.null(value)) value <- evaluate_variable(coder, name, coder$sample, list(chunk = 1))
    calls[[k + 1L]] <- stats::makepredictcall(value, calls[[k + 1L]])
  }
  attr(terms, "predvars") <- as.call(calls)
  if (coder$exact) environment(terms) <- globalenv() else
    terms <- closed_terms(terms, coder$columns, row_variables_of_coder(coder))
  list(features = features, interface = if (coder$exact) "data.frame" else "formula",
       sparse = coder$sparse, terms = terms, xlevels = coded$xlevels, contrasts = coded$contrasts,
       intercept = attr(terms, "intercept") == 1L, response_name = response_name(terms))
}
