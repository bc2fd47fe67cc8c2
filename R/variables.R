# The variables of a model, as the user gives them to predict(), and rows in which one of them is
# another: what importance() and plot(which = "effects") ask of any fit.

# Columns of the data of a formula fit, of other fits their features.
model_variables <- function(fit) {
  if (is.null(fit$terms)) fit$features else required_variables(fit$terms)
}

chosen_variables <- function(fit, variables) {
  known <- model_variables(fit)
  if (is.null(variables)) {
    return(known)
  }
  if (!is.character(variables) || length(variables) == 0L) {
    abort_input(sprintf("`variables` is %s, but must be NULL or names such as %s.",
                        show_value(variables), quote_list(known, 3L)), "variables")
  }
  for (name in variables) assert_choice(name, known, "variables")
  unique(variables)
}

# Rows of which columns can be taken and set by name, whatever they came in. Its columns are those
# of the fit where neither has names.
rows_of_variables <- function(fit, data, arg = "data") {
  if (is.null(data)) {
    abort_input(sprintf("`%s` is missing; a fit does not keep its rows, give some.", arg), arg)
  }
  assert_matrix(data, arg)
  if (is_rows(data)) {
    abort_input(sprintf(
      "`%s` are rows in a file, of which no column can be changed; give some of them in memory.",
      arg
    ), arg)
  }
  if (is.data.frame(data)) {
    return(as.data.frame(data))
  }
  if (!is.matrix(data) && !isS4(data)) {
    abort_input(sprintf("`%s` is %s, but must be a matrix or data frame of the features.", arg,
                        show_value(data)), arg)
  }
  if (methods::is(data, "dgRMatrix")) data <- methods::as(data, "CsparseMatrix")
  if (is.null(colnames(data)) && ncol(data) == length(fit$features)) {
    colnames(data) <- fit$features
  }
  data
}

variable_values <- function(data, name) {
  if (is.data.frame(data)) data[[name]] else as.vector(data[, name])
}

with_variable <- function(data, name, values) {
  if (is.data.frame(data)) data[[name]] <- values else data[, name] <- values
  data
}

# A variable may be a matrix, as that of poly() kept in a data frame.
permuted_variable <- function(data, name, order) {
  values <- variable_values(data, name)
  with_variable(data, name, if (is.null(dim(values))) values[order] else
    values[order, , drop = FALSE])
}
