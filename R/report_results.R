# What a report says of predictions: metrics of rows that were held out, a cross-validation and a
# comparison as tables.

# A row for each metric that rows held out gave: source, metric, estimate, std.error, rows. NULL
# where there is none.
predictive_table <- function(fit, cv, test = NULL, newoffset = NULL) {
  table <- rbind(test_metrics(fit, test, newoffset), cv_metrics(fit, cv), calibration_metrics(fit))
  if (is.null(table)) NULL else without_row_names(table)
}

# Of rows that the fit has not seen.
test_metrics <- function(fit, test, newoffset = NULL) {
  if (is.null(test)) {
    if (!is.null(newoffset)) {
      abort_input("`newoffset` is given without `test`, whose rows it is of; give both.",
                  "newoffset")
    }
    return(NULL)
  }
  given <- named_as_test(split_data(fit, test))
  judged <- named_as_test(margin_performance(fit, given$x, NULL, given$y,
                                            newoffset = newoffset))
  if (is.na(judged$fitted)) warn_maybe_training("test", "they are predicted better than new rows")
  if (isTRUE(judged$fitted)) {
    abort_input(paste("`test` are the rows that the fit was made from; give rows that it has not",
                      "seen, or leave it out."), "test")
  }
  table <- judged$metrics
  kept <- c(table$metric[1L], "accuracy", "auroc", "brier", "rmse", "mae")
  table <- table[table$metric %in% kept, ]
  coverage <- judged$coverage
  if (!is.null(coverage)) {
    table <- rbind(table, data.frame(metric = sprintf("coverage, tau = %s", format(coverage$tau)),
                                     value = coverage$share, maximize = NA))
  }
  data.frame(source = if (judged$weighted) "test rows, weighted" else "test rows",
             metric = table$metric, estimate = table$value, std.error = NA_real_, rows = judged$n)
}

named_as_test <- function(expression) {
  tryCatch(expression, dualmargin_input_error = function(condition) {
    said <- gsub("`(newdata|data)`", "`test`", conditionMessage(condition))
    abort_input(gsub("`y`", "`test$y`", said, fixed = TRUE),
                if (identical(condition$arg, "newoffset")) "newoffset" else "test")
  })
}

cv_metrics <- function(fit, cv) {
  chosen <- if (!is.null(cv)) fitted_setting(fit, cv)
  if (length(chosen) == 0L) {
    return(NULL)
  }
  rows <- lapply(cv$metrics, function(metric) {
    row <- cv_table(cv, metric)[chosen[1L], ]
    data.frame(source = "cross-validation of this setting", metric = metric$name,
               estimate = row$mean, std.error = row$std.error, rows = cv$nobs)
  })
  do.call(rbind, rows)
}

# By the decision values and probabilities of the rows that each fold held out.
calibration_metrics <- function(fit) {
  held_out <- fit$calibration$held_out
  if (is.null(held_out) || inherits(fit$response, "soft_labels")) {
    return(NULL)
  }
  truth <- fit$response[held_out$at]
  truth <- factor(as.character(truth), levels = fit$levels)
  predicted <- class_by(fit, held_out$score, prob = held_out$prob[, 2L])
  predicted <- factor(fit$levels[predicted], levels = fit$levels)
  prob <- held_out$prob
  dimnames(prob) <- list(NULL, fit$levels)
  values <- c(accuracy = accuracy_of(truth, predicted, held_out$weight),
              log_loss = log_loss_of(truth, prob, held_out$weight),
              brier = brier_of(truth, prob, held_out$weight))
  data.frame(source = "rows held out for the calibration", metric = names(values),
             estimate = unname(values), std.error = NA_real_, rows = length(unique(held_out$row)))
}

# ---- Prediction sets ----

# What the sets are and guarantee; with rows that the fit has not seen, how often they hold them.
conformal_report <- function(fit, conformal, test) {
  given <- if (!is.null(test)) split_data(fit, test)
  judged <- !is.null(given) && !is_rows(given$x) && conformal$by != "vector"
  table <- if (judged) {
    named_as_test(summary(conformal, given$x, given$y, level = conformal$level[1L]))
  }
  words <- sprintf(paste(
    "Sets of method \"%s\" by the score %s: of the responses of new rows that are exchangeable",
    "with those of the fit they hold at least the share that is guaranteed, on average over rows."
  ), conformal$method, format(conformal$score))
  list(words = words, guarantees = conformal_groups(conformal, conformal$level), coverage = table,
       judged = if (judged) sprintf("On the test rows, at level %s:", format(conformal$level[1L])))
}

# ---- The cross-validation ----

# Numbers of the settings that the fit has; none, where it has another.
fitted_setting <- function(fit, cv) {
  if (family_name(fit) != cv$family || !same_beside_grid(fit, cv)) {
    return(integer())
  }
  same <- vapply(seq_along(unique(cv$results$setting)), function(i) {
    setting <- setting_arguments(cv$settings, i)
    all(vapply(names(setting), function(name) has_setting(fit, name, setting[[name]]), NA))
  }, NA)
  which(same)
}

# The arguments that all settings had in common, as far as the call tells their values.
same_beside_grid <- function(fit, cv) {
  defaults <- formals(families()[[cv$family]]$of_matrix)
  names <- setdiff(intersect(c("loss", "mixture", "norm", "label_cost", "ridge", "intercept",
                               "scale", "multiclass"), names(defaults)), names(cv$settings))
  all(vapply(names, function(name) {
    value <- if (name %in% names(cv$call)) cv$call[[name]] else defaults[[name]]
    constant <- is.character(value) || is.numeric(value) || is.logical(value)
    !constant || length(value) != 1L || has_setting(fit, name, value)
  }, NA))
}

has_setting <- function(fit, name, value) {
  settings <- fit$settings
  near <- function(one, other) {
    is.numeric(one) && is.numeric(other) && length(one) == length(other) &&
      all(abs(one - other) <= 1e-8 * abs(other))
  }
  same_text <- function(one, other) identical(format(one), format(other))
  switch(
    name,
    cost = near(1 / (settings$lambda * fitted_total(fit)), value),
    sigma = near(settings$kernel$sigma, value),
    rate = same_text(settings$perturbation, perturb_dropout(value)),
    loss = same_text(settings$loss, as_loss(value)),
    kernel = same_text(settings$kernel, value),
    perturbation = same_text(settings$perturbation, value),
    multiclass = identical(settings$multiclass, value) || identical(value, "auto") &&
      identical(settings$multiclass, usual_multiclass(settings$loss)),
    near(settings[[name]], value) || identical(settings[[name]], value)
  )
}

# The sum of weights that lambda is a share of.
fitted_total <- function(fit) {
  if (!is.null(fit$total_weight)) {
    return(fit$total_weight)
  }
  class_weights <- fit$settings$class_weights
  sum(if (is.null(class_weights)) fit$weights else
    fit$weights * class_weights[as.integer(fit$response)])
}

# The best settings by mean, with those of both rules and that of the fit, and a sentence.
cv_report <- function(fit, cv, most = 12L) {
  metric <- cv$metrics[[1L]]
  table <- cv_table(cv, metric)
  best <- chosen_setting(cv, "best")$setting
  one_se <- if (is.na(simplicity_column(cv))) NA_integer_ else chosen_setting(cv, "one_se")$setting
  mine <- fitted_setting(fit, cv)
  note <- function(i) {
    paste(c(if (i == best) "best mean", if (i %in% one_se) "one-standard-error rule",
            if (i %in% mine) "this fit"), collapse = ", ")
  }
  fits <- as.vector(table(factor(cv$results$setting, table$setting)))
  table$certified <- sprintf("%d of %d", as.integer(round(table$certified * fits)), fits)
  table$note <- vapply(seq_len(nrow(table)), note, "")
  by_mean <- order(if (metric$maximize) -table$mean else table$mean)
  kept <- by_mean[seq_along(by_mean) <= most | nzchar(table$note)[by_mean]]
  repeats <- length(unique(cv$results$repetition))
  folds <- length(cv$folds) / repeats
  list(
    table = without_row_names(table[kept, setdiff(names(table), c("seconds", "n"))]),
    n_settings = nrow(table), metric = metric$name,
    design = sprintf("Mean %s (%s is better) of %s%s, %s, on %s.", metric$name,
                     if (metric$maximize) "higher" else "lower", count(folds, "fold"),
                     if (repeats > 1L) sprintf(" in each of %d repetitions", repeats) else "",
                     count(nrow(table), "setting"), count(cv$nobs, "row")),
    chosen = chosen_sentence(mine, best, one_se)
  )
}

chosen_by_it <- paste("It was chosen by these scores, so its own is somewhat optimistic: expect a",
                      "little less of new rows.")

chosen_sentence <- function(mine, best, one_se) {
  if (length(mine) == 0L) {
    return("This fit has none of these settings, so the scores are those of other models.")
  }
  if (best %in% mine) {
    return(sprintf("This fit has setting %d, that of the best mean. %s", best, chosen_by_it))
  }
  if (one_se %in% mine) {
    return(sprintf(paste(
      "This fit has setting %d, that of the one-standard-error rule: the most regularised one",
      "whose mean is within one standard error of the best, which setting %d has. %s"
    ), one_se, best, chosen_by_it))
  }
  sprintf("This fit has setting %d; setting %d has the best mean.", mine[1L], best)
}

# ---- The comparison ----

# A list of tables and the words above them.
comparison_report <- function(comparison) {
  if (inherits(comparison, "margin_comparison")) {
    table <- plain_frame(summary(comparison))
    work <- do.call(rbind, lapply(comparison$fits, function(fit) {
      data.frame(epochs = sum(fit$status$epochs), seconds = sum(fit$status$seconds))
    }))
    work <- work[match(table$solver, names(comparison$fits)), , drop = FALSE]
    table <- cbind(table[c("solver", "value", "relative_gap", "certified")], work,
                   table["reason"])
    return(list(kind = "solvers", words = "Several solvers on one problem.",
                tables = list(without_row_names(table))))
  }
  made <- summary(comparison)
  models <- made$models
  models$certified <- ifelse(is.na(models$certified), "unknown",
                             sprintf("%d of %d", models$certified, models$fits))
  bayes <- made$tests[made$tests$test == "bayes", ]
  corrected <- made$tests[made$tests$test == "corrected_t", ]
  pairs <- data.frame(first = bayes$model_1, second = bayes$model_2, difference = bayes$estimate,
                      low = bayes$conf.low, high = bayes$conf.high)
  if (nrow(corrected) == nrow(bayes)) pairs$p.value <- corrected$adj.p.value
  pairs[c("P(first)", "P(equal)", "P(second)")] <-
    bayes[c("prob_model_1", "prob_rope", "prob_model_2")]
  pairs$certified <- bayes$certified
  list(
    kind = "models",
    words = sprintf("Mean %s (%s is better) on the same folds.", made$metric$name,
                    if (made$metric$maximize) "higher" else "lower"),
    pair_words = sprintf(paste(
      "Differences in mean %s with their %s %% interval; %sprobabilities that the first is better,",
      "that both are equal within %s, and that the second is better."
    ), made$metric$name, format(100 * made$level),
    if (nrow(corrected) > 0L) "p-values of the corrected t test, adjusted by Holm; " else "",
    format(made$rope, digits = 3L)),
    tables = list(models[setdiff(names(models), c("n", "fits"))], without_row_names(pairs))
  )
}
