# Losses as small values the user composes. The numbers are computed in src/loss/.

#' Losses
#'
#' A loss is given to a fitting function by its name, or as a value made by one of these functions
#' where its parameter matters. With the margin \eqn{m = y z} of a label \eqn{y \in \{-1, +1\}}{y in
#' -1, +1} and a decision value \eqn{z}:
#'
#' - `loss_hinge()`: \eqn{\max(0, 1 - m)}{max(0, 1 - m)}; not smooth.
#' - `loss_smooth_hinge(gamma)`: 0 where \eqn{m \ge 1}{m >= 1};
#'   \eqn{1 - m - \gamma/2}{1 - m - gamma/2} where \eqn{m \le 1 - \gamma}{m <= 1 - gamma};
#'   \eqn{(1 - m)^2 / (2\gamma)}{(1 - m)^2/(2 gamma)} between.
#' - `loss_squared_hinge(gamma)`: \eqn{\max(0, 1 - m)^2 / (2\gamma)}{max(0, 1 - m)^2/(2 gamma)}.
#' - `loss_logistic()`: \eqn{\log(1 + e^{-m})}{log(1 + exp(-m))}.
#' - `loss_squared()`: \eqn{(z - y)^2 / 2}{(z - y)^2/2}.
#' - `loss_huber(delta, unit)`: with the residual \eqn{r = z - y},
#'   \eqn{r^2 / 2}{r^2/2} where \eqn{|r| \le \delta}{|r| <= delta} and
#'   \eqn{\delta |r| - \delta^2/2}{delta |r| - delta^2/2} beyond.
#' - `loss_quantile(tau)`: \eqn{\max(\tau (y - z), (1 - \tau)(z - y))}{max(tau (y - z), (1 - tau)
#'   (z - y))}, the pinball loss; for \eqn{\tau = 1/2}{tau = 1/2} half the absolute loss.
#' - `loss_absolute()`: \eqn{|z - y|}.
#' - `loss_epsilon_insensitive(epsilon)`: \eqn{\max(0, |z - y| - \epsilon)}{max(0, |z - y| -
#'   epsilon)}, the loss of support vector regression.
#' - `loss_squared_epsilon_insensitive(epsilon)`: \eqn{\max(0, |z - y| - \epsilon)^2 / 2}{max(0, |z -
#'   y| - epsilon)^2/2}.
#'
#' The slope of a smooth loss changes by at most \eqn{1/\gamma} per unit of decision value; `gamma`
#' is 4 for the logistic loss, 1 for the squared, the Huber and the squared epsilon-insensitive loss
#' and 0 (no bound) for the hinge
#' and for the quantile, the absolute and the epsilon-insensitive loss.
#' LIBLINEAR's squared hinge is `loss_squared_hinge(0.5)`. As `gamma` falls to 0 the smooth hinge
#' tends to the hinge.
#'
#' The squared and the Huber loss are regression losses for a numeric response and classification
#' losses (labels coded -1 and +1) for a factor; the quantile, the absolute and both
#' epsilon-insensitive losses are for regression only, the other losses for classification only.
#'
#' The quantile loss fits the `tau` quantile of the response given the features, the median by
#' default: with a free intercept at most a share `tau` of the rows (by weight) lies below the fit
#' and at most 1 - `tau` above it, whatever `lambda`. Two fits,
#' as for 0.05 and 0.95, are the ends of an interval; nothing keeps them from crossing. A
#' regression is solved for \eqn{y/s} as with the Huber loss, so that `lambda` does not depend on the
#' unit of the response.
#'
#' A residual of at most `epsilon` costs nothing under the epsilon-insensitive loss, so that only the
#' rows outside the tube of this half width, and those on its edge, have a coefficient in a kernel
#' fit: the support vectors. Beyond the tube the loss grows like the absolute loss, which is its case
#' `epsilon = 0` and fits the median of the response; no row pulls with more than slope 1, so that
#' outliers in `y` have little power. As with Huber's loss a regression is solved for \eqn{y/s}, with
#' \eqn{s} the robust standard deviation of `y`, and `epsilon` is a number of these. `svm()` of e1071
#' and `ksvm()` of kernlab divide by the standard deviation; `response_scale = FALSE` takes `y` and
#' `epsilon` as they are. An `epsilon` near the spread of the noise gives few support vectors at
#' little loss of accuracy; one above all residuals of the constant model gives that model.
#' The squared epsilon-insensitive loss has the same tube and is smooth, so that Newton's method takes
#' it, but outliers keep their power; LIBLINEAR's (types 11 and 12) lacks the factor 1/2.
#'
#' No row pulls harder on a Huber fit than a residual of `delta` does, so outliers in `y` (not in
#' `x`) lose their power. In a regression `delta` is a number of `unit`s:
#'
#' * `"residual"`, the default of [margin_linear()] and of its paths: of the robust standard
#'   deviation of the residuals, \deqn{s = \mathrm{median}_i |y_i - z_i| / 0.6745,}{s = median |y_i
#'   - z_i| / 0.6745,} weighted, not centred, of the very fit that it makes: a fixed point, sought
#'   from the spread of `y` on, to one part in 10^8, in at most 100 rounds. With normal noise
#'   the default of 1.345 keeps 95 % of the efficiency of least squares, and as `lambda` falls to 0
#'   the fit is that of `rlm()` of package MASS (`k = 1.345, scale.est = "MAD"`). The loss is
#'   \eqn{s^2 \rho(r/s)}{s^2 rho(r/s)} with \eqn{\rho}{rho} the formula above, so that `lambda`
#'   keeps the unit of the response. The certificate is of the problem at that \eqn{s}, which is
#'   printed; a fit without a fixed point is returned as not certified (`no_fixed_point`), one with
#'   half of its residuals 0 is an error. There may be several fixed points. Each fold and each
#'   point of a path has its own; [margin_loo()] and [margin_sensitivity()] hold that of the
#'   fit, and `margin_path(everywhere = )` that of the fit at the middle of its range
#'   of `lambda`.
#' * `"response"`, that of [margin_kernel()] and [margin_augmented()], which can interpolate, and
#'   of `response_scale = FALSE`: of the robust standard deviation of `y` (`response_scale` of
#'   [margin_linear()]), or of 1 with `response_scale = FALSE`. Where the features explain much of
#'   `y` no residual is that large, and the fit is least squares: its print counts the residuals
#'   beyond `delta`.
#' * a number: of that number, in the unit of `y`, whatever the residuals are.
#'
#' @param gamma Smoothing of the loss, one positive number in units of the decision value.
#' @param delta Size of a residual from which on the loss is linear, one positive number: of `unit`s
#'   in a regression, of units of the decision value in a classification.
#' @param unit What `delta` counts in a regression: `"residual"`, `"response"`, or a positive number
#'   in the unit of `y`, see below; `NULL` is `"residual"` in [margin_linear()] unless
#'   `response_scale = FALSE`, and `"response"` elsewhere. Of no account for classes.
#' @param tau Which quantile, one number between 0 and 1.
#' @param epsilon Size of a residual up to which it costs nothing, one positive number: of robust
#'   standard deviations of the response, or of units of it with `response_scale = FALSE`.
#' @param x A loss.
#' @param ... Nothing: unknown arguments are errors.
#' @return A list of class `"margin_loss"` with elements `name`, `gamma`, `smooth` (`TRUE` when
#'   `gamma > 0`), `parameter` (the number given to the function, under its name there; `NA` for a
#'   loss that has none) and `task` (`"classification"`, `"regression"` or `"both"`).
#' @section Errors:
#' A `gamma`, `delta` or `epsilon` that is not one positive finite number, or a `tau` that is not
#' between 0 and 1, is an error of class `dualmargin_input_error`.
#' @references
#' Shalev-Shwartz S, Zhang T (2013). Stochastic dual coordinate ascent methods for regularized
#' loss minimization. *Journal of Machine Learning Research* 14, 567-599. arXiv:1209.1873.
#'
#' Huber PJ (1964). Robust estimation of a location parameter. *Annals of Mathematical Statistics*
#' 35, 73-101. \doi{10.1214/aoms/1177703732}.
#'
#' Huber PJ, Ronchetti EM (2009). *Robust Statistics*, 2nd edition. Wiley. Section 7.8 (the scale of
#' the residuals). \doi{10.1002/9780470434697}.
#'
#' Koenker R, Bassett G (1978). Regression quantiles. *Econometrica* 46, 33-50.
#' \doi{10.2307/1913643}.
#'
#' Drucker H, Burges CJC, Kaufman L, Smola A, Vapnik V (1996). Support vector regression machines.
#' *Advances in Neural Information Processing Systems* 9, 155-161. (the epsilon-insensitive loss)
#'
#' Ho CH, Lin CJ (2012). Large-scale linear support vector regression. *Journal of Machine Learning
#' Research* 13, 3323-3348. (the squared epsilon-insensitive loss)
#'
#' Smola AJ, Schoelkopf B (2004). A tutorial on support vector regression. *Statistics and
#' Computing* 14, 199-222. \doi{10.1023/B:STCO.0000035301.49549.88}.
#' @seealso [margin_losses()] for the same list as a data frame, [margin_linear()].
#' @examples
#' loss_smooth_hinge(gamma = 0.5)
#' x <- as.matrix(iris[1:100, 1:4])
#' y <- droplevels(iris$Species[1:100])
#' margin_linear(x, y, loss = loss_smooth_hinge(gamma = 0.5))
#' # one wild value of the response, which the squared loss follows and Huber's does not
#' wild <- transform(cars, dist = replace(dist, 50, 850))
#' sapply(list(squared = loss_squared(), huber = loss_huber()), function(loss) {
#'   coef(margin_linear(dist ~ speed, data = wild, loss = loss, lambda = 1e-4))
#' })
#' # the middle nine tenths of the stopping distances
#' sapply(c(0.05, 0.5, 0.95), function(tau) {
#'   coef(margin_linear(dist ~ speed, data = cars, loss = loss_quantile(tau), lambda = 1e-4))
#' })
#' # support vector regression: fitted on two thirds of the rows, judged on the rest
#' train <- seq_len(nrow(mtcars)) %% 3 > 0
#' svr <- margin_kernel(mpg ~ wt + hp, data = mtcars[train, ], kernel = kernel_rbf(0.3), cost = 10,
#'                      loss = loss_epsilon_insensitive(0.2))
#' svr
#' sqrt(mean((predict(svr, mtcars[!train, ]) - mtcars$mpg[!train])^2))
#' @name losses
NULL

# gamma says how smooth the loss is, whatever it is that can be chosen about it.
new_loss <- function(name, gamma, parameter = NA_real_, task = "classification") {
  structure(
    list(name = name, gamma = gamma, smooth = gamma > 0, parameter = parameter, task = task),
    class = "margin_loss"
  )
}

#' @rdname losses
#' @export
loss_hinge <- function() new_loss("hinge", 0)

#' @rdname losses
#' @export
loss_smooth_hinge <- function(gamma = 1, ...) {
  assert_no_extra("loss_smooth_hinge()", ...)
  assert_number(gamma, "gamma", lower = 0, remedy = "the default is 1")
  assert_size_of(gamma, "gamma")
  new_loss("smooth_hinge", as.double(gamma), c(gamma = as.double(gamma)))
}

#' @rdname losses
#' @export
loss_squared_hinge <- function(gamma = 1, ...) {
  assert_no_extra("loss_squared_hinge()", ...)
  assert_number(gamma, "gamma", lower = 0, remedy = "the default is 1, LIBLINEAR's loss is 0.5")
  assert_size_of(gamma, "gamma")
  new_loss("squared_hinge", as.double(gamma), c(gamma = as.double(gamma)))
}

#' @rdname losses
#' @export
loss_logistic <- function() new_loss("logistic", 4)

#' @rdname losses
#' @export
loss_squared <- function() new_loss("squared", 1, task = "both")

#' @rdname losses
#' @export
loss_huber <- function(delta = 1.345, unit = NULL, ...) {
  assert_no_extra("loss_huber()", ...)
  assert_number(delta, "delta", lower = 0,
                remedy = "the default is 1.345, and loss \"squared\" has no such bound")
  assert_size_of(delta, "delta", "use the squared loss")
  loss <- new_loss("huber", 1, c(delta = as.double(delta)), task = "both")
  loss$unit <- assert_huber_unit(unit)
  loss
}

#' @rdname losses
#' @export
loss_quantile <- function(tau = 0.5, ...) {
  assert_no_extra("loss_quantile()", ...)
  if (is.numeric(tau) && length(tau) > 1L) {
    abort_input(sprintf(paste(
      "`tau` has %d values, but a fit is of one quantile; make one fit for each, as in lapply(tau,",
      "function(tau) margin_linear(..., loss = loss_quantile(tau)))."
    ), length(tau)), "tau")
  }
  assert_number(tau, "tau", lower = 0, upper = 1,
                remedy = "the default is 0.5, the median; 0.9 has nine tenths of the response below it")
  assert_size_of(tau, "tau")
  new_loss("quantile", 0, c(tau = as.double(tau)), task = "regression")
}

#' @rdname losses
#' @export
loss_absolute <- function() new_loss("absolute", 0, task = "regression")

#' @rdname losses
#' @export
loss_epsilon_insensitive <- function(epsilon = 0.1, ...) {
  assert_no_extra("loss_epsilon_insensitive()", ...)
  assert_number(epsilon, "epsilon", lower = 0,
                remedy = "the default is 0.1, and loss \"absolute\" has no such zone")
  assert_size_of(epsilon, "epsilon", "use loss \"absolute\"")
  new_loss("epsilon_insensitive", 0, c(epsilon = as.double(epsilon)), task = "regression")
}

#' @rdname losses
#' @export
loss_squared_epsilon_insensitive <- function(epsilon = 0.1, ...) {
  assert_no_extra("loss_squared_epsilon_insensitive()", ...)
  assert_number(epsilon, "epsilon", lower = 0,
                remedy = "the default is 0.1, and loss \"squared\" has no such zone")
  assert_size_of(epsilon, "epsilon", "use loss \"squared\"")
  new_loss("squared_epsilon_insensitive", 1, c(epsilon = as.double(epsilon)), task = "regression")
}

#' @rdname losses
#' @export
format.margin_loss <- function(x, ...) {
  found <- if (is.list(x)) x$found
  x <- checked_loss(x)
  if (is.na(x$parameter)) {
    return(x$name)
  }
  number <- function(value) format(value, digits = 4)
  held <- found$scale
  unit <- if (!is.null(held)) paste(", unit =", number(held)) else
    if (is.numeric(x$unit)) paste(", unit =", number(x$unit)) else
      if (!is.null(x$unit)) sprintf(", unit = \"%s\"", x$unit)
  size <- if (is.null(found)) x$parameter[[1L]] else found$delta
  sprintf("%s (%s = %s%s)", x$name, names(x$parameter), number(size),
          if (is.null(unit)) "" else unit)
}

#' @rdname losses
#' @export
print.margin_loss <- function(x, ...) {
  x <- checked_loss(x)
  kind <- if (x$smooth) sprintf("%s-smooth", format(1 / x$gamma, digits = 4)) else "not smooth"
  cat(sprintf("<margin_loss> %s: %s, for %s\n", format(x), kind,
              if (x$task == "both") "regression and classification" else x$task))
  invisible(x)
}

# The makers, by name: the registry's table and as_loss() both read this list.
loss_makers <- function() {
  list(
    hinge = loss_hinge,
    smooth_hinge = loss_smooth_hinge,
    squared_hinge = loss_squared_hinge,
    logistic = loss_logistic,
    squared = loss_squared,
    huber = loss_huber,
    quantile = loss_quantile,
    absolute = loss_absolute,
    epsilon_insensitive = loss_epsilon_insensitive,
    squared_epsilon_insensitive = loss_squared_epsilon_insensitive
  )
}

# The losses that take any number for a response.
regression_losses <- function() {
  names(Filter(function(maker) takes_numbers(maker()), loss_makers()))
}

takes_numbers <- function(loss) !is.null(loss) && loss$task != "classification"

# NULL, where the response is to say which.
named_loss <- function(x) if (!is.null(x)) as_loss(x)

# A name or a loss value -> a loss value.
as_loss <- function(x) {
  if (inherits(x, "margin_loss")) {
    return(checked_loss(x))
  }
  if (is.function(x)) {
    abort_input(
      "`loss` is a function; call it, as in loss_hinge(), or give its name, as in \"hinge\".",
      "loss"
    )
  }
  assert_choice(x, names(loss_makers()), "loss", loss_aliases)
  loss_makers()[[x]]()
}
