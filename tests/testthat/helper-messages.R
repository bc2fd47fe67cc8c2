# What users read is recorded word for word in _messages/<stem>.txt and compared with that: by our
# own code and in a format of our own, so that neither testthat's version nor R's has a say in it.
# A file holds sections: `== name ==`, then its lines, indented by two spaces. `make messages`
# records. A line that begins with > is the call, for the reader alone: it is not compared.

message_file <- function(stem) file.path("_messages", paste0(stem, ".txt"))

# The sections of a file, a list of lines by name.
read_messages <- function(stem) {
  if (!file.exists(message_file(stem))) return(list())
  lines <- readLines(message_file(stem), encoding = "UTF-8")
  heads <- grep("^== .* ==$", lines)
  ends <- c(heads[-1L], length(lines) + 1L) - 1L
  sections <- lapply(seq_along(heads), function(k) {
    body <- lines[seq_len(ends[k] - heads[k]) + heads[k]]
    sub("^  ", "", body[nzchar(body)])
  })
  stats::setNames(sections, gsub("^== | ==$", "", lines[heads]))
}

write_messages <- function(stem, sections) {
  lines <- unlist(lapply(names(sections), function(name) {
    c(sprintf("== %s ==", name), paste0("  ", sections[[name]]), "")
  }))
  dir.create("_messages", showWarnings = FALSE)
  writeLines(enc2utf8(lines), message_file(stem), useBytes = TRUE)
}

# Without the calls, and with what differs between a beginning and an end that do not.
messages_difference <- function(recorded, now) {
  compared <- lapply(list(recorded, now), function(lines) lines[!startsWith(lines, "> ")])
  if (identical(compared[[1L]], compared[[2L]])) return(character())
  recorded <- compared[[1L]]
  now <- compared[[2L]]
  size <- min(length(recorded), length(now))
  same <- sum(cumprod(recorded[seq_len(size)] == now[seq_len(size)]))
  rest <- size - same
  ending <- sum(cumprod(rev(utils::tail(recorded, rest)) == rev(utils::tail(now, rest))))
  part <- function(lines) lines[seq_len(length(lines) - same - ending) + same]
  c(sprintf("  - %s", part(recorded)), sprintf("  + %s", part(now)))
}

# `lines` are those of that section of the file.
expect_recorded <- function(stem, section, lines) {
  lines <- unlist(strsplit(paste0(unname(lines), "\n"), "\n", fixed = TRUE))
  lines <- lines[nzchar(lines)]
  sections <- read_messages(stem)
  if (identical(Sys.getenv("DUALMARGIN_RECORD_MESSAGES"), "true")) {
    sections[[section]] <- lines
    write_messages(stem, sections)
    sections <- read_messages(stem)
  }
  if (is.null(sections[[section]])) {
    return(fail(sprintf("\"%s\" is not recorded in %s; look at it, then `make messages`:\n%s",
                        section, message_file(stem), paste0("  + ", lines, collapse = "\n"))))
  }
  difference <- messages_difference(sections[[section]], lines)
  expect(!length(difference), sprintf(
    "\"%s\" differs from %s (- recorded, + now; `make messages` records):\n%s", section,
    message_file(stem), paste(difference, collapse = "\n")
  ))
}

# What each call of a block prints and signals, conditions by class. The words of a condition that
# is not ours are R's or another package's, and are left out.
expect_told <- function(stem, section, block, mask = identity) {
  block <- substitute(block)
  where <- parent.frame()
  old <- options(width = 80L, digits = 7L, scipen = 0L, OutDec = ".", cli.unicode = FALSE,
                 cli.num_colors = 1L, useFancyQuotes = FALSE)
  on.exit(options(old))
  calls <- if (identical(block[[1L]], quote(`{`))) as.list(block)[-1L] else list(block)
  expect_recorded(stem, section, mask(unlist(lapply(calls, told, where))))
}

told <- function(call, where) {
  notes <- character()
  note <- function(kind, condition) {
    ours <- any(startsWith(class(condition), "dualmargin_"))
    words <- strsplit(conditionMessage(condition), "\n", fixed = TRUE)[[1L]]
    notes <<- c(notes, paste(kind, class(condition)[1L]), if (ours) paste0("  ", words))
  }
  printed <- utils::capture.output(withCallingHandlers(
    tryCatch({
      value <- withVisible(eval(call, where))
      if (value$visible) print(value$value)
    }, error = function(condition) note("error", condition)),
    warning = function(condition) {
      note("warning", condition)
      invokeRestart("muffleWarning")
    },
    message = function(condition) {
      note("message", condition)
      invokeRestart("muffleMessage")
    }
  ))
  code <- gsub(" +", " ", paste(deparse(call, width.cutoff = 500L), collapse = " "))
  c(paste(">", code), printed, notes)
}

# Neither a message nor a warning (expect_no_message() of testthat 3.1.6 notices none).
expect_quiet <- function(code) {
  heard <- character()
  value <- withCallingHandlers(code, message = function(m) {
    heard <<- c(heard, conditionMessage(m))
    invokeRestart("muffleMessage")
  }, warning = function(w) {
    heard <<- c(heard, conditionMessage(w))
    invokeRestart("muffleWarning")
  })
  testthat::expect_identical(heard, character())
  invisible(value)
}
