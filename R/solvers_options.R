# What solvers can be told, checked. The options and their defaults are in R/solvers.R.

# Where a numeric option may lie, unless a row has bounds of its own; ends excluded unless whole.
option_bounds <- list(
  dual_passes = list(lower = 0, upper = 1000, whole = TRUE),
  gamma = list(lower = 1e-12, upper = 1e12, whole = FALSE),
  shrink = list(lower = 0, upper = 1, whole = FALSE),
  inner_passes = list(lower = 1, upper = 1000, whole = TRUE),
  strength = list(lower = 1e-12, upper = 1e12, whole = FALSE),
  step = list(lower = 1e-12, upper = 1e12, whole = FALSE),
  floor = list(lower = 0, upper = 1, whole = FALSE),
  change = list(lower = 0, upper = 1, whole = FALSE),
  batch = list(lower = 1, upper = 1e6, whole = TRUE),
  block = list(lower = 1, upper = 1e6, whole = TRUE),
  penalty = list(lower = 1e-12, upper = 1e12, whole = FALSE),
  growth = list(lower = 1, upper = 2, whole = FALSE),
  memory = list(lower = 0, upper = 100, whole = TRUE),
  cycles = list(lower = 4, upper = 1000, whole = TRUE),
  cache_mb = list(lower = 0, upper = 1e6, whole = FALSE),
  max_support = list(lower = 1, upper = 1e6, whole = TRUE),
  inner_steps = list(lower = 1, upper = 1e9, whole = TRUE),
  working_set = list(lower = 1, upper = .Machine$integer.max, whole = TRUE)
)

# Defaults from the registry, replaced by what was given; complete and checked.
complete_options <- function(row, given) {
  options <- lapply(row$options, function(default) default[1L])
  for (name in names(given)) {
    assert_option_name(name, row)
    default <- row$options[[name]]
    if (is.logical(default)) {
      assert_flag(given[[name]], name)
    } else if (is.character(default)) {
      assert_choice(given[[name]], default, name)
    } else {
      bounds <- if (is.null(row$bounds[[name]])) option_bounds[[name]] else row$bounds[[name]]
      assert_number(given[[name]], name, bounds$lower, bounds$upper,
                    open = !bounds$whole && !isFALSE(bounds$open), whole = bounds$whole,
                    remedy = sprintf("the default is %s", format(default)))
    }
    options[[name]] <- given[[name]]
  }
  options
}

assert_option_name <- function(name, row) {
  known <- names(row$options)
  if (!name %in% known) {
    abort_input(sprintf(
      "`solver_options` has \"%s\", which solver \"%s\" does not take%s. It takes %s.", name,
      row$name, option_remedy(name, row),
      if (length(known) == 0L) "none" else quote_list(known)
    ), "solver_options")
  }
}

# An option of other solvers of the family is theirs; any other name is a slip of spelling.
option_remedy <- function(name, row) {
  others <- Filter(function(other) {
    other$family == row$family && name %in% names(other$options)
  }, solver_list)
  if (length(others) > 0L) {
    return(sprintf("; give the name of one that does as `solver`: %s",
                   quote_list(vapply(others, `[[`, "", "name"))))
  }
  guess <- nearest(name, names(row$options))
  if (is.null(guess)) "" else sprintf(" (did you mean \"%s\"?)", guess)
}
