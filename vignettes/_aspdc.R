# What vignettes/aspdc.Rmd reads from the results and computes of them.

tables <- result("aspdc_tables")
traces <- result("aspdc_traces")
sets <- c("a9a", "ijcnn1", "covtype")
at <- function(lambda) abs(tables$lambda / lambda - 1) < 1e-6
# One number of the results, or the three of the data sets.
found <- function(item, method, measure, lambda, target = NA, data = sets) {
  rows <- tables[tables$item == item & tables$method == method & tables$measure == measure &
                   at(lambda) & (is.na(target) | tables$target %in% target), ]
  rows$median[match(data, rows$data)]
}
figure_of <- function(lambda) if (lambda > 1e-5) "Figure 1" else "Figure 2"
epochs <- function(method, lambda, target, data = sets) {
  found(figure_of(lambda), method, "epochs", lambda, target, data)
}
# The epochs of each seed; NA for a run that did not get there.
each <- function(item, data, lambda, method, measure, target) {
  row <- tables[tables$item == item & tables$data == data & tables$method == method &
                  tables$measure == measure & at(lambda) & tables$target %in% target, ]
  suppressWarnings(as.numeric(strsplit(row$each, " ")[[1L]]))
}
# NA: not reached.
number_or <- function(x, digits = 3) ifelse(is.na(x), "not reached", number(x, digits))
three <- function(x) paste(number_or(x), collapse = " / ")
# Of each data set, and in words: "10", or "10 (a9a, ijcnn1) or 5 (covtype)".
seeds_of <- vapply(sets, function(data) {
  max(tables$runs[tables$data == data & tables$measure == "epochs"])
}, 0)
seeds <- if (length(unique(seeds_of)) == 1L) as.character(seeds_of[[1L]]) else {
  paste(vapply(sort(unique(seeds_of), decreasing = TRUE), function(k) {
    sprintf("%d (%s)", k, toString(sets[seeds_of == k]))
  }, ""), collapse = " or ")
}
# The load of the runs that took times.
timed_load <- local({
  entries <- as.data.frame(read.dcf(system.file("extdata", "results", "aspdc_tables.dcf", package = "dualmargin")))
  said <- entries$Load[!grepl("stopped|faults|epochs", entries$Command)]
  paste(range(as.numeric(unlist(regmatches(said, gregexpr("[0-9]+[.]?[0-9]*", said))))), collapse = " to ")
})
limit <- 600  # epochs, in Figure 2
# The last epoch of each run of Figure 2, seed by seed. Rows without it are of runs that the limit or
# the tolerance ended, which is below all targets.
ends_of <- function(data, lambda, method) {
  here <- tables$item == "Figure 2" & tables$data == data & tables$method == method & at(lambda)
  if (any(here & tables$measure == "end")) each("Figure 2", data, lambda, method, "end", NA) else limit
}
# Epochs to the target, seed by seed; of a run that did not get there those at its end.
at_least <- function(data, lambda, method, target) {
  reached <- each(figure_of(lambda), data, lambda, method, "epochs", target)
  if (!anyNA(reached)) return(reached)
  ifelse(is.na(reached), ends_of(data, lambda, method), reached)
}
# How many of the runs of Figure 2 did not get to 1e-6.
not_there <- function(method) {
  sum(tables$censored[tables$item == "Figure 2" & tables$measure == "epochs" & tables$method == method &
                        tables$target %in% 1e-6])
}

# ---- Comparisons: ln of b's epochs over a's, seed by seed ----
large <- 10^-(1:4)
small <- 10^-(6:8)
epochs_apart <- function(data, lambda, a, b, target) {
  of <- function(method) each(figure_of(lambda), data, lambda, method, "epochs", target)
  known <- function(method) log(at_least(data, lambda, method, target))
  if (!anyNA(c(of(a), of(b)))) return(known(b) - known(a))
  censored_difference(known(b), known(a), is.na(of(b)), is.na(of(a)))
}
compare <- function(method, rivals, lambdas, targets = c(1e-4, 1e-6)) {
  cells <- expand.grid(target = targets, lambda = lambdas, data = sets, rival = rivals,
                       stringsAsFactors = FALSE)
  cells$method <- rep(method, nrow(cells))
  cells
}
told_of <- function(cells) {
  apart <- Map(epochs_apart, cells$data, cells$lambda, cells$method, cells$rival, cells$target)
  cbind(cells, verdicts(apart, words = c("fewer", "more"), ratios = TRUE, question = cells$rival))
}
told_large <- told_of(compare("ASPDC", c("SDCA", "SPDC"), large))
told_small <- told_of(rbind(
  compare("ASPDC-i", c("SDCA", "SPDC", "ASDCA", "SVRG", "SVRG, step 0.3", "Katyusha",
                       "proximal SDCA", "ASPDC-i, 2/n", "ASPDC-i, Algorithm 2"), small)
))
is_at <- function(rows, rival, data = sets, lambda = c(large, small), target = c(1e-4, 1e-6)) {
  near <- function(x, among) vapply(x, function(one) any(abs(one / among - 1) < 1e-6), NA)
  rows[rows$rival %in% rival & rows$data %in% data & near(rows$lambda, lambda) &
         near(rows$target, target), ]
}
counted <- function(rows) count_with_equal(rows, c("fewer", "more"))
# For the claim that the method needs fewer epochs.
claim_word <- function(rows) judge(rows$verdict, "fewer", "more")
# "of 24 with SDCA 19 are equal, 2 need more and 3 are undecided"
said_of <- function(rows, rival) {
  of <- function(word) sum(rows$verdict == word)
  kinds <- c(fewer = "go to the paper's method", more = "go against it", equal = "are equal",
    undecided = "are undecided")
  n <- vapply(names(kinds), of, 0L)
  sprintf("of %d comparisons with %s %s", nrow(rows), rival, paste(n[n > 0L], kinds[n > 0L], collapse = ", "))
}

# ---- Drawing ----
look <- data.frame(
  method = c("SDCA", "ASPDC", "SPDC", "ASPDC-i", "ASDCA", "Katyusha", "SVRG", "SVRG, step 0.3", "auto"),
  colour = okabe[c(6, 7, 4, 7, 2, 3, 8, 8, 1)],
  type = c(1, 2, 1, 1, 1, 1, 1, 2, 1)
)
panel <- function(lines, methods, column, xlim, floor, main) {
  plot(NA, xlim = xlim, ylim = c(floor, 1), log = "y", xlab = "", ylab = "", yaxt = "n", xaxt = "n",
       main = main, font.main = 1, cex.main = 1.15)
  axis(1, pretty(xlim, 3))
  at <- 10^seq(log10(floor), 0, by = 3)
  powers(2, at)
  abline(h = at, col = "grey90")
  for (method in methods) {
    line <- lines[lines$method == method, ]
    past <- which(line[[paste0(column, "median")]] <= floor)
    if (length(past)) line <- line[seq_len(past[1L]), ]
    how <- look[look$method == method, ]
    within <- function(what) pmin(pmax(line[[paste0(column, what)]], floor), 1)
    draw_band(line$epoch, within("smallest"), within("median"), within("largest"), how$colour, how$type)
  }
}
# most: epochs on the axis, for each lambda
panels <- function(figure, lambdas, methods, column, ylab, most, floor) {
  shape <- matrix(seq_len(length(sets) * length(lambdas)), length(sets), byrow = TRUE)
  if (length(lambdas) == 1L) shape <- t(shape)
  layout(rbind(shape, max(shape) + 1L), heights = c(rep(1, nrow(shape)), 0.3))
  par(mar = c(2.2, 3.2, 2.2, 0.6), oma = c(0, 2, 0, 0), mgp = c(2, 0.6, 0), tcl = -0.3)
  for (data in sets) for (k in seq_along(lambdas)) {
    lambda <- lambdas[k]
    lines <- traces[traces$figure == figure & traces$data == data &
                      abs(traces$lambda / lambda - 1) < 1e-6, ]
    panel(lines, methods, column, c(0, rep_len(most, length(lambdas))[k]), floor,
          bquote(.(data) * "," ~ lambda == 10^.(round(log10(lambda)))))
  }
  mtext(ylab, side = 2, outer = TRUE, line = 0.3, adj = 0.6, cex = 0.8)
  par(mar = c(0, 0, 0, 0))
  plot.new()
  text(0.5, 0.85, "epochs (passes over the data)", cex = 1.2)
  how <- look[match(methods, look$method), ]
  legend("bottom", methods, col = how$colour, lty = how$type, lwd = 2, ncol = 5, bty = "n", cex = 1.2, seg.len = 3)
}

# ---- The paper's seconds ----
paper4 <- rbind("SDCA" = c(0.029, 0.053, 0.650), "SPDC" = c(0.052, 0.061, 0.840),
                "ASPDC" = c(0.028, 0.052, 0.644))
paper5 <- rbind("ASDCA" = c(0.582, 0.994, 8.407), "SPDC" = c(2.262, 3.127, 91.132),
                "ASPDC-i" = c(0.8464, 2.033, 47.734))
paper6 <- rbind("ASDCA" = c(0.0165, 0.0305, 0.208), "SPDC" = c(0.0857, 0.0821, 1.253),
                "ASPDC-i" = c(0.0167, 0.0302, 0.408))
dimnames(paper4) <- list(rownames(paper4), sets)
dimnames(paper5) <- dimnames(paper6) <- list(rownames(paper5), sets)
spdc_pass <- paper6["SPDC", ] - paper4["SPDC", ]
reading <- 20 * (paper4["SPDC", ] - spdc_pass)
share <- (reading / 20) / paper4["SDCA", ]
spread <- function(item, method, lambda) {
  rows <- tables[tables$item == item & tables$method == method & tables$measure == "time ratio" &
                   at(lambda), ]
  rows <- rows[match(sets, rows$data), ]
  if (method == rows$reference[1L]) return(rep("1", 3L))
  sprintf("%s, %s to %s", number(rows$median), number(rows$smallest), number(rows$largest))
}
# The times of methods beside the paper's, a row a method.
cells_beside <- function(item, methods, lambda, printed, reference) {
  t(vapply(methods, function(m) {
    ours <- spread(item, m, lambda)
    if (m %in% rownames(printed)) sprintf("%s (%s)", ours, number(printed[m, ] / printed[reference, ])) else ours
  }, character(3L)))
}
# Epochs to two gaps, a row a method; >: at least.
epochs_cells <- function(methods, lambda) {
  t(vapply(methods, function(m) {
    many <- function(target) {
      x <- epochs(m, lambda, target)
      least <- vapply(sets, function(data) median(at_least(data, lambda, m, target)), 0)
      ifelse(is.na(x), paste(">", number(least, 3)), number(x, 3))
    }
    paste(many(1e-4), many(1e-6), sep = " / ")
  }, character(3L)))
}
pass_ratio <- lapply(setNames(sets, sets), function(data) {
  log(each("Table 4", data, 1e-2, "SPDC", "time ratio", NA))
})
pass_told <- verdicts(pass_ratio, words = c("slower", "faster"), ratios = TRUE)
methods6 <- c("ASPDC-i", "ASDCA", "SPDC", "SDCA", "Katyusha", "SVRG")
largest_factor <- function(of_method) {
  values <- vapply(methods6, of_method, numeric(3L))
  apply(values, 1L, max) / apply(values, 1L, min)
}
pass_factor <- largest_factor(function(m) {
  found <- found("Table 6", m, "time ratio", 1e-6)
  ifelse(is.na(found), 1, found)  # the reference
})
epoch_factor <- largest_factor(function(m) {
  vapply(sets, function(data) median(at_least(data, 1e-6, m, 1e-4)), 0)
})
# The first epoch on the curve of medians at which P is so near.
near_at <- function(method, distance, data = sets) {
  vapply(data, function(one) {
    line <- traces[traces$figure == "Figure 2" & traces$data == one & traces$method == method &
                     abs(traces$lambda / 1e-6 - 1) < 1e-6, ]
    line$epoch[which(line$distance_median <= distance)[1L]]
  }, 0)
}
runs_of_fault <- function(item, method) {
  row <- tables[tables$item == paste("fault:", item) & tables$method == method, ]
  suppressWarnings(as.numeric(strsplit(row$each, " ")[[1L]]))
}
shown_fault <- function(item, method) {
  x <- number(c(stats::median(runs_of_fault(item, method)), range(runs_of_fault(item, method))), 4)
  if (length(unique(x)) == 1L) x[1L] else sprintf("%s (%s to %s)", x[1L], x[2L], x[3L])
}
told_fault <- verdicts(list(
  runs_of_fault("SVRG", "slope without y") - runs_of_fault("SVRG", "slope with y"),
  log(runs_of_fault("ASDCA", "momentum from y") / runs_of_fault("ASDCA", "momentum from w"))
), words = c("more", "less"), ratios = c(FALSE, TRUE))

# ---- Theory ----
gaps <- result("aspdc_theory_gaps")
steps <- result("aspdc_theory_steps")
in_theory <- function(method, unit, eps, lambda = NULL) {
  steps[steps$method == method & steps$unit == unit & abs(steps$eps / eps - 1) < 1e-6 &
          (if (is.null(lambda)) TRUE else abs(steps$lambda / lambda - 1) < 1e-3), ]
}
theorem_1 <- steps[steps$method == "ASPDC", ]
loose <- range(theorem_1$bound / theorem_1$largest)
broken <- sum(gaps$mean > gaps$bound) + sum(gaps$mean > gaps$sharper) +
  sum(theorem_1$largest > theorem_1$bound)
theorem_2 <- steps[!is.na(steps$bound) & steps$unit == "calls, P - P*", ]
calls <- range(theorem_2$bound / theorem_2$largest)
# ln of the passes of Algorithm 3 over those of Algorithm 2 until P - D is small.
printed <- in_theory("ASPDC-i, Algorithm 2", "passes, P - D", 1e-4)
printed <- rbind(printed, in_theory("ASPDC-i, Algorithm 2", "passes, P - D", 1e-6))
other <- rbind(in_theory("ASPDC-i, Algorithm 3", "passes, P - D", 1e-4),
               in_theory("ASPDC-i, Algorithm 3", "passes, P - D", 1e-6))
runs_of <- function(rows) lapply(strsplit(rows$each, " "), as.numeric)
told <- verdicts(setNames(Map(function(a, b) log(a / b), runs_of(other), runs_of(printed)),
                          paste(printed$data, printed$lambda, printed$eps)),
                 words = c("fewer", "more"), ratios = TRUE)

# ---- Costs of a step ----
costs <- result("aspdc_pass_times")
costs$cell <- with(costs, ifelse(rows == "dense", sprintf("dense, d = %d", d),
                                 sprintf("%d of %s", nonzeros, format(d, big.mark = ",", trim = TRUE))))
entry_methods <- c("SPD1", "SPD1-VR")
cost_of <- function(method, column = "step_ns", keep = TRUE) {
  at <- costs$method == method & keep
  setNames(costs[[column]][at], costs$cell[at])
}
steps <- vapply(unique(costs$method), cost_of, numeric(length(unique(costs$cell))))
passes <- vapply(c("SPD1", "ASPDC"), cost_of, numeric(nrow(steps)), column = "pass_ms")
# The step as a matrix, a row a cell: medians of four repeats each, as one may be off by the clock of another process.
repeats_of <- function(keep) do.call(rbind, lapply(strsplit(costs$each[keep], " "), function(each) {
  apply(matrix(as.numeric(each), 4L), 2L, median)
}))
# how the time of a step grows with d (dense) and with the nonzeros: slope of the logarithms, for each repeat
growth <- function(method, rows, by) {
  keep <- costs$rows == rows & costs$method == method & (rows == "dense" | costs$d == 1e4)
  unname(coef(lm(log(repeats_of(keep)) ~ log(costs[[by]][keep])))[2L, ])
}
kinds_of <- expand.grid(method = colnames(steps), rows = c("dense", "sparse"), stringsAsFactors = FALSE)
grown_steps <- cbind(kinds_of, exponents_told(
  unname(Map(function(m, rows) growth(m, rows, if (rows == "dense") "d" else "nonzeros"), kinds_of$method,
    kinds_of$rows)),
  ifelse(kinds_of$method %in% entry_methods, 0, 1), most = TRUE
))
slopes <- matrix(grown_steps$estimate, 2L, byrow = TRUE, dimnames = list(NULL, colnames(steps)))
of_entries <- grown_steps[grown_steps$method %in% entry_methods & grown_steps$rows == "dense", ]
# passes over the same entries: of SPD1 a step an entry, of ASPDC a step a row
in_pass <- function(method) {
  keep <- costs$method == method
  repeats_of(keep) * costs$n[keep] * if (method %in% entry_methods) costs$nonzeros[keep] else 1
}
pass_apart <- log(in_pass("SPD1") / in_pass("ASPDC"))
pass_entries <- verdicts(setNames(asplit(pass_apart, 1L), unique(costs$cell)), words = c("longer", "shorter"),
  ratios = TRUE)
range_of <- function(x, digits = 2) paste(number(range(x), digits), collapse = " to ")
dearer <- cost_of("SPD1", "pass_ms") / cost_of("ASPDC", "pass_ms")

# ---- Claims ----
# SPDC's gap divided by ASPDC's, medians, in the twelve panels of Figure 1, down to where rounding
# shows.
lines <- traces[traces$figure == "Figure 1", ]
both <- merge(lines[lines$method == "SPDC", ], lines[lines$method == "ASPDC", ],
              by = c("data", "lambda", "epoch"))
both <- both[both$median.y > 1e-11, ]
both$ratio <- both$median.x / both$median.y
behind <- both$ratio[both$epoch >= 9 & both$epoch <= 11]
hundred <- mean(both$ratio[both$epoch > 10] >= 100)
at_large <- function(rival, lambda) is_at(told_large, rival, lambda = lambda)
reversed <- function(rows) {
  rows$verdict <- c(fewer = "more", more = "fewer", equal = "equal", "undecided" = "undecided")[rows$verdict]
  rows
}
alike <- at_large("SDCA", 10^-(1:2))
claims <- rbind(
  c("For large $\\lambda$, ASPDC is as fast as SDCA", "Figure 1, one run", sprintf(
    "$\\lambda \\ge 10^{-2}$: %s; $\\lambda \\le 10^{-3}$: %s",
    counted(alike), counted(at_large("SDCA", 10^-(3:4)))),
    judge_alike(is_at(told_large, "SDCA")$verdict)),
  c("After a few epochs its gap is two orders of magnitude below SPDC's", "Figure 1, one run", sprintf(
    "SPDC's gap over that of ASPDC after ten epochs %s to %s; later %s in the median, %s at most. Epochs: %s",
    number(min(behind), 2), number(max(behind), 2), number(median(both$ratio[both$epoch > 10]), 2),
    number(max(both$ratio), 2), counted(is_at(told_large, "SPDC"))),
    sprintf("no verdict: medians without intervals, a hundred or more at %.0f %% of the points", 100 * hundred)),
  c("A pass of SPDC costs more", "Table 4, one run", sprintf("%s times a pass of SDCA (%s)",
    three(exp(pass_told$estimate)), count_verdicts(pass_told, c("slower", "faster"))),
    paste0(judge(pass_told$verdict, "slower", "faster"), "; ours has no cost of order $d$")),
  c("ASPDC is better than SDCA when the condition number is large", "text", "there it does not converge",
    "does not hold"),
  c("For small $\\lambda$, ASPDC-i needs fewer epochs than SDCA", "Figure 2, one run", sprintf(
    "to $10^{-4}$: %s; to $10^{-6}$: %s",
    counted(is_at(told_small, "SDCA", target = 1e-4)), counted(is_at(told_small, "SDCA", target = 1e-6))),
    claim_word(is_at(told_small, "SDCA"))),
  c("... than SPDC", "Figure 2, one run", sprintf("to $10^{-4}$: %s; to $10^{-6}$: %s",
    counted(is_at(told_small, "SPDC", target = 1e-4)), counted(is_at(told_small, "SPDC", target = 1e-6))),
    claim_word(is_at(told_small, "SPDC"))),
  c("... than ASDCA", "Figure 2, one run, faulty program", sprintf("a9a: %s; ijcnn1: %s; covtype: %s",
    counted(is_at(told_small, "ASDCA", "a9a")), counted(is_at(told_small, "ASDCA", "ijcnn1")),
    counted(is_at(told_small, "ASDCA", "covtype"))), claim_word(is_at(told_small, "ASDCA"))),
  c("ASPDC-i is faster than SVRG", "Figure 3, one run, faulty program", sprintf(
    "gaps at $\\lambda = 10^{-6}$, step 0.1: %s; step 0.3: %s", counted(is_at(told_small, "SVRG", lambda = 1e-6)),
    counted(is_at(told_small, "SVRG, step 0.3", lambda = 1e-6))),
    sprintf("step 0.1: %s; step 0.3: %s", claim_word(is_at(told_small, "SVRG", lambda = 1e-6)),
            claim_word(is_at(told_small, "SVRG, step 0.3", lambda = 1e-6)))),
  c("ASDCA cannot be used for $\\lambda > 1/(10n\\gamma)$", "text", "it is SDCA there", "does not hold"),
  c("Lemma 2", "proof", "proved again, with a better constant; $\\lambda > 1/(n\\gamma)$ is enough", "holds"),
  c("Theorem 1, inequality (10)", "proof", sprintf("passes %s to %s times those that runs need; %d violations",
    number(loose[1], 2), number(loose[2], 2), broken), if (broken == 0) "holds, loosely" else "does not hold"),
  c("Theorem 2", "proof announced, not printed", sprintf("calls %s to %s times those that runs need",
    number(calls[1], 2), number(calls[2], 2)), if (calls[1] >= 1) "not violated; not proved" else "does not hold"),
  c("Two passes a call (Algorithm 3) are the realistic version of Algorithm 2",
    "Figure 2 has Algorithm 3 alone", sprintf(
    "Algorithm 2: %s; Algorithm 3: %s", counted(told),
    counted(is_at(told_small, "ASPDC-i, Algorithm 2"))), claim_word(is_at(told_small, "ASPDC-i, Algorithm 2"))),
  c("$\\kappa$ must be at least $4/(n\\gamma) - \\lambda$, smaller is better", "theory", sprintf(
    "4 against 2: a9a %s; ijcnn1 %s; covtype %s", counted(is_at(told_small, "ASPDC-i, 2/n", "a9a")),
    counted(is_at(told_small, "ASPDC-i, 2/n", "ijcnn1")), counted(is_at(told_small, "ASPDC-i, 2/n", "covtype"))),
    paste("first half does not hold (2 converges); second half", claim_word(reversed(is_at(told_small,
      "ASPDC-i, 2/n"))))),
  c("a step of SPD1 and SPD1-VR costs $O(1)$, a pass more than one of ASPDC (Table 2)", "formulas", sprintf(
    "exponents of $d$ %s; a pass over the same entries %s times as long",
    paste(number(slopes[1, entry_methods], 2), collapse = " and "), range_of(dearer)),
    sprintf("O(1): %s; a pass: %s", judge_each(of_entries$said), judge(pass_entries$verdict, "longer", "shorter")))
)
