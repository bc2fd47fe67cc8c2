# margin_robust() on data with more columns than rows, where every column is a variable of the
# program: seconds to a certificate of 1e-6, of "auto" and of the solvers that it chooses from.
#
# Gene expression, columns centred and divided by their standard deviations, radius 0.1, label cost
# 1, no intercept; "made up" is normal with the shape of colon. `cpu` are seconds of the processor;
# medians over rounds in which all take turns. A solver that takes over --seconds is ended there and
# not repeated.
#
# Usage: Rscript robust_wide.R [folder for the results] [--cells=regex] [--rounds=3] [--seconds=20]
# Sets that margin_data() does not find are left out.
# writes: robust_wide.csv
# depends: core src/robust R/margin_robust.R
# seeds: 1

library(dualmargin)
home <- dirname(sub("^--file=", "", grep("^--file=", commandArgs(), value = TRUE)[1L]))
source(file.path(home, "_arguments.R"))
source(file.path(home, "_clock.R"))
source(file.path(home, "_table.R"))
rounds <- as.integer(option("rounds", "3"))
limit <- as.numeric(option("seconds", "20"))

standardised <- function(name) {
  function() {
    data <- tryCatch(margin_data(name), dualmargin_input_error = function(condition) NULL)
    if (is.null(data)) return(NULL)
    x <- scale(as.matrix(data$x))
    list(x = unname(x[, !is.nan(x[1L, ])]), y = factor(data$y))
  }
}
sets <- list(
  colon = standardised("colon"), golub = standardised("golub"), gravier = standardised("gravier"),
  "made up" = function() {
    set.seed(1)
    x <- matrix(stats::rnorm(62 * 2000), 62)
    list(x = x, y = factor(drop(x[, 1:5] %*% rep(1, 5)) + stats::rnorm(62) > 0))
  }
)
cells <- expand.grid(solver = c("auto", "interior_point", "pdhg"), norm = c("l1", "l2", "linf"),
                     ridge = c(0, 1), set = names(sets), stringsAsFactors = FALSE)
cells <- cells[cells$norm == "l1" | cells$ridge == 1, ]

fit <- function(data, cell) {
  run <- timed(margin_robust(
    data$x, data$y, norm = cell$norm, radius = 0.1, label_cost = 1, ridge = cell$ridge,
    intercept = "none", scale = FALSE, solver = cell$solver,
    control = margin_control(seed = 1, progress = FALSE, max_seconds = limit, max_epochs = 1e6)
  ))
  if (!is.null(run$error)) stop(run$error)
  run
}
measure <- function(data, these) {
  runs <- vector("list", nrow(these))
  for (round in seq_len(rounds)) for (k in seq_len(nrow(these))) {
    if (round > 1L && runs[[k]][[1L]]$seconds > limit) next
    gc(FALSE)
    runs[[k]][[round]] <- fit(data, these[k, ])
  }
  do.call(rbind, lapply(seq_along(runs), function(k) {
    mine <- Filter(Negate(is.null), runs[[k]])
    first <- mine[[1L]]$value
    known <- certificate(first)
    data.frame(
      these[k, c("set", "norm", "ridge", "solver")], n = nrow(data$x), d = ncol(data$x),
      cpu = stats::median(vapply(mine, `[[`, 0, "cpu")),
      seconds = stats::median(vapply(mine, `[[`, 0, "seconds")), status = first$status$status,
      ended_by = first$status$solver, epochs = first$status$epochs,
      relative_gap = known$relative_gap, value = known$value, rounds = length(mine), seed = 1,
      row.names = NULL
    )
  }))
}
shapes <- unique(cells[c("set", "norm", "ridge")])
for (s in grep(option("cells", "."), paste(shapes$set, shapes$norm, "ridge", shapes$ridge))) {
  shape <- shapes[s, ]
  data <- sets[[shape$set]]()
  if (is.null(data)) {
    message(shape$set, ": margin_data() does not find it; left out.")
    next
  }
  here <- cells$set == shape$set & cells$norm == shape$norm & cells$ridge == shape$ridge
  rows <- measure(data, cells[here, ])
  print(rows[setdiff(names(rows), "seed")], row.names = FALSE, digits = 3)
  keep_table(rows, "robust_wide.csv", c("set", "norm", "ridge", "solver"), "robust_wide.R")
}
