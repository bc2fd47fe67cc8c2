# Colon: 62 rows are too few to set some aside, so each model is tuned inside of every fold, by a
# cross-validation of the rows that it may see (nested cross-validation). The columns are the 200
# genes that vary most, which asks no label.
# writes: comparison_colon_folds.csv comparison_colon_tests.csv
# depends: core src/linear R/margin_linear.R src/kernel R/margin_kernel.R src/augmented
# depends: R/margin_augmented.R src/robust R/margin_robust.R src/hard R/margin_hard.R R/models_compare.R
# depends: R/models_tests.R R/cv.R
# seeds: 2 (folds), 1 (inner folds, solvers)

genes <- order(apply(colon$x, 2L, stats::var), decreasing = TRUE)[1:200]
x <- colon$x[, genes]
p <- ncol(x)

# A model whose setting is chosen by margin_cv() on the rows it is fitted to. spec: a function of
# the best setting. A peer is tuned by our fits of its own problem, whose folds are cheap.
chosen_once <- new.env()
best_on <- function(x, y, arguments) {
  key <- paste(deparse(arguments), sum(x), sum(x[1L, ]), collapse = " ")
  if (is.null(chosen_once[[key]])) {
    cv <- quietly(do.call(margin_cv, c(list(x, y, folds = 5, seed = 1, metric = "accuracy"),
                                      arguments)))
    chosen_once[[key]] <- summary(cv, rule = "best")
  }
  chosen_once[[key]]
}
nested <- function(spec, arguments) {
  arguments <- c(arguments, list(scale = FALSE, control = control))
  model_spec(
    fit_fun = function(x, y) {
      made <- spec(best_on(x, y, arguments))
      list(spec = made, model = made$fit_fun(x, y))
    },
    predict_fun = function(model, x, levels) model$spec$predict_fun(model$model, x, levels),
    gap_fun = function(model, x, y, weights) model$spec$gap_fun(model$model, x, y, weights),
    name = "nested"
  )
}

hinge <- list(family = "linear", loss = "hinge", intercept = "free",
              grid = list(cost = 10^seq(-5, 0, 1)))
logistic <- list(family = "linear", loss = "logistic", intercept = "free",
                 grid = list(lambda = 10^seq(-3, 2, 1)))
kernel <- list(family = "kernel", loss = "hinge", intercept = "free",
               grid = list(sigma = c(0.1, 1) / p, cost = 10^(-1:2)))
robust <- list(family = "robust", norm = "l1", label_cost = Inf, intercept = "free",
               grid = list(radius = 10^seq(-3, 0, 1)))
dropout <- list(family = "augmented", loss = "logistic", intercept = "penalized",
                perturbation = perturb_dropout, center = FALSE,
                grid = list(rate = 0.1, lambda = 10^(-1:2)))

specs <- list(
  "linear, hinge" = nested(function(best) {
    spec_margin("linear", loss = "hinge", cost = best$cost, intercept = "free", control = control)
  }, hinge),
  "linear, logistic" = nested(function(best) {
    spec_margin("linear", loss = "logistic", lambda = best$lambda, intercept = "free",
                control = control)
  }, logistic),
  "kernel, hinge" = nested(function(best) {
    spec_margin("kernel", loss = "hinge", kernel = kernel_rbf(best$sigma), cost = best$cost,
                intercept = "free", control = control)
  }, kernel),
  "robust" = nested(function(best) {
    spec_margin("robust", norm = "l1", radius = best$radius, label_cost = Inf, intercept = "free",
                control = control, scale = FALSE)
  }, robust),
  "augmented" = nested(function(best) {
    spec_margin("augmented", perturbation = perturb_dropout(best$rate), loss = "logistic",
                lambda = best$lambda, intercept = "penalized", control = control, center = FALSE,
                scale = FALSE)
  }, dropout),
  "hard" = spec_margin("hard", intercept = "free", scale = FALSE, control = control),
  "e1071 linear" = nested(function(best) spec_peer("e1071", "linear", cost = best$cost), hinge),
  "kernlab linear" = nested(function(best) spec_peer("kernlab", "linear", cost = best$cost), hinge),
  "LiblineaR type 3" = nested(function(best) spec_peer("LiblineaR", 3, cost = best$cost), hinge),
  "glmnet" = nested(function(best) spec_peer("glmnet", lambda = best$lambda), logistic),
  "e1071 rbf" = nested(function(best) {
    spec_peer("e1071", "rbf", cost = best$cost, sigma = best$sigma)
  }, kernel),
  "ranger" = forest
)
# the draws of ranger depend on the models before it
if (spotting) specs <- specs[c("linear, logistic", "hard")]
comparison <- quietly(margin_compare(x, colon$y, specs, folds = 5, repeats = 4,
                                     metric = c("accuracy", "auroc"), seed = 2))
save_comparison(comparison, "colon", c("corrected_t", "bayes", "mcnemar", "delong"))
