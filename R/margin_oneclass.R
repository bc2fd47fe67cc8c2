#' One-class support vector machine with a certificate
#'
#' Estimates the region where most rows lie, without labels, and returns it with a *certificate*,
#' which bounds the *suboptimality* of the fit. A certificate says nothing about how well new
#' outliers are told apart.
#'
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
#' in a fit, perhaps -1e-9, is the error of the fit. \eqn{P} is strongly convex in \eqn{f}, so with
#' the certified `gap` \eqn{|f(x) - f^\star(x)| \le \sqrt{2\, gap\, k(x, x)}}{|f(x) - f*(x)| <=
#' sqrt(2 gap k(x, x))}, and \eqn{\rho}, a weighted quantile of the \eqn{f(x_i)}{f(x_i)}, moves by
#' no more than the largest of these. A decision value within the sum of the two, `fit$boundary` =
#' \eqn{2 \sqrt{2\, gap\, \max_i k(x_i, x_i)}}{2 sqrt(2 gap max k(x_i, x_i))}, of 0 may have either
#' sign at the optimum: such a row counts as an inlier, in `predict()` too, and `print()` says how
#' many there are. A smaller `tol` leaves fewer. A fit that is not certified knows no such error,
#' and its `boundary` is 0.
#'
#' @section Certificate:
#' For \eqn{0 \le a_i \le \omega_i / (\nu W)}{0 <= a_i <= omega_i / (nu W)}
#' with \eqn{\sum_i a_i = 1}{sum_i a_i = 1} the optimum is at least \deqn{D(a) = -\frac12 \sum_{i,j}
#' a_i a_j k(x_i, x_j).}{D(a) = -1/2 sum_ij a_i a_j k(x_i, x_j).} The fit is \eqn{f = \sum_i a_i
#' k(x_i, \cdot)}{f = sum_i a_i k(x_i, .)} with the best \eqn{\rho}{rho} for it. Value and bound are
#' recomputed there from kernel values in double precision; both are negative or 0, since no
#' \eqn{a'Ka}{a'Ka} of a positive semidefinite kernel is negative: that of a kernel which is given
#' is judged, see [kernels]. How far rounding, also that of \eqn{\sum_i a_i}{sum_i a_i}, can have
#' moved them is part of the gap.
#'
#' @section Origin:
#' With [kernel_linear()] rows are told from the origin by a half-space: columns are divided by
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
#' @param control How the fit is computed, see [margin_control()]; without a `start`.
#'   `solver_options` are `shrinking` and `cache_mb`, those of solver `"smo"` of [margin_kernel()].
#' @param ... Nothing: unknown arguments are errors.
#' @return An object of class `"margin_oneclass"` with `coefficients`, the \eqn{a_i} of the support
#'   vectors; `rho`; `support`, the rows they belong to; `scores`, the decision values of the
#'   training rows; `boundary`, see above; `certificate`, `status` and `trace` as other fits have;
#'   `scales`, `settings`, `weights`, `features` and `call`. Its methods are in
#'   [margin_oneclass-methods].
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
#' @seealso [predict.margin_oneclass()], [margin_oneclass-methods], [margin_kernel()], [kernels].
#' @examples
#' # what is unlike the mails that somebody wanted
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
  UseMethod("margin_oneclass")
}

#' @rdname margin_oneclass
#' @export
margin_oneclass.matrix <- function(x, nu = 0.5, kernel = kernel_rbf(), scale = TRUE,
                                   weights = NULL, control = margin_control(), ...) {
  assert_nothing_left(list(...), names(formals()), formula_arguments, "margin_oneclass()")
  settings <- oneclass_settings(nu, kernel, scale, control, missing(scale))
  fit_oneclass(design_xy(x, NULL, weights, public_call(match.call(), quote(margin_oneclass))),
               settings)
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
margin_oneclass.formula <- function(formula, data, nu = 0.5, kernel = kernel_rbf(), scale = TRUE,
                                    weights, subset, control = margin_control(),
                                    na.action = getOption("na.action"), contrasts = NULL,
                                    sparse = FALSE, ...) {
  assert_nothing_left(list(...), names(formals()), character(), "margin_oneclass()")
  assert_flag(sparse, "sparse")
  call <- public_call(match.call(), quote(margin_oneclass))
  frame <- model_frame(call, parent.frame())
  known <- if (missing(data)) character() else names(data)
  design <- design_formula(frame, contrasts, sparse, known, call, labelled = FALSE)
  fit_oneclass(design, oneclass_settings(nu, kernel, scale, control, missing(scale)))
}

#' @export
margin_oneclass.default <- function(x, ...) margin_linear.default(x)

oneclass_settings <- function(nu, kernel, scale, control, scale_is_default) {
  assert_number(nu, "nu", remedy = "it is the largest share of outliers")
  if (nu <= 0 || nu > 1) {
    abort_input(sprintf("`nu` is %s, but must be above 0 and at most 1.", show_value(nu)), "nu")
  }
  kernel <- as_kernel(kernel)
  assert_flag(scale, "scale")
  if (kernel$name == "precomputed" && scale_is_default) scale <- FALSE
  assert_unscaled(kernel, scale)
  assert_control(control)
  refuse_checkpoint(control, "margin_oneclass()")
  if (!is.null(control$start)) {
    abort_input("`start` is given, but margin_oneclass() takes none; leave it out.", "start")
  }
  row <- find_solver("smo", "kernel")
  list(kernel = kernel, nu = nu, intercept = "none", scale = scale, center = FALSE, solver = row,
       options = complete_options(row, control$solver_options), control = control,
       tol = if (is.null(control$tol)) 1e-6 else control$tol)
}

fit_oneclass <- function(design, settings) {
  n <- nrow(design$x)
  assert_kernel_matrix(settings$kernel, design)
  settings$kernel <- judged_kernel(settle_kernel(settings$kernel, ncol(design$x), n), design$x)
  omega <- if (is.null(design$weights)) rep(1, n) else as.double(design$weights)
  assert_total_weight(omega, "weights")
  problem <- list(design = design, settings = settings, omega = omega)
  given <- kernel_rows(problem)
  result <- in_core(fit_oneclass_cpp(
    given$x, omega, list(kernel = given$kernel, nu = settings$nu, intercept = settings$intercept,
                         scale = settings$scale),
    core_control(settings, NULL)
  ))
  assert_kernel_range(result, settings$kernel)
  if (!is.null(given$scales)) result$scales <- given$scales
  if (is_isotropic(settings$kernel)) settings$kernel$sigma <- result$sigma
  fit <- new_oneclass(design, settings, omega, result)
  assert_finite_outcome(fit$status, fit)
  if (!fit$certificate$certified) {
    signal_not_certified("Not certified:", fit$certificate, fit$status, fit,
                         remedy = remedy_of_oneclass(fit))
  }
  fit
}

remedy_of_oneclass <- function(fit) {
  status <- fit$status$status
  if (status %in% c("max_epochs", "max_seconds")) {
    return(sprintf("Raise %s in margin_control().", status))
  }
  if (is_linear_oneclass(fit)) {
    return("The origin may lie among the rows; use a kernel of distances, as kernel_rbf().")
  }
  "Try a larger tol or a larger nu."
}

new_oneclass <- function(design, settings, omega, result) {
  solution <- result$solution
  a <- solution$coefficients
  used <- which(a != 0)
  numbers <- c("value", "bound", "gap")
  kernel <- settings$kernel
  structure(
    list(
      coefficients = stats::setNames(a[used], row_names_of(design$x, NULL, used)),
      rho = solution$rho,
      boundary = if (solution$status == "certified") 2 * sqrt(2 * solution$gap * solution$largest)
                 else 0,
      certificate = data.frame(
        kind = "duality gap", class = NA_character_, solution[numbers],
        relative_gap = relative_gap(solution$value, solution$bound, solution$gap,
                                    solution$null_value),
        tol = settings$tol, certified = solution$status == "certified",
        assumes = certificate_assumes(kernel, result)
      ),
      trace = assemble_trace(list(solution), NA_character_),
      status = data.frame(class = NA_character_,
                          solution[c("status", "rounding_floor", "solver", "epochs", "steps",
                                     "seconds")]),
      scores = stats::setNames(solution$scores - solution$rho, rownames(design$x)),
      support = expansion_rows(design$x, NULL, used, kernel), weights = omega,
      settings = c(list(kernel = recorded_kernel(kernel)),
                   settings[c("nu", "intercept", "scale", "tol")],
                   list(solver = "smo", control = settings$control)),
      scales = stats::setNames(result$scales, design$features), origin = fit_origin(result, FALSE),
      bytes = result$bytes,
      features = design$features, terms = design$terms, xlevels = design$xlevels,
      contrasts = design$contrasts, na.action = design$na.action, sparse = design$sparse,
      interface = design$interface, call = compact_call(design$call),
      version = own_version()
    ),
    class = "margin_oneclass"
  )
}
