some <- spambase[seq(1, nrow(spambase), by = 20), ]

# --

cv <- margin_cv(type ~ ., data = some, grid = list(lambda = 10^-(1:4)), folds = 5, seed = 1)

# --

best_setting(cv)

# --

refit(cv)

# --

refit(cv, rule = "one_se")

# --

new <- spambase[seq(2, nrow(spambase), by = 20), ]

# --

mean(predict(cv, new) == new$type)

# --

summary(cv)
