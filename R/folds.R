# Which rows are held out when: folds that are drawn, given, or those of an rsample object.

#' Folds for cross-validation
#'
#' Deals the rows into `folds` parts of equal size (to one row), with the classes in equal shares
#' (to one row of each class), or for a numeric response with its whole range in every part. The
#' same folds given to [margin_cv()], [margin_compare()] and
#' [margin_calibrate()] make their scores comparable row by row.
#'
#' Rows that belong together, such as the visits of one patient, are more alike than new ones will
#' be. With `groups` all rows of a group are held out together: from the largest group to the
#' smallest (of equal ones in random order), each goes to the part that so gets the most even
#' classes and sizes, the one with the smallest sum of squared shares of each class. With `along`,
#' such as a time or a place on a line, the parts are runs of neighbouring values, as equal in size
#' as rows of the same value allow, which stay together. For folds that train on the past alone
#' give lists of rows, as in the last example, or a rolling origin of package rsample.
#'
#' @param y The response, length n: a factor or what [margin_linear()] takes for one, or numbers.
#' @param folds Number of parts k, from 2 to n, or to the number of groups or distinct values.
#' @param repeats How often the rows are dealt anew, at most 10,000 times; with `along` once, since
#'   nothing in it is random.
#' @param seed A whole number that leaves R's stream of random numbers untouched, or `NULL`: drawn
#'   from that stream, so [set.seed()] makes the folds reproducible.
#' @param groups `NULL` or the group of each row, length n: a factor, text or numbers.
#' @param along `NULL` or a number, date or time for each row, length n.
#' @param ... Not used; an unknown argument is an error.
#' @return An integer matrix, n x `repeats`: the part, 1 to k, in which a row is held out.
#' @section Errors:
#' Of class `dualmargin_input_error`: a missing label, group or value, more parts than rows, groups
#' or values, `groups` and `along` at once.
#' @references
#' Bergmeir C, Benitez JM (2012). On the use of cross-validation for time series predictor
#' evaluation. *Information Sciences* 191, 192-213. \doi{10.1016/j.ins.2011.12.028}.
#'
#' Kohavi R (1995). A study of cross-validation and bootstrap for accuracy estimation and model
#' selection. *Proceedings of the 14th IJCAI*, 1137-1143.
#'
#' Roberts DR, Bahn V, Ciuti S, et al. (2017). Cross-validation strategies for data with temporal,
#' spatial, hierarchical, or phylogenetic structure. *Ecography* 40(8), 913-929.
#' \doi{10.1111/ecog.02881}.
#' @examples
#' ids <- margin_folds(iris$Species, folds = 5, repeats = 2, seed = 1)
#' table(iris$Species, ids[, 1])
#'
#' # chicks are weighed a dozen times: none is in two parts
#' heavy <- factor(ChickWeight$weight > 100)
#' by_chick <- margin_folds(heavy, folds = 5, groups = ChickWeight$Chick, seed = 1)
#' table(heavy, by_chick)
#' margin_cv(ChickWeight["Time"], heavy, grid = list(lambda = 0.1), folds = by_chick)
#'
#' # a rolling origin with a gap: each month from all days up to a week before it
#' day <- airquality$Month * 31 + airquality$Day
#' past <- lapply(split(seq_along(day), airquality$Month)[-1], function(test) {
#'   list(train = which(day < min(day[test]) - 7), test = test)
#' })
#' margin_cv(Ozone ~ Wind + Temp + Solar.R, airquality, loss = "squared", folds = past,
#'           grid = list(lambda = 10^-(1:3)), metric = c("rmse", "r2"))
#' @export
margin_folds <- function(y, folds = 10, repeats = 1, seed = NULL, groups = NULL, along = NULL,
                         ...) {
  assert_no_extra("margin_folds()", ...)
  assert_number(folds, "folds", lower = 1, whole = TRUE, remedy = "give 2 or more")
  assert_number(repeats, "repeats", lower = 0, whole = TRUE, remedy = "the default is 1")
  assert_count(repeats, most_points, "repeats", "repetitions")
  assert_seed(seed)
  if (!is.atomic(y) || length(y) == 0L || !is.null(dim(y)) || anyNA(y)) {
    abort_input(sprintf("`y` is %s, but must be a vector of labels or numbers without NA.",
                        if (is.atomic(y) && anyNA(y)) "incomplete" else show_value(y)), "y")
  }
  if (folds > length(y)) {
    if (length(y) == 1L && is.numeric(y)) {
      abort_input(sprintf(paste(
        "`y` is %s, a single value, but must be the response of all rows; how many folds there are",
        "is `folds`."
      ), show_value(y)), "y")
    }
    abort_input(sprintf("`folds` is %s, but %s; use fewer folds.", format(folds),
                        there_are(length(y), "row")), "folds")
  }
  if (!is.null(along)) {
    if (!is.null(groups)) {
      abort_input("`groups` and `along` are both given; the parts are made by one of them.",
                  "along")
    }
    if (repeats > 1) {
      abort_input(sprintf("`repeats` is %s, but the parts of `along` are always the same; use 1.",
                          format(repeats)), "repeats")
    }
    return(matrix(cut_along(assert_along(along, "along", length(y)), folds, "along")))
  }
  deal <- function() deal_rows(y, folds)
  if (!is.null(groups)) {
    assert_groups(groups, length(y), folds)
    deal <- function() deal_groups(y, match(groups, unique(groups)), folds)
  }
  with_seed(seed, vapply(seq_len(repeats), function(r) deal(), integer(length(y))))
}

# Along the sorted response, ties in random order: a class takes the parts in turn, and of each run
# of k numbers every part takes one.
deal_rows <- function(y, k) {
  n <- length(y)
  numbers <- is.numeric(y) && !is.factor(y) && length(unique(y)) > 2L
  order <- order(if (numbers) y else match(y, unique(y)), stats::runif(n))
  parts <- if (numbers) {
    unlist(lapply(seq_len(ceiling(n / k)), function(run) sample.int(k)))[seq_len(n)]
  } else {
    rep_len(sample.int(k), n)
  }
  replace(integer(n), order, as.integer(parts))
}

# Whole groups, the largest first, each where the classes become most even. A part is judged by the
# sum over the classes of the squared share of the class that it would have, numbers being one
# class; their sizes count as one class more.
deal_groups <- function(y, group, k) {
  numbers <- is.numeric(y) && !is.factor(y) && length(unique(y)) > 2L
  class <- if (numbers) rep(1L, length(y)) else match(y, unique(y))
  # groups x classes, each class adding up to one
  counts <- unclass(table(group, class))
  counts <- cbind(sweep(counts, 2L, colSums(counts), "/"), rowSums(counts) / length(y))
  held <- matrix(0, k, ncol(counts))
  part <- integer(nrow(counts))
  order <- order(-tabulate(group), stats::runif(nrow(counts)))
  for (at in seq_along(order)) {
    own <- counts[order[at], ]
    # what the sum of squares over all parts gains by own; every part gets a group
    cost <- drop(held %*% own)
    empty <- which(rowSums(held) == 0)
    if (length(empty) >= length(order) - at + 1L) cost[-empty] <- Inf
    best <- which(cost <= min(cost) + 1e-12)
    part[order[at]] <- best[sample.int(length(best), 1L)]
    held[part[order[at]], ] <- held[part[order[at]], ] + own
  }
  part[group]
}

assert_groups <- function(groups, n, folds) {
  if (!is.atomic(groups) || is.null(groups) || !is.null(dim(groups)) || anyNA(groups)) {
    abort_input(sprintf("`groups` is %s, but must be a vector that names the group of each row.",
                        if (is.atomic(groups) && anyNA(groups)) "incomplete" else
                          show_value(groups)), "groups")
  }
  if (length(groups) != n) {
    abort_input(sprintf("`groups` has length %d, but %s; give each row its group.",
                        length(groups), there_are(n, "row")), "groups")
  }
  distinct <- length(unique(groups))
  if (distinct < folds) {
    abort_input(sprintf("`folds` is %s, but %s; use fewer folds.", format(folds),
                        there_are(distinct, "group")), "folds")
  }
}

# Numbers, dates or times as numbers.
assert_along <- function(values, arg, n = length(values)) {
  known <- inherits(values, c("Date", "POSIXct")) || (is.numeric(values) && !is.object(values))
  if (!known || !is.null(dim(values)) || length(values) == 0L || !all(is.finite(values))) {
    abort_input(sprintf("`%s` is %s, but must be a finite number, date or time for each row.", arg,
                        if (known && is.null(dim(values)) && length(values) > 0L) "incomplete" else
                          show_value(values)), arg)
  }
  if (length(values) != n) {
    abort_input(sprintf("`%s` has length %d, but %s; give each row its value.", arg,
                        length(values), there_are(n, "row")), arg)
  }
  as.double(values)
}

# k runs of neighbours: a value goes to the run in which the middle of its rows lies, if every run
# so has one.
cut_along <- function(values, k, arg, folds = k) {
  distinct <- sort(unique(values))
  if (length(distinct) < k) {
    abort_input(sprintf("`folds` is %s, but `%s` has %s; use fewer folds.", format(folds), arg,
                        count(length(distinct), "distinct value")), "folds")
  }
  at <- match(values, distinct)
  rows <- tabulate(at)
  middle <- (cumsum(rows) - rows / 2) / length(values)
  run <- as.integer(ceiling(middle * k))
  # no run is skipped: neither by a value of many rows, nor at the end
  m <- length(distinct)
  for (i in seq_len(m)) run[i] <- min(run[i], if (i == 1L) 1L else run[i - 1L] + 1L)
  for (i in rev(seq_len(m))) run[i] <- max(run[i], if (i == m) as.integer(k) else run[i + 1L] - 1L)
  run[at]
}

# The resamples of n rows: `rows` names, for each of them, its place in what the user gave (rows
# with missing values may have been left out). A list of lists: repetition, fold, train, test.
as_resamples <- function(folds, repeats, y, seed, rows = seq_along(y), given = length(y)) {
  if (inherits(folds, "rset")) {
    assert_no_repeats(repeats, "an rsample object")
    return(rset_resamples(folds, rows, given))
  }
  if (is_split_list(folds)) {
    assert_no_repeats(repeats, "a list of train and test rows")
    return(listed_resamples(folds, rows, given))
  }
  if (is.numeric(folds) && length(folds) == 1L) {
    ids <- margin_folds(y, folds, if (is.null(repeats)) 1 else repeats, seed)
  } else {
    assert_no_repeats(repeats, "the fold of every row")
    assert_fold_ids(folds, given)
    ids <- as.matrix(if (is.factor(folds)) as.integer(folds) else folds)[rows, , drop = FALSE]
  }
  assert_fold_memory(nrow(ids), length(unique(ids[, 1L])), ncol(ids))
  unlist(lapply(seq_len(ncol(ids)), function(repetition) {
    lapply(sort(unique(ids[, repetition])), function(fold) {
      out <- ids[, repetition] == fold
      list(repetition = repetition, fold = as.integer(fold), train = which(!out),
           test = which(out))
    })
  }), recursive = FALSE)
}

assert_no_repeats <- function(repeats, what) {
  if (!is.null(repeats)) {
    abort_input(sprintf("`repeats` is %s, but `folds` is %s and says that itself; leave it out.",
                        show_value(repeats), what), "repeats")
  }
}

# Whole numbers that an integer can hold, or a factor.
are_fold_ids <- function(ids) {
  is.factor(ids) || (is.numeric(ids) && all(is.finite(ids)) && all(ids == round(ids)) &&
                       all(abs(ids) <= .Machine$integer.max))
}

assert_fold_ids <- function(folds, n) {
  if (is.atomic(folds) && length(folds) > 1L && anyNA(folds)) {
    abort_input(sprintf("`folds` has NA at position %d; give every row its fold.",
                        which(is.na(folds))[1L]), "folds")
  }
  if (!are_fold_ids(folds)) {
    abort_input(sprintf(paste(
      "`folds` is %s, but must be a number of folds, a whole number for every row as from",
      "margin_folds(), a list of the `train` and `test` rows of each fold, or an rsample object."
    ), show_value(folds)), "folds")
  }
  if (NROW(folds) != n) {
    abort_input(sprintf("`folds` has %d rows, but the data have %d; give each row its fold.",
                        NROW(folds), n), "folds")
  }
  single <- apply(as.matrix(folds), 2L, function(ids) length(unique(ids)) < 2L)
  if (any(single)) {
    abort_input("`folds` puts all rows into one fold, which leaves none to train on; use two.",
                "folds")
  }
}

is_split_list <- function(folds) is.list(folds) && !is.object(folds)

# What the user lists: for each fold the numbers of the rows to train on and of those to predict.
listed_resamples <- function(folds, rows, given) {
  if (length(folds) == 0L) {
    abort_input("`folds` is an empty list; give `train` and `test` rows of each fold.", "folds")
  }
  at <- function(index, i, part) {
    if (!is.numeric(index) || length(index) == 0L || !all(index %in% seq_len(given))) {
      abort_input(sprintf(
        "`folds` has in fold %d `%s` %s, but it must be numbers of rows, from 1 to %d.", i, part,
        show_value(index), given
      ), "folds")
    }
    place <- match(index, rows)
    place[!is.na(place)]
  }
  lapply(seq_along(folds), function(i) {
    split <- folds[[i]]
    if (!is.list(split) || !all(c("train", "test") %in% names(split))) {
      abort_input(sprintf("`folds` has %s for fold %d; give list(train = , test = ).",
                          show_value(split), i), "folds")
    }
    train <- at(split$train, i, "train")
    test <- at(split$test, i, "test")
    both <- intersect(train, test)
    if (length(both) > 0L || anyDuplicated(test)) {
      abort_input(sprintf(
        "`folds` has in fold %d row %d %s; give each row that is predicted once, and not to train on.",
        i, rows[c(both, test[anyDuplicated(test)])[1L]],
        if (length(both) > 0L) "to train on and to predict" else "twice to predict"
      ), "folds")
    }
    list(repetition = 1L, fold = i, train = train, test = test)
  })
}

rset_resamples <- function(rset, rows, given) {
  size <- nrow(rset$splits[[1L]]$data)
  if (size != given) {
    abort_input(sprintf("`folds` was made for %d rows, but the data have %d; make it for these.",
                        size, given), "folds")
  }
  apparent <- match("Apparent", rset$id)
  if (!is.na(apparent)) {
    abort_input(sprintf(paste(
      "`folds` has in resample %d all rows to train on and to predict; make it with",
      "apparent = FALSE."
    ), apparent), "folds")
  }
  repeated <- "id2" %in% names(rset)
  at <- function(index) {
    place <- match(index, rows)
    place[!is.na(place)]
  }
  lapply(seq_along(rset$splits), function(i) {
    split <- rset$splits[[i]]
    out <- split$out_id
    if (length(out) == 0L || anyNA(out)) out <- setdiff(seq_len(size), split$in_id)
    repetition <- if (repeated) match(rset$id[i], unique(rset$id)) else 1L
    fold <- if (repeated) sum(rset$id[seq_len(i)] == rset$id[i]) else i
    list(repetition = repetition, fold = fold, train = at(split$in_id), test = at(out))
  })
}

# A class that no row of a training part has cannot be predicted.
assert_resamples <- function(resamples, response) {
  for (resample in resamples) {
    where <- sprintf("fold %d of repetition %d", resample$fold, resample$repetition)
    if (length(resample$train) == 0L || length(resample$test) == 0L) {
      abort_input(sprintf("`folds` leaves %s without rows to %s; use other folds.", where,
                          if (length(resample$test) == 0L) "predict" else "train on"), "folds")
    }
    if (is.factor(response)) {
      absent <- setdiff(levels(response), as.character(response[resample$train]))
      if (length(absent) > 0L) {
        abort_input(sprintf(paste(
          "`folds` trains %s without a row of class \"%s\"; use folds that split every class, as",
          "those of margin_folds(), and at least two rows of a class."
        ), where, absent[1L]), "folds")
      }
    }
  }
}

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
  task$design <- replaced(design, list(x = NULL, hash = NULL))
  task_of_ranks(task, ranks)
}

# What the jobs of folds are sent.
without_design <- function(task) replaced(task, list(design = NULL))

weights_of <- function(task, rows) {
  if (is.null(task$weights)) rep(1, length(rows)) else as.double(task$weights)[rows]
}

# Of all ranks; a row of weight 0 is none.
number_of_rows <- function(task) {
  rows <- if (is.null(task$ranks)) nrow(task$x) else length(task$rows)
  if (is.null(task$weights)) rows else sum(task$weights > 0)
}

counted_of <- function(task, rows) sum(weights_of(task, rows) > 0)

# Some rows of x; of a precomputed kernel the values against the rows `against`.
rows_of <- function(task, rows, against = NULL) {
  if (is.null(against)) {
    return(take_rows(task$x, rows_here(task, rows, among = TRUE)))
  }
  values <- task$x[rows, against, drop = FALSE]
  colnames(values) <- feature_names(NULL, length(against))
  values
}

# Matrix makes triplets of the rows of a dgRMatrix; here they stay as they are. All of them are `x`
# itself, which R does not copy.
take_rows <- function(x, rows) {
  if (is_rows(x)) {
    return(rows_subset(x, rows))
  }
  if (length(rows) == nrow(x) && isTRUE(all(rows == seq_along(rows)))) {
    return(x)
  }
  if (!isS4(x) || !methods::is(x, "dgRMatrix")) {
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
  if (is.factor(task$response) && any(task$weights == 0)) {
    return(interaction(task$response, task$weights > 0, drop = TRUE))
  }
  if (is.null(task$response)) numeric(nrow(task$x)) else task$response
}
needed_classes <- function(task) {
  if (needs_response(task) && is.factor(task$response)) task$response
}

# Some rows as a design of their own. They are as sound as all of them, which were looked at once.
part_design <- function(task, rows, against = NULL) {
  data <- data_of(task, rows, against)
  x <- data$x
  part <- !is.null(task$ranks)
  if (is_rows(x)) {
    return(design_rows(x, NULL, part))
  }
  if (!is.null(data$weights)) assert_weights(data$weights, nrow(x), part)
  structure(c(data, list(features = feature_names(colnames(x), ncol(x)), interface = "matrix",
                         sparse = isS4(x), intercept = TRUE, response_name = "y")),
            class = "margin_design")
}

# A fit, or the points of a path of `family`, to the rows `train`, and the scores of the rows `test`: a
# list of `model`, which knows how to read the scores, and `scores`. What is left uncertified is for
# the caller to say, once.
fit_and_score <- function(task, train, test, family, arguments, path = FALSE) {
  of <- families()[[family]]
  against <- if (is_precomputed(arguments)) train
  given <- c(list(part_design(task, train, against)), if (of$labelled) list(NULL), arguments)
  model <- quietly(do.call((if (path) of$path else of)$of_matrix, given, quote = TRUE))
  list(model = model, scores = scores_of_all(task, test, function() {
    x <- rows_of(task, test, against)
    rows <- if (is_rows(x)) design_newdata(model, x, on_disk = TRUE) else
      list(x = x, na_rows = integer())
    newoffset <- if (has_offset(model)) task$offset[test]
    if (path) path_scores(model, rows, pick_points(model, list()), newoffset) else
      scores_of_design(model, rows, newoffset)
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

# What a result keeps of its folds.
tested_rows <- function(resamples, task) {
  lapply(resamples, function(one) {
    list(repetition = one$repetition, fold = one$fold, test = task$rows[one$test])
  })
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
