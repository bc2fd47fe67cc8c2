margin_translation("glmnet")

# --

x <- as.matrix(spambase[1:57])

# --

fit <- margin_linear(x, spambase$type, loss = "logistic", mixture = 0.5, lambda = 0.02,
                     intercept = "free", scale = TRUE)

# --

head(coef(fit))
