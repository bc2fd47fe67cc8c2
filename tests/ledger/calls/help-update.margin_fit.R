fit <- margin_linear(mpg ~ wt + hp, data = mtcars, loss = "squared")

# --

update(fit, . ~ . + qsec, lambda = 0.1)
