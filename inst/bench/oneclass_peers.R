# margin_oneclass() beside e1071 (LIBSVM) and kernlab: Scholkopf's one-class support vector machine,
# one process, in turns, CPU seconds of one thread.
#
# rbf kernel with sigma = 1/d on standardised columns. Ours is timed as the whole call and stops
# when its certificate is at the accuracy. Of a peer's solution the primal value at its best rho is
# computed here; it is credited with the loosest of its tolerances, in powers of ten, whose value is
# within the accuracy of the optimum, known from a certificate at 1e-9. Ratios are ours / peer,
# medians over rounds; `best` is the one against the fastest peer.
#
# Usage: Rscript oneclass_peers.R [folder for the results] [--rounds=5] [--sets=regex]
# writes: oneclass_peers.csv
# depends: core src/kernel R/margin_oneclass.R
# seeds: 1

source(file.path(dirname(sub("^--file=", "", grep("^--file=", commandArgs(), value = TRUE)[1L])),
                 "..", "experiments", "_driver.R"))
rounds <- as.integer(option("rounds", "5", spot = "1"))
accuracies <- c(1e-3, 1e-6)
ladder <- 10^-(1:8)

sets <- list(
  spambase = function() scale(as.matrix(spambase[spambase$type == "nonspam", 1:57])),
  "normal, 3,000 x 5" = function() {
    set.seed(1)
    scale(matrix(stats::rnorm(15000), 3000))
  },
  magic04 = function() {
    data <- tryCatch(margin_data("magic04"), dualmargin_input_error = function(condition) NULL)
    if (is.null(data)) return(NULL)
    scale(as.matrix(data$x)[1:6000, ])
  }
)
cells <- expand.grid(nu = c(0.02, 0.1, 0.5), accuracy = accuracies)

ours <- function(x, sigma, nu, tol) {
  timed(margin_oneclass(x, nu = nu, kernel = kernel_rbf(sigma), scale = FALSE,
                        control = margin_control(tol = tol, threads = 1, seed = 1,
                                                 progress = FALSE, max_epochs = 20000)))
}
# run(x, sigma, nu, tol): a on the rows `at`, in a unit of its own
peers <- list(
  e1071 = function(x, sigma, nu, tol) {
    run <- timed(e1071::svm(x, type = "one-classification", scale = FALSE, kernel = "radial",
                            gamma = sigma, nu = nu, tolerance = tol, cachesize = 1000,
                            fitted = FALSE))
    if (is.null(run$error)) {
      run$at <- run$value$index
      run$a <- drop(run$value$coefs)
    }
    run
  },
  kernlab = function(x, sigma, nu, tol) {
    run <- timed(kernlab::ksvm(x, type = "one-svc", scaled = FALSE, nu = nu, tol = tol,
                               kernel = kernlab::rbfdot(sigma = sigma), cache = 1000,
                               fit = FALSE))
    if (is.null(run$error)) {
      run$at <- kernlab::SVindex(run$value)
      run$a <- unlist(kernlab::alpha(run$value))
    }
    run
  }
)
peers <- peers[vapply(names(peers), requireNamespace, NA, quietly = TRUE)]

primal <- function(K, at, a, nu) {
  a <- a / sum(a)
  f <- drop(K[, at, drop = FALSE] %*% a)
  n <- length(f)
  rho <- sort(f)[max(1, ceiling(nu * n - 1e-9))]
  0.5 * sum(a * f[at]) - rho + sum(pmax(0, rho - f)) / (nu * n)
}

for (set in grep(option("sets", ".", spot = "normal"), names(sets), value = TRUE)) {
  x <- sets[[set]]()
  if (is.null(x)) next
  sigma <- 1 / ncol(x)
  K <- exp(-sigma * as.matrix(stats::dist(x))^2)
  rows <- lapply(seq_len(nrow(cells)), function(k) {
    nu <- cells$nu[k]
    accuracy <- cells$accuracy[k]
    best <- certificate(ours(x, sigma, nu, 1e-9)$value)
    # the loosest tolerance with which each peer is accurate, once; then all in turns
    tolerance <- vapply(peers, function(peer) {
      loosest(function(tol) peer(x, sigma, nu, tol), function(run) {
        (primal(K, run$at, run$a, nu) - best$bound) / abs(best$bound)
      }, ladder, accuracy)[[1L]]$tol
    }, 0)
    runs <- in_turns(c(function() ours(x, sigma, nu, accuracy), lapply(names(peers), function(name) {
      if (!is.na(tolerance[[name]])) function() peers[[name]](x, sigma, nu, tolerance[[name]])
    })), rounds)
    times <- t(runs$cpu)
    rownames(times) <- c("ours", names(peers))
    ratio <- function(name) stats::median(times["ours", ] / times[name, ])
    fastest <- apply(times[-1L, , drop = FALSE], 2L, min, na.rm = TRUE)
    fit <- runs$last[[1L]]$value
    row <- data.frame(set, n = nrow(x), d = ncol(x), nu, accuracy,
                      cpu = stats::median(times["ours", ]),
                      best = stats::median(times["ours", ] / fastest))
    for (name in names(peers)) {
      row[[name]] <- ratio(name)
      row[[paste0(name, "_tol")]] <- tolerance[[name]]
    }
    cbind(row, relative_gap = certificate(fit)$relative_gap, value = certificate(fit)$value,
          rounds, seed = 1)
  })
  rows <- do.call(rbind, rows)
  print(rows[setdiff(names(rows), "seed")], row.names = FALSE, digits = 3)
  keep_table(rows, "oneclass_peers.csv", c("set", "nu", "accuracy"), names(peers),
             skip = c("best", names(peers)))
}
