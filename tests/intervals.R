# What every fit claims, [bound, optimum, value], recorded before a change of the core and after it:
# the optimum is one number, so the intervals of the same fit must intersect.
#
#   make intervals OUT=before.rds [FILTER=regex] [SEEDS=2000] [FIRST=7001] [JOBS=2]
#   Rscript tests/intervals.R compare before.rds after.rds [--all]
#
# Recorded are the fits of the tests (all of those that FILTER picks) and of SEEDS numbers of the
# campaign (tests/fuzz) from number FIRST on. A fit is known by file, test, its number within the
# test, class and, on a path, point; the hash of its problem tells whether that name still means
# the same problem. The comparison ends with status 1 if intervals of one problem do not intersect.

source(file.path("tests", "fuzz", "judges.R"))
words <- grep("^--", arguments, value = TRUE, invert = TRUE)
if (!file.exists(file.path("tests", "intervals-recorder.R"))) {
  stop("Run this from the top of the clone.")
}

# ---- A worker: numbers of the campaign, in blocks ----

block_size <- 25L

run_seeds <- function(folder, blocks, first, seeds) {
  load_judges()
  source(file.path("tests", "intervals-recorder.R"))
  for (block in blocks) {
    numbers <- first + seq(block_size * (block - 1L), min(block_size * block, seeds) - 1L)
    begin_intervals(sprintf("campaign %d to %d", numbers[1L], numbers[length(numbers)]))
    for (seed in numbers) {
      recorder$test <- sprintf("seed %d", seed)
      fuzz_seed(as.integer(seed))
    }
    write_intervals(folder)
  }
}

if (identical(words[1L], "worker")) {
  run_seeds(option("folder", NULL), as.integer(strsplit(option("blocks", ""), ",")[[1L]]),
            as.numeric(option("first", NULL)), as.numeric(option("seeds", NULL)))
  quit(status = 0L)
}

# ---- Recording ----

rscript <- function(call, ...) {
  system2(file.path(R.home("bin"), "Rscript"), c("--no-init-file", shQuote(call)), ...)
}

record <- function(out) {
  jobs <- as.integer(option("jobs", 2))
  seeds <- as.numeric(option("seeds", 2000))
  dir.create(folder <- tempfile("intervals"))
  # first the tests, which say themselves what failed
  if (option("tests", "yes") == "yes") {
    Sys.setenv(DUALMARGIN_INTERVALS = folder, JOBS = jobs)
    failed <- rscript(file.path("scripts", "test.R"))
    if (failed != 0L) cat("Some tests failed; what their fits claim is recorded all the same.\n")
  }
  blocks <- seq_len(ceiling(seeds / block_size))
  if (seeds > 0) {
    logs <- file.path(folder, paste0("log", seq_len(jobs)))
    for (job in seq_len(jobs)) {
      mine <- blocks[blocks %% jobs == job %% jobs]
      rscript(c(file.path("tests", "intervals.R"), "worker", paste0("--folder=", folder),
                paste0("--blocks=", paste(mine, collapse = ",")),
                paste0("--first=", option("first", 7001)), paste0("--seeds=", seeds)),
              stdout = logs[job], stderr = logs[job], wait = job == jobs)
    }
    # the last one was waited for; the others have as much to do
    written <- function() length(list.files(folder, "^campaign.*[.]rds$"))
    since <- Sys.time()
    had <- written()
    while (written() < length(blocks) && difftime(Sys.time(), since, units = "mins") < 5) {
      Sys.sleep(1)
      if (written() > had) since <- Sys.time()
      had <- written()
    }
    if (written() < length(blocks)) {
      cat(sprintf("%d of %d blocks of the campaign did not end:\n", length(blocks) - written(),
                  length(blocks)))
      for (log in logs) writeLines(utils::tail(readLines(log, warn = FALSE), 5L))
    }
  }
  all <- do.call(rbind, lapply(list.files(folder, "[.]rds$", full.names = TRUE), readRDS))
  all <- all[order(all$file, all$test, all$call, all$class, all$point), ]
  rownames(all) <- NULL
  saveRDS(all, out)
  cat(sprintf("%d intervals of %d tests and numbers in %s, %d of them certified\n", nrow(all),
              nrow(unique(all[c("file", "test")])), out, sum(all$certified)))
}

# ---- Comparison ----

# lower <= optimum <= upper; for a margin the value is the lower end.
with_ends <- function(all) {
  margin <- all$kind == "margin interval"
  all$lower <- ifelse(margin, all$value, all$bound)
  all$upper <- ifelse(margin, all$bound, all$value)
  all$key <- paste(all$file, all$test, all$call, all$class, all$point, sep = " | ")
  all
}

# What an interval is worth: a sampled bound may miss in 5 %, and one that holds for a limited norm
# only says so and certifies nothing.
worth <- function(kind) {
  ifelse(kind == "confidence bound", "confidence", ifelse(grepl("norm <=", kind), "limited norm",
                                                          "bound"))
}

# By how much [lower, upper] and the other miss each other, relative to their size; the part that
# the rounding of the returned numbers explains is taken off.
miss <- function(a, b) {
  by <- pmax(a$lower - b$upper, b$lower - a$upper)
  size <- pmax(abs(a$upper), abs(b$upper), abs(a$lower) * is.finite(a$lower),
               abs(b$lower) * is.finite(b$lower))
  known <- function(x) ifelse(is.finite(x), x, 0)
  relative <- ifelse(size > 0, by / size, 0) - 1e-13 - 10 * (known(a$floor) + known(b$floor))
  ifelse(is.finite(relative), pmax(relative, 0), ifelse(is.na(by) | by <= 0, 0, Inf))
}

show <- function(title, lines, all) {
  if (length(lines) == 0L) {
    return(invisible())
  }
  cat(sprintf("\n%s (%d)\n", title, length(lines)))
  shown <- if (all) lines else utils::head(lines, 40L)
  cat(paste0("  ", shown, "\n"), sep = "")
  if (length(shown) < length(lines)) cat("  ... --all shows the rest\n")
}

interval <- function(row) {
  sprintf("[%.15g, %.15g] %s, %s", row$lower, row$upper, row$kind, row$status)
}

compare <- function(before, after, all = FALSE) {
  a <- with_ends(readRDS(before))
  b <- with_ends(readRDS(after))
  both <- intersect(a$key, b$key)
  x <- a[match(both, a$key), ]
  y <- b[match(both, b$key), ]
  same <- x$problem == y$problem
  cat(sprintf("%d intervals before, %d after; %d fits in both, %d of them of the same problem\n",
              nrow(a), nrow(b), length(both), sum(same)))
  cat(sprintf("certified: %d of %d before, %d of %d after; of the fits in both %d and %d\n",
              sum(a$certified), nrow(a), sum(b$certified), nrow(b), sum(x$certified),
              sum(y$certified)))

  off <- miss(x, y)
  kind <- ifelse(worth(x$kind) == worth(y$kind), worth(x$kind), "other kind")
  lost <- off > 0
  counts <- table(factor(ifelse(same, kind, "other problem"),
                         c("bound", "confidence", "limited norm", "other kind", "other problem")),
                  factor(ifelse(lost, "apart", "intersect"), c("intersect", "apart")))
  print(counts)
  told <- function(at) {
    sprintf("%s: %s/%s apart by %.1e: before %s; after %s", x$key[at], x$family[at], x$solver[at],
            off[at], interval(x[at, ]), interval(y[at, ]))
  }
  worst_first <- function(at) at[order(-off[at])]
  wrong <- which(lost & same & kind %in% c("bound", "other kind"))
  show("DO NOT INTERSECT", told(worst_first(wrong)), all)
  limited <- which(lost & same & kind == "limited norm")
  show("do not intersect: bounds of limited norm", told(limited), all)
  show("do not intersect: confidence bounds, of which 5 % may",
       told(which(lost & same & kind == "confidence")), all)
  show("other problems of the same name that do not intersect", told(which(lost & !same)), all)

  # All fits of one problem, whatever their solver and their test, before and after.
  either <- rbind(a, b)
  either$when <- rep(c("before", "after"), c(nrow(a), nrow(b)))
  either <- either[worth(either$kind) == "bound" & is.finite(either$upper), ]
  either$group <- paste(either$problem, either$class, either$point, either$kind)
  groups <- split(seq_len(nrow(either)), either$group)
  crossed <- unlist(lapply(groups, function(at) {
    low <- at[which.max(either$lower[at])]
    high <- at[which.min(either$upper[at])]
    if (length(low) && length(high) && miss(either[low, ], either[high, ]) > 0) {
      sprintf("%s (%s, %s) %s; %s (%s, %s) %s", either$key[low], either$solver[low],
              either$when[low], interval(either[low, ]), either$key[high], either$solver[high],
              either$when[high], interval(either[high, ]))
    }
  }))
  cat(sprintf("\n%d problems with several fits, %d of them with bounds above another's value\n",
              sum(lengths(groups) > 1L), length(crossed)))
  show("ONE PROBLEM, TWO OPTIMA", unname(crossed), all)

  show("certified before, not after", with(y[x$certified & !y$certified, ], {
    sprintf("%s: %s/%s, now %s, [%.9g, %.9g], tol %.0e", key, family, solver, status, lower, upper,
            tol)
  }), all)
  show("certified after, not before",
       with(y[!x$certified & y$certified, ], sprintf("%s: %s/%s", key, family, solver)), all)
  missing <- function(one, other) {
    gone <- one[!one$key %in% other$key, ]
    table <- sort(table(paste(gone$file, gone$test, sep = " | ")), decreasing = TRUE)
    if (length(table)) sprintf("%4d  %s", as.integer(table), names(table))
  }
  show("fits recorded before only, by test", missing(a, b), all)
  show("fits recorded after only, by test", missing(b, a), all)

  # The work that they cost, where both ended certified.
  done <- x$certified & y$certified & same & x$epochs > 0 & y$epochs > 0
  if (any(done)) {
    ratio <- (y$epochs / x$epochs)[done]
    by <- split(ratio, paste(x$family, x$solver, sep = "/")[done])
    cat("\nepochs after / before, of fits certified in both:\n")
    middle <- vapply(by, function(r) exp(mean(log(r))), 0)
    print(data.frame(fits = lengths(by), geometric_mean = middle, smallest = vapply(by, min, 0),
                     largest = vapply(by, max, 0)), digits = 3)
  }
  length(wrong) + length(crossed)
}

status <- switch(
  if (length(words)) words[1L] else "",
  record = {
    record(words[2L])
    0L
  },
  compare = as.integer(compare(words[2L], words[3L], "--all" %in% arguments) > 0L),
  stop("Usage: see the first lines of tests/intervals.R.")
)
quit(status = status)
