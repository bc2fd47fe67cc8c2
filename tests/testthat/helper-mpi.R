# Jobs of several ranks under mpirun, from a test: a script that each rank runs, and what each rank
# returned. To load Rmpi here would start MPI in this process; the scripts alone do.

skip_without_mpi <- function() {
  # more processes than a check of CRAN may start
  skip_on_cran()
  skip_if_not(nzchar(system.file(package = "Rmpi")), "{Rmpi} is not installed")
  skip_if_not(nzchar(Sys.which("mpirun")), "mpirun is not on this machine")
}

# work: a function (ranks, more) without anything of where it was made, whose value on each rank is
# returned: list(status, said, values), values[[r]] NULL where rank r - 1 has none. before: lines
# that run in each before it.
run_ranks <- function(size, work, more = list(), before = character()) {
  folder <- tempfile("ranks")
  dir.create(folder)
  on.exit(unlink(folder, recursive = TRUE))
  given <- file.path(folder, "given.rds")
  environment(work) <- globalenv()
  saveRDS(list(work = work, more = more, paths = .libPaths(), folder = folder), given)
  script <- file.path(folder, "script.R")
  writeLines(c(
    sprintf("given <- readRDS(%s)", deparse(given)), ".libPaths(given$paths)",
    "library(dualmargin)", before, "ranks <- mpi_ranks()",
    "value <- given$work(ranks, given$more)",
    "saveRDS(value, file.path(given$folder, sprintf(\"value-%d.rds\", ranks$rank)))",
    "Rmpi::mpi.quit()"
  ), script)
  # The timeout is for a job that hangs. Open MPI asks twice whether root may; ranks that wait leave
  # the processor to others
  said <- suppressWarnings(system2(
    "mpirun", c("--oversubscribe", "-n", size, shQuote(file.path(R.home("bin"), "Rscript")),
                "--no-init-file", shQuote(script)), stdout = TRUE, stderr = TRUE, timeout = 3600,
    env = c("OMPI_ALLOW_RUN_AS_ROOT=1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1",
            "OMPI_MCA_mpi_yield_when_idle=1", "OMPI_MCA_rmaps_base_oversubscribe=1")
  ))
  status <- attr(said, "status")
  values <- lapply(seq_len(size) - 1L, function(rank) {
    path <- file.path(folder, sprintf("value-%d.rds", rank))
    if (file.exists(path)) readRDS(path)
  })
  list(status = if (is.null(status)) 0L else status, said = paste(said, collapse = "\n"),
       values = values)
}

# Several laws of one job, by name. Each: work(ranks, more), and `more`.
law <- function(work, more = list()) {
  environment(work) <- globalenv()
  list(work = work, more = more)
}
run_laws <- function(size, laws) {
  run_ranks(size, function(ranks, more) {
    lapply(more, function(law) law$work(ranks, law$more))
  }, laws)
}
# What each rank answered of one of them.
answers <- function(job, name) {
  if (job$status != 0L) stop("a job of ", length(job$values), " ranks failed: ", job$said)
  lapply(job$values, `[[`, name)
}

# ---- The problems of the laws ----

# Each: x, y, weights (or NULL), deal(n, K): the rank of every row, and the arguments of the fit.
rank_cases <- function() {
  set.seed(34)
  n <- 160L
  p <- 7L
  x <- matrix(rnorm(n * p), n, p, dimnames = list(NULL, letters[1:p]))
  x[, 3L] <- x[, 3L] + 30
  score <- as.vector(x[, 1:2] %*% c(1, -1)) + rnorm(n)
  y <- factor(ifelse(score > 0.4, "yes", "no"))
  class <- cut(score, c(-Inf, -0.7, 0.7, Inf), labels = c("low", "middle", "high"))
  weights <- sample(c(0, 1, 2.5), n, replace = TRUE)
  sparse <- x * (matrix(runif(n * p), n, p) < 0.3)
  sparse[, 3L] <- 0
  sparse <- methods::as(methods::as(sparse, "generalMatrix"), "CsparseMatrix")
  in_turn <- function(n, K) (seq_len(n) - 1L) %% K
  case <- function(..., data = list(x = x, y = y, weights = weights), deal = in_turn) {
    list(data = data, deal = deal, arguments = list(lambda = 0.02, ...))
  }
  of_numbers <- list(x = x, y = score, weights = weights)
  of_classes <- list(x = x, y = class, weights = weights)
  at_end <- function(n, K) rep(0L, n)
  list(
    newton = case(loss = "logistic", solver = "newton"),
    lbfgs = case(loss = "logistic", solver = "lbfgs"),
    ssnal = case(loss = "hinge", solver = "ssnal", intercept = "penalized"),
    fista = case(loss = "squared_hinge", solver = "fista", intercept = "none"),
    sparse = case(loss = "hinge", data = list(x = sparse, y = y, weights = NULL)),
    lasso = case(loss = "logistic", mixture = 0.7),
    factors = case(loss = "logistic", penalty_factor = c(0.2, 1, 3, 1, 0.5, 1, 2)),
    net_factors = case(loss = "smooth_hinge", mixture = 0.5,
                       penalty_factor = c(0.2, 1, 3, 1, 0.5, 1, 2)),
    balanced = case(loss = "logistic", class_weights = "balanced"),
    squared = case(loss = "squared", data = of_numbers),
    # the size of its residuals comes from the fits: the same solver finds the same one
    huber = case(loss = "huber", solver = "newton", data = of_numbers),
    quantile = case(loss = "quantile", data = of_numbers),
    softmax = case(multiclass = "softmax", loss = "logistic", data = of_classes),
    one_vs_rest = case(loss = "logistic", data = of_classes, multiclass = "one_vs_rest"),
    # all rows on rank 0
    no_rows = case(loss = "logistic", deal = at_end),
    no_rows_quantile = case(loss = "quantile", data = of_numbers, deal = at_end),
    one_class = case(loss = "hinge", deal = function(n, K) {
      ifelse(as.character(y) == "yes", 0L, if (K > 1L) 1L + (seq_len(n) %% (K - 1L)) else 0L)
    }),
    all_weight = case(
      loss = "logistic", data = list(x = x, y = y, weights = as.double(seq_len(n) <= 50L)),
      deal = function(n, K) ifelse(seq_len(n) <= 50L, K - 1L, (seq_len(n) %% max(1L, K - 1L)))
    ),
    permuted = case(loss = "logistic", deal = function(n, K) (seq_len(n) * 7919L) %% 163L %% K),
    few_rows = case(loss = "logistic", data = list(x = x[1:4, ], y = y[c(which(y == "no")[1:2],
                                                                        which(y == "yes")[1:2])],
                                                   weights = NULL))
  )
}
