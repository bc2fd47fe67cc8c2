train <- spambase[seq(1, nrow(spambase), by = 10), ]

# --

test <- spambase[seq(2, nrow(spambase), by = 10), ]

# --

fit <- margin_linear(type ~ ., data = train, lambda = 0.01)

# --

sets <- margin_conformal(fit, train, seed = 1)

# --

sets

# --

head(predict(sets, test[1:57]), 3)

# --

coverage(sets, test)

# --

plot(sets, test)

# --

margin_conformal(fit, holdout = spambase[seq(3, nrow(spambase), by = 10), ], by = "label")

# --

predict(margin_conformal(fit, train, method = "full"), test[1:3, 1:57])

# --

cars <- margin_linear(mpg ~ wt + hp, data = mtcars[-(1:2), ])

# --

wide <- margin_conformal(cars, mtcars[-(1:2), ], score = "normalised", folds = 8, seed = 1)

# --

predict(wide, mtcars[1:2, ], level = c(0.8, 0.9))
