# What vignettes/drsvm.Rmd reads from the results and computes of them.
# comparisons(), in inst/extdata/drsvm_comparisons.csv, is written by
# write.csv(comparisons(), "../inst/extdata/drsvm_comparisons.csv", row.names = FALSE).

drsvm <- function(name, ...) result(paste0("drsvm_", name), ...)
tuning <- drsvm("tuning")
tables <- drsvm("tables", colClasses = "character", check.names = FALSE)
steps <- drsvm("steps")
# Rows of formulas that are no step have a place of their own.
formulas <- steps[steps$norm == "formula", ]
steps <- steps[steps$norm != "formula", ]
grid <- drsvm("grid")
epochs <- drsvm("epochs")
timed <- function(name) drsvm(name, colClasses = c(table = "character"))
# The sets of which none is part of another have a name of their own: "a9a/500" is 500 of its rows.
of_few <- function(table) transform(table, data = paste0(data, "/500"))
sets_tuning <- of_few(timed("sets_tuning"))
times <- local({
  survey <- timed("times")
  rbind(survey, of_few(timed("sets"))[names(survey)])
})
times$seconds <- pmax(times$seconds, 1e-4)  # what the clock can tell
ipopt <- timed("ipopt")
rates <- drsvm("rates")
linear <- drsvm("linear")
distance <- drsvm("distance")
by_size <- drsvm("batch")
arrival <- drsvm("arrival")
listed <- function(x) {
  if (length(x) < 2L) paste(x) else paste(toString(x[-length(x)]), "and", x[length(x)])
}
span <- function(x) {
  if (diff(range(x)) < 0.05 * max(abs(x))) number(x[1L]) else
    paste(number(min(x)), "to", number(max(x)))
}
counted <- function(n) {
  if (n > 10) n else c("no", "one", "two", "three", "four", "five", "six", "seven", "eight",
                       "nine", "ten")[n + 1L]
}

# ---- The printed values: Tables 2, 3, 4, 7 and 8 ----
methods <- c("M-ISG", "IPPA", "Hybrid", "YALMIP")
incremental <- methods[1:3]
value <- as.numeric(tables$value)
bound <- as.numeric(tables$bound)
# By how much a printed value is above the optimum, relative; 0 where its digits are right, NA where
# there is none. Below the certified bound by more than rounding: negative.
excess <- sapply(methods, function(method) {
  printed <- as.numeric(tables[[method]])
  half <- 0.5 * 10^-nchar(sub(".*[.]", "", tables[[method]]))
  ifelse(printed - half > value | printed + half < bound, printed / value - 1, 0)
})
problem_names <- c("2" = "q = 1, c = 0", "3" = "q = 2, c = 0", "4" = "q = inf, c = 0",
                   "7" = "q = 1, c = 1", "8" = "q = inf, c = 1")
worst_gap <- max((value - bound) / value)
with_digits <- tables$table != "4"
better <- tables$table == "3" & excess[, "YALMIP"] < excess[, "IPPA"]
# Rows where the incremental methods print what is more than 1e-5 above.
printed_sets <- tables$table %in% c("2", "7", "8")
off_rows <- printed_sets & apply(excess[, incremental] > 1e-5, 1L, any)
worst_printed <- max(excess[printed_sets & !off_rows, incremental])
theta <- as.numeric(tables$theta)
inside <- (value - bound) / theta
on_cone <- function(name) tiny(inside[tables$table == "3" & tables$data == name], 1)

# ---- Seconds to a known accuracy ----
own_methods <- c("isg", "ippa", "hybrid")
general <- setdiff(unique(times$method), c(own_methods, "gs_admm", "auto"))
labels_of <- c(isg = "ISG", ippa = "IPPA", hybrid = "Hybrid", gs_admm = "GS-ADMM", auto = "auto")
label_of <- function(method) {
  short <- sub("ECOSolveR", "ECOS", sub(",.*", "", method))
  ifelse(method %in% names(labels_of), labels_of[method], short)
}
times$reached <- times$outcome == "reached"
all_sets <- c("a1a", "a2a", "a3a", "a4a", "a6a", "a7a", "a8a", "a9a", "ijcnn1")
paper_sets <- intersect(all_sets, times$data)
distinct_sets <- sort(unique(grep("/500$", times$data, value = TRUE)))
plain_name <- function(set) sub("/500$", "", set)
target_of <- c(1e-4, 1e-6)
cell_name <- function(data, table, target) paste(data, table, sprintf("%.3g", target))
times_by_cell <- split(times, cell_name(times$data, times$table, times$target))
pick <- function(data, table, target, methods = unique(times$method)) {
  here <- times_by_cell[[cell_name(data, table, target)]]
  if (is.null(here)) here <- times[0L, ]
  here[here$method %in% methods, ]
}
# The least seconds of `methods` on each instance. Where none gets there (`never`): the seconds that
# the first of them to give up had spent; what was not tried would have spent the cap.
found_least <- new.env()
least <- function(data, table, target, methods) {
  key <- paste(c(cell_name(data, table, target), methods), collapse = " ")
  if (!is.null(found_least[[key]])) return(found_least[[key]])
  here <- pick(data, table, target, methods)
  here$seconds[is.na(here$seconds)] <- here$cap[is.na(here$seconds)]
  of_each <- split(seq_len(nrow(here)), here$instance)
  never <- vapply(of_each, function(at) !any(here$reached[at]), NA)
  seconds <- mapply(function(at, never) min(here$seconds[at][here$reached[at] | never]), of_each, never)
  found <- data.frame(seconds = as.numeric(seconds), never = as.logical(never), row.names = names(of_each))
  assign(key, found, found_least)
  found
}
fastest <- function(...) {
  found <- least(...)
  stats::setNames(ifelse(found$never, Inf, found$seconds), rownames(found))
}
# The median over instances in the same form.
middle_of <- function(found) {
  data.frame(seconds = stats::median(found$seconds), never = sum(found$never) * 2 > nrow(found))
}
# ln of b over a, on what both were run on. A run that does not get there is known to take longer than
# it did.
later <- function(a, b) {
  both <- intersect(rownames(a), rownames(b))
  a <- a[both, ]
  b <- b[both, ]
  if (!any(a$never, b$never)) return(log(b$seconds / a$seconds))
  censored_difference(log(b$seconds), log(a$seconds), b$never, a$never)
}
groups <- list(isg = "isg", ippa = "ippa", hybrid = "hybrid", gs_admm = "gs_admm", auto = "auto",
               paper = own_methods, solver = general)
asked <- rbind(c("isg", "solver"), c("ippa", "solver"), c("hybrid", "solver"),
               c("paper", "solver"), c("hybrid", "gs_admm"), c("hybrid", "isg"),
               c("hybrid", "ippa"), c("ippa", "isg"), c("auto", "paper"))
asked <- merge(data.frame(method = asked[, 1L], rival = asked[, 2L]),
               merge(data.frame(table = names(problem_names)), data.frame(target = target_of)))
# Over the sets of which none is part of another, where both sides of a comparison were run on five of
# them or more; else over those of the paper, of which a1a to a9a are nested.
sets_that_ran <- function(methods, table, among) {
  unique(times$data[times$data %in% among & times$table == table & times$method %in% methods])
}
asked$nested <- mapply(function(method, rival, table) {
  both <- intersect(sets_that_ran(groups[[method]], table, distinct_sets),
                    sets_that_ran(groups[[rival]], table, distinct_sets))
  length(both) < 5L
}, asked$method, asked$rival, asked$table)
# Sets that have the problem, and those of them with five instances or more.
sets_with <- function(table, instances = 1L, among = distinct_sets) {
  Filter(function(set) length(unique(times$instance[times$data == set & times$table == table])) >=
           instances, among)
}
# Those of them where both sides of a comparison were run.
sets_of <- function(one, instances = 1L, among = if (one$nested) paper_sets else distinct_sets) {
  Filter(function(set) {
    ran <- function(methods) set %in% sets_that_ran(groups[[methods]], one$table, among)
    ran(one$method) && ran(one$rival)
  }, sets_with(one$table, instances, among))
}
# Over data sets: the median of each; within a set: its instances.
between_sets <- lapply(seq_len(nrow(asked)), function(k) {
  one <- asked[k, ]
  middle <- function(methods) do.call(rbind, lapply(sets_of(one), function(set) {
    data.frame(middle_of(least(set, one$table, one$target, groups[[methods]])), row.names = set)
  }))
  later(middle(one$method), middle(one$rival))
})
# A question is a pair of methods: its problems and targets are corrected together.
question_of <- function(rows) paste(rows$method, rows$rival)
told <- cbind(asked, verdicts(between_sets, words = c("faster", "slower"), ratios = TRUE,
                              question = question_of(asked)))
# Within each set that has five instances or more, given its rows: by question in each.
told_within <- function(among) {
  cells <- do.call(rbind, lapply(seq_len(nrow(asked)), function(k) {
    sets <- sets_of(asked[k, ], 5L, among)
    if (length(sets)) data.frame(asked[k, ], data = sets, row.names = NULL)
  }))
  if (is.null(cells)) return(NULL)
  do.call(rbind, lapply(split(cells, cells$data), function(of_set) {
    cbind(of_set, verdicts(lapply(seq_len(nrow(of_set)), function(k) {
      one <- of_set[k, ]
      later(least(one$data, one$table, one$target, groups[[one$method]]),
            least(one$data, one$table, one$target, groups[[one$rival]]))
    }), words = c("faster", "slower"), ratios = TRUE, question = question_of(of_set)))
  }))
}
within_told <- told_within(paper_sets)
within_distinct <- told_within(distinct_sets)
chosen_of <- function(rows, method, rival, tables, targets) {
  rows[rows$method %in% method & rows$rival == rival & rows$table %in% tables &
         rows$target %in% targets, ]
}
ridge <- c("7", "8")
plain <- c("2", "3", "4")
# Seconds of one kind of method over those of another on each instance.
over_fastest <- function(set, table, target, methods, rivals) {
  a <- fastest(set, table, target, methods)
  b <- fastest(set, table, target, rivals)
  both <- intersect(names(a), names(b))
  a[both] / b[both]
}
# Seconds of the fastest of the paper's methods over those of the fastest general solver, on each
# set and problem the median over its instances.
lead <- function(target, tables, among = distinct_sets) {
  unlist(lapply(tables, function(table) vapply(sets_with(table, among = among), function(set) {
    stats::median(over_fastest(set, table, target, own_methods, general))
  }, 0)))
}
# "The gap grows with the size": the slope of the logarithm of general / own over that of the rows,
# on the sets of one survey, a1a to a9a.
sets_rows <- vapply(c(paper_sets, distinct_sets), function(set) stats::median(times$n[times$data == set]), 0)
growth_rows <- lapply(split(asked, seq_len(nrow(asked))), function(one) {
  if (one$method != "paper") return(NULL)
  sets <- sets_with(one$table, among = setdiff(paper_sets, "ijcnn1"))
  gap <- -log(vapply(sets, function(set) {
    stats::median(over_fastest(set, one$table, one$target, own_methods, general))
  }, 0))
  known <- is.finite(gap)
  row <- data.frame(pairs = sum(known), estimate = NA_real_, error = NA_real_,
                    freedom = max(1, sum(known) - 2), sign = 0, p = NA_real_)
  if (sum(known) > 2L) {
    fitted <- suppressWarnings(summary(stats::lm(gap[known] ~ log(sets_rows[sets[known]]))))
    row[c("estimate", "error", "p")] <- fitted$coefficients[2L, c(1L, 2L, 4L)]
    row$sign <- sign(row$estimate)
  }
  row
})
growth <- do.call(rbind, growth_rows)
growth <- judged(growth, NULL, c("grows", "shrinks"), 0.95, 5L)
# How many times the seconds of the fastest of the paper's methods the fastest general solver takes.
leads_of <- function(among) {
  cells <- expand.grid(table = names(problem_names), target = target_of, stringsAsFactors = FALSE)
  found <- do.call(rbind, lapply(seq_len(nrow(cells)), function(k) {
    factor <- 1 / lead(cells$target[k], cells$table[k], among)
    if (length(factor)) data.frame(cells[k, ], data = names(factor), factor, row.names = NULL)
  }))
  found[!is.nan(found$factor), ]
}
leads <- leads_of(distinct_sets)
paper_leads <- leads_of(paper_sets)
middle_lead <- function(target, tables, of_sets = leads) {
  number(stats::median(of_sets$factor[of_sets$target == target & of_sets$table %in% tables]))
}

# On how many of the sets, problems and targets is the method sooner than its rival, by medians?
cases_of <- function(method, rival, tables = names(problem_names), targets = target_of) {
  rows <- chosen_of(told, method, rival, tables, targets)
  sooner <- unlist(lapply(seq_len(nrow(rows)), function(k) {
    vapply(sets_of(rows[k, ]), function(set) {
      middle <- function(methods) {
        stats::median(fastest(set, rows$table[k], rows$target[k], groups[[methods]]))
      }
      middle(method) < middle(rival)
    }, NA)
  }))
  sprintf("%d of %d", sum(sooner), length(sooner))
}

# Of those that the paper's tables have.
never_run <- local({
  expected <- tables[tables$table %in% names(problem_names), c("table", "data")]
  expected[!paste(expected$table, expected$data) %in% paste(times$table, times$data), ]
})
missing_named <- paste(vapply(unique(never_run$data), function(set) {
  gone <- never_run$table[never_run$data == set]
  sprintf("%s (%s)", set, if (length(gone) == length(problem_names)) "all" else
    sprintf("Table%s %s", if (length(gone) > 1L) "s" else "", listed(gone)))
}, ""), collapse = "; ")
growth_said <- if (max(growth$pairs) < 5L) "undecided: fewer than five sets" else
  sprintf("grows in %d and shrinks in %d of %d cases, else undecided",
          sum(growth$verdict == "grows"), sum(growth$verdict == "shrinks"), nrow(growth))
# Which factors of the grid are the best one of ISG somewhere?
factor_said <- function(tables) {
  here <- times[times$data %in% distinct_sets & times$method == "isg" & times$table %in% tables & times$reached &
                  abs(times$target / 1e-6 - 1) < 1e-6, ]
  every <- sort(unique(sets_tuning$shrink))
  best <- sort(unique(here$shrink))
  if (length(best) == length(every)) sprintf("each of the %s somewhere", counted(length(every))) else
    if (length(best)) listed(best) else "unknown"
}
# The one grid of the three methods, and the problems of the paper's sets that had it.
grid_said <- local({
  steps <- sort(unique(sets_tuning$step))
  sprintf("first steps %s, factors %s, batches of %s for ISG and Hybrid (IPPA has none)",
          listed(steps), listed(sort(unique(sets_tuning$shrink))),
          listed(stats::na.omit(unique(sets_tuning$batch))))
})
settings_of <- function(table) unique(table[c("method", "step", "shrink", "batch")])
same_grid <- local({
  wanted <- settings_of(sets_tuning)
  cells <- unique(tuning[c("data", "table")])
  same <- mapply(function(data, table) {
    here <- settings_of(tuning[tuning$data == data & tuning$table == table, ])
    nrow(here) == nrow(wanted) && nrow(merge(here, wanted)) == nrow(wanted)
  }, cells$data, cells$table)
  cells[same, ]
})
# The problems of the paper's sets that were run with grids of an older kind.
older_grids <- local({
  ran <- unique(tuning[c("data", "table")])
  ran[!paste(ran$data, ran$table) %in% paste(same_grid$data, same_grid$table), ]
})

# ---- Figure 1 ----
# (a) to (d): the excess of each instance after all passes, by factor or kind of schedule.
shrinks <- sort(unique(grid$shrink))
shrunk_count <- length(unique(grid$instance))
small_factors <- shrinks[shrinks <= 0.8]
way <- ifelse(is.na(grid$shrink), grid$schedule, format(grid$shrink, trim = TRUE, drop0trailing = TRUE))
rows_at <- c(format(shrinks, trim = TRUE, drop0trailing = TRUE), "best", "inverse", "inverse_root")
excess_at <- function(panel, name, method) {
  here <- grid$panel == panel & grid$method == method
  here <- grid[here & if (name == "best") grid$schedule == "geometric" else way == name, ]
  vapply(split(here$excess, here$instance), min, 0)
}
compared_at <- list()
for (panel in c(letters[1:4], "b1")) for (name in rows_at) {
  compared_at[[paste(panel, name)]] <-
    log(excess_at(panel, name, "isg") / excess_at(panel, name, "ippa"))
}
shrink_told <- verdicts(compared_at, ratios = TRUE, question = sub(" .*", "", names(compared_at)))
at_factor <- function(panel, rho) {
  shrink_told[shrink_told$comparison %in% paste(panel, rho), ]
}
said <- function(panel, rho) {
  one <- at_factor(panel, rho)
  sprintf("%s (%s)", one$verdict, number(exp(one$estimate)))
}
said_count <- function(panel, rhos) count_verdicts(at_factor(panel, rhos))
batches <- c(1, 4, 16, 64, 256)
excess_of <- function(method, batch, k = Inf) {
  here <- by_size[by_size$method == method & by_size$batch %in% batch, ]
  vapply(split(here, here$instance), function(one) {
    one$excess[which.min(abs(one$passes - min(k, 1e9)))]
  }, 0)
}
# A run that is not there after all passes takes longer than those did.
seconds_to <- function(method, batch, target) {
  of <- function(table) table[table$method == method & table$batch %in% batch, ]
  here <- of(arrival)
  here <- here[abs(here$target / target - 1) < 1e-6, ]
  here <- here[order(here$instance), ]
  whole <- of(by_size)
  whole <- vapply(split(whole$seconds, whole$instance), max, 0)
  data.frame(seconds = ifelse(is.na(here$seconds), whole, here$seconds),
             never = is.na(here$seconds))
}
in_passes <- in_seconds <- list()
for (k in 2:5) {
  in_passes[[paste("passes", batches[k])]] <- log(excess_of("isg", batches[k]) / excess_of("isg", 1))
}
for (target in c(1e-2, 1e-3)) for (k in 2:5) {
  in_seconds[[paste("seconds", batches[k], target)]] <-
    later(seconds_to("isg", 1, target), seconds_to("isg", batches[k], target))
}
for (k in 2:4) {
  in_seconds[[paste("between", batches[k])]] <-
    later(seconds_to("isg", batches[k], 1e-2), seconds_to("isg", 256, 1e-2))
}
beside_hybrid <- list("isg 16" = log(excess_of("isg", 16) / excess_of("hybrid", 16)),
                      "isg 1" = log(excess_of("isg", 1) / excess_of("hybrid", 16)),
                      "ippa" = log(excess_of("ippa", NA) / excess_of("hybrid", 16)))
# Subsets of 80 % of the rows of a1a: the verdict holds given these rows.
size_told <- local({
  compared <- c(in_passes, in_seconds, beside_hybrid)
  kind <- sub(" .*", "", names(compared))
  verdicts(compared, ratios = TRUE, question = ifelse(kind %in% c("isg", "ippa"), "hybrid", kind))
})
size_verdict <- function(name) size_told$verdict[match(name, size_told$comparison)]
size_seconds <- function(target) {
  size_told[grepl(sprintf("^seconds .* %s$", format(target)), size_told$comparison), ]
}
# ---- Rates of Theorem 4.3 ----
long_runs <- split(linear, paste(linear$method, linear$case, linear$instance))
slopes <- do.call(rbind, lapply(long_runs, function(s) {
  s <- s[s$passes > 1500 & s$passes < 9000, ]
  fitted <- stats::coef(stats::lm(log(excess) ~ passes, s))[[2L]]
  data.frame(method = s$method[1L], case = s$case[1L], predicted = s$shrink[1L], measured = exp(fitted))
}))
# (1) speaks of factors, and has no verdict. (2) and (3) are upper bounds: the exponent is at most the
# predicted one, by the rule of exponents; for the distance to the optimal point half of it in (2).
rate_line <- function(measured, predicted) {
  list(n = length(measured), predicted = predicted, median = stats::median(measured),
       interval = if (length(measured) > 1L) stats::t.test(measured)$conf.int else c(NA, NA),
       measured = measured, said = "", word = "")
}
by_long <- split(slopes, list(slopes$method, slopes$case), sep = ": ", drop = TRUE)
long <- lapply(by_long, function(s) rate_line(s$measured, s$predicted[1L]))
by_rate <- split(rates, list(rates$method, rates$case), sep = ": ", drop = TRUE)
short <- lapply(by_rate, function(s) rate_line(s$measured, s$predicted[1L]))
near <- lapply(by_rate, function(s) {
  rate_line(s$distance, s$predicted[1L] / if (grepl("^.2.", s$case[1L])) 2 else 1)
})
local({
  bounded <- grepl(": .[23].", names(short))
  close <- grepl(": .2.", names(near))
  lines <- c(short[bounded], near[close])
  found <- exponents_told(unname(lapply(lines, `[[`, "measured")),
                          vapply(lines, `[[`, 0, "predicted"), most = TRUE)
  for (k in seq_along(lines)) {
    lines[[k]]$interval <- c(found$lower[k], found$upper[k])
    lines[[k]]$said <- found$said[k]
    lines[[k]]$word <- found$verdict[k]
  }
  short[bounded] <<- lines[seq_len(sum(bounded))]
  near[close] <<- lines[-seq_len(sum(bounded))]
})
rate_verdict <- function(lines) judge_each(vapply(lines, `[[`, "", "said"))
# (1) by the distance and by the excess: their powers of rho an epoch, by q, from 2,000 epochs on; and how
# sharp the problems look, by the least excess over distance, for which (1) asks for a rho (rows have length 10).
powers_of_rho <- function(column) {
  vapply(split(distance, distance$case), function(s) {
    at <- function(passes) log(s[[column]][s$passes == passes][order(s$instance[s$passes == passes])])
    mean(at(4000) - at(2000)) / (2000 * log(s$shrink[1L]))
  }, 0)
}
sharpness <- tapply(distance$excess / distance$away, distance$case, min)
epochs_asked <- log(1e-6) / log1p(-sharpness^2 / (2 * 10^2))
linear_drop <- vapply(long_runs, function(s) {
  s <- s[s$passes > 1500 & s$passes < 9000, ]
  log10(max(s$excess) / min(s$excess))
}, 0)

# ---- The paper's seconds ----
# Transcribed from its Tables 2, 3, 4, 7 and 8: wall-clock seconds of one run each.
paper_seconds <- read.table(header = TRUE, check.names = FALSE, colClasses = c(table = "character"),
                            text = "
table data M-ISG IPPA Hybrid GS-ADMM YALMIP
2 a1a 0.706 6.1242 1.560 NA 12.221
2 a2a 0.717 7.040 1.720 NA 9.695
2 a3a 1.800 21.242 3.740 NA 11.854
2 a4a 3.764 25.980 4.664 NA 16.638
2 a5a 2.026 24.752 24.752 NA 24.207
2 a6a 2.277 26.127 2.509 NA 39.311
2 a7a 2.528 33.094 2.799 NA 60.046
2 a8a 3.004 41.249 3.729 NA 94.377
2 a9a 2.285 35.554 3.063 NA 155.980
3 a1a NA 5.517 NA NA 8.557
3 a2a NA 9.355 NA NA 11.989
3 a3a NA 7.096 NA NA 15.335
3 a4a NA 14.162 NA NA 23.122
3 a5a NA 10.515 NA NA 32.663
3 a6a NA 15.195 NA NA 67.695
3 a7a NA 6.454 NA NA 118.740
3 a8a NA 27.242 NA NA 161.000
3 a9a NA 13.129 NA NA 215.387
3 ijcnn1 NA 20.567 NA NA 379.943
4 a1a NA NA 4.789 5.939 7.832
4 a2a NA NA 5.098 7.069 9.100
4 a3a NA NA 16.252 9.638 11.375
4 a4a NA NA 5.498 10.446 17.542
4 a5a NA NA 7.363 13.993 22.969
4 a6a NA NA 8.273 8.273 42.714
4 a7a NA NA 6.115 6.115 60.743
4 a8a NA NA 11.065 11.065 99.355
4 a9a NA NA 5.717 5.717 172.07
4 ijcnn1 NA NA 4.301 4.301 319.379
7 a1a 1.233 2.169 1.545 NA 16.495
7 a2a 0.602 3.546 0.720 NA 23.557
7 a3a 3.687 4.626 3.696 NA 32.575
7 a4a 0.579 4.109 0.713 NA 62.456
7 a5a 0.639 2.929 1.156 NA 109.620
7 a6a 1.272 5.756 1.576 NA 185.080
7 a7a 2.121 4.336 2.976 NA 270.480
7 a8a 2.502 10.184 2.798 NA 372.050
7 a9a 3.018 9.295 6.203 NA 642.160
8 a1a 0.510 0.707 0.687 NA 12.928
8 a2a 0.861 1.233 1.182 NA 20.850
8 a3a 0.350 0.666 0.563 NA 28.494
8 a4a 0.540 1.100 0.679 NA 63.037
8 a5a 0.737 1.421 0.897 NA 96.314
8 a6a 1.203 2.250 1.763 NA 201.510
8 a7a 1.753 3.244 2.124 NA 370.510
8 a8a 2.390 4.568 2.981 NA 365.140
8 a9a 3.368 6.706 4.371 NA 753.330
")
paper_seconds$least <- pmin(paper_seconds$`M-ISG`, paper_seconds$IPPA, paper_seconds$Hybrid,
                            na.rm = TRUE)
paper_lead <- paper_seconds$YALMIP / paper_seconds$least

# ---- The steps as printed ----
# What the last variant of a norm without ridge leaves wrong.
left_wrong <- function(norm) {
  last <- utils::tail(which(steps$norm == norm & !steps$ridge), 1L)
  n <- (steps$wrong + steps$none)[last]
  paste(if (n) n else "no", "case is wrong")
}
# Of the formulas: in how many random cases each is wrong or has no answer.
formulas_off <- function(how) {
  here <- formulas[grepl(paste0(", ", how, "$"), formulas$variant), ]
  listed(format(here$wrong + here$none, big.mark = ",", trim = TRUE))
}
formulas_said <- if (!nrow(formulas)) "" else sprintf(
  "As printed the four are wrong in %s of %s random cases; corrected, in %s.",
  formulas_off("as printed"),
  format(formulas$cases[1L], big.mark = ","), formulas_off("put right"))
share_of_28 <- number(100 * max((steps$wrong / steps$cases)[steps$ridge]))

# ---- What of the sets was run ----
# Draws of the rows of a set that is not nested.
instances_said <- local({
  here <- times[times$data %in% distinct_sets, ]
  n <- tapply(here$instance, paste(here$data, here$table), function(x) length(unique(x)))
  if (all(n == 1L)) "once" else sprintf("%s times", paste(unique(range(n)), collapse = " to "))
})
# ---- What is left: hours of one core, by what the runs that are there took ----
hours <- function(seconds) number(max(seconds / 3600, 0.1))
spent_on <- function(table) sum(table$whole, na.rm = TRUE)
grid_hours <- local({
  of_grid <- function(table) paste(table$data, table$table) %in% paste(same_grid$data, same_grid$table)
  old <- tuning[!of_grid(tuning), ]
  old <- old[!duplicated(old[c("data", "table", "method", "step", "shrink", "batch")]), ]
  paper <- times[times$data %in% paper_sets, ]
  hours(3 * spent_on(old) + spent_on(paper[!of_grid(paper), ]))
})
# The problems of `among` with fewer than ten instances, and the hours of the rest by the first one.
too_few <- function(among) {
  ran <- times[times$data %in% among, ]
  cell <- paste(ran$data, ran$table)
  n <- tapply(ran$instance, cell, function(x) length(unique(x)))
  few <- n[n < 10L]
  first <- ran$instance == 1L
  each <- tapply(ran$whole[first], cell[first], sum, na.rm = TRUE)
  list(cells = few, sets = unique(ran$data[cell %in% names(few)]),
       hours = hours(sum((10 - few) * each[names(few)])))
}
missing_hours <- local({
  largest <- vapply(never_run$table, function(table) {
    here <- times[times$table == table & times$data %in% paper_sets, ]
    max(tapply(here$whole, here$data, sum, na.rm = TRUE))
  }, 0)
  hours(sum(largest))
})

# ---- IPOPT on all rows of the paper's sets ----
ipopt_cells <- local({
  cells <- unique(ipopt[c("table", "data", "n", "optimum")])
  cells <- cells[order(match(cells$table, names(problem_names)), cells$n), ]
  paper_at <- match(paste(cells$table, cells$data), paste(paper_seconds$table, paper_seconds$data))
  cells$yalmip <- paper_seconds$YALMIP[paper_at]
    cells
})
# The rows of one method at one target, one for each cell.
ipopt_of <- function(method, target) {
  rows <- ipopt[grepl(method, ipopt$method) & abs(ipopt$target / target - 1) < 1e-6, ]
  rows[match(paste(ipopt_cells$table, ipopt_cells$data), paste(rows$table, rows$data)), ]
}
# NA where no tolerance reached the target.
ipopt_seconds <- function(method, target) {
  rows <- ipopt_of(method, target)
  ifelse(rows$outcome == "reached", rows$seconds, NA)
}
ipopt_tried <- ipopt_of("IPOPT", 1e-6)$outcome != "not tried"
ipopt_ratio <- ipopt_seconds("IPOPT", 1e-6) / ipopt_seconds("ECOS", 1e-6)
yalmip_ratio <- ipopt_cells$yalmip / ipopt_seconds("IPOPT", 1e-4)
ipopt_said <- sprintf(
  paste("%s times the seconds of ECOS to 1e-6, in the median %s (reached on %d of the %d problems tried); the paper's",
        "YALMIP took %s times those of our IPOPT to 1e-4, in the median %s"),
  span(ipopt_ratio[is.finite(ipopt_ratio)]), number(stats::median(ipopt_ratio, na.rm = TRUE)),
  sum(is.finite(ipopt_ratio)), sum(ipopt_tried), span(yalmip_ratio[is.finite(yalmip_ratio)]),
  number(stats::median(yalmip_ratio, na.rm = TRUE)))

# Of those problems where one of the other two did not run.
own_left <- local({
  cells <- function(method) {
    unique(times[times$data %in% distinct_sets & times$method == method, c("data", "table")])
  }
  gone <- function(one) paste(one$data, one$table)
  left <- cells("isg")
  left <- left[!gone(left) %in% intersect(gone(cells("ippa")), gone(cells("hybrid"))), ]
  if (!nrow(left)) return("")
  sprintf("**IPPA and Hybrid** on %s.", listed(vapply(unique(left$data), function(set) {
    sprintf("%s of Table %s", plain_name(set), listed(left$table[left$data == set]))
  }, "")))
})
ipopt_left <- local({
  left <- lapply(stats::setNames(nm = paper_sets), function(set) {
    printed <- paper_seconds$table[paper_seconds$data == set & !is.na(paper_seconds$YALMIP)]
    setdiff(printed, ipopt$table[ipopt$data == set])
  })
  left <- left[lengths(left) > 0L]
  sprintf("%s (Table%s %s)", names(left), ifelse(lengths(left) > 1L, "s", ""), vapply(left, listed, ""))
})
# What is not done, by what the results have.
not_done <- local({
  few <- too_few(paper_sets)
  few_distinct <- too_few(distinct_sets)
  more <- function(few, of) if (length(few$cells)) sprintf(
    "**Ten instances** of %d problems %s (%s), which have %s: about %s h.", length(few$cells), of,
    listed(plain_name(few$sets)), paste(unique(range(few$cells)), collapse = " to "), few$hours)
  lines <- c(
    own_left,
    if (nrow(older_grids)) sprintf("**The one grid** on the other problems of the paper's sets: about %s h.",
                                   grid_hours),
    if (nrow(never_run)) sprintf("**Problems of the paper's sets** that were not run, %s: about %s h.",
                                 missing_named, missing_hours),
    more(few, "of the paper's sets"), more(few_distinct, "of the sets that are not nested"),
    if (length(ipopt_left)) sprintf(
      "**IPOPT** on %s: its first step did not end within the limit.",
      listed(ipopt_left)),
    if (max(rates$instance) < 20L) "**Twenty instances of Theorem 4.3**: about 1 h.",
    if (!any(linear$method == "ippa")) "**$\\rho = 0.999$ with IPPA**: about 1 h.",
    "**Not available:** a5a, MATLAB with YALMIP."
  )
  paste0("* ", lines[nzchar(lines)], collapse = "\n")
})

# ---- Tables ----
# Of each printed table: how many values of a method are right to 1e-5, and the largest excess.
values_table <- function() {
  cell <- function(table, method) {
    x <- excess[tables$table == table, method]
    x <- x[!is.na(x)]
    if (length(x)) sprintf("%d of %d; %s", sum(abs(x) <= 1e-5), length(x), tiny(max(x))) else ""
  }
  printed <- setdiff(names(problem_names), "4")
  knitr::kable(cbind(sprintf("Table %s: %s", printed, problem_names[printed]),
                     outer(printed, methods, Vectorize(cell))),
               col.names = c("the paper's", methods), align = "lrrrr",
               caption = paste("Table B. Printed values: how many lie within a relative 1e-5 of the certified optimum,",
                               "and by how much the worst one exceeds it."))
}
# Pairs of methods, by target: on how many sets and problems the method is faster, given its rows.
seconds_table <- function() {
  pairs <- data.frame(method = c("paper", "paper", "auto", "hybrid", "hybrid", "ippa"),
                      rival = c("solver", "solver", "paper", "ippa", "isg", "isg"),
                      kind = c("ridge", "none", "all", "all", "all", "all"))
  of_kind <- list(ridge = ridge, none = plain, all = names(problem_names))
  name_of <- c(labels_of, paper = "fastest of the three", solver = "fastest general solver")
  counts <- function(k, target) {
    count_verdicts(chosen_of(within_distinct, pairs$method[k], pairs$rival[k], of_kind[[pairs$kind[k]]], target),
                   c("faster", "slower"))
  }
  cells <- vapply(target_of, function(target) vapply(seq_len(nrow(pairs)), counts, "", target),
    character(nrow(pairs)))
  knitr::kable(data.frame(name_of[pairs$method], name_of[pairs$rival],
                          c(ridge = "with a ridge", none = "without", all = "all")[pairs$kind], cells),
               row.names = FALSE, col.names = c("method", "against", "problems", "to 1e-4", "to 1e-6"),
                 align = "lllll",
               caption = paste("Table C. 500 rows a set: in how many cases (set and problem) the method is faster,",
                               "over the instances of the set, given its rows. In the undecided ones a factor of",
                               number(exp(could_see(within_distinct))), "would have been seen (median)."))
}
# All comparisons of seconds: over the sets (data "all") and within each.
comparisons <- function() {
  columns <- c("data", "table", "target", "method", "rival", "pairs", "estimate", "lower", "upper", "p",
    "adjusted", "verdict")
  found <- rbind(cbind(told, data = "all")[columns], within_distinct[columns], within_told[columns])
  found$data <- plain_name(found$data)
  found$rows <- c(rep("500, over sets", nrow(told)), rep("500", nrow(within_distinct)), rep("80 %",
    nrow(within_told)))
  numbers <- vapply(found, is.double, NA)
  found[numbers] <- lapply(found[numbers], signif, 6)
  rownames(found) <- NULL
  found
}
rates_table <- function() {
  row <- function(part, what, lines, bound) {
    values <- range(vapply(lines, `[[`, 0, "median"))
    c(part, what, bound, sprintf("%.2f to %.2f", values[1L], values[2L]), rate_verdict(lines))
  }
  knitr::kable(rbind(row("(2) with a ridge, steps like 1/k", "excess", of_part(short, 2), "-1"),
                     row("(2)", "distance", of_part(near, 2), "-0.5"),
                     row("(3) without, steps like 1/sqrt(k)", "excess", of_part(short, 3), "-0.5")),
               col.names = c("part", "of", "exponent at most", "measured", "verdict"), align = "llrrl",
               caption = sprintf("Table D. Exponents of the number of epochs, ISG and IPPA, medians over %d instances.",
                                 length(unique(rates$instance))))
}
steps_table <- function() {
  shown <- steps[grepl("^as printed", steps$variant) | !duplicated(paste(steps$norm, steps$ridge),
    fromLast = TRUE), ]
  knitr::kable(data.frame(c(l1 = "1", l2 = "2", linf = "inf")[shown$norm], ifelse(shown$ridge, "> 0", "0"),
                          shown$variant, percent(shown$wrong / shown$cases), percent(shown$none / shown$cases)),
               row.names = FALSE, col.names = c("q", "c", "variant", "wrong", "none"), align = "lllrr",
               caption = sprintf(paste("Table E. Single-sample steps by the paper's recipes, as printed and with the last correction,",
                                       "on %s random steps for each norm. Wrong: above the minimum by more than 1e-6."),
                                 number(max(steps$cases), 6)))
}
