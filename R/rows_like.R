# Rows coded as those of a fit, or of another file, were: to be predicted, or to judge it by. What
# depends on all rows (levels, knots, centres) is the model's, not these rows' own.

is_coded_model <- function(formula) inherits(formula, c("margin_rows", "margin_fit"))

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
