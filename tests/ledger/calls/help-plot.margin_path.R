path <- margin_path(type ~ ., data = spambase, loss = "logistic", mixture = 1, n_lambda = 30)

# --

plot(path)

# --

plot(path, which = "gap")
