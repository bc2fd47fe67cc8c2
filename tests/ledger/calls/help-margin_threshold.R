rows <- seq(1, nrow(spambase), by = 10)

# --

train <- spambase[rows, ]

# --

test <- spambase[-rows, ]

# --

fit <- margin_linear(type ~ ., data = train, loss = "hinge", lambda = 0.01)

# --

chosen <- margin_threshold(fit, train, metric = "balanced_accuracy", seed = 1)

# --

chosen

# --

margin_performance(fit, test, "balanced_accuracy", threshold = chosen)
