# Nested cross-validation: margin_cv() with outer folds. Documented in cv.R.

# folds: the outer ones.
fit_nested <- function(task, plan, folds, inner, repeats, rule, metric, seed, call) {
  judged <- judged_plan(task, plan, metric, seed)
  plan <- judged$plan
  metrics <- judged$metrics
  with_seed(resolve_seed(seed), {
    resamples <- named_as("outer", judged_resamples(task, folds, repeats, metrics), "folds")
    if (!is.null(plan$settings)) assert_grid_of(plan, metrics, resamples)
    inner <- inner_folds(inner, task)
    seeds <- sample.int(.Machine$integer.max, length(resamples))
    jobs <- Map(function(resample, seed) c(resample, seed = seed), resamples, seeds)
    told <- progress_teller(length(jobs), shows_progress(plan$arguments$control))
    answers <- each_job(jobs, run_outer, task = without_design(task), plan = plan,
                        metrics = metrics, rule = rule, inner = inner, told = told)
  })
  signal_nested(new_margin_nested(answers, plan, metrics, resamples, task, rule, call))
}

# A number, or the fold of every row of the task.
inner_folds <- function(inner, task) {
  if (is.numeric(inner) && length(inner) == 1L) {
    assert_number(inner, "folds", lower = 1, whole = TRUE, remedy = "the default within `outer` is 5")
    return(inner)
  }
  if (!is.null(dim(inner)) && NCOL(inner) == 1L) inner <- inner[, 1L]
  if (!are_fold_ids(inner) || !is.null(dim(inner)) || anyNA(inner) || length(inner) != task$given) {
    abort_input(sprintf(paste(
      "`folds` is %s, but within `outer` folds it must be a number, or a whole number for each of the",
      "%d rows, as one column of margin_folds()."
    ), show_value(inner), task$given), "folds")
  }
  as.integer(inner)[task$rows]
}

# One outer fold: its inner cross-validation, the fit of what that chose, and its scores.
run_outer <- function(job, task, plan, metrics, rule, inner, told) {
  answer <- naming_place({
    part <- part_of_task(task, job$train, plan)
    cv <- inner_cv(part, plan, metrics, inner, job$train)
    best <- chosen_setting(cv, rule)
    arguments <- plan$arguments
    arguments$control <- job_control(arguments$control)
    setting <- setting_arguments(cv$settings, best$setting)
    fit <- fit_answer(task, job, plan$family, complete_arguments(arguments, setting))
    values <- judge(metrics, task$response[job$test],
                    function(needs) read_scores(fit$model, fit$scores, needs),
                    weights_of(task, job$test))
    cv$folds <- lapply(cv$folds, function(one) {
      replace(one, "test", list(task$rows[job$train[one$test]]))
    })
    list(cv = cv, best = best, values = values,
         relative_gap = max(fit$relative_gap, cv$results$relative_gap),
         certified = fit$certified && all(cv$results$certified),
         seconds = fit$seconds + sum(cv$results$seconds))
  }, "Outer fold", job)
  told()
  answer
}

# The training rows of one outer fold as a task of their own.
part_of_task <- function(task, train, plan) {
  kernels <- lapply(plan$settings$kernel, function(kernel) list(kernel = kernel))
  precomputed <- any(vapply(c(list(plan$arguments), kernels), is_precomputed, NA))
  task$x <- rows_of(task, train, if (precomputed) train)
  task["response"] <- list(task$response[train])
  if (!is.null(task$weights)) task$weights <- task$weights[train]
  if (!is.null(task$offset)) task$offset <- task$offset[train]
  task$rows <- seq_along(train)
  task$given <- length(train)
  task
}

inner_cv <- function(part, plan, metrics, inner, train) {
  folds <- if (length(inner) == 1L) inner else inner[train]
  resamples <- as_resamples(folds, NULL, strata_of(part), NULL, part$rows, part$given)
  assert_resamples(resamples, needed_classes(part))
  if (is.null(plan$settings)) {
    plan$settings <- as_grid(default_grid(part, plan$family, plan$arguments), plan$family,
                             plan$arguments)
  }
  plan$arguments$control <- job_control(plan$arguments$control)
  jobs <- crossed_jobs(resamples, setting_groups(plan$settings, plan$family), "group")
  rows <- lapply(jobs, seeded_job, run_group, task = part, plan = plan, metrics = metrics,
                 told = function() NULL)
  new_margin_cv(do.call(rbind, rows), plan, metrics, resamples, part, quote(margin_cv()))
}

new_margin_nested <- function(answers, plan, metrics, resamples, task, rule, call) {
  rows <- Map(function(answer, resample) {
    label <- setting_labels(answer$cv$settings)[answer$best$setting, , drop = FALSE]
    values <- as.list(answer$values)
    names(values)[1L] <- "score"
    head <- data.frame(repetition = resample$repetition, fold = resample$fold,
                       setting = answer$best$setting)
    cbind(if (ncol(label) > 0L) cbind(head, label) else head,
          data.frame(values, check.names = FALSE), inner_score = answer$best$mean,
          n_train = counted_of(task, resample$train), n_test = counted_of(task, resample$test),
          relative_gap = answer$relative_gap, certified = answer$certified,
          seconds = answer$seconds)
  }, answers, resamples)
  new_object(list(
    results = without_row_names(do.call(rbind, rows)), inner = lapply(answers, `[[`, "cv"),
    metrics = metrics,
    folds = tested_rows(resamples, task),
    family = plan$family, rule = rule, task = task$task, levels = task$levels,
    nobs = number_of_rows(task), taken = task$design$taken, call = compact_call(call)
  ), "margin_nested")
}

signal_nested <- function(nested) {
  signal_fits(
    nested$results, "outer folds", function(worst) {
      sprintf("fold %d of repetition %d", worst$fold, worst$repetition)
    },
    paste("What they chose and its score depend on where a solver stopped. Give control =",
          "margin_control(max_epochs = ) more.")
  )
  nested
}

# ---- What is read from it ----

#' @export
summary.margin_nested <- function(object, ...) {
  assert_no_extra("summary()", ...)
  assert_nested(object)
  results <- object$results
  repetitions <- length(unique(results$repetition))
  rows <- lapply(seq_along(object$metrics), function(i) {
    values <- results[[if (i == 1L) "score" else names(object$metrics)[i]]]
    values <- values[!is.na(values)]
    data.frame(metric = names(object$metrics)[i], mean = mean(values),
               std.error = stats::sd(values) / sqrt(length(values) / repetitions),
               n = length(values), inner = if (i == 1L) mean(results$inner_score) else NA_real_)
  })
  do.call(rbind, rows)
}

#' @export
tidy.margin_nested <- function(x, ...) {
  assert_no_extra("tidy()", ...)
  as_tibble_if_installed(summary(x))
}

#' @export
glance.margin_nested <- function(x, ...) {
  assert_no_extra("glance()", ...)
  assert_nested(x, "x")
  as_tibble_if_installed(data.frame(
    family = x$family, rule = x$rule, glance_at_resamples(x),
    summary(x)[1L, c("metric", "mean", "std.error", "inner")], glance_at_fits(x)
  ))
}

#' @export
print.margin_nested <- function(x, digits = max(3L, getOption("digits") - 3L), ...) {
  assert_no_extra("print()", ...)
  assert_nested(x, "x")
  results <- x$results
  cat(fold_lines(c(
    sprintf("<margin_nested> %s family on %s, %s", x$family, count(x$nobs, "row"),
            count(nrow(results), "outer fold")),
    sprintf("  the setting is chosen by %s, rule \"%s\", within the training rows",
            names(x$metrics)[1L], x$rule)
  )), sep = "\n")
  print(summary(x), digits = digits, row.names = FALSE)
  cat("settings that were chosen:\n")
  columns <- intersect(names(x$inner[[1L]]$settings), names(results))
  chosen <- if (length(columns) > 0L) results[columns] else results["setting"]
  chosen[] <- lapply(chosen, function(values) {
    if (is.numeric(values)) signif(values, digits) else values
  })
  keys <- do.call(paste, c(unname(as.list(chosen)), sep = "\r"))
  shown <- cbind(chosen[!duplicated(keys), , drop = FALSE],
                 folds = tabulate(match(keys, unique(keys))))
  print(shown[order(-shown$folds), , drop = FALSE], row.names = FALSE)
  missed <- sum(!results$certified)
  cat(if (missed == 0L) "All fits are certified.\n" else
    sprintf("NOT certified: fits of %d of %s, relative gap up to %s.\n", missed,
            count(nrow(results), "outer fold"), format(worst_certificate(results)$relative_gap, digits = 3)))
  invisible(x)
}

#' @export
as.data.frame.margin_nested <- function(x, row.names = NULL, optional = FALSE, ...) {
  assert_no_extra("as.data.frame()", ...)
  x$results
}

# The scores of the chosen settings within the training rows, and on the rows held out.

#' @export
plot.margin_nested <- function(x, ...) {
  assert_plot_arguments("plot()", ...)
  assert_nested(x, "x")
  theirs <- list(...)
  results <- x$results
  metric <- x$metrics[[1L]]
  at <- seq_len(nrow(results))
  colours <- margin_colours(2L, theirs[["col"]])
  means <- c(mean(results$inner_score, na.rm = TRUE), mean(results$score, na.rm = TRUE))
  key <- c("inner mean that chose", "rows held out", "means")
  old <- graphics::par(mar = c(4.2, 5.2, 2.5, 1) + 0.1)
  on.exit(graphics::par(old))
  room <- make_legend_room(key)
  values <- c(results$inner_score, results$score)
  draw(graphics::plot, list(
    x = c(0.5, length(at) + 0.5), y = range(values[is.finite(values)]), type = "n", xaxt = "n",
    las = 1, xlab = "outer fold", main = sprintf("%s held out: mean %s, inner %s",
                                                 metric_label(metric$name),
                                                 format(means[2L], digits = 3),
                                                 format(means[1L], digits = 3))
  ), without_labels(theirs[names(theirs) != "col"], "ylab"))
  outer_label(theirs, ylab = cv_ylab(metric))
  several <- length(unique(results$repetition)) > 1L
  graphics::axis(1, at = at, labels = if (several) sprintf("%d.%d", results$repetition,
                                                           results$fold) else results$fold)
  graphics::abline(h = means, lty = 2, col = colours)
  graphics::segments(at, results$inner_score, at, results$score, col = "grey70")
  graphics::points(at, results$inner_score, pch = 21, col = colours[1L], bg = "white")
  # a fit that is not certified is hollow
  graphics::points(at, results$score, pch = 21, col = colours[2L],
                   bg = ifelse(results$certified, colours[2L], "white"))
  side_legend(room, key, col = c(colours, "grey40"), pt.bg = c("white", colours[2L], NA),
              pch = c(21, 21, NA), lty = c(NA, NA, 2))
  columns <- c("repetition", "fold", "inner_score", "score", "certified")
  invisible(results[columns])
}
