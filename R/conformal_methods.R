# The models of each method and the scores of the rows that are counted by them.

# split: `holdout`, or half of the rows, and one model that has not seen them.
conformal_split <- function(fit, task, counted, score, arguments) {
  job <- list()
  if (is.null(counted)) {
    n <- length(task$response)
    train <- sort(sample.int(n, n %/% 2L))
    count <- setdiff(seq_len(n), train)
    job <- list(train = train)
    assert_all_classes(task, list(train))
    inform(sprintf(paste(
      "The fit has seen all rows: it is refitted on %d of them, and sets are counted over the",
      "other %d. Rows that it has not seen are `holdout`."
    ), length(train), length(count)))
    counted <- list(x = take_rows(task$x, count), response = task$response[count],
                    rows = task$rows[count], given = task$given, frame = task$frame,
                    weights = task$weights[count])
  } else if (score$name %in% c("quantile", "normalised")) {
    job <- list(train = seq_along(task$response), fit = fit)
  } else {
    made <- list(model = list(fit = without_rows(fit)))
  }
  if (!is.null(job$train)) made <- conformal_model(job, task, score, family_name(fit), arguments)
  output <- conformal_output(made$model, counted$x, score)
  list(models = list(made$model), counted = counted, model = rep(1L, length(counted$response)),
       own = own_scores(output, counted$response), certificates = made$certificate)
}

fit_seed <- function(fit) if (is.null(fit$settings$control$seed)) 1L else fit$settings$control$seed

# cv+: a model without each fold, and the rows of the fold by it.
conformal_cv <- function(fit, task, fold, score, arguments) {
  folds <- max(fold)
  trains <- lapply(seq_len(folds), function(k) which(fold != k))
  search <- if (!is.null(fit$tuned)) c(fit$search, list(control = fit$settings$control))
  assert_all_classes(task, trains)
  jobs <- Map(function(train, seed) list(train = train, seed = seed), trains,
              sample.int(.Machine$integer.max, folds))
  told <- progress_teller(folds, shows_progress(fit$settings$control))
  made <- each_job(jobs, conformal_model, task = task, score = score, family = family_name(fit),
                   arguments = arguments, search = search, told = told)
  own <- numeric(length(fold))
  for (k in seq_len(folds)) {
    out <- which(fold == k)
    own[out] <- own_scores(conformal_output(made[[k]]$model, take_rows(task$x, out), score),
                           task$response[out])
  }
  list(models = lapply(made, `[[`, "model"), model = fold, own = own,
       counted = list(response = task$response, rows = task$rows, given = task$given,
                      frame = task$frame, weights = task$weights),
       certificates = do.call(rbind, lapply(made, `[[`, "certificate")),
       searched = names(search$settings))
}

own_scores <- function(output, response) {
  if (is.null(output$strange)) {
    return(unname(residual_scores(output, response)))
  }
  output$strange[cbind(seq_along(response), as.integer(response))]
}

# Every part has rows that count, and all classes that any of these has.
assert_all_classes <- function(task, trains) {
  counts <- task$weights > 0
  for (train in trains) {
    train <- train[counts[train]]
    if (length(train) == 0L) {
      abort_input(paste(
        "`folds` has all rows that count in one fold (the others have the weight 0), so there is",
        "nothing to fit without it; give other folds."
      ), "folds")
    }
    if (!is.factor(task$response)) next
    absent <- setdiff(as.character(task$response[counts]), as.character(task$response[train]))
    if (length(absent) > 0L) {
      abort_input(sprintf(paste(
        "`data` has %s of class \"%s\", all in one fold, so that the model without that fold has",
        "no such class. Use more folds or another seed, or leave the class out."
      ), count(sum(task$response[counts] == absent[1L]), "row"), absent[1L]), "data")
    }
  }
}
