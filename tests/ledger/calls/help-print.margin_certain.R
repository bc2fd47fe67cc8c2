fit <- margin_linear(type ~ ., data = spambase, loss = "hinge", lambda = 0.01)

# --

summary(margin_certain(fit, spambase))

# --

glance(margin_certain(fit, spambase))
