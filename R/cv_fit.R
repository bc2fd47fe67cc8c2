# The fit that a search keeps: what it chose, made once on all its rows; and the fit of another of
# its settings, for which rows are looked up by the names in the call and must be those of the
# search.

# `problem` of a search: what all its fits share. `arguments`: those of the family's function, as
# values, which no name can change later; `marks`: of its rows, a word a part; `seed`: of the fits
# to all rows; `formula`: of rows without labels, with its dots written out; `setting`: the number
# of the one that `fit` has; `ranks`: does this process have a share of the rows only?

# The search with its fit. setting: a list of arguments; NULL: there is no best one.
with_chosen_fit <- function(search, task, family, arguments, setting, seed) {
  design <- design_of_task(task)
  of_formula <- identical(design$interface, "formula") && !is_rows(design$x)
  if (of_formula) search$call$formula <- recorded_formula(search$call$formula, design$terms)
  if (!is_labelled(family)) design <- unlabelled_design(design)
  # a dot would make a column of the labels
  formula <- if (of_formula && !is_labelled(family)) recorded_formula(NULL, design$terms)
  search$problem <- list(arguments = arguments, marks = marks_of_design(design), seed = seed)
  search$problem$formula <- formula
  if (!is.null(task$ranks)) {
    search$problem$ranks <- TRUE
    search$problem$arguments$control <- NULL
  }
  if (is.null(setting)) {
    return(search)
  }
  design$call <- setting_call(search, family, setting)
  search$fit <- tryCatch(
    with_seed(seed, fit_design(design, family, complete_arguments(arguments, setting))),
    error = function(condition) {
      condition$message <- paste0("The best setting, fitted to all rows: ",
                                  conditionMessage(condition))
      stop(condition)
    }
  )
  search
}

# What the constructor of the family makes of these rows. What coding said was said by the search.
fit_design <- function(design, family, arguments) {
  muffled <- function(condition) invokeRestart("muffleMessage")
  fit <- withCallingHandlers(families()[[family]]$solve(design, settings_of(family, arguments)),
                             dualmargin_message = muffled)
  if (is_rows(design$x)) fit$file <- design$x$path
  fit
}

# Labels judge one class and do not fit it.
unlabelled_design <- function(design) {
  design["y"] <- list(NULL)
  if (!is.null(design$terms)) design$terms <- stats::delete.response(design$terms)
  design
}

# The call that fits a setting of a search, as the user would write it.
setting_call <- function(search, family, setting) {
  problem <- search$problem
  call <- search$call
  call[c("family", "grid", "folds", "inner", "rule", "repeats", "metric", "seed", "range", "eps",
         "max_points")] <- NULL
  call[[1L]] <- as.name(paste0("margin_", family))
  if (!is_labelled(family)) call$y <- NULL
  if (!is.null(problem$formula)) call$formula <- problem$formula
  made <- intersect(c("kernel", "perturbation"), names(call))
  complete <- complete_arguments(problem$arguments[made], setting)
  for (name in names(complete)) {
    written <- name %in% made && identical(complete[[name]], problem$arguments[[name]])
    if (!written) call[[name]] <- complete[[name]]
  }
  # other data may look like another task
  if (has_loss(family) && is.null(call$loss)) {
    loss <- problem$arguments$loss
    if (is.null(loss)) loss <- family_loss(family, problem$arguments)
    call$loss <- if (is.list(loss)) loss$name else loss
  }
  call
}

# ---- Another setting, or other arguments ----

# changes: arguments as expressions; where: the data of the call are looked up.
fit_of_search <- function(search, family, setting, changes, where) {
  if (length(changes) > 0L && (is.null(names(changes)) || any(names(changes) == ""))) {
    abort_input("`...` holds a change without a name; give every argument its name.", "...")
  }
  problem <- search$problem
  if (is.null(problem)) {
    abort_input(paste(
      "`object` is a search within a fold of margin_cv(outer = ), which knows its data no more; fit",
      "the setting by the function of its family."
    ), "object")
  }
  call <- setting_call(search, family, setting)
  if (length(changes) == 0L) {
    design <- same_design(search, family, character(), where)
    design$call <- call
    return(with_seed(problem$seed,
                     fit_design(design, family, complete_arguments(problem$arguments, setting))))
  }
  if (any(c("lambda", "cost") %in% names(changes))) call[c("lambda", "cost")] <- NULL
  for (name in names(changes)) call[name] <- changes[name]
  if (!any(c("data", "x") %in% names(changes))) same_design(search, family, names(changes), where)
  values <- problem$arguments
  made <- with_values(call, values[setdiff(names(values), names(changes))])
  assert_data_known(made, "refit()")
  fit <- evaluate_with_data(made, where)
  fit$call <- compact_call(call)
  fit
}

# The call with the value of each argument that names a variable, which may mean something else now.
with_values <- function(call, values) {
  for (name in intersect(names(call), names(values))) {
    if (length(all.vars(call[[name]])) > 0L) call[name] <- list(values[[name]])
  }
  call
}

# The rows of the search once more, but for what is `given` anew: an error where they are others.
same_design <- function(search, family, given, where) {
  call <- search$call
  if (isTRUE(search$problem$ranks)) {
    abort_input(paste(
      "`x` of the search was on several ranks, and refit() looks up none of it; give all ranks",
      "their `x`, `y` and `control` again."
    ), "x")
  }
  if (!is_labelled(family)) call$y <- NULL
  call[intersect(given, c("y", "weights", "offset"))] <- NULL
  assert_data_known(call[names(call) %in% c("x", "y", "data", "weights", "offset")], "refit()")
  design <- quietly(design_of_call(call, where))
  if (!is_labelled(family)) design <- unlabelled_design(design)
  marks <- search$problem$marks
  marks <- marks[setdiff(names(marks), given)]
  other <- names(marks)[!mapply(identical, marks, marks_of_design(design)[names(marks)])]
  if (length(other) > 0L) {
    part <- c(x = "rows", features = "columns", y = "response", weights = "weights",
              offset = "offset")[[other[1L]]]
    arg <- if (!is.null(call$formula)) "data" else if (part == "columns") "x" else other[1L]
    abort_input(sprintf(paste(
      "`%s` is not what it was when the search was made: the %s of `%s` changed. Bring them back,",
      "or give %s to refit(), which then fits these."
    ), arg, part, paste(deparse(call[[arg]]), collapse = " "),
    if (arg == "data") "`data`" else "`x` and `y`"), arg)
  }
  design
}

# A word a part.
marks_of_design <- function(design) {
  x <- design$x
  list(x = if (is_rows(x)) mark_of_file(x) else mark_of(x), features = mark_of(design$features),
       y = mark_of(design$y), weights = mark_of(design$weights), offset = mark_of(design$offset))
}

design_of_call <- function(call, where) {
  value <- function(name) argument_of_call(call, name, where)
  if (is.null(call$formula)) {
    x <- value("x")
    return(if (is_rows(x)) design_rows(x, call) else
      design_xy(x, value("y"), value("weights"), call, offset = value("offset")))
  }
  data <- value("data")
  call$formula <- rebased_formula(call$formula, where)
  design_formula(model_frame(call, where), value("contrasts"), isTRUE(value("sparse")), data, call,
                 NA)
}
