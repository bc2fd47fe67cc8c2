# Rows in a file of several chunks, and what is compared of fits to them.

disk_rows <- function(x, y = NULL, weights = NULL, chunk = 37L, path = tempfile(fileext = ".rows")) {
  quietly(write_rows(x, path, y = y, weights = weights, chunk = chunk))
  read_rows(path)
}

# What a fit says, without the seconds it took and what it was called by.
fit_said <- function(fit) {
  fit$status$seconds <- fit$call <- fit$settings$control$threads <- fit$file <- NULL
  fit$fingerprint <- NULL # of a file its own
  fit$trace <- fit$trace[setdiff(names(fit$trace), "seconds")]
  fit
}
