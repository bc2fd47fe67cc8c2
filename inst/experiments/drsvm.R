# What of the DRSVM paper holds? J. Li, C. Chen, A. M.-C. So (2020), NeurIPS 33, arXiv:2010.12865.
# The objective values of its Tables 2, 3, 7 and 8 beside certified optima (and those of Table 4,
# which prints times alone), the experiments of its Figure 1, and its single-sample steps as printed
# against the exact ones.
# Usage: DUALMARGIN_DATA=<data sets> Rscript drsvm.R [folder for the results [parts ...]]
# Parts, each with files of its own: tables, steps, epochs, times, rates, batch; all unless some are
# named; epochs for all panels of the figure, times for all data sets unless some are named.

source(file.path(dirname(sub("^--file=", "", grep("^--file=", commandArgs(), value = TRUE)[1L])),
                 "_driver.R"))
require_data()
parts <- parts_of(c("tables", "steps", "epochs", "times", "rates", "batch"))

norms <- c("l1", "l2", "linf")

# A fit, with what the package would say about a missed tolerance left to the certificate.
robust <- function(x, y, norm, radius = 0.1, label_cost = 1, ridge = 0, intercept = "none",
                   solver = "auto", options = list(), tol = 1e-6, max_epochs = 1000, seed = 1) {
  control <- margin_control(tol = tol, max_epochs = max_epochs, seed = seed, progress = FALSE,
                            solver_options = options)
  quietly(margin_robust(x, y, norm = norm, radius = radius, label_cost = label_cost, ridge = ridge,
                        intercept = intercept, solver = solver, control = control, scale = FALSE))
}

# The data of Figure 1 (a) to (d); the seed of an instance is its number.
draw_instance <- function(seed, n = 1000L, d = 100L, noise = 0.5) {
  set.seed(seed)
  truth <- rnorm(d)
  x <- matrix(rnorm(n * d), n)
  y <- ifelse(drop(x %*% truth) + noise * rnorm(n) >= 0, 1, -1)
  list(x = x, y = factor(y, c(-1, 1)))
}

# Passes of the method itself at each certificate of the trace: when certificates are due follows
# from the epochs that they end at (src/run/run.h, proceed() and due()).
own_passes <- function(epochs) {
  at <- integer(length(epochs))
  epoch <- spent <- steps <- 0
  due <- 1
  for (k in seq_along(epochs)) {
    repeat {
      steps <- steps + 1
      epoch <- epoch + 1
      price <- 2 + 0.1 * steps
      if (epoch >= due || spent + price <= 0.2 * epoch) break
    }
    spent <- spent + price
    due <- max(epoch + 1, floor(1.5 * epoch))
    at[k] <- steps
    epoch <- epochs[k]
  }
  at
}

save_results <- function(rows, name, ...) write_results(rows, sprintf("drsvm_%s.csv", name), ...)

for (part in parts) source(file.path(home, sprintf("_drsvm_%s.R", part)))
# the tables of the other two calls of that part
if (spotting && "times" %in% parts) for (call in c("--distinct", "--ipopt")) {
  arguments <- call
  source(file.path(home, "_drsvm_times.R"))
}
