# What is certain of a linear fit whose rows are in a file, of which src/region reads blocks.

# A part of a file, or of its columns, is none that the core reads for this.
assert_certain_file <- function(fit, rows, arg = "data") {
  assert_rows(rows, arg)
  if (!inherits(fit, "margin_linear")) refuse_rows(arg)
  if (!is.null(rows$share) || !is.null(rows$at)) {
    abort_input(sprintf(
      "`%s` is a share of the rows of a file; give all of them, read_rows(\"%s\").", arg,
      basename(rows$path)
    ), arg)
  }
  if (!identical(rows$features, fit$features)) {
    abort_input(sprintf("`%s` has other columns than the fit; give the rows of the fit.", arg), arg)
  }
}

certain_of_file <- function(fit, rows) {
  question <- question_of_fit(fit)
  frame <- frame_of_fit(fit, move = question$free)
  found <- from_rows_file(in_core(certain_file_cpp(rows_of_core(rows), frame, question)), "data")
  if (identical(question$mu, 0)) abort_lasso(fit, question, found$problems)
  new_certain(fit, found, certain_level(fit))
}

# Blocks of a file of new rows, one below another; `data` as for predict().
predict_file_certain <- function(certain, rows, ...) {
  rows <- design_stored(certain$fit, rows, TRUE)$x
  tables <- NULL
  for_blocks(rows, function(which) {
    block <- rows_block(rows, which)
    colnames(block) <- certain$fit$features
    tables <<- c(tables, list(stats::predict(certain, block, ...)))
  })
  do.call(rbind, tables)
}
