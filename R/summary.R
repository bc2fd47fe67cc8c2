# summary() of a fit and its print method; documented in print.R.

#' @rdname print.margin_fit
#' @export
summary.margin_fit <- function(object, ...) {
  assert_no_extra("summary()", ...)
  structure(
    list(
      model = object[c("settings", "levels", "task", "features", "na.action", "sparse",
                       "certificate", "status")],
      family = class(object)[1L],
      coefficients = sorted_coefficients(object),
      nonzero = count_nonzero(object),
      performance = training_performance(object),
      certificate = without_row_names(object$certificate),
      status = without_row_names(object$status),
      call = object$call
    ),
    class = "summary.margin_fit"
  )
}
