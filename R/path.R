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
#' A kernel path has the kernel's \eqn{k(x_i, x_i)} in the place of \eqn{|x_i|_2^2} and 20 values
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
  if (missing(x)) UseMethod("margin_path", leading_argument(...)) else UseMethod("margin_path")
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
  if (missing(x)) UseMethod("path_of_family", leading_argument(...)) else UseMethod("path_of_family")
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
