# Small real data for comparisons, and models whose scores are known without a fit.

spam_rows <- function(by = 20) spambase[seq(1, nrow(spambase), by = by), ]

iris_pair <- function() droplevels(iris[iris$Species != "setosa", ])

# Predicts from one column, with a threshold: no training, so that every number can be checked.
threshold_spec <- function(column, at, name, gap = NULL) {
  model_spec(
    fit_fun = function(x, y) list(at = at),
    predict_fun = function(model, x, levels) unname(x[, column] - model$at),
    name = name,
    gap_fun = if (!is.null(gap)) function(model, x, y, weights) gap
  )
}

quiet_compare <- function(specs, ...) {
  withCallingHandlers(
    margin_compare(..., specs = specs),
    dualmargin_not_certified = function(condition) invokeRestart("muffleWarning")
  )
}
