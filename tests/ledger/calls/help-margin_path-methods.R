train <- seq(1, nrow(iris), by = 2)

# --

test <- iris[-train, ]

# --

path <- margin_path(Species ~ ., data = iris[train, ], mixture = 0.9, n_lambda = 10)

# --

summary(path)

# --

coef(path, lambda = path$lambda[c(2, 10)])$setosa

# --

dim(predict(path, test, type = "score"))

# --

accuracy <- vapply(predict(path, test), function(class) mean(class == test$Species), 0)

# --

cbind(glance(path)[c("lambda", "df", "relative_gap")], accuracy)
