# The functions that parsnip calls to fit; R/parsnip_register.R makes them known to it.

#' Engines for parsnip
#'
#' Once dualmargin is loaded, package parsnip has the engine `"dualmargin"` for five of its models.
#'
#' * `svm_linear()`: [margin_linear()] with the hinge loss; argument `cost`.
#' * `svm_rbf()`: [margin_kernel()] with the hinge loss and [kernel_rbf()]; `cost`, and `rbf_sigma`,
#'   which is `sigma`.
#' * `svm_poly()`: [margin_kernel()] with the hinge loss and [kernel_polynomial()]; `cost`,
#'   `degree`, and `scale_factor`, which is `scale`.
#' * `logistic_reg()`: [margin_linear()] with the logistic loss; `penalty` = `lambda`, `mixture`.
#' * `linear_reg()`: [margin_linear()] with the squared loss; `penalty` = `lambda`, `mixture`.
#'
#' `cost` is the \eqn{C} of a support vector machine: with W the sum of the weights and
#' \eqn{\lambda = 1/(W C)}{lambda = 1/(W C)}, the problem has the solutions of
#' \deqn{\min_{w, b}\; \tfrac12 |w|^2 + C \sum_i \omega_i \phi(y_i (w'x_i + b)).}{
#'   min over w, b of 1/2 |w|^2 + C sum_i omega_i phi(y_i (w'x_i + b)).}
#' `penalty` stands beside the *mean* loss, as in package glmnet, and the problem is the same:
#' \deqn{\min_{w, b}\; \frac1W \sum_i \omega_i \phi(w'x_i + b, y_i) + \mathrm{penalty}
#'   \left[\frac{1 - \mathrm{mixture}}{2} |w|_2^2 + \mathrm{mixture}\, |w|_1\right].}{
#'   min over w, b of 1/W sum_i omega_i phi(w'x_i + b, y_i)
#'   + penalty [(1 - mixture)/2 |w|_2^2 + mixture |w|_1].}
#' (For a numeric response glmnet divides the squared norm by the standard deviation of `y`, so
#' there the two agree for a `y` of unit variance, or where `mixture = 1`.) In both the columns are
#' divided by their standard deviation (population formula) for the fit,
#' unless `scale = FALSE`, and the intercept carries no penalty. Columns of `svm_poly()` are centred
#' before, unless they are sparse or `center = FALSE`.
#'
#' The support vector machines are for classification only: setting the mode to `"regression"` is an
#' error of parsnip's, and giving `margin`, the width of the tube that only a regression has, is one
#' of ours. They predict `"class"` and `"raw"` (the decision values). `"prob"` is to be had from
#' `logistic_reg()`, or with `loss = "logistic"` in `set_engine()`; the hinge loss estimates no
#' probability, and asking for one is an error, unless its fit was calibrated: `model$fit <-
#' margin_calibrate(model$fit, x, y)`. Case weights are taken by all five, and sparse data stay
#' sparse.
#'
#' Any other argument of the fitting function can be given in
#' `parsnip::set_engine("dualmargin", ...)`, for example `control = margin_control(tol = 1e-8)`. The
#' fit itself, with its [certificate()], is what `parsnip::extract_fit_engine()` returns.
#'
#' @section Errors:
#' As for [margin_linear()]; of the same class `dualmargin_input_error` are a `margin`, an argument
#' in `...` that the engine sets itself, and a `y` that the model is not made for.
#' @references
#' Kuhn M, Silge J (2022). *Tidy Modeling with R*. O'Reilly.
#' @seealso `vignette("frameworks")` for parsnip, mlr3, rsample and recipes.
#' @examples
#' # library(dualmargin) alone makes the engine known to parsnip
#' if (requireNamespace("parsnip", quietly = TRUE)) {
#'   model <- parsnip::set_engine(parsnip::logistic_reg(penalty = 0.01), "dualmargin")
#'   spam <- parsnip::fit(model, type ~ ., data = spambase)
#'   print(certificate(parsnip::extract_fit_engine(spam)))
#'   predict(spam, spambase[1:3, ], type = "prob")
#' }
#' @name engines
NULL

#' The functions that the engine of parsnip fits by
#'
#' They translate the arguments of parsnip's models, see [engines], and are exported since parsnip
#' calls them by name. Call them through parsnip, or by hand to see what it would fit.
#'
#' @param x A numeric matrix or a sparse Matrix, n rows.
#' @param y The response, length n: classes, for `dualmargin_linear_reg()` numbers.
#' @param weights `NULL` or case weights, length n.
#' @param cost Cost of a violated margin, one positive number; `NULL` means 1.
#' @param rbf_sigma Inverse width of the kernel; `NULL` chooses it from the data, see
#'   [kernel_rbf()].
#' @param degree,scale_factor,offset Degree, factor and constant of the kernel; `NULL` means the
#'   defaults of [kernel_polynomial()].
#' @param margin Must be `NULL`: classifiers have no insensitive tube.
#' @param penalty Strength of the penalty, one positive number; `NULL` means \eqn{1/W}.
#' @param mixture Share of the \eqn{\ell_1}{l1} norm in the penalty, from 0 to 1; `NULL` means 0.
#' @param loss,intercept As in [margin_linear()].
#' @param ... More arguments of [margin_linear()], for the kernels of [margin_kernel()].
#' @return A fit, as of [margin_linear()] or [margin_kernel()].
#' @seealso [engines]
#' @examples
#' fit <- dualmargin_svm_linear(as.matrix(spambase[1:57]), spambase$type, cost = 0.1)
#' certificate(fit)
#' @keywords internal
#' @name engine_functions
NULL

#' @rdname engine_functions
#' @export
dualmargin_svm_linear <- function(x, y, weights = NULL, cost = NULL, margin = NULL, loss = "hinge",
                                  intercept = "free", ...) {
  assert_no_tube(margin)
  assert_not_set_twice(list(...), c(lambda = "cost"))
  margin_linear(x, y, loss = loss, cost = cost, intercept = intercept, weights = weights, ...)
}

#' @rdname engine_functions
#' @export
dualmargin_svm_rbf <- function(x, y, weights = NULL, cost = NULL, rbf_sigma = NULL, margin = NULL,
                               loss = "hinge", intercept = "free", ...) {
  assert_no_tube(margin)
  assert_not_set_twice(list(...), c(lambda = "cost", kernel = "rbf_sigma"))
  if (!is.null(rbf_sigma)) {
    assert_number(rbf_sigma, "rbf_sigma", lower = 0, remedy = "leave it out to take the data's own")
  }
  margin_kernel(x, y, kernel = kernel_rbf(rbf_sigma), loss = loss, cost = cost,
                intercept = intercept, weights = weights, ...)
}

#' @rdname engine_functions
#' @export
dualmargin_svm_poly <- function(x, y, weights = NULL, cost = NULL, degree = NULL,
                                scale_factor = NULL, margin = NULL, offset = NULL, loss = "hinge",
                                intercept = "free", ...) {
  assert_no_tube(margin)
  assert_not_set_twice(list(...), c(lambda = "cost", kernel = "degree"))
  if (!is.null(scale_factor)) {
    assert_number(scale_factor, "scale_factor", lower = 0, remedy = "leave it out to take 1")
  }
  given <- Filter(Negate(is.null), list(degree = degree, scale = scale_factor, offset = offset))
  margin_kernel(x, y, kernel = do.call(kernel_polynomial, given), loss = loss, cost = cost,
                intercept = intercept, weights = weights, ...)
}

#' @rdname engine_functions
#' @export
dualmargin_logistic_reg <- function(x, y, weights = NULL, penalty = NULL, mixture = NULL,
                                    intercept = "free", ...) {
  assert_not_set_twice(list(...), c(lambda = "penalty", cost = "penalty", loss = NA))
  classes <- if (is.factor(y)) levels(y) else unique(y)
  if (length(classes) > 2L) {
    abort_input(sprintf(paste(
      "`y` has %d classes, but a logistic_reg() is for two; svm_linear() with the engine's",
      "argument loss = \"logistic\" fits them one-vs-rest."
    ), length(classes)), "y")
  }
  fit_penalized(x, y, weights, penalty, mixture, loss = "logistic", intercept = intercept, ...)
}

#' @rdname engine_functions
#' @export
dualmargin_linear_reg <- function(x, y, weights = NULL, penalty = NULL, mixture = NULL,
                                  loss = "squared", intercept = "free", ...) {
  assert_not_set_twice(list(...), c(lambda = "penalty", cost = "penalty"))
  if (!is.numeric(y)) {
    abort_input(sprintf("`y` is %s, but a linear_reg() needs numbers; for classes there are %s.",
                        show_value(y), "logistic_reg() and svm_linear()"), "y")
  }
  fit_penalized(x, y, weights, penalty, mixture, loss = loss, intercept = intercept, ...)
}

# In the words of parsnip, whose users know no `lambda`.
fit_penalized <- function(x, y, weights, penalty, mixture, ...) {
  if (!is.null(penalty)) {
    assert_number(penalty, "penalty", lower = 0, remedy = "a fit without one is not certified")
  }
  margin_linear(x, y, lambda = penalty, mixture = if (is.null(mixture)) 0 else mixture,
                weights = weights, ...)
}

assert_no_tube <- function(margin) {
  if (!is.null(margin)) {
    abort_input(sprintf(paste(
      "`margin` is %s, but it is the width of the tube of a support vector regression, which",
      "a classification has not; leave it out."
    ), show_value(margin)), "margin")
  }
}

# taken: what the engine passes on itself, named by where the user says it (NA: nowhere).
assert_not_set_twice <- function(dots, taken) {
  twice <- intersect(names(dots), names(taken))
  if (length(twice) > 0L) {
    instead <- taken[[twice[1L]]]
    abort_input(sprintf(
      "`%s` is given to the engine, but the model sets it itself; %s.", twice[1L],
      if (is.na(instead)) "leave it out" else sprintf("give the model's `%s` instead", instead)
    ), twice[1L])
  }
}
