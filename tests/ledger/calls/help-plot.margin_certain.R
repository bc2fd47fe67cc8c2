train <- seq(1, nrow(spambase), by = 10)

# --

fit <- margin_linear(type ~ ., data = spambase[train, ], lambda = 0.01,
                     control = margin_control(tol = 1e-3))

# --

plot(margin_certain(fit, spambase[train, ]))
