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
  design$started <- started
  design
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

# The call with all arguments named, in the order of the method for a matrix.
named_call <- function(call, called) {
  call$family <- NULL
  own <- names(call) %in% c("formula", "weights", formula_arguments) |
    (names(call) == "x" & is.null(call$formula))
  given <- as.list(call)[!own][-1L]
  if (length(given) > 0L) {
    assert_known_arguments(intersect(names(given), c("x", "y")), character(), character(),
                           called$caller)
    given <- as.list(match.call(called$of_matrix,
                                as.call(c(list(called$name, x = NULL, y = NULL), given))))[-1L]
    given <- given[!names(given) %in% c("x", "y")]
    assert_nothing_left(given[!names(given) %in% called$arguments], called$arguments,
                        if (is.null(call$formula)) formula_arguments, called$caller)
    if ("weights" %in% names(given)) {
      abort_input("`...` holds weights without a name; give every argument its name.", "...")
    }
  }
  call <- as.call(c(called$name, as.list(call)[own], given))
  order <- c("formula", "x", "data",
             append(called$arguments, "subset", match("weights", called$arguments)),
             formula_arguments)
  call <- call[c(1L, 1L + order(match(names(call)[-1L], order)))]
  call$family <- called$family
  call
}

# ---- What is fitted many times: a task ----

was_missing <- function(name, given) eval(call("missing", as.name(name)), given)

# Also by NULL.
replaced <- function(values, changes) {
  values[names(changes)] <- changes
  values
}

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

# The formula method of a task that goes with the method of a matrix: the same arguments in the same
# order, those of a formula, and the same body.
formula_method <- function(of_matrix, maker) {
  force(maker)
  method <- function(...) {
    constructed_task(maker(), environment(), match.call(), list(...), parent.frame())
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
public_call <- function(call, name) {
  call[[1L]] <- name
  call
}
