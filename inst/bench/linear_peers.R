# margin_linear() beside LiblineaR in one process, interleaved, medians of ratios. Ours stops on its
# certificate (relative gap 1e-6, its computation included); a peer is credited with the fastest of its
# tolerances whose primal value is within 1e-6 of the optimum, which nothing but a certificate tells.
# scale = FALSE, no intercept. Data: a1a and spambase (scaled), a9a where margin_data() finds it.
# Usage: Rscript linear_peers.R [folder for the results]

library(dualmargin)
folder <- commandArgs(trailingOnly = TRUE)[1L]
if (is.na(folder)) folder <- file.path("inst", "extdata", "results")

spam <- as.matrix(spambase[names(spambase) != "type"])
sets <- list(
  a1a = list(x = a1a$x, y = a1a$y),
  spambase = list(x = scale(spam), y = ifelse(spambase$type == "spam", 1, -1)),
  a9a = tryCatch(margin_data("a9a"), dualmargin_input_error = function(condition) NULL)
)
sets <- Filter(Negate(is.null), sets)
types <- list(logistic = c(0L, 7L), squared_hinge = c(2L, 1L), hinge = 3L)

objective <- function(data, loss, lambda, w) {
  m <- data$y * as.vector(data$x %*% w)
  phi <- switch(loss, hinge = pmax(0, 1 - m), squared_hinge = pmax(0, 1 - m)^2,
                logistic = pmax(0, -m) + log1p(exp(-abs(m))))
  mean(phi) + lambda / 2 * sum(w^2)
}
seconds <- function(code) system.time(code, gcFirst = FALSE)[["elapsed"]]

rows <- list()
for (set in names(sets)) for (loss in names(types)) for (lambda in c(1e-2, 1e-4, 1e-6)) {
  data <- sets[[set]]
  dense <- as.matrix(data$x)  # LiblineaR makes a sparse matrix dense; that is kept out of its time
  value <- if (loss == "squared_hinge") loss_squared_hinge(0.5) else loss
  ours <- function(tol) {
    margin_linear(data$x, factor(data$y), loss = value, lambda = lambda, scale = FALSE,
                  intercept = "none", control = margin_control(tol = tol, seed = 1, progress = FALSE))
  }
  optimum <- certificate(ours(1e-9))$bound
  repeats <- if (set == "a9a") 3L else 7L
  cost <- 1 / (lambda * length(data$y))
  for (type in types[[loss]]) {
    fit <- function(eps) {
      LiblineaR::LiblineaR(dense, data$y, type = type, cost = cost, epsilon = eps, bias = 0)
    }
    reached <- NA
    for (eps in 10^-(1:7)) {
      model <- NULL
      spent <- seconds(model <- fit(eps))
      w <- drop(model$W)[seq_len(ncol(dense))] * model$ClassNames[1L]
      if (objective(data, loss, lambda, w) <= optimum * (1 + 1e-6)) {
        reached <- eps
        break
      }
      if (spent > 20) break
    }
    ratio <- if (is.na(reached)) NA else {
      median(replicate(repeats, seconds(ours(1e-6)) / seconds(fit(reached))))
    }
    rows[[length(rows) + 1L]] <- data.frame(
      data = set, loss, lambda, peer = paste("LiblineaR, type", type), peer_tolerance = reached,
      median_ratio = signif(ratio, 3)
    )
    print(rows[[length(rows)]], row.names = FALSE)
  }
}
table <- do.call(rbind, rows)
table$date <- as.character(Sys.Date())
table$machine <- paste(Sys.info()[["sysname"]], Sys.info()[["machine"]], R.version$version.string)
table$command <- "make bench"
write.csv(table, file.path(folder, "linear_peers.csv"), row.names = FALSE)
