#' Linear models with data augmentation or dropout, with a certificate
#'
#' @description
#' Fits a linear model to rows that are changed at random: with dropout, noise, moved images or
#' other data augmentation.
#' ```r
#' fit <- margin_augmented(type ~ ., data = train, perturbation = perturb_dropout(0.2))
#' predict(fit, test)
#' ```
#' The fit comes with a *certificate*, which bounds its *suboptimality*: the optimisation error of
#' the penalised training objective. A certificate says nothing about predictive error; estimate
#' that on rows that were not fitted, as [margin_cv()] does.
#'
#' @details
#' The decision value \eqn{z = w'x + b} minimises the *expected* loss under random perturbations
#' \eqn{\rho} of the rows (dropout, noise, moved images: data augmentation without end):
#' \deqn{\min_w F(w) = \frac1W \sum_i \omega_i\, E_\rho\, \phi(w'(\rho x_i), y_i)
#'   + \lambda \Big(\frac{1 - m}{2} |w|_2^2 + m |w|_1\Big), \qquad W = \sum_i \omega_i,}{
#'   min over w of F(w) = 1/W sum_i omega_i E_rho phi(w'(rho x_i), y_i)
#'       + lambda ((1 - m)/2 |w|_2^2 + m |w|_1),   W = sum_i omega_i,}
#' with \eqn{m} the `mixture`, below 1. Where the expectation is known the default solver is
#' `exact`, a quasi-Newton method that draws nothing. Elsewhere it is stochastic MISO, which sees
#' one perturbed row at a time and yet has no noise but that of the perturbations themselves, here
#' drawn so that most of it cancels between the visits of a row.
#'
#' @section Known expectations:
#' Without a perturbation there is none to take. For the squared loss with dropout, rescaling and
#' normal noise in any order, each value has the mean \eqn{x_{ij}}{x_ij} and the mean square
#' \eqn{a x_{ij}^2 + b}{a x_ij^2 + b}, so
#' \deqn{E (w'\xi_i - y_i)^2 / 2 = (w'x_i - y_i)^2 / 2
#'   + \frac12 \sum_j ((a - 1) x_{ij}^2 + b)\, w_j^2;}{
#'   E (w'xi_i - y_i)^2 / 2 = (w'x_i - y_i)^2 / 2 + 1/2 sum_j ((a - 1) x_ij^2 + b) w_j^2;}
#' from \eqn{a = 1}, \eqn{b = 0} dropout divides both by `1 - rate`, rescaling multiplies both by
#' `1 + width^2 / 3` and noise adds `sd^2` to b. With normal noise alone the decision value is
#' normal around \eqn{w'x_i} with the standard deviation \eqn{\tau = sd\, |w|_2}{tau = sd |w|}, the
#' intercept not counted in w, and the mean of a loss is an expression in normal probabilities, for
#' the logistic loss a sum (the trapezium rule, with an error below 1e-13 for every
#' \eqn{\tau}{tau}).
#'
#' `exact` is OWL-QN (Andrew and Gao 2007), without an l1 part L-BFGS, with the option `memory`, how
#' many pairs of vectors it remembers (20; 0 is gradient descent). It starts from the columns' own
#' scales, so that columns of unequal scale do it little harm. An epoch is one gradient.
#'
#' @section Centring:
#' Dropout and rescaling act on values, so it matters where a value is zero: without centring they
#' ruin a column that is far from the origin for its spread, such as calendar years, whose values
#' they move by hundreds of standard deviations. `center` subtracts from each column its weighted
#' mean \eqn{m_j}{m_j} before `scale` divides it and perturbations act. The problem is then that
#' of \eqn{w'\rho(x - m) + b}{w' rho(x - m) + b}; coefficients are returned for the columns as they
#' were given, with the intercept \eqn{b - w'm}{b - w'm}, also where `intercept = "none"` means
#' that \eqn{b = 0}{b = 0}. `NULL` centres dense columns, but for [perturb_image()] and
#' [perturb_custom()], where `TRUE` is an error, as it is for sparse `x`: zeros that are perturbed
#' would not stay zeros.
#'
#' A regression with a penalised intercept has its weighted mean subtracted from the response
#' first, sparse rows or not, so that the penalty is on the rest. The intercept that
#' is returned includes it; `fit$response_center` is that mean. The certificate is of the problem on
#' centred columns and response, and says so.
#'
#' @section Certificate:
#' \eqn{F} is strongly convex with the constant \eqn{\mu = \lambda (1 - m)}{mu = lambda (1 - m)}, so
#' for every subgradient \eqn{g} of F at the returned w
#' \deqn{F(w) - F^\star \le \frac{|g|_2^2}{2 \mu}.}{F(w) - F* <= |g|^2 / (2 mu).}
#' Where the expectation is known (no perturbation; normal noise; for the squared loss also dropout
#' and rescaling; dropout of short rows) \eqn{g} is computed and the certificate is of kind
#' `"gradient bound"`.
#'
#' Elsewhere it is of kind `"confidence bound"`: \eqn{g} is estimated from independent batches of
#' perturbed rows (`cycles`, an option of every solver, 10), and `bound` is a lower limit of
#' \eqn{F^\star}{F*} with a confidence of 95 %. `value` is the mean over the draws, with the
#' standard error `fit$value_se`, and `gap`, what `tol` is compared with, allows for that error too.
#' The limit of \eqn{F(w) - F^\star}{F(w) - F*} alone, the smaller of the two, is
#' `fit$suboptimality`. Value, standard error and bound are *as sampled*: they do not include a
#' mask that is rarer than one in all draws. `summary()` says what the certificate cost. Derivation:
#' `vignette("proofs")`.
#'
#' @section How much the method gains:
#' SGD feels \eqn{\sigma_{tot}^2}{sigma_tot^2}, the mean squared length of the gradient of a random
#' perturbed row, stochastic MISO only \eqn{\sigma_p^2}{sigma_p^2}, that part of it which is due to
#' the perturbations. `summary()` prints both, at the start, after two epochs and at the end, and
#' their ratio, the factor by which the plain method is expected to be nearer to the optimum than
#' SGD after the same work; balanced draws come on top of it.
#'
#' @param x,y,formula,data As for [margin_linear()].
#' @param perturbation What may happen to a row, see [perturbations].
#' @param loss `NULL`, by which the response decides as for [margin_linear()], or a smooth loss:
#'   `"logistic"`, `"squared_hinge"`, `"smooth_hinge"`, `"squared"`, `"huber"`, or a value, see
#'   [losses].
#' @param lambda Strength of the penalty, positive; `NULL` is 1 / (sum of weights).
#' @param mixture Share of the l1 norm in the penalty, from 0 (ridge) up to but without 1.
#' @param intercept `"penalized"`, a column of ones that is never perturbed nor scaled, or `"none"`.
#'   A free one has no certificate here, since the bound needs strong convexity.
#' @param center Subtract its mean from each column for the fit? `NULL` means where `x` is dense and
#'   the perturbation permits it, see the section on centring.
#' @param scale Divide each column by its standard deviation for the fit? Perturbations then act on
#'   the scaled columns. See [margin_linear()].
#' @param weights,class_weights,response_scale,subset,na.action,contrasts,sparse,cost As for
#'   [margin_linear()].
#' @param solver `"auto"` or a name from [margin_solvers()] with `family = "augmented"`.
#' @param control How the fit is computed, see [margin_control()]. `tol = NULL` is 1e-6 where the
#'   expectation is known and 1e-3 where it is sampled.
#' @param ... Not used; an unknown argument is an error.
#' @return An object of class `c("margin_augmented", "margin_fit")`, with the same methods as a fit
#'   of [margin_linear()]. Beside what all fits have it holds `value_se`, the standard error of the
#'   certificate's `value`; `suboptimality`, the limit of \eqn{F(w) - F^\star}{F(w) - F*}, see
#'   Certificate; `noise`, a data frame with columns `class`, `epoch`, `sigma_p2` and `sigma_tot2`;
#'   `center` and `response_center`, the means that were subtracted, if any; and
#'   `certificate_epochs`, the passes that certificates took. Its decision values and predictions
#'   are those of rows that are not perturbed. It has no dual variables.
#' @section Errors and warnings:
#' As for [margin_linear()]. An error in a function given to [perturb_custom()] is passed on as it
#' is.
#' @references
#' Bietti A, Mairal J (2017). Stochastic optimization with variance reduction for infinite datasets
#' with finite sum structure. *Advances in Neural Information Processing Systems* 30, 1623-1633.
#' arXiv:1610.00970.
#'
#' Andrew G, Gao J (2007). Scalable training of L1-regularized log-linear models. *Proceedings of
#' the 24th International Conference on Machine Learning*, 33-40. \doi{10.1145/1273496.1273501}.
#' @seealso [perturbations], [margin_path()] over the strength of a perturbation,
#'   [margin_linear()].
#' @examples
#' train <- seq(1, nrow(spambase), by = 2)
#' test <- spambase[-train, ]
#' fit <- margin_augmented(type ~ ., data = spambase[train, ],
#'                         perturbation = perturb_dropout(0.2), lambda = 0.01)
#' fit
#' mean(predict(fit, test) == test$type)
#'
#' # normal noise: the expectation is known and the optimum is found
#' exact <- margin_augmented(type ~ ., data = spambase[train, ],
#'                           perturbation = perturb_gaussian(0.3), lambda = 0.01)
#' certificate(exact)
#'
#' # a sparse matrix and a sparse model
#' margin_augmented(a1a$x, factor(a1a$y), lambda = 0.02, mixture = 0.5,
#'                  control = margin_control(max_epochs = 10000, seed = 1))
#' @usage NULL
#' @export
margin_augmented <- function(x, ...) {
  UseMethod("margin_augmented", leading_argument(x, ...))
}

#' @rdname margin_augmented
#' @export
margin_augmented.matrix <- function(x, y, perturbation = perturb_dropout(0.1), loss = NULL,
                                    lambda = NULL, mixture = 0, intercept = "penalized",
                                    center = NULL, scale = TRUE, weights = NULL,
                                    class_weights = NULL, solver = "auto",
                                    control = margin_control(), cost = NULL,
                                    response_scale = TRUE, ...) {
  assert_response_given(missing(y))
  design <- matrix_design("augmented", x, y, weights, match.call(), list(...))
  intercept <- formula_intercept(design, intercept, missing(intercept))
  fit_augmented(design, augmented_settings(
    perturbation, loss, lambda, mixture, intercept, center, scale, class_weights, solver, control,
    cost, response_scale
  ))
}

#' @rdname margin_augmented
#' @usage NULL
#' @export
margin_augmented.Matrix <- margin_augmented.matrix

#' @rdname margin_augmented
#' @usage NULL
#' @export
margin_augmented.data.frame <- margin_augmented.matrix

#' @rdname margin_augmented
#' @usage \special{margin_augmented(formula, data, \dots, weights, subset,
#'   na.action, contrasts, sparse)}
#' @export
margin_augmented.formula <- function(formula, data, ..., weights, subset, na.action,
                                     contrasts = NULL, sparse = FALSE) {
  design <- formula_design("augmented", match.call(), parent.frame(), data, contrasts, sparse)
  margin_augmented.matrix(design, NULL, ...)
}

#' @export
margin_augmented.default <- function(x, ...) margin_linear.default(x)

# From a design and settings to a fit of perturbed rows: what is possible, ONE call into C++.

# What an augmented problem is, validated; lambda stays NULL or cost until the weights are known.
augmented_settings <- function(perturbation, loss, lambda, mixture, intercept, center, scale,
                               class_weights, solver, control, cost, response_scale = TRUE) {
  perturbation <- as_perturbation(perturbation)
  loss <- named_loss(loss)
  assert_penalty(lambda, cost, mixture)
  assert_center(center)
  assert_flag(response_scale, "response_scale")
  own <- list(perturbation = perturbation, loss = NULL, lambda = lambda, cost = cost,
              mixture = mixture, response_scale = response_scale, center = center)
  settings <- common_settings("augmented", own, intercept, scale, class_weights, solver, control,
                              tol = NULL)
  assert_uniform_if_long(settings)
  settle_loss(settings, loss)
}

# Steps of "sgd" beyond the safe one are for rows drawn uniformly.
assert_uniform_if_long <- function(settings) {
  options <- settings$options
  if (settings$solver$name == "sgd" && options$step > 1 && options$sampling != "uniform") {
    abort_input(sprintf(paste(
      "`step` is %s with `sampling` \"%s\": steps longer than 1 diverge where rows are drawn by",
      "their smoothness; add sampling = \"uniform\" to `solver_options`, or take a step up to 1."
    ), show_value(options$step), options$sampling), "step")
  }
}

# Is the mean of the loss over the perturbation known, or to be drawn?
settle_expectation <- function(settings) {
  row <- settings$solver
  known <- has_closed_form(settings$perturbation, settings$loss)
  if (row$closed_form && !known) {
    abort_input(sprintf(paste(
      "`solver` is \"%s\", which needs the mean of the %s loss over the perturbation %s in closed",
      "form; use \"smiso\", the squared loss, or perturb_gaussian() alone."
    ), row$name, settings$loss$name, format(settings$perturbation)), "solver")
  }
  if (is.null(settings$tol)) settings$tol <- if (known) 1e-6 else 1e-3
  settings
}

# Are column means subtracted? An image that is moved has zeros around it, and what a function of
# the user's does is not known.
settle_augmented_center <- function(center, perturbations, sparse) {
  steps <- unlist(lapply(perturbations, function(one) vapply(one$steps, `[[`, "", "name")))
  fixed <- intersect(c("image", "custom"), steps)
  if (isTRUE(center) && length(fixed) > 0L) {
    abort_input(sprintf(paste(
      "`center` is TRUE, but perturb_%s() is about the values as they are, which a mean",
      "taken from them changes; use center = FALSE."
    ), fixed[1L]), "center")
  }
  if (isTRUE(center) && sparse) {
    abort_input(paste(
      "`center` is TRUE, but `x` is sparse, and centred rows have no zeros that a perturbation",
      "could keep; use center = FALSE, or make `x` dense (as.matrix())."
    ), "center")
  }
  if (is.null(center)) !sparse && length(fixed) == 0L else center
}

fit_augmented <- function(design, settings) {
  assert_perturbation_fits(settings$perturbation, design$x)
  settings$center <- settle_augmented_center(settings$center, list(settings$perturbation),
                                             design$sparse)
  assert_dense_l1(settings$solver, settings$mixture, design$x)
  problem <- prepare_problem(design, settings)
  problem$settings <- with_lambda(problem$settings, sum(problem$omega))
  result <- solve_augmented(problem, list(settings$perturbation))
  result$solutions <- lapply(result$solutions, `[[`, 1L)
  signal_outcome(new_augmented_fit(problem, result), problem)
}

new_augmented_fit <- function(problem, result) {
  levels <- if (length(result$solutions) > 1L) problem$response$levels else NA_character_
  noise <- Map(function(s, class) {
    data.frame(class = class, epoch = s$noise[, 1L], sigma_p2 = s$noise[, 2L],
               sigma_tot2 = s$noise[, 3L])
  }, result$solutions, levels)
  new_margin_fit("margin_augmented", problem, result, function(columns) {
    list(value_se = columns("value_se"), suboptimality = columns("suboptimality"),
         certificate_epochs = columns("certificate_epochs"),
         noise = do.call(rbind, unname(noise)))
  })
}

# The one call. perturbations: one, or the points of a path, see src/augmented.cpp.
solve_augmented <- function(problem, perturbations, brief = FALSE) {
  settings <- problem$settings
  x <- problem$design$x
  codes <- problem$response$codes
  arguments <- list(
    loss = settings$loss$name, parameter = settings$loss$parameter,
    regression = problem$response$task == "regression", lambda = settings$lambda,
    mixture = settings$mixture, perturbations = lapply(perturbations, core_perturbation),
    brief = brief, intercept = settings$intercept, center = settings$center,
    scale = settings$scale, n_classes = problem$response$n_classes
  )
  control <- core_control(settings, augmented_start(problem))
  result <- with_checkpoint(settings$control, control, function(control) {
    in_core(fit_augmented_cpp(x, codes, problem$omega, arguments, control))
  }, "augmented", x, codes, problem$omega, arguments)
  in_response_units(result, problem$unit)
}

augmented_start <- function(problem) {
  start_of(problem, "augmented", function(start) start_coefficients(start, problem$unit))
}

# ---- Its path, over the strength of a perturbation ----

# The perturbation at every rate, in rising order, each solution the start of the next.
augmented_path <- function(x, y, rate = seq(0, 0.5, by = 0.1), perturbation = perturb_dropout,
                           loss = NULL, lambda = NULL, mixture = 0, intercept = "penalized",
                           center = NULL, scale = TRUE, weights = NULL, class_weights = NULL,
                           solver = "auto", control = margin_control(), cost = NULL,
                           response_scale = TRUE, ...) {
  assert_response_given(missing(y))
  design <- matrix_design("augmented", x, y, weights, match.call(), list(...), path = TRUE)
  grid <- augmented_grid(rate, perturbation)
  intercept <- formula_intercept(design, intercept, missing(intercept))
  fit_augmented_path(design, augmented_settings(
    grid$last, loss, lambda, mixture, intercept, center, scale, class_weights, solver, control,
    cost, response_scale
  ), grid)
}

augmented_grid <- function(rate, perturbation) {
  if (!is.function(perturbation)) {
    abort_input(sprintf(paste(
      "`perturbation` is %s, but for a path must be a function of the rate that makes one, such as",
      "perturb_dropout or function(r) perturb_dropout(r) + perturb_rescale(0.2)."
    ), show_value(perturbation)), "perturbation")
  }
  assert_values(rate, "rate", function(v) v >= 0, "finite numbers from 0 on")
  assert_count(length(rate), most_points, "rate", "points")
  rate <- sort(as.double(rate))
  made <- lapply(lapply(rate, perturbation), as_perturbation)
  list(rate = rate, made = made, last = made[[length(made)]])
}

fit_augmented_path <- function(design, settings, grid) {
  lapply(grid$made, assert_perturbation_fits, x = design$x)
  settings$center <- settle_augmented_center(settings$center, grid$made, design$sparse)
  assert_dense_l1(settings$solver, settings$mixture, design$x)
  problem <- prepare_problem(design, settings)
  problem$settings <- settle_rates(with_lambda(problem$settings, sum(problem$omega)), grid$made)
  assert_path_memory(length(grid$made), ncol(design$x), problem$response$n_classes, "rate")
  result <- solve_augmented(problem, grid$made, brief = TRUE)
  path <- new_margin_path("augmented", problem, data.frame(rate = grid$rate), result)
  signal_path_outcome(path, problem)
}

# The solver has to fit every point, and one tolerance serves all: that of those whose mean is sampled.
settle_rates <- function(settings, made) {
  all <- lapply(made, function(one) {
    own <- replaced(settings, list(perturbation = one))
    own["tol"] <- list(settings$control$tol)
    settle_expectation(own)
  })
  settings$tol <- max(vapply(all, `[[`, 0, "tol"))
  settings
}

# A perturbation that is made from a rate is tried at several.
tried_rates <- function(arguments) {
  made <- is.null(arguments$perturbation) || is.function(arguments$perturbation)
  if (made) list(rate = seq(0, 0.5, by = 0.1)) else list()
}

# What the methods of all fits ask of a fit of perturbed rows, and what its summary adds.

#' @exportS3Method
describe_problem.margin_augmented <- function(fit, digits) {
  c(perturbation = format(fit$settings$perturbation), describe_problem.margin_linear(fit, digits))
}

#' @exportS3Method
problem_columns.margin_augmented <- function(fit) {
  cbind(perturbation = format(fit$settings$perturbation), problem_columns.margin_linear(fit))
}

#' @exportS3Method
summary.margin_augmented <- function(object, ...) {
  assert_no_extra("summary()", ...)
  made <- NextMethod()
  made$noise <- object$noise
  made$value_se <- object$value_se
  made$suboptimality <- if (is.null(object$suboptimality)) object$certificate$gap else
    object$suboptimality
  made$certificate_epochs <- object$certificate_epochs
  # the ridge's strong convexity, and the suboptimality that was asked for
  made$mu <- object$settings$lambda * (1 - object$settings$mixture)
  structure(made, class = c("summary.margin_augmented", class(made)))
}

#' @exportS3Method
print.summary.margin_augmented <- function(x, digits = max(3L, getOption("digits") - 3L),
                                           top = 10L, ...) {
  assert_no_extra("print()", ...)
  NextMethod()
  if (length(x$model$settings$perturbation$steps) > 0L) {
    cat(fold_lines(describe_noise(x$noise, x$mu, x$certificate, min(digits, 3L))), sep = "\n")
  }
  sampled <- x$certificate$kind == "confidence bound"
  if (any(sampled)) {
    listed <- function(numbers) paste(format(numbers, digits = 2L), collapse = ", ")
    cat(fold_lines(c(
      sprintf(paste("certificate: %s epochs beside those of the work;",
                    "standard error of the value, as sampled, %s"),
              format(sum(x$certificate_epochs), digits = digits), listed(x$value_se)),
      sprintf("  without that error the objective is above its optimum by at most %s",
              listed(pmin(x$suboptimality, x$certificate$value)))
    )), sep = "\n")
  }
  invisible(x)
}

# How noisy the gradients of rows are, and what follows for stochastic methods: S-MISO needs some
# 16 sigma_p^2 / (mu eps) draws for a suboptimality eps, SGD sigma_tot^2 / sigma_p^2 times as many.
describe_noise <- function(noise, mu, certificate, digits) {
  shown <- function(value) format(value, digits = digits)
  several <- length(unique(noise$class)) > 1L
  table <- data.frame(noise[if (several) c("class", "epoch") else "epoch"],
                      sigma_p2 = noise$sigma_p2, sigma_tot2 = noise$sigma_tot2,
                      gain = noise$sigma_tot2 / noise$sigma_p2)
  last <- !duplicated(noise$class, fromLast = TRUE)
  eps <- certificate$tol * abs(certificate$value)
  draws <- 16 * noise$sigma_p2[last] / (mu * eps)
  c("", "Noise of the gradients: of perturbations, in all, and the gain over SGD to be expected",
    utils::capture.output(print(table, digits = digits, row.names = FALSE)),
    if (any(certificate$kind == "confidence bound")) {
      sprintf("single rows that smiso has to draw for a gap of %s, by its theory: %s", shown(eps),
              shown(draws))
    })
}

describe_augmented_points <- function(path, number) {
  rising <- sprintf("%s from %s up to %s", count(length(path$rate), "value"),
                    number(min(path$rate)), number(max(path$rate)))
  lines <- describe_problem.margin_augmented(path, 5L)
  c(rate = if (length(path$rate) == 1L) number(path$rate) else rising,
    replace(lines, "perturbation", paste("at the last,", lines[["perturbation"]])))
}
