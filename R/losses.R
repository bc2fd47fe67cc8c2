# Every loss: its help, its constructor, its row. The numbers are computed in src/loss/.

#' Losses
#'
#' Choose what a wrong prediction costs: the hinge for a support vector machine, logistic for
#' probabilities, Huber or absolute against outliers, quantile for a quantile.
#'
#' A loss is given to a fitting function by its name, as in `loss = "hinge"`, or as a value made by
#' one of these functions where its parameter matters. With the margin \eqn{m = y z} of a label
#' \eqn{y \in \{-1, +1\}}{y in
#' -1, +1} and a decision value \eqn{z}:
#'
#' - `"hinge"`: \eqn{\max(0, 1 - m)}{max(0, 1 - m)}; not smooth.
#' - `loss_smooth_hinge(gamma)`: 0 where \eqn{m \ge 1}{m >= 1};
#'   \eqn{1 - m - \gamma/2}{1 - m - gamma/2} where \eqn{m \le 1 - \gamma}{m <= 1 - gamma};
#'   \eqn{(1 - m)^2 / (2\gamma)}{(1 - m)^2/(2 gamma)} between.
#' - `loss_squared_hinge(gamma)`: \eqn{\max(0, 1 - m)^2 / (2\gamma)}{max(0, 1 - m)^2/(2 gamma)}.
#' - `"logistic"`: \eqn{\log(1 + e^{-m})}{log(1 + exp(-m))}.
#' - `"squared"`: \eqn{(z - y)^2 / 2}{(z - y)^2/2}.
#' - `loss_huber(delta, unit)`: with the residual \eqn{r = z - y},
#'   \eqn{r^2 / 2}{r^2/2} where \eqn{|r| \le \delta}{|r| <= delta} and
#'   \eqn{\delta |r| - \delta^2/2}{delta |r| - delta^2/2} beyond.
#' - `loss_quantile(tau)`: \eqn{\max(\tau (y - z), (1 - \tau)(z - y))}{max(tau (y - z), (1 - tau)
#'   (z - y))}, the pinball loss; for \eqn{\tau = 1/2}{tau = 1/2} half the absolute loss.
#' - `"absolute"`: \eqn{|z - y|}.
#' - `loss_epsilon_insensitive(epsilon)`: \eqn{\max(0, |z - y| - \epsilon)}{max(0, |z - y| -
#'   epsilon)}, the loss of support vector regression.
#' - `loss_epsilon_insensitive(epsilon, squared = TRUE)`: \eqn{\max(0, |z - y| - \epsilon)^2 /
#'   2}{max(0, |z - y| - epsilon)^2/2}.
#'
#' The slope of a smooth loss changes by at most \eqn{1/\gamma} per unit of decision value; `gamma`
#' is 4 for the logistic loss, 1 for the squared, the Huber and the squared epsilon-insensitive loss
#' and 0 (no bound) for the hinge and for the quantile, the absolute and the epsilon-insensitive loss.
#' LIBLINEAR's squared hinge is `loss_squared_hinge(0.5)`. As `gamma` falls to 0 the smooth hinge
#' tends to the hinge.
#'
#' The squared and the Huber loss are regression losses for a numeric response and classification
#' losses (labels coded -1 and +1) for a factor; the quantile, the absolute and both
#' epsilon-insensitive losses are for regression only, the other losses for classification only.
#'
#' The quantile loss fits the `tau` quantile of the response given the features, the median by
#' default: with a free intercept at most a share `tau` of the rows (by weight) lies below the fit
#' and at most 1 - `tau` above it, whatever `lambda`. A regression is solved for \eqn{y/s} as with
#' the Huber loss, so that `lambda` does not depend on the unit of the response.
#'
#' Several values of `tau`, as in `loss_quantile(c(0.1, 0.5, 0.9))`, are one call of
#' [margin_linear()] or [margin_cv()]: a problem for each, of which each starts from the one before,
#' with one `lambda`. Coefficients, decision values and predictions get a column for each, named as
#' `"tau = 0.1"`; each has a certificate (`certificate(fit, by = "tau")`), and the fit has that of
#' the worst. Lines of different `tau` can cross: [predict()] sorts them within a row, says in how
#' many rows it did, and `type = "score"` has them as fitted. Sorted quantiles never have a larger
#' pinball loss (Chernozhukov and others 2010). The metric is the mean of the pinball losses, and
#' `print()` of a summary or of [margin_performance()] has the coverage of each `tau`. Paths,
#' kernels, and what is decided by certificates take one `tau`.
#'
#' A residual of at most `epsilon` costs nothing under the epsilon-insensitive loss, so that only
#' the rows outside the tube of this half width, and those on its edge, have a coefficient in a
#' kernel fit: the support vectors. Beyond the tube the loss grows like the absolute loss, which is
#' its case `epsilon = 0` and fits the median of the response; no row pulls with more than slope 1,
#' so that outliers in `y` have little power. As with Huber's loss a regression is solved for
#' \eqn{y/s}, with \eqn{s} the robust standard deviation of `y`, and `epsilon` is a number of these.
#' `svm()` of e1071 and `ksvm()` of kernlab divide by the standard deviation; `response_scale =
#' FALSE` takes `y` and `epsilon` as they are. An `epsilon` near the spread of the noise gives few
#' support vectors at little loss of accuracy; one above all residuals of the constant model gives
#' that model. The squared epsilon-insensitive loss has the same tube and is smooth, so that
#' Newton's method takes it, but outliers keep their power; LIBLINEAR's (types 11 and 12) lacks the
#' factor 1/2.
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
#'   point of a path has its own; [margin_loo()] and [margin_sensitivity()] hold that of the fit.
#' * `"response"`, that of [margin_kernel()] and [margin_augmented()], which can interpolate, and
#'   of `response_scale = FALSE`: of the robust standard deviation of `y` (`response_scale` of
#'   [margin_linear()]), or of 1 with `response_scale = FALSE`. Where the features explain much of
#'   `y` no residual is that large, and the fit is least squares: its print counts the residuals
#'   beyond `delta`.
#' * a number: of that number, in the unit of `y`, whatever the residuals are.
#'
#' @param gamma Smoothing of the loss, one positive number in units of the decision value.
#' @param delta Size of a residual from which on the loss is linear, one positive number: of
#'   `unit`s in a regression, of units of the decision value in a classification.
#' @param unit What `delta` counts in a regression: `"residual"`, `"response"`, or a positive number
#'   in the unit of `y`, see below; `NULL` is `"residual"` in [margin_linear()] unless
#'   `response_scale = FALSE`, and `"response"` elsewhere. Of no account for classes.
#' @param tau Which quantile, a number between 0 and 1, or several.
#' @param epsilon Size of a residual up to which it costs nothing, one positive number: of robust
#'   standard deviations of the response, or of units of it with `response_scale = FALSE`.
#' @param squared Is the loss the half square of what is beyond `epsilon`? By name it is
#'   `"squared_epsilon_insensitive"`.
#' @param x A loss.
#' @param ... Not used; an unknown argument is an error.
#' @return A list of class `"margin_loss"` with elements `name`, `gamma`, `smooth` (`TRUE` when
#'   `gamma > 0`), `parameter` (the number given to the function, under its name there; `NA` for a
#'   loss that has none; several `tau` in rising order) and `task` (`"classification"`,
#'   `"regression"` or `"both"`).
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
#' Chernozhukov V, Fernandez-Val I, Galichon A (2010). Quantile and probability curves without
#' crossing. *Econometrica* 78, 1093-1125. \doi{10.3982/ECTA7880}.
#'
#' Drucker H, Burges CJC, Kaufman L, Smola A, Vapnik V (1996). Support vector regression machines.
#' *Advances in Neural Information Processing Systems* 9, 155-161. (the epsilon-insensitive loss)
#'
#' Ho CH, Lin CJ (2012). Large-scale linear support vector regression. *Journal of Machine Learning
#' Research* 13, 3323-3348. (the squared epsilon-insensitive loss)
#'
#' Smola AJ, Schoelkopf B (2004). A tutorial on support vector regression. *Statistics and
#' Computing* 14, 199-222. \doi{10.1023/B:STCO.0000035301.49549.88}.
#' @seealso [margin_linear()], [margin_solvers()] for which solver takes which loss.
#' @examples
#' loss_smooth_hinge(gamma = 0.5)
#' x <- as.matrix(iris[1:100, 1:4])
#' y <- droplevels(iris$Species[1:100])
#' margin_linear(x, y, loss = loss_smooth_hinge(gamma = 0.5))
#' # one wild value of the response, which the squared loss follows and Huber's does not
#' wild <- transform(cars, dist = replace(dist, 50, 850))
#' sapply(list(squared = "squared", huber = loss_huber()), function(loss) {
#'   coef(margin_linear(dist ~ speed, data = wild, loss = loss, lambda = 1e-4))
#' })
#' # the middle nine tenths of the stopping distances
#' nine <- margin_linear(dist ~ speed, data = cars, loss = loss_quantile(c(0.05, 0.5, 0.95)),
#'                       lambda = 1e-4)
#' nine
#' predict(nine, data.frame(speed = c(5, 15, 25)))
#' # support vector regression: fitted on two thirds of the rows, judged on the rest
#' train <- seq_len(nrow(mtcars)) %% 3 > 0
#' svr <- margin_kernel(mpg ~ wt + hp, data = mtcars[train, ], kernel = kernel_rbf(0.3), cost = 10,
#'                      loss = loss_epsilon_insensitive(0.2))
#' svr
#' sqrt(mean((predict(svr, mtcars[!train, ]) - mtcars$mpg[!train])^2))
#' @name losses
NULL

#' @rdname losses
#' @export
loss_smooth_hinge <- function(gamma = 1, ...) {
  assert_no_extra("loss_smooth_hinge()", ...)
  assert_number(gamma, "gamma", lower = 0, remedy = "the default is 1")
  assert_size_of(gamma, "gamma")
  new_loss("smooth_hinge", c(gamma = as.double(gamma)))
}

#' @rdname losses
#' @export
loss_squared_hinge <- function(gamma = 1, ...) {
  assert_no_extra("loss_squared_hinge()", ...)
  assert_number(gamma, "gamma", lower = 0, remedy = "the default is 1, LIBLINEAR's loss is 0.5")
  assert_size_of(gamma, "gamma")
  new_loss("squared_hinge", c(gamma = as.double(gamma)))
}

#' @rdname losses
#' @export
loss_huber <- function(delta = 1.345, unit = NULL, ...) {
  assert_no_extra("loss_huber()", ...)
  assert_number(delta, "delta", lower = 0,
                remedy = "the default is 1.345, and loss \"squared\" has no such bound")
  assert_size_of(delta, "delta", "use the squared loss")
  loss <- new_loss("huber", c(delta = as.double(delta)))
  loss$unit <- assert_huber_unit(unit)
  loss
}

#' @rdname losses
#' @export
loss_quantile <- function(tau = 0.5, ...) {
  assert_no_extra("loss_quantile()", ...)
  if (is.numeric(tau) && length(tau) > 1L) {
    return(loss_quantiles(tau))
  }
  assert_number(tau, "tau", lower = 0, upper = 1,
                remedy = "the default is 0.5, the median; 0.9 has nine tenths of the response below it")
  assert_size_of(tau, "tau")
  new_loss("quantile", c(tau = as.double(tau)))
}

#' @rdname losses
#' @export
loss_epsilon_insensitive <- function(epsilon = 0.1, squared = FALSE, ...) {
  assert_no_extra("loss_epsilon_insensitive()", ...)
  assert_flag(squared, "squared")
  other <- if (squared) "squared" else "absolute"
  assert_number(epsilon, "epsilon", lower = 0,
                remedy = sprintf("the default is 0.1, and loss \"%s\" has no such zone", other))
  assert_size_of(epsilon, "epsilon", sprintf("use loss \"%s\"", other))
  new_loss(if (squared) "squared_epsilon_insensitive" else "epsilon_insensitive",
           c(epsilon = as.double(epsilon)))
}

# ---- The list of losses ----

linear_conjugate <- function(a, y, number) a * y

# A row for each, with the fields of loss_fields in R/losses.R; one that is left out is NULL.
loss_list <- list(
  hinge = list(
    make = function() new_loss("hinge"), task = "classification", gamma = 0,
    tex = function(score, margin, number) sprintf("\\max(0,\\; 1 - %s)", margin),
    margin = function(m, number) pmax(1 - m, 0),
    bound = function(number, above) 1,
    conjugate = linear_conjugate
  ),
  smooth_hinge = list(
    make = loss_smooth_hinge, task = "classification",
    margin = function(m, number) {
      ifelse(m <= 1 - number, 1 - m - number / 2, pmax(1 - m, 0)^2 / (2 * number))
    },
    bound = function(number, above) 1,
    conjugate = function(a, y, number) number * a^2 / 2 + a * y
  ),
  squared_hinge = list(
    make = loss_squared_hinge, task = "classification",
    margin = function(m, number) pmax(1 - m, 0)^2 / (2 * number),
    tex = function(score, margin, number) {
      sprintf("\\frac{1}{%s} \\max(0,\\; 1 - %s)^2", format(2 * number), margin)
    },
    conjugate = function(a, y, number) number * a^2 / 2 + a * y
  ),
  logistic = list(
    make = function() new_loss("logistic"), task = "classification", gamma = 4,
    margin = function(m, number) -stats::plogis(m, log.p = TRUE),
    tex = function(score, margin, number) sprintf("\\log\\bigl(1 + e^{-%s}\\bigr)", margin),
    conjugate = function(a, y, number) {
      entropy <- function(p) ifelse(p > 0, p * log(p), 0)
      share <- pmin(pmax(-a * y, 0), 1)
      entropy(share) + entropy(1 - share)
    }
  ),
  squared = list(
    make = function() new_loss("squared"), task = "both", gamma = 1, sized = FALSE,
    metric = "mse", squares = TRUE,
    margin = function(m, number) (1 - m)^2 / 2,
    tex = function(score, margin, number) sprintf("\\tfrac12 \\bigl(%s - y_i\\bigr)^2", score),
    conjugate = function(a, y, number) a^2 / 2 + a * y
  ),
  huber = list(
    make = loss_huber, task = "both", gamma = 1,
    margin = function(m, number) {
      r <- abs(1 - m)
      ifelse(r <= number, r^2 / 2, number * (r - number / 2))
    },
    bound = function(number, above) number, metric = "huber", squares = TRUE,
    value = function(r, reach, number) {
      ifelse(abs(r) <= reach, r^2 / 2, reach * (abs(r) - reach / 2))
    },
    conjugate = function(a, y, number) a^2 / 2 + a * y
  ),
  quantile = list(
    make = loss_quantile, task = "regression", gamma = 0,
    tex = function(score, margin, number) {
      sprintf("\\max\\bigl(%1$s\\,(y_i - %3$s),\\; %2$s\\,(%3$s - y_i)\\bigr)", format(number),
              format(1 - number), sprintf("(%s)", score))
    },
    bound = function(number, above) ifelse(above, number, 1 - number), metric = "pinball",
    value = function(r, reach, number) pmax(number * r, (number - 1) * r),
    conjugate = linear_conjugate
  ),
  absolute = list(
    make = function() new_loss("absolute"), task = "regression", gamma = 0, metric = "mae",
    tex = function(score, margin, number) sprintf("\\bigl|%s - y_i\\bigr|", score),
    bound = function(number, above) 1,
    conjugate = linear_conjugate
  ),
  epsilon_insensitive = list(
    make = loss_epsilon_insensitive, task = "regression", gamma = 0,
    tex = function(score, margin, number) {
      sprintf("\\max\\bigl(0,\\; |%s - y_i| - %s\\bigr)", score, format(number))
    },
    bound = function(number, above) 1, metric = "epsilon_insensitive",
    value = function(r, reach, number) pmax(abs(r) - reach, 0),
    conjugate = function(a, y, number) number * abs(a) + a * y
  ),
  squared_epsilon_insensitive = list(
    make = function(epsilon = 0.1) loss_epsilon_insensitive(epsilon, squared = TRUE),
    task = "regression", gamma = 1,
    tex = function(score, margin, number) {
      sprintf("\\tfrac12 \\max\\bigl(0,\\; |%s - y_i| - %s\\bigr)^2", score, format(number))
    },
    metric = "squared_epsilon_insensitive", squares = TRUE,
    value = function(r, reach, number) pmax(abs(r) - reach, 0)^2 / 2,
    conjugate = function(a, y, number) a^2 / 2 + number * abs(a) + a * y
  )
)

# What the list of losses (R/losses.R) is made of, and what is asked of a loss that a user gave.

# The fields of a row, each with who asks for it.
loss_fields <- c(
  make = "the constructor; its first argument is the number that the loss has, if it has one",
  task = "what it can be fitted to: classification, regression, both",
  gamma = "the loss is 1/gamma-smooth, 0: not smooth; NULL: gamma is the number",
  tex = "a function (score, margin, number): the formula in LaTeX, for reports; NULL: phi",
  bound = paste("a function (number, above): the largest size of a slope, of rows above the fit or",
                "below it; NULL: none, or none that a row gets to"),
  sized = "FALSE: a regression needs no unit of the response; else it is the spread of that",
  metric = "the metric of a regression that is this loss; NULL: it is for no regression",
  value = paste("a function (r, reach, number): the loss of residuals r, `reach` the number in",
                "their unit; NULL: that is a metric of all regressions"),
  margin = "a function (m, number): the loss at margins m; NULL: it is for no classes",
  conjugate = paste("a function (a, y, number): phi* at the slope a in the score, of a feasible one; audits",
                    "ask for it (R/audit.R, R/audit_kernels.R)"),
  squares = "TRUE: `value` is in squares of the unit, as the loss of small residuals is"
)

# Of every loss one field, by name.
loss_field <- function(field) lapply(loss_list, `[[`, field)

new_loss <- function(name, parameter = NA_real_) {
  row <- loss_list[[name]]
  gamma <- if (is.null(row$gamma)) parameter[[1L]] else row$gamma
  structure(
    list(name = name, gamma = gamma, smooth = gamma > 0, parameter = parameter, task = row$task),
    class = "margin_loss"
  )
}

#' @rdname losses
#' @export
format.margin_loss <- function(x, ...) {
  assert_no_extra("format()", ...)
  found <- x$found
  if (is.na(x$parameter[[1L]])) {
    return(x$name)
  }
  number <- function(value) format(value, digits = 4)
  held <- found$scale
  unit <- if (!is.null(held)) paste(", unit =", number(held)) else
    if (is.numeric(x$unit)) paste(", unit =", number(x$unit)) else
      if (!is.null(x$unit)) sprintf(", unit = \"%s\"", x$unit)
  size <- if (is.null(found)) x$parameter else found$delta
  sprintf("%s (%s = %s%s)", x$name, names(x$parameter)[1L],
          paste(vapply(size, number, ""), collapse = ", "),
          if (is.null(unit)) "" else unit)
}

#' @rdname losses
#' @export
print.margin_loss <- function(x, ...) {
  assert_no_extra("print()", ...)
  kind <- if (x$smooth) sprintf("%s-smooth", format(1 / x$gamma, digits = 4)) else "not smooth"
  cat(sprintf("<margin_loss> %s: %s, for %s\n", format(x), kind,
              if (x$task == "both") "regression and classification" else x$task))
  invisible(x)
}

# The makers, by name.
loss_makers <- function() loss_field("make")

# The losses that take any number for a response.
regression_losses <- function() {
  names(Filter(function(maker) takes_numbers(maker()), loss_makers()))
}

# The names of those for a task, as the help of margin_linear() lists them; for a regression those
# for both.
said_losses <- function(task = NULL) {
  tasks <- unlist(loss_field("task"))
  of <- c(task, if (identical(task, "regression")) "both")
  shown <- names(tasks)[is.null(task) | tasks %in% of]
  words <- sprintf("`\"%s\"`", shown)
  paste(paste(words[-length(words)], collapse = ", "), "and", words[length(words)])
}

# The losses that are linear but for kinks.
kinked_losses <- function() names(Filter(function(row) identical(row$gamma, 0), loss_list))

# Is the response of a regression put to it in units of its spread?
is_sized <- function(loss) takes_numbers(loss) && !isFALSE(loss_list[[loss$name]]$sized)

takes_numbers <- function(loss) !is.null(loss) && loss$task != "classification"

# NULL, where the response is to say which.
named_loss <- function(x, several = FALSE) if (!is.null(x)) as_loss(x, several)

# A name or a loss value -> a loss value. several: may it be of several tau?
as_loss <- function(x, several = FALSE) {
  if (inherits(x, "margin_loss")) {
    x$found <- NULL
    if (!several && !is.null(taus_of(x))) {
      abort_input(sprintf(paste(
        "`loss` has %d values of tau, which single fits of margin_linear() and margin_cv() take;",
        "here give one, as in loss_quantile(%s)."
      ), length(x$parameter), format(x$parameter[[1L]])), "loss")
    }
    return(x)
  }
  if (is.function(x)) {
    abort_input(
      "`loss` is a function; call it, as in loss_huber(), or give its name, as in \"hinge\".",
      "loss"
    )
  }
  assert_choice(x, names(loss_list), "loss", loss_aliases)
  loss_list[[x]]$make()
}

# What is a square in exact arithmetic, a squared length or distance or a'Ka, from a difference
# of terms, as src/base/square.h has it. Below zero it is 0 as far as its rounding goes. Beyond
# that, or without a number, nothing is known of it: Inf, of which no statement follows.
judged_square <- function(computed, rounding) {
  square <- pmax(computed, 0)
  square[!(computed >= -rounding) %in% TRUE] <- Inf
  square
}

# What rounding can do to a sum, by the model of src/base/rounding.h: each is a share of the sum of
# the sizes of the terms.

unit_roundoff <- 2^-53

# gamma_k = k u / (1 - k u): k roundings of one number.
roundings <- function(k) k * unit_roundoff / (1 - k * unit_roundoff)

# Of a score x'w + b of so many entries, and of the one that it is compared with.
score_roundings <- function(entries) roundings(2 * (entries + 3))
