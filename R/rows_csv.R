# CSV as read.csv() reads it, a chunk at a time, by scan(). Not by fread() of package data.table:
# it gives one number in 10,000 another last digit and leaves doubled quotes in text, so that the
# columns would hang on what is installed; fed with blocks of text it took 1.8 seconds for 37 MB
# where scan() takes .8 (a whole file at once: .2, which is not bounded in memory).

# The kind of each column is that of all its rows: a column of numbers that has text further down is
# text, as it would be for read.csv(), and reading begins again with that known.
csv_reader <- function(chunk) {
  con <- path <- header <- kept <- NULL
  kinds <- character()  # by name: "numeric", "logical", "character", "none" (nothing but NA so far)
  quoted <- FALSE       # are there numbers in quotes, which scan() does not take?
  rows <- part <- 0
  scan_rows <- function(from, what, n) {
    found <- csv_try(path, rows, scan(
      from, what, nmax = n, sep = ",", quote = "\"", quiet = TRUE, na.strings = "NA",
      blank.lines.skip = TRUE, multi.line = FALSE, comment.char = "", encoding = "UTF-8"
    ))
    for (strings in Filter(is.character, found)) assert_utf8(strings, path)
    found
  }
  shut <- function() {
    if (!is.null(con)) close(con)
    con <<- NULL
  }
  skip_header <- function() {
    shut()
    con <<- file(path, "rt")
    first <- tryCatch(scan(con, "", sep = ",", quote = "\"", nlines = 1L, quiet = TRUE,
                           strip.white = TRUE, na.strings = character(), comment.char = "",
                           encoding = "UTF-8"), error = function(e) character())
    if (length(first) == 0L) {
      abort_input(sprintf("`x`: \"%s\" is empty; a CSV file has a line of names.", basename(path)),
                  "x")
    }
    assert_utf8(first, path)
    make.names(sub("^\ufeff", "", first), unique = TRUE)
  }
  text_of <- function(n) scan_rows(con, stats::setNames(rep(list(""), length(header)), header), n)
  # What is known of the columns of this file after some of its rows.
  learn <- function(frame) {
    told <- vapply(frame, text_kind, "")
    fresh <- setdiff(names(told), names(kinds))
    kinds[fresh] <<- told[fresh]
    for (name in fresh) tell_number_like(name, frame[[name]], told[[name]], basename(path))
    differs <- names(told)[!told %in% "none" & kinds[names(told)] != told]
    text <- differs[kinds[differs] != "character"]
    none <- text[kinds[text] == "none"]
    kinds[none] <<- told[none]
    text <- setdiff(text, none)
    for (name in text) {
      inform(sprintf("`x`: column \"%s\" has text in %s, before that %s: it is a factor.", name,
                     sprintf("\"%s\" behind row %.0f", basename(path), rows),
                     c(numeric = "numbers", logical = "TRUE and FALSE")[[kinds[[name]]]]))
    }
    kinds[text] <<- "character"
    length(text) + length(none) > 0L
  }
  list(
    open = function(file) {
      path <<- file
      assert_csv_whole(path)
      assert_narrow(path)
      rows <<- 0
      header <<- skip_header()
      if (any(!header %in% names(kinds))) {
        learn(text_of(1000L))
        skip_header()
      }
    },
    next_part = function() {
      wanted <- if (is.null(kept)) header else intersect(header, kept)
      what <- lapply(stats::setNames(nm = header), function(name) {
        if (name %in% wanted) if (quoted) "" else
          switch(kinds[[name]], character = "", logical = NA, 0)
      })
      frame <- tryCatch(scan_rows(con, what, chunk), csv_kind = function(condition) {
        skip_header()
        for (k in seq_len(rows / chunk)) text_of(chunk)
        if (learn(text_of(chunk)[wanted])) begin_again()
        if (quoted) abort_input(conditionMessage(condition), "x")
        quoted <<- TRUE
        begin_again()
      })
      frame <- frame[wanted]
      if (quoted && learn(frame)) begin_again()
      if (length(frame[[1L]]) == 0L) return(NULL)
      frame <- as_frame(if (quoted) lapply(stats::setNames(nm = wanted), function(name) {
        if (kinds[[name]] == "character") frame[[name]] else
          utils::type.convert(frame[[name]], as.is = TRUE, na.strings = "NA")
      }) else frame)
      rows <<- rows + nrow(frame)
      new_part(frame, rows - nrow(frame) + 1)
    },
    close = shut,
    keep = function(names) kept <<- names
  )
}

as_frame <- function(columns) {
  structure(columns, row.names = .set_row_names(length(columns[[1L]])), class = "data.frame")
}

# What read.csv() makes of these strings.
text_kind <- function(strings) {
  value <- utils::type.convert(strings, as.is = TRUE, na.strings = "NA")
  if (all(is.na(value))) "none" else
    switch(typeof(value), integer = , double = "numeric", logical = "logical", "character")
}

# Strings that read.csv() makes numbers, or text, of and that may be meant otherwise.
tell_number_like <- function(name, strings, kind, file) {
  first <- function(pattern) grep(pattern, trimws(strings), value = TRUE, useBytes = TRUE)[1L]
  code <- if (kind == "numeric") first("^[-+]?0[0-9]")
  if (length(code) == 1L && !is.na(code)) {
    inform(sprintf(paste(
      "`x`: column \"%s\" of \"%s\" has numbers with leading zeros, which are read as numbers",
      "(\"%s\" as %s); if they are codes, name it in `levels`: it is a factor then."
    ), name, file, code, format(as.numeric(code), digits = 15L)))
  }
  grouped <- if (kind == "character") first("^[-+]?[0-9]{1,3}(,[0-9]{3})+([.][0-9]*)?$")
  if (length(grouped) == 1L && !is.na(grouped)) {
    inform(sprintf(paste(
      "`x`: column \"%s\" of \"%s\" has \"%s\", which is text, so it is a factor; remove the",
      "commas within numbers if they are numbers."
    ), name, file, grouped))
  }
}

csv_try <- function(path, rows, expression) {
  fail <- function(...) abort_input(sprintf(...), "x")
  tryCatch(expression, warning = function(condition) {
    fail("`x`: \"%s\" is cut off or no text behind row %.0f (%s); get a whole copy.",
         basename(path), rows, conditionMessage(condition))
  }, error = function(condition) {
    if (inherits(condition, "dualmargin_error")) stop(condition)
    said <- conditionMessage(condition)
    if (grepl("expected '", said, fixed = TRUE)) {
      stop(structure(class = c("csv_kind", "error", "condition"), list(message = sprintf(
        "`x`: \"%s\" cannot be read behind row %.0f: %s.", basename(path), rows, said
      ), call = NULL)))
    }
    line <- suppressWarnings(as.numeric(sub("^line ([0-9]+) did.*$", "\\1", said)))
    if (is.na(line)) {
      fail("`x`: \"%s\" cannot be read behind row %.0f: %s.", basename(path), rows, said)
    }
    fail("`x`: row %.0f of \"%s\" has not as many fields as its header; mend or drop that line.",
         rows + line, basename(path))
  })
}

# Text of 16 or 32 bits a letter has bytes 0, with or without a mark of its order.
assert_narrow <- function(path) {
  con <- gzfile(path, "rb")
  on.exit(close(con))
  bytes <- readBin(con, "raw", 4096L)
  mark <- bytes[1:2]
  if (identical(mark, as.raw(c(0xff, 0xfe))) || identical(mark, as.raw(c(0xfe, 0xff))) ||
        any(bytes == as.raw(0))) {
    abort_input(sprintf(paste(
      "`x`: \"%s\" is not UTF-8 but, by its first bytes, UTF-16 or no text at all; save it as CSV",
      "in UTF-8."
    ), basename(path)), "x")
  }
}

assert_utf8 <- function(strings, path) {
  odd <- which(!validUTF8(strings))
  if (length(odd) > 0L) {
    abort_input(sprintf(paste(
      "`x`: \"%s\" has the field \"%s\", which is not UTF-8 but perhaps Latin-1; save it as CSV in",
      "UTF-8."
    ), basename(path), readable(strings[odd[1L]])), "x")
  }
}

# A packed file that was cut off ends, for R, where it was cut.
assert_csv_whole <- function(path) {
  magic <- readBin(path, "raw", 2L)
  if (!identical(magic, as.raw(c(0x1f, 0x8b)))) {
    return(invisible())
  }
  con <- gzfile(path, "rb")
  on.exit(close(con))
  bytes <- 0
  while (length(piece <- readBin(con, "raw", 2^20)) > 0L) {
    bytes <- bytes + length(piece)
    last <- piece[length(piece)]
  }
  assert_whole_gzip(path, bytes, bytes == 0 || last == as.raw(10L))
}
