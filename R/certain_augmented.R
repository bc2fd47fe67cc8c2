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

# Its regions are known without the rows.
augmented_question <- function(fit) {
  classes <- seq_len(ncol(coef_matrix(fit)))
  n <- NROW(fit$scores)
  c(loss_for_core(loss_hinge()),
    list(family = "bound", free = FALSE, y = matrix(0, n, length(classes)), omega = numeric(n),
         regions = lapply(classes, augmented_problem, fit = fit)))
}

augmented_problem <- function(fit, k) {
  settings <- fit$settings
  unit <- unit_of(fit)
  coefficients <- unname(coef_matrix(fit)[, k]) / unit
  has <- has_intercept(fit)
  w <- (if (has) coefficients[-1L] else coefficients) * unname(fit$scales)
  slopes <- seq_along(w)
  centre <- if (is.null(fit$center)) numeric(length(w)) else unname(fit$center / fit$scales)
  level <- if (is.null(fit$response_center)) 0 else fit$response_center / unit
  # without an intercept of its own a centred model has the one that its centre makes
  penalized <- settings$intercept == "penalized"
  if (penalized) w <- c(w, coefficients[1L] - level + sum(centre * w))
  mu <- settings$lambda * (1 - settings$mixture)
  gap <- as.vector(fit$suboptimality)[k]
  if (is.null(gap) || is.na(gap)) gap <- fit$certificate$gap[k]
  if (!is.finite(gap)) gap <- Inf
  radius <- sqrt(2 * max(gap, 0) / mu) * (1 + 1e-12) +
    8 * unit_roundoff * (sqrt(sum(w^2)) + abs(level) + sum(abs(centre * w[slopes])))
  known <- list(w = w, b = 0, free = FALSE, offset = level, centre_score = c(0, 0),
                ball = list(centre = w, radius = radius, gap = gap),
                zero = logical(length(w)))
  if (has) {
    at <- c(-centre, if (penalized) 1)
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
