train <- seq(1, nrow(spambase), by = 2)

# --

test <- spambase[-train, ]

# --

fit <- margin_robust(type ~ ., data = spambase[train, ], radius = 0.05, label_cost = 1)

# --

fit

# --

mean(predict(fit, test) == test$type)

# --

margin_robust(a1a$x, factor(a1a$y), norm = "l1", radius = 0.1, label_cost = 1,
              intercept = "none", scale = FALSE)
