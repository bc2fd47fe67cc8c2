# Part of drsvm.R: the objective values that the paper prints (arXiv:2010.12865v1), all with
# kappa = 1 and epsilon = 0.1, beside certified optima of the same problems.
# writes: drsvm_tables.csv
# depends: core src/robust R/margin_robust.R
# seeds: 1 (solvers)

printed <- read.table(header = TRUE, colClasses = "character", text = "
table data   norm ridge M-ISG     IPPA      Hybrid    YALMIP
2     a1a    l1   0     0.651090  0.651091  0.651090  0.651102
2     a2a    l1   0     0.670640  0.670640  0.670640  0.670652
2     a3a    l1   0     0.662962  0.663093  0.662962  0.663060
2     a4a    l1   0     0.674274  0.674274  0.674273  0.674274
2     a6a    l1   0     0.654189  0.654189  0.654189  0.654194
2     a7a    l1   0     0.656274  0.656274  0.656273  0.656411
2     a8a    l1   0     0.650036  0.650036  0.650035  0.650081
2     a9a    l1   0     0.642186  0.642186  0.642185  0.642596
3     a1a    l2   0     NA        0.6339472 NA        0.6338819
3     a2a    l2   0     NA        0.6599856 NA        0.6599099
3     a3a    l2   0     NA        0.6443777 NA        0.6442762
3     a4a    l2   0     NA        0.6513987 NA        0.6513899
3     a6a    l2   0     NA        0.6428831 NA        0.6428806
3     a7a    l2   0     NA        0.6459271 NA        0.6462302
3     a8a    l2   0     NA        0.6441057 NA        0.6441057
3     a9a    l2   0     NA        0.6389162 NA        0.6437767
3     ijcnn1 l2   0     NA        0.4781876 NA        0.4781897
4     a1a    linf 0     NA        NA        NA        NA
4     a2a    linf 0     NA        NA        NA        NA
4     a3a    linf 0     NA        NA        NA        NA
4     a4a    linf 0     NA        NA        NA        NA
4     a6a    linf 0     NA        NA        NA        NA
4     a7a    linf 0     NA        NA        NA        NA
4     a8a    linf 0     NA        NA        NA        NA
4     a9a    linf 0     NA        NA        NA        NA
4     ijcnn1 linf 0     NA        NA        NA        NA
7     a1a    l1   1     0.7871456 0.7871450 0.7871445 0.7871462
7     a2a    l1   1     0.8002882 0.8002879 0.8002879 0.8003101
7     a3a    l1   1     0.7826654 0.7826653 0.7826653 0.7826653
7     a4a    l1   1     0.7929724 0.7929724 0.7929724 0.7929959
7     a6a    l1   1     0.7764425 0.7764425 0.7764425 0.7767701
7     a7a    l1   1     0.7822116 0.7822114 0.7822115 0.7827171
7     a8a    l1   1     0.7805498 0.7805498 0.7805498 0.7836023
7     a9a    l1   1     0.7767114 0.7767099 0.7767113 0.7791881
8     a1a    linf 1     0.7853266 0.7853265 0.7853265 0.7853269
8     a2a    linf 1     0.7987669 0.7987666 0.7987667 0.7987663
8     a3a    linf 1     0.7810149 0.7810140 0.7810145 0.7810568
8     a4a    linf 1     0.7913534 0.7913534 0.7913534 0.7913963
8     a6a    linf 1     0.7748542 0.7748533 0.7748537 0.7759606
8     a7a    linf 1     0.7806894 0.7806894 0.7806894 0.7811091
8     a8a    linf 1     0.7789801 0.7789800 0.7789800 0.7850996
8     a9a    linf 1     0.7750633 0.7750633 0.7750633 0.7776798
", check.names = FALSE)
methods <- c("M-ISG", "IPPA", "Hybrid", "YALMIP")

rows <- list()
for (name in if (spotting) "a1a" else unique(printed$data)) {
  data <- margin_data(name)
  for (k in which(printed$data == name)) {
    problem <- printed[k, ]
    fit <- robust(data$x, data$y, problem$norm, ridge = as.numeric(problem$ridge), tol = 1e-10,
                  max_epochs = 20000)
    best <- certificate(fit)
    size <- switch(problem$norm, l1 = sum(abs(coef(fit))), l2 = sqrt(sum(coef(fit)^2)),
                   linf = max(abs(coef(fit))))
    # What is left of epsilon for moving features: where it is positive, every optimal point has
    # |w|_q = lambda, since lambda - |w|_q is at most the gap over theta.
    theta <- 0.1 - mean(fit$dual_flip)
    # the value itself as text: its number of digits says how it was rounded
    rows[[length(rows) + 1L]] <- data.frame(
      problem[c("table", "data", "norm", "ridge")], n = nrow(data$x), value = best$value,
      bound = best$bound, norm_bound = fit$norm_bound, size, theta, problem[methods],
      check.names = FALSE
    )
  }
  message(format(Sys.time(), "%T "), name)
}
tables <- do.call(rbind, rows)
tables$value <- sprintf("%.12f", tables$value)
tables$bound <- sprintf("%.12f", tables$bound)
tables$norm_bound <- signif(tables$norm_bound, 8)
tables$size <- signif(tables$size, 8)
tables$theta <- signif(tables$theta, 6)
save_results(tables[order(tables$table, match(tables$data, unique(printed$data))), ], "tables",
             keys = c("table", "data", "norm", "ridge"), skip = "bound", tolerance = 1e-6,
             floor = 1e-9)
