# Models fitted to some rows and asked about others: what cross-validation, calibration and
# comparison have in common.

# The rows, coded once for all fits. rows: the place of each in what the user gave, of which
# na.action and subset may have left some out; given: how many that were. The response is a factor
# from here on, or the numbers of a regression: what the folds of it are is not decided again.
# labelled: do the fits need the response? ranks: which have more of the rows.
new_task <- function(design, loss, classes_only = NULL, rows = seq_len(nrow(design$x)),
                     given = length(rows), labelled = TRUE, ranks = NULL) {
  n <- nrow(design$x)
  response <- if (labelled) design_response(design, loss, classes_only, ranks) else
    oneclass_labels(design)
  if (!is.null(design$weights) || !is.null(ranks)) {
    weights <- if (is.null(design$weights)) rep(1, n) else design$weights
    assert_weighted_classes(response, weights, "weights", ranks)
  }
  # said once, and a factor with an order cannot be compared with one without
  if (is.ordered(response$response)) class(response$response) <- "factor"
  task <- list(x = design$x, response = response$response, levels = response$levels,
               task = response$task, type = response$type, weights = design$weights, rows = rows,
               given = given, response_name = design$response_name)
  task$offset <- design$offset
  task$design <- replaced(design, list(x = NULL))
  task_of_ranks(task, ranks)
}

# As it was coded, to fit all rows.
design_of_task <- function(task) replaced(task$design, list(x = task$x))
# What the jobs of folds are sent.
without_design <- function(task) replaced(task, list(design = NULL))

weights_of <- function(task, rows) {
  if (is.null(task$weights)) rep(1, length(rows)) else as.double(task$weights)[rows]
}

# Some rows of x; of a precomputed kernel the values against the rows `against`.
rows_of <- function(task, rows, against = NULL) {
  if (is.null(against)) {
    return(take_rows(task$x, rows_here(task, rows, among = TRUE)))
  }
  values <- task$x[rows, against, drop = FALSE]
  colnames(values) <- feature_names(NULL, length(against))
  values
}

# Matrix makes triplets of the rows of a dgRMatrix; here they stay as they are.
take_rows <- function(x, rows) {
  if (is_rows(x)) {
    return(rows_subset(x, rows))
  }
  if (!methods::is(x, "dgRMatrix")) {
    return(x[rows, , drop = FALSE])
  }
  sizes <- diff(x@p)[rows]
  at <- sequence(sizes, x@p[rows] + 1L)
  names <- x@Dimnames
  if (!is.null(names[[1L]])) names[[1L]] <- names[[1L]][rows]
  methods::new("dgRMatrix", p = c(0L, cumsum(sizes)), j = x@j[at], x = x@x[at],
               Dim = c(length(rows), ncol(x)), Dimnames = names)
}

is_precomputed <- function(arguments) {
  kernel <- arguments$kernel
  !is.null(kernel) && !is.function(kernel) && identical(as_kernel(kernel)$name, "precomputed")
}

# What a fit of some rows is given. Rows in a file have labels and weights with them.
data_of <- function(task, rows, against = NULL) {
  rows <- rows_here(task, rows)
  x <- rows_of(task, rows, against)
  if (is_rows(x)) {
    return(list(x = x))
  }
  c(list(x = x), if (needs_response(task)) list(y = task$response[rows]),
    if (!is.null(task$weights)) list(weights = weights_of(task, rows)),
    if (!is.null(task$offset)) list(offset = task$offset[rows]))
}

needs_response <- function(task) !identical(task[["task"]], "one_class")

# What folds are dealt by, and the classes that every training part has to have.
strata_of <- function(task) {
  if (is.null(task$response)) numeric(nrow(task$x)) else task$response
}
needed_classes <- function(task) {
  if (needs_response(task) && is.factor(task$response)) task$response
}

# A fit, or with `path` the points of one, to the rows `train`, and the scores of the rows `test`: a
# list of `model`, which knows how to read the scores, and `scores`. What is left uncertified is for
# the caller to say, once.
fit_and_score <- function(task, train, test, fit, arguments) {
  against <- if (is_precomputed(arguments)) train
  data <- data_of(task, train, against)
  model <- quietly(do.call(fit, c(data, arguments), quote = TRUE))
  list(model = model, scores = scores_of_all(task, test, function() {
    newoffset <- if (!is.null(task$offset)) list(newoffset = task$offset[test])
    do.call(stats::predict, c(list(model, rows_of(task, test, against), type = "score"), newoffset),
            quote = TRUE)
  }))
}

# Without what a fit of the whole data will say again.
quietly <- function(expression) {
  withCallingHandlers(
    expression,
    dualmargin_not_certified = function(condition) invokeRestart("muffleWarning"),
    dualmargin_message = function(condition) invokeRestart("muffleMessage")
  )
}

# What a metric needs, from scores: a factor of all levels, scores that rank rows by each class, a
# matrix of probabilities, or the number that a regression predicts.
read_scores <- function(model, scores, needs) {
  if (needs == "class") {
    return(factor(model$levels[class_by(model, scores)], levels = model$levels))
  }
  if (needs %in% c("outside", "excess")) {
    outside <- as.double(unname(class_by(model, scores)) == 1L)
    return(if (needs == "excess") outside - model$settings$nu else outside)
  }
  if (needs == "score") scores <- ranking_scores(model, scores)
  unname_rows(present_scores(model, scores, needs))
}

unname_rows <- function(values) {
  if (is.matrix(values)) rownames(values) <- NULL else names(values) <- NULL
  values
}

# fun(job, ...) for every job, by the user's future::plan() where future.apply is installed. All
# that is random in a job comes from job$seed, so where it runs makes no difference. Without a
# parallel plan future.apply has nothing to add but a message of its own about an error of ours.
each_job <- function(jobs, fun, ...) {
  # ranks make the same sums in the same order
  if (runs_here() || !is.null(list(...)$task$ranks)) {
    return(lapply(jobs, seeded_job, fun, ...))
  }
  future.apply::future_lapply(jobs, seeded_job, fun, ..., future.seed = TRUE,
                              future.packages = "dualmargin")
}

seeded_job <- function(job, fun, ...) with_seed(job$seed, fun(job, ...))

# An error of one fit of many says of which; its class stays.
naming_place <- function(expression, what, resample) {
  tryCatch(expression, error = function(condition) {
    condition$message <- sprintf("%s, fold %d of repetition %d: %s", what, resample$fold,
                                 resample$repetition, conditionMessage(condition))
    stop(condition)
  })
}

# A function to call after each of `steps`: for whoever listens by progressr, and for a bar of our
# own where `shown`. A worker process cannot reach the bar, so there is none under a parallel plan.
progress_teller <- function(steps, shown = FALSE, what = "Fitting", envir = parent.frame()) {
  tellers <- list()
  # who listens has loaded it; loading sets options of the user's
  if (isNamespaceLoaded("progressr")) {
    tellers <- list(progressr::progressor(steps = steps, envir = envir))
  }
  if (shown && runs_here()) {
    bar <- cli::cli_progress_bar(what, total = steps, .envir = envir)
    tellers <- c(tellers, function() cli::cli_progress_update(id = bar, .envir = envir))
  }
  function() for (tell in tellers) tell()
}

# Are the jobs done one after the other by this process?
runs_here <- function() {
  !requireNamespace("future.apply", quietly = TRUE) || inherits(future::plan(), "sequential")
}

shows_progress <- function(control) {
  if (is.null(control)) interactive() else isTRUE(control$progress)
}
