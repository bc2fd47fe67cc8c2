some <- spambase[seq(1, nrow(spambase), by = 10), ]

# --

cv <- margin_cv(type ~ ., data = some, loss = "logistic", metric = "log_loss", folds = 5,
                grid = list(lambda = 10^-(1:5), mixture = c(0, 0.5)), seed = 1)

# --

plot(cv)
