# A forest of ranger, as a user specifies a model of another package.
forest_spec <- function(trees = 500) {
  model_spec(
    fit_fun = function(x, y, weights = NULL) {
      ranger::ranger(x = x, y = y, probability = is.factor(y), num.trees = trees,
                     case.weights = weights, num.threads = 1L)
    },
    predict_fun = function(model, x, levels) {
      answer <- stats::predict(model, x, num.threads = 1L)$predictions
      if (is.null(levels)) answer else list(prob = answer)
    },
    name = "ranger"
  )
}
