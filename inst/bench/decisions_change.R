# margin_sensitivity(): seconds beside those of the refits that it replaces, and what it leaves open.
#
# A cell is a data set, a loss, a lambda and a change: 5 rows removed, 5 relabelled, or 10 or 50
# groups of rows, each removed in turn; free intercept, a fit at a tolerance of 1e-6, all rows
# predicted. The refit is that of margin_linear() at the same tolerance from the fit as a start
# (`start` of margin_control()), with rule "cost", once or for each group, without predictions.
# Columns `bounds_*` are of refits = 0, the bounds alone. Seconds are of the clock, medians of rounds
# in which all take turns; `per_refit` is the median ratio. `contradicted` counts predictions that a
# refit at 1e-10 gives another class than the one that is called certain.
#
# Usage: Rscript decisions_change.R [folder for the results] [--cells=regex] [--rounds=5]
# A cell is named like "spambase logistic 1e-02 remove". Its row replaces an older one.
# spambase: 500 rows, columns divided by their standard deviations; biopsy (MASS): 683 rows; a1a: as
# it is; genes: 62 x 2,000, logarithms, standardised.
# writes: decisions_change.csv
# depends: R/sensitivity.R src/decide src/region src/change.cpp
# depends: src/linear R/margin_linear.R core
# seeds: 1 (solvers, which rows)

source(file.path(dirname(sub("^--file=", "", grep("^--file=", commandArgs(), value = TRUE)[1L])),
                 "..", "experiments", "_driver.R"))
source(file.path(home, "_decisions.R"))
rounds <- as.integer(option("rounds", "5"))

changes <- c("remove", "relabel", "groups10", "groups50")
cells <- rbind(
  expand.grid(change = changes, lambda = 10^-(1:3), loss = c("logistic", "squared_hinge", "hinge"),
              data = c("spambase", "biopsy", "a1a"), stringsAsFactors = FALSE),
  expand.grid(change = changes, lambda = c(10, 1), loss = c("logistic", "squared_hinge", "hinge"),
              data = "genes", stringsAsFactors = FALSE)
)
label <- paste(cells$data, cells$loss, format(cells$lambda, scientific = TRUE), cells$change)

rows_of <- function(set) {
  if (set == "biopsy") {
    loaded <- new.env()
    utils::data("biopsy", package = "MASS", envir = loaded)
    complete <- stats::na.omit(loaded$biopsy)
    return(list(x = plain(as.matrix(complete[2:10])), y = factor(complete$class)))
  }
  data <- problem_of(set)
  if (set == "spambase") {
    set.seed(1)
    some <- sort(sample(length(data$y), 500L))
    data <- list(x = data$x[some, ], y = data$y[some])
  }
  data
}

# ---- one cell ----------------------------------------------------------------------------------
# What margin_sensitivity() is asked, and the rows and labels of each problem that it replaces.
asked_of <- function(data, change) {
  set.seed(1)
  n <- length(data$y)
  five <- sample(n, 5L)
  if (change == "remove") {
    return(list(ask = list(remove = five), refits = list(list(out = five, y = data$y))))
  }
  if (change == "relabel") {
    y <- data$y
    y[five] <- rev(levels(y))[y[five]]
    labels <- replace(rep(NA, n), five, as.character(y[five]))
    return(list(ask = list(relabel = labels), refits = list(list(out = integer(), y = y))))
  }
  groups <- sample(rep(seq_len(as.integer(sub("groups", "", change))), length.out = n))
  list(ask = list(groups = groups),
       refits = lapply(unname(split(seq_len(n), groups)), function(out) list(out = out, y = data$y)))
}
refit <- function(data, cell, fit, one, tol = 1e-6) {
  kept <- setdiff(seq_along(data$y), one$out)
  margin_linear(data$x[kept, , drop = FALSE], one$y[kept], loss = loss_of(cell$loss),
                lambda = cell$lambda * length(data$y) / length(kept), intercept = "free",
                scale = FALSE,
                control = margin_control(tol = tol, seed = 1, progress = FALSE, start = fit))
}
measure <- function(data, cell) {
  asked <- asked_of(data, cell$change)
  fit <- one_fit(data, cell$loss, "free", cell$lambda, 1e-6)
  answer <- function(refits) {
    do.call(margin_sensitivity, c(list(fit, data$x, data$y, refits = refits), asked$ask))
  }
  seconds <- matrix(NA_real_, rounds, 3L, dimnames = list(NULL, c("solved", "bounds", "refit")))
  for (round in seq_len(rounds)) {
    gc(FALSE)
    solved <- timed(answer(Inf))
    bounds <- timed(answer(0))
    refits <- timed(lapply(asked$refits, refit, data = data, cell = cell, fit = fit))
    value_of(refits)
    seconds[round, ] <- c(solved$seconds, bounds$seconds, refits$seconds)
  }
  table <- as.data.frame(value_of(solved))
  exact <- unlist(lapply(asked$refits, function(one) {
    as.character(predict(refit(data, cell, fit, one, 1e-10), data$x))
  }))
  middle <- apply(seconds, 2L, stats::median)
  open <- function(run) sum(summary(value_of(run))$open)
  data.frame(
    data = cell$data, n = length(data$y), d = ncol(data$x), loss = cell$loss, lambda = cell$lambda,
    change = cell$change, predictions = nrow(table), open = open(solved),
    solved = sum(summary(value_of(solved))$solved), bounds_open = open(bounds),
    half_width = stats::median(summary(value_of(solved))$half_width),
    seconds = middle[["solved"]], bounds_seconds = middle[["bounds"]],
    refit_seconds = middle[["refit"]],
    per_refit = stats::median(seconds[, "solved"] / seconds[, "refit"]),
    contradicted = sum(table$decided & as.character(table$class) != exact), rounds = rounds, seed = 1
  )
}

# ---- the run -----------------------------------------------------------------------------------
chosen <- which(grepl(option("cells", ".", spot = "^biopsy"), label))
for (set in unique(cells$data[chosen])) {
  data <- rows_of(set)
  for (i in chosen[cells$data[chosen] == set]) {
    row <- measure(data, cells[i, ])
    print(row[setdiff(names(row), c("n", "d", "seed", "rounds"))], row.names = FALSE, digits = 3)
    keep_table(row, "decisions_change.csv", c("data", "loss", "lambda", "change"), c("MASS", "Matrix"))
  }
}
