# Files as sources of rows: which they are, and one after the other.

file_formats <- c("libsvm", "csv", "parquet")

# The format that a name tells, NA where it tells none; the end of a packed file does not count.
format_of <- function(paths) {
  ends <- c(csv = "csv", parquet = "parquet", pq = "parquet", libsvm = "libsvm", svm = "libsvm",
            svmlight = "libsvm")
  names <- sub("[.](gz|bz2|xz)$", "", basename(readable(paths)),
               ignore.case = TRUE)
  unname(ends[tolower(sub("^.*[.]", "", names))])
}

files_source <- function(x, format, chunk) {
  if (!is.null(format)) assert_choice(format, file_formats, "format")
  paths <- if (length(x) == 1L && dir.exists(x)) files_of(x, format) else x
  for (path in paths) assert_file(path)
  if (is.null(format)) format <- common_format(paths)
  open <- switch(format, csv = csv_reader, libsvm = libsvm_reader, parquet = parquet_reader)
  joined_source(paths, open(chunk))
}

# Those of a folder whose names tell the format, in the order of their names in the C locale. One
# without any such file is taken whole where the format was given.
files_of <- function(folder, format) {
  paths <- list.files(folder, full.names = TRUE)
  paths <- sort(paths[!dir.exists(paths)], method = "radix")
  told <- format_of(paths)
  chosen <- if (is.null(format)) paths[!is.na(told)] else paths[told %in% format]
  if (length(chosen) == 0L && !is.null(format)) chosen <- paths[is.na(told)]
  if (length(chosen) == 0L) {
    abort_input(sprintf(paste(
      "`x` is the folder \"%s\", which has no file of %s; folders within it are not searched."
    ), folder, if (is.null(format)) "a known format (.csv, .parquet, .libsvm, packed or not)" else
      sprintf("format \"%s\"", format)), "x")
  }
  chosen
}

assert_file_names <- function(x) {
  if (anyNA(x) || length(x) == 0L || !all(nzchar(x))) {
    abort_input(sprintf("`x` is %s, but must be names of files, or of a folder.", show_value(x)),
                "x")
  }
  for (path in x) assert_file_name(path, "x")
}

assert_file <- function(path) {
  if (!file.exists(path) || dir.exists(path)) {
    abort_input(sprintf("`x` names \"%s\", %s; the working folder is \"%s\".", path,
                        if (dir.exists(path)) "a folder; give it alone" else
                          "but there is no such file", getwd()), "x")
  }
  if (file.access(path, 4L) != 0L) {
    abort_input(sprintf("`x` names \"%s\", which may not be read; change its permissions.", path),
                "x")
  }
}

common_format <- function(paths) {
  told <- format_of(paths)
  odd <- if (anyNA(told)) which(is.na(told))[1L] else which(told != told[1L])[1L]
  if (is.na(odd)) {
    return(told[1L])
  }
  abort_input(sprintf("`format` is NULL, and the name \"%s\" %s; give format = %s.",
                      basename(paths[odd]), if (is.na(told[odd])) "tells none" else
                        sprintf("tells another one than \"%s\"", basename(paths[1L])),
                      paste(sprintf("\"%s\"", file_formats), collapse = ", ")), "format")
}

# reader: a list of open(path), next_part() with NULL at the end of that file, close(), also of what
# open() left when it failed, and, where columns can be left out, keep(names).
joined_source <- function(paths, reader) {
  at <- 0L
  opened <- FALSE
  close <- function() {
    if (opened) reader$close()
    opened <<- FALSE
  }
  advance <- function() {
    repeat {
      if (!opened) {
        if (at == length(paths)) return(NULL)
        at <<- at + 1L
        opened <<- TRUE  # also where open() fails on the way
        reader$open(paths[at])
      }
      part <- reader$next_part()
      if (!is.null(part)) {
        part$file <- paths[at]
        return(part)
      }
      close()
    }
  }
  new_source(advance, function() {
    close()
    at <<- 0L
  }, if (length(paths) == 1L) sprintf("\"%s\"", basename(paths)) else
    count(length(paths), "file"), close = close, keep = reader$keep)
}

# Tells write_rows() to begin again, with what has been learnt on the way.
begin_again <- function() {
  signalCondition(structure(class = c("rows_again", "condition"),
                            list(message = "read again", call = NULL)))
  stop("a source began again outside of write_rows()")
}

# ---- LIBSVM ----

# Pieces of the text that end with a line, each parsed by the one reader there is.
libsvm_reader <- function(chunk, piece = 2^20) {
  con <- path <- rest <- NULL
  bytes <- lines <- rows <- 0
  ended <- closed <- FALSE
  kept <- NULL
  parse <- function(text) {
    fed <- FALSE
    parsed <- libsvm_read_cpp(function() {
      if (fed) return(raw())
      fed <<- TRUE
      text
    }, -1L, FALSE, FALSE)
    if (!is.null(parsed$fault)) {
      abort_input(sprintf("`x`: line %.0f of \"%s\" cannot be read: %s.", lines + parsed$line,
                          basename(path), parsed$fault), "x")
    }
    lines <<- lines + sum(text == as.raw(10L))
    parsed
  }
  read <- function() {
    text <- tryCatch(readBin(con, "raw", piece), warning = function(w) {
      abort_input(sprintf("`x`: \"%s\" cannot be unpacked (%s); get a whole copy.", basename(path),
                          conditionMessage(w)), "x")
    })
    bytes <<- bytes + length(text)
    if (length(text) == 0L) {
      ended <<- TRUE
      closed <<- length(rest) == 0L
      assert_whole_gzip(path, bytes, closed)
    }
    text <- c(rest, text)
    last <- if (ended) length(text) else max(0L, which(text == as.raw(10L)))
    rest <<- if (last > 0L) text[-seq_len(last)] else text
    if (last > 0L) parse(text[seq_len(last)])
  }
  list(
    open = function(file) {
      path <<- file
      con <<- gzfile(file, "rb")
      rest <<- raw()
      bytes <<- lines <<- rows <<- 0
      ended <<- FALSE
      kept <<- NULL
    },
    next_part = function() {
      while (is.null(kept)) {
        if (ended) {
          if (rows == 0) {
            abort_input(sprintf("`x`: \"%s\" has no sample; leave the file out.", basename(path)),
                        "x")
          }
          return(NULL)
        }
        parsed <- read()
        if (length(parsed$y) > 0L) kept <<- list(parsed = parsed, from = 1)
      }
      parsed <- kept$parsed
      from <- kept$from
      to <- min(length(parsed$y), from + chunk - 1)
      x <- methods::new("dgRMatrix", p = parsed$p, j = parsed$j, x = parsed$x,
                        Dim = c(length(parsed$y), parsed$columns))
      kept <<- if (to < length(parsed$y)) list(parsed = parsed, from = to + 1)
      rows <<- rows + to - from + 1
      new_part(some_rows(x, from, to), rows - (to - from), y = parsed$y[from:to])
    },
    close = function() {
      if (!is.null(con)) close(con)
      con <<- NULL
    }
  )
}
