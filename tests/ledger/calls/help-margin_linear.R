train <- seq(1, nrow(spambase), by = 2)

# --

test <- spambase[-train, ]

# --

fit <- margin_linear(type ~ ., data = spambase[train, ], loss = "logistic")

# --

certificate(fit)

# --

prob <- predict(fit, test, type = "prob")

# --

c(accuracy = mean(predict(fit, test) == test$type),
  log_loss = -mean(log(prob[cbind(seq_len(nrow(test)), test$type)])))

# --

svm <- margin_linear(a1a$x, factor(a1a$y), loss = "hinge", cost = 0.1)

# --

svm

# --

half <- seq(1, nrow(iris), by = 2)

# --

multinomial <- margin_linear(Species ~ ., data = iris[half, ])

# --

certificate(multinomial)

# --

mean(predict(multinomial, iris[-half, ]) == iris$Species[-half])
