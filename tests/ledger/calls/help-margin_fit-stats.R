train <- mtcars[1:24, ]

# --

test <- mtcars[25:32, ]

# --

fit <- margin_linear(mpg ~ wt + hp, data = train, loss = "squared")

# --

deviance(fit)

# --

variable.names(fit)

# --

head(model.matrix(fit, test), 3)
