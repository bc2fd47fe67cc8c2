# The ranks of a job under MPI: which of them this process is.

#' Rank of an MPI process
#'
#' Fit rows that several processes or machines have. A job under MPI runs the same script in many
#' processes, its *ranks*, on one machine or on many.
#' `mpi_ranks()` says which of them this process is, and how many there are. With `read_rows(path,
#' share = mpi_ranks())` each rank has its own part of one file of rows: the script is the same for
#' all of them, and `mpirun` or `srun` starts it. With `margin_control(ranks = mpi_ranks())`
#' [margin_linear()], [margin_path()] and [margin_cv()] fit the rows of all ranks as one problem, and
#' [margin_audit()] judges a fit on them.
#'
#' Ranks count from 0: rank k of K has share k + 1 of K. Shares differ by one row at most.
#'
#' Package Rmpi speaks MPI; loading it starts MPI in this process. Without `mpirun` or `srun` there
#' is one rank. End the script with `Rmpi::mpi.quit()`.
#'
#' @param comm The number of the communicator in Rmpi, from 0 to 9: 0 is the one of all processes of
#'   the job.
#' @returns A list of class `"mpi_ranks"` with `comm`, the `rank` of this process (from 0) and the
#'   `size`, the number of ranks.
#' @section Fits of the rows of all ranks:
#' Each rank gives [margin_linear()] its own rows, or its share of a file, and
#' `control = margin_control(ranks = mpi_ranks())`. The fit is that of the rows of all ranks: value,
#' bound and steps are sums over rows, and ranks exchange such sums, as long as the coefficients or
#' shorter, never rows. The classes, the sum of the weights, class weights, scales, the `lambda` of
#' `cost` and the unit of a response are those of all rows. A rank may have any number of rows, also
#' none, of one class, or all of the weight. Solvers are those for rows in a file; `"auto"` is the
#' same. Formulas code their columns from the rows of one rank: give matrices, or write one file.
#'
#' Every rank returns the same object, to the last bit, but for what belongs to its rows (decision
#' values, dual variables, weights, response), with an element `exchanged`: the number of ranks, of
#' exchanges, of doubles that each rank gave, and the seconds that rank 0 spent in them. For the
#' same number of ranks fits repeat bit by bit as long as a sum has no more than 1e5 doubles over
#' all ranks; longer ones are added by MPI, in an order of its own, and what holds then is the
#' certificate.
#'
#' Columns, arguments and package versions that differ between ranks are an error on all of them
#' before the first pass. What stops one rank (a bad value, no memory) stops all, with its message
#' and class `dualmargin_rank_error`; a rank that dies ends the job (of `srun` with
#' `--kill-on-bad-exit=1`), and [checkpoints] has what was found. [margin_path()] and
#' [margin_cv()] (with `x` and `y`, or rows in a file) take the same control: points and folds go in
#' turn, the folds are those of all rows, rank after rank; [margin_audit()] takes it, too. Predictions
#' need no ranks.
#' @section What an exchange costs:
#' A fit exchanges sums through R, one after another, on the main thread; each waits for the slowest
#' rank and for the network. Threads (`margin_control(threads = )`, 1 a rank by default) work inside
#' a pass over rows.
#' @section Errors:
#' Of class `dualmargin_input_error`: Rmpi is not installed, or cannot start MPI, with what it says; a
#' communicator that it does not have. It says "Cannot start MPI_Init()" where the file `libmpi.so` is
#' missing, which Debian and Ubuntu have in package libopenmpi-dev.
#' @seealso [margin_linear()], [read_rows()], `vignette("large")`
#' @examples
#' # a script that `mpirun -n 4 Rscript script.R` runs has in each of its processes
#' \dontrun{
#' ranks <- mpi_ranks()
#' rows <- read_rows("visits.rows", share = ranks)
#' fit <- margin_linear(rows, loss = "logistic", control = margin_control(ranks = ranks))
#' if (ranks$rank == 0) saveRDS(fit, "fit.rds")
#' Rmpi::mpi.quit()
#' }
#' # by hand: the second of four parts
#' path <- tempfile(fileext = ".rows")
#' write_rows(a1a$x, path, y = factor(a1a$y))
#' read_rows(path, share = c(2, 4))
#' @export
mpi_ranks <- function(comm = 0, ...) {
  assert_no_extra("mpi_ranks()", ...)
  assert_number(comm, "comm", lower = 0, upper = 9, open = FALSE, whole = TRUE,
                remedy = "0 has all processes of the job")
  asked <- mpi_engine()
  size <- asked$size(comm)
  if (!isTRUE(size >= 1)) {
    abort_input(sprintf(
      "`comm` is %.0f, a communicator that Rmpi does not have; 0 has all processes of the job.", comm
    ), "comm")
  }
  structure(list(comm = as.double(comm), rank = as.double(asked$rank(comm)),
                 size = as.double(size)), class = "mpi_ranks")
}

# The functions rank(comm) and size(comm) of MPI, which has started.
mpi_engine <- function(package = "Rmpi") {
  if (!nzchar(system.file(package = package))) {
    abort_input(paste(
      "`ranks` need package Rmpi, which is not installed; install it (Debian: r-cran-rmpi, openmpi-bin",
      "and libopenmpi-dev)."
    ), "ranks")
  }
  tryCatch(loadNamespace(package), error = function(condition) {
    said <- sub("[.]?\\s*$", "", conditionMessage(condition))
    abort_input(sprintf("`ranks` need package Rmpi, which did not start: %s; %s.",
                        gsub("\\s+", " ", said), mpi_remedy(said)), "ranks")
  })
  list(rank = getExportedValue(package, "mpi.comm.rank"),
       size = getExportedValue(package, "mpi.comm.size"))
}

mpi_remedy <- function(said) {
  if (grepl("MPI_Init|libmpi", said)) {
    "it opens libmpi.so, which Debian and Ubuntu have in package libopenmpi-dev; install that"
  } else {
    "run the script by mpirun or srun of the MPI that the package was built with"
  }
}

#' @rdname mpi_ranks
#' @param x What `mpi_ranks()` returned.
#' @param ... Not used; an unknown argument is an error.
#' @export
print.mpi_ranks <- function(x, ...) {
  cat(sprintf("Rank %.0f of %.0f (from 0), communicator %.0f\n", x$rank, x$size, x$comm))
  invisible(x)
}

# Those that a fit adds up over.
adding_ranks <- function(x) {
  if (!inherits(x, "mpi_ranks")) {
    abort_input(sprintf("`ranks` is %s, but must be made by mpi_ranks(), or NULL.", show_value(x)),
                "ranks")
  }
  x
}

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

# How the ranks of a job talk to one another while a fit is made of the rows of all of them.
#
# Every exchange begins with a block of one size from each rank: is it about to stop, the number and
# kind of the exchange, how many numbers it is about, and the first of these. So a rank that stops
# can say so whatever the others are about to add up, and ranks that do not ask for the same thing
# are told: both end all of them with one message, and nobody waits for ever. Few numbers, as most
# exchanges have, need no second message.
#
# Up to `most_in_order` numbers are gathered and added in the order of the ranks, on each: a sum
# then has the same bits for the same number of ranks. More of them are added by MPI, in an order of
# its own.

block_size <- 32L
block_head <- 4L
most_in_order <- 1e5
exchanges <- c(sum = 1, max = 2, gather = 3, end = 4)

# ranks: an mpi_ranks(). The one way to reach MPI; what it adds up may stand here for tests.
open_meeting <- function(ranks, calls = mpi_calls(ranks)) {
  now <- c(calls$rank(), calls$size())
  if (!identical(as.double(now), c(ranks$rank, ranks$size))) {
    abort_input(sprintf(paste(
      "`ranks` is rank %.0f of %.0f by communicator %.0f, which is gone or another one now; make it",
      "again by mpi_ranks()."
    ), ranks$rank, ranks$size, ranks$comm), "ranks")
  }
  self <- new.env(parent = emptyenv())
  self$rank <- ranks$rank
  self$size <- ranks$size
  self$calls <- calls
  # inside: is MPI at work, which then cannot be asked for anything else; over: has everyone left?
  self$inside <- self$over <- FALSE
  self$serial <- self$seconds <- self$numbers <- self$messages <- 0
  structure(self, class = "mpi_meeting")
}

is_meeting <- function(x) inherits(x, "mpi_meeting")

# Of MPI, for x as many numbers on every rank: gather(x), those of all in the order of the
# ranks; sum(x), max(x). Numbers are doubles, type 2 of Rmpi.
mpi_calls <- function(ranks) {
  of <- function(name) getExportedValue("Rmpi", name)
  comm <- as.integer(ranks$comm)
  basic <- mpi_engine()
  gather <- of("mpi.allgather")
  reduce <- of("mpi.allreduce")
  size <- ranks$size
  list(
    rank = function() basic$rank(comm), size = function() basic$size(comm),
    gather = function(x) gather(x, 2L, numeric(length(x) * size), comm),
    sum = function(x) reduce(x, 2L, "sum", comm), max = function(x) reduce(x, 2L, "max", comm)
  )
}

ask_mpi <- function(self, how, x) {
  self$inside <- TRUE
  began <- as.numeric(Sys.time())
  answer <- self$calls[[how]](x)
  self$seconds <- self$seconds + as.numeric(Sys.time()) - began
  self$messages <- self$messages + 1
  self$numbers <- self$numbers + length(x)
  self$inside <- FALSE
  answer
}

# The blocks of all ranks, a column each.
exchange_blocks <- function(self, kind, x = numeric(), fault = 0) {
  self$serial <- self$serial + 1
  block <- numeric(block_size)
  block[seq_len(block_head)] <- c(fault, self$serial, exchanges[[kind]], length(x))
  few <- seq_len(min(length(x), block_size - block_head))
  block[block_head + few] <- x[few]
  matrix(ask_mpi(self, "gather", block), block_size)
}

# The numbers x of all ranks, a column each; NULL where there are too many of them.
exchanged <- function(self, kind, x) {
  x <- as.double(x)
  if (self$over) stop("the ranks of this fit have left one another", call. = FALSE)
  blocks <- exchange_blocks(self, kind, x)
  if (any(blocks[1L, ] != 0)) end_by_fault(self, blocks[1L, ] != 0)
  if (any(blocks[2:block_head, ] != blocks[2:block_head, 1L])) {
    self$over <- TRUE
    abort_rank(paste("The ranks do not ask for the same sums; start all of them with the same",
                     "script and the same arguments"))
  }
  if (length(x) <= block_size - block_head) {
    return(blocks[block_head + seq_along(x), , drop = FALSE])
  }
  if (kind == "gather" || length(x) * self$size <= most_in_order) {
    matrix(ask_mpi(self, "gather", x), length(x))
  }
}

# Of all ranks, and the same bits on each.
sum_over_ranks <- function(self, x) {
  parts <- exchanged(self, "sum", x)
  if (is.null(parts)) return(ask_mpi(self, "sum", as.double(x)))
  total <- parts[, 1L]
  for (r in seq_len(self$size)[-1L]) total <- total + parts[, r]
  total
}
max_over_ranks <- function(self, x) {
  parts <- exchanged(self, "max", x)
  if (is.null(parts)) return(ask_mpi(self, "max", as.double(x)))
  most <- parts[, 1L]
  for (r in seq_len(self$size)[-1L]) most <- pmax(most, parts[, r])
  most
}

# A value of each rank, all of them on every rank, in order.
of_all_ranks <- function(self, value) {
  bytes <- serialize(value, NULL, version = 3)
  sizes <- exchanged(self, "gather", as.double(length(bytes)))
  packed <- exchanged(self, "gather", packed_bytes(bytes, max(sizes)))
  lapply(seq_len(self$size), function(r) {
    unserialize(unpacked_bytes(packed[, r])[seq_len(sizes[r])])
  })
}

# Six bytes a number, which then is a whole one, whatever an engine does with it.
packed_bytes <- function(bytes, size) {
  all <- c(as.double(bytes), numeric(6 * ceiling(size / 6) - length(bytes)))
  colSums(matrix(all, 6L) * 256^(0:5))
}
unpacked_bytes <- function(numbers) {
  as.raw(vapply(numbers, function(x) (x %/% 256^(0:5)) %% 256, numeric(6L)))
}

# ---- The end of all of them ----

# body(control), of which several ranks are at work where the control says so: what ends it on one
# rank ends it on all. Only rank 0 talks.
on_ranks <- function(control, body) {
  ranks <- if (inherits(control, "margin_control") && is.list(control)) unclass(control)$ranks
  if (is.null(ranks) || is_meeting(ranks)) {
    return(body(control))
  }
  self <- open_meeting(ranks)
  control$ranks <- self
  if (self$rank > 0) control$progress <- FALSE
  on.exit(tell_fault(self, simpleError("it was interrupted")))
  quiet <- function(condition) if (self$rank > 0) invokeRestart("muffleMessage")
  value <- tryCatch(
    withCallingHandlers({
      value <- body(control)
      exchanged(self, "end", numeric())
      value
    }, message = quiet),
    error = function(condition) {
      tell_fault(self, condition)
      stop(condition)
    }
  )
  self$over <- TRUE
  value
}

# Takes part in the next exchange of the others, once, to say why this rank stops.
tell_fault <- function(self, condition) {
  if (self$over || self$inside) return(invisible())
  blocks <- exchange_blocks(self, "end", fault = 1)
  end_by_fault(self, blocks[1L, ] != 0, condition)
}

# Everyone tells, or hears, why. at: which ranks stop; own: why this one does.
end_by_fault <- function(self, at, own = NULL) {
  self$over <- TRUE
  said <- if (!is.null(own)) paste(class(own)[1L], fault_text(conditionMessage(own)), sep = "\n")
  bytes <- if (is.null(said)) raw() else charToRaw(said)
  all <- matrix(ask_mpi(self, "gather", packed_bytes(bytes, fault_bytes)), ncol = self$size)
  if (!is.null(own)) return(invisible())
  first <- which(at)[1L]
  bytes <- unpacked_bytes(all[, first])
  said <- strsplit(rawToChar(bytes[bytes != 0]), "\n", fixed = TRUE)[[1L]]
  Encoding(said) <- "UTF-8"
  abort_rank(sprintf("Rank %d of %.0f (from 0) stopped: %s", first - 1L, self$size,
                     paste(said[-1L], collapse = "\n")), said[1L])
}

fault_bytes <- 1020
# So much of a message as has room, in UTF-8.
fault_text <- function(text) {
  text <- enc2utf8(paste(text, collapse = " "))
  while (nchar(text, "bytes") > fault_bytes - 100) text <- substr(text, 1L, nchar(text) * 0.9)
  text
}

# class: of the condition that stopped the other rank.
abort_rank <- function(text, class = NULL) {
  own <- class[startsWith(as.character(class), "dualmargin_")]
  stop(structure(
    class = c("dualmargin_rank_error", own, "dualmargin_error", "error", "condition"),
    list(message = paste0(text, if (!grepl("[.]$", text)) "."), call = NULL)
  ))
}
