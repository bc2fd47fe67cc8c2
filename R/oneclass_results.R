# What is read from a one-class fit, and how it is shown.

#' Methods of one-class fits
#'
#' What [margin_oneclass()] returned: printed, summarised, drawn, as data frames, refitted.
#'
#' There is no response, so there is nothing for `residuals()`, `deviance()` and `family()` to
#' answer; they stop with the reason, as the generics do that ask for a likelihood or a sampling
#' distribution (see [margin_fit-stats]).
#'
#' @param object,x A fit.
#' @param formula. Changes to the formula, as in `. ~ . - age`.
#' @param evaluate Evaluate the new call, or only return it?
#' @param data Rows: for `augment()` the training rows, to be bound to the results; for
#'   `model.matrix()` the rows to code.
#' @param newdata For `augment()`, new rows to predict instead.
#' @param digits Digits, as for [format()].
#' @param ... For `plot()` graphical parameters, as for [plot.margin_fit()]; for `update()`
#'   arguments of [margin_oneclass()], by name; else nothing. Unknown arguments are errors.
#' @return
#' * `coef()`: the \eqn{a_i} of the support vectors; for [kernel_linear()] the intercept
#'   \eqn{-\rho}{-rho} and the coefficients of the columns. `tidy()` has them as `term` and
#'   `estimate`.
#' * `fitted()`: the class of each training row, `"outlier"` or `"inlier"`, as `predict(object)`.
#' * `weights()`, `nobs()`, `formula()`, `terms()`, `variable.names()`, `case.names()`,
#'   `model.matrix()`: as for other fits, see [margin_fit-methods] and [margin_fit-stats].
#' * `glance()`: one row: `nobs`, `n_features`, `support`, `kernel`, `nu`, `outliers` (their share
#'   of the weight), `on_boundary` (rows whose sign is open, which count as inliers), `value`,
#'   `bound`, `gap`, `relative_gap`, `tol`, `certified`, `status`, `epochs` and `seconds`.
#' * `augment()`: the rows with `.pred_class` and `.score`.
#' * `update()`: the fit of the changed call, see [update.margin_fit()].
#' * `plot()`: a histogram of the decision values; rows on the boundary are drawn at 0. Invisibly a
#'   data frame of `score` and `outlier`.
#' * `summary()`: a list of class `"summary.margin_oneclass"`.
#' @section Errors:
#' Of class `dualmargin_input_error`.
#' @examples
#' train <- seq(1, 50, by = 2)
#' fit <- margin_oneclass(iris[train, 1:4], nu = 0.1)
#' glance(fit)
#' table(fitted(fit))
#' test <- augment(fit, newdata = iris[-train, ])
#' tapply(test$.score, test$Species, range)
#' @name margin_oneclass-methods
NULL

#' @rdname margin_oneclass-methods
#' @export
fitted.margin_oneclass <- function(object, ...) {
  assert_no_extra("fitted()", ...)
  stats::predict(object)
}

#' @rdname margin_oneclass-methods
#' @export
weights.margin_oneclass <- function(object, ...) {
  assert_no_extra("weights()", ...)
  assert_oneclass(object, "object")
  stats::naresid(object$na.action, object$weights)
}

#' @rdname margin_oneclass-methods
#' @export
formula.margin_oneclass <- function(x, ...) {
  assert_no_extra("formula()", ...)
  assert_oneclass(x, "x")
  if (!identical(x$interface, "formula")) {
    abort_input("`x` was fitted from `x` and has no formula; its features are in x$features.", "x")
  }
  stats::formula(x$terms)
}

#' @rdname margin_oneclass-methods
#' @export
terms.margin_oneclass <- function(x, ...) {
  assert_no_extra("terms()", ...)
  assert_oneclass(x, "x")
  terms_of(x)
}

#' @rdname margin_oneclass-methods
#' @export
variable.names.margin_oneclass <- function(object, ...) {
  assert_no_extra("variable.names()", ...)
  assert_oneclass(object, "object")
  object$features
}

#' @rdname margin_oneclass-methods
#' @export
case.names.margin_oneclass <- function(object, ...) {
  assert_no_extra("case.names()", ...)
  assert_oneclass(object, "object")
  weighted_case_names(object)
}

#' @rdname margin_oneclass-methods
#' @export
model.matrix.margin_oneclass <- function(object, data, ...) {
  assert_no_extra("model.matrix()", ...)
  assert_oneclass(object, "object")
  coded_rows(object, if (missing(data)) NULL else data)
}

#' @rdname margin_oneclass-methods
#' @export
tidy.margin_oneclass <- function(x, ...) {
  assert_no_extra("tidy()", ...)
  estimates <- stats::coef(x)
  as_tibble_if_installed(data.frame(term = names(estimates), estimate = unname(estimates)))
}

#' @rdname margin_oneclass-methods
#' @export
glance.margin_oneclass <- function(x, ...) {
  assert_no_extra("glance()", ...)
  assert_oneclass(x, "x")
  as_tibble_if_installed(data.frame(
    nobs = stats::nobs(x), n_features = length(x$features), support = length(x$coefficients),
    kernel = x$settings$kernel$name, nu = x$settings$nu, outliers = share_of_outliers(x),
    on_boundary = on_boundary(x),
    with_assumes(x$certificate)[certificate_numbers],
    x$status[c("status", "epochs", "seconds")], row.names = NULL
  ))
}

#' @rdname margin_oneclass-methods
#' @export
augment.margin_oneclass <- function(x, data = NULL, newdata = NULL, ...) {
  assert_no_extra("augment()", ...)
  assert_oneclass(x, "x")
  assert_one_of_rows(data, newdata)
  ask <- function(type) {
    unname(if (is.null(newdata)) stats::predict(x, type = type) else
      stats::predict(x, newdata, type = type))
  }
  results <- data.frame(.pred_class = ask("class"), .score = ask("score"))
  rows <- if (is.null(newdata)) data else newdata
  if (is.null(rows)) {
    return(as_tibble_if_installed(results))
  }
  bind_rows_to(rows, fit_to_rows(x, results, rows, is.null(newdata)))
}

#' @rdname margin_oneclass-methods
#' @export
update.margin_oneclass <- function(object, formula., ..., evaluate = TRUE) {
  assert_flag(evaluate, "evaluate")
  assert_oneclass(object, "object")
  changes <- as.list(match.call(expand.dots = FALSE)$...)
  call <- updated_call(object, changes, if (!missing(formula.)) list(formula.))
  # the default of version 0.2
  if (is.null(call$kernel) && object$settings$kernel$name == "linear") {
    call$kernel <- object$settings$kernel
  }
  if (evaluate) evaluate_with_data(call, parent.frame()) else call
}

#' @export
certificate.margin_oneclass <- function(fit, ...) {
  assert_no_extra("certificate()", ...)
  assert_oneclass(fit, "fit")
  with_assumes(fit$certificate)
}

#' @export
convergence.margin_oneclass <- function(fit, ...) {
  assert_no_extra("convergence()", ...)
  assert_oneclass(fit, "fit")
  without_row_names(fit$trace)
}

#' @export
support_rows.margin_oneclass <- function(fit, ...) {
  assert_no_extra("support_rows()", ...)
  assert_oneclass(fit, "fit")
  at <- fit$support$at
  a <- unname(fit$coefficients)
  most <- fit$weights[at] / (fit$settings$nu * sum(fit$weights))
  table <- data.frame(row = names(fit$coefficients), weight = a, at_bound = a >= most,
                      score = unname(fit$scores[at]))
  without_row_names(table[order(-a), ])
}

#' @rdname margin_oneclass-methods
#' @export
coef.margin_oneclass <- function(object, ...) {
  assert_oneclass(object, "object")
  if (is_linear_oneclass(object)) {
    return(c("(Intercept)" = -object$rho, oneclass_slopes(object)))
  }
  object$coefficients
}

#' @rdname margin_oneclass-methods
#' @export
nobs.margin_oneclass <- function(object, ...) {
  assert_oneclass(object, "object")
  sum(object$weights > 0)
}

#' @rdname margin_oneclass-methods
#' @export
print.margin_oneclass <- function(x, digits = max(3L, getOption("digits") - 3L), ...) {
  assert_no_extra("print()", ...)
  assert_oneclass(x, "x")
  certificate <- x$certificate
  number <- function(value) format(value, digits = digits)
  rows <- c(
    kernel = format(x$settings$kernel), nu = number(x$settings$nu),
    columns = describe_scaling(x$settings), data = describe_data(x, length(x$scores)),
    rho = number(x$rho), support = count(length(x$coefficients), "support vector"),
    outliers = sprintf("%s of the training weight", number(share_of_outliers(x))),
    boundary = describe_boundary(x)
  )
  places <- max(digits, min(10L, ceiling(-log10(max(certificate$relative_gap, 1e-10))) + 2L))
  short <- function(value) format(value, digits = 3L)
  cat("<margin_oneclass> one-class support vector machine", key_lines(rows[!is.na(rows)]),
      sprintf("certificate (%s): %s", certificate$kind,
              if (certificate$certified) "certified" else "NOT certified"),
      # both are negative: describe_gap() is for objectives that are not
      sprintf("  value %s, bound %s, gap %s", format(certificate$value, digits = places),
              format(certificate$bound, digits = places), short(certificate$gap)),
      sprintf("  relative gap %s %s tol %s", short(certificate$relative_gap),
              if (certificate$relative_gap <= certificate$tol) "<=" else ">",
              short(certificate$tol)), describe_assumes(certificate), sep = "\n")
  invisible(x)
}

# "73 rows within the certified error of 0, 0.00011: no outliers"
describe_boundary <- function(fit) {
  if (!fit$certificate$certified || is.null(fit$boundary)) {
    return(NA_character_)
  }
  sprintf("%s within the certified error of 0, %s: no outliers", count(on_boundary(fit), "row"),
          format(fit$boundary, digits = 2L))
}

#' @rdname margin_oneclass-methods
#' @export
summary.margin_oneclass <- function(object, ...) {
  assert_no_extra("summary()", ...)
  assert_oneclass(object, "object")
  support <- support_rows.margin_oneclass(object)
  total <- sum(object$weights)
  structure(
    list(fit = object, scores = stats::quantile(object$scores),
         shares = c(outliers = share_of_outliers(object), nu = object$settings$nu,
                    support = sum(object$weights[object$support$at]) / total),
         at_bound = sum(support$at_bound), on_boundary = on_boundary(object)),
    class = "summary.margin_oneclass"
  )
}

#' @export
print.summary.margin_oneclass <- function(x, digits = max(3L, getOption("digits") - 3L), ...) {
  assert_no_extra("print()", ...)
  print(x$fit, digits = digits)
  cat("\nShares of the weight (outliers <= nu <= support vectors at the optimum)\n")
  print(x$shares, digits = digits)
  cat("\nDecision values of the training rows\n")
  print(x$scores, digits = digits)
  cat(sprintf("\n%s at the bound; %s, %s epochs, %s s\n",
              count(x$at_bound, "support vector"), x$fit$status$status,
              format(x$fit$status$epochs, digits = digits),
              format(x$fit$status$seconds, digits = 3L)))
  invisible(x)
}

#' @rdname margin_oneclass-methods
#' @export
plot.margin_oneclass <- function(x, ...) {
  assert_plot_arguments("plot()", ...)
  assert_oneclass(x, "x")
  drawn <- data.frame(score = unname(x$scores), outlier = unname(is_outlier(x)))
  sides <- factor(ifelse(drawn$outlier, "outlier", "inlier"), c("outlier", "inlier"))
  shown <- ifelse(abs(drawn$score) <= boundary_of(x), 0, drawn$score)
  old <- graphics::par(mar = c(4.2, 4.2, 2.5, 1) + 0.1)
  on.exit(graphics::par(old))
  room <- make_legend_room(levels(sides))
  histogram_by_class(shown, sides, 40, list(
    main = "Training decision values", xlab = "decision value (0 or more: inlier)", ylab = "rows"
  ), 0, ...)
  side_legend(room, levels(sides), fill = histogram_colours(), border = NA)
  invisible(drawn)
}
