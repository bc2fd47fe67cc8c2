# The axes of the plot of a cross-validation, and which settings make a line.

log_columns <- c("lambda", "cost", "sigma", "radius")

column_units <- c(
  lambda = "lambda", cost = "cost", radius = "radius (unit of the columns)",
  sigma = "sigma of the kernel (per squared unit of the columns)",
  rate = "rate (strength of the perturbation)", mixture = "mixture (share of the l1 norm)",
  nystrom = "nystrom (landmarks)"
)

# Radius and sigma are in the unit of the columns that the fit saw; scaled: NA where they differ.
column_label <- function(name, scaled) {
  label <- if (name %in% names(column_units)) column_units[[name]] else name
  if (isTRUE(scaled)) sub("unit of the columns", "unit of the scaled columns", label) else label
}

# A metric in words; abbreviations are written as such.
metric_label <- function(name) {
  if (name %in% c("auroc", "auprc", "mse", "rmse", "mae")) toupper(name) else gsub("_", " ", name)
}

metric_units <- c(
  accuracy = "share of rows", balanced_accuracy = "share of rows, mean over classes",
  auroc = "area", log_loss = "nats", mse = "squared unit of the response",
  mae = "unit of the response"
)

cv_ylab <- function(metric) {
  unit <- metric_units[metric$name]
  sprintf("%s%s, %s is better", metric_label(metric$name),
          if (is.na(unit)) "" else sprintf(" (%s)", unit),
          if (metric$maximize) "higher" else "lower")
}

varying_columns <- function(cv) {
  names(cv$settings)[vapply(cv$settings, function(values) length(unique(values)) > 1L, NA)]
}

# Where the settings stand, and the axis.
cv_axis <- function(cv, along) {
  numbers <- Filter(function(name) {
    is.numeric(cv$settings[[name]]) && all(is.finite(cv$settings[[name]]))
  }, varying_columns(cv))
  if (!is.null(along)) {
    if (length(numbers) == 0L) {
      abort_input(sprintf(
        "`along` is %s, but no column of numbers varies in the grid; leave it out.",
        show_value(along)
      ), "along")
    }
    assert_choice(along, numbers, "along")
  } else if (length(numbers) == 0L) {
    return(side_by_side(cv))
  }
  column <- if (is.null(along)) numbers[1L] else along
  values <- cv$settings[[column]]
  label <- column_label(column, cv$scale)
  if (column %in% c("lambda", "radius", "rate")) {
    axis <- falling_axis(values, label, log = column != "rate")
    return(c(list(column = column, at = axis$along), axis[c("label", "draw", "place")]))
  }
  if (!column %in% log_columns || any(values <= 0)) {
    return(list(column = column, at = values, label = label, place = identity,
                draw = function() graphics::axis(1)))
  }
  has_unit <- grepl(")", label, fixed = TRUE)
  list(column = column, at = log10(values), draw = function() log_axis(1), place = log10,
       label = if (has_unit) sub(")", ", log scale)", label, fixed = TRUE) else
         paste(label, "(log scale)"))
}

# Each setting has a place of its own and a name.
side_by_side <- function(cv) {
  columns <- varying_columns(cv)
  labels <- if (length(columns) == 0L) "the one setting" else
    name_combinations(cv, columns, length(columns) > 1L)
  list(column = NULL, at = seq_along(labels), place = identity, names = shorten(labels, 28L),
       label = if (length(columns) == 1L) columns else "")
}

# "sigma 1, mixture 0.5": what each setting has in `columns`.
name_combinations <- function(cv, columns, with_names = TRUE) {
  labels <- setting_labels(cv$settings)[columns]
  parts <- Map(function(name, values) {
    text <- if (is.numeric(values)) vapply(values, format, "", digits = 3L) else
      as.character(values)
    if (with_names) paste(name, text) else text
  }, names(labels), labels)
  do.call(paste, c(unname(parts), sep = ", "))
}

# The line of each setting: a factor, with one level without a name where there is one line only.
cv_series <- function(cv, column) {
  others <- setdiff(varying_columns(cv), column)
  if (is.null(column) || length(others) == 0L) {
    return(factor(rep("", nrow(cv$settings))))
  }
  keys <- setting_keys(cv$settings[others])
  first <- !duplicated(keys)
  factor(keys, keys[first], make.unique(name_combinations(cv, others)[first]))
}
