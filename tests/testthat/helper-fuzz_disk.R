# The linear campaign with rows in a file: what write_rows() made of a case's rows gives the fit of
# the same rows in memory, to the bit, or is refused as that is. The fit in memory is judged, or one
# by a solver that reads rows in whole passes is made for this alone.

# A third of the linear problems, by the number: the draws of older cases stay what they were.
disk_share <- function(case) case$family == "linear" && case$seed %% 3L == 0L

# A solver of whole passes for this case: its own, or one by the number; NULL where there is none.
disk_solver <- function(case) {
  args <- case$args
  if (identical(args$multiclass, "crammer_singer")) {
    return(NULL)
  }
  able <- setdiff(family_field("linear", "whole_pass"), "auto")
  if (!is.null(args$multiclass)) able <- intersect(able, joint_solvers)
  if (case$row$name %in% able) {
    return(case$row$name)
  }
  loss <- if (is.null(args$loss)) as_loss("hinge") else args$loss
  mixture <- if (is.null(args$mixture)) 0 else args$mixture
  rows <- Filter(function(row) {
    row$family == "linear" && row$name %in% able && (!is.null(args$multiclass) ||
      solver_takes(row, loss, args$intercept, mixture))
  }, solver_rows())
  if (length(rows) > 0L) rows[[1L + (case$seed %/% 3L) %% length(rows)]]$name
}

# run: the fit in memory by `args`. What differs, as run_case() tells a fit; NULL where the case is
# none for a file.
fit_on_disk <- function(case, x, args, run) {
  solver <- if (disk_share(case)) disk_solver(case)
  if (is.null(solver)) {
    return(NULL)
  }
  if (solver != case$row$name) {
    args$solver <- solver
    args$control$solver_options <- list()
    args$control$max_epochs <- min(args$control$max_epochs, 100)
    args$control["start"] <- list(NULL)
    run <- fit_case(case, x, args)
  }
  path <- tempfile(fileext = ".rows")
  on.exit(unlink(path))
  # as many threads as the number says: they change nothing
  args$control$threads <- 1 + case$seed %% 2
  chunk <- c(7, 37, 1e5)[1 + case$seed %/% 6 %% 3]
  disk <- watched({
    write_rows(x, path, y = case$y, weights = args$weights, chunk = chunk)
    args$weights <- NULL
    do.call(margin_linear, c(list(read_rows(path)), args))
  })
  if (is.null(run$fit) || is.null(disk$fit)) {
    return(list(outcome = "refused", found = check_refusals(case, x, run, disk)))
  }
  one <- fit_said(disk$fit)
  two <- fit_said(run$fit)
  fields <- union(names(one), names(two))
  differ <- Filter(function(name) !identical(one[[name]], two[[name]]), fields)
  late <- by_clock(run, args) || by_clock(disk, args)
  list(outcome = outcome_of(disk$fit), found = if (late || identical(one, two)) {
    character()
  } else {
    sprintf("ROWS IN A FILE GIVE ANOTHER FIT (%s): %s", solver, toString(differ))
  })
}

check_refusals <- function(case, x, run, disk) {
  # without a loss, numbers that are all 0 or 1 are labels of one class
  one_class <- is.numeric(case$y) && length(unique(case$y)) == 1L &&
    identical(disk$error$arg, "y")
  if (one_class) {
    return(character())
  }
  if (!identical(class(run$error), class(disk$error))) {
    said <- function(run) if (is.null(run$fit)) conditionMessage(run$error) else "a fit"
    return(wrong("A FILE IS REFUSED OTHERWISE", memory = said(run), disk = said(disk)))
  }
  check_error(disk$error, case, x)
}

# A run that is cut off leaves a checkpoint; no other starts from it once a bit of it has flipped.
# By the number, so that no draw moves; NULL where there is no checkpoint.
damaged_checkpoint <- function(case, x, args) {
  if (!case$family %in% c("linear", "kernel") || case$seed %% 5L != 1L) {
    return(NULL)
  }
  file <- tempfile(fileext = ".checkpoint")
  on.exit(unlink(file))
  args$control["start"] <- list(NULL)
  args$control$max_epochs <- 1
  args$control$checkpoint <- as_checkpoint(file, "checkpoint")
  fit_case(case, x, args)
  if (!file.exists(file)) {
    return(NULL)
  }
  bytes <- readBin(file, "raw", file.size(file))
  args$control["checkpoint"] <- list(NULL)
  args$control$start <- as_checkpoint(file, "start")
  found <- character()
  for (k in 1:5) {
    place <- 1 + (7919 * k * case$seed) %% length(bytes)
    bit <- as.raw(2^((case$seed + k) %% 8))
    writeBin(replace(bytes, place, xor(bytes[place], bit)), file)
    error <- fit_case(case, x, args)$error
    if (!inherits(error, "dualmargin_input_error") || !identical(error$arg, "start")) {
      found <- c(found, wrong("A DAMAGED CHECKPOINT IS TAKEN", byte = place))
    }
  }
  list(outcome = "refused", found = found)
}
