# What landmarks cost: fits of margin_kernel(nystrom = m), the proof of margin_audit() of how far each
# is from the optimum of the whole kernel, and e1071 (LIBSVM) on the same problem, whose own dual
# point bounds it without a solve. Processor seconds, one thread.
#
# The hinge at cost 1, rbf kernel with sigma = 1/d on columns divided by their standard deviation;
# `covtype` is drawn from margin_data("covtype_sub92962") with seed 1.
#
# Usage: Rscript audit_nystrom.R [folder for the results] [--rows=20000] [--landmarks=100,200,400,800,1600]
#        [--sets=regex] [--peer=yes]
# writes: audit_nystrom.csv
# depends: core src/kernel src/linear R/audit.R R/audit_kernels.R R/fit_kernel.R
# seeds: 1

source(file.path(dirname(sub("^--file=", "", grep("^--file=", commandArgs(), value = TRUE)[1L])),
                 "..", "experiments", "_driver.R"))
rows <- as.integer(option("rows", "20000"))
landmarks <- as.integer(strsplit(option("landmarks", "100,200,400,800,1600", spot = "100"), ",")[[1L]])
with_peer <- option("peer", "yes", spot = "no") == "yes" && requireNamespace("e1071", quietly = TRUE)
quick <- margin_control(threads = 1, seed = 1, progress = FALSE)
at_once <- margin_control(threads = 1, progress = FALSE, max_seconds = 1e-6)

read_set <- function(name) {
  data <- data_or_null(name)
  if (is.null(data)) return(NULL)
  set.seed(1)
  chosen <- sample(nrow(data$x), min(rows, nrow(data$x)))
  x <- as.matrix(data$x)[chosen, ]
  used <- apply(x, 2L, function(column) max(column) > min(column))
  list(x = unname(scale(x[, used])), y = factor(data$y[chosen]))
}

# excess: at most, a share of the value
row_of <- function(set, d, method, fit, audit) {
  found <- audit$value$excess
  data.frame(set = set, n = nrow(d$x), p = ncol(d$x), method = method, fit_seconds = fit$cpu,
             proof_seconds = audit$cpu, value = found$value / nrow(d$x)^(method == "e1071"),
             bound = found$bound / nrow(d$x)^(method == "e1071"), excess = found$relative_gap,
             accuracy = mean(predict(fit$value, d$x) == d$y))
}

for (set in grep(option("sets", ".", spot = "covtype"), c("covtype_sub92962", "ijcnn1"), value = TRUE)) {
  d <- read_set(set)
  if (is.null(d)) {
    message(set, ": margin_data() does not find it; left out.")
    next
  }
  sigma <- 1 / ncol(d$x)
  keep <- function(row) {
    print(row)
    keep_table(row, "audit_nystrom.csv", c("set", "n", "method"), "e1071",
               skip = c("fit_seconds", "proof_seconds"))
  }
  for (m in landmarks) {
    fit <- timed(margin_kernel(d$x, d$y, kernel_rbf(sigma), loss = "hinge", cost = 1, scale = FALSE,
                               nystrom = m, control = quick))
    keep(row_of(set, d, sprintf("%d landmarks", m), fit, timed(margin_audit(fit$value, d$x, d$y))))
  }
  if (!with_peer) next
  fit <- timed(e1071::svm(d$x, d$y, scale = FALSE, gamma = sigma, cost = 1, cachesize = 1000))
  keep(row_of(set, d, "e1071", fit, timed(margin_audit(fit$value, d$x, d$y, control = at_once))))
}
