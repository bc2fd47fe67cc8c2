# margin_path(): a family at many points, one call into C++ for all.

#' Regularisation paths with certificates
#'
#' @description
#' Fits a model for a sequence of penalties, each started from the one before, and certifies every
#' fit. `family` chooses the model and what varies: `lambda`, or `radius` (robust), `rate`
#' (augmented), `nu` (one-class). The data are read and scaled once.
#' ```r
#' path <- margin_path(type ~ ., data = train, loss = "logistic")
#' plot(path)
#' ```
#'
#' @details
#' Each point is the problem of [margin_linear()], [margin_kernel()], [margin_robust()],
#' [margin_augmented()] or [margin_oneclass()]. `lambda`, `radius` and `nu` fall along the sequence,
#' `rate` rises. For several values of `mixture` there is one such path each.
#'
#' @section The sequence of lambda:
#' With `lambda = NULL` it has `n_lambda` values, evenly spaced on a logarithmic scale from a first
#' one down to `lambda_min_ratio` times that.
#'
#' * `mixture > 0`: it starts at
#'   \deqn{\lambda_{\max} = \max_j |u_j| / \mathrm{mixture}, \qquad
#'     u = \frac1W \sum_i \omega_i a_i x_i,}{
#'     lambda_max = max_j |u_j| / mixture,   u = 1/W sum_i omega_i a_i x_i,}
#'   with the slopes \eqn{a_i = \phi'(b, y_i)} of the null model (\eqn{w = 0}, \eqn{b} optimal) and
#'   \eqn{x_i} on the scaled columns. It is the smallest `lambda` at which all penalised
#'   coefficients are zero, raised by one part in \eqn{10^9} to be safe from rounding. A penalised
#'   intercept counts as one more coefficient. The plain hinge has many slopes at its null model;
#'   one is taken that is spread evenly over the rows of the heavier class, so that all coefficients
#'   are zero at the first `lambda`, perhaps also below it.
#' * `mixture = 0`: no `lambda` makes coefficients zero. The sequence starts at
#'   \deqn{\frac{1}{\gamma W} \sum_i \omega_i |x_i|_2^2,}{1/(gamma W) sum_i omega_i |x_i|^2,}
#'   a bound on the curvature of the mean loss (\eqn{\gamma} of the loss, 1 for the hinge), where
#'   every direction is shrunk to half or less. Where the intercept is free, columns that lie far
#'   from the origin are counted from near their mean.
#'
#' Several classes share one sequence, that of the class with the largest first value.
#'
#' A kernel path has the kernel's \eqn{k(x_i, x_i)} instead of \eqn{|x_i|_2^2} and 20 values
#' down to 1e-4 times the first. It keeps the rows that any of its points uses; `coefficients` are
#' those of rows, and `df` is their number.
#'
#' @section The sequence of radii:
#' With `radius = NULL` it has `n_radius` values, evenly spaced on a logarithmic scale, from
#' \deqn{\epsilon_{\max} = \min(|v|_p,\; \kappa / 2), \qquad v = \frac1W \sum_i \omega_i y_i x_i,}{
#'   radius_max = min(|v|_p, kappa / 2),   v = 1/W sum_i omega_i y_i x_i,}
#' down to `radius_min_ratio` times that. From that radius on \eqn{w = 0} is optimal where the
#' intercept is not free; a free intercept balances the classes in \eqn{v} first.
#'
#' @section The sequence of rates:
#' An augmented path has the values of `rate`, from 0 to 0.5 in steps of 0.1 unless given, and
#' `perturbation` is a function that makes a perturbation from one of them: [perturb_dropout()], or
#' for example `function(r) perturb_rescale(r)`. Its `lambda` is one number. The tolerance is that
#' of the last point.
#'
#' @section The sequence of nu:
#' A one-class path takes rows without a response. With `nu = NULL` it has `n_nu` values, 20 unless
#' given, evenly spaced on a logarithmic scale from 1/2 down to `nu_min_ratio` times that, 0.02
#' unless given. It has a `boundary`, `square` and `radius` for each point, as [margin_oneclass()]
#' has them.
#'
#' @param family `"linear"`, `"kernel"`, `"robust"`, `"augmented"` or `"oneclass"`. A kernel path
#'   takes the arguments of [margin_kernel()] and those of the sequence of lambda, a robust path the
#'   arguments of [margin_robust()] and, for its sequence, `radius`, `n_radius` and
#'   `radius_min_ratio`, and an augmented path those of [margin_augmented()] and `rate`, a one-class
#'   path those of [margin_oneclass()] and `nu`, `n_nu` and `nu_min_ratio`, by name.
#' @param x,y,formula,data,loss,intercept,scale,weights,class_weights,solver,subset,na.action
#'   As for [margin_linear()].
#' @param contrasts,sparse,response_scale,multiclass,offset As for [margin_linear()].
#' @param penalty_factor,lower,upper As for [margin_linear()].
#' @param lambda Positive numbers, sorted for the run, the largest first; two equal ones are an
#'   error. `NULL` chooses them from the data.
#' @param n_lambda Length of the sequence that `lambda = NULL` chooses, for each `mixture`. A path
#'   has at most 10,000 points.
#' @param lambda_min_ratio The last of the chosen values as a share of the first, strictly between
#'   0 and 1. `NULL` means 1e-3 where `mixture > 0` (1e-2 where more columns vary than rows are
#'   distinct), and 1e-6 for a ridge.
#' @param mixture Shares of the \eqn{\ell_1}{l1} norm in the penalty, one or more, from 0 (ridge) to
#'   1 (lasso). Every `lambda` is solved for every `mixture`, in that order.
#' @param control How each point is computed, see [margin_control()]; its tolerance and limits are
#'   those of one point, its `start` is that of the first point of each `mixture`
#'   (where `lambda = NULL` and `mixture > 0` that point is the null model and needs none).
#' @param ... Not used; an unknown argument is an error. There is no `cost`; give
#'   \eqn{\lambda = 1/(W\,\mathrm{cost})}{lambda = 1/(W cost)}.
#' @return A list of class `"margin_path"`. Its L points are in the order in which they were solved:
#'   * `lambda`, `mixture` (for a robust path `radius`, for an augmented one `rate`, for a one-class
#'     one `nu`): of each point, length L;
#'   * `coefficients`: a matrix of one column per point, the intercept first, on the scale of `x`;
#'     for more than two classes a list of such matrices named by level. A large matrix that is
#'     mostly zero (over 100 000 entries, less than a third of them used) is a dgCMatrix;
#'   * `df`: the number of features with a coefficient that is not zero, for any class;
#'   * `certificate`: a row per point: `kind`, `class` (the worst one), `lambda` and `mixture` (or
#'     `radius`, `rate` or `nu`), `value`, `bound`, `gap`, `relative_gap`, `tol`,
#'     `certified`, see [certificate()];
#'   * `status`: a row per point: how it ended, and `epochs`, `steps` and `seconds`, summed over
#'     classes;
#'   * `by_class`: both for every point and class;
#'   * settings, scales and what prediction needs.
#'
#'   Decision values and dual variables are not kept. For a whole fit at one of the points call
#'   [margin_linear()] with that `lambda` and `mixture`.
#' @section Errors and warnings:
#' As for [margin_linear()]. If any point misses the tolerance there is one warning of class
#' `dualmargin_not_certified` that counts them and names the worst.
#' @references
#' Friedman J, Hastie T, Tibshirani R (2010). Regularization paths for generalized linear models via
#' coordinate descent. *Journal of Statistical Software* 33(1), 1-22. \doi{10.18637/jss.v033.i01}.
#' @seealso [margin_path-methods] for what to do with a path; [margin_linear()], [margin_kernel()],
#'   [margin_robust()], [margin_augmented()], [margin_oneclass()].
#' @examples
#' train <- seq(1, nrow(spambase), by = 4)
#' test <- spambase[-train, ]
#' path <- margin_path(type ~ ., data = spambase[train, ], loss = "logistic", mixture = 1,
#'                     n_lambda = 20)
#' path
#' plot(path)
#' coef(path, lambda = path$lambda[5])[1:4, ]
#' classes <- predict(path, test, lambda = path$lambda[c(5, 10, 20)])
#' vapply(classes, function(class) mean(class == test$type), 0)
#'
#' # given values, a sparse matrix, two mixtures
#' grid <- margin_path(a1a$x, factor(a1a$y), lambda = 10^-(1:3), mixture = c(0.5, 1))
#' certificate(grid)
#'
#' # a robust path: what guarding against moved data costs, and what it brings on other rows
#' robust <- margin_path(type ~ ., data = spambase[train, ], family = "robust", norm = "l2",
#'                       scale = TRUE, n_radius = 8)
#' plot(robust, which = "risk", data = test)
#'
#' # a kernel path, and its error on other rows
#' smooth <- margin_path(type ~ ., data = spambase[train[c(TRUE, FALSE, FALSE)], ],
#'                       family = "kernel", n_lambda = 10)
#' plot(smooth, which = "risk", data = test)
#'
#' # how much dropout?
#' drop <- margin_path(type ~ ., data = spambase[train, ], family = "augmented", rate = c(0, 0.2),
#'                     lambda = 0.01, scale = TRUE)
#' plot(drop, which = "risk", data = test)
#' @usage NULL
#' @export
margin_path <- function(x, ..., family = "linear") {
  assert_choice(family, names(path_families()), "family")
  if (family != "linear") {
    call <- sys.call()
    call[[1L]] <- path_of_family
    return(eval(call, parent.frame()))
  }
  UseMethod("margin_path", leading_argument(x, ...))
}

#' @rdname margin_path
#' @export
margin_path.matrix <- function(x, y, lambda = NULL, n_lambda = 50, lambda_min_ratio = NULL,
                               loss = NULL, mixture = 0, intercept = "free",
                               scale = TRUE, weights = NULL, class_weights = NULL,
                               solver = "auto", control = margin_control(),
                               response_scale = TRUE, multiclass = "auto",
                               offset = NULL, penalty_factor = NULL, lower = NULL, upper = NULL,
                               ..., family = "linear") {
  assert_response_given(missing(y))
  call <- match.call()
  force(x)
  dots <- list(...)
  removable <- missing(intercept)
  n_given <- !missing(n_lambda)
  on_ranks(control, function(control) {
    refuse_cost(dots)
    design <- matrix_design("linear", x, y, weights, call, dots, offset, on_several_ranks(control),
                            path = TRUE)
    grid <- sequence_grid("lambda", lambda, n_lambda, lambda_min_ratio, 50L, n_given,
                          mixture = mixture)
    intercept <- formula_intercept(design, intercept, removable)
    fit_linear_path(design, linear_settings(
      loss, NULL, max(grid$mixture), intercept, scale, class_weights, solver, control, NULL,
      response_scale, multiclass, penalty_factor, lower, upper
    ), grid)
  })
}

#' @rdname margin_path
#' @usage NULL
#' @export
margin_path.Matrix <- margin_path.matrix

#' @rdname margin_path
#' @usage NULL
#' @export
margin_path.data.frame <- margin_path.matrix

#' @rdname margin_path
#' @usage \special{margin_path(formula, data, \dots, weights, subset, na.action, contrasts, sparse)}
#' @export
margin_path.formula <- function(formula, data, ..., weights, subset, na.action, contrasts = NULL,
                                sparse = FALSE, family = "linear") {
  margin_path.matrix(formula_design("linear", match.call(), parent.frame(), data, contrasts, sparse,
                                    path = TRUE), NULL, ...)
}

#' @rdname margin_path
#' @usage NULL
#' @export
margin_path.margin_rows <- function(x, ..., family = "linear") {
  margin_path.matrix(file_design("linear", x, match.call(), list(...), path = TRUE), NULL, ...)
}

#' @export
margin_path.default <- function(x, ..., family = "linear") margin_linear.default(x)

# ---- Any other family, by its row of families() ----

# The rows are evaluated once, where the class of the first argument decides on the method.
path_of_family <- function(x, ..., family) {
  UseMethod("path_of_family", leading_argument(x, ...))
}

#' @export
path_of_family.matrix <- function(x, ..., family) {
  call <- sys.call()
  called <- called_by(family, path = TRUE)
  path <- called$of_matrix(x, ...)
  call$family <- NULL
  call <- match.call(called$of_matrix, call, envir = parent.frame())
  call$family <- family
  path$call <- compact_call(public_call(call, called$name))
  path
}

#' @export
path_of_family.Matrix <- path_of_family.matrix

#' @export
path_of_family.data.frame <- path_of_family.matrix

#' @export
path_of_family.formula <- function(formula, data, ..., weights, subset, na.action,
                                   contrasts = NULL, sparse = FALSE, family) {
  design <- formula_design(family, match.call(), parent.frame(), data, contrasts, sparse,
                           path = TRUE)
  of <- families()[[family]]$path
  if (is_labelled(family)) of$of_matrix(design, NULL, ...) else of$of_matrix(design, ...)
}

#' @export
path_of_family.default <- function(x, ..., family) margin_linear.default(x)

refuse_cost <- function(dots) {
  if (any(c("cost", "C") %in% names(dots))) {
    abort_input(
      "`cost` is not an argument of margin_path(); give `lambda`, which is 1/(W cost).", "cost"
    )
  }
}

# The points of a path.

# The values of `along` that were asked for: `values`, NULL or sorted, the largest first, and what
# makes a sequence: its size, which is `usual` unless given, and the share of its last value.
sequence_grid <- function(along, values, size, ratio, usual, size_given, positive = TRUE,
                          mixture = 0) {
  size_name <- paste0("n_", along)
  ratio_name <- paste0(along, "_min_ratio")
  assert_number(size, size_name, lower = 0, whole = TRUE,
                remedy = sprintf("the default is %d", usual))
  assert_count(size, most_points, size_name, "points")
  if (!is.null(ratio)) {
    assert_number(ratio, ratio_name, lower = 0, upper = 1,
                  remedy = sprintf("the last %s as a share of the first", along))
  }
  assert_values(mixture, "mixture", function(v) v >= 0 & v <= 1, "numbers from 0 to 1")
  if (!is.null(values)) {
    assert_values(values, along, if (positive) function(v) v > 0 else function(v) v >= 0,
                  if (positive) "positive finite numbers" else "finite numbers from 0 on")
    assert_size_of(values, along)
    extra <- c(if (size_given) size_name, if (!is.null(ratio)) ratio_name)
    if (length(extra) > 0L) {
      abort_input(sprintf("`%s` makes a sequence, but `%s` gives one; leave one of them out.",
                          extra[1L], along), extra[1L])
    }
    values <- sort(as.double(values), decreasing = TRUE)
    size <- length(values)
  }
  assert_count(size * length(mixture), most_points, if (length(mixture) > 1L) "mixture" else along,
               "points")
  list(values = values, n = size, ratio = ratio, mixture = as.double(mixture))
}

# The geometric sequence of a path without a mixture, in units of its first value where that is left
# to the data.
sequence_values <- function(grid, ratio) {
  if (!is.null(grid$values)) {
    return(grid$values)
  }
  if (!is.null(grid$ratio)) ratio <- grid$ratio
  ratio^seq(0, 1, length.out = grid$n)
}

# The last value as a share of the first, of a linear path. wide: has_more_columns(), asked only
# where it matters.
default_ratio <- function(grid, mixture, wide) {
  if (!is.null(grid$ratio)) grid$ratio else
    if (mixture == 0) 1e-6 else if (wide) 1e-2 else 1e-3
}

# More columns that vary than distinct rows? Over ranks, each of which sees its own rows alone,
# all of the columns and of the rows with weight.
has_more_columns <- function(problem) {
  ranks <- meeting_of(problem$settings)
  if (!is.null(ranks)) {
    return(total_over(ranks, sum(problem$omega > 0)) < ncol(problem$design$x))
  }
  size <- distinct_size(problem$design$x, problem$omega)
  size$rows < size$columns
}

# lambda and mixture of every point. A lambda that is chosen comes in units of the first one, which
# the core finds; see src/linear/path_scale.h.
path_points <- function(grid, wide) {
  sequence <- function(mixture) {
    if (!is.null(grid$values)) {
      return(grid$values)
    }
    above_rounding <- if (mixture == 0) 1 else 1 + 1e-9
    above_rounding * sequence_values(grid, default_ratio(grid, mixture, wide))
  }
  lambda <- lapply(grid$mixture, sequence)
  new_table(lambda = unlist(lambda), mixture = rep(grid$mixture, lengths(lambda)))
}

# The one constructor of a path, and how it ended.

# points: a data frame whose columns define a point (lambda and mixture, or the radius), its rows in
# the order of the solution. result$solutions: for each class problem the points in that order;
# terms: what the coefficients belong to.
new_margin_path <- function(family, problem, points, result, terms = problem$design$features) {
  design <- problem$design
  settings <- problem$settings
  response <- problem$response
  levels <- problem_classes(response)
  ranks <- meeting_of(settings)
  settings[names(points)] <- list(NULL)
  joint <- is_joint(problem)
  # one problem of all classes has one certificate a point, which its first class carries
  by_class <- path_by_class(if (joint) result$solutions[1L] else result$solutions, points,
                            if (!joint) levels, settings$tol,
                            certificate_assumes(settings$kernel, result))
  worst <- worst_of_points(by_class, nrow(points))
  places <- lapply(seq_len(nrow(points)), function(i) {
    unique(unlist(lapply(result$solutions, function(path) path[[i]]$place)))
  })
  path <- new_object(
    c(as.list(points), list(
      coordinates = names(points),
      coefficients = path_coefficients(result$solutions, terms,
                                       has_constant(settings), point_labels(points), levels),
      df = lengths(places),
      certificate = worst[c("kind", "class", names(points), certificate_numbers)],
      status = path_status(by_class, worst, names(points)), by_class = by_class,
      settings = recorded_settings(settings),
      scales = stats::setNames(result$scales, design$features), response_scale = problem$unit,
      center = column_centre(result, design$features),
      origin = path_origin(result, has_constant(settings), levels),
      response_center = response_centre(result),
      features = design$features, levels = response$levels, response = response$response[0L],
      response_type = response$type, task = response$task, nrow = total_over(ranks, nrow(design$x)),
      fingerprint = fingerprint_of(design$x, response$response, problem$weights, design$hash),
      nobs = total_over(ranks, sum(problem$weights > 0)),
      terms = design$terms, xlevels = design$xlevels, contrasts = design$contrasts,
      na.action = design$na.action, sparse = design$sparse, interface = design$interface,
      call = compact_call(design$call)
    )),
    c(paste0("margin_path_", family), "margin_path")
  )
  path$asked <- settings$asked
  path$taken <- design$taken
  if (!"response_scale" %in% names(settings)) path$response_scale <- NULL
  path
}

# The columns that define the points of a path.
points_of <- function(path, at = seq_len(nrow(path$certificate))) {
  path$certificate[at, path$coordinates, drop = FALSE]
}

certificate_numbers <- c("value", "bound", "gap", "relative_gap", "tol", "certified", "assumes")

# A row for each point and class, the classes of a point together.
path_by_class <- function(solutions, points, levels, tol, assumes) {
  k <- length(solutions)
  of_point <- rep(seq_len(nrow(points)), each = k)
  flat <- unname(unlist(do.call(Map, c(list(list), unname(solutions))), recursive = FALSE))
  number <- function(name) vapply(flat, function(s) as.double(s[[name]]), 0)
  text <- function(name) vapply(flat, function(s) s[[name]], "")
  value <- number("value")
  bound <- number("bound")
  gap <- number("gap")
  relative_gap <- relative_gap(value, bound, gap, number("null_value"))
  kind <- vapply(flat, certificate_kind, "")
  do.call(new_table, c(
    list(kind = kind, class = if (is.null(levels)) NA_character_ else rep(levels, nrow(points))),
    lapply(points, `[`, of_point),
    list(value = value, bound = bound, gap = gap, relative_gap = relative_gap, tol = tol,
         certified = text("status") == "certified", assumes = assumes, status = text("status"),
         rounding_floor = number("rounding_floor"), solver = text("solver"), epochs = number("epochs"),
         steps = number("steps"), seconds = number("seconds"), df = lengths(lapply(flat, `[[`, "place")))
  ))
}

# The worst row of each point.
worst_of_points <- function(by_class, points) {
  rows <- seq_along(by_class$certified)
  of_point <- split(rows, rep(seq_len(points), each = length(rows) %/% points))
  row <- vapply(of_point, function(at) at[worst_of(lapply(by_class, `[`, at))], 0L)
  do.call(new_table, lapply(by_class, `[`, unname(row)))
}

path_status <- function(by_class, worst, coordinates) {
  total <- function(name) colSums(matrix(by_class[[name]], ncol = nrow(worst)))
  do.call(new_table, c(worst[c(coordinates, "class", "status", "rounding_floor", "solver")],
                       list(epochs = total("epochs"), steps = total("steps"), seconds = total("seconds"))))
}

# A column for each point: a matrix, or a list of them by class.
path_coefficients <- function(solutions, features, has_intercept, labels, levels) {
  rows <- c(if (has_intercept) "(Intercept)", features)
  cells <- length(rows) * length(labels)
  used <- sum(vapply(unlist(solutions, recursive = FALSE), function(s) length(s$place), 0L))
  sparse <- cells > 1e5 && used < cells * length(solutions) / 3
  one <- function(path) {
    entries <- lapply(path, function(s) {
      list(row = c(if (has_intercept) 1L, s$place + has_intercept),
           value = c(if (has_intercept) s$intercept, s$coefficients))
    })
    row <- unlist(lapply(entries, `[[`, "row"))
    value <- as.double(unlist(lapply(entries, `[[`, "value")))
    column <- rep(seq_along(entries), vapply(entries, function(e) length(e$row), 0L))
    size <- c(length(rows), length(labels))
    if (sparse) {
      return(Matrix::sparseMatrix(i = row, j = column, x = value, dims = size,
                                  dimnames = list(rows, labels)))
    }
    all <- matrix(0, size[1L], size[2L], dimnames = list(rows, labels))
    all[cbind(row, column)] <- value
    all
  }
  all <- lapply(solutions, one)
  if (is.null(levels)) all[[1L]] else stats::setNames(all, levels)
}

# "0.01", or "0.01, mixture 0.5" where there are several, with as many digits as tell them apart.
point_labels <- function(points) {
  second <- if (length(points) > 1L && length(unique(points[[2L]])) > 1L) points[[2L]]
  for (digits in 4:17) {
    text <- vapply(points[[1L]], format, "", digits = digits)
    if (!is.null(second)) {
      text <- paste0(text, ", ", names(points)[2L], " ",
                     vapply(second, format, "", digits = digits))
    }
    if (anyDuplicated(text) == 0L) break
  }
  text
}

signal_path_outcome <- function(path, problem) {
  assert_finite_outcome(path$by_class$status, path, path$by_class$class)
  if (is.null(meeting_of(problem$settings))) path$cause <- likely_cause(path, problem)
  missed <- sum(!path$certificate$certified)
  if (missed > 0L) {
    worst <- worst_of(path$certificate)
    row <- path$certificate[worst, ]
    place <- sprintf("Not certified at %d of %s; the worst is %s:", missed,
                     count(nrow(path$certificate), "point"), describe_point(path, worst))
    do.call(signal_not_certified, c(list(place, row, path$status[worst, ], path),
                                    as.list(points_of(path, worst)), missed = missed))
  }
  path
}

# "lambda = 0.01", with the mixture where there are several.
describe_point <- function(path, i) {
  point <- points_of(path, i)
  told <- vapply(names(point), function(name) {
    name == path$coordinates[1L] || length(unique(path[[name]])) > 1L
  }, NA)
  paste(sprintf("%s = %s", names(point), vapply(point, format, "", digits = 4))[told],
        collapse = ", ")
}
