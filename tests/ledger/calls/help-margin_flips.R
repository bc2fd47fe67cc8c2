train <- spambase[seq(1, nrow(spambase), by = 5), ]

# --

test <- spambase[seq(2, nrow(spambase), by = 20), ]

# --

fit <- margin_linear(type ~ ., data = train, lambda = 0.1, intercept = "penalized")

# --

certain <- margin_certain(fit, train)

# --

flips <- margin_sensitivity(fit, train, newdata = test, count = TRUE)

# --

flips

# --

fragile <- subset(as.data.frame(flips), alone > 0)

# --

head(fragile)

# --

head(subset(flips$bounds, is.na(flips) | flips))

# --

plot(flips)
