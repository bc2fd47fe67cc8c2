# margin_linear() beside its peers: one process (scikit-learn: one child), interleaved.
#
# Ours is timed as the whole call, its checks and its certificate included, on the sparse matrix the
# peers get; it stops when its certificate is at a relative gap of 1e-6. A peer is credited with the
# loosest of its own tolerances whose primal value is within 1e-6 of the optimum, which is known
# from a certificate at 1e-10. Ratios are ours / peer, medians over rounds in which all take turns.
# Columns as they are (spambase: scaled), no intercept unless the cell says so. The "large" sets are
# made: 200,000 x 50,000 with 50 entries a row, and dense ones of 1e6 x 100 and 1e4 x 1e4.
#
# Usage: Rscript linear_peers.R [folder for the results] [--cells=regex] [--rounds=5]
#        [--slow=20] [--peers=regex] [--resume]
# A cell is named like "a9a logistic ridge 1e-04 none". Its rows replace older ones of the same cell
# and peer as soon as it is done; --resume passes over the cells that have rows. The larger sets are
# left out where margin_data() does not find them.
# writes: linear_peers.csv
# depends: core src/linear R/margin_linear.R
# seeds: 1

source(file.path(dirname(sub("^--file=", "", grep("^--file=", commandArgs(), value = TRUE)[1L])),
                 "..", "experiments", "_driver.R"))
rounds <- as.integer(option("rounds", "5"))
# Seconds of one run after which a peer's tighter tolerances and smaller lambdas are given up.
slow <- as.numeric(option("slow", "20"))

source(file.path(home, "_peers.R"))
source(file.path(home, "_credit.R"))

# ---- data and cells ----------------------------------------------------------------------------
# Made rows of 1e7 to 1e8 nonzeros: a normal plane and as much noise.
large_set <- function(set) {
  set.seed(1)
  size <- list("large sparse" = c(2e5, 5e4), "large tall" = c(1e6, 100),
               "large square" = c(1e4, 1e4))[[set]]
  n <- size[1L]
  p <- size[2L]
  if (set == "large sparse") {
    x <- Matrix::sparseMatrix(rep(seq_len(n), each = 50), sample.int(p, 50 * n, replace = TRUE),
                              x = stats::rnorm(50 * n) / sqrt(50), dims = size, repr = "R")
  } else {
    x <- matrix(stats::rnorm(n * p), n)
  }
  score <- as.vector(x %*% stats::rnorm(p))
  y <- ifelse(score + stats::sd(score) * stats::rnorm(n) > 0, 1, -1)
  dense <- is.matrix(x)
  list(x = x, y = y, dense = dense, columns = if (dense) x else methods::as(x, "CsparseMatrix"))
}
read_set <- function(set) {
  if (startsWith(set, "large")) return(large_set(set))
  data <- tryCatch(margin_data(switch(set, covtype = "covtype_sub92962", set)),
                   dualmargin_input_error = function(condition) NULL)
  if (is.null(data)) return(NULL)
  x <- if (set == "spambase") scale(data$x) else data$x
  dense <- is.matrix(x)
  y <- switch(set, spambase = ifelse(data$y == "spam", 1, -1), imdb = ifelse(data$y > 5, 1, -1),
              data$y)
  if (dense) attributes(x) <- list(dim = dim(x)) else x <- methods::as(x, "RsparseMatrix")
  list(x = x, y = y, dense = dense,
       columns = if (dense) x else methods::as(x, "CsparseMatrix"),
       columns_dense = if (length(y) <= 10000) as.matrix(x))
}
large <- c("large sparse", "large tall", "large square")
sets <- c("a1a", "spambase", "a9a", "w8a", "ijcnn1", "covtype", "imdb", large)
cells <- rbind(
  expand.grid(lambda = c(1e-2, 1e-4, 1e-6), mixture = 0,
              loss = c("logistic", "squared_hinge", "hinge", "squared"), intercept = "none",
              set = setdiff(sets, large), stringsAsFactors = FALSE),
  expand.grid(lambda = c(1e-2, 1e-3, 1e-4), loss = c("logistic", "squared_hinge"), mixture = 1,
              intercept = "none", set = setdiff(sets, large), stringsAsFactors = FALSE),
  expand.grid(lambda = 1e-4, mixture = 0, loss = c("logistic", "squared_hinge", "hinge"),
              intercept = "none", set = large, stringsAsFactors = FALSE),
  expand.grid(lambda = c(1e-2, 1e-4, 1e-6), loss = "hinge", mixture = 0, intercept = "free",
              set = c("a1a", "spambase"), stringsAsFactors = FALSE)
)
cells$penalty <- ifelse(cells$mixture == 1, "lasso", "ridge")
label <- paste(cells$set, cells$loss, cells$penalty, format(cells$lambda, scientific = TRUE),
               cells$intercept)
chosen <- grepl(option("cells", ".", "^a9a hinge ridge 1e-02 none"), label)

# ---- one cell ----------------------------------------------------------------------------------
given_up <- character()
measure <- function(data, cell, peers) {
  reference <- ours(data, cell, 1e-10, 60)
  if (!is.null(reference$error)) stop(reference$error)
  known <- certificate(reference$value)
  optimum <- if (known$relative_gap <= 1e-7) known$bound else known$value
  family <- paste(cell$set, cell$loss, cell$mixture)
  found <- lapply(peers, function(peer) {
    if (paste(family, peer$name) %in% given_up) {
      return(list(tolerance = NA, value = NA, seconds = NA,
                  outcome = sprintf("not run: over %g s at a larger lambda", slow)))
    }
    found <- find_tolerance(peer, data, cell, optimum * (1 + 1e-6))
    if (isTRUE(found$seconds > slow)) given_up <<- c(given_up, paste(family, peer$name))
    found
  })
  reached <- which(vapply(found, function(f) f$outcome == "reached", NA))
  reached <- reached[order(vapply(found[reached], function(f) f$seconds, 0))]
  first <- ours(data, cell, 1e-6, 60)
  long <- first$seconds + sum(vapply(found[reached], function(f) f$seconds, 0))
  repeats <- max(min(rounds, 3L), min(rounds, floor(60 / long)))
  runs <- in_turns(c(function() ours(data, cell, 1e-6, 60), lapply(seq_along(peers), function(k) {
    if (k %in% reached) function() peers[[k]]$run(data, cell, found[[k]]$tolerance)
  })), repeats)
  cpu <- runs$cpu
  seconds <- runs$seconds
  status <- first$value$status
  rows <- lapply(seq_along(peers), function(k) {
    ratio <- seconds[, 1L] / seconds[, k + 1L]
    data.frame(
      data = cell$set, loss = cell$loss, penalty = cell$penalty, lambda = cell$lambda,
      intercept = cell$intercept, peer = peers[[k]]$name, outcome = found[[k]]$outcome,
      peer_tolerance = signif(found[[k]]$tolerance, 3),
      best_suboptimality = signif(found[[k]]$value / optimum - 1, 3),
      median_ratio = signif(median(ratio), 3), smallest = signif(min(ratio), 3),
      largest = signif(max(ratio), 3),
      cpu_ratio = signif(median(cpu[, 1L] / cpu[, k + 1L]), 3),
      ours_seconds = signif(median(seconds[, 1L]), 4),
      peer_seconds = signif(median(seconds[, k + 1L]), 4), rounds = repeats,
      ours_certified = certificate(first$value)$certified, ours_epochs = signif(status$epochs, 3),
      ours_steps = status$steps, reference_gap = signif(known$relative_gap, 2)
    )
  })
  do.call(rbind, rows)
}

# ---- the run -----------------------------------------------------------------------------------
keys <- c("data", "loss", "penalty", "lambda", "intercept")
save_rows <- function(rows) {
  keep_table(rows, "linear_peers.csv", c(keys, "peer"), c("LiblineaR", "glmnet", "adelie", "e1071"),
             programs = sklearn_version, sorted = function(table) {
               table[order(match(table$data, sets), table$penalty != "ridge", table$loss,
                           -table$lambda, table$intercept), ]
             }, tolerance = 0.02,
             skip = c("largest", "smallest", "reference_gap", "peer_tolerance",
                      "best_suboptimality"))
}
chosen <- chosen & !done_before(cbind(cells, data = cells$set), "linear_peers.csv", keys)
peers <- Filter(function(peer) grepl(option("peers", ".", "LiblineaR"), peer$name), all_peers())
if (is.null(python)) message("No python3 with scikit-learn: its peers are left out.")
for (set in intersect(sets, cells$set[chosen])) {
  data <- read_set(set)
  if (is.null(data)) {
    message(set, ": margin_data() does not find it; left out.")
    next
  }
  if (!is.null(python)) child_start(data, file.path(home, "sklearn_linear.py"))
  for (i in which(chosen & cells$set == set)) {
    cell <- cells[i, ]
    able <- Filter(function(peer) peer$serves(cell, data), peers)
    if (!length(able)) next
    rows <- measure(data, cell, able)
    shown <- c("peer", "outcome", "peer_tolerance", "best_suboptimality", "median_ratio",
               "cpu_ratio", "ours_seconds", "peer_seconds")
    cat("\n", label[i], sprintf("(ours: %g epochs, %g steps, certified %s)\n",
                                rows$ours_epochs[1L], rows$ours_steps[1L], rows$ours_certified[1L]))
    print(rows[shown], row.names = FALSE)
    save_rows(rows)
  }
  child_stop()
}
