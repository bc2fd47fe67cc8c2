# What the methods of all fits ask of a kernel fit.

#' @exportS3Method
score_rows.margin_kernel <- function(fit, newdata) {
  design <- design_newdata(fit, newdata)
  support <- fit$support
  coefficients <- coef_matrix(fit)
  intercept <- if (has_intercept(fit)) coefficients[1L, ] else numeric(ncol(coefficients))
  beta <- if (has_intercept(fit)) coefficients[-1L, , drop = FALSE] else coefficients
  scores <- if (fit$settings$kernel$name == "precomputed") {
    as.matrix(design$x[, support$at, drop = FALSE] %*% beta)
  } else {
    expand_rows(fit, design$x, beta)
  }
  scores <- sweep(scores, 2L, intercept, `+`)
  scores[design$na_rows, ] <- NA
  if (ncol(scores) == 1L) {
    return(stats::setNames(drop(scores), rownames(design$x)))
  }
  dimnames(scores) <- list(rownames(design$x), fit$levels)
  scores
}

# sum_i beta_i k(x_i, x) for each row x, a block of rows at a time: at most some 80 MB of kernel
# values.
expand_rows <- function(fit, x, beta) {
  kernel <- fit$settings$kernel
  support <- fit$support
  scales <- unname(fit$scales)
  centre <- if (is_isotropic(kernel) && !isS4(x) && !isS4(support$x)) {
    colMeans(scale_columns(support$x, scales))
  }
  prepare <- function(rows) {
    rows <- scale_columns(rows, scales)
    if (is.null(centre)) rows else sweep(rows, 2L, centre)
  }
  base <- prepare(support$x)
  if (kernel$name == "evaluated" && any(support$share > 0)) {
    base <- mixed_features(base, support)
    points <- list(x = base)
  } else {
    points <- kernel_points(kernel, base, support$first, support$second, support$share)
  }
  size <- max(1L, as.integer(1e7 / max(nrow(support$x), length(support$first), 1L)))
  scores <- matrix(0, nrow(x), ncol(beta))
  for (begin in seq(1L, max(nrow(x), 1L), by = size)) {
    rows <- seq_len(nrow(x))[seq(begin, length.out = min(size, nrow(x) - begin + 1L))]
    if (length(rows) == 0L || nrow(beta) == 0L) next
    scores[rows, ] <- kernel_values(kernel, prepare(x[rows, , drop = FALSE]), points) %*% beta
  }
  scores
}

#' @exportS3Method
describe_problem.margin_kernel <- function(fit, digits) {
  settings <- fit$settings
  c(kernel = format(settings$kernel),
    loss = format(settings$loss),
    penalty = sprintf("lambda = %s", format(settings$lambda, digits = digits)),
    mixup = if (is.null(settings$mixup)) NA_character_ else format(settings$mixup),
    support = sprintf("%s with a coefficient", count(NROW(fit$support$at), "row")))
}

#' @exportS3Method
problem_columns.margin_kernel <- function(fit) {
  data.frame(kernel = fit$settings$kernel$name, sigma = fit$settings$kernel$sigma,
             loss = loss_name(fit), lambda = fit$settings$lambda,
             mixed = if (is.null(fit$mixed)) 0L else nrow(fit$mixed))
}
