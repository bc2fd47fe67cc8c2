fit <- margin_robust(type ~ ., data = spambase, radius = 0.05, label_cost = 1)

# --

worst <- worst_case(fit, spambase)

# --

worst

# --

plot(worst)

# --

head(spambase[worst$row[worst$flipped], c("word_freq_your", "word_freq_free", "type")])

# --

head(attr(worst, "direction"))
