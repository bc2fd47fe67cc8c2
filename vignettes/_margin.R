# What vignettes/margin.Rmd reads from the results and computes of them.

all_passes <- result("margin_passes")
# curves and passes are those of seed 1; what other seeds have of a solver that draws is told beside
passes <- all_passes[all_passes$seed == 1, ]
errors <- result("margin_error")
classes <- result("margin_classes")
network <- result("margin_network")
adaptive <- result("margin_adaptive")
lemmas <- result("margin_lemmas")
losses <- result("margin_losses")
constants <- result("margin_constant")
proofs <- result("margin_proofs")
constant_of <- function(kind) constants[constants$kind == kind, ]
look <- data.frame(
  solver = c("auto", "active_set", "smo", "dual_cd", "momentum", "adaptive", "adaptive, theory",
             "perceptron", "ngd", "gd"),
  colour = okabe[c(1, 1, 9, 4, 6, 7, 7, 2, 3, 8)], lty = c(1, 3, 1, 1, 1, 1, 2, 1, 1, 1)
)
in_order <- function(solvers) look$solver[look$solver %in% solvers]
of <- function(solver, what) look[[what]][match(solver, look$solver)]
# The first of `at` where `good` holds.
first_at <- function(at, good) if (any(good, na.rm = TRUE)) at[which(good)[1L]] else NA
exact <- max(passes$margin[passes$solver == "auto"])
passes_to <- function(solver, error) {
  here <- passes[passes$solver == solver, ]
  first_at(here$epoch, here$margin >= exact * (1 - error))
}
cpu_to <- function(solver, error) {
  here <- passes[passes$solver == solver, ]
  first_at(here$seconds, here$margin >= exact * (1 - error))
}
passes_text <- function(solver, error = 0.1) {
  at <- passes_to(solver, error)
  if (is.na(at)) sprintf("more than %s", number(last_of(solver, "epoch"), 3)) else number(at, 3)
}
missing_text <- function(solver) {
  left <- 1 - max(passes$margin[passes$solver == solver]) / exact
  if (left >= 1) "more than all" else sprintf("%s %%", number(100 * left))
}
passes_of_seeds <- function(solver, error) {
  here <- all_passes[all_passes$solver == solver, ]
  range(vapply(split(here, here$seed), function(run) first_at(run$epoch, run$margin >= exact * (1 - error)), 0))
}
# What Theorem 3.1 leaves missing of the margin after t steps, as a share of it.
bound_31 <- function(t) {
  unit <- exact / passes$largest[1L]
  pmin(1, 4 * (1 + log(passes$n[1L])) * (1 + 2 * log(t + 1)) / (unit^2 * (t + 1)^2))
}
# Steps after which Theorem 4.1 promises that 1 % of the margin is missing, with probability 0.95.
steps_41 <- local({
  unit <- exact / passes$largest[1L]
  error <- 0.01 * unit
  max((32 * log(passes$n[1L]) + 64 * log(2 / 0.05)) / (unit^2 * error^2), 32 / (0.05 * error^2))
})
momentum_within <- local({
  here <- passes[passes$solver == "momentum", ]
  all(pmax(0, 1 - here$margin / exact) <= bound_31(here$epoch) | here$margin < 0 & bound_31(here$epoch) == 1)
})
# Both sides of what Section 3 says of every step, at the steps that were stored; zero is rounding.
lemma_rows <- local({
  separable <- lemmas[lemmas$largest_margin > 0, ]
  check <- function(what, says, rows, left, right) {
    slack <- (rows[[right]] - rows[[left]]) / pmax(abs(rows[[right]]), 1e-300)
    data.frame(what, says, rows = nrow(rows), least = min(slack), holds = all(slack >= -1e-10))
  }
  rbind(
    check("Lemma 3.1, rate of the dual", "phi(mu_t) - M&sup2;/2 below 4 ln n/(t + 1)&sup2;", lemmas, "gap",
      "gap_bound"),
    check("lemma of Section 3.3, psi", "its lower bound is below -psi(Z w_t)", lemmas,
          "psi_bound", "psi"),
    check("lemma of Section 3.3, norms: lower", "sum of M/lambda_j below |w_t|", lemmas, "low", "size"),
    check("lemma of Section 3.3, norms: upper", "|w_t| below the sum of |Z'nu_j|/lambda_j", lemmas, "size",
      "high"),
    check("proposition, half the margin", "M/2 - 4 ln n/(M (t + 1)&sup2;) below the margin", separable,
      "half", "margin"),
    check("Theorem 3.1 (1)",
          "M - 4 (1 + ln n)(1 + 2 ln(t + 1))/(M (t + 1)&sup2;) below the margin",
          separable, "theorem", "margin"),
    check("Theorem 3.1 (2), upper end", "M&sup2; below 4 |g_t|&sup2;/t&sup2;", transform(lemmas,
      square = largest_margin^2),
          "square", "upper2"),
    check("Theorem 3.1 (2), lower end", "4 |g_t|&sup2;/t&sup2; - 8 ln n/(t + 1)&sup2; below M&sup2;",
          transform(lemmas, square = largest_margin^2), "lower2", "square")
  )
})
# Appendices B to D: identities leave nothing over, lemmas of D hold in the promised share of runs, others have slack.
proofs$holds <- with(proofs, ifelse(
  statement %in% c("B.2 three points", "C.1 forms", "C.7 form of w"), slack < 1e-9,
  slack >= ifelse(statement %in% c("D psi", "D up"), 0.975, -1e-10)
))
proofs_asked <- setdiff(unique(proofs$statement), "C.7 sums, D")
proofs_failed <- proofs[!proofs$holds, ]
stopifnot(proofs_failed$statement == "C.7 sums", proofs_failed$loss == "logistic")
adaptive$promise <- adaptive$margin - adaptive$epsilon
adaptive_verdict <- if (all(adaptive$held >= (1 - adaptive$delta) * adaptive$runs)) "holds" else "does not hold"
# Passes until so much of the maximum is missing, by `losses`.
loss_at <- function(method, error) {
  here <- losses[losses$method == method, ]
  first_at(here$epoch, here$margin >= exact * (1 - error))
}
# The order by passes to 10 %, and of those that do not get there by the margin at the end.
order_verdict <- local({
  four <- c("momentum", "perceptron", "ngd", "gd")
  to_10 <- vapply(four, passes_to, 0, error = 0.1)
  to_10[is.na(to_10)] <- Inf
  ends <- vapply(four, function(solver) max(passes$margin[passes$solver == solver]), 0)
  sorted <- to_10[-4] < to_10[-1] | (to_10[-4] == to_10[-1] & ends[-4] > ends[-1])
  if (all(sorted)) "is seen (one run each: no verdict)" else "is not seen (one run each: no verdict)"
})
never_positive <- function() {
  tops <- tapply(all_passes$margin, all_passes$solver, max)
  paste(sprintf("`%s`", names(tops)[tops <= 0]), collapse = " and ")
}
last_of <- function(solver, column) utils::tail(passes[[column]][passes$solver == solver], 1)
auto_01 <- last_of("auto", "seconds")
momentum_01 <- cpu_to("momentum", 1e-3)

count <- classes$n[1]
instances <- unique(classes$instance)
marks3 <- sort(unique(classes$epoch[classes$solver != "auto"]))
best_of <- setNames(classes$margin[classes$solver == "auto"], classes$instance[classes$solver == "auto"])
classes$missing <- 1 - classes$margin / best_of[as.character(classes$instance)]
by_instance <- function(solver, mark, column) {
  here <- classes[classes$solver == solver & (solver == "auto" | classes$epoch == mark), ]
  here[[column]][match(instances, here$instance)]
}
methods3 <- in_order(setdiff(unique(classes$solver), "auto"))
# Against the batch perceptron: ln of what it misses of the margin over what the method misses, and
# its test error less that of the method. Each instance draws its test images from one pool, and each
# seed of Figure 4: given the pool, the differences are independent.
compared3 <- list()
for (solver in setdiff(methods3, "perceptron")) for (mark in marks3) {
  compared3[[paste("margin", solver, mark)]] <-
    log(by_instance("perceptron", mark, "missing") / by_instance(solver, mark, "missing"))
}
for (solver in setdiff(methods3, "perceptron")) for (mark in marks3) {
  compared3[[paste("error", solver, mark)]] <-
    by_instance("perceptron", mark, "test_error") - by_instance(solver, mark, "test_error")
}
# A measure of a method is a question.
told3 <- verdicts(compared3, ratios = grepl("^margin", names(compared3)),
                  question = sub(" [0-9]+$", "", names(compared3)))
is3 <- function(what, solver) {
  told3[grepl(paste0("^", what, " ", solver, " [0-9]+$"), told3$comparison), ]
}
word3 <- function(rows, wanted, contrary) judge(rows$verdict, wanted, contrary)
# "Not behind".
behind3 <- function(rows) {
  worse <- sum(rows$verdict == "worse")
  if (worse) sprintf("does not hold: worse at %d of %d", worse, nrow(rows)) else
    if (all(rows$verdict %in% c("better", "equal"))) "holds" else "undecided"
}
median3 <- function(solver, mark, column) stats::median(by_instance(solver, mark, column))
last3 <- max(marks3)

# Figure 2: split 0 is MNIST's own, the paper's; the others are drawn from all images.
all_rows <- errors[errors$split == 0L & errors$rows == "all", ]
first_rows <- errors[errors$split == 0L & errors$rows == "first", ]
exact_of <- function(rows) rows[rows$solver == "auto", ]
soft_of <- function(rows) {
  soft <- rows[rows$solver == "soft margin", ]
  soft[which.min(soft$test_error), ]
}
least <- function(rows, solver, iterate = "last") {
  min(rows$test_error[rows$solver == solver & rows$iterate == iterate])
}
# Over the splits that were drawn: test errors of a method at its best, less those of the momentum
# method. Two splits have in common as large a part of their test images, 1,902, as these are of all.
splits2 <- setdiff(unique(errors$split), 0L)
of_splits <- function(which, f) {
  vapply(splits2, function(split) f(errors[errors$split == split & errors$rows == which, ]), 0)
}
best2 <- function(which, method) {
  of_splits(which, function(rows) {
    if (method == "soft") soft_of(rows)$test_error else
      if (method == "maximum") exact_of(rows)$test_error else least(rows, method)
  })
}
rivals2 <- c("ngd", "gd", "perceptron")
pairs2 <- rbind(expand.grid(method = c(rivals2, "soft"), which = c("all", "first"), stringsAsFactors = FALSE),
                data.frame(method = "maximum", which = "first"))
told2 <- cbind(pairs2, verdicts(Map(function(which, method) {
  best2(which, method) - best2(which, "momentum")
}, pairs2$which, pairs2$method), overlap = 1902 / (1902 + all_rows$n[1L])))
is2 <- function(which, methods) told2[told2$which == which & told2$method %in% methods, ]
mean2 <- function(which, method) percent(mean(best2(which, method)), 2)
word2 <- function(which, method) is2(which, method)$verdict
than2 <- function(which) {
  paste(vapply(rivals2, function(rival) {
    against <- c(better = "worse", worse = "better")[is2(which, rival)$verdict]
    sprintf("%s %s (%s)", c(ngd = "NGD", gd = "GD", perceptron = "perceptron")[[rival]],
            mean2(which, rival), if (is.na(against)) is2(which, rival)$verdict else against)
  }, ""), collapse = ", ")
}

marks <- sort(unique(network$epoch))
last <- max(marks)
data_names <- c(mnist = "MNIST", cifar10 = "CIFAR-10")
data_names <- data_names[names(data_names) %in% network$data]
seeds_of <- function(data) unique(network$seed[network$data == data])
of_seeds <- function(data, epoch, column) {
  here <- network[network$data == data & network$epoch == epoch, ]
  here[[column]][match(seeds_of(data), here$seed)]
}
change_of <- function(data) of_seeds(data, last, "kernel_error") - of_seeds(data, 0, "kernel_error")
compared4 <- list()
for (data in names(data_names)) {
  error <- function(epoch, column = "kernel_error") of_seeds(data, epoch, column)
  compared4[[paste(data, "learned")]] <- error(0) - error(last)
  compared4[[paste(data, "one epoch")]] <- error(0) - error(1)
  compared4[[paste(data, "network")]] <- error(last, "network_error") - error(last)
}
told <- verdicts(compared4)
told4 <- function(data, which) told[told$comparison == paste(data, which), ]
interval <- function(data, which) {
  row <- told4(data, which)
  sprintf("%.2f percentage points (%.2f to %.2f)", 100 * row$estimate, 100 * row$lower,
          100 * row$upper)
}
verdict4 <- function(data, which) told4(data, which)$verdict
each_data <- function(f) {
  each <- vapply(names(data_names), f, "")
  if (length(unique(each)) == 1L) return(paste(each[[1L]], "on", paste(data_names, collapse = " and on ")))
  paste(sprintf("%s (%s)", each, data_names), collapse = " and ")
}
# Standard error of one error; rises beyond two of those of a difference.
noise_of <- function(data) {
  e <- mean(of_seeds(data, 0, "kernel_error"))
  sqrt(e * (1 - e) / if (data == "mnist") 4000 else 1500)
}
beyond_noise <- function(data) sum(change_of(data) > 2 * sqrt(2) * noise_of(data))
# Ends of the interval of Theorem 3.1 (2) on digits 3 and 5, after the last step.
lemma_end <- function(column) lemmas[[column]][lemmas$data == "3 v 5" & lemmas$t == max(lemmas$t)]

claims <- rbind(
  c("Margin against passes: momentum ahead of the batch perceptron, NGD and GD, in this order (Figure 1)",
    "one data set",
    sprintf(paste("the same data: passes until the margin is within 10 %% of its maximum %s, %s, %s, %s;",
                  "at the end NGD has a positive margin, GD none"), passes_text("momentum"),
            passes_text("perceptron"), passes_text("ngd"), passes_text("gd")), order_verdict),
  c("Theorem 3.1: rate of the momentum method", "proof", sprintf(
    "%s point of the curve is above the bound", if (momentum_within) "no" else "some"),
    if (momentum_within) "holds, loosely" else "does not hold"),
  c("Lemmas of Section 3, proposition with half the margin, Theorem 3.1 (2)", "proofs", sprintf(
    "both sides of %d statements on four data sets, 3 v 5 among them", nrow(lemma_rows) + 1L),
    if (all(lemma_rows$holds) && max(lemmas$same) < 1e-6) "holds" else "does not hold"),
  c("Theorem B.10 and the lemmas of Appendices B to D, exponential and logistic loss", "proofs", sprintf(
    "both sides of %d statements on %d data sets; the sums of Lemma C.7 fail for the logistic loss on %d of them",
    length(proofs_asked), length(unique(proofs$data)), nrow(proofs_failed)),
    if (nrow(proofs_failed)) "holds but for Lemma C.7 and the logistic loss" else "holds"),
  c("Theorem 4.1: rate of the adaptive method", "proof", sprintf(
    "held in %d of %d runs of %s to %s steps; on digits 0 and 1 it asks for %s", sum(adaptive$held),
      sum(adaptive$runs),
    number(min(adaptive$steps)), number(max(adaptive$steps)), tiny(steps_41)), paste0(adaptive_verdict,
      if (adaptive_verdict == "holds") ", loosely")),
  c("Theorem 5.1: constant 4 (several classes)", "proof", sprintf(
    "the proof gives 8; at most %s found", number(max(constants$constant))),
    "the proof fails; whether the statement holds is undecided"),
  c("The momentum method predicts best (Figure 2)", "one split", sprintf(
    "last iterates at their best, %d splits: test error %s; %s", length(splits2), mean2("all", "momentum"),
      than2("all")),
    judge(is2("all", rivals2)$verdict, "better", "worse")),
  c("Adaptive slightly ahead of the batch perceptron in margin (Figure 3)",
    "60,000 images, one run", sprintf(
    "%d instances of %s images, at %d numbers of passes: %s", length(instances), number(count, 6), length(marks3),
    count_verdicts(is3("margin", "adaptive"))), word3(is3("margin", "adaptive"), "better", "worse")),
  c("Theorem 4.1's steps behind the batch perceptron in margin (Figure 3)", "60,000 images, one run", sprintf(
    "the same instances: %s", count_verdicts(is3("margin", "adaptive, theory"))),
    word3(is3("margin", "adaptive, theory"), "worse", "better")),
  c("Adaptive not behind in test error (Figure 3)", "60,000 images, one run", sprintf(
    "the same instances, given the pool: %s", count_verdicts(is3("error", "adaptive"))),
    behind3(is3("error", "adaptive"))),
  do.call(rbind, lapply(names(data_names), function(data) c(
    sprintf("Learned features make the kernel better (Figure 4 (a)), on our network: %s", data_names[[data]]),
    "one seed, AlexNet, CIFAR-10", sprintf("%d seeds, a small network: error falls in %d, in the mean by %s",
                                           length(seeds_of(data)), sum(change_of(data) < 0), interval(data,
                                             "learned")),
    c(better = "holds in the mean", worse = "does not hold", equal = "does not hold: equal",
      "undecided" = "undecided")[[verdict4(data, "learned")]]))),
  do.call(rbind, lapply(names(data_names), function(data) c(
    sprintf("A seed for which learning does not help (Figure 4 (b)), on our network: %s", data_names[[data]]),
    "one seed, AlexNet, CIFAR-10",
      sprintf("error does not fall in %d of %d seeds, rises beyond the noise of the test images in %d",
                                           sum(change_of(data) >= 0), length(seeds_of(data)), beyond_noise(data)),
    "no verdict: single seeds")))
)
