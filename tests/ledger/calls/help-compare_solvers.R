comparison <- compare_solvers(a1a$x, factor(a1a$y), loss = "logistic", lambda = 1e-3,
                              control = margin_control(seed = 1, max_epochs = 100))

# --

comparison

# --

summary(comparison)

# --

plot(comparison)
