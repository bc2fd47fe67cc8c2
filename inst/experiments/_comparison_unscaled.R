# 2,000 rows of spambase with their columns as they are and divided by their standard deviations,
# cost 1, no tuning: how far from its own optimum does each solver stop, and does the order of the
# models depend on it?
# The rows named "its optimum" solve the problem of a peer to a relative gap of 1e-6.
# writes: comparison_unscaled_folds.csv comparison_unscaled_tests.csv
# depends: core src/linear R/margin_linear.R R/models_compare.R R/models_tests.R
# seeds: 1 (rows, folds, solvers)

specs <- list(
  "LiblineaR type 3" = spec_peer("LiblineaR", 3),
  "LiblineaR type 3, epsilon 1e-6" = spec_peer("LiblineaR", 3, tolerance = 1e-6),
  "type 3: its optimum" = spec_margin("linear", loss = "hinge", cost = 1, intercept = "penalized",
                                      control = control),
  "LiblineaR type 1" = spec_peer("LiblineaR", 1),
  "LiblineaR type 2" = spec_peer("LiblineaR", 2),
  "types 1, 2: their optimum" = spec_margin("linear", loss = loss_squared_hinge(0.5), cost = 1,
                                            intercept = "penalized", control = control),
  "LiblineaR type 7" = spec_peer("LiblineaR", 7),
  "type 7: its optimum" = spec_margin("linear", loss = "logistic", cost = 1,
                                            intercept = "penalized", control = control),
  "glmnet" = spec_peer("glmnet", lambda = 1 / 1600),
  "e1071 linear" = spec_peer("e1071", "linear"),
  "linear, hinge" = spec_margin("linear", loss = "hinge", cost = 1, intercept = "free",
                                control = control)
)
set.seed(1)
rows_used <- spambase[sort(sample(nrow(spambase), 2000L)), ]
warned <- character()
rows <- lapply(c(FALSE, TRUE), function(scale) {
  comparison <- withCallingHandlers(
    margin_compare(type ~ ., data = rows_used, specs, folds = 5, seed = 1, scale = scale,
                   metric = c("accuracy", "auroc")),
    warning = function(condition) {
      if (!inherits(condition, "dualmargin_not_certified")) {
        warned <<- c(warned, conditionMessage(condition))
      }
      invokeRestart("muffleWarning")
    }
  )
  if (!scale) {
    pairs <- tidy(comparison, tests = c("corrected_t", "bayes", "mcnemar"))
    pairs <- pairs[pairs$model_1 == "LiblineaR type 3" & pairs$model_2 == "type 3: its optimum", ]
    save_results(pairs, "unscaled_tests")
  }
  cbind(scaled = scale, comparison$results)
})
message("warnings of the peers: ", length(warned), " ", toString(unique(warned)))
save_results(cbind(do.call(rbind, rows), warnings = length(warned)), "unscaled_folds",
             keys = c("scaled", "model", "repetition", "fold"),
             skip = c("relative_gap", "warnings"))
