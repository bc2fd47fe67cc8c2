fit <- margin_linear(Species ~ ., data = iris)

# --

fit

# --

summary(fit)
