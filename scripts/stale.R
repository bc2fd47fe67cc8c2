# Which results are older than the code that they rest on? A result is current as long as the sources
# that its script names have the digests of its sidecar; where the sidecar has none (results from
# before there were sidecars) git says which of them changed after the table was committed. It warns.
# Usage: Rscript scripts/stale.R [regex of file names]

source(file.path("inst", "experiments", "_record.R"))
heads <- script_heads()
wanted <- commandArgs(trailingOnly = TRUE)
results <- file.path("inst", "extdata", "results")
files <- list.files(results, "\\.csv$")
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
  paths[is.na(match(then, vapply(paths, digests_now, ""))) | then != vapply(paths, digests_now, "")]
}
# All paths below `sources` that differ between the commit of the table and now.
changed_by_git <- function(file, sources, said) {
  commit <- sub(".*committed in ([0-9a-f]+) .*", "\\1", said)
  if (git("cat-file", "-t", commit) != "commit") {
    commit <- git("log", "-1", "--format=%h", "--", file.path(results, file))
  }
  told <- suppressWarnings(system2("git", c("diff", "--name-only", commit, "--", sources),
                                   stdout = TRUE, stderr = FALSE))
  sources[vapply(sources, function(path) any(startsWith(told, path)), NA)]
}
stale <- 0L
for (file in files) {
  script <- script_of(file, heads)
  path <- file.path(results, file)
  if (nrow(script) != 1L || !file.exists(sidecar_path(path))) {
    cat(sprintf("unknown  %-32s no script, or no sidecar\n", file))
    next
  }
  entries <- read_sidecar(path)
  changed <- unique(unlist(lapply(seq_len(nrow(entries)), function(k) {
    if (entries$Sources[k] == "unknown") {
      changed_by_git(file, sources_of(script, heads), entries$Commit[k])
    } else {
      changed_by_digest(entries[k, ])
    }
  })))
  if (all(core_folders %in% changed)) changed <- c("core", setdiff(changed, core_folders))
  if (length(changed)) stale <- stale + 1L
  cat(sprintf("%-8s %-32s %s\n", if (length(changed)) "stale" else "current", file,
              toString(changed)))
}
cat(sprintf("%d of %d results are older than a source they rest on.\n", stale, length(files)))
if (stale) cat("Warning: `make spot` computes a cheap row of each again and decides.\n")
