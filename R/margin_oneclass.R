#' One-class support vector machine with a certificate
#'
#' @description
#' Finds unusual rows, without labels: estimates the region where most rows lie.
#' ```r
#' fit <- margin_oneclass(~ ., data = train, nu = 0.1)
#' predict(fit, test)
#' ```
#' The fit comes with a *certificate*, which bounds its *suboptimality*. A certificate says nothing
#' about how well new outliers are recognised.
#'
#' @details
#' The problem of Scholkopf and others (2001), with weights: for a share \eqn{\nu} in (0, 1] and
#' \eqn{W = \sum_i \omega_i}{W = sum_i omega_i},
#' \deqn{\min_{f, \rho}\; P(f, \rho) = \frac12 |f|_H^2 - \rho + \frac{1}{\nu W} \sum_i \omega_i
#'   \max(0, \rho - f(x_i)).}{
#'   min over f, rho of P(f, rho) = 1/2 |f|_H^2 - rho
#'     + 1/(nu W) sum_i omega_i max(0, rho - f(x_i)).}
#' A row is an inlier where its decision value \eqn{f(x) - \rho}{f(x) - rho} is 0 or more. At the
#' optimum the rows with a negative decision value have at most the share \eqn{\nu} of the weight,
#' and the support vectors, the rows with \eqn{a_i > 0}{a_i > 0}, at least that share.
#'
#' @section Rows on the boundary:
#' At the optimum many rows lie on the boundary: their decision value is 0, and that
#' of a fit, perhaps -1e-9, is the error of the fit. \eqn{P} and \eqn{D} are strongly convex and
#' concave in \eqn{f}, so with the certified `gap` \eqn{|f(x) - f^\star(x)| \le \sqrt{gap\, k(x,
#' x)}}{|f(x) - f*(x)| <= sqrt(gap k(x, x))}, and \eqn{\rho}, a weighted quantile of the
#' \eqn{f(x_i)}{f(x_i)}, moves by no more than the largest of these. A decision value within the sum
#' of the two, `fit$boundary` = \eqn{2 \sqrt{gap\, \max_i k(x_i, x_i)}}{2 sqrt(gap max k(x_i,
#' x_i))}, of 0 may have either sign at the optimum: such a row counts as an inlier, in `predict()`
#' too, and `print()` says how many there are. A smaller `tol` leaves fewer. A fit that is not
#' certified knows no such error, and its `boundary` is 0.
#'
#' @section Support vector data description:
#' Where \eqn{k(x, x)} is the same for all rows, as for [kernel_rbf()] and [kernel_laplace()], whose
#' rows have \eqn{k(x, x) = 1}{k(x, x) = 1}, this is the problem of the smallest ball of Tax and
#' Duin (2004), \deqn{\min_{c, R}\; R^2 + \frac{1}{\nu W} \sum_i \omega_i \max(0, |\phi(x_i) -
#' c|^2 - R^2),}{min over c, R of R^2 + 1/(nu W) sum_i omega_i max(0, |phi(x_i) - c|^2 - R^2),} in
#' the space of the kernel, with the same inliers: the centre is \eqn{c = f}, the radius \eqn{R =
#' \sqrt{1 +
#' |f|_H^2 - 2 \rho}}{R = sqrt(1 + |f|^2 - 2 rho)}, and a row lies \eqn{\sqrt{1 + |f|_H^2 - 2
#' f(x)}}{sqrt(1 + |f|^2 - 2 f(x))} from the centre. `fit$radius` and `summary()` give the radius,
#' and `predict(fit, newdata, type = "distance")` the distances.
#'
#' @section Certificate:
#' For \eqn{0 \le a_i \le \omega_i / (\nu W)}{0 <= a_i <= omega_i / (nu W)}
#' with \eqn{\sum_i a_i = 1}{sum_i a_i = 1} the optimum is at least \deqn{D(a) = -\frac12 \sum_{i,j}
#' a_i a_j k(x_i, x_j).}{D(a) = -1/2 sum_ij a_i a_j k(x_i, x_j).} The fit is \eqn{f = \sum_i a_i
#' k(x_i, \cdot)}{f = sum_i a_i k(x_i, .)} with the best \eqn{\rho}{rho} for it. Value and bound are
#' recomputed there from kernel values in double precision; both are negative or 0, since no
#' \eqn{a'Ka}{a'Ka} of a positive semidefinite kernel is negative: a kernel that is given as values
#' or as a function is checked, see [kernels]. How far rounding, also that of
#' \eqn{\sum_i a_i}{sum_i a_i}, can have moved them is part of the gap.
#'
#' @section Origin:
#' With `kernel = "linear"` rows are separated from the origin by a half-space: columns are divided by
#' their standard deviations where `scale = TRUE`, but never centred, and where the origin lies
#' among the rows the optimum is 0 and says nothing. Such a fit cannot be certified, whatever `tol`
#' is, and says so: no gap is a small share of 0, and no unit of the rows makes it one. Kernels of
#' distances, as the default, do not see the origin.
#'
#' @param x A numeric matrix, a matrix of package Matrix (sparse ones stay sparse) or a data frame:
#'   n rows, p columns. With [kernel_precomputed()] the n x n matrix of kernel values.
#' @param formula,data A formula without a response, such as `~ .`, and the data frame it refers to.
#' @param nu The share \eqn{\nu}, above 0 and at most 1.
#' @param kernel A kernel as for [margin_kernel()]; the default is the radial one, with the median
#'   heuristic for its width (see [kernels]).
#' @param scale Divide each column by its standard deviation for the fit? Not for a precomputed
#'   kernel.
#' @param weights How often each row counts: n numbers, none negative. A weight of 2 is a row that
#'   is there twice.
#' @param subset,na.action,contrasts,sparse As for [margin_linear()].
#' @param control How the fit is computed, see [margin_control()]; a `start` is a fit of
#'   [margin_oneclass()] to the same rows. `solver_options` are `shrinking` and `cache_mb`, those of
#'   solver `"smo"` of [margin_kernel()].
#' @param ... Not used; an unknown argument is an error.
#' @return An object of class `c("margin_oneclass", "margin_fit")` as [margin_fit-methods] describes
#'   it. Its `coefficients` are the intercept \eqn{-\rho}{-rho} and the \eqn{a_i} of the support
#'   vectors, its `dual` the \eqn{a_i} of all rows, its `levels` `outlier` and `inlier`; it has no
#'   `response`. Beside what all fits have: `rho`; `square`, which is \eqn{|f|_H^2}{|f|^2}; `radius`
#'   (`NA` where the kernel has no ball, see above); `boundary`, see above; `outside`, the share of
#'   the weight of the outliers; `support`, the rows that the coefficients belong to. Its own
#'   methods are in [margin_oneclass-methods].
#' @section Errors and warnings:
#' Bad input is an error of class `dualmargin_input_error`; a fit that is not certified a warning of
#' class `dualmargin_not_certified`.
#' @references
#' Scholkopf B, Platt JC, Shawe-Taylor J, Smola AJ, Williamson RC (2001). Estimating the support of
#' a high-dimensional distribution. *Neural Computation* 13, 1443-1471.
#' \doi{10.1162/089976601750264965}.
#'
#' Fan RE, Chen PH, Lin CJ (2005). Working set selection using second order information for training
#' support vector machines. *Journal of Machine Learning Research* 6, 1889-1918.
#'
#' Tax DMJ, Duin RPW (2004). Support vector data description. *Machine Learning* 54, 45-66.
#' \doi{10.1023/B:MACH.0000008084.60811.49}.
#' @seealso [predict.margin_oneclass()], [margin_oneclass-methods], [margin_kernel()], [kernels].
#' @examples
#' # what is unlike the e-mails that somebody wanted
#' wanted <- spambase[spambase$type == "nonspam", 1:57]
#' train <- seq(1, nrow(wanted), by = 5)
#' fit <- margin_oneclass(~ ., data = wanted[train, ], nu = 0.1)
#' fit
#' test <- rbind(wanted[-train, ], spambase[spambase$type != "nonspam", 1:57])
#' mail <- rep(c("wanted", "spam"), c(nrow(wanted) - length(train), sum(spambase$type != "nonspam")))
#' table(mail, predict(fit, test))
#' @usage NULL
#' @export
margin_oneclass <- function(x, ...) {
  UseMethod("margin_oneclass", leading_argument(x, ...))
}

#' @rdname margin_oneclass
#' @export
margin_oneclass.matrix <- function(x, nu = 0.5, kernel = kernel_rbf(), scale = TRUE,
                                   weights = NULL, control = margin_control(), ...) {
  design <- matrix_design("oneclass", x, NULL, weights, match.call(), list(...))
  fit_oneclass(design, oneclass_settings(nu, kernel, scale, control, missing(scale)))
}

#' @rdname margin_oneclass
#' @usage NULL
#' @export
margin_oneclass.Matrix <- margin_oneclass.matrix

#' @rdname margin_oneclass
#' @usage NULL
#' @export
margin_oneclass.data.frame <- margin_oneclass.matrix

#' @rdname margin_oneclass
#' @usage \special{margin_oneclass(formula, data, \dots, weights, subset, na.action, contrasts,
#'   sparse)}
#' @export
margin_oneclass.formula <- function(formula, data, ..., weights, subset, na.action,
                                    contrasts = NULL, sparse = FALSE) {
  design <- formula_design("oneclass", match.call(), parent.frame(), data, contrasts, sparse)
  margin_oneclass.matrix(design, ...)
}

#' @export
margin_oneclass.default <- function(x, ...) margin_linear.default(x)

# From rows without a response to a one-class fit: ONE call into C++.

oneclass_settings <- function(nu, kernel, scale, control, scale_is_default = FALSE) {
  assert_number(nu, "nu", remedy = "it is the largest share of outliers")
  if (nu <= 0 || nu > 1) {
    abort_input(sprintf("`nu` is %s, but must be above 0 and at most 1.", show_value(nu)), "nu")
  }
  kernel <- as_kernel(kernel)
  if (kernel$name == "precomputed" && scale_is_default) scale <- FALSE
  own <- list(kernel = kernel, nu = nu, center = FALSE)
  settings <- common_settings("oneclass", own, "free", scale, NULL, "smo", control)
  assert_unscaled(kernel, scale)
  settings
}

fit_oneclass <- function(design, settings) {
  problem <- prepare_oneclass(design, settings)
  result <- solve_oneclass(problem, settings$nu)
  result$solutions <- lapply(result$solutions, `[[`, 1L)
  signal_outcome(new_oneclass(problem, result))
}

# One class has two levels, of which the second is the positive one; no row is known to be of
# either.
oneclass_response <- function(response = NULL) {
  list(response = response, levels = c("outlier", "inlier"), type = "factor", task = "one_class",
       n_classes = 1L)
}

# Labels that judge and never train: outlier and inlier, or two classes of which the second is the
# inliers.
oneclass_labels <- function(design) {
  if (is.null(design$y)) {
    return(oneclass_response())
  }
  y <- design$y
  if (!is.numeric(y) && setequal(unique(as.character(y)), c("outlier", "inlier"))) {
    y <- factor(y, c("outlier", "inlier"))
  }
  coded <- code_response(y, as_loss("hinge"), nrow(design$x), "margin_oneclass()",
                         design$response_name)
  if (coded$n_classes > 1L) {
    abort_input(sprintf(paste(
      "`%s` has %d classes, but labels of one class are two, of which the second is the inliers;",
      "make them, as in y == \"normal\"."
    ), response_text(design$response_name), length(coded$levels)), "y")
  }
  oneclass_response(factor(c("outlier", "inlier")[as.integer(coded$response)],
                           c("outlier", "inlier")))
}

# The metrics of a cross-validation that names none: with labels how well they are told apart, else
# how far the share outside of rows held out is from nu.
oneclass_metric <- function(task, losses, prob) {
  c(if ("classification" %in% task) "auroc", "nu_distance", "outside")
}

prepare_oneclass <- function(design, settings) {
  n <- nrow(design$x)
  assert_kernel_matrix(settings$kernel, design)
  settings$kernel <- judged_kernel(
    settle_kernel(settings$kernel, ncol(design$x), n, settings$control$seed), design$x
  )
  settings$started <- design$started
  omega <- if (is.null(design$weights)) rep(1, n) else as.double(design$weights)
  assert_total_weight(omega, "weights")
  problem <- list(design = design, settings = settings, response = oneclass_response(),
                  weights = omega, omega = omega, unit = 1)
  problem$kernel_x <- kernel_rows(problem)
  problem
}

# The one call. nu: one number, or the points of a path.
solve_oneclass <- function(problem, nu, brief = FALSE) {
  settings <- problem$settings
  given <- problem$kernel_x
  arguments <- list(kernel = given$kernel, nu = as.double(nu), intercept = "none",
                    scale = settings$scale, brief = brief)
  control <- core_control(settings, oneclass_start(problem))
  result <- with_checkpoint(settings$control, control, function(control) {
    in_core(fit_oneclass_cpp(given$x, problem$omega, arguments, control))
  }, "oneclass", problem$design$x, NULL, problem$omega, arguments)
  assert_kernel_range(result, settings$kernel)
  if (!is.null(given$scales)) result$scales <- given$scales
  result
}

# Weights of rows that are feasible for any nu near that of the start.
oneclass_start <- function(problem) {
  start_of(problem, "oneclass", function(start) {
    if (length(start$dual) == nrow(problem$design$x)) list(dual = as.matrix(unname(start$dual)))
  })
}

new_oneclass <- function(problem, result) {
  fit <- new_expansion("margin_oneclass", problem, result, function(columns) {
    s <- result$solutions[[1L]]
    list(rho = -s$intercept, square = s$square,
         radius = ball_radius(problem$settings$kernel, s$square, -s$intercept),
         boundary = boundary_of_gap(s$gap, s$longest, s$status == "certified"),
         bytes = result$bytes)
  })
  fit$outside <- sum(fit$weights[fit$scores < -fit$boundary]) / sum(fit$weights)
  fit$on_boundary <- sum(fit$weights > 0 & abs(fit$scores) <= fit$boundary)
  fit
}

# longest: the largest sqrt k(x_i, x_i).
boundary_of_gap <- function(gap, longest, certified) {
  ifelse(certified, 2 * sqrt(pmax(gap, 0)) * longest, 0)
}

# Of the ball of support vector data description: only where all k(x, x) are 1.
ball_radius <- function(kernel, square, rho) {
  if (is_isotropic(kernel)) sqrt(pmax(1 + square - 2 * rho, 0)) else NA_real_
}

# ---- Its path, over nu ----

oneclass_path <- function(x, nu = NULL, n_nu = 20, nu_min_ratio = NULL, kernel = kernel_rbf(),
                          scale = TRUE, weights = NULL, control = margin_control(), ...) {
  design <- matrix_design("oneclass", x, NULL, weights, match.call(), list(...), path = TRUE)
  grid <- oneclass_grid(nu, n_nu, nu_min_ratio, !missing(n_nu))
  fit_oneclass_path(design, oneclass_settings(0.5, kernel, scale, control, missing(scale)), grid)
}

oneclass_grid <- function(nu, n_nu, nu_min_ratio, n_given) {
  grid <- sequence_grid("nu", nu, n_nu, nu_min_ratio, 20L, n_given)
  if (any(grid$values > 1)) {
    abort_input(sprintf("`nu` is %s, but must be above 0 and at most 1.",
                        show_value(max(grid$values))), "nu")
  }
  grid
}

# From a half down. The largest comes first: the weights of its rows are feasible for a smaller nu.
fit_oneclass_path <- function(design, settings, grid) {
  problem <- prepare_oneclass(design, settings)
  nu <- if (is.null(grid$values)) sequence_values(grid, 0.02) / 2 else grid$values
  assert_path_memory(length(nu), length(problem$omega), 1L, "nu")
  result <- solve_oneclass(problem, nu, brief = TRUE)
  points <- result$solutions[[1L]]
  path <- new_kernel_path(problem, data.frame(nu = nu), result, "oneclass")
  number <- function(name) vapply(points, function(s) s[[name]], 0)
  path$square <- number("square")
  path$radius <- ball_radius(problem$settings$kernel, path$square, -number("intercept"))
  path$boundary <- boundary_of_gap(number("gap"), number("longest"), path$certificate$certified)
  signal_path_outcome(path, problem)
}

describe_oneclass_points <- function(path, number) {
  c(kernel = format(path$settings$kernel),
    nu = describe_range(path$nu, length(path$nu), number))
}

# ---- In words ----

oneclass_formula <- function(fit) {
  paste0("\\min_{f,\\,\\rho}\\; \\frac12 \\|f\\|_H^2 - \\rho + \\frac{1}{\\nu W} \\sum_i ",
         "\\omega_i \\max(0,\\, \\rho - f(x_i))")
}

# What the methods of all fits ask of a one-class fit, and those of its own.

is_oneclass <- function(model) inherits(model, c("margin_oneclass", "margin_path_oneclass"))

#' Predictions from a one-class fit
#'
#' Says of new rows whether they are outliers.
#'
#' The decision value of a row is \eqn{f(x) - \rho = \sum_i a_i k(x_i, x) - \rho}{f(x) - rho = sum_i
#' a_i k(x_i, x) - rho}; a row is an inlier where it is 0 or more, or nearer to 0 than the certified
#' error of the fit, `fit$boundary`, see [margin_oneclass()]. Columns are found by name, extra ones
#' are ignored, missing ones and new factor levels are errors, and a row with a missing value gives
#' `NA`, as in [predict.margin_fit()].
#'
#' @param object A fit of [margin_oneclass()].
#' @param newdata Rows to predict, with the columns of the training rows; without it, the training
#'   rows. With [kernel_precomputed()] the kernel values between them and all training rows.
#' @param type `"class"`, which is that of `NULL`, `"score"` or `"distance"`.
#' @param threshold,on As for [predict.margin_fit()]: another decision value than that of the fit,
#'   from which on a row is an inlier.
#' @param ... Not used; an unknown argument is an error.
#' @return For each row of `newdata`: with `"class"` a factor with the levels `outlier` and
#'   `inlier`, with `"score"` the decision value, with `"distance"` how far the row lies from the
#'   centre of the ball of support vector data description, whose radius is `fit$radius`, in the
#'   space of the kernel (see [margin_oneclass()]; for [kernel_rbf()] and [kernel_laplace()] only).
#' @section Errors:
#' Of class `dualmargin_input_error`.
#' @examples
#' train <- seq(1, 50, by = 2)
#' fit <- margin_oneclass(iris[train, 1:4], nu = 0.1, kernel = kernel_rbf())
#' table(iris$Species[-train], predict(fit, iris[-train, 1:4]))
#' round(predict(fit, iris[c(2, 52, 102), ], type = "score"), 3)
#' # farther from the centre than the radius
#' predict(fit, iris[c(2, 52, 102), ], type = "distance") > fit$radius
#' @export
predict.margin_oneclass <- function(object, newdata, type = NULL, threshold = NULL,
                                    on = c("score", "prob"), ...) {
  NextMethod()
}

# |phi(x) - f|_H, of rows with k(x, x) = 1; rounding may have taken a zero below it.
centre_distances <- function(fit, scores) {
  if (!is_isotropic(fit$settings$kernel)) {
    abort_input(sprintf(paste(
      "`type` is \"distance\", but rows of the %s kernel of this fit have different lengths, and no",
      "ball goes with it; use kernel_rbf() or kernel_laplace(), or type = \"score\"."
    ), fit$settings$kernel$name), "type")
  }
  sqrt(pmax(1 + fit$square - 2 * (scores + fit$rho), 0))
}

# ---- Which rows are outliers ----

# Not those whose sign the certificate leaves open; 0 for fits with a response.
boundary_of <- function(model) if (is_oneclass(model)) model$boundary else 0

# The point i of a path, which has one boundary each, as a model that reads scores; NULL: between
# points, where nothing is certified.
model_at <- function(path, i) {
  if (is_oneclass(path)) {
    path$boundary <- if (is.null(i)) 0 else path$boundary[i]
    path$settings["nu"] <- list(path$nu[i])
  }
  path
}

# ---- Decision values ----

is_linear_oneclass <- function(fit) {
  inherits(fit, "margin_oneclass") && fit$settings$kernel$name == "linear"
}

#' @exportS3Method
score_design.margin_oneclass <- function(model, x, coefficients = scoring_coefficients(model)) {
  if (is_linear_oneclass(model)) { # right in any unit of a column
    return(linear_scores(x, matrix(c(-model$rho, oneclass_slopes(model))), TRUE))
  }
  kernel_scores(model, x, coefficients)
}

#' @exportS3Method
score_design.margin_path_oneclass <- score_design.margin_oneclass

# Of the columns, for the linear kernel: sum_i a_i x_i, twice divided by the scales, whose squares
# may be out of range.
oneclass_slopes <- function(fit) {
  sums <- as.vector(Matrix::crossprod(fit$support$x, kernel_coefficients(fit)))
  stats::setNames(sums / fit$scales / fit$scales, fit$features)
}

#' Methods of one-class fits
#'
#' Read, plot and summarise a fit of [margin_oneclass()]. Most methods answer as for other fits, see
#' [margin_fit-methods], [margin_fit-stats] and [tidiers]; this page has what differs.
#'
#' There is no response, so there is nothing for `residuals()`, `deviance()` and `family()` to
#' answer; they stop with the reason.
#'
#' @param object,x A fit.
#' @param which `"scores"` or `"convergence"`.
#' @param complete As for [coef.margin_fit()].
#' @param ... For `plot()` graphical parameters, as for [plot.margin_fit()]; else nothing: unknown
#'   arguments are errors.
#' @return
#' * `coef()`: the intercept \eqn{-\rho}{-rho} and the \eqn{a_i} of the support vectors; for
#'   `kernel = "linear"` the intercept and the coefficients of the columns. `tidy()` has them as
#'   `term` and `estimate`.
#' * `fitted()`: the class of each training row, `"outlier"` or `"inlier"`, as `predict(object)`.
#' * `glance()`: as of other fits, with `kernel`, `sigma`, `nu`, `outside` (the share of the weight
#'   of the outliers), `on_boundary` (rows whose sign is open, which count as inliers) and `radius`.
#' * `augment()`: the rows with `.pred_class` and `.score`.
#' * `plot()`: with `which = "scores"` a histogram of the decision values; rows on the boundary are
#'   drawn at 0. Invisibly a data frame of `score` and `outlier`. With `"convergence"` the
#'   picture of [plot.margin_fit()].
#' * `summary()`: that of a kernel fit, with the shares of outliers, \eqn{\nu}{nu} and support
#'   vectors, the quantiles of the decision values and the radius.
#' @section Errors:
#' Of class `dualmargin_input_error`.
#' @examples
#' train <- seq(1, 50, by = 2)
#' fit <- margin_oneclass(iris[train, 1:4], nu = 0.1)
#' glance(fit)
#' table(fitted(fit))
#' test <- augment(fit, newdata = iris[-train, ])
#' tapply(test$.score, test$Species, range)
#' @name margin_oneclass-methods
NULL

#' @rdname margin_oneclass-methods
#' @export
coef.margin_oneclass <- function(object, complete = TRUE, ...) {
  coefficients <- NextMethod()
  if (!is_linear_oneclass(object)) {
    return(coefficients)
  }
  c("(Intercept)" = -object$rho, oneclass_slopes(object))
}

# ---- In words ----

#' @exportS3Method
describe_problem.margin_oneclass <- function(fit, digits) {
  number <- function(value) format(value, digits = digits)
  c(kernel = format(fit$settings$kernel), nu = number(fit$settings$nu), rho = number(fit$rho),
    radius = if (is.na(fit$radius)) NA_character_ else
      sprintf("%s, of the ball of support vector data description", number(fit$radius)),
    support = describe_support(fit),
    outliers = sprintf("%s of the training weight%s", number(fit$outside),
                       if (is.null(fit[["threshold"]])) "" else " at a decision value of 0"),
    boundary = if (fit$boundary == 0) NA_character_ else
      sprintf("%s at 0 within the certified error, %s, counted as inliers",
              count(fit$on_boundary, "row"), format(fit$boundary, digits = 2L)))
}

#' @exportS3Method
problem_columns.margin_oneclass <- function(fit) {
  data.frame(kernel = fit$settings$kernel$name, sigma = fit$settings$kernel$sigma,
             nu = fit$settings$nu, outside = fit$outside, on_boundary = fit$on_boundary,
             radius = fit$radius)
}

#' @exportS3Method
slope_scales.margin_oneclass <- function(fit) 1

#' @export
support_rows.margin_oneclass <- function(fit, ...) {
  assert_no_extra("support_rows()", ...)
  assert_fit(fit, "fit")
  at <- fit$support$at
  a <- unname(kernel_coefficients(fit)[, 1L])
  most <- fit$weights[at] / (fit$settings$nu * sum(fit$weights))
  table <- data.frame(row = rownames(kernel_coefficients(fit)), weight = a, at_bound = a >= most,
                      score = unname(fit$scores[at]))
  without_row_names(table[order(-a), ])
}

#' @rdname margin_oneclass-methods
#' @export
summary.margin_oneclass <- function(object, ...) {
  assert_no_extra("summary()", ...)
  made <- NextMethod()
  summary_of_expansion(object, made)
}

# What training_performance() is for rows without a response.
oneclass_shares <- function(fit) {
  support <- support_rows.margin_oneclass(fit)
  list(shares = c(outliers = fit$outside, nu = fit$settings$nu,
                  support = sum(fit$weights[fit$support$at]) / sum(fit$weights)),
       scores = stats::setNames(
         weighted_quantile(unname(fit$scores), fit$weights, seq(0, 1, 0.25)),
         c("0%", "25%", "50%", "75%", "100%")
       ), at_bound = sum(support$at_bound))
}

oneclass_lines <- function(performance, digits) {
  numbers <- function(values) {
    utils::capture.output(print(values, digits = digits))
  }
  c("  shares of the weight (outliers <= nu <= support vectors at the optimum):",
    numbers(performance$shares), "  decision values:", numbers(performance$scores),
    sprintf("  %s at the bound", count(performance$at_bound, "support vector")))
}

#' @rdname margin_oneclass-methods
#' @export
plot.margin_oneclass <- function(x, which = c("scores", "convergence"), ...) {
  which <- one_of(which, c("scores", "convergence"), "which")
  if (which != "scores") {
    return(plot.margin_fit(x, which, ...))
  }
  assert_plot_arguments("plot()", ...)
  assert_fit(x, "x")
  drawn <- score_table(x)
  sides <- factor(ifelse(drawn$outlier, "outlier", "inlier"), x$levels)
  shown <- ifelse(abs(drawn$score) <= x$boundary, 0, drawn$score)
  old <- graphics::par(mar = c(4.2, 4.2, 2.5, 1) + 0.1)
  on.exit(graphics::par(old))
  room <- make_legend_room(levels(sides))
  histogram_by_class(shown, sides, 40, list(
    main = "Training decision values", xlab = "decision value (0 or more: inlier)", ylab = "rows"
  ), 0, ...)
  side_legend(room, levels(sides), fill = histogram_colours(), border = NA)
  invisible(drawn)
}

# Why a run did not certify, and what to try: there is no penalty to raise.
remedy_of_oneclass <- function(status, fit) {
  if (status$status %in% c("max_epochs", "max_seconds")) {
    return(sprintf("Raise %s in margin_control().", status$status))
  }
  if (fit$settings$kernel$name == "linear") {
    return("The origin may lie among the rows; use a kernel of distances, as kernel_rbf().")
  }
  "Try a larger tol or a larger nu."
}
