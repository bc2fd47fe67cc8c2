wanted <- spambase[spambase$type == "nonspam", 1:57]

# --

train <- seq(1, nrow(wanted), by = 5)

# --

fit <- margin_oneclass(~ ., data = wanted[train, ], nu = 0.1)

# --

fit

# --

test <- rbind(wanted[-train, ], spambase[spambase$type != "nonspam", 1:57])

# --

mail <- rep(c("wanted", "spam"), c(nrow(wanted) - length(train), sum(spambase$type != "nonspam")))

# --

table(mail, predict(fit, test))
