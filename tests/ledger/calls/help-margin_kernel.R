train <- seq(1, nrow(spambase), by = 10)

# --

test <- spambase[-train, ]

# --

fit <- margin_kernel(type ~ ., data = spambase[train, ])

# --

fit

# --

summary(fit)

# --

mean(predict(fit, test) == test$type)

# --

svm <- margin_kernel(type ~ ., data = spambase[train, ], loss = "hinge")

# --

mean(predict(svm, test) == test$type)

# --

flowers <- margin_kernel(Species ~ ., data = iris, multiclass = "softmax")

# --

head(predict(flowers, type = "prob"), 3)
