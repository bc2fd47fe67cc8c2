# Support vector and quantile regression beside e1071 (LIBSVM), kernlab and LiblineaR (type 13): one
# process, in turns, CPU seconds of one thread, on one problem to one accuracy.
#
# Columns and response are standardised beforehand, epsilon is 0.1. Kernels are rbf with sigma = 1/d
# and a free intercept; linear models beside LiblineaR have a penalised one (its bias = 1), beside
# e1071 a free one. Ours is timed as the whole call and stops when its certificate is at the
# accuracy, 1e-3 or 1e-6. Of a peer's solution the primal value is computed here, with the best
# intercept for its scores where that is free; it is credited with the loosest of its tolerances, in
# powers of ten, whose value is within the accuracy of the optimum, known from a certificate at
# 1e-9. Ratios are ours / peer, medians over rounds; a peer that does not reach the accuracy has
# none (LIBSVM keeps kernel values in single precision, and LIBLINEAR ends after 1000 passes).
#
# Usage: Rscript regression_peers.R [folder for the results] [--cells=regex] [--rounds=3]
#        [--seconds=60]
# A cell whose first run takes a peer over --seconds is not repeated.
# writes: regression_peers.csv
# depends: core src/linear R/margin_linear.R src/kernel R/margin_kernel.R
# seeds: 1

source(file.path(dirname(sub("^--file=", "", grep("^--file=", commandArgs(), value = TRUE)[1L])),
                 "..", "experiments", "_driver.R"))
source(file.path(home, "_kernel_data.R"))
seconds <- as.numeric(option("seconds", "60"))
accuracies <- c(1e-3, 1e-6)
ladder <- 10^-(1:8)

# ---- data --------------------------------------------------------------------------------------
standard <- function(x, y) list(x = unname(scale(x)), y = drop(scale(y)))
# Friedman's first function (1991, Annals of Statistics 19, 1-67).
friedman <- function(n) {
  x <- matrix(stats::runif(n * 10), n)
  y <- 10 * sin(pi * x[, 1] * x[, 2]) + 20 * (x[, 3] - 0.5)^2 + 10 * x[, 4] + 5 * x[, 5]
  standard(x, y + stats::rnorm(n))
}
straight <- function(n, p, x = matrix(stats::rnorm(n * p), n)) {
  w <- c(rep(1, 10), numeric(p - 10))
  standard(x, drop(x %*% w) + 2 * stats::rt(n, 3))
}
diamonds <- function(n) {
  data <- as.data.frame(ggplot2::diamonds[sample(53940, n), ])
  codes <- stats::model.matrix(~ carat + cut + color + clarity + depth + table + x + y + z, data)
  standard(codes[, -1L], log(data$price))
}
sparse <- function(n, p) {
  x <- Matrix::rsparsematrix(n, p, 0.005)
  y <- drop(scale(as.vector(x %*% stats::rnorm(p)) + stats::rt(n, 3)))
  list(x = methods::as(x, "RsparseMatrix"), y = y)
}
makers <- list(
  boston = function() standard(as.matrix(MASS::Boston[-14L]), MASS::Boston$medv),
  friedman2000 = function() friedman(2000L), friedman6000 = function() friedman(6000L),
  diamonds4000 = function() diamonds(4000L), diamonds50000 = function() diamonds(50000L),
  tall = function() straight(50000L, 20L), wide = function() straight(1000L, 2000L),
  sparse = function() sparse(20000L, 5000L)
)

# ---- the cells ---------------------------------------------------------------------------------
cell <- function(data, family, intercept, loss, cost, peers) {
  list(data = data, family = family, intercept = intercept, loss = loss, cost = cost, peers = peers)
}
name_of <- function(loss) if (is.list(loss)) loss$name else loss
tube <- loss_epsilon_insensitive(0.1)
svms <- c("e1071", "kernlab")
cells <- list(
  cell("boston", "kernel", "free", tube, 1, svms),
  cell("boston", "kernel", "free", tube, 100, svms),
  cell("friedman2000", "kernel", "free", tube, 1, svms),
  cell("friedman2000", "kernel", "free", tube, 100, svms),
  cell("friedman6000", "kernel", "free", tube, 1, svms),
  cell("diamonds4000", "kernel", "free", tube, 1, svms),
  cell("diamonds4000", "kernel", "free", tube, 10, svms),
  cell("boston", "kernel", "free", loss_quantile(0.5), 1, "kqr"),
  cell("boston", "kernel", "free", loss_quantile(0.9), 10, "kqr"),
  cell("boston", "linear", "free", tube, 1, svms),
  cell("friedman2000", "linear", "free", tube, 1, svms),
  cell("tall", "linear", "penalized", tube, 0.01, "LiblineaR"),
  cell("tall", "linear", "penalized", tube, 1, "LiblineaR"),
  cell("diamonds50000", "linear", "penalized", tube, 0.01, "LiblineaR"),
  cell("diamonds50000", "linear", "penalized", "absolute", 0.1, "LiblineaR"),
  cell("wide", "linear", "penalized", tube, 0.01, "LiblineaR"),
  cell("wide", "linear", "penalized", tube, 1, "LiblineaR"),
  cell("sparse", "linear", "penalized", tube, 0.1, "LiblineaR"),
  cell("sparse", "linear", "penalized", tube, 10, "LiblineaR")
)
label <- vapply(cells, function(c) {
  sprintf("%s %s %s %s cost %g", c$data, c$family, c$intercept, name_of(c$loss), c$cost)
}, "")

# ---- the solvers -------------------------------------------------------------------------------
ours <- function(data, cell, tol) {
  control <- margin_control(tol = tol, seed = 1, progress = FALSE, max_epochs = 1e5, threads = 1)
  common <- list(data$x, data$y, loss = cell$loss, cost = cell$cost, intercept = cell$intercept,
                 scale = FALSE, response_scale = FALSE, control = control)
  timed(if (cell$family == "linear") do.call(margin_linear, common) else
    do.call(margin_kernel, c(common, list(kernel = kernel_rbf(data$sigma)))))
}
epsilon_of <- function(loss) if (name_of(loss) == "epsilon_insensitive") loss$parameter[[1L]] else 0
# run(data, cell, tol): beta on the rows `at`, or w (the last entry that of the column of ones).
peers <- list(
  e1071 = function(data, cell, tol) {
    run <- timed(e1071::svm(data$x, data$y, scale = FALSE, type = "eps-regression",
                            kernel = if (cell$family == "linear") "linear" else "radial",
                            gamma = data$sigma, cost = cell$cost, epsilon = epsilon_of(cell$loss),
                            tolerance = tol, cachesize = 1000, fitted = FALSE))
    if (is.null(run$error)) run[c("at", "beta")] <- list(run$value$index, drop(run$value$coefs))
    run
  },
  kernlab = function(data, cell, tol) {
    kernel <- if (cell$family == "linear") kernlab::vanilladot() else
      kernlab::rbfdot(sigma = data$sigma)
    run <- timed(kernlab::ksvm(data$x, data$y, scaled = FALSE, type = "eps-svr", C = cell$cost,
                               epsilon = epsilon_of(cell$loss), kernel = kernel, tol = tol,
                               cache = 1000, fit = FALSE))
    if (is.null(run$error)) {
      run$at <- kernlab::SVindex(run$value)
      run$beta <- unlist(kernlab::coef(run$value))
    }
    run
  },
  # an interior point method without a tolerance
  kqr = function(data, cell, tol) {
    run <- timed(kernlab::kqr(data$x, data$y, scaled = FALSE, tau = cell$loss$parameter[[1L]],
                              C = cell$cost, kernel = "rbfdot",
                              kpar = list(sigma = data$sigma), fit = FALSE))
    if (is.null(run$error)) {
      run$at <- seq_along(data$y)
      run$beta <- as.vector(kernlab::alpha(run$value))
    }
    run
  },
  LiblineaR = function(data, cell, tol) {
    run <- timed(LiblineaR::LiblineaR(data$x, data$y, type = 13, cost = cell$cost, bias = 1,
                                      svr_eps = epsilon_of(cell$loss), epsilon = tol))
    if (is.null(run$error)) run$w <- as.vector(run$value$W)
    run
  }
)
package_of <- c(e1071 = "e1071", kernlab = "kernlab", kqr = "kernlab", LiblineaR = "LiblineaR")
peers <- peers[vapply(package_of[names(peers)], requireNamespace, NA, quietly = TRUE)]

# ---- the value of a peer's solution ------------------------------------------------------------
loss_of <- function(loss, r) {
  if (name_of(loss) == "quantile") {
    tau <- loss$parameter[[1L]]
    return(mean(pmax(-tau * r, (1 - tau) * r)))
  }
  mean(pmax(0, abs(r) - epsilon_of(loss)))
}
objective <- function(data, cell, run) {
  n <- length(data$y)
  if (!is.null(run$w)) {
    p <- length(run$w) - 1L
    z <- as.vector(data$x %*% run$w[seq_len(p)]) + run$w[p + 1L]
    return(loss_of(cell$loss, z - data$y) + sum(run$w^2) / (2 * n * cell$cost))
  }
  support <- data$x[run$at, , drop = FALSE]
  f <- numeric(n)
  for (rows in split(seq_len(n), (seq_len(n) - 1) %/% 500)) {
    x <- data$x[rows, , drop = FALSE]
    products <- tcrossprod(x, support)
    if (cell$family == "kernel") {
      square <- outer(rowSums(x^2), rowSums(support^2), `+`) - 2 * products
      products <- exp(-data$sigma * pmax(square, 0))
    }
    f[rows] <- products %*% run$beta
  }
  at_best <- optimize(function(b) loss_of(cell$loss, f + b - data$y), range(data$y - f),
                      tol = 1e-11)
  at_best$objective + sum(run$beta * f[run$at]) / (2 * n * cell$cost)
}

# ---- one cell ----------------------------------------------------------------------------------
measure <- function(cell, data) {
  best <- ours(data, cell, 1e-9)
  if (!is.null(best$error)) stop(best$error)
  known <- certificate(best$value)
  takes <- intersect(cell$peers, names(peers))
  found <- lapply(peers[takes], function(peer) {
    loosest(function(tol) peer(data, cell, tol),
            function(run) objective(data, cell, run) / known$value - 1, ladder, accuracies, seconds,
            floor = TRUE)
  })
  do.call(rbind, lapply(seq_along(accuracies), function(a) {
    turns(cell, data, accuracies[a], known, takes, lapply(found, `[[`, a))
  }))
}
turns <- function(cell, data, accuracy, known, takes, found) {
  tolerance <- vapply(found, function(one) one$tol, 0)
  repeats <- if (max(vapply(found, function(one) one$cpu, 0)) > seconds) 1L else rounds
  runs <- in_turns(c(function() ours(data, cell, accuracy), lapply(seq_along(takes), function(k) {
    if (!is.na(tolerance[[k]])) function() peers[[takes[k]]](data, cell, tolerance[[k]])
  })), repeats)
  times <- runs$cpu
  mine <- runs$last[[1L]]
  status <- mine$value$status
  data.frame(
    data = cell$data, n = nrow(data$x), d = ncol(data$x), family = cell$family,
    intercept = cell$intercept, loss = format(cell$loss), cost = cell$cost, accuracy = accuracy,
    peer = takes,
    peer_tolerance = unname(tolerance),
    peer_error = signif(vapply(found, function(one) one$error, 0), 2),
    ours_error = signif(certificate(mine$value)$value / known$value - 1, 2),
    ours_cpu = signif(median(times[, 1L]), 3),
    peer_cpu = signif(apply(times[, -1L, drop = FALSE], 2L, median), 3),
    ratio = signif(apply(times[, 1L] / times[, -1L, drop = FALSE], 2L, median), 3),
    rounds = repeats, ours_certified = certificate(mine$value)$certified,
    ours_solver = status$solver, ours_epochs = signif(status$epochs, 3),
    reference_gap = signif(known$relative_gap, 2),
    version = vapply(package_of[takes], function(name) {
      as.character(utils::packageVersion(name))
    }, "")
  )
}

chosen <- grep(option("cells", ".", "^boston kernel free epsilon"), label)
keys <- c("data", "family", "intercept", "loss", "cost", "accuracy", "peer")
ratios <- numeric()
for (k in chosen) {
  set.seed(1)
  data <- makers[[cells[[k]]$data]]()
  data$sigma <- 1 / ncol(data$x)
  table <- measure(cells[[k]], data)
  print(table[setdiff(names(table), c("d", "version"))], row.names = FALSE)
  keep_table(table, "regression_peers.csv", keys, skip = "reference_gap")
  for (part in split(table, table$accuracy)) {
    if (!any(is.finite(part$ratio))) next
    name <- paste(label[k], "to", part$accuracy[1L])
    ratios[name] <- max(part$ratio, na.rm = TRUE)
    message(sprintf("%s: %.3g of the best peer", name, ratios[name]))
  }
}
message(sprintf("geometric mean %.3g over %d cells, largest %.3g (%s)", exp(mean(log(ratios))),
                length(ratios), max(ratios), names(which.max(ratios))))
