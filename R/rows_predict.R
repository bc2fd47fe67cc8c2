# Decision values and predictions of rows in a file, block by block.

# Rows to predict, as design_newdata() has them: the columns of the file must be those of the fit,
# which has none of its own terms to code them by again. A chunk is held against its checksum before
# anything is made of its rows: where the first block comes to it, and of the rows of a fold, which
# may be in any order, in each block.
design_stored <- function(fit, rows, on_disk) {
  assert_rows(rows, "newdata")
  if (!on_disk) refuse_rows("data")
  if (!identical(rows$features, fit$features)) {
    rows$columns <- find_columns(fit$features, rows$features)
  }
  list(x = rows, na_rows = integer())
}

# About 8 MB of entries, and a million rows at most.
block_rows <- function(rows) {
  each <- max(1, if (rows$sparse) rows$entries / max(1, if (is.null(rows$of)) rows$n else rows$of) else rows$d)
  max(1, min(1e6, floor(1e6 / each)))
}

for_blocks <- function(rows, f) {
  size <- block_rows(rows)
  for (from in seq(1, rows$n, by = size)) f(from:min(rows$n, from + size - 1))
}

# The rows of these numbers as a matrix, in the columns of the fit that asks.
rows_block <- function(rows, which) {
  at <- numbers_in_file(rows)
  at <- if (is.null(at)) which else at[which]
  held <- if (!is.null(rows$at)) 0 else if (is.null(rows$share)) 1 else rows$first
  got <- from_rows_file(rows_file_read_cpp(rows$path, as.double(at), held), "newdata")
  x <- if (rows$sparse) {
    methods::new("dgRMatrix", p = got$p, j = got$j, x = got$x,
                 Dim = c(length(which), as.integer(rows$d)))
  } else {
    got$x
  }
  if (is.null(rows$columns)) {
    return(x)
  }
  if (isS4(x)) x <- methods::as(x, "CsparseMatrix")
  x[, rows$columns, drop = FALSE]
}

# score(block): a vector or a matrix; all of them one below another.
score_blocks <- function(rows, score) {
  assert_memory(8 * rows$n, "newdata", "has decision values for all of its rows",
                "predict(file = ) writes them to a file")
  scores <- NULL
  for_blocks(rows, function(which) {
    block <- score(rows_block(rows, which))
    if (is.null(scores)) {
      scores <<- if (is.matrix(block)) matrix(0, rows$n, ncol(block), dimnames = list(
        NULL, colnames(block)
      )) else numeric(rows$n)
    }
    if (is.matrix(block)) scores[which, ] <<- block else scores[which] <<- block
  })
  scores
}

# Written beside, and put in place once it is whole.
predict_to_file <- function(fit, rows, type, threshold, file) {
  if (missing(rows) || !is_rows(rows)) {
    abort_input("`file` is for rows that read_rows() has opened; leave it out.", "file")
  }
  refuse_offset(fit, "predict(file = )", "object")
  assert_file_name(file, "file")
  if (file.exists(file)) {
    abort_input(sprintf("`file`: \"%s\" is there already; remove it or give another name.", file),
                "file")
  }
  rows <- design_stored(fit, rows, TRUE)$x
  draft <- tempfile(paste0(basename(file), ".draft-"), tmpdir = dirname(file))
  on.exit(unlink(draft))
  con <- tryCatch(file(draft, "wt"), error = identity, warning = identity)
  if (inherits(con, "condition")) {
    abort_input(sprintf("`file`: \"%s\" cannot be written; give a place in a folder that is there.",
                        file), "file")
  }
  on.exit(if (!is.null(con)) suppressWarnings(close(con)), add = TRUE, after = FALSE)
  # a full disk is told by a line that cannot be written, or by closing, which writes the last ones
  say <- function(fault) {
    abort_input(sprintf("`file`: \"%s\" was not written (%s); make room, or give another place.",
                        file, sub("[.]?\\s*$", "", fault)), "file")
  }
  told <- function(expression) {
    fail <- function(condition) say(conditionMessage(condition))
    tryCatch(expression, error = fail, warning = fail)
  }
  first <- TRUE
  for_blocks(rows, function(which) {
    block <- score_design(fit, rows_block(rows, which))
    table <- present_scores(fit, block, type, threshold)
    table <- if (is.matrix(table)) as.data.frame(table) else data.frame(prediction = unname(table))
    lines <- csv_lines(table, first)
    told(writeLines(lines, con))
    first <<- FALSE
  })
  open <- con
  con <- NULL
  told(close(open))
  fault <- put_in_place_cpp(draft, file.path(normalizePath(dirname(file)), basename(file)))
  if (!is.null(fault)) say(fault)
  invisible(file)
}

# All digits of numbers; text in quotes, as write.csv() has it.
csv_lines <- function(table, named) {
  quoted <- function(text) paste0("\"", gsub("\"", "\"\"", text, fixed = TRUE), "\"")
  columns <- lapply(table, function(column) {
    if (is.double(column)) sprintf("%.17g", column) else quoted(as.character(column))
  })
  c(if (named) paste(quoted(names(table)), collapse = ","),
    do.call(paste, c(unname(columns), sep = ",")))
}
