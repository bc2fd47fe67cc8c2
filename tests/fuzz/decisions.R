# The campaign of statements on exact optima: 2,000 random problems each, held against refits at
# 1e-12. Draws and judges are tests/testthat/helper-decisions.R, of which `make test` runs a slice.
#
#   make decisions [PROBLEMS=2000] [SEED=1] [STATEMENT=A1,C4] [OUT=file.csv]
#   Rscript tests/fuzz/decisions.R --statement=C4 --first=17 --problems=1      one problem again
#
# A line for each statement: problems, the intervals (claims of a tuning) that
# were checked and how many missed the optimum, classes called certain that a refit contradicts;
# how near to an end of its interval an optimum came (1: at the end); the median half-width and
# what the reference itself leaves open; `tight`, median and largest: of A how much wider than that
# of the reference an interval at 1e-12 is, of B3 the share of zeros that are not known, of C1 the
# surplus over the formula's length, of E the error less its bound; `decided`: of C the share of
# rows that need no step, of E what is proven.
# Exit status 1 if anything is violated.

source(file.path("tests", "fuzz", "judges.R"))
load_judges()

statements <- strsplit(option("statement", paste(names(decision_statements), collapse = ",")),
                       ",")[[1L]]
unknown <- setdiff(statements, names(decision_statements))
if (length(unknown) > 0L) stop("There is no statement ", paste(unknown, collapse = ", "))
first <- as.integer(option("first", 1))
problems <- as.integer(option("problems", 2000))
out <- option("out", NULL)

largest <- function(v) if (all(is.na(v))) NA_real_ else max(v, na.rm = TRUE)
middle <- function(v) stats::median(v, na.rm = TRUE)
shown <- function(v) format(v, digits = 2L)
all_rows <- NULL
cat(sprintf("%-4s %8s %8s %10s %12s %8s %9s %9s %9s %9s %9s %7s\n", "", "problems", "checked",
            "violations", "contradicted", "used", "half", "slack", "tight", "largest", "decided",
            "s"))
for (statement in statements) {
  seconds <- system.time(rows <- run_decisions(statement, first + seq_len(problems) - 1L))[[3L]]
  all_rows <- rbind(all_rows, rows)
  cat(sprintf("%-4s %8d %8d %10d %12d %8s %9s %9s %9s %9s %9s %7.0f\n", statement, nrow(rows),
              sum(rows$checked), sum(rows$violations),
              as.integer(sum(rows$contradicted, na.rm = TRUE)),
              shown(largest(rows$used)), shown(middle(rows$half)), shown(middle(rows$slack)),
              shown(middle(rows$tight)), shown(largest(rows$tight)),
              shown(mean(rows$decided, na.rm = TRUE)), seconds))
  bad <- rows[rows$violations > 0 | rows$contradicted %in% seq_len(1000L), ]
  for (i in seq_len(min(20L, nrow(bad)))) {
    cat(sprintf("     VIOLATION %s --first=%d: %d of %d missed, %s contradicted %s\n", statement,
                bad$seed[i], bad$violations[i], bad$checked[i], format(bad$contradicted[i]),
                bad$failed[i]))
  }
}
if (!is.null(out)) utils::write.csv(all_rows, out, row.names = FALSE)
quit(status = as.integer(any(all_rows$violations > 0 | all_rows$contradicted %in% seq_len(1000L))))
