train <- seq(1, nrow(spambase), by = 10)

# --

test <- spambase[-train, ]

# --

tuned <- margin_cv(type ~ ., data = spambase[train, ], prove = TRUE, grid = list(lambda = c(0.01, 1)), folds = 5,
                     eps = 0.01, seed = 1)

# --

tuned

# --

plot(tuned)

# --

fit <- refit(tuned)

# --

mean(predict(fit, test) != test$type)
