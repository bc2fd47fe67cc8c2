# Rows in a file, by the entries of the core that write_rows() is made of.

# As read_rows() opens them. Chunks of `chunk` rows, so that a small file has several.
disk_rows <- function(x, y = NULL, weights = NULL, loss = NULL, chunk = 37L,
                      path = tempfile(fileext = ".rows")) {
  core <- dualmargin:::core_matrix(x)
  n <- nrow(core)
  response <- if (!is.null(y)) suppressMessages(dualmargin:::code_response(y, loss, n))
  done <- function(answer) dualmargin:::from_rows_file(answer)
  draft <- done(dualmargin:::rows_file_begin_cpp(dualmargin:::rows_draft(path, isS4(core))))
  for (from in seq(1L, n, by = chunk)) {
    part <- core[from:min(n, from + chunk - 1L), , drop = FALSE]
    draft <- done(dualmargin:::rows_file_append_cpp(draft, dualmargin:::in_core_form(part)))
  }
  notes <- dualmargin:::rows_notes(
    ncol(core), if (is.null(y)) "" else response$task, as.character(response$levels)
  )
  weights <- if (!is.null(weights)) as.double(weights)
  info <- done(dualmargin:::rows_file_finish_cpp(draft, response$codes, weights, notes))
  structure(
    c(info[c("path", "n", "d", "sparse", "entries", "bytes", "checksum", "labels", "weights")],
      list(task = response$task, levels = response$levels, type = response$type,
           response_name = "y", features = dualmargin:::feature_names(colnames(core), ncol(core)),
           intercept = TRUE, interface = "matrix", coded_sparse = isS4(core))),
    class = "margin_rows"
  )
}

# What a fit says, without the seconds it took and what it was called by.
fit_said <- function(fit) {
  fit$status$seconds <- fit$call <- fit$settings$control$threads <- fit$file <- NULL
  fit$fingerprint <- NULL # of a file its own
  fit$trace <- fit$trace[setdiff(names(fit$trace), "seconds")]
  fit
}
