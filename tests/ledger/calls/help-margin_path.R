train <- seq(1, nrow(spambase), by = 4)

# --

test <- spambase[-train, ]

# --

path <- margin_path(type ~ ., data = spambase[train, ], loss = "logistic", mixture = 1,
                    n_lambda = 20)

# --

path

# --

plot(path)

# --

coef(path, lambda = path$lambda[5])[1:4, ]

# --

classes <- predict(path, test, lambda = path$lambda[c(5, 10, 20)])

# --

vapply(classes, function(class) mean(class == test$type), 0)

# --

grid <- margin_path(a1a$x, factor(a1a$y), lambda = 10^-(1:3), mixture = c(0.5, 1))

# --

certificate(grid)

# --

robust <- margin_path(type ~ ., data = spambase[train, ], family = "robust", norm = "l2",
                      scale = TRUE, n_radius = 8)

# --

plot(robust, which = "risk", data = test)

# --

smooth <- margin_path(type ~ ., data = spambase[train[c(TRUE, FALSE, FALSE)], ],
                      family = "kernel", n_lambda = 10)

# --

plot(smooth, which = "risk", data = test)

# --

drop <- margin_path(type ~ ., data = spambase[train, ], family = "augmented", rate = c(0, 0.2),
                    lambda = 0.01, scale = TRUE)

# --

plot(drop, which = "risk", data = test)
