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

# Files of checkpoints: which problem they are of, and how they are written and read.

# ---- Which problem it is ----

# One word for each part: numbers and names as they are, what is longer by its checksum. Functions
# have none.
problem_marks <- function(family, rows, response, weights, problem) {
  marks <- unlist(lapply(problem[!names(problem) %in% c("cache_mb", "relative", "brief")], mark_of))
  c(family = family, rows = mark_of(rows), response = mark_of(response),
    weights = mark_of(weights), marks)
}

mark_of <- function(value) {
  if (is.function(value) || is.null(value)) return(NULL)
  if (isS4(value)) {
    slots <- intersect(c("Dim", "p", "i", "j", "x"), methods::slotNames(value))
    return(checksum_cpp(lapply(slots, function(name) methods::slot(value, name))))
  }
  if (is.list(value)) {
    return(unlist(lapply(value, mark_of)))
  }
  if (is.numeric(value) && length(value) == 1L) return(sprintf("%.15g", value))
  if (length(value) == 1L) return(as.character(value))
  checksum_cpp(if (is.array(value)) value else as.vector(value))
}

mark_of_file <- function(rows) checksum_cpp(list(rows$checksum, rows$share, rows$at))

# ---- The file ----
# A line that says what it is, the serialised content, and the checksum of both: nothing is made of
# bytes that do not fit their checksum, since R trusts what it unserialises.

checkpoint_title <- charToRaw("dualmargin checkpoint 1\n")
checkpoint_sum_bytes <- 16

# NULL, or what went wrong: also what closing says, which writes the last of it.
write_checkpoint <- function(file, marks, seed, points) {
  content <- list(problem = marks, seed = seed, points = points)
  draft <- sprintf("%s.draft-%d", file, Sys.getpid())
  con <- NULL
  done <- function() {
    if (!is.null(con)) try(suppressWarnings(close(con)), silent = TRUE)
    unlink(draft)
  }
  put <- function(mode, write) {
    con <<- file(draft, mode)
    write(con)
    open <- con
    con <<- NULL
    close(open)
  }
  tryCatch({
    put("wb", function(con) {
      writeBin(checkpoint_title, con)
      serialize(content, con)
    })
    sum <- file_checksum_cpp(draft, file.size(draft))
    put("ab", function(con) writeBin(charToRaw(sum), con))
    put_in_place_cpp(draft, file)
  }, error = function(condition) conditionMessage(condition),
  warning = function(condition) conditionMessage(condition), finally = done())
}

read_checkpoint <- function(file) {
  fail <- function(fault, remedy) {
    abort_input(sprintf("`start`: \"%s\" %s; %s.", file, fault, remedy), "start")
  }
  if (!file.exists(file)) {
    fail("is not there", "leave `start` out: a run with a `checkpoint` of that name writes it")
  }
  content <- tryCatch(suppressWarnings(checked_content(file)), error = function(condition) {
    fail(sprintf("cannot be read (%s)", conditionMessage(condition)), "give one that can be")
  })
  if (is.character(content)) fail(content[1L], content[2L])
  content
}

# The list that write_checkpoint() was given, or what is wrong with the file, and the remedy.
checked_content <- function(file) {
  con <- file(file, "rb")
  on.exit(close(con))
  bytes <- file.size(file) - checkpoint_sum_bytes
  title <- readBin(con, raw(), length(checkpoint_title))
  if (bytes < length(title) || !identical(title, checkpoint_title)) {
    return(c("is no checkpoint of this version of the package",
             "give a file that margin_control(checkpoint = ) wrote"))
  }
  sum <- file_checksum_cpp(file, bytes)
  if (!identical(charToRaw(sum), file_end(file, bytes))) {
    return(c("is damaged or cut off: its bytes do not fit their checksum",
             "leave `start` out and begin again"))
  }
  unserialize(con)
}

# What follows after so many bytes.
file_end <- function(file, bytes) {
  con <- file(file, "rb")
  on.exit(close(con))
  seek(con, bytes)
  readBin(con, raw(), checkpoint_sum_bytes + 1)
}

# What is there already must not be lost.
assert_checkpoint_place <- function(file) {
  if (dir.exists(file)) {
    abort_input(sprintf("`checkpoint`: \"%s\" is a folder; name a file in it.", file), "checkpoint")
  }
  if (file.access(dirname(file), 2L) != 0L) {
    abort_input(sprintf("`checkpoint`: \"%s\" cannot be written; give a folder of yours.", file),
                "checkpoint")
  }
  if (!file.exists(file)) {
    return(invisible())
  }
  tryCatch(read_checkpoint(file), dualmargin_input_error = function(condition) {
    abort_input(sprintf(paste(
      "`checkpoint`: \"%s\" is there already and is no checkpoint that can be read; remove it, or",
      "give another name."
    ), file), "checkpoint")
  })
}

# ---- From the file to the core ----

checkpoint_start <- function(file, marks) {
  content <- read_checkpoint(file)
  assert_same_problem(file, content$problem, marks)
  start_of_points(content$points)
}

start_of_points <- function(points) {
  known <- setdiff(unique(unlist(lapply(points, names))), c("near", "value", "bound"))
  start <- lapply(stats::setNames(known, known), function(name) {
    parts <- lapply(points, `[[`, name)
    size <- max(vapply(parts, NROW, 0))
    # a class problem that has not begun, or has no dual point yet
    do.call(cbind, lapply(parts, function(part) if (length(part) == 0L) rep(NaN, size) else part))
  })
  start <- start[vapply(start, length, 0L) > 0L]
  # of all classes in one problem
  if (is.matrix(points[[1L]]$coefficients)) start$intercept <- drop(start$intercept)
  start
}

assert_same_problem <- function(file, theirs, ours) {
  known <- union(names(ours), names(theirs))
  other <- known[!mapply(identical, unname(theirs[known]), unname(ours[known]))]
  if (length(other) == 0L) {
    return(invisible())
  }
  part <- other[1L]
  of <- switch(
    part,
    family = sprintf("of margin_%s()", theirs[["family"]]),
    rows = "of other rows, or of the same in another form",
    response = "of another response",
    weights = "of rows with other weights",
    sprintf("of another `%s` (%s)", part, theirs[part])
  )
  abort_input(sprintf(paste(
    "`start`: \"%s\" is the checkpoint of another problem, %s; leave `start` out, or give the rows",
    "and arguments of that run."
  ), file, of), "start")
}
