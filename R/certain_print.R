# What a person reads about a fit's exact optimum.

#' Print and summarise what is certain about an optimum
#'
#' Summarise what [margin_certain()] proves: of how many rows the class is certain, of how many
#' coefficients the sign, and how wide the intervals are.
#'
#' @param x,object What [margin_certain()] returned, or its summary.
#' @param digits Significant digits.
#' @param ... Not used; an unknown argument is an error.
#' @return `print()`: its argument, invisibly. `summary()`: a list of class
#'   `"summary.margin_certain"` with `problems`, a data frame with a row for each class problem:
#'   `class` (`NA` for two), `relative_gap` of the fit, `radius` (within which the optimum's scaled
#'   coefficients lie of a known point, in function space for a kernel), `half_width` (the median
#'   over the rows of the fit of half an interval of a decision value), for a linear fit `positive`,
#'   `negative`, `zero`, `open` (how many coefficients, without the intercept, have that sign for
#'   certain); and `decided` and `rows`: of
#'   how many rows of the fit the class is certain (`NA` for a regression). `glance()`: one row:
#'   `nobs` and `decided` (the numbers of rows), over the class problems the largest `half_width`
#'   and `radius` and the sums of `positive`, `negative`, `zero` and `open` (`NA` where a fit has no
#'   coefficients of columns), and `relative_gap` and `certified` of the fit.
#' @examples
#' fit <- margin_linear(type ~ ., data = spambase, loss = "hinge", lambda = 0.01)
#' summary(margin_certain(fit, spambase))
#' glance(margin_certain(fit, spambase))
#' @name print.margin_certain
NULL

#' @rdname print.margin_certain
#' @export
summary.margin_certain <- function(object, ...) {
  assert_no_extra("summary()", ...)
  assert_certain(object)
  fit <- object$fit
  lower <- as.matrix(object$training$lower)
  upper <- as.matrix(object$training$upper)
  rows <- lapply(seq_along(object$problems), function(k) {
    known <- object$problems[[k]]
    one <- min(k, nrow(fit$certificate))
    found <- data.frame(
      class = if (length(object$problems) > 1L) fit$levels[k] else fit$certificate$class[k],
      relative_gap = fit$certificate$relative_gap[one],
      radius = known$ball$radius,
      half_width = unit_of(fit) * stats::median(upper[, k] - lower[, k]) / 2
    )
    if (has_kernel(fit) && !inherits(fit, "margin_hard")) return(found)
    ends <- coefficient_ends(fit, known)
    if (has_intercept(fit)) ends <- ends[-1L, , drop = FALSE]
    zero <- ends[, 1L] == 0 & ends[, 2L] == 0
    cbind(found, data.frame(
      positive = sum(ends[, 1L] > 0), negative = sum(ends[, 2L] < 0), zero = sum(zero),
      open = sum(ends[, 1L] <= 0 & ends[, 2L] >= 0 & !zero)
    ))
  })
  decided <- if (fit$task == "regression") NA_integer_ else
    sum(decided_class(fit, object$training)$decided)
  structure(list(model = describe_model(fit, 4L), problems = do.call(rbind, rows),
                 decided = decided, rows = NROW(fit$scores), level = object$level,
                 refits = !inherits(fit, c("margin_augmented", "margin_oneclass"))),
            class = "summary.margin_certain")
}

#' @rdname print.margin_certain
#' @export
glance.margin_certain <- function(x, ...) {
  assert_no_extra("glance()", ...)
  assert_certain(x, "x")
  found <- summary(x)
  problems <- found$problems
  total <- function(name) {
    if (is.null(problems[[name]])) NA_integer_ else sum(problems[[name]])
  }
  as_tibble_if_installed(data.frame(
    nobs = found$rows, decided = found$decided, half_width = max(problems$half_width),
    radius = max(problems$radius), positive = total("positive"), negative = total("negative"),
    zero = total("zero"), open = total("open"), relative_gap = max(problems$relative_gap),
    certified = all(x$fit$certificate$certified)
  ))
}

#' @rdname print.margin_certain
#' @export
print.margin_certain <- function(x, digits = 3L, ...) {
  assert_no_extra("print()", ...)
  found <- summary(x)
  cat(fold_lines(sprintf("<margin_certain> the exact optimum of a fit of %s()",
                         class(x$fit)[1L])), sep = "\n")
  cat(certain_lines(found, digits), sep = "\n")
  invisible(x)
}

#' @rdname print.margin_certain
#' @export
print.summary.margin_certain <- function(x, digits = 3L, ...) {
  assert_no_extra("print()", ...)
  cat(x$model, sep = "\n")
  cat("\n")
  cat(certain_lines(x, digits), sep = "\n")
  cat("\n")
  print(format(x$problems, digits = digits), row.names = FALSE)
  invisible(x)
}

# refits: can the fit be solved further?
open_words <- function(open, refits) {
  if (open == 0L) {
    return("")
  }
  sprintf("; %s open%s", format(open, big.mark = ","), if (!refits) "" else
    ", which predict(certain, data = <the rows of the fit>) decides by refits")
}

certain_lines <- function(found, digits) {
  table <- found$problems
  sum_of <- function(name) sum(table[[name]])
  lines <- c(
    sprintf("relative gap of the fit %s", format(max(table$relative_gap), digits = digits)),
    sprintf("%s within %s of a known point, decision values of the rows within %s",
            if (is.null(table$open)) "the function (in its kernel's norm)" else
              "scaled coefficients",
            format(max(table$radius), digits = digits),
            format(max(table$half_width), digits = digits)),
    if (!is.na(found$decided)) {
      sprintf("the class is certain for %s of %s%s", format(found$decided, big.mark = ","),
              count(found$rows, "row"), open_words(found$rows - found$decided, found$refits))
    },
    if (!is.null(table$open)) {
      sprintf("the sign is certain for %d of %s (%d positive, %d negative, %d zero)",
              sum_of("positive") + sum_of("negative") + sum_of("zero"),
              count(sum_of("positive") + sum_of("negative") + sum_of("zero") + sum_of("open"),
                    "coefficient"),
              sum_of("positive"), sum_of("negative"), sum_of("zero"))
    },
    if (found$level < 1) {
      sprintf("all of this holds at once with a confidence of %s %%: the expectation is drawn",
              format(100 * found$level))
    },
    "These statements concern the exact optimum on these rows, not the population."
  )
  fold_lines(lines)
}
