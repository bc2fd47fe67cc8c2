# What is read from a margin_tune(), and its picture.

#' Read and draw a proven tuning
#'
#' Fit the penalty that [margin_tune()] has chosen to all rows, read the errors of the penalties
#' that were tried, and draw them above the lower bound that holds for all others.
#'
#' @param object,x A result of [margin_tune()].
#' @param data,... For `refit()` and `update()`: other data and changed arguments of
#'   [margin_linear()], as for [refit.margin_cv()]; for `plot()` graphical parameters, as for
#'   [plot.margin_cv()]; else nothing.
#' @param digits Significant digits.
#' @return `refit()`: the fit of [margin_linear()] with the best penalty to all rows, which the
#'   result keeps; with other data or changed arguments a new one, as for [refit.margin_cv()].
#'   `as.data.frame()`, `tidy()`: a row for
#'   each penalty that was fitted, with `lower` and `upper` end of its error. `glance()`: one row:
#'   `lambda`, `error`, `least`, `proven`, `from` and `to` (the penalties that may do as well),
#'   `points`, `folds`, `nobs`. `summary()` is `tidy()`. `plot()`: the steps of the lower bound,
#'   invisibly.
#'
#'   `plot()` shows the error of each penalty fitted (a line where rows are undecided) over
#'   \eqn{\log \lambda}, which falls to the right, with the lower bound that holds between them as a
#'   shaded step function, and the best penalty. No curve of errors runs below the shade.
#' @examples
#' some <- spambase[seq(1, nrow(spambase), by = 20), ]
#' tuned <- margin_tune(type ~ ., data = some, range = c(0.01, 1), folds = 5, seed = 1)
#' tuned
#' glance(tuned)
#' plot(tuned)
#' @name margin_tune-methods
NULL

#' @rdname margin_tune-methods
#' @export
print.margin_tune <- function(x, digits = max(3L, getOption("digits") - 3L), ...) {
  assert_no_extra("print()", ...)
  assert_tune(x, "x")
  number <- function(value) format(value, digits = digits)
  cat(fold_lines(c(
    sprintf("<margin_tune> %s loss, %s, %s, lambda from %s to %s",
            if (is.null(x$settings$loss)) "logistic" else format(x$settings$loss),
            count(x$nobs, "row"), count(length(x$folds), "fold"), number(x$range[1L]),
            number(x$range[2L])),
    sprintf("best lambda %s: cross-validated error %s", number(x$lambda),
            describe_error(x, number)),
    describe_proof(x, number),
    describe_ties(x, number),
    sprintf("fitted at %s of lambda, %s", count(nrow(x$points), "value"),
            count(nrow(x$points) * length(x$folds), "fit"))
  )), sep = "\n")
  invisible(x)
}

# Shares, and where rows count alike their number.
describe_error <- function(tune, number) {
  ends <- unname(tune$error)
  rows <- nrow_of_tune(tune)
  counted <- function(share) format(round(share * rows))
  if (ends[1L] == ends[2L]) {
    return(paste0(number(ends[1L]), if (!tune$weighted) sprintf(" (%s of %s rows)",
                                                                 counted(ends[1L]), rows)))
  }
  sprintf("between %s and %s (%s at the tolerance of the fits)", number(ends[1L]),
          number(ends[2L]), count(tune$points$undecided[tune$points$lambda == tune$lambda][1L],
                                  "undecided row"))
}

# Held-out rows, of all repetitions.
nrow_of_tune <- function(tune) sum(lengths(lapply(tune$folds, `[[`, "test")))

describe_proof <- function(tune, number) {
  range <- sprintf("between %s and %s", number(tune$range[1L]), number(tune$range[2L]))
  remaining <- max(0, tune$error[["upper"]] - tune$least)
  if (remaining <= 1e-12) {
    return(sprintf("proven: no penalty %s has a smaller cross-validated error", range))
  }
  left <- sprintf("no penalty %s has a cross-validated error below %s, %s less than the best's",
                  range, number(tune$least), number(remaining))
  if (tune$proven) {
    return(sprintf("proven within eps = %s: %s", number(tune$eps), left))
  }
  c(sprintf("NOT proven within eps = %s; %s", number(tune$eps), left), tune_remedy(tune))
}

describe_ties <- function(tune, number) {
  points <- tune$points
  equal <- points$lambda[points$upper == min(points$upper)]
  c(
    if (length(equal) > 1L) {
      sprintf("the same error at %d of the penalties fitted, the smallest %s", length(equal),
              number(min(equal)))
    },
    if (tune$among[2L] > tune$among[1L] * (1 + 1e-12)) {
      sprintf("only penalties from %s to %s may do as well", number(tune$among[1L]),
              number(tune$among[2L]))
    },
    if (any(tune$range %in% equal)) {
      ends <- c("smallest", "largest")[tune$range %in% equal]
      sprintf("the %s lambda of the range is %sbest: a better lambda may lie beyond it; %s",
              paste(ends, collapse = " and the "), if (length(equal) > 1L) "among the " else "the ",
              "widen the range")
    }
  )
}

#' @rdname margin_tune-methods
#' @export
as.data.frame.margin_tune <- function(x, ...) {
  assert_tune(x, "x")
  x$points
}

#' @rdname margin_tune-methods
#' @export
tidy.margin_tune <- function(x, ...) {
  assert_no_extra("tidy()", ...)
  assert_tune(x, "x")
  as_tibble_if_installed(x$points)
}

#' @rdname margin_tune-methods
#' @export
summary.margin_tune <- function(object, ...) {
  assert_no_extra("summary()", ...)
  assert_tune(object, "object")
  object$points
}

#' @rdname margin_tune-methods
#' @export
glance.margin_tune <- function(x, ...) {
  assert_no_extra("glance()", ...)
  assert_tune(x, "x")
  as_tibble_if_installed(data.frame(
    lambda = x$lambda, error = x$error[["upper"]], least = x$least, proven = x$proven,
    from = x$among[1L], to = x$among[2L], points = nrow(x$points), folds = length(x$folds),
    nobs = x$nobs
  ))
}

#' @rdname margin_tune-methods
#' @export
refit.margin_tune <- function(object, data = NULL, ...) {
  assert_tune(object, "object")
  changes <- as.list(match.call(expand.dots = FALSE)$...)
  if (!is.null(data)) changes$data <- substitute(data)
  if (length(changes) == 0L) {
    return(object$fit)
  }
  fit <- fit_of_search(object, "linear", list(lambda = object$lambda), changes, parent.frame())
  marked_tuned(fit, "lambda", changes)
}

#' @rdname margin_tune-methods
#' @param formula.,evaluate As for [update.margin_fit()].
#' @export
update.margin_tune <- function(object, formula., ..., evaluate = TRUE) {
  assert_tune(object, "object")
  values <- c(object$problem$arguments, object[c("range", "eps")])
  update_call(with_values(object$call, values), if (!missing(formula.)) formula.,
              match.call(expand.dots = FALSE)$..., evaluate, parent.frame())
}
