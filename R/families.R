# The list of the families of problems. Whatever serves all of them asks here, so a family is a row:
# constructors, paths, cross-validation, comparison, reports, decisions and the checks of saved fits
# follow from it.

# The fields of a row, each with who asks for it; NULL is an answer, no answer is not.
family_fields <- c(
  fit = "the constructor",
  of_matrix = "its method for a matrix, which has the arguments and their defaults",
  labelled = "do rows need a response?",
  tasks = "what can be fitted: classification, regression, one_class",
  loss = "the one loss there is, by name; NULL: it is an argument",
  settings = "a function of the arguments it names: those that are checked before the data",
  solve = "a function (design, settings): the fit",
  metric = "a function (task, losses, prob): the metric of a cross-validation that names none",
  compared = "the solvers that compare_solvers() takes where none is named",
  whole_pass = "the solvers that read rows in whole passes, so in a file too; others hold rows",
  offset = "does a row have an offset beside its decision value?",
  formula = "a function (fit): the problem in LaTeX",
  certain = "a function (fit, caller): an error where the optimum has no region; NULL: it has none",
  removals = "a function: where the optimum without rows is, as core_removals(); NULL: unknown",
  path = "the fields below; NULL: it has no coordinate to go along"
)

path_fields <- c(
  along = "the argument along which each point starts from the one before",
  of_matrix = "the function of a matrix, which has its arguments and their defaults",
  describe = "a function (path, number): the lines of its print that no other family has",
  tried = paste("a function (arguments): the grid of a cross-validation that is given none; NULL:",
                "20 values, from the data")
)

both_tasks <- c("classification", "regression")

# Made once; the functions that it names are in other files.
delayedAssign("family_list", {
  list(
    linear = list(
      fit = margin_linear, of_matrix = margin_linear.matrix, labelled = TRUE, tasks = both_tasks,
      loss = NULL, settings = linear_settings, solve = fit_linear,
      metric = default_metric, compared = c("auto", "newton", "ssnal", "dual_cd", "sdca"),
      whole_pass = c("auto", "newton", "ssnal", "fista"), offset = TRUE,
      formula = linear_formula,
      certain = function(fit, caller) invisible(fit), removals = core_removals,
      path = list(along = "lambda", of_matrix = margin_path.matrix,
                  describe = describe_linear_points, tried = NULL)
    ),
    robust = list(
      fit = margin_robust, of_matrix = margin_robust.matrix, labelled = TRUE,
      tasks = "classification", loss = "hinge", settings = robust_settings, solve = fit_robust,
      metric = default_metric,
      compared = c("auto", "interior_point", "pdhg"), whole_pass = character(),
      offset = FALSE, formula = robust_formula, certain = assert_certain_robust, removals = NULL,
      path = list(along = "radius", of_matrix = robust_path, describe = describe_robust_points,
                  tried = NULL)
    ),
    kernel = list(
      fit = margin_kernel, of_matrix = margin_kernel.matrix, labelled = TRUE, tasks = both_tasks,
      loss = NULL, settings = kernel_settings, solve = fit_kernel,
      metric = default_metric, compared = c("auto", "newton", "block_sdca", "smo"),
      whole_pass = character(), offset = FALSE, formula = kernel_formula,
      certain = assert_certain_kernel, removals = kernel_removals,
      path = list(along = "lambda", of_matrix = kernel_path, describe = describe_kernel_points,
                  tried = NULL)
    ),
    augmented = list(
      fit = margin_augmented, of_matrix = margin_augmented.matrix, labelled = TRUE,
      tasks = both_tasks, loss = NULL, settings = augmented_settings, solve = fit_augmented,
      metric = default_metric,
      compared = c("auto", "smiso", "sgd"), whole_pass = character(), offset = FALSE,
      formula = augmented_formula,
      certain = assert_certain_augmented, removals = NULL,
      path = list(along = "rate", of_matrix = augmented_path, describe = describe_augmented_points,
                  tried = tried_rates)
    ),
    hard = list(
      fit = margin_hard, of_matrix = margin_hard.matrix, labelled = TRUE, tasks = "classification",
      loss = "hinge", settings = hard_settings, solve = fit_hard,
      metric = default_metric, compared = c("auto", "active_set", "smo", "momentum"),
      whole_pass = character(), offset = FALSE, formula = hard_formula,
      certain = assert_certain_hard, removals = NULL, path = NULL
    ),
    oneclass = list(
      fit = margin_oneclass, of_matrix = margin_oneclass.matrix, labelled = FALSE,
      tasks = "one_class", loss = "hinge", settings = oneclass_settings, solve = fit_oneclass,
      metric = oneclass_metric, compared = "smo",
      whole_pass = character(), offset = FALSE, formula = oneclass_formula,
      certain = assert_certain_oneclass, removals = NULL,
      path = list(along = "nu", of_matrix = oneclass_path, describe = describe_oneclass_points,
                  tried = NULL)
    )
  )
})
families <- function() family_list

# What is missing in a list of families, as "robust: solve" or "kernel: path$of_matrix".
missing_fields <- function(rows) {
  of_row <- function(name) {
    row <- rows[[name]]
    absent <- setdiff(names(family_fields), names(row))
    on_path <- if (!is.null(row$path)) setdiff(names(path_fields), names(row$path))
    absent <- c(absent, if (length(on_path) > 0L) paste0("path$", on_path))
    if (length(absent) > 0L) paste0(name, ": ", absent)
  }
  as.character(unlist(lapply(names(rows), of_row)))
}

# ---- Which family is it? ----

# Of a fit or a path.
family_name <- function(model) sub("^margin_(path_)?", "", class(model)[1L])
family_of <- function(model) families()[[family_name(model)]]
path_of <- function(path) family_of(path)$path

path_families <- function() Filter(function(of) !is.null(of$path), families())

# ---- What follows from a row ----

# The arguments of a family that say what is fitted and how, beside the data.
family_arguments <- function(family) {
  setdiff(names(formals(families()[[family]]$of_matrix)), c("x", "y", "weights", "offset", "..."))
}

# The settings of these arguments, checked; what is not among them is as the constructor has it.
settings_of_arguments <- function(family, arguments) {
  entry <- families()[[family]]
  usual <- formals(entry$of_matrix)
  names <- intersect(names(formals(entry$settings)), names(usual))
  values <- sapply(names, function(name) {
    if (name %in% names(arguments)) arguments[[name]] else eval(usual[[name]])
  }, simplify = FALSE)
  do.call(entry$settings, values, quote = TRUE)
}

has_loss <- function(family) is.null(families()[[family]]$loss)

# Is a response part of its problem?
is_labelled <- function(family) families()[[family]]$labelled

# The function of a family without a regression, for code_response().
classes_only <- function(family) {
  if (!"regression" %in% families()[[family]]$tasks) sprintf("margin_%s()", family)
}

# The loss that was named, NULL where none was; that of the families which have one only.
family_loss <- function(family, arguments) {
  the_one <- families()[[family]]$loss
  if (!is.null(the_one)) {
    return(as_loss(the_one))
  }
  loss_of_classes(arguments$loss, arguments$multiclass, several = family == "linear")
}
