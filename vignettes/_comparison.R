# What vignettes/comparison.Rmd reads from the results and computes of them.

tuning <- result("comparison_spam_tuning")
spam <- result("comparison_spam_folds")
spam_tests <- result("comparison_spam_tests")
no_margin <- result("comparison_spam_hard")
colon_folds <- result("comparison_colon_folds")
colon_tests <- result("comparison_colon_tests")
raw <- result("comparison_unscaled_folds")
raw_tests <- result("comparison_unscaled_tests")
probability <- result("comparison_calibration")
reliability <- result("comparison_reliability")
sets <- result("comparison_sets")
defaults <- result("defaults_accuracy")
in_percent <- function(x, digits = 1) percent(x, digits, unit = "")
gap_of <- function(x) ifelse(is.na(x), "unknown", tiny(x))
p_value <- function(p) ifelse(p < 1e-4, "&lt;0.0001", sprintf("%.2g", p))
# A relative gap is a share of the value; so much is the value above the bound.
above <- function(gap, digits = 0) in_percent(gap / (1 - gap), digits)
# A row per model of a table of folds.
by_model <- function(folds) {
  rows <- split(folds, factor(folds$model, unique(folds$model)))
  data.frame(
    model = names(rows), accuracy = vapply(rows, function(r) mean(r$score), 0),
    sd = vapply(rows, function(r) sd(r$score), 0),
    auroc = vapply(rows, function(r) mean(r$auroc), 0),
    gap = vapply(rows, function(r) max(r$relative_gap), 0),
    certified = vapply(rows, function(r) sum(r$certified), 0L),
    fits = lengths(lapply(rows, function(r) r$fold)),
    seconds = vapply(rows, function(r) median(r$seconds), 0)
  )
}
show_models <- function(table, caption) {
  knitr::kable(data.frame(
    table$model, sprintf("%s &plusmn; %s", in_percent(table$accuracy), in_percent(table$sd)),
    in_percent(table$auroc), gap_of(table$gap),
    ifelse(is.na(table$certified), "unknown", sprintf("%d of %d", table$certified, table$fits)),
    sprintf("%.2g", table$seconds)
  ), row.names = FALSE, align = "lrrrrr",
  col.names = c("model", "accuracy, %", "AUROC, %", "worst relative gap", "certified", "seconds"),
  caption = caption)
}
of <- function(table, model, what) table[[what]][match(model, table$model)]
test_of <- function(tests, one, other, test) {
  row <- tests[tests$test == test & tests$model_1 %in% c(one, other) &
                 tests$model_2 %in% c(one, other), ]
  stopifnot(nrow(row) == 1L)
  row
}
spam_table <- by_model(spam)
forest_told <- spam_tests[spam_tests$test == "corrected_t" &
                            (spam_tests$model_1 == "ranger" | spam_tests$model_2 == "ranger"), ]
colon_table <- by_model(colon_folds)

# Paired differences to one model, as plot() of a comparison draws them.
draw_differences <- function(folds, tests, reference, rope = 0.01, most = Inf) {
  models <- setdiff(unique(folds$model), reference)
  base <- folds$score[folds$model == reference]
  known <- folds$certified[folds$model == reference]
  drawn <- lapply(models, function(model) {
    rows <- folds[folds$model == model, ]
    test <- test_of(tests, model, reference, "corrected_t")
    sign <- if (test$model_1 == model) 1 else -1
    list(difference = rows$score - base, certified = rows$certified & known,
         mean = sign * test$estimate, ends = sign * c(test$conf.low, test$conf.high))
  })
  par(mar = c(4.2, 9.5, 0.6, 0.6))
  range <- 100 * range(unlist(lapply(drawn, function(d) c(d$difference, d$ends))))
  plot(NA, xlim = range, ylim = c(length(models) + 0.6, 0.4), yaxt = "n", ylab = "",
       xlab = sprintf("accuracy less that of \"%s\", percentage points", reference))
  rect(-100 * rope, -1, 100 * rope, length(models) + 2, col = "grey90", border = NA)
  abline(v = 0, lty = 2, col = "grey40")
  axis(2, seq_along(models), models, las = 1, tick = FALSE)
  for (i in seq_along(models)) {
    d <- drawn[[i]]
    y <- i + seq(-0.3, 0, length.out = length(d$difference))
    pch <- ifelse(is.na(d$certified), 4, ifelse(d$certified, 16, 1))
    points(100 * d$difference, y, pch = pch, col = okabe[6])
    segments(100 * d$ends[1], i + 0.25, 100 * d$ends[2], i + 0.25, lwd = 2.5, col = okabe[7])
    points(100 * d$mean, i + 0.25, pch = 18, cex = 1.4, col = okabe[7])
  }
  box()
}

pairs <- rbind(
  c("linear, hinge", "e1071 linear"), c("linear, hinge", "kernlab linear"),
  c("linear, hinge", "LiblineaR type 3"), c("linear, logistic", "glmnet"),
  c("kernel, hinge", "e1071 rbf"), c("kernel, hinge", "kernlab rbf"),
  c("linear, hinge", "linear, logistic"), c("linear, hinge", "robust"),
  c("linear, hinge", "augmented"), c("linear, hinge", "kernel, hinge"), c("kernel, hinge", "ranger")
)
pair_rows <- function(tests, pairs) {
  rows <- apply(pairs, 1L, function(pair) {
    get <- function(test) test_of(tests, pair[1L], pair[2L], test)
    bayes <- get("bayes")
    turned <- bayes$model_1 != pair[1L]
    data.frame(first = pair[1L], second = pair[2L], difference = if (turned) -bayes$estimate else
      bayes$estimate, t = get("corrected_t")$adj.p.value, mcnemar = get("mcnemar")$adj.p.value,
      delong = get("delong")$adj.p.value, better = if (turned) bayes$prob_model_2 else bayes$prob_model_1,
      same = bayes$prob_rope, worse = if (turned) bayes$prob_model_1 else bayes$prob_model_2,
      certified = bayes$certified)
  })
  do.call(rbind, rows)
}
show_pairs <- function(rows, caption) {
  knitr::kable(data.frame(rows$first, rows$second, sprintf("%+.2f", 100 * rows$difference),
                          p_value(rows$t), p_value(rows$mcnemar), p_value(rows$delong),
                          sprintf("%.2f / %.2f / %.2f", rows$better, rows$same, rows$worse),
                          ifelse(is.na(rows$certified), "unknown",
                                 ifelse(rows$certified, "yes", "**NO**"))),
               row.names = FALSE, align = "llrrrrrl",
               col.names = c("first", "second", "points", "corrected t", "McNemar", "DeLong",
                             "better / same / worse", "both certified"), caption = caption)
}
spam_pairs <- pair_rows(spam_tests, pairs)
same_problem <- spam_pairs[1:6, ]

forest <- test_of(spam_tests, "kernel, hinge", "ranger", "bayes")
liblinear_gap <- of(spam_table, "LiblineaR type 3", "gap")
other_gaps <- spam_table$gap[spam_table$model %in% c("e1071 linear", "kernlab linear", "glmnet",
                                                     "e1071 rbf", "kernlab rbf")]
linear_models <- c("linear, logistic", "robust", "augmented", "kernel, hinge")
least_same <- min(vapply(linear_models, function(model) {
  test_of(spam_tests, "linear, hinge", model, "bayes")$prob_rope
}, 0))

colon_t <- colon_tests[colon_tests$test == "corrected_t", ]
colon_hard <- by_model(colon_folds[colon_folds$model == "hard", ])
colon_missed <- colon_table[which(colon_table$certified < colon_table$fits), ]
top <- colon_table[which.max(colon_table$accuracy), ]
colon_top <- if (isTRUE(top$certified < top$fits)) sprintf(paste(
  "The highest mean, %s %%, is that of \"%s\", which stops early: that regularises, too; the",
  "difference is undecided."
), in_percent(top$accuracy), top$model) else sprintf("The highest mean, %s %%, is that of \"%s\".",
                                                  in_percent(top$accuracy), top$model)
half <- function(test) (test$conf.high - test$conf.low) / 2

raw_table <- by_model(raw[!raw$scaled, ])
scaled_table <- by_model(raw[raw$scaled, ])
optimum_of <- c("LiblineaR type 3" = "type 3: its optimum",
                "LiblineaR type 3, epsilon 1e-6" = "type 3: its optimum",
                "LiblineaR type 1" = "types 1, 2: their optimum",
                "LiblineaR type 2" = "types 1, 2: their optimum",
                "LiblineaR type 7" = "type 7: its optimum",
                "e1071 linear" = "linear, hinge", "glmnet" = NA)

lost <- function(model) {
  in_percent(of(raw_table, optimum_of[[model]], "accuracy") - of(raw_table, model, "accuracy"))
}
# All pairs of a solver and its optimum that are named below, told together: the corrected t test over
# the folds (test rows over all rows), by Holm's procedure.
early <- setdiff(names(optimum_of), "glmnet")
raw_folds <- raw[!raw$scaled, ]
raw_told <- verdicts(lapply(setNames(early, early), function(model) {
  of_model <- function(name) {
    rows <- raw_folds[raw_folds$model == name, ]
    rows$score[order(rows$fold)]
  }
  of_model(optimum_of[[model]]) - of_model(model)
}), overlap = raw$n_test[1] / (raw$n_test[1] + raw$n_train[1]), words = c("loses", "gains"))
p_lost <- function(model) {
  p_value(raw_told$adjusted[raw_told$comparison == model])
}

wide <- tapply(sets$mean, list(sets$data, factor(sets$model, unique(sets$model))), mean)
wide <- wide[unique(sets$data), ]

over_sets <- friedman_nemenyi(wide)

# "Practically the same": within one point with a probability of 0.95.
same_word <- function(probability) {
  n <- length(probability)
  k <- sum(probability >= 0.95)
  if (k == n) "holds" else if (k) sprintf("holds in %d of %d", k, n) else "undecided"
}
# Of pairs with one model: which are told, for it or against it.
told_for <- function(tests, model) {
  ours <- ifelse(tests$model_1 == model, tests$estimate, -tests$estimate)
  ifelse(tests$adj.p.value > 0.05, "undecided", ifelse(ours > 0, "better", "worse"))
}
to_the_end <- same_problem[same_problem$second != "LiblineaR type 3", ]
margin_same <- vapply(linear_models, function(model) {
  test_of(spam_tests, "linear, hinge", model, "bayes")$prob_rope
}, 0)

cells <- tapply(defaults$mean, list(factor(defaults$data, unique(defaults$data)),
                                    factor(defaults$method, unique(defaults$method))), mean)
is_class <- defaults$measure[match(rownames(cells), defaults$data)] == "accuracy"
spread <- max(defaults$sd[defaults$measure == "accuracy"] / sqrt(defaults$repeats[1]))
default_table <- function(rows, methods, heads, digits, caption) {
  shown <- cells[rows, methods, drop = FALSE]
  shown[] <- ifelse(is.na(shown), "", sprintf("%.*f", digits, shown * if (digits == 1) 100 else 1))
  knitr::kable(data.frame(rownames(cells)[rows], shown), row.names = FALSE,
               align = c("l", rep("r", length(methods))), col.names = c("data", heads), caption = caption)
}

behind <- function(ours, theirs) {
  gap <- cells[is_class, theirs] - cells[is_class, ours]
  gap[gap > 0.03]
}
far <- list(linear = behind("linear", "e1071, linear"), kernel = behind("kernel", "e1071, radial"),
            robust = behind("robust", "e1071, linear"),
            augmented = behind("augmented", "e1071, linear"))
same <- list(linear = behind("linear, e1071's problem", "e1071, linear"),
             kernel = behind("kernel, e1071's problem", "e1071, radial"))
named <- function(gaps) {
  if (length(gaps) == 0L) return("none")
  paste(sprintf("%s (%s points)", names(gaps), in_percent(gaps)), collapse = ", ")
}
