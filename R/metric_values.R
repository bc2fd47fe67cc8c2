# What the metrics of R/metrics.R compute: truth, predictions and weights -> a number. What cannot
# be had, such as the precision of a class that is never predicted, is NA.

accuracy_of <- function(truth, predicted, weights) {
  stats::weighted.mean(predicted == truth, weights)
}

balanced_accuracy_of <- function(truth, predicted, weights) {
  by_class <- split(seq_along(truth), truth, drop = TRUE)
  mean(vapply(by_class, function(i) accuracy_of(truth[i], predicted[i], weights[i]), 0))
}

auroc_of <- function(truth, predicted, weights) {
  present <- levels(droplevels(truth[weights > 0]))
  # a part without a second class has no such area
  if (length(present) < 2L) {
    return(NA_real_)
  }
  if (!is.matrix(predicted)) {
    return(ordered_share(predicted, truth == levels(truth)[2L], weights))
  }
  colnames(predicted) <- levels(truth)
  pairs <- utils::combn(present, 2L, function(two) {
    rows <- truth %in% two
    mean(vapply(two, function(class) {
      ordered_share(predicted[rows, class], truth[rows] == class, weights[rows])
    }, 0))
  })
  mean(pairs)
}

# Of one class, without labels. predicted: what is outside as 1, else 0; of the first less nu.
nu_distance_of <- function(truth, predicted, weights) {
  abs(stats::weighted.mean(predicted, weights))
}

outside_of <- function(truth, predicted, weights) {
  stats::weighted.mean(predicted, weights)
}

log_loss_of <- function(truth, predicted, weights) {
  share <- predicted[cbind(seq_along(truth), as.integer(truth))]
  stats::weighted.mean(-log(share), weights)
}

brier_of <- function(truth, predicted, weights) {
  is_class <- outer(as.integer(truth), seq_along(levels(truth)), `==`)
  stats::weighted.mean(rowSums((predicted - is_class)^2) / 2, weights)
}

hinge_of <- function(truth, predicted, weights) {
  classes <- if (is.matrix(predicted)) seq_along(levels(truth)) else 2L
  sign <- 2 * outer(as.integer(truth), classes, `==`) - 1
  stats::weighted.mean(rowMeans(pmax(1 - sign * as.matrix(predicted), 0)), weights)
}

mse_of <- function(truth, predicted, weights) {
  stats::weighted.mean((predicted - truth)^2, weights)
}

mae_of <- function(truth, predicted, weights) {
  stats::weighted.mean(abs(predicted - truth), weights)
}

rmse_of <- function(truth, predicted, weights) sqrt(mse_of(truth, predicted, weights))

# 1 - sum_i w_i (y_i - f_i)^2 / sum_i w_i (y_i - mean y)^2
r2_of <- function(truth, predicted, weights) {
  spread <- mse_of(truth, stats::weighted.mean(truth, weights), weights)
  if (spread > 0) 1 - mse_of(truth, predicted, weights) / spread else NA_real_
}

# ---- From the table of classes ----

# The weight of the rows by class (in rows) and by predicted class (in columns).
weighted_table <- function(truth, predicted, weights) {
  k <- nlevels(truth)
  at <- as.integer(truth) + k * (as.integer(predicted) - 1L)
  sums <- rowsum(weights, at)
  table <- matrix(0, k, k, dimnames = list(truth = levels(truth), predicted = levels(truth)))
  table[as.integer(rownames(sums))] <- sums
  table
}

# Of two classes the value of the second, of several the mean over the classes that have one.
# share: of the weights of true positives, false negatives, false positives, true negatives.
mean_over_classes <- function(truth, predicted, weights, share) {
  table <- weighted_table(truth, predicted, weights)
  hit <- diag(table)
  missed <- rowSums(table) - hit
  alarm <- colSums(table) - hit
  values <- share(hit, missed, alarm, pmax(sum(table) - hit - missed - alarm, 0))
  if (length(values) == 2L) values <- values[2L]
  values <- values[!is.nan(values)]
  if (length(values) > 0L) mean(values) else NA_real_
}

sensitivity_share <- function(tp, fn, fp, tn) tp / (tp + fn)
specificity_share <- function(tp, fn, fp, tn) tn / (tn + fp)
precision_share <- function(tp, fn, fp, tn) tp / (tp + fp)
f1_share <- function(tp, fn, fp, tn) 2 * tp / (2 * tp + fn + fp)

sensitivity_of <- function(truth, predicted, weights) {
  mean_over_classes(truth, predicted, weights, sensitivity_share)
}

specificity_of <- function(truth, predicted, weights) {
  mean_over_classes(truth, predicted, weights, specificity_share)
}

precision_of <- function(truth, predicted, weights) {
  mean_over_classes(truth, predicted, weights, precision_share)
}

f1_of <- function(truth, predicted, weights) {
  mean_over_classes(truth, predicted, weights, f1_share)
}

kappa_of <- function(truth, predicted, weights) {
  share <- weighted_table(truth, predicted, weights) / sum(weights)
  chance <- sum(rowSums(share) * colSums(share))
  if (chance < 1) (sum(diag(share)) - chance) / (1 - chance) else NA_real_
}

# The correlation of the indicators of the classes, of the truth and of the predictions.
mcc_of <- function(truth, predicted, weights) {
  share <- weighted_table(truth, predicted, weights) / sum(weights)
  if (nrow(share) == 2L) {
    return(mcc_of_two(share[2L, 2L], share[2L, 1L], share[1L, 2L], share[1L, 1L]))
  }
  own <- rowSums(share)
  called <- colSums(share)
  spread <- (1 - sum(own^2)) * (1 - sum(called^2))
  if (spread > 0) (sum(diag(share)) - sum(own * called)) / sqrt(spread) else NA_real_
}

# The metrics of predicted classes, for two classes of which the second is positive: `compute` as in
# known_metrics(), and `value`, a function of the weights of true positives, false negatives, false
# positives and true negatives, each a vector with an entry for each threshold.
two_class_metrics <- function() {
  rates <- function(tp, fn, fp, tn) cbind(tp / (tp + fn), tn / (tn + fp))
  list(
    list(compute = accuracy_of,
         value = function(tp, fn, fp, tn) (tp + tn) / (tp + fn + fp + tn)),
    list(compute = balanced_accuracy_of, value = function(tp, fn, fp, tn) {
      rowMeans(rates(tp, fn, fp, tn), na.rm = TRUE)
    }),
    list(compute = kappa_of, value = function(tp, fn, fp, tn) {
      total <- tp + fn + fp + tn
      chance <- (tp + fn) / total * (tp + fp) / total + (tn + fp) / total * (tn + fn) / total
      ifelse(chance < 1, ((tp + tn) / total - chance) / (1 - chance), NA_real_)
    }),
    list(compute = mcc_of, value = mcc_of_two),
    list(compute = sensitivity_of, value = sensitivity_share),
    list(compute = specificity_of, value = specificity_share),
    list(compute = precision_of, value = precision_share),
    list(compute = f1_of, value = f1_share)
  )
}

# Without the differences from 1 of the formula of several classes, of which rounding can be all.
mcc_of_two <- function(tp, fn, fp, tn) {
  total <- tp + fn + fp + tn
  spread <- (tp + fn) / total * (tp + fp) / total * (tn + fp) / total * (tn + fn) / total
  ifelse(spread > 0, (tp / total * tn / total - fp / total * fn / total) / sqrt(spread), NA_real_)
}

# ---- From the order of the rows ----

# The share of the pairs of a positive and a negative row whose scores are in that order, equal ones
# counting half.
ordered_share <- function(score, positive, weights) {
  by_score <- score_groups(score, positive, weights)
  below <- cumsum(by_score$negative) - by_score$negative
  sum(by_score$positive * (below + by_score$negative / 2)) / sum(by_score$positive) /
    sum(by_score$negative)
}

# Weights of the positive and of the negative rows at each score, from the smallest.
score_groups <- function(score, positive, weights) {
  distinct <- sort(unique(score))
  at <- match(score, distinct)
  total <- function(rows) {
    sums <- rowsum(weights[rows], at[rows])
    replace(numeric(length(distinct)), as.integer(rownames(sums)), sums)
  }
  data.frame(score = distinct, positive = total(positive), negative = total(!positive))
}

# Every threshold that tells rows apart, from Inf down: what is at or above it counts as positive.
operating_points <- function(score, positive, weights) {
  used <- weights > 0
  groups <- score_groups(score[used], positive[used], weights[used])
  down <- rev(seq_len(nrow(groups)))
  data.frame(threshold = c(Inf, groups$score[down]), hit = c(0, cumsum(groups$positive[down])),
             alarm = c(0, cumsum(groups$negative[down])))
}

# Precision and recall; where nothing is called positive the precision is 1 by convention.
precision_recall <- function(points) {
  called <- points$hit + points$alarm
  data.frame(threshold = points$threshold, recall = points$hit / max(points$hit),
             precision = ifelse(called > 0, points$hit / called, 1))
}

# Of two classes the value of the second, of several the mean over the classes that have rows.
# area: of a curve of precision_recall().
mean_precision_area <- function(truth, predicted, weights, area) {
  classes <- if (is.matrix(predicted)) seq_len(nlevels(truth)) else 2L
  predicted <- as.matrix(predicted)
  areas <- vapply(seq_along(classes), function(j) {
    positive <- as.integer(truth) == classes[j]
    if (!any(weights[positive] > 0)) {
      return(NA_real_)
    }
    area(precision_recall(operating_points(predicted[, j], positive, weights)))
  }, 0)
  if (all(is.na(areas))) NA_real_ else mean(areas, na.rm = TRUE)
}

auprc_of <- function(truth, predicted, weights) {
  mean_precision_area(truth, predicted, weights, function(curve) {
    n <- nrow(curve)
    sum(diff(curve$recall) * (curve$precision[-n] + curve$precision[-1L]) / 2)
  })
}

average_precision_of <- function(truth, predicted, weights) {
  mean_precision_area(truth, predicted, weights, function(curve) {
    sum(diff(curve$recall) * curve$precision[-1L])
  })
}

# ---- Calibration ----

# Ten bins of equal width of the probability of the second of two classes, and of several classes of
# that of the most probable: the mean distance between that probability and the share of the bin.
calibration_error_of <- function(truth, predicted, weights) {
  if (ncol(predicted) == 2L) {
    called <- predicted[, 2L]
    happened <- as.integer(truth) == 2L
  } else {
    most <- max.col(predicted, ties.method = "first")
    called <- predicted[cbind(seq_along(most), most)]
    happened <- as.integer(truth) == most
  }
  bin <- pmin(floor(10 * called), 9)
  sum(abs(rowsum(weights * (called - happened), bin))) / sum(weights)
}
