# The model frame of a formula, and errors that name the argument at fault.

# model.frame() of the caller's call: variables, subset and weights are looked up as lm does.
model_frame <- function(call, where) {
  wanted <- match(c("formula", "data", "subset", "weights", "na.action"), names(call), 0L)
  call <- call[c(1L, wanted)]
  formula <- eval(call$formula, where)
  data <- formula_data(call$data, where)
  assert_na_action(call$na.action, where)
  call[[1L]] <- quote(stats::model.frame)
  call$formula <- without_removed(formula, data)
  frame <- read_frame(call, where, formula, data)
  assert_no_integer64(all.vars(attr(frame, "terms")), data, "data", environment(formula))
  drop_feature_levels(frame)
}

# `data` is evaluated here for its own error; model.frame() would blame the formula.
formula_data <- function(expression, where) {
  if (is.null(expression)) {
    return(NULL)
  }
  data <- tryCatch(eval(expression, where), error = function(condition) {
    if (inherits(condition, "dualmargin_error")) stop(condition)
    abort_input(sprintf("`data` could not be evaluated: %s; give the data frame of the variables.",
                        sub("[.]$", "", conditionMessage(condition))), "data")
  })
  if (is_rows(data)) {
    abort_input(paste("`data` is rows in a file, which were coded when they were written; give",
                      "them alone and without a formula, as in margin_linear(rows)."), "data")
  }
  if (!is.null(data) && !is.list(data) && !is.environment(data)) {
    abort_input(sprintf("`data` is %s, but must be a data frame%s.", show_value(data),
                        if (is.matrix(data)) "; use as.data.frame(), or give it as `x`" else ""),
                "data")
  }
  data
}

read_frame <- function(call, where, formula, data) {
  withCallingHandlers(
    tryCatch(eval(call, where), error = function(condition) {
      if (inherits(condition, "dualmargin_error")) stop(condition)
      blame_extra(condition, call$subset, "subset", formula, data)
      blame_extra(condition, call$weights, "weights", formula, data)
      blame_variable(condition, formula, data)
      blame_missing(call, where)
      evaluate_frame(stop(condition), "formula", "evaluated")
    }),
    warning = function(condition) {
      refuse_factor_arithmetic(condition)
      if (is_expansion_warning(condition)) invokeRestart("muffleWarning")
    }
  )
}

# Of subset and weights: was it this that model.frame() could not use?
blame_extra <- function(condition, expression, arg, formula, data) {
  if (is.null(expression)) {
    return(invisible())
  }
  # evaluated a second time: a promise that failed would warn of that
  again <- quote(suppressWarnings(eval(expression, data, environment(formula))))
  value <- tryCatch(eval(again), error = function(condition) {
    abort_input(sprintf("`%s` could not be evaluated: %s; it is looked up in `data`, then %s.", arg,
                        sub("[.]$", "", conditionMessage(condition)), "around the formula"), arg)
  })
  if (arg == "weights" && grepl("(weights)", conditionMessage(condition), fixed = TRUE)) {
    if (is.character(value) && length(value) == 1L && value %in% names(data)) {
      abort_input(sprintf("`weights` is \"%s\"; write the column without quotes: weights = %s.",
                          value, value), "weights")
    }
    if (!is.numeric(value)) assert_weights(value, length(value))
    abort_input(sprintf("`weights` has length %d%s; give one weight a row.", length(value),
                        if (is.data.frame(data)) sprintf(", but `data` has %s",
                                                         count(nrow(data), "row")) else ""),
                "weights")
  }
}

# A variable that is neither in the data nor around the formula.
blame_variable <- function(condition, formula, data) {
  names <- names(data)
  absent <- Filter(function(name) {
    !name %in% c(names, ".") && !exists(name, envir = environment(formula))
  }, all.vars(formula))
  if (is.null(names) || length(absent) == 0L) {
    return(invisible())
  }
  guess <- nearest(absent[1L], names)
  abort_input(sprintf(
    "`formula` could not be evaluated: %s; \"%s\" is no column of `data`%s.",
    sub("[.]$", "", conditionMessage(condition)), absent[1L],
    if (is.null(guess)) "" else sprintf(" (did you mean \"%s\"?)", guess)
  ), "formula")
}

assert_na_action <- function(expression, where) {
  action <- tryCatch(eval(expression, where), error = identity)
  known <- is.null(action) || is.function(action) ||
    is.character(action) && length(action) == 1L && exists(action, asNamespace("stats"), mode = "function")
  if (!known) {
    abort_input(paste("`na.action` is no function that is found; use na.omit, na.exclude, na.fail, or",
                      "one of your own."), "na.action")
  }
}

# Missing values that na.action does not let through.
blame_missing <- function(call, where) {
  action <- if (is.null(call$na.action)) getOption("na.action") else eval(call$na.action, where)
  if (!identical(action, "na.fail") && !identical(action, stats::na.fail)) {
    return(invisible())
  }
  call$na.action <- quote(stats::na.pass)
  frame <- tryCatch(suppressWarnings(eval(call, where)), error = function(condition) NULL)
  gaps <- names(frame)[vapply(frame, anyNA, NA)]
  if (length(gaps) > 0L) {
    abort_input(sprintf(paste(
      "`data` has missing values in %s, which na.action = na.fail does not take; impute them, or",
      "use na.action = na.omit."
    ), quote_list(gaps)), "data")
  }
}

# Arithmetic with a factor is NA in every row, and R warns only.
refuse_factor_arithmetic <- function(condition) {
  call <- conditionCall(condition)
  if (is.call(call) && list(call[[1L]]) %in% list(quote(Ops.factor), quote(Ops.ordered))) {
    parts <- vapply(as.list(call)[-1L], function(part) paste(deparse(part), collapse = " "), "")
    abort_input(sprintf(paste(
      "`formula` calculates with %s, and a factor has no arithmetic; write one variable left of",
      "~, or make the factor numbers first."
    ), paste0("`", parts, "`", collapse = " and ")), "formula")
  }
}

# R's own, of a response made from a column that is in `.` too.
is_expansion_warning <- function(condition) {
  grepl("EncodeVars()", conditionMessage(condition), fixed = TRUE)
}

# The formula with its terms written out, where it names a variable and takes it away again, as in
# y ~ . - day: such a variable is no part of the model and is not judged.
without_removed <- function(formula, data) {
  if (!"-" %in% all.names(formula)) {
    return(formula)
  }
  terms <- tryCatch(suppressWarnings(stats::terms(formula, data = data)), error = function(e) NULL)
  factors <- attr(terms, "factors")
  unused <- if (length(factors) > 0L) which(rowSums(factors) == 0)
  if (length(setdiff(unused, c(attr(terms, "response"), attr(terms, "offset")))) == 0L) {
    return(formula)
  }
  stats::formula(stats::terms(stats::formula(terms), simplify = TRUE))
}

# Levels without rows go from the features here; of the response code_response() says it.
drop_feature_levels <- function(frame) {
  response <- attr(attr(frame, "terms"), "response")
  for (j in setdiff(seq_along(frame), response)) {
    column <- frame[[j]]
    if (is.factor(column) && length(unique(column[!is.na(column)])) < nlevels(column)) {
      frame[[j]] <- column[, drop = TRUE]
      if (!is.null(attr(column, "contrasts"))) {
        inform(sprintf("`data` has empty levels in \"%s\": its own contrasts went with them.",
                       names(frame)[j]))
      }
    }
  }
  frame
}

# What the calls of a formula name beside the data: constants (knots, breaks) and functions. A model
# holds them as they were when it was fitted, in a small environment of its terms, so that new rows
# are coded as the fit's were, whatever became of these names since and wherever prediction runs.
# What has a value for each row is no constant but a variable of the model: it is never held.

# Terms with an environment of their own, and the attribute data_variables: the names that new rows
# must have. columns: names of the data; is_row_variable: a function (k, name, value), does `name`
# have a value for each row in the k-th variable of the terms? where: values are looked up there.
closed_terms <- function(terms, columns, is_row_variable, where = environment(terms)) {
  calls <- as.list(attr(terms, "variables"))[-1L]
  if (all(vapply(calls, is.symbol, NA)) && all(as.character(calls) %in% columns)) {
    environment(terms) <- formula_home(terms)
    return(structure(terms, data_variables = unique(as.character(calls))))
  }
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
  for (name in names(values)) {
    value <- values[[name]]
    if (!is.function(value) || is.primitive(value) || !is.null(package_of(value, name))) next
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
    for (k in seq_along(parts)) if (!is_empty_argument(parts[[k]])) visit(parts[[k]], bound)
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
  if (startsWith(name, "..") && grepl("^[.][.]([.]|[0-9]+)$", name)) {
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

# Are these the rows that a fit was made from? Its fingerprint says so, which does not depend on the
# order of the rows nor on how they are stored.

# As a fit keeps it: the hash of all rows with their response, and of those with a weight where some
# have none. Of rows in a file it is that of the file and of which of its rows they are.
fingerprint_of <- function(x, response = NULL, weights = NULL, hash = NULL) {
  if (is_rows(x)) {
    return(mark_of_file(x))
  }
  used <- if (any(weights == 0)) unname(weights > 0)
  if (is.null(hash)) hash <- scan_entries(x, hash = TRUE)$hash
  unlist(row_hash_cpp(hash, response_numbers(response), used, FALSE, NULL), use.names = FALSE)
}

# NULL of soft labels and of one class: the features alone tell.
response_numbers <- function(response) {
  if (is.null(response) || inherits(response, "soft_labels")) NULL else as.double(response)
}

# Of rows to judge, which have a response and a decision value each: `fingerprint`, and `fitted`,
# are they those of the fit? NA in doubt: most rows are like others of them, or the features differ
# where responses and decision values agree (poly() of new rows; a fit of rows in a file, judged by
# those of another).
compared_with_training <- function(fit, x, truth, scores) {
  if (is.null(response_numbers(fit$response))) truth <- NULL
  hash <- hash_of_rows(x, response_numbers(truth), !is.null(fit$file))
  fitted <- if (!hash$all %in% fit$fingerprint) {
    agrees_with_training(fit, truth, scores) && NA
  } else if (2 * hash$distinct > NROW(scores)) TRUE else NA
  list(fingerprint = hash$all, fitted = fitted)
}

# As fingerprint_of(), with the number of distinct rows as far as it is known; of rows in a file
# that of the rows themselves, block by block, unless the fit is one of a file too.
hash_of_rows <- function(x, response, of_file) {
  if (!is_rows(x)) {
    return(row_hash_cpp(scan_entries(x, hash = TRUE)$hash, response, NULL, TRUE, NULL))
  }
  sum <- if (of_file) mark_of_file(x)
  if (!of_file) for_blocks(x, function(which) {
    hash <- scan_entries(rows_block(x, which), hash = TRUE)$hash
    sum <<- row_hash_cpp(hash, response[which], NULL, FALSE, sum)$all
  })
  list(all = sum, distinct = x$n)
}

# Do responses and decision values agree, where these differ by more than rounding?
agrees_with_training <- function(fit, truth, scores) {
  used <- training_subset(fit, NROW(scores))
  if (!any(used)) {
    return(FALSE)
  }
  fitted <- some_scores(fit$scores, used)
  spread <- diff(range(fitted))
  tolerance <- max(1e-8 * spread, 1e-14 * max(abs(fitted)))
  response <- response_numbers(fit$response)[used]
  labels <- response_numbers(truth)
  sorted <- function(response, scores) {
    scores <- as.matrix(unname_rows(scores))
    apply(scores, 2L, function(column) column[score_order(response, column)])
  }
  tolerance < 1e-3 * spread && identical(sort(unname(response)), sort(labels)) &&
    all(abs(sorted(response, fitted) - sorted(labels, scores)) <= tolerance)
}

# The rows of the fit that so many rows may be: all, or those with a weight.
training_subset <- function(fit, n) {
  used <- fit$weights > 0
  if (n == length(used)) rep(TRUE, n) else if (n == sum(used)) used else used & FALSE
}

# By response, and by decision value where it is the same.
score_order <- function(response, scores) {
  keys <- unname(as.data.frame(unname_rows(scores)))
  do.call(order, c(if (!is.null(response)) list(response_numbers(response)), keys))
}

# The weights that the rows of a fit have there, in the order of these rows. Rows of one response
# and decision value may exchange theirs, which no metric sees.
weights_of_training <- function(fit, truth, scores) {
  used <- training_subset(fit, NROW(scores))
  if (is.null(response_numbers(fit$response))) truth <- NULL
  response <- if (!is.null(truth)) fit$response[used]
  weights <- unname(fit$weights[used])
  own <- score_order(response, some_scores(fit$scores, used))
  replace(weights, score_order(truth, scores), weights[own])
}

# In doubt a result is made; what it is worth if these rows were fitted is said.
warn_maybe_training <- function(arg, consequence) {
  warn_shared_rows(sprintf(paste(
    "`%s` may be the rows of the fit: as many, with the same responses and decision values, and",
    "most of them like others, or with features that were computed anew. If they are, %s."
  ), arg, consequence))
}

warn_shared_rows <- function(message) {
  warning(structure(class = c("dualmargin_shared_rows", "warning", "condition"),
                    list(message = message, call = NULL)))
}
