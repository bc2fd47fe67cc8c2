# Ranks of a job under MPI on this one machine: 1, 2 and 4 of them with the same rows in all, and with
# the same rows each. Newton's method, logistic loss, dense rows in memory, one thread a rank.
#
# Exchanges (sums and maxima over the ranks, R/ranks.R) are counted and timed by rank 0: their
# seconds are those of MPI and of waiting for the slowest rank. What is left of a fit are passes over
# rows, and what every rank does alike. A machine of two processors has no more than two ranks at work:
# more of them share these.
#
# The model beside a row has for its passes the seconds of the processor that one rank takes for as
# many rows, divided among the ranks that have one, which other work on the machine changes less;
# and for each exchange `latency` seconds, plus 16 bytes for each number over the bandwidth that sums
# of 1e6 numbers had here. The row "64 machines" is this model alone, of nothing that was measured
# here but the time of a stored entry in one pass: 1e9 rows of 100 entries, 45 passes, 200 exchanges
# of 1e6 numbers, over 10 Gbit/s and 50 microseconds for each of 12 steps of a ring.
#
# Usage: Rscript ranks.R [folder for the results] [--rows=1e5] [--columns=50] [--rounds=3]
# writes: ranks.csv
# depends: core src/linear src/border/mpi_ranks.h R/ranks.R R/ranks_fit.R R/margin_linear.R
# seeds: the number of a chunk of 1,000 rows (its rows), 1 (solver)

source(file.path(dirname(sub("^--file=", "", grep("^--file=", commandArgs(), value = TRUE)[1L])),
                 "..", "experiments", "_driver.R"))
base <- as.numeric(option("rows", "1e5", "2e4"))
columns <- as.integer(option("columns", "50"))
rounds <- as.integer(option("rounds", "3", "1"))
chunk_rows <- 1000L

# ---- a rank --------------------------------------------------------------------------------------
draw_chunk <- function(number) {
  set.seed(number)
  x <- matrix(stats::rnorm(chunk_rows * columns), chunk_rows)
  z <- x[, 1L] - x[, 2L] + 0.5 * x[, 3L] + stats::rlogis(chunk_rows)
  list(x = x, y = ifelse(z > 0, "b", "a"))
}
if (nzchar(child <- option("child", ""))) {
  n <- as.numeric(child)
  ranks <- mpi_ranks()
  own <- seq_len(n / chunk_rows)
  own <- own[(own - 1) %% ranks$size == ranks$rank]
  parts <- lapply(own, draw_chunk)
  x <- do.call(rbind, lapply(parts, `[[`, "x"))
  y <- factor(unlist(lapply(parts, `[[`, "y")), c("a", "b"))
  control <- margin_control(ranks = ranks, seed = 1, progress = FALSE)
  for (round in seq_len(rounds)) {
    run <- timed(margin_linear(x, y, loss = "logistic", lambda = 1e-4, solver = "newton",
                               control = control))
    if (!is.null(run$error)) stop(run$error)
    if (ranks$rank > 0) next
    fit <- run$value
    cat("answer", deparse1(c(
      list(seconds = run$seconds, cpu = run$cpu, epochs = fit$status$epochs,
           certified = certificate(fit)$certified, value = certificate(fit)$value),
      as.list(fit$exchanged[c("exchanges", "doubles")]), waited = fit$exchanged[["seconds"]]
    ), width.cutoff = 500L), "\n")
  }
  # what an exchange takes: of one number, and of a million
  meeting <- dualmargin:::open_meeting(ranks)
  seconds_of <- function(count, k) {
    began <- clock()
    for (i in seq_len(count)) dualmargin:::sum_over_ranks(meeting, rep(1, k))
    (clock() - began) / count
  }
  small <- seconds_of(500L, 1L)
  large <- seconds_of(10L, 1e6)
  if (ranks$rank == 0) cat("exchange", deparse1(list(small = small, large = large)), "\n")
  Rmpi::mpi.quit()
}

run_job <- function(size, n) {
  said <- suppressWarnings(system2(
    "mpirun", c("--oversubscribe", "-n", size, shQuote(c(
      file.path(R.home("bin"), "Rscript"), "--no-init-file", script,
      sprintf("--child=%.0f", n), sprintf("--columns=%d", columns), sprintf("--rounds=%d", rounds)
    ))), stdout = TRUE, stderr = TRUE,
    env = c("OMPI_ALLOW_RUN_AS_ROOT=1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1",
            "OMPI_MCA_mpi_yield_when_idle=1")
  ))
  of <- function(word) {
    lapply(sub(paste0("^", word, " "), "", grep(paste0("^", word, " "), said, value = TRUE)),
           function(line) eval(str2lang(line)))
  }
  runs <- of("answer")
  if (length(runs) < rounds) stop(paste(said, collapse = "\n"))
  median_of <- function(name) stats::median(vapply(runs, function(run) as.double(run[[name]]), 0))
  exchange <- of("exchange")[[1L]]
  data.frame(
    ranks = size, n = n, columns = columns, seconds = median_of("seconds"), cpu = median_of("cpu"),
    exchange_seconds = median_of("waited"), exchanges = median_of("exchanges"),
    doubles = median_of("doubles"), epochs = median_of("epochs"),
    certified = all(vapply(runs, function(run) run$certified, NA)), latency = exchange$small,
    million = exchange$large
  )
}

if (!nzchar(Sys.which("mpirun")) || !nzchar(system.file(package = "Rmpi"))) {
  stop("mpirun and package Rmpi are needed (Debian: openmpi-bin, libopenmpi-dev, r-cran-rmpi)")
}
processors <- parallel::detectCores()
cells <- data.frame(rows = rep(c("fixed", "growing"), each = 3L), ranks = c(1, 2, 4, 1, 2, 4))
cells$n <- ifelse(cells$rows == "fixed", 4 * base, base * cells$ranks)
if (spotting) cells <- cells[cells$ranks < 4 & cells$rows == "fixed", ]
measured <- do.call(rbind, lapply(seq_len(nrow(cells)), function(i) {
  row <- data.frame(rows = cells$rows[i], kind = "measured", run_job(cells$ranks[i], cells$n[i]))
  print(row[c(1, 3:4, 6:11)], row.names = FALSE, digits = 3)
  row
}))
# seconds of the processor that one rank takes for a row
alone <- measured[measured$ranks == 1, ]
same <- match(measured$rows, alone$rows)
per_row <- (alone$cpu / alone$n)[same]
cost <- function(exchanges, doubles, latency, million) {
  exchanges * latency + doubles * pmax(0, million - latency) / 1e6
}
measured$model_seconds <- per_row * measured$n / pmin(measured$ranks, processors) + ifelse(
  measured$ranks > 1, cost(measured$exchanges, measured$doubles, measured$latency,
                           measured$million), 0
)
# an entry in one pass, of the fixed rows by one rank
entry <- with(alone[1L, ], cpu / (epochs * n * columns))
passes <- 45
exchanges <- 200
model <- measured[1L, ]
model[] <- NA
known <- list(rows = "64 machines", kind = "model", ranks = 64, n = 1e9, columns = 1e6,
              epochs = passes, exchanges = exchanges, doubles = exchanges * 1e6,
              exchange_seconds = exchanges * (2 * 8e6 / 1.25e9 + 12 * 50e-6))
model[names(known)] <- known
model$model_seconds <- passes * entry * 1e11 / 64 + model$exchange_seconds
rows <- rbind(measured, model)
rows$rounds <- rounds
rows$seed <- 1
print(rows[c("rows", "kind", "ranks", "n", "seconds", "exchange_seconds", "model_seconds")],
      row.names = FALSE, digits = 3)
keep_table(rows, "ranks.csv", c("rows", "ranks", "n"),
           skip = c("cpu", "exchange_seconds", "latency", "million", "model_seconds"))
