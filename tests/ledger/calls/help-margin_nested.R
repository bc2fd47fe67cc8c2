some <- spambase[seq(1, nrow(spambase), by = 20), ]

# --

nested <- margin_nested(type ~ ., data = some, grid = list(lambda = 10^-(1:3)), folds = 4,
                        inner = 3, metric = c("log_loss", "accuracy"), seed = 1)

# --

nested

# --

summary(nested)

# --

plot(nested)
