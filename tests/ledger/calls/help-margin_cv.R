train <- seq(1, nrow(spambase), by = 10)

# --

test <- spambase[-train, ]

# --

cv <- margin_cv(type ~ ., data = spambase[train, ], loss = "logistic",
                grid = list(lambda = 10^-(1:4)), folds = 5,
                metric = c("log_loss", "accuracy"), seed = 1)

# --

cv

# --

plot(cv)

# --

best_setting(cv, rule = "one_se")

# --

fit <- refit(cv, rule = "one_se")

# --

mean(predict(fit, test) == test$type)

# --

margin_cv(Species ~ ., data = iris, family = "kernel", folds = 3,
          grid = list(sigma = c(0.1, 1), lambda = 10^-(1:3)))
