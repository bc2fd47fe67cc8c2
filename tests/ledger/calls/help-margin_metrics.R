margin_metrics()

# --

cost <- margin_metric(function(truth, predicted, weights) {
  price <- ifelse(truth == "spam", 1, 10) # a lost letter is dearer than a read advertisement
  sum(weights * price * (predicted != truth)) / sum(weights)
}, name = "cost", maximize = FALSE)

# --

margin_cv(type ~ ., data = spambase[seq(1, nrow(spambase), by = 20), ], loss = "logistic",
          grid = list(lambda = 10^-(1:3)), folds = 3, metric = list("log_loss", cost))
