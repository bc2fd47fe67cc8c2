# What the ranks of a job know of one another before a fit of all their rows begins: that they were
# asked for the same, the classes and the weights of all rows, the unit of a response.

# The meeting of a fit of several ranks; NULL: one process has all rows.
meeting_of <- function(settings) ranks_of_control(settings$control)
# Of anything that was given for a control.
ranks_of_control <- function(control) {
  if (inherits(control, "margin_control") && is_meeting(control[["ranks"]])) control[["ranks"]]
}

on_several_ranks <- function(control) {
  inherits(control, "margin_control") && is.list(control) && !is.null(unclass(control)$ranks)
}

# Numbers of this rank -> those of all. NULL: as they are.
total_over <- function(ranks, x) if (is.null(ranks)) x else sum_over_ranks(ranks, x)
mean_over <- function(ranks, x) {
  if (is.null(ranks)) return(mean(x))
  sums <- sum_over_ranks(ranks, c(sum(x), length(x)))
  sums[1L] / sums[2L]
}
largest_over <- function(ranks, x) if (is.null(ranks)) x else max_over_ranks(ranks, x)
true_on_all <- function(ranks, x) {
  if (is.null(ranks)) x else max_over_ranks(ranks, !x) == 0
}

# What the core adds up by; one rank has all rows, and needs nobody.
ranks_of_core <- function(ranks) {
  if (is.null(ranks) || ranks$size == 1) return(NULL)
  list(rank = as.integer(ranks$rank), size = as.integer(ranks$size),
       sum = function(x) sum_over_ranks(ranks, x), max = function(x) max_over_ranks(ranks, x))
}

# ---- The same on all ranks ----

# Words for what must not differ, named as messages name it.
marks_of_rank <- function(design, settings) {
  names <- c("loss", "lambda", "cost", "mixture", "intercept", "scale", "class_weights",
             "response_scale", "multiclass", "penalty_factor", "lower", "upper", "options", "tol")
  asked <- lapply(stats::setNames(names, names), function(name) settings[[name]])
  control <- settings$control
  x <- design$x
  start <- control$start
  parts <- c(asked, list(
    version = own_version(), columns = design$features, solver = settings$solver$name,
    `storage of x` = paste(c("memory", "file")[1L + is_rows(x)],
                           c("dense", "sparse")[1L + (if (is_rows(x)) x$sparse else isS4(x))]),
    `levels of y` = if (is_rows(x)) c(x$task, x$type, x$levels),
    max_epochs = control$max_epochs, certify_every_epoch = control$certify_every_epoch,
    stall = control$stall, start = if (is_checkpoint(start)) "a checkpoint" else class(start)[1L],
    checkpoint = is.null(control$checkpoint)
  ))
  vapply(parts, function(part) paste(mark_of(part), collapse = " "), "")
}

assert_same_on_ranks <- function(ranks, design, settings) {
  known <- of_all_ranks(ranks, list(marks = marks_of_rank(design, settings),
                                    columns = length(design$features)))
  first <- known[[1L]]
  for (r in seq_along(known)[-1L]) {
    marks <- known[[r]]$marks
    other <- which(marks != first$marks)[1L]
    if (is.na(other)) next
    what <- names(marks)[other]
    shown <- function(k) {
      if (what == "columns") return(count(known[[k]]$columns, "column"))
      value <- known[[k]]$marks[[what]]
      if (nzchar(value) && nchar(value) <= 30L) sprintf("%s \"%s\"", what, value) else
        sprintf("another `%s`", what)
    }
    abort_input(sprintf(paste(
      "`ranks`: rank 0 has %s and rank %d has %s%s; all ranks must be given the same columns and",
      "arguments, and the same version of this package."
    ), shown(1L), r - 1L, shown(r), if (what == "columns") ", or other names of them" else ""),
    "ranks")
  }
}

# Solvers that are no sums over rows in whole passes, and what else needs all rows in one place.
assert_ranks_able <- function(ranks, settings, joint) {
  if (!is.null(ranks)) assert_rows_solver(settings, joint, "rows on several ranks")
}

refuse_ranks <- function(control, caller) {
  if (inherits(control, "margin_control") && !is.null(unclass(control)$ranks)) {
    abort_input(sprintf(paste(
      "`ranks` of the control is given, but %s needs all rows in one place; leave it out.",
      "margin_linear(), margin_path(), margin_cv() and margin_audit() add up over ranks."
    ), caller), "ranks")
  }
}

assert_some_weight <- function(total) {
  if (!(total > 0)) {
    abort_input("`weights` are all 0 on all ranks; at least one row must count.", "weights")
  }
}

# ---- The response ----

# labels: of this rank; code(labels): the response of any. As if all labels were here.
response_of_ranks <- function(ranks, labels, code) {
  if (is.null(ranks)) return(code(labels))
  known <- of_all_ranks(ranks, distinct_labels(labels))
  if (all(lengths(known) == 0L)) {
    abort_input("`x` has 0 rows on all ranks; a fit needs at least one.", "x")
  }
  others <- joined_labels(known)
  response <- code(joined_labels(list(others, labels)))
  for (part in c("response", "codes")) {
    response[[part]] <- response[[part]][-seq_along(others)]
  }
  response
}

# Enough of them to know what they are: all classes, or too many numbers for classes.
distinct_labels <- function(y) {
  distinct <- unique(y)
  if (is.double(y) && length(distinct) > 12L) c(range(distinct), distinct[1:12]) else distinct
}

# parts: labels of some kind each; without any they have no kind.
joined_labels <- function(parts) {
  kind <- function(y) if (is.factor(y)) "a factor" else if (is.numeric(y)) "numbers" else typeof(y)
  parts <- Filter(function(y) length(y) > 0L || is.factor(y), parts)
  kinds <- unique(vapply(parts, kind, ""))
  if (length(kinds) > 1L) {
    abort_input(sprintf("`y` is %s on one rank and %s on another; give all ranks the same.",
                        kinds[1L], kinds[2L]), "y")
  }
  if (kinds != "a factor") return(unlist(parts))
  levels <- unique(unlist(lapply(parts, levels)))
  in_order <- function(levels) !is.unsorted(order(levels, method = "radix"))
  # each rank has sorted what it had
  sorted <- vapply(parts, function(y) in_order(levels(y)), NA)
  if (all(sorted)) levels <- sort(levels, method = "radix")
  codes <- unlist(lapply(parts, function(y) match(levels(y), levels)[as.integer(y)]))
  ordered <- any(vapply(parts, is.ordered, NA))
  structure(codes, levels = levels, class = c(if (ordered) "ordered", "factor"))
}

# The weight of each class.
class_totals <- function(response, weights, ranks = NULL) {
  codes <- as.integer(response$response)
  total <- numeric(length(response$levels))
  if (length(codes) > 0L) {
    sums <- rowsum(weights, codes, reorder = TRUE)
    total[as.integer(rownames(sums))] <- sums
  }
  total_over(ranks, total)
}

# ---- Spreads of columns and of a response ----

# As column_frame() of the rows of all ranks.
frame_of_ranks <- function(ranks, x, weights) {
  if (is.null(ranks)) return(column_frame(x, weights))
  own <- list(total = sum(weights))
  if (own$total > 0) own <- c(own, column_frame(x, weights))
  all <- Filter(function(one) one$total > 0, of_all_ranks(ranks, own))
  share <- vapply(all, `[[`, 0, "total")
  assert_some_weight(sum(share))
  share <- share / sum(share)
  part <- function(name) do.call(cbind, lapply(all, `[[`, name))
  means <- part("mean")
  mean <- drop(means %*% share)
  off <- (means - mean) * (row_largest(means) != -row_largest(-means))
  sd <- sqrt(drop((part("sd")^2 + off^2) %*% share))
  list(mean = mean, sd = sd, scale = ifelse(sd > 0, sd, 1))
}

# As weighted_median() of the rows of all ranks: values are found by halving what is left.
median_over_ranks <- function(ranks, values, weights) {
  order <- order(values)
  values <- values[order]
  below <- c(0, cumsum(weights[order]))
  half <- 0.5 * total_over(ranks, below[length(below)])
  ends <- half * c(1 - 2e-12, 1 + 2e-12)
  mean(c(first_above(ranks, values, below, function(sum) sum >= ends[1L]),
         first_above(ranks, values, below, function(sum) sum > ends[2L])))
}

# The least of all values up to which the weights add up to enough.
first_above <- function(ranks, values, below, enough) {
  left <- c(1L, length(values))
  best <- NA_real_
  repeat {
    here <- left[2L] - left[1L] + 1
    middle <- if (here > 0) values[(left[1L] + left[2L]) %/% 2L] else 0
    known <- exchanged(ranks, "gather", c(middle, here))
    if (sum(known[2L, ]) == 0) return(best)
    known <- known[, known[2L, ] > 0, drop = FALSE]
    pivot <- weighted_median(known[1L, ], known[2L, ])
    # the mean of two is no value of a row
    pivot <- min(known[1L, known[1L, ] >= pivot])
    at <- findInterval(pivot, values)
    if (enough(total_over(ranks, below[at + 1L]))) {
      best <- pivot
      left[2L] <- min(left[2L], findInterval(pivot, values, left.open = TRUE))
    } else {
      left[1L] <- max(left[1L], at + 1L)
    }
  }
}

# ---- One object ----

# What the ranks have exchanged so far, the same on all: the seconds are those of rank 0.
exchanged_so_far <- function(ranks) {
  seconds <- exchanged(ranks, "gather", ranks$seconds)[1L, 1L]
  c(ranks = ranks$size, exchanges = ranks$serial, doubles = ranks$numbers, seconds = seconds)
}

# Clocks are local; those of rank 0 stand in the fit, of the core's list of solutions.
with_one_clock <- function(ranks, result) {
  if (is.null(ranks)) return(result)
  clocks <- function(point) c(point$seconds, point$trace$seconds)
  all <- exchanged(ranks, "gather", unlist(lapply(result$solutions, lapply, clocks)))
  all <- if (is.null(all)) numeric() else all[, 1L]
  done <- 0L
  result$solutions <- lapply(result$solutions, lapply, function(point) {
    own <- length(clocks(point))
    if (own == 0L) return(point)
    point$seconds <- all[done + 1L]
    point$trace$seconds <- all[done + seq_len(own)[-1L]]
    done <<- done + own
    point
  })
  result
}

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
