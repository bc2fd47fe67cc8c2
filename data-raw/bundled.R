# Writes data/a1a.rda, data/spambase.rda and data/colon.rda from the files named in
# inst/extdata/data_sets.csv, whose checksums data_sets.R has compared.
#
# DUALMARGIN_DATA names the folder of the files. Run from the root of the sources with the package
# installed:  Rscript data-raw/bundled.R

library(Matrix)

read_listed <- function(name) {
  sets <- dualmargin:::known_data_sets()
  set <- sets[sets$name == name, ]
  path <- file.path(Sys.getenv("DUALMARGIN_DATA"), set$file)
  stopifnot(as.character(openssl::sha256(file(path, raw = TRUE))) == set$sha256)
  dualmargin:::read_data_file(set, path)
}

a1a <- read_listed("a1a")
a1a$x <- as(a1a$x, "CsparseMatrix") # the class that other packages take, too
stopifnot(is(a1a$x, "dgCMatrix"), length(a1a$x@x) == 22249L, all(a1a$x@x == 1))

colon <- read_listed("colon")
stopifnot(is.double(colon$x), table(colon$y) == c(22L, 40L))

spambase <- read_listed("spambase")
spambase <- data.frame(spambase$x, type = spambase$y)
if (requireNamespace("kernlab", quietly = TRUE)) { # an independent copy, rows in the same order
  data("spam", package = "kernlab")
  stopifnot(all(as.matrix(spam[1:57]) == as.matrix(spambase[1:57])), spam$type == spambase$type)
}

for (name in c("a1a", "spambase", "colon")) {
  save(list = name, file = file.path("data", paste0(name, ".rda")), compress = "xz", version = 3)
}
