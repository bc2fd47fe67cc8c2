# How often the sets of rows with a known response hold it.

# The rows with a response and a set: of each level the sets, the responses and the groups.
judged_sets <- function(object, newdata, y, level, by = NULL) {
  sets <- predict(object, newdata, level = level, by = by)
  n <- nrow(sets) / length(level)
  truth <- given_response(object$fit, newdata, y, "newdata", n)
  group <- new_groups(object, newdata, by, n)
  sets <- lapply(seq_along(level), function(l) sets[(l - 1L) * n + seq_len(n), , drop = FALSE])
  size <- if (object$task == "regression") sets[[1L]]$lower else sets[[1L]]$size
  at <- which(!is.na(truth) & !is.na(size))
  if (length(at) == 0L) {
    abort_input("`newdata` has no row with a response and a set; give some.", "newdata")
  }
  list(sets = lapply(sets, function(one) one[at, , drop = FALSE]), truth = truth[at],
       group = group[at], rows = at)
}

covers <- function(object, sets, truth) {
  if (!is.null(sets$pieces)) {
    return(unlist(Map(function(one, y) any(one[, "lower"] <= y & y <= one[, "upper"]),
                      sets$pieces, truth), use.names = FALSE))
  }
  if (object$task == "regression") {
    return(sets$lower <= truth & truth <= sets$upper)
  }
  as.matrix(sets[object$levels])[cbind(seq_along(truth), as.integer(truth))]
}

set_sizes <- function(object, sets) {
  if (!is.null(sets$pieces)) {
    return(vapply(sets$pieces, function(one) sum(one[, "upper"] - one[, "lower"]), 0))
  }
  if (object$task == "regression") pmax(sets$upper - sets$lower, 0) else sets$size
}

coverage_table <- function(object, level, sets, truth, group) {
  hit <- covers(object, sets, truth)
  size <- set_sizes(object, sets)
  of_numbers <- object$task == "regression"
  empty <- if (of_numbers) sets$lower > sets$upper else size == 0
  full <- size == if (of_numbers) Inf else length(object$levels)
  row <- function(of, value, inside) {
    n <- sum(inside)
    interval <- exact_binomial(sum(hit[inside]), n)
    data.frame(level = level, of = of, value = value, n = n, covered = sum(hit[inside]),
               coverage = mean(hit[inside]), lower = interval[1L], upper = interval[2L],
               size = mean(size[inside]), empty = mean(empty[inside]), full = mean(full[inside]))
  }
  rows_by <- function(of, value, known) {
    lapply(known[known %in% value], function(one) row(of, one, value %in% one))
  }
  grouped <- object$by %in% c("column", "vector")
  parts <- c(
    list(row("all", "", rep(TRUE, length(hit)))),
    if (object$task != "regression") rows_by("class", as.character(truth), object$levels),
    if (grouped) rows_by("group", c("(not counted)", object$groups)[group + 1L],
                         c(object$groups, "(not counted)")),
    if (object$task != "regression") {
      rows_by("size", as.character(size), as.character(0:length(object$levels)))
    }
  )
  do.call(rbind, parts)
}

# Of Clopper and Pearson (1934).
exact_binomial <- function(hits, n, level = 0.95) {
  tail <- (1 - level) / 2
  c(if (hits == 0) 0 else stats::qbeta(tail, hits, n - hits + 1),
    if (hits == n) 1 else stats::qbeta(1 - tail, hits + 1, n - hits))
}
