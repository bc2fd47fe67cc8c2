# Checkpoints of a fit of several ranks: rank 0 writes coefficients and the dual variables of its
# rows into the file, each other rank those of its own rows into a part beside it. Rows are numbered
# as rank after rank has them, so that any number of ranks that hold the same rows in the same order
# can go on. Parts need not be of one moment: any dual variables are a point to start from.

with_checkpoint_on_ranks <- function(ranks, asked, control, solve, family, rows, response, weights,
                                     problem) {
  place <- place_of_rows(ranks, length(response))
  marks <- marks_over_ranks(ranks, place, family, rows, response, weights, problem)
  if (is_checkpoint(asked$start)) {
    control$start <- start_on_ranks(ranks, asked$start$file, marks, place)
  }
  if (is.null(asked$checkpoint)) return(solve(control))
  file <- part_of_checkpoint(asked$checkpoint$file, ranks$rank)
  share <- c(marks, share = sprintf("%.0f %.0f %.0f", place$before, place$own, ranks$size))
  writing_checkpoint(file, asked, control, solve, function(points) {
    if (ranks$rank > 0) points <- lapply(points, `[`, "dual")
    write_checkpoint(file, share, control$seed, points)
  })
}

part_of_checkpoint <- function(file, rank) {
  if (rank == 0) file else sprintf("%s.rank-%.0f", file, rank)
}

# How many rows are before those of this rank, here, and in all.
place_of_rows <- function(ranks, n) {
  each <- exchanged(ranks, "gather", as.double(n))[1L, ]
  list(before = sum(each[seq_len(ranks$rank)]), own = n, all = sum(each))
}

# As problem_marks(), whoever has which rows: sums over all of them, and sums that know their order.
marks_over_ranks <- function(ranks, place, family, rows, response, weights, problem) {
  at <- (place$before + seq_len(place$own)) / place$all
  sums <- function(x) c(sum(x), sum(x * at), sum(abs(x)))
  numbers <- if (is.character(rows)) numeric() else if (isS4(rows)) rows@x else as.double(rows)
  all <- matrix(sum_over_ranks(ranks, c(sums(response), sums(weights),
                                        sum(numbers), 0, sum(abs(numbers)))), 3L)
  words <- apply(all, 2L, function(s) {
    paste(sprintf("%.6f", if (s[3L] > 0) s[1:2] / s[3L] else c(0, 0)), collapse = " ")
  })
  files <- if (is.character(rows)) unique(unlist(of_all_ranks(ranks, rows)))
  # a lambda that hangs on the sum of the weights, which rounds in its own way for each deal of rows
  problem$lambda <- signif(problem$lambda, 12)
  parts <- problem_marks(family, NULL, NULL, NULL, problem)
  c(parts, rows = sprintf("%.0f rows, %s", place$all,
                          if (is.null(files)) words[3L] else paste(files, collapse = " ")),
    response = words[1L], weights = words[2L])
}

start_on_ranks <- function(ranks, file, marks, place) {
  content <- read_checkpoint(file)
  share <- share_of_checkpoint(content$problem)
  if (is.null(share)) {
    abort_input(sprintf(paste(
      "`start`: \"%s\" was written by a fit without `ranks`; go on without them, or leave `start`",
      "out."
    ), file), "start")
  }
  assert_same_problem(file, content$problem[names(content$problem) != "share"], marks)
  start <- start_of_points(content$points)
  start$dual <- dual_of_parts(ranks, file, content, share, place)
  start
}

share_of_checkpoint <- function(marks) {
  if ("share" %in% names(marks)) {
    numbers <- as.numeric(strsplit(marks[["share"]], " ", fixed = TRUE)[[1L]])
    list(before = numbers[1L], own = numbers[2L], size = numbers[3L])
  }
}

# The dual variables of the rows of this rank, from the parts that have them; NULL on all ranks
# where one of them misses some. Newton's method for all classes in one problem starts without them.
dual_of_parts <- function(ranks, file, content, share, place) {
  dual <- function(content) {
    parts <- lapply(content$points, function(point) if (!is.null(point$dual)) as.matrix(point$dual))
    do.call(cbind, parts)
  }
  joint <- is.matrix(content$points[[1L]]$coefficients)
  found <- NULL
  for (r in seq_len(share$size) - 1) {
    if (joint) break
    part <- if (r == 0) content else part_content(part_of_checkpoint(file, r), content$problem)
    if (is.null(part)) next
    at <- share_of_checkpoint(part$problem)
    values <- dual(part)
    wanted <- place$before + seq_len(place$own) - at$before
    here <- wanted >= 1 & wanted <= at$own
    if (NROW(values) != at$own || NCOL(values) < length(content$points)) next
    if (is.null(found)) found <- matrix(NaN, place$own, ncol(values))
    found[here, ] <- values[wanted[here], , drop = FALSE]
  }
  if (is.null(found)) found <- matrix(NaN, place$own, length(content$points))
  whole <- true_on_all(ranks, colSums(is.nan(found)) == 0)
  found[, !whole] <- NaN
  if (any(whole) && !joint) found
}

# Of the same run as the first one, or NULL.
part_content <- function(file, marks) {
  content <- tryCatch(read_checkpoint(file), dualmargin_input_error = function(condition) NULL)
  same <- function(marks) marks[names(marks) != "share"]
  size <- function(marks) share_of_checkpoint(marks)$size
  theirs <- content$problem
  if (!is.null(content) && identical(same(theirs), same(marks)) &&
        identical(size(theirs), size(marks))) content
}
