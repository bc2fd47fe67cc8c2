#' Fits as data frames: tidy, glance, augment
#'
#' Turn a fit into data frames, as broom does: coefficients by `tidy()`, a row on the whole fit by
#' `glance()`, predictions beside the rows by `augment()`. Columns have the names of
#' broom's glossary where it has a word for them (`term`, `estimate`, `class`, `nobs`, `lambda`,
#' `value`, `.fitted`, `.resid`); for the rest, among them most of the certificate, it has none.
#' `.pred_class` and `.pred_<level>` are the names that parsnip's `augment()` and yardstick use.
#'
#' @param x A fit.
#' @param data For `augment()`, the training data, to be bound to the results; without it the
#'   results alone.
#' @param newdata For `augment()`, new rows to predict instead.
#' @param newoffset For `augment()`, the offset of the rows of `newdata`, as in
#'   [predict()][predict.margin_fit()].
#' @param conf.int,conf.level As callers of broom pass them. A penalised estimate has no confidence
#'   interval: with `conf.int = TRUE` the columns `conf.low` and `conf.high` are `NA`, and a message
#'   leads to [margin_bootstrap()].
#' @param ... Not used; an unknown argument is an error.
#' @return Tibbles where package tibble is installed, else data frames.
#' * `tidy()`: one row per coefficient: `class` (more than two classes only; `tau` of a fit of
#'   several quantiles), `term`, `estimate` on the scale of the columns as given.
#' * `glance()`: one row: `nobs`, `n_features`, `nonzero`; what defines the problem (`loss`,
#'   `lambda`, `mixture`; for a robust fit `norm`, `radius`, `label_cost`, `ridge`); the certificate
#'   of the worst class (`value`, `bound`, `gap`, `relative_gap`, `tol`, `certified`), its `status`
#'   and `solver`; `epochs` and `seconds`, summed over classes.
#' * `augment()`: the data first (with their row names, where they have any, as `.rownames`; a
#'   Matrix is left out, it would not stay sparse), then for a
#'   classification `.pred_class`, `.score` (a column for each level, `.score_<level>`, where there
#'   are more than two) and, for the logistic loss or a fit from [margin_calibrate()],
#'   `.pred_<level>`; for a regression `.fitted` and, where the response is in the data, `.resid`
#'   (of several quantiles a column for each, as `.fitted_0.1`).
#' @examples
#' fit <- margin_linear(Species ~ ., data = iris, loss = "logistic")
#' tidy(fit)
#' glance(fit)
#' head(augment(fit, iris), 3)
#' @name tidiers
NULL

#' @importFrom generics tidy
#' @export
generics::tidy

#' @importFrom generics glance
#' @export
generics::glance

#' @importFrom generics augment
#' @export
generics::augment

#' @rdname tidiers
#' @export
tidy.margin_fit <- function(x, conf.int = FALSE, conf.level = 0.95, ...) {
  assert_no_extra("tidy()", ...)
  assert_fit(x, "x")
  assert_flag(conf.int, "conf.int")
  assert_number(conf.level, "conf.level", lower = 0, upper = 1, remedy = "the default is 0.95")
  table <- coefficients_of_classes(x)
  if (conf.int) {
    table <- without_confidence(table, conf.level, paste(
      "a penalised estimate has no sampling distribution that the fit would know; give the fit",
      "and its rows to margin_bootstrap(), and tidy() that"
    ))
  }
  as_tibble_if_installed(named_by_tau(x, table))
}

# class (more than two), term, estimate.
coefficients_of_classes <- function(fit, estimates = as.matrix(stats::coef(fit))) {
  classes <- problem_classes(fit)
  table <- data.frame(term = rep(rownames(estimates), ncol(estimates)),
                      estimate = as.vector(estimates))
  if (is.null(classes)) table else cbind(class = rep(classes, each = nrow(estimates)), table)
}

# Callers of broom, as packages that make tables, ask for an interval of whatever they are given.
without_confidence <- function(table, level, reason) {
  assert_number(level, "conf.level", lower = 0, upper = 1, remedy = "the default is 0.95")
  inform(sprintf("`conf.low` and `conf.high` are NA: %s.", reason))
  table[c("conf.low", "conf.high")] <- NA_real_
  table
}

#' @rdname tidiers
#' @export
glance.margin_fit <- function(x, ...) {
  assert_no_extra("glance()", ...)
  assert_fit(x, "x")
  worst <- worst_of(x$certificate)
  as_tibble_if_installed(data.frame(
    nobs = stats::nobs(x), n_features = length(x$features),
    nonzero = sum(rowSums(scaled_slopes(x) != 0) > 0), problem_columns(x),
    x$certificate[worst, certificate_numbers],
    status = x$status$status[worst], solver = x$status$solver[worst],
    epochs = sum(x$status$epochs), seconds = sum(x$status$seconds), row.names = NULL
  ))
}

# Users of broom expect tibbles; who has no tibble gets data frames.
as_tibble_if_installed <- function(frame) {
  if (requireNamespace("tibble", quietly = TRUE)) tibble::as_tibble(frame) else frame
}

# What defines the problem, in columns.
problem_columns <- function(fit) {
  UseMethod("problem_columns")
}

#' @rdname tidiers
#' @export
augment.margin_fit <- function(x, data = NULL, newdata = NULL, ..., newoffset = NULL) {
  assert_no_extra("augment()", ...)
  assert_fit(x, "x")
  assert_one_of_rows(data, newdata)
  rows <- if (is.null(newdata)) data else newdata
  ask <- function(type) {
    if (is.null(newdata)) predict(x, type = type, newoffset = newoffset) else
      predict(x, newdata, type = type, newoffset = newoffset)
  }
  results <- if (x$task == "regression") {
    if (has_quantiles(x)) tau_columns(x, ask("response"), ".fitted") else
      data.frame(.fitted = unname(ask("response")))
  } else {
    classification_columns(x, ask)
  }
  if (is.null(rows)) {
    return(as_tibble_if_installed(results))
  }
  results <- fit_to_rows(x, results, rows, is.null(newdata))
  if (x$task == "regression") {
    observed <- observed_response(x, rows)
    if (!is.null(observed)) results <- with_residuals(x, results, observed)
  }
  bind_rows_to(rows, results)
}

with_residuals <- function(fit, results, observed) {
  if (has_quantiles(fit)) {
    return(cbind(results, tau_columns(fit, observed - as.matrix(results), ".resid")))
  }
  results$.resid <- observed - results$.fitted
  results
}

assert_one_of_rows <- function(data, newdata) {
  if (!is.null(data) && !is.null(newdata)) {
    abort_input("`data` and `newdata` are both given; `data` are the training rows, give one.",
                "data")
  }
}

classification_columns <- function(fit, ask) {
  label <- function(values, prefix) {
    values <- as.data.frame(values)
    names(values) <- paste0(prefix, fit$levels)
    values
  }
  if (has_probabilities(fit) && "class" %in% fit$levels) {
    abort_input(paste("`x` has a class \"class\", whose probabilities would be a second column",
                      ".pred_class; rename the class, or use predict()."), "x")
  }
  score <- ask("score")
  columns <- data.frame(.pred_class = unname(ask("class")))
  columns <- cbind(columns, if (is.matrix(score)) label(score, ".score_") else
    data.frame(.score = unname(score)))
  if (has_probabilities(fit)) columns <- cbind(columns, label(ask("prob"), ".pred_"))
  rownames(columns) <- NULL
  columns
}

# Training rows that na.omit or the subset left out stand in the data, not among the fitted values.
fit_to_rows <- function(fit, results, rows, training) {
  if (length(dim(rows)) != 2L) {
    abort_input(sprintf("`%s` is %s, but must be a data frame or a matrix.",
                        if (training) "data" else "newdata", show_value(rows)),
                if (training) "data" else "newdata")
  }
  omitted <- if (inherits(fit$na.action, "omit")) fit$na.action
  places <- if (training) fitted_places(fit, rows, nrow(results), omitted)
  if (length(places) == nrow(results) && nrow(rows) > nrow(results)) {
    results <- results[match(seq_len(nrow(rows)), places), , drop = FALSE]
    rownames(results) <- NULL
  }
  if (nrow(rows) != nrow(results)) {
    abort_input(sprintf("`data` has %d rows, but the fit has %d; %s.", nrow(rows), nrow(results),
                        subset_remedy(fit, "use `newdata` for other rows")), "data")
  }
  if (training && !is_rows(rows)) assert_own_order(fit, rows)
  results
}

# As many rows as the fit has, but others or in another order, would get the numbers of its rows. Data
# without the columns of the fit tell nothing.
assert_own_order <- function(fit, rows) {
  places <- fitted_places(fit, rows)
  if (length(places) != NROW(fit$scores)) {
    return(invisible())
  }
  design <- tryCatch(design_newdata(fit, rows, rows = places), error = function(condition) NULL)
  if (!is.null(design)) assert_scores_of_fit(fit, design, places)
}

# The data first. A Matrix stays out of the data frame: as columns it would not be sparse any more.
bind_rows_to <- function(rows, results) {
  if (isS4(rows) || is_rows(rows)) {
    return(as_tibble_if_installed(results))
  }
  frame <- as.data.frame(rows)
  kept <- frame[setdiff(names(frame), names(results))]
  named <- is.character(attr(frame, "row.names")) && !".rownames" %in% names(frame)
  bound <- without_row_names(cbind(kept, results))
  as_tibble_if_installed(if (named) cbind(.rownames = rownames(frame), bound) else bound)
}

# The response of a fit from a formula, where `rows` has its variables; else NULL.
observed_response <- function(fit, rows) {
  if (is_rows(rows)) {
    return(labels_of_rows(rows, fit))
  }
  if (is.null(fit$terms) || !fit$interface == "formula" || !is.data.frame(rows) ||
        fit$task == "one_class") {
    return(NULL)
  }
  response_values(fit$terms, rows)
}
