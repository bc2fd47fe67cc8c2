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
