#' Hard-margin support vector machine with a certificate
#'
#' @description
#' Finds the boundary that separates two classes by the largest margin (a hard-margin support vector
#' machine), or proves that no boundary separates them.
#' ```r
#' fit <- margin_hard(Species ~ ., data = train)
#' support_rows(fit)
#' ```
#' The fit comes with a *certificate*, which bounds its *suboptimality*: how far its margin on the
#' training rows is from the largest. A certificate says nothing about predictive error; estimate
#' that on rows that were not fitted, as [margin_cv()] does.
#'
#' @details
#' The fit is the direction along which the classes are farthest apart: for labels \eqn{y_i} of -1
#' and +1 the maximum margin
#' \deqn{\bar\gamma = \max_{|w|_2 = 1,\, b}\; \min_i\; y_i (w'x_i + b)
#'   = \min_{q}\; \Big|\sum_i q_i y_i x_i\Big|_2,
#'   \qquad q_i \ge 0, \quad \sum_i q_i = 1,}{
#'   gamma = max over |w|_2 = 1, b of min_i y_i (w'x_i + b)
#'         = min over q of |sum_i q_i y_i x_i|_2,   q_i >= 0, sum_i q_i = 1,}
#' which is the smallest distance of a row from the boundary. Nothing is tuned: there is no loss and
#' no penalty. It exists only where the classes can be separated; where they cannot, the fit says so
#' and proves it.
#'
#' @section Intercept:
#' With `"none"`, as in the paper, the boundary goes through the origin. `"penalized"` appends a
#' column of ones that is treated as any other, so the distance is measured in one dimension more.
#' `"free"` is the hard-margin support vector machine: each class has half of the weights q, and b
#' lies in the middle. Several classes have no free one: give `"penalized"` or `"none"`.
#'
#' @section Several classes:
#' One model with a vector \eqn{u_c} for each class, in the reduction of Ji, Srebro and Telgarsky
#' (2021, Section 5.2) to rows \eqn{x_i (e_{c_i} - e_j)' / \sqrt 2}{x_i (e_(c_i) - e_j)' / sqrt(2)},
#' one for each example and each other class, which are never formed:
#' \deqn{\bar\gamma = \max_{\sum_c |u_c|^2 = 1/2}\; \min_{i,\, j \ne c_i}\; x_i'(u_{c_i} - u_j).}{
#'   gamma = max over sum_c |u_c|^2 = 1/2 of min over i, j not c_i of x_i'(u_(c_i) - u_j).}
#' For two classes this is the same number as above; the paper's multiclass margin is
#' \eqn{\sqrt 2}{sqrt(2)} times it.
#'
#' @section Kernels:
#' With a `kernel` the direction is a function of length one in the space of the kernel, see
#' [kernels]; `kernel = NULL` is the linear margin on the columns. The space exists for positive
#' semidefinite kernels only. One that is given as values or as a function is judged, and where it
#' is not positive semidefinite there is an error and no statement on whether rows can be separated.
#'
#' @section Certificate:
#' Of kind `"margin interval"`: `value` is the margin that the returned direction has, recomputed
#' from the rows, and `bound` is \eqn{|\sum_i q_i y_i x_i|}{|sum_i q_i y_i x_i|} at the returned
#' weights q, so that \deqn{\mathrm{value} \le \bar\gamma \le \mathrm{bound}.}{value <= gamma <=
#' bound.} Both are in the unit of the columns, scaled if `scale = TRUE`; so are the decision values
#' of a fit, which are signed distances from the boundary (for several classes, the own decision
#' value minus the largest other one is).
#'
#' `value` is that of the returned direction as computed; how far rounding can have moved either
#' number is part of `bound` and `gap`.
#'
#' Rows that no direction separates have weights q with \eqn{\sum_i q_i y_i x_i = 0}{sum_i q_i y_i
#' x_i = 0}. What is proved of that is in `fit$separable`, whatever the solver:
#' * `TRUE`: the margin of the returned direction is positive by more than its rounding. Only such a
#'   fit can be certified.
#' * `FALSE`: the returned weights have a sum of zero, up to the rounding of that sum; its length is
#'   `fit$residual`. What was asked for does not exist: a warning of class
#'   `dualmargin_not_separable`, and the fit holds the least bad direction that was seen. Where all
#'   rows are zero there is none, the coefficients are 0 and the value is `-Inf`.
#'   Rounding is some 1e-15 of the longest row; of a kernel the square of the sum is rounded, so
#'   that margins below some 1e-7 of it are taken for none.
#' * `NA`: neither, since the run ended too early, or the margin is smaller than its rounding: a
#'   warning of class `dualmargin_not_certified`. The active set (`solver = "auto"`) finds weights
#'   of the second kind where they exist; other solvers seldom do.
#'
#' @param x,y,formula,data As for [margin_linear()]; `y` must be classes.
#' @param kernel `NULL`, or a kernel as for [margin_kernel()]; see also [kernel_ntk()].
#' @param intercept `"free"`, `"penalized"` or `"none"`, see below. Several classes take the last
#'   two.
#' @param scale Divide each column by its standard deviation for the fit? Distances are then those
#'   of the scaled columns. `FALSE` unless asked for, unlike in the other families: a margin is a
#'   distance in the units of `x`, and whether rows are separable does not depend on the scale. See
#'   [margin_linear()].
#' @param weights Which rows count: those of positive weight. How large a weight is changes nothing,
#'   since a margin is that of the nearest row. There are no class weights for the same reason.
#' @param subset,na.action,contrasts,sparse As for [margin_linear()].
#' @param solver `"auto"` or a name from [margin_solvers()] with `family = "hard"`.
#' @param control How the fit is computed, see [margin_control()]. `tol = NULL` is 1e-9.
#' @param ... Not used; an unknown argument is an error.
#' @return An object of class `c("margin_hard", "margin_fit")`, with the same methods as a fit of
#'   [margin_linear()]; its coefficients are the direction \eqn{w} of length one (several classes:
#'   the \eqn{u_c} in columns) divided by the columns' scales. Beside what all fits have it holds
#'   `dual`, the weights q (for several classes a matrix with a column for each other class);
#'   `separable` (`TRUE`, `FALSE` or `NA`); and `residual`. [support_rows()] lists the
#'   support vectors.
#' @section Errors and warnings:
#' As for [margin_linear()], and the warning `dualmargin_not_separable`.
#' @references
#' Ji Z, Srebro N, Telgarsky M (2021). Fast margin maximization via dual acceleration.
#' *International Conference on Machine Learning* 139, 4860-4869. arXiv:2107.00595.
#'
#' Lawson CL, Hanson RJ (1974). *Solving Least Squares Problems*, chapter 23. Prentice-Hall.
#' \doi{10.1137/1.9781611971217}.
#' @seealso [support_rows()], [margin_linear()] with `loss = "hinge"` for rows that cannot be
#'   separated, `vignette("margin")`.
#' @examples
#' flowers <- droplevels(iris[iris$Species != "virginica", ])
#' train <- seq(1, nrow(flowers), by = 2)
#' test <- flowers[-train, ]
#' fit <- margin_hard(Species ~ ., data = flowers[train, ])
#' fit
#' support_rows(fit)
#' mean(predict(fit, test) == test$Species)
#'
#' two <- margin_hard(Species ~ Petal.Length + Petal.Width, data = flowers)
#' plot(two, which = "boundary", data = flowers)
#' plot(two, which = "scores")
#' @usage NULL
#' @export
margin_hard <- function(x, ...) {
  if (missing(x)) UseMethod("margin_hard", leading_argument(...)) else UseMethod("margin_hard")
}

#' @rdname margin_hard
#' @export
margin_hard.matrix <- function(x, y, kernel = NULL, intercept = "free", scale = FALSE,
                               weights = NULL, solver = "auto", control = margin_control(), ...) {
  assert_response_given(missing(y))
  design <- matrix_design("hard", x, y, weights, match.call(), list(...))
  intercept <- formula_intercept(design, intercept, missing(intercept))
  fit_hard(design, hard_settings(kernel, intercept, scale, solver, control))
}

#' @rdname margin_hard
#' @usage NULL
#' @export
margin_hard.Matrix <- margin_hard.matrix

#' @rdname margin_hard
#' @usage NULL
#' @export
margin_hard.data.frame <- margin_hard.matrix

#' @rdname margin_hard
#' @usage \special{margin_hard(formula, data, \dots, weights, subset, na.action, contrasts, sparse)}
#' @export
margin_hard.formula <- function(formula, data, ..., weights, subset, na.action, contrasts = NULL,
                                sparse = FALSE) {
  design <- formula_design("hard", match.call(), parent.frame(), data, contrasts, sparse)
  margin_hard.matrix(design, NULL, ...)
}

#' @export
margin_hard.default <- function(x, ...) margin_linear.default(x)
