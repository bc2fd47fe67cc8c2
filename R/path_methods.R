#' Accessors of a path
#'
#' Coefficients, predictions, certificates and tables of a [margin_path()].
#'
#' Points are picked by `lambda` and, where there are several, `mixture`, by `radius` or by `rate`.
#' `coef()`, `predict()` and `augment()` also take values *between* two points: the coefficients are
#' then interpolated linearly between those of the neighbouring points of the same `mixture`, as
#' glmnet does, which for the rows of a kernel path is linear interpolation of the functions. A
#' message of class `dualmargin_message` says so. *Interpolated coefficients solve no problem and
#' carry no certificate*: [certificate()] and `glance()` are about the points that were solved. A
#' value outside of the range of the path is an error that names the range. For a certified fit at
#' any value call the function of the family, such as [margin_linear()], with it.
#'
#' @param object,x,fit,formula A path.
#' @param lambda Points to pick, `NULL` for all. Equal up to one part in \eqn{10^8} to a value of
#'   the path, or between two of them.
#' @param radius,rate,nu As `lambda`, for a robust, an augmented and a one-class path.
#' @param mixture Values of the path, `NULL` for all.
#' @param newdata Rows to predict, as for [predict.margin_fit()]. A path keeps no training
#'   decision values, so there is no default.
#' @param type,newoffset As for [predict.margin_fit()].
#' @param data Rows with the variables of the formula, for `model.frame()`.
#' @param by `"worst"`: a row for each point, with its worst class; `"class"`: all classes.
#' @param zeros For `tidy()`: keep the coefficients that are zero?
#' @param digits Significant digits.
#' @param top For the print of a summary, how many points to show, evenly along the path; those that
#'   are not certified are always shown.
#' @param ... Further arguments of [stats::model.frame()]; elsewhere an unknown argument is an error.
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
#' train <- seq(1, nrow(iris), by = 2)
#' test <- iris[-train, ]
#' path <- margin_path(Species ~ ., data = iris[train, ], mixture = 0.9, n_lambda = 10)
#' summary(path)
#' coef(path, lambda = path$lambda[c(2, 10)])$setosa
#' dim(predict(path, test, type = "score"))
#' accuracy <- vapply(predict(path, test), function(class) mean(class == test$Species), 0)
#' cbind(glance(path)[c("lambda", "df", "relative_gap")], accuracy)
#' @seealso [margin_path()], [plot.margin_path()]
#' @name margin_path-methods
NULL

#' @rdname margin_path-methods
#' @export
coef.margin_path <- function(object, lambda = NULL, mixture = NULL, radius = NULL, rate = NULL,
                             nu = NULL, ...) {
  assert_no_extra("coef()", ...)
  assert_path(object, "object")
  at <- pick_points(object, list(lambda = lambda, mixture = mixture, radius = radius, rate = rate,
                                 nu = nu))
  inform_interpolated(at, object)
  if (is.list(object$coefficients)) {
    return(lapply(object$coefficients, coefficients_at, at = at))
  }
  coefficients_at(object$coefficients, at)
}

# The points asked for, in the order in which the first coordinate is given: a data frame of `lower`
# and `upper`, two points of the path, the `share` of the upper one, and a `label`. A point that was
# solved is both.
pick_points <- function(path, wanted) {
  wanted <- wanted[!vapply(wanted, is.null, NA)]
  for (arg in setdiff(names(wanted), path$coordinates)) {
    abort_input(sprintf("`%s` is given, but this is a path over %s; leave it out.", arg,
                        paste(path$coordinates, collapse = " and ")), arg)
  }
  for (arg in names(wanted)) {
    values <- wanted[[arg]]
    if (!is.numeric(values) || is.object(values) || !all(is.finite(values)) || length(values) == 0L) {
      abort_input(sprintf("`%s` is %s, but must be finite numbers, or NULL for all.", arg,
                          show_value(values)), arg)
    }
  }
  along <- path$coordinates[1L]
  allowed <- points_among(path, wanted[setdiff(names(wanted), along)])
  if (is.null(wanted[[along]])) {
    at <- new_table(lower = allowed, upper = allowed, share = 0)
  } else {
    at <- do.call(rbind, lapply(wanted[[along]], place_of_value, path = path, allowed = allowed))
  }
  one <- if (is.list(path$coefficients)) path$coefficients[[1L]] else path$coefficients
  at$label <- colnames(one)[at$lower]
  between <- which(at$share > 0)
  if (length(between) > 0L) at$label[between] <- point_labels(points_at(path, at))[between]
  at
}

# The coordinates of what pick_points() returned.
points_at <- function(path, at) {
  along <- path$coordinates[1L]
  points <- points_of(path, at$lower)
  points[[along]] <- (1 - at$share) * points[[along]] + at$share * path[[along]][at$upper]
  points
}

near_value <- function(values, target) abs(values - target) <= 1e-8 * abs(target)

# The points with one of the given values of the second coordinate, of which there are few.
points_among <- function(path, wanted) {
  at <- seq_len(nrow(path$certificate))
  for (arg in names(wanted)) {
    have <- path[[arg]]
    for (value in wanted[[arg]]) {
      if (!any(near_value(have, value))) {
        abort_input(sprintf("`%s` is %s, which the path does not have; it has %s.", arg,
                            format(value, digits = 7),
                            paste(vapply(unique(have), format, "", digits = 7), collapse = ", ")),
                    arg)
      }
    }
    chosen <- vapply(have, function(one) any(near_value(wanted[[arg]], one)), NA)
    at <- at[chosen[at]]
  }
  at
}

# Where the path has the value, there; else between the neighbours in each series that spans it.
place_of_value <- function(value, path, allowed) {
  have <- path[[path$coordinates[1L]]]
  solved <- allowed[near_value(have[allowed], value)]
  if (length(solved) > 0L) {
    return(data.frame(lower = solved, upper = solved, share = 0))
  }
  series <- split(allowed, path_series(path)[allowed], drop = TRUE)
  if (length(path$coordinates) == 1L) series <- list(allowed)
  places <- lapply(series, function(at) {
    at <- at[order(have[at])]
    below <- sum(have[at] < value)
    if (below == 0L || below == length(at)) {
      return(NULL)
    }
    ends <- at[c(below, below + 1L)]
    data.frame(lower = ends[1L], upper = ends[2L],
               share = (value - have[ends[1L]]) / diff(have[ends]))
  })
  places <- do.call(rbind, unname(places))
  if (is.null(places)) {
    arg <- path$coordinates[1L]
    range <- vapply(range(have[allowed]), format, "", digits = 7)
    abort_input(sprintf(
      "`%s` is %s, but the path goes from %s to %s; for a value beyond, fit it: %s(%s = %s).", arg,
      format(value, digits = 7), range[1L], range[2L], sub("_path", "", class(path)[1L]), arg,
      format(value, digits = 7)
    ), arg)
  }
  places
}

coefficients_at <- function(all, at) {
  picked <- all[, at$lower, drop = FALSE]
  if (any(at$share > 0)) {
    scaled <- function(columns, by) {
      if (isS4(columns)) columns %*% Matrix::Diagonal(x = by) else
        columns * rep(by, each = nrow(columns))
    }
    picked <- scaled(picked, 1 - at$share) + scaled(all[, at$upper, drop = FALSE], at$share)
  }
  colnames(picked) <- at$label
  picked
}

inform_interpolated <- function(at, path) {
  between <- sum(at$share > 0)
  if (between > 0L) {
    inform(sprintf(paste(
      "Interpolated between points of the path at %s of `%s`: such coefficients solve no problem",
      "and have no certificate; fit with %s() for one."
    ), count(between, "value"), path$coordinates[1L], sub("_path", "", class(path)[1L])))
  }
}

#' @rdname margin_path-methods
#' @export
predict.margin_path <- function(object, newdata, lambda = NULL, mixture = NULL,
                                type = NULL, radius = NULL, rate = NULL, nu = NULL,
                                newoffset = NULL, ...) {
  assert_no_extra("predict()", ...)
  assert_path(object, "object")
  type <- prediction_type(object, type)
  at <- pick_points(object, list(lambda = lambda, mixture = mixture, radius = radius, rate = rate,
                                 nu = nu))
  if (missing(newdata) || is.null(newdata)) {
    abort_input("`newdata` is missing; a path keeps no decision values; give the rows to predict.",
                "newdata")
  }
  inform_interpolated(at, object)
  scores <- path_scores(object, design_newdata(object, newdata, on_disk = TRUE), at, newoffset)
  if (type == "distance") {
    abort_input(sprintf("`type` is \"%s\", which a path has not; ask a fit at one of its points.",
                        type), "type")
  }
  answers <- if (object$task != "regression") lapply(seq_len(nrow(at)), function(i) {
    model <- model_at(object, if (at$share[i] == 0) at$lower[i])
    present_scores(model, scores_of_point(scores, i), type)
  })
  if (type == "prob") {
    # n x k x L
    array(unlist(answers), c(nrow(scores), length(object$levels), nrow(at)),
          list(rownames(scores), object$levels, at$label))
  } else if (type == "score" || object$task == "regression") scores else
    classes_of_points(answers, scores, at)
}

# A column for each point.
classes_of_points <- function(answers, scores, at) {
  frame <- as.data.frame(stats::setNames(lapply(answers, unname), at$label), optional = TRUE)
  if (!is.null(rownames(scores)) && anyDuplicated(rownames(scores)) == 0L) {
    rownames(frame) <- rownames(scores)
  }
  frame
}

# A vector, or for several classes a matrix: also of one row.
scores_of_point <- function(scores, i) {
  size <- dim(scores)
  if (length(size) == 2L) {
    return(stats::setNames(scores[, i], rownames(scores)))
  }
  matrix(scores[, , i], size[1L], size[2L], dimnames = dimnames(scores)[1:2])
}

# n x L, or n x k x L; the rows are coded once for all points.
path_scores <- function(path, design, at, newoffset = NULL) {
  one <- function(all) {
    coefficients <- coefficients_at(all, at)
    scores <- as.matrix(score_design(path, design$x, coefficients))
    scores <- add_offset(scores, path, design, newoffset)
    dimnames(scores) <- list(rownames(design$x), colnames(coefficients))
    scores[design$na_rows, ] <- NA
    scores
  }
  coefficients <- scoring_coefficients(path)
  if (!is.list(coefficients)) {
    return(one(coefficients))
  }
  by_class <- lapply(coefficients, one)
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
  table <- fit$certificate
  if (by == "class") fit$by_class[names(table)] else table
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

# A path in words.

describe_path <- function(path, digits) {
  number <- function(value) format(value, digits = digits)
  settings <- path$settings
  rows <- c(
    family_of(path)$path$describe(path, number),
    intercept = if (path$task == "one_class") NA_character_ else describe_intercept(settings),
    columns = describe_scaling(settings),
    response = describe_unit(path, digits),
    residuals = describe_scales(path, number),
    data = describe_data(path, path$nobs, path$nrow - path$nobs),
    classes = describe_levels(path),
    nonzero = sprintf("coefficients of %s",
                      paste0(if (min(path$df) < max(path$df)) paste(min(path$df), "to "),
                             count(max(path$df), if (has_kernel(path)) "row" else "feature"))),
    work = sprintf("%s epochs, %s", number(sum(path$status$epochs)),
                   count(sum(path$status$steps), "Newton step"))
  )
  rows <- rows[!is.na(rows)]
  as_fit <- structure(path, class = sub("_path", "", class(path)[1L]))
  c(fold_lines(sprintf("<margin_path> %s along %s", describe_task(as_fit),
                       count(nrow(path$certificate), "point"))),
    key_lines(rows), fold_lines(describe_path_certificates(path, digits)))
}

# Of Huber's loss in units of the residuals: the sizes that the points found.
describe_scales <- function(path, number) {
  size <- huber_size(path)
  if (is.null(size) || identical(size$unit, "response")) {
    return(NA_character_)
  }
  ends <- vapply(unique(range(size$scale)), number, "")
  sprintf("delta = %s times s = %s%s", number(size$delta), paste(ends, collapse = " to "),
          if (length(size$scale) > 1L) ", their median size / 0.6745 at each point" else
            ", held at all points")
}

describe_range <- function(lambda, size, number) {
  if (size == 1 && min(lambda) == max(lambda)) {
    return(number(lambda[1L]))
  }
  sprintf("%s from %s down to %s", count(size, "value"), number(max(lambda)), number(min(lambda)))
}

# One line that counts, one on the worst point, and one for each point (up to five) that is not
# certified.
describe_path_certificates <- function(path, digits) {
  certificate <- path$certificate
  size <- nrow(certificate)
  missed <- which(!certificate$certified)
  worst <- worst_of(certificate)
  row <- certificate[worst, ]
  short <- function(value) format(value, digits = min(digits, 3L))
  lines <- vapply(missed, function(i) {
    sprintf("  %s: relative gap %s, %s", describe_point(path, i),
            short(certificate$relative_gap[i]),
            sub("[,;]$", "", explain_status(path$status$status[i], path$status$rounding_floor[i],
                                            is_sought(certificate[i, ], path$status[i, ]))))
  }, "")
  if (length(lines) > 5L) {
    lines <- c(lines[1:5], sprintf("  and %d more points", length(lines) - 5L))
  }
  c(sprintf("certificates (%s): %s, %d of %d points", row$kind,
            if (length(missed) == 0L) "certified" else "NOT certified", size - length(missed),
            size),
    sprintf("  %s relative gap %s %s tol %s, at %s%s%s",
            if (isTRUE(row$relative_gap < max(certificate$relative_gap))) "worst" else "largest",
            short(row$relative_gap),
            if (row$relative_gap <= row$tol) "<=" else ">", short(row$tol), describe_point(path, worst),
            if (is.na(row$class)) "" else paste0(", class ", row$class),
            describe_solved(path)),
    describe_assumes(certificate), lines)
}
