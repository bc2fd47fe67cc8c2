train <- seq(1, 50, by = 2)

# --

fit <- margin_oneclass(iris[train, 1:4], nu = 0.1)

# --

glance(fit)

# --

table(fitted(fit))

# --

test <- augment(fit, newdata = iris[-train, ])

# --

tapply(test$.score, test$Species, range)
