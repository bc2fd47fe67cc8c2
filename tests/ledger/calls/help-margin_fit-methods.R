fit <- margin_linear(mpg ~ wt + hp, data = mtcars, loss = "squared")

# --

coef(fit)

# --

head(residuals(fit), 3)

# --

nobs(fit)

# --

formula(fit)
