# The figures of README.md: its lines between the marks of "measured", from the committed results,
# and its picture.
# Usage: Rscript scripts/readme.R            writes both (the picture needs the package). Refuses results
# that are older than their sources and of which no cheap row was found to be the same since (make stale,
# make spot): a line says which are left out.

readme_results <- c(
  linear_peers = "linear models", robust_peers = "robust machines", multinomial_peers = "softmax",
  decisions_loo = "leave-one-out errors", large_rows = "files of 4 GB", large_warm = "files of 4 GB",
  kernel_peers = "kernel machines", regression_peers = "support vector and quantile regression",
  oneclass_peers = "one class"
)

# Those that are neither current nor spotted, by the table of inst/extdata/stale.csv.
unvouched_results <- function(table, names = base::names(readme_results)) {
  row <- table[match(paste0(names, ".csv"), table$file), ]
  current <- !is.na(row$file) & (is.na(row$changed) | row$changed == "")
  names[!current & !row$spot %in% "same"]
}

measured_lines <- function(root) {
  old <- unvouched_results(utils::read.csv(file.path(root, "inst", "extdata", "stale.csv")))
  # the line of results, which is not made where one of them is refused
  of <- function(names, line) if (any(names %in% old)) character() else line
  results <- function(name) {
    stopifnot(name %in% names(readme_results))
    utils::read.csv(Sys.glob(file.path(root, "inst", "extdata", "results", paste0(name, ".csv*"))))
  }
  geometric <- function(x) exp(mean(log(x)))
  short <- function(x) format(signif(x, 2), trim = TRUE, drop0trailing = TRUE)
  worst <- function(table, cell, ratio) {
    stats::aggregate(table[is.finite(table[[ratio]]), ][ratio],
                     table[is.finite(table[[ratio]]), ][cell], max)[[ratio]]
  }
  against <- function(what, peers, ratios) {
    sprintf("- %s beside %s: %s (%d problems, %d above 1, the largest %s)", what, peers,
            short(geometric(ratios)), length(ratios), sum(ratios > 1), short(max(ratios)))
  }
  linear <- results("linear_peers")
  linear <- linear[linear$penalty == "ridge" & linear$intercept == "none" &
                     linear$outcome == "reached", ]
  robust <- results("robust_peers")
  robust <- robust[robust$outcome == "reached", ]
  several <- results("multinomial_peers")
  softmax <- several[several$model == "softmax", ]
  loo <- results("decisions_loo")
  loo <- loo[is.finite(loo$loo_per_warm), ]
  disk <- results("large_rows")
  disk <- disk[disk$where == "disk" & disk$file_gb > 3.9, ]
  each <- function(x) paste(short(x), collapse = " and ")
  c(
    of("linear_peers", against("Linear models", "the fastest of LiblineaR, glmnet, adelie and scikit-learn",
                               worst(linear, c("data", "loss", "lambda"), "median_ratio"))),
    of("kernel_peers", against("Kernel machines", "the faster of e1071 and kernlab, where these reach the accuracy",
                               worst(results("kernel_peers"), c("data", "cost", "accuracy"), "ratio"))),
    of("regression_peers", against("Support vector and quantile regression", "e1071, kernlab and LiblineaR",
                                   worst(results("regression_peers"),
                                         c("data", "family", "intercept", "loss", "cost", "accuracy"), "ratio"))),
    of("multinomial_peers", against("Softmax", "glmnet or nnet",
                                    worst(softmax, c("set", "intercept", "lambda"), "ratio"))),
    of("oneclass_peers", against("One class", "e1071 and kernlab",
                                 worst(results("oneclass_peers"), c("set", "nu", "accuracy"), "best"))),
    of("robust_peers", against("Robust machines", "ECOSolveR, clarabel and HiGHS",
                               worst(robust, c("data", "norm", "ridge", "accuracy"), "median_ratio"))),
    of("decisions_loo", sprintf(
      "- Exact leave-one-out errors take %s to %s per cent of the time of n warm-started refits (%d problems).",
      short(100 * min(loo$loo_per_warm)), short(100 * max(loo$loo_per_warm)), nrow(loo)
    )),
    of(c("large_rows", "large_warm"), sprintf(
      "- Files of 4 GB, dense and sparse, fitted to 1e-6 with 1 GB of memory: %s seconds (%s times a fit in memory).",
      each(sort(disk$seconds)), each(sort(results("large_warm")$median_ratio))
    )),
    if (length(old)) {
      sprintf("- Left out until they are measured with this version: %s.", toString(unique(readme_results[old])))
    }
  )
}

# One data set, fits of four packages: how far each is above the proven optimum of its own problem, and
# the accuracy on held-out rows of the fit and of that optimum.
audited_fits <- function() {
  train <- seq(1, nrow(spambase), by = 2)
  x <- as.matrix(spambase[train, -58])
  y <- spambase$type[train]
  liblinear <- function(type) LiblineaR::LiblineaR(x, y, type = type)
  classes <- function(fit, x) {
    if (inherits(fit, "LiblineaR")) return(stats::predict(fit, x)$predictions)
    if (inherits(fit, "glmnet")) return(stats::predict(fit, x, type = "class")[, 1L])
    if (isS4(fit)) kernlab::predict(fit, x) else stats::predict(fit, x)
  }
  new <- as.matrix(spambase[-train, -58])
  accuracy <- function(fit) mean(as.character(classes(fit, new)) == spambase$type[-train])
  set.seed(1)
  fits <- list("LiblineaR, logistic (its default)" = liblinear(0),
               "LiblineaR, squared hinge" = liblinear(1), "LiblineaR, hinge" = liblinear(3),
               "e1071, linear" = e1071::svm(x, y, kernel = "linear"),
               "kernlab, linear" = kernlab::ksvm(x, y, kernel = "vanilladot", C = 1),
               "glmnet, ridge" = glmnet::glmnet(x, y, "binomial", alpha = 0, lambda = 1e-3))
  rows <- lapply(fits, function(fit) {
    audit <- if (inherits(fit, "LiblineaR")) margin_audit(fit, x, y, cost = 1) else
      margin_audit(fit, x, y)
    data.frame(excess = audit$excess$relative_to, accuracy = accuracy(fit), optimum = accuracy(refit(audit)))
  })
  cbind(fit = names(fits), do.call(rbind, rows))
}
draw_audits <- function(path) {
  rows <- audited_fits()
  at <- rev(seq_len(nrow(rows)))
  grDevices::png(path, 1200, 420, res = 120, type = "cairo")
  on.exit(grDevices::dev.off())
  graphics::layout(t(1:2), widths = c(3, 2))
  graphics::par(mar = c(3.6, 13.5, 0.6, 0.6), mgp = c(2.2, 0.6, 0), tcl = -0.3, las = 1)
  colour <- ifelse(rows$excess > 0.01, "#c8553d", "#1b6ca8")
  graphics::plot(rows$excess, at, log = "x", xlim = c(1e-7, 100), ylim = c(0.6, nrow(rows) + 0.4), yaxt = "n",
                 xaxt = "n", pch = 19, cex = 1.3, col = colour, ylab = "", xlab = "objective above the proven optimum")
  graphics::axis(1, 10^c(-6, -3, 0), c("0.0001 %", "0.1 %", "100 %"))
  graphics::axis(2, at, rows$fit, tick = FALSE)
  graphics::abline(h = at, col = "grey92")
  graphics::points(rows$excess, at, pch = 19, cex = 1.3, col = colour)
  graphics::par(mar = c(3.6, 0.6, 0.6, 1))
  graphics::plot(rows$accuracy, at, xlim = c(min(rows$accuracy) - 0.01, 0.95), ylim = c(0.6, nrow(rows) + 0.4), yaxt = "n", type = "n",
                 ylab = "", xlab = "accuracy on held-out rows")
  graphics::abline(h = at, col = "grey92")
  graphics::segments(rows$accuracy, at, rows$optimum, at, lwd = 2, col = colour)
  graphics::points(rows$optimum, at, pch = 124, cex = 1.3)
  graphics::points(rows$accuracy, at, pch = 19, cex = 1.3, col = colour)
  graphics::legend("bottomleft", c("the fit", "the optimum of its problem"), pch = c(19, 124), bty = "n", cex = 0.9)
}

readme_marks <- c("<!-- measured: by scripts/readme.R -->", "<!-- end of measured -->")

if (sys.nframe() == 0L) {
  lines <- readLines("README.md")
  at <- match(readme_marks, lines)
  writeLines(c(lines[seq_len(at[1L])], measured_lines("."), lines[at[2L]:length(lines)]),
             "README.md")
  library(dualmargin)
  draw_audits("man/figures/README-audit.png")
}
