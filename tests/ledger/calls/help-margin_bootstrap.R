fit <- margin_linear(mpg ~ wt + hp + qsec + drat, data = mtcars, lambda = 0.1)

# --

boot <- margin_bootstrap(fit, mtcars, resamples = 199, seed = 1)

# --

boot

# --

confint(boot, c("wt", "hp"), level = 0.9)

# --

plot(boot)

# --

lasso <- update(fit, mixture = 1)

# --

tidy(margin_bootstrap(lasso, mtcars, resamples = 199, seed = 1))
