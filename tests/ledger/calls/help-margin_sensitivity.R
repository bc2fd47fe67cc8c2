train <- spambase[seq(1, nrow(spambase), by = 2), ]

# --

test <- spambase[seq(2, nrow(spambase), by = 20), ]

# --

fit <- margin_linear(type ~ ., data = train, lambda = 0.1)

# --

certain <- margin_certain(fit, train)

# --

changed <- margin_sensitivity(fit, train, newdata = test, remove = 1:20)

# --

changed

# --

subset(as.data.frame(changed), is.na(flips) | flips)

# --

folds <- rep(1:10, length.out = nrow(train))

# --

margin_sensitivity(fit, train, newdata = test, groups = folds)

# --

few <- train[seq(1, nrow(train), by = 10), ]

# --

smooth <- margin_kernel(type ~ ., data = few, lambda = 0.05)

# --

labels <- replace(rep(NA, nrow(few)), 1, "nonspam")

# --

margin_sensitivity(smooth, few, newdata = test, relabel = labels)
