# Where the committed results come from: each has a sidecar with all fields, and a script that says
# it writes it.

results <- system.file("extdata", "results", package = "dualmargin")
record <- local({
  where <- new.env(parent = globalenv())
  sys.source(system.file("experiments", "_record.R", package = "dualmargin"), where)
  where
})
origins <- local({
  where <- new.env(parent = globalenv())
  sys.source(system.file("experiments", "_origins.R", package = "dualmargin"), where)
  where
})
tables <- record$tables_in(results)

test_that("every result has a sidecar with all fields, none of them empty", {
  expect_gt(length(tables), 50)
  expect_setequal(sub("\\.dcf$", ".csv", list.files(results, "\\.dcf$")), tables)
  for (file in tables) {
    entries <- record$read_sidecar(file.path(results, file))
    expect_named(entries, record$sidecar_fields, info = file)
    expect_true(all(nzchar(unlist(entries)) & !is.na(unlist(entries))), info = file)
    expect_true(all(entries$File == file), info = file)
    rows <- nrow(record$read_table(file.path(results, file)))
    expect_equal(sum(record$row_counts(entries)), rows, info = file)
    # no row belongs to two runs
    expect_false(anyDuplicated(unlist(lapply(entries$Rows, record$rows_at))) > 0L, info = file)
    # no path of the machine on which it ran
    expect_false(any(grepl("/(tmp|home|work|root|usr)/", unlist(entries))), info = file)
  }
})

test_that("a result is of a commit of a clean tree, but for old ones that the page of provenance names", {
  tree <- shQuote(Sys.getenv("DUALMARGIN_TREE"))
  # of this history: a commit of another clone that was picked from there has gone with that clone
  known <- function(commit) {
    system2("git", c("-C", tree, "merge-base", "--is-ancestor", commit, "HEAD"), stderr = FALSE) == 0L
  }
  has_history <- known("224a01fe")
  off <- Filter(function(file) {
    commits <- record$read_sidecar(file.path(results, file))$Commit
    any(!grepl("^[0-9a-f]{7,}$", commits)) || has_history && !all(vapply(unique(commits), known, NA))
  }, tables)
  off <- sub(".csv", "", off, fixed = TRUE)
  expect_identical(setdiff(off, origins$older_results), character())
  if (has_history) expect_setequal(off, origins$older_results)
})

test_that("a digest is of the code: comments and blanks do not count, strings do", {
  of <- function(ending, ...) {
    file <- tempfile(fileext = ending)
    on.exit(unlink(file))
    writeLines(c(...), file)
    record$code_of(file)
  }
  expect_identical(of(".R", "#' help", "x <- 1  # it's", "", "y <- '# a'"), of(".R", "x <- 1", "y <- '# a'"))
  expect_false(of(".R", "y <- '# a'") == of(".R", "y <- '# b'"))
  expect_identical(of(".cpp", "/* a", "b */ int k = 1;  // \"c"), of(".cpp", "int k = 1;"))
  expect_false(of(".cpp", "auto s = \"http://a\";") == of(".cpp", "auto s = \"http://b\";"))
})

test_that("among the committed results nothing is written from a tree that has changes", {
  started <- record$run_started
  on.exit(record$run_started <- started)
  record$run_started$commit <- "224a01fe+"
  expect_error(record$record(data.frame(k = 1), "inst/extdata/results/x.csv"), "clean tree")
})

test_that("one script says that it writes a result, and on what it depends", {
  heads <- record$script_heads(system.file(package = "dualmargin"))
  for (file in tables) {
    script <- record$script_of(file, heads)
    expect_equal(nrow(script), 1L, info = file)
    expect_false(is.na(script$depends), info = file)
    expect_false(is.na(script$seeds), info = file)
    expect_match(record$read_sidecar(file.path(results, file))$Script,
                 paste0(script$script, "$"), info = file)
  }
})

test_that("a sidecar keeps the entries of rows that a later run did not compute", {
  folder <- tempfile()
  dir.create(folder)
  on.exit(unlink(folder, recursive = TRUE))
  path <- file.path(folder, tables[1L])
  # entries are told apart by the minute
  record$Sys.time <- function() as.POSIXct("2026-01-01 12:00:30", tz = "UTC")
  on.exit(rm("Sys.time", envir = record), add = TRUE)
  old <- data.frame(key = 1:3, value = c(1, 2, 3))
  record$record(old, path)
  expect_equal(utils::read.csv(path), old)
  first <- record$read_sidecar(path)
  expect_equal(first$Rows, "3 (1-3)")
  dated <- function(rows, year) {
    entries <- record$read_sidecar(path)
    entries$Date[1L] <- sprintf("%d-01-01 00:00 UTC", year)
    entries$Rows[1L] <- rows
    write.dcf(entries, record$sidecar_path(path), indent = 2L, width = 98L)
  }
  dated("3 (1-3)", 2000)
  record$record(old, path, rows = old[2L, ], keys = "key")
  both <- record$read_sidecar(path)
  expect_equal(both$Rows, c("1 (2)", "2 (1, 3)"))
  expect_equal(both$Date[2L], "2000-01-01 00:00 UTC")
  # a run that wrote a row before is one entry
  record$record(old, path, rows = old[3L, ], keys = "key")
  expect_equal(record$read_sidecar(path)$Rows, c("2 (2-3)", "1 (1)"))
  # rows that moved stay with their run, and those of the newer entry go where they are replaced
  dated("2 (2-3)", 2001)
  moved <- old[c(3L, 1L, 2L), ]
  record$record(moved, path, rows = moved[3L, ], keys = "key")
  expect_equal(record$read_sidecar(path)$Rows, c("1 (3)", "1 (1)", "1 (2)"))
  # whose rows they are cannot be known without keys
  expect_error(record$record(moved, path, rows = moved[1L, ]), "`keys`")
  # an entry without places gives up rows, oldest first, beside those that have them
  dated("1", 2002)
  record$record(old, path, rows = old[1L, ], keys = "key")
  expect_equal(sum(record$row_counts(record$read_sidecar(path))), 3L)
  record$record(old, path)
  expect_equal(nrow(record$read_sidecar(path)), 1L)
})

test_that("a spot comparison finds a changed value and passes over times", {
  folder <- tempfile()
  dir.create(file.path(folder, "inst", "extdata", "results"), recursive = TRUE)
  on.exit(unlink(folder, recursive = TRUE))
  where <- new.env(parent = globalenv())
  sys.source(system.file("experiments", "_record.R", package = "dualmargin"), where)
  where$record_root <- folder
  before <- data.frame(set = c("a", "b"), lambda = c(1e-5, 0.1), value = c(1, 2),
                       status = c("certified", NA), seconds = c(1, 2))
  path <- file.path(folder, "inst", "extdata", "results", "x.csv")
  utils::write.csv(before, path, row.names = FALSE)
  says <- function(rows, ...) {
    told <- utils::capture.output({
      where$spot_compare(rows, path, c("set", "lambda"), NULL, 1e-3, ...)
    })
    sub(" .*", "", told)
  }
  # the ratio of the two seconds is another, and is not
  expect_equal(says(transform(before, seconds = c(1, 9)), 0), "seconds")
  expect_equal(says(transform(before, seconds = c(3, 6)), 0), "same")
  now <- before[2L, ]
  now$seconds <- 100
  expect_equal(says(now, 0), "same")
  now$value <- 2.0019
  expect_equal(says(now, 0), "same")
  now$value <- 2.01
  expect_equal(says(now, 0), "differs")
  expect_equal(says(now, 3), "same")
  # a count is the same or not
  many <- transform(before, value = c(1000, 1001))
  utils::write.csv(many, path, row.names = FALSE)
  expect_equal(says(transform(many, value = value + 1), 0), "same")
  counted <- utils::capture.output(where$spot_compare(transform(many, value = value + 1), path, c("set", "lambda"),
                                                      NULL, NULL, 0))
  expect_match(counted, "^differs")
  utils::write.csv(before, path, row.names = FALSE)
  now$value <- 2
  now$status <- "max_epochs"
  expect_equal(says(now, 0), "differs")
  now$set <- "c"
  expect_equal(says(now, 0), "differs")
})

test_that("the seconds that \"auto\" reckons with are those that were measured, within a factor of two", {
  root <- Sys.getenv("DUALMARGIN_TREE")
  header <- readLines(file.path(root, "src", "base", "pass_seconds.h"))
  header <- grep("^constexpr double", header, value = TRUE)
  said <- regmatches(header, gregexpr("[a-z_]+ = [0-9.e-]+", header))
  said <- do.call(rbind, strsplit(unlist(said), " = "))
  said <- stats::setNames(as.numeric(said[, 2L]), said[, 1L])
  measured <- utils::read.csv(file.path(results, "pass_kinds.csv"))
  expect_setequal(setdiff(names(said), c("near_bytes", "cache_bytes")), measured$kind)
  expect_lt(max(abs(log2(said[measured$kind] / measured$seconds))), 1)
})

test_that("a page's table names every result, with what of its sources has changed", {
  pages <- names(origins$result_pages)
  of <- lapply(pages, origins$files_of)
  expect_true(all(lengths(of) > 0L))
  expect_setequal(paste0(unlist(of), ".csv"), tables)
  stale <- origins$read_stale(system.file("extdata", "stale.csv", package = "dualmargin"))
  # if this fails there are results that `make stale` has not seen
  expect_setequal(stale$file, tables)
  expect_false(anyDuplicated(stale$file) > 0L)
  expect_match(stale$commit[1L], "^[0-9a-f]{7,}$")
  expect_true(all(stale$spot %in% c("same", "seconds", "differs", "none", NA)))
  expect_identical(is.na(stale$spotted), is.na(stale$spot))
  for (k in seq_along(pages)) {
    shown <- origins$origins_of(of[[k]])
    expect_identical(shown$file, paste0(of[[k]], ".csv"))
    expect_true(all(nzchar(unlist(shown[c("changed since", "row again")]))))
  }
})

test_that("what has changed since is one state of the sources for all results", {
  stale <- origins$read_stale(system.file("extdata", "stale.csv", package = "dualmargin"))
  heads <- record$script_heads(system.file(package = "dualmargin"))
  entries <- lapply(tables, function(file) record$read_sidecar(file.path(results, file)))
  names(entries) <- tables
  # lines of results that came later say nothing: their pages say "not told yet"
  of_now <- stale$sidecar ==
    origins$sidecar_digest(file.path(results, sub("csv$", "dcf", stale$file)))
  known <- !vapply(entries[stale$file], function(one) any(one$Sources == "unknown"), NA)
  said <- do.call(rbind, lapply(which(of_now & known), function(k) {
    text <- gsub("\\s+", " ", paste(entries[[stale$file[k]]]$Sources, collapse = ", "))
    parts <- strsplit(strsplit(text, ", ")[[1L]], " ")
    paths <- vapply(parts, `[`, "", 1L)
    changed <- strsplit(stale$changed[k], " ")[[1L]]
    if ("core" %in% changed) changed <- c(changed, record$core_folders)
    expect_identical(setdiff(changed, c(paths, "core", NA)), character(), info = stale$file[k])
    data.frame(file = stale$file[k], path = paths, digest = vapply(parts, `[`, "", 2L),
               changed = paths %in% changed)
  }))
  expect_gt(nrow(said), 200L)
  for (of_path in split(said, said$path)) {
    # of a result without change all digests are those of the sources then, and no others are
    then <- unique(of_path$digest[!of_path$changed])
    expect_lte(length(then), 1L)
    for (one in split(of_path, of_path$file)) {
      if (length(then)) expect_identical(one$changed[1L], !all(one$digest %in% then))
    }
  }
})

test_that("the page of provenance prints every table, and pages with results name it", {
  of_page <- function(name) {
    paste(readLines(file.path(Sys.getenv("DUALMARGIN_TREE"), "vignettes", name), warn = FALSE), collapse = "\n")
  }
  expect_identical(names(origins$result_titles), names(origins$result_pages))
  for (part in c("names(result_pages)", "origins_of(files_of(page))", "stale_said()")) {
    expect_true(grepl(part, of_page("provenance.Rmd"), fixed = TRUE), info = part)
  }
  pages <- c(setdiff(names(origins$result_pages), "papers"), "aspdc", "drsvm", "margin", "mixup", "smiso")
  for (page in pages) {
    expect_true(grepl("vignette(\"provenance\")", of_page(paste0(page, ".Rmd")), fixed = TRUE), info = page)
  }
})

test_that("under each figure and table of a paper stands the command that computes it again, with its hours", {
  tree <- Sys.getenv("DUALMARGIN_TREE")
  helpers <- new.env(parent = globalenv())
  sys.source(file.path(tree, "vignettes", "_pages.R"), helpers)
  scripts <- file.path(tree, "inst", "experiments")
  count <- 0L
  for (page in c("aspdc", "drsvm", "margin", "mixup", "smiso")) {
    lines <- readLines(file.path(tree, "vignettes", paste0(page, ".Rmd")), warn = FALSE)
    # the table of claims gathers what stands below, and faults have no number of ours
    for (head in grep("^```\\{r (?!claims).*echo = FALSE", lines, perl = TRUE)) {
      below <- lines[-seq_len(head + which(lines[-seq_len(head)] == "```")[1L])]
      expect_match(below[nzchar(below)][1L], "^`r again[(]\"", info = paste(page, lines[head]))
    }
    calls <- unlist(regmatches(lines, gregexpr("(?<=`r )again[(].*?(?=`)", lines, perl = TRUE)))
    for (call in calls) {
      expect_match(eval(str2lang(call), helpers), "^[*]Again:[*] `Rscript .*`, [0-9.]+ h at most[.]$", info = call)
      words <- strsplit(eval(str2lang(call)[[2L]]), " ")[[1L]]
      expect_true(file.exists(file.path(scripts, words[1L])), info = call)
      parts <- list.files(scripts, sub("(.*)[.]R", "^_?\\1(_.*)?[.]R$", words[1L]), full.names = TRUE)
      code <- paste(unlist(lapply(parts, readLines, warn = FALSE)), collapse = "\n")
      for (part in grep("^-", words[-(1:2)], value = TRUE, invert = TRUE)) {
        expect_true(grepl(sprintf("\"%s\"", part), code, fixed = TRUE), info = call)
      }
      count <- count + 1L
    }
  }
  expect_gt(count, 35L)
})
