# The rule by which the pages compare methods (inst/experiments/_verdict.R), against formulas and
# simulations that do not use it.

rule <- local({
  file <- system.file("experiments", "_verdict.R", package = "dualmargin")
  where <- new.env(parent = baseenv())
  sys.source(file, where)
  where
})

test_that("a single comparison without overlap is the paired t test", {
  set.seed(1)
  d <- rnorm(9, 0.4)
  expected <- t.test(d)
  found <- rule$verdicts(list(one = d))
  expect_equal(found$p, expected$p.value)
  expect_equal(c(found$lower, found$upper), as.vector(expected$conf.int))
  expect_equal(found$adjusted, found$p)
})

test_that("overlap multiplies the variance of the mean by 1 + k rho / (1 - rho)", {
  set.seed(2)
  d <- rnorm(10)
  for (share in c(0.1, 0.2, 1 / 3)) {
    plain <- rule$paired_test(mean(d), sd(d), 10)
    corrected <- rule$paired_test(mean(d), sd(d), 10, share)
    expect_equal((corrected$error / plain$error)^2, 1 + 10 * share / (1 - share))
    # the statistic of the paper: n2 / n1 is test rows over training rows
    n <- c(train = 1000 * (1 - share), test = 1000 * share)
    expect_equal(corrected$error^2, var(d) * (1 / 10 + n[["test"]] / n[["train"]]))
  }
})

# All that a closed test says: a hypothesis falls if every intersection that has it falls by
# Bonferroni. That is Holm's procedure.
closed <- function(p, alpha) {
  m <- length(p)
  sets <- lapply(seq_len(2^m - 1), function(code) which(bitwAnd(code, 2^(seq_len(m) - 1)) > 0))
  fallen <- vapply(sets, function(set) min(p[set]) <= alpha / length(set), NA)
  vapply(seq_len(m), function(i) all(fallen[vapply(sets, function(s) i %in% s, NA)]), NA)
}

test_that("verdicts are those of the closed test, and intervals leave out zero with them", {
  set.seed(3)
  seen <- 0
  for (trial in 1:60) {
    m <- sample(1:6, 1L)
    differences <- lapply(seq_len(m), function(i) rnorm(6, sample(c(0, 1.2, -2), 1L)))
    names(differences) <- letters[seq_len(m)]
    found <- rule$verdicts(differences)
    p <- vapply(differences, function(d) t.test(d)$p.value, 0)
    expect_equal(found$verdict != "undecided", unname(closed(p, 0.05)))
    told <- found$verdict != "undecided"
    expect_equal(found$lower > 0 | found$upper < 0, told)
    expect_true(all((found$verdict == "better")[told] == (found$estimate > 0)[told]))
    expect_true(all((found$verdict == "worse")[told] == (found$estimate < 0)[told]))
    seen <- seen + sum(told)
  }
  expect_gt(seen, 30)
})

test_that("a change of sign changes the words, order and names change nothing", {
  set.seed(4)
  differences <- lapply(c(a = 2, b = 0, c = -2, d = 1), function(m) rnorm(7, m))
  found <- rule$verdicts(differences)
  turned <- rule$verdicts(lapply(differences, `-`))
  swap <- c(better = "worse", worse = "better", "undecided" = "undecided")
  expect_equal(turned$verdict, unname(swap[found$verdict]))
  mixed <- rule$verdicts(differences[c(3, 1, 4, 2)])
  expect_equal(mixed[match(found$comparison, mixed$comparison), ], found, ignore_attr = TRUE)
  expect_setequal(found$verdict, c("better", "worse", "undecided"))
})

test_that("means with standard errors are judged as their differences are", {
  set.seed(8)
  differences <- lapply(c(a = 1, b = 0, c = -1.5), function(m) rnorm(9, m))
  for (overlap in list(0, 0.2, c(0.1, 0.3, 0))) {
    direct <- rule$verdicts(differences, overlap)
    means <- vapply(differences, mean, 0)
    errors <- vapply(differences, sd, 0) / 3
    expect_equal(rule$verdicts_of_means(means, errors, 9, overlap), direct)
  }
  # nothing differs at all
  expect_equal(rule$verdicts(list(rep(0, 6)))$verdict, "equal")
  expect_equal(rule$verdicts(list(cbind(lower = numeric(6), upper = 0)))$verdict, "equal")
})

test_that("fewer than five pairs tell nothing and cost the others nothing", {
  set.seed(5)
  sure <- rnorm(8, 3)
  found <- rule$verdicts(list(sure = sure, few = c(5, 5.1, 5.2, 4.9), one = 1))
  expect_equal(found$verdict, c("better", "undecided", "undecided"))
  expect_equal(found$adjusted[1L], rule$verdicts(list(sure = sure))$adjusted)
})

test_that("where nothing differs an error is rarer than 5 in 100, whatever is compared together", {
  set.seed(6)
  wrong <- replicate(400, {
    shared <- rnorm(6) # correlated comparisons
    any(rule$verdicts(lapply(1:4, function(i) rnorm(6) + shared))$verdict != "undecided")
  })
  expect_lt(mean(wrong), 0.05 + 2 * sqrt(0.05 * 0.95 / 400))
  # where overlapping splits share variance, the corrected rule keeps to it and the plain one does not
  false <- function(share) {
    mean(replicate(400, {
      d <- rnorm(10) + rnorm(1) * sqrt(0.2 / 0.8)
      rule$verdicts(list(d), overlap = share)$verdict != "undecided"
    }))
  }
  expect_lt(false(0.2), 0.08)
  expect_gt(false(0), 0.2)
})

test_that("censored runs count as far as they are known", {
  a <- c(600, 600, 600, 600, 600, 600)
  b <- c(10, 20, 15, 12, 11, 14)
  ended <- rep(TRUE, 6)
  all_known <- rule$censored_difference(a, b, ended, !ended)
  expect_true(all(is.infinite(all_known[, "upper"])))
  # known from below: the t test of what they are at least
  found <- rule$verdicts(list(x = all_known))
  expect_equal(found$verdict, "better")
  expect_equal(found$p, t.test(a - b)$p.value)
  from_above <- rule$censored_difference(b, a, !ended, ended)
  expect_equal(rule$verdicts(list(x = from_above))$verdict, "worse")
  expect_equal(rule$verdicts(list(x = from_above))$p, found$p)
  # such a bound says nothing of the other direction
  above_the_limit <- rule$censored_difference(b, a, ended, !ended)
  expect_equal(rule$verdicts(list(x = above_the_limit))$p, 1)
  # one pair whose both runs were ended says nothing, and then six are too few
  unknown <- rule$censored_difference(a, c(b[-6], 600), ended, c(!ended[-6], TRUE))
  expect_equal(rule$verdicts(list(x = unknown))$verdict, "undecided")
  expect_equal(rule$verdicts(list(x = unknown))$p, binom.test(5, 6)$p.value)
  # nothing censored: the t test
  plain <- rule$censored_difference(a, b, !ended, !ended)
  expect_equal(rule$verdicts(list(x = plain))$p, t.test(a - b)$p.value)
  # no completion of the censored runs can turn a sign that was counted
  set.seed(7)
  for (trial in 1:50) {
    a <- rexp(8)
    b <- rexp(8)
    limit <- 1
    bounds <- rule$censored_difference(pmin(a, limit), pmin(b, limit), a > limit, b > limit)
    expect_true(all(bounds[, 1L] <= a - b & a - b <= bounds[, 2L]))
  }
  # and where nothing differs an error stays rare, whichever of the tests is used
  for (limit in c(0.5, 1.5, 3)) {
    wrong <- mean(replicate(400, {
      a <- rexp(10)
      b <- rexp(10)
      bounds <- rule$censored_difference(log(pmin(a, limit)), log(pmin(b, limit)), a > limit,
                                         b > limit)
      rule$verdicts(list(bounds))$verdict != "undecided"
    }))
    expect_lt(wrong, 0.05 + 2 * sqrt(0.05 * 0.95 / 400))
  }
})

test_that("differences that are all nothing, and intervals within one per cent, are equal", {
  set.seed(8)
  differences <- list(none = numeric(6), tiny = 1e-4 * rnorm(6), large = 2 + rnorm(6) / 10,
                      few = c(0, 0), wide = rnorm(6), near = log(1.009) + 1e-6 * rnorm(6))
  found <- rule$verdicts(differences, words = c("more", "less"), ratios = TRUE)
  expect_identical(found$verdict,
                   c("equal", "equal", "more", "equal", "undecided", "equal"))
  expect_identical(rule$count_with_equal(found, c("more", "less")),
                   "1 more, 4 equal, 1 undecided")
  # differences that are no ratios are equal only where there is none
  plain <- rule$verdicts(differences, words = c("more", "less"))
  expect_identical(plain$verdict == "equal", c(TRUE, FALSE, FALSE, TRUE, FALSE, FALSE))
  expect_identical(plain[c("estimate", "lower", "upper")], found[c("estimate", "lower", "upper")])
})

test_that("the words of a claim count every comparison once", {
  words <- c("more", "less", "equal", "undecided")
  set.seed(10)
  for (trial in 1:60) {
    drawn <- sample(sample(words, sample(4L, 1L)), sample(6L, 1L), replace = TRUE)
    said <- rule$judge(drawn, "more", "less")
    expect_identical(said == "holds", all(drawn == "more"))
    expect_identical(grepl("^holds", said), any(drawn == "more"))
    expect_identical(grepl("^does not hold", said),
                     !any(drawn == "more") && (any(drawn == "less") || all(drawn == "equal")))
    expect_identical(grepl("contrary in", said), any(drawn == "less") && !all(drawn == "less"))
    alike <- rule$judge_alike(drawn)
    expect_identical(alike == "holds", all(drawn == "equal"))
    expect_identical(grepl("^does not hold", alike),
                     !any(drawn == "equal") && any(drawn %in% c("more", "less")))
  }
  expect_identical(rule$judge(character(), "more", "less"), "undecided")
  expect_identical(rule$judge(c("more", "equal"), "more", "less"), "holds in 1 of 2, else equal")
  expect_identical(rule$judge_each(c("holds", "does not hold", "undecided")),
                   "holds in 1, does not in 1 of 3")
  expect_identical(rule$judge_each(c("undecided", "undecided")), "undecided")
})

test_that("exponents are judged by one rule, of one side where they are bounds", {
  runs <- list(exact = c(-1.01, -0.99, -1, -1.02, -0.98), fast = c(-2, -2.1, -1.9, -2.05, -1.95),
               slow = c(-0.5, -0.45, -0.55, -0.52, -0.48), few = c(-1, -1.01))
  is <- rule$exponents_told(runs, -1)
  expect_identical(is$said, c("holds", "does not hold", "does not hold", "undecided"))
  bound <- rule$exponents_told(runs, -1, most = TRUE)
  expect_identical(bound$said, c("holds", "holds", "does not hold", "undecided"))
  expect_equal(is$estimate, unname(vapply(runs, mean, 0)))
  # one alone has the interval of the t test
  one <- rule$exponents_told(runs["slow"], -1)
  expect_equal(c(one$lower, one$upper), as.vector(t.test(runs$slow)$conf.int))
})

test_that("claims of a size hold where the interval lies near, else fail where it leaves them out", {
  lower <- c(8, 8, 16, 11, 1, 1)
  upper <- c(12, 16, 30, 12, 9, 40)
  expect_identical(rule$says_ratio(lower, upper, 10),
                   c("holds", "undecided", "does not hold", "holds", "does not hold",
                     "undecided"))
  # an interval within a factor of 1.5 that leaves the ratio out is too near to say no
  expect_identical(rule$says_exponent(c(-1.05, -0.85, -1.5), c(-0.95, -0.8, -0.6), -1),
                   c("holds", "does not hold", "undecided"))
  # turned over, a ratio says the same of its inverse
  set.seed(9)
  for (trial in 1:50) {
    ends <- sort(rexp(2, 0.1))
    expect_identical(rule$says_ratio(ends[1L], ends[2L], 10),
                     rule$says_ratio(1 / ends[2L], 1 / ends[1L], 1 / 10))
  }
})

test_that("nothing is said of a comparison that lacks a number, or of an overlap that has no source", {
  d <- c(1, 2, 3, 2, 1)
  for (bad in list(c(d, NA), NaN * d)) expect_error(rule$verdicts(list(a = d, b = bad)), "no verdict")
  expect_error(rule$verdicts(list(d), overlap = NA_real_), "no verdict")
  expect_error(rule$verdicts(list(d, d), overlap = c(0.1, NA)), "no verdict")
  expect_error(rule$verdicts_of_means(1, NA, 6), "no verdict")
  expect_error(rule$verdicts(list(d), overlap = 0.5), "third")
  expect_error(rule$judged(data.frame(pairs = 6, estimate = 1, error = 1, freedom = 5, sign = 1, p = NA_real_),
                           NULL, c("a", "b"), 0.95, 5L), "no verdict")
})

test_that("Holm's procedure goes over the comparisons of a question, whatever else is asked", {
  set.seed(11)
  differences <- lapply(c(1, 0, 0.8, 2, -1, 0.3), function(m) rnorm(8, m))
  question <- c("a", "b", "a", "b", "a", "b")
  found <- rule$verdicts(differences, question = question)
  for (one in unique(question)) {
    apart <- rule$verdicts(differences[question == one])
    expect_equal(found[question == one, -1L], apart[, -1L], ignore_attr = TRUE)
  }
  # the difference that is told with a probability of 0.8, by simulation
  k <- 12
  seen <- replicate(300, {
    d <- rnorm(k)
    d <- d - mean(d) + rnorm(1, rule$verdicts(list(d))$detectable, sd(d) / sqrt(k))
    rule$verdicts(list(d))$verdict == "better"
  })
  expect_lt(abs(mean(seen) - 0.8), 3 * sqrt(0.16 / 300) + 0.03)
})

test_that("the comparisons of seconds of the robust paper are those of the results", {
  root <- Sys.getenv("DUALMARGIN_TREE")
  skip_if_not(nzchar(root), "DUALMARGIN_TREE is not set")
  page <- new.env(parent = globalenv())
  old <- setwd(file.path(root, "vignettes"))
  on.exit(setwd(old))
  for (file in c("_pages.R", "_drsvm.R")) sys.source(file, page)
  file <- system.file("extdata", "drsvm_comparisons.csv", package = "dualmargin", mustWork = TRUE)
  stored <- utils::read.csv(file, colClasses = c(table = "character"))
  expect_equal(stored, page$comparisons(), tolerance = 1e-5, ignore_attr = TRUE)
  expect_false(anyNA(stored[c("pairs", "p", "adjusted", "verdict")]))
})
