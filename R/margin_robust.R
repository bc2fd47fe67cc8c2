#' Wasserstein distributionally robust support vector machine with a certificate
#'
#' @description
#' Fits a linear classifier that guards against small shifts of the data and wrong labels: a
#' distributionally robust support vector machine.
#' ```r
#' fit <- margin_robust(type ~ ., data = train, radius = 0.05, label_cost = 1)
#' predict(fit, test)
#' ```
#' The fit comes with a *certificate*, which bounds its *suboptimality*: the optimisation error of
#' the robust training objective. A certificate says nothing about predictive error; estimate that
#' on rows that were not fitted, as [margin_cv()] does.
#'
#' @details
#' The decision value is \eqn{z = w'x + b}. Its hinge loss is small not only on the training rows
#' but on every distribution near them: it minimises the *worst* mean hinge loss over all
#' distributions that can be made from the data by moving mass at a total cost of at most `radius`,
#' plus a ridge. Moving a unit of mass from \eqn{(x, y)} to \eqn{(x', y')} costs
#' \deqn{|x - x'|_p + \kappa\, \frac{|y - y'|}{2},}{|x - x'|_p + kappa |y - y'| / 2,}
#' and the problem is the same as
#' \deqn{\min_{|w|_q \le t}\; P(w, b, t) = t\,\epsilon + \frac1W \sum_i \omega_i
#'   \max(1 - u_i,\; 1 + u_i - \kappa t,\; 0) + \frac c2 |w|_2^2,
#'   \qquad u_i = y_i (w'x_i + b),}{
#'   min over |w|_q <= t of P(w, b, t) = t epsilon
#'       + 1/W sum_i omega_i max(1 - u_i, 1 + u_i - kappa t, 0) + c/2 |w|_2^2,
#'   u_i = y_i (w'x_i + b),}
#' with \eqn{W = \sum_i \omega_i}{W = sum_i omega_i}, \eqn{1/p + 1/q = 1}, \eqn{\epsilon} the
#' `radius`, \eqn{\kappa} the `label_cost` and \eqn{c} the `ridge`. `norm` names \eqn{q}, the norm
#' **on w**; the transport cost of features is its dual \eqn{p}: `"l1"` on w belongs to moves
#' measured by the largest change of any feature (`"linf"`), `"linf"` to moves measured by the sum
#' of changes (`"l1"`), and `"l2"` to Euclidean moves.
#'
#' @section What the numbers mean:
#' * `radius` is how far, on average over all rows, the data may be moved: with `label_cost = Inf` a
#'   radius of 0.1 means that every row may be moved by 0.1, or a tenth of the rows by 1. It has the
#'   unit of the features, so scale them (or use `scale = TRUE`) before reading anything into it.
#' * `label_cost` is the price of changing a label, in the same unit: the larger, the more the
#'   labels are trusted. With `Inf` labels are never changed and the model is a support vector
#'   machine with the penalty \eqn{\epsilon |w|_q}; with 0 labels are worth nothing and the best
#'   model is \eqn{w = 0}. In between at most a share \eqn{\epsilon / \kappa} of the labels can be
#'   changed, so `radius / label_cost` is the share of wrong labels to be guarded against.
#' * `ridge` is the strength of an ordinary ridge. With `radius = 0` nothing is moved and the model
#'   is the classical ridge support vector machine, [margin_linear()] with `loss = "hinge"` and
#'   `lambda = ridge`.
#' * Choosing the radius: it is a tuning parameter like any other, and `margin_cv(family =
#'   "robust", grid = list(radius = c(0, 10^-(1:4)), ridge = 1e-4))` over some radii chooses better
#'   than any rule. [margin_path()] with `family = "robust"` fits a sequence, and `plot(path, which
#'   = "risk")` draws the robust risk beside the risk on rows that were held out.
#'
#' @section The radius by rule:
#' `radius = NULL` is the smallest ball that holds, with probability 0.95 for many rows, a
#' distribution whose best model is that of the population: the 0.95 quantile of the *profile
#' function* of Blanchet, Kang and Murthy (2019), the least cost of moving the rows such that the
#' slopes of their losses at the population's model have mean 0. The hinge has a kink: a row close
#' to it crosses it at little cost, and changes its slope by all of \eqn{x}. Where a loss without
#' kinks has a radius of order \eqn{n^{-1/2}}{n^(-1/2)}, that of the hinge is therefore of order
#' \eqn{1/n},
#' \deqn{\epsilon = \frac{\pi}{f} \cdot \frac{\chi^2_{0.95,\,k}}{2\, |w|_q\, W},}{
#'   radius = share/f * chi^2_(0.95, k) / (2 |w|_q W),}
#' with \eqn{\pi}{share} the weighted share of the rows inside the margin, \eqn{y z < 1}, \eqn{f}
#' the density of \eqn{y z} at 1 (normal kernel, width \eqn{1.06\, s\, W^{-1/5}}{1.06 s W^(-1/5)},
#' \eqn{s} the robust standard deviation of \eqn{y z}; at least \eqn{\pi/2}{share/2}), \eqn{w} on
#' the scaled columns (\eqn{|w|_q}{|w|_q} at least 1), all of the support vector machine with cost
#' 1 on the same columns, and \eqn{k} the number of its coefficients: of columns that vary, and at
#' most as many as there are distinct rows. It takes
#' rows inside the margin for alike to those on it. Labels do not enter: changing one costs
#' `label_cost`, a move across the kink next to nothing. Several classes share the smallest of
#' their radii. Nothing is drawn; each fold has a radius of its own.
#'
#' `inst/bench/robust_radius.R` compares it with 0.1, 1/n and the linear machine of e1071. For iris
#' all radii are behind that machine, as is the hinge model of [margin_linear()]: one-vs-rest is
#' what costs there, since no line separates versicolor from the other two.
#'
#' @section Certificate:
#' For multipliers \eqn{\alpha_i, \beta_i \ge 0}{alpha_i, beta_i >= 0},
#' \eqn{\alpha_i + \beta_i \le 1}{alpha_i + beta_i <= 1} (and
#' \eqn{\sum_i \omega_i y_i (\alpha_i - \beta_i) = 0}{sum_i omega_i y_i (alpha_i - beta_i) = 0}
#' where the intercept is free) with
#' \deqn{v = \frac1W \sum_i \omega_i (\alpha_i - \beta_i) y_i x_i, \qquad
#'   \theta = \epsilon - \frac\kappa W \sum_i \omega_i \beta_i \ge 0,}{
#'   v = 1/W sum_i omega_i (alpha_i - beta_i) y_i x_i,
#'   theta = epsilon - kappa/W sum_i omega_i beta_i >= 0,}
#' the optimum is at least
#' \deqn{D = \frac1W \sum_i \omega_i (\alpha_i + \beta_i) -
#'   \frac{1}{2c}\, \mathrm{dist}_2(v, \theta B_p)^2,}{
#'   D = 1/W sum_i omega_i (alpha_i + beta_i) - dist_2(v, theta B_p)^2 / (2 c),}
#' where for \eqn{c = 0} the distance must be zero. Value and bound are recomputed from these
#' definitions at the returned point. Without `radius` and without `ridge` there is no such bound
#' for all \eqn{w}: the certificate is then of kind `"duality gap on norm <= R"`, says that no model
#' with \eqn{|w|_q \le R}{|w|_q <= R} is better by more than the gap, and never counts as certified.
#'
#' @param x,y,formula,data As for [margin_linear()]; `y` must be classes. Three or more are fitted
#'   one-vs-rest.
#' @param norm The norm \eqn{q} on w: `"l1"`, `"l2"` or `"linf"`.
#' @param radius Radius \eqn{\epsilon} of the Wasserstein ball, in the unit of the features; 0 or
#'   more. `NULL` takes it from the data, by the rule below.
#' @param label_cost Cost \eqn{\kappa} of changing a label, in the unit of the features; from 0 to
#'   `Inf`.
#' @param ridge Strength \eqn{c} of the ridge, 0 or more.
#' @param intercept `"free"`, `"penalized"` (a column of ones, which counts in the norm and can be
#'   moved like any feature) or `"none"` (as in the paper).
#' @param scale Divide each column by its standard deviation for the fit? The radius, the label cost
#'   and the ball are then in units of the scaled columns; the paper has `FALSE`. See
#'   [margin_linear()].
#' @param weights,class_weights,subset,na.action,contrasts,sparse As for [margin_linear()].
#' @param solver `"auto"` or a name from [margin_solvers()] with `family = "robust"`.
#' @param control How the fit is computed, see [margin_control()].
#' @param ... Not used; an unknown argument is an error.
#' @return An object of class `c("margin_robust", "margin_fit")`, with the same methods as a fit of
#'   [margin_linear()], and [worst_case()]. Beside what all fits have it holds `norm_bound` (the
#'   optimal t for each class problem: the price of one unit of transport cost) and the
#'   multipliers `dual` (\eqn{\alpha}) and `dual_flip` (\eqn{\beta}), length n, for three or more
#'   classes a column for each. `rule` is `"profile"` where the radius was `NULL`.
#' @section Errors and warnings:
#' As for [margin_linear()].
#' @references
#' Li J, Chen C, So AM-C (2020). Fast epigraphical projection-based incremental algorithms for
#' Wasserstein distributionally robust support vector machine. *Advances in Neural Information
#' Processing Systems* 33. arXiv:2010.12865.
#'
#' Blanchet J, Kang Y, Murthy K (2019). Robust Wasserstein profile inference and applications to
#' machine learning. *Journal of Applied Probability* 56, 830-857. \doi{10.1017/jpr.2019.49}.
#' arXiv:1610.05627.
#'
#' Koo J-Y, Lee Y, Kim Y, Park C (2008). A Bahadur representation of the linear support vector
#' machine. *Journal of Machine Learning Research* 9, 1343-1368.
#'
#' Shafieezadeh-Abadeh S, Kuhn D, Mohajerin Esfahani P (2019). Regularization via mass
#' transportation. *Journal of Machine Learning Research* 20(103), 1-68. arXiv:1710.10016.
#' @seealso [worst_case()], [margin_path()], [margin_linear()].
#' @examples
#' train <- seq(1, nrow(spambase), by = 2)
#' test <- spambase[-train, ]
#' fit <- margin_robust(type ~ ., data = spambase[train, ], radius = 0.05, label_cost = 1)
#' fit
#' mean(predict(fit, test) == test$type)
#'
#' # the paper's setting on a sparse matrix: no intercept, columns as they are
#' margin_robust(a1a$x, factor(a1a$y), norm = "l1", radius = 0.1, label_cost = 1,
#'               intercept = "none", scale = FALSE)
#' @usage NULL
#' @export
margin_robust <- function(x, ...) {
  if (missing(x)) UseMethod("margin_robust", leading_argument(...)) else UseMethod("margin_robust")
}

#' @rdname margin_robust
#' @export
margin_robust.matrix <- function(x, y, norm = c("l1", "l2", "linf"), radius = NULL, label_cost = 1,
                                 ridge = 0, intercept = "free", scale = TRUE, weights = NULL,
                                 class_weights = NULL, solver = "auto",
                                 control = margin_control(), ...) {
  assert_response_given(missing(y))
  design <- matrix_design("robust", x, y, weights, match.call(), list(...))
  intercept <- formula_intercept(design, intercept, missing(intercept))
  fit_robust(design, robust_settings(norm, radius, label_cost, ridge, intercept, scale,
                                     class_weights, solver, control))
}

#' @rdname margin_robust
#' @usage NULL
#' @export
margin_robust.Matrix <- margin_robust.matrix

#' @rdname margin_robust
#' @usage NULL
#' @export
margin_robust.data.frame <- margin_robust.matrix

#' @rdname margin_robust
#' @usage \special{margin_robust(formula, data, \dots, weights, subset,
#'   na.action, contrasts, sparse)}
#' @export
margin_robust.formula <- function(formula, data, ..., weights, subset, na.action, contrasts = NULL,
                                  sparse = FALSE) {
  design <- formula_design("robust", match.call(), parent.frame(), data, contrasts, sparse)
  margin_robust.matrix(design, NULL, ...)
}

#' @export
margin_robust.default <- margin_linear.default
