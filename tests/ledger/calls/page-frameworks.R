library(dualmargin)

# --

rows <- seq(1, nrow(spambase), by = 5)

# --

some <- spambase[rows, ]

# --

others <- spambase[-rows, ]

# --

dim(some)

# --

fit <- margin_linear(type ~ ., data = some, loss = "hinge", lambda = 0.001)

# --

head(tidy(fit), 3)

# --

glance(fit)[c("nobs", "lambda", "value", "bound", "relative_gap", "certified")]

# --

fit <- margin_linear(type ~ ., data = some, lambda = 0.01)

# --

print(importance(fit, others, metric = "auroc", repeats = 2, seed = 1), top = 5)
