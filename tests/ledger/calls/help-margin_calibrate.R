rows <- seq(1, nrow(spambase), by = 10)

# --

train <- spambase[rows, ]

# --

test <- spambase[-rows, ]

# --

fit <- margin_linear(type ~ ., data = train, loss = "hinge", lambda = 0.01)

# --

calibrated <- margin_calibrate(fit, train, seed = 1)

# --

calibrated

# --

prob <- predict(calibrated, test, type = "prob")

# --

c(log_loss = -mean(log(prob[cbind(seq_len(nrow(test)), test$type)])))

# --

summary(calibrated)$calibration$differing

# --

plot(calibrated, which = "calibration")
