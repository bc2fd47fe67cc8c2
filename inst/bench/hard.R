# margin_hard(): seconds of the processor until the margin is within 1e-3, 1e-6 and 1e-9 of the
# maximum, for every solver, beside support vector machines at a large cost (e1071, kernlab: with an
# intercept; LiblineaR: without, for ten classes its Crammer and Singer machine, whose hard margin
# is the same problem).
#
# Every run is a fork of one process, in turns, one thread. Ours is the whole call, up to the
# certificate that shows the accuracy (`certified`) and to the margin that has it (`reached`: known
# afterwards only), and the call's time outside its trace counts. Of a peer's solution the margin
# min y (w'x + b) / |w|, with the best b, is computed here. It is credited with the fastest of its
# costs and tolerances that get within the accuracy.
#
# Usage: Rscript hard.R [folder for the results] [--small] [--rounds=3] [--seconds=20]
#        [--sets=regex] [--methods=regex]
# A run of ours is ended after --seconds of the clock (momentum on the first set: six times that), a
# peer's after as many of the processor. What took more than a fourth of it is not repeated.
# writes: hard.csv
# depends: core src/hard R/margin_hard.R
# seeds: 1

source(file.path(dirname(sub("^--file=", "", grep("^--file=", commandArgs(), value = TRUE)[1L])),
                 "..", "experiments", "_driver.R"))
source(file.path(home, "..", "experiments", "_margin_digits.R"))
small <- "--small" %in% arguments
rounds <- as.integer(option("rounds", "3"))
limit <- as.numeric(option("seconds", "20"))
source(file.path(home, "_hard_peers.R"))
accuracies <- c(1e-3, 1e-6, 1e-9)
slow <- c("momentum", "adaptive", "perceptron", "ngd", "gd")

# ---- one run -----------------------------------------------------------------------------------
# Seconds of the processor that a fork has used; those of the clock where /proc is not there.
used_by <- function(pid, start) {
  path <- sprintf("/proc/%d/stat", pid)
  if (!file.exists(path)) return(clock() - start)
  words <- strsplit(sub(".*\\) ", "", readLines(path, warn = FALSE)), " ")[[1L]]
  sum(as.numeric(words[12:13])) / 100
}
# f() in a fork that is ended at the limit.
forked <- function(f, limit) {
  gc(FALSE)
  start <- clock()
  job <- parallel::mcparallel(f(), silent = TRUE)
  answer <- NULL
  while (is.null(answer) && used_by(job$pid, start) < limit) {
    answer <- parallel::mccollect(job, wait = FALSE, timeout = 0.5)
  }
  if (is.null(answer)) tools::pskill(job$pid, tools::SIGKILL)
  suppressWarnings(parallel::mccollect(job))  # or the child would stay as a zombie
  answer <- answer[[1L]]
  if (inherits(answer, "try-error")) list(error = paste(answer), cpu = NA) else
    if (is.null(answer)) list(error = "ended", cpu = NA) else answer
}

# A fit: when the interval was how small, in seconds of the processor.
fit_once <- function(set, intercept, solver, tol = 1e-9, most = limit) {
  forked(function() {
    run <- timed(margin_hard(
      set$x, set$y, kernel = set$kernel, intercept = intercept, solver = solver,
      control = margin_control(tol = tol, seed = 1, progress = FALSE, max_epochs = 1e7,
                               max_seconds = most)
    ))
    if (!is.null(run$error)) return(list(error = run$error, cpu = run$cpu))
    trace <- convergence(run$value)
    trace$value <- cummax(trace$value)  # the best so far, which the interval has
    trace$gap <- trace$bound - trace$value
    last <- nrow(trace)
    list(cpu = run$cpu, certificate = certificate(run$value), margin = trace$value,
         gap = trace$gap / pmax(abs(trace$value), abs(trace$bound)),
         at = run$cpu * (1 - pmin((trace$seconds[last] - trace$seconds) / run$seconds, 1)))
  }, 2 * most)
}
peer_once <- function(peer, set, cost, tol) {
  x <- if (is.null(set$factor)) set$x else set$factor
  run <- forked(function() {
    run <- timed(peer$run(x, set$y, cost, tol))
    if (is.null(run$error)) list(cpu = run$cpu, w = run$value$w(run$value$fit)) else
      list(cpu = run$cpu, error = run$error)
  }, limit)
  run$margin <- if (is.null(run$error)) margin_of(x, set$y, run$w, peer$intercept) else -Inf
  run[setdiff(names(run), "w")]
}

# ---- one data set ------------------------------------------------------------------------------
first_at <- function(at, good) if (any(good)) at[which(good)[1L]] else NA_real_
middle <- function(x) if (length(x) && !anyNA(x)) stats::median(x) else NA_real_

measure_fit <- function(name, set, intercept, solver, optimum, runs) {
  good <- Filter(function(run) is.null(run$error), runs)
  if (!length(good)) {
    message(name, ", ", solver, ": ", runs[[1L]]$error)
    return(NULL)
  }
  last <- good[[1L]]
  data.frame(
    data = name, n = nrow(set$x), d = ncol(set$x), classes = nlevels(set$y), intercept,
    method = solver, accuracy = accuracies,
    reached = vapply(accuracies, function(a) middle(vapply(good, function(run) {
      first_at(run$at, run$margin >= optimum * (1 - a))
    }, 0)), 0),
    certified = vapply(accuracies, function(a) middle(vapply(good, function(run) {
      first_at(run$at, run$gap <= a)
    }, 0)), 0),
    error = max(0, 1 - max(last$margin) / optimum), cost = NA_real_, tolerance = NA_real_,
    rounds = length(good)
  )
}
measure_peer <- function(name, set, peer_name, optimum) {
  peer <- peers[[peer_name]]
  tried <- list()
  for (cost in c(1e3, 1e6)) {
    for (tol in peer$ladder) {
      run <- peer_once(peer, set, cost, tol)
      error <- 1 - run$margin / optimum
      if (is.finite(error) && error < -1e-7) stop(peer_name, " exceeds the maximum: ", error)
      tried[[length(tried) + 1L]] <- list(cost = cost, tol = tol, cpu = run$cpu, error = error)
      best <- cummin(vapply(tried, function(one) one$error, 0))
      at <- length(best)
      lost <- at > 3L && best[at] > 0.9 * best[at - 3L] && best[at] < 1
      if (!is.null(run$error) || error <= min(accuracies) || lost) break
    }
    if (min(best) <= accuracies[2L]) break  # a larger cost changes nothing then
  }
  errors <- vapply(tried, function(one) one$error, 0)
  cpu <- vapply(tried, function(one) one$cpu, 0)
  do.call(rbind, lapply(accuracies, function(a) {
    good <- which(errors <= a)
    k <- if (length(good)) good[which.min(cpu[good])] else which.min(errors)
    again <- if (length(good) && cpu[k] < limit / 4) rounds - 1L else 0L
    times <- c(if (length(good)) cpu[k], vapply(seq_len(again), function(i) {
      peer_once(peer, set, tried[[k]]$cost, tried[[k]]$tol)$cpu
    }, 0))
    data.frame(
      data = name, n = nrow(set$x), d = ncol(set$x), classes = nlevels(set$y),
      intercept = peer$intercept, method = peer_name, accuracy = a, reached = middle(times),
      certified = NA_real_, error = max(0, min(errors)), cost = tried[[k]]$cost,
      tolerance = tried[[k]]$tol, rounds = max(1L, length(times))
    )
  }))
}
wanted <- function(names) names[grepl(option("methods", ".", "^(auto|smo)$"), names)]

measure <- function(name, set, intercept) {
  best <- fit_once(set, intercept, "auto", 1e-12)
  if (!is.null(best$error)) stop(name, ": ", best$error)
  optimum <- best$certificate$value
  known <- margin_solvers("hard")
  able <- vapply(known$intercepts, function(kinds) intercept %in% kinds, NA)
  solvers <- wanted(known$name[able])
  runs <- list()
  for (round in seq_len(rounds)) {
    for (solver in solvers) {
      if (round > 1L && (solver %in% slow || isTRUE(runs[[solver]][[1L]]$cpu > limit / 4))) next
      # what the default is measured against gets the time that it needs
      most <- if (solver == "momentum" && name == names(sets)[1L]) 6 * limit else limit
      run <- fit_once(set, intercept, solver, most = most)
      runs[[solver]] <- c(runs[[solver]], list(run))
    }
  }
  mine <- lapply(solvers, function(s) measure_fit(name, set, intercept, s, optimum, runs[[s]]))
  fits <- function(peer) {
    peer$intercept == intercept && nlevels(set$y) %in% peer$classes
  }
  theirs <- lapply(wanted(names(Filter(fits, peers))), function(p) {
    measure_peer(name, set, p, optimum)
  })
  rows <- do.call(rbind, c(mine, theirs))
  rows$optimum <- signif(optimum, 10)
  rows$reference_gap <- signif(best$certificate$relative_gap, 2)
  for (column in c("reached", "certified", "error")) {
    rows[[column]] <- signif(rows[[column]], 3)
  }
  rows
}

# ---- the run -----------------------------------------------------------------------------------
version_of <- function(method) {
  as.character(utils::packageVersion(if (method %in% names(peers)) method else "dualmargin"))
}
save_rows <- function(rows) {
  rows$version <- vapply(rows$method, version_of, "")
  keep_table(rows, "hard.csv", c("data", "intercept", "method", "accuracy"), digits = 10,
             sorted = function(table) {
               table[order(match(table$data, names(sets)), table$intercept != "none"), ]
             }, skip = c("reached", "certified", "error", "reference_gap", "version"))
}
for (name in grep(option("sets", ".", "golub"), names(sets), value = TRUE)) {
  set <- sets[[name]]()
  if (is.null(set)) {
    message(name, ": not available here; left out.")
    next
  }
  several <- nlevels(set$y) > 2L
  if (several) {
    # rows for peers that know no kernel matrix: the kernel is factor factor'
    parts <- eigen(kernel_values(set), symmetric = TRUE)
    set$factor <- parts$vectors %*% diag(sqrt(pmax(parts$values, 0)))
  }
  for (intercept in if (several) "none" else c("none", "free")) {
    rows <- measure(name, set, intercept)
    message("\n", format(Sys.time(), "%T "), name, ", intercept ", intercept)
    print(rows[c("method", "accuracy", "reached", "certified", "error", "cost", "tolerance",
                 "rounds")], row.names = FALSE)
    save_rows(rows)
  }
}
