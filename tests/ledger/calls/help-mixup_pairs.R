set.seed(1)

# --

rows <- seq(1, nrow(spambase), by = 20)

# --

fit <- margin_kernel(type ~ ., data = spambase[rows, ], mixup = mixup_pairs(100))

# --

fit

# --

table(predict(fit, spambase[-rows, ]), spambase$type[-rows])

# --

more <- mixup_data(as.matrix(iris[1:100, 1:4]), droplevels(iris$Species[1:100]), 50)

# --

tail(more$pairs, 3)
