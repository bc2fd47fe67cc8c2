# How well `max_seconds` holds: seconds of a whole call, checks of the arguments included, for every
# solver at sizes where a step, or the set-up, takes longer than the limit. `own` is the fit's own
# clock, `pass` what one look at all rows takes (a fit that may take no time at all: checks, set-up
# where it cannot be cut short, and the certificate of the returned point), `over` what the call
# took beyond the limit and that pass, the figure that should be small; `cpu` are seconds of the
# processor, for a machine that is busy.
#
# Usage: Rscript limits.R [folder for the results] [--cells=regex] [--seconds=1]
# writes: limits.csv
# depends: core src/linear R/margin_linear.R src/kernel R/margin_kernel.R src/augmented
# depends: R/margin_augmented.R src/robust R/margin_robust.R src/hard R/margin_hard.R
# seeds: 1

library(dualmargin)
home <- dirname(sub("^--file=", "", grep("^--file=", commandArgs(), value = TRUE)[1L]))
source(file.path(home, "_arguments.R"))
source(file.path(home, "_clock.R"))
limit <- as.numeric(option("seconds", "1"))

# ---- the cells ---------------------------------------------------------------------------------
cell <- function(family, solver, n, p, ..., classes = 2L) {
  list(family = family, solver = solver, n = n, p = p, classes = classes, given = list(...))
}
landmarks <- function(m) cell("kernel", "auto", 40000L, 40L, kernel = kernel_rbf(0.02),
                              nystrom = m, lambda = 1e-6)
cells <- list(
  cell("linear", "newton", 6000L, 2000L, lambda = 1e-6),
  cell("linear", "newton", 2500L, 4000L, lambda = 1e-6),
  cell("linear", "ssnal", 20000L, 1000L, loss = "hinge", lambda = 1e-6),
  cell("linear", "interior_point", 10000L, 1500L, loss = "hinge", lambda = 1e-6),
  cell("linear", "lasso", 2000L, 8000L, lambda = 1e-4, mixture = 1),
  cell("linear", "auto", 200000L, 100L, lambda = 1e-8, loss = "hinge"),
  cell("linear", "dual_cd", 400000L, 50L, lambda = 1e-8, loss = "hinge", intercept = "none"),
  cell("linear", "sdca", 400000L, 50L, lambda = 1e-8, intercept = "none"),
  cell("kernel", "newton", 4000L, 20L, lambda = 1e-6, kernel = kernel_rbf(0.05)),
  cell("kernel", "newton", 4000L, 20L, lambda = 1e-6, kernel = kernel_rbf(0.05), classes = 5L,
       multiclass = "softmax"),
  cell("kernel", "smo", 20000L, 20L, lambda = 1e-7, kernel = kernel_rbf(0.05), loss = "hinge"),
  landmarks(1000L),
  landmarks(3000L),
  cell("augmented", "smiso", 200000L, 40L, center = FALSE),
  cell("augmented", "exact", 200000L, 40L, center = FALSE, perturbation = perturb_gaussian(0.3)),
  cell("robust", "interior_point", 6000L, 1200L),
  cell("robust", "pdhg", 100000L, 100L),
  cell("robust", "hybrid", 100000L, 100L),
  cell("robust", "gs_admm", 20000L, 800L),
  cell("hard", "active_set", 50000L, 400L),
  cell("hard", "momentum", 100000L, 100L),
  cell("hard", "auto", 8000L, 20L, kernel = kernel_rbf(0.5))
)
label <- vapply(cells, function(c) sprintf("%s %s %d x %d", c$family, c$solver, c$n, c$p), "")

# What defines the problem and is not said by the cell.
stated <- list(
  linear = list(loss = "smooth_hinge", intercept = "free", scale = TRUE),
  kernel = list(loss = "logistic", intercept = "none", scale = TRUE),
  augmented = list(loss = "logistic", intercept = "none", scale = FALSE),
  robust = list(norm = "l1", radius = 0.1, label_cost = 1, intercept = "none", scale = FALSE),
  hard = list(intercept = "none", scale = FALSE)
)
call_of <- function(cell) {
  set.seed(1)
  x <- matrix(stats::rnorm(as.double(cell$n) * cell$p), cell$n)
  score <- drop(x[, seq_len(min(10L, cell$p))] %*% rep(1, min(10L, cell$p)))
  noise <- if (cell$family == "hard") 0 else 3
  score <- score + noise * stats::rnorm(cell$n)
  y <- cut(score, c(-Inf, stats::quantile(score, seq_len(cell$classes - 1L) / cell$classes), Inf),
           labels = FALSE)
  f <- get(paste0("margin_", cell$family), envir = asNamespace("dualmargin"))
  function(seconds) {
    control <- margin_control(tol = 1e-12, seed = 1, max_epochs = 1e7, max_seconds = seconds,
                              progress = FALSE)
    given <- utils::modifyList(stated[[cell$family]], cell$given)
    timed(do.call(f, c(list(x, factor(y), solver = cell$solver, control = control), given)))
  }
}

# ---- the run -----------------------------------------------------------------------------------
path <- file.path(folder, "limits.csv")
for (i in grep(option("cells", ".", "^linear newton 6000"), label)) {
  cell <- cells[[i]]
  call <- call_of(cell)
  pass <- call(0.001)
  run <- call(limit)
  bad <- Filter(Negate(is.null), list(pass$error, run$error))
  if (length(bad)) {
    message(label[i], ": ", bad[[1L]])
    next
  }
  certificate <- certificate(run$value, by = "class")
  row <- data.frame(
    family = cell$family, solver = cell$solver, n = cell$n, p = cell$p, classes = cell$classes,
    settings = gsub("\"", "", paste(names(cell$given), vapply(cell$given, format, ""), sep = " = ",
                                    collapse = ", ")),
    max_seconds = limit, elapsed = signif(run$seconds, 3), cpu = signif(run$cpu, 3),
    own = signif(sum(run$value$status$seconds), 3), pass = signif(pass$seconds, 3),
    over = signif(run$seconds - limit - pass$seconds, 2),
    status = run$value$status$status[1L], relative_gap = signif(max(certificate$relative_gap), 2),
    load = sub(" .*", "", tryCatch(readLines("/proc/loadavg")[1L], warning = function(w) NA)),
    date = as.character(Sys.Date()),
    machine = paste(Sys.info()[["sysname"]], Sys.info()[["machine"]], R.version$version.string),
    command = "limits.R"
  )
  print(row[c(1:4, 8:14)], row.names = FALSE)
  table <- read_table(path)
  if (!identical(names(table), names(row))) table <- NULL
  key <- function(t) paste(t$family, t$solver, t$n, t$p, t$settings)
  record(rbind(table[!key(table) %in% key(row), ], row), path, row,
         keys = c("family", "solver", "n", "p", "settings"), skip = "relative_gap")
}
