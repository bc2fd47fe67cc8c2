# margin_kernel() beside e1071 (LIBSVM) and kernlab: a support vector machine with the plain hinge
# and a free intercept, one process, in turns, CPU seconds of one thread.
#
# rbf kernel with sigma = 1/d on standardised columns. Ours is timed as the whole call and stops
# when its certificate is at the accuracy. Of a peer's solution the primal value is computed here,
# with the best intercept for its scores; it is credited with the loosest of its tolerances, in
# powers of ten, whose value is within the accuracy of the optimum, known from a certificate at
# 1e-8. Ratios are ours / peer, medians over rounds.
#
# Usage: Rscript kernel_peers.R [folder for the results] [--small] [--peers=regex] [--rounds=3]
#        [--sets=regex] [--seconds=120]
# A cell whose first run takes a peer over --seconds is not repeated.
# writes: kernel_peers.csv
# depends: core src/kernel R/margin_kernel.R
# seeds: 1

source(file.path(dirname(sub("^--file=", "", grep("^--file=", commandArgs(), value = TRUE)[1L])),
                 "..", "experiments", "_driver.R"))
source(file.path(home, "_kernel_data.R"))
seconds <- as.numeric(option("seconds", "120"))
accuracies <- c(1e-3, 1e-6)
ladder <- 10^-(1:7)

# ---- the solvers -------------------------------------------------------------------------------
ours <- function(data, cost, tol) {
  timed(margin_kernel(
    data$x, data$y, kernel = kernel_rbf(data$sigma), loss = "hinge", cost = cost,
    intercept = "free", scale = FALSE,
    control = margin_control(tol = tol, seed = 1, progress = FALSE, max_epochs = 20000)
  ))
}
# run(data, cost, tol): beta on the rows `at`; the sign of a class is settled by the value.
peers <- list(
  e1071 = function(data, cost, tol) {
    run <- timed(e1071::svm(data$x, data$y, scale = FALSE, kernel = "radial", gamma = data$sigma,
                            cost = cost, tolerance = tol, cachesize = 1000, fitted = FALSE))
    if (is.null(run$error)) {
      run$at <- run$value$index
      run$beta <- drop(run$value$coefs)
    }
    run
  },
  kernlab = function(data, cost, tol) {
    run <- timed(kernlab::ksvm(data$x, data$y, scaled = FALSE, type = "C-svc", C = cost,
                               kernel = kernlab::rbfdot(sigma = data$sigma), tol = tol,
                               cache = 1000, fit = FALSE))
    if (is.null(run$error)) {
      run$at <- kernlab::alphaindex(run$value)[[1L]]
      run$beta <- kernlab::coef(run$value)[[1L]]
    }
    run
  }
)
peers <- peers[grepl(option("peers", "."), names(peers))]
peers <- peers[vapply(names(peers), requireNamespace, NA, quietly = TRUE)]

# ---- the value of a peer's solution ------------------------------------------------------------
# min over b of the mean of max(0, 1 - y (f + b)), convex with its kinks at y - f.
best_hinge <- function(f, y) {
  value <- function(b) mean(pmax(0, 1 - y * (f + b)))
  optimize(value, range(y - f), tol = 1e-11)$objective
}
objective <- function(data, cost, run) {
  support <- data$x[run$at, , drop = FALSE]
  norms <- rowSums(support^2)
  f <- numeric(nrow(data$x))
  for (rows in split(seq_along(f), (seq_along(f) - 1) %/% 500)) {
    x <- data$x[rows, , drop = FALSE]
    square <- outer(rowSums(x^2), norms, `+`) - 2 * tcrossprod(x, support)
    f[rows] <- exp(-data$sigma * pmax(square, 0)) %*% run$beta
  }
  y <- ifelse(data$y == levels(data$y)[2L], 1, -1)
  norm <- sum(run$beta * f[run$at])
  norm / (2 * length(y) * cost) + min(best_hinge(f, y), best_hinge(-f, y))
}

# ---- one cell ----------------------------------------------------------------------------------
measure <- function(set, data, cost) {
  best <- ours(data, cost, 1e-8)
  if (!is.null(best$error)) stop(best$error)
  known <- certificate(best$value)
  found <- lapply(peers, function(peer) {
    loosest(function(tol) peer(data, cost, tol),
            function(run) objective(data, cost, run) / known$value - 1, ladder, accuracies, seconds)
  })
  do.call(rbind, lapply(seq_along(accuracies), function(a) {
    tolerance <- vapply(found, function(one) one[[a]]$tol, 0)
    repeats <- if (max(vapply(found, function(one) one[[a]]$cpu, 0)) > seconds) 1L else rounds
    runs <- in_turns(c(function() ours(data, cost, accuracies[a]), lapply(seq_along(peers), function(k) {
      if (!is.na(tolerance[[k]])) function() peers[[k]](data, cost, tolerance[[k]])
    })), repeats)
    times <- runs$cpu
    mine <- runs$last[[1L]]
    status <- mine$value$status
    data.frame(
      data = set, n = nrow(data$x), d = ncol(data$x), cost = cost, accuracy = accuracies[a],
      peer = names(peers), peer_tolerance = unname(tolerance),
      peer_error = signif(vapply(found, function(one) one[[a]]$error, 0), 2),
      ours_cpu = signif(median(times[, 1L]), 3),
      peer_cpu = signif(apply(times[, -1L, drop = FALSE], 2L, median), 3),
      ratio = signif(apply(times[, 1L] / times[, -1L, drop = FALSE], 2L, median), 3),
      rounds = repeats, ours_certified = certificate(mine$value)$certified,
      ours_solver = status$solver, ours_epochs = signif(status$epochs, 3),
      reference_gap = signif(known$relative_gap, 2),
      version = vapply(names(peers), function(name) as.character(utils::packageVersion(name)), "")
    )
  }))
}

for (set in grep(option("sets", ".", "spambase"), c("spambase", "magic04"), value = TRUE)) {
  data <- read_set(set)
  if (is.null(data)) next
  data$sigma <- 1 / ncol(data$x)
  for (cost in if (spotting) 1 else c(1, 100)) {
    table <- measure(set, data, cost)
    print(table[setdiff(names(table), c("d", "version"))], row.names = FALSE)
    keep_table(table, "kernel_peers.csv", c("data", "n", "cost", "accuracy", "peer"),
               skip = "reference_gap")
  }
}
