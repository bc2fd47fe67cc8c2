# The campaign of random fits: draws problems by the number, fits them and judges what comes back.
# The judges and the generator are tests/testthat/helper-fuzz_*.R, which `make test` uses as well.
#
#   make fuzz MINUTES=10 [FITS=n] [SEED=1] [JOBS=2] [OUT=folder] [FAMILY=name]
#   Rscript tests/fuzz/campaign.R --seed=N [--family=name]     one case, and what was found in it
#
# A worker writes the number of a case before it begins it, so a crash and a hang have a name; the
# watching process ends a case after 30 seconds and starts another worker behind it.

source(file.path("tests", "fuzz", "judges.R"))
number <- function(name, default) as.numeric(option(name, default))
family <- option("family", NULL)
longest <- 30

# ---- One case ----

if (!is.na(seed <- number("seed", NA))) {
  load_judges()
  result <- fuzz_seed(as.integer(seed), family, verbose = TRUE)
  found <- unlist(lapply(result$rows, `[[`, "found"))
  cat("Checked: certificate, status and warning; value and bound recomputed; bounds against the\n")
  cat("points listed; scores, objects and repetition where the number has them.\n")
  for (text in grep("JUDGE FAILED", found, value = TRUE)) cat("VIOLATION", text, "\n")
  cat(sprintf("%d violation%s\n", length(found), if (length(found) == 1L) "" else "s"))
  quit(status = as.integer(length(found) > 0L))
}

# ---- A worker: cases from `from` on, `by` apart ----

# Files: now (the case begun), rows (a line for each fit), found (a line for each violation).
worker <- function(folder, id, from, by) {
  load_judges()
  file <- function(name) file.path(folder, sprintf("%s-%s", name, id))
  now <- file("now")
  line <- function(...) paste0(paste(..., sep = "\t"), "\n")
  case <- from
  repeat {
    cat(sprintf("%d %d\n", case, Sys.getpid()), file = now)
    result <- fuzz_seed(as.integer(case), family)
    for (row in result$rows) {
      cat(line(case, result$family, row$what, row$outcome, length(row$found)), file = file("rows"),
          append = TRUE)
      for (text in row$found) {
        cat(line(case, result$family, row$what, gsub("[\t\n]", " ", text)), file = file("found"),
            append = TRUE)
      }
    }
    case <- case + by
    if (file.exists(file.path(folder, "stop"))) break
  }
  unlink(now)
}

if (!is.null(id <- option("worker", NULL))) {
  worker(option("out", NULL), id, number("from", 1), number("by", 1))
  quit(status = 0L)
}

# ---- The watching process ----

minutes <- number("minutes", 10)
fits_wanted <- number("fits", Inf)
first <- number("first", 1)
jobs <- number("jobs", 2)
out <- option("out", tempfile("fuzz"))
dir.create(out, recursive = TRUE, showWarnings = FALSE)
unlink(list.files(out, "^(now|rows|found|log)-|^stop$", full.names = TRUE))
script <- sub("^--file=", "", grep("^--file=", commandArgs(FALSE), value = TRUE))

rows_of <- function(name) {
  files <- list.files(out, paste0("^", name, "-"), full.names = TRUE)
  lines <- unlist(lapply(files, readLines, warn = FALSE))
  if (length(lines) == 0L) return(NULL)
  parts <- strsplit(lines, "\t", fixed = TRUE)
  do.call(rbind, parts[lengths(parts) == max(lengths(parts))])
}

begin <- function(id, from) {
  log <- file.path(out, paste0("log-", id))
  system2(file.path(R.home("bin"), "Rscript"),
          c("--no-init-file", shQuote(script), paste0("--worker=", id), paste0("--from=", from),
            paste0("--by=", jobs), shQuote(paste0("--out=", out)),
            if (!is.null(family)) paste0("--family=", family)),
          stdout = log, stderr = log, wait = FALSE)
  list(id = id, case = from, since = Sys.time(), pid = NA_integer_)
}

note <- function(worker, text) {
  cat(paste(worker$case, "?", "?", text, sep = "\t"), "\n", sep = "",
      file = file.path(out, "found-watch"), append = TRUE)
  message("case ", worker$case, ": ", text)
}

# Seconds of a processor that a process has had; NA where nobody tells.
processor_time <- function(pid) {
  text <- tryCatch(system2("ps", c("-o", "time=", "-p", pid), stdout = TRUE, stderr = FALSE),
                   error = function(e) character(), warning = function(w) character())
  parts <- suppressWarnings(as.numeric(strsplit(trimws(text), "[-:]")[[1L]]))
  if (length(text) != 1L || anyNA(parts)) return(NA_real_)
  sum(rev(parts) * c(1, 60, 3600, 86400)[seq_along(parts)])
}

alive <- function(pid) !is.na(pid) && tools::pskill(pid, 0L)

# What a worker is at now; a worker that has gone, or goes on for too long, is replaced.
look <- function(worker) {
  now <- file.path(out, paste0("now-", worker$id))
  said <- tryCatch(scan(now, quiet = TRUE), error = function(e) NULL, warning = function(w) NULL)
  age <- as.numeric(difftime(Sys.time(), worker$since, units = "secs"))
  if (length(said) == 2L && said[1L] != worker$case) {
    worker$case <- said[1L]
    worker$since <- Sys.time()
    worker$spent <- NULL
    age <- 0
  }
  if (length(said) == 2L) worker$pid <- said[2L]
  # a first case waits for the packages to load; on a busy machine the clock runs faster than a fit
  over <- age > longest + (if (is.na(worker$pid)) 120 else 0)
  if (over && !is.na(worker$pid) && age < 10 * longest) {
    spent <- processor_time(worker$pid)
    if (is.null(worker$spent)) worker$spent <- spent
    over <- !isTRUE(spent - worker$spent < longest / 3)
  }
  gone <- !is.na(worker$pid) && !alive(worker$pid)
  if (!over && !gone) {
    return(worker)
  }
  log <- tail(readLines(file.path(out, paste0("log-", worker$id)), warn = FALSE), 3L)
  note(worker, if (gone) paste("CRASH:", paste(log, collapse = " ")) else
    sprintf("HANG: more than %d s", longest))
  if (over && !is.na(worker$pid)) tools::pskill(worker$pid, tools::SIGKILL)
  unlink(now)
  begin(worker$id, worker$case + jobs)
}

started <- Sys.time()
workers <- lapply(seq_len(jobs), function(id) begin(id, first + id - 1))
shown <- started
repeat {
  Sys.sleep(2)
  workers <- lapply(workers, look)
  done <- rows_of("rows")
  if (difftime(Sys.time(), shown, units = "secs") > 60) {
    shown <- Sys.time()
    cat(sprintf("%s  %d fits, %d violations\n", format(shown, "%H:%M"), NROW(done),
                NROW(rows_of("found"))))
  }
  if (difftime(Sys.time(), started, units = "mins") > minutes || NROW(done) >= fits_wanted) break
}
invisible(file.create(file.path(out, "stop")))
ended <- Sys.time()
while (difftime(Sys.time(), ended, units = "secs") < longest &&
         any(vapply(workers, function(w) alive(w$pid), NA))) {
  Sys.sleep(0.5)
}
for (w in workers) {
  if (alive(w$pid)) {
    workers <- lapply(list(w), function(w) {
      note(w, "HANG: did not end")
      tools::pskill(w$pid, tools::SIGKILL)
      w
    })
  }
}

# ---- Counts ----

done <- rows_of("rows")
found <- rows_of("found")
if (is.null(done)) {
  cat("No fit was made; see the logs in", out, "\n")
  quit(status = 1L)
}
outcomes <- c("certified", "not certified", "not separable", "refused")
table <- table(factor(done[, 2L], names_of <- sort(unique(done[, 2L]))),
               factor(done[, 4L], outcomes))
counts <- data.frame(family = rownames(table), fits = rowSums(table), unclass(table),
                     violations = tabulate(factor(done[as.integer(done[, 5L]) > 0, 2L], names_of),
                                           length(names_of)),
                     check.names = FALSE, row.names = NULL)
counts <- rbind(counts, data.frame(family = "all", t(colSums(counts[-1L])), check.names = FALSE))
print(counts, row.names = FALSE)
utils::write.csv(counts, file.path(out, "counts.csv"), row.names = FALSE)
if (!is.null(found)) {
  found <- data.frame(seed = as.integer(found[, 1L]), family = found[, 2L], solver = found[, 3L],
                      found = trimws(found[, 4L]))
  found <- found[order(found$family, found$seed), ]
  utils::write.csv(found, file.path(out, "violations.csv"), row.names = FALSE)
  cat(sprintf("\nVIOLATIONS (%d); all are in %s\n", nrow(found), file.path(out, "violations.csv")))
  shown <- utils::head(found, 40L)
  cat(sprintf("%s seed %d, %s: %s\n", shown$family, shown$seed, shown$solver,
              substr(shown$found, 1L, 250L)), sep = "")
  cat("One again: Rscript tests/fuzz/campaign.R --seed=N\n")
}
cat(sprintf("%d cases from seed %s, %d fits, %d violations, %.1f minutes\n",
            length(unique(done[, 1L])), format(first), nrow(done), NROW(found),
            as.numeric(difftime(Sys.time(), started, units = "mins"))))
quit(status = as.integer(NROW(found) > 0L))
