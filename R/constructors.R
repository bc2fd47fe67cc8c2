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
  call$family <- called$family
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

# What a generic whose first argument has no value dispatches on: a formula comes first wherever it
# is named, as margin_linear(data = d, formula = y ~ x).
leading_argument <- function(...) {
  names <- names(substitute(list(...)))[-1L]
  if ("formula" %in% names) ...elt(match("formula", names)) else if (...length() > 0L) ...elt(1L)
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
