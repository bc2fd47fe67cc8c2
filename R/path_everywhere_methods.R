# What a path with a certificate for every lambda answers between its points.

# For each value picked and each class the best that is known: the share of the upper point in the
# coefficients, the gap there and lower bounds on the optimum. at: as pick_points() makes it.
everywhere_pieces <- function(path, at) {
  kept <- path$everywhere
  lapply(kept$classes, path_pieces_cpp, mixture = kept$mixture, lower = at$lower, upper = at$upper,
         lambda = picked_lambda(path, at))
}

picked_lambda <- function(path, at) {
  (1 - at$share) * path$lambda[at$lower] + at$share * path$lambda[at$upper]
}

# A table of each class.
certificate_of_pieces <- function(path, at, pieces) {
  lambda <- picked_lambda(path, at)
  eps <- path$everywhere$eps
  classes <- problem_classes(path)
  tables <- lapply(seq_along(pieces), function(k) {
    piece <- pieces[[k]]
    data.frame(kind = "duality gap", class = if (is.null(classes)) NA_character_ else classes[k],
               lambda = lambda, mixture = path$everywhere$mixture,
               piece = ifelse(piece$interpolated, "interpolated", "constant"),
               value = piece$value, bound = piece$bound, gap = piece$gap,
               relative_gap = piece$relative_gap, tol = eps, certified = piece$relative_gap <= eps,
               assumes = "")
  })
  tables
}

worst_of_tables <- function(tables) {
  gaps <- vapply(tables, `[[`, numeric(nrow(tables[[1L]])), "relative_gap")
  worst <- max.col(matrix(gaps, ncol = length(tables)), ties.method = "first")
  rows <- lapply(seq_along(worst), function(i) tables[[worst[i]]][i, ])
  without_row_names(do.call(rbind, rows))
}

# The path at the values picked, as one whose points they are.
path_at_values <- function(path, at) {
  pieces <- everywhere_pieces(path, at)
  tables <- certificate_of_pieces(path, at, pieces)
  labels <- point_labels(tables[[1L]]["lambda"])
  several <- is.list(path$coefficients)
  all <- if (several) path$coefficients else list(path$coefficients)
  found <- Map(function(coefficients, piece) {
    columns <- at
    columns$share <- piece$share
    columns$label <- if (anyDuplicated(labels)) at$label else labels
    coefficients_at(coefficients, columns)
  }, all, pieces)
  path$lambda <- tables[[1L]]$lambda
  path$mixture <- tables[[1L]]$mixture
  path$coefficients <- if (several) found else found[[1L]]
  if (!is.null(path$origin$intercept)) {
    near <- path$origin$intercept
    moved <- Map(function(at_points, piece) {
      (1 - piece$share) * at_points[at$lower] + piece$share * at_points[at$upper]
    }, if (several) near else list(near), pieces)
    path$origin$intercept <- if (several) moved else moved[[1L]]
  }
  path$certificate <- worst_of_tables(tables)
  path$status <- without_row_names(path$status[at$lower, ])
  path$df <- path$df[at$lower]
  class(path) <- setdiff(class(path), "margin_path_everywhere")
  path$everywhere <- NULL
  path
}

#' Paths with a certificate for every lambda
#'
#' Read coefficients, predictions and certificates at any `lambda` between the points of a path of
#' [margin_path()] with `everywhere = eps`. Its points are chosen so that at *every* `lambda`, not
#' only at those that were solved, coefficients are known whose relative gap is at most `eps`: the
#' coefficients of a neighbouring point, or the interpolation of both, whichever has the smaller
#' proven gap there.
#'
#' @section What is proven between two points:
#' A fit and its dual variables stay feasible at other penalties, and their gap there is known. For
#' every loss about \eqn{\log(\lambda_{\max}/\lambda_{\min}) / (2
#' \sqrt\epsilon)}{log(lambda_max/lambda_min) / (2 sqrt(eps))} fits suffice (Giesen, Jaggi and Laue
#' 2012; Ndiaye and others 2019). With a ridge the interpolation of two fits is nearer to the
#' optimum. For the logistic and the squared loss (ridge, up to 2,000 columns) its gap falls with
#' the fourth power of the step, so small `eps` needs few fits. Bounds on rounding are part of each
#' gap. Derivation: `vignette("proofs")`.
#'
#' @param object,x,fit A path made with `everywhere`.
#' @param lambda Any values of the range, `NULL` for the points that were solved.
#' @param newdata,type As for [predict.margin_path()].
#' @param mixture,radius,rate Not for these paths, `NULL`.
#' @param by `"worst"` or `"class"`, as for [certificate()].
#' @param which `"gap"` draws the relative gap that is proven at every `lambda`, with `everywhere`
#'   as a line, the fits as points; `"coefficients"` as [plot.margin_path()].
#' @param digits Significant digits.
#' @param ... For `plot()` as for [plot.margin_path()]; else nothing.
#' @return `coef()`, `predict()` and `augment()`: as for other paths ([margin_path-methods]), the
#'   first two with an attribute `"certificate"`. That, and `certificate()`: a data frame with a row
#'   for each `lambda` (and with `by = "class"` each class): `piece` (`"constant"` or
#'   `"interpolated"`), `value` (an upper bound
#'   on the objective there, exact for constant pieces), `bound` (not above the optimum), `gap` (an
#'   upper bound on how far the objective is above the optimum, often less than value - bound),
#'   `relative_gap` (to the objective, or where that is not known to its lower bound), `tol` (which
#'   is `everywhere`), `certified`.
#' @section Errors and warnings:
#' A `lambda` beyond the range is an error of class `dualmargin_input_error`. Where the walk could
#' not prove `eps` there is a warning of class `dualmargin_not_certified`, and `certificate()` says
#' what is known.
#' @references
#' Giesen J, Jaggi M, Laue S (2012). Approximating parameterized convex optimization problems. *ACM
#' Transactions on Algorithms* 9(1), article 10. \doi{10.1145/2390176.2390186}.
#'
#' Ndiaye E, Le T, Fercoq O, Salmon J, Takeuchi I (2019). Safe grid search with optimal complexity.
#' *Proceedings of ICML 2019*. arXiv:1810.05471.
#'
#' Bach F (2010). Self-concordant analysis for logistic regression. *Electronic Journal of
#' Statistics* 4, 384-414. \doi{10.1214/09-EJS521}.
#' @examples
#' train <- seq(1, nrow(spambase), by = 4)
#' test <- spambase[-train, ]
#' path <- margin_path(type ~ ., data = spambase[train, ], loss = "logistic",
#'                     lambda = c(1e-3, 1), everywhere = 0.01)
#' path
#' certificate(path, lambda = c(0.0123, 0.2))
#' classes <- predict(path, test, lambda = c(0.0123, 0.2))
#' vapply(classes, function(class) mean(class == test$type), 0)
#' plot(path)
#' @seealso [margin_path()]; [margin_tune()] for the penalty with the smallest cross-validated
#'   error, `vignette("decisions")`.
#' @name margin_path_everywhere
NULL

#' @rdname margin_path_everywhere
#' @export
coef.margin_path_everywhere <- function(object, lambda = NULL, mixture = NULL, radius = NULL,
                                        rate = NULL, ...) {
  assert_no_extra("coef()", ...)
  assert_path(object, "object")
  at <- pick_points(object, list(lambda = lambda, mixture = mixture, radius = radius, rate = rate))
  path <- path_at_values(object, at)
  structure(path$coefficients, certificate = path$certificate)
}

#' @rdname margin_path_everywhere
#' @export
predict.margin_path_everywhere <- function(object, newdata, lambda = NULL, mixture = NULL,
                                           type = NULL, radius = NULL, rate = NULL, ...) {
  assert_no_extra("predict()", ...)
  assert_path(object, "object")
  at <- pick_points(object, list(lambda = lambda, mixture = mixture, radius = radius, rate = rate))
  path <- path_at_values(object, at)
  structure(stats::predict(path, newdata, type = type), certificate = path$certificate)
}

#' @rdname margin_path_everywhere
#' @param data The same as `newdata`, for `augment()`.
#' @export
augment.margin_path_everywhere <- function(x, data = NULL, newdata = NULL, lambda = NULL,
                                           mixture = NULL, radius = NULL, rate = NULL, ...) {
  assert_no_extra("augment()", ...)
  assert_path(x, "x")
  at <- pick_points(x, list(lambda = lambda, mixture = mixture, radius = radius, rate = rate))
  augment(path_at_values(x, at), data = data, newdata = newdata)
}

#' @rdname margin_path_everywhere
#' @export
certificate.margin_path_everywhere <- function(fit, by = c("worst", "class"), lambda = NULL, ...) {
  assert_no_extra("certificate()", ...)
  assert_path(fit, "fit")
  by <- one_of(by, c("worst", "class"), "by")
  if (is.null(lambda)) {
    return(NextMethod())
  }
  at <- pick_points(fit, list(lambda = lambda))
  tables <- certificate_of_pieces(fit, at, everywhere_pieces(fit, at))
  if (by == "worst") {
    return(worst_of_tables(tables))
  }
  order <- order(rep(seq_len(nrow(at)), length(tables)))
  without_row_names(do.call(rbind, tables)[order, ])
}

#' @rdname margin_path_everywhere
#' @export
print.margin_path_everywhere <- function(x, digits = max(3L, getOption("digits") - 3L), ...) {
  NextMethod()
  cat(fold_lines(describe_everywhere(x, digits)), sep = "\n")
  invisible(x)
}

describe_everywhere <- function(path, digits) {
  worst <- do.call(pmax, c(lapply(path$everywhere$classes, `[[`, "worst"), list(0)))
  number <- function(value) format(value, digits = digits)
  missed <- sum(worst > path$everywhere$eps)
  if (missed == 0L) {
    return(sprintf("  and at every lambda from %s to %s the relative gap is at most %s",
                   number(min(path$lambda)), number(max(path$lambda)),
                   number(path$everywhere$eps)))
  }
  sprintf("  NOT proven at most %s everywhere: between neighbours at %s it may be up to %s",
          number(path$everywhere$eps), count(missed, "place"), number(max(worst)))
}
