# Part of large.R: peers of a fit of rows in a file, to the same objective, and what runs in their
# children. A cell is list(loss, scale, intercept): the logistic loss with a ridge of 1e-4, without
# an intercept and with columns as they are for sparse rows; with both for dense ones, since
# biglasso can do no other.

cell_of <- function(shape) {
  list(loss = "logistic", scale = !shape$sparse,
       intercept = if (shape$sparse) "none" else "free")
}
peers_of <- function(shape) {
  if (shape$sparse) c("LiblineaR, type 0", "SGDClassifier, partial_fit") else "biglasso"
}
# How far above the optimum, relative to it.
peer_goals <- c(1e-2, 1e-4, 1e-6)

# The objective of coefficients, some rows at a time.
objective_of <- function(data, w, b = 0, lambda = 1e-4, scale = 1) {
  y <- c(-1, 1)[data$y]
  from <- seq(1, nrow(data$x), by = 5e4)
  total <- vapply(from, function(first) {
    part <- dualmargin:::some_rows(data$x, first, min(nrow(data$x), first + 5e4 - 1))
    if (isS4(part)) part <- methods::as(part, "CsparseMatrix")
    m <- y[first + seq_len(nrow(part)) - 1] * (as.vector(part %*% w) + b)
    sum(pmax(0, -m) + log1p(exp(-abs(m))))
  }, 0)
  sum(total) / nrow(data$x) + lambda / 2 * sum((scale * w)^2)
}

# ---- in a child --------------------------------------------------------------------------------
# Seconds, processor time and objective of each of its own tolerances, until the last of `goals`
# (objectives) is reached.
peer_runs <- function(peer, shape, goals) {
  data <- make_matrix(shape)
  tries <- switch(peer, liblinear = liblinear_tries(data), biglasso = biglasso_tries(data, shape))
  found <- NULL
  for (tol in tries$ladder) {
    run <- timed(tries$fit(tol))
    if (!is.null(run$error)) stop(run$error)
    found <- rbind(found, c(run$seconds, run$cpu, tries$objective(run$value)))
    if (found[nrow(found), 3L] <= min(goals)) break
  }
  found
}
liblinear_tries <- function(data) {
  n <- nrow(data$x)
  y <- c(-1, 1)[data$y]
  list(ladder = 10^-(1:6), fit = function(tol) {
    LiblineaR::LiblineaR(data$x, y, type = 0, cost = 1 / (1e-4 * n), epsilon = tol, bias = 0)
  }, objective = function(fit) {
    w <- drop(fit$W)[seq_len(ncol(data$x))] * fit$ClassNames[1L]
    objective_of(data, w)
  })
}
# It reads the matrix from a file of its own, in the folder of temporary files.
biglasso_tries <- function(data, shape) {
  big <- bigmemory::as.big.matrix(data$x, backingfile = "big.bin", descriptorfile = "big.desc",
                                  backingpath = tempdir())
  y <- as.integer(data$y) - 1L
  centre <- colMeans(data$x)
  sd <- sqrt(vapply(seq_len(ncol(data$x)), function(j) mean((data$x[, j] - centre[j])^2), 0))
  list(ladder = 10^-(3:9), fit = function(tol) {
    # a decreasing sequence of lambda, as its help asks for
    biglasso::biglasso(big, y, family = "binomial", penalty = "ridge", eps = tol,
                       lambda = 10^-seq(0, 4, length.out = 10), max.iter = 1e5)
  }, objective = function(fit) {
    beta <- fit$beta[, ncol(fit$beta)]
    objective_of(data, beta[-1L], beta[1L], scale = sd)
  })
}

# ---- in the parent -----------------------------------------------------------------------------
# The passes of the python script: NULL where there is none.
sgd_runs <- function(shape, limit, passes, goals) {
  group <- if (is.na(limit)) "" else new_cgroup(limit)
  if (is.null(python) || is.null(group)) {
    return(list(outcome = if (is.null(group)) "no cgroup" else "not installed"))
  }
  on.exit(if (nzchar(group)) {
    Sys.sleep(0.2)
    unlink(group, recursive = TRUE)
  })
  call <- paste(c("exec", shQuote(python), shQuote(file.path(home, "large_sgd.py")),
                  shQuote(file_of(shape)), sprintf("%.0f", shape$n), shape$d,
                  if (shape$sparse) "sparse" else "dense", 1e-4, passes,
                  format(goals, digits = 17)), collapse = " ")
  if (nzchar(group)) {
    call <- sprintf("echo $$ > %s; %s", shQuote(file.path(group, "cgroup.procs")), call)
  }
  said <- suppressWarnings(system2("sh", c("-c", shQuote(call)), stdout = TRUE))
  status <- attr(said, "status")
  lines <- strsplit(grep("^pass ", said, value = TRUE), " ")
  runs <- do.call(rbind, lapply(lines, function(words) as.numeric(words[3:5])))
  list(outcome = if (is.null(status)) "done" else if (status == 137L) "killed" else
    paste("status", status), runs = runs)
}

# A row a peer, its memory and a goal: of ours (the trace of one fit in the cgroup) and the peer's.
measure_peers <- function(shape, passes) {
  make_file(shape)
  drop_caches()
  ours <- run_child(words("cell", shape, "newton", 1000, 1e-6), limit)
  if (ours$outcome != "done" || !ours$certified) stop("our own fit: ", ours$outcome)
  bound <- ours$value - ours$gap
  goals <- bound * (1 + peer_goals)
  first <- function(values, goal) which(values <= goal)[1L]
  rows <- list()
  for (peer in peers_of(shape)) for (memory in c(limit, NA)) {
    if (peer == "SGDClassifier, partial_fit" && is.na(memory)) next
    name <- sub(",.*", "", tolower(peer))
    drop_caches()
    run <- if (name == "sgdclassifier") {
      sgd_runs(shape, memory, passes, goals)
    } else if (nzchar(system.file(package = sub(",.*", "", peer)))) {
      run_child(paste(c(words(name, shape), format(goals, digits = 17)), collapse = " "), memory)
    } else {
      list(outcome = "not installed")
    }
    for (k in seq_along(goals)) {
      runs <- if (is.null(run$runs)) matrix(NA_real_, 0L, 3L) else matrix(run$runs, ncol = 3L)
      at <- first(runs[, 3L], goals[k])
      own <- first(ours$trace_value, goals[k])
      rows <- c(rows, list(data.frame(
        data = kind_of(shape), n = shape$n, file_gb = file_bytes(shape) / 1e9, peer = peer,
        limit_gb = memory / 1e9, goal = peer_goals[k], outcome = if (!is.na(at)) "reached" else
          if (run$outcome == "done") "not reached" else run$outcome,
        tries = nrow(runs), best = if (nrow(runs) > 0L) min(runs[, 3L]) / bound - 1 else NA,
        peer_seconds = runs[at, 1L], peer_cpu = runs[at, 2L],
        ours_seconds = ours$trace_seconds[own], ours_certified = ours$certified,
        ours_limit_gb = limit / 1e9, ratio = ours$trace_seconds[own] / runs[at, 1L], seed = 1
      )))
    }
  }
  do.call(rbind, rows)
}
