# The ranks of a job under MPI: which of them this process is.

#' Rank of an MPI process
#'
#' A job under MPI runs the same script in many processes, its *ranks*, on one machine or on many.
#' `mpi_ranks()` says which of them this process is, and how many there are. With `read_rows(path,
#' share = mpi_ranks())` each rank has its own part of one file of rows: the script is the same for
#' all of them, and `mpirun` or `srun` starts it. With `margin_control(ranks = mpi_ranks())`
#' [margin_linear()], [margin_path()] and [margin_cv()] fit the rows of all ranks as one problem.
#'
#' Ranks count from 0: rank k of K has share k + 1 of K. Shares differ by one row at most.
#'
#' The engine is an R package that speaks MPI; loading it starts MPI in this process. Without
#' `mpirun` or `srun` there is one rank. End the script as the engine asks for it, with
#' `Rmpi::mpi.quit()` or `pbdMPI::finalize()`.
#'
#' @param engine The package that speaks MPI: `"Rmpi"` unless you name the other one, by which
#'   shares can be had, but no fit adds up.
#' @param comm The number of the communicator in that engine, from 0 to 9: 0 is the one of all
#'   processes of the job.
#' @returns A list of class `"mpi_ranks"` with `engine`, `comm`, the `rank` of this process (from 0)
#'   and the `size`, the number of ranks.
#' @section What an exchange costs:
#' A fit exchanges sums through R, one after another, on the main thread; each waits for the slowest
#' rank and for the network. Threads (`margin_control(threads = )`, 1 a rank by default) work inside
#' a pass over rows.
#' @section Errors:
#' Of class `dualmargin_input_error`: an engine that is not installed, or that cannot start MPI,
#' with what it says; a communicator that the engine does not have. Package Rmpi says "Cannot start
#' MPI_Init()" where the file `libmpi.so` is missing, which Debian and Ubuntu have in package
#' libopenmpi-dev.
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
mpi_ranks <- function(engine = c("Rmpi", "pbdMPI"), comm = 0, ...) {
  assert_no_extra("mpi_ranks()", ...)
  if (identical(engine, names(mpi_engines))) engine <- engine[1L]
  assert_choice(engine, names(mpi_engines), "engine")
  assert_number(comm, "comm", lower = 0, upper = 9, open = FALSE, whole = TRUE,
                remedy = "0 has all processes of the job")
  asked <- mpi_engine(engine)
  size <- asked$size(comm)
  if (!isTRUE(size >= 1)) {
    abort_input(sprintf(
      "`comm` is %.0f, a communicator that %s does not have; 0 has all processes of the job.", comm,
      engine
    ), "comm")
  }
  structure(list(engine = engine, comm = as.double(comm), rank = as.double(asked$rank(comm)),
                 size = as.double(size)), class = "mpi_ranks")
}

# What each of them calls the rank and the size of a communicator.
mpi_engines <- list(Rmpi = c(rank = "mpi.comm.rank", size = "mpi.comm.size"),
                    pbdMPI = c(rank = "comm.rank", size = "comm.size"))

# The functions rank(comm) and size(comm) of an engine that has started.
mpi_engine <- function(engine) {
  installed <- function(name) nzchar(system.file(package = name))
  if (!installed(engine)) {
    others <- Filter(installed, names(mpi_engines))
    more <- if (length(others) > 0L) sprintf(", or use engine = \"%s\"", others[1L]) else
      " (Debian: r-cran-rmpi, openmpi-bin and libopenmpi-dev)"
    abort_input(sprintf("`engine` is \"%s\", a package that is not installed; install it%s.",
                        engine, more), "engine")
  }
  tryCatch(loadNamespace(engine), error = function(condition) {
    said <- sub("[.]?\\s*$", "", conditionMessage(condition))
    abort_input(sprintf("`engine` %s did not start: %s; %s.", engine, gsub("\\s+", " ", said),
                        mpi_remedy(said)), "engine")
  })
  lapply(mpi_engines[[engine]], function(name) getExportedValue(engine, name))
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
  cat(sprintf("Rank %.0f of %.0f (from 0), by %s, communicator %.0f\n", x$rank, x$size, x$engine,
              x$comm))
  invisible(x)
}

# c(k, K), as read_rows() takes it.
share_of_ranks <- function(x) {
  c(x$rank + 1, x$size)
}

# Those that a fit adds up over.
adding_ranks <- function(x) {
  if (!inherits(x, "mpi_ranks")) {
    abort_input(sprintf("`ranks` is %s, but must be made by mpi_ranks(), or NULL.", show_value(x)),
                "ranks")
  }
  if (x$engine != "Rmpi") {
    abort_input(sprintf(paste(
      "`ranks` are those of engine \"%s\", which fits are not tested with; they add up by Rmpi",
      "alone: mpi_ranks(\"Rmpi\")."
    ), x$engine), "ranks")
  }
  x
}
