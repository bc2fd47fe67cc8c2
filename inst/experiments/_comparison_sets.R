# Many data sets, at most 1,000 rows and the 300 most variable columns of each, no tuning (cost 1,
# sigma one over the number of columns, lambda 1/n): the mean accuracy of five folds. The
# vignette ranks them.
# writes: comparison_sets.csv
# depends: core src/linear R/margin_linear.R src/kernel R/margin_kernel.R src/robust
# depends: R/margin_robust.R R/models_compare.R
# seeds: 4 (rows), 5 (folds), 1 (solvers)

names_of_sets <- c("spambase", "colon", "a1a", "mushrooms", "phishing", "ijcnn1", "w8a", "bank",
                   "magic04", "covtype_sub92962", "golub", "west", "gravier", "nki272",
                   "vantveer96", "p53")
most <- 1000L
some_rows <- function(name) {
  data <- margin_data(name)
  set.seed(4)
  rows <- sort(sample(nrow(data$x), min(most, nrow(data$x))))
  x <- data$x[rows, , drop = FALSE]
  if (is.data.frame(x)) x <- stats::model.matrix(~ ., x)[, -1L]
  if (inherits(x, "Matrix")) x <- as.matrix(x)
  spread <- apply(x, 2L, stats::var)
  kept <- utils::head(order(spread, decreasing = TRUE), min(300L, sum(spread > 0)))
  list(x = x[, sort(kept), drop = FALSE],
       y = droplevels(as.factor(data$y[rows])))
}
specs_for <- function(n) {
  list(
    "linear, hinge" = spec_margin("linear", loss = "hinge", cost = 1, intercept = "free",
                                control = control),
    "linear, logistic" = spec_margin("linear", loss = "logistic", cost = 1, intercept = "free",
                                     multiclass = "one_vs_rest", control = control),
    "kernel, hinge" = spec_margin("kernel", loss = "hinge", kernel = kernel_rbf(1 / n$p), cost = 1,
                                  intercept = "free", control = control),
    "robust" = spec_margin("robust", norm = "l1", radius = 0.02, label_cost = Inf,
                           intercept = "free", control = control, scale = FALSE),
    "e1071 rbf" = spec_peer("e1071", "rbf", cost = 1),
    "glmnet" = spec_peer("glmnet", lambda = 1 / n$train),
    "LiblineaR type 3" = spec_peer("LiblineaR", 3, cost = 1),
    "ranger" = forest
  )
}
on_one_set <- function(name) {
  data <- some_rows(name)
  n <- list(p = ncol(data$x), train = round(0.8 * nrow(data$x)))
  comparison <- quietly(margin_compare(data$x, data$y, specs_for(n), folds = 5, seed = 5))
  message(format(Sys.time(), "%T "), name)
  table <- summary(comparison, tests = "bayes")$models
  cbind(data = name, n_rows = nrow(data$x), n_columns = n$p,
        table[c("model", "mean", "relative_gap", "certified", "fits", "seconds")])
}
if (spotting) names_of_sets <- "west"
absent <- setdiff(names_of_sets, subset(margin_data(), available)$name)
if (length(absent)) {
  message("Part sets is left out: DUALMARGIN_DATA lacks ", toString(absent), ".")
} else {
  rows <- do.call(rbind, lapply(names_of_sets, on_one_set))
  save_results(rows, "sets", keys = c("data", "model"), skip = "relative_gap")
}
