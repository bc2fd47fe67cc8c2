fit <- margin_linear(Species ~ ., data = iris[-1, ], lambda = 0.01)

# --

certain <- margin_certain(fit, iris[-1, ])

# --

predict(certain, iris[c(1, 71, 107), ])

# --

predict(certain, iris[c(1, 71, 107), ], type = "prob")

# --

few <- spambase[seq(1, nrow(spambase), by = 5), ]

# --

loose <- margin_linear(type ~ ., data = few, loss = "hinge", lambda = 0.01,
                       control = margin_control(tol = 1e-2))

# --

certain <- margin_certain(loose, few)

# --

table(predict(certain)$decided)

# --

table(predict(certain, data = few)$decided)
