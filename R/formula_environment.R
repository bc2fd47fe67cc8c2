# What the calls of a formula name beside the data: constants (knots, breaks) and functions. A model
# holds them as they were when it was fitted, in a small environment of its terms, so that new rows
# are coded as the fit's were, whatever became of these names since and wherever prediction runs.
# What has a value for each row is no constant but a variable of the model: it is never held.

# Terms with an environment of their own, and the attribute data_variables: the names that new rows
# must have. columns: names of the data; is_row_variable: a function (k, name, value), does `name`
# have a value for each row in the k-th variable of the terms? where: values are looked up there.
closed_terms <- function(terms, columns, is_row_variable, where = environment(terms)) {
  calls <- as.list(attr(terms, "variables"))[-1L]
  names <- Map(formula_names, calls, as.list(predicted_variables(terms))[-1L])
  variables <- unlist(lapply(names, `[[`, "variables"))
  outside <- setdiff(variables, columns)
  values <- functions <- list()
  rows <- character()
  for (k in seq_along(calls)) {
    for (name in intersect(names[[k]]$variables, outside)) {
      value <- variable_value(name, where)
      if (is.symbol(calls[[k]]) || has_rows(value) && is_row_variable(k, name, value)) {
        rows <- c(rows, name)
      } else if (exists(name, envir = where)) {
        values[name] <- list(value)
      }
    }
    for (name in names[[k]]$functions) functions[[name]] <- get0(name, where, mode = "function")
  }
  values <- values[setdiff(names(values), rows)]
  tell_large_functions(c(values, functions))
  environment(terms) <- environment_of(values, environment_of(functions, formula_home(terms)))
  attr(terms, "data_variables") <- unique(c(intersect(variables, columns), rows))
  terms
}

# With the centres and knots of the rows that were fitted.
predicted_variables <- function(terms) {
  predicted <- attr(terms, "predvars")
  if (is.null(predicted)) attr(terms, "variables") else predicted
}

# An argument without a value has none; evaluation has not asked for it.
variable_value <- function(name, where) {
  tryCatch(get0(name, envir = where), error = function(condition) NULL)
}

has_rows <- function(value) {
  !is.null(value) && !is.function(value) && !is.environment(value) && !is.language(value)
}

# The global environment, or the namespace in which the formula was made.
formula_home <- function(terms) {
  where <- environment(terms)
  while (!isNamespace(where) && !identical(where, globalenv())) {
    if (identical(where, emptyenv())) {
      return(globalenv())
    }
    where <- parent.env(where)
  }
  if (!isNamespace(where) || identical(where, .BaseNamespaceEnv)) globalenv() else
    loaded_namespace(where)
}

# The one of this name, which another process finds, and no copy of it as tests run in.
loaded_namespace <- function(where) {
  tryCatch(asNamespace(environmentName(where)), error = function(condition) where)
}

# ---- Variables and constants ----

# For closed_terms(), of rows in memory. A value a row is a constant all the same where its call
# takes it as a whole, as cut(x, breaks) does: then more rows of the other variables beside it give
# the values that they had.
row_variables_in_memory <- function(terms, data, where = environment(terms)) {
  calls <- as.list(predicted_variables(terms))[-1L]
  delayedAssign("n", if (is.data.frame(data)) nrow(data) else
    NROW(eval(calls[[1L]], as.list(data), where)))
  value_of <- function(name) {
    if (name %in% names(data)) data[[name]] else variable_value(name, where)
  }
  is_long <- function(value) has_rows(value) && NROW(value) == n
  function(k, name, value) {
    if (!is_long(value)) {
      return(FALSE)
    }
    others <- setdiff(formula_names(calls[[k]])$variables, name)
    others <- Filter(is_long, sapply(others, value_of, simplify = FALSE))
    index <- c(n, seq_len(n))
    evaluate <- function(rows) {
      tryCatch(eval(calls[[k]], rows, where), error = function(condition) NULL,
               warning = function(condition) NULL)
    }
    extended <- evaluate(c(lapply(others, rows_picked, index), as.list(data)))
    length(others) == 0L || NROW(extended) != n + 1L ||
      !identical(bare(extended), bare(rows_picked(evaluate(as.list(data)), index)))
  }
}

# ---- Environments ----

environment_of <- function(values, parent) {
  if (length(values) == 0L) {
    return(parent)
  }
  where <- new.env(hash = FALSE, parent = parent)
  assign(values_mark, TRUE, envir = where)
  for (name in names(values)) {
    package <- package_of(values[[name]], name)
    if (is.null(package)) {
      assign(name, without_source(values[[name]]), envir = where)
    } else {
      makeActiveBinding(name, package_function(name, package), where)
    }
  }
  where
}

# The text of a function is that of its whole file.
without_source <- function(value) if (is.function(value)) utils::removeSource(value) else value

# The package whose function of this name it is; NULL: none.
package_of <- function(value, name) {
  if (!is.function(value)) {
    return(NULL)
  }
  home <- if (is.primitive(value)) baseenv() else topenv(environment(value), NULL)
  if (identical(home, baseenv())) home <- .BaseNamespaceEnv
  found <- if (isNamespace(home)) get0(name, loaded_namespace(home), inherits = FALSE)
  if (identical(found, value)) environmentName(home)
}

# By name, so that the file of a fit has no copy of it and another process loads the package.
package_function <- function(name, package) {
  as.function(list(bquote(get(.(name), envir = asNamespace(.(package)), mode = "function"))),
              envir = baseenv())
}

# A function keeps its environment, on which its answer hangs, and the fit with it.
tell_large_functions <- function(values) {
  for (name in names(Filter(is.function, values))) {
    value <- values[[name]]
    if (is.primitive(value) || !is.null(package_of(value, name))) next
    bytes <- length(serialize(without_source(value), NULL, xdr = FALSE))
    if (bytes > 1e6) {
      return(inform(sprintf(paste(
        "`formula` calls %s(), and the fit keeps this function with its environment, which holds",
        "%.0f MB; define it in a function that holds no data, or in a package."
      ), name, bytes / 1e6)))
    }
  }
}

# The formula of a call that is evaluated again, for the same model: as it was written, or as the
# terms have it where the call named it, with what it holds.
recorded_formula <- function(written, terms) {
  if (!is.call(written) || !identical(written[[1L]], quote(`~`))) {
    written <- plain_formula(stats::formula(terms))
  }
  formula_with_values(written, environment(terms))
}

formula_with_values <- function(formula, where) {
  if (holds_values(where)) structure(formula, class = "formula", .Environment = where) else formula
}

# No attribute, which a formula would print.
values_mark <- ".values_of_formula"
holds_values <- function(where) exists(values_mark, envir = where, inherits = FALSE)

# What it does not hold, as variables without `data`, is looked up where the call is evaluated.
rebased_formula <- function(formula, where) {
  rebase <- function(values) {
    if (!holds_values(values)) {
      return(where)
    }
    list2env(as.list(values, all.names = TRUE), parent = rebase(parent.env(values)))
  }
  if (inherits(formula, "formula") && holds_values(environment(formula))) {
    environment(formula) <- rebase(environment(formula))
  }
  formula
}
