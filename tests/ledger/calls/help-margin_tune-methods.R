some <- spambase[seq(1, nrow(spambase), by = 20), ]

# --

tuned <- margin_cv(type ~ ., data = some, prove = TRUE, grid = list(lambda = c(0.01, 1)), folds = 5, seed = 1)

# --

tuned

# --

glance(tuned)

# --

plot(tuned)
