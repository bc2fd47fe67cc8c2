cv <- margin_cv(type ~ ., data = spambase[seq(1, 4601, by = 20), ], loss = "logistic",
                grid = list(lambda = 10^-(1:3)), folds = 3, seed = 1)

# --

glance(cv)

# --

head(as.data.frame(cv), 3)

# --

glance(update(cv, folds = 4))
