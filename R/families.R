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
  fitted = "a function: what the core gets of a fit whose rows change; NULL: it knows no bounds",
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
      whole_pass = c("auto", "lbfgs", "newton", "ssnal", "fista"), offset = TRUE,
      formula = linear_formula,
      certain = function(fit, caller) invisible(fit), fitted = fitted_columns,
      path = list(along = "lambda", of_matrix = margin_path.matrix,
                  describe = describe_linear_points, tried = NULL)
    ),
    robust = list(
      fit = margin_robust, of_matrix = margin_robust.matrix, labelled = TRUE,
      tasks = "classification", loss = "hinge", settings = robust_settings, solve = fit_robust,
      metric = default_metric,
      compared = c("auto", "interior_point", "pdhg"), whole_pass = character(),
      offset = FALSE, formula = robust_formula, certain = assert_certain_robust, fitted = NULL,
      path = list(along = "radius", of_matrix = robust_path, describe = describe_robust_points,
                  tried = NULL)
    ),
    kernel = list(
      fit = margin_kernel, of_matrix = margin_kernel.matrix, labelled = TRUE, tasks = both_tasks,
      loss = NULL, settings = kernel_settings, solve = fit_kernel,
      metric = default_metric, compared = c("auto", "newton", "block_sdca", "smo"),
      whole_pass = character(), offset = FALSE, formula = kernel_formula,
      certain = assert_certain_kernel, fitted = fitted_functions,
      path = list(along = "lambda", of_matrix = kernel_path, describe = describe_kernel_points,
                  tried = NULL)
    ),
    augmented = list(
      fit = margin_augmented, of_matrix = margin_augmented.matrix, labelled = TRUE,
      tasks = both_tasks, loss = NULL, settings = augmented_settings, solve = fit_augmented,
      metric = default_metric,
      compared = c("auto", "smiso", "sgd"), whole_pass = character(), offset = FALSE,
      formula = augmented_formula,
      certain = assert_certain_augmented, fitted = NULL,
      path = list(along = "rate", of_matrix = augmented_path, describe = describe_augmented_points,
                  tried = tried_rates)
    ),
    hard = list(
      fit = margin_hard, of_matrix = margin_hard.matrix, labelled = TRUE, tasks = "classification",
      loss = "hinge", settings = hard_settings, solve = fit_hard,
      metric = default_metric, compared = c("auto", "active_set", "smo", "momentum"),
      whole_pass = character(), offset = FALSE, formula = hard_formula,
      certain = assert_certain_hard, fitted = NULL, path = NULL
    ),
    oneclass = list(
      fit = margin_oneclass, of_matrix = margin_oneclass.matrix, labelled = FALSE,
      tasks = "one_class", loss = "hinge", settings = oneclass_settings, solve = fit_oneclass,
      metric = oneclass_metric, compared = "smo",
      whole_pass = character(), offset = FALSE, formula = oneclass_formula,
      certain = assert_certain_oneclass, fitted = NULL,
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

# From the arguments of a call to a design. A family's method for a matrix is the body of its call;
# that for a formula makes the design and hands it on as `x`.

# The rows as the method for a matrix has them. dots: what no argument took; part: are there more
# rows, on other ranks? path: is a path of the family called?
matrix_design <- function(family, x, y, weights, call, dots, offset = NULL, part = FALSE,
                          path = FALSE) {
  started <- seconds_now()
  force(call)
  called <- called_by(family, path)
  made <- inherits(x, "margin_design")
  assert_nothing_left(dots, called$arguments, if (!made || is_rows(x$x)) formula_arguments,
                      called$caller)
  if (made) {
    return(x)
  }
  design <- design_xy(x, y, weights, public_call(call, called$name), part, offset)
  design$started <- started
  design
}

# call, where: of the method for a formula, and where its variables are looked up, as in lm().
formula_design <- function(family, call, where, data, contrasts, sparse, path = FALSE) {
  started <- seconds_now()
  force(call)
  force(where)
  called <- called_by(family, path)
  call <- named_call(call, called)
  if ("offset" %in% names(call)) refuse_formula_offset()
  assert_flag(sparse, "sparse")
  frame <- model_frame(call, where)
  design <- design_formula(frame, contrasts, sparse, if (!missing(data)) data, call,
                           called$labelled)
  assert_takes_offset(design$offset, called$offset, called$caller, TRUE)
  if (!missing(data)) design$taken <- taken_rows(call, frame, data, environment(eval(call$formula, where)))
  design$started <- started
  design
}

# What a call with a subset or weights is evaluated in does not stay with the fit: which rows of so many
# the subset took, where they have names of their own, and which variables beside the data were those of
# a function.
taken_rows <- function(call, frame, data, where) {
  if (is.null(call$subset) && is.null(call$weights) || !is.data.frame(data)) {
    return(NULL)
  }
  written <- as.list(call)[c("subset", "weights")]
  names <- setdiff(unlist(lapply(written, all.vars)), names(data))
  in_function <- vapply(names, function(name) is_local(home_of(name, where)), NA)
  list(rows = if (!is.null(call$subset)) places_in_data(frame, data), of = nrow(data),
       local = names[in_function])
}

# Where a variable is found; the empty environment where it is not.
home_of <- function(name, where) {
  while (!identical(where, emptyenv()) && !exists(name, where, inherits = FALSE)) where <- parent.env(where)
  where
}
# Is it an environment of a function, which may be over?
is_local <- function(where) {
  shared <- identical(where, globalenv()) || identical(where, emptyenv()) || identical(where, baseenv())
  !shared && !isNamespace(where) && is.null(attr(where, "name"))
}

# Of the rows before na.action; NULL where some were taken twice.
places_in_data <- function(frame, data) {
  left_out <- attr(frame, "na.action")
  names <- character(nrow(frame) + length(left_out))
  names[left_out] <- names(left_out)
  names[setdiff(seq_along(names), left_out)] <- rownames(frame)
  # a row that is taken twice is "1.1" then, as one of a data frame of such rows is
  again <- any(sub("[.][0-9]+$", "", names[grepl("[.][0-9]+$", names)]) %in% names)
  places <- if (!again) match(names, rownames(data))
  if (!anyNA(places)) places
}

# Rows in a file, which are a design already.
file_design <- function(family, x, call, dots, path = FALSE) {
  started <- seconds_now()
  force(call)
  called <- called_by(family, path)
  assert_of_file(dots[intersect(names(dots), of_file)], of_file, called$caller)
  design <- design_rows(x, named_call(call, called), on_several_ranks(dots$control))
  design$started <- started
  design
}

formula_arguments <- c("data", "subset", "na.action", "contrasts", "sparse")

# What is called: a constructor, or margin_path().
called_by <- function(family, path = FALSE) {
  of <- families()[[family]]
  name <- if (path) "margin_path" else paste0("margin_", family)
  of_matrix <- (if (path) of$path else of)$of_matrix
  other <- path && family != "linear"
  list(name = as.name(name), of_matrix = of_matrix, arguments = names(formals(of_matrix)),
       caller = if (other) sprintf("%s(family = \"%s\")", name, family) else paste0(name, "()"),
       family = if (other) family, labelled = of$labelled, offset = of$offset)
}

# A formula's weights are looked up in the data, by their whole name.
assert_whole_weights <- function(given, caller) {
  part <- setdiff(names(given)[startsWith("weights", names(given))], c("", "weights"))
  if (length(part) > 0L) {
    abort_input(sprintf("`%s` is not an argument of %s; did you mean `weights`?", part[1L], caller), part[1L])
  }
}

# The call with all arguments named, in the order of the method for a matrix.
named_call <- function(call, called) {
  family <- if (is.null(called$task)) called$family else call$family
  call$family <- NULL
  own <- names(call) %in% c("formula", "weights", formula_arguments) |
    (names(call) == "x" & is.null(call$formula))
  given <- as.list(call)[!own][-1L]
  if (length(given) > 0L) {
    extra <- intersect(c("y", "x"), names(given))
    if (length(extra) > 0L) {
      abort_input(sprintf(
        "`%s` is given beside a formula, which names the variables of `data`; leave `%s` out.",
        extra[1L], extra[1L]
      ), extra[1L])
    }
    assert_whole_weights(given, called$caller)
    given <- as.list(match.call(called$of_matrix,
                                as.call(c(list(called$name, x = NULL, y = NULL), given))))[-1L]
    given <- given[!names(given) %in% c("x", "y")]
    # what is fitted many times has arguments of the family in its dots
    if (is.null(called$task)) {
      assert_nothing_left(given[!names(given) %in% called$arguments], called$arguments,
                          if (is.null(call$formula)) formula_arguments, called$caller)
    }
    if ("weights" %in% names(given)) {
      abort_input("`...` holds weights without a name; give every argument its name.", "...")
    }
  }
  call <- as.call(c(called$name, as.list(call)[own], given))
  order <- c("formula", "x", "data",
             append(called$arguments, "subset", match("weights", called$arguments)),
             formula_arguments)
  call <- call[c(1L, 1L + order(match(names(call)[-1L], order)))]
  call$family <- family
  call
}

# ---- What is fitted many times: a task ----

# Also by NULL.
replaced <- function(values, changes) {
  values[names(changes)] <- changes
  values
}

# As formula_design() for what fits many times, with `places`, the number of each row in the data, and
# `given`, how many these have. of_matrix: the method for a matrix.
task_design <- function(name, of_matrix, call, where, data, contrasts, sparse) {
  force(call)
  force(where)
  call <- named_call(call, list(name = as.name(name), of_matrix = of_matrix, caller = paste0(name, "()"),
                                arguments = names(formals(of_matrix)), task = TRUE))
  if ("offset" %in% names(call)) refuse_formula_offset()
  assert_flag(sparse, "sparse")
  if (missing(data)) {
    abort_input("`data` is missing, but must be the data frame that holds the variables.", "data")
  }
  data <- formula_data(call$data, where)
  if (!is.data.frame(data)) {
    abort_input(sprintf("`data` is %s, but must be the data frame that holds the variables.",
                        show_value(data)), "data")
  }
  frame <- model_frame(call, where)
  places <- match(rownames(frame), rownames(data))
  if (anyNA(places)) {
    abort_input(paste(
      "`subset` takes a row twice, which could then be trained on and held out at once; take each",
      "row once, and give `weights` for more."
    ), "subset")
  }
  design <- design_formula(frame, contrasts, sparse, data, call, NA)
  design$places <- places
  design$given <- nrow(data)
  design$taken <- taken_rows(call, frame, data, environment(eval(call$formula, where)))
  design
}

is_task_design <- function(x) inherits(x, "margin_design")

# The rows of a call coded; offset: does the caller take one? call: with the formula as it was read.
design_task <- function(x, y, weights, offset, loss, classes_only, call, labelled = TRUE,
                        caller = paste0(as.character(call[[1L]]), "()"), takes_offset = FALSE,
                        ranks = NULL) {
  of_formula <- is_task_design(x)
  if (of_formula) {
    refuse_formula_on_ranks(ranks, TRUE, paste0(as.character(call[[1L]]), "()"))
    if (labelled) assert_has_response(x$terms)
    task <- new_task(x, loss, classes_only, x$places, x$given, labelled)
  } else {
    task <- new_task(design_xy(x, y, weights, NULL, !is.null(ranks), offset), loss, classes_only,
                     labelled = labelled, ranks = ranks)
  }
  task$intercept <- !of_formula || x$intercept
  assert_takes_offset(task$offset, takes_offset, caller, of_formula)
  if (!is.null(task$offset)) {
    assert_offset_of_two(task$levels, if (of_formula) "formula" else "offset")
  }
  task$call <- if (of_formula) replaced(x$call, list(formula = recorded_formula(x$call$formula, x$terms)))
    else call
  task
}

# ---- Formula methods ----

# What a generic dispatches on: a formula comes first wherever it is named, as margin_linear(data = d,
# formula = y ~ x) and d |> margin_linear(formula = y ~ x).
leading_argument <- function(x, ...) {
  names <- names(substitute(list(...)))[-1L]
  if ("formula" %in% names) ...elt(match("formula", names)) else if (!missing(x)) x else
    if (...length() > 0L) ...elt(1L)
}

assert_response_given <- function(missing) {
  if (missing) {
    abort_input("`y` is missing; give the response, one label a row.", "y")
  }
}

# What `- 1` in a formula makes of the argument.
formula_intercept <- function(design, intercept, missing) {
  if (design$intercept) {
    return(intercept)
  }
  if (!missing && !identical(intercept, "none")) {
    abort_input(sprintf("`intercept` is %s, but `formula` removes it; drop one of the two.",
                        show_value(intercept)), "intercept")
  }
  "none"
}

# The call as the user would write it again.
public_call <- function(call, name) {
  call[[1L]] <- name
  call
}
