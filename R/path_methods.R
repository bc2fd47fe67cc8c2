#' Accessors of a path
#'
#' Coefficients, predictions, certificates and tables of a [margin_path()].
#'
#' Points are picked by `lambda` and, where there are several, `mixture`, by `radius` or by `rate`.
#' Only points that were solved can be had: another value is an error that names the nearest ones,
#' since coefficients between two points would carry no certificate. To have one, solve for it with
#' [margin_path()] or the function of its family, such as [margin_linear()].
#'
#' @param object,x,fit A path.
#' @param lambda Points to pick, `NULL` for all. Values equal up to one part in \eqn{10^8}.
#' @param mixture,radius,rate As `lambda`.
#' @param newdata Rows to predict, as for [predict.margin_fit()]. A path keeps no training
#'   decision values, so there is no default.
#' @param type `"class"`, `"score"`, `"prob"` or `"response"`, as for [predict.margin_fit()].
#' @param by `"worst"`: a row for each point, with its worst class; `"class"`: all classes.
#' @param zeros For `tidy()`: keep the coefficients that are zero?
#' @param digits Significant digits.
#' @param top For the print of a summary, how many points to show, evenly along the path; those that
#'   are not certified are always shown.
#' @param ... Nothing: unknown arguments are errors.
#' @return With n rows of `newdata` and L points picked:
#'   * `coef()`: as `coefficients` of [margin_path()]: a matrix of a column per point, for more than
#'     two classes a list of them.
#'   * `predict()`: `"score"` an n x L matrix, for k > 2 classes an n x k x L array; `"prob"` an
#'     array n x k x L; `"class"` a data frame of L columns in the type of the response;
#'     `"response"` the decision values of a regression, else the classes. A row that cannot be
#'     predicted is `NA`.
#'   * `certificate()`: a row for each point.
#'   * `tidy()`: `lambda` and `mixture` (or `radius`, or `rate`), `class` (more than two
#'     classes only), `term`, `estimate`.
#'   * `glance()`: a row for each point: `lambda` and `mixture` (or `radius`, or `rate`), `nobs`,
#'     `df`, the certificate, `status`, `solver`, `epochs`, `steps`, `seconds`.
#'   * `summary()`: a list of class `"summary.margin_path"` with the table `points`.
#' @examples
#' path <- margin_path(Species ~ ., data = iris, mixture = 0.9, n_lambda = 10)
#' summary(path)
#' coef(path, lambda = path$lambda[c(2, 10)])$setosa
#' dim(predict(path, iris, type = "score"))
#' accuracy <- vapply(predict(path, iris), function(class) mean(class == iris$Species), 0)
#' cbind(glance(path)[c("lambda", "df", "relative_gap")], accuracy)
#' @seealso [margin_path()], [plot.margin_path()]
#' @name margin_path-methods
NULL

#' @rdname margin_path-methods
#' @export
coef.margin_path <- function(object, lambda = NULL, mixture = NULL, radius = NULL, rate = NULL,
                             ...) {
  assert_no_extra("coef()", ...)
  assert_path(object, "object")
  at <- pick_points(object, list(lambda = lambda, mixture = mixture, radius = radius, rate = rate))
  pick <- function(all) all[, at, drop = FALSE]
  if (is.list(object$coefficients)) lapply(object$coefficients, pick) else pick(object$coefficients)
}

# Indices of the points asked for, in the order in which the first coordinate is given.
pick_points <- function(path, wanted) {
  near <- function(values, target) abs(values - target) <= 1e-8 * abs(target)
  wanted <- wanted[!vapply(wanted, is.null, NA)]
  for (arg in setdiff(names(wanted), path$coordinates)) {
    abort_input(sprintf("`%s` is given, but this is a path over %s; leave it out.", arg,
                        paste(path$coordinates, collapse = " and ")), arg)
  }
  find <- function(arg) {
    have <- path[[arg]]
    values <- wanted[[arg]]
    if (is.null(values)) {
      return(seq_along(have))
    }
    if (!is.numeric(values) || is.object(values) || anyNA(values) || length(values) == 0L) {
      abort_input(sprintf("`%s` is %s, but must be values that the path has, or NULL for all.", arg,
                          show_value(values)), arg)
    }
    for (value in values) {
      if (!any(near(have, value))) {
        abort_input(sprintf("`%s` is %s, which is not a point of the path; %s.", arg,
                            format(value, digits = 7),
                            nearest_points(path, value, arg)), arg)
      }
    }
    unlist(lapply(values, function(value) which(near(have, value))))
  }
  at <- find(path$coordinates[1L])
  for (arg in path$coordinates[-1L]) at <- at[at %in% find(arg)]
  if (length(at) == 0L) {
    arg <- path$coordinates[1L]
    abort_input(sprintf("`%s` is %s, which the path has at another `%s` only.", arg,
                        show_value(wanted[[arg]]), path$coordinates[2L]), arg)
  }
  at
}

nearest_points <- function(path, value, arg) {
  have <- sort(unique(path[[arg]]))
  sides <- c(utils::tail(have[have < value], 1L), utils::head(have[have > value], 1L))
  text <- vapply(sides, format, "", digits = 7)
  sprintf("the nearest %s %s (for another, fit it: %s(%s = %s))",
          if (length(text) > 1L) "are" else "is", paste(text, collapse = " and "),
          sub("_path", "", class(path)[1L]), arg,
          format(value, digits = 7))
}

#' @rdname margin_path-methods
#' @export
predict.margin_path <- function(object, newdata, lambda = NULL, mixture = NULL,
                                type = c("class", "score", "prob", "response"), radius = NULL,
                                rate = NULL, ...) {
  assert_no_extra("predict()", ...)
  assert_path(object, "object")
  type <- if (missing(type)) "response" else assert_choice(type, prediction_types(), "type")
  assert_type_fits(object, type)
  at <- pick_points(object, list(lambda = lambda, mixture = mixture, radius = radius, rate = rate))
  if (missing(newdata) || is.null(newdata)) {
    abort_input("`newdata` is missing; a path keeps no decision values; give the rows to predict.",
                "newdata")
  }
  scores <- path_scores(object, newdata, at)
  if (type == "score" || object$task == "regression") {
    return(scores)
  }
  several <- length(dim(scores)) == 3L
  points <- lapply(seq_along(at), function(i) {
    present_scores(object, if (several) scores[, , i] else scores[, i], type)
  })
  labels <- dimnames(scores)[[length(dim(scores))]]
  if (type == "prob") {
    return(array(unlist(points), c(nrow(scores), length(object$levels), length(at)),
                 list(rownames(scores), object$levels, labels)))
  }
  frame <- as.data.frame(stats::setNames(lapply(points, unname), labels), optional = TRUE)
  if (!is.null(rownames(scores)) && anyDuplicated(rownames(scores)) == 0L) {
    rownames(frame) <- rownames(scores)
  }
  frame
}

# n x L, or n x k x L; the rows are coded once for all points.
path_scores <- function(path, newdata, at) {
  design <- design_newdata(path, newdata)
  one <- function(all) {
    coefficients <- all[, at, drop = FALSE]
    scores <- as.matrix(score_design(path, design$x, coefficients))
    dimnames(scores) <- list(rownames(design$x), colnames(coefficients))
    scores[design$na_rows, ] <- NA
    scores
  }
  if (!is.list(path$coefficients)) {
    return(one(path$coefficients))
  }
  by_class <- lapply(path$coefficients, one)
  all <- array(unlist(by_class), c(dim(by_class[[1L]]), length(by_class)),
               c(dimnames(by_class[[1L]]), list(names(by_class))))
  aperm(all, c(1L, 3L, 2L))
}

#' @rdname margin_path-methods
#' @export
certificate.margin_path <- function(fit, by = c("worst", "class"), ...) {
  assert_no_extra("certificate()", ...)
  assert_path(fit, "fit")
  by <- one_of(by, c("worst", "class"), "by")
  if (by == "class") fit$by_class[names(fit$certificate)] else fit$certificate
}

#' @rdname margin_path-methods
#' @export
tidy.margin_path <- function(x, zeros = TRUE, ...) {
  assert_no_extra("tidy()", ...)
  assert_path(x, "x")
  assert_flag(zeros, "zeros")
  classes <- problem_classes(x)
  all <- if (is.null(classes)) list(x$coefficients) else x$coefficients
  one <- function(coefficients, class) {
    keep <- if (zeros) seq_along(coefficients) else which(as.vector(coefficients != 0))
    row <- (keep - 1L) %% nrow(coefficients) + 1L
    point <- (keep - 1L) %/% nrow(coefficients) + 1L
    data.frame(points_of(x, point), class = rep(class, length(keep)),
               term = rownames(coefficients)[row], estimate = coefficients[keep],
               row.names = NULL)
  }
  table <- do.call(rbind, unname(Map(one, all, if (is.null(classes)) NA else classes)))
  as_tibble_if_installed(if (is.null(classes)) table[names(table) != "class"] else table)
}

#' @rdname margin_path-methods
#' @export
glance.margin_path <- function(x, ...) {
  assert_no_extra("glance()", ...)
  assert_path(x, "x")
  as_tibble_if_installed(path_table(x))
}

path_table <- function(path) {
  data.frame(
    points_of(path), nobs = path$nobs, df = path$df,
    path$certificate[certificate_numbers],
    path$status[c("status", "solver", "epochs", "steps", "seconds")]
  )
}

#' @rdname margin_path-methods
#' @export
print.margin_path <- function(x, digits = max(3L, getOption("digits") - 3L), ...) {
  assert_no_extra("print()", ...)
  assert_path(x, "x")
  cat(describe_path(x, digits), sep = "\n")
  invisible(x)
}

#' @rdname margin_path-methods
#' @export
summary.margin_path <- function(object, ...) {
  assert_no_extra("summary()", ...)
  assert_path(object, "object")
  structure(list(path = describe_path(object, max(3L, getOption("digits") - 3L)),
                 coordinates = object$coordinates, points = path_table(object)),
            class = "summary.margin_path")
}

#' @rdname margin_path-methods
#' @export
print.summary.margin_path <- function(x, digits = max(3L, getOption("digits") - 3L), top = 12L,
                                      ...) {
  assert_no_extra("print()", ...)
  assert_number(top, "top", lower = 0, whole = TRUE)
  cat(x$path, sep = "\n")
  size <- nrow(x$points)
  shown <- unique(round(seq(1, size, length.out = min(top, size))))
  shown <- sort(union(shown, which(!x$points$certified)))
  cat(sprintf("\nPoints (%d of %d)\n", length(shown), size))
  columns <- c(x$coordinates, "df", "value", "relative_gap", "certified", "epochs", "steps")
  print(x$points[shown, columns], digits = digits, row.names = FALSE)
  invisible(x)
}
