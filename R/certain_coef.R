# The coefficients of the exact optimum, with their intervals.

#' Coefficients that are certain
#'
#' Intervals that hold the coefficients of the exact optimum of a fit's problem, on the scale of the
#' columns as they were given; see [margin_certain()]. They are numerical bounds, not
#' confidence intervals: they say what further optimisation could change, and nothing about the
#' population.
#'
#' @param object,x What [margin_certain()] returned.
#' @param conf.int,conf.level As callers of broom pass them. These intervals are not of confidence
#'   and are there without it: with `conf.int = TRUE` the columns `conf.low` and `conf.high` are `NA`.
#' @param ... Not used; an unknown argument is an error.
#' @return `coef()`: a matrix with a row for each term and the columns `estimate` (of the fit),
#'   `lower` and `upper`; for k > 2 classes an array with the levels as its third dimension. Where
#'   all classes are one problem (`multiclass = "softmax"` or `"crammer_singer"`) they are those
#'   around their mean over the classes, which no prediction depends on; with an l1 part, which
#'   determines that mean, intercepts alone are.
#'   `tidy()`: a data frame with `class` (more than two only), `term`, `estimate`, `lower`, `upper`,
#'   `sign` (1, -1 or 0 where the optimum's sign is certain, else `NA`).
#' @examples
#' fit <- margin_linear(type ~ ., data = spambase, lambda = 0.01, mixture = 0.5)
#' certain <- margin_certain(fit, spambase)
#' found <- tidy(certain)
#' # columns that the optimum leaves out for certain, and those whose sign is certain
#' found$term[found$sign %in% 0]
#' head(found[found$sign %in% c(-1, 1), ])
#' @name certain-coefficients
NULL

#' @rdname certain-coefficients
#' @export
coef.margin_certain <- function(object, ...) {
  assert_no_extra("coef()", ...)
  assert_certain(object)
  fit <- object$fit
  if (inherits(fit, c("margin_kernel", "margin_oneclass"))) {
    abort_input(paste(
      "`object` is of a kernel fit, whose optimum is a function: the coefficients of its rows have",
      "no interval; use predict(object, newdata)."
    ), "object")
  }
  estimates <- if (is_joint(fit)) determined_jointly(fit) else coef_matrix(fit)
  tables <- lapply(seq_along(object$problems), function(k) {
    ends <- coefficient_ends(fit, object$problems[[k]])
    table <- cbind(estimate = estimates[, k], lower = ends[, 1L], upper = ends[, 2L])
    rownames(table) <- rownames(estimates)
    table
  })
  if (length(tables) == 1L) {
    return(tables[[1L]])
  }
  array(unlist(tables), c(nrow(estimates), 3L, length(tables)),
        list(rownames(estimates), colnames(tables[[1L]]), fit$levels))
}

# The ball and the ellipsoid, coordinate by coordinate, on the user's scale.
coefficient_ends <- function(fit, known) {
  centre <- known$ball$centre
  ends <- cbind(centre - known$ball$radius, centre + known$ball$radius)
  ellipsoid <- known$ellipsoid
  if (!is.null(ellipsoid) && is.finite(ellipsoid$factor)) {
    half <- ellipsoid$inverse[seq_along(centre)] * ellipsoid$inflation * ellipsoid$factor
    ends <- cbind(pmax(ends[, 1L], known$w - half), pmin(ends[, 2L], known$w + half))
  }
  ends <- ends + outer(4 * unit_roundoff * (abs(centre) + abs(known$w)), c(-1, 1))
  ends[known$zero, ] <- 0
  p <- length(fit$scales)
  slopes <- ends[seq_len(p), , drop = FALSE] / unname(fit$scales)
  first <- ends[seq_len(nrow(ends)) > p, , drop = FALSE]
  if (!is.null(known$intercept)) first <- rbind(known$intercept)
  ends <- unname(rbind(first, slopes)) * unit_of(fit)
  ends + abs(ends) * outer(rep(4 * unit_roundoff, nrow(ends)), c(-1, 1))
}

#' @rdname certain-coefficients
#' @export
tidy.margin_certain <- function(x, conf.int = FALSE, conf.level = 0.95, ...) {
  assert_no_extra("tidy()", ...)
  assert_flag(conf.int, "conf.int")
  ends <- stats::coef(x)
  several <- length(dim(ends)) == 3L
  column <- function(name) as.vector(if (several) ends[, name, ] else ends[, name])
  table <- data.frame(term = rep(rownames(ends), length.out = length(column("estimate"))),
                      estimate = column("estimate"), lower = column("lower"),
                      upper = column("upper"))
  table$sign <- ifelse(table$lower > 0, 1, ifelse(table$upper < 0, -1, NA))
  table$sign[table$lower == 0 & table$upper == 0] <- 0
  if (conf.int) {
    table <- without_confidence(
      table, conf.level, "`lower` and `upper` are of the exact optimum and have no confidence"
    )
  }
  as_tibble_if_installed(
    if (several) cbind(class = rep(dimnames(ends)[[3L]], each = nrow(ends)), table) else table
  )
}
