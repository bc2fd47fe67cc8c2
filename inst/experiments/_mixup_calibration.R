# Part of mixup.R: does mixup make probabilities better? 400 rows of spambase to learn from, 400 to
# choose lambda by (log loss), the other 3,801 to test on, drawn anew 20 times. Logistic loss, rbf
# kernel of sigma = 1/57 on columns divided by their standard deviation in the training rows; 400
# mixed rows or none. lambda is in units of one over the 400 rows.
# writes: mixup_calibration.csv mixup_reliability.csv
# depends: core src/kernel R/margin_kernel.R R/perturbation.R
# seeds: 1 to 20 (splits, mixed rows)

splits <- 20L
size <- 400L
ways <- list("none" = NULL, "Beta(1, 1)" = mixup_pairs(size),
             "Beta(0.2, 0.2)" = mixup_pairs(size, alpha = 0.2))
times <- 10^(0:-4)
x <- as.matrix(spambase[-58L])
spam <- spambase$type == "spam"

log_loss <- function(p, y) -mean(log(pmax(ifelse(y, p, 1 - p), 1e-15)))
bin_of <- function(p) pmin(floor(10 * p), 9) + 1
# Mean distance between the share of spam and the mean probability in ten bins.
calibration_error <- function(p, y) {
  bin <- bin_of(p)
  sum(abs(rowsum(p - y, bin))) / length(p)
}

measured <- list()
curves <- list()
if (spotting) {
  ways <- ways["none"]
  times <- 1e-4
}
for (split in seq_len(splits)) {
  set.seed(split)
  drawn <- sample(nrow(x))
  rows <- list(train = drawn[1:size], choose = drawn[size + 1:size], test = drawn[-(1:(2 * size))])
  for (way in names(ways)) {
    of_way <- list()
    for (strength in times) {
      fit <- kernel_fit(x[rows$train, ], factor(spam[rows$train]), kernel_rbf(1 / ncol(x)),
                        loss = "logistic", lambda = strength / size, mixup = ways[[way]],
                        scale = TRUE, tol = 1e-4, seed = split)
      p <- lapply(rows[-1L], function(at) predict(fit, x[at, ], type = "prob")[, 2L])
      y <- spam[rows$test]
      of_way[[length(of_way) + 1L]] <- list(
        p = p$test,
        row = data.frame(split, mixup = way, times = strength,
                         choose = log_loss(p$choose, spam[rows$choose]),
                         log_loss = log_loss(p$test, y), brier = mean((p$test - y)^2),
                         error = mean((p$test >= 0.5) != y),
                         calibration_error = calibration_error(p$test, y),
                         certified = certificate(fit)$certified)
      )
    }
    by <- vapply(of_way, function(one) one$row$choose, 0)
    for (k in seq_along(of_way)) of_way[[k]]$row$chosen <- k == which.min(by)
    for (one in of_way) {
      measured[[length(measured) + 1L]] <- one$row
      kinds <- c(if (one$row$chosen) "chosen", if (one$row$times == 1e-4) "weak")
      for (kind in kinds) {
        bin <- factor(bin_of(one$p), 1:10)
        curves[[length(curves) + 1L]] <- data.frame(
          kind, mixup = way, split, bin = 1:10, rows = as.vector(table(bin)),
          probability = as.vector(tapply(one$p, bin, sum)), spam = as.vector(tapply(y, bin, sum))
        )
      }
    }
  }
}
measured <- do.call(rbind, measured)
numbers <- vapply(measured, is.double, NA) & names(measured) != "times"
measured[numbers] <- lapply(measured[numbers], signif, 5)
# of one strength it is the one that is chosen
if (spotting) measured$chosen <- NULL
save_results(measured, "calibration", keys = c("split", "mixup", "times"))

# Pooled over the splits: the share of spam among the rows of each bin, its standard error over the
# splits (of the ratio of sums), and the mean probability.
curves <- do.call(rbind, curves)
curves[is.na(curves)] <- 0
pooled <- do.call(rbind, lapply(split(curves, curves[c("bin", "mixup", "kind")]), function(here) {
  share <- sum(here$spam) / sum(here$rows)
  residual <- here$spam - share * here$rows
  data.frame(here[1L, c("kind", "mixup", "bin")], rows = sum(here$rows),
             probability = signif(sum(here$probability) / sum(here$rows), 5),
             share = signif(share, 5),
             se = signif(sqrt(splits * stats::var(residual)) / sum(here$rows), 3))
}))
save_results(if (spotting) pooled[pooled$kind == "weak", ] else pooled, "reliability",
             keys = c("kind", "mixup", "bin"))
