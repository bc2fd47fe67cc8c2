# How far is the automatic solver of each family from the best of those it could have taken? In
# every cell `auto` and the own solvers that may be the best there fit one problem to one
# certificate, in one process, on one thread. The regret of a cell is the seconds of `auto` over
# those of the best other.
#
# Seconds are of computing (a machine may be shared). A run ends at the cap, or at ten times the
# best so far; such a run counts with its end ("+"), and `censored` says so of `auto`. A solver
# beyond three times the best in its first run is not run again; medians are compared.
#
# Goal: a geometric mean of at most 1.05, and no cell above 1.3 where a fit takes more than .1 s.
#
# Usage: Rscript auto_regret.R [folder for the results] [--cells=regex] [--rounds=3] [--cap=60]
#        [--resume]
# Real sets are left out where margin_data() does not find them; a cell goes into the table as soon
# as it is done, and --resume passes over those that have a row.
# writes: auto_regret.csv
# depends: core src/linear src/kernel src/robust src/hard R/margin_linear.R R/margin_kernel.R
# depends: R/margin_robust.R R/margin_hard.R
# seeds: 1 (data, solvers)

source(file.path(dirname(sub("^--file=", "", grep("^--file=", commandArgs(), value = TRUE)[1L])),
                 "..", "experiments", "_driver.R"))
rounds <- as.integer(option("rounds", "3", "1"))
cap <- as.numeric(option("cap", "60"))

# ---- Data ----

# Rows of `entries` words each, a few of which are in most rows, as in text; unit length.
text_rows <- function(n, p, entries) {
  set.seed(1)
  column <- pmin(p, ceiling(p^stats::runif(n * entries)))
  if (entries < 30) column <- sample.int(p, n * entries, replace = TRUE)
  x <- Matrix::sparseMatrix(rep(seq_len(n), each = entries), column, dims = c(n, p),
                            x = stats::rexp(n * entries))
  x <- Matrix::Diagonal(x = 1 / sqrt(Matrix::rowSums(x^2))) %*% x
  plane <- stats::rnorm(p)
  score <- as.vector(x %*% plane)
  list(x = methods::as(x, "CsparseMatrix"),
       y = factor(score + stats::sd(score) * stats::rnorm(n) > 0), scale = FALSE)
}
dense_rows <- function(n, p, factors = 0, unscaled = FALSE) {
  set.seed(1)
  x <- matrix(stats::rnorm(n * p), n)
  if (factors > 0) {
    x <- x + matrix(stats::rnorm(n * factors), n) %*% matrix(stats::rnorm(factors * p), factors)
  }
  score <- drop(x %*% stats::rnorm(p)) / sqrt(p)
  if (unscaled) x <- x %*% diag(10^stats::runif(p, -2, 2))
  list(x = x, y = factor(score + stats::sd(score) * stats::rnorm(n) > 0), scale = !unscaled)
}
real_set <- function(name, rows = NULL) {
  set <- tryCatch(margin_data(name), error = function(condition) NULL)
  if (is.null(set)) {
    return(NULL)
  }
  set.seed(1)
  kept <- if (is.null(rows) || nrow(set$x) <= rows) seq_len(nrow(set$x)) else
    sort(sample(nrow(set$x), rows))
  list(x = set$x[kept, , drop = FALSE], y = droplevels(factor(set$y[kept])),
       scale = !methods::is(set$x, "sparseMatrix"))
}
data_sets <- list(
  a9a = function() real_set("a9a"), w8a = function() real_set("w8a"),
  ijcnn1 = function() real_set("ijcnn1"), covtype = function() real_set("covtype_sub92962"),
  imdb = function() real_set("imdb"), rcv1 = function() real_set("rcv1_vw1000"),
  colon = function() real_set("colon"), spambase = function() real_set("spambase"),
  "text 200,000 x 50,000" = function() text_rows(2e5, 5e4, 20),
  "text 300,000 x 50,000" = function() text_rows(3e5, 5e4, 20),
  "long text 50,000 x 50,000" = function() text_rows(5e4, 5e4, 100),
  "sparse 300,000 x 300" = function() text_rows(3e5, 300, 20),
  "dense 200,000 x 50" = function() dense_rows(2e5, 50),
  "factors 3,000 x 1,000" = function() dense_rows(3000, 1000, 10),
  "unscaled 20,000 x 30" = function() dense_rows(20000, 30, 3, TRUE),
  "phishing 2,000" = function() real_set("phishing", 2000),
  "spambase 4,601" = function() real_set("spambase"),
  "magic04 8,000" = function() real_set("magic04", 8000),
  "magic04 2,000" = function() real_set("magic04", 2000),
  "Friedman 2,000" = function() friedman(2000),
  "a1a" = function() real_set("a1a"),
  "covtype, 7 classes" = function() real_set("covtype_sub92962_7", 20000),
  "separable 20,000 x 50" = function() separable(20000, 50),
  "separable 100,000 x 20" = function() separable(1e5, 20),
  golub = function() real_set("golub")
)
# Friedman's first function (1991, Annals of Statistics 19, 1-67).
friedman <- function(n) {
  set.seed(1)
  x <- matrix(stats::runif(n * 10), n)
  y <- 10 * sin(pi * x[, 1] * x[, 2]) + 20 * (x[, 3] - 0.5)^2 + 10 * x[, 4] + 5 * x[, 5]
  list(x = x, y = y + stats::rnorm(n), scale = TRUE)
}
separable <- function(n, p) {
  set.seed(1)
  x <- matrix(stats::rnorm(n * p), n)
  score <- drop(x %*% stats::rnorm(p)) / sqrt(p)
  list(x = x[abs(score) > 0.05, ], y = factor(score[abs(score) > 0.05] > 0), scale = FALSE)
}

# ---- Cells: what is fitted, and by which solvers ----

cells_of <- function(data, family, solvers, ...) {
  expand.grid(data = data, family = family, ..., solvers = solvers, stringsAsFactors = FALSE)
}
linear <- setdiff(names(data_sets)[1:15], c("imdb", "spambase"))
few <- c("a9a", "covtype", "colon", "factors 3,000 x 1,000")
cells <- list(
  cells_of(linear, "linear", "lbfgs newton dual_cd", loss = c("logistic", "squared_hinge"),
           lambda = c(1e-3, 1e-5, 1e-7)),
  cells_of(linear, "linear", "ssnal dual_cd interior_point", loss = "hinge",
           lambda = c(1e-3, 1e-5)),
  cells_of(c("a9a", "factors 3,000 x 1,000"), "linear", "newton dual_cd", loss = "squared",
           lambda = c(1e-1, 1e-5)),
  cells_of(few, "lasso", "newton lasso fista", loss = "logistic", lambda = c(1e-2, 1e-3)),
  cells_of("covtype, 7 classes", "softmax", "newton dual_cd fista", loss = "logistic",
           lambda = c(1e-2, 1e-4)),
  cells_of(c("a1a", "phishing 2,000", "spambase 4,601", "magic04 8,000"), "kernel",
           "newton block_sdca smo", loss = c("hinge", "logistic"), lambda = c(1e-3, 1e-5)),
  # where the interior point method may come in
  cells_of("magic04 2,000", "kernel", "smo interior_point", loss = "hinge",
           lambda = c(1e-5, 1e-7)),
  cells_of("Friedman 2,000", "kernel", "smo interior_point", loss = "epsilon_insensitive",
           lambda = c(1e-5, 1e-7)),
  cells_of(c("a9a", "spambase", "rcv1"), "robust", "interior_point pdhg", loss = "hinge",
           lambda = c(1e-1, 1e-3)),
  cells_of(c("separable 20,000 x 50", "separable 100,000 x 20", "colon", "golub"), "hard",
           "active_set smo dual_cd", loss = "none", lambda = 0)
)
cells <- do.call(rbind, cells)
cells <- cells[order(match(cells$data, names(data_sets))), ]
label <- paste(cells$data, cells$family, cells$loss, cells$lambda)
chosen <- grepl(option("cells", ".", "^colon"), label)
keys <- c("data", "family", "loss", "lambda")
chosen <- chosen & !done_before(cells, "auto_regret.csv", keys)

# ---- One cell ----

fit_of <- function(data, cell, solver, limit) {
  control <- margin_control(seed = 1, threads = 1, tol = 1e-6, max_epochs = 1e6,
                            max_seconds = limit, progress = FALSE)
  given <- list(data$x, data$y, solver = solver, control = control, scale = data$scale)
  more <- switch(cell$family,
    linear = list(loss = cell$loss, lambda = cell$lambda, intercept = "free",
                  multiclass = "one_vs_rest"),
    lasso = list(loss = cell$loss, lambda = cell$lambda, mixture = 1, intercept = "free"),
    softmax = list(loss = cell$loss, lambda = cell$lambda, multiclass = "softmax",
                   intercept = "free"),
    kernel = list(loss = cell$loss, lambda = cell$lambda, kernel = "rbf", intercept = "free"),
    robust = list(radius = cell$lambda, intercept = "free"),
    hard = list(intercept = if (solver == "dual_cd") "penalized" else "free")
  )
  gc(FALSE)
  run <- timed(suppressMessages(do.call(paste0("margin_", switch(cell$family,
    lasso = , softmax = "linear", cell$family
  )), c(given, more))))
  if (!is.null(run$error)) {
    return(list(cpu = NA, status = "cannot", solver = NA, epochs = NA))
  }
  status <- run$value$status
  list(cpu = run$cpu, status = status$status[1L], solver = status$solver[1L],
       epochs = sum(status$epochs))
}
measure <- function(data, cell) {
  others <- strsplit(cell$solvers, " ")[[1L]]
  if (cell$family == "hard") others <- setdiff(others, "dual_cd")  # no free intercept
  if (cell$loss == "logistic" && cell$family == "kernel") others <- setdiff(others, "smo")
  if (cell$loss == "hinge" && cell$family == "kernel") others <- setdiff(others, "newton")
  if (ncol(data$x) > 2000) others <- setdiff(others, "interior_point")
  runs <- list(auto = list(fit_of(data, cell, "auto", cap)))
  certified <- function(run) run$status == "certified" && !is.na(run$cpu)
  best <- if (certified(runs$auto[[1L]])) runs$auto[[1L]]$cpu else cap
  for (solver in others) {
    runs[[solver]] <- list(fit_of(data, cell, solver, min(cap, max(10 * best, 0.1))))
    if (certified(runs[[solver]][[1L]])) best <- min(best, runs[[solver]][[1L]]$cpu)
  }
  first <- vapply(runs, function(run) run[[1L]]$cpu, 0)
  kept <- vapply(runs, function(run) certified(run[[1L]]) && run[[1L]]$cpu <= 3 * best, NA)
  kept["auto"] <- TRUE
  for (round in seq_len(rounds - 1L)) {
    for (solver in names(runs)[kept]) {
      runs[[solver]][[round + 1L]] <- fit_of(data, cell, solver, cap)
    }
  }
  seconds <- vapply(runs, function(run) stats::median(vapply(run, `[[`, 0, "cpu")), 0)
  ended <- vapply(runs, function(run) certified(run[[1L]]), NA)
  best_of <- setdiff(names(runs)[ended], "auto")
  best <- if (length(best_of)) best_of[which.min(seconds[best_of])] else NA_character_
  told <- function(solver) {
    paste0(solver, " ", format(seconds[[solver]], digits = 3), if (!ended[[solver]]) "+")
  }
  data.frame(
    data = cell$data, family = cell$family, loss = cell$loss, lambda = cell$lambda,
    n = nrow(data$x), p = ncol(data$x), auto = signif(seconds[["auto"]], 4),
    auto_status = runs$auto[[1L]]$status, auto_ended_by = runs$auto[[1L]]$solver,
    auto_epochs = signif(runs$auto[[1L]]$epochs, 3), best = best,
    best_seconds = if (is.na(best)) NA else signif(seconds[[best]], 4),
    regret = if (is.na(best)) NA else signif(seconds[["auto"]] / seconds[[best]], 3),
    censored = !ended[["auto"]],
    solvers = paste(vapply(setdiff(names(runs), "auto"), told, ""), collapse = ", ")
  )
}

# ---- The run ----

save_row <- function(row) {
  keep_table(row, "auto_regret.csv", keys, sorted = function(table) {
    table[order(match(row_keys(table, keys), row_keys(cells, keys))), ]
  }, skip = c("auto", "best", "best_seconds", "regret", "solvers"))
}
for (set in intersect(names(data_sets), cells$data[chosen])) {
  data <- data_sets[[set]]()
  if (is.null(data)) {
    message(set, ": margin_data() does not find it; left out.")
    next
  }
  for (i in which(chosen & cells$data == set)) {
    row <- measure(data, cells[i, ])
    message(format(Sys.time(), "%T "), label[i], sprintf(
      ": auto %.3g (%s, %s), %s; regret %.2f", row$auto, row$auto_ended_by, row$auto_status,
      row$solvers, row$regret
    ))
    save_row(row)
  }
}
if (!spotting) {
  table <- read_table(file.path(folder, "auto_regret.csv"))
  slow <- !is.na(table$regret) & pmin(table$auto, table$best_seconds) > 0.1
  mean_of <- function(x) exp(mean(log(pmax(x, 1e-3))))
  message(sprintf("%d cells: geometric mean %.2f", nrow(table),
                  mean_of(table$regret[!is.na(table$regret)])))
  message(sprintf("%d take more than .1 s: %.2f, largest %.2f; %d above 1.3", sum(slow),
                  mean_of(table$regret[slow]), max(table$regret[slow]),
                  sum(table$regret[slow] > 1.3)))
}
