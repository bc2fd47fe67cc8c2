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
assert_free_columns <- function(result, features) {
  if (length(result$dependent) > 0L) {
    abort_input(sprintf(paste(
      "`penalty_factor` is 0 for %s, a combination of the other columns without a penalty, or",
      "constant beside the intercept: coefficients are not determined; leave %s out, or give a",
      "small factor, such as 1e-6."
    ), quote_list(features[result$dependent]),
    if (length(result$dependent) == 1L) "it" else "them"), "penalty_factor")
  }
  if (isTRUE(result$separate)) {
    abort_input(paste(
      "`penalty_factor` is 0 for columns along which classes are separate: no coefficients are the",
      "best, larger ones are better without end; give a small factor, such as 1e-3."
    ), "penalty_factor")
  }
  result
}
