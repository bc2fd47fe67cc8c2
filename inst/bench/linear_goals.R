# Two places where margin_linear() was slow: logistic loss on dense rows with many more columns, and
# the lasso on sparse rows with a small lambda. Beside LiblineaR and glmnet, and beside our own
# solvers that "auto" chooses from, one process, in turns.
#
# As in linear_peers.R: ours is timed as the whole call until its certificate is at 1e-6; a peer is
# credited with the loosest of its own tolerances whose primal value is within 1e-6 of the optimum,
# which is known from a certificate at 1e-9. `cpu` and `seconds` are medians over rounds;
# `auto_ratio` is auto / this one, the median over rounds of seconds of the processor; `value_cpu`
# and `value_epochs`: when our value was within 1e-6, which no one can know without the bound.
# A run over --slow seconds is not repeated. No intercept, columns as they are.
#
# Dense: normal rows, and rows that share ten factors (which make dual methods slow), labels from a
# plane with noise, as in linear_wide.R. Lasso: imdb.
#
# Usage: Rscript linear_goals.R [folder for the results] [--cells=regex] [--rounds=3] [--slow=20]
#        [--peers=regex]
# A cell is named like "normal 1500 x 20000 logistic ridge 1/n". imdb is left out where
# margin_data() does not find it.
# writes: linear_goals.csv
# depends: core src/linear R/margin_linear.R
# seeds: 1

library(dualmargin)
home <- dirname(sub("^--file=", "", grep("^--file=", commandArgs(), value = TRUE)[1L]))
source(file.path(home, "_arguments.R"))
source(file.path(home, "_clock.R"))
source(file.path(home, "_table.R"))
source(file.path(home, "_peers.R"))
source(file.path(home, "_credit.R"))
rounds <- as.integer(option("rounds", "3"))
slow <- as.numeric(option("slow", "20"))

# ---- the cells ---------------------------------------------------------------------------------
dense <- function(n, p, design) {
  function() {
    set.seed(n + p)
    x <- matrix(stats::rnorm(n * p), n)
    if (design == "factors") {
      x <- x + matrix(stats::rnorm(n * 10), n) %*% matrix(stats::rnorm(10 * p), 10)
    }
    score <- drop(x %*% stats::rnorm(p)) / sqrt(p) + stats::rnorm(n)
    list(x = x, y = ifelse(score > 0, 1, -1), dense = TRUE, columns = x)
  }
}
imdb <- function() {
  data <- tryCatch(margin_data("imdb"), dualmargin_input_error = function(condition) NULL)
  if (is.null(data)) return(NULL)
  list(x = methods::as(data$x, "RsparseMatrix"), y = ifelse(data$y > 5, 1, -1), dense = FALSE,
       columns = methods::as(data$x, "CsparseMatrix"))
}
cell <- function(set, data, loss, mixture, lambda, told, solvers, peers) {
  list(name = paste(set, loss, if (mixture == 1) "lasso" else "ridge", told), data = data,
       loss = loss, mixture = mixture, lambda = lambda, intercept = "none", set = set,
       solvers = solvers, peers = peers)
}
shapes <- expand.grid(design = c("normal", "factors"), n = c(600, 1500), stringsAsFactors = FALSE)
shapes$p <- ifelse(shapes$n == 600, 4000, 20000)
cells <- c(
  unlist(lapply(seq_len(nrow(shapes)), function(i) {
    s <- shapes[i, ]
    lapply(c(1, 1e-2), function(share) {
      cell(sprintf("%s %d x %d", s$design, s$n, s$p), dense(s$n, s$p, s$design), "logistic", 0,
           share / s$n, if (share == 1) "1/n" else "0.01/n", c("auto", "dual_cd", "newton"),
           "LiblineaR")
    })
  }), recursive = FALSE),
  lapply(c(1e-3, 1e-4, 1e-5), function(lambda) {
    cell("imdb", imdb, "logistic", 1, lambda, format(lambda), c("auto", "lasso"),
         "LiblineaR|glmnet")
  })
)
names(cells) <- vapply(cells, `[[`, "", "name")

# ---- one cell ----------------------------------------------------------------------------------
measure <- function(cell, data) {
  able <- Filter(function(peer) {
    peer$serves(cell, data) && grepl(option("peers", cell$peers), peer$name)
  }, all_peers())
  reference <- ours(data, cell, 1e-9, 60)
  if (!is.null(reference$error)) stop(reference$error)
  known <- certificate(reference$value)
  optimum <- if (known$relative_gap <= 1e-7) known$bound else known$value
  target <- optimum * (1 + 1e-6)
  found <- lapply(able, find_tolerance, data = data, cell = cell, target = target)
  reached <- able[vapply(found, function(f) f$outcome == "reached", NA)]
  tolerances <- vapply(found[vapply(found, function(f) f$outcome == "reached", NA)],
                       `[[`, 0, "tolerance")
  methods <- c(
    lapply(cell$solvers, function(solver) {
      list(name = solver, run = function() ours(data, cell, 1e-6, 60, solver))
    }),
    Map(function(peer, tolerance) {
      list(name = peer$name, run = function() peer$run(data, cell, tolerance))
    }, reached, tolerances)
  )
  cpu <- seconds <- matrix(NA_real_, rounds, length(methods))
  last <- vector("list", length(methods))
  for (round in seq_len(rounds)) for (k in seq_along(methods)) {
    if (round > 1L && seconds[1L, k] > slow) next
    gc(FALSE)
    run <- methods[[k]]$run()
    if (!is.null(run$error)) stop(methods[[k]]$name, ": ", run$error)
    cpu[round, k] <- run$cpu
    seconds[round, k] <- run$seconds
    last[[k]] <- run
  }
  median_of <- function(x) stats::median(x, na.rm = TRUE)
  rows <- do.call(rbind, lapply(seq_along(methods), function(k) {
    fit <- last[[k]]$value
    mine <- methods[[k]]$name %in% cell$solvers
    trace <- if (mine) convergence(fit)
    near <- which(trace$value <= target)[1L]
    data.frame(
      cell = cell$name, method = methods[[k]]$name,
      outcome = if (mine) fit$status$status else "reached",
      tolerance = if (mine) 1e-6 else tolerances[[k - length(cell$solvers)]],
      cpu = median_of(cpu[, k]), seconds = median_of(seconds[, k]),
      auto_ratio = median_of(cpu[, 1L] / cpu[, k]),
      value_cpu = if (mine) median_of(cpu[, k]) * trace$seconds[near] / last[[k]]$seconds else NA,
      epochs = if (mine) fit$status$epochs else NA,
      value_epochs = if (mine) trace$epoch[near] else NA,
      ended_by = if (mine) fit$status$solver else "", rounds = sum(!is.na(cpu[, k])),
      reference_gap = known$relative_gap
    )
  }))
  missed <- which(vapply(found, function(f) f$outcome != "reached", NA))
  for (k in missed) {
    rows <- rbind(rows, data.frame(
      cell = cell$name, method = able[[k]]$name, outcome = found[[k]]$outcome, tolerance = NA,
      cpu = NA, seconds = found[[k]]$seconds, auto_ratio = NA, value_cpu = NA, epochs = NA,
      value_epochs = NA, ended_by = "", rounds = 0L, reference_gap = known$relative_gap
    ))
  }
  rows$seed <- 1
  rows
}
held <- list()
for (name in grep(option("cells", "."), names(cells), value = TRUE)) {
  cell <- cells[[name]]
  if (!identical(held$set, cell$set)) held <- list(set = cell$set, data = cell$data())
  if (is.null(held$data)) {
    message(cell$set, ": margin_data() does not find it; left out.")
    next
  }
  rows <- measure(cell, held$data)
  cat("\n", name, "\n", sep = "")
  print(rows[c("method", "outcome", "tolerance", "cpu", "seconds", "auto_ratio", "value_cpu",
               "epochs", "value_epochs", "ended_by")], row.names = FALSE, digits = 3)
  keep_table(rows, "linear_goals.csv", c("cell", "method"), "linear_goals.R",
             c("LiblineaR", "glmnet", "Matrix"))
}
