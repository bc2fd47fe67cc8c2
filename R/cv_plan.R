# What a cross-validation fits: the family, its arguments and the settings, before and after the
# rows are known.

# What is to be fitted, checked as far as it can be without the data: the family, the arguments of
# all settings, the settings (NULL: those that the data suggest) and their losses (NULL: that of the
# task).
cv_plan <- function(dots, family, grid, own, elsewhere) {
  caller <- "margin_cv()"
  assert_choice(family, names(families()), "family")
  known <- family_arguments(family)
  stray <- dots[!names(dots) %in% known]
  assert_nothing_left(if (is.null(names(dots))) dots else stray, c(own, known), elsewhere,
                      caller)
  refuse_checkpoint(dots$control, caller)
  if (family != "linear") refuse_ranks(dots$control, caller)
  for (name in names(dots)) assert_one_value(dots[[name]], name, family, caller)
  settings <- if (!is.null(grid)) as_grid(grid, family, dots)
  list(family = family, arguments = dots, settings = settings,
       losses = setting_losses(settings, family, dots))
}

# Arguments of which one value is a vector.
per_column_or_class <- c("class_weights", "penalty_factor", "lower", "upper")

# Several values of what is the same for all settings are meant for the grid. They are not taken for
# one: beside a grid that would cross them with it unasked, and of an argument whose one value is a
# vector or a list it could not be told.
assert_one_value <- function(value, name, family, caller) {
  several <- length(value) > 1L && !is.object(value) && (is.atomic(value) || is.list(value)) &&
    name %in% setdiff(grid_columns(family), per_column_or_class)
  if (several) {
    abort_input(sprintf(
      "`%s` has %d values, but %s takes one for all settings; to compare them give grid = list(%s = ).",
      name, length(value), caller, name
    ), name)
  }
}

without_intercept <- function(plan, task) {
  if (!"intercept" %in% family_arguments(plan$family)) {
    return(plan)
  }
  if ("intercept" %in% names(plan$settings)) {
    abort_input("`grid` has \"intercept\", but `formula` removes it; drop one of the two.", "grid")
  }
  given <- plan$arguments$intercept
  plan$arguments$intercept <- formula_intercept(task, given, is.null(given))
  plan
}

# The fits are given the loss that goes with the task, which their rows alone might not tell.
settle_plan <- function(plan, task) {
  if (is.null(plan$losses[[1L]]) && needs_response(task)) {
    plan$losses <- list(task_loss(task$task))
    plan$arguments$loss <- plan$losses[[1L]]
  }
  plan
}

# ---- What cross-validation and nested cross-validation begin with ----

# Everything that can be wrong is told before the first fit.
judged_plan <- function(task, plan, metric, seed) {
  assert_seed(seed)
  plan <- settle_plan(plan, task)
  plan$arguments <- with_judged_kernel(plan$arguments, task$x)
  naming_response(task$response_name, assert_one_task(task, plan$losses))
  metrics <- task_metrics(metric, task, plan$losses, all_logistic(plan$losses), plan$arguments,
                          families()[[plan$family]]$metric)
  assert_metrics(metrics, plan$losses)
  list(plan = plan, metrics = metrics)
}

judged_resamples <- function(task, folds, repeats, metrics) {
  resamples <- as_resamples(folds, repeats, strata_of(task), NULL, task$rows, task$given)
  assert_resamples(resamples, needed_classes(task))
  assert_areas(metrics, task$response, resamples)
  resamples
}

assert_grid_of <- function(plan, metrics, resamples) {
  assert_metric_names(metrics, plan$settings)
  assert_settings(plan$settings, plan$family, plan$arguments)
  assert_count(as.double(nrow(plan$settings)) * length(resamples), most_fits, "grid", "fits")
}
