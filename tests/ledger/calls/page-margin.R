fit <- margin_hard(colon$x, colon$y, scale = TRUE, intercept = "none")

# --

certificate(fit)

# --

slow <- margin_hard(colon$x, colon$y, scale = TRUE, solver = "momentum",
                    control = margin_control(tol = 1e-2, max_epochs = 5000), intercept = "none")

# --

certificate(slow)

# --

plot(slow, which = "interval", xlim = c(0, 1000))

# --

overlap <- margin_hard(a1a$x, factor(a1a$y), intercept = "none")

# --

c(separable = overlap$separable, residual = overlap$residual)

# --

certificate(overlap)

# --

pushed <- margin_hard(a1a$x, factor(a1a$y), solver = "momentum",
                      control = margin_control(max_epochs = 2000), intercept = "none")

# --

certificate(pushed)

# --

unscaled <- margin_hard(as.matrix(spambase[-58]), spambase[[58]], intercept = "none",
                        control = margin_control(seed = 1))

# --

c(separable = unscaled$separable, residual = unscaled$residual, epochs = unscaled$status$epochs)
