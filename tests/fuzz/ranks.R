# The linear campaign over ranks: problems of the campaign (tests/testthat/helper-fuzz_draw.R), by a
# solver that reads rows in whole passes, their rows dealt out to 1, 2 or 3 of the ranks of a job; the
# others have none. What the ranks found is put together and judged as any fit is
# (helper-fuzz_run.R): certificate and status, value and bound recomputed with twice the digits from
# the dual variables of all ranks and all rows. All ranks must have the same object but for what
# belongs to their rows, and all of them an error where one has.
#
#   R_LIBS=.Rlib mpirun -n 3 Rscript --no-init-file tests/fuzz/ranks.R --problems=300 --first=1
#
# Exit status 1 if there is a violation.

source(file.path("tests", "fuzz", "judges.R"))
number <- function(name, default) as.numeric(option(name, default))
load_judges()
ranks <- mpi_ranks()
meeting <- dualmargin:::open_meeting(ranks)
everyone <- function(value) dualmargin:::of_all_ranks(meeting, value)

# The ranks of the rows: in turn, in blocks, at random, or all but one row together.
deal_of <- function(n, size, seed) {
  set.seed(seed)
  switch(1L + seed %/% 3L %% 4L, (seq_len(n) - 1L) %% size, (seq_len(n) - 1L) * size %/% n,
         sample.int(size, n, replace = TRUE) - 1L, c(rep(0L, n - 1L), size - 1L))
}

own_rows <- c("dual", "scores", "weights", "response")
put_together <- function(fits, rows) {
  fit <- fits[[1L]]
  order <- order(unlist(rows))
  for (part in own_rows) {
    values <- lapply(fits, `[[`, part)
    fit[[part]] <- if (is.matrix(values[[1L]])) {
      do.call(rbind, values)[order, , drop = FALSE]
    } else if (is.factor(values[[1L]])) {
      factor(unlist(lapply(values, as.character))[order], fit$levels)
    } else {
      unlist(values)[order]
    }
  }
  fit
}

judge_ranks <- function(seed) {
  case <- draw_case(seed, if (seed %% 5 == 0) "joint" else "linear")
  case$row$large_lambda <- FALSE
  solver <- disk_solver(case)
  if (is.null(solver)) return(NULL)
  x <- stored_as(case$x, case$storage)
  size <- 1L + seed %% ranks$size
  deal <- deal_of(nrow(x), size, seed)
  mine <- which(deal == ranks$rank)
  args <- case$args
  args$solver <- solver
  args$weights <- args$weights[mine]
  args$control$solver_options <- list()
  args$control$max_epochs <- min(args$control$max_epochs, 100)
  args$control["start"] <- list(NULL)
  args$control$threads <- 1 + seed %% 2
  args$control$ranks <- ranks
  case$row <- Filter(function(row) row$family == "linear" && row$name == solver,
                     dualmargin:::solver_rows())[[1L]]
  run <- watched(do.call(margin_linear, c(list(x[mine, , drop = FALSE], case$y[mine]), args)))
  all <- everyone(list(fit = run$fit, rows = mine, error = if (!is.null(run$error))
    class(run$error)))
  fits <- lapply(all, `[[`, "fit")
  none <- vapply(fits, is.null, NA)
  if (any(none)) {
    found <- if (!all(none)) "ONE RANK ALONE HAS AN ERROR" else check_error(run$error, case, x)
    return(list(size = size, solver = solver, outcome = "refused", found = found))
  }
  common <- lapply(fits, function(fit) fit[setdiff(names(fit), c(own_rows, "call", "na.action"))])
  found <- if (!all(vapply(common, identical, NA, common[[1L]]))) {
    differ <- Filter(function(name) {
      !all(vapply(common, function(one) identical(one[[name]], common[[1L]][[name]]), NA))
    }, names(common[[1L]]))
    paste("THE RANKS HAVE OTHER FITS:", toString(differ))
  }
  run$fit <- put_together(fits, lapply(all, `[[`, "rows"))
  dense <- case$x + 0
  dimnames(dense) <- NULL
  case$given <- x
  set.seed(seed)
  judged <- judge_fit(case, run, dense)
  list(size = size, solver = solver, outcome = judged$outcome, found = c(found, judged$found))
}

first <- number("first", 1)
seen <- list()
violations <- 0
for (seed in first + seq_len(number("problems", 100)) - 1) {
  result <- judge_ranks(as.integer(seed))
  if (is.null(result) || ranks$rank > 0) next
  word <- paste(result$size, "of", ranks$size, result$solver, result$outcome)
  seen[[word]] <- 1L + if (is.null(seen[[word]])) 0L else seen[[word]]
  violations <- violations + length(result$found)
  for (text in result$found) {
    cat(sprintf("VIOLATION seed %.0f (%d ranks, %s): %s\n", seed, result$size, result$solver, text))
  }
}
# all ranks end alike
violations <- dualmargin:::sum_over_ranks(meeting, violations)
if (ranks$rank == 0) {
  for (word in sort(names(seen))) cat(sprintf("%6d  %s\n", seen[[word]], word))
  cat(sprintf("%.0f violations\n", violations))
}
# what is left without a farewell ends the job as failed
if (violations > 0) quit(status = 1)
Rmpi::mpi.quit()
