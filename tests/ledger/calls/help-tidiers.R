fit <- margin_linear(Species ~ ., data = iris, loss = "logistic")

# --

tidy(fit)

# --

glance(fit)

# --

head(augment(fit, iris), 3)
