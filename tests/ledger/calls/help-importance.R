train <- seq(1, nrow(spambase), by = 10)

# --

fit <- margin_linear(type ~ ., data = spambase[train, ], loss = "logistic", lambda = 0.01)

# --

test <- seq(2, nrow(spambase), by = 4)

# --

held_out <- importance(fit, spambase[test, ], metric = "auroc", repeats = 3, seed = 1)

# --

print(held_out, top = 5)

# --

plot(held_out)

# --

importance(margin_linear(mpg ~ ., data = mtcars), type = "coefficient")
