# The jackknife+ of kernel fits: the optimum without each set as a sum of the functions of all rows,
# by the steps, paths and refits of margin_loo(), and a ball around it.

# Why the optimum without a row is not to be had, or is not what the call gives.
kernel_obstacle <- function(fit) {
  settings <- fit$settings
  name <- settings$kernel$name
  if (!name %in% c("rbf", "laplace")) {
    return(sprintf("jackknife+ has no kernel \"%s\", only \"rbf\" and \"laplace\"", name))
  }
  if (!is.null(fit$mixed) || !is.null(settings$nystrom)) {
    return("jackknife+ has no mixed rows and no landmarks")
  }
  if (isTRUE(settings$scale)) {
    return("jackknife+ of a kernel needs scale = FALSE")
  }
  if (nrow_of_fit(fit) > 2000L) {
    return("jackknife+ of a kernel is for at most 2,000 rows")
  }
  given <- recorded_call(fit)$kernel
  of_rows <- is.null(given) || length(all.vars(given)) > 0L ||
    is.null(eval(given, envir = topenv())$sigma)
  if (of_rows) {
    return("jackknife+ of a kernel needs its width in the call, as in kernel_rbf(sigma = 0.3)")
  }
  NULL
}

nrow_of_fit <- function(fit) NROW(fit$scores)

# A row of `own` for each row of the sets, one after another. k(x, x) is 1, and 1 more where the
# intercept is penalised.
left_out_kernel <- function(fit, task, sets, rule, refits) {
  assert_all_solved(fit, refits)
  found <- coefficients_without(fit, task$x, sets, rule)[[1L]]
  if (!all(is.finite(found$radius))) abort_numerical(sum(!is.finite(found$radius)))
  question <- question_of_kernel(fit)
  kappa <- question$mu * sum(question$omega)
  beta <- drop(-question$omega * question$dual[, 1L] / kappa) + found$step
  penalized <- fit$settings$intercept == "penalized"
  half <- numeric(length(sets))
  b <- if (penalized) colSums(beta) else numeric(length(sets))
  if (question$free) {
    b <- rowMeans(found$intercept)
    half <- (found$intercept[, 2L] - found$intercept[, 1L]) / 2
  }
  length <- sqrt(1 + penalized)
  rounding <- 2^-50 * (nrow(beta) + 3) * (colSums(abs(beta)) + abs(b))
  machine <- without_rows(fit)
  machine$support <- expansion_rows(task$x, NULL, seq_len(nrow(beta)), fit$settings$kernel)
  left_out <- list(machine = machine, coefficients = rbind(b, beta, deparse.level = 0),
                   length = length, radius = rep(Inf, length(sets)), plain = found$radius,
                   lost = rounding + half / (length + 1))
  at <- unlist(sets)
  model <- rep(seq_along(sets), lengths(sets))
  values <- left_out_functions(left_out, take_rows(task$x, at))
  c(left_out, list(
    own = values[cbind(seq_along(at), model)],
    own_half = (left_out$plain * length + left_out$lost * (length + 1))[model],
    steps = rep(NA_integer_, length(sets)), refitted = rep(FALSE, length(sets))
  ))
}

# f without each set (a column) at rows of x.
left_out_functions <- function(left_out, x) {
  values <- expand_rows(left_out$machine, x, left_out$coefficients[-1L, , drop = FALSE])
  sweep(values, 2L, left_out$coefficients[1L, ], `+`)
}

# Every set is solved, by ways that have no part to leave out.
assert_all_solved <- function(fit, refits) {
  if (is.finite(refits)) {
    abort_input(sprintf(paste(
      "`refits` is %s, but of this fit (%s) every optimum without a row is solved; leave it out."
    ), format(refits), if (has_kernel(fit)) "by a kernel" else
      sprintf("by the loss \"%s\"", loss_name(fit))), "refits")
  }
}
