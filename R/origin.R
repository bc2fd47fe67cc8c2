# Where the rows of the solved problem had their origin.
#
# With a free intercept the core moves columns that are far from the origin for their spread, and
# affine and isotropic kernels move with the rows; the user's intercept b - sum_j w_j c_j is then as
# large as what it takes away from w'x, and the sum of the two has lost the digits of z. A fit
# therefore keeps c and b as well, and decision values are w'(x - c) + b, the ones that the
# certificate is of; coef() is for reading.

# `center`: of the columns, empty where none was moved; `intercept`: that of the moved rows, one for
# each class, of a path one for each point, as a list by class where there are several. NULL: the
# rows are those of the user.
fit_origin <- function(result, has_intercept) {
  new_origin(result, if (has_intercept) {
    unname(unlist(lapply(result$solutions, `[[`, "near")))
  })
}

path_origin <- function(result, has_intercept, levels) {
  near <- lapply(result$solutions, function(path) unlist(lapply(path, `[[`, "near")))
  # one problem of all classes of a kernel has no moved rows, and nothing to keep
  new_origin(result, if (has_intercept && length(unlist(near)) > 0L) {
    if (is.null(levels)) near[[1L]] else stats::setNames(near, levels)
  })
}

new_origin <- function(result, intercept) {
  center <- as.numeric(result$origin)
  moved <- any(center != 0)
  # of a kernel it is known that nothing was moved
  if (!moved && is.null(result$sigma)) {
    return(NULL)
  }
  list(center = if (moved) center else numeric(), intercept = intercept)
}

# What scores are made of: a matrix of coefficients, or for a path of several classes a list of
# them, with the intercept of the moved rows.
scoring_coefficients <- function(model) {
  near <- model$origin$intercept
  all <- if (inherits(model, "margin_path")) model$coefficients else coef_matrix(model)
  if (length(near) == 0L) {
    return(all)
  }
  put <- function(one, intercept) {
    one[1L, ] <- intercept
    one
  }
  if (is.list(all)) Map(put, all, near[names(all)]) else put(all, near)
}

# Rows as the coefficients of columns see them; sparse ones stay sparse, since a column with zeros
# is never moved.
moved_rows <- function(model, x) {
  if (is.null(model$origin)) x else subtract_columns(x, model$origin$center)
}
