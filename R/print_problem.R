# Words for how columns, intercept and response entered the problem that was solved.

describe_intercept <- function(settings) {
  if (settings$intercept == "none" && has_constant(settings)) {
    return("none on the centred columns")
  }
  settings$intercept
}

describe_scaling <- function(settings) {
  if (isTRUE(settings$center)) {
    return(if (!isTRUE(settings$scale)) "centred for the fit, not scaled" else
      "centred and divided by their standard deviation for the fit")
  }
  if (isTRUE(settings$scale)) "divided by their standard deviation for the fit" else
    "as given, not scaled"
}

# Of which problem the certificate is, where the data were changed for it.
describe_solved <- function(fit) {
  done <- c(if (isTRUE(fit$settings$center)) "centred", if (isTRUE(fit$settings$scale)) "scaled")
  response <- c(if (!is.null(fit$response_center)) "centred ", "response",
                if (unit_of(fit) != 1) " divided by its spread")
  changed <- c(if (length(done) > 0L) sprintf("the %s columns", paste(done, collapse = " and ")),
               if (length(response) > 1L) paste(c("the ", response), collapse = ""))
  if (length(changed) > 0L) paste(", of the problem on", paste(changed, collapse = " and ")) else ""
}
