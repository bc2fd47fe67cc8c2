train <- seq(1, nrow(spambase), by = 5)

# --

fit <- margin_linear(type ~ ., data = spambase[train, ], lambda = 0.01)

# --

loo <- margin_loo(fit, spambase[train, ])

# --

loo

# --

head(subset(as.data.frame(loo), wrong & !wrong_in_training))

# --

plot(loo)

# --

mean(predict(fit, spambase[-train, ]) != spambase$type[-train])

# --

few <- spambase[seq(1, nrow(spambase), by = 20), ]

# --

rbf <- margin_kernel(type ~ ., data = few, loss = "logistic", lambda = 0.01)

# --

margin_loo(rbf, few)
