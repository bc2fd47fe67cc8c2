# The solvers of margin_augmented() side by side: one process, in turns.
#
# Logistic loss, dropout 0.1, rows divided by their norms: gravier (168 x 2905) with lambda 0.01 and
# a9a with 0.0001. Medians over rounds, each with a seed of its own, the order of the methods
# turning from round to round; seconds are those of the processor.
#   augmented_epochs.csv: the time of an epoch, and its ratio to that of SGD. A run takes c + E s +
#     P p with E epochs and P passes for the estimates on the way and the certificates; runs with
#     E = 1 and E = 15 or more, with few estimates and many, give c, s and p.
#   augmented.csv: how far from the optimum after so many epochs, and after as many as fit into the
#     time of balanced and averaged S-MISO for the second of these numbers, by the times above. The
#     distance is estimated as in inst/experiments/_smiso_suboptimality.R.
#   augmented_memory.csv: peak memory of a fit to the counts of imdb beyond what its caller holds,
#     over the size of x; measured as in linear_memory.R.
#
# Usage: Rscript augmented.R [folder for the results] [--rounds=3] [--sets=regex] [--small]
# writes: augmented.csv augmented_epochs.csv augmented_memory.csv
# depends: core src/augmented R/margin_augmented.R
# seeds: 1 to rounds, 1000 (reference), 20170201 (draws of the estimate)

library(dualmargin)
script <- sub("^--file=", "", grep("^--file=", commandArgs(), value = TRUE)[1L])
home <- dirname(script)
source(file.path(home, "_clock.R"))
source(file.path(home, "_kernel_data.R"))  # option(), small, rounds, folder, keep_rows()
source(file.path(home, "..", "experiments", "_smiso_suboptimality.R"))
rate <- 0.1

# ---- the child of the measurement of memory: its answer on one line -----------------------------
memory_kinds <- c("CsparseMatrix", "RsparseMatrix")
child <- option("child", "")
if (nzchar(child)) {
  parts <- strsplit(child, ",")[[1L]]
  data <- tryCatch(margin_data("imdb"), dualmargin_input_error = function(condition) NULL)
  if (is.null(data)) quit(status = 3)
  x <- methods::as(data$x, parts[1L])
  y <- ifelse(data$y > 5, 1, -1)
  kilobytes <- function(field) {
    status <- readLines("/proc/self/status")
    as.numeric(gsub("\\D", "", grep(paste0("^", field, ":"), status, value = TRUE)))
  }
  learn <- function(rows, epochs) {
    suppressWarnings(margin_augmented(
      if (is.null(rows)) x else x[rows, , drop = FALSE], if (is.null(rows)) y else y[rows],
      perturb_dropout(rate), loss = "squared_hinge", lambda = 0.01, solver = parts[2L],
      mixture = 0,
      control = margin_control(tol = 1e-14, max_epochs = epochs, seed = 1, progress = FALSE,
                               solver_options = list(balanced = TRUE)),
      intercept = "none", center = FALSE, scale = FALSE
    ))
  }
  invisible(learn(c(head(which(y > 0), 3L), head(which(y < 0), 3L)), 2))
  invisible(gc(full = TRUE))
  invisible(gc(full = TRUE))
  writeLines("5", "/proc/self/clear_refs")
  before <- kilobytes("VmRSS")
  model <- learn(NULL, 6)
  cat("answer", 1024 * (kilobytes("VmHWM") - before), as.numeric(object.size(x)), "\n")
  quit(status = 0)
}

# ---- the methods -------------------------------------------------------------------------------
known <- margin_solvers("augmented")$name
# As in inst/experiments/smiso.R: rows and perturbations drawn independently, and ours.
paper <- list(sampling = "uniform", balanced = FALSE, step = 1)
ours <- list(sampling = "permutation", balanced = TRUE, step = 1)
saga <- list(balanced = FALSE, step = 1)
# the average from when it exists, not the better of it and the last point
average <- list(averaging = TRUE, choose = FALSE)
methods <- list(
  "smiso, balanced, averaged" = list("smiso", c(ours, average)),
  "smiso, balanced" = list("smiso", c(ours, averaging = FALSE)),
  "smiso, averaged" = list("smiso", c(paper, average)),
  "smiso" = list("smiso", c(paper, averaging = FALSE)),
  "sgd, averaged" = list("sgd", c(paper, average)),
  "sgd" = list("sgd", c(paper, averaging = FALSE)),
  "nsaga" = list("nsaga", saga),
  "saga_decay, averaged" = list("saga_decay", c(saga, average))
)
methods <- methods[vapply(methods, function(method) method[[1L]] %in% known, NA)]

fit <- function(set, method, epochs, seed = 1, every = FALSE) {
  run <- timed(margin_augmented(
    set$x, set$y, perturb_dropout(rate), loss = "logistic", lambda = set$lambda, mixture = 0,
    solver = methods[[method]][[1L]],
    control = margin_control(tol = 1e-14, max_epochs = epochs, seed = seed, progress = FALSE,
                             certify_every_epoch = every,
                             solver_options = c(methods[[method]][[2L]], cycles = 4,
                                                iterate = "last")),
    intercept = "none", center = FALSE, scale = FALSE
  ))
  if (!is.null(run$error)) stop(method, ": ", run$error)
  run
}
read_unit <- function(name) {
  data <- tryCatch(margin_data(name), dualmargin_input_error = function(condition) NULL)
  if (is.null(data)) {
    message(name, ": margin_data() does not find it; left out.")
    return(NULL)
  }
  x <- data$x
  norms <- sqrt(Matrix::rowSums(x^2))
  if (isS4(x)) x@x <- x@x / rep(norms, diff(x@p)) else x <- x / norms
  y <- if (is.factor(data$y)) ifelse(data$y == levels(data$y)[2L], 1, -1) else data$y
  list(x = x, y = y)
}
middle <- function(values) signif(apply(simplify2array(values), 1L, median), 3)

# ---- the time of an epoch ----------------------------------------------------------------------
# An estimate takes four passes, two where draws are independent, of the last point and, with
# averaging, of the average.
passes <- function(run, method) {
  options <- methods[[method]][[2L]]
  each <- if (isFALSE(options$balanced)) 2 else 4
  points <- if (isTRUE(options$averaging)) 2 else 1
  run$value$certificate_epochs + nrow(convergence(run$value)) * each * points
}
time_of <- function(set, method, long, seed) {
  runs <- list(fit(set, method, 1, seed), fit(set, method, long, seed),
               fit(set, method, long / 2, seed, every = TRUE))
  work <- t(vapply(runs, function(run) c(1, run$value$status$epochs, passes(run, method)),
                   numeric(3)))
  solve(work, vapply(runs, `[[`, 0, "cpu"))[2:3]
}
times_of <- function(name, set, long) {
  base <- if ("sgd" %in% names(methods)) "sgd" else names(methods)[1L]
  measured <- lapply(seq_len(rounds), function(round) {
    order <- if (round %% 2 == 0) rev(names(methods)) else names(methods)
    vapply(setNames(nm = order), time_of, numeric(2), set = set, long = long,
           seed = round)[, names(methods), drop = FALSE]
  })
  rows <- data.frame(
    data = name, method = names(methods),
    epoch_ms = 1000 * middle(lapply(measured, function(m) m[1L, ])),
    pass_ms = 1000 * middle(lapply(measured, function(m) m[2L, ])),
    to_base = middle(lapply(measured, function(m) m[1L, ] / m[1L, base])), base, rounds
  )
  print(rows, row.names = FALSE)
  keep_rows(rows, "augmented_epochs.csv", c("data", "method"), "augmented.R")
  setNames(rows$epoch_ms, rows$method)
}

# ---- suboptimality -----------------------------------------------------------------------------
sets <- list(
  gravier = list(lambda = 0.01, epochs = c(50, 100, 400), reference = 2500, long = 200),
  a9a = list(lambda = 1e-4, epochs = c(20, 50, 100), reference = 400, long = 60)
)
for (name in grep(option("sets", ".", "gravier"), names(sets), value = TRUE)) {
  plan <- sets[[name]]
  set <- read_unit(name)
  if (is.null(set)) next
  set$lambda <- plan$lambda
  if (small) plan[c("epochs", "reference", "long")] <- list(c(5, 10, 20), 100, 20)
  # loads what is loaded lazily
  for (method in names(methods)) fit(set, method, 2)
  milliseconds <- times_of(name, set, plan$long)
  first <- names(methods)[1L]
  reference <- coef(fit(set, first, plan$reference, seed = 1000)$value)
  cells <- expand.grid(epochs = c(plan$epochs, NA), method = names(methods),
                       stringsAsFactors = FALSE)
  equal <- is.na(cells$epochs)
  cells$epochs[equal] <- round(plan$epochs[2L] * milliseconds[first] /
                                 milliseconds[cells$method[equal]])
  measured <- lapply(seq_len(rounds), function(round) {
    runs <- Map(function(method, epochs) fit(set, method, epochs, seed = round), cells$method,
                cells$epochs)
    points <- vapply(runs, function(run) coef(run$value), reference)
    suboptimality(set$x, set$y, points, reference, "logistic", set$lambda, rate)
  })
  rows <- data.frame(data = name, lambda = set$lambda, rate,
                     after = ifelse(equal, "equal seconds", paste(cells$epochs, "epochs")),
                     method = cells$method, epochs = cells$epochs,
                     suboptimality = middle(measured), rounds)
  print(rows, row.names = FALSE)
  keep_rows(rows, "augmented.csv", c("data", "after", "method"), "augmented.R",
            tolerance = 0.01)
}

# ---- memory ------------------------------------------------------------------------------------
if (!file.exists("/proc/self/clear_refs")) {
  message("Peak memory is read from Linux's /proc, which is not here; it is not measured.")
  quit(status = 0)
}
for (kind in if (spotting) memory_kinds[1L] else memory_kinds) {
  for (solver in if (spotting) "smiso" else c("smiso", "sgd", "nsaga", "saga_decay")) {
    said <- suppressWarnings(system2(
      file.path(R.home("bin"), "Rscript"),
      c(shQuote(script), paste0("--child=", kind, ",", solver)), stdout = TRUE,
      env = c("MALLOC_MMAP_THRESHOLD_=16384", "MALLOC_TRIM_THRESHOLD_=16384")
    ))
    answer <- grep("^answer ", said, value = TRUE)
    if (!length(answer)) {
      message("imdb, ", kind, ", ", solver, ": no answer, or no data.")
      next
    }
    bytes <- as.numeric(strsplit(trimws(answer), " ")[[1L]][-1L])
    rows <- data.frame(data = "imdb", kind, solver, x_mb = signif(bytes[2L] / 1e6, 4),
                       extra_mb = signif(bytes[1L] / 1e6, 4),
                       ratio = signif(bytes[1L] / bytes[2L], 3))
    print(rows, row.names = FALSE)
    keep_rows(rows, "augmented_memory.csv", c("data", "kind", "solver"), "augmented.R",
              tolerance = 0.15)
  }
}
