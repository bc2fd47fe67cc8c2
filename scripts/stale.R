# Which results are older than the code that they rest on? A result is current as long as the
# sources that its script names have the digests of its sidecar, which are of the code that runs, without
# help and comments; where the sidecar has none (results from before there were sidecars) git says which of
# them changed after the table was committed.
# The last lines tell on which pages the others are named; the status is 1 if one is on none.
# Usage: Rscript scripts/stale.R [--write] [regex of file names]
# --write: into inst/extdata/stale.csv, which the pages print, as it is at the last commit; what has
# not changed since the file was written keeps the commit that it names.

source(file.path("inst", "experiments", "_record.R"))
source(file.path("inst", "experiments", "_origins.R"))
heads <- script_heads()
writing <- "--write" %in% commandArgs(trailingOnly = TRUE)
wanted <- setdiff(commandArgs(trailingOnly = TRUE), "--write")
results <- file.path("inst", "extdata", "results")
table <- file.path("inst", "extdata", "stale.csv")
files <- sort(tables_in(results), method = "radix")
if (length(wanted)) files <- grep(wanted[1L], files, value = TRUE)

digests_now <- local({
  known <- list()
  function(path) {
    if (is.null(known[[path]])) known[[path]] <<- digest_of(path)
    known[[path]]
  }
})
changed_by_digest <- function(entry) {
  parts <- strsplit(strsplit(gsub("\\s+", " ", entry$Sources), ", ")[[1L]], " ")
  then <- vapply(parts, `[`, "", 2L)
  paths <- vapply(parts, `[`, "", 1L)
  now <- vapply(paths, digests_now, "")
  paths[is.na(now) | then != now]
}
# All paths below `sources` that differ between the commit of the table and now.
changed_by_git <- function(file, sources, said) {
  commit <- sub(".*committed in ([0-9a-f]+) .*", "\\1", said)
  if (git("cat-file", "-t", commit) != "commit") {
    commit <- git("log", "-1", "--format=%h", "--", paste0(file.path(results, file), "*"))
  }
  told <- suppressWarnings(system2("git", c("diff", "--name-only", commit, "--", sources),
                                   stdout = TRUE, stderr = FALSE))
  sources[vapply(sources, function(path) any(startsWith(told, path)), NA)]
}
# The paths that changed; "?" where nothing says what it rests on.
changed_since <- function(file) {
  script <- script_of(file, heads)
  path <- file.path(results, file)
  if (nrow(script) != 1L || !file.exists(sidecar_path(path))) return("?")
  entries <- read_sidecar(path)
  changed <- unique(unlist(lapply(seq_len(nrow(entries)), function(k) {
    if (entries$Sources[k] == "unknown") {
      changed_by_git(file, sources_of(script, heads), entries$Commit[k])
    } else {
      changed_by_digest(entries[k, ])
    }
  })))
  if (all(core_folders %in% changed)) c("core", setdiff(changed, core_folders)) else changed
}
changed <- stats::setNames(lapply(files, changed_since), files)
for (file in files) {
  paths <- changed[[file]]
  unknown <- identical(paths, "?")
  verdict <- if (unknown) "unknown" else if (length(paths)) "stale" else "current"
  cat(sprintf("%-8s %-32s %s\n", verdict, file,
              if (unknown) "no script, or no sidecar" else toString(paths)))
}
stale <- files[lengths(changed) > 0L]

if (writing && (length(wanted) || grepl("unknown|[+]$", commit_of()))) {
  cat("Not written: that takes all files, and sources and scripts that are committed.\n")
} else if (writing) {
  before <- if (file.exists(table)) read_stale(table)
  rows <- data.frame(
    file = files, sidecar = sidecar_digest(sidecar_path(file.path(results, files))),
    changed = vapply(changed, paste, "", collapse = " "), spot = NA_character_,
    spotted = NA_character_, commit = c(commit_of(), rep(NA, length(files) - 1L)), row.names = NULL
  )
  rows$changed[rows$changed == ""] <- NA
  # what was found of a row holds as long as the result is the same
  same <- match(paste(rows$file, rows$sidecar), paste(before$file, before$sidecar))
  found <- c("spot", "spotted")
  if (length(before)) rows[found] <- before[same, found]
  told <- setdiff(names(rows), "commit")
  if (!isTRUE(all.equal(rows[told], before[told], check.attributes = FALSE))) {
    utils::write.csv(rows, table, row.names = FALSE, na = "", quote = FALSE)
    cat("Written: ", table, ", for the pages; make spot adds what it finds.\n", sep = "")
  }
}

# vignettes/provenance.Rmd prints a table for each of result_pages.
named <- lapply(names(result_pages), function(page) {
  intersect(paste0(files_of(page, results), ".csv"), stale)
})
nowhere <- setdiff(stale, unlist(named))
if (length(stale)) {
  cat("Of ", toString(sprintf("%s (%d)", names(result_pages), lengths(named))[lengths(named) > 0L]),
      if (length(nowhere)) paste0("; in no table: ", toString(nowhere)), ".\n", sep = "")
}
noted <- if (file.exists(table)) read_stale(table)
spotted <- noted$file[!is.na(noted$spot)]
cat(sprintf("%d of %d results are older than a source they rest on, %d of these not spotted%s.\n", length(stale),
            length(files), length(setdiff(stale, spotted)), if (!length(stale)) "" else if (!length(nowhere))
              ", all named in vignette(\"provenance\")" else sprintf(", %d named nowhere", length(nowhere))))
quit(status = as.integer(length(nowhere) > 0L))
