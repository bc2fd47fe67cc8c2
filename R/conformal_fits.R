# The models that counted rows are judged by: each is what the same call gives on the rows that it
# may see.

# The arguments of the call, as values: what it leaves to the rows (lambda by default, a width by
# the median, balanced weights) the rows of each refit decide anew.
conformal_arguments <- function(fit) {
  call <- recorded_call(fit)
  known <- family_arguments(family_name(fit))
  given <- as.list(call)[intersect(names(call), known)]
  if (length(all.vars(given$kernel)) > 0L && is_isotropic(fit$settings$kernel)) {
    abort_input(paste(
      "`fit` was given its kernel by a variable, which does not say whether its width was chosen",
      "from these rows; write it in the call, as in kernel = kernel_rbf(sigma = 0.3), or give",
      "method = \"split\" with `holdout`."
    ), "fit")
  }
  if (!lambda_given(fit)) given$lambda <- NULL
  arguments <- lapply(given, eval, envir = topenv())
  arguments$intercept <- fit$settings$intercept
  if (!is.null(fit$settings$class_weights) && is_balanced(fit)) {
    arguments$class_weights <- "balanced"
  }
  follows <- loss_of_classes(arguments$loss, fit$settings$multiclass)
  if ("loss" %in% known && is.null(follows)) arguments$loss <- task_loss(fit$task)
  control <- fit$settings$control
  control$tol <- min(fit$settings$tol, conformal_tol)
  arguments$control <- control
  arguments
}

# Or does it follow the rows, as lambda = NULL has it? By a variable the call does not say, but the
# default is its value then.
lambda_given <- function(fit) {
  given <- fit$call$lambda
  if (is.null(given) || is.null(fit$settings$lambda)) {
    return(FALSE)
  }
  omega <- fit$weights
  if (!is.null(fit$settings$class_weights)) {
    omega <- omega * fit$settings$class_weights[as.integer(fit$response)]
  }
  total <- if (is.null(fit$total_weight)) sum(omega) else fit$total_weight
  usual <- usual_cost(family_name(fit), fit$settings$loss)
  length(all.vars(given)) == 0L || abs(fit$settings$lambda * total * usual - 1) > 1e-12
}

# Of refits that sets rest on; the fit's own where that is smaller.
conformal_tol <- 1e-10

# Are the weights of the classes those of "balanced"? By a variable the call does not say.
is_balanced <- function(fit) {
  given <- fit$call$class_weights
  if (identical(given, "balanced")) {
    return(TRUE)
  }
  numbers <- fit$settings$class_weights
  total <- drop(rowsum(unname(fit$weights), as.integer(fit$response), reorder = TRUE))
  length(all.vars(given)) > 0L &&
    isTRUE(all.equal(unname(numbers), sum(total) / (length(total) * unname(total)),
                     tolerance = 1e-10))
}

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
