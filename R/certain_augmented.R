# What is certain about the optimum of a fit of perturbed rows: its objective is mu-strongly convex,
# mu = lambda (1 - mixture), so |w* - w|^2 <= 2 (F(w) - F*)/mu, and F(w) - F* has the limit of the
# fit: proven, or with a confidence of 95 % where the expectation is drawn. All rows and
# coefficients follow from that one event.

assert_certain_augmented <- function(fit) {
  if (fit$settings$intercept == "free") {
    abort_input(paste(
      "`fit` has perturbed rows and a free intercept, so no certificate to follow from; use",
      "intercept = \"penalized\"."
    ), "fit")
  }
  invisible(fit)
}

# The columns as they were centred, the column of ones as it is.
augmented_geometry <- function(fit, x) {
  if (is.null(fit$center)) {
    return(certain_rows(fit, x))
  }
  centre <- unname(fit$center) / unname(fit$scales)
  certain_rows(fit, x, c(centre, if (fit$settings$intercept == "penalized") 0))
}

augmented_problem <- function(fit, rows, k) {
  settings <- fit$settings
  unit <- unit_of(fit)
  coefficients <- unname(coef_matrix(fit)[, k]) / unit
  has <- has_intercept(fit)
  w <- (if (has) coefficients[-1L] else coefficients) * unname(fit$scales)
  centre <- rows$shift + rows$moved
  slopes <- seq_along(w)
  level <- if (is.null(fit$response_center)) 0 else fit$response_center / unit
  # without an intercept of its own a centred model has the one that its centre makes
  penalized <- settings$intercept == "penalized"
  if (penalized) w <- c(w, coefficients[1L] - level + sum(centre[slopes] * w))
  mu <- settings$lambda * (1 - settings$mixture)
  gap <- as.vector(fit$suboptimality)[k]
  if (is.null(gap) || is.na(gap)) gap <- fit$certificate$gap[k]
  if (!is.finite(gap)) gap <- Inf
  radius <- sqrt(2 * max(gap, 0) / mu) * (1 + 1e-12) +
    8 * unit_roundoff * (sqrt(sum(w^2)) + abs(level) + sum(abs(centre[slopes] * w[slopes])))
  known <- list(w = w, b = 0, free = FALSE, offset = level,
                ball = list(centre = w, radius = radius, gap = gap),
                zero = logical(length(w)))
  if (has) {
    at <- c(-centre[slopes], if (penalized) 1)
    half <- radius * sqrt(sum(at^2)) * (1 + 1e-12) +
      score_roundings(length(w)) * (sum(abs(at * w)) + abs(level))
    known$intercept <- sum(at * w) + level + c(-half, half)
  }
  known
}

# With what confidence the intervals hold, all of them at once; 1: they are proven.
certain_level <- function(fit) {
  drawn <- sum(fit$certificate$kind == "confidence bound")
  max(0, 1 - 0.05 * drawn)
}
