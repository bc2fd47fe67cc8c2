# Plants the faults of tests/mutants.dcf one by one and runs the law files until one notices it.
# Called by scripts/mutants.sh, which says how to compile.
#
# .Rlib/mutants/tree      a copy of the sources, with the objects of their units
# .Rlib/mutants/sound     the library installed from it
# .Rlib/mutants/mutant    the library with the fault that is being tried
#
# A fault in R/ is patched in the tree, which is installed again. Of one in src/ only `Unit` is
# compiled, and linked in front of the other objects: of an inline function that several have the
# linker takes the first.

work <- file.path(normalizePath(".Rlib"), "mutants")
tree <- file.path(work, "tree")
sound <- file.path(work, "sound")
mutant <- file.path(work, "mutant")
aside <- file.path(work, "aside.o")
laws <- sub("^test-(.*)[.]R$", "\\1", list.files("tests/testthat", "^test-law-.*[.]R$"))

faults <- as.data.frame(read.dcf("tests/mutants.dcf"))
faults <- faults[grepl(Sys.getenv("FILTER"), faults$Fault, ignore.case = TRUE), ]
if (nrow(faults) == 0L) stop("FILTER matches no fault of tests/mutants.dcf.")

run <- function(..., within = ".", timeout = 3600) {
  call <- paste("cd", shQuote(within), "&&", ...)
  said <- suppressWarnings(system2("sh", c("-c", shQuote(call)), stdout = TRUE, stderr = TRUE,
                                   timeout = timeout))
  list(ok = is.null(attr(said, "status")), said = said)
}
fail <- function(result, why) {
  writeLines(utils::tail(result$said, 30L))
  stop(why, call. = FALSE)
}
built <- function(result) if (!result$ok) fail(result, "it does not build")

copy <- function(from, to) {
  stopifnot(file.copy(from, to, overwrite = TRUE, recursive = any(dir.exists(from)),
                      copy.date = TRUE))
}
install <- function(library) {
  dir.create(library)
  built(run("MAKEFLAGS=-j2 R CMD INSTALL --no-docs --no-test-load --no-byte-compile",
            paste0("--library=", shQuote(library)), shQuote(tree)))
}

# The tree anew where a source is another than it was: without ccache a whole compilation.
prepare <- function() {
  parts <- c("DESCRIPTION", "NAMESPACE", "LICENSE", "R", "src", "data", "inst")
  files <- unlist(lapply(parts, function(part) {
    if (dir.exists(part)) list.files(part, full.names = TRUE, recursive = TRUE) else part
  }))
  sums <- tools::md5sum(grep("[.](o|so|dll)$", files, value = TRUE, invert = TRUE))
  stamp <- file.path(work, "sums.rds")
  # a run that was stopped may have left its fault
  whole <- !file.exists(aside) && identical(unname(tools::md5sum(file.path(tree, names(sums)))),
                                            unname(sums))
  if (whole && file.exists(stamp) && identical(readRDS(stamp), sums)) return(invisible())
  cat("Building the package without a fault...\n")
  unlink(work, recursive = TRUE)
  for (file in file.path(tree, names(sums))) dir.create(dirname(file), FALSE, recursive = TRUE)
  copy(names(sums), file.path(tree, names(sums)))
  install(sound)
  saveRDS(sums, stamp)
}

# As R CMD INSTALL tells the compiler where the headers of other packages are.
linking <- regmatches(text <- read.dcf("DESCRIPTION", "LinkingTo"), gregexpr("[A-Za-z]\\w*", text))
headers <- vapply(linking[[1L]], function(name) system.file("include", package = name), "")
Sys.setenv(CLINK_CPPFLAGS = paste0("-I", shQuote(headers), collapse = " "))

install_fault <- function(fault) {
  unlink(mutant, recursive = TRUE)
  if (is.na(fault$Unit)) return(install(mutant))
  dir.create(mutant)
  copy(file.path(sound, "dualmargin"), mutant)
  src <- file.path(tree, "src")
  own <- sub("[.]cpp$", ".o", fault$Unit)
  others <- setdiff(list.files(src, "[.]o$", recursive = TRUE), own)
  copy(file.path(src, "Makevars"), makevars <- tempfile())
  stopifnot(file.rename(file.path(src, own), aside))
  on.exit({
    copy(makevars, file.path(src, "Makevars"))
    file.rename(aside, file.path(src, own))
  })
  # the last line that says what is linked holds
  cat("OBJECTS =", own, others, "\n", file = file.path(src, "Makevars"), append = TRUE)
  built(run("R CMD SHLIB -o", shQuote(file.path(mutant, "dualmargin", "libs", "dualmargin.so")),
            fault$Unit, within = src))
}

# The first test that fails in the law files of these names, "" if none does. A process that dies
# has noticed nothing: the fault is another than its sentence says.
ask <- function(stems, library) {
  files <- sprintf("^(%s)$", paste(stems, collapse = "|"))
  libraries <- paste(library, Sys.getenv("R_LIBS"), sep = .Platform$path.sep)
  result <- run(sprintf("R_LIBS=%s CI= FILTER=%s", shQuote(libraries), shQuote(files)),
                "Rscript --no-init-file scripts/test.R")
  if (result$ok) return("")
  failed <- grep("^  (failure|error) \\(", result$said, value = TRUE)
  died <- any(grepl("^  R ended in the middle", result$said))
  if (died || length(failed) == 0L) fail(result, "the laws could not be asked")
  sub("^  \\w+ \\(test-(.*?)[.]R:?[0-9]*\\): ", "\\1: ", failed[1L], perl = TRUE)
}

try_fault <- function(fault) {
  file <- file.path(tree, fault$File)
  copy(file, kept <- tempfile())
  on.exit(copy(kept, file))
  text <- readLines(file, encoding = "UTF-8")
  at <- grep(fault$From, text, fixed = TRUE)
  if (length(at) != 1L) stop(sprintf("`From` is in %d lines of %s", length(at), fault$File))
  text[at] <- sub(fault$From, fault$To, text[at], fixed = TRUE)
  writeLines(text, file, useBytes = TRUE)
  install_fault(fault)
  found <- ask(fault$Law, mutant)
  if (nzchar(found)) found else ask(setdiff(laws, fault$Law), mutant)
}

seconds_of <- function(code) system.time(code)[["elapsed"]]

prepare()
seconds <- seconds_of(wrong <- ask(unique(faults$Law), sound))
if (nzchar(wrong)) stop("a law fails without a fault, ", wrong)
cat(sprintf("%5.0f s  none: these laws hold without a fault\n", seconds))
caught <- 0L
for (k in seq_len(nrow(faults))) {
  seconds <- seconds_of(found <- tryCatch({
    law <- try_fault(faults[k, ])
    caught <- caught + nzchar(law)
    if (nzchar(law)) paste("caught by", law) else "NOT CAUGHT"
  }, error = function(e) paste("ERROR:", conditionMessage(e))))
  cat(sprintf("%5.0f s  %s (%s)\n         %s\n", seconds, faults$Fault[k], faults$File[k], found))
}
cat(sprintf("%d caught, %d not caught\n", caught, nrow(faults) - caught))
quit(status = as.integer(caught < nrow(faults)))
