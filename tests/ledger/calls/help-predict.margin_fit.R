train <- seq(1, nrow(iris), by = 2)

# --

test <- iris[-train, ]

# --

fit <- margin_linear(Species ~ ., data = iris[train, ], loss = "logistic")

# --

table(predicted = predict(fit, test), observed = test$Species)

# --

new <- test[c(1, 26, 51), 1:4]

# --

predict(fit, new, type = "score")

# --

round(predict(fit, new, type = "prob"), 3)
