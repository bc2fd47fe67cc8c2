# Part of mixup.R: does mixup predict better? The protocol of the paper's Table I. Its data, 24
# chemicals with two kinds of toxicity, are not publicly available; ours are random sets of 24
# samples, seven or more of each class, of the nine expression data sets of margin_data().
#   nested: leave-one-out over the 24, lambda and kernel width chosen inside every fold by leaving
#     out one of its 23 (the largest AUROC; of equals the strongest penalty, the widest kernel);
#     AUROC over the 24 scores, as in the paper.
#   outside: lambda and width chosen by leave-one-out over the 24, then one fit to all 24; AUROC
#     over the samples outside, 38 and 48 of colon and golub, which one set of 24 cannot give. Of
#     the other data sets at most 48 of them are drawn: test sets that share most of their samples
#     tell little more than one, see _verdict.R.
# The 50 mixed rows of a fit are made of its own training rows. Leaving out i and then j is leaving
# out j and then i, so both share a fit and its draws. Named data sets, and sets of samples named by
# number, replace their rows of the file that is there.
# writes: mixup_prediction.csv
# depends: core src/kernel R/margin_kernel.R R/perturbation.R
# seeds: 101 to 140 (sets of samples, test samples, mixed rows)

samples <- 24L
mixed_rows <- 50L
draws <- 5L
# Folds are solved together, up to so many rows.
at_once <- 144L
nested_subsets <- 10L
outside_subsets <- c(colon = 24L, golub = 20L, singh = 20L, shipp = 20L, west = 40L, gravier = 20L,
                     nki272 = 20L, vantveer96 = 20L, p53 = 20L)
most_tested <- c(colon = 38L, golub = 48L, singh = 48L, shipp = 48L, west = 48L, gravier = 48L,
                 nki272 = 48L, vantveer96 = 48L, p53 = 48L)
losses <- list("smooth hinge" = loss_smooth_hinge(0.5), "logistic" = "logistic",
               "squared hinge" = loss_squared_hinge(1))
# Strongest and widest first. lambda is in units of one over the number of rows, mixed ones
# included; widths in those of one over the median squared distance within the 24.
settings <- expand.grid(width = c(0.25, 1), lambda = c(1, 0.1, 0.01), loss = seq_along(losses))

# Genes on a log scale, the 2,000 that vary most, all without a look at the labels. floor: smaller
# intensities count as it; NULL where the data are logarithms already.
expression_set <- function(name, floor = NULL) {
  data <- margin_data(name)
  x <- as.matrix(data$x)
  if (!is.null(floor)) x <- log(pmin(pmax(x, floor), 16000))
  most <- order(apply(x, 2L, stats::var), decreasing = TRUE)[seq_len(min(2000L, ncol(x)))]
  list(apart = as.matrix(stats::dist(standardise(x[, most])))^2, y = signs(data$y))
}
floors <- list(colon = 0, golub = 100, singh = 10, shipp = 20, p53 = 0)

auroc <- function(score, y) {
  positive <- y > 0
  ranks <- rank(score)[positive]
  (sum(ranks) - sum(seq_along(ranks))) / (sum(positive) * sum(!positive))
}

# A fold: rows to learn from, rows to score, and with `mixed` its own draw of mixed rows. Squared
# distances to a mixed row are those to its parents, mixed, less s (1 - s) times that between them.
make_fold <- function(set, train, test, mixed) {
  y <- set$y[train]
  fold <- list(among = set$apart[train, train], across = set$apart[test, train, drop = FALSE],
               target = y)
  if (!mixed) {
    return(fold)
  }
  more <- mixup_data(matrix(0, length(train), 1L), y, mixed_rows)
  pairs <- more$pairs
  share <- rbind(diag(length(train)), matrix(0, mixed_rows, length(train)))
  rows <- length(train) + seq_len(mixed_rows)
  share[cbind(rows, pairs$first)] <- 1 - pairs$share
  share[cbind(rows, pairs$second)] <- pairs$share
  lost <- c(0 * y, pairs$share * (1 - pairs$share) * fold$among[cbind(pairs$first, pairs$second)])
  among <- share %*% fold$among %*% t(share) - outer(lost, lost, `+`)
  list(among = (among + t(among)) / 2 * (1 - diag(nrow(among))),
       across = sweep(tcrossprod(fold$across, share), 2L, lost), target = unclass(more$y))
}

# Scores of the test rows of every fold for every setting in `which`: a list of matrices. Folds are
# of one size, and some of them are solved in one fit, whose kernel is zero between folds: since
# n lambda is the same number in all of them, their problems do not touch.
scores_of <- function(folds, which = seq_len(nrow(settings)), median) {
  size <- length(folds[[1L]]$target)
  answers <- lapply(folds, function(fold) {
    matrix(NA_real_, nrow(fold$across), nrow(settings))
  })
  for (group in split(seq_along(folds), (seq_along(folds) - 1L) %/% max(1L, at_once %/% size))) {
    blocks <- lapply(seq_along(group), function(b) (b - 1L) * size + seq_len(size))
    n <- size * length(group)
    target <- soft_labels(unlist(lapply(folds[group], `[[`, "target")))
    for (width in unique(settings$width[which])) {
      kernel <- matrix(0, n, n)
      for (b in seq_along(group)) {
        kernel[blocks[[b]], blocks[[b]]] <- exp(-width / median * folds[[group[b]]]$among)
      }
      towards <- lapply(folds[group], function(fold) exp(-width / median * fold$across))
      for (k in which[settings$width[which] == width]) {
        fit <- kernel_fit(kernel, target, kernel_precomputed(), losses[[settings$loss[k]]],
                          lambda = settings$lambda[k] / n, solver = "block_sdca", tol = 1e-5)
        beta <- -fit$dual / settings$lambda[k]
        for (b in seq_along(group)) {
          answers[[group[b]]][, k] <- towards[[b]] %*% beta[blocks[[b]]]
        }
      }
    }
  }
  answers
}

# For each loss the first of its settings with the largest AUROC. scores: a row for each sample.
choose <- function(scores, y) {
  reached <- apply(scores, 2L, auroc, y)
  vapply(seq_along(losses), function(l) {
    own <- which(settings$loss == l)
    own[which.max(reached[own])]
  }, 1L)
}

# AUROCs of the losses, from one draw of mixed rows (or none) in every fold. outside: test rows of
# the second protocol.
one_trial <- function(set, inside, outside, mixed, nested) {
  y <- set$y[inside]
  median <- stats::median(set$apart[inside, inside][upper.tri(diag(samples))])
  without <- function(out) make_fold(set, inside[-out], inside[out], mixed)
  left_out <- do.call(rbind, scores_of(lapply(seq_len(samples), without), median = median))
  chosen <- choose(left_out, y)
  final <- scores_of(list(make_fold(set, inside, outside, mixed)), chosen, median)[[1L]]
  answer <- list(outside = apply(final[, chosen], 2L, auroc, set$y[outside]))
  if (nested) {
    pairs <- utils::combn(samples, 2L)
    scores <- scores_of(apply(pairs, 2L, without, simplify = FALSE), median = median)
    inner <- array(NA_real_, c(samples, samples, nrow(settings)))
    for (p in seq_along(scores)) {
      inner[pairs[2L, p], pairs[1L, p], ] <- scores[[p]][1L, ]
      inner[pairs[1L, p], pairs[2L, p], ] <- scores[[p]][2L, ]
    }
    outer <- t(vapply(seq_len(samples), function(i) {
      left_out[i, choose(inner[i, -i, ], y[-i])]
    }, numeric(length(losses))))
    answer$nested <- apply(outer, 2L, auroc, y)
  }
  answer
}

only <- intersect(arguments, names(outside_subsets))
if (!length(only)) only <- if (spotting) "colon" else names(outside_subsets)
numbers <- suppressWarnings(as.integer(arguments))
numbers <- if (all(is.na(numbers))) seq_len(max(outside_subsets)) else numbers[!is.na(numbers)]
for (name in only) {
  set <- expression_set(name, floors[[name]])
  found <- list()
  # the last of the sets of samples has no nested protocol and is cheap
  subsets <- if (spotting) outside_subsets[[name]] else
    intersect(numbers, seq_len(outside_subsets[[name]]))
  for (subset in subsets) {
    set.seed(100L + subset)
    repeat {
      inside <- sort(sample(length(set$y), samples))
      if (min(table(set$y[inside])) >= 7L) break
    }
    outside <- setdiff(seq_along(set$y), inside)
    if (length(outside) > most_tested[[name]]) {
      repeat {
        tested <- sort(sample(outside, most_tested[[name]]))
        if (length(unique(set$y[tested])) == 2L) break
      }
      outside <- tested
    }
    nested <- subset <= nested_subsets
    plain <- one_trial(set, inside, outside, FALSE, nested)
    trials <- lapply(seq_len(draws), function(draw) one_trial(set, inside, outside, TRUE, nested))
    for (protocol in names(plain)) {
      mixed <- rowMeans(do.call(cbind, lapply(trials, `[[`, protocol)))
      found[[length(found) + 1L]] <- data.frame(
        data = name, protocol, subset, loss = names(losses), none = signif(plain[[protocol]], 5),
        mixup = signif(mixed, 5), draws, rows = length(set$y),
        tested = length(outside)
      )
    }
    message(format(Sys.time(), "%T "), name, ", subset ", subset)
  }
  save_results(do.call(rbind, found), "prediction", replaced = c("data", "subset"),
               seeds = paste(toString(100L + subsets),
                             "(sets of samples, test samples, mixed rows)"),
               keys = c("data", "protocol", "subset", "loss"))
}
