angle <- seq(0, 2 * pi, length.out = 41)[-1]

# --

x <- cbind(cos(angle), sin(angle)) * rep(c(1, 2), 20)

# --

x <- cbind(x, 1)

# --

y <- factor(rep(c("inner", "outer"), 20))

# --

fit <- margin_hard(x, y, kernel = kernel_ntk(width = 64, seed = 1, normalize = FALSE))

# --

fit

# --

dim(fit$settings$kernel$weights$W)
