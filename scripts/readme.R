# The figures of README.md: its lines between the marks of "measured", from the committed results,
# and its picture.
# Usage: Rscript scripts/readme.R            writes both (the picture needs the package)

measured_lines <- function(root) {
  results <- function(name) {
    utils::read.csv(Sys.glob(file.path(root, "inst", "extdata", "results", paste0(name, ".csv*"))))
  }
  geometric <- function(x) exp(mean(log(x)))
  short <- function(x) format(signif(x, 2), trim = TRUE, drop0trailing = TRUE)
  worst <- function(table, cell, ratio) {
    stats::aggregate(table[is.finite(table[[ratio]]), ][ratio],
                     table[is.finite(table[[ratio]]), ][cell], max)[[ratio]]
  }
  against <- function(what, peers, ratios) {
    sprintf("- %s beside %s: %s (%d cells, %d above 1, the largest %s)", what, peers,
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
  warm <- results("large_warm")$median_ratio
  each <- function(x) paste(short(x), collapse = " and ")
  c(
    against("Linear models", "the fastest of LiblineaR and scikit-learn",
            worst(linear, c("data", "loss", "lambda"), "median_ratio")),
    against("Kernel machines", "the faster of e1071 and kernlab, where these reach the accuracy",
            worst(results("kernel_peers"), c("data", "cost", "accuracy"), "ratio")),
    against("Support vector and quantile regression", "e1071, kernlab and LiblineaR",
            worst(results("regression_peers"),
                  c("data", "family", "intercept", "loss", "cost", "accuracy"), "ratio")),
    against("Softmax", "glmnet or nnet",
            worst(softmax, c("set", "intercept", "lambda"), "ratio")),
    against("One class", "e1071 and kernlab",
            worst(results("oneclass_peers"), c("set", "nu", "accuracy"), "best")),
    against("Robust machines", "ECOSolveR, clarabel and HiGHS",
            worst(robust, c("data", "norm", "ridge", "accuracy"), "median_ratio")),
    sprintf("- Exact leave-one-out errors take %s to %s per cent of the time of n warm-started refits (%d cells).",
            short(100 * min(loo$loo_per_warm)), short(100 * max(loo$loo_per_warm)), nrow(loo)),
    sprintf("- Files of 4 GB, dense and sparse, fitted to 1e-6 with 1 GB of memory: %s seconds;",
            each(sort(disk$seconds))),
    sprintf("  with memory for the whole file, %s times the time of a fit in memory.", each(sort(warm)))
  )
}

readme_marks <- c("<!-- measured: by scripts/readme.R -->", "<!-- end of measured -->")

if (sys.nframe() == 0L) {
  lines <- readLines("README.md")
  at <- match(readme_marks, lines)
  writeLines(c(lines[seq_len(at[1L])], measured_lines("."), lines[at[2L]:length(lines)]),
             "README.md")
  library(dualmargin)
  grDevices::png("man/figures/README-certificate.png", 1200, 560, res = 150)
  train <- seq(1, nrow(spambase), by = 2)
  fit <- margin_linear(type ~ ., spambase[train, ], loss = "hinge", lambda = 1e-3,
                       solver = "dual_cd",
                       control = margin_control(certify_every_epoch = TRUE, seed = 1, tol = 1e-3))
  trace <- convergence(fit)
  graphics::par(mar = c(3.4, 4.8, 0.6, 0.8), mgp = c(2.4, 0.6, 0), tcl = -0.3, las = 1)
  shown <- trace[trace$epoch <= 25 & trace$epoch > 0, ]
  graphics::plot(NA, xlim = range(shown$epoch), ylim = c(0, 0.3), xlab = "passes over the data",
                 ylab = "")
  graphics::title(ylab = "objective", line = 3.6)
  graphics::polygon(c(shown$epoch, rev(shown$epoch)), c(shown$value, rev(shown$bound)),
                    col = "#dce9f2", border = NA)
  graphics::lines(shown$epoch, shown$value, lwd = 2, col = "#1b6ca8")
  graphics::lines(shown$epoch, shown$bound, lwd = 2, col = "#c8553d")
  graphics::legend("bottomright", c("objective of the fit", "no point goes below"), lwd = 2,
                   bty = "n", col = c("#1b6ca8", "#c8553d"))
  invisible(grDevices::dev.off())
}
