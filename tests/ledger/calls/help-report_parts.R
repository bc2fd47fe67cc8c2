fit <- margin_linear(type ~ ., data = spambase, loss = "logistic")

# --

report_parts(fit)$verdict

# --

report_parts(fit, spambase)$features
