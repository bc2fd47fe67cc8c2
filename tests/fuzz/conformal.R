# The campaign of prediction sets: random problems, held against the definition with every model
# refitted by the call itself at 1e-12. Draws and judges are tests/testthat/helper-conformal.R, of
# which `make test` runs a slice.
#
#   make conformal [PROBLEMS=2000] [SEED=1] [METHOD=cv+|jackknife+|full|groups|kinks|kernel]
#     [COVERAGE=1]
#   Rscript tests/fuzz/conformal.R --method=cv+ --first=17 --problems=1      one problem again
#   Rscript tests/fuzz/conformal.R --problems=1 --coverage=1 --sets=120      coverage alone, fewer sets
#
# A line for each method: problems, labels and ends that were checked, how many differ, how many the
# reference leaves open (a tie up to its own rounding), rows solved by Hessians of their own. With
# coverage, for each simulated distribution and level what was covered beside what is guaranteed.
# Exit status 1 if anything differs, or covers less than guaranteed by 3 standard errors.

source(file.path("tests", "fuzz", "judges.R"))
load_judges()

judges <- list("cv+" = judge_cv, "jackknife+" = judge_jackknife,
               "jackknife+, refits = 0" = function(seed) judge_jackknife(seed, refits = 0),
               full = judge_full, "full, refits = 0" = function(seed) judge_full(seed, refits = 0),
               groups = judge_groups, kinks = judge_kinks, kernel = judge_kernel)
chosen <- option("method", "")
if (nzchar(chosen)) judges <- judges[startsWith(names(judges), chosen)]
if (length(judges) == 0L) stop("There is no method ", chosen)
first <- as.integer(option("first", 1))
problems <- as.integer(option("problems", 2000))

bad <- FALSE
for (name in names(judges)) {
  seconds <- system.time({
    rows <- lapply(first + seq_len(problems) - 1L, function(seed) {
      c(seed = seed, judges[[name]](seed))
    })
  })[[3L]]
  rows <- as.data.frame(do.call(rbind, rows))
  # without refits sets may be larger, and never smaller
  outer <- grepl("refits = 0", name)
  wrong <- if (outer) rows$larger < 1 & rows$checked > 0 else rows$missed > 0
  cat(sprintf("%-24s problems %d checked %d differ %d open %d refitted %s, %.0f s\n", name,
              nrow(rows), sum(rows$checked), sum(rows$missed), sum(rows$open),
              format(sum(rows$refitted)), seconds))
  for (seed in utils::head(rows$seed[wrong], 20L)) {
    cat("     DIFFERS --first=", seed, "\n", sep = "")
  }
  bad <- bad || any(wrong)
}

# Rows whose sets must hold, whatever their distribution.
simulated <- list(
  normal = function(n) { x <- rnorm(n); data.frame(x, y = x + rnorm(n)) },
  unequal = function(n) { x <- rnorm(n); data.frame(x, y = x + (0.2 + abs(x)) * rnorm(n)) },
  heavy = function(n) { x <- rnorm(n); data.frame(x, y = x + rt(n, 1.5)) },
  wrong = function(n) { x <- rnorm(n); data.frame(x, y = x^2 + 0.3 * rnorm(n)) }
)
# The rows of a set share its luck, so errors are those of the means of the sets.
simulate_coverage <- function(draw, two, method, level) {
  hits <- vapply(seq_len(as.integer(option("sets", 400))), function(seed) {
    set.seed(seed)
    rows <- draw(119L)
    if (two) rows$y <- factor(ifelse(rows$y > 0.5, "b", "a"))
    train <- rows[1:99, ]
    if (two && min(table(train$y)) < 5L) return(NA_real_)
    fit <- margin_linear(y ~ x, data = train, lambda = 0.05)
    object <- suppressMessages(if (method == "cv+") {
      margin_conformal(fit, train, level = level, method = method, folds = 9)
    } else {
      margin_conformal(fit, train, level = level, method = method)
    })
    summary(object, rows[100:119, ])$coverage[1L]
  }, 0)
  hits <- hits[!is.na(hits)]
  c(covered = mean(hits), error = stats::sd(hits) / sqrt(length(hits)))
}
if (nzchar(option("coverage", ""))) {
  least <- function(method, level) {
    excess <- min(2 * level * 8 / 108, (1 - 9 / 99) / 10)
    switch(method, split = level, full = level, "jackknife+" = 2 * level - 1,
           "cv+" = 2 * level - 1 - excess)
  }
  for (two in c(FALSE, TRUE)) for (name in names(simulated)) for (level in c(0.8, 0.9)) {
    for (method in c("split", "cv+", "jackknife+", "full")) {
      found <- simulate_coverage(simulated[[name]], two, method, level)
      low <- found[["covered"]] < least(method, level) - 3 * found[["error"]]
      cat(sprintf("%-10s %-8s %-11s level %.1f covered %.3f +- %.3f guaranteed %.3f%s\n",
                  if (two) "classes" else "regression", name, method, level, found[["covered"]],
                  found[["error"]], least(method, level), if (low) "  TOO LITTLE" else ""))
      bad <- bad || low
    }
  }
}
quit(status = as.integer(bad))
