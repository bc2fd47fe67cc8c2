# Names in the expressions of a formula.

# Of the variables and the functions in expressions: names that a function of the expression binds,
# or that stand behind $, are none.
formula_names <- function(...) {
  found <- list(variables = character(), functions = character())
  add <- function(kind, name) found[[kind]] <<- union(found[[kind]], name)
  visit <- function(part, bound) {
    if (is.symbol(part)) {
      name <- as.character(part)
      assert_no_dots(name)
      if (!name %in% bound) add("variables", name)
    } else if (is.character(part) && length(part) == 1L && !is.na(part) && nzchar(part)) {
      # sapply(x, "f") looks for a function by this text
      add("functions", part)
    } else if (is.call(part)) {
      visit_call(part, bound)
    }
  }
  visit_call <- function(call, bound) {
    head <- call[[1L]]
    name <- if (is.symbol(head)) as.character(head) else ""
    if (name %in% c("::", ":::")) {
      return(invisible())
    }
    assert_fixed_names(call, name)
    if (name == "") visit(head, bound) else if (!name %in% bound) add("functions", name)
    if (name == "get" || name == "get0") add("variables", call[[2L]])
    parts <- as.list(call)[-1L]
    if (name %in% c("$", "@")) parts <- parts[1L]
    if (name == "function") {
      bound <- c(bound, names(parts[[1L]]))
      parts <- c(as.list(parts[[1L]]), parts[2L])
    }
    for (part in Filter(Negate(is_empty_argument), parts)) visit(part, bound)
  }
  for (expression in list(...)) visit(expression, character())
  found
}

variables_in <- function(calls) {
  unique(unlist(lapply(calls, function(call) {
    if (is.symbol(call)) as.character(call) else formula_names(call)$variables
  })))
}

is_empty_argument <- function(part) is.symbol(part) && !nzchar(as.character(part))

assert_no_dots <- function(name) {
  if (grepl("^[.][.]([.]|[0-9]+)$", name)) {
    abort_input(sprintf(paste(
      "`formula` has `%s`, the arguments of a call that is over when rows are predicted; give the",
      "value a name and write that."
    ), name), "formula")
  }
}

# Functions whose answer hangs on what a text, or the frame of the call, holds.
name_lookups <- c("get", "get0", "mget", "dynGet", "eval", "eval.parent", "parent.frame",
                  "sys.frame", "sys.call", "sys.function", "environment")

# get("k") names k as k itself does; of other lookups the name is not known.
assert_fixed_names <- function(call, name) {
  plain <- length(call) == 2L && if (name == "eval") {
    is.call(call[[2L]]) && identical(call[[2L]][[1L]], quote(quote))
  } else {
    name %in% c("get", "get0") && is.character(call[[2L]]) && length(call[[2L]]) == 1L ||
      name == "environment"
  }
  if (name %in% name_lookups && !plain) {
    abort_input(sprintf(paste(
      "`formula` has %s, whose names prediction could not look up again; write the variable",
      "itself, or make a column of it."
    ), paste(deparse(call, width.cutoff = 500L), collapse = " ")), "formula")
  }
}

# The names that new rows must have.
required_variables <- function(terms) {
  names <- attr(terms, "data_variables")
  features <- stats::delete.response(terms)
  if (is.null(names)) all.vars(features) else
    intersect(variables_in(as.list(attr(features, "variables"))[-1L]), names)
}

# The response of rows; NULL where they lack a variable of it.
response_values <- function(terms, rows) {
  if (all(response_variables(terms) %in% names(rows))) {
    eval(response_call(terms), rows, environment(terms))
  }
}
response_call <- function(terms) attr(terms, "variables")[[attr(terms, "response") + 1L]]
response_variables <- function(terms) {
  names <- attr(terms, "data_variables")
  response <- response_call(terms)
  if (is.null(names)) all.vars(response) else intersect(variables_in(list(response)), names)
}
