# Parquet files as sources of rows, one group of rows after the other.

# What is in memory is one group, of which each part has `chunk` rows at most.
parquet_reader <- function(chunk) {
  reader <- parquet_package()
  file <- frame <- columns <- path <- NULL
  group <- before <- done <- 0
  fetch <- function() {
    group <<- group + 1
    frame <<- parquet_try(path, file$read(group, columns))
    names <- intersect(names(frame), file$integers)
    frame[names] <<- lapply(frame[names], doubles_of_integers)
    assert_exact_integers(frame, names, before, path)
  }
  list(
    open = function(name) {
      path <<- name
      file <<- parquet_try(path, reader(path))
      frame <<- NULL
      group <<- before <<- done <<- 0
    },
    next_part = function() {
      while (is.null(frame) || done >= nrow(frame)) {
        if (group == file$groups) return(NULL)
        before <<- before + NROW(frame)
        done <<- 0
        fetch()
      }
      from <- done + 1
      done <<- min(nrow(frame), done + chunk)
      new_part(some_rows(frame, from, done), before + from)
    },
    close = function() {
      if (!is.null(file)) file$close()
      file <<- frame <<- NULL
    },
    keep = function(names) columns <<- names
  )
}

# Opens a file: a list of the number of its groups, read(k, columns), the columns of 64-bit integers
# and close(). nanoparquet has a function that reads one group, and does not export it (0.5.2).
parquet_package <- function() {
  if (arrow_reads_parquet()) {
    return(parquet_by_arrow)
  }
  need_package("nanoparquet", "(or package arrow) reads Parquet files")
  parquet_whole
}

# Some builds of it leave Parquet out.
arrow_reads_parquet <- function() {
  requireNamespace("arrow", quietly = TRUE) && arrow::arrow_with_parquet()
}

parquet_by_arrow <- function(path) {
  bytes <- arrow::ReadableFile$create(path)
  opened <- FALSE
  on.exit(if (!opened) bytes$close())
  reader <- arrow::ParquetFileReader$create(bytes)
  fields <- reader$GetSchema()$fields
  names <- vapply(fields, function(field) field$name, "")
  is_a <- function(class) vapply(fields, function(field) inherits(field$type, class), NA)
  nested <- names[is_a("NestedType")]
  if (length(nested) > 0L) {
    abort_input(sprintf("`x`: \"%s\" has column \"%s\" of lists or structures; leave it out.",
                        basename(path), nested[1L]), "x")
  }
  groups <- reader$num_row_groups
  parquet_memory(path, reader$num_rows / max(1, groups), length(names),
                 "write it in smaller groups of rows")
  opened <- TRUE
  list(
    groups = groups, integers = names[is_a("Int64") | is_a("UInt64")],
    read = function(k, columns) {
      wanted <- if (!is.null(columns)) match(intersect(columns, names), names) - 1L
      plain_frame(as.data.frame(reader$ReadRowGroup(k - 1L, wanted)))
    },
    close = function() bytes$close()
  )
}

parquet_whole <- function(path) {
  info <- nanoparquet::read_parquet_info(path)
  parquet_memory(path, info$num_rows, info$num_cols, paste(
    "install package arrow, which reads one group of rows at a time, write several files, or give",
    "a function that returns parts of it"
  ))
  schema <- nanoparquet::read_parquet_schema(path)
  list(
    groups = 1, integers = schema$name[
      # others of this kind are dates and decimals
      schema$type %in% "INT64" & schema$r_type %in% "double" &
        !schema$converted_type %in% "DECIMAL"
    ],
    read = function(k, columns) {
      plain_frame(as.data.frame(nanoparquet::read_parquet(path, col_select = columns)))
    },
    close = function() NULL
  )
}

# At once, with what is made of them.
parquet_memory <- function(path, rows, columns, remedy) {
  assert_memory(16 * rows * columns, "x", sprintf(
    "holds %s of \"%s\" at a time", count(ceiling(rows), "row"), basename(path)
  ), remedy)
}

doubles_of_integers <- function(column) {
  if (inherits(column, "integer64")) doubles_of_integer64(column) else as.double(column)
}

parquet_try <- function(path, expression) {
  tryCatch(expression, error = function(condition) {
    if (inherits(condition, "dualmargin_error")) stop(condition)
    abort_input(sprintf("`x`: \"%s\" cannot be read as Parquet: %s.", basename(path),
                        sub("[.]$", "", conditionMessage(condition))), "x")
  })
}
