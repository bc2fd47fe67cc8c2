# From the arguments of a call to a design. A family's method for a matrix is the body of its call;
# that for a formula makes the design and hands it on as `x`.

# The rows as the method for a matrix has them. dots: what no argument took; part: are there more
# rows, on other ranks?
matrix_design <- function(family, x, y, weights, call, dots, offset = NULL, part = FALSE) {
  started <- seconds_now()
  force(call)
  called <- called_by(family)
  of_formula <- inherits(x, "margin_design")
  assert_nothing_left(dots, called$arguments, if (!of_formula) formula_arguments, called$caller)
  if (of_formula) {
    return(x)
  }
  if (called$labelled && missing(y)) {
    abort_input("`y` is missing; give the response, one label a row.", "y")
  }
  design <- design_xy(x, if (called$labelled) y, weights, public_call(call, called$name), part, offset)
  design$started <- started
  design
}

# call, where: of the method for a formula, and where its variables are looked up, as in lm().
formula_design <- function(family, call, where, data, contrasts, sparse) {
  started <- seconds_now()
  force(call)
  force(where)
  called <- called_by(family)
  call <- public_call(named_call(call, called), called$name)
  if ("offset" %in% names(call)) refuse_formula_offset()
  assert_flag(sparse, "sparse")
  frame <- model_frame(call, where)
  design <- design_formula(frame, contrasts, sparse, if (!missing(data)) data, call,
                           called$labelled)
  assert_takes_offset(design$offset, called$offset, called$caller, TRUE)
  design$started <- started
  design
}

formula_arguments <- c("data", "subset", "na.action", "contrasts", "sparse")

# What is called: a constructor.
called_by <- function(family) {
  of <- families()[[family]]
  name <- paste0("margin_", family)
  list(name = as.name(name), caller = paste0(name, "()"), of_matrix = of$of_matrix,
       arguments = names(formals(of$of_matrix)), labelled = of$labelled, offset = of$offset)
}

# The call with all arguments named, in the order of the method for a matrix.
named_call <- function(call, called) {
  own <- names(call) %in% c("formula", "weights", formula_arguments)
  given <- as.list(call)[!own][-1L]
  if (length(given) > 0L) {
    assert_known_arguments(intersect(names(given), c("x", "y")), character(), character(),
                           called$caller)
    given <- as.list(match.call(called$of_matrix,
                                as.call(c(list(called$name, x = NULL, y = NULL), given))))[-1L]
    given <- given[!names(given) %in% c("x", "y")]
    assert_nothing_left(given[!names(given) %in% called$arguments], called$arguments, character(),
                        called$caller)
    if ("weights" %in% names(given)) {
      abort_input("`...` holds weights without a name; give every argument its name.", "...")
    }
    call <- as.call(c(call[[1L]], as.list(call)[own], given))
  }
  order <- c("formula", "data", append(called$arguments, "subset", match("weights", called$arguments)),
             formula_arguments)
  call[c(1L, 1L + order(match(names(call)[-1L], order)))]
}

# ---- Makers, until every family is as margin_hard() ----

# What a call is turned into is a maker, see fit_maker() and path_maker(): `name`, what was called;
# `caller`, the same for messages; `labelled`, do rows need a response; `settings`, a function that
# checks the arguments it names; and `solve`, a function (design, settings, grid). A maker of paths
# has `grid`, a function (given) of the points that are asked for, and `changes`, a function (grid)
# of the settings that these decide.

fit_maker <- function(family) {
  of <- families()[[family]]
  name <- paste0("margin_", family)
  list(name = as.name(name), caller = paste0(name, "()"), labelled = of$labelled,
       takes_offset = of$offset,
       settings = of$settings, solve = function(design, settings, grid) of$solve(design, settings))
}

# The one body. given: the frame of the call, in which arguments are promises; dots: what no
# argument took; where: for a formula, the frame in which its variables are looked up; file: does
# `x` have response and weights beside the rows?
constructed <- function(maker, given, call, dots, where = NULL, file = FALSE) {
  valid <- names(formals(sys.function(sys.parent())))
  # they look at the frames that call
  force(call)
  force(where)
  on_ranks(given$control, function(control) {
    if (!is.null(control)) given$control <- control
    constructed_here(maker, given, call, dots, where, file, valid)
  })
}

constructed_here <- function(maker, given, call, dots, where, file, valid) {
  started <- seconds_now()
  of_formula <- !is.null(where)
  call <- public_call(call, maker$name)
  call$family <- maker$family
  assert_made_of(maker, dots, valid, of_formula, file)
  if (of_formula) assert_formula_offset(given)
  if (of_formula) assert_flag(given$sparse, "sparse") else
    if (maker$labelled && !file) assert_response_given(was_missing("y", given))
  grid <- if (!is.null(maker$grid)) maker$grid(given)
  # of rows that are in memory settings are checked first
  if (!of_formula && !file) settings <- settings_given(maker, given, grid)
  design <- if (of_formula) {
    design_of_formula(call, where, given, maker$labelled)
  } else if (file) {
    design_rows(given$x, call, !is.null(ranks_of_control(given$control)))
  } else {
    design_xy(given$x, if (maker$labelled) given$y, given$weights, call,
              !is.null(ranks_of_control(given$control)), given$offset)
  }
  assert_takes_offset(design$offset, maker$takes_offset, maker$caller, of_formula)
  if (of_formula || file) settings <- settings_given(maker, given, grid, design)
  design$started <- started
  maker$solve(design, settings, grid)
}

assert_made_of <- function(maker, dots, valid, of_formula, file) {
  if (!is.null(maker$refuse)) maker$refuse(dots)
  if (file) assert_of_file(dots, valid, maker$caller) else
    assert_nothing_left(dots, valid, if (of_formula) character() else formula_arguments,
                        maker$caller)
}

was_missing <- function(name, given) eval(call("missing", as.name(name)), given)

# The arguments of the call that the settings name, checked. What the formula says of the intercept
# and what the grid of a path says come before what was given.
settings_given <- function(maker, given, grid, design = NULL) {
  wanted <- names(formals(maker$settings))
  values <- mget(intersect(wanted, ls(given)), given)
  if (!is.null(design) && "intercept" %in% wanted) {
    values$intercept <- formula_intercept(design, values$intercept, was_missing("intercept", given))
  }
  if ("scale_is_default" %in% wanted) values$scale_is_default <- was_missing("scale", given)
  if (!is.null(maker$changes)) values <- replaced(values, maker$changes(grid))
  do.call(maker$settings, values, quote = TRUE)
}

# Also by NULL.
replaced <- function(values, changes) {
  values[names(changes)] <- changes
  values
}

design_of_formula <- function(call, where, given, labelled = TRUE) {
  frame <- model_frame(call, where)
  data <- if (!was_missing("data", given)) given$data
  design_formula(frame, given$contrasts, given$sparse, data, call, labelled)
}

# ---- What is fitted many times: a task ----

# A maker of cross-validations and the like: `name`, what was called; `plan`, a function (given,
# dots, valid, elsewhere) that checks what can be checked without the data; `loss` and
# `classes_only`, functions (plan) for code_response(); `without`, a function (plan, task, given):
# the plan where the formula has no intercept; and `solve`, a function (task, plan, given, call).
constructed_task <- function(maker, given, call, dots, where = NULL) {
  valid <- names(formals(sys.function(sys.parent())))
  # they look at the frames that call
  force(call)
  force(where)
  on_ranks(dots$control, function(control) {
    dots$control <- control
    constructed_task_here(maker, given, call, dots, where, valid)
  })
}

constructed_task_here <- function(maker, given, call, dots, where, valid) {
  of_formula <- !is.null(where)
  ranks <- ranks_of_control(dots$control)
  if (of_formula) {
    assert_formula_offset(given)
    assert_flag(given$sparse, "sparse")
  }
  plan <- maker$plan(given, dots, valid, if (of_formula) character() else formula_arguments)
  call <- public_call(call, maker$name)
  coding <- list(maker$loss(plan), maker$classes_only(plan))
  refuse_formula_on_ranks(ranks, of_formula, sprintf("%s()", as.character(maker$name)))
  labelled <- is.null(plan$family) || is_labelled(plan$family)
  task <- if (of_formula) {
    formula_task(call, where, given, coding[[1L]], coding[[2L]], labelled)
  } else {
    no_labels <- was_missing("y", given)
    if (labelled) assert_response_given(no_labels)
    new_task(design_xy(given$x, if (!no_labels) given$y, given$weights, NULL, !is.null(ranks),
                       given$offset),
             coding[[1L]], coding[[2L]], labelled = labelled, ranks = ranks)
  }
  takes <- isTRUE(maker$takes_offset) && families()[[plan$family]]$offset
  caller <- paste0(as.character(maker$name),
                   if (isTRUE(maker$takes_offset)) sprintf("(family = \"%s\")", plan$family) else
                     "()")
  assert_takes_offset(task$offset, takes, caller, of_formula)
  if (!is.null(task$offset)) {
    assert_offset_of_two(task$levels, if (of_formula) "formula" else "offset")
  }
  if (of_formula && !task$intercept) plan <- maker$without(plan, task, given)
  result <- maker$solve(task, plan, given, call)
  # what fits it again means the same formula
  if (of_formula) result$call$formula <- recorded_formula(result$call$formula, task$terms)
  result
}

# ---- Formula methods ----

# The formula method that goes with the method of a matrix: the same arguments in the same order,
# those of a formula, and the same body.
formula_method <- function(of_matrix, maker, body = constructed) {
  force(maker)
  force(body)
  method <- function(...) {
    body(maker(), environment(), match.call(), list(...), parent.frame())
  }
  formals(method) <- formula_formals(formals(of_matrix))
  method
}

# What a generic whose first argument has no value dispatches on: a formula comes first wherever it
# is named, as margin_linear(data = d, formula = y ~ x).
leading_argument <- function(...) {
  names <- names(substitute(list(...)))[-1L]
  if ("formula" %in% names) ...elt(match("formula", names)) else if (...length() > 0L) ...elt(1L)
}

# Weights and subset are looked up in the data: they have no default.
formula_formals <- function(arguments) {
  arguments <- arguments[setdiff(names(arguments), c("x", "y"))]
  arguments["weights"] <- alist(weights = )
  arguments <- append(arguments, alist(subset = ), match("weights", names(arguments)))
  coding <- alist(na.action = getOption("na.action"), contrasts = NULL, sparse = FALSE)
  c(alist(formula = , data = ), append(arguments, coding, match("...", names(arguments)) - 1L))
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
public_call <- function(call, name = quote(margin_linear)) {
  call[[1L]] <- name
  call
}
