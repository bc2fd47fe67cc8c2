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
#' At the optimum many rows lie on the boundary: their decision value is 0, and what is left of it
#' in a fit, perhaps -1e-9, is the error of the fit. \eqn{P} and \eqn{D} are strongly convex and
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
  if (missing(x)) UseMethod("margin_oneclass", leading_argument(...)) else UseMethod("margin_oneclass")
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
