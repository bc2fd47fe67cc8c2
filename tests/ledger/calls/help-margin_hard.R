flowers <- droplevels(iris[iris$Species != "virginica", ])

# --

train <- seq(1, nrow(flowers), by = 2)

# --

test <- flowers[-train, ]

# --

fit <- margin_hard(Species ~ ., data = flowers[train, ])

# --

fit

# --

support_rows(fit)

# --

mean(predict(fit, test) == test$Species)

# --

two <- margin_hard(Species ~ Petal.Length + Petal.Width, data = flowers)

# --

plot(two, which = "boundary", data = flowers)

# --

plot(two, which = "scores")
