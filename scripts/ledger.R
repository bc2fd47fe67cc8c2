# What the calls of the help's examples, of README and of the pages return: recorded, or compared.
# Usage: Rscript scripts/ledger.R [--record] [--tolerance=1e-3] [regex of pages]
#
# tests/ledger/calls/<page>.R has the calls as they were recorded, so that a page may be written anew
# and the ledger still asks what it asked. tests/ledger/values.tsv has what they returned, a line a
# value; tests/ledger/gone.tsv names calls that return something else today, or nothing, by words
# that NEWS.md has about it.
#
# Classes, names, dimensions, text, whole numbers and the classes of errors and warnings are the same;
# numbers are within the tolerance, relative to the largest of their vector. Seconds, epochs, and how
# far a gap is below its tolerance are not compared.

suppressMessages(library(dualmargin))
arguments <- commandArgs(trailingOnly = TRUE)
recording <- "--record" %in% arguments
tolerance <- c(as.numeric(sub("^--tolerance=", "", grep("^--tol", arguments, value = TRUE))), 1e-3)[1L]
wanted <- c(grep("^--", arguments, value = TRUE, invert = TRUE), "")[1L]
folder <- file.path("tests", "ledger")
store <- file.path(folder, "values.tsv")

# The chunks of a page that a reader sees, or the R code of README.
chunks_of <- function(path) {
  lines <- readLines(path, encoding = "UTF-8")
  heads <- grep(if (basename(path) == "README.md") "^```r$" else "^```\\{r", lines)
  seen <- heads[!grepl("(include|echo|eval) *= *(FALSE|[a-z_!])", lines[heads])]
  unlist(lapply(seen, function(head) {
    end <- head + which(lines[-seq_len(head)] == "```")[1L]
    lines[seq_len(end - head - 1L) + head]
  }))
}

example_of <- function(path) {
  file <- tempfile(fileext = ".R")
  tools::Rd2ex(path, file, commentDonttest = FALSE)
  if (file.exists(file)) readLines(file, encoding = "UTF-8")
}

todays_pages <- function() {
  help <- list.files("man", "[.]Rd$", full.names = TRUE)
  pages <- list.files("vignettes", "[.]Rmd$", full.names = TRUE)
  code <- c(lapply(help, example_of), lapply(c("README.md", pages), chunks_of))
  names(code) <- sub("[.][A-Za-z]+$", "", c(paste0("help-", basename(help)), "README.md",
                                            paste0("page-", basename(pages))))
  Filter(length, lapply(code, function(lines) {
    as.list(vapply(attr(parse(text = lines, keep.source = TRUE), "srcref"),
                   function(ref) paste(as.character(ref), collapse = "\n"), ""))
  }))
}

recorded_pages <- function() {
  files <- list.files(file.path(folder, "calls"), full.names = TRUE)
  code <- lapply(files, function(file) {
    strsplit(paste(readLines(file, encoding = "UTF-8"), collapse = "\n"), "\n\n# --\n\n")[[1L]]
  })
  stats::setNames(code, sub("[.]R$", "", basename(files)))
}

# Numbers that another way to the same optimum changes.
is_of_the_run <- function(name) {
  grepl(paste0("second|elapsed|epoch|pass|step|iteration|evaluation|gap|time|date|version|bytes|size|",
               "trace|rounding|half_width|verdict"), name)
}

line <- function(path, kind, value) data.frame(path = path, kind = kind, value = value)

words <- function(text) {
  text <- gsub("[\t\n\r]", " ", substr(utils::head(as.character(text), 12L), 1L, 80L))
  paste(text, collapse = " | ")
}

# Up to twelve numbers as they are; of more the sums by which one of them would be missed.
numbers <- function(x) {
  x <- as.vector(x)
  if (length(x) > 12L) {
    known <- x[is.finite(x)]
    weight <- cos(seq_along(known))
    x <- c(sum(is.na(x)), sum(is.infinite(x)), length(known), min(known, Inf), max(known, -Inf),
           mean(known), sqrt(mean(known^2)), mean(known * weight))
  }
  paste(formatC(x, digits = 12L, format = "g", width = 1L), collapse = " ")
}

atom <- function(x, path) {
  size <- if (is.null(dim(x))) length(x) else paste(dim(x), collapse = "x")
  heads <- c(names(x), if (length(dim(x)) > 1L) unlist(dimnames(x)[-1L]))
  of_labels <- is.factor(x) || is.character(x) || is.logical(x)
  rbind(
    line(path, "shape", words(c(class(x), size))),
    if (length(heads)) line(path, "names", words(heads)),
    if (is_of_the_run(path) || inherits(x, c("Date", "POSIXt"))) NULL
    else if (of_labels && length(x) <= 12L) line(path, "text", words(x))
    else if (of_labels) line(path, "counts", words(paste(names(table(x)), table(x))))
    else line(path, if (is.integer(x)) "integer" else "number", numbers(x))
  )
}

# What a user reads of an object of ours: never its fields, which are not promised.
faces <- c("coef", "certificate", "tidy", "glance", "as.data.frame", "fitted")
face <- function(x, path) {
  do.call(rbind, lapply(faces, function(verb) {
    known <- vapply(class(x), function(one) {
      !is.null(utils::getS3method(verb, one, TRUE, asNamespace("dualmargin")))
    }, NA)
    if (!any(known)) return(NULL)
    generic <- tryCatch(getExportedValue("dualmargin", verb), error = function(e) get(verb))
    value <- tryCatch(suppressWarnings(generic(x)), error = function(e) NULL)
    if (!is.null(value)) describe(value, paste0(path, verb, "()"), 2L)
  }))
}

ours <- unique(sub("^[^.]*[.]", "", grep("^print[.]", ls(asNamespace("dualmargin")), value = TRUE)))

describe <- function(x, path = "", depth = 0L) {
  if (is.atomic(x) && !is.null(x)) return(atom(x, path))
  own <- line(path, "class", words(class(x)))
  if (!is.list(x) || depth > 3L || inherits(x, c("ggplot", "recordedplot", "histogram"))) return(own)
  seen <- if (inherits(x, ours) && depth == 0L) face(x, path)
  if (!is.null(seen)) return(rbind(own, seen))
  heads <- if (is.null(names(x))) seq_along(x) else names(x)
  parts <- lapply(seq_len(min(length(x), 12L)), function(i) {
    describe(x[[i]], paste0(path, "$", heads[i]), depth + 1L)
  })
  rbind(own, line(path, "names", words(heads)),
        if (is.data.frame(x)) line(path, "shape", paste(dim(x), collapse = "x")),
        do.call(rbind, parts))
}

# One call as a user types it: what it returns, and the classes of what it signals.
ask <- function(code, envir) {
  told <- character()
  value <- tryCatch(withCallingHandlers(
    withVisible(eval(parse(text = code, keep.source = FALSE), envir))$value,
    warning = function(w) {
      told <<- c(told, class(w)[1L])
      invokeRestart("muffleWarning")
    },
    message = function(m) invokeRestart("muffleMessage")
  ), error = function(e) e)
  rows <- if (inherits(value, "error")) line("", "error", class(value)[1L]) else describe(value)
  rbind(rows, if (length(told)) line("", "warnings", words(unique(told))))
}

# A page from its first call on, in a folder of its own; packages that are suggested may be missing.
ask_page <- function(page, code) {
  dir.create(empty <- tempfile("page"))
  before <- setwd(empty)
  grDevices::pdf(NULL)
  on.exit({
    grDevices::dev.off()
    setwd(before)
  })
  set.seed(1)
  envir <- new.env(parent = globalenv())
  # pages share the process's folder otherwise, where one finds what another wrote
  envir$tempdir <- function(...) empty
  envir$tempfile <- function(...) base::tempfile(..., tmpdir = empty)
  rows <- lapply(seq_along(code), function(i) {
    needs <- unlist(regmatches(code[[i]], gregexpr("(?<=requireNamespace\\(\")\\w+|\\w+(?=::)", code[[i]],
                                                   perl = TRUE)))
    if (!all(vapply(needs, requireNamespace, NA, quietly = TRUE))) return(NULL)
    utils::capture.output(rows <- ask(code[[i]], envir))
    cbind(page = page, call = i, rows)
  })
  rows <- do.call(rbind, rows)
  rows$value <- gsub(empty, "<folder>", rows$value, fixed = TRUE)
  rows
}

ask_all <- function(pages) {
  said <- parallel::mclapply(names(pages), function(page) ask_page(page, pages[[page]]),
                             mc.cores = 2L, mc.preschedule = FALSE)
  broken <- vapply(said, inherits, NA, what = "try-error")
  if (any(broken)) stop("cannot be asked: ", toString(names(pages)[broken]), "\n", said[[which(broken)[1L]]])
  do.call(rbind, said)
}

key_of <- function(rows) paste(rows$page, rows$call, rows$path, rows$kind, sep = "\r")

record <- function(pages) {
  # what needs the hidden code of its page is no call of the package's alone
  repeat {
    first <- ask_all(pages)
    failed <- unique(first[first$kind == "error" & first$path == "" &
                             !startsWith(first$page, "help-"), c("page", "call")])
    if (nrow(failed) == 0L) break
    for (i in rev(seq_len(nrow(failed)))) pages[[failed$page[i]]][[failed$call[i]]] <- NULL
    pages <- Filter(length, pages)
  }
  second <- ask_all(pages)
  stable <- key_of(first) %in% key_of(second)
  stable[stable] <- first$value[stable] == second$value[match(key_of(first)[stable], key_of(second))]
  unlink(file.path(folder, "calls"), recursive = TRUE)
  dir.create(file.path(folder, "calls"), recursive = TRUE)
  for (page in names(pages)) {
    writeLines(paste(pages[[page]], collapse = "\n\n# --\n\n"),
               file.path(folder, "calls", paste0(page, ".R")))
  }
  rows <- first[stable, ]
  utils::write.table(rows, store, sep = "\t", quote = FALSE, row.names = FALSE, fileEncoding = "UTF-8")
  cat(sprintf("%d calls of %d pages, %d values, %d that two runs do not share left out; %.0f kB\n",
              length(unlist(pages)), length(pages), nrow(rows), sum(!stable), file.size(store) / 1000))
}

# How far two recorded vectors are from one another, relative to the larger of their largest numbers.
distance <- function(then, now) {
  then <- suppressWarnings(as.numeric(strsplit(then, " ")[[1L]]))
  now <- suppressWarnings(as.numeric(strsplit(now, " ")[[1L]]))
  if (length(then) != length(now) || !identical(is.na(then), is.na(now))) return(Inf)
  same <- is.na(then) | then == now
  if (all(same)) return(0)
  if (!all(is.finite(c(then[!same], now[!same])))) return(Inf)
  max(abs(then - now)[!same]) / max(abs(c(then, now))[is.finite(c(then, now))])
}

compare <- function(pages) {
  then <- utils::read.delim(store, quote = "", colClasses = "character", encoding = "UTF-8", na.strings = NULL)
  then <- then[then$page %in% names(pages), ]
  now <- ask_all(pages)
  # a package that is missing here has nothing to say
  then <- then[paste(then$page, then$call) %in% paste(now$page, now$call), ]
  then$now <- now$value[match(key_of(then), key_of(now))]
  then$by <- ifelse(is.na(then$now), Inf, ifelse(then$value == then$now, 0, Inf))
  near <- which(then$kind == "number" & then$by > 0 & !is.na(then$now))
  then$by[near] <- vapply(near, function(i) distance(then$value[i], then$now[i]), 0)
  gone <- utils::read.delim(file.path(folder, "gone.tsv"), quote = "", colClasses = "character")
  news <- paste(readLines("NEWS.md", encoding = "UTF-8"), collapse = " ")
  named <- vapply(gone$news, grepl, NA, x = news, fixed = TRUE)
  if (!all(named)) cat("NEWS.md does not say:", gone$news[!named], sep = "\n  ")
  off <- then[then$by > tolerance & !paste(then$page, then$call) %in% paste(gone$page, gone$call)[named], ]
  for (i in seq_len(nrow(off))) {
    cat(sprintf("%s, call %s: %s %s\n  %s\n  then %s\n  now  %s\n", off$page[i], off$call[i], off$path[i],
                off$kind[i], sub("\n.*", " ...", pages[[off$page[i]]][[as.integer(off$call[i])]]),
                off$value[i], off$now[i]))
  }
  moved <- then$by[then$kind == "number" & is.finite(then$by)]
  cat(sprintf("numbers: %d, %d to the last digit, %d within 1e-9, the farthest %.1e\n", length(moved),
              sum(moved == 0), sum(moved <= 1e-9), max(moved, 0)))
  calls <- unique(off[c("page", "call")])
  cat(sprintf("%d passed, %d failed, 0 skipped\n", nrow(unique(then[c("page", "call")])) - nrow(calls),
              nrow(calls)))
  if (nrow(calls)) quit(status = 1L)
}

# In one call: R, which reads this file as it goes, takes the end of a text that parse() reads for its own.
local({
  pages <- if (recording) todays_pages() else recorded_pages()
  pages <- pages[grepl(wanted, names(pages))]
  if (recording) record(pages) else compare(pages)
})
