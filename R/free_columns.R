# Columns without a penalty, of factor 0: what they may stand beside, and what the core says of them
# (src/linear/free_columns.h).

# Their Newton systems are solved for every certificate.
most_free_columns <- 50L
has_free_columns <- function(settings) any(settings$penalty_factor == 0)

assert_free_possible <- function(settings, bounded, no) {
  if (bounded) {
    no(paste("beside bounds there is no column without a penalty yet; give it a small factor, such",
             "as 1e-6, or leave `lower` and `upper` out"))
  }
  if (!is.null(meeting_of(settings))) {
    no(paste("rows on several ranks have no column without a penalty yet; give it a small factor,",
             "such as 1e-6"))
  }
  if (!settings$loss$smooth) {
    no(sprintf(paste(
      "the loss \"%s\" is not smooth, and only smooth ones have columns without a penalty; give a",
      "small factor, such as 1e-6, or use a smooth loss, such as loss_%s"
    ), settings$loss$name,
    if (settings$loss$task == "regression") "huber()" else "smooth_hinge(0.1)"))
  }
}

# Of the answer of the core: columns without a penalty that have no best coefficients.
assert_free_columns <- function(result, problem) {
  features <- problem$design$features
  if (length(result$dependent) > 0L) {
    abort_input(sprintf(paste(
      "`penalty_factor` is 0 for %s, a combination of the other columns without a penalty, or",
      "constant beside the intercept: coefficients are not determined; leave %s out, or give a",
      "small factor, such as 1e-6."
    ), quote_list(features[result$dependent]),
    if (length(result$dependent) == 1L) "it" else "them"), "penalty_factor")
  }
  if (isTRUE(result$separate)) {
    abort_input(if (separates_classes(problem)) paste(
      "`penalty_factor` is 0 for columns along which classes are separate: no coefficients are the",
      "best, larger ones are better without end; give a small factor, such as 1e-3."
    ) else paste(
      "`penalty_factor` is 0 for columns of which no best coefficients were found in 100 Newton",
      "steps: along them classes are separate but for ties, or all but separate; give a small",
      "factor, such as 1e-3."
    ), "penalty_factor")
  }
  result
}

# Is it proven that the columns without a penalty separate a class from the others? By a margin
# above 0, which margin_hard() certifies; there is none where rows of both lie on the boundary, as
# beside a column that is 0 in all rows of one class.
separates_classes <- function(problem) {
  settings <- problem$settings
  x <- problem$design$x
  if (is_rows(x)) {
    return(FALSE)
  }
  used <- problem$omega > 0
  x <- as.matrix(x[used, settings$penalty_factor == 0, drop = FALSE])
  codes <- problem$response$codes[used]
  one <- function(is_class) {
    if (all(is_class) || !any(is_class)) return(FALSE)
    fit <- withCallingHandlers(
      margin_hard(x, is_class, scale = TRUE,
                  intercept = if (settings$intercept == "free") "free" else "none"),
      dualmargin_not_certified = function(w) invokeRestart("muffleWarning")
    )
    isTRUE(fit$separable)
  }
  n_classes <- problem$response$n_classes
  if (n_classes == 1L) one(codes > 0) else any(vapply(seq_len(n_classes), function(k) {
    one(codes == k)
  }, NA))
}
