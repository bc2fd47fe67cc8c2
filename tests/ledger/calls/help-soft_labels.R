y <- ifelse(spambase$type == "spam", 0.9, -0.9)

# --

rows <- seq(1, nrow(spambase), by = 10)

# --

margin_kernel(spambase[rows, 1:57], soft_labels(y[rows]))
