# margin_loo(): how many rows are decided from the one fit, how many take a step, and the seconds
# beside those of the fit and of n refits.
#
# A cell is a data set, a loss, an intercept, a lambda and the tolerance of the fit; rule "cost".
# `pair`: rows decided by the pair of the fit without the row and by its own loss; `fit`: by these
# and the Newton step of the removal with its bound, so all that needs no further work; of the rows
# that `pair` leaves, `one_step` are decided by one step (or refit) and `more_steps` need more.
# margin_loo() itself also solves rows to know the deviance to 5 % (`solved`). Seconds are of the
# clock, medians of rounds in which fit, margin_loo() and a sample of the refits take turns (one
# round where margin_loo() takes more than 20 seconds); n refits are n times the mean of the sample
# (`sample`), from nothing and, `warm_seconds`, from the fit as a start. `checked` rows that needed a
# step, and the sample, are refitted at a tolerance of 1e-10: `contradicted` counts other classes than those of margin_loo().
#
# Usage: Rscript decisions_loo.R [folder for the results] [--cells=regex] [--rounds=5]
#        [--sample=40] [--check=40]
# A cell is named like "spambase logistic free 1e-02 1e-06". Its row replaces an older one.
# writes: decisions_loo.csv
# depends: R/loo.R src/decide src/region src/remove.cpp
# depends: src/linear R/margin_linear.R core
# seeds: 1 (solvers, samples of rows)

source(file.path(dirname(sub("^--file=", "", grep("^--file=", commandArgs(), value = TRUE)[1L])),
                 "..", "experiments", "_driver.R"))
source(file.path(home, "_decisions.R"))
rounds <- as.integer(option("rounds", "5"))
sample_size <- as.integer(option("sample", "40"))
check_size <- as.integer(option("check", "40"))

cells <- rbind(
  expand.grid(tol = c(1e-6, 1e-10), lambda = 10^-(1:4), intercept = c("penalized", "free"),
              loss = "logistic", data = "spambase", stringsAsFactors = FALSE),
  expand.grid(tol = c(1e-6, 1e-10), lambda = 10^-(2:4), intercept = c("penalized", "free"),
              loss = "logistic", data = "a1a", stringsAsFactors = FALSE),
  expand.grid(tol = 1e-6, lambda = c(1e-2, 1e-3), intercept = "penalized", loss = "squared_hinge",
              data = c("a1a", "spambase"), stringsAsFactors = FALSE),
  expand.grid(tol = 1e-6, lambda = 10^-(1:3), intercept = "penalized", loss = "hinge",
              data = c("a1a", "spambase"), stringsAsFactors = FALSE),
  expand.grid(tol = 1e-6, lambda = c(10, 1), intercept = "penalized",
              loss = c("logistic", "squared_hinge", "hinge"), data = "genes",
              stringsAsFactors = FALSE),
  data.frame(tol = c(1e-6, 1e-10), lambda = 1, intercept = "free", loss = "logistic",
             data = "colon")
)
label <- paste(cells$data, cells$loss, cells$intercept, format(cells$lambda, scientific = TRUE),
               format(cells$tol, scientific = TRUE))

# ---- what decides ------------------------------------------------------------------------------
decided_by <- function(fit, data) {
  sets <- as.list(seq_along(data$y))
  left_by <- function(...) {
    ends <- core$core_removals(fit, data$x, sets, "cost", ...)$ends[[1L]]
    sum(ends[, 1L] < 0 & ends[, 2L] >= 0)
  }
  pair <- left_by(effort = "none", ball_alone = TRUE)
  fitted <- left_by(effort = "none")
  more <- left_by(effort = "one")
  list(pair = length(data$y) - pair, fit = length(data$y) - fitted, one_step = pair - more,
       more_steps = more)
}

# ---- one cell ----------------------------------------------------------------------------------
without <- function(data, cell, row, tol = cell$tol, start = NULL) {
  n <- length(data$y)
  one_fit(data, cell$loss, cell$intercept, cell$lambda * n / (n - 1), tol, -row, start)
}
class_without <- function(data, cell, row) {
  fit <- without(data, cell, row, 1e-10)
  as.character(predict(fit, data$x[row, , drop = FALSE]))
}
measure <- function(data, cell) {
  n <- length(data$y)
  set.seed(1)
  chosen <- if (sample_size >= n) seq_len(n) else sample.int(n, sample_size)
  turn <- rep(seq_len(rounds), length.out = length(chosen))
  done <- rounds
  seconds <- matrix(NA_real_, rounds, 3L, dimnames = list(NULL, c("fit", "certain", "loo")))
  refits <- warm <- numeric()
  for (round in seq_len(rounds)) {
    gc(FALSE)
    fitted <- timed(one_fit(data, cell$loss, cell$intercept, cell$lambda, cell$tol))
    fit <- value_of(fitted)
    certain <- timed(margin_certain(fit, data$x, data$y))
    value_of(certain)
    left_out <- timed(margin_loo(fit, data$x, data$y, rule = "cost"))
    loo <- value_of(left_out)
    seconds[round, ] <- c(fitted$seconds, certain$seconds, left_out$seconds)
    if (left_out$seconds > 20) {
      done <- round
      turn[] <- round
    }
    for (row in chosen[turn == round]) {
      refit <- timed(without(data, cell, row))
      value_of(refit)
      refits <- c(refits, refit$seconds)
      refit <- timed(without(data, cell, row, start = fit))
      value_of(refit)
      warm <- c(warm, refit$seconds)
    }
    if (done == round) break
  }
  seconds <- seconds[seq_len(done), , drop = FALSE]
  table <- as.data.frame(loo)
  stepped <- which(table$by != "bound")
  if (length(stepped) > check_size) stepped <- sample(stepped, check_size)
  checked <- union(stepped, chosen)
  classes <- vapply(checked, class_without, "", data = data, cell = cell)
  decided <- decided_by(fit, data)
  middle <- apply(seconds, 2L, stats::median)
  summary <- glance(loo)
  data.frame(
    data = cell$data, n = n, d = ncol(data$x), loss = cell$loss, intercept = cell$intercept,
    lambda = cell$lambda, tol = cell$tol, relative_gap = certificate(fit)$relative_gap,
    pair = decided$pair, fit = decided$fit, one_step = decided$one_step,
    more_steps = decided$more_steps, solved = summary$solved, ties = summary$ties,
    training_errors = summary$training_errors, errors = summary$errors,
    fit_seconds = middle[["fit"]], certain_seconds = middle[["certain"]],
    loo_seconds = middle[["loo"]], refits_seconds = n * mean(refits), warm_seconds = n * mean(warm),
    loo_per_fit = stats::median(seconds[, "loo"] / seconds[, "fit"]),
    refits_per_loo = n * mean(refits) / middle[["loo"]],
    loo_per_warm = middle[["loo"]] / (n * mean(warm)), sample = length(chosen),
    checked = length(checked), contradicted = sum(classes != as.character(table$class[checked])),
    rounds = done, seed = 1
  )
}

# ---- the run -----------------------------------------------------------------------------------
chosen <- which(grepl(option("cells", "."), label))
for (set in unique(cells$data[chosen])) {
  data <- problem_of(set)
  for (i in chosen[cells$data[chosen] == set]) {
    row <- measure(data, cells[i, ])
    print(row[setdiff(names(row), c("n", "d", "seed"))], row.names = FALSE, digits = 3)
    keep_table(row, "decisions_loo.csv", c("data", "loss", "intercept", "lambda", "tol"), "Matrix")
  }
}
