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
