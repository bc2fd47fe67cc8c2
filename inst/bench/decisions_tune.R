# margin_cv(prove = TRUE): how many values of lambda are fitted until the best of a range is proven, and the
# seconds beside those of grids that prove nothing.
#
# Each problem is tuned with eps = 5 %, 1 %, 0.1 % and 0 of the rows, five folds, the same in all
# runs. `errors` of the best penalty, `least`: no penalty of the range has fewer. Beside it, in
# turns: margin_cv() over 20 penalties evenly spaced in log lambda (`grid`, at the default
# tolerance, and `grid_tight`, at the 1e-10 of a proof), and for the logistic loss with a
# free intercept, whose objective is glmnet's, cv.glmnet() over 100 (alpha = 0, type.measure =
# "class", standardize = FALSE). *_errors are the held-out errors of the best penalty of each.
# Seconds are of the clock, medians over rounds (one where tuning takes more than 20 seconds);
# ratios are those of the proof over the other.
#
# `contradicted`: at --check random penalties of the range all folds are fitted at 1e-10; at how
# many is the number of errors below `least`, or below the bound that plot() shows there?
#
# Usage: Rscript decisions_tune.R [folder for the results] [--cells=regex] [--rounds=3]
#        [--check=20] [--max_points=300]
# A cell is named like "a1a logistic free 0.001".
# writes: decisions_tune.csv
# depends: R/tune.R src/along.cpp src/decide
# depends: src/linear R/margin_linear.R core
# seeds: 1 (folds, solvers, random lambda)

source(file.path(dirname(sub("^--file=", "", grep("^--file=", commandArgs(), value = TRUE)[1L])),
                 "..", "experiments", "_driver.R"))
source(file.path(home, "_decisions.R"))
rounds <- as.integer(option("rounds", "3"))
check <- as.integer(option("check", "20"))
max_points <- as.integer(option("max_points", "300"))
parts <- 5L

problems <- data.frame(
  data = c("a1a", "a1a", "a1a", "a1a", "a1a", "spambase", "spambase"),
  loss = c("logistic", "logistic", "squared_hinge", "smooth_hinge", "hinge", "logistic",
           "logistic"),
  intercept = c("free", rep("penalized", 4L), "free", "penalized"),
  lowest = c(1e-4, 1e-4, 1e-3, 1e-3, 1e-2, 1e-4, 1e-4), highest = 1
)
cells <- merge(data.frame(eps = c(0.05, 0.01, 0.001, 0)), problems)
# the bounds of the hinge are of first order
cells <- cells[!(cells$loss == "hinge" & cells$eps < 0.01), ]
label <- paste(cells$data, cells$loss, cells$intercept, cells$eps)

# ---- methods -----------------------------------------------------------------------------------
control <- function(tol = NULL) margin_control(tol = tol, seed = 1, progress = FALSE)
tuned <- function(data, cell, folds) {
  margin_cv(data$x, data$y, prove = TRUE, grid = list(lambda = c(cell$lowest, cell$highest)), folds = folds, eps = cell$eps,
              loss = loss_of(cell$loss), intercept = cell$intercept, scale = FALSE,
              max_points = max_points, seed = 1, control = control())
}
grid_of <- function(cell, points) {
  exp(seq(log(cell$highest), log(cell$lowest), length.out = points))
}
on_grid <- function(data, cell, folds, lambda, tol = NULL) {
  margin_cv(data$x, data$y, grid = list(lambda = lambda), folds = folds, metric = "accuracy",
            loss = loss_of(cell$loss), intercept = cell$intercept, scale = FALSE, seed = 1,
            control = control(tol))
}
# Held-out errors at each lambda of a margin_cv().
errors_on_grid <- function(cv, folds) {
  table <- as.data.frame(cv)
  held_out <- as.vector(table(folds))
  wrong <- (1 - table$score) * held_out[table$fold]
  round(tapply(wrong, factor(table$lambda, unique(table$lambda)), sum))
}
with_glmnet <- function(data, cell, folds) {
  x <- if (isS4(data$x)) methods::as(data$x, "CsparseMatrix") else data$x
  glmnet::cv.glmnet(x, data$y, family = "binomial", alpha = 0, lambda = grid_of(cell, 100L),
                    foldid = folds, type.measure = "class", standardize = FALSE)
}

# ---- one cell ----------------------------------------------------------------------------------
contradictions <- function(tune, data, cell, folds) {
  if (check == 0L) return(0L)
  set.seed(1)
  lambda <- sort(exp(stats::runif(check, log(cell$lowest), log(cell$highest))), decreasing = TRUE)
  errors <- errors_on_grid(on_grid(data, cell, folds, lambda, 1e-10), folds)
  bound <- vapply(lambda, function(l) {
    steps <- tune$bound
    min(steps$lower[steps$from <= l & l <= steps$to])
  }, 0)
  sum(errors < length(data$y) * pmax(tune$least, bound) - 1e-6)
}
measure <- function(data, cell, folds) {
  glmnet <- cell$loss == "logistic" && cell$intercept == "free" &&
    requireNamespace("glmnet", quietly = TRUE)
  names <- c("tune", "grid", "grid_tight", "glmnet")
  seconds <- matrix(NA_real_, rounds, 4L, dimnames = list(NULL, names))
  peer <- NULL
  for (round in seq_len(rounds)) {
    gc(FALSE)
    run <- timed(tuned(data, cell, folds))
    tune <- value_of(run)
    grid <- timed(on_grid(data, cell, folds, grid_of(cell, 20L)))
    tight <- timed(on_grid(data, cell, folds, grid_of(cell, 20L), 1e-10))
    seconds[round, 1:3] <- c(run$seconds, grid$seconds, tight$seconds)
    if (glmnet) {
      peer <- timed(with_glmnet(data, cell, folds))
      seconds[round, "glmnet"] <- peer$seconds
    }
    if (run$seconds > 20) break
  }
  seconds <- seconds[seq_len(round), , drop = FALSE]
  n <- length(data$y)
  ratio <- function(other) stats::median(seconds[, "tune"] / seconds[, other])
  middle <- apply(seconds, 2L, stats::median)
  data.frame(
    data = cell$data, n = n, d = ncol(data$x), loss = cell$loss, intercept = cell$intercept,
    from = cell$lowest, to = cell$highest, folds = parts, eps = cell$eps,
    points = nrow(tune$points), fits = parts * nrow(tune$points), lambda = tune$lambda,
    errors = round(n * tune$error[["upper"]]), least = round(n * tune$least),
    proven = tune$proven, ended = tune$ended,
    grid_errors = min(errors_on_grid(value_of(tight), folds)),
    glmnet_errors = if (glmnet) round(n * min(value_of(peer)$cvm)) else NA_real_,
    contradicted = contradictions(tune, data, cell, folds), checked = check,
    seconds = middle[["tune"]], grid_seconds = middle[["grid"]],
    grid_tight_seconds = middle[["grid_tight"]], glmnet_seconds = middle[["glmnet"]],
    per_grid = ratio("grid"), per_grid_tight = ratio("grid_tight"), per_glmnet = ratio("glmnet"),
    max_points = max_points, rounds = round, seed = 1
  )
}

# ---- the run -----------------------------------------------------------------------------------
chosen <- which(grepl(option("cells", ".", spot = "^a1a logistic free"), label))
for (set in unique(cells$data[chosen])) {
  data <- problem_of(set)
  folds <- drop(margin_folds(data$y, parts, seed = 1))
  for (i in chosen[cells$data[chosen] == set]) {
    row <- measure(data, cells[i, ], folds)
    print(row[setdiff(names(row), c("n", "d", "folds", "max_points", "seed"))], row.names = FALSE,
          digits = 3)
    keep_table(row, "decisions_tune.csv", c("data", "loss", "intercept", "from", "eps"), c("glmnet", "Matrix"))
  }
}
