# The rules by which the pages give verdicts (vignettes/rules.Rmd), with base R alone. Methods are
# compared on the same seeds or splits; each gives a difference. A comparison is "equal" where all
# differences are exactly 0, and, of logarithms of ratios, where the interval is within one per cent
# of a ratio of 1; else "better" (or "worse") only where a paired t interval at the level at which
# Holm's procedure tests it, over all comparisons that are made together, leaves out zero; with
# fewer than five differences, or otherwise, it is "undecided".
#   - Splits of one data set overlap, so that their differences are correlated: the variance of the
#     mean is var (1/k + rho / (1 - rho)) instead of var / k, rho the share of test rows that two
#     splits have in common on average: test rows over all rows of the data set they are drawn from.
#     C. Nadeau, Y. Bengio (2003), Machine Learning 52, 239-281, doi:10.1023/A:1024068626366.
#   - S. Holm (1979), Scandinavian Journal of Statistics 6, 65-70.
#   - A run that a limit ended is known to be at the limit or beyond. Where runs are censored the
#     differences are intervals. If all are known from below (only runs of the second method were
#     ended), the lower ends take the place of the differences: their mean is not above that of the
#     differences, so that where it is told to be positive, so is the latter; no other verdict is
#     given. The same from above. Otherwise only differences whose sign is known count, in an exact
#     sign test, the others against.

# Of k differences with this mean and standard deviation: estimate, standard error and p value.
# overlap: the rho above; 0 where seeds are independent.
paired_test <- function(mean, sd, k, overlap = 0) {
  if (anyNA(mean) || anyNA(sd[k > 1]) || anyNA(k) || anyNA(overlap)) {
    stop("a comparison has a mean, a deviation, a count or an overlap of NA, and no verdict")
  }
  if (any(overlap < 0 | overlap > 1 / 3 + 1e-9)) {
    stop("an overlap lies between 0 and a third: beyond, say what is given instead")
  }
  error <- sd * sqrt(1 / k + overlap / (1 - overlap))
  p <- ifelse(mean == 0, 1, 2 * stats::pt(-abs(mean) / error, k - 1))
  data.frame(pairs = k, estimate = mean, error = error, freedom = k - 1, sign = sign(mean), p = p)
}

# The differences a - b where runs may have been ended: two columns, what they are at least and at
# most. A censored number is a lower bound of what it would have been.
censored_difference <- function(a, b, a_censored, b_censored) {
  cbind(lower = ifelse(b_censored, -Inf, a - b), upper = ifelse(a_censored, Inf, a - b))
}
sign_test <- function(differences) {
  wins <- max(sum(differences[, 1L] > 0), sum(differences[, 2L] < 0))
  n <- nrow(differences)
  min(1, 2 * stats::pbinom(wins - 1, n, 0.5, lower.tail = FALSE))
}
# Sign and p value of differences of which some are intervals.
censored_test <- function(differences, overlap) {
  for (side in 1:2) {
    ends <- differences[, side]
    if (!all(is.finite(ends))) next
    sign <- c(1, -1)[side]
    tested <- paired_test(mean(ends), stats::sd(ends), length(ends), overlap)
    return(list(sign = sign, p = if (tested$sign == sign) tested$p else 1))
  }
  list(sign = sign(sum(differences[, 1L] > 0) - sum(differences[, 2L] < 0)),
       p = sign_test(differences))
}

# differences: a named list; each element one comparison, a vector of paired differences or the two
# columns of censored_difference(). overlap: of each, or of all. words: what a positive and a
# negative one are called. ratios: they are logarithms of ratios, and "equal" also where the
# interval is within one per cent of a ratio of 1. question: of each, the question that it answers;
# Holm's procedure goes over those of one question.
# A row for each: number of pairs, estimate, lower and upper end of its interval (NA where runs are
# censored), its p value, Holm's adjusted one, the verdict, and the difference that would have been
# told with a probability of 0.8 (`detectable`).
verdicts <- function(differences, overlap = 0, words = c("better", "worse"), ratios = FALSE,
                     level = 0.95, fewest = 5L, question = NULL) {
  rows <- Map(function(one, overlap) {
    if (is.matrix(one) && any(one[, 1L] != one[, 2L])) {
      tested <- censored_test(one, overlap)
      return(data.frame(pairs = nrow(one), estimate = NA_real_, error = NA_real_,
                        freedom = NA_real_, sign = tested$sign, p = tested$p))
    }
    if (is.matrix(one)) one <- one[, 1L]
    suppressWarnings(paired_test(mean(one), stats::sd(one), length(one), overlap))
  }, differences, overlap)
  found <- judged(do.call(rbind, rows), names(differences), words, level, fewest, question)
  narrow <- ratios & !is.na(found$lower) & pmax(abs(found$lower), abs(found$upper)) <= log(1.01)
  found$verdict[narrow | vapply(differences, function(one) all(one == 0), NA)] <- "equal"
  found
}
# The same from means and their standard errors (sd / sqrt(pairs)), where only those are kept.
verdicts_of_means <- function(mean, standard_error, pairs, overlap = 0,
                              words = c("better", "worse"), level = 0.95, fewest = 5L, question = NULL) {
  rows <- paired_test(mean, standard_error * sqrt(pairs), pairs, overlap)
  judged(rows, names(mean), words, level, fewest, question)
}
judged <- function(rows, labels, words, level, fewest, question = NULL) {
  rows$p[rows$pairs < fewest] <- NA
  if (anyNA(rows$p[rows$pairs >= fewest])) stop("a comparison has a p value of NA, and no verdict")
  if (is.null(question)) question <- rep("all", nrow(rows))
  rows$adjusted <- stats::ave(rows$p, question, FUN = function(p) stats::p.adjust(p, "holm"))
  told <- !is.na(rows$adjusted) & rows$adjusted <= 1 - level
  # Holm tests the k-th smallest of m p values at alpha / (m - k + 1), up to the first that fails.
  m <- stats::ave(as.numeric(!is.na(rows$p)), question, FUN = sum)
  place <- stats::ave(rows$p, question, FUN = function(p) {
    rank(p, ties.method = "first", na.last = "keep")
  })
  step <- pmin(place, stats::ave(as.numeric(told), question, FUN = sum) + 1)
  alpha <- (1 - level) / (m - step + 1)
  half <- stats::qt(1 - alpha / 2, rows$freedom) * rows$error
  rows$lower <- rows$estimate - half
  rows$upper <- rows$estimate + half
  rows$detectable <- half + stats::qt(0.8, pmax(rows$freedom, 1)) * rows$error
  rows$verdict <- ifelse(told, ifelse(rows$sign > 0, words[1L], words[2L]), "undecided")
  data.frame(comparison = if (is.null(labels)) seq_len(nrow(rows)) else labels,
             rows[c("pairs", "estimate", "lower", "upper", "p", "adjusted", "verdict", "detectable")],
             row.names = NULL)
}
# How many of them are so and so: "2 better, 0 worse, 1 equal, 4 undecided".
count_verdicts <- function(rows, words = c("better", "worse")) {
  kinds <- c(words, if (any(rows$verdict == "equal")) "equal", "undecided")
  paste(vapply(kinds, function(kind) paste(sum(rows$verdict == kind), kind), ""), collapse = ", ")
}
# What there is of each: "12 fewer, 3 equal".
count_with_equal <- function(rows, words) {
  kinds <- c(words, "equal", "undecided")
  n <- vapply(kinds, function(kind) sum(rows$verdict == kind), 0L)
  paste(n[n > 0L], kinds[n > 0L], collapse = ", ")
}

# ---- What verdicts say of a claim ----
# "A is better than B": the words of its comparisons, `good` the one that it asks for, `bad` the
# contrary. What "k of n" leaves over is undecided, or is equal.
judge <- function(words, good, bad) {
  n <- length(words)
  for_it <- sum(words == good)
  against <- sum(words == bad)
  if (n && all(words == "equal")) return("does not hold: equal")
  if (!n || (!for_it && !against)) return("undecided")
  if (for_it == n) return("holds")
  if (!for_it) return(if (against == n) "does not hold" else
    sprintf("does not hold: contrary in %d of %d", against, n))
  if (against) return(sprintf("holds in %d, contrary in %d of %d", for_it, against, n))
  sprintf("holds in %d of %d%s", for_it, n,
          if (all(words %in% c(good, "equal"))) ", else equal" else "")
}
# "A and B are alike".
judge_alike <- function(words) {
  n <- length(words)
  equal <- sum(words == "equal")
  apart <- sum(!words %in% c("equal", "undecided"))
  if (n && equal == n) return("holds")
  if (!equal && !apart) return("undecided")
  if (!equal) return(if (apart == n) "does not hold" else
    sprintf("does not hold: they differ in %d of %d", apart, n))
  if (apart) sprintf("holds in %d, does not in %d of %d", equal, apart, n) else
    sprintf("holds in %d of %d", equal, n)
}
# Of cases that were judged one by one.
judge_each <- function(words) {
  n <- length(words)
  if (n && length(unique(words)) == 1L) return(words[[1L]])
  counts <- c("holds" = sum(words == "holds"), "does not" = sum(words == "does not hold"))
  if (!any(counts)) return("undecided")
  counts <- counts[counts > 0L]
  sprintf("%s of %d", paste(names(counts), "in", counts, collapse = ", "), n)
}

# The rules for "the gain is such a ratio" and "the rate has such an exponent", from the interval.
# Of an exponent that is a bound (`most`) only the upper end counts.
says_ratio <- function(lower, upper, expected, factor = 1.5) {
  says_within(log(lower), log(upper), log(expected), log(factor))
}
says_exponent <- function(lower, upper, expected, most = FALSE) {
  says_within(lower, upper, expected, 0.1, most)
}
says_within <- function(lower, upper, expected, width, most = FALSE) {
  inside <- (most | lower >= expected - width) & upper <= expected + width
  outside <- lower > expected | (!most & upper < expected)
  said <- ifelse(inside, "holds", ifelse(outside, "does not hold", "undecided"))
  ifelse(is.na(said), "undecided", said)
}
# measured: a list of the exponents of the runs of each case; expected: one or one each. Intervals
# by Holm's procedure over all of them, of how far they are from what is expected.
exponents_told <- function(measured, expected, most = FALSE) {
  expected <- rep_len(expected, length(measured))
  rows <- verdicts(Map(`-`, measured, expected), words = c("above", "below"))
  rows[c("estimate", "lower", "upper")] <- rows[c("estimate", "lower", "upper")] + expected
  rows$expected <- expected
  rows$said <- says_exponent(rows$lower, rows$upper, expected, most)
  rows
}
