# The models that counted rows are judged by: each is what the same call gives on the rows that it
# may see.

# The arguments of the call, as values: what it leaves to the rows (lambda by default, a width by
# the median, balanced weights) the rows of each refit decide anew.
conformal_arguments <- function(fit) {
  call <- recorded_call(fit)
  known <- family_arguments(family_name(fit))
  given <- as.list(call)[intersect(names(call), known)]
  arguments <- lapply(given, eval, envir = topenv())
  arguments$intercept <- fit$settings$intercept
  if (has_kernel(fit) && is_isotropic(fit$settings$kernel)) {
    asked <- fit$asked$kernel
    arguments$kernel <- if (is.null(asked)) fit$settings$kernel else asked
  }
  if (is_balanced(fit)) {
    arguments$class_weights <- "balanced"
  }
  follows <- loss_of_classes(arguments$loss, fit$settings$multiclass)
  if ("loss" %in% known && is.null(follows)) arguments$loss <- task_loss(fit$task)
  control <- fit$settings$control
  control$tol <- min(fit$settings$tol, conformal_tol)
  arguments$control <- control
  arguments
}

# Or does it follow the rows, as lambda = NULL has it?
lambda_given <- function(fit) !is.null(fit$call$lambda)

# Of refits that sets rest on; the fit's own where that is smaller.
conformal_tol <- 1e-10

is_balanced <- function(fit) !is.null(fit$asked$class_weights)

# fit: where there are values already those of `fit` in the place of a refit.
conformal_model <- function(job, task, score, family, arguments, search = NULL,
                            told = function() NULL) {
  data <- data_of(task, job$train)
  arguments$control <- job_control(arguments$control)
  if (!is.null(search)) arguments <- searched_arguments(data, family, arguments, search, job$seed)
  solve <- function(response, loss) {
    # another loss than that of the call has the solver that suits it
    arguments$loss <- loss
    arguments[c("solver", "class_weights")] <- NULL
    arguments$control$solver_options <- list()
    data$y <- response
    quietly(do.call(families()[[family]]$fit, c(data, arguments), quote = TRUE))
  }
  model <- if (score$name == "quantile") {
    list(lower = solve(data$y, loss_quantile(score$lower)),
         upper = solve(data$y, loss_quantile(score$upper)))
  } else {
    list(fit = if (is.null(job$fit)) {
      quietly(do.call(families()[[family]]$fit, c(data, arguments), quote = TRUE))
    } else {
      job$fit
    })
  }
  if (score$name == "normalised") {
    residual <- abs(data$y - unname_rows(score_design(model$fit, data$x)))
    model$spread <- solve(log_sizes(residual), "squared")
  }
  told()
  list(model = lapply(model, without_rows),
       certificate = do.call(rbind, lapply(model, function(fit) {
         certificate(fit)[c("relative_gap", "certified")]
       })))
}

# With the settings that the search of the fit finds on these rows.
searched_arguments <- function(data, family, arguments, search, seed) {
  others <- arguments[setdiff(names(arguments), names(search$settings))]
  trial <- others
  trial$control <- job_control(search$control)
  cv <- quietly(do.call(margin_cv, c(
    data, trial, list(family = family, grid = search$settings, folds = search$folds,
                      metric = search$metric, seed = seed)
  ), quote = TRUE))
  best <- chosen_setting(cv, search$rule)
  c(others, setting_arguments(cv$settings, best$setting))
}

# Residuals of 0 have no logarithm: they count as a millionth of the largest.
log_sizes <- function(residual) {
  largest <- max(residual)
  if (largest == 0) 0 * residual else log(pmax(residual, 1e-6 * largest))
}

# What predicts, without what has an entry for each row of the fit.
without_rows <- function(fit) {
  fit[c("scores", "response", "weights", "dual", "dual_flip", "trace", "na.action")] <- NULL
  fit
}

signal_conformal_fits <- function(certificates) {
  if (!all(certificates$certified)) {
    worst <- max(certificates$relative_gap)
    warning(structure(
      class = c("dualmargin_not_certified", "warning", "condition"),
      list(message = sprintf(paste(
        "%s of %s not certified (relative gap up to %s): the guarantee holds of what was computed,",
        "but other solvers may give other sets. Give control = margin_control(max_epochs = ) more."
      ), format(sum(!certificates$certified)), count(nrow(certificates), "refit"),
      format(worst, digits = 2)), call = NULL)
    ))
  }
}

# Full conformal sets: the optimum with each new row and response added to those of the fit, as
# src/decide/conformal_full.h finds it.

# What the object keeps: the rows of the fit, and its problem.
conformal_full <- function(fit, task, refits) {
  counted <- which(task$weights > 0)
  if (is.finite(refits) && refits != 0) {
    abort_input(sprintf(paste(
      "`refits` is %s, but of method \"full\" each new row takes its own: give 0 for none, or Inf."
    ), format(refits)), "refits")
  }
  question <- conformal_question(fit, if (lambda_given(fit)) "lambda" else "cost")
  weights <- fit$settings$class_weights
  full <- list(x = in_core_form(task$x), question = question,
               frame = frame_of_fit(fit, move = question$free),
               # a new row has the weight 1
               omega = if (is.null(weights)) c(1, 1) else unname(weights),
               rescale = isTRUE(fit$settings$scale), unit = unit_of(fit), refits = refits,
               counted = counted)
  list(full = full, own = rep(NA_real_, length(counted)), model = rep(1L, length(counted)),
       counted = list(response = task$response[counted], rows = task$rows[counted],
                      given = task$given, frame = task$frame))
}

# steps: with the Hessian of the fit, at most.
asked_of_full <- function(object, group_new, steps = 12L) {
  full <- object$full
  group <- integer(NROW(full$x))
  group[full$counted] <- object$own$group
  storage.mode(group_new) <- "integer"
  list(group = group, group_new = group_new, omega = full$omega, steps = steps,
       refits = full$refits, rescale = full$rescale)
}

assert_usable <- function(found) {
  if (found$usable == 0) {
    stop(structure(
      class = c("dualmargin_numerical_error", "dualmargin_error", "error", "condition"),
      list(message = paste("The Hessian of the fit has no factor in double precision, so sets of",
                           "method \"full\" are not found; use method = \"cv+\", or a larger lambda."),
           call = NULL)
    ))
  }
  found
}

# group: of each new row and label (a column).
full_counts <- function(object, x, group, steps = 12L) {
  full <- object$full
  assert_usable(in_core(conformal_full_counts_cpp(
    full$x, full$frame, full$question, in_core_form(x), asked_of_full(object, group, steps)
  )))
}

# In the units of the response: a column of ends for each level, and of each new row, level after
# level, its pieces.
full_pieces <- function(object, x, group, level) {
  full <- object$full
  found <- assert_usable(in_core(conformal_full_pieces_cpp(
    full$x, full$frame, full$question, in_core_form(x), asked_of_full(object, cbind(group)),
    group_ranks(object, level)
  )))
  scaled <- c("lower", "upper", "off")
  found[scaled] <- lapply(found[scaled], `*`, full$unit)
  found$pieces <- lapply(found$pieces, function(one) {
    matrix(full$unit * one, ncol = 2L, dimnames = list(NULL, c("lower", "upper")))
  })
  found
}

# The jackknife+ of kernel fits: the optimum without each set as a sum of the functions of all rows.

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
  if (!is.null(fit$asked$kernel)) {
    return("jackknife+ of a kernel needs a width that was given, as in kernel_rbf(sigma = 0.3)")
  }
  NULL
}

nrow_of_fit <- function(fit) NROW(fit$scores)

# f without each set (a column) at rows of x.
left_out_functions <- function(left_out, x) {
  values <- expand_rows(left_out$machine, x, left_out$coefficients[-1L, , drop = FALSE])
  sweep(values, 2L, left_out$coefficients[1L, ], `+`)
}

# The rank that a level asks for, and what is guaranteed: one formula each, for all methods.

# k = floor(alpha (m + 1) + 1e-9) of m counted rows: a label is in the set where at least k of them
# are as strange, an interval ends at the k-th smallest and the k-th largest end. 0: everything. The
# 1e-9 is for products that are whole numbers up to rounding, as .1 * 100; of levels near 0 it must
# not make k = m + 1, a rank that no row has.
conformal_rank <- function(level, counted) {
  pmin(floor((1 - level) * (counted + 1) + 1e-9), counted)
}

# At least this share of new responses is in the sets, whatever the distribution of exchangeable
# rows. sizes: of cv+, the counted rows of each fold that has some. any: do folds of any sizes count
# alike? Within a level of `by` only that is known.
conformal_guarantee <- function(method, level, sizes = NULL, any = FALSE) {
  share <- switch(method, split = level, full = level, "jackknife+" = 1 - 2 * (1 - level),
                  "cv+" = 1 - 2 * (1 - level) - conformal_excess(level, sizes, any))
  max(0, share)
}

# Folds j with m_j of n rows have p-values (1 + #{as strange})/(m_j + 1), whose mean with weights
# (m_j + 1)/(n + K) is at most c with probability 2 c at most. Of equal folds Barber et al. (2021).
conformal_excess <- function(level, sizes, any) {
  n <- sum(sizes)
  folds <- length(sizes)
  excess <- 2 * level * (folds - 1) / (n + folds)
  if (any || length(unique(sizes)) > 1L) excess else min(excess, (1 - folds / n) / (folds + 1))
}

# A row for each group of the counted rows: `counted`, of each level the rank and what is
# guaranteed.
conformal_groups <- function(object, level) {
  group <- object$own$group
  rows <- lapply(seq_along(object$groups), function(g) {
    inside <- group == g
    sizes <- tabulate(object$own$model[inside], object$folds)
    # groups that leave together count once
    counted <- if (is.null(object$own$share)) sum(inside) else object$folds
    rank <- conformal_rank(level, counted)
    guaranteed <- vapply(level, function(one) {
      conformal_guarantee(object$method, one, sizes[sizes > 0L], object$by != "none")
    }, 0)
    data.frame(group = object$groups[g], counted = counted, level = level, rank = rank,
               guaranteed = ifelse(rank == 0, 1, guaranteed))
  })
  do.call(rbind, rows)
}

assert_coverage_levels <- function(level, one = FALSE) {
  plain <- is.numeric(level) && !is.object(level)
  inside <- plain && length(level) > 0L && !anyNA(level) && all(level > 0 & level < 1)
  if (!inside || (one && length(level) != 1L)) {
    abort_input(sprintf("`level` is %s, but must be %s strictly between 0 and 1, as in 0.9.",
                        if (is.numeric(level) && length(level) > 1L && !one) {
                          paste(format(level, digits = 4), collapse = ", ")
                        } else {
                          show_value(level)
                        }, if (one) "one number" else "numbers"), "level")
  }
  if (anyDuplicated(level)) {
    abort_input(sprintf("`level` has %s twice; give each level once.",
                        format(level[anyDuplicated(level)])), "level")
  }
}
