# The fits of a comparison: one job is one model on one resample.

# Seeds are drawn here, so that the plan by which the jobs run changes nothing.
comparison_jobs <- function(resamples, specs) {
  at <- expand.grid(model = seq_along(specs), resample = seq_along(resamples))
  seeds <- sample.int(.Machine$integer.max, nrow(at))
  lapply(seq_len(nrow(at)), function(i) {
    list(model = at$model[i], resample = resamples[[at$resample[i]]], seed = seeds[i])
  })
}

run_model <- function(job, task, specs, metrics, scale, told) {
  spec <- specs[[job$model]]
  resample <- job$resample
  by <- if (scale) column_spread(task, resample$train) else rep(1, ncol(task$x))
  columns <- function(rows) divide_columns(rows_of(task, rows), by)
  train <- columns(resample$train)
  y <- task$response[resample$train]
  weights <- if (!is.null(task$weights)) weights_of(task, resample$train)
  answer <- with_job_seed(job$seed, {
    start <- proc.time()[["elapsed"]]
    model <- in_model(do.call(spec$fit_fun, c(list(train, y), list(weights = weights)[
      !is.null(weights)]), quote = TRUE), spec, resample, "be fitted")
    seconds <- proc.time()[["elapsed"]] - start
    list(seconds = seconds,
         prediction = in_model(
           read_prediction(spec$predict_fun(model, columns(resample$test), task$levels),
                           length(resample$test), task$levels), spec, resample, "predict"
         ),
         gap = in_model(measured_gap(spec, model, train, y, weights), spec, resample,
                        "be measured"))
  })
  truth <- task$response[resample$test]
  values <- in_model(
    judge(metrics, truth, function(needs) answer$prediction[[needs]],
          weights_of(task, resample$test)), spec, resample, "be judged"
  )
  at <- data.frame(model = spec$name, repetition = resample$repetition, fold = resample$fold)
  told()
  list(values = values,
       result = cbind(at, as.list(values), n_train = length(resample$train),
                      n_test = length(resample$test), answer$gap, seconds = answer$seconds),
       prediction = cbind(at, row = task$rows[resample$test], truth = truth,
                          predicted_columns(answer$prediction, task$levels)),
       has = c(score = !is.null(answer$prediction$score), prob = !is.null(answer$prediction$prob)))
}

# The stream of a job does not depend on the kind of generator of the process it runs in.
with_job_seed <- function(seed, expression) {
  with_seed(seed, {
    set.seed(seed, "Mersenne-Twister", "Inversion", "Rejection")
    expression
  })
}

# An error of a model, told with where it happened; its class stays.
in_model <- function(expression, spec, resample, what) {
  tryCatch(expression, error = function(condition) {
    condition$message <- sprintf("Model \"%s\" cannot %s in fold %d of repetition %d: %s",
                                 spec$name, what, resample$fold, resample$repetition,
                                 conditionMessage(condition))
    condition["call"] <- list(NULL)
    class(condition) <- c("dualmargin_model_error",
                          setdiff("dualmargin_error", class(condition)), class(condition))
    stop(condition)
  })
}

measured_gap <- function(spec, model, x, y, weights) {
  gap <- if (is.null(spec$gap_fun)) audited_gap(model, x, y) else
    spec$gap_fun(model, x, y, weights)
  if (is.null(gap)) gap <- unknown_gap("its `gap_fun` does not know")
  one <- function(value, is) length(value) == 1L && (is(value) || is.na(value))
  if (!is.list(gap) || !one(gap$relative_gap, is.numeric) || !one(gap$certified, is.logical)) {
    abort_input(sprintf(paste(
      "`gap_fun` returned %s, but must return a list of a number `relative_gap` and TRUE, FALSE or",
      "NA as `certified`."
    ), show_value(gap)), "gap_fun")
  }
  said <- function(value, other) if (is.null(value)) other else value
  why <- said(gap$why, if (is.null(gap$excess)) "its `gap_fun` does not say")
  data.frame(relative_gap = as.double(gap$relative_gap), certified = as.logical(gap$certified),
             excess = as.double(said(gap$excess, NA)), why = said(why, NA_character_))
}

predicted_columns <- function(prediction, levels) {
  if (!is.null(prediction$response)) {
    return(data.frame(response = prediction$response))
  }
  score <- prediction$score
  columns <- data.frame(class = prediction$class,
                        score = if (is.null(score) || is.matrix(score)) NA_real_ else score)
  if (length(levels) > 2L) {
    of_levels <- if (is.null(prediction$prob)) score else prediction$prob
    if (is.null(of_levels)) of_levels <- matrix(NA_real_, nrow(columns), length(levels))
    columns[score_columns(levels)] <- as.data.frame(unname(of_levels))
  }
  columns
}

score_columns <- function(levels) paste0("score_", levels)

# ---- One scaling for all models ----

# Standard deviation of each column in some rows: population formula, weighted; 1 where it is
# constant. Around the mean and not from the sum of squares, which would cancel.
column_spread <- function(task, rows) {
  x <- task$x[rows, , drop = FALSE]
  weights <- weights_of(task, rows)
  total <- sum(weights)
  mean <- as.vector(Matrix::crossprod(x, weights)) / total
  squares <- if (isS4(x)) {
    x <- methods::as(x, "CsparseMatrix")
    column <- rep(seq_len(ncol(x)), diff(x@p))
    weight <- weights[x@i + 1L]
    about <- function(values) {
      tabulated <- numeric(ncol(x))
      sums <- rowsum(values, column)
      tabulated[as.integer(rownames(sums))] <- sums
      tabulated
    }
    if (length(column) == 0L) numeric(ncol(x)) else
      about(weight * (x@x - mean[column])^2) + (total - about(weight)) * mean^2
  } else {
    colSums(weights * sweep(x, 2L, mean)^2)
  }
  spread <- sqrt(unname(squares) / total)
  ifelse(spread > 1e-10 * abs(mean), spread, 1)
}

divide_columns <- function(x, by) {
  if (all(by == 1)) {
    return(x)
  }
  if (methods::is(x, "dgCMatrix")) {
    x@x <- x@x / rep(by, diff(x@p))
  } else if (methods::is(x, "dgRMatrix")) {
    x@x <- x@x / by[x@j + 1L]
  } else {
    x <- sweep(x, 2L, by, `/`)
  }
  x
}

# ---- The result ----

new_model_comparison <- function(answers, specs, metrics, rope, resamples, task, call) {
  part <- function(name) {
    table <- do.call(rbind, lapply(answers, `[[`, name))
    table$model <- factor(table$model, levels = names(specs))
    without_row_names(table[order(table$model, table$repetition, table$fold), ])
  }
  results <- part("result")
  others <- setdiff(names(answers[[1L]]$values), names(metrics))
  results <- results[setdiff(names(results), others)]
  names(results)[names(results) == names(metrics)[1L]] <- "score"
  rope <- rope_of(list(results = results, metrics = metrics, rope = rope), metrics[[1L]])
  new_object(list(
    results = results, predictions = part("prediction"), metrics = metrics, rope = rope,
    folds = lapply(resamples, function(one) {
      list(repetition = one$repetition, fold = one$fold, test = task$rows[one$test])
    }),
    task = task$task, levels = task$levels, nobs = nrow(task$x),
    weighted = !is.null(task$weights), call = compact_call(call)
  ), "model_comparison")
}

signal_comparison <- function(comparison) {
  signal_fits(
    comparison$results, "fits", function(worst) sprintf("model \"%s\"", worst$model),
    paste("The comparison is one of optimisers as much as of models; give that model more",
          "iterations or a smaller tolerance.")
  )
  comparison
}
