# Files that a run leaves for another to go on from.

#' Checkpoints of long runs
#'
#' A run of hours need not begin again after a crash, a power cut or Ctrl-C. With
#' `margin_control(checkpoint = "run.rds")` a fit writes the best point that it has found into this
#' file, every ten minutes and when it ends uncertified. With `margin_control(start = "run.rds")` the
#' same fit goes on from there. It ends with the certificate that it would have had: a certificate
#' is made of the point that is returned,
#' however that was found.
#'
#' A file is written
#' * while the run goes on, every ten minutes, or as often as `checkpoint = list(file = "run.rds",
#'   minutes = 1)` says;
#' * at an interrupt (Ctrl-C), an error in a function of yours that the fit calls (a kernel, a
#'   perturbation), or a file of rows that cannot be read on;
#' * at the end of a run that is not certified, as by `max_seconds`.
#'
#' It is written beside the old one, under another name, brought down to the disk, and then takes
#' its place: after a crash or a power cut there is a whole one. A run that is certified leaves the
#' file as it is; remove it with `file.remove()`.
#'
#' For each class problem the file has coefficients and intercept and the dual variables, where the
#' family has any: numbers and words alone. Kernel fits keep the dual variables, which their
#' function is made of. It is the same for rows in memory and in a file, and for one-vs-rest classes,
#' of which some may not have begun. The file is no fit: nothing is certified by it. It ends with the
#' checksum of its bytes, and nothing is made of them before it holds: a file that is damaged anywhere is an
#' error.
#'
#' Families that take a `start` write checkpoints: [margin_linear()], [margin_kernel()],
#' [margin_robust()], [margin_augmented()], [margin_oneclass()]. [margin_hard()] and
#' functions that make many fits ([margin_path()], [margin_cv()], [margin_compare()], ...) do not; a
#' checkpoint is an error there.
#'
#' Of several ranks ([mpi_ranks()]) rank 0 writes coefficients and the dual variables of its rows
#' into the file, and rank `r` those of its own rows into `run.rds.rank-r` beside it, in a folder
#' that all of them see. Any number of ranks goes on from there whose rows, rank after rank, are the
#' same in the same order, as shares of one file are; without all parts it goes on from the
#' coefficients.
#'
#' Limits, tolerance, solver and threads may be others when a run goes on; the problem and the rows
#' may not. Where rows are drawn (`mixup`, `nystrom`) without a `seed`, the drawn seed is in the
#' file, and is used again.
#'
#' @section Errors:
#' Of class `dualmargin_input_error`, with the name of the file: as a `start` a file that is
#' missing, cut off, changed, or not one of these; one of another family, other rows, labels or
#' weights, another loss, `lambda` or other argument of the problem, which the message names. As a
#' `checkpoint` a folder that is not there, and a file that is there already and is no checkpoint,
#' which is not overwritten. If a file cannot be written later, as on a full disk, the run goes on;
#' a warning of class `dualmargin_checkpoint_failed` says so at its end.
#' @seealso [margin_control()], `vignette("large")`
#' @examples
#' file <- tempfile(fileext = ".rds")
#' short <- margin_control(max_epochs = 2, seed = 1, checkpoint = file)
#' fit <- suppressWarnings(
#'   margin_linear(a1a$x, a1a$y, loss = "hinge", lambda = 1e-4, control = short)
#' )
#' certificate(fit)$certified
#' # on from there
#' again <- margin_control(seed = 1, start = file)
#' certificate(margin_linear(a1a$x, a1a$y, loss = "hinge", lambda = 1e-4, control = again))
#' @name checkpoints
NULL

# The name of a file, or list(file, minutes) -> what is written, or gone on from; minutes: the least
# time between two writings.
as_checkpoint <- function(x, arg) {
  given <- if (is.list(x)) unclass(x) else list(file = x)
  if (is.null(names(given)) || !all(names(given) %in% c("file", "minutes")) || is.null(given$file)) {
    abort_input(sprintf(
      "`%s` is %s, but must be the name of a file, or list(file = , minutes = ).", arg, show_value(x)
    ), arg)
  }
  file <- given$file
  assert_file_name(file, arg)
  minutes <- if (is.null(given$minutes)) 10 else given$minutes
  assert_number(minutes, "minutes", lower = 0, remedy = "10 is a file every ten minutes")
  folder <- dirname(path.expand(file))
  if (!dir.exists(folder)) {
    abort_input(sprintf("`%s` is \"%s\", in a folder that is not there; make it by dir.create().",
                        arg, file), arg)
  }
  structure(list(file = file.path(normalizePath(folder), basename(file)), minutes = minutes),
            class = "margin_checkpoint")
}

is_checkpoint <- function(x) inherits(x, "margin_checkpoint")

# For what makes many fits, or takes no start.
refuse_checkpoint <- function(control, caller) {
  if (!inherits(control, "margin_control")) {
    return(invisible())
  }
  for (arg in c("checkpoint", "start")) {
    if (is_checkpoint(control[[arg]])) {
      abort_input(sprintf(paste(
        "`%s` of the control is a checkpoint, which %s neither writes nor starts from; leave it",
        "out. Single fits of margin_linear(), margin_kernel(), margin_robust(),",
        "margin_augmented() and margin_oneclass() do."
      ), arg, caller), arg)
    }
  }
}

# A fit to start from, if it is one.
start_fit <- function(settings) {
  start <- settings$control$start
  if (!is_checkpoint(start)) start
}

# A run that leaves checkpoints, or goes on from one, draws rows by a seed that is known.
known_seed <- function(settings) {
  control <- settings$control
  if (!is.null(control$seed)) return(control$seed)
  if (is_checkpoint(control$start)) return(read_checkpoint(control$start$file)$seed)
  drawn <- !is.null(settings$mixup) || !is.null(settings$nystrom)
  if (drawn && !is.null(control$checkpoint)) resolve_seed(NULL)
}

# solve(control), from a checkpoint and with one where `asked`, the user's control, says so. family,
# rows, response, weights, problem: what the core is given.
with_checkpoint <- function(asked, control, solve, family, rows, response, weights, problem) {
  if (!is_checkpoint(asked$start) && is.null(asked$checkpoint)) {
    return(solve(control))
  }
  if (isTRUE(problem$brief)) refuse_checkpoint(asked, "margin_path()")
  if (is_meeting(asked$ranks)) {
    return(with_checkpoint_on_ranks(asked$ranks, asked, control, solve, family, rows, response,
                                    weights, problem))
  }
  marks <- problem_marks(family, rows, response, weights, problem)
  if (is_checkpoint(asked$start)) {
    control$start <- checkpoint_start(asked$start$file, marks)
  }
  if (is.null(asked$checkpoint)) {
    return(solve(control))
  }
  file <- asked$checkpoint$file
  writing_checkpoint(file, asked, control, solve, function(points) {
    write_checkpoint(file, marks, control$seed, points)
  })
}

# solve(control), which hands its points to `put`: NULL, or what went wrong with the file.
writing_checkpoint <- function(file, asked, control, solve, put) {
  assert_checkpoint_place(file)
  fault <- NULL
  write <- function(points) fault <<- suspendInterrupts(put(points))
  control$checkpoint <- list(seconds = 60 * asked$checkpoint$minutes, write = write)
  result <- solve(control)
  if (!is.null(fault)) {
    warning(structure(
      class = c("dualmargin_checkpoint_failed", "warning", "condition"),
      list(message = sprintf("The checkpoint \"%s\" could not be written (%s); %s.", file, fault,
                             "give another place, or make room"), call = NULL)
    ))
  }
  result
}
