# The model frame of a formula, and errors that name the argument at fault.

# model.frame() of the caller's call: variables, subset and weights are looked up as lm does.
model_frame <- function(call, where) {
  wanted <- match(c("formula", "data", "subset", "weights", "na.action"), names(call), 0L)
  call <- call[c(1L, wanted)]
  formula <- eval(call$formula, where)
  data <- formula_data(call$data, where)
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
