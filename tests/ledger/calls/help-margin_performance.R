train <- seq(1, nrow(spambase), by = 10)

# --

test <- spambase[-train, ]

# --

fit <- margin_linear(type ~ ., data = spambase[train, ], loss = "logistic", lambda = 0.01)

# --

judged <- margin_performance(fit, test)

# --

judged

# --

plot(judged, which = "pr")

# --

chosen <- margin_threshold(fit, spambase[train, ], metric = "f1", seed = 1)

# --

margin_performance(fit, test, c("f1", "precision", "sensitivity"), threshold = chosen)
