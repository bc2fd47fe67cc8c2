# The jobs of a cross-validation, each a group of settings on one resample.

# Seeds are drawn here, so that the plan by which the jobs run changes nothing.
cv_jobs <- function(resamples, groups) {
  at <- expand.grid(group = seq_along(groups), resample = seq_along(resamples))
  seeds <- sample.int(.Machine$integer.max, nrow(at))
  lapply(seq_len(nrow(at)), function(i) {
    list(resample = resamples[[at$resample[i]]], group = groups[[at$group[i]]], seed = seeds[i])
  })
}

# A data frame with a row per setting of the group: its scores, certificate and seconds.
run_group <- function(job, task, plan, metrics, told) {
  rows <- naming_place(group_rows(job, task, plan, metrics), name_settings(plan, job$group),
                       job$resample)
  told()
  rows
}

name_settings <- function(plan, group) {
  labels <- setting_labels(plan$settings[group, , drop = FALSE])
  fixed <- labels[1L, vapply(labels, function(values) length(unique(values)) == 1L, NA),
                  drop = FALSE]
  number <- if (length(group) == 1L) sprintf("Setting %d", group) else
    sprintf("Settings %s", paste(range(group), collapse = " to "))
  if (ncol(fixed) == 0L) {
    return(number)
  }
  sprintf("%s (%s)", number,
          paste(names(fixed), vapply(fixed, format, ""), sep = " = ", collapse = ", "))
}

group_rows <- function(job, task, plan, metrics) {
  coordinate <- families()[[plan$family]]$path$along
  arguments <- plan$arguments
  arguments$control <- job_control(arguments$control)
  first <- setting_arguments(plan$settings, job$group[1L])
  resample <- job$resample
  # several quantiles have no path
  on_path <- !is.null(coordinate) && coordinate %in% names(first) &&
    is.null(taus_of(arguments$loss))
  answers <- if (on_path) {
    path_answers(task, resample, plan$family, arguments, plan$settings[job$group, , drop = FALSE])
  } else {
    lapply(job$group, function(i) {
      given <- complete_arguments(arguments, setting_arguments(plan$settings, i))
      fit_answer(task, resample, plan$family, given)
    })
  }
  truth <- task$response[resample$test]
  weights <- weights_of(task, resample$test)
  values <- lapply(answers, function(answer) {
    judge(metrics, truth, function(needs) read_scores(answer$model, answer$scores, needs), weights)
  })
  each <- function(name, type) vapply(answers, function(answer) answer[[name]], type)
  # one data frame for all points of a path: there may be many paths
  data.frame(setting = job$group, repetition = resample$repetition, fold = resample$fold,
             do.call(rbind, values), n_train = length(resample$train),
             n_test = length(resample$test), relative_gap = each("relative_gap", 0),
             certified = each("certified", NA), seconds = each("seconds", 0), check.names = FALSE)
}

# What a job draws comes from its stream, that of its seed: see seeded_job().
job_control <- function(control) {
  if (is.null(control)) control <- margin_control()
  control$progress <- FALSE
  control
}

fit_answer <- function(task, resample, family, arguments) {
  answer <- fit_and_score(task, resample$train, resample$test, families()[[family]]$fit, arguments)
  c(answer, certificate(answer$model)[c("relative_gap", "certified")],
    seconds = sum(answer$model$status$seconds))
}

# The points of one path, in the order of the settings.
path_answers <- function(task, resample, family, arguments, settings) {
  coordinate <- families()[[family]]$path$along
  rest <- settings[setdiff(names(settings), coordinate)]
  fixed <- complete_arguments(arguments, setting_arguments(rest, 1L))
  fixed[[coordinate]] <- settings[[coordinate]]
  answer <- fit_and_score(task, resample$train, resample$test, margin_path,
                          c(fixed, list(family = family)))
  path <- answer$model
  at <- match(settings[[coordinate]], path[[coordinate]])
  lapply(at, function(i) {
    list(model = model_at(path, i), relative_gap = path$certificate$relative_gap[i],
         certified = path$certificate$certified[i], seconds = path$status$seconds[i],
         scores = scores_at(answer$scores, i))
  })
}

# Of one row too the scores of several classes stay a matrix.
scores_at <- function(scores, i) {
  if (length(dim(scores)) < 3L) {
    return(scores[, i])
  }
  array(scores[, , i], dim(scores)[1:2], dimnames(scores)[1:2])
}
