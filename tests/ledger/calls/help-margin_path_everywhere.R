train <- seq(1, nrow(spambase), by = 4)

# --

test <- spambase[-train, ]

# --

path <- margin_path(type ~ ., data = spambase[train, ], loss = "logistic",
                    lambda = c(1e-3, 1), everywhere = 0.01)

# --

path

# --

certificate(path, lambda = c(0.0123, 0.2))

# --

classes <- predict(path, test, lambda = c(0.0123, 0.2))

# --

vapply(classes, function(class) mean(class == test$type), 0)

# --

plot(path)
