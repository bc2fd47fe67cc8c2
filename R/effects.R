# Partial dependence: what a fit predicts on the average of given rows in which one variable is set
# to a value. plot.margin_fit() draws it, see plot_effects.R.

# How many rows a kernel fit is averaged over: each value of each variable asks for all its kernel
# values with the rows of the fit.
most_kernel_rows <- 500L

# A list with an entry a variable: `values` of the variable, whether they are `levels`, `rug` (the
# numbers of the rows) and `effect`, a matrix of values by columns of the answer.
partial_effects <- function(fit, data, variables, top, size = 25L, newoffset = NULL) {
  rows <- effect_rows(fit, rows_of_variables(fit, data), newoffset)
  data <- rows$data
  named <- !is.null(variables)
  variables <- chosen_variables(fit, variables)
  plain <- vapply(variables, function(name) is.null(dim(variable_values(data, name))), NA)
  if (named && !all(plain)) {
    abort_input(sprintf("`variables` has \"%s\", which is a matrix and no one variable.",
                        variables[!plain][1L]), "variables")
  }
  variables <- variables[plain]
  if (!named && length(variables) > top) {
    variables <- strongest_variables(fit, rows, variables, top)
  }
  rows <- averaged_rows(fit, rows)
  effects <- lapply(stats::setNames(nm = variables), function(name) {
    seen <- variable_values(data, name)
    at <- effect_points(fit, seen, name, size)
    c(at, list(rug = if (at$levels) NULL else as.numeric(seen),
               effect = effects_at(fit, rows, name, at$values)))
  })
  list(effects = effects, names = effect_names(fit), rows = nrow(rows$data), of = nrow(data))
}

# Those that have a prediction, with their offset where one is given.
effect_rows <- function(fit, data, newoffset) {
  scores <- named_as("data", score_rows(fit, data, newoffset))
  known <- which(stats::complete.cases(as.matrix(scores)))
  if (length(known) == 0L) {
    abort_input("`data` has no row with a prediction; give some without missing values.", "data")
  }
  list(data = data[known, , drop = FALSE], offset = newoffset[known],
       scores = as.data.frame(unname_rows(as.matrix(scores)))[known, , drop = FALSE])
}

# Evenly over the rows in the order of their decision values, whatever order they come in.
averaged_rows <- function(fit, rows) {
  n <- nrow(rows$data)
  if (!has_kernel(fit) || n <= most_kernel_rows) {
    return(rows)
  }
  by <- do.call(order, unname(as.list(rows$scores)))
  at <- by[ceiling(n * stats::ppoints(most_kernel_rows))]
  list(data = rows$data[at, , drop = FALSE], offset = rows$offset[at])
}

# Numbers of a few values are these, of many an even grid over their range; what is no number, or is
# made a factor by the formula, is the levels that the rows have. In the type of the column.
effect_points <- function(fit, seen, name, size) {
  distinct <- sort(unique(seen))
  levels <- !counts_as_numbers(seen) || name %in% factor_variables(fit)
  few <- levels || length(distinct) <= min(size, 10L)
  list(values = if (few) distinct else
    seq(distinct[1L], distinct[length(distinct)], length.out = size), levels = levels)
}

counts_as_numbers <- function(seen) !(is.factor(seen) || is.character(seen) || is.logical(seen))

# Those in a term that the model codes by levels, as factor(year).
factor_variables <- function(fit) {
  if (is.null(fit$terms)) {
    return(NULL)
  }
  parts <- as.list(attr(fit$terms, "variables"))[-1L]
  coded <- names(attr(fit$terms, "dataClasses")) %in% coded_variables(fit$terms)
  unlist(lapply(parts[coded], all.vars))
}

effects_at <- function(fit, rows, name, values) {
  k <- length(effect_names(fit))
  means <- vapply(seq_along(values), function(i) {
    set <- with_variable(rows$data, name, rep(values[i], nrow(rows$data)))
    colMeans(answered(fit, score_rows(fit, set, rows$offset)))
  }, numeric(k))
  matrix(means, length(values), byrow = TRUE, dimnames = list(NULL, effect_names(fit)))
}

# What is averaged: numbers of a regression, probabilities where there are some, else decision
# values. A column for each class that has its own.
answered <- function(fit, scores) {
  scores <- unname_rows(scores)
  if (fit$task == "regression") {
    return(as.matrix(present_scores(fit, scores, "response")))
  }
  if (!averages_prob(fit)) {
    return(as.matrix(scores))
  }
  prob <- prob_of_fit(fit, scores)
  if (ncol(prob) == 2L) prob[, 2L, drop = FALSE] else prob
}

averages_prob <- function(fit) fit$task == "classification" && has_probabilities(fit)

# NA: there is one, and it has no name of its own.
effect_names <- function(fit) {
  classes <- problem_classes(fit)
  if (is.null(classes)) NA_character_ else classes
}

# By the standard deviation of the average over the values of the rows: twenty quantiles of a
# number, the shares of levels.
strongest_variables <- function(fit, rows, variables, top) {
  data <- rows$data
  rows <- averaged_rows(fit, rows)
  strength <- vapply(variables, function(name) {
    seen <- sort(variable_values(data, name))
    at <- effect_points(fit, seen, name, 25L)
    if (!at$levels) {
      seen <- seen[ceiling(length(seen) * stats::ppoints(20L))]
      at$values <- unique(seen)
    }
    share <- tabulate(match(seen, at$values)) / length(seen)
    effect <- effects_at(fit, rows, name, at$values)
    sqrt(max(colSums(share * sweep(effect, 2L, colSums(share * effect))^2)))
  }, 0)
  utils::head(variables[order(-strength)], top)
}

# One data frame of all: `value` of numbers, `level` of what is none.
effects_table <- function(found) {
  rows <- lapply(names(found$effects), function(name) {
    one <- found$effects[[name]]
    levels <- one$levels
    m <- length(one$values)
    k <- length(found$names)
    data.frame(variable = name,
               value = rep(if (levels) rep(NA_real_, m) else as.numeric(one$values), k),
               level = rep(if (levels) as.character(one$values) else rep(NA_character_, m), k),
               class = rep(found$names, each = m), effect = as.vector(one$effect))
  })
  without_row_names(do.call(rbind, rows))
}
