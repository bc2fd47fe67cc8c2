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
  UseMethod("margin_robust", leading_argument(x, ...))
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

# From a design and settings to a robust fit: ONE call into C++.

robust_norms <- c("l1", "l2", "linf")
dual_norms <- c(l1 = "linf", l2 = "l2", linf = "l1")

# What a robust problem is, validated.
robust_settings <- function(norm, radius, label_cost, ridge, intercept, scale, class_weights,
                            solver, control) {
  norm <- one_of(norm, robust_norms, "norm")
  if (!is.null(radius)) assert_radius(radius)
  assert_number(label_cost, "label_cost", lower = 0, open = FALSE, infinite = TRUE,
                remedy = "Inf trusts every label, the default is 1")
  assert_size_of(label_cost, "label_cost")
  assert_number(ridge, "ridge", lower = 0, open = FALSE, remedy = "the default 0 adds none")
  assert_size_of(ridge, "ridge")
  own <- list(norm = norm, radius = radius, label_cost = label_cost, ridge = ridge)
  settings <- common_settings("robust", own, intercept, scale, class_weights, solver, control)
  assert_solver(settings$solver, as_loss("hinge"), intercept, 0)
  settings
}

assert_radius <- function(radius) {
  assert_number(radius, "radius", lower = 0, open = FALSE,
                remedy = "0 moves nothing, NULL takes it from the data")
  assert_size_of(radius, "radius")
}

fit_robust <- function(design, settings) {
  problem <- prepare_problem(design, settings, "margin_robust()")
  by_rule <- is.null(settings$radius)
  if (by_rule) problem$settings$radius <- rule_radius(problem)
  result <- solve_robust(problem, problem$settings$radius)
  result$solutions <- lapply(result$solutions, `[[`, 1L)
  signal_outcome(new_margin_fit("margin_robust", problem, result, function(columns) {
    c(list(norm_bound = drop(columns("norm_bound")), dual_flip = columns("dual_flip")),
      if (by_rule) list(rule = "profile"))
  }), problem)
}

# The one call. radius: one number, or the points of a path, see src/robust.cpp.
solve_robust <- function(problem, radius, relative = FALSE, brief = FALSE) {
  settings <- problem$settings
  x <- problem$design$x
  codes <- problem$response$codes
  arguments <- list(
    norm = settings$norm, radius = radius, label_cost = settings$label_cost,
    ridge = settings$ridge, relative = relative, brief = brief, intercept = settings$intercept,
    scale = settings$scale, n_classes = problem$response$n_classes
  )
  control <- core_control(settings, robust_start(problem))
  with_checkpoint(settings$control, control, function(control) {
    in_core(fit_robust_cpp(x, codes, problem$omega, arguments, control))
  }, "robust", x, codes, problem$omega, arguments)
}

# Any multipliers for the same labels can be made feasible, whatever the radius.
robust_start <- function(problem) {
  start_of(problem, "robust", function(start) {
    same <- same_labels(start, problem)
    c(start_coefficients(start),
      list(norm_bound = start$norm_bound, alpha = if (same) unname(as.matrix(start$dual)),
           beta = if (same) unname(as.matrix(start$dual_flip))))
  })
}

# ---- Its path, over the radius ----

robust_path <- function(x, y, radius = NULL, n_radius = 20, radius_min_ratio = NULL,
                        norm = c("l1", "l2", "linf"), label_cost = 1, ridge = 0,
                        intercept = "free", scale = TRUE, weights = NULL, class_weights = NULL,
                        solver = "auto", control = margin_control(), ...) {
  assert_response_given(missing(y))
  design <- matrix_design("robust", x, y, weights, match.call(), list(...), path = TRUE)
  grid <- sequence_grid("radius", radius, n_radius, radius_min_ratio, 20L, !missing(n_radius),
                        positive = FALSE)
  intercept <- formula_intercept(design, intercept, missing(intercept))
  fit_robust_path(design, robust_settings(norm, 0, label_cost, ridge, intercept, scale,
                                          class_weights, solver, control), grid)
}

fit_robust_path <- function(design, settings, grid) {
  problem <- prepare_problem(design, settings, "margin_robust()")
  radius <- sequence_values(grid, 1e-3)
  assert_path_memory(length(radius), ncol(design$x), problem$response$n_classes, "radius")
  result <- solve_robust(problem, radius, relative = is.null(grid$values), brief = TRUE)
  path <- new_margin_path("robust", problem, data.frame(radius = result$radius), result)
  signal_path_outcome(path, problem)
}

# The radius of margin_robust(radius = NULL), by robust Wasserstein profile inference.
#
# J. Blanchet, Y. Kang and K. Murthy (2019), doi:10.1017/jpr.2019.49, take the smallest ball that
# holds, with probability 0.95, a distribution Q whose optimum is the population's, w*: the 0.95
# quantile of the profile function R_n, the least cost of moving the rows such that the slopes of
# the loss at w* have mean 0. For the hinge these slopes are -y x where u = y w'x < 1 and 0 where
# u > 1. With h = mean(y x [u < 1]) at w*, which is of order n^-1/2, and multipliers xi,
#
#   R_n = sup over xi of  xi'h - mean(the most that moving a row gains, xi'(change) - cost).
#
# A row at distance r = |u - 1| from the kink crosses it at cost r / |w*|_q and gains |xi'x|, so
# that with f, the density of u at 1, those rows gain  f |w*|_q E[(xi'x)^2 | u = 1] / 2. Other
# moves, and labels as long as |xi'x|, of order n^-1/2, is below label_cost, gain nothing. So
#
#   n R_n -> Z'H^-1 Z / (2 |w*|_q),   Z ~ N(0, G),  G = E[x x'; u < 1],  H = f E[x x' | u = 1]
#
# (G and H are those of the asymptotics of the SVM: J.-Y. Koo, Y. Lee, Y. Kim and C. Park 2008, JMLR
# 9, 1343-1368). With rows inside the margin alike to those on it, G = (share / f) H, and
#
#   radius = share / f * chi^2_{0.95, df} / (2 |w|_q n):
#
# of order 1/n, since the hinge has a kink, where that of a loss with a slope everywhere is of order
# n^-1/2. share, f and w are those of the SVM with cost 1 on the same columns, df its coefficients.
# Of several classes the smallest of the radii.
profile_level <- 0.95

rule_radius <- function(problem) {
  settings <- problem$settings
  pilot <- problem
  pilot$unit <- 1
  pilot$settings <- linear_settings("hinge", 1 / sum(problem$omega), 0, settings$intercept,
                                    settings$scale, NULL, "auto", pilot_control(settings$control),
                                    NULL)
  pilot$settings$started <- settings$started
  result <- solve_linear(pilot, pilot$settings$lambda, 0)
  size <- distinct_size(problem$design$x, problem$omega)
  df <- min(size$columns, size$rows - 1) + (settings$intercept != "none")
  found <- vapply(seq_along(result$solutions), function(k) {
    point <- result$solutions[[k]][[1L]]
    w <- c(point$coefficients * result$scales,
           if (settings$intercept == "penalized") point$intercept)
    codes <- problem$response$codes
    signs <- if (problem$response$n_classes == 1L) codes else ifelse(codes == k, 1, -1)
    profile_radius(signs * point$scores, problem$omega, vector_norm(w, settings$norm), df)
  }, 0)
  min(found)
}

# The fit decides nothing but the radius, in which rows on the kink count by half: a loose one, of
# which a constant column or the order of rows moves a row off the kink, gives another. It starts from
# nothing and draws with its own seed, so that R's stream and the fit itself are as without it. Nor do
# the epochs of the fit limit it: a run that ends early is one of the same problem.
pilot_control <- function(control) {
  control$tol <- 1e-8
  control$max_epochs <- margin_control()$max_epochs
  control[c("start", "checkpoint")] <- list(NULL)
  control$seed <- 1
  control$progress <- FALSE
  control$solver_options <- list()
  control
}

# u: y times the decision value; size: |w|_q. A row that the fit has put on the kink is half inside.
# The density is not taken to be below that of the rows inside, spread evenly from -1 to 1; a w of 0
# counts as one whose rows are all of margin 1 or less.
profile_radius <- function(u, omega, size, df) {
  total <- sum(omega)
  kink <- abs(u - 1) <= 1e-3
  share <- sum(omega * ((u < 1 & !kink) + kink / 2)) / total
  share <- max(share, 0.5 / total)
  width <- 1.06 * robust_spread(u, omega) * total^(-1 / 5)
  density <- sum(omega * stats::dnorm((u - 1) / width)) / (total * width)
  stats::qchisq(profile_level, df) * share / max(density, share / 2) / (2 * max(size, 1) * total)
}

# What the methods of all fits ask of a robust fit.

describe_robust_points <- function(path, number) {
  settings <- path$settings
  settings$radius <- path$radius[1L]
  lines <- describe_problem.margin_robust(list(settings = settings), 5L)
  replace(lines, "radius", describe_range(path$radius, length(path$radius), number))
}

#' @exportS3Method
describe_problem.margin_robust <- function(fit, digits) {
  settings <- fit$settings
  number <- function(value) format(value, digits = digits)
  c("norm of w" = sprintf("%s (features are moved at their %s distance)", settings$norm,
                          dual_norms[[settings$norm]]),
    radius = paste0(number(settings$radius),
                    if (!is.null(fit$rule)) ", by the profile rule (see ?margin_robust)"),
    "label cost" = if (is.infinite(settings$label_cost)) "Inf, labels are trusted" else
      number(settings$label_cost),
    ridge = number(settings$ridge))
}

#' @exportS3Method
problem_columns.margin_robust <- function(fit) {
  as.data.frame(fit$settings[c("norm", "radius", "label_cost", "ridge")])
}
