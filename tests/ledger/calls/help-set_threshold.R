rows <- seq(1, nrow(spambase), by = 10)

# --

train <- spambase[rows, ]

# --

test <- spambase[-rows, ]

# --

fit <- margin_linear(type ~ ., data = train, loss = "logistic", lambda = 0.01)

# --

careful <- set_threshold(fit, 0.9, on = "prob")

# --

careful

# --

table(predicted = predict(careful, test), observed = test$type)

# --

set_threshold(fit, margin_threshold(fit, train, metric = "f1", seed = 1))
