# The solvers of margin_augmented() side by side: one process, in turns.
#
# Logistic loss, dropout 0.1, rows divided by their norms: gravier (168 x 2905) with lambda 0.01 and
# a9a with 0.0001. How far each is from the optimum after so many epochs, and after the seconds of
# the processor that balanced and averaged S-MISO takes for the last but one of them; medians over
# rounds, each with a seed of its own, the order of the methods changing from round to round. The
# distance from the optimum is estimated as in inst/experiments/_smiso_suboptimality.R.
# Then the time of an epoch relative to one of SGD, the estimates on the way taken off: with k of
# them in E epochs a run takes E s + k e, and with one after every epoch E s + E e. And the peak of
# the memory of a fit to the counts of imdb beyond what its caller holds, over the size of x.
#
# Usage: Rscript augmented.R [folder for the results] [--rounds=3] [--sets=regex] [--small]

library(dualmargin)
arguments <- commandArgs(trailingOnly = TRUE)
script <- sub("^--file=", "", grep("^--file=", commandArgs(), value = TRUE)[1L])
home <- dirname(script)
source(file.path(home, "_clock.R"))
source(file.path(home, "_kernel_data.R"))  # option(), small, rounds, folder, keep_rows()
source(file.path(home, "..", "experiments", "_smiso_suboptimality.R"))
rate <- 0.1

known <- margin_solvers("augmented")$name
methods <- list(
  "smiso, balanced, averaged" = list("smiso", list(balanced = TRUE, averaging = TRUE)),
  "smiso, balanced" = list("smiso", list(balanced = TRUE, averaging = FALSE)),
  "smiso, averaged" = list("smiso", list(balanced = FALSE, averaging = TRUE)),
  "smiso" = list("smiso", list(balanced = FALSE, averaging = FALSE)),
  "sgd, averaged" = list("sgd", list(averaging = TRUE)),
  "sgd" = list("sgd", list(averaging = FALSE)),
  "nsaga" = list("nsaga", list()),
  "saga_decay" = list("saga_decay", list())
)
methods <- methods[vapply(methods, function(method) method[[1L]] %in% known, NA)]

fit <- function(set, method, epochs, seed = 1, seconds = Inf, every = FALSE) {
  run <- timed(margin_augmented(
    set$x, set$y, perturb_dropout(rate), lambda = set$lambda, solver = methods[[method]][[1L]],
    control = margin_control(tol = 1e-14, max_epochs = epochs, max_seconds = seconds, seed = seed,
                             progress = FALSE, certify_every_epoch = every,
                             solver_options = c(methods[[method]][[2L]], cycles = 4))
  ))
  if (!is.null(run$error)) stop(method, ": ", run$error)
  # the seconds of the iterations, without the certificate at the end, on the clock of the processor
  run$spent <- max(convergence(run$value)$seconds) * run$cpu / run$seconds
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

# ---- suboptimality -----------------------------------------------------------------------------
sets <- list(
  gravier = list(lambda = 0.01, epochs = c(50, 100, 400), reference = 4000),
  a9a = list(lambda = 1e-4, epochs = c(20, 50, 100), reference = 1000)
)
for (name in grep(option("sets", "."), names(sets), value = TRUE)) {
  plan <- sets[[name]]
  set <- read_unit(name)
  if (is.null(set)) next
  set$lambda <- plan$lambda
  if (small) plan[c("epochs", "reference")] <- list(c(5, 10, 20), 100)
  first <- names(methods)[1L]
  reference <- coef(fit(set, first, plan$reference, seed = 1000)$value)
  limit <- fit(set, first, plan$epochs[2L])$seconds
  cells <- expand.grid(epochs = c(plan$epochs, Inf), method = names(methods),
                       stringsAsFactors = FALSE)
  measured <- lapply(seq_len(rounds), function(round) {
    turns <- (seq_len(nrow(cells)) * if (round %% 2 == 0) -1 else 1) %% nrow(cells) + 1L
    runs <- vector("list", nrow(cells))
    for (k in turns) {
      epochs <- cells$epochs[k]
      runs[[k]] <- fit(set, cells$method[k], if (is.finite(epochs)) epochs else 1e5, seed = round,
                       seconds = if (is.finite(epochs)) Inf else limit)
    }
    points <- vapply(runs, function(run) coef(run$value), reference)
    cbind(suboptimality(set$x, set$y, points, reference, "logistic", set$lambda, rate),
          vapply(runs, function(run) run$spent, 0),
          vapply(runs, function(run) run$value$status$epochs, 0))
  })
  middle <- function(column) {
    signif(apply(vapply(measured, function(m) m[, column], numeric(nrow(cells))), 1L, median), 3)
  }
  rows <- data.frame(data = name, lambda = set$lambda, rate,
                     asked = ifelse(is.finite(cells$epochs), paste(cells$epochs, "epochs"),
                                    "equal seconds"),
                     method = cells$method, suboptimality = middle(1L), cpu = middle(2L),
                     epochs = middle(3L), rounds = rounds)
  print(rows, row.names = FALSE)
  keep_rows(rows, "augmented.csv", c("data", "asked", "method"), "augmented.R")

  # ---- time of an epoch ------------------------------------------------------------------------
  long <- if (small) 10 else if (name == "a9a") 40 else 200
  per_epoch <- function(method, seed) {
    seconds <- function(every) {
      run <- fit(set, method, long, seed, every = every)
      c(run$spent, nrow(convergence(run$value)))
    }
    few <- seconds(FALSE)
    all <- seconds(TRUE)
    estimate <- (all[1L] - few[1L]) / (all[2L] - few[2L])
    c(few[1L] - few[2L] * estimate, estimate * long) / long
  }
  timed_rounds <- lapply(seq_len(rounds), function(round) {
    order <- if (round %% 2 == 0) rev(names(methods)) else names(methods)
    vapply(setNames(order, order), per_epoch, numeric(2), seed = round)[, names(methods)]
  })
  base <- if ("sgd" %in% names(methods)) "sgd" else first
  take <- function(f) signif(apply(vapply(timed_rounds, f, numeric(length(methods))), 1L, median), 3)
  rows <- data.frame(data = name, method = names(methods),
                     epoch_ms = 1000 * take(function(m) m[1L, ]),
                     estimate_ms = 1000 * take(function(m) m[2L, ]),
                     to_sgd = take(function(m) m[1L, ] / m[1L, base]), base = base, rounds = rounds)
  print(rows, row.names = FALSE)
  keep_rows(rows, "augmented_epochs.csv", c("data", "method"), "augmented.R")
}
