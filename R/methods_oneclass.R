# The methods of one-class fits.

#' Predictions from a one-class fit
#'
#' The decision value of a row is \eqn{f(x) - \rho = \sum_i a_i k(x_i, x) - \rho}{f(x) - rho = sum_i
#' a_i k(x_i, x) - rho}; a row is an inlier where it is 0 or more. Columns are found by name, extra
#' ones are ignored, missing ones and new factor levels are errors, and a row with a missing value
#' gives `NA`, as in [predict.margin_fit()].
#'
#' @param object A fit of [margin_oneclass()].
#' @param newdata Rows to predict, with the columns of the training rows; without it, the training
#'   rows. With [kernel_precomputed()] the kernel values between them and all training rows.
#' @param type `"class"` or `"score"`.
#' @param ... Nothing: unknown arguments are errors.
#' @return For each row of `newdata`: with `"class"` a factor with the levels `outlier` and
#'   `inlier`, with `"score"` the decision value.
#' @section Errors:
#' Of class `dualmargin_input_error`.
#' @examples
#' train <- seq(1, 50, by = 2)
#' fit <- margin_oneclass(iris[train, 1:4], nu = 0.1, kernel = kernel_rbf())
#' table(iris$Species[-train], predict(fit, iris[-train, 1:4]))
#' round(predict(fit, iris[c(2, 52, 102), ], type = "score"), 3)
#' @export
predict.margin_oneclass <- function(object, newdata, type = c("class", "score"), ...) {
  assert_no_extra("predict()", ...)
  assert_oneclass(object, "object")
  type <- one_of(type, c("class", "score"), "type")
  if (missing(newdata)) {
    scores <- stats::napredict(object$na.action, object$scores)
  } else if (is.null(newdata)) {
    abort_input(
      "`newdata` is NULL; give the rows to predict, or leave it out for the training rows.",
      "newdata"
    )
  } else {
    design <- design_newdata(object, newdata)
    scores <- oneclass_scores(object, design$x)
    scores[design$na_rows] <- NA
  }
  if (type == "score") {
    return(scores)
  }
  classes <- factor(c("outlier", "inlier")[1L + (scores >= 0)], c("outlier", "inlier"))
  stats::setNames(classes, names(scores))
}

oneclass_scores <- function(fit, x) {
  scores <- if (fit$settings$kernel$name == "linear") {
    linear_scores(x, matrix(oneclass_slopes(fit)), FALSE)
  } else {
    kernel_scores(fit, x, as.matrix(fit$coefficients))
  }
  stats::setNames(as.vector(scores) - fit$rho, rownames(x))
}

# Of the columns, for the linear kernel: sum_i a_i x_i, twice divided by the scales.
oneclass_slopes <- function(fit) {
  sums <- as.vector(Matrix::crossprod(fit$support$x, fit$coefficients))
  stats::setNames(sums / fit$scales^2, fit$features)
}

assert_oneclass <- function(fit, arg) {
  if (!inherits(fit, "margin_oneclass")) {
    abort_input(sprintf("`%s` is %s, but must be a fit of margin_oneclass().", arg,
                        show_value(fit)), arg)
  }
  fail <- damage_teller(fit, arg, "fit")
  if (!is.list(fit)) fail("it is no list")
  whole <- unclass(fit)
  p <- length(whole$features)
  tell_first(list(
    coefficients = is_numbers(whole$coefficients), rho = is_number(whole$rho),
    features = is_text(whole$features),
    scales = is_numbers(whole$scales) && length(whole$scales) == p && all(whole$scales > 0),
    certificate = is_table(whole$certificate, c("value", "bound", "gap", "relative_gap", "tol",
                                                "certified")),
    status = is_table(whole$status, c("status", "epochs", "seconds")),
    scores = is_numbers(whole$scores),
    weights = is_numbers(whole$weights) && length(whole$weights) == length(whole$scores),
    settings = is.list(whole$settings) && inherits(whole$settings$kernel, "kernel_function") &&
      is_number(whole$settings$nu) && is_flag(whole$settings$scale),
    support = is.list(whole$support) && is.numeric(whole$support$at) &&
      length(whole$support$at) == length(whole$coefficients),
    sparse = is_flag(whole$sparse), call = is.call(whole$call)
  ), fail)
  invisible()
}

#' @export
certificate.margin_oneclass <- function(fit, ...) {
  assert_no_extra("certificate()", ...)
  assert_oneclass(fit, "fit")
  fit$certificate
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

#' @export
coef.margin_oneclass <- function(object, ...) {
  assert_oneclass(object, "object")
  if (object$settings$kernel$name == "linear") {
    return(c("(Intercept)" = -object$rho, oneclass_slopes(object)))
  }
  object$coefficients
}

#' @export
nobs.margin_oneclass <- function(object, ...) {
  assert_oneclass(object, "object")
  sum(object$weights > 0)
}

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
    outliers = sprintf("%s of the training weight",
                       number(sum(x$weights[x$scores < 0]) / sum(x$weights)))
  )
  places <- max(digits, min(10L, ceiling(-log10(max(certificate$relative_gap, 1e-10))) + 2L))
  short <- function(value) format(value, digits = 3L)
  cat("<margin_oneclass> one-class support vector machine", key_lines(rows),
      sprintf("certificate (%s): %s", certificate$kind,
              if (certificate$certified) "certified" else "NOT certified"),
      # both are negative: describe_gap() is for objectives that are not
      sprintf("  value %s, bound %s, gap %s", format(certificate$value, digits = places),
              format(certificate$bound, digits = places), short(certificate$gap)),
      sprintf("  relative gap %s %s tol %s", short(certificate$relative_gap),
              if (certificate$relative_gap <= certificate$tol) "<=" else ">",
              short(certificate$tol)), sep = "\n")
  invisible(x)
}

#' @export
summary.margin_oneclass <- function(object, ...) {
  assert_no_extra("summary()", ...)
  assert_oneclass(object, "object")
  support <- support_rows.margin_oneclass(object)
  total <- sum(object$weights)
  structure(
    list(fit = object, scores = stats::quantile(object$scores),
         shares = c(outliers = sum(object$weights[object$scores < 0]) / total,
                    nu = object$settings$nu,
                    support = sum(object$weights[object$support$at]) / total),
         at_bound = sum(support$at_bound)),
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

#' @export
plot.margin_oneclass <- function(x, ...) {
  assert_oneclass(x, "x")
  drawn <- data.frame(score = unname(x$scores), outlier = unname(x$scores < 0))
  sides <- factor(ifelse(drawn$outlier, "outlier", "inlier"), c("outlier", "inlier"))
  old <- graphics::par(mar = c(4.2, 4.2, 2.5, 1) + 0.1)
  on.exit(graphics::par(old))
  room <- make_legend_room(levels(sides))
  histogram_by_class(x$scores, sides, 40, list(
    main = "Training decision values", xlab = "decision value (0 or more: inlier)", ylab = "rows"
  ), 0, ...)
  side_legend(room, levels(sides), fill = histogram_colours(), border = NA)
  invisible(drawn)
}
