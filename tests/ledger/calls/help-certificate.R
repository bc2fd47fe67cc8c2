fit <- margin_linear(Species ~ ., data = iris)

# --

certificate(fit)

# --

certificate(fit, by = "class")

# --

tail(convergence(fit), 3)
