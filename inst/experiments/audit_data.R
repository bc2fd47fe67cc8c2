# What an audit costs beside the fit that it judges, on larger data; and an old fit of ours audited
# on the rows of each later month (bank, whose rows are in the order of their dates).
# Files are read from DUALMARGIN_DATA (margin_data()); hpc_data from the file HPC_DATA names, which
# is data/hpc_data.RData of the sources of package modeldata.
#
# Usage: Rscript audit_data.R [folder for the results] [--only=regex]
# writes: audit_cost.csv audit_months.csv
# depends: core src/linear src/region R/margin_audit.R R/audit.R
# depends: R/audit_peers.R R/audit_liblinear.R R/margin_audit.R R/update.R
# seeds: 1 (packages, splits)

source(file.path(dirname(sub("^--file=", "", grep("^--file=", commandArgs(), value = TRUE)[1L])),
                 "_driver.R"))
asked <- option("only", ".", spot = "months|a9a")
seconds <- function(code) system.time(code)[["user.self"]]

# ---- Cost ----

# Sparse rows as LiblineaR takes them.
by_rows <- function(x) if (isS4(x)) methods::as(x, "RsparseMatrix") else x
signs <- function(y) factor(y > if (all(y %in% c(-1, 1))) 0 else 5)
hpc <- function() {
  load(Sys.getenv("HPC_DATA"), here <- new.env())
  rows <- as.data.frame(here$hpc_data)
  list(x = stats::model.matrix(class ~ ., rows)[, -1L], y = rows$class)
}
two <- function(name) {
  data <- margin_data(name)
  list(x = data$x, y = if (is.factor(data$y)) data$y else signs(data$y))
}
sets <- list(
  a9a = function() two("a9a"), hpc = if (nzchar(Sys.getenv("HPC_DATA"))) hpc,
  "covtype sample" = function() two("covtype_sub92962"), imdb = function() two("imdb")
)
one_cost <- function(set, data, type) {
  set.seed(1)
  x <- by_rows(data$x)
  fit_seconds <- seconds(fit <- LiblineaR::LiblineaR(x, data$y, type = type))
  audit_seconds <- seconds(audit <- margin_audit(fit, data$x, data$y, cost = 1))
  w <- numeric(ncol(x))
  worst <- audit$excess[which.max(audit$excess$relative_gap), ]
  data.frame(
    set, n = nrow(x), p = ncol(x), problems = nrow(audit$excess), type,
    fit_seconds = signif(fit_seconds, 3), audit_seconds = signif(audit_seconds, 3),
    pass_seconds = signif(seconds(for (k in 1:10) data$x %*% w) / 10, 2),
    excess_from = signif(worst$relative_from, 3), excess_to = signif(worst$relative_to, 3),
    verdict = audit$verdict, changed = audit$training$changed, undecided = audit$training$open,
    before = signif(audit$training$before, 4), after = signif(audit$training$after, 4)
  )
}
costs <- list()
for (set in grep(asked, names(Filter(Negate(is.null), sets)), value = TRUE)) {
  data <- sets[[set]]()
  # the dual types take minutes on counts, and end at their cap
  for (type in switch(set, hpc = 1:2, imdb = c(0, 2), 0:3)) {
    costs[[length(costs) + 1L]] <- one_cost(set, data, type)
  }
  # a set at a time: the last ones take minutes
  write_results(do.call(rbind, costs), "audit_cost.csv", replaced = c("set", "type"), keys = c("set", "type"), tolerance = 0.05,
                seeds = "1 (packages)")
}

# ---- Bank by month ----

months_of <- function(rows) cumsum(c(TRUE, rows$month[-1L] != rows$month[-nrow(rows)]))
epochs <- function(fit) signif(max(fit$trace$epoch), 3)
if (grepl(asked, "months")) {
  bank <- margin_data("bank-full")
  rows <- data.frame(bank$x, y = bank$y)
  run <- months_of(rows)
  # calls are known only once they are over
  formula <- y ~ . - month - day - duration
  name_of <- tapply(as.character(rows$month), run, `[`, 1L)
  year <- 2008 + cumsum(name_of == "jan")
  first <- 11L
  fit_to <- function(last, ...) margin_linear(formula, rows[run <= last, ], cost = 1, ...)
  old <- fit_to(first)
  latest <- old
  fresh <- lapply(seq(first + 1L, max(run)), function(month) {
    known <- rows[run <= month, ]
    audit <- margin_audit(old, known)
    audit_latest <- margin_audit(latest, known)
    this <- run[run <= month] == month
    latest <<- update(latest, data = known)
    data.frame(
      month = paste(name_of[month], year[month]), rows = nrow(known), new = sum(this),
      excess = signif(audit$excess$relative_to, 3), changed = audit$training$changed,
      undecided = audit$training$open, changed_new = sum(
        (audit$training$class != audit$training$optimum)[this], na.rm = TRUE
      ),
      latest_excess = signif(audit_latest$excess$relative_to, 3),
      latest_changed = audit_latest$training$changed, epochs_cold = epochs(fit_to(month)),
      epochs_started = epochs(latest), certified = certificate(latest)$certified
    )
  })
  write_results(do.call(rbind, fresh), "audit_months.csv", keys = "month", tolerance = 0.05,
                floor = 1e-6, seeds = "none")
}
