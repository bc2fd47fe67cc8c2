# Random fits of other packages against what margin_audit() says of them: PROBLEMS of each package.
# Laws and judge are tests/testthat/helper-audit.R, of which `make test` runs a slice.
#
#   make audits [PROBLEMS=1000] [SEED=1] [PEER=glmnet]
#   Rscript tests/fuzz/audit.R --peer=glmnet --first=17 --problems=1      one problem again
#
# A line for each package and what it was told (its own arguments, or another cost, alpha or class
# weight): audits; those whose interval misses the excess that is true; those whose value is not
# that of the manual; certified ones, and of these what the truth contradicts; the median excess and
# the largest part that the reference leaves open. Exit status 1 if anything is wrong.

source(file.path("tests", "fuzz", "judges.R"))
load_judges()

peers <- strsplit(option("peer", paste(names(audit_laws), collapse = ",")), ",")[[1L]]
seeds <- as.integer(option("first", 1)) + seq_len(as.integer(option("problems", 1000))) - 1L
wrong <- FALSE
cat(sprintf("%-10s %-8s %7s %7s %6s %10s %13s %8s %8s %6s\n", "", "told", "audits", "missed",
            "value", "certified", "contradicted", "excess", "open", "s"))
for (peer in peers) {
  if (!requireNamespace(peer, quietly = TRUE)) {
    cat(sprintf("%-10s is not installed\n", peer))
    next
  }
  seconds <- system.time(rows <- run_audit_law(peer, seeds))[[1L]]
  for (part in split(rows, rows$told)) {
    cat(sprintf("%-10s %-8s %7d %7d %6d %10d %13d %8.1g %8.1g %6.0f\n", peer,
                sub("its ", "", part$told[1L]), nrow(part), sum(part$missed), sum(part$wrong),
                sum(part$certified), sum(part$contradicted), median(part$excess), max(part$open),
                seconds))
  }
  bad <- rows[rows$missed | rows$wrong | rows$contradicted, ]
  for (i in seq_len(min(20L, nrow(bad)))) {
    cat(sprintf("     VIOLATION --peer=%s --first=%d (%s)\n", peer, bad$seed[i], bad$told[i]))
  }
  wrong <- wrong || nrow(bad) > 0L
}
quit(status = as.integer(wrong))
