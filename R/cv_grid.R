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
      guess <- nearest(column, grid_columns(family))
      abort_input(sprintf(
        "`grid` has \"%s\", which a %s fit has no argument for%s. It may have %s.", column, family,
        if (is.null(guess)) "" else sprintf(" (did you mean \"%s\"?)", guess),
        quote_list(grid_columns(family), 20L)
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
  settings <- if (is.data.frame(grid)) as.data.frame(grid) else cross_values(grid)
  if (anyDuplicated(setting_keys(settings))) {
    abort_input(sprintf("`grid` has setting %d twice; give each once.",
                        anyDuplicated(setting_keys(settings))), "grid")
  }
  settings
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
    vapply(seq_along(values), function(i) {
      Position(function(one) identical(one, values[[i]]), distinct)
    }, 0L)
  })
  do.call(paste, unname(places))
}

# As the family's own path has it, from all rows.
default_grid <- function(task, family, arguments) {
  coordinate <- families()[[family]]$path
  if (is.null(coordinate) || coordinate %in% names(arguments) || "cost" %in% names(arguments)) {
    return(list())
  }
  if (coordinate == "rate") {
    return(if (is.null(arguments$perturbation) || is.function(arguments$perturbation))
      list(rate = seq(0, 0.5, by = 0.1)) else list())
  }
  size <- stats::setNames(list(20), paste0("n_", coordinate))
  data <- list(x = task$x, y = task$response, weights = task$weights, family = family)
  path <- quietly(do.call(margin_path, c(data, size, arguments), quote = TRUE))
  stats::setNames(list(path[[coordinate]]), coordinate)
}

# ---- From a setting to arguments ----

setting_arguments <- function(settings, i) {
  lapply(settings, function(values) values[[i]])
}

# With sigma and rate turned into the kernel and the perturbation that they make.
complete_arguments <- function(arguments, setting) {
  makers <- list(sigma = "kernel", rate = "perturbation")
  for (number in intersect(names(setting), names(makers))) {
    argument <- makers[[number]]
    make <- c(arguments, setting)[[argument]]
    if (is.null(make)) make <- if (number == "sigma") kernel_rbf else perturb_dropout
    if (!is.function(make)) {
      abort_input(sprintf(paste(
        "`%s` is %s, but with \"%s\" in `grid` must be a function of it that makes one, such as %s."
      ), argument, show_value(make), number,
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
  coordinate <- families()[[family]]$path
  on_path <- !is.null(coordinate) && coordinate %in% names(settings)
  keys <- if (on_path) setting_keys(settings[setdiff(names(settings), coordinate)]) else
    seq_len(nrow(settings))
  unname(split(seq_len(nrow(settings)), factor(keys, unique(keys))))
}

# ---- One job: a group of settings on one resample ----

# A data frame with a row per setting of the group: its scores, certificate and seconds.
run_group <- function(job, task, family, arguments, settings, metrics, told) {
  coordinate <- families()[[family]]$path
  arguments$control <- job_control(arguments$control, job$seed)
  first <- setting_arguments(settings, job$group[1L])
  resample <- job$resample
  on_path <- !is.null(coordinate) && coordinate %in% names(first)
  answers <- if (on_path) {
    path_answers(task, resample, family, arguments, settings[job$group, , drop = FALSE])
  } else {
    list(fit_answer(task, resample, family, complete_arguments(arguments, first)))
  }
  truth <- task$response[resample$test]
  weights <- weights_of(task, resample$test)
  rows <- lapply(answers, function(answer) {
    values <- judge(metrics, truth, function(needs) read_scores(answer$model, answer$scores, needs),
                    weights)
    data.frame(as.list(values), n_train = length(resample$train), n_test = length(resample$test),
               answer$certificate[c("relative_gap", "certified")], seconds = answer$seconds,
               check.names = FALSE, row.names = NULL)
  })
  told()
  data.frame(setting = job$group, repetition = resample$repetition, fold = resample$fold,
             do.call(rbind, rows), check.names = FALSE)
}

job_control <- function(control, seed) {
  if (is.null(control)) control <- margin_control()
  if (is.null(control$seed)) control$seed <- seed
  control$progress <- FALSE
  control
}

fit_answer <- function(task, resample, family, arguments) {
  answer <- fit_and_score(task, resample$train, resample$test, families()[[family]]$fit, arguments)
  c(answer, list(certificate = certificate(answer$model),
                 seconds = sum(answer$model$status$seconds)))
}

# The points of one path, in the order of the settings.
path_answers <- function(task, resample, family, arguments, settings) {
  coordinate <- families()[[family]]$path
  rest <- settings[setdiff(names(settings), coordinate)]
  fixed <- if (coordinate == "rate") c(arguments, setting_arguments(rest, 1L)) else
    complete_arguments(arguments, setting_arguments(rest, 1L))
  fixed[[coordinate]] <- settings[[coordinate]]
  answer <- fit_and_score(task, resample$train, resample$test, margin_path,
                          c(fixed, list(family = family)))
  path <- answer$model
  at <- match(settings[[coordinate]], path[[coordinate]])
  several <- length(dim(answer$scores)) == 3L
  lapply(at, function(i) {
    list(model = path, certificate = path$certificate[i, ], seconds = path$status$seconds[i],
         scores = if (several) answer$scores[, , i] else answer$scores[, i])
  })
}
