# Which method the automatic solver of margin_linear() should take on dense rows, wide or not: auto
# beside newton and dual_cd, side by side in one process, each to its certificate at 1e-6.
#
# The rule (wide_and_dense() of src/linear/auto.h): smooth loss, ridge, dense rows, 300 rows or more
# and no fewer columns than half of them: dual coordinate descent first, for min(12, m/20) passes, m
# the smaller of rows and columns, and then as long as its rate promises the tolerance within m/20
# more; Newton's method after it. The products of rows (or of columns) that this takes first cost as
# much as m/10 passes of the dual method.
#
# Of the 192 cells all were certified. Where the rule holds (108) auto / newton is 0.36 in the median
# on "normal" rows (smallest 0.06) and 1.15 on "factors" (largest 1.67: the trial was in vain).
#
# Synthetic rows: "normal", independent; "factors", ten common factors of unit variance besides,
# which make the dual method slow. Labels from a plane with noise. Free intercept, scaled columns.
# Seconds are of computing (a machine may be shared), medians over rounds in which all take turns,
# one round where that takes more than 3 seconds; ratios are auto / the other, `ratio_best` auto /
# the faster of the two.
#
# Usage: Rscript linear_wide.R [folder for the results] [--rounds=3] [--cap=60] [--rows=200,500]
# Run from the folder of the repository: the commit is taken from it.
# writes: linear_wide.csv
# depends: core src/linear R/margin_linear.R
# seeds: rows + columns (data), 1 (solvers)

home <- dirname(sub("^--file=", "", grep("^--file=", commandArgs(), value = TRUE)[1L]))
source(file.path(home, "_arguments.R"))
source(file.path(home, "_clock.R"))
rounds <- as.integer(option("rounds", "3", "1"))
cap <- as.numeric(option("cap", "60"))
rows <- as.integer(strsplit(option("rows", "200,500,1000,2000", "200"), ",")[[1L]])

draw <- function(n, p, design, seed) {
  set.seed(seed)
  x <- matrix(rnorm(n * p), n)
  if (design == "factors") x <- x + matrix(rnorm(n * 10), n) %*% matrix(rnorm(10 * p), 10)
  plane <- rnorm(p) / sqrt(p)
  list(x = x, y = factor(ifelse(drop(x %*% plane) + rnorm(n) > 0, "yes", "no")))
}

one_fit <- function(data, loss, lambda, solver) {
  run <- timed(dualmargin::margin_linear(
    data$x, data$y, loss = loss, lambda = lambda, intercept = "free", scale = TRUE, solver = solver,
    control = dualmargin::margin_control(seed = 1, max_seconds = cap, max_epochs = 1e5,
                                         progress = FALSE)
  ))
  if (!is.null(run$error)) stop(run$error)
  data.frame(cpu = run$cpu, seconds = run$seconds, epochs = run$value$status$epochs,
             status = run$value$status$status, ended_by = run$value$status$solver)
}

cells <- expand.grid(lambda_n = c(1, 1e-2), loss = c("logistic", "smooth_hinge", "squared_hinge"),
                     design = c("normal", "factors"), p = c(100L, 1000L, 5000L, 20000L), n = rows,
                     stringsAsFactors = FALSE)

if (spotting) cells <- cells[cells$p == 100L, ]

measure <- function(cells) {
  table <- NULL
  shapes <- unique(cells[c("n", "p", "design")])
  for (s in seq_len(nrow(shapes))) {
    shape <- shapes[s, ]
    seed <- shape$n + shape$p
    data <- draw(shape$n, shape$p, shape$design, seed)
    for (k in which(cells$n == shape$n & cells$p == shape$p & cells$design == shape$design)) {
      cell <- cells[k, ]
      lambda <- cell$lambda_n / cell$n
      runs <- list()
      for (round in seq_len(rounds)) {
        for (solver in c("auto", "newton", "dual_cd")) {
          runs[[solver]] <- rbind(runs[[solver]], one_fit(data, cell$loss, lambda, solver))
        }
        if (sum(vapply(runs, function(r) r$seconds[1L], 0)) > 3) break
      }
      cpu <- function(solver) stats::median(runs[[solver]]$cpu)
      ratio <- function(other) stats::median(runs$auto$cpu / other)
      best <- pmin(runs$newton$cpu, runs$dual_cd$cpu)
      row <- data.frame(
        cell[c("n", "p", "design", "loss")], lambda = lambda, auto = cpu("auto"),
        newton = cpu("newton"), dual_cd = cpu("dual_cd"), ratio_newton = ratio(runs$newton$cpu),
        ratio_dual_cd = ratio(runs$dual_cd$cpu), ratio_best = ratio(best),
        auto_epochs = runs$auto$epochs[1L], auto_ended_by = runs$auto$ended_by[1L],
        auto_status = runs$auto$status[1L], newton_status = runs$newton$status[1L],
        dual_cd_status = runs$dual_cd$status[1L], rounds = nrow(runs$auto), seed = seed,
        load = load_average()
      )
      message(format(Sys.time(), "%T "),
              paste(vapply(row[1:11], format, "", digits = 3), collapse = " "))
      table <- rbind(table, row)
    }
  }
  table
}

library(dualmargin)
table <- measure(cells)
numbers <- vapply(table, is.double, NA)
table[numbers] <- lapply(table[numbers], signif, digits = 4)
table$commit <- c(commit_of(), rep(NA, nrow(table) - 1L))
machine <- paste(Sys.info()[["sysname"]], Sys.info()[["machine"]], R.version$version.string)
table$machine <- c(machine, rep(NA, nrow(table) - 1L))
table$date <- c(as.character(Sys.Date()), rep(NA, nrow(table) - 1L))
quoted <- which(vapply(table, is.character, NA))
record(table, file.path(folder, "linear_wide.csv"), keys = c("n", "p", "design", "loss", "lambda"),
       skip = c("auto", "newton", "dual_cd"), na = "", quote = quoted)

wide <- 2 * table$p >= table$n & table$n >= 300
told <- function(ratios) {
  sprintf("median %.2f, largest %.2f", stats::median(ratios), max(ratios))
}
for (what in c("ratio_newton", "ratio_dual_cd", "ratio_best")) {
  message(sprintf("%s: %s where the rule holds; %s elsewhere", what, told(table[[what]][wide]),
                  told(table[[what]][!wide])))
}
