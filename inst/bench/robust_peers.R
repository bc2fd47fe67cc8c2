# margin_robust() beside general solvers of linear and conic programs: one process, interleaved.
#
# Ours is timed as the whole call, its checks and its certificate included, on the sparse matrix; it
# stops when its certificate is at the accuracy. Of a peer only the solving is timed: its program is
# built beforehand, from the distinct rows, in the formulations of _robust_peers.R. It is credited
# with the loosest of its own tolerances, in powers of ten, whose w has a primal value (with the
# best t for that w) within the accuracy of the optimum, known from a certificate at 1e-10; where
# a run takes more than 20 s, the first that is tried and reaches it. One thread each. Ratios are
# ours / peer, medians over rounds in which all take turns. Radius 0.1, label cost 1, no intercept,
# columns as they are.
#
# Usage: Rscript robust_peers.R [folder for the results] [--cells=regex] [--rounds=3]
#        [--slow=60] [--peers=regex] [--resume]
# A cell is named like "a9a l1 ridge 1", a peer like "clarabel, dual". A run over --slow seconds is
# ended and recorded. Rows replace older ones of the same cell and peer as soon as the cell is done;
# --resume passes over the cells that have rows of all peers. The larger sets are left out where
# margin_data() does not find them, and so are packages that are not installed.
# writes: robust_peers.csv
# depends: core src/robust R/margin_robust.R
# seeds: 1 (solvers)

source(file.path(dirname(sub("^--file=", "", grep("^--file=", commandArgs(), value = TRUE)[1L])),
                 "..", "experiments", "_driver.R"))
path <- file.path(folder, "robust_peers.csv")
rounds <- as.integer(option("rounds", "3"))
slow <- as.numeric(option("slow", "60"))
source(file.path(home, "_robust_peers.R"))

accuracies <- c(1e-6, 1e-9)
sets <- c("a1a", "a6a", "a9a", "ijcnn1", "covtype")
cells <- expand.grid(norm = c("l1", "l2", "linf"), ridge = c(0, 1), set = sets,
                     stringsAsFactors = FALSE)
cells$radius <- 0.1
cells$label_cost <- 1
label <- paste(cells$set, cells$norm, "ridge", cells$ridge)
chosen <- grepl(option("cells", ".", "^a1a l1 ridge 0$"), label)

# Of the larger sets only the forms that were the fastest on a9a: of the conic solvers, by factors
# of 1.7 to 4, the one with the fewest nonzeros. The simplex methods of HiGHS did not end there.
peers_of <- function(rows) {
  forms <- c("scores", "rows", "dual")
  if (nrow(rows$z) <= 5000) {
    peers <- c(lapply(forms, function(form) highs_peer("simplex", form)),
               lapply(forms, function(form) highs_peer("ipm", form)), lapply(forms, ecos_peer),
               lapply(forms, clarabel_peer))
  } else {
    peers <- list(highs_peer("ipm", "rows"), highs_peer("ipm", "dual"), ecos_peer("scores"),
                  clarabel_peer("scores"))
  }
  Filter(function(peer) {
    requireNamespace(peer$package, quietly = TRUE) && grepl(option("peers", ".", "ECOS"), peer$name)
  }, peers)
}

# ---- one cell ----------------------------------------------------------------------------------
# The primal value of w with the best t: as little mass as allowed lies above it.
objective <- function(data, cell, w) {
  u <- data$y * as.vector(data$x %*% w)
  norm <- switch(cell$norm, l1 = sum(abs(w)), l2 = sqrt(sum(w^2)), linf = max(abs(w)))
  turns <- sort((1 + u - pmax(1 - u, 0)) / cell$label_cost, decreasing = TRUE)
  above <- floor(length(u) * cell$radius / cell$label_cost)
  t <- max(norm, if (above < length(u)) turns[above + 1] else 0)
  t * cell$radius + mean(pmax(1 - u, 1 + u - cell$label_cost * t, 0)) + cell$ridge / 2 * sum(w^2)
}

ours <- function(data, cell, tol, solver = "auto") {
  timed(margin_robust(
    data$x, factor(data$y, c(-1, 1)), norm = cell$norm, radius = cell$radius,
    label_cost = cell$label_cost, ridge = cell$ridge, intercept = "none", scale = FALSE,
    solver = solver, control = margin_control(tol = tol, progress = FALSE, max_seconds = 60)
  ))
}

# What is known of the optimum: the smallest value and the largest bound of two solvers, the second
# asked only where the first does not get there.
reference <- function(data, cell) {
  known <- list(value = Inf, bound = -Inf)
  for (solver in c("auto", "pdhg")) {
    fit <- ours(data, cell, 1e-10, solver)
    if (!is.null(fit$error)) stop(fit$error)
    found <- certificate(fit$value)
    known <- list(value = min(known$value, found$value), bound = max(known$bound, found$bound))
    known$gap <- known$value / known$bound - 1
    if (known$gap <= 1e-10) break
  }
  known
}

# One run; of a peer that knows no limit of time in a fork that can be ended.
run_once <- function(peer, program, tol) {
  if (is.null(peer$fork) || .Platform$OS.type == "windows") return(peer$run(program, tol, slow))
  job <- parallel::mcparallel(peer$run(program, tol, slow), silent = TRUE)
  answer <- parallel::mccollect(job, wait = FALSE, timeout = slow)
  if (is.null(answer)) tools::pskill(job$pid, tools::SIGKILL)
  suppressWarnings(parallel::mccollect(job))  # or the child would stay as a zombie
  if (is.null(answer[[1L]])) list(seconds = slow, error = "ended") else answer[[1L]]
}

# For each accuracy the loosest tolerance that reaches it, or why none does. Runs are remembered.
find_tolerances <- function(peer, program, data, cell, known) {
  tried <- list()
  attempt <- function(k) {
    name <- as.character(k)
    if (is.null(tried[[name]])) {
      gc(FALSE)
      fit <- run_once(peer, program, peer$ladder[k])
      # Which sign the duals have is the solver's affair; the better one is meant.
      w <- if (is.null(fit$error)) program$read(fit$x, fit$duals)
      usable <- length(w) == ncol(data$x) && all(is.finite(w))
      value <- if (usable) min(objective(data, cell, w), objective(data, cell, -w)) else Inf
      if (value < known$bound * (1 - 1e-12)) stop("a value below the bound: ", value)
      tried[[name]] <<- list(value = value, seconds = fit$seconds, cpu = fit$cpu,
                             late = fit$seconds > 0.98 * slow)
    }
    tried[[name]]
  }
  # From near the first accuracy to the loosest tolerance; for the next one on from there.
  from <- NULL
  lapply(accuracies, function(accuracy) {
    target <- known$value * (1 + accuracy)
    k <- if (is.null(from)) which.min(abs(log(peer$ladder / accuracy / 10))) else from
    try <- attempt(k)
    while (try$value > target && !try$late && k < length(peer$ladder)) {
      k <- k + 1L
      try <- attempt(k)
    }
    reached <- try$value <= target
    while (is.null(from) && reached && k > 1L && try$seconds < 20 &&
             (looser <- attempt(k - 1L))$value <= target) {
      k <- k - 1L
      try <- looser
    }
    from <<- k
    best <- min(vapply(tried, function(one) one$value, 0))
    list(tolerance = if (reached) peer$ladder[k] else NA, seconds = try$seconds, cpu = try$cpu,
         value = if (reached) try$value else best, outcome = if (reached) "reached" else
           if (try$late) sprintf("not reached in %.0f s", slow) else "not reached")
  })
}

measure <- function(data, rows, cell, peers) {
  known <- reference(data, cell)
  programs <- list()
  for (form in unique(vapply(peers, function(peer) peer$form, ""))) {
    programs[[form]] <- make_program(rows, cell, form)
  }
  found <- lapply(peers, function(peer) {
    find_tolerances(peer, programs[[peer$form]], data, cell, known)
  })
  do.call(rbind, lapply(seq_along(accuracies), function(a) {
    measure_accuracy(data, cell, peers, programs, lapply(found, `[[`, a), known, accuracies[a])
  }))
}

# A peer whose run takes more than 20 s is not run again: its row says one round.
measure_accuracy <- function(data, cell, peers, programs, found, known, accuracy) {
  reached <- vapply(found, function(f) f$outcome == "reached", NA)
  long <- vapply(found, function(f) f$seconds > 20, NA)
  first <- ours(data, cell, accuracy)
  total <- first$seconds + sum(vapply(found[reached & !long], function(f) f$seconds, 0))
  repeats <- max(1L, min(rounds, floor(60 / total)))
  runs <- in_turns(c(function() ours(data, cell, accuracy), lapply(seq_along(peers), function(k) {
    if (reached[k] && !long[k]) {
      function() peers[[k]]$run(programs[[peers[[k]]$form]], found[[k]]$tolerance, slow)
    }
  })), repeats)
  cpu <- runs$cpu
  seconds <- runs$seconds
  mine <- certificate(first$value)
  rows <- lapply(seq_along(peers), function(k) {
    once <- reached[k] && long[k]
    ours_seconds <- if (once) median(seconds[, 1L]) else seconds[, 1L]
    peer_seconds <- if (once) found[[k]]$seconds else seconds[, k + 1L]
    ratio <- ours_seconds / peer_seconds
    cpu_ratio <- if (once) median(cpu[, 1L]) / found[[k]]$cpu else cpu[, 1L] / cpu[, k + 1L]
    data.frame(
      data = cell$set, norm = cell$norm, ridge = cell$ridge, accuracy = accuracy,
      peer = peers[[k]]$name, outcome = found[[k]]$outcome,
      peer_tolerance = found[[k]]$tolerance,
      best_suboptimality = signif(found[[k]]$value / known$value - 1, 3),
      median_ratio = signif(median(ratio), 3), smallest = signif(min(ratio), 3),
      largest = signif(max(ratio), 3), cpu_ratio = signif(median(cpu_ratio), 3),
      ours_seconds = signif(median(seconds[, 1L]), 4),
      peer_seconds = signif(median(peer_seconds), 4), rounds = if (once) 1L else repeats,
      ours_certified = mine$certified, ours_gap = signif(mine$relative_gap, 2),
      ours_steps = first$value$status$steps, reference_gap = signif(known$gap, 2),
      version = as.character(utils::packageVersion(peers[[k]]$package))
    )
  })
  do.call(rbind, rows)
}

# ---- the run -----------------------------------------------------------------------------------
key <- function(table) paste(table$data, table$norm, table$ridge, table$peer)
save_rows <- function(rows) {
  keep_table(rows, "robust_peers.csv", c("data", "norm", "ridge", "accuracy", "peer"),
             sorted = function(table) {
               table[order(match(table$data, sets), table$ridge, table$norm, -table$accuracy,
                           table$peer), ]
             }, skip = c("largest", "smallest", "ours_gap", "reference_gap"), tolerance = 0.02)
}
done <- if ("--resume" %in% arguments) read_table(path)
if (length(done)) done <- key(done)
for (set in intersect(sets, cells$set[chosen])) {
  data <- tryCatch(margin_data(if (set == "covtype") "covtype_sub92962" else set),
                   dualmargin_input_error = function(condition) NULL)
  if (is.null(data)) {
    message(set, ": margin_data() does not find it; left out.")
    next
  }
  data$x <- methods::as(data$x, "RsparseMatrix")
  rows <- distinct_rows(data$x, data$y)
  for (i in which(chosen & cells$set == set)) {
    cell <- cells[i, ]
    able <- Filter(function(peer) {
      peer$serves(cell) && !paste(cell$set, cell$norm, cell$ridge, peer$name) %in% done
    }, peers_of(rows))
    if (!length(able)) next
    table <- measure(data, rows, cell, able)
    cat("\n", label[i], sprintf("(ours: certified %s)\n", toString(unique(table$ours_certified))))
    shown <- c("accuracy", "peer", "outcome", "peer_tolerance", "best_suboptimality",
               "median_ratio", "cpu_ratio", "ours_seconds", "peer_seconds", "rounds")
    print(table[shown], row.names = FALSE)
    save_rows(table)
  }
}
