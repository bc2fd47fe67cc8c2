# read_libsvm() beside e1071::read.matrix.csr() in one process, interleaved, on a text of the size
# of a9a: 32,561 rows of 123 columns, written here from a1a's rows. Both must give the same numbers.
# e1071 1.7-13 fails on every file with labels, so it gets the same text without them.
# Usage: Rscript read_libsvm.R [folder for the results]
# writes: read_libsvm.csv
# depends: src/data.cpp R/data.R
# seeds: 1

library(dualmargin)
home <- dirname(sub("^--file=", "", grep("^--file=", commandArgs(), value = TRUE)[1L]))
source(file.path(home, "_arguments.R"))
set.seed(1)
rows <- sample(nrow(a1a$x), 32561L, replace = TRUE)
path <- tempfile(fileext = ".svm")
write_libsvm(a1a$x[rows, ], a1a$y[rows], path)

bare <- tempfile()
writeLines(sub("^\\S+ ", "", readLines(path)), bare)

ours <- read_libsvm(path)
theirs <- e1071::read.matrix.csr(bare)
stopifnot(identical(ours$x@x, theirs@ra), identical(ours$x@j + 1L, theirs@ja))
seconds <- function(code) system.time(code, gcFirst = TRUE)[["elapsed"]]
pairs <- t(replicate(5L, c(ours = seconds(read_libsvm(path)),
                           e1071 = seconds(e1071::read.matrix.csr(bare)))))
ratio <- pairs[, "e1071"] / pairs[, "ours"]
table <- data.frame(
  what = "e1071::read.matrix.csr / read_libsvm, elapsed", median_ratio = signif(median(ratio), 3),
  smallest = signif(min(ratio), 3), largest = signif(max(ratio), 3), repeats = length(ratio),
  date = as.character(Sys.Date()),
  machine = paste(Sys.info()[["sysname"]], Sys.info()[["machine"]], R.version$version.string),
  command = "make bench"
)
record(table, file.path(folder, "read_libsvm.csv"), skip = c("smallest", "largest"))
print(table[1:5], row.names = FALSE)
