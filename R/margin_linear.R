#' Linear classification and regression with a certificate
#'
#' @description
#' Fits a linear model: a support vector machine, logistic or multinomial regression, ridge, lasso,
#' Huber or quantile regression, depending on `loss`.
#' ```r
#' fit <- margin_linear(type ~ ., data = train, loss = "logistic", lambda = 0.001)
#' predict(fit, test, type = "prob")
#' ```
#' The fit comes with a *certificate*, which bounds its *suboptimality*: the optimisation error of
#' the penalised training objective. A certificate says nothing about predictive error; estimate
#' that on rows that were not fitted, as [margin_cv()] does.
#'
#' @details
#' The fit is the decision value \eqn{z = w'x + b} that minimises
#' \deqn{P(w, b) = \frac1W \sum_i \omega_i \phi(w'x_i + b, y_i) +
#'   \lambda \left[\frac{1 - \mathrm{mixture}}{2} |w|_2^2 + \mathrm{mixture}\, |w|_1\right],
#'   \qquad W = \sum_i \omega_i,}{
#'   P(w, b) = 1/W sum_i omega_i phi(w'x_i + b, y_i)
#'             + lambda [(1 - mixture)/2 |w|_2^2 + mixture |w|_1],   W = sum_i omega_i,}
#' and returns with the coefficients a *certificate*: the value \eqn{P} at the returned point and a
#' lower bound on the optimum, the dual objective
#' \deqn{D(a) = -\frac1W \sum_i \omega_i \phi^*(a_i, y_i) - g^*(-u), \qquad
#'   u = \frac1W \sum_i \omega_i a_i x_i,}{
#'   D(a) = -1/W sum_i omega_i phi*(a_i, y_i) - g*(-u),   u = 1/W sum_i omega_i a_i x_i,}
#' with \eqn{g} the penalty and, for a free intercept, \eqn{\sum_i \omega_i a_i = 0}. Both are
#' recomputed from these definitions at the returned point. When their relative difference is above
#' the tolerance the fit is returned with a warning of class `dualmargin_not_certified`. With an
#' `offset` the scores have it, \eqn{z_i = w'x_i + b + o_i}{z_i = w'x_i + b + o_i}, and the dual
#' \eqn{-\phi^*(a_i, y_i) + a_i o_i}{-phi*(a_i, y_i) + a_i o_i} instead of
#' \eqn{-\phi^*(a_i, y_i)}{-phi*(a_i, y_i)}.
#'
#' Three or more classes are fitted all in one problem with one certificate, or one-vs-rest, each
#' problem with its own certificate (`multiclass`). One problem has a weight vector \eqn{w_c} for
#' each class c, \eqn{z_{ic} = w_c'x_i + b_c}{z_ic = w_c'x_i + b_c}, and the penalty of each of
#' them, added up:
#' * `"softmax"`: the multinomial logistic loss \eqn{\log \sum_c e^{z_{ic}} - z_{iy_i}}{log sum_c
#'   exp(z_ic) - z_iy}, whose probabilities are \eqn{e^{z_{ic}} / \sum_l e^{z_{il}}}{exp(z_ic) /
#'   sum_l exp(z_il)}: multinomial regression with an elastic net;
#' * `"crammer_singer"`: the hinge loss \eqn{\max_c (z_{ic} + [c \ne y_i]) - z_{iy_i}}{max_c (z_ic +
#'   [c != y_i]) - z_iy} of Crammer and Singer, with a ridge (`mixture = 0`).
#'
#' Their dual has a point of the simplex for each row, \eqn{u_i}, the dual variables being \eqn{a_i
#' = u_i - e_{y_i}}{a_i = u_i - e_yi}, and \eqn{-\phi^*} is the entropy of \eqn{u_i}, or \eqn{1 -
#' u_{iy_i}}{1 - u_iy}.
#'
#' @param x A numeric matrix (double, integer or logical), a matrix of any class of package Matrix,
#'   or a data frame, whose factors are coded as by `~ .`; n rows (samples), p columns (features).
#'   Missing values are an error here; the formula method follows its `na.action`. Or rows in a file
#'   that [read_rows()] has opened.
#' @param formula,data A model formula and the data frame it refers to, as in [stats::lm()]. `- 1`
#'   means `intercept = "none"`; a term `offset(o)` adds `o` to the decision value, see `offset`.
#'   What calls in it name beside the data (`k` in `poly(x, k)`, a function) is kept as it is now, so
#'   that prediction, [update()] and a file of rows code by these values later and elsewhere. A
#'   variable with a value for each row is not kept: new rows must have it. A name that only the
#'   values of others say, as in `get(name)`, is an error.
#' @param y The response, length n, which decides the task. A factor (two or more levels), logical
#'   or character is a classification. So are numbers that are all -1 or +1, or all 0 or 1, unless
#'   `loss` names one of a regression; a message says so. Other numbers are a regression,
#'   which a message confirms where they are whole and have no more than ten values. The second
#'   level, `TRUE` or 1 is the positive class, which a decision value of 0 or more means. Ordered
#'   factors are treated as nominal and empty levels are dropped, each with a message.
#' @param loss `NULL` is that of the task: `"logistic"` for a classification, `"squared"` for a
#'   regression. Or a name, `r said_losses()`, or a value as from [loss_quantile()] where its
#'   parameter matters. `r said_losses("regression")` are losses of a regression for numbers,
#'   whatever their values; for a factor `r said_losses("both")` are losses of a classification with
#'   labels -1 and +1.
#' @param lambda Strength of the penalty, one positive number; `NULL` means \eqn{1/W}, one over
#'   the sum of the weights (without weights, the number of rows): cost 1, the default of support vector
#'   machines, a penalty that rows outweigh as they grow in number; [margin_cv()] chooses from the data.
#' @param mixture Share of the \eqn{\ell_1}{l1} norm in the penalty: 0 is ridge, 1 is lasso.
#' @param intercept `"free"`, `"penalized"` (a column of ones, never scaled, treated as any other
#'   coefficient) or `"none"`.
#' @param scale Divide each column by its standard deviation (population formula, weighted) for the
#'   fit? Constant columns are left alone. The coefficients are returned on the scale of `x`; the
#'   penalty and the certificate are those of the scaled problem. Centring is no part of it: with a
#'   free intercept the origin of the columns, and with a loss of a regression that of `y`,
#'   does not matter for the problem, and columns and responses that lie far from it (more than ten
#'   standard deviations) are moved inside for the sake of digits. Sparse data stay sparse.
#' @param weights Observation weights, non-negative, length n (in the formula method looked up in
#'   `data`). A weight of 2 is the same as the row twice, a weight of 0 as no row.
#' @param class_weights `NULL`, `"balanced"` (\eqn{W / (k W_c)}{W/(k W_c)} for a class of weight
#'   \eqn{W_c}), or positive numbers named by level. They multiply `weights`. The probabilities of a
#'   logistic fit are then those of classes in the reweighted shares, with `"balanced"` of equal
#'   ones, and too high for a class that is rare in the data: [margin_calibrate()] puts them right,
#'   or `NULL` here, with a threshold of your own on the probability.
#' @param solver `"auto"` or a name from [margin_solvers()]. What a solver cannot do is an error
#'   that names the remedy.
#' @param control How the fit is computed: tolerance, limits, seed, start; see [margin_control()].
#' @param cost Instead of `lambda`: \eqn{\lambda = 1/(W\,\mathrm{cost})}{lambda = 1/(W cost)}, the
#'   `C` of support vector machines.
#' @param response_scale Is a regression with the Huber, quantile, absolute or epsilon-insensitive
#'   loss to be solved for \eqn{y/s}? \eqn{s} is the spread of the response, 1.4826 times its
#'   weighted median absolute deviation from its weighted median, or where that is 0 its standard
#'   deviation, and `epsilon` and `lambda` refer to \eqn{y/s}, so that the unit of `y` does
#'   not matter. So does `delta` with `unit = "response"`; by default Huber's loss has the size of
#'   the residuals for its unit, see [loss_huber()]. Coefficients and fitted values come back in
#'   that unit; the certificate and the dual variables are of the problem that was solved. `FALSE`
#'   takes `y` as it is. Other losses need no \eqn{s}: in another unit of `y` the squared loss with
#'   a ridge (`mixture = 0`) gives the same fit in that unit. Its lasso does so where `lambda`, too,
#'   is given in that unit.
#' @param multiclass Three or more classes: `"one_vs_rest"`, `"softmax"` (loss `"logistic"`) or
#'   `"crammer_singer"` (loss `"hinge"`, and without a `loss` that). `"auto"` is `"softmax"` for the
#'   logistic loss, which is that of `loss = NULL`, if the `solver` fits it and coefficients have
#'   no bounds, no factor of 0 and none with an elastic net, else `"one_vs_rest"`.
#'   With a ridge (`mixture = 0`) one problem is fitted by Newton's method (`solver = "newton"`),
#'   under the Crammer-Singer loss on smoothings of it that come ever closer, or by dual coordinate
#'   ascent (`"dual_cd"`), or the softmax by `"lbfgs"`, `"fista"`; with an l1 part by proximal Newton
#'   steps (`"newton"`), `"fista"`. Two classes have one problem, which this does not change.
#' @param offset `NULL`, or a number for each row, length n, that is added to its decision value
#'   and that no coefficient moves: \eqn{z_i = w'x_i + b + o_i}{z_i = w'x_i + b + o_i}. A formula
#'   has it as a term, `y ~ x + offset(o)`. Regressions and two classes have one; of a regression it
#'   is the response less its offset that has the spread \eqn{s} of `response_scale`. For new rows
#'   [predict()][predict.margin_fit] finds the term in `newdata`, or is given `newoffset`.
#' @param penalty_factor `NULL`, or a number \eqn{f_j \ge 0}{f_j >= 0} for each column, in their
#'   order or named by them: the penalty of a column is \eqn{f_j} times what it would be,
#'   \eqn{\frac\lambda2 \sum_j f_j w_j^2}{lambda/2 sum_j f_j w_j^2} for a ridge and \eqn{\lambda
#'   \sum_j f_j |w_j|}{lambda sum_j f_j |w_j|} for a lasso, of scaled columns with `scale = TRUE`.
#'   They are taken as they are; \pkg{glmnet} divides them by their mean. `fit$scales` are then the
#'   scales of the columns times the roots of their factors, or for a lasso times the factors: the
#'   problem is that of columns so divided. With a `mixture` between 0 and 1 they are times the
#'   roots, and the \eqn{\ell_1}{l1} norm of that problem has the roots for factors, which `"spdc"`,
#'   `"spd1"`, `"spd1_vr"`, `"svrg"`, `"saga"` and `"katyusha"` do not know.
#'
#'   A column of factor 0 bears no penalty, as the free intercept does not, and keeps its scale. Up
#'   to 50 columns may, under a smooth loss, without bounds; solvers are `"newton"`, `"lbfgs"`,
#'   `"fista"` and `"auto"`. Each makes a constraint of the dual, \eqn{\sum_i \omega_i a_i x_{ij} = 0}{sum_i
#'   omega_i a_i x_ij = 0}. They must determine their coefficients: none is a combination of the
#'   others (and of a constant, beside an intercept), and no combination of them separates the
#'   classes of a logistic model. Else the call is an error that says which.
#' @param lower,upper `NULL`, or bounds of the coefficients on the scale of `x`: one number, or one
#'   for each column, in their order or named by them, with `lower` at most 0 and `upper` at least
#'   0. `lower = 0` is a model without negative coefficients. The intercept has no bounds. Solvers
#'   are `"newton"`, `"fista"` and, with a `mixture` above 0, `"lasso"` for a smooth loss;
#'   `"interior_point"` for one with kinks; `"ssnal"` and, with a `mixture` below 1, `"dual_cd"`
#'   (and `"sdca"`, without a free intercept) for any. `"auto"` chooses among them. In the dual
#'   \eqn{g^*} is the conjugate of the penalty within the bounds.
#' @param subset,na.action,contrasts As in [stats::lm()]: all rows, `getOption("na.action")` (rows
#'   with a missing value are left out) and the contrasts of the session unless given. What asks for
#'   the data of the fit again, as [margin_loo()] does, takes all of it and evaluates `subset`
#'   there, or takes the rows that it left.
#' @param sparse Code the formula into a sparse matrix? Worth it for factors with many levels.
#' @param ... Not used; an unknown argument is an error.
#' @return An object of class `c("margin_linear", "margin_fit")`, a plain list. Read it with
#'   [coef()], [certificate()], [convergence()], [predict()][predict.margin_fit], [summary()] and
#'   [plot()][plot.margin_fit]. It keeps decision values, weights and dual variables (length n) but
#'   not `x`. `settings$loss` of a Huber regression is the loss of the problem that was solved, its
#'   `found` the `delta` that was asked for and the size that it counts. `task` is
#'   `"classification"` or `"regression"`, `settings$loss` the loss, and `response_scale` the
#'   \eqn{s} by which a response was divided (1: none).
#' @section Rows in a file, rows on several machines:
#' Rows that do not fit in memory are fitted where they lie, see [read_rows()], and those that several
#' processes under MPI have are fitted as one problem, see [mpi_ranks()]: to the same certificate, by the
#' solvers that need few passes, `"newton"` for a smooth loss, `"ssnal"` for another, `"lbfgs"`, `"fista"`.
#' @section Errors and warnings:
#' Bad input is an error of class `dualmargin_input_error` that names the argument, the value and
#' the remedy. A fit that misses its tolerance gives one warning of class
#' `dualmargin_not_certified`. A fit that leaves the range of double precision is an error of class
#' `dualmargin_numerical_error`.
#' @seealso [margin_solvers()] for the solvers and their papers, [margin_path()] for many values of
#'   `lambda` in one run, [margin_control()], [losses], [compare_solvers()].
#' @examples
#' train <- seq(1, nrow(spambase), by = 2)
#' test <- spambase[-train, ]
#' fit <- margin_linear(type ~ ., data = spambase[train, ], loss = "logistic")
#' certificate(fit)
#'
#' # what a certificate does not say: accuracy and log loss on rows that were not fitted
#' prob <- predict(fit, test, type = "prob")
#' c(accuracy = mean(predict(fit, test) == test$type),
#'   log_loss = -mean(log(prob[cbind(seq_len(nrow(test)), test$type)])))
#'
#' # a sparse matrix with labels -1 and +1, plain hinge, cost as in other SVM packages
#' svm <- margin_linear(a1a$x, factor(a1a$y), loss = "hinge", cost = 0.1)
#' svm
#'
#' # three classes in one multinomial model
#' half <- seq(1, nrow(iris), by = 2)
#' multinomial <- margin_linear(Species ~ ., data = iris[half, ])
#' mean(predict(multinomial, iris[-half, ]) == iris$Species[-half])
#' @usage NULL
#' @export
margin_linear <- function(x, ...) {
  UseMethod("margin_linear", leading_argument(x, ...))
}

#' @rdname margin_linear
#' @export
margin_linear.matrix <- function(x, y, loss = NULL, lambda = NULL, mixture = 0,
                                 intercept = "free", scale = TRUE, weights = NULL,
                                 class_weights = NULL, solver = "auto",
                                 control = margin_control(), cost = NULL,
                                 response_scale = TRUE, multiclass = "auto", offset = NULL,
                                 penalty_factor = NULL, lower = NULL, upper = NULL, ...) {
  assert_response_given(missing(y))
  call <- match.call()
  force(x) # that of a formula says what no argument is, before it is looked up
  dots <- list(...)
  removable <- missing(intercept)
  on_ranks(control, function(control) {
    design <- matrix_design("linear", x, y, weights, call, dots, offset, on_several_ranks(control))
    intercept <- formula_intercept(design, intercept, removable)
    fit_linear(design, linear_settings(
      loss, lambda, mixture, intercept, scale, class_weights, solver, control, cost,
      response_scale, multiclass, penalty_factor, lower, upper
    ))
  })
}

#' @rdname margin_linear
#' @usage NULL
#' @export
margin_linear.Matrix <- margin_linear.matrix

#' @rdname margin_linear
#' @usage NULL
#' @export
margin_linear.data.frame <- margin_linear.matrix

#' @rdname margin_linear
#' @usage \special{margin_linear(formula, data, \dots, weights, subset,
#'   na.action, contrasts, sparse)}
#' @export
margin_linear.formula <- function(formula, data, ..., weights, subset, na.action,
                                  contrasts = NULL, sparse = FALSE) {
  margin_linear.matrix(formula_design("linear", match.call(), parent.frame(), data, contrasts,
                                      sparse), NULL, ...)
}

#' @export
margin_linear.default <- function(x, ...) {
  if (missing(x)) {
    abort_input("`x` is missing; give a matrix, a Matrix, a data frame or a formula.", "x")
  }
  if (is_rows(x)) refuse_rows("x")
  abort_input(sprintf(
    "`x` is %s, but must be a matrix, a Matrix, a data frame or a formula%s.", show_value(x),
    matrix_conversion(x)
  ), "x")
}

# From a design and settings to a linear fit: checks against the registry and ONE call into C++.

# What a linear problem is, validated; lambda stays NULL or cost until the weights are known, and a
# loss that was not named until the response is.
linear_settings <- function(loss, lambda, mixture, intercept, scale, class_weights, solver, control,
                            cost, response_scale = TRUE, multiclass = "auto",
                            penalty_factor = NULL, lower = NULL, upper = NULL) {
  assert_choice(multiclass, multiclass_choices(), "multiclass", multiclass_aliases)
  loss <- loss_of_classes(loss, multiclass, several = TRUE)
  assert_penalty(lambda, cost, mixture)
  assert_flag(response_scale, "response_scale")
  assert_penalty_factor(penalty_factor)
  assert_bounds(lower, upper)
  own <- list(loss = NULL, lambda = lambda, cost = cost, mixture = mixture,
              response_scale = response_scale, multiclass = multiclass,
              penalty_factor = penalty_factor, lower = lower, upper = upper)
  settle_loss(common_settings("linear", own, intercept, scale, class_weights, solver, control),
              loss)
}

fit_linear <- function(design, settings) {
  problem <- linear_problem(design, settings)
  settings <- problem$settings
  settings <- with_lambda(settings, problem$total)
  several <- !is.null(taus_of(settings$loss))
  if (several) assert_quantiles_possible(problem)
  result <- (if (several) solve_quantiles else solve_linear)(problem, settings$lambda,
                                                             settings$mixture)
  problem <- held_scale(problem, result$solutions[[1L]][[1L]])
  settings$loss <- problem$settings$loss
  signal_strength(result$solutions, settings$lambda, settings$mixture, settings$solver$name)
  result$solutions <- lapply(result$solutions, `[[`, 1L)
  if (!is.null(design$offset)) {
    result$solutions <- lapply(result$solutions, function(one) {
      replaced(one, list(scores = one$scores + design$offset))
    })
  }
  problem$settings <- settings
  fit <- new_margin_fit("margin_linear", problem, result, function(columns) {
    c(if (!is.null(problem$multiclass)) list(multiclass = problem$multiclass),
      if (!is.null(design$offset)) list(offset = design$offset))
  })
  ranks <- meeting_of(settings)
  if (!is.null(ranks)) fit$exchanged <- exchanged_so_far(ranks)
  signal_outcome(fit, problem)
}

linear_problem <- function(design, settings, mixture = settings$mixture) {
  settings["penalty_factor"] <- list(matched_factor(settings$penalty_factor, design$features))
  problem <- prepare_problem(design, matched_bounds(settings, design$features))
  assert_offset_possible(problem)
  assert_column_terms(problem, mixture)
  problem
}

# The one call. lambda and mixture: one point, or the points of a path, see src/linear.cpp.
solve_linear <- function(problem, lambda, mixture, relative = FALSE, brief = FALSE,
                         start = linear_start(problem)) {
  settings <- problem$settings
  joint <- problem$multiclass
  ranks <- meeting_of(settings)
  assert_ranks_able(ranks, settings, joint)
  arguments <- list(
    loss = if (is.null(joint)) settings$loss$name else joint, parameter = settings$loss$parameter,
    lambda = lambda, mixture = mixture, relative = relative, brief = brief,
    residual = isTRUE(settings$residual), intercept = settings$intercept, scale = settings$scale,
    n_classes = problem$response$n_classes,
    factor = column_factor(settings$penalty_factor, mixture),
    offset = if (!takes_numbers(settings$loss)) problem$design$offset,
    l1_factor = l1_factor(settings$penalty_factor, mixture)
  )
  arguments[c("lower", "upper")] <- bounds_for_core(settings, problem$unit)
  x <- problem$design$x
  solve <- function(control) {
    if (is_rows(x)) {
      return(assert_free_columns(solve_rows(problem, arguments, control, joint), problem))
    }
    fit <- if (is.null(joint)) fit_linear_cpp else fit_multiclass_cpp
    assert_free_columns(in_core(fit(x, problem$response$codes, problem$omega, arguments, control)),
                        problem)
  }
  result <- with_checkpoint(
    settings$control, core_control(settings, start), solve, "linear",
    if (!is_rows(x)) x else if (is.null(ranks)) mark_of_file(x) else x$checksum,
    problem$response$codes, problem$omega, arguments
  )
  result <- with_one_clock(ranks, result)
  assert_residual_scale(result)
  within_bounds(in_response_units(result, problem$unit), settings)
}

# A dual point is of use only for the same loss and the same labels; elsewhere it might not even be
# feasible.
linear_start <- function(problem) {
  start_of(problem, "linear", function(start) {
    start <- start_of_tau(start, problem$settings$loss)
    same <- identical(start$settings$loss, problem$settings$loss) &&
      identical(start$multiclass, problem$multiclass) && same_labels(start, problem) &&
      identical(start$offset, problem$design$offset)
    same <- true_on_all(meeting_of(problem$settings), same)
    c(start_coefficients(start, problem$unit),
      list(dual = if (same) unname(as.matrix(start$dual))))
  })
}

# ---- Its path ----

fit_linear_path <- function(design, settings, grid) {
  assert_one_tau_each(settings$loss)
  problem <- linear_problem(design, settings, grid$mixture)
  settings <- problem$settings
  points <- path_points(grid, has_more_columns(problem))
  assert_path_memory(sum(points$mixture == 0), ncol(design$x), problem$response$n_classes,
                     if (is.null(grid$values)) "n_lambda" else "lambda")
  result <- solve_linear(problem, points$lambda, points$mixture,
                         relative = is.null(grid$values), brief = TRUE)
  points$lambda <- result$lambda
  signal_strength(result$solutions, points$lambda, points$mixture, settings$solver$name)
  result$solutions <- class_solutions(result$solutions, problem)
  path <- new_margin_path("linear", problem, points, result)
  path$residual_scale <- found_scales(problem, result$solutions[[1L]])
  path$multiclass <- problem$multiclass
  if (!is.null(design$offset)) path$offset <- TRUE
  signal_path_outcome(path, problem)
}

# What the methods of all fits ask of a linear fit, and the decision values of columns.

describe_linear_points <- function(path, number) {
  mixtures <- unique(path$mixture)
  c(loss = format(path$settings$loss),
    lambda = paste0(describe_range(path$lambda, length(path$lambda) / length(mixtures), number),
                    if (length(mixtures) > 1L) " for each mixture"),
    mixture = paste(vapply(mixtures, number, ""), collapse = ", "),
    if (!is.null(path$settings$penalty_factor)) {
      c(factors = factor_range(path$settings, 4L))
    },
    if (has_bounds(path$settings)) c(bounds = bounds_in_words(path$settings, 4L)),
    if (has_offset(path)) c(offset = "a number a row, added to the decision value"))
}

#' @exportS3Method
describe_problem.margin_linear <- function(fit, digits) {
  settings <- fit$settings
  kind <- if (settings$mixture == 0) "ridge" else if (settings$mixture == 1) "lasso" else
    "elastic net"
  c(loss = format(settings$loss),
    penalty = sprintf("%s, lambda = %s, mixture = %s", kind,
                      format(settings$lambda, digits = digits),
                      format(settings$mixture, digits = digits)),
    if (!is.null(settings$penalty_factor)) c(factors = factor_range(settings, digits)),
    if (has_bounds(settings)) c(bounds = bounds_in_words(settings, digits)),
    if (has_offset(fit)) c(offset = "a number a row, added to the decision value"))
}

bounds_in_words <- function(settings, digits) {
  one <- function(bound, none) {
    range <- unique(range(if (is.null(bound)) none else bound))
    paste(vapply(range, format, "", digits = digits), collapse = " or up to ")
  }
  sprintf("coefficients from %s to %s", one(settings$lower, -Inf), one(settings$upper, Inf))
}

factor_range <- function(settings, digits) {
  range <- vapply(unique(range(settings$penalty_factor)), format, "", digits = digits)
  paste0("of the penalty, ", paste(range, collapse = " to "), ", one a column")
}

#' @exportS3Method
problem_columns.margin_linear <- function(fit) {
  data.frame(loss = loss_name(fit), lambda = fit$settings$lambda, mixture = fit$settings$mixture)
}

# scores = x w + b, sparse x staying sparse: a vector, or a column for each class.
linear_scores <- function(x, coefficients, has_intercept) {
  slopes <- if (has_intercept) coefficients[-1L, , drop = FALSE] else coefficients
  scores <- as.matrix(x %*% slopes)
  if (has_intercept) {
    scores <- scores + rep(coefficients[1L, ], each = nrow(scores))
  }
  if (ncol(scores) == 1L) stats::setNames(drop(scores), rownames(x)) else scores
}

# Columns without a penalty, of factor 0: what they may stand beside, and what the core says of them
# (src/linear/free_columns.h).

# Their Newton systems are solved for every certificate.
most_free_columns <- 50L
has_free_columns <- function(settings) any(settings$penalty_factor == 0)

assert_free_possible <- function(settings, bounded, no) {
  if (bounded) {
    no(paste("beside bounds there is no column without a penalty yet; give it a small factor, such",
             "as 1e-6, or leave `lower` and `upper` out"))
  }
  if (!is.null(meeting_of(settings))) {
    no(paste("rows on several ranks have no column without a penalty yet; give it a small factor,",
             "such as 1e-6"))
  }
  if (!settings$loss$smooth) {
    no(sprintf(paste(
      "the loss \"%s\" is not smooth, and only smooth ones have columns without a penalty; give a",
      "small factor, such as 1e-6, or use a smooth loss, such as loss_%s"
    ), settings$loss$name,
    if (settings$loss$task == "regression") "huber()" else "smooth_hinge(0.1)"))
  }
}

# Of the answer of the core: columns without a penalty that have no best coefficients.
assert_free_columns <- function(result, problem) {
  features <- problem$design$features
  if (length(result$dependent) > 0L) {
    abort_input(sprintf(paste(
      "`penalty_factor` is 0 for %s, a combination of the other columns without a penalty, or",
      "constant beside the intercept: coefficients are not determined; leave %s out, or give a",
      "small factor, such as 1e-6."
    ), quote_list(features[result$dependent]),
    if (length(result$dependent) == 1L) "it" else "them"), "penalty_factor")
  }
  if (isTRUE(result$separate)) {
    abort_input(if (separates_classes(problem)) paste(
      "`penalty_factor` is 0 for columns along which classes are separate: no coefficients are the",
      "best, larger ones are better without end; give a small factor, such as 1e-3."
    ) else paste(
      "`penalty_factor` is 0 for columns of which no best coefficients were found in 100 Newton",
      "steps: along them classes are separate but for ties, or all but separate; give a small",
      "factor, such as 1e-3."
    ), "penalty_factor")
  }
  result
}

# Is it proven that the columns without a penalty separate a class from the others? By a margin
# above 0, which margin_hard() certifies; there is none where rows of both lie on the boundary, as
# beside a column that is 0 in all rows of one class.
separates_classes <- function(problem) {
  settings <- problem$settings
  x <- problem$design$x
  if (is_rows(x)) {
    return(FALSE)
  }
  used <- problem$omega > 0
  x <- as.matrix(x[used, settings$penalty_factor == 0, drop = FALSE])
  codes <- problem$response$codes[used]
  one <- function(is_class) {
    if (all(is_class) || !any(is_class)) return(FALSE)
    fit <- withCallingHandlers(
      margin_hard(x, is_class, scale = TRUE,
                  intercept = if (settings$intercept == "free") "free" else "none"),
      dualmargin_not_certified = function(w) invokeRestart("muffleWarning")
    )
    isTRUE(fit$separable)
  }
  n_classes <- problem$response$n_classes
  if (n_classes == 1L) one(codes > 0) else any(vapply(seq_len(n_classes), function(k) {
    one(codes == k)
  }, NA))
}
