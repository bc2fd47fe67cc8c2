# Which rows are held out when: folds that are drawn, given, or those of an rsample object.

#' Folds for cross-validation
#'
#' Deals the rows into `folds` parts of equal size (to one row), with the classes in equal shares
#' (to one row of each class), or for a numeric response with its whole range in every part. The
#' same folds given to [margin_cv()], [margin_compare()] and [margin_calibrate()] make their scores
#' comparable row by row.
#'
#' @param y The response, length n: a factor or what [margin_linear()] takes for one, or numbers.
#' @param folds Number of parts k, from 2 to n.
#' @param repeats How often the rows are dealt anew, at most 10,000 times.
#' @param seed A whole number that leaves R's stream of random numbers untouched, or `NULL`: drawn
#'   from that stream, so [set.seed()] rules.
#' @return An integer matrix, n x `repeats`: the part, 1 to k, in which a row is held out.
#' @section Errors:
#' Of class `dualmargin_input_error`: a missing label, more parts than rows.
#' @references
#' Kohavi R (1995). A study of cross-validation and bootstrap for accuracy estimation and model
#' selection. *Proceedings of the 14th IJCAI*, 1137-1143.
#' @examples
#' ids <- margin_folds(iris$Species, folds = 5, repeats = 2, seed = 1)
#' table(iris$Species, ids[, 1])
#' @export
margin_folds <- function(y, folds = 10, repeats = 1, seed = NULL) {
  assert_number(folds, "folds", lower = 1, whole = TRUE, remedy = "the default is 10")
  assert_number(repeats, "repeats", lower = 0, whole = TRUE, remedy = "the default is 1")
  assert_count(repeats, most_points, "repeats", "repetitions")
  assert_seed(seed)
  if (!is.atomic(y) || length(y) == 0L || !is.null(dim(y)) || anyNA(y)) {
    abort_input(sprintf("`y` is %s, but must be a vector of labels or numbers without NA.",
                        if (is.atomic(y) && anyNA(y)) "incomplete" else show_value(y)), "y")
  }
  if (folds > length(y)) {
    abort_input(sprintf("`folds` is %s, but there are %s; use fewer folds.", format(folds),
                        count(length(y), "row")), "folds")
  }
  with_seed(seed, vapply(seq_len(repeats), function(r) deal_rows(y, folds), integer(length(y))))
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

# The resamples of n rows: `rows` names, for each of them, its place in what the user gave (rows
# with missing values may have been left out). A list of lists: repetition, fold, train, test.
as_resamples <- function(folds, repeats, y, seed, rows = seq_along(y), given = length(y)) {
  if (inherits(folds, "rset")) {
    assert_no_repeats(repeats, "an rsample object")
    return(rset_resamples(folds, rows, given))
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

assert_fold_ids <- function(folds, n) {
  if (is.atomic(folds) && length(folds) > 1L && anyNA(folds)) {
    abort_input(sprintf("`folds` has NA at position %d; give every row its fold.",
                        which(is.na(folds))[1L]), "folds")
  }
  whole <- is.factor(folds) ||
    (is.numeric(folds) && all(is.finite(folds)) && all(folds == round(folds)))
  if (!whole) {
    abort_input(sprintf(paste(
      "`folds` is %s, but must be a number of folds, a whole number for every row as from",
      "margin_folds(), or an rsample object."
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
