# What is certain about the optimum of a fit of perturbed rows follows from its limit of F(w) - F*
# (src/region/of_limit.h): proven, or with a confidence of 95 % where the expectation is drawn. All
# rows and coefficients follow from that one event.

assert_certain_augmented <- function(fit, caller) {
  if (fit$settings$intercept == "free") {
    abort_input(paste(
      "`fit` has perturbed rows and a free intercept, so no certificate to follow from; use",
      "intercept = \"penalized\"."
    ), "fit")
  }
  invisible(fit)
}

augmented_question <- function(fit) {
  unit <- unit_of(fit)
  coefficients <- unname(coef_matrix(fit)) / unit
  has <- has_intercept(fit)
  n <- NROW(fit$scores)
  limit <- as.vector(fit$suboptimality)
  if (is.null(limit)) limit <- rep(NA_real_, ncol(coefficients))
  limit <- ifelse(is.na(limit), fit$certificate$gap, limit)
  c(loss_for_core(as_loss("hinge")),
    list(family = "limited", free = FALSE, y = matrix(0, n, ncol(coefficients)),
         omega = numeric(n), has = has,
         w = (if (has) coefficients[-1L, , drop = FALSE] else coefficients) * unname(fit$scales),
         b = if (has) coefficients[1L, ] else numeric(ncol(coefficients)), limit = limit,
         level = if (is.null(fit$response_center)) 0 else fit$response_center / unit,
         strength = fit$settings$lambda * (1 - fit$settings$mixture)))
}

# With what confidence the intervals hold, all of them at once; 1: they are proven.
certain_level <- function(fit) {
  drawn <- sum(fit$certificate$kind == "confidence bound")
  max(0, 1 - 0.05 * drawn)
}
