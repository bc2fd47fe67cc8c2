fit <- margin_linear(type ~ ., data = spambase, loss = "logistic")

# --

plot(fit)

# --

plot(fit, which = "convergence")

# --

plot(fit, which = "coefficients", top = 12)

# --

cars <- margin_linear(mpg ~ wt + hp + factor(cyl), data = mtcars)

# --

plot(cars)

# --

plot(cars, mtcars)

# --

two <- margin_linear(Species ~ Petal.Length + Petal.Width, data = iris)

# --

plot(two, which = "boundary", data = iris)
