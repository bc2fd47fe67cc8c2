# Spambase: 1,500 rows to tune by, the other 3,101 to compare on, which no setting was chosen by.
# writes: comparison_spam_folds.csv comparison_spam_tests.csv comparison_spam_tuning.csv
# writes: comparison_spam_hard.csv
# depends: core src/linear R/margin_linear.R src/kernel R/margin_kernel.R src/augmented
# depends: R/margin_augmented.R src/robust R/margin_robust.R src/hard R/margin_hard.R R/models_compare.R
# depends: R/models_tests.R R/cv.R
# seeds: 1 (rows, tuning, solvers), 2 (folds)

set.seed(1)
tuning <- sort(sample(nrow(spambase), 1500L))
to_tune <- spambase[tuning, ]
to_compare <- spambase[-tuning, ]
p <- ncol(spambase) - 1L

grids <- list(
  "linear, hinge" = list(family = "linear", loss = "hinge", intercept = "free",
                         grid = list(cost = 10^seq(-2, 2, 0.5))),
  "linear, logistic" = list(family = "linear", loss = "logistic", intercept = "free",
                            grid = list(lambda = 10^seq(-5, -1, 0.5))),
  "kernel, hinge" = list(family = "kernel", loss = "hinge", intercept = "free",
                         grid = list(sigma = c(1, 2, 4, 8) / (4 * p), cost = 10^seq(-1, 2, 0.5))),
  "robust" = list(family = "robust", intercept = "free", label_cost = Inf, scale = TRUE,
                  grid = list(norm = c("l1", "l2"), radius = 10^seq(-4, -1, 0.5))),
  "augmented" = list(family = "augmented", loss = "logistic", intercept = "penalized",
                     perturbation = perturb_dropout, center = FALSE, scale = TRUE,
                     grid = list(rate = c(0.05, 0.1, 0.2), lambda = 10^(-3:-1)))
)
if (spotting) grids <- grids["linear, hinge"]
chosen <- lapply(names(grids), function(name) {
  arguments <- c(list(type ~ ., data = to_tune, folds = 5, seed = 1, metric = "accuracy",
                      control = control), grids[[name]])
  seconds <- system.time(cv <- quietly(do.call(margin_cv, arguments)))[["elapsed"]]
  message(format(Sys.time(), "%T "), name, ", ", round(seconds), " s")
  list(cv = cv, best = summary(cv, rule = "best"), seconds = seconds)
})
names(chosen) <- names(grids)
best <- lapply(chosen, function(one) one$best)
save_results(do.call(rbind, lapply(names(chosen), function(name) {
  row <- best[[name]]
  settings <- row[intersect(names(row), c("cost", "lambda", "sigma", "norm", "radius", "rate"))]
  said <- vapply(settings, function(value) format(value, digits = 3), "")
  data.frame(model = name, settings = nrow(chosen[[name]]$cv$settings),
             chosen = paste(names(said), said, sep = " = ", collapse = ", "),
             row[c("mean", "std.error", "certified", "relative_gap")],
             fits = nrow(chosen[[name]]$cv$results), seconds = chosen[[name]]$seconds)
})), "spam_tuning", keys = "model")

# The peers take the settings of the same problem.
cost <- best[["linear, hinge"]]$cost
lambda <- best[["linear, logistic"]]$lambda
kernel <- best[["kernel, hinge"]]
few <- list(
  "linear, hinge" = spec_margin("linear", loss = "hinge", cost = cost, intercept = "free",
                                control = control),
  "e1071 linear" = spec_peer("e1071", "linear", cost = cost)
)
specs <- if (spotting) few else list(
  "linear, hinge" = spec_margin("linear", loss = "hinge", cost = cost, intercept = "free",
                                control = control),
  "linear, logistic" = spec_margin("linear", loss = "logistic", lambda = lambda,
                                   intercept = "free", control = control),
  "kernel, hinge" = spec_margin("kernel", loss = "hinge", kernel = kernel_rbf(kernel$sigma),
                                cost = kernel$cost, intercept = "free", control = control),
  "robust" = spec_margin("robust", norm = best$robust$norm, radius = best$robust$radius,
                         label_cost = Inf, intercept = "free", control = control, scale = FALSE),
  "augmented" = spec_margin("augmented", perturbation = perturb_dropout(best$augmented$rate),
                            loss = "logistic",
                            lambda = best$augmented$lambda, intercept = "penalized",
                            control = control, center = FALSE, scale = FALSE),
  "e1071 linear" = spec_peer("e1071", "linear", cost = cost),
  "kernlab linear" = spec_peer("kernlab", "linear", cost = cost),
  "LiblineaR type 3" = spec_peer("LiblineaR", 3, cost = cost),
  "glmnet" = spec_peer("glmnet", lambda = lambda),
  "e1071 rbf" = spec_peer("e1071", "rbf", cost = kernel$cost, sigma = kernel$sigma),
  "kernlab rbf" = spec_peer("kernlab", "rbf", cost = kernel$cost, sigma = kernel$sigma),
  "ranger" = forest
)
comparison <- quietly(margin_compare(type ~ ., data = to_compare, specs, folds = 5, repeats = 3,
                                     metric = c("accuracy", "auroc"), seed = 2))
save_comparison(comparison, "spam", c("corrected_t", "bayes", "mcnemar", "delong"))

# The fifth family: is there a margin at all?
hard <- quietly(margin_hard(type ~ ., data = spambase, intercept = "free", scale = TRUE,
                            control = margin_control(seed = 1, max_seconds = 300,
                                                     progress = FALSE)))
save_results(data.frame(status = hard$status$status, separable = hard$separable,
                        residual = hard$residual, value = certificate(hard)$value,
                        bound = certificate(hard)$bound, seconds = hard$status$seconds),
             "spam_hard", skip = c("residual", "bound"))
