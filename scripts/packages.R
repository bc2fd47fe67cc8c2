# Writes the packages that a step needs and this machine lacks, one a line: name, then "required"
# (the step cannot run) or "wanted" (tests that compare with the package are skipped).
# Usage: Rscript scripts/packages.R demo|test|bare|frameworks|check|bench|cluster|doc|format|spelling <file>

args <- commandArgs(trailingOnly = TRUE)
step <- args[1L]

fields <- c("Imports", "LinkingTo", "Suggests")
description <- read.dcf("DESCRIPTION", fields = fields)[1L, ]
needs <- do.call(rbind, lapply(fields, function(field) {
  entries <- trimws(strsplit(description[[field]], ",", fixed = TRUE)[[1L]])
  entries <- entries[nzchar(entries)]
  version <- ifelse(grepl("(", entries, fixed = TRUE), gsub(".*>=|\\).*|\\s", "", entries), "0")
  data.frame(name = gsub("\\s*\\(.*", "", entries), version = version, field = field)
}))

run <- needs$name[needs$field != "Suggests"]
peers <- c("e1071", "glmnet", "kernlab", "ECOSolveR", "nnet", "quadprog", "quantreg")
# What the workflow around the fits calls, where it is there.
workflow <- c("future", "future.apply", "knitr", "LiblineaR", "progressr", "ranger",
              "rmarkdown", "rsample")
# What the tests give parts of rows by, as users do; nothing in the package calls them.
readers <- c("data.table", "DBI", "nanoparquet", "RSQLite")
# Peers of inst/bench alone, which take long to compile: not suggested, so that no check asks for
# them.
bench_only <- c("clarabel", "highs", "pROC")
# In a library of their own, see frameworks.sh: they would replace what the others were built with.
frameworks <- c("DALEX", "insight", "marginaleffects", "mlr3", "parsnip", "pdp", "tune", "workflows",
                "yardstick")
suggested <- setdiff(needs$name[needs$field == "Suggests"], frameworks)
steps <- list(
  demo = list(required = run),
  test = list(required = c(run, "testthat"), wanted = c(peers, workflow, readers)),
  bare = list(required = c(run, "testthat")),
  # What the frameworks are made of, as far as the machine's own versions serve.
  frameworks = list(required = c(run, "testthat"),
                    wanted = c(peers, workflow, "R6", "recipes", "ggplot2")),
  check = list(required = c(run, "testthat"), wanted = suggested),
  bench = list(required = run, wanted = c(suggested, bench_only)),
  cluster = list(required = run),
  doc = list(required = c(run, "roxygen2")),
  format = list(required = "lintr"),
  spelling = list(required = "spelling")
)
if (!step %in% names(steps)) {
  stop("unknown step ", sQuote(step, FALSE), ": use one of ", toString(names(steps)))
}

lacks <- function(name) {
  least <- max(c("0", needs$version[needs$name == name]))
  !requireNamespace(name, quietly = TRUE) || utils::packageVersion(name) < least
}
lines <- character()
for (kind in names(steps[[step]])) {
  for (name in setdiff(unique(steps[[step]][[kind]]), sub(" .*", "", lines))) {
    if (suppressWarnings(lacks(name))) lines <- c(lines, paste(name, kind))
  }
}
writeLines(lines, args[2L])
