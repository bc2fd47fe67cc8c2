train <- seq(1, 50, by = 2)

# --

fit <- margin_oneclass(iris[train, 1:4], nu = 0.1, kernel = kernel_rbf())

# --

table(iris$Species[-train], predict(fit, iris[-train, 1:4]))

# --

round(predict(fit, iris[c(2, 52, 102), ], type = "score"), 3)

# --

predict(fit, iris[c(2, 52, 102), ], type = "distance") > fit$radius
