# Cross-validation of the rows of several ranks. Rows are numbered as rank after rank has them;
# every rank knows the labels and weights of all of them, and so the same folds, and each fit is one
# of all ranks. The scores of held-out rows, one number a row and class, go to all, which judge alike.

# task: of the rows of this rank. NULL: they are all there are.
task_of_ranks <- function(task, ranks) {
  if (is.null(ranks)) return(task)
  all <- of_all_ranks(ranks, task[c("response", "weights")])
  sizes <- vapply(all, function(one) length(one$response), 0L)
  task$before <- sum(sizes[seq_len(ranks$rank)])
  task$own <- sizes[ranks$rank + 1L]
  labels <- lapply(all, `[[`, "response")
  task$response <- if (is.factor(task$response)) {
    structure(unlist(lapply(labels, as.integer)), levels = task$levels, class = "factor")
  } else {
    unlist(labels)
  }
  if (!all(vapply(all, function(one) is.null(one$weights), NA))) {
    task$weights <- unlist(Map(function(one, size) {
      if (is.null(one$weights)) rep(1, size) else as.double(one$weights)
    }, all, sizes))
  }
  task$rows <- seq_along(task$response)
  task$given <- length(task$rows)
  task$ranks <- ranks
  task
}

# Of all ranks.
count_of_rows <- function(task) if (is.null(task$ranks)) nrow(task$x) else length(task$rows)

# Those of `rows` that this rank has, by their numbers among all, or `among` its own.
rows_here <- function(task, rows, among = FALSE) {
  if (is.null(task$ranks)) return(rows)
  here <- rows[rows > task$before & rows <= task$before + task$own]
  if (among) here - task$before else here
}

# score(x) of the rows `test`, a number, a row or a slice each, in their order.
scores_of_all <- function(task, test, score) {
  if (is.null(task$ranks)) return(score())
  here <- rows_here(task, test)
  all <- of_all_ranks(task$ranks, list(at = here, scores = if (length(here) > 0L) score()))
  at <- unlist(lapply(all, `[[`, "at"))
  parts <- Filter(Negate(is.null), lapply(all, `[[`, "scores"))
  order <- match(test, at)
  first <- parts[[1L]]
  if (is.null(dim(first))) return(unlist(parts, use.names = FALSE)[order])
  # rows last, so that they follow one another
  k <- length(dim(first))
  turned <- unlist(lapply(parts, aperm, c(seq_len(k)[-1L], 1L)))
  turned <- matrix(turned, ncol = length(at))[, order, drop = FALSE]
  names <- if (is.null(dimnames(first))) NULL else c(list(NULL), dimnames(first)[-1L])
  answer <- aperm(array(turned, c(dim(first)[-1L], length(test))), c(k, seq_len(k - 1L)))
  dimnames(answer) <- names
  answer
}

refuse_formula_on_ranks <- function(ranks, of_formula, caller) {
  if (!is.null(ranks) && of_formula) {
    abort_input(sprintf(paste(
      "`formula` codes its columns from the rows of one rank, and %s takes those of several ranks",
      "as a matrix, or as rows in a file that write_rows() made."
    ), caller), "formula")
  }
}
