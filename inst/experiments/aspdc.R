# What of the ASPDC paper holds? H. Liang and others (2022), Electronics 11, 2382.
# Its Figures 1 to 3 and Tables 3 to 6 with smooth hinge loss, a column of ones, then rows of norm
# 1, no intercept, on a9a, ijcnn1 and a two-class sample of covtype; and faults of the program that
# the paper's figures were made with, each shown by a computation.
# Uniform draws as in the paper, permutations beside them; twenty seeds. A run ends at a relative
# gap (1e-12 in Figure 1, 3e-9 in Figures 2 and 3) or after 40 or 600 epochs; the stagnation rule of
# the package is off. Rows of the measure "end" have the last epoch of each run and, in the column
# of references, why it ended; a run that did not reach a gap is censored there.
# Usage: DUALMARGIN_DATA=<data sets> Rscript aspdc.R [folder for the results [part] [sets ...]]
# With a9a, ijcnn1 or covtype only those are measured, and replaced in the tables that are there;
# part: "times", "epochs" or "faults" alone; with --spot a few epochs are counted and compared.
# writes: aspdc_tables.csv aspdc_traces.csv
# depends: core src/linear R/margin_linear.R
# seeds: 1 to 20

source(file.path(dirname(sub("^--file=", "", grep("^--file=", commandArgs(), value = TRUE)[1L])),
                 "_driver.R"))
require_data()
only_times <- "times" %in% arguments
only_epochs <- "epochs" %in% arguments
only_faults <- "faults" %in% arguments
seeds <- 1:20
repeats <- 20L

# ---- The problem ----

prepared <- function(name) {
  data <- margin_data(name)
  list(x = unit_rows(cbind(1, data$x)), y = data$y)
}
sources <- c(a9a = "a9a", ijcnn1 = "ijcnn1", covtype = "covtype_sub92962")
chosen_sets <- if (spotting) "a9a" else intersect(names(sources), arguments)
if (!length(chosen_sets)) chosen_sets <- names(sources)
sets <- lapply(sources[chosen_sets], prepared)

fit <- function(set, lambda, solver, options, tol, max_epochs = 1000, seed = 1, every = FALSE) {
  control <- margin_control(tol = tol, max_epochs = max_epochs, seed = seed, progress = FALSE,
                            certify_every_epoch = every, stall = solver == "auto",
                            solver_options = options)
  quietly(margin_linear(set$x, set$y, loss = loss_smooth_hinge(1), lambda = lambda, mixture = 0,
                        intercept = "none", scale = FALSE, solver = solver, control = control))
}
optimum <- function(set, lambda) certificate(fit(set, lambda, "auto", list(), 1e-10))

uniform <- list(sampling = "uniform")
permuted <- list(sampling = "permutation")
solvers <- list(
  "SDCA" = list("sdca", uniform), "SDCA, permuted" = list("sdca", permuted),
  "ASPDC" = list("aspdc", uniform), "ASPDC, permuted" = list("aspdc", permuted),
  "SPDC" = list("spdc", uniform), "SPDC, permuted" = list("spdc", permuted),
  "ASPDC-i" = list("aspdc_i", c(uniform, schedule = "passes", inner_passes = 2, strength = 4)),
  "ASPDC-i, Algorithm 2" = list("aspdc_i", c(uniform, schedule = "tolerance", strength = 4)),
  "ASPDC-i, 2/n" = list("aspdc_i", c(uniform, schedule = "passes", inner_passes = 2,
                                     strength = 2)),
  "ASDCA" = list("asdca", c(uniform, schedule = "passes", inner_passes = 2)),
  "ASDCA, permuted" = list("asdca", c(permuted, schedule = "passes", inner_passes = 2)),
  "proximal SDCA" = list("proximal_sdca", uniform), "Katyusha" = list("katyusha", uniform),
  "SVRG" = list("svrg", c(uniform, step = 0.1)),
  "SVRG, step 0.3" = list("svrg", c(uniform, step = 0.3)),
  "auto" = list("auto", list())
)
large <- names(solvers)[1:6]
small <- setdiff(names(solvers), c("ASPDC", "ASPDC, permuted", "SPDC, permuted"))

rows <- list()
# each: the runs, seed by seed, NA for a censored one
note <- function(item, data, lambda, method, measure, numbers, target = NA, reference = NA) {
  known <- function(number) if (is.finite(number)) signif(number, 6) else NA
  all <- ifelse(is.na(numbers), Inf, numbers)
  rows[[length(rows) + 1L]] <<- data.frame(
    item, data, lambda, method, measure, target, reference, median = known(stats::median(all)),
    smallest = known(min(all)), largest = known(max(all)), runs = length(numbers),
    censored = sum(is.na(numbers)),
    each = if (length(numbers) > 1L) paste(signif(numbers, 4), collapse = " ") else NA
  )
}

# ---- Figures 1 to 3, and the epochs of Tables 3 and 5 ----

traces <- list()
# The option mc.cores says how many seeds at once; nothing is timed here.
cores <- getOption("mc.cores", 1L)
# Median and range over the seeds at the epochs at which any has a certificate, to the one at which
# half of the runs have ended; a run that ended keeps its last gap.
band_of <- function(runs, column) {
  ends <- sort(vapply(runs, function(run) max(run$epoch), 0))
  at <- sort(unique(unlist(lapply(runs, `[[`, "epoch"))))
  begins <- max(vapply(runs, function(run) run$epoch[1L], 0))
  at <- at[at >= begins & at <= ends[ceiling(length(ends) / 2)]]
  values <- vapply(runs, function(run) run[[column]][findInterval(at, run$epoch)],
                   numeric(length(at)))
  values <- matrix(values, length(at))
  data.frame(epoch = at, median = apply(values, 1L, stats::median),
             smallest = apply(values, 1L, min), largest = apply(values, 1L, max))
}
# What no figure of the page draws.
undrawn <- function(lambda, method) {
  lambda < 1e-5 & (grepl("permuted", method) | (lambda < 5e-7 & grepl("SVRG", method)))
}
follow <- function(figure, data, lambda, chosen, tol, max_epochs, shown_epochs, seeds) {
  best <- optimum(sets[[data]], lambda)
  # In the column of targets: its relative gap.
  note(figure, data, lambda, "auto", "optimum", best$value, best$relative_gap)
  for (method in chosen) {
    how <- solvers[[method]]
    runs <- parallel::mclapply(seeds, function(seed) {
      run <- fit(sets[[data]], lambda, how[[1L]], how[[2L]], tol, max_epochs, seed, TRUE)
      list(trace = run$trace[c("epoch", "value", "gap")], status = run$status$status)
    }, mc.cores = cores)
    why <- vapply(runs, `[[`, "", "status")
    runs <- lapply(runs, `[[`, "trace")
    note(figure, data, lambda, method, "end", vapply(runs, function(run) max(run$epoch), 0),
         reference = paste(if (length(unique(why)) == 1L) why[1L] else why, collapse = " "))
    for (target in c(1e-4, 1e-6)) {
      # NA: not before the end of the run; counted as censored
      reached <- vapply(runs, function(run) run$epoch[which(run$gap <= target)[1L]], 0)
      note(figure, data, lambda, method, "epochs", reached, target)
    }
    if (undrawn(lambda, method)) next
    runs <- lapply(runs, function(run) transform(run, distance = value - best$bound))
    band <- band_of(runs, "gap")
    # Figure 3
    distance <- if (lambda == 1e-6 && grepl("ASPDC-i|SVRG|Katyusha", method)) {
      band_of(runs, "distance")[-1L]
    } else {
      data.frame(median = NA, smallest = NA, largest = NA)[rep(1L, nrow(band)), ]
    }
    names(distance) <- paste0("distance_", names(distance))
    band <- signif(data.frame(band, distance), 3)
    band <- band[band$epoch <= shown_epochs, ]
    # Every epoch at first, then fewer: the file is to stay small.
    bin <- shown_epochs / 32
    kept <- !duplicated(ifelse(band$epoch <= 4, floor(band$epoch), 100 + band$epoch %/% bin))
    kept[nrow(band)] <- TRUE
    traces[[length(traces) + 1L]] <<- data.frame(figure, data, lambda, method, band[kept, ])
  }
}
# Of Figure 2; how many of them are drawn
most_epochs <- 600
shown_epochs <- function(lambda) if (lambda == 1e-6) 160 else if (lambda == 1e-7) 400 else 600
epochs <- function() {
  for (data in names(sets)) {
    for (lambda in 10^-(1:4)) follow("Figure 1", data, lambda, large, 1e-12, 40, 40, seeds)
    for (lambda in 10^-(6:8)) {
      follow("Figure 2", data, lambda, small, 3e-9, most_epochs, shown_epochs(lambda), seeds)
    }
    message(format(Sys.time(), "%T "), data, ": epochs")
  }

  # How far above 1/(n gamma) must lambda be for ASPDC? Lemma 2 says 4 times.
  if ("a9a" %in% names(sets)) for (times in c(1.1, 1.5, 2, 3, 4, 8)) {
    lambda <- times / nrow(sets$a9a$x)
    for (method in c("SDCA", "ASPDC")) {
      how <- solvers[[method]]
      reached <- vapply(seeds, function(seed) {
        run <- fit(sets$a9a, lambda, how[[1L]], how[[2L]], 1e-8, 200, seed, TRUE)$trace
        run$epoch[which(run$gap <= 1e-6)[1L]]
      }, 0)
      note("Lemma 2", "a9a", times, method, "epochs", reached, 1e-6)
    }
  }
}
same_cell <- function(before, cells) {
  key <- function(x) paste(x$item, x$data, signif(x$lambda, 6), x$method)
  key(before) %in% key(cells)
}
if (spotting) {
  follow("Figure 1", "a9a", 1e-2, c("SDCA", "ASPDC, permuted"), 1e-12, 40, 40, seeds)
} else if (!only_times && !only_faults) {
  epochs()
}

# ---- Times ----

# The solver's own clock, which does not count reading and preparing the data.
seconds <- function(data, lambda, method, tol, max_epochs, seed) {
  how <- solvers[[method]]
  status <- fit(sets[[data]], lambda, how[[1L]], how[[2L]], tol, max_epochs, seed)$status
  c(total = status$seconds, pass = status$seconds / status$epochs)
}
ratios <- function(item, data, lambda, chosen, reference, measure, tol, max_epochs, target = NA) {
  taken <- vapply(seq_len(repeats), function(r) {
    vapply(chosen, function(method) {
      seconds(data, lambda, method, tol, max_epochs, r)[[measure]]
    }, 0)
  }, numeric(length(chosen)))
  for (method in chosen) {
    note(item, data, lambda, method, "time ratio", taken[method, ] / taken[reference, ], target,
         reference)
  }
}
busy <- load_average()
quick <- setdiff(small, "SVRG")
timed <- !spotting && !only_epochs && !only_faults
for (data in if (timed) names(sets)) {
  P <- lapply(c(1e-2, 1e-6), function(lambda) optimum(sets[[data]], lambda)$value)
  ratios("Table 3", data, 1e-2, c(large, "auto"), "SDCA", "total", 1e-6 / P[[1L]], 100, 1e-6)
  ratios("Table 4", data, 1e-2, large, "SDCA", "pass", 1e-300, 20)
  ratios("Table 5", data, 1e-6, quick, "ASPDC-i", "total", 1e-4 / P[[2L]], 600, 1e-4)
  ratios("Table 6", data, 1e-6, setdiff(small, "auto"), "ASPDC-i", "pass", 1e-300, 20)
  message(format(Sys.time(), "%T "), data, ": times")
}
if (timed) note("load", "all", NA, "", "load average", c(busy, load_average()))

# ---- Faults of the published program ----

if (!only_times && !only_epochs && !spotting) source(file.path(home, "_aspdc_faults.R"))

# ---- Results ----

tables <- do.call(rbind, rows)
tables[names(origin)] <- origin
# Those of other data sets and, where only a part was measured, all but these stay as they are.
with_before <- function(file, new, replaced) {
  in_part <- only_times || only_epochs || only_faults || length(chosen_sets) < length(sources)
  before <- if (!spotting && in_part) rows_before(file, new)
  if (is.null(before)) new else rbind(before[!replaced(before), ], new)
}
file <- file.path(folder, "aspdc_tables.csv")
measured <- tables
tables <- with_before(file, tables, function(before) {
  if (only_faults) return(same_cell(before, tables))
  timed <- before$measure %in% c("time ratio", "load average")
  before$data %in% c("all", chosen_sets) & (!only_times | timed) &
    (!only_epochs | !(timed | startsWith(before$item, "fault")))
})
ran <- sprintf("%d to %d", seeds[1L], max(seeds))
if (!only_times && !only_faults) {
  traces <- do.call(rbind, traces)
  # Once is enough in a file of thousands of rows.
  for (column in names(origin)) traces[[column]] <- c(origin[[column]], rep(NA, nrow(traces) - 1L))
  path <- file.path(folder, "aspdc_traces.csv")
  all_traces <- with_before(path, traces, function(before) before$data %in% chosen_sets)
  record(all_traces, path, traces, na = "", quote = match("method", names(traces)),
         keys = c("figure", "data", "lambda", "method", "epoch"), seeds = ran,
         floor = 1e-9, tolerance = 0.02)
}
record(tables, file, measured, skip = "each",
       seeds = if (only_epochs || only_faults) ran else paste0(ran, ", times 1 to ", repeats),
       keys = c("item", "data", "lambda", "method", "measure", "target"))
options(width = 140)
if (!spotting) print(tables[1:12], row.names = FALSE)
