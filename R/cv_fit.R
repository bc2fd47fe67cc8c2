# The fit that a search keeps: what it chose, made once on all its rows; and the fit of another of
# its settings, for which rows are looked up by the names in the call and must be those of the
# search.

# `problem` of a search: what all its fits share. `arguments`: those of the family's function, as
# values, which no name can change later; `marks`: of its rows, a word a part; `seed`: of the fits
# to all rows; `formula`: of rows without labels, with its dots written out; `setting`: the number
# of the one that `fit` has; `ranks`: does this process have a share of the rows only?

# The search with its fit. setting: a list of arguments; NULL: there is no best one.
with_chosen_fit <- function(search, task, family, arguments, setting, seed) {
  design <- replaced(task$design, list(x = task$x))
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
  call[c("family", "grid", "folds", "rule", "repeats", "metric", "seed", "prove", "eps",
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
  assert_changes_named(changes)
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
    design$taken <- search$taken
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
  if (!is.null(search$taken)) fit$taken$local <- search$taken$local
  fit$call <- compact_call(call)
  fit
}

# The call with the value of each argument that names a variable, which may mean something else now.
with_values <- function(call, values) {
  for (name in intersect(names(call), names(values))) {
    if (!is_constant(call[[name]])) call[name] <- list(values[[name]])
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

# The settings that cross-validation compares, and the fits that they take.

# The columns that may stand in a grid: arguments of the family, and the numbers that make its
# kernel or perturbation.
grid_columns <- function(family) {
  arguments <- setdiff(family_arguments(family), "control")
  c(arguments, if ("kernel" %in% arguments) "sigma", if ("perturbation" %in% arguments) "rate")
}

# A list to be crossed, or a data frame of settings -> a data frame of settings.
as_grid <- function(grid, family, arguments) {
  if (!is.list(grid)) {
    abort_input(sprintf(paste(
      "`grid` is %s, but must be a list of values to be crossed, as in list(lambda = 10^-(1:5)),",
      "or a data frame of settings."
    ), show_value(grid)), "grid")
  }
  columns <- names(grid)
  if (length(grid) == 0L) {
    return(data.frame(row.names = 1L))
  }
  if (is.null(columns) || any(!nzchar(columns)) || anyDuplicated(columns)) {
    abort_input("`grid` has a part without a name of its own; name each after its argument.",
                "grid")
  }
  for (column in columns) {
    if (!column %in% grid_columns(family)) {
      hint <- grid_hint(column, family)
      abort_input(sprintf(
        "`grid` has \"%s\", which a %s fit has no argument for%s. It may have %s.", column, family,
        if (is.null(hint)) "" else sprintf(" (%s)", hint), quote_list(grid_columns(family), 20L)
      ), "grid")
    }
    if (length(grid[[column]]) == 0L) {
      abort_input(sprintf("`grid` has no value for \"%s\"; give some or leave it out.", column),
                  "grid")
    }
    if (column %in% names(arguments)) {
      abort_input(sprintf("`%s` is given and in `grid` too; leave one of them out.", column),
                  "grid")
    }
  }
  grid[] <- lapply(grid, as_values)
  assert_count(if (is.data.frame(grid)) nrow(grid) else prod(lengths(grid)), most_points, "grid",
               "settings")
  settings <- if (is.data.frame(grid)) as.data.frame(grid) else cross_values(grid)
  if (anyDuplicated(setting_keys(settings))) {
    abort_input(sprintf("`grid` has setting %d twice; give each once.",
                        anyDuplicated(setting_keys(settings))), "grid")
  }
  settings
}

# One kernel, loss, perturbation or function is one value, though it is a list inside; expand.grid()
# makes factors of names.
as_values <- function(values) {
  if (is.factor(values)) {
    return(as.character(values))
  }
  if (is.function(values) || (is.object(values) && is.list(values) && !inherits(values, "AsIs")))
    list(values) else values
}

cross_values <- function(grid) {
  at <- expand.grid(lapply(grid, seq_along))
  settings <- lapply(stats::setNames(nm = names(grid)), function(column) {
    values <- grid[[column]][at[[column]]]
    if (is.list(values)) I(values) else values
  })
  data.frame(settings, check.names = FALSE)
}

# Equal settings have equal keys; a column may be a list of kernels or perturbations.
setting_keys <- function(settings) {
  if (ncol(settings) == 0L) {
    return(rep("", nrow(settings)))
  }
  places <- lapply(settings, function(values) {
    distinct <- unique(values)
    if (is.atomic(values)) {
      return(match(values, distinct))
    }
    vapply(seq_along(values), function(i) {
      Position(function(one) identical(one, values[[i]]), distinct)
    }, 0L)
  })
  do.call(paste, unname(places))
}

# As the family's own path has it, from all rows.
default_grid <- function(task, family, arguments) {
  path <- families()[[family]]$path
  coordinate <- path$along
  if (is.null(path) || coordinate %in% names(arguments) || "cost" %in% names(arguments)) {
    return(list())
  }
  if (!is.null(path$tried)) {
    return(path$tried(arguments))
  }
  size <- stats::setNames(list(20), paste0("n_", coordinate))
  data <- if (!is.null(task$ranks)) c(data_of(task, seq_along(task$rows)), family = family) else
    if (is_rows(task$x)) list(x = task$x, family = family) else
      c(list(x = task$x, weights = task$weights, family = family),
        if (!is.null(task$offset)) list(offset = task$offset),
        if (needs_response(task)) list(y = task$response))
  taus <- taus_of(arguments$loss)
  if (!is.null(taus)) arguments$loss <- loss_quantile(taus[(length(taus) + 1L) %/% 2L])
  # the values come from the data, before anything is solved
  arguments$control <- margin_control(max_epochs = 1, progress = FALSE, ranks = task$ranks)
  path <- quietly(do.call(margin_path, c(data, size, arguments), quote = TRUE))
  stats::setNames(list(path[[coordinate]]), coordinate)
}

# What no fit of the family would take is told before the first one.
assert_settings <- function(settings, family, arguments) {
  for (i in seq_len(nrow(settings))) {
    settings_of(family, complete_arguments(arguments, setting_arguments(settings, i)))
  }
}

# The settings of a fit that is given these arguments, checked.
settings_of <- function(family, given) {
  of <- families()[[family]]
  wanted <- names(formals(of$settings))
  defaults <- formals(of$of_matrix)
  values <- lapply(stats::setNames(nm = intersect(wanted, names(defaults))), function(name) {
    if (name %in% names(given)) given[[name]] else eval(defaults[[name]])
  })
  if ("scale_is_default" %in% wanted) values$scale_is_default <- !"scale" %in% names(given)
  do.call(of$settings, values, quote = TRUE)
}

# Each loss of the grid once; the first codes the response.
setting_losses <- function(settings, family, arguments) {
  if (!"loss" %in% names(settings)) {
    return(list(family_loss(family, arguments)))
  }
  lapply(unique(settings$loss), as_loss)
}

# Numbers that are classes for one loss and a response for another have no score in common.
assert_one_task <- function(task, losses) {
  tasks <- vapply(losses, takes_numbers, NA)
  if (task$type %in% c(names(label_values), "numeric") && length(unique(tasks)) > 1L) {
    abort_input(sprintf(paste(
      "`grid` has the losses %s, and numbers in `y` are classes for some of them only; give",
      "factor(y) for a classification, or losses of a regression (%s)."
    ), quote_list(vapply(losses, function(loss) loss$name, "")), quote_list(regression_losses())),
    "grid")
  }
}

# ---- From a setting to arguments ----

setting_arguments <- function(settings, i) {
  lapply(settings, function(values) values[[i]])
}

# With sigma and rate turned into the kernel and the perturbation that they make. where: where they
# stand, in the words of the user.
complete_arguments <- function(arguments, setting, where = "in `grid`") {
  makers <- list(sigma = "kernel", rate = "perturbation")
  for (number in intersect(names(setting), names(makers))) {
    argument <- makers[[number]]
    make <- c(arguments, setting)[[argument]]
    if (is.null(make)) make <- if (number == "sigma") kernel_rbf else perturb_dropout
    if (!is.function(make)) {
      abort_input(sprintf(paste(
        "`%s` is %s, but with \"%s\" %s it must be a function that makes one: give %s = %s,",
        "without quotes and brackets."
      ), argument, show_value(make), number, where, argument,
      if (number == "sigma") "kernel_rbf" else "perturb_dropout"), argument)
    }
    arguments[[argument]] <- setting[[argument]] <- NULL
    setting[[argument]] <- make(setting[[number]])
    setting[[number]] <- NULL
  }
  c(arguments, setting)
}

# Settings that one path serves: those that differ in its coordinate only. A list of row numbers.
setting_groups <- function(settings, family) {
  coordinate <- families()[[family]]$path$along
  on_path <- !is.null(coordinate) && coordinate %in% names(settings)
  keys <- if (on_path) setting_keys(settings[setdiff(names(settings), coordinate)]) else
    seq_len(nrow(settings))
  unname(split(seq_len(nrow(settings)), factor(keys, unique(keys))))
}

# The jobs of a cross-validation, each a group of settings on one resample.

# Seeds are drawn here, so that the plan by which the jobs run changes nothing.
crossed_jobs <- function(resamples, parts, name) {
  at <- expand.grid(part = seq_along(parts), resample = seq_along(resamples))
  seeds <- sample.int(.Machine$integer.max, nrow(at))
  lapply(seq_len(nrow(at)), function(i) {
    job <- list(resample = resamples[[at$resample[i]]], seed = seeds[i])
    job[[name]] <- parts[[at$part[i]]]
    job
  })
}

# A data frame with a row per setting of the group: its scores, certificate and seconds.
run_group <- function(job, task, plan, metrics, told) {
  rows <- naming_place(group_rows(job, task, plan, metrics), name_settings(plan, job$group),
                       job$resample)
  told()
  rows
}

name_settings <- function(plan, group) {
  labels <- setting_labels(plan$settings[group, , drop = FALSE])
  fixed <- labels[1L, vapply(labels, function(values) length(unique(values)) == 1L, NA),
                  drop = FALSE]
  number <- if (length(group) == 1L) sprintf("Setting %d", group) else
    sprintf("Settings %s", paste(range(group), collapse = " to "))
  if (ncol(fixed) == 0L) {
    return(number)
  }
  sprintf("%s (%s)", number,
          paste(names(fixed), vapply(fixed, format, ""), sep = " = ", collapse = ", "))
}

group_rows <- function(job, task, plan, metrics) {
  coordinate <- families()[[plan$family]]$path$along
  arguments <- plan$arguments
  arguments$control <- job_control(arguments$control)
  first <- setting_arguments(plan$settings, job$group[1L])
  resample <- job$resample
  # several quantiles have no path
  on_path <- !is.null(coordinate) && coordinate %in% names(first) &&
    is.null(taus_of(arguments$loss))
  answers <- if (on_path) {
    path_answers(task, resample, plan$family, arguments, plan$settings[job$group, , drop = FALSE])
  } else {
    lapply(job$group, function(i) {
      given <- complete_arguments(arguments, setting_arguments(plan$settings, i))
      fit_answer(task, resample, plan$family, given)
    })
  }
  truth <- task$response[resample$test]
  weights <- weights_of(task, resample$test)
  values <- lapply(answers, function(answer) {
    judge(metrics, truth, function(needs) read_scores(answer$model, answer$scores, needs), weights)
  })
  each <- function(name, type) vapply(answers, function(answer) answer[[name]], type)
  scores <- lapply(stats::setNames(nm = names(metrics)), function(name) vapply(values, `[[`, 0, name))
  # one data frame for all points of a path: there may be many paths
  do.call(new_table, c(
    list(setting = job$group, repetition = resample$repetition, fold = resample$fold), scores,
    list(n_train = counted_of(task, resample$train), n_test = sum(weights > 0),
         relative_gap = each("relative_gap", 0), certified = each("certified", NA),
         seconds = each("seconds", 0))
  ))
}

# What a job draws comes from its stream, that of its seed: see seeded_job().
job_control <- function(control) {
  if (is.null(control)) control <- margin_control()
  control$progress <- FALSE
  control
}

fit_answer <- function(task, resample, family, arguments) {
  answer <- fit_and_score(task, resample$train, resample$test, family, arguments)
  c(answer, how_it_ended(answer$model))
}

how_it_ended <- function(fit) {
  table <- fit$certificate
  worst <- worst_of(table)
  list(relative_gap = table$relative_gap[worst], certified = table$certified[worst],
       seconds = sum(fit$status$seconds))
}

# The points of one path, in the order of the settings.
path_answers <- function(task, resample, family, arguments, settings) {
  coordinate <- families()[[family]]$path$along
  rest <- settings[setdiff(names(settings), coordinate)]
  fixed <- complete_arguments(arguments, setting_arguments(rest, 1L))
  fixed[[coordinate]] <- settings[[coordinate]]
  answer <- fit_and_score(task, resample$train, resample$test, family, fixed, path = TRUE)
  path <- answer$model
  at <- match(settings[[coordinate]], path[[coordinate]])
  lapply(at, function(i) {
    list(model = model_at(path, i), relative_gap = path$certificate$relative_gap[i],
         certified = path$certificate$certified[i], seconds = path$status$seconds[i],
         scores = scores_at(answer$scores, i))
  })
}

# Of one row too the scores of several classes stay a matrix.
scores_at <- function(scores, i) {
  if (length(dim(scores)) < 3L) {
    return(scores[, i])
  }
  array(scores[, , i], dim(scores)[1:2], dimnames(scores)[1:2])
}
