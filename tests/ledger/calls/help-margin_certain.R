train <- seq(1, nrow(spambase), by = 2)

# --

test <- spambase[-train, ]

# --

fit <- margin_linear(type ~ ., data = spambase[train, ], lambda = 0.01)

# --

certain <- margin_certain(fit, spambase[train, ])

# --

certain

# --

found <- predict(certain, test)

# --

found[!found$decided, ]

# --

table(tidy(certain)$sign, useNA = "ifany")
