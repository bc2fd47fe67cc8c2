# The width of an rbf kernel that is taken from more than 2,000 rows, by those that a hash of their
# values draws: how far it moves in other units, and what it costs. Each column is multiplied by a
# number from 1e-3 to 1e3 ("scale"), or that and its sign turned and a shift added, up to ten times
# its size ("affine"), and 1/sqrt(sigma), the width in the unit of distances, is compared with that of the
# data as they are and with that of all pairs of 5,000 rows. The columns are scaled by the fit,
# so that only the rows drawn can differ.
#
# `seconds`: of the width, by the processor: of a fit with 5 landmarks without `sigma`, less one with.
# `fit_seconds`: of a kernel fit to the first 4,000 rows with a given width; `share` is that of the
# width of these rows in it. `old_seconds`: of the median that stood in its place until version
# 0.3, over every (n/200)th row, as R computes it. Medians of three.
#
# Usage: Rscript kernel_width.R [folder for the results] [--changes=20] [--sets=regex]
# writes: kernel_width.csv
# depends: src/rows src/kernel R/margin_kernel.R
# seeds: 1 (rows), 1 to 20 (units)

source(file.path(dirname(sub("^--file=", "", grep("^--file=", commandArgs(), value = TRUE)[1L])),
                 "..", "experiments", "_driver.R"))
changes <- as.integer(option("changes", "20"))

drawn <- function(n, rows) {
  set.seed(1)
  rows(n)
}
sets <- list(
  "a9a" = function() as.matrix(margin_data("a9a")$x),
  "covtype (20,000 rows)" = function() {
    x <- as.matrix(margin_data("covtype_sub92962_7")$x)
    set.seed(1)
    x[sample(nrow(x), 20000L), ]
  },
  "spambase" = function() as.matrix(spambase[1:57]),
  "normal, 10 columns" = function() drawn(20000, function(n) matrix(stats::rnorm(10 * n), n)),
  "normal, 1 column" = function() drawn(20000, function(n) matrix(stats::rnorm(n), n)),
  "five clusters, 3 columns" = function() drawn(20000, function(n) {
    matrix(stats::rnorm(15, sd = 5), 5)[sample(5L, n, TRUE), ] + matrix(stats::rnorm(3 * n), n)
  }),
  "lognormal, 5 columns" = function() drawn(20000, function(n) {
    matrix(stats::rlnorm(5 * n, sdlog = 1.5), n)
  }),
  "t of 2 degrees, 5 columns" = function() drawn(20000, function(n) {
    matrix(stats::rt(5 * n, 2), n)
  }),
  "a column of 0 and 1 and a normal one" = function() drawn(20000, function(n) {
    cbind(stats::rbinom(n, 1, 0.3), stats::rnorm(n))
  })
)
sets <- sets[grep(option("sets", ".", "^normal, 1 "), names(sets))]

# of no account but for the kernel
labels_of <- function(x) rep(1:2, length.out = nrow(x))
short_fit <- function(x, ...) {
  quiet(margin_kernel(x, labels_of(x), ..., loss = "squared", nystrom = 5, intercept = "none",
                      scale = TRUE, control = margin_control(max_epochs = 1, seed = 1,
                                                             progress = FALSE)))
}
width <- function(x) 1 / sqrt(short_fit(x)$settings$kernel$sigma)
in_units <- function(x, seed, affine) {
  set.seed(seed)
  p <- ncol(x)
  by <- 10^stats::runif(p, -3, 3)
  if (!affine) {
    return(sweep(x, 2L, by, `*`))
  }
  size <- pmax(apply(abs(x), 2L, max), 1e-300)
  sweep(sweep(x, 2L, stats::runif(p, -10, 10) * size, `+`), 2L, by * sample(c(-1, 1), p, TRUE),
        `*`)
}
cpu <- function(f) stats::median(vapply(1:3, function(i) timed(f())$cpu, 0))

path <- file.path(folder, "kernel_width.csv")
for (name in names(sets)) {
  x <- tryCatch(sets[[name]](), dualmargin_input_error = function(condition) NULL)
  if (is.null(x)) {
    message(name, ": margin_data() does not find it; left out.")
    next
  }
  own <- width(x)
  scaled <- scale(x[, apply(x, 2L, stats::sd) > 0, drop = FALSE])
  set.seed(1)
  some <- scaled[sample(nrow(x), min(nrow(x), 5000L)), , drop = FALSE]
  between <- as.vector(stats::dist(some))
  all_pairs <- stats::median(between[between > 0])
  rm(between)
  moved <- lapply(c(scale = FALSE, affine = TRUE), function(affine) {
    abs(vapply(seq_len(changes), function(s) width(in_units(x, s, affine)), 0) / own - 1)
  })
  row <- data.frame(
    set = name, n = nrow(x), p = ncol(x), changes = changes, width = signif(own, 4),
    worst_scale = signif(max(moved$scale), 2), median_affine = signif(stats::median(moved$affine), 2),
    worst_affine = signif(max(moved$affine), 2), from_all_pairs = signif(own / all_pairs - 1, 2)
  )
  few <- x[seq_len(min(4000L, nrow(x))), , drop = FALSE]
  response <- factor(few[, 1L] + few[, ncol(few)] > stats::median(few[, 1L] + few[, ncol(few)]))
  given <- kernel_rbf(1 / own^2)
  old <- function() {
    stats::median(stats::dist(scaled[round(seq(1, nrow(scaled), length.out = 200)), ]))^2
  }
  less <- function(data) {
    max(0, cpu(function() short_fit(data)) - cpu(function() short_fit(data, kernel = given)))
  }
  fit_seconds <- cpu(function() {
    quiet(margin_kernel(few, response, given, loss = "logistic", intercept = "none",
                        scale = TRUE))
  })
  row <- cbind(row, seconds = signif(less(x), 3), old_seconds = signif(cpu(old), 2),
               fit_seconds = signif(fit_seconds, 3), share = signif(less(few) / fit_seconds, 2))
  print(row, row.names = FALSE)
  table <- read_table(path)
  if (!identical(names(table), names(row))) table <- NULL
  record(rbind(table[!table$set %in% row$set, ], row), path, row, keys = "set",
         skip = "share", floor = 1e-12)
}
